//! Asking a language model, or the built-in engine, to draft and to judge.

use std::time::Duration;

use async_trait::async_trait;
use lyceum_domain::drafts::{ActivitiesTask, LessonTask, UnitTask};
use lyceum_domain::explanations::{ExplanationProposal, ExplanationTask};
use lyceum_domain::grades::{GradeProposal, GradingTask};
use lyceum_domain::syllabus::{ActivityDraft, LessonDraft, SyllabusBrief, SyllabusDraft};
use lyceum_domain::tutor::{TutorProposal, TutorTask};
use thiserror::Error;

/// What a call took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Tokens read.
    pub tokens_in: u64,
    /// Tokens written.
    pub tokens_out: u64,
}

/// An answer and where it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered<T> {
    /// The answer.
    pub value: T,
    /// The model that answered, as it names itself; the built-in engine says `builtin`.
    pub model: String,
    /// Version of the prompt or algorithm.
    pub prompt_version: String,
    /// What it took.
    pub usage: Usage,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum AiError {
    /// Nobody answered, or not in time, or asked us to come back: worth another try.
    #[error("the AI provider is not available: {reason}")]
    Unavailable {
        /// For the log and the operator; no secrets.
        reason: String,
        /// How long the provider asked us to wait.
        retry_after: Option<Duration>,
    },
    /// The provider will not do it; trying again changes nothing.
    #[error("the AI provider refused: {0}")]
    Refused(String),
    /// An answer came, but it breaks the rules, also after one repair.
    #[error("the AI provider's answer could not be used: {0}")]
    InvalidOutput(String),
}

impl AiError {
    /// The code shown to callers.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unavailable { .. } => "ai_provider_error",
            Self::Refused(_) => "provider_refused",
            Self::InvalidOutput(_) => "ai_output_invalid",
        }
    }

    /// Whether another try may help.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }
}

/// Something that drafts and judges. It proposes; the domain checks and decides.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait AiProvider: Send + Sync {
    /// The model used when nobody asks for one.
    fn default_model(&self) -> String;

    /// Drafts a syllabus; the caller fits it to the hours.
    ///
    /// # Errors
    /// [`AiError`]
    async fn draft_syllabus(
        &self,
        brief: SyllabusBrief,
    ) -> Result<Answered<SyllabusDraft>, AiError>;

    /// Drafts lessons for a unit; the caller fits them to the minutes.
    ///
    /// # Errors
    /// [`AiError`]
    async fn draft_unit(&self, task: UnitTask) -> Result<Answered<Vec<LessonDraft>>, AiError>;

    /// Drafts the text of a lesson; no activities.
    ///
    /// # Errors
    /// [`AiError`]
    async fn draft_lesson(&self, task: LessonTask) -> Result<Answered<LessonDraft>, AiError>;

    /// Drafts activities of one kind from a lesson: at least one, at most as many as asked for.
    ///
    /// # Errors
    /// [`AiError`], among them [`AiError::InvalidOutput`] where the lesson says too little to make one of.
    async fn draft_activities(
        &self,
        task: ActivitiesTask,
    ) -> Result<Answered<Vec<ActivityDraft>>, AiError>;

    /// Judges a submission criterion by criterion; the caller verifies quotes and sums up.
    ///
    /// # Errors
    /// [`AiError`]
    async fn grade(&self, task: GradingTask) -> Result<Answered<GradeProposal>, AiError>;

    /// Explains a grade that stands; it proposes none, and the caller verifies quotes.
    ///
    /// # Errors
    /// [`AiError`]
    async fn explain_grade(
        &self,
        task: ExplanationTask,
    ) -> Result<Answered<ExplanationProposal>, AiError>;

    /// Answers a learner about a lesson while they wait; the caller verifies quotes.
    ///
    /// # Errors
    /// [`AiError`]
    async fn tutor(&self, task: TutorTask) -> Result<Answered<TutorProposal>, AiError>;
}
