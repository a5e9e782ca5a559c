//! Generations on the wire.

use lyceum_domain::courses::Hours;
use lyceum_domain::generations::{Generation, GenerationState, SyllabusMode};
use lyceum_domain::text::LongText;
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::common::{Command, Resource};
use crate::shapes;
use crate::submissions::Problem;

/// A syllabus to be drafted.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct StartSyllabus {
    /// What the course is to be; its description when absent.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brief: Option<String>,
    /// How long it is to be; the course's hours when absent.
    #[schema(minimum = 1, maximum = 1000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hours: Option<i64>,
    /// What happens to what is there; `append` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<SyllabusModeWord>,
}

/// What happens to content that is already there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SyllabusModeWord {
    /// It stays, the new comes after it.
    Append,
    /// It goes.
    Replace,
}

/// A syllabus as asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct SyllabusRequest {
    /// What the course is to be; its description if absent or blank.
    pub brief: Option<LongText>,
    /// How long it is to be; the course's hours if absent.
    pub hours: Option<Hours>,
    /// What happens to what is there.
    pub mode: SyllabusMode,
}

impl Command for StartSyllabus {
    type Of = SyllabusRequest;

    fn command(self) -> Result<SyllabusRequest, Invalid> {
        let brief = self.brief.map(LongText::parse).transpose().at("brief")?;
        Ok(SyllabusRequest {
            brief: brief.filter(|brief| !brief.is_blank()),
            hours: self.hours.map(Hours::parse).transpose().at("hours")?,
            mode: match self.mode {
                Some(SyllabusModeWord::Replace) => SyllabusMode::Replace,
                Some(SyllabusModeWord::Append) | None => SyllabusMode::Append,
            },
        })
    }
}

/// A generation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GenerationView {
    /// `gen_…`
    #[schema(schema_with = shapes::id_of::<Generation>)]
    pub id: String,
    /// Always `generation`.
    #[schema(schema_with = shapes::name_of::<Generation>)]
    pub object: String,
    /// `syllabus`.
    #[schema(schema_with = shapes::word::<lyceum_domain::generations::GenerationKind>)]
    pub kind: String,
    /// What it is made for.
    pub target: GenerationTarget,
    /// `pending`, `ready`, `error` or `canceled`.
    #[schema(schema_with = shapes::word::<GenerationState>)]
    pub status: String,
    /// Steps done of how many.
    pub progress: GenerationProgress,
    /// When it will probably be done.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub estimated_ready_at: Option<String>,
    /// What it took.
    #[schema(required)]
    pub usage: Option<GenerationUsage>,
    /// What was made.
    #[schema(value_type = Option<Object>)]
    pub result: Option<Value>,
    /// Why it failed.
    #[schema(required)]
    pub error: Option<Problem>,
    /// When it was asked for.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When it last changed.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

/// What a generation is made for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GenerationTarget {
    /// Its kind, such as `course`.
    pub object: String,
    /// Its id.
    pub id: String,
}

/// Steps done of how many.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GenerationProgress {
    /// Done.
    pub completed: u32,
    /// In all.
    pub total: u32,
}

/// What a generation took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GenerationUsage {
    /// Tokens read.
    pub tokens_in: u64,
    /// Tokens written.
    pub tokens_out: u64,
}

impl GenerationView {
    /// Of a generation.
    pub fn new(generation: &Generation) -> Self {
        let mut estimated_ready_at = None;
        let mut result = None;
        let mut error = None;
        match &generation.state {
            GenerationState::Pending {
                estimated_ready_at: at,
            } => {
                estimated_ready_at = Some(at.to_string());
            }
            GenerationState::Ready(made) => result = Some(made.clone()),
            GenerationState::Error { code, message } => {
                error = Some(Problem {
                    code: code.clone(),
                    message: message.clone(),
                });
            }
            GenerationState::Canceled => {}
        }
        let ended = result.is_some() || error.is_some();
        Self {
            id: generation.id.to_string(),
            object: "generation".to_owned(),
            kind: generation.kind.to_string(),
            target: GenerationTarget {
                object: generation.target_object.clone(),
                id: generation.target_id.clone(),
            },
            status: generation.state.as_str().to_owned(),
            progress: GenerationProgress {
                completed: generation.completed,
                total: generation.total,
            },
            estimated_ready_at,
            usage: ended.then_some(GenerationUsage {
                tokens_in: generation.tokens_in,
                tokens_out: generation.tokens_out,
            }),
            result,
            error,
            created_at: generation.stamp.created_at.to_string(),
            updated_at: generation.stamp.updated_at.to_string(),
        }
    }
}

impl Resource for GenerationView {
    const COLLECTION: &'static str = "generations";

    fn id(&self) -> &str {
        &self.id
    }
}
