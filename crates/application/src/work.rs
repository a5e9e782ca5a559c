//! Background work: jobs and webhook deliveries.
//!
//! Claim (a transaction), do (whatever it waits for, outside any transaction), settle (a transaction that
//! checks first that the claim still stands). What is not settled is taken up again when its lease runs out;
//! a settled job is never done twice.

mod activities_steps;
mod content;
mod deliver;
mod explain;
mod export;
mod full_course;
mod generation;
mod grade;
mod made;
mod media;
mod people;
mod quiz_check;
pub(crate) mod remove_archive;
pub(crate) mod rubrics;
mod steps;
mod syllabus;

use std::time::Duration;

use lyceum_domain::assignments::Assignment;
use lyceum_domain::courses::Course;
use lyceum_domain::submissions::Submission;
use lyceum_domain::webhooks::WebhookDelivery;
use lyceum_domain::workspaces::Workspace;
use lyceum_ports::ai::AiError;
use lyceum_ports::jobs::{Job, JobKind};
use lyceum_ports::store::Tx;

pub use deliver::{ClaimedDelivery, claim_deliveries, deliver};

use crate::app::App;
use crate::context::Context;
use crate::error::Error;
use crate::idempotency;

/// The first wait after a failed attempt; it doubles with every further one.
const FIRST_WAIT: Duration = Duration::from_secs(2);
/// The longest wait.
const LONGEST_WAIT: Duration = Duration::from_mins(2);

/// Takes up to `limit` due jobs.
///
/// # Errors
/// Those of storage.
pub async fn claim(app: &App, limit: u16) -> Result<Vec<Job>, Error> {
    let now = app.clock.now();
    app.store
        .write(move |tx| Ok(tx.jobs().claim(now, now.plus(Job::LEASE), limit)?))
        .await
}

/// Renews the lease of a job that is still being done.
///
/// # Errors
/// Those of storage.
pub async fn extend(app: &App, job: &Job) -> Result<bool, Error> {
    let (job, until) = (job.clone(), app.clock.now().plus(Job::LEASE));
    app.store
        .write(move |tx| Ok(tx.jobs().extend(&job, until)?))
        .await
}

/// At the start of a process: when no other can be alive, what is leased belongs to one that is gone.
///
/// # Errors
/// Those of storage.
pub async fn take_up_again(app: &App, is_single_node: bool) -> Result<(), Error> {
    if !is_single_node {
        return Ok(());
    }
    let now = app.clock.now();
    app.store
        .write(move |tx| {
            tx.jobs().release_leases(now)?;
            tx.webhooks().release_leases(now)?;
            Ok(())
        })
        .await
}

/// Forgets remembered replies and deliveries that are too old to count; how many that were.
///
/// # Errors
/// Those of storage.
pub async fn sweep(app: &App) -> Result<u64, Error> {
    let now = app.clock.now();
    app.store
        .write(move |tx| {
            let replies = tx
                .idempotency()
                .forget_before(now.minus(idempotency::LIFETIME))?;
            let deliveries = tx
                .webhooks()
                .forget_deliveries_before(now.minus(WebhookDelivery::KEPT))?;
            Ok(replies.saturating_add(deliveries))
        })
        .await
}

/// Does a claimed job, to whatever end.
///
/// # Errors
/// Those of storage; then the job is taken up again when its lease runs out.
pub async fn perform(app: &App, job: &Job) -> Result<(), Error> {
    // A job that killed its process every time must not do so for ever.
    if job.attempt > job.max_attempts {
        return give_up(
            app,
            job,
            "worker_lost",
            "The work was interrupted too often.",
        )
        .await;
    }
    match job.kind {
        JobKind::GradeSubmission => grade::perform(app, job).await,
        JobKind::ExplainGrade => explain::perform(app, job).await,
        JobKind::GenerateSyllabus => syllabus::perform(app, job).await,
        JobKind::GenerateContent => content::perform(app, job).await,
        JobKind::ExportScorm => export::perform(app, job).await,
        JobKind::RemoveArchive => remove_archive::perform(app, job).await,
    }
}

/// What a submission answers, and in which course; nothing if it was deleted meanwhile.
fn task_of(
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
async fn give_up(app: &App, job: &Job, code: &str, message: &str) -> Result<(), Error> {
    match job.kind {
        JobKind::GradeSubmission => grade::fail(app, job, code, message).await,
        JobKind::ExplainGrade => explain::fail(app, job, code, message).await,
        JobKind::GenerateSyllabus | JobKind::GenerateContent => {
            generation::fail(app, job, code, message).await
        }
        JobKind::ExportScorm => export::fail(app, job, code, message).await,
        JobKind::RemoveArchive => remove_archive::fail(app, job, message).await,
    }
}

/// After an AI call failed: another try if it may help, else the end.
async fn retry_or_give_up(app: &App, job: &Job, error: &AiError) -> Result<(), Error> {
    tracing::warn!(job = %job.id, attempt = job.attempt, %error, "an AI call failed");
    if !error.is_transient() || job.is_last_attempt() {
        return give_up(app, job, error.code(), &error.to_string()).await;
    }
    let asked = match error {
        AiError::Unavailable { retry_after, .. } => retry_after.unwrap_or_default(),
        AiError::Refused(_) | AiError::InvalidOutput(_) | AiError::BudgetExceeded(_) => {
            Duration::ZERO
        }
    };
    let doubled = FIRST_WAIT.saturating_mul(1 << job.attempt.saturating_sub(1).min(6));
    let wait = doubled.max(asked).min(LONGEST_WAIT);
    let (job, reason, now) = (job.clone(), error.to_string(), app.clock.now());
    app.store
        .write(move |tx| Ok::<_, Error>(tx.jobs().retry(&job, now.plus(wait), &reason, now)?))
        .await
        .map(drop)
}

/// The workspace that a job works for, if it is still there.
fn workspace_of(tx: &mut dyn Tx, job: &Job) -> Result<Option<Workspace>, Error> {
    Ok(tx.workspaces().find(job.workspace_id)?)
}

/// Runs `settle` if the claim still stands, ending the job in the same transaction; else nothing happens.
async fn settle(
    app: &App,
    job: &Job,
    mut work: impl FnMut(&mut dyn Tx, &Context) -> Result<(), Error> + Send + 'static,
) -> Result<(), Error> {
    let (inner, job) = (app.clone(), job.clone());
    let queued = app
        .store
        .write(move |tx| {
            let Some(workspace) = workspace_of(tx, &job)? else { return Ok(false) };
            let ctx = inner.service_context(workspace);
            if !tx.jobs().finish(&job, ctx.now)? {
                tracing::warn!(job = %job.id, attempt = job.attempt, "another attempt has taken this job");
                return Ok(false);
            }
            work(tx, &ctx)?;
            Ok::<_, Error>(ctx.queued.load(std::sync::atomic::Ordering::Relaxed))
        })
        .await?;
    if queued {
        app.signal.wake();
    }
    Ok(())
}
