//! The built-in engine: deterministic, offline, without a model.
//!
//! It drafts outlines from the words of a brief and grades by matching words, and says so in everything it
//! makes. No network, clock or randomness may come in here.

mod anchors;
mod authoring;
mod brief;
mod constants;
mod criterion;
mod doubts;
mod drafting;
mod echo;
mod evidence;
mod expected;
mod explaining;
mod feedback;
mod flags;
mod grading;
mod groups;
mod naming;
mod parting;
mod reading;
mod score;
mod similarity;
mod topics;
mod tutor_words;
mod tutoring;

#[cfg(test)]
mod figures;
#[cfg(test)]
mod fitting;
#[cfg(test)]
mod grading_tests;
#[cfg(test)]
mod grounded_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tricked;

pub(crate) use authoring::unused;
pub use constants::constants_hash;
pub use flags::security_flags;
pub(crate) use flags::{is_blank, is_instruction_like, is_other_language};
pub use groups::BuiltinGrouper;

use std::time::Duration;

use async_trait::async_trait;
use lyceum_domain::authoring::activities::ActivityKind;
use lyceum_domain::authoring::quiz_checks::TakenQuiz;
use lyceum_domain::drafting::drafts::{ActivitiesTask, LessonTask, UnitTask};
use lyceum_domain::drafting::support::SourceStanding;
use lyceum_domain::drafting::syllabus::{ActivityDraft, LessonDraft, SyllabusBrief, SyllabusDraft};
use lyceum_domain::drafting::tutor::{TutorProposal, TutorTask};
use lyceum_domain::grading::explanations::{ExplanationProposal, ExplanationTask};
use lyceum_domain::grading::grades::{GradeProposal, GradingTask};
use lyceum_domain::money::MicroUsd;
use lyceum_domain::text::with_article;
use lyceum_ports::drafting::ai::{
    AiError, AiProvider, Answered, QuizTask, ResolvedModel, Speech, SpeechTask, SupportTask, Usage,
};
use lyceum_ports::drafting::ai_calls::Meter;

/// The name the built-in engine answers under.
pub const MODEL: &str = "builtin";

/// The built-in engine.
///
/// It has one model, itself. What names another is refused where it is asked for; what named another before this engine
/// was chosen is answered, and the answer says which was asked.
#[derive(Debug, Clone, Copy, Default)]
pub struct Builtin;

#[async_trait]
impl AiProvider for Builtin {
    fn default_model(&self) -> String {
        MODEL.to_owned()
    }

    fn resolve(&self, model: &str) -> Option<ResolvedModel> {
        let is_known = model.is_empty() || model == MODEL;
        is_known.then(|| ResolvedModel {
            model: MODEL.to_owned(),
            built_in: true,
            grading_version: constants::VERSION.to_owned(),
        })
    }

    fn speaks(&self) -> bool {
        false
    }

    async fn draft_syllabus(
        &self,
        brief: SyllabusBrief,
        _meter: &Meter,
    ) -> Result<Answered<SyllabusDraft>, AiError> {
        Ok(answered(
            drafting::draft(&brief),
            drafting::VERSION,
            &brief.model,
        ))
    }

    async fn draft_unit(
        &self,
        task: UnitTask,
        _meter: &Meter,
    ) -> Result<Answered<Vec<LessonDraft>>, AiError> {
        Ok(answered(
            drafting::unit_lessons(&task),
            drafting::VERSION,
            &task.frame.model,
        ))
    }

    async fn draft_lesson(
        &self,
        task: LessonTask,
        _meter: &Meter,
    ) -> Result<Answered<LessonDraft>, AiError> {
        Ok(answered(
            authoring::lesson(&task),
            authoring::VERSION,
            &task.frame.model,
        ))
    }

    async fn draft_activities(
        &self,
        task: ActivitiesTask,
        _meter: &Meter,
    ) -> Result<Answered<Vec<ActivityDraft>>, AiError> {
        let made = authoring::activities(&task);
        if made.is_empty() {
            return Err(too_thin(task.kind));
        }
        Ok(answered(made, authoring::VERSION, &task.frame.model))
    }

    async fn grade(
        &self,
        task: GradingTask,
        _meter: &Meter,
    ) -> Result<Answered<GradeProposal>, AiError> {
        // What was asked of another grader is not graded by this one under its name.
        if self.resolve(&task.model).is_none() {
            let sentence = format!("the built-in engine is not {:?}", task.model);
            return Err(AiError::Refused(sentence));
        }
        let outcome = grading::grade(&task);
        let raw = outcome.to_json();
        Ok(Answered {
            raw,
            ..answered(outcome.proposal, constants::VERSION, &task.model)
        })
    }

    async fn explain_grade(
        &self,
        task: ExplanationTask,
        _meter: &Meter,
    ) -> Result<Answered<ExplanationProposal>, AiError> {
        Ok(answered(
            explaining::explain(&task),
            explaining::VERSION,
            &task.model,
        ))
    }

    async fn tutor(
        &self,
        task: TutorTask,
        _meter: &Meter,
    ) -> Result<Answered<TutorProposal>, AiError> {
        Ok(answered(
            tutoring::tutor(&task),
            tutoring::VERSION,
            &task.model,
        ))
    }

    /// Its quizzes are cut out of the lesson's own sentences, and there is nobody else here to ask.
    async fn answer_quiz(
        &self,
        _task: QuizTask,
        _meter: &Meter,
    ) -> Result<Answered<TakenQuiz>, AiError> {
        let sentence = "the built-in engine cannot answer quizzes";
        Err(AiError::Refused(sentence.to_owned()))
    }

    /// Its lessons are the source's own sentences, and those of others it does not understand.
    async fn check_support(
        &self,
        _task: SupportTask,
        _meter: &Meter,
    ) -> Result<Answered<Vec<SourceStanding>>, AiError> {
        let sentence = "the built-in engine cannot say what a source supports";
        Err(AiError::Refused(sentence.to_owned()))
    }

    async fn speak(&self, _task: SpeechTask, _meter: &Meter) -> Result<Answered<Speech>, AiError> {
        Err(AiError::Refused(
            "the built-in engine has no voice".to_owned(),
        ))
    }
}

/// Why nothing was made of a lesson: nobody's failure but its own.
pub(crate) fn too_thin(kind: ActivityKind) -> AiError {
    let what = with_article(kind.as_str());
    AiError::InputTooThin(format!(
        "the lesson says too little to make {what} of: write more, or give a source text"
    ))
}

fn answered<T>(value: T, version: &str, asked: &str) -> Answered<T> {
    Answered {
        value,
        model_asked: if asked.is_empty() { MODEL } else { asked }.to_owned(),
        model: MODEL.to_owned(),
        prompt_version: version.to_owned(),
        raw: String::new(),
        usage: Usage::default(),
        cost: Some(MicroUsd::ZERO),
        latency: Duration::ZERO,
    }
}
