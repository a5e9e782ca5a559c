//! Bringing a batch on: what it is about is collected, AI is asked, what was previewed lands, what stood before is put back. Each step
//! is a transaction of its own that finds out first where the batch is, so that it may be broken off between any two, and done twice.

use std::sync::Arc;
use std::time::Duration;

use lyceum_domain::grading::batches::{
    Batch, BatchItem, BatchKind, BatchState, ChangeSummary, ItemCounts, ItemState,
};
use lyceum_domain::grading::submissions::{AiGrading, RunOverrides, Submission};
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::ids::{BatchId, SubmissionId};
use lyceum_domain::running::jobs::{Job, JobKind};

use crate::app::App;
use crate::claimed::{self, Claimed};
use crate::drafting::ai_calls;
use crate::grading::batches::{self, tell};
use crate::grading::submissions::starting;
use crate::prelude::*;
use crate::running::queue;

/// So many items are changed in one transaction.
const AT_ONCE: u16 = 50;
/// So many items wait for AI at a time, so that others of the workspace are not behind all of them.
const IN_FLIGHT: u64 = 50;
/// The same where the built-in engine grades, which takes milliseconds.
const IN_FLIGHT_BUILT_IN: u64 = 200;
/// So long AI is left to grade before anybody looks again.
const PAUSE: Duration = Duration::from_secs(1);
/// How long a batch is left alone whose job was lost with its process again and again.
const PUT_OFF: Duration = Duration::from_mins(1);

/// What comes after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BatchStep {
    /// Another one.
    Step,
    /// Attacks are to be made, which takes no transaction.
    Attacks,
    /// Another one, when AI has graded some.
    Later,
    /// Nothing.
    Done,
}

pub async fn perform(app: &App, job: &Claimed, id: BatchId) -> Result<(), Error> {
    loop {
        let (inner, workspace) = (app.clone(), job.workspace_id);
        let stepping = move |tx: &mut dyn Tx| {
            let Some(workspace) = tx.workspaces().find(workspace)? else {
                return Ok::<_, Error>(BatchStep::Done);
            };
            step(tx, &inner.service_context(workspace), id)
        };
        match app.store.write(stepping).await? {
            BatchStep::Step => app.signal.wake(),
            BatchStep::Attacks => make_attacks(app, job, id).await?,
            BatchStep::Done => return claimed::finish(app, job).await,
            BatchStep::Later => return come_again(app, job, id, PAUSE).await,
        }
    }
}

/// Leaves the batch alone for a while.
pub async fn put_off(app: &App, job: &Claimed, id: BatchId) -> Result<(), Error> {
    come_again(app, job, id, PUT_OFF).await
}

async fn come_again(app: &App, job: &Claimed, id: BatchId, pause: Duration) -> Result<(), Error> {
    claimed::settle(app, job, move |tx, ctx| {
        queue::enqueue_for(tx, ctx, Job::TendBatch { batch: id }, ctx.now.plus(pause))
    })
    .await
}

fn step(tx: &mut dyn Tx, ctx: &Context, id: BatchId) -> Result<BatchStep, Error> {
    let Some(batch) = batches::in_turn(tx, ctx.workspace_id(), id)? else {
        return Ok(BatchStep::Done);
    };
    match (batch.state, batch.size) {
        (BatchState::Running, None) if batch.kind == BatchKind::RedTeam => Ok(BatchStep::Attacks),
        (BatchState::Running, None) => {
            batches::collect(tx, ctx, batch)?;
            Ok(BatchStep::Step)
        }
        (BatchState::Running, Some(_)) => run(tx, ctx, batch),
        (BatchState::Committing, _) => commit(tx, ctx, batch),
        (BatchState::Undoing, _) => undo(tx, ctx, batch),
        (BatchState::Stopped, _) if batch.kind == BatchKind::Grading => see_out(tx, &batch),
        (
            BatchState::Ready
            | BatchState::Committed
            | BatchState::Undone
            | BatchState::Done
            | BatchState::Stopped,
            _,
        ) => Ok(BatchStep::Done),
    }
}

/// Makes the attacks, and notes them unless somebody did meanwhile.
async fn make_attacks(app: &App, job: &Claimed, id: BatchId) -> Result<(), Error> {
    let workspace = job.workspace_id;
    let reading = app.store.read(move |tx| {
        let batch = tx.batches().find(workspace, id)?;
        batch.map_or(Ok(None), |batch| batches::task_of_attacks(tx, &batch))
    });
    let (bases, attacks) = match reading.await? {
        Some(task) => {
            let seed = id.uuid().as_u64_pair();
            (task.bases(), app.attacks.attacks(&task, seed.0 ^ seed.1))
        }
        None => (Vec::new(), Vec::new()),
    };
    let (inner, made) = (app.clone(), Arc::new((bases, attacks)));
    app.store
        .write(move |tx| {
            let Some(workspace) = tx.workspaces().find(workspace)? else {
                return Ok::<_, Error>(());
            };
            let ctx = inner.service_context(workspace);
            let batch = batches::in_turn(tx, ctx.workspace_id(), id)?;
            let is_new = |batch: &Batch| batch.state == BatchState::Running && batch.size.is_none();
            let Some(batch) = batch.filter(is_new) else {
                return Ok(());
            };
            let (bases, attacks) = (made.0.clone(), made.1.clone());
            batches::add_attacks(tx, &ctx, batch, bases, attacks)
        })
        .await
}

/// Has AI asked about what waits, and ends the batch when nothing does.
fn run(tx: &mut dyn Tx, ctx: &Context, mut batch: Batch) -> Result<BatchStep, Error> {
    let workspace = ctx.workspace_id();
    if batch.kind == BatchKind::Grading {
        look_at_runs(tx, &batch)?;
    }
    let counts = batches::counted(tx, &batch)?;
    let [waiting, asked] = [ItemState::Waiting, ItemState::Asked].map(|state| of(&counts, state));
    let ended: u64 = counts
        .iter()
        .filter(|(state, _)| state.is_over())
        .map(|(_, count)| count)
        .sum();
    if waiting + asked == 0 {
        end(tx, ctx, batch)?;
        return Ok(BatchStep::Done);
    }
    if batch.tells(ended, ctx.now) {
        tx.batches().update(&batch)?;
        tell(tx, ctx, EventType::BatchProgressed, &batch)?;
    }
    let room = in_flight(ctx, &batch).saturating_sub(asked);
    if waiting == 0 || room == 0 {
        return Ok(BatchStep::Later);
    }
    let some = AT_ONCE.min(u16::try_from(room).unwrap_or(AT_ONCE));
    let items = tx
        .batches()
        .items_in(workspace, batch.id, ItemState::Waiting, 0, some)?;
    for item in items {
        ask(tx, ctx, &batch, item)?;
    }
    Ok(BatchStep::Step)
}

/// What AI was asked about before it was stopped is still graded, and whoever looks is told so.
fn see_out(tx: &mut dyn Tx, batch: &Batch) -> Result<BatchStep, Error> {
    look_at_runs(tx, batch)?;
    let asked = of(&batches::counted(tx, batch)?, ItemState::Asked);
    Ok(if asked == 0 {
        BatchStep::Done
    } else {
        BatchStep::Later
    })
}

fn of(counts: &ItemCounts, state: ItemState) -> u64 {
    counts.get(&state).copied().unwrap_or_default()
}

fn in_flight(ctx: &Context, batch: &Batch) -> u64 {
    if ai_calls::costs_nothing(ctx, &batch.grader.model) {
        IN_FLIGHT_BUILT_IN
    } else {
        IN_FLIGHT
    }
}

fn ask(tx: &mut dyn Tx, ctx: &Context, batch: &Batch, mut item: BatchItem) -> Result<(), Error> {
    match ai_calls::check_budget(tx, ctx, &batch.grader.model) {
        Ok(()) => {}
        Err(Error::Conflict(conflict @ Conflict::AiBudgetExceeded { .. })) => {
            item.fail("ai_budget_exceeded", &conflict.to_string());
            return Ok(tx.batches().update_item(batch.workspace_id, &item)?);
        }
        Err(error) => return Err(error),
    }
    item.ask();
    if batch.kind == BatchKind::Grading {
        ask_in_place(tx, ctx, &mut item)?;
    } else {
        let (batch, place) = (batch.id, item.place);
        queue::enqueue(tx, ctx, Job::GradeBatchItem { batch, place })?;
    }
    Ok(tx.batches().update_item(batch.workspace_id, &item)?)
}

/// Starts a run on the answer itself, unless somebody did, or graded it, since it was collected.
fn ask_in_place(tx: &mut dyn Tx, ctx: &Context, item: &mut BatchItem) -> Result<(), Error> {
    let submission = match item.submission_id {
        Some(id) => tx.submissions().find(ctx.workspace_id(), id)?,
        None => None,
    };
    let Some(mut submission) = submission else {
        return Ok(());
    };
    let is_open = matches!(
        submission.ai,
        AiGrading::NotAsked | AiGrading::Failed { .. }
    );
    if !is_open || submission.grade.is_some() {
        return Ok(());
    }
    let ready_at = queue::ready_at(tx, ctx, JobKind::GradeSubmission)?;
    let number = submission.ask_ai(RunOverrides::default(), ready_at, ctx.now)?;
    tx.submissions().update(&submission)?;
    starting::enqueue(tx, ctx, &submission, number, Spender::Staff)
}

/// Notes what came of runs that were started on the answers themselves.
fn look_at_runs(tx: &mut dyn Tx, batch: &Batch) -> Result<(), Error> {
    let most = u16::try_from(IN_FLIGHT_BUILT_IN).unwrap_or(AT_ONCE);
    let asked = tx
        .batches()
        .items_in(batch.workspace_id, batch.id, ItemState::Asked, 0, most)?;
    let ids: Vec<SubmissionId> = asked.iter().filter_map(|item| item.submission_id).collect();
    let found = tx.submissions().with_ids(batch.workspace_id, &ids)?;
    for mut item in asked {
        let submission = found.iter().find(|one| Some(one.id) == item.submission_id);
        if submission.is_some_and(|submission| is_over(submission, &mut item)) {
            tx.batches().update_item(batch.workspace_id, &item)?;
        }
    }
    Ok(())
}

fn is_over(submission: &Submission, item: &mut BatchItem) -> bool {
    match &submission.ai {
        AiGrading::Pending { .. } => return false,
        AiGrading::Failed { code, message } if submission.grade.is_none() => {
            item.fail(code, message);
        }
        // A person may have been first, too.
        AiGrading::NotAsked | AiGrading::Ready | AiGrading::Failed { .. } => item.graded_in_place(),
    }
    true
}

/// All of it is graded, or could not be.
fn end(tx: &mut dyn Tx, ctx: &Context, mut batch: Batch) -> Result<(), Error> {
    let kind = match batch.kind {
        BatchKind::Regrade => {
            let summary = summary(tx, &batch)?;
            batch.previewed(summary, ctx.now);
            EventType::BatchReady
        }
        BatchKind::Grading => {
            batch.done(None, ctx.now);
            EventType::BatchCompleted
        }
        BatchKind::RedTeam => {
            let report = batches::report_on(tx, &batch)?;
            batch.done(Some(report), ctx.now);
            EventType::BatchCompleted
        }
    };
    tx.batches().update(&batch)?;
    tell(tx, ctx, kind, &batch)
}

fn summary(tx: &mut dyn Tx, batch: &Batch) -> Result<ChangeSummary, Error> {
    let most = Batch::MOST_ITEMS;
    let graded = tx
        .batches()
        .items_in(batch.workspace_id, batch.id, ItemState::Graded, 0, most)?;
    Ok(ChangeSummary::of(graded.iter()))
}

/// Lets some of what was previewed land.
fn commit(tx: &mut dyn Tx, ctx: &Context, mut batch: Batch) -> Result<BatchStep, Error> {
    let workspace = ctx.workspace_id();
    let items = tx
        .batches()
        .items_in(workspace, batch.id, ItemState::Graded, 0, AT_ONCE)?;
    let assignment = tx.assignments().find(workspace, batch.assignment_id)?;
    let (Some(assignment), false) = (assignment, items.is_empty()) else {
        batch.committed(ctx.now);
        tx.batches().update(&batch)?;
        tell(tx, ctx, EventType::BatchCommitted, &batch)?;
        return Ok(BatchStep::Done);
    };
    for item in items {
        batches::land_one(tx, ctx, &batch, &assignment, item)?;
    }
    Ok(BatchStep::Step)
}

/// Puts some of what stood before back.
fn undo(tx: &mut dyn Tx, ctx: &Context, mut batch: Batch) -> Result<BatchStep, Error> {
    let workspace = ctx.workspace_id();
    let items = tx
        .batches()
        .items_in(workspace, batch.id, ItemState::Landed, 0, AT_ONCE)?;
    if items.is_empty() {
        batch.undone(ctx.now);
        tx.batches().update(&batch)?;
        tell(tx, ctx, EventType::BatchUndone, &batch)?;
        return Ok(BatchStep::Done);
    }
    for item in items {
        batches::put_back_one(tx, ctx, &batch, item)?;
    }
    Ok(BatchStep::Step)
}
