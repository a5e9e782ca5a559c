//! What a workspace decides about AI: how much may be spent in a month, and what happens when a provider fails.

use crate::InvalidValue;
use crate::money::{MicroUsd, percent_of};
use crate::words::words;

words!(
    /// What happens to a run that the AI provider failed for good.
    OnProviderFailure {
        /// It ends in an error that says why.
        Error = "error",
        /// The built-in engine does it instead, and the result says so.
        BuiltIn = "built_in",
    }
);

/// How much may be spent in a calendar month (UTC); a member that is absent sets no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MonthlyBudget {
    /// Tokens, read and written.
    pub tokens: Option<u64>,
    /// Money.
    pub cost: Option<MicroUsd>,
}

impl MonthlyBudget {
    /// Most tokens that a budget can name: a hundred thousand millions.
    pub const MAX_TOKENS: u64 = 100_000_000_000;

    /// Reads a number of tokens.
    pub fn tokens(number: i64) -> Result<u64, InvalidValue> {
        u64::try_from(number)
            .ok()
            .filter(|tokens| *tokens <= Self::MAX_TOKENS)
            .ok_or_else(|| InvalidValue::new("must be between 0 and 100000000000"))
    }

    /// Whether it limits anything.
    pub const fn is_set(self) -> bool {
        self.tokens.is_some() || self.cost.is_some()
    }

    /// This, or another where this sets no limit at all.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        if self.is_set() { self } else { other }
    }

    /// So many hundredths of it.
    #[must_use]
    pub fn share(self, percent: u8) -> Self {
        Self {
            tokens: self.tokens.map(|tokens| percent_of(tokens, percent)),
            cost: self.cost.map(|cost| cost.percent(percent)),
        }
    }

    /// The smaller of two, part by part.
    #[must_use]
    pub fn at_most(self, other: Self) -> Self {
        Self {
            tokens: [self.tokens, other.tokens].into_iter().flatten().min(),
            cost: [self.cost, other.cost].into_iter().flatten().min(),
        }
    }

    /// Whether nothing is left of some part of it.
    pub fn is_used_up(self) -> bool {
        self.tokens == Some(0) || self.cost == Some(MicroUsd::ZERO)
    }
}

/// What a workspace decided about AI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkspaceAi {
    /// How much may be spent in a month.
    pub monthly_budget: MonthlyBudget,
    /// What happens when a provider fails.
    pub on_provider_failure: OnProviderFailure,
}

impl Default for WorkspaceAi {
    fn default() -> Self {
        Self {
            monthly_budget: MonthlyBudget::default(),
            on_provider_failure: OnProviderFailure::Error,
        }
    }
}

/// What is to change; `None` keeps, `Some(None)` clears.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorkspaceAiChanges {
    /// Tokens of a month.
    pub tokens: Option<Option<u64>>,
    /// Money of a month.
    pub cost: Option<Option<MicroUsd>>,
    /// What happens when a provider fails.
    pub on_provider_failure: Option<OnProviderFailure>,
}

impl WorkspaceAiChanges {
    /// Everything back to what a new workspace has.
    pub const RESET: Self = Self {
        tokens: Some(None),
        cost: Some(None),
        on_provider_failure: Some(OnProviderFailure::Error),
    };

    /// The settings after the change.
    #[must_use]
    pub fn apply(self, to: WorkspaceAi) -> WorkspaceAi {
        WorkspaceAi {
            monthly_budget: MonthlyBudget {
                tokens: self.tokens.unwrap_or(to.monthly_budget.tokens),
                cost: self.cost.unwrap_or(to.monthly_budget.cost),
            },
            on_provider_failure: self.on_provider_failure.unwrap_or(to.on_provider_failure),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_keeps_what_it_does_not_name_and_clears_what_it_nulls() {
        let set = WorkspaceAiChanges {
            tokens: Some(Some(5)),
            cost: Some(Some(MicroUsd::new(7))),
            on_provider_failure: Some(OnProviderFailure::BuiltIn),
        };
        let settings = set.apply(WorkspaceAi::default());
        let cleared = WorkspaceAiChanges {
            tokens: Some(None),
            ..WorkspaceAiChanges::default()
        };
        let after = cleared.apply(settings);
        assert_eq!(after.monthly_budget.tokens, None);
        assert_eq!(after.monthly_budget.cost, Some(MicroUsd::new(7)));
        assert_eq!(after.on_provider_failure, OnProviderFailure::BuiltIn);
        assert_eq!(
            WorkspaceAiChanges::RESET.apply(after),
            WorkspaceAi::default()
        );
    }

    #[test]
    fn a_budget_names_no_absurd_number_of_tokens() {
        assert_eq!(MonthlyBudget::tokens(0), Ok(0));
        assert!(MonthlyBudget::tokens(-1).is_err());
        assert!(MonthlyBudget::tokens(100_000_000_001).is_err());
    }
}
