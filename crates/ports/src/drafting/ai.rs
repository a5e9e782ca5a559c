//! Asking a language model, or the built-in engine, to draft and to judge.

use std::time::Duration;

use async_trait::async_trait;
use lyceum_domain::authoring::quiz_checks::TakenQuiz;
use lyceum_domain::drafting::drafts::{ActivitiesTask, LessonTask, UnitTask};
use lyceum_domain::drafting::support::SourceStanding;
use lyceum_domain::drafting::syllabus::{ActivityDraft, LessonDraft, SyllabusBrief, SyllabusDraft};
use lyceum_domain::drafting::tutor::{TutorProposal, TutorTask};
use lyceum_domain::grading::explanations::{ExplanationProposal, ExplanationTask};
use lyceum_domain::grading::grades::{GradeProposal, GradingTask};
use lyceum_domain::json::JsonObject;
use lyceum_domain::money::MicroUsd;

use crate::drafting::ai_calls::Meter;
pub use crate::drafting::ai_outcome::{AiError, Usage};

/// The name by which the built-in engine is asked for and by which it answers.
pub const BUILT_IN: &str = "builtin";

/// An answer and where it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered<T> {
    /// The answer.
    pub value: T,
    /// The model that was asked.
    pub model_asked: String,
    /// The model that answered, as it names itself; the built-in engine says `builtin`.
    pub model: String,
    /// Version of the prompt or algorithm.
    pub prompt_version: String,
    /// The answer as it came, byte for byte; of the built-in engine, its proposal as JSON.
    pub raw: String,
    /// What it took, over all tries and a repair.
    pub usage: Usage,
    /// What it cost, where prices are known; the built-in engine costs nothing.
    pub cost: Option<MicroUsd>,
    /// How long it took, over all tries and a repair; zero for the built-in engine.
    pub latency: Duration,
}

impl<T> Answered<T> {
    /// The same answer, as something else.
    pub fn map<U>(self, into: impl FnOnce(T) -> U) -> Answered<U> {
        Answered {
            value: into(self.value),
            model_asked: self.model_asked,
            model: self.model,
            prompt_version: self.prompt_version,
            raw: self.raw,
            usage: self.usage,
            cost: self.cost,
            latency: self.latency,
        }
    }
}

/// What a name of a model leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedModel {
    /// The model that would be asked.
    pub model: String,
    /// Whether the built-in engine would answer: nothing is sent and nothing costs.
    pub built_in: bool,
    /// Version of the prompt or algorithm that a grade would be made with.
    pub grading_version: String,
}

/// A quiz to be answered by somebody who has only the lesson, to find out whether its key holds.
#[derive(Debug, Clone, PartialEq)]
pub struct QuizTask {
    /// Language of the lesson.
    pub language: String,
    /// The lesson's text, Markdown.
    pub lesson: String,
    /// The quiz as learners see it: without key, explanations and rationales.
    pub quiz: JsonObject,
    /// The model asked for; empty means the provider's own.
    pub model: String,
}

/// A lesson to be read by somebody who did not write it, to find out what of it rests on its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupportTask {
    /// Language of the lesson.
    pub language: String,
    /// The lesson's sentences, in order.
    pub sentences: Vec<String>,
    /// The text that the lesson was drafted from.
    pub source_text: String,
    /// The model asked for; empty means the provider's own.
    pub model: String,
}

/// A text to be spoken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpeechTask {
    /// What is said, at most 4 096 characters.
    pub text: String,
    /// Language, a BCP-47 tag.
    pub language: String,
    /// Who speaks: 0 for the first speaker of a script, 1 for the second; the provider has a voice for each.
    pub speaker: usize,
    /// How it is said, such as `warm and unhurried`; may be empty.
    pub instructions: String,
}

/// A spoken text: mono, 16 bits, little-endian, without a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Speech {
    /// Samples.
    pub pcm: Vec<u8>,
    /// Samples per second.
    pub sample_rate: u32,
}

/// Something that drafts and judges. It proposes; the domain checks and decides.
///
/// Every call that leaves the service is written into the [`Meter`], also where no answer came of it, and none is
/// made that the meter does not admit.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait AiProvider: Send + Sync {
    /// The model used when nobody asks for one.
    fn default_model(&self) -> String;

    /// What a name of a model leads to, the empty one to the provider's own; nothing where it may not be asked.
    fn resolve(&self, model: &str) -> Option<ResolvedModel>;

    /// Whether it can speak.
    fn speaks(&self) -> bool;

    /// Drafts a syllabus; the caller fits it to the hours.
    async fn draft_syllabus(
        &self,
        brief: SyllabusBrief,
        meter: &Meter,
    ) -> Result<Answered<SyllabusDraft>, AiError>;

    /// Drafts lessons for a unit; the caller fits them to the minutes.
    async fn draft_unit(
        &self,
        task: UnitTask,
        meter: &Meter,
    ) -> Result<Answered<Vec<LessonDraft>>, AiError>;

    /// Drafts the text of a lesson; no activities.
    async fn draft_lesson(
        &self,
        task: LessonTask,
        meter: &Meter,
    ) -> Result<Answered<LessonDraft>, AiError>;

    /// Drafts activities of one kind from a lesson: at least one, at most as many as asked for.
    ///
    /// # Errors
    /// [`AiError`], among them [`AiError::InputTooThin`] where the lesson says too little to make one of.
    async fn draft_activities(
        &self,
        task: ActivitiesTask,
        meter: &Meter,
    ) -> Result<Answered<Vec<ActivityDraft>>, AiError>;

    /// Judges a submission criterion by criterion; the caller verifies quotes and sums up.
    async fn grade(
        &self,
        task: GradingTask,
        meter: &Meter,
    ) -> Result<Answered<GradeProposal>, AiError>;

    /// Explains a grade that stands; it proposes none, and the caller verifies quotes.
    async fn explain_grade(
        &self,
        task: ExplanationTask,
        meter: &Meter,
    ) -> Result<Answered<ExplanationProposal>, AiError>;

    /// Answers a learner about a lesson while they wait; the caller verifies quotes.
    async fn tutor(
        &self,
        task: TutorTask,
        meter: &Meter,
    ) -> Result<Answered<TutorProposal>, AiError>;

    /// Answers a quiz from the lesson alone, and says which options give themselves away; the caller compares.
    async fn answer_quiz(
        &self,
        task: QuizTask,
        meter: &Meter,
    ) -> Result<Answered<TakenQuiz>, AiError>;

    /// Says how each sentence of a lesson stands to its source, in their order; the caller decides what that means.
    async fn check_support(
        &self,
        task: SupportTask,
        meter: &Meter,
    ) -> Result<Answered<Vec<SourceStanding>>, AiError>;

    /// Speaks a text.
    ///
    /// # Errors
    /// [`AiError`], among them [`AiError::Refused`] where there is no voice.
    async fn speak(&self, task: SpeechTask, meter: &Meter) -> Result<Answered<Speech>, AiError>;
}
