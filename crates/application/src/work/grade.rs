//! Grading a submission: what is asked, whether it was asked before, and what comes of it.

use lyceum_domain::drafting::spenders::Spender;
use lyceum_domain::grading::grades::{
    FIRST_GRADES, Grade, Grader, Judgement, LandingFacts, PROVIDER_FAILED,
};
use lyceum_domain::grading::receipts::Kept;
use lyceum_domain::grading::submissions::{AiLanding, Submission};
use lyceum_domain::ids::SubmissionId;
use lyceum_domain::notifying::events::EventType;
use lyceum_ports::running::jobs::Job;
use lyceum_ports::store::Tx;
use lyceum_wire::grading::submissions::SubmissionView;
use serde_json::Value;

use super::claimed::Claimed;
use crate::app::App;
use crate::context::Context;
use crate::drafting::ai_starts::{self, Starter, USED_UP, UsedUp};
use crate::error::Error;
use crate::grading::submissions::records;
use crate::notifying::events;
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

pub async fn perform(app: &App, job: &Claimed) -> Result<(), Error> {
    let (wanted, ai) = (job.clone(), app.ai.clone());
    let prepared = app
        .store
        .read(move |tx| prepare::prepare(tx, &*ai, &wanted));
    match prepared.await? {
        // The submission is gone, or a newer run has been asked for.
        Prepared::Over => super::settle(app, job, |_, _| Ok(())).await,
        Prepared::Unreadable => fail(app, job, NOT_READABLE, NOT_READABLE_TEXT).await,
        Prepared::Known(run, result) => land(app, job, *run, *result).await,
        Prepared::Asked(run) => {
            if let Some(whose) = share_used_up(app, job, &run).await? {
                return fail(app, job, USED_UP, whose.sentence()).await;
            }
            job.meter.limit(run.allowance);
            let ask = |model| asking::ask(&*app.ai, &run, model, &job.meter);
            match job.ask(app, &run.task.model, ask).await {
                Ok(result) => land(app, job, *run, result).await,
                Err(error) => super::retry_or_give_up(app, job, &error).await,
            }
        }
    }
}

/// Whose share of an hour does not hold this run, which its learner started by handing in. What staff asked for was
/// counted at the door; and a run is counted once, however often it is tried.
async fn share_used_up(app: &App, job: &Claimed, run: &Run) -> Result<Option<UsedUp>, Error> {
    if job.spender == Spender::Staff || job.attempt > 1 || run.is_free {
        return Ok(None);
    }
    let starter = Starter {
        workspace: job.workspace_id,
        user: run.user_id,
        spender: job.spender,
    };
    ai_starts::take(app, starter).await
}

const NOT_READABLE: &str = "content_not_readable";
const NOT_READABLE_TEXT: &str = "The submission is an address, and nothing is fetched from it: hand the work in as a \
                                 text, or grade it yourself.";

/// The submission, if this job's run is still the one it waits for.
fn awaiting(tx: &mut dyn Tx, job: &Job) -> Result<Option<Submission>, Error> {
    let Ok(id) = job.subject_id.parse::<SubmissionId>() else {
        return Ok(None);
    };
    let run = run_of(job);
    Ok(tx
        .submissions()
        .find(job.workspace_id, id)?
        .filter(|submission| submission.awaits(run)))
}

fn run_of(job: &Job) -> u32 {
    let run = job.payload.get("run").and_then(Value::as_u64);
    run.and_then(|run| u32::try_from(run).ok())
        .unwrap_or_default()
}

async fn land(app: &App, job: &Claimed, mut run: Run, mut result: Graded) -> Result<(), Error> {
    if job.failure().is_some() {
        // Of the model that was asked for this says nothing.
        run.result_key = None;
        let reasons = &mut result.judgement.review_reasons;
        reasons.push(PROVIDER_FAILED.to_owned());
    }
    let claimed = job.clone();
    super::settle(app, job, move |tx, ctx| {
        let Some(submission) = awaiting(tx, &claimed)? else {
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
    let landing = AiLanding {
        judged: &judgement,
        feedback: &feedback,
        model: model_of(&grader),
        facts: LandingFacts {
            review: run.review,
            // Who matches words without graded examples says so in its reasons.
            calibrated: true,
            graded_before: graded_before(tx, &landed)?,
        },
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
        reason: None,
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
    records::append(tx, &landed, record, &kept)?;
    tx.submissions().update(&landed)?;
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

pub async fn fail(app: &App, job: &Claimed, code: &str, message: &str) -> Result<(), Error> {
    let (claimed, code, message) = (job.clone(), code.to_owned(), message.to_owned());
    super::settle(app, job, move |tx, ctx| {
        let Some(submission) = awaiting(tx, &claimed)? else {
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

fn tell(
    tx: &mut dyn Tx,
    ctx: &Context,
    kind: EventType,
    submission: &Submission,
) -> Result<(), Error> {
    events::record(tx, ctx, kind, &SubmissionView::new(submission))
}
