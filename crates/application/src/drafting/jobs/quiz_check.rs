//! Checking the key of drafted quizzes: AI answers each from the lesson alone, as a learner would, and what it answers
//! otherwise than the key says is not asked.

use lyceum_domain::authoring::activities::ActivityKind;
use lyceum_domain::authoring::quiz_checks::{ImplausibleOptions, QuizCheck, TakenQuiz, compare};
use lyceum_domain::drafting::generation_steps::StepKey;
use lyceum_domain::drafting::syllabus::ActivityDraft;
use lyceum_ports::drafting::ai::QuizTask;
use lyceum_wire::authoring::activities::as_learners_see;
use serde_json::{Value, json};

use super::steps::{Drafted, Steps, Stop, tasks};

/// What a quiz is answered from.
pub struct QuizSource {
    pub language: String,
    pub lesson: String,
    pub model: String,
}

/// What became of a quiz's key.
#[derive(Debug, Clone, PartialEq)]
pub struct QuizReport {
    step: StepKey,
    check: Option<QuizCheck>,
}

/// What reports say together, for the result of a generation.
pub fn told(reports: &[QuizReport]) -> Value {
    reports.iter().map(QuizReport::to_json).collect()
}

/// What a person should look at.
pub fn warnings(reports: &[QuizReport]) -> impl Iterator<Item = String> {
    reports.iter().flat_map(QuizReport::warnings)
}

impl QuizReport {
    /// Whether it is about the quiz that this step drafted, at the first go or the second.
    pub fn is_of(&self, step: &StepKey) -> bool {
        self.step == *step || self.step == step.again()
    }

    /// As it is told.
    pub fn to_json(&self) -> Value {
        let check = self.check.as_ref();
        let disputed = check.map_or(&[][..], |check| check.disputed.as_slice());
        let implausible = check.map_or(&[][..], |check| check.implausible.as_slice());
        let dropped = check
            .filter(|check| check.without.is_some())
            .map_or(0, |check| check.disputed.len());
        json!({
            "step": self.step.as_str(),
            "checked": check.is_some(),
            "questions": check.map(|check| check.questions),
            "disputed": disputed,
            "dropped": dropped,
            "implausible": implausible.iter().map(named).collect::<Value>(),
        })
    }

    /// What a person should look at.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        let check = self.check.as_ref();
        let disputed = check.filter(|check| !check.holds()).map(|check| {
            format!(
                "{}: read from the lesson alone, {} of {} questions were answered otherwise than the key says; check them",
                self.step,
                check.disputed.len(),
                check.questions
            )
        });
        let guessed = check.map_or(0, QuizCheck::easily_guessed);
        let guessed = (guessed > 0).then(|| {
            format!(
                "{}: {guessed} questions keep fewer than two wrong options that somebody could take; check them",
                self.step
            )
        });
        disputed.into_iter().chain(guessed)
    }
}

fn named(of_question: &ImplausibleOptions) -> Value {
    let ImplausibleOptions {
        question_id,
        options,
        plausible: _,
    } = of_question;
    json!({"question_id": question_id, "options": options})
}

/// A quiz whose key was checked as far as it can be. Where more than half of it is disputed, it is drafted once more,
/// by `again`; the second draft stays whatever the check says, and the report says it.
pub async fn checked(
    steps: &Steps<'_>,
    source: &QuizSource,
    step: &StepKey,
    drafted: Drafted<ActivityDraft>,
    again: impl AsyncFnOnce(StepKey) -> Result<Drafted<ActivityDraft>, Stop>,
) -> Result<(Drafted<ActivityDraft>, Option<QuizReport>), Stop> {
    if drafted.value.kind != ActivityKind::Quiz {
        return Ok((drafted, None));
    }
    let (step, check) = (step.clone(), verdict(steps, source, step, &drafted).await?);
    if check.as_ref().is_none_or(QuizCheck::holds) {
        return Ok(settled(drafted, QuizReport { step, check }));
    }
    let second = step.again();
    let drafted = again(second.clone()).await?;
    let check = verdict(steps, source, &second, &drafted).await?;
    Ok(settled(drafted, QuizReport { step, check }))
}

fn settled(
    mut drafted: Drafted<ActivityDraft>,
    report: QuizReport,
) -> (Drafted<ActivityDraft>, Option<QuizReport>) {
    let without = report
        .check
        .as_ref()
        .and_then(|check| check.without.clone());
    if let Some(content) = without {
        drafted.value.content = content;
    }
    (drafted, Some(report))
}

/// What the comparison says; none where nobody answers. The built-in engine cuts its questions out of the text, so
/// that there is nobody else to ask.
async fn verdict(
    steps: &Steps<'_>,
    source: &QuizSource,
    step: &StepKey,
    drafted: &Drafted<ActivityDraft>,
) -> Result<Option<QuizCheck>, Stop> {
    if steps.is_built_in() {
        return Ok(None);
    }
    let quiz = &drafted.value.content;
    let task = QuizTask {
        language: source.language.clone(),
        lesson: source.lesson.clone(),
        quiz: as_learners_see(ActivityKind::Quiz, quiz.as_map()),
        model: source.model.clone(),
    };
    let taken = steps.ask_another(step.check(), tasks::quiz(&task), async |meter| {
        steps.app.ai.answer_quiz(task, meter).await
    });
    let taken: Option<TakenQuiz> = taken.await?;
    Ok(taken.map(|taken| compare(quiz, &taken)))
}
