//! What callers do with cohorts.

use lyceum_domain::cohorts::{Cohort, CohortChanges, CohortId, CohortStatus, NewCohort};
use lyceum_domain::events::EventType;
use lyceum_domain::in_use::Subject;
use lyceum_domain::transition::InvalidTransition;
use lyceum_ports::page::{Page, PageRequest};
use lyceum_ports::store::Tx;
use lyceum_wire::cohorts::CohortView;

pub use lyceum_ports::cohorts::CohortFilter;

use crate::context::Context;
use crate::error::Error;
use crate::lookup::{found, referenced};
use crate::work::remove_archive;
use crate::{events, in_use};

/// Makes a draft.
///
/// # Errors
/// [`Error::Reference`], [`Error::Invalid`]
pub fn create(tx: &mut dyn Tx, ctx: &Context, new: NewCohort) -> Result<CohortView, Error> {
    let course = tx.courses().find(ctx.workspace_id(), new.course_id)?;
    referenced(course, "course_id", "course")?;
    let cohort = Cohort::draft(ctx.workspace_id(), ctx.mint(), new, ctx.now)?;
    tx.cohorts().insert(&cohort)?;
    let view = CohortView::new(&cohort);
    events::record(tx, ctx, EventType::CohortCreated, &view)?;
    Ok(view)
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: CohortId) -> Result<CohortView, Error> {
    Ok(CohortView::new(&find(tx, ctx, id)?))
}

/// Shows a page of them; learners see those that they are in.
///
/// # Errors
/// Those of storage.
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
    Ok(page.map(|cohort| CohortView::new(&cohort)))
}

/// Changes one.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`]
pub fn update(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CohortId,
    changes: CohortChanges,
) -> Result<CohortView, Error> {
    let mut cohort = find(tx, ctx, id)?;
    let before = CohortView::new(&cohort);
    if !cohort.change(changes, ctx.now)? {
        return Ok(before);
    }
    tx.cohorts().update(&cohort)?;
    let after = CohortView::new(&cohort);
    events::record_change(tx, ctx, EventType::CohortUpdated, &before, &after)?;
    Ok(after)
}

/// Deletes one and everything below it; what learners have used only by force.
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
    for origin in tx
        .scorm_packages()
        .origins_of_cohort(ctx.workspace_id(), id)?
    {
        remove_archive::enqueue(tx, ctx, origin)?;
    }
    tx.cohorts().delete(ctx.workspace_id(), id)?;
    events::record(tx, ctx, EventType::CohortDeleted, &CohortView::new(&cohort))?;
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
    let before = CohortView::new(&cohort);
    cohort.step(arrow, ctx.now)?;
    tx.cohorts().update(&cohort)?;
    let after = CohortView::new(&cohort);
    events::record_change(tx, ctx, event, &before, &after)?;
    Ok(after)
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
