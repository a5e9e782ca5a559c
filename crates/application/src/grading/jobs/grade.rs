//! Grading a submission: what is asked, whether it was asked before, and what comes of it.

use lyceum_domain::grading::grades::PROVIDER_FAILED;
use lyceum_domain::grading::submissions::Submission;
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::ids::SubmissionId;

use crate::app::App;
use crate::claimed::{self, Claimed};
use crate::drafting::ai_starts::{self, Starter, USED_UP, UsedUp};
use crate::grading::landing::{self, Graded};
use crate::grading::submissions::tell;
use crate::prelude::*;

pub(in crate::grading) mod asking;
pub(in crate::grading) mod prepare;
mod reuse;

use prepare::{Prepared, Run};

/// The run that a job is for.
#[derive(Debug, Clone, Copy)]
pub struct AskedRun {
    workspace: WorkspaceId,
    submission: SubmissionId,
    run: u32,
}

impl AskedRun {
    pub const fn new(workspace: WorkspaceId, submission: SubmissionId, run: u32) -> Self {
        Self {
            workspace,
            submission,
            run,
        }
    }

    /// The submission, if this run is still the one it waits for.
    fn awaited(self, tx: &mut dyn Tx) -> Result<Option<Submission>, Error> {
        let found = tx.submissions().find(self.workspace, self.submission)?;
        Ok(found.filter(|submission| submission.awaits(self.run)))
    }
}

pub async fn perform(app: &App, job: &Claimed, asked: AskedRun) -> Result<(), Error> {
    let (ai, now) = (app.ai.clone(), app.clock.now());
    let prepared = app
        .store
        .read(move |tx| prepare::prepare(tx, &*ai, asked, now));
    match prepared.await? {
        // The submission is gone, or a newer run has been asked for.
        Prepared::Over => claimed::finish(app, job).await,
        Prepared::Unreadable => fail(app, job, asked, NOT_READABLE, NOT_READABLE_TEXT).await,
        Prepared::Known(run, result) => land(app, job, asked, *run, *result).await,
        Prepared::Ask(run) => {
            if let Some(whose) = share_used_up(app, job, &run).await? {
                return fail(app, job, asked, USED_UP, whose.sentence()).await;
            }
            job.meter.limit(run.allowance);
            let call = |model| asking::ask(&*app.ai, &run, model, &job.meter);
            match job.ask(app, &run.task.model, call).await {
                Ok(result) => land(app, job, asked, *run, result).await,
                Err(error) => {
                    let (code, sentence) = (error.code(), error.to_string());
                    let failing = fail(app, job, asked, code, &sentence);
                    claimed::retry_or(app, job, &error, failing).await
                }
            }
        }
    }
}

/// Whose share of an hour does not hold this run, which its learner started by handing in. What staff asked for was
/// counted at the door; and a run is counted once, however often it is tried.
async fn share_used_up(app: &App, job: &Claimed, run: &Run) -> Result<Option<UsedUp>, Error> {
    let spender = job.task.spender();
    let Some(user) = run.user_id else {
        return Ok(None);
    };
    if spender == Spender::Staff || job.attempt > 1 || run.is_free {
        return Ok(None);
    }
    let starter = Starter {
        workspace: job.workspace_id,
        user,
        spender,
    };
    ai_starts::take(app, starter).await
}

const NOT_READABLE: &str = "content_not_readable";
const NOT_READABLE_TEXT: &str = "The submission is an address, and nothing is fetched from it: hand the work in as a \
                                 text, or grade it yourself.";

async fn land(
    app: &App,
    job: &Claimed,
    asked: AskedRun,
    mut run: Run,
    mut result: Graded,
) -> Result<(), Error> {
    if job.failure().is_some() {
        // Of the model that was asked for this says nothing.
        run.result_key = None;
        let reasons = &mut result.judgement.review_reasons;
        reasons.push(PROVIDER_FAILED.to_owned());
    }
    claimed::settle(app, job, move |tx, ctx| {
        let Some(submission) = asked.awaited(tx)? else {
            return Ok(());
        };
        let landing = run.landing(&result.grader);
        match landing::land(tx, ctx, &submission, &landing, result.clone())? {
            Ok(landed) => tell(tx, ctx, EventType::SubmissionGraded, &landed.submission),
            // It was given back meanwhile. Another attempt would find the same.
            Err(moved_on) => end(tx, ctx, submission, "moved_on", &moved_on.to_string()),
        }
    })
    .await
}

pub async fn fail(
    app: &App,
    job: &Claimed,
    asked: AskedRun,
    code: &str,
    message: &str,
) -> Result<(), Error> {
    let (code, message) = (code.to_owned(), message.to_owned());
    claimed::settle(app, job, move |tx, ctx| {
        let Some(submission) = asked.awaited(tx)? else {
            return Ok(());
        };
        end(tx, ctx, submission, &code, &message)
    })
    .await
}

/// Ends a run without a grade.
fn end(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut submission: Submission,
    code: &str,
    message: &str,
) -> Result<(), Error> {
    submission.fail_ai(code, message, ctx.now);
    tx.submissions().update(&submission)?;
    tell(tx, ctx, EventType::SubmissionGradingFailed, &submission)
}
