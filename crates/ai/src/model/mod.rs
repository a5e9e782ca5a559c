//! Any server that speaks the `OpenAI` chat completions API, asked for documents of our schemas.
//!
//! Ask, parse, hold against schema and rules, ask for at most one repair. What a model says is a proposal;
//! nothing here trusts it further than its shape.

mod answers;
mod authoring;
mod authoring_prompts;
mod explaining;
mod feedback_rules;
mod grading;
mod grading_prompt;
mod language_check;
mod masking;
mod prompts;
mod retry_after;
mod settings;
mod syllabus;
mod transport;
mod tutoring;
mod wire;

#[cfg(test)]
mod tests;

use std::time::Duration;

use async_trait::async_trait;
use lyceum_domain::drafts::{ActivitiesTask, LessonTask, UnitTask};
use lyceum_domain::explanations::{ExplanationProposal, ExplanationTask};
use lyceum_domain::grades::{GradeProposal, GradingTask};
use lyceum_domain::json::JsonObject;
use lyceum_domain::syllabus::{ActivityDraft, LessonDraft, SyllabusBrief, SyllabusDraft};
use lyceum_domain::tutor::{TutorProposal, TutorTask};
use lyceum_ports::ai::{
    AiError, AiProvider, Answered, QuizTask, ResolvedModel, Speech, SpeechTask, Usage,
};
use lyceum_ports::ai_calls::Meter;
use serde_json::Value;

use crate::builtin::{Builtin, MODEL, is_blank};
use transport::Transport;
use wire::{Chat, Completion};

pub use settings::{OpenAiSettings, SetupError};

/// Most tokens of an answer, before one retry with twice as many.
const GRADE_TOKENS: u32 = 6_000;
const SYLLABUS_TOKENS: u32 = 16_000;
const CONTENT_TOKENS: u32 = 8_000;
const TUTOR_TOKENS: u32 = 3_000;

/// A server that speaks the `OpenAI` chat completions API.
pub struct OpenAiCompatible {
    settings: OpenAiSettings,
    transport: Transport,
}

impl OpenAiCompatible {
    /// Prepares the client; nothing is sent.
    ///
    /// # Errors
    /// [`SetupError`] if the settings cannot work.
    pub fn new(settings: OpenAiSettings) -> Result<Self, SetupError> {
        if settings.model.trim().is_empty() {
            return Err(SetupError::Model);
        }
        let transport = Transport::new(&settings)?;
        Ok(Self {
            settings,
            transport,
        })
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

    /// Asks, checks, and asks for one repair if the answer breaks rules.
    async fn converse<T>(
        &self,
        mut chat: Chat,
        version: &str,
        timeout: Duration,
        read: impl Fn(&Value) -> Result<T, Vec<String>> + Send,
    ) -> Result<Answered<T>, AiError> {
        let first = self.transport.ask(&chat, timeout).await?;
        let broken = match check(chat.schema, &first.content, &read) {
            Ok(value) => {
                return Ok(answered(
                    value,
                    first,
                    &chat.model,
                    version,
                    Usage::default(),
                ));
            }
            Err(broken) => broken,
        };
        tracing::info!(model = %chat.model, rules = broken.len(), "asking the model to repair its answer");
        chat.messages = prompts::repair(&chat.messages, &first.content, &broken);
        let second = self.transport.ask(&chat, timeout).await?;
        match check(chat.schema, &second.content, &read) {
            Ok(value) => Ok(answered(value, second, &chat.model, version, first.usage)),
            Err(broken) => Err(AiError::InvalidOutput(broken.join("; "))),
        }
    }
}

/// Parses an answer and holds it against its schema and its rules.
fn check<T>(
    schema: &str,
    text: &str,
    read: &impl Fn(&Value) -> Result<T, Vec<String>>,
) -> Result<T, Vec<String>> {
    let document = answers::object_in(text)
        .ok_or_else(|| vec!["the answer must be one JSON object".to_owned()])?;
    let schema: Value = serde_json::from_str(schema).map_err(|error| vec![error.to_string()])?;
    let broken = answers::broken_rules(&schema, &document);
    if broken.is_empty() {
        read(&document)
    } else {
        Err(broken)
    }
}

fn answered<T>(
    value: T,
    completion: Completion,
    asked: &str,
    version: &str,
    before: Usage,
) -> Answered<T> {
    Answered {
        value,
        model_asked: asked.to_owned(),
        model: completion.model.unwrap_or_else(|| asked.to_owned()),
        prompt_version: version.to_owned(),
        raw: completion.content,
        usage: before + completion.usage,
        cost: None,
        latency: Duration::ZERO,
    }
}

#[async_trait]
impl AiProvider for OpenAiCompatible {
    fn default_model(&self) -> String {
        self.settings.model.clone()
    }

    fn resolve(&self, model: &str) -> Option<ResolvedModel> {
        let model = self.model(model);
        if model == MODEL {
            return Builtin.resolve(&model);
        }
        Some(ResolvedModel {
            model,
            built_in: false,
            grading_version: prompts::GRADE.to_owned(),
        })
    }

    fn speaks(&self) -> bool {
        false
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
            model,
            messages: prompts::syllabus(&brief),
            schema_name: "syllabus",
            schema: syllabus::SCHEMA,
            max_tokens: SYLLABUS_TOKENS,
        };
        let timeout = self.settings.syllabus_timeout;
        self.converse(chat, prompts::SYLLABUS, timeout, |document| {
            syllabus::read(document, &brief)
        })
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
            model,
            messages: authoring_prompts::unit(&task),
            schema_name: "unit",
            schema: authoring::UNIT,
            max_tokens: CONTENT_TOKENS,
        };
        let timeout = self.settings.syllabus_timeout;
        self.converse(chat, authoring_prompts::UNIT, timeout, |document| {
            authoring::read_unit(document, &task)
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
            model,
            messages: authoring_prompts::lesson(&task),
            schema_name: "lesson",
            schema: authoring::LESSON,
            max_tokens: CONTENT_TOKENS,
        };
        let timeout = self.settings.syllabus_timeout;
        self.converse(chat, authoring_prompts::LESSON, timeout, |document| {
            authoring::read_lesson(document, &task)
        })
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
        let chat = Chat {
            model,
            messages: authoring_prompts::activities(&task),
            schema_name: task.kind.as_str(),
            schema,
            max_tokens: CONTENT_TOKENS,
        };
        let timeout = self.settings.syllabus_timeout;
        self.converse(chat, authoring_prompts::ACTIVITIES, timeout, |document| {
            authoring::read_activities(document, &task)
        })
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
            model,
            messages: grading.messages(),
            schema_name: "grade",
            schema: grading::SCHEMA,
            max_tokens: GRADE_TOKENS,
        };
        let timeout = self.settings.grading_timeout;
        self.converse(chat, prompts::GRADE, timeout, |document| {
            grading.read(document)
        })
        .await
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
            model,
            messages: explaining.messages(),
            schema_name: "explain_grade",
            schema: explaining::SCHEMA,
            max_tokens: GRADE_TOKENS,
        };
        let timeout = self.settings.grading_timeout;
        self.converse(chat, explaining::VERSION, timeout, |document| {
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
            model,
            messages: tutoring::messages(&task),
            schema_name: "tutor",
            schema: tutoring::SCHEMA,
            max_tokens: TUTOR_TOKENS,
        };
        // Somebody waits for it: tries, pauses and a repair all have to fit in.
        let patience = self.settings.tutor_timeout;
        let conversing = self.converse(chat, tutoring::VERSION, patience, |document| {
            tutoring::read(document, &task)
        });
        let answered = tokio::time::timeout(patience, conversing).await;
        answered.unwrap_or_else(|_| {
            Err(AiError::Unavailable {
                reason: format!("no answer within {} s", patience.as_secs_f32()),
                retry_after: None,
            })
        })
    }

    async fn answer_quiz(
        &self,
        task: QuizTask,
        meter: &Meter,
    ) -> Result<Answered<JsonObject>, AiError> {
        Builtin.answer_quiz(task, meter).await
    }

    async fn speak(&self, task: SpeechTask, meter: &Meter) -> Result<Answered<Speech>, AiError> {
        Builtin.speak(task, meter).await
    }
}
