//! A grading run as it is asked for.

use lyceum_domain::authoring::assignments::GradingChanges;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::submissions::{FeedbackOverrides, RunBudget, RunOverrides, Samples};
use lyceum_domain::money::MicroUsd;
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::authoring::grading::{FeedbackInput, HumanReview};
use crate::authoring::rubric_input::RubricInput;
use crate::common::{Command, FreeObject};
use crate::patch::Patch;

/// A grading run to be started; what it names is for this run alone.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct GradeWithAi {
    /// Judge by this rubric instead of the assignment's.
    #[schema(value_type = Option<RubricInput>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rubric: Option<FreeObject>,
    /// Ask this model.
    #[schema(min_length = 1, max_length = 200)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Write feedback like this; what it does not say is the assignment's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<FeedbackInput>,
    /// Whether a person looks at the grade.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub human_review: Option<HumanReview>,
    /// Whether the stored result may be taken over where the same text was judged by the same rubric, task, style,
    /// examples and model before: true when absent; false insists on a new call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reuse: Option<bool>,
    /// What the run may take at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<RunBudgetInput>,
    /// How often the model is asked: 1, 3 or 5, and 1 when absent. The middle answer counts per criterion, and no
    /// criterion is surer than the share of answers that agree. The built-in grader always says the same and is
    /// asked once.
    #[schema(minimum = 1, maximum = 5)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
}

/// What a run may take at most; what is absent sets no limit beside the workspace's.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RunBudgetInput {
    /// Tokens, read and written.
    #[schema(minimum = 1)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// US dollars; the provider's prices must be known.
    #[schema(minimum = 0, maximum = 1_000_000, value_type = Option<f64>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usd: Option<Value>,
}

impl RunBudgetInput {
    pub(crate) fn parse(&self) -> Result<RunBudget, Invalid> {
        let cost = self.usd.as_ref().map(MicroUsd::from_json).transpose();
        Ok(RunBudget {
            tokens: self.tokens,
            cost: cost.at("budget.usd")?,
        })
    }
}

impl Command for GradeWithAi {
    type Of = RunOverrides;

    fn command(self) -> Result<RunOverrides, Invalid> {
        let parse = |object: &FreeObject| Rubric::parse("rubric", &object.0);
        let samples = self.samples.map(Samples::parse).transpose().at("samples")?;
        Ok(RunOverrides {
            rubric: self.rubric.as_ref().map(parse).transpose()?,
            model: self.model,
            feedback: style(self.feedback.unwrap_or_default())?,
            human_review: self.human_review.map(Into::into),
            anew: self.reuse == Some(false),
            budget: self.budget.unwrap_or_default().parse()?,
            samples: samples.unwrap_or_default(),
        })
    }
}

/// A run has nothing to clear: `null` is the same as absent.
fn style(mut given: FeedbackInput) -> Result<FeedbackOverrides, Invalid> {
    keep_cleared(&mut given.tone);
    keep_cleared(&mut given.verbosity);
    keep_cleared(&mut given.language);
    let mut changes = GradingChanges::default();
    given.add_to(&mut changes, "feedback.")?;
    Ok(FeedbackOverrides {
        tone: changes.tone,
        verbosity: changes.verbosity,
        language: changes.language.flatten(),
    })
}

fn keep_cleared<T>(member: &mut Patch<T>) {
    if matches!(member, Patch::Clear) {
        *member = Patch::Keep;
    }
}
