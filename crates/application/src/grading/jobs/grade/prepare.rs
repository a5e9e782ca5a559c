//! What a grading run asks: read from storage in one snapshot, before anybody is asked.

use lyceum_domain::authoring::assignments::{Assignment, HumanReview};
use lyceum_domain::authoring::courses::Course;
use lyceum_domain::authoring::release_terms::ReleaseTerms;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::grades::{Anchor, Grader, GradingTask};
use lyceum_domain::grading::submissions::{
    AiGrading, RunBudget, RunOverrides, Submission, SubmissionContent,
};
use lyceum_domain::ids::{SubmissionId, UserId};
use lyceum_domain::points::Points;
use lyceum_ports::drafting::ai::{AiProvider, ResolvedModel};
use lyceum_ports::drafting::ai_calls::Allowance;

use super::{AskedRun, reuse};
use crate::grading::certificates;
use crate::grading::jobs::people;
use crate::grading::landing::{GradeLanding, Graded, LandingPlace};
use crate::grading::rubrics::{self, task_of};
use crate::prelude::*;

/// A run, ready to be asked.
pub struct Run {
    /// What is asked.
    pub task: GradingTask,
    /// How often.
    pub samples: u8,
    /// Whose work it is; nobody's, where nobody handed it in.
    pub user_id: Option<UserId>,
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
    /// How what this grader gave lands.
    pub fn landing(&self, grader: &Grader) -> GradeLanding {
        GradeLanding {
            place: LandingPlace::Run,
            review: self.review,
            release: self.release,
            is_usual: self.is_usual,
            rubric: self.task.rubric.clone(),
            grader_hash: self.grader_hash(grader),
            read_at: self.read_at,
            result_key: self.result_key.clone(),
        }
    }

    /// SHA-256 of everything that fixed what this grader gave, but the text.
    pub fn grader_hash(&self, grader: &Grader) -> String {
        let (model, version) = match grader {
            Grader::Ai {
                model,
                prompt_version,
                ..
            } => (model.as_str(), prompt_version.as_str()),
            Grader::Human { .. } | Grader::Service { .. } => ("", ""),
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
    Ask(Box<Run>),
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
    let question = GradingQuestion::of_submission(&submission, &assignment, &course, &overrides);
    let run = run(tx, ai, &question, now)?;
    let known = known(tx, &run, &submission, &overrides)?;
    Ok(match known {
        Some(graded) => Prepared::Known(Box::new(run), Box::new(graded)),
        None => Prepared::Ask(Box::new(run)),
    })
}

/// What was judged before by the same question, unless the run insists on an answer of its own.
pub fn known(
    tx: &mut dyn Tx,
    run: &Run,
    submission: &Submission,
    overrides: &RunOverrides,
) -> Result<Option<Graded>, Error> {
    match &run.result_key {
        Some(key) if !overrides.anew => reuse::known(tx, submission, key, &run.task),
        Some(_) | None => Ok(None),
    }
}

/// What is to be judged, and by what.
pub struct GradingQuestion<'a> {
    /// The answer that was handed in; none where the text is nobody's.
    pub submission: Option<&'a Submission>,
    /// The text.
    pub text: &'a str,
    /// What the score is out of.
    pub max_score: Points,
    /// What it answers.
    pub assignment: &'a Assignment,
    /// In which course.
    pub course: &'a Course,
    /// What this run alone does otherwise.
    pub overrides: &'a RunOverrides,
}

impl<'a> GradingQuestion<'a> {
    /// Of an answer that was handed in.
    pub fn of_submission(
        submission: &'a Submission,
        assignment: &'a Assignment,
        course: &'a Course,
        overrides: &'a RunOverrides,
    ) -> Self {
        Self {
            submission: Some(submission),
            text: submission.content.as_text(),
            max_score: submission.max_score,
            assignment,
            course,
            overrides,
        }
    }
}

fn overrides_of(submission: &Submission) -> RunOverrides {
    match &submission.ai {
        AiGrading::Pending { overrides, .. } => (**overrides).clone(),
        AiGrading::NotAsked | AiGrading::Ready | AiGrading::Failed { .. } => {
            RunOverrides::default()
        }
    }
}

fn task(tx: &mut dyn Tx, question: &GradingQuestion<'_>) -> Result<GradingTask, Error> {
    let GradingQuestion {
        submission,
        text,
        assignment,
        course,
        overrides,
        max_score: _,
    } = question;
    let rubric = overrides.rubric.clone();
    let rubric = rubric.unwrap_or_else(|| rubrics::usual(assignment, course));
    let model = overrides.model.clone().filter(|model| !model.is_empty());
    let except = submission.map(|submission| submission.id);
    let (anchors, authors) = anchors(tx, assignment, except, &rubric)?;
    Ok(GradingTask {
        assignment_name: assignment.name.to_string(),
        instructions: assignment.instructions.to_string(),
        rubric,
        submission: (*text).to_owned(),
        course_instructions: course.ai.instructions.to_string(),
        course_language: course.language.to_string(),
        feedback: overrides.feedback.over(&assignment.grading.feedback),
        private: people::private(tx, assignment.workspace_id, *submission, &authors)?,
        anchors,
        model: model.unwrap_or_else(|| rubrics::usual_model(assignment, course)),
    })
}

/// What persons confirmed of other submissions to the same assignment, and who wrote these.
fn anchors(
    tx: &mut dyn Tx,
    assignment: &Assignment,
    except: Option<SubmissionId>,
    rubric: &Rubric,
) -> Result<(Vec<Anchor>, Vec<UserId>), Error> {
    let criteria = rubric.criteria.iter();
    let criteria: Vec<String> = criteria.map(|criterion| criterion.id.clone()).collect();
    let (workspace, assignment) = (assignment.workspace_id, assignment.id);
    // While a certificate is sought or held, what people grade meanwhile teaches the grader nothing.
    let until = certificates::frozen_at(tx, workspace, assignment)?;
    let confirmed = tx.grades().confirmed(
        workspace,
        assignment,
        except,
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

/// Everything that is asked, as it is at `read_at`.
pub fn run(
    tx: &mut dyn Tx,
    ai: &dyn AiProvider,
    question: &GradingQuestion<'_>,
    read_at: Timestamp,
) -> Result<Run, Error> {
    let task = task(tx, question)?;
    let (overrides, assignment) = (question.overrides, question.assignment);
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
        task.result_key(&model, &grading_version, samples, question.max_score)
    };
    let is_free = asked.is_none() || task.submission.trim().is_empty();
    // A blank text is judged without a call.
    let result_key = asked
        .filter(|_| !task.submission.trim().is_empty())
        .map(key);
    let RunBudget { tokens, cost } = overrides.budget;
    Ok(Run {
        samples,
        user_id: question.submission.map(|submission| submission.user_id),
        is_free,
        allowance: Allowance { tokens, cost },
        review: overrides
            .human_review
            .unwrap_or(assignment.grading.human_review),
        release: assignment.grading.release,
        is_usual: *overrides == RunOverrides::default(),
        max_score: question.max_score,
        read_at,
        result_key,
        task,
    })
}
