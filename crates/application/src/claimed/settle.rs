//! How an attempt at a job ends, or goes on: in transactions that also write down what was called for it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use lyceum_ports::drafting::ai::AiError;

use super::{AttemptEnd, Claimed};
use crate::app::App;
use crate::drafting::ai_calls;
use crate::prelude::*;

/// What is told of a job that killed its process every time.
pub const WORKER_LOST: &str = "worker_lost";

/// After an AI call failed: another try while there is patience and it may help, else what `give_up` does.
pub async fn retry_or(
    app: &App,
    job: &Claimed,
    error: &AiError,
    give_up: impl Future<Output = Result<(), Error>>,
) -> Result<(), Error> {
    tracing::warn!(job = %job.id, attempt = job.attempt, %error, "an AI call failed");
    let now = app.clock.now();
    if !job.will_retry(error, now) {
        job.note_end(AttemptEnd::GivenUp);
        return give_up.await;
    }
    job.note_end(AttemptEnd::Retried);
    let again = (job.next_try(error, now), job.tries_after(error));
    let (reason, claimed) = (error.to_string(), job.clone());
    booking(app, job, move |tx, _| {
        tx.jobs().retry(&claimed, again, &reason, now)?;
        Ok(())
    })
    .await
}

/// Ends a job for which there is nothing to do any more.
pub async fn finish(app: &App, job: &Claimed) -> Result<(), Error> {
    settle(app, job, |_, _| Ok(())).await
}

/// Runs `work` if the claim still stands, ending the job in the same transaction; else nothing happens but that its
/// calls are written down.
pub async fn settle(
    app: &App,
    job: &Claimed,
    mut work: impl FnMut(&mut dyn Tx, &Context) -> Result<(), Error> + Send + 'static,
) -> Result<(), Error> {
    let claimed = job.clone();
    booking(app, job, move |tx, ctx| {
        let ended = if claimed.is_lost() {
            tx.jobs().bury(&claimed, WORKER_LOST, ctx.now)?
        } else {
            tx.jobs().finish(&claimed, ctx.now)?
        };
        if !ended {
            claimed.note_end(AttemptEnd::TakenOver);
            tracing::warn!(job = %claimed.id, attempt = claimed.attempt, "another attempt has taken this job");
            return Ok(());
        }
        work(tx, ctx)
    })
    .await
}

/// Runs `work` in a transaction that also writes down what was called for the job so far.
pub async fn booking(
    app: &App,
    job: &Claimed,
    mut work: impl FnMut(&mut dyn Tx, &Context) -> Result<(), Error> + Send + 'static,
) -> Result<(), Error> {
    let calls = Arc::new(job.meter.take());
    let (inner, claimed, booked) = (app.clone(), job.clone(), Arc::clone(&calls));
    // Also when the disk is almost full: what was begun is ended, and no attempt is wasted. New claims wait.
    let written = app
        .store
        .conclude(move |tx| {
            let Some(workspace) = tx.workspaces().find(claimed.workspace_id)? else {
                return Ok(false);
            };
            let ctx = inner.service_context(workspace).in_trace(claimed.place);
            let subject = claimed.task.subject();
            let payer = (subject.as_str(), claimed.task.spender());
            ai_calls::record(tx, &ctx, payer, &booked)?;
            work(tx, &ctx)?;
            Ok::<_, Error>(ctx.queued.load(Ordering::Relaxed))
        })
        .await;
    match &written {
        Ok(_) => app.ai_tally.count(&calls),
        Err(_) => job.meter.give_back(calls.to_vec()),
    }
    if written? {
        app.signal.wake();
    }
    Ok(())
}
