//! What people ask of batches: to preview a regrade, to land it, to undo it; to grade all that wait; to attack; to stop.

use lyceum_domain::grading::batches::{Batch, BatchGrader, BatchKind, BatchSelection, BatchState};
use lyceum_domain::ids::{AssignmentId, BatchId, SubmissionId};
use lyceum_domain::running::jobs::Job;
use lyceum_wire::grading::batches::{AskedRegrade, BatchView, BulkGradingView};
use serde_json::json;

use super::showing::{bulk, newest, tell, view};
use super::{in_turn, stand_in_line, task};
use crate::drafting::ai_calls;
use crate::grading::graders::{attacked_grader, usual_grader};
use crate::models;
use crate::prelude::*;
use crate::running::{audit, queue};

/// Previews a regrade: AI grades what is selected, apart from all records.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] where it names a model that may not be asked; [`Conflict::AiBudgetExceeded`];
/// [`Error::Conflict`] while another regrade of the assignment is busy
pub fn regrade(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: AssignmentId,
    asked: AskedRegrade,
) -> Result<BatchView, Error> {
    let (assignment, course) = task(tx, ctx, id)?;
    let own = asked.model.as_deref().unwrap_or_default();
    let usual = usual_grader(&assignment, &course);
    models::refuse_to_ask(ctx, own, &usual.model)?;
    let is_usual = asked.rubric.is_none() && asked.model.is_none();
    let grader = BatchGrader {
        rubric: asked.rubric.unwrap_or(usual.rubric),
        model: asked.model.unwrap_or(usual.model),
        is_usual,
        min_confidence: 0,
    };
    begin(tx, ctx, id, BatchKind::Regrade, asked.selection, grader)
}

/// Has AI grade every answer that waits for a grade. While such a batch runs, whoever asks is shown it.
///
/// # Errors
/// As [`regrade`]
pub fn grade_all(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: AssignmentId,
    selection: BatchSelection,
) -> Result<BulkGradingView, Error> {
    let (assignment, course) = task(tx, ctx, id)?;
    let grader = usual_grader(&assignment, &course);
    models::refuse_to_ask(ctx, "", &grader.model)?;
    begin(tx, ctx, id, BatchKind::Grading, selection, grader)?;
    bulk(tx, ctx, id)
}

/// Has about sixty attacks made for this assignment graded by its own grader, apart from all records.
///
/// # Errors
/// As [`regrade`]
pub fn attack(tx: &mut dyn Tx, ctx: &Context, id: AssignmentId) -> Result<BatchView, Error> {
    let (assignment, course) = task(tx, ctx, id)?;
    let grader = attacked_grader(&assignment, &course);
    models::refuse_to_ask(ctx, "", &grader.model)?;
    let everything = BatchSelection::default();
    begin(tx, ctx, id, BatchKind::RedTeam, everything, grader)
}

/// Begins a batch, or joins the one of its kind that is at the same.
fn begin(
    tx: &mut dyn Tx,
    ctx: &Context,
    assignment: AssignmentId,
    kind: BatchKind,
    selection: BatchSelection,
    grader: BatchGrader,
) -> Result<BatchView, Error> {
    ai_calls::check_budget(tx, ctx, &grader.model)?;
    tx.stand_in_line(lyceum_ports::store::Line::at(format_args!(
        "{kind} batches of {assignment}"
    )))?;
    if let Some(busy) = newest(tx, ctx, assignment, kind)?.filter(|one| one.state.is_busy()) {
        let is_the_same = busy.state == BatchState::Running
            && busy.selection == selection
            && busy.grader == grader;
        return if is_the_same {
            view(tx, &busy)
        } else {
            Err(Conflict::Transition(busy.is_busy()).into())
        };
    }
    let ids = (ctx.workspace_id(), ctx.mint(), assignment);
    let batch = Batch::new(ids, kind, selection, grader, ctx.now);
    tx.batches().insert(&batch)?;
    queue::enqueue(tx, ctx, Job::TendBatch { batch: batch.id })?;
    view(tx, &batch)
}

/// Lets a preview land, all of it in the background; a second time nothing happens. What a person decided about is left alone unless
/// `replace` names it.
///
/// # Errors
/// [`Error::NotFound`]; [`Conflict::Transition`] unless it was previewed, and where the rubric or the model that it was previewed with
/// no longer grade
pub fn commit(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: BatchId,
    replace: Vec<SubmissionId>,
) -> Result<BatchView, Error> {
    let mut batch = of_kind(tx, ctx, id, BatchKind::Regrade)?;
    let (assignment, course) = task(tx, ctx, batch.assignment_id)?;
    let is_outdated = batch.grader.is_usual && batch.grader != usual_grader(&assignment, &course);
    if batch.state == BatchState::Ready && is_outdated {
        return Err(Conflict::Transition(batch.is_outdated()).into());
    }
    if batch.commit(replace, ctx.now)? {
        go_on(tx, ctx, &batch, AuditAction::BatchCommitted)?;
    }
    view(tx, &batch)
}

/// Puts back what stood before a regrade landed; a second time nothing happens. What changed since is left as it is.
///
/// # Errors
/// [`Error::NotFound`]; [`Conflict::Transition`] unless it has landed
pub fn undo(tx: &mut dyn Tx, ctx: &Context, id: BatchId) -> Result<BatchView, Error> {
    let mut batch = of_kind(tx, ctx, id, BatchKind::Regrade)?;
    if batch.undo(ctx.now)? {
        go_on(tx, ctx, &batch, AuditAction::BatchUndone)?;
    }
    view(tx, &batch)
}

/// Stops a batch: what was not begun is not done, and a preview is thrown away.
///
/// # Errors
/// [`Error::NotFound`]; [`Conflict::Transition`] once it lands, or is over
pub fn stop(tx: &mut dyn Tx, ctx: &Context, id: BatchId) -> Result<BatchView, Error> {
    let mut batch = found(in_turn(tx, ctx.workspace_id(), id)?, "batch")?;
    if batch.stop(ctx.now)? {
        tx.batches().update(&batch)?;
        tell(tx, ctx, EventType::BatchStopped, &batch)?;
    }
    view(tx, &batch)
}

/// Stops grading all that wait; answers that AI was asked about are still graded.
///
/// # Errors
/// [`Error::NotFound`]; [`Conflict::Transition`] where it is over
pub fn stop_grading(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: AssignmentId,
) -> Result<BulkGradingView, Error> {
    found(tx.assignments().find(ctx.workspace_id(), id)?, "assignment")?;
    let newest = newest(tx, ctx, id, BatchKind::Grading)?;
    stop(tx, ctx, found(newest, "batch")?.id)?;
    bulk(tx, ctx, id)
}

fn of_kind(tx: &mut dyn Tx, ctx: &Context, id: BatchId, kind: BatchKind) -> Result<Batch, Error> {
    stand_in_line(tx, id)?;
    let batch = tx.batches().find(ctx.workspace_id(), id)?;
    found(batch.filter(|batch| batch.kind == kind), "batch")
}

fn go_on(tx: &mut dyn Tx, ctx: &Context, batch: &Batch, action: AuditAction) -> Result<(), Error> {
    tx.batches().update(batch)?;
    let replace = batch.replace.iter().map(ToString::to_string);
    let change = AuditedChange::made(json!({
        "assignment_id": batch.assignment_id.to_string(),
        "state": batch.state.as_str(),
        "replace": replace.collect::<Vec<_>>(),
    }));
    audit::note(tx, ctx, action, AuditSubject::of(batch.id), change)?;
    queue::enqueue(tx, ctx, Job::TendBatch { batch: batch.id })
}
