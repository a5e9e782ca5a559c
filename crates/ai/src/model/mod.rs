//! A language model on a server, asked for documents of our schemas.
//!
//! Each feature has its prompt, its schema and its rules; how a document is asked for is in [`conversing`], and what
//! goes over the wire in `protocols`. What a model says is a proposal; nothing here trusts it further than its shape.

mod answers;
mod authoring;
mod authoring_prompts;
mod classes;
mod conversing;
mod explaining;
mod feedback_rules;
mod grading;
mod grading_prompt;
mod language_check;
mod masking;
mod prompts;
mod quiz_answers;
mod quotations;
mod support;
mod syllabus;
mod tutoring;

#[cfg(test)]
mod tests;

use std::time::Duration;

use async_trait::async_trait;
use lyceum_domain::authoring::quiz_checks::TakenQuiz;
use lyceum_domain::drafting::drafts::{ActivitiesTask, LessonTask, UnitTask};
use lyceum_domain::drafting::support::SourceStanding;
use lyceum_domain::drafting::syllabus::{ActivityDraft, LessonDraft, SyllabusBrief, SyllabusDraft};
use lyceum_domain::drafting::tutor::{TutorProposal, TutorTask};
use lyceum_domain::grading::explanations::{ExplanationProposal, ExplanationTask};
use lyceum_domain::grading::grades::{GradeProposal, GradingTask};
use lyceum_ports::drafting::ai::{
    AiError, AiProvider, Answered, QuizTask, ResolvedModel, Speech, SpeechTask, SupportTask,
};
use lyceum_ports::drafting::ai_calls::{AiFeature, Meter};

use crate::builtin::{Builtin, MODEL, is_blank, too_thin};
use crate::profiles::Structured;
use crate::protocols::Chat;
use crate::settings::{ServerSettings, SetupError};
use crate::speech::Voice;
use conversing::Line;
pub use grading::read_grade;

/// Most tokens of an answer, before one retry with twice as many.
const GRADE_TOKENS: u32 = 6_000;
const SYLLABUS_TOKENS: u32 = 16_000;
const CONTENT_TOKENS: u32 = 8_000;
const TUTOR_TOKENS: u32 = 3_000;

/// What comes of asking while somebody waits for it: tries, pauses and a repair all have to fit in.
async fn within<T>(
    patience: Duration,
    asking: impl Future<Output = Result<T, AiError>>,
) -> Result<T, AiError> {
    let answered = tokio::time::timeout(patience, asking).await;
    answered.unwrap_or_else(|_| {
        Err(AiError::Unavailable {
            reason: format!("no answer within {} s", patience.as_secs_f32()),
            retry_after: None,
        })
    })
}

/// A language model on a server; the built-in engine where a request names it.
pub struct LanguageModel {
    settings: ServerSettings,
    line: Line,
    voice: Option<Voice>,
}

impl LanguageModel {
    /// Prepares the clients; nothing is sent.
    ///
    /// # Errors
    /// [`SetupError`] if the settings cannot work.
    pub fn new(settings: ServerSettings) -> Result<Self, SetupError> {
        if settings.model.trim().is_empty() {
            return Err(SetupError::Model);
        }
        let voice = settings.speech.as_ref();
        Ok(Self {
            voice: voice
                .map(|speech| Voice::new(speech, &settings))
                .transpose()?,
            line: Line::new(settings.clone())?,
            settings,
        })
    }

    /// How a model gives its answers a shape; nothing before it was first asked, unless the operator chose.
    pub fn structured(&self, model: &str) -> Option<Structured> {
        self.line.structured(&self.model(model))
    }

    /// The model asked for, or our own.
    fn model(&self, asked: &str) -> String {
        let asked = asked.trim();
        if asked.is_empty() {
            self.settings.model.clone()
        } else {
            asked.to_owned()
        }
    }
}

#[async_trait]
impl AiProvider for LanguageModel {
    fn default_model(&self) -> String {
        self.settings.model.clone()
    }

    fn resolve(&self, model: &str) -> Option<ResolvedModel> {
        let model = self.model(model);
        if model == MODEL {
            return Builtin.resolve(&model);
        }
        self.settings.allows(&model).then(|| ResolvedModel {
            model,
            built_in: false,
            grading_version: prompts::GRADE.to_owned(),
        })
    }

    fn speaks(&self) -> bool {
        self.voice.is_some()
    }

    async fn draft_syllabus(
        &self,
        brief: SyllabusBrief,
        meter: &Meter,
    ) -> Result<Answered<SyllabusDraft>, AiError> {
        let model = self.model(&brief.model);
        if model == MODEL {
            return Builtin.draft_syllabus(brief, meter).await;
        }
        let chat = Chat {
            feature: AiFeature::Drafting,
            model,
            messages: authoring_prompts::syllabus(&brief),
            schema_name: "syllabus",
            schema: syllabus::SCHEMA,
            max_tokens: SYLLABUS_TOKENS,
            sent: classes::of_brief(&brief),
        };
        let timeout = self.settings.drafting_timeout;
        self.line
            .converse(
                chat,
                authoring_prompts::SYLLABUS,
                timeout,
                meter,
                |document| syllabus::read(document, &brief),
            )
            .await
    }

    async fn draft_unit(
        &self,
        task: UnitTask,
        meter: &Meter,
    ) -> Result<Answered<Vec<LessonDraft>>, AiError> {
        let model = self.model(&task.frame.model);
        if model == MODEL {
            return Builtin.draft_unit(task, meter).await;
        }
        let chat = Chat {
            feature: AiFeature::Drafting,
            model,
            messages: authoring_prompts::unit(&task),
            schema_name: "unit",
            schema: syllabus::UNIT_SCHEMA,
            max_tokens: CONTENT_TOKENS,
            sent: classes::of_unit(&task),
        };
        let timeout = self.settings.drafting_timeout;
        self.line
            .converse(chat, authoring_prompts::UNIT, timeout, meter, |document| {
                syllabus::read_unit(document, &task)
            })
            .await
    }

    async fn draft_lesson(
        &self,
        task: LessonTask,
        meter: &Meter,
    ) -> Result<Answered<LessonDraft>, AiError> {
        let model = self.model(&task.frame.model);
        if model == MODEL {
            return Builtin.draft_lesson(task, meter).await;
        }
        let chat = Chat {
            feature: AiFeature::Drafting,
            model,
            messages: authoring_prompts::lesson(&task),
            schema_name: "lesson",
            schema: authoring::LESSON,
            max_tokens: CONTENT_TOKENS,
            sent: classes::of_lesson(&task),
        };
        let timeout = self.settings.drafting_timeout;
        self.line
            .converse(
                chat,
                authoring_prompts::LESSON,
                timeout,
                meter,
                |document| authoring::read_lesson(document, &task),
            )
            .await
    }

    async fn draft_activities(
        &self,
        task: ActivitiesTask,
        meter: &Meter,
    ) -> Result<Answered<Vec<ActivityDraft>>, AiError> {
        let model = self.model(&task.frame.model);
        let Some(schema) = authoring::schema_of(task.kind).filter(|_| model != MODEL) else {
            return Builtin.draft_activities(task, meter).await;
        };
        if task.is_too_thin() {
            return Err(too_thin(task.kind));
        }
        let chat = Chat {
            feature: AiFeature::Drafting,
            model,
            messages: authoring_prompts::activities(&task),
            schema_name: task.kind.as_str(),
            schema,
            max_tokens: CONTENT_TOKENS,
            sent: classes::of_activities(&task),
        };
        let timeout = self.settings.drafting_timeout;
        self.line
            .converse(
                chat,
                authoring_prompts::ACTIVITIES,
                timeout,
                meter,
                |document| authoring::read_activities(document, &task),
            )
            .await
    }

    async fn grade(
        &self,
        task: GradingTask,
        meter: &Meter,
    ) -> Result<Answered<GradeProposal>, AiError> {
        let model = self.model(&task.model);
        // A text that says nothing needs no model to be given nothing, and cannot be read into.
        if model == MODEL || is_blank(&task.submission) {
            return Builtin.grade(task, meter).await;
        }
        let grading = grading::Grading::of(&task);
        let chat = Chat {
            feature: AiFeature::Grading,
            model,
            messages: grading.messages(),
            schema_name: "grade",
            schema: grading::SCHEMA,
            max_tokens: GRADE_TOKENS,
            sent: classes::of_grading(&task),
        };
        let patience = self.settings.tutor_timeout;
        let timeout = if meter.is_waited_for() {
            patience
        } else {
            self.settings.grading_timeout
        };
        let conversing = self
            .line
            .converse(chat, prompts::GRADE, timeout, meter, |document| {
                grading.read(document)
            });
        if meter.is_waited_for() {
            return within(patience, conversing).await;
        }
        conversing.await
    }

    async fn explain_grade(
        &self,
        task: ExplanationTask,
        meter: &Meter,
    ) -> Result<Answered<ExplanationProposal>, AiError> {
        let model = self.model(&task.model);
        if model == MODEL || is_blank(&task.submission) {
            return Builtin.explain_grade(task, meter).await;
        }
        let explaining = explaining::Explaining::of(&task);
        let chat = Chat {
            feature: AiFeature::Explaining,
            model,
            messages: explaining.messages(),
            schema_name: "explain_grade",
            schema: explaining::SCHEMA,
            max_tokens: GRADE_TOKENS,
            sent: classes::of_explanation(&task),
        };
        let timeout = self.settings.grading_timeout;
        self.line
            .converse(chat, explaining::VERSION, timeout, meter, |document| {
                explaining.read(document)
            })
            .await
    }

    async fn tutor(
        &self,
        task: TutorTask,
        meter: &Meter,
    ) -> Result<Answered<TutorProposal>, AiError> {
        let model = self.model(&task.model);
        if model == MODEL {
            return Builtin.tutor(task, meter).await;
        }
        let chat = Chat {
            feature: AiFeature::Tutoring,
            model,
            messages: tutoring::messages(&task),
            schema_name: "tutor",
            schema: tutoring::SCHEMA,
            max_tokens: TUTOR_TOKENS,
            sent: classes::of_tutoring(&task),
        };
        let patience = self.settings.tutor_timeout;
        let conversing = self
            .line
            .converse(chat, tutoring::VERSION, patience, meter, |document| {
                tutoring::read(document, &task)
            });
        match within(patience, conversing).await {
            // A model that cannot keep a secret is not asked a third time; the lesson itself gives the hint.
            Err(AiError::InvalidOutput(broken)) if tutoring::gives_away(&broken) => {
                Builtin.tutor(task, meter).await
            }
            answered => answered,
        }
    }

    async fn answer_quiz(
        &self,
        task: QuizTask,
        meter: &Meter,
    ) -> Result<Answered<TakenQuiz>, AiError> {
        let model = self.model(&task.model);
        if model == MODEL {
            return Builtin.answer_quiz(task, meter).await;
        }
        let chat = Chat {
            feature: AiFeature::Checking,
            model,
            messages: quiz_answers::messages(&task),
            schema_name: "quiz_answers",
            schema: quiz_answers::SCHEMA,
            max_tokens: CONTENT_TOKENS,
            sent: classes::of_quiz(),
        };
        let timeout = self.settings.drafting_timeout;
        self.line
            .converse(chat, quiz_answers::VERSION, timeout, meter, |document| {
                quiz_answers::read(document, &task)
            })
            .await
    }

    async fn check_support(
        &self,
        task: SupportTask,
        meter: &Meter,
    ) -> Result<Answered<Vec<SourceStanding>>, AiError> {
        let model = self.model(&task.model);
        if model == MODEL {
            return Builtin.check_support(task, meter).await;
        }
        let chat = Chat {
            feature: AiFeature::Checking,
            model,
            messages: support::messages(&task),
            schema_name: "support",
            schema: support::SCHEMA,
            max_tokens: CONTENT_TOKENS,
            sent: classes::of_support(),
        };
        let timeout = self.settings.drafting_timeout;
        self.line
            .converse(chat, support::VERSION, timeout, meter, |document| {
                support::read(document, &task)
            })
            .await
    }

    async fn speak(&self, task: SpeechTask, meter: &Meter) -> Result<Answered<Speech>, AiError> {
        match &self.voice {
            Some(voice) => voice.speak(&task, meter).await,
            None => Builtin.speak(task, meter).await,
        }
    }
}
