//! What a generation shows of itself.

use lyceum_domain::drafting::generation_steps::{GenerationStep, StepStatus, spent};
use lyceum_domain::drafting::generations::{Generation, GenerationState};
use lyceum_domain::money::MicroUsd;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::common::Problem;
use crate::common::{FreeObject, Resource};
use crate::shapes;

/// A generation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GenerationView {
    /// `gen_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Generation>)]
    pub id: String,
    /// Always `generation`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Generation>)]
    pub object: String,
    /// `syllabus`, `unit`, `lesson`, `activities` or `activity`.
    #[schema(schema_with = shapes::word::<lyceum_domain::drafting::generations::GenerationKind>)]
    pub kind: String,
    /// What it is made for.
    pub target: GenerationTarget,
    /// `pending`, `ready`, `error` or `canceled`.
    #[schema(schema_with = shapes::word::<GenerationState>)]
    pub status: String,
    /// Whether what came of it waits for a person, piece by piece.
    #[serde(default)]
    #[schema(required)]
    pub review: bool,
    /// Steps done of how many.
    pub progress: GenerationProgress,
    /// What is asked for one by one, in order. Grows when more is known of what is to be made.
    pub steps: Vec<GenerationStepView>,
    /// When it will probably be done.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub estimated_ready_at: Option<String>,
    /// What it took so far, over all steps and attempts.
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
    /// Dollars, where the prices of all calls are known.
    #[schema(value_type = Option<f64>, required)]
    pub cost_usd: Option<Value>,
}

/// Something that AI is asked for on the way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GenerationStepView {
    /// Which step, such as `outline`, `lesson/1.2`, `support/1.2`, `activity/1.2.1` or `check/1.2.1`; counted from 1. A
    /// second go at the same thing ends in `#2`, and progress does not count it.
    pub key: String,
    /// `pending`, `ready` or `error`.
    #[schema(schema_with = shapes::word::<StepStatus>)]
    pub status: String,
    /// The model that answered.
    #[schema(required)]
    pub model: Option<String>,
    /// Tokens read.
    pub tokens_in: u64,
    /// Tokens written.
    pub tokens_out: u64,
    /// Dollars, where prices are known.
    #[schema(value_type = Option<f64>, required)]
    pub cost_usd: Option<Value>,
    /// How long AI took, in milliseconds.
    #[schema(required)]
    pub latency_ms: Option<u64>,
    /// How often AI was asked; 0 before, and where an earlier generation's result was taken over.
    pub attempts: u32,
}

impl From<&GenerationStep> for GenerationStepView {
    fn from(step: &GenerationStep) -> Self {
        let was_asked = step.attempts > 0;
        Self {
            key: step.key.to_string(),
            status: step.status.to_string(),
            model: step.model.clone(),
            tokens_in: step.cost.tokens_in,
            tokens_out: step.cost.tokens_out,
            cost_usd: step.cost.cost.filter(|_| was_asked).map(MicroUsd::to_json),
            latency_ms: was_asked.then_some(step.cost.latency_ms),
            attempts: step.attempts,
        }
    }
}

impl GenerationView {
    /// Of a generation and its steps. Generations of old have none.
    pub fn new(generation: &Generation, steps: &[GenerationStep]) -> Self {
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
        let was_asked = steps.iter().any(|step| step.attempts > 0);
        let is_told = was_asked || result.is_some() || error.is_some();
        let cost = spent(steps).cost.filter(|_| was_asked);
        Self {
            id: generation.id.to_string(),
            object: "generation".to_owned(),
            kind: generation.kind.to_string(),
            target: GenerationTarget {
                object: generation.target_object.clone(),
                id: generation.target_id.clone(),
            },
            status: generation.state.as_str().to_owned(),
            review: generation.is_reviewed(),
            progress: GenerationProgress {
                completed: generation.completed,
                total: generation.total,
            },
            steps: steps.iter().map(GenerationStepView::from).collect(),
            estimated_ready_at,
            usage: is_told.then(|| GenerationUsage {
                tokens_in: generation.tokens_in,
                tokens_out: generation.tokens_out,
                cost_usd: cost.map(MicroUsd::to_json),
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
