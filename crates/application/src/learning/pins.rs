//! What cohorts have pinned, where they come to be updated by choice or no longer are.

use lyceum_domain::ids::CohortId;
use lyceum_domain::learning::cohorts::{Cohort, CohortUpdates};
use lyceum_ports::authoring::waiting::WaitingMark;
use lyceum_wire::learning::cohorts::CohortView;

use crate::authoring::versions::pinning;
use crate::notifying::events;
use crate::prelude::*;

/// Most cohorts of a course that are updated by choice: each change is kept once for each of them.
const MOST_PINNING: usize = 50;

/// A cohort that is updated automatically from now on is so at once.
///
/// # Errors
/// Those of storage.
pub(super) fn follow(
    tx: &mut dyn Tx,
    ctx: &Context,
    before: &Cohort,
    (after, view): (&Cohort, &CohortView),
) -> Result<(), Error> {
    let was_manual = before.updates == CohortUpdates::Manual;
    if !was_manual || after.updates != CohortUpdates::Automatic {
        return Ok(());
    }
    tx.stand_in_line(pinning::line(after.course_id))?;
    if marks(tx, ctx, after.id)?.is_empty() {
        return Ok(());
    }
    let_go(tx, ctx, after.id, view)
}

/// Refuses one more cohort of a course that is updated by choice where there are too many.
///
/// # Errors
/// [`Conflict::LimitReached`]
pub(super) fn refuse_too_many(
    tx: &mut dyn Tx,
    ctx: &Context,
    before: &Cohort,
    after: &Cohort,
) -> Result<(), Error> {
    if before.pins() || !after.pins() {
        return Ok(());
    }
    tx.stand_in_line(pinning::line(after.course_id))?;
    let mut others = tx
        .pinned_contents()
        .pinning(ctx.workspace_id(), after.course_id)?;
    others.retain(|other| *other != after.id);
    if others.len() < MOST_PINNING {
        return Ok(());
    }
    let text = format!("{MOST_PINNING} cohorts of the course are updated by choice already");
    Err(Conflict::LimitReached(text).into())
}

/// What it had pinned is gone: what it was stays in the versions of lessons, activities and assignments.
///
/// # Errors
/// Those of storage.
pub(super) fn let_go(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CohortId,
    view: &CohortView,
) -> Result<(), Error> {
    tx.pinned_contents()
        .delete_of_cohort(ctx.workspace_id(), id)?;
    events::record(tx, ctx, EventType::CohortContentUpdated, view)
}

/// Of what a cohort has anything pinned.
///
/// # Errors
/// Those of storage.
pub(super) fn marks(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: CohortId,
) -> Result<Vec<WaitingMark>, Error> {
    Ok(tx.pinned_contents().of_cohort(ctx.workspace_id(), id)?)
}
