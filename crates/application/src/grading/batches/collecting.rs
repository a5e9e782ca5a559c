//! Fixing which answers a batch is about.

use lyceum_domain::grading::batches::{Batch, BatchItem, BatchKind, Selectable};
use lyceum_ports::grading::submissions::AiStanding;

use super::showing::waits;
use crate::prelude::*;

/// Notes which answers the batch is about, newest first.
///
/// # Errors
/// Those of storage.
pub fn collect(tx: &mut dyn Tx, ctx: &Context, mut batch: Batch) -> Result<(), Error> {
    let (workspace, assignment) = (batch.workspace_id, batch.assignment_id);
    let all = tx
        .submissions()
        .ai_standing(workspace, assignment, Batch::MOST_ITEMS)?;
    let stale_before = if batch.selection.only_stale {
        crate::grading::stale::since(tx, workspace, assignment)?
    } else {
        None
    };
    let taken = all.iter().filter(|one| takes(&batch, one, stale_before));
    let items = (0_u32..).zip(taken);
    let items: Vec<BatchItem> = items
        .map(|(place, one)| BatchItem::of_submission(batch.id, place, one.id))
        .collect();
    tx.batches().add_items(workspace, &items)?;
    batch.collected(u32::try_from(items.len()).unwrap_or(u32::MAX), ctx.now);
    Ok(tx.batches().update(&batch)?)
}

fn takes(batch: &Batch, one: &AiStanding, stale_before: Option<Timestamp>) -> bool {
    let is_older = |before| one.graded_at.is_some_and(|at| at < before);
    let selectable = Selectable {
        id: one.id,
        status: one.status,
        cohort_id: one.cohort_id,
        blind: one.blind,
        is_stale: stale_before.is_some_and(is_older),
    };
    batch.selection.takes(&selectable) && (batch.kind != BatchKind::Grading || waits(one))
}
