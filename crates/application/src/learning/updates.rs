//! What callers do with cohorts that are updated by choice: see what would change for whom, and have a cohort updated.

use lyceum_domain::Id;
use lyceum_domain::authoring::activities::Activity;
use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::authoring::units::Unit;
use lyceum_domain::authoring::versions::waiting::ChangeTarget;
use lyceum_domain::ids::CohortId;
use lyceum_domain::learning::cohorts::Cohort;
use lyceum_domain::transition::InvalidTransition;
use lyceum_ports::authoring::waiting::{ChangeReach, Reached, WaitingMark};
use lyceum_wire::learning::updates::{CohortUpdateView, PinnedChangeView};

use crate::authoring::versions::pinning;
use crate::authoring::waiting::{self, Changeable, ShownCourse};
use crate::learning::{cohorts, pins};
use crate::prelude::*;

/// Shows what changes for a cohort when it is updated, and for whom.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: CohortId) -> Result<CohortUpdateView, Error> {
    let cohort = cohorts::find(tx, ctx, id)?;
    show(tx, ctx, &cohort)
}

/// Has a cohort see its course as it is now; shows what would change then, which is nothing.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::Transition`] where it sees it so already, [`Conflict::ChangedMeanwhile`] where something else would change
/// than the caller has seen
pub fn take(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CohortId,
    seen: Option<&str>,
) -> Result<CohortUpdateView, Error> {
    let cohort = cohorts::find(tx, ctx, id)?;
    tx.stand_in_line(pinning::line(cohort.course_id))?;
    let marks = pins::marks(tx, ctx, cohort.id)?;
    if marks.is_empty() {
        return Err(InvalidTransition {
            object: "cohort",
            from: "that sees its course as it is now",
            action: "be updated",
        }
        .into());
    }
    if seen.is_some_and(|seen| seen != waiting::revision(&marks)) {
        let problem = "something else would change by now".to_owned();
        return Err(Conflict::ChangedMeanwhile(vec![("revision".to_owned(), problem)]).into());
    }
    let view = cohorts::view(tx, ctx, &cohort)?;
    pins::let_go(tx, ctx, cohort.id, &view)?;
    show(tx, ctx, &cohort)
}

fn show(tx: &mut dyn Tx, ctx: &Context, cohort: &Cohort) -> Result<CohortUpdateView, Error> {
    let marks = pins::marks(tx, ctx, cohort.id)?;
    let mut changes = Vec::new();
    for mark in &marks {
        changes.extend(change(tx, ctx, cohort, mark)?);
    }
    let reach = tx.pinned_contents().reach(ctx.workspace_id(), cohort.id)?;
    let learners = reach.cohorts.learners;
    // Of the cohort itself there is nothing to tell.
    let of_things = ChangeReach {
        cohorts: Reached::default(),
        by_choice: Reached::default(),
        ..reach
    };
    let (id, course) = (cohort.id.to_string(), cohort.course_id.to_string());
    let notices = waiting::notices(&of_things);
    let revision = waiting::revision(&marks);
    Ok(CohortUpdateView::new(
        (id, course),
        revision,
        learners,
        (changes, notices),
    ))
}

fn change(
    tx: &mut dyn Tx,
    ctx: &Context,
    cohort: &Cohort,
    mark: &WaitingMark,
) -> Result<Option<PinnedChangeView>, Error> {
    let workspace = ctx.workspace_id();
    let pinned = tx.pinned_contents().find(workspace, cohort.id, mark.of)?;
    let Some(pinned) = pinned else {
        return Ok(None);
    };
    Ok(Some(PinnedChangeView {
        object: mark.of.object().to_owned(),
        id: mark.of.id(),
        name: name(tx, ctx, mark.of)?,
        fields: pinned.fields(),
        pinned_at: pinned.stamp.created_at.to_string(),
        changed_at: pinned.stamp.updated_at.to_string(),
    }))
}

/// What a thing is called now.
fn name(tx: &mut dyn Tx, ctx: &Context, of: ChangeTarget) -> Result<String, Error> {
    fn of_one<T: Changeable>(
        tx: &mut dyn Tx,
        ctx: &Context,
        id: Id<T::Kind>,
    ) -> Result<String, Error> {
        Ok(T::find(tx, ctx, id)?.name())
    }
    match of {
        ChangeTarget::Course(id) => of_one::<ShownCourse>(tx, ctx, id),
        ChangeTarget::Unit(id) => of_one::<Unit>(tx, ctx, id),
        ChangeTarget::Lesson(id) => of_one::<Lesson>(tx, ctx, id),
        ChangeTarget::Activity(id) => of_one::<Activity>(tx, ctx, id),
        ChangeTarget::Assignment(id) => of_one::<Assignment>(tx, ctx, id),
    }
}
