//! By which due date whoever hands in is judged, and what callers do with other due dates.

use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::authoring::due_dates::{
    DueOverride, DueOverrideChanges, DueTerms, NewDueOverride, OverrideTarget, due_for, terms_for,
};
use lyceum_domain::ids::{AssignmentId, CohortId, DueOverrideId, UserId};
use lyceum_domain::running::jobs::Job;
use lyceum_wire::authoring::due_dates::DueOverrideView;

pub use lyceum_ports::authoring::due_dates::DueOverrideFilter;

use std::time::Duration;

use crate::prelude::*;
use crate::running::audit::{self, values};
use crate::running::queue;

/// Whoever was handing in while a due date changed has done so by then, and is looked at too.
const SECOND_LOOK: Duration = Duration::from_mins(1);

/// Gives a cohort or a learner another due date.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Reference`], [`Conflict::Taken`] where they have one
pub fn create(
    tx: &mut dyn Tx,
    ctx: &Context,
    assignment: AssignmentId,
    new: NewDueOverride,
) -> Result<DueOverrideView, Error> {
    let assignment = assignment_of(tx, ctx, assignment)?;
    check_target(tx, ctx, &assignment, new.target)?;
    let workspace = ctx.workspace_id();
    let due = DueOverride::new(workspace, ctx.mint(), assignment.id, new, ctx.now);
    tx.due_overrides().insert(&due)?;
    note(
        tx,
        ctx,
        &due,
        AuditedChange::made(values::due_override(&due)),
    )?;
    ease(tx, ctx, assignment.id)?;
    Ok(DueOverrideView::new(&due))
}

/// Shows a page of an assignment's.
///
/// # Errors
/// [`Error::NotFound`]
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    assignment: AssignmentId,
    filter: DueOverrideFilter,
    page: &PageRequest,
) -> Result<Page<DueOverrideView>, Error> {
    let assignment = assignment_of(tx, ctx, assignment)?;
    let found = tx
        .due_overrides()
        .page(ctx.workspace_id(), assignment.id, filter, page)?;
    Ok(found.map(|due| DueOverrideView::new(&due)))
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: DueOverrideId,
) -> Result<DueOverrideView, Error> {
    Ok(DueOverrideView::new(&find(tx, ctx, id)?))
}

/// Changes one; a change that changes nothing leaves no trace.
///
/// # Errors
/// [`Error::NotFound`]
pub fn update(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: DueOverrideId,
    changes: DueOverrideChanges,
) -> Result<DueOverrideView, Error> {
    let mut due = find(tx, ctx, id)?;
    let before = values::due_override(&due);
    if due.change(changes, ctx.now) {
        tx.due_overrides().update(&due)?;
        let change = AuditedChange::between(before, values::due_override(&due));
        note(tx, ctx, &due, change)?;
        ease(tx, ctx, due.assignment_id)?;
    }
    Ok(DueOverrideView::new(&due))
}

/// Takes one away: the assignment's own due date counts for whoever hands in from now on.
///
/// # Errors
/// [`Error::NotFound`]
pub fn delete(tx: &mut dyn Tx, ctx: &Context, id: DueOverrideId) -> Result<DueOverrideId, Error> {
    let due = find(tx, ctx, id)?;
    tx.due_overrides().delete(ctx.workspace_id(), id)?;
    note(
        tx,
        ctx,
        &due,
        AuditedChange::gone(values::due_override(&due)),
    )?;
    // Taken away from a learner who had less time than everybody, it is better for them.
    ease(tx, ctx, due.assignment_id)?;
    Ok(id)
}

/// By which due date this learner is judged who hands in within this cohort.
pub(crate) fn terms(
    tx: &mut dyn Tx,
    assignment: &Assignment,
    user: UserId,
    cohort: Option<CohortId>,
) -> Result<Option<DueTerms>, Error> {
    let others = tx
        .due_overrides()
        .of_learner(assignment.workspace_id, &[assignment.id], user)?;
    Ok(terms_for(assignment, &others, user, cohort))
}

/// Has late submissions judged by due dates that became better for them.
pub(crate) fn ease(tx: &mut dyn Tx, ctx: &Context, assignment: AssignmentId) -> Result<(), Error> {
    let job = || Job::EaseDueDates { assignment };
    queue::enqueue(tx, ctx, job())?;
    queue::enqueue_for(tx, ctx, job(), ctx.now.plus(SECOND_LOOK))
}

/// Assignments as they are due for the caller, where that is a learner.
pub(crate) fn as_due_for_caller(
    tx: &mut dyn Tx,
    ctx: &Context,
    assignments: &mut [Assignment],
) -> Result<(), Error> {
    let Some(user) = ctx.learner() else {
        return Ok(());
    };
    let ids: Vec<AssignmentId> = assignments.iter().map(|one| one.id).collect();
    let others = tx
        .due_overrides()
        .of_learner(ctx.workspace_id(), &ids, user)?;
    for assignment in assignments {
        assignment.due_at = due_for(assignment, &others, user, None);
    }
    Ok(())
}

fn check_target(
    tx: &mut dyn Tx,
    ctx: &Context,
    assignment: &Assignment,
    target: OverrideTarget,
) -> Result<(), Error> {
    let workspace = ctx.workspace_id();
    match target {
        OverrideTarget::Cohort(id) => {
            let cohort = tx.cohorts().find(workspace, id)?;
            let cohort = cohort.filter(|cohort| cohort.course_id == assignment.place.course_id);
            referenced(cohort, "cohort_id", "cohort").map(drop)
        }
        OverrideTarget::User(id) => {
            let user = tx.users().find(workspace, id)?;
            referenced(user, "user_id", "user").map(drop)
        }
    }
}

fn note(
    tx: &mut dyn Tx,
    ctx: &Context,
    due: &DueOverride,
    change: AuditedChange,
) -> Result<(), Error> {
    let subject = AuditSubject::of(due.assignment_id);
    audit::note(tx, ctx, AuditAction::AssignmentUpdated, subject, change)
}

fn assignment_of(tx: &mut dyn Tx, ctx: &Context, id: AssignmentId) -> Result<Assignment, Error> {
    found(tx.assignments().find(ctx.workspace_id(), id)?, "assignment")
}

fn find(tx: &mut dyn Tx, ctx: &Context, id: DueOverrideId) -> Result<DueOverride, Error> {
    let due = tx.due_overrides().find(ctx.workspace_id(), id)?;
    found(due, "due_override")
}
