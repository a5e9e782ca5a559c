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
use lyceum_ports::drafting::ai::Answered;

use super::people;
use crate::app::App;
use crate::claimed::{self, Claimed};
use crate::grading::rubrics::{task_of, usual_model};
use crate::grading::submissions;
use crate::prelude::*;

/// The explanation that a job is for.
#[derive(Debug, Clone)]
pub struct AskedExplanation {
    workspace: WorkspaceId,
    submission: SubmissionId,
    name: String,
}

impl AskedExplanation {
    pub const fn new(workspace: WorkspaceId, submission: SubmissionId, name: String) -> Self {
        Self {
            workspace,
            submission,
            name,
        }
    }

    /// The submission, if this is still the explanation that it waits for.
    fn awaited(&self, tx: &mut dyn Tx) -> Result<Option<Submission>, Error> {
        let found = tx.submissions().find(self.workspace, self.submission)?;
        Ok(found.filter(|submission| submission.awaits_explanation(&self.name)))
    }
}

pub async fn perform(app: &App, job: &Claimed, asked: AskedExplanation) -> Result<(), Error> {
    let wanted = asked.clone();
    let Some(task) = app.store.read(move |tx| prepare(tx, &wanted)).await? else {
        // The submission is gone, it was graded anew, or a later explanation was asked for.
        return claimed::finish(app, job).await;
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
        Ok(answered) => land(app, job, asked, task, answered).await,
        Err(error) => {
            let (code, sentence) = (error.code(), error.to_string());
            let failing = fail(app, job, asked.submission, code, &sentence);
            claimed::retry_or(app, job, &error, failing).await
        }
    }
}

fn prepare(tx: &mut dyn Tx, asked: &AskedExplanation) -> Result<Option<ExplanationTask>, Error> {
    let Some(submission) = asked.awaited(tx)? else {
        return Ok(None);
    };
    let Some((assignment, course)) = task_of(tx, &submission)? else {
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
        private: people::private(tx, submission.workspace_id, Some(&submission), &[])?,
        model: usual_model(&assignment, &course),
    }))
}

/// The rubric that the grade was given by, as far as its criteria tell: a run that is under way may have another.
fn rubric_of(grade: &StandingGrade, assignment: &Assignment, course: &Course) -> Rubric {
    let judged = |rubric: &Rubric| {
        let mut results = grade.criteria.iter();
        results.all(|result| rubric.criterion(&result.criterion_id).is_some())
    };
    [assignment.grading.rubric.clone(), course.ai.rubric()]
        .into_iter()
        .flatten()
        .find(judged)
        .unwrap_or_else(Rubric::overall)
}

async fn land(
    app: &App,
    job: &Claimed,
    asked: AskedExplanation,
    task: ExplanationTask,
    answered: Answered<ExplanationProposal>,
) -> Result<(), Error> {
    claimed::settle(app, job, move |tx, ctx| {
        let Some(mut submission) = asked.awaited(tx)? else {
            return Ok(());
        };
        let explanation = Explanation {
            rationale: rationale(&task, &answered.value),
            model: answered.model.clone(),
        };
        submission.land_explanation(explanation, ctx.now);
        tx.submissions().update(&submission)?;
        submissions::tell(tx, ctx, EventType::SubmissionExplained, &submission)
    })
    .await
}

/// Ends without an explanation. There is no state that could say so: `ai_status` and `ai_error` are about grading.
pub async fn fail(
    app: &App,
    job: &Claimed,
    submission: SubmissionId,
    code: &str,
    message: &str,
) -> Result<(), Error> {
    tracing::warn!(%submission, code, message, "a grade could not be explained");
    claimed::finish(app, job).await
}
