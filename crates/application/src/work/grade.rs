//! Grading a submission.

use lyceum_domain::assignments::{Assignment, HumanReview};
use lyceum_domain::courses::Course;
use lyceum_domain::events::EventType;
use lyceum_domain::grades::{Grade, GradeProposal, Grader, GradingTask, PROVIDER_FAILED, judge};
use lyceum_domain::rubric::Rubric;
use lyceum_domain::submissions::{AiGrading, Submission, SubmissionId};
use lyceum_ports::ai::Answered;
use lyceum_ports::jobs::Job;
use lyceum_ports::store::Tx;
use lyceum_wire::submissions::SubmissionView;
use serde_json::Value;

use super::claimed::Claimed;
use crate::app::App;
use crate::context::Context;
use crate::error::Error;
use crate::events;

/// What a run needs to know.
struct Run {
    task: GradingTask,
    rubric: Rubric,
    review: HumanReview,
}

pub async fn perform(app: &App, job: &Claimed) -> Result<(), Error> {
    let wanted = job.clone();
    let Some(run) = app.store.read(move |tx| prepare(tx, &wanted)).await? else {
        // The submission is gone, or a newer run has been asked for.
        return super::settle(app, job, |_, _| Ok(())).await;
    };
    let ask = |model| {
        app.ai.grade(
            GradingTask {
                model,
                ..run.task.clone()
            },
            &job.meter,
        )
    };
    match job.ask(app, &run.task.model, ask).await {
        Ok(answered) => land(app, job, run, answered).await,
        Err(error) => super::retry_or_give_up(app, job, &error).await,
    }
}

fn prepare(tx: &mut dyn Tx, job: &Job) -> Result<Option<Run>, Error> {
    let Some(submission) = awaiting(tx, job)? else {
        return Ok(None);
    };
    let Some((assignment, course)) = super::task_of(tx, &submission)? else {
        return Ok(None);
    };
    let rubric = resolve_rubric(&submission, &assignment, &course);
    let task = GradingTask {
        assignment_name: assignment.name.to_string(),
        instructions: assignment.instructions.to_string(),
        rubric: rubric.clone(),
        submission: submission.content.as_text().to_owned(),
        course_instructions: course.ai.instructions.to_string(),
        course_language: course.language.to_string(),
        feedback: assignment.grading.feedback.clone(),
        anchors: Vec::new(),
        private: Vec::new(),
        model: resolve_model(&submission, &assignment, &course),
    };
    Ok(Some(Run {
        task,
        rubric,
        review: assignment.grading.human_review,
    }))
}

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

/// The run's own rubric, else the assignment's, else the course's, else one criterion.
fn resolve_rubric(submission: &Submission, assignment: &Assignment, course: &Course) -> Rubric {
    let own = match &submission.ai {
        AiGrading::Pending { rubric, .. } => rubric.clone(),
        AiGrading::NotAsked | AiGrading::Ready | AiGrading::Failed { .. } => None,
    };
    own.or_else(|| assignment.grading.rubric.clone())
        .or_else(|| rubric_of_course(course))
        .unwrap_or_else(Rubric::overall)
}

/// The course's rubric, if it has one that can be read.
pub fn rubric_of_course(course: &Course) -> Option<Rubric> {
    let rubric = course.ai.evaluator.get("rubric")?.as_object()?;
    Rubric::parse("rubric", rubric).ok()
}

/// The run's own model, else the usual one.
fn resolve_model(submission: &Submission, assignment: &Assignment, course: &Course) -> String {
    let own = match &submission.ai {
        AiGrading::Pending { model, .. } => model.clone(),
        AiGrading::NotAsked | AiGrading::Ready | AiGrading::Failed { .. } => None,
    };
    own.filter(|model| !model.is_empty())
        .unwrap_or_else(|| usual_model(assignment, course))
}

/// The assignment's model, else the course's, else the provider's, which is the empty name.
pub fn usual_model(assignment: &Assignment, course: &Course) -> String {
    let of_assignment = assignment.grading.ai_evaluator.model.as_str();
    if !of_assignment.is_empty() {
        return of_assignment.to_owned();
    }
    let of_course = course.ai.evaluator.get("model").and_then(Value::as_str);
    of_course.unwrap_or_default().to_owned()
}

async fn land(
    app: &App,
    job: &Claimed,
    run: Run,
    mut answered: Answered<GradeProposal>,
) -> Result<(), Error> {
    answered
        .value
        .flags
        .extend(job.failure().map(|_| PROVIDER_FAILED.to_owned()));
    let claimed = job.clone();
    super::settle(app, job, move |tx, ctx| {
        let Some(submission) = awaiting(tx, &claimed)? else {
            return Ok(());
        };
        let text = submission.content.as_text();
        let judged = judge(&run.rubric, text, &answered.value, submission.max_score);
        let feedback = answered.value.feedback.replace('\0', "");
        let human_before = submission.grade.as_ref().map(|grade| grade.by);
        let mut landed = submission.clone();
        let landing = landed.land_ai(&judged, &feedback, &answered.model, run.review, ctx.now);
        let status = match landing {
            Ok(status) => status,
            // It was given back meanwhile. Another attempt would find the same.
            Err(moved_on) => return end(tx, ctx, submission, "moved_on", &moved_on.to_string()),
        };
        let submission = landed;
        // A proposal beside a person's grade replaces nothing.
        if human_before != Some(lyceum_domain::grades::GradeSource::Human) {
            tx.grades().supersede(ctx.workspace_id(), submission.id)?;
        }
        tx.grades().append(&Grade {
            workspace_id: ctx.workspace_id(),
            id: ctx.mint(),
            submission_id: submission.id,
            run: submission.run,
            status,
            score: judged.score,
            max_score: submission.max_score,
            rubric_hash: run.rubric.hash(),
            criteria: judged.criteria,
            feedback,
            grader: Grader::Ai {
                model: answered.model.clone(),
                prompt_version: answered.prompt_version.clone(),
                tokens_in: answered.usage.tokens_in,
                tokens_out: answered.usage.tokens_out,
                model_asked: answered.model_asked.clone(),
                cost: answered.cost,
                latency_ms: u64::try_from(answered.latency.as_millis()).unwrap_or(u64::MAX),
                anchors: Vec::new(),
                reused_from: None,
            },
            reason: None,
            created_at: ctx.now,
        })?;
        tx.submissions().update(&submission)?;
        tell(tx, ctx, EventType::SubmissionGraded, &submission)
    })
    .await
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
