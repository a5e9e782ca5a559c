//! Calls to AI that left the service: what was sent where, what it took, and how much more there may be.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use lyceum_domain::money::MicroUsd;

use crate::ai::{AiError, Usage};

/// What a call was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AiFeature {
    /// Judging a submission.
    Grading,
    /// Explaining a grade.
    Explaining,
    /// Drafting a syllabus, lessons or activities.
    Drafting,
    /// Answering a drafted quiz, to check its key.
    Checking,
    /// Answering a learner.
    Tutoring,
    /// Speaking a script.
    Speaking,
}

impl AiFeature {
    /// Every feature.
    pub const ALL: &'static [Self] = &[
        Self::Grading,
        Self::Explaining,
        Self::Drafting,
        Self::Checking,
        Self::Tutoring,
        Self::Speaking,
    ];

    /// The feature in a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Grading => "grading",
            Self::Explaining => "explaining",
            Self::Drafting => "drafting",
            Self::Checking => "checking",
            Self::Tutoring => "tutoring",
            Self::Speaking => "speaking",
        }
    }
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CallOutcome {
    /// With an answer that could be used.
    Answered,
    /// With an answer that broke rules.
    Invalid,
    /// With a no.
    Refused,
    /// Without an answer, or not in time.
    Unavailable,
}

impl CallOutcome {
    /// Every outcome.
    pub const ALL: &'static [Self] = &[
        Self::Answered,
        Self::Invalid,
        Self::Refused,
        Self::Unavailable,
    ];

    /// The outcome in a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Invalid => "invalid",
            Self::Refused => "refused",
            Self::Unavailable => "unavailable",
        }
    }
}

/// One request that left the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AiCall {
    /// What it was for.
    pub feature: AiFeature,
    /// Host it went to.
    pub host: String,
    /// The model that was asked.
    pub model_asked: String,
    /// The model that answered, where one did.
    pub model: Option<String>,
    /// The provider's own name of the request.
    pub request_id: Option<String>,
    /// What it took.
    pub usage: Usage,
    /// Whether the usage is a guess because the provider did not say.
    pub estimated: bool,
    /// What it cost, where prices are known.
    pub cost: Option<MicroUsd>,
    /// How long it took.
    pub latency: Duration,
    /// How it ended.
    pub outcome: CallOutcome,
    /// Which classes of fields were sent, such as `submission_text` or `rubric`.
    pub sent: Vec<&'static str>,
}

/// How much may be spent; a member that is absent sets no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Allowance {
    /// Tokens, read and written.
    pub tokens: Option<u64>,
    /// Money.
    pub cost: Option<MicroUsd>,
}

/// Counts what is called on behalf of one piece of work, and refuses what would be too much.
#[derive(Debug, Default)]
pub struct Meter {
    allowance: Allowance,
    calls: Mutex<Vec<AiCall>>,
}

impl Meter {
    /// A meter with a limit.
    pub const fn new(allowance: Allowance) -> Self {
        Self {
            allowance,
            calls: Mutex::new(Vec::new()),
        }
    }

    /// Whether a call may be made that will probably take this much.
    ///
    /// # Errors
    /// [`AiError::BudgetExceeded`]
    pub fn admit(&self, estimate: Usage, cost: Option<MicroUsd>) -> Result<(), AiError> {
        let (used, spent) = self.spent();
        if let Some(limit) = self.allowance.tokens {
            let wanted = used.tokens().saturating_add(estimate.tokens());
            if wanted > limit {
                let sentence = format!("about {wanted} tokens are needed and {limit} are left");
                return Err(AiError::BudgetExceeded(sentence));
            }
        }
        if let Some(limit) = self.allowance.cost {
            let Some(cost) = cost else {
                let sentence = "a limit in money is set, and no prices are known";
                return Err(AiError::BudgetExceeded(sentence.to_owned()));
            };
            let wanted = spent + cost;
            if wanted > limit {
                let sentence = format!("about {wanted} USD are needed and {limit} are left");
                return Err(AiError::BudgetExceeded(sentence));
            }
        }
        Ok(())
    }

    /// Notes a call that was made.
    pub fn record(&self, call: AiCall) {
        self.calls
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(call);
    }

    /// What the calls so far took and, as far as prices are known, cost.
    pub fn spent(&self) -> (Usage, MicroUsd) {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let usage = calls
            .iter()
            .fold(Usage::default(), |sum, call| sum + call.usage);
        (usage, calls.iter().filter_map(|call| call.cost).sum())
    }

    /// The calls since this was last asked.
    pub fn take(&self) -> Vec<AiCall> {
        std::mem::take(&mut *self.calls.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tokens: u64, cost: Option<u64>) -> AiCall {
        AiCall {
            feature: AiFeature::Grading,
            host: "ai.example".to_owned(),
            model_asked: "m".to_owned(),
            model: None,
            request_id: None,
            usage: Usage {
                tokens_in: tokens,
                ..Usage::default()
            },
            estimated: false,
            cost: cost.map(MicroUsd::new),
            latency: Duration::ZERO,
            outcome: CallOutcome::Answered,
            sent: vec!["submission_text"],
        }
    }

    fn usage(tokens: u64) -> Usage {
        Usage {
            tokens_out: tokens,
            ..Usage::default()
        }
    }

    #[test]
    fn a_meter_admits_what_its_allowance_still_holds() {
        let meter = Meter::new(Allowance {
            tokens: Some(100),
            cost: None,
        });
        assert!(meter.admit(usage(100), None).is_ok());
        meter.record(call(60, None));
        assert!(meter.admit(usage(40), None).is_ok());
        let error = meter.admit(usage(41), None).unwrap_err();
        assert_eq!(error.code(), "ai_budget_exceeded");
    }

    #[test]
    fn a_limit_in_money_needs_prices() {
        let meter = Meter::new(Allowance {
            tokens: None,
            cost: Some(MicroUsd::new(10)),
        });
        assert!(meter.admit(usage(1), None).is_err());
        meter.record(call(1, Some(9)));
        assert!(meter.admit(usage(1), Some(MicroUsd::new(1))).is_ok());
        assert!(meter.admit(usage(1), Some(MicroUsd::new(2))).is_err());
    }

    #[test]
    fn calls_are_handed_out_once() {
        let meter = Meter::default();
        meter.record(call(1, None));
        assert_eq!(meter.take().len(), 1);
        assert_eq!(meter.take(), []);
    }
}
