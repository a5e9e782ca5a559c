//! Background work: jobs, webhook deliveries and mails.
//!
//! Claim (a transaction), do (whatever it waits for, outside any transaction), settle (a transaction that
//! checks first that the claim still stands). What is not settled is taken up again when its lease runs out;
//! a settled job is never done twice. What is done for a job is in its wing; here it is only sent there.

use std::pin::pin;

use futures_util::future::{Either, select};
use lyceum_domain::running::jobs::{Job, JobLane};
use lyceum_ports::running::jobs::QueuedJob;

pub use crate::notifying::deliveries::{ClaimedDelivery, claim_deliveries, deliver};
pub use crate::notifying::digests::tell_due;
pub use crate::notifying::mails::{claim_mails, send_mail};

use crate::app::App;
use crate::authoring::jobs::{inspect_media, remove_media};
use crate::claimed::{self, AttemptEnd, Claimed, WORKER_LOST};
use crate::drafting::ai_calls;
use crate::drafting::jobs::{content, generation, remove_recording, syllabus};
use crate::error::Error;
use crate::exporting::jobs::{export, mend_archive, remove_archive};
use crate::grading::jobs::batch_item::{self, AskedItem};
use crate::grading::jobs::explain::{self, AskedExplanation};
use crate::grading::jobs::grade::{self, AskedRun};
use crate::grading::jobs::{ease_due_dates, tend, tend_batch};
use crate::running::bulk_writes::performing;
use crate::traces::{Span, SpanKind};

/// Takes up to `limit` due jobs of a lane.
pub async fn claim(app: &App, lane: JobLane, limit: u16) -> Result<Vec<QueuedJob>, Error> {
    // What would be begun now could not keep what comes of it: it waits, and loses no attempt.
    if app.is_almost_full() {
        return Ok(Vec::new());
    }
    let lease = app.node.lease(app.clock.now(), QueuedJob::LEASE);
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
pub async fn extend(app: &App, job: &QueuedJob) -> Result<bool, Error> {
    let (job, until) = (job.clone(), app.clock.now().plus(QueuedJob::LEASE));
    app.store
        .conclude(move |tx| Ok(tx.jobs().extend(&job, until)?))
        .await
}

/// Does a claimed job, to whatever end.
///
/// # Errors
/// Those of storage; then the job is taken up again when its lease runs out.
pub async fn perform(app: &App, job: &QueuedJob) -> Result<(), Error> {
    perform_until(app, job, std::future::pending()).await
}

/// Does a claimed job until it ends or is broken off: what was under way is dropped where it waits, and nothing of it is
/// stored but what was spent.
///
/// # Errors
/// Those of storage; then the job is taken up again when its lease runs out.
pub async fn perform_until(
    app: &App,
    job: &QueuedJob,
    broken_off: impl Future<Output = ()>,
) -> Result<(), Error> {
    let begun = app.clock.now();
    let name = || format!("job {}", job.task.kind().as_str());
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
    app.telemetry
        .job_attempted(job.task.kind(), app.clock.now().since(begun));
    let noted = job.end().unwrap_or(AttemptEnd::Done);
    let end = done.as_ref().map_or(AttemptEnd::Failed, |()| noted);
    span.describe(|span| tell(span, &job, end));
    drop(span);
    // What no transaction of the job could write down: it was sent, whatever came of it.
    let subject = job.task.subject();
    let payer = (subject.as_str(), job.task.spender());
    let booked = ai_calls::book(app, job.workspace_id, payer, &job.meter).await;
    done.and(booked)
}

/// What operators are told of an attempt.
fn tell(span: &mut dyn Span, job: &QueuedJob, end: AttemptEnd) {
    span.note("lyceum.workspace.id", job.workspace_id.to_string().into());
    span.note("lyceum.job.id", job.id.to_string().into());
    span.note("lyceum.job.kind", job.task.kind().as_str().into());
    span.note("lyceum.job.attempt", u64::from(job.attempt).into());
    span.note("lyceum.job.outcome", end.as_str().into());
    if end.is_failure() {
        span.fail();
    }
}

async fn attempt(app: &App, job: &Claimed) -> Result<(), Error> {
    if job.is_lost() {
        let message = "The work was interrupted too often.";
        return give_up(app, job, WORKER_LOST, message).await;
    }
    let workspace = job.workspace_id;
    match job.task.clone() {
        Job::GradeSubmission {
            submission, run, ..
        } => grade::perform(app, job, AskedRun::new(workspace, submission, run)).await,
        Job::ExplainGrade { submission, name } => {
            let asked = AskedExplanation::new(workspace, submission, name);
            explain::perform(app, job, asked).await
        }
        Job::GenerateSyllabus { generation } => syllabus::perform(app, job, generation).await,
        Job::GenerateContent { generation } => content::perform(app, job, generation).await,
        Job::ExportScorm { package } => export::perform(app, job, package).await,
        Job::RemoveArchive { origin } => remove_archive::perform(app, job, origin).await,
        Job::RemoveRecording { name } => remove_recording::perform(app, job, name).await,
        Job::RemovePieces { pieces, .. } => {
            remove_recording::perform_pieces(app, job, &pieces).await
        }
        Job::MendArchive { origin } => mend_archive::perform(app, job, origin).await,
        Job::TendCertificate { certificate } => tend::perform(app, job, certificate).await,
        Job::TendBatch { batch } => tend_batch::perform(app, job, batch).await,
        Job::InspectMedia { media } => inspect_media::perform(app, job, media).await,
        Job::RemoveMedia { media } => remove_media::perform(app, job, media).await,
        Job::EaseDueDates { assignment } => ease_due_dates::perform(app, job, assignment).await,
        Job::WriteRows { bulk } => performing::perform(app, job, bulk).await,
        Job::GradeBatchItem { batch, place } => {
            batch_item::perform(app, job, AskedItem::new(workspace, batch, place)).await
        }
    }
}

/// Ends the job's subject in an error and the job with it.
async fn give_up(app: &App, job: &Claimed, code: &str, message: &str) -> Result<(), Error> {
    job.note_end(AttemptEnd::GivenUp);
    let workspace = job.workspace_id;
    match job.task.clone() {
        Job::GradeSubmission {
            submission, run, ..
        } => {
            let asked = AskedRun::new(workspace, submission, run);
            grade::fail(app, job, asked, code, message).await
        }
        Job::ExplainGrade { submission, .. } => {
            explain::fail(app, job, submission, code, message).await
        }
        Job::GenerateSyllabus { generation } | Job::GenerateContent { generation } => {
            generation::fail(app, job, generation, code, message).await
        }
        Job::ExportScorm { package } => export::fail(app, job, package, code, message).await,
        Job::InspectMedia { media } => inspect_media::fail(app, job, media, code, message).await,
        Job::RemoveArchive { .. }
        | Job::RemoveRecording { .. }
        | Job::RemovePieces { .. }
        | Job::RemoveMedia { .. } => {
            tracing::error!(file = job.task.subject(), message, "a file is left over");
            claimed::finish(app, job).await
        }
        Job::MendArchive { origin } => mend_archive::fail(app, job, origin, message).await,
        Job::GradeBatchItem { batch, place } => {
            let asked = AskedItem::new(workspace, batch, place);
            batch_item::fail(app, job, asked, code, message).await
        }
        // What was decided about it has to come to its end.
        Job::TendBatch { batch } => {
            tracing::error!(%batch, message, "a batch is put off");
            tend_batch::put_off(app, job, batch).await
        }
        Job::WriteRows { bulk } => performing::fail(app, job, bulk, message).await,
        // Whoever changes the date again has it done.
        Job::EaseDueDates { assignment } => {
            tracing::error!(%assignment, message, "late submissions keep the due date they had");
            claimed::finish(app, job).await
        }
        // It is tried for again by whoever asks.
        Job::TendCertificate { certificate } => {
            tracing::error!(%certificate, message, "a try for a certificate was left alone");
            claimed::finish(app, job).await
        }
    }
}
