//! What a grading run asks: read from storage in one snapshot, before anybody is asked.

use lyceum_domain::authoring::assignments::{Assignment, HumanReview};
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::authoring::release_terms::ReleaseTerms;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::grades::{Anchor, Grader, GradingTask};
use lyceum_domain::grading::submissions::{
    AiGrading, RunBudget, RunOverrides, Submission, SubmissionContent,
};
use lyceum_domain::ids::UserId;
use lyceum_domain::points::Points;
use lyceum_ports::drafting::ai::{AiProvider, ResolvedModel};
use lyceum_ports::drafting::ai_calls::Allowance;

use super::{AskedRun, Graded, reuse};
use crate::grading::certificates;
use crate::grading::jobs::people;
use crate::grading::rubrics::{self, task_of};
use crate::prelude::*;

/// A run, ready to be asked.
pub struct Run {
    /// What is asked.
    pub task: GradingTask,
    /// How often.
    pub samples: u8,
    /// Whose work it is.
    pub user_id: UserId,
    /// Whether asking costs nothing: the built-in engine judges, or there is nothing to judge.
    pub is_free: bool,
    /// What it may take.
    pub allowance: Allowance,
    /// Whether a person looks at what comes of it.
    pub review: HumanReview,
    /// What a certificate has to promise before it goes out unseen, where one is asked for.
    pub release: Option<ReleaseTerms>,
    /// Whether the assignment's own grader was asked: nothing is otherwise in this run.
    pub is_usual: bool,
    /// What the score is out of.
    pub max_score: Points,
    /// When all of it was read.
    pub read_at: Timestamp,
    /// Names the question, where its answer may be taken over later.
    pub result_key: Option<String>,
}

impl Run {
    /// SHA-256 of everything that fixed what this grader gave, but the text.
    pub fn grader_hash(&self, grader: &Grader) -> String {
        let (model, version) = match grader {
            Grader::Ai {
                model,
                prompt_version,
                ..
            } => (model.as_str(), prompt_version.as_str()),
            Grader::Human { .. } => ("", ""),
        };
        self.task.grader_hash(model, version, self.samples)
    }
}

/// What is to be done.
pub enum Prepared {
    /// Nothing: nobody waits for the run any more.
    Over,
    /// Nothing can be: there is no text to judge.
    Unreadable,
    /// The same was judged before.
    Known(Box<Run>, Box<Graded>),
    /// Somebody is to be asked.
    RequestTrace(Box<Run>),
}

/// Reads what a run needs, at `now`.
pub fn prepare(
    tx: &mut dyn Tx,
    ai: &dyn AiProvider,
    asked: AskedRun,
    now: Timestamp,
) -> Result<Prepared, Error> {
    let Some(submission) = asked.awaited(tx)? else {
        return Ok(Prepared::Over);
    };
    let Some((assignment, course)) = task_of(tx, &submission)? else {
        return Ok(Prepared::Over);
    };
    if matches!(submission.content, SubmissionContent::Url(_)) {
        return Ok(Prepared::Unreadable);
    }
    let overrides = overrides_of(&submission);
    let task = task(tx, &submission, &assignment, &course, &overrides)?;
    let run = run(ai, task, &submission, &assignment, &overrides, now);
    let known = match &run.result_key {
        Some(key) if !overrides.anew => reuse::known(tx, &submission, key, &run.task)?,
        Some(_) | None => None,
    };
    Ok(match known {
        Some(graded) => Prepared::Known(Box::new(run), Box::new(graded)),
        None => Prepared::RequestTrace(Box::new(run)),
    })
}

fn overrides_of(submission: &Submission) -> RunOverrides {
    match &submission.ai {
        AiGrading::Pending { overrides, .. } => (**overrides).clone(),
        AiGrading::NotAsked | AiGrading::Ready | AiGrading::Failed { .. } => {
            RunOverrides::default()
        }
    }
}

fn task(
    tx: &mut dyn Tx,
    submission: &Submission,
    assignment: &Assignment,
    course: &Course,
    overrides: &RunOverrides,
) -> Result<GradingTask, Error> {
    let rubric = overrides.rubric.clone();
    let rubric = rubric.unwrap_or_else(|| rubrics::usual(assignment, course));
    let model = overrides.model.clone().filter(|model| !model.is_empty());
    let (anchors, authors) = anchors(tx, submission, &rubric)?;
    Ok(GradingTask {
        assignment_name: assignment.name.to_string(),
        instructions: assignment.instructions.to_string(),
        rubric,
        submission: submission.content.as_text().to_owned(),
        course_instructions: course.ai.instructions.to_string(),
        course_language: course.language.to_string(),
        feedback: overrides.feedback.over(&assignment.grading.feedback),
        private: people::private(tx, submission, &authors)?,
        anchors,
        model: model.unwrap_or_else(|| rubrics::usual_model(assignment, course)),
    })
}

/// What persons confirmed of other submissions to the same assignment, and who wrote these.
fn anchors(
    tx: &mut dyn Tx,
    submission: &Submission,
    rubric: &Rubric,
) -> Result<(Vec<Anchor>, Vec<UserId>), Error> {
    let criteria = rubric.criteria.iter();
    let criteria: Vec<String> = criteria.map(|criterion| criterion.id.clone()).collect();
    let (workspace, assignment) = (submission.workspace_id, submission.assignment_id);
    // While a certificate is sought or held, what people grade meanwhile teaches the grader nothing.
    let until = certificates::frozen_at(tx, workspace, assignment)?;
    let confirmed = tx.grades().confirmed(
        workspace,
        assignment,
        Some(submission.id),
        until,
        &criteria,
        Anchor::MOST,
    )?;
    let made = confirmed.into_iter().filter_map(|one| {
        let anchor = Anchor::of(&one.grade, one.text, rubric)?;
        Some((anchor, one.user_id))
    });
    let (anchors, mut authors): (Vec<Anchor>, Vec<UserId>) = made.unzip();
    authors.sort();
    authors.dedup();
    Ok((anchors, authors))
}

fn run(
    ai: &dyn AiProvider,
    task: GradingTask,
    submission: &Submission,
    assignment: &Assignment,
    overrides: &RunOverrides,
    read_at: Timestamp,
) -> Run {
    // The built-in grader says the same every time, for nothing: asking it again and taking over come to the same,
    // and a newer version of it answers itself.
    let asked = ai.resolve(&task.model).filter(|model| !model.built_in);
    let samples = asked.as_ref().map_or(1, |_| overrides.samples.get());
    let key = |model: ResolvedModel| {
        let ResolvedModel {
            model,
            grading_version,
            built_in: _,
        } = model;
        task.result_key(&model, &grading_version, samples, submission.max_score)
    };
    let is_free = asked.is_none() || task.submission.trim().is_empty();
    // A blank text is judged without a call.
    let result_key = asked
        .filter(|_| !task.submission.trim().is_empty())
        .map(key);
    let RunBudget { tokens, cost } = overrides.budget;
    Run {
        samples,
        user_id: submission.user_id,
        is_free,
        allowance: Allowance { tokens, cost },
        review: overrides
            .human_review
            .unwrap_or(assignment.grading.human_review),
        release: assignment.grading.release,
        is_usual: *overrides == RunOverrides::default(),
        max_score: submission.max_score,
        read_at,
        result_key,
        task,
    }
}
