//! Shares of points, and what several of them come to by weight.

use std::fmt;

use num_bigint::BigInt;
use serde_json::Value;

use super::rounding::largest;
use crate::points::Points;

/// A share of what was possible, in hundredths of a percent: from 0 to 10 000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Percent(u16);

impl Percent {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// All.
    pub const HUNDRED: Self = Self(10_000);

    /// From hundredths of a percent; none above all.
    pub fn from_hundredths(hundredths: i32) -> Option<Self> {
        let read = u16::try_from(hundredths).ok().map(Self);
        read.filter(|percent| *percent <= Self::HUNDRED)
    }

    /// In hundredths of a percent.
    pub const fn hundredths(self) -> u16 {
        self.0
    }

    /// As a JSON number of at most two decimals, such as `86.67`: an integer where it is one.
    pub fn to_json(self) -> Value {
        self.as_points().to_json()
    }

    /// Written like points are.
    fn as_points(self) -> Points {
        Points::from_hundredths(i64::from(self.0))
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_points().fmt(f)
    }
}

/// Points reached and the best possible, summed over several tasks: in hundredths of a point, and as large as sums become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    reached: i64,
    possible: i64,
}

impl Tally {
    /// Of one task. What is above the best possible is the best possible.
    pub fn of(reached: Points, possible: Points) -> Self {
        Self {
            reached: i64::from(reached.at_most(possible).hundredths()),
            possible: i64::from(possible.hundredths()),
        }
    }

    /// Points reached, in hundredths.
    pub const fn reached(self) -> i64 {
        self.reached
    }

    /// Best possible points, in hundredths.
    pub const fn possible(self) -> i64 {
        self.possible
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            reached: self.reached.saturating_add(other.reached),
            possible: self.possible.saturating_add(other.possible),
        }
    }

    /// What was reached of what was possible, `Σ points / Σ best possible`, rounded half up to hundredths of a percent; none
    /// where nothing was possible.
    pub fn percent(self) -> Option<Percent> {
        weighted(&[(1, self)])
    }
}

/// The mean of shares by their weights, `Σ wᵢ·pᵢ/mᵢ / Σ wᵢ`, rounded half up to hundredths of a percent. Nothing is rounded
/// before: the shares are added as fractions. None where nothing that weighs anything was possible.
pub(super) fn weighted(parts: &[(u8, Tally)]) -> Option<Percent> {
    let counted = parts
        .iter()
        .filter(|(weight, tally)| *weight > 0 && tally.possible > 0);
    let (mut numerator, mut denominator) = (BigInt::from(0), BigInt::from(1));
    let mut weights = 0_u32;
    for (weight, tally) in counted {
        numerator = numerator * tally.possible + &denominator * *weight * tally.reached;
        denominator *= tally.possible;
        weights += u32::from(*weight);
    }
    // Half up: the largest t with (t - 1/2) · weights · denominator ≤ 10 000 · numerator.
    let whole = numerator * (2 * u32::from(Percent::HUNDRED.0));
    let part = denominator * weights;
    let holds = |t: u16| &part * (2 * i32::from(t) - 1) <= whole;
    (weights > 0).then(|| Percent(largest(Percent::HUNDRED.0, holds)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tally(reached: i64, possible: i64) -> Tally {
        Tally { reached, possible }
    }

    #[test]
    fn halves_round_up_and_thirds_add_up() {
        let percent = |reached, possible| tally(reached, possible).percent().map(|p| p.0);
        assert_eq!(percent(1, 3), Some(3_333));
        assert_eq!(percent(2, 3), Some(6_667));
        assert_eq!(percent(1, 20_000), Some(1));
        assert_eq!(percent(1, 20_001), Some(0));
        assert_eq!(percent(0, 0), None);
        // A third and two thirds, and a half of a hundredth beside them: rounded once, at the end.
        let parts = [(1, tally(1, 3)), (1, tally(2, 3)), (2, tally(1, 10_000))];
        assert_eq!(weighted(&parts), Some(Percent(2_501)));
    }

    #[test]
    fn what_weighs_nothing_is_not_looked_at() {
        let parts = [(0, tally(1, 1)), (50, tally(1, 4)), (50, tally(0, 0))];
        assert_eq!(weighted(&parts), Some(Percent(2_500)));
        assert_eq!(weighted(&[(0, tally(1, 1))]), None);
        assert_eq!(weighted(&[]), None);
    }

    #[test]
    fn a_percent_is_written_with_as_many_decimals_as_it_has() {
        let written: Vec<String> = [0, 5_000, 8_650, 8_667, 10_000]
            .map(|hundredths| Percent(hundredths).to_string())
            .to_vec();
        assert_eq!(written, ["0", "50", "86.5", "86.67", "100"]);
        assert_eq!(Percent(8_667).to_json(), serde_json::json!(86.67));
        assert_eq!(Percent::HUNDRED.to_json(), serde_json::json!(100));
    }

    proptest! {
        #[test]
        fn one_share_is_rounded_as_integers_are(reached in 0..=1_000_000_i64, more in 0..=1_000_000_i64) {
            let possible = reached + more.max(1);
            let percent = tally(reached, possible).percent().unwrap();
            prop_assert_eq!(i64::from(percent.0), (20_000 * reached + possible) / (2 * possible));
        }

        #[test]
        fn full_marks_are_a_hundred_whatever_weighs_what(parts in prop::collection::vec((1..=100_u8, 1..=i64::MAX / 2), 1..22)) {
            let parts: Vec<_> = parts.into_iter().map(|(weight, all)| (weight, tally(all, all))).collect();
            prop_assert_eq!(weighted(&parts), Some(Percent::HUNDRED));
        }

        #[test]
        fn shares_of_one_denominator_add_up_to_what_they_are_together(
            parts in prop::collection::vec((1..=100_u8, 0..=97_i64), 1..22), most in 97..=100_000_i64,
        ) {
            let (mut reached, mut possible) = (0, 0);
            for (weight, points) in &parts {
                reached += i64::from(*weight) * points;
                possible += i64::from(*weight) * most;
            }
            let parts: Vec<_> = parts.iter().map(|(weight, points)| (*weight, tally(*points, most))).collect();
            prop_assert_eq!(weighted(&parts), tally(reached, possible).percent());
        }
    }
}
