//! Lessons over HTTP.

use lyceum_application::authoring::lessons::{self, LessonFilter};
use lyceum_application::authoring::waiting;
use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::ids;
use lyceum_wire::authoring::lessons::{CreateLesson, LessonView, MoveLesson, UpdateLesson};
use lyceum_wire::common_ids::reference;

use crate::authoring::waiting::{Drafting, change, one};
use crate::prelude::*;

pub async fn create(call: Call<Json<CreateLesson>>) -> Outcome<Created<LessonView>> {
    call.write_texts(|tx, ctx, _, new| lessons::create(tx, ctx, new))
        .await
}

pub async fn list(
    call: Call<Drafting<Listing<ids::Lesson, LessonFilter, Tagged>>>,
) -> Outcome<Listed<LessonView>> {
    call.read(|tx, ctx, _, ((filter, page), draft)| {
        let found = lessons::list(tx, ctx, &filter, &page)?;
        if !draft {
            return Ok(found);
        }
        waiting::as_they_will_be::<Lesson>(tx, ctx, found)
    })
    .await
}

pub async fn retrieve(call: Call<Drafting<Nothing>>) -> Outcome<Found<LessonView>> {
    call.read(|tx, ctx, path, ((), draft)| {
        one::<Lesson>(tx, ctx, path.id()?, draft, lessons::retrieve)
    })
    .await
}

pub async fn update(call: Call<Drafting<Json<UpdateLesson>>>) -> Outcome<Found<LessonView>> {
    let draft = call.is_draft();
    call.unless_changed(move |tx, ctx, path| {
        one::<Lesson>(tx, ctx, path.id()?, draft, lessons::retrieve)
    })
    .of_draft(draft)
    .write_texts(|tx, ctx, path, changes| change::<Lesson>(tx, ctx, path.id()?, changes))
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
