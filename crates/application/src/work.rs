//! Background work: jobs and webhook deliveries.
//!
//! Claim (a transaction), do (whatever it waits for, outside any transaction), settle (a transaction that
//! checks first that the claim still stands). What is not settled is taken up again when its lease runs out;
//! a settled job is never done twice.

mod activities_steps;
mod claimed;
mod content;
mod deliver;
mod explain;
mod export;
mod full_course;
mod generation;
mod grade;
mod made;
mod media;
pub(crate) mod mend_archive;
mod people;
mod quiz_check;
pub(crate) mod remove_archive;
mod replace;
pub(crate) mod rubrics;
mod scratch;
mod speech;
mod steps;
mod syllabus;
pub(crate) mod unwanted_files;

use std::pin::pin;
use std::sync::Arc;

use futures_util::future::{Either, select};
use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::grading::submissions::Submission;
use lyceum_domain::identity::workspaces::Workspace;
use lyceum_ports::drafting::ai::AiError;
use lyceum_ports::running::jobs::{Job, JobKind, JobLane};
use lyceum_ports::store::Tx;

pub(crate) use claimed::SPENDER;
use claimed::{AttemptEnd, Claimed};
pub(crate) use deliver::LEASE as DELIVERY_LEASE;
pub use deliver::{ClaimedDelivery, claim_deliveries, deliver};

use crate::app::App;
use crate::context::Context;
use crate::drafting::ai_calls;
use crate::error::Error;
use crate::traces::{Span, SpanKind};

/// Takes up to `limit` due jobs of a lane.
///
/// # Errors
/// Those of storage.
pub async fn claim(app: &App, lane: JobLane, limit: u16) -> Result<Vec<Job>, Error> {
    // What would be begun now could not keep what comes of it: it waits, and loses no attempt.
    if app.is_almost_full() {
        return Ok(Vec::new());
    }
    let lease = app.node.lease(app.clock.now(), Job::LEASE);
    let turn = app.node.turns.of(lane);
    let (jobs, turn) = app
        .store
        .write(move |tx| {
            let mut turn = turn;
            let jobs = tx.jobs().claim(lane, &lease, &mut turn, limit)?;
            Ok::<_, Error>((jobs, turn))
        })
        .await?;
    app.node.turns.move_on(lane, turn);
    Ok(jobs)
}

/// Renews the lease of a job that is still being done; false if it is not this attempt's any more.
///
/// # Errors
/// Those of storage.
pub async fn extend(app: &App, job: &Job) -> Result<bool, Error> {
    let (job, until) = (job.clone(), app.clock.now().plus(Job::LEASE));
    app.store
        .conclude(move |tx| Ok(tx.jobs().extend(&job, until)?))
        .await
}

/// Does a claimed job, to whatever end.
///
/// # Errors
/// Those of storage; then the job is taken up again when its lease runs out.
pub async fn perform(app: &App, job: &Job) -> Result<(), Error> {
    perform_until(app, job, std::future::pending()).await
}

/// Does a claimed job until it ends or is broken off: what was under way is dropped where it waits, and nothing of it is
/// stored but what was spent.
///
/// # Errors
/// Those of storage; then the job is taken up again when its lease runs out.
pub async fn perform_until(
    app: &App,
    job: &Job,
    broken_off: impl Future<Output = ()>,
) -> Result<(), Error> {
    let begun = app.clock.now();
    let name = || format!("job {}", job.kind.as_str());
    let mut span = app.tracing.begin(SpanKind::Consumer, job.trace, name);
    let job = Claimed::of(app, job, span.place()).await?;
    let (attempt, broken_off) = (pin!(attempt(app, &job)), pin!(broken_off));
    let done = match select(attempt, broken_off).await {
        Either::Left((done, _)) => done,
        Either::Right(_) => {
            job.note_end(AttemptEnd::BrokenOff);
            tracing::warn!(job = %job.id, attempt = job.attempt, "an attempt was broken off");
            Ok(())
        }
    };
    app.metrics.worked(job.kind, app.clock.now().since(begun));
    let noted = job.end().unwrap_or(AttemptEnd::Done);
    let end = done.as_ref().map_or(AttemptEnd::Failed, |()| noted);
    span.describe(|span| tell(span, &job, end));
    drop(span);
    // What no transaction of the job could write down: it was sent, whatever came of it.
    let payer = (job.subject_id.as_str(), job.spender);
    let booked = ai_calls::book(app, job.workspace_id, payer, &job.meter).await;
    done.and(booked)
}

/// What operators are told of an attempt.
fn tell(span: &mut dyn Span, job: &Job, end: AttemptEnd) {
    span.note("lyceum.workspace.id", job.workspace_id.to_string().into());
    span.note("lyceum.job.id", job.id.to_string().into());
    span.note("lyceum.job.kind", job.kind.as_str().into());
    span.note("lyceum.job.attempt", u64::from(job.attempt).into());
    span.note("lyceum.job.outcome", end.as_str().into());
    if end.is_failure() {
        span.fail();
    }
}

/// What is told of a job that killed its process every time.
const WORKER_LOST: &str = "worker_lost";

/// Whether all attempts were lost with the processes that made them: it must not go on so for ever.
fn is_lost(job: &Job) -> bool {
    job.attempt > job.max_attempts
}

async fn attempt(app: &App, job: &Claimed) -> Result<(), Error> {
    if is_lost(job) {
        let message = "The work was interrupted too often.";
        return give_up(app, job, WORKER_LOST, message).await;
    }
    match job.kind {
        JobKind::GradeSubmission => grade::perform(app, job).await,
        JobKind::ExplainGrade => explain::perform(app, job).await,
        JobKind::GenerateSyllabus => syllabus::perform(app, job).await,
        JobKind::GenerateContent => content::perform(app, job).await,
        JobKind::ExportScorm => export::perform(app, job).await,
        JobKind::RemoveArchive => remove_archive::perform(app, job).await,
        JobKind::MendArchive => mend_archive::perform(app, job).await,
    }
}

/// What a submission answers, and in which course; nothing if it was deleted meanwhile.
pub(crate) fn task_of(
    tx: &mut dyn Tx,
    submission: &Submission,
) -> Result<Option<(Assignment, Course)>, Error> {
    let workspace = submission.workspace_id;
    let Some(assignment) = tx.assignments().find(workspace, submission.assignment_id)? else {
        return Ok(None);
    };
    let course = tx.courses().find(workspace, assignment.place.course_id)?;
    Ok(course.map(|course| (assignment, course)))
}

/// Ends the job's subject in an error and the job with it.
async fn give_up(app: &App, job: &Claimed, code: &str, message: &str) -> Result<(), Error> {
    job.note_end(AttemptEnd::GivenUp);
    match job.kind {
        JobKind::GradeSubmission => grade::fail(app, job, code, message).await,
        JobKind::ExplainGrade => explain::fail(app, job, code, message).await,
        JobKind::GenerateSyllabus | JobKind::GenerateContent => {
            generation::fail(app, job, code, message).await
        }
        JobKind::ExportScorm => export::fail(app, job, code, message).await,
        JobKind::RemoveArchive => remove_archive::fail(app, job, message).await,
        JobKind::MendArchive => mend_archive::fail(app, job, message).await,
    }
}

/// After an AI call failed: another try while there is patience and it may help, else the end.
async fn retry_or_give_up(app: &App, job: &Claimed, error: &AiError) -> Result<(), Error> {
    tracing::warn!(job = %job.id, attempt = job.attempt, %error, "an AI call failed");
    let now = app.clock.now();
    if !job.will_retry(error, now) {
        return give_up(app, job, error.code(), &error.to_string()).await;
    }
    job.note_end(AttemptEnd::Retried);
    let (run_at, reason, claimed) = (job.next_try(error, now), error.to_string(), job.clone());
    booking(app, job, move |tx, _| {
        tx.jobs().retry(&claimed, run_at, &reason, now)?;
        Ok(())
    })
    .await
}

/// The workspace that a job works for, if it is still there.
fn workspace_of(tx: &mut dyn Tx, job: &Job) -> Result<Option<Workspace>, Error> {
    Ok(tx.workspaces().find(job.workspace_id)?)
}

/// Runs `work` if the claim still stands, ending the job in the same transaction; else nothing happens but that its
/// calls are written down.
async fn settle(
    app: &App,
    job: &Claimed,
    mut work: impl FnMut(&mut dyn Tx, &Context) -> Result<(), Error> + Send + 'static,
) -> Result<(), Error> {
    let claimed = job.clone();
    booking(app, job, move |tx, ctx| {
        let ended = if is_lost(&claimed) {
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
async fn booking(
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
            let Some(workspace) = workspace_of(tx, &claimed)? else {
                return Ok(false);
            };
            let ctx = inner.service_context(workspace).in_trace(claimed.place);
            let payer = (claimed.subject_id.as_str(), claimed.spender);
            ai_calls::record(tx, &ctx, payer, &booked)?;
            work(tx, &ctx)?;
            Ok::<_, Error>(ctx.queued.load(std::sync::atomic::Ordering::Relaxed))
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
