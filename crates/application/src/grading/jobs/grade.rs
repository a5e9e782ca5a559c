//! Grading a submission: what is asked, whether it was asked before, and what comes of it.

use lyceum_domain::authoring::assignments::HumanReview;
use lyceum_domain::grading::grades::{
    FIRST_GRADES, Grade, Grader, Judgement, LandingFacts, PROVIDER_FAILED, Release,
    least_confidence,
};
use lyceum_domain::grading::receipts::Kept;
use lyceum_domain::grading::submissions::{AiLanding, Submission};
use lyceum_domain::identity::spenders::Spender;
use lyceum_domain::ids::SubmissionId;

use crate::app::App;
use crate::claimed::{self, Claimed};
use crate::drafting::ai_starts::{self, Starter, USED_UP, UsedUp};
use crate::grading::certificates::{self, Arrival, Met};
use crate::grading::submissions::{records, tell};
use crate::prelude::*;
use crate::running::audit;

mod asking;
mod prepare;
mod reuse;

use prepare::{Prepared, Run};

/// What a run came to, by a call or from a record.
#[derive(Clone)]
struct Graded {
    judgement: Judgement,
    feedback: String,
    grader: Grader,
    answer: Option<String>,
}

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
        Prepared::RequestTrace(run) => {
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
    if spender == Spender::Staff || job.attempt > 1 || run.is_free {
        return Ok(None);
    }
    let starter = Starter {
        workspace: job.workspace_id,
        user: run.user_id,
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
        land_on(tx, ctx, submission, &run, result.clone())
    })
    .await
}

fn land_on(
    tx: &mut dyn Tx,
    ctx: &Context,
    submission: Submission,
    run: &Run,
    result: Graded,
) -> Result<(), Error> {
    let Graded {
        judgement,
        feedback,
        grader,
        answer,
    } = result;
    let is_decided = submission.is_decided_by_person();
    let mut landed = submission.clone();
    let grader_hash = run.grader_hash(&grader);
    let mut facts = LandingFacts {
        review: run.review,
        // Who matches words without graded examples says so in its reasons.
        calibrated: true,
        graded_before: graded_before(tx, &landed)?,
        release: Release::Unasked,
    };
    let met = match run.release.filter(|_| run.review == HumanReview::Optional) {
        None => None,
        Some(terms) => {
            let landing = Arrival {
                submission: &landed,
                terms,
                grader_hash: &grader_hash,
                confidence: least_confidence(&judgement),
                would_go_out: landed.would_go_out(&judgement, facts),
                is_usual: run.is_usual
                    && !judgement
                        .review_reasons
                        .iter()
                        .any(|reason| reason == PROVIDER_FAILED),
            };
            Some(certificates::meet(tx, ctx, &landing)?)
        }
    };
    facts.release = met.as_ref().map_or(Release::Unasked, Met::release);
    let landing = AiLanding {
        judged: &judgement,
        feedback: &feedback,
        model: model_of(&grader),
        grader_hash: &grader_hash,
        read_at: run.read_at,
        facts,
    };
    let status = match landed.land_ai(&landing, ctx.now) {
        Ok(status) => status,
        // It was given back meanwhile. Another attempt would find the same.
        Err(moved_on) => return end(tx, ctx, submission, "moved_on", &moved_on.to_string()),
    };
    // A proposal beside what a person decided replaces nothing.
    if !is_decided {
        tx.grades().supersede(ctx.workspace_id(), landed.id)?;
    }
    let record = Grade {
        workspace_id: ctx.workspace_id(),
        id: ctx.mint(),
        submission_id: landed.id,
        run: landed.run,
        status,
        score: judgement.score,
        max_score: landed.max_score,
        rubric_hash: run.task.rubric.hash(),
        criteria: judgement.criteria,
        feedback,
        review_reasons: judgement.review_reasons,
        grader,
        reason: met.as_ref().and_then(Met::reason),
        created_at: ctx.now,
        receipt: None,
    };
    let kept = Kept {
        rubric: Some(run.task.rubric.canonical()),
        answer,
        result_key: run.result_key.clone(),
        tombstone: None,
    };
    audit::note_grade(tx, ctx, &submission, &landed, &record)?;
    let sealed = records::append(tx, &landed, record, &kept)?;
    tx.submissions().update(&landed)?;
    if let Some(met) = met {
        certificates::note_arrival(tx, ctx, met, &sealed)?;
    }
    tell(tx, ctx, EventType::SubmissionGraded, &landed)
}

/// How many AI grades the assignment had before this one, as far as that matters.
fn graded_before(tx: &mut dyn Tx, submission: &Submission) -> Result<u32, Error> {
    let (workspace, assignment) = (submission.workspace_id, submission.assignment_id);
    Ok(tx
        .grades()
        .graded_by_ai(workspace, assignment, FIRST_GRADES)?)
}

fn model_of(grader: &Grader) -> &str {
    match grader {
        Grader::Ai { model, .. } => model,
        Grader::Human { .. } => "",
    }
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
