//! Assignments over HTTP.

use lyceum_application::authoring::assignments::{self, AssignmentFilter};
use lyceum_application::authoring::waiting;
use lyceum_domain::authoring::assignments::{Assignment, GradingChanges};
use lyceum_domain::ids;
use lyceum_wire::authoring::assignments::{AssignmentView, CreateAssignment, UpdateAssignment};
use lyceum_wire::authoring::grading::{ConfigureAssignment, ConfigureFeedback, ConfigureRubric};
use lyceum_wire::common_ids::reference;

use crate::authoring::waiting::{Drafting, change, one};
use crate::prelude::*;

pub async fn create(call: Call<Json<CreateAssignment>>) -> Outcome<Created<AssignmentView>> {
    let notice = call.notice(|new| new.grading.notice());
    let done = call.write_texts(|tx, ctx, _, new| assignments::create(tx, ctx, new));
    Ok(done.await?.noticed(notice))
}

pub async fn list(
    call: Call<Drafting<Listing<ids::Assignment, AssignmentFilter, Tagged>>>,
) -> Outcome<Listed<AssignmentView>> {
    call.read(|tx, ctx, _, ((filter, page), draft)| {
        let found = assignments::list(tx, ctx, &filter, &page)?;
        if !draft {
            return Ok(found);
        }
        waiting::as_they_will_be::<Assignment>(tx, ctx, found)
    })
    .await
}

pub async fn retrieve(call: Call<Drafting<Nothing>>) -> Outcome<Found<AssignmentView>> {
    call.read(|tx, ctx, path, ((), draft)| {
        one::<Assignment>(tx, ctx, path.id()?, draft, assignments::retrieve)
    })
    .await
}

pub async fn update(
    call: Call<Drafting<Json<UpdateAssignment>>>,
) -> Outcome<Found<AssignmentView>> {
    let notice = call.notice(|(changes, _)| changes.grading.notice());
    let draft = call.is_draft();
    let done = call
        .unless_changed(move |tx, ctx, path| {
            one::<Assignment>(tx, ctx, path.id()?, draft, assignments::retrieve)
        })
        .of_draft(draft)
        .write_texts(|tx, ctx, path, changes| change::<Assignment>(tx, ctx, path.id()?, changes));
    Ok(done.await?.noticed(notice))
}

pub async fn configure(call: Call<Json<ConfigureAssignment>>) -> Outcome<Found<AssignmentView>> {
    let notice = call.notice(GradingChanges::notice);
    let done = call
        .unless_changed(|tx, ctx, path| assignments::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, changes| assignments::configure(tx, ctx, path.id()?, changes));
    Ok(done.await?.noticed(notice))
}

pub async fn configure_rubric(call: Call<Json<ConfigureRubric>>) -> Outcome<Found<AssignmentView>> {
    call.unless_changed(|tx, ctx, path| assignments::retrieve(tx, ctx, path.id()?))
        .write_texts(|tx, ctx, path, changes| assignments::configure(tx, ctx, path.id()?, changes))
        .await
}

pub async fn configure_feedback(
    call: Call<Json<ConfigureFeedback>>,
) -> Outcome<Found<AssignmentView>> {
    call.unless_changed(|tx, ctx, path| assignments::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, changes| assignments::configure(tx, ctx, path.id()?, changes))
        .await
}

pub async fn reset(call: Call<Nothing>) -> Outcome<Found<AssignmentView>> {
    call.unless_changed(|tx, ctx, path| assignments::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, ()| assignments::reset(tx, ctx, path.id()?))
        .await
}

pub async fn delete(call: Call<Params<Force>>) -> Outcome<Deleted> {
    call.unless_changed(|tx, ctx, path| assignments::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, Force(force)| {
            assignments::delete(tx, ctx, path.id()?, force).map(|id| id.to_string())
        })
        .await
}

impl FromQuery for AssignmentFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("course_id", "Of this course."),
        Parameter::new("unit_id", "Of this unit."),
        Parameter::new("lesson_id", "Of this lesson."),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            course_id: query.text("course_id")?.as_deref().map(reference),
            unit_id: query.text("unit_id")?.as_deref().map(reference),
            lesson_id: query.text("lesson_id")?.as_deref().map(reference),
            among: None,
        })
    }
}
