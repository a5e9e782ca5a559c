//! Lessons over HTTP.

use lyceum_application::authoring::lessons::{self, LessonFilter};
use lyceum_domain::ids::Lesson;
use lyceum_wire::authoring::lessons::{CreateLesson, LessonView, MoveLesson, UpdateLesson};
use lyceum_wire::common_ids::reference;

use crate::prelude::*;

pub async fn create(call: Call<Json<CreateLesson>>) -> Outcome<Created<LessonView>> {
    call.write_texts(|tx, ctx, _, new| lessons::create(tx, ctx, new))
        .await
}

pub async fn list(
    call: Call<Listing<Lesson, LessonFilter, Tagged>>,
) -> Outcome<Listed<LessonView>> {
    call.read(|tx, ctx, _, (filter, page)| lessons::list(tx, ctx, &filter, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<LessonView>> {
    call.read(|tx, ctx, path, ()| lessons::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn update(call: Call<Json<UpdateLesson>>) -> Outcome<Found<LessonView>> {
    call.unless_changed(|tx, ctx, path| lessons::retrieve(tx, ctx, path.id()?))
        .write_texts(|tx, ctx, path, changes| lessons::update(tx, ctx, path.id()?, changes))
        .await
}

pub async fn relocate(call: Call<Json<MoveLesson>>) -> Outcome<Found<LessonView>> {
    call.write(|tx, ctx, path, to| lessons::relocate(tx, ctx, path.id()?, to))
        .await
}

pub async fn delete(call: Call<Params<Force>>) -> Outcome<Deleted> {
    call.unless_changed(|tx, ctx, path| lessons::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, Force(force)| {
            lessons::delete(tx, ctx, path.id()?, force).map(|id| id.to_string())
        })
        .await
}

impl FromQuery for LessonFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("unit_id", "Of this unit, in order of position."),
        Parameter::new("course_id", "Of this course."),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            unit_id: query.text("unit_id")?.as_deref().map(reference),
            course_id: query.text("course_id")?.as_deref().map(reference),
            among: None,
        })
    }
}
