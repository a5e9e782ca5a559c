//! Explaining the grade of a submission.
//!
//! Whatever comes of it, score, states and who graded stay as they are.

use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::explanations::{
    Explanation, ExplanationProposal, ExplanationTask, rationale,
};
use lyceum_domain::grading::submissions::{StandingGrade, Submission};
use lyceum_domain::ids::SubmissionId;
use lyceum_domain::notifying::events::EventType;
use lyceum_ports::drafting::ai::Answered;
use lyceum_ports::running::jobs::Job;
use lyceum_ports::store::Tx;
use lyceum_wire::grading::submissions::SubmissionView;
use serde_json::Value;

use super::claimed::Claimed;
use super::people;
use super::rubrics::{of_course, usual_model};
use crate::app::App;
use crate::error::Error;
use crate::notifying::events;

pub async fn perform(app: &App, job: &Claimed) -> Result<(), Error> {
    let wanted = job.clone();
    let Some(task) = app.store.read(move |tx| prepare(tx, &wanted)).await? else {
        // The submission is gone, it was graded anew, or a later explanation was asked for.
        return super::settle(app, job, |_, _| Ok(())).await;
    };
    let ask = |model| {
        app.ai.explain_grade(
            ExplanationTask {
                model,
                ..task.clone()
            },
            &job.meter,
        )
    };
    match job.ask(app, &task.model, ask).await {
        Ok(answered) => land(app, job, task, answered).await,
        Err(error) => super::retry_or_give_up(app, job, &error).await,
    }
}

fn prepare(tx: &mut dyn Tx, job: &Job) -> Result<Option<ExplanationTask>, Error> {
    let Some(submission) = awaiting(tx, job)? else {
        return Ok(None);
    };
    let Some((assignment, course)) = super::task_of(tx, &submission)? else {
        return Ok(None);
    };
    let Some(grade) = &submission.grade else {
        return Ok(None);
    };
    Ok(Some(ExplanationTask {
        assignment_name: assignment.name.to_string(),
        instructions: assignment.instructions.to_string(),
        rubric: rubric_of(grade, &assignment, &course),
        submission: submission.content.as_text().to_owned(),
        score: grade.score,
        max_score: submission.max_score,
        results: grade.criteria.clone(),
        feedback: grade.feedback.clone(),
        course_instructions: course.ai.instructions.to_string(),
        course_language: course.language.to_string(),
        private: people::private(tx, &submission, &[])?,
        model: usual_model(&assignment, &course),
    }))
}

/// The rubric that the grade was given by, as far as its criteria tell: a run that is under way may have another.
fn rubric_of(grade: &StandingGrade, assignment: &Assignment, course: &Course) -> Rubric {
    let judged = |rubric: &Rubric| {
        let mut results = grade.criteria.iter();
        results.all(|result| rubric.criterion(&result.criterion_id).is_some())
    };
    [assignment.grading.rubric.clone(), of_course(course)]
        .into_iter()
        .flatten()
        .find(judged)
        .unwrap_or_else(Rubric::overall)
}

/// The submission, if it still waits for this job's explanation.
fn awaiting(tx: &mut dyn Tx, job: &Job) -> Result<Option<Submission>, Error> {
    let Ok(id) = job.subject_id.parse::<SubmissionId>() else {
        return Ok(None);
    };
    let name = job.payload.get("name").and_then(Value::as_str);
    let name = name.unwrap_or_default();
    Ok(tx
        .submissions()
        .find(job.workspace_id, id)?
        .filter(|submission| submission.awaits_explanation(name)))
}

async fn land(
    app: &App,
    job: &Claimed,
    task: ExplanationTask,
    answered: Answered<ExplanationProposal>,
) -> Result<(), Error> {
    let claimed = job.clone();
    super::settle(app, job, move |tx, ctx| {
        let Some(mut submission) = awaiting(tx, &claimed)? else {
            return Ok(());
        };
        let explanation = Explanation {
            rationale: rationale(&task, &answered.value),
            model: answered.model.clone(),
        };
        submission.land_explanation(explanation, ctx.now);
        tx.submissions().update(&submission)?;
        let view = SubmissionView::new(&submission);
        events::record(tx, ctx, EventType::SubmissionExplained, &view)
    })
    .await
}

/// Ends without an explanation. There is no state that could say so: `ai_status` and `ai_error` are about grading.
pub async fn fail(app: &App, job: &Claimed, code: &str, message: &str) -> Result<(), Error> {
    tracing::warn!(submission = %job.subject_id, code, message, "a grade could not be explained");
    super::settle(app, job, |_, _| Ok(())).await
}
