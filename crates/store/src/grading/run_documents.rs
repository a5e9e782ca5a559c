//! An AI run that is under way, as a document: when it will be over, and what it alone does otherwise.
//!
//! Rows of before runs had overrides name none; what is absent is the assignment's.

use lyceum_domain::authoring::assignments::{HumanReview, Tone, Verbosity};
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::grading::submissions::{
    AiGrading, FeedbackOverrides, RunBudget, RunOverrides, Samples,
};
use lyceum_domain::json::JsonObject;
use lyceum_domain::money::MicroUsd;
use lyceum_domain::text::LanguageTag;
use serde::{Deserialize, Serialize};

use crate::prelude::*;

#[derive(Serialize, Deserialize)]
pub struct PendingDocument {
    estimated_ready_at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rubric: Option<JsonObject>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tone: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    verbosity: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    human_review: Option<String>,
    #[serde(default)]
    anew: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    budget_tokens: Option<u64>,
    /// In millionths of a US dollar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    budget_cost: Option<u64>,
    #[serde(default = "once")]
    samples: u64,
}

const fn once() -> u64 {
    1
}

impl PendingDocument {
    pub fn new(estimated_ready_at: Timestamp, overrides: &RunOverrides) -> Self {
        let RunOverrides {
            rubric,
            model,
            feedback,
            human_review,
            anew,
            budget,
            samples,
        } = overrides;
        Self {
            estimated_ready_at: estimated_ready_at.to_string(),
            rubric: rubric.as_ref().map(Rubric::to_json),
            model: model.clone(),
            tone: feedback.tone.map(|tone| tone.to_string()),
            verbosity: feedback.verbosity.map(|verbosity| verbosity.to_string()),
            language: feedback.language.as_ref().map(ToString::to_string),
            human_review: human_review.map(|review| review.to_string()),
            anew: *anew,
            budget_tokens: budget.tokens,
            budget_cost: budget.cost.map(MicroUsd::millionths),
            samples: samples.get().into(),
        }
    }

    pub fn state(self) -> Result<AiGrading, StoreError> {
        let estimated_ready_at = rows::read(Timestamp::parse(&self.estimated_ready_at))?;
        Ok(AiGrading::Pending {
            estimated_ready_at,
            overrides: Box::new(self.overrides()?),
        })
    }

    fn overrides(self) -> Result<RunOverrides, StoreError> {
        let rubric = self.rubric.map(|rubric| Rubric::parse("rubric", &rubric));
        let tone = self.tone.as_deref().map(Tone::parse);
        let verbosity = self.verbosity.as_deref().map(Verbosity::parse);
        let language = self.language.as_deref().map(LanguageTag::parse);
        let human_review = self.human_review.as_deref().map(HumanReview::parse);
        Ok(RunOverrides {
            rubric: rows::read(rubric.transpose())?,
            model: self.model,
            feedback: FeedbackOverrides {
                tone: rows::read(tone.transpose())?,
                verbosity: rows::read(verbosity.transpose())?,
                language: rows::read(language.transpose())?,
            },
            human_review: rows::read(human_review.transpose())?,
            anew: self.anew,
            budget: RunBudget {
                tokens: self.budget_tokens,
                cost: self.budget_cost.map(MicroUsd::new),
            },
            samples: rows::read(Samples::parse(self.samples))?,
        })
    }
}
