//! Courses over HTTP.

use lyceum_application::authoring::courses::{self, CourseFilter};
use lyceum_application::authoring::waiting::{self, ShownCourse};
use lyceum_domain::authoring::courses::CourseStatus;
use lyceum_domain::ids;
use lyceum_domain::text::LanguageTag;
use lyceum_wire::authoring::courses::{
    CloneCourse, CourseCloneView, CourseView, CreateCourse, UpdateCourse,
};

use crate::authoring::waiting::{Drafting, change, one};
use crate::prelude::*;

pub async fn create(call: Call<Json<CreateCourse>>) -> Outcome<Created<CourseView>> {
    call.write_texts(|tx, ctx, _, new| courses::create(tx, ctx, new))
        .await
}

pub async fn list(
    call: Call<Drafting<Listing<ids::Course, CourseFilter, Tagged>>>,
) -> Outcome<Listed<CourseView>> {
    call.read_one(|tx, ctx, _, ((filter, page), draft)| {
        let found = courses::list(tx, ctx, &filter, &page)?;
        if !draft {
            return Ok(found);
        }
        waiting::as_they_will_be::<ShownCourse>(tx, ctx, found)
    })
    .await
}

pub async fn retrieve(call: Call<Drafting<Nothing>>) -> Outcome<Found<CourseView>> {
    call.read_one(|tx, ctx, path, ((), draft)| {
        one::<ShownCourse>(tx, ctx, path.id()?, draft, courses::retrieve)
    })
    .await
}

pub async fn update(call: Call<Drafting<Json<UpdateCourse>>>) -> Outcome<Found<CourseView>> {
    let draft = call.is_draft();
    call.unless_changed(move |tx, ctx, path| {
        one::<ShownCourse>(tx, ctx, path.id()?, draft, courses::retrieve)
    })
    .of_draft(draft)
    .write_texts(|tx, ctx, path, changes| change::<ShownCourse>(tx, ctx, path.id()?, changes))
    .await
}

pub async fn delete(call: Call<Params<Force>>) -> Outcome<Deleted> {
    call.unless_changed(|tx, ctx, path| courses::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, Force(force)| {
            courses::delete(tx, ctx, path.id()?, force).map(|id| id.to_string())
        })
        .await
}

pub async fn copy(call: Call<Json<CloneCourse>>) -> Outcome<Created<CourseCloneView>> {
    call.write(|tx, ctx, path, copy| courses::copy(tx, ctx, path.id()?, copy))
        .await
}

pub async fn publish(call: Call<Nothing>) -> Outcome<Found<CourseView>> {
    call.write(|tx, ctx, path, ()| courses::publish(tx, ctx, path.id()?))
        .await
}

pub async fn archive(call: Call<Nothing>) -> Outcome<Found<CourseView>> {
    call.write(|tx, ctx, path, ()| courses::archive(tx, ctx, path.id()?))
        .await
}

pub async fn unarchive(call: Call<Nothing>) -> Outcome<Found<CourseView>> {
    call.write(|tx, ctx, path, ()| courses::unarchive(tx, ctx, path.id()?))
        .await
}

impl FromQuery for CourseFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("status", "In this state.").one_of(&["draft", "published", "archived"]),
        Parameter::new("language", "In this language."),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            status: query.parsed("status", CourseStatus::parse)?,
            language: query
                .parsed("language", LanguageTag::parse)?
                .map(|tag| tag.to_string()),
        })
    }
}
