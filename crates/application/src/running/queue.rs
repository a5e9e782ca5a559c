//! Queueing a job with the change that wants it. What is done for it is in the `jobs` of its wing.

use std::time::Duration;

use lyceum_domain::running::jobs::{Job, JobKind};
use lyceum_ports::running::jobs::QueuedJob;

use crate::app::App;
use crate::prelude::*;

/// How many finished jobs say how long the next will take.
pub const REMEMBERED: u16 = 20;
/// Fewer than these say too little.
const ENOUGH: usize = 5;
/// Nothing is promised sooner.
const SOONEST: Duration = Duration::from_secs(1);

/// How long a kind of job takes while nobody knows better.
const fn usually(kind: JobKind) -> Duration {
    match kind {
        JobKind::GradeSubmission | JobKind::ExplainGrade | JobKind::GradeBatchItem => {
            Duration::from_secs(15)
        }
        JobKind::GenerateSyllabus | JobKind::GenerateContent => Duration::from_secs(30),
        JobKind::ExportScorm
        | JobKind::RemoveArchive
        | JobKind::MendArchive
        | JobKind::TendCertificate
        | JobKind::TendBatch
        | JobKind::InspectMedia
        | JobKind::EaseDueDates
        | JobKind::WriteRows => Duration::from_secs(10),
    }
}

/// When a job that is queued now will probably be done: three of four recent ones of its kind in this workspace
/// took no longer.
pub fn ready_at(tx: &mut dyn Tx, ctx: &Context, kind: JobKind) -> Result<Timestamp, Error> {
    let took = tx
        .jobs()
        .recent_durations(ctx.workspace_id(), kind, REMEMBERED)?;
    Ok(ctx.now.plus(expected(took).unwrap_or(usually(kind))))
}

/// The 75th percentile (nearest rank) of what recent jobs took, if they are enough.
fn expected(mut took: Vec<Duration>) -> Option<Duration> {
    if took.len() < ENOUGH {
        return None;
    }
    took.sort_unstable();
    let rank = (took.len() * 3).div_ceil(4);
    took.get(rank - 1).map(|took| (*took).max(SOONEST))
}

/// Queues a job in the transaction of the change that wants it.
pub fn enqueue(tx: &mut dyn Tx, ctx: &Context, task: Job) -> Result<(), Error> {
    enqueue_for(tx, ctx, task, ctx.now)
}

/// Queues a job that is due at some moment, in the transaction of the change that wants it.
pub fn enqueue_for(
    tx: &mut dyn Tx,
    ctx: &Context,
    task: Job,
    run_at: Timestamp,
) -> Result<(), Error> {
    let job = QueuedJob {
        id: ctx.ids.next(),
        workspace_id: ctx.workspace_id(),
        task,
        attempt: 0,
        tries: 0,
        max_attempts: QueuedJob::LOST_ATTEMPTS,
        run_at,
        begun_at: None,
        trace: ctx.trace,
    };
    tx.jobs().enqueue(&job, ctx.now)?;
    ctx.note_queued();
    Ok(())
}

/// Queues a job that no change wants, in a transaction of its own.
pub async fn enqueue_alone(app: &App, workspace: WorkspaceId, task: Job) -> Result<(), Error> {
    let inner = app.clone();
    let queueing = move |tx: &mut dyn Tx| {
        if let Some(workspace) = tx.workspaces().find(workspace)? {
            enqueue(tx, &inner.service_context(workspace), task.clone())?;
        }
        Ok::<_, Error>(())
    };
    app.store.conclude(queueing).await?;
    app.signal.wake();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(of: &[u64]) -> Vec<Duration> {
        of.iter().copied().map(Duration::from_secs).collect()
    }

    #[test]
    fn three_of_four_recent_jobs_were_done_by_then() {
        assert_eq!(expected(seconds(&[2, 2, 2, 2])), None);
        let mixed = expected(seconds(&[90, 3, 1, 4, 2, 5, 6, 7]));
        assert_eq!(mixed, Some(Duration::from_secs(6)));
        let at_once = expected(seconds(&[0, 0, 0, 0, 0]));
        assert_eq!(at_once, Some(SOONEST));
    }
}
