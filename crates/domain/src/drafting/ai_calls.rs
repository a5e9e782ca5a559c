//! The record of requests to AI providers: what each was for, where it went, which classes of fields it carried and
//! what it took. No text that was sent or answered stands here.

use crate::Timestamp;
use crate::identity::ai_settings::MonthlyBudget;
use crate::identity::spenders::Spender;
use crate::ids::{AiCallId, WorkspaceId};
use crate::money::MicroUsd;
use crate::words::words;

words!(
    /// What a call was for.
    AiFeature {
        /// Judging a submission.
        Grading = "grading",
        /// Explaining a grade.
        Explaining = "explaining",
        /// Drafting a syllabus, lessons or activities.
        Drafting = "drafting",
        /// Answering a drafted quiz, to check its key.
        Checking = "checking",
        /// Answering a learner.
        Tutoring = "tutoring",
        /// Speaking a script.
        Speaking = "speaking",
    }
);

words!(
    /// How a call ended.
    CallOutcome {
        /// With an answer that could be used.
        Answered = "answered",
        /// With an answer that broke rules.
        Invalid = "invalid",
        /// With a no.
        Refused = "refused",
        /// Without an answer, or not in time.
        Unavailable = "unavailable",
    }
);

/// One request that left the service, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AiCallRecord {
    /// The tenant.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: AiCallId,
    /// From whose share it was paid.
    pub spender: Spender,
    /// What it was for.
    pub feature: AiFeature,
    /// On whose behalf: a submission, a generation or a lesson. It may be gone.
    pub subject_id: String,
    /// Host it went to.
    pub host: String,
    /// The model that was asked.
    pub model_asked: String,
    /// The model that answered, where one did.
    pub model: Option<String>,
    /// The provider's own name of the request.
    pub request_id: Option<String>,
    /// Tokens read.
    pub tokens_in: u64,
    /// Tokens written.
    pub tokens_out: u64,
    /// Those of the tokens read that the provider still had from an earlier call.
    pub tokens_cached: u64,
    /// Whether the tokens are a guess because the provider did not say.
    pub estimated: bool,
    /// What it cost, where prices are known.
    pub cost: Option<MicroUsd>,
    /// How long it took, in milliseconds.
    pub latency_ms: u64,
    /// How it ended.
    pub outcome: CallOutcome,
    /// Which classes of fields were sent, such as `submission_text` or `rubric`.
    pub sent: Vec<String>,
    /// When it was written down: with what came of it.
    pub created_at: Timestamp,
}

/// What calls took, summed up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AiUsage {
    /// How many calls.
    pub calls: u64,
    /// Tokens read.
    pub tokens_in: u64,
    /// Tokens written.
    pub tokens_out: u64,
    /// Those of the tokens read that the provider still had from an earlier call.
    pub tokens_cached: u64,
    /// How many of the calls have tokens that are a guess.
    pub estimated_calls: u64,
    /// How many of the calls have no known cost.
    pub unpriced_calls: u64,
    /// What those with a known cost cost.
    pub cost: MicroUsd,
}

impl AiUsage {
    /// What is left of a budget after this was used.
    #[must_use]
    pub fn left_of(&self, budget: MonthlyBudget) -> MonthlyBudget {
        MonthlyBudget {
            tokens: budget
                .tokens
                .map(|tokens| tokens.saturating_sub(self.tokens())),
            cost: budget.cost.map(|cost| cost.minus(self.cost)),
        }
    }

    /// Both together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            tokens_in: self.tokens_in.saturating_add(other.tokens_in),
            tokens_out: self.tokens_out.saturating_add(other.tokens_out),
            tokens_cached: self.tokens_cached.saturating_add(other.tokens_cached),
            estimated_calls: self.estimated_calls.saturating_add(other.estimated_calls),
            unpriced_calls: self.unpriced_calls.saturating_add(other.unpriced_calls),
            cost: self.cost + other.cost,
        }
    }

    /// Tokens read and written.
    pub const fn tokens(self) -> u64 {
        self.tokens_in.saturating_add(self.tokens_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_used_up_when_nothing_of_one_of_its_parts_is_left() {
        let used = |tokens, cost| AiUsage {
            tokens_in: tokens,
            cost: MicroUsd::new(cost),
            ..AiUsage::default()
        };
        let budget = MonthlyBudget {
            tokens: Some(100),
            cost: Some(MicroUsd::new(50)),
        };
        assert!(!used(99, 49).left_of(budget).is_used_up());
        assert!(used(100, 0).left_of(budget).is_used_up());
        assert!(used(0, 51).left_of(budget).is_used_up());
        let unlimited = MonthlyBudget::default();
        assert!(!used(u64::MAX, 9).left_of(unlimited).is_used_up() && !unlimited.is_set());
    }
}
