//! Generations on the wire.

use lyceum_domain::activities::ActivityKind;
use lyceum_domain::courses::Hours;
use lyceum_domain::generations::{Generation, GenerationState, SyllabusMode};
use lyceum_domain::text::LongText;
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::common::{Command, FreeObject, Resource};
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

/// Something to be drafted inside a course.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct GenerateContent {
    /// What it is to be about; what is written around it when absent.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brief: Option<String>,
}

/// Something to be drafted, as asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContentRequest {
    /// What it is to be about; empty when nobody said.
    pub brief: LongText,
}

impl Command for GenerateContent {
    type Of = ContentRequest;

    fn command(self) -> Result<ContentRequest, Invalid> {
        Ok(ContentRequest {
            brief: brief(self.brief)?,
        })
    }
}

fn brief(given: Option<String>) -> Result<LongText, Invalid> {
    LongText::parse(given.unwrap_or_default()).at("brief")
}

/// Activities to be drafted for a lesson.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GenerateActivities {
    /// What kind.
    pub kind: DraftedKind,
    /// How many at most; 1 when absent.
    #[schema(minimum = 1, maximum = 10)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<i64>,
    /// What they are to be about, beside the lesson's text.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brief: Option<String>,
}

/// A kind of activity that can be drafted: any but a video.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DraftedKind {
    /// Questions that are scored.
    Quiz,
    /// Cards with two sides.
    Flashcards,
    /// A thing explained step by step.
    Explainer,
    /// The script of a spoken dialogue.
    Podcast,
    /// A prompt to think and write about.
    Reflection,
}

/// Activities to be drafted, as asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivitiesRequest {
    /// What kind.
    pub kind: ActivityKind,
    /// How many at most, 1 to 10.
    pub count: u32,
    /// What they are to be about; empty when nobody said.
    pub brief: LongText,
}

impl Command for GenerateActivities {
    type Of = ActivitiesRequest;

    fn command(self) -> Result<ActivitiesRequest, Invalid> {
        let count = u32::try_from(self.count.unwrap_or(1)).ok();
        let count = count
            .filter(|count| (1..=10).contains(count))
            .ok_or_else(|| Invalid::new("count", "must be between 1 and 10"))?;
        Ok(ActivitiesRequest {
            kind: match self.kind {
                DraftedKind::Quiz => ActivityKind::Quiz,
                DraftedKind::Flashcards => ActivityKind::Flashcards,
                DraftedKind::Explainer => ActivityKind::Explainer,
                DraftedKind::Podcast => ActivityKind::Podcast,
                DraftedKind::Reflection => ActivityKind::Reflection,
            },
            count,
            brief: brief(self.brief)?,
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
    /// `syllabus`, `unit`, `lesson`, `activities` or `activity`.
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
    #[schema(value_type = Option<FreeObject>, required)]
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
