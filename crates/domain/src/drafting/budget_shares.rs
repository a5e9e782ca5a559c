//! What of a month's budget goes to whom: staff, learners, and the strangers whom a SCORM package lets in spend from shares
//! of their own, so that none of them can use up what is another's.

use crate::drafting::ai_calls::AiUsage;
use crate::identity::ai_settings::MonthlyBudget;
use crate::identity::spenders::Spender;
use crate::money::MicroUsd;

/// How much of a month's budget may go to learners, in per cent; what is left of it is the staff's alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetShares {
    /// To all learners together, also those of packages.
    pub learners: u8,
    /// To those of one package.
    pub package: u8,
}

impl Default for BudgetShares {
    fn default() -> Self {
        Self {
            learners: 80,
            package: 20,
        }
    }
}

/// What a month took so far, as far as it concerns one who spends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MonthSoFar {
    /// All of it.
    pub all: AiUsage,
    /// By learners, also those of packages.
    pub learners: AiUsage,
    /// By those of the package of whoever asks.
    pub package: AiUsage,
}

impl MonthSoFar {
    /// Put together from what each spent, for this one.
    pub fn of(spender: Spender, spent: impl IntoIterator<Item = (Spender, AiUsage)>) -> Self {
        let mut month = Self::default();
        for (who, used) in spent {
            month.all = month.all.plus(&used);
            if who != Spender::Staff {
                month.learners = month.learners.plus(&used);
            }
            if who == spender && matches!(who, Spender::Package(_)) {
                month.package = month.package.plus(&used);
            }
        }
        month
    }

    /// The same after this was set aside as well, by whoever it was.
    #[must_use]
    pub fn with(self, tokens: u64, cost: MicroUsd) -> Self {
        let aside = AiUsage {
            tokens_in: tokens,
            cost,
            ..AiUsage::default()
        };
        Self {
            all: self.all.plus(&aside),
            learners: self.learners.plus(&aside),
            package: self.package.plus(&aside),
        }
    }

    /// What is left of a budget for one who spends: the least of what is left of all that they spend from.
    pub fn left_of(
        &self,
        budget: MonthlyBudget,
        shares: BudgetShares,
        spender: Spender,
    ) -> MonthlyBudget {
        let all = self.all.left_of(budget);
        let learners = || self.learners.left_of(budget.share(shares.learners));
        match spender {
            Spender::Staff => all,
            Spender::Learners => all.at_most(learners()),
            Spender::Package(_) => {
                let package = self.package.left_of(budget.share(shares.package));
                all.at_most(learners()).at_most(package)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    const fn package(number: u8) -> Spender {
        Spender::Package(Id::from_uuid(uuid::Uuid::from_bytes([number; 16])))
    }

    fn used(tokens: u64) -> AiUsage {
        AiUsage {
            tokens_in: tokens,
            ..AiUsage::default()
        }
    }

    fn left(spender: Spender, spent: &[(Spender, u64)]) -> Option<u64> {
        let spent = spent.iter().map(|(who, tokens)| (*who, used(*tokens)));
        let budget = MonthlyBudget {
            tokens: Some(1_000),
            cost: None,
        };
        let month = MonthSoFar::of(spender, spent);
        month
            .left_of(budget, BudgetShares::default(), spender)
            .tokens
    }

    #[test]
    fn a_package_takes_its_own_share_and_nothing_of_another_s() {
        let spent = [(package(1), 200)];
        assert_eq!(left(package(1), &spent), Some(0));
        assert_eq!(left(package(2), &spent), Some(200));
        assert_eq!(left(Spender::Learners, &spent), Some(600));
        assert_eq!(left(Spender::Staff, &spent), Some(800));
    }

    #[test]
    fn learners_leave_staff_a_part_and_staff_may_take_all() {
        let learners = [(Spender::Learners, 900)];
        assert_eq!(left(Spender::Learners, &learners), Some(0));
        assert_eq!(left(package(1), &learners), Some(0));
        assert_eq!(left(Spender::Staff, &learners), Some(100));
        assert_eq!(left(Spender::Learners, &[(Spender::Staff, 950)]), Some(50));
    }

    #[test]
    fn what_is_set_aside_counts_for_everybody() {
        let month = MonthSoFar::of(package(1), []).with(150, MicroUsd::ZERO);
        let budget = MonthlyBudget {
            tokens: Some(1_000),
            cost: None,
        };
        let left = month.left_of(budget, BudgetShares::default(), package(1));
        assert_eq!(left.tokens, Some(50));
    }
}
