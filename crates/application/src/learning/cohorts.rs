//! What callers do with cohorts.

use std::collections::HashMap;

use lyceum_domain::ids::CohortId;
use lyceum_domain::learning::cohorts::{Cohort, CohortChanges, CohortStatus, NewCohort};
use lyceum_domain::running::in_use::Subject;
use lyceum_domain::running::trash::TrashKind;
use lyceum_domain::transition::InvalidTransition;
use lyceum_ports::store::Line;
use lyceum_wire::learning::cohorts::CohortView;

pub use lyceum_ports::learning::cohorts::CohortFilter;

use crate::learning::pins;
use crate::notifying::events;
use crate::prelude::*;
use crate::running::in_use;
use crate::running::trash::{self, Going};

/// Makes a draft.
///
/// # Errors
/// [`Error::Reference`], [`Error::Invalid`]
pub fn create(tx: &mut dyn Tx, ctx: &Context, new: NewCohort) -> Result<CohortView, Error> {
    let course = tx.courses().find(ctx.workspace_id(), new.course_id)?;
    referenced(course, "course_id", "course")?;
    let cohort = Cohort::draft(ctx.workspace_id(), ctx.mint(), new, ctx.now)?;
    tx.cohorts().insert(&cohort)?;
    let view = CohortView::new(&cohort, 0);
    events::record(tx, ctx, EventType::CohortCreated, &view)?;
    Ok(view)
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: CohortId) -> Result<CohortView, Error> {
    let cohort = find(tx, ctx, id)?;
    view(tx, ctx, &cohort)
}

/// Shows a page of them; learners see those that they are in.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &CohortFilter,
    page: &PageRequest,
) -> Result<Page<CohortView>, Error> {
    let mut filter = filter.clone();
    if let Some(learner) = ctx.learner() {
        let enrollments = tx.enrollments().of_user(ctx.workspace_id(), learner)?;
        let joined = enrollments.iter().map(|enrollment| enrollment.cohort_id);
        filter.among = Some(joined.collect());
    }
    let page = tx.cohorts().page(ctx.workspace_id(), &filter, page)?;
    Ok(Page {
        items: views(tx, ctx, &page.items)?,
        next: page.next,
    })
}

/// Changes one; one that is updated automatically from now on is so at once.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`], [`crate::error::Conflict::LimitReached`]
pub fn update(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CohortId,
    changes: CohortChanges,
) -> Result<CohortView, Error> {
    let mut cohort = find(tx, ctx, id)?;
    let was = cohort.clone();
    let before = view(tx, ctx, &cohort)?;
    if !cohort.change(changes, ctx.now)? {
        return Ok(before);
    }
    pins::refuse_too_many(tx, ctx, &was, &cohort)?;
    tx.cohorts().update(&cohort)?;
    let after = CohortView::new(&cohort, before.student_count);
    events::record_change(tx, ctx, EventType::CohortUpdated, &before, &after)?;
    pins::follow(tx, ctx, &was, (&cohort, &after))?;
    Ok(after)
}

/// Moves one and everything below it to the trash; what learners have used only by force.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::InUse`](crate::error::Conflict::InUse), [`Error::Forbidden`]
pub fn delete(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CohortId,
    force: bool,
) -> Result<CohortId, Error> {
    let cohort = find(tx, ctx, id)?;
    in_use::refuse(tx, ctx, Subject::Cohort(id), force)?;
    let going = Going::new(TrashKind::Cohort, &id, &cohort.name);
    trash::put(tx, ctx, going)?;
    Ok(id)
}

/// draft → active
///
/// # Errors
/// [`Error::NotFound`], [`crate::error::Conflict::Transition`]
pub fn start(tx: &mut dyn Tx, ctx: &Context, id: CohortId) -> Result<CohortView, Error> {
    step(tx, ctx, id, EventType::CohortStarted, CohortStatus::start)
}

/// active → completed
///
/// # Errors
/// [`Error::NotFound`], [`crate::error::Conflict::Transition`]
pub fn end(tx: &mut dyn Tx, ctx: &Context, id: CohortId) -> Result<CohortView, Error> {
    step(tx, ctx, id, EventType::CohortCompleted, CohortStatus::end)
}

/// completed → active
///
/// # Errors
/// [`Error::NotFound`], [`crate::error::Conflict::Transition`]
pub fn reopen(tx: &mut dyn Tx, ctx: &Context, id: CohortId) -> Result<CohortView, Error> {
    step(tx, ctx, id, EventType::CohortStarted, CohortStatus::reopen)
}

/// completed → archived
///
/// # Errors
/// [`Error::NotFound`], [`crate::error::Conflict::Transition`]
pub fn archive(tx: &mut dyn Tx, ctx: &Context, id: CohortId) -> Result<CohortView, Error> {
    step(
        tx,
        ctx,
        id,
        EventType::CohortArchived,
        CohortStatus::archive,
    )
}

fn step(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CohortId,
    event: EventType,
    arrow: fn(CohortStatus) -> Result<CohortStatus, InvalidTransition>,
) -> Result<CohortView, Error> {
    let mut cohort = find(tx, ctx, id)?;
    let was = cohort.clone();
    let before = view(tx, ctx, &cohort)?;
    cohort.step(arrow, ctx.now)?;
    pins::refuse_too_many(tx, ctx, &was, &cohort)?;
    tx.cohorts().update(&cohort)?;
    let after = CohortView::new(&cohort, before.student_count);
    events::record_change(tx, ctx, event, &before, &after)?;
    Ok(after)
}

/// Where places are counted, those who come at once are let in one after the other; where they are not, nobody waits
/// for anybody.
pub(crate) fn stand_for_place(tx: &mut dyn Tx, cohort: &Cohort) -> Result<(), Error> {
    if cohort.capacity.is_some() {
        tx.stand_in_line(Line::at(cohort.id))?;
    }
    Ok(())
}

/// Makes sure that one more student has a place; whoever asks has stood for it.
///
/// # Errors
/// [`crate::error::Conflict::LimitReached`]
pub(crate) fn make_room(tx: &mut dyn Tx, ctx: &Context, cohort: &Cohort) -> Result<(), Error> {
    let Some(capacity) = cohort.capacity else {
        return Ok(());
    };
    let students = counts(tx, ctx, std::slice::from_ref(cohort))?;
    Ok(capacity.admits(students.get(&cohort.id).copied().unwrap_or_default())?)
}

/// Makes sure that whoever has just come back to the cohort has a place in it.
///
/// # Errors
/// [`crate::error::Conflict::LimitReached`]
pub(crate) fn refuse_overfull(
    tx: &mut dyn Tx,
    ctx: &Context,
    cohort: &Cohort,
) -> Result<(), Error> {
    let Some(capacity) = cohort.capacity else {
        return Ok(());
    };
    tx.stand_in_line(Line::at(cohort.id))?;
    let students = counts(tx, ctx, std::slice::from_ref(cohort))?;
    let others = students.get(&cohort.id).copied().unwrap_or_default();
    Ok(capacity.admits(others.saturating_sub(1))?)
}

/// Cohorts as they are shown, in their order.
pub(crate) fn views(
    tx: &mut dyn Tx,
    ctx: &Context,
    cohorts: &[Cohort],
) -> Result<Vec<CohortView>, Error> {
    let students = counts(tx, ctx, cohorts)?;
    let shown = cohorts.iter().map(|cohort| {
        let students = students.get(&cohort.id).copied();
        CohortView::new(cohort, students.unwrap_or_default())
    });
    Ok(shown.collect())
}

pub(super) fn view(tx: &mut dyn Tx, ctx: &Context, cohort: &Cohort) -> Result<CohortView, Error> {
    let students = counts(tx, ctx, std::slice::from_ref(cohort))?;
    let students = students.get(&cohort.id).copied();
    Ok(CohortView::new(cohort, students.unwrap_or_default()))
}

/// How many students are in each. They are counted when somebody asks: a number beside the cohort would be one row that
/// everybody who enrols has to change.
fn counts(
    tx: &mut dyn Tx,
    ctx: &Context,
    cohorts: &[Cohort],
) -> Result<HashMap<CohortId, u32>, Error> {
    let ids: Vec<CohortId> = cohorts.iter().map(|cohort| cohort.id).collect();
    let counts = tx.enrollments().counts(ctx.workspace_id(), &ids)?;
    Ok(counts.into_iter().collect())
}

/// One of this workspace; to a learner, a cohort that they are not in does not exist.
///
/// # Errors
/// [`Error::NotFound`]
pub fn find(tx: &mut dyn Tx, ctx: &Context, id: CohortId) -> Result<Cohort, Error> {
    let workspace = ctx.workspace_id();
    if let Some(learner) = ctx.learner() {
        found(tx.enrollments().find(workspace, id, learner)?, "cohort")?;
    }
    found(tx.cohorts().find(workspace, id)?, "cohort")
}
