//! What is shown and told of batches.

use lyceum_domain::grading::batches::{Batch, BatchKind, ItemCounts, ItemState};
use lyceum_domain::grading::grades::{GradeSource, Grader, ReviewStatus};
use lyceum_domain::grading::submissions::SubmissionStatus;
use lyceum_domain::ids::{AssignmentId, BatchId, SubmissionId};
use lyceum_domain::money::MicroUsd;
use lyceum_ports::grading::submissions::{AiRun, AiStanding};
use lyceum_wire::grading::batches::{BatchItemView, BatchView, BulkGradingView};

use super::task;
use crate::drafting::ai_calls;
use crate::grading::rubrics;
use crate::notifying::events;
use crate::prelude::*;

/// So many of the newest grades say what one costs.
const PRICED: usize = 5;
/// How many records of an answer are looked at for AI's.
const RECORDS: u16 = 5;

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: BatchId) -> Result<BatchView, Error> {
    let batch = found(tx.batches().find(ctx.workspace_id(), id)?, "batch")?;
    view(tx, &batch)
}

/// Shows a page of an assignment's regrades, newest first.
///
/// # Errors
/// [`Error::NotFound`]
pub fn regrades(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: AssignmentId,
    page: &PageRequest,
) -> Result<Page<BatchView>, Error> {
    let workspace = ctx.workspace_id();
    found(tx.assignments().find(workspace, id)?, "assignment")?;
    let found = tx.batches().page(workspace, id, BatchKind::Regrade, page)?;
    let ids: Vec<BatchId> = found.items.iter().map(|batch| batch.id).collect();
    let counts = tx.batches().counts(workspace, &ids)?;
    let none = ItemCounts::new();
    Ok(found.map(|batch| BatchView::new(&batch, counts.get(&batch.id).unwrap_or(&none))))
}

/// Shows a page of the answers of a batch, newest first.
///
/// # Errors
/// [`Error::NotFound`]
pub fn items(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: BatchId,
    state: Option<ItemState>,
    page: &PageRequest,
) -> Result<Page<BatchItemView>, Error> {
    let workspace = ctx.workspace_id();
    let batch = found(tx.batches().find(workspace, id)?, "batch")?;
    let is_left_out = !page.narrowed.admits_made(batch.stamp.created_at);
    if is_left_out || ctx.asks_for_hidden_people(page) {
        return Ok(Page::empty());
    }
    let found = tx.batches().items(workspace, id, state, page)?;
    let about = found.items.iter().filter_map(|item| item.submission_id);
    let hidden = hidden(tx, workspace, &about.collect::<Vec<_>>())?;
    let is_hidden = |id: Option<SubmissionId>| id.is_some_and(|id| hidden.contains(&id));
    Ok(found.map(|item| BatchItemView::new(&item, is_hidden(item.submission_id))))
}

/// Those of them that wait for a grade which is given blind.
fn hidden(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    ids: &[SubmissionId],
) -> Result<Vec<SubmissionId>, Error> {
    let all = tx.submissions().with_ids(workspace, ids)?;
    let hidden = all.iter().filter(|one| one.is_blind());
    Ok(hidden.map(|one| one.id).collect())
}

/// Shows what an assignment's newest red team found.
///
/// # Errors
/// [`Error::NotFound`]
pub fn newest_red_team(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: AssignmentId,
) -> Result<BatchView, Error> {
    found(tx.assignments().find(ctx.workspace_id(), id)?, "assignment")?;
    let newest = newest(tx, ctx, id, BatchKind::RedTeam)?;
    view(tx, &found(newest, "batch")?)
}

/// Shows what grading all that wait would be, and how far the newest such batch is.
///
/// # Errors
/// [`Error::NotFound`]
pub fn bulk(tx: &mut dyn Tx, ctx: &Context, id: AssignmentId) -> Result<BulkGradingView, Error> {
    let (assignment, course) = task(tx, ctx, id)?;
    let all = tx
        .submissions()
        .ai_standing(ctx.workspace_id(), id, Batch::MOST_ITEMS)?;
    let waiting = all.iter().filter(|one| waits(one)).count();
    let model = rubrics::usual_model(&assignment, &course);
    let cost_of_one = if ai_calls::costs_nothing(ctx, &model) {
        Some(MicroUsd::ZERO)
    } else {
        cost_of_one(tx, ctx, &all)?
    };
    let newest = newest(tx, ctx, id, BatchKind::Grading)?;
    let newest = newest.map(|batch| view(tx, &batch)).transpose()?;
    Ok(BulkGradingView::new(id, waiting, cost_of_one, newest))
}

/// Whether an answer waits for AI: handed in, graded by nobody, and nobody at work on it.
pub(super) fn waits(one: &AiStanding) -> bool {
    one.status == SubmissionStatus::Submitted
        && one.review != Some(ReviewStatus::Done)
        && matches!(one.run, AiRun::NotAsked | AiRun::Failed)
}

/// The mean of what the newest grades of the assignment cost; none where no price is known.
fn cost_of_one(
    tx: &mut dyn Tx,
    ctx: &Context,
    all: &[AiStanding],
) -> Result<Option<MicroUsd>, Error> {
    let graded = all.iter().filter(|one| one.run == AiRun::Ready);
    let mut costs = Vec::new();
    for one in graded.take(PRICED) {
        let newest = PageRequest::first(RECORDS);
        let records = tx
            .grades()
            .page(ctx.workspace_id(), one.id, None, &newest)?;
        let mut by_ai = records.items.iter();
        let by_ai = by_ai.find(|record| record.source() == GradeSource::Ai);
        if let Some(Grader::Ai {
            cost: Some(cost),
            reused_from: None,
            ..
        }) = by_ai.map(|record| &record.grader)
        {
            costs.push(cost.millionths());
        }
    }
    let sum: u64 = costs.iter().sum();
    let count = u64::try_from(costs.len()).unwrap_or_default();
    Ok(sum.checked_div(count).map(MicroUsd::new))
}

pub(super) fn newest(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: AssignmentId,
    kind: BatchKind,
) -> Result<Option<Batch>, Error> {
    let first = PageRequest::first(1);
    let newest = tx.batches().page(ctx.workspace_id(), id, kind, &first)?;
    Ok(newest.items.into_iter().next())
}

pub(super) fn view(tx: &mut dyn Tx, batch: &Batch) -> Result<BatchView, Error> {
    Ok(BatchView::new(batch, &counted(tx, batch)?))
}

/// How many items of a batch are in each state.
///
/// # Errors
/// Those of storage.
pub(crate) fn counted(tx: &mut dyn Tx, batch: &Batch) -> Result<ItemCounts, Error> {
    let mut counts = tx.batches().counts(batch.workspace_id, &[batch.id])?;
    Ok(counts.remove(&batch.id).unwrap_or_default())
}

/// Tells of a batch as it is now.
///
/// # Errors
/// Those of storage.
pub(crate) fn tell(
    tx: &mut dyn Tx,
    ctx: &Context,
    kind: EventType,
    batch: &Batch,
) -> Result<(), Error> {
    let view = view(tx, batch)?;
    events::record(tx, ctx, kind, &view)
}
