//! What the answers to one question, or the points of one criterion, say about it: how difficult it is, and whether those who are good
//! at the rest are good at it.

use std::fmt;

use num_bigint::BigInt;
use serde_json::{Number, Value};

use super::rounding::largest;
use crate::points::Points;

/// A figure in whole thousandths, such as a correlation between -1 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thousandths(i32);

impl Thousandths {
    /// In thousandths.
    pub const fn thousandths(self) -> i32 {
        self.0
    }

    /// The fraction, rounded half away from zero; 0 where it is of nothing.
    pub(super) fn rounded(numerator: i64, denominator: i64) -> Self {
        let (numerator, denominator) = (i128::from(numerator), i128::from(denominator.max(1)));
        let twice = 2 * 1_000 * numerator.abs();
        let size = (twice + denominator) / (2 * denominator);
        Self(i32::try_from(numerator.signum() * size).unwrap_or(i32::MAX))
    }

    /// As a JSON number of at most three decimals.
    pub fn to_json(self) -> Value {
        let number = Number::from_f64(f64::from(self.0) / 1_000.0);
        number.map_or(Value::Null, Value::Number)
    }
}

/// With all three decimals, such as `-0.250`.
impl fmt::Display for Thousandths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let size = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:03}", size / 1_000, size % 1_000)
    }
}

/// What a learner earned at one question or criterion, and at all others of the same task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemScore {
    /// At this one.
    pub points: Points,
    /// At all others together: the task's points without these, so that no question is compared with itself.
    pub rest: Points,
}

/// What is known of a question or a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemAnalysis {
    /// How many learners were asked it.
    pub learners: usize,
    /// The mean share of its points, 0 to 1: the higher, the easier. None where nobody was asked it, or nothing was possible.
    pub difficulty: Option<Thousandths>,
    /// How what learners earn at it goes with what they earn at the rest, -1 to 1. Near 0 it does not tell the good from the rest; below
    /// it, something is probably wrong with it. None for fewer learners than [`Self::FEWEST`], and where all have
    /// the same points at it or at the rest.
    pub discrimination: Option<Thousandths>,
}

impl ItemAnalysis {
    /// Of fewer learners no discrimination is told: it would be chance.
    pub const FEWEST: usize = 10;

    /// Of the learners who were asked it, in any order.
    ///
    /// Difficulty is the item mean over its maximum, called p, and discrimination the corrected item-total correlation: Crocker and
    /// Algina, *Introduction to Classical and Modern Test Theory* (1986), chapter 14, after Henrysson, *Correction of Item-Total
    /// Correlations in Item Analysis* (Psychometrika 28, 1963). That is Pearson's r between the item and the rest,
    /// `(nΣxy - ΣxΣy) / √((nΣx² - (Σx)²)(nΣy² - (Σy)²))`; for a question that is right or wrong it is the point-biserial. Both are
    /// rounded to thousandths, halves away from zero.
    pub fn of(scores: &[ItemScore], best_possible: Points) -> Self {
        let pairs: Vec<(i128, i128)> = scores
            .iter()
            .map(|score| {
                let earned = score.points.at_most(best_possible);
                [earned, score.rest].map(|points| i128::from(points.hundredths()))
            })
            .map(|[points, rest]| (points, rest))
            .collect();
        let is_told = scores.len() >= Self::FEWEST;
        Self {
            learners: scores.len(),
            difficulty: difficulty(&pairs, best_possible),
            discrimination: is_told.then(|| correlation(&pairs)).flatten(),
        }
    }
}

fn difficulty(pairs: &[(i128, i128)], best_possible: Points) -> Option<Thousandths> {
    let possible = i128::from(best_possible.hundredths()) * count(pairs);
    let earned: i128 = pairs.iter().map(|(points, _)| points).sum();
    let share = (2_000 * earned + possible).checked_div(2 * possible)?;
    i32::try_from(share).ok().map(Thousandths)
}

/// Pearson's r; none where either does not vary. Its square is compared, so that no root is taken.
fn correlation(pairs: &[(i128, i128)]) -> Option<Thousandths> {
    let n = count(pairs);
    let sum = |of: fn(&(i128, i128)) -> i128| pairs.iter().map(of).sum::<i128>();
    let (x, y) = (sum(|(x, _)| *x), sum(|(_, y)| *y));
    let together = n * sum(|(x, y)| x * y) - x * y;
    let spread_x = n * sum(|(x, _)| x * x) - x * x;
    let spread_y = n * sum(|(_, y)| y * y) - y * y;
    if spread_x == 0 || spread_y == 0 {
        return None;
    }
    // The largest t with (t - 1/2) / 1000 ≤ |r|.
    let spreads = BigInt::from(spread_x) * spread_y;
    let square = (BigInt::from(2_000) * together).pow(2);
    let holds = |t: u16| {
        let half_below = BigInt::from(2 * i32::from(t) - 1);
        half_below.pow(2) * &spreads <= square
    };
    let size = i32::from(largest(1_000, holds));
    Some(Thousandths(if together < 0 { -size } else { size }))
}

fn count(pairs: &[(i128, i128)]) -> i128 {
    i128::try_from(pairs.len()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scores(given: &[(i64, i64)]) -> Vec<ItemScore> {
        let given = given.iter().map(|(points, rest)| ItemScore {
            points: Points::from_hundredths(*points),
            rest: Points::from_hundredths(*rest),
        });
        given.collect()
    }

    /// Right or wrong, worth 1 point; the rest is worth 10.
    const BINARY: [(i64, i64); 10] = [
        (100, 900),
        (100, 800),
        (100, 1_000),
        (0, 300),
        (0, 500),
        (100, 600),
        (0, 400),
        (100, 700),
        (0, 700),
        (0, 200),
    ];

    /// The point-biserial by its own formula, `(M₁ - M₀) / s · √(p·q)` with s over n: M₁ is 8, M₀ is 4.2, s² is 6.09 and p is a
    /// half, so that r is 3.8 / 2.46779 · 0.5 = 0.76992.
    #[test]
    fn for_right_or_wrong_it_is_the_point_biserial() {
        let found = ItemAnalysis::of(&scores(&BINARY), Points::whole(1));
        assert_eq!(found.learners, 10);
        assert_eq!(found.difficulty.unwrap().to_string(), "0.500");
        assert_eq!(found.discrimination.unwrap().to_string(), "0.770");
    }

    #[test]
    fn what_goes_the_other_way_is_below_nothing() {
        let turned = BINARY.map(|(points, rest)| (100 - points, rest));
        let found = ItemAnalysis::of(&scores(&turned), Points::whole(1));
        assert_eq!(found.discrimination.unwrap().to_string(), "-0.770");
        assert_eq!(found.discrimination.unwrap().to_json(), -0.77);
    }

    #[test]
    fn of_few_learners_and_of_equal_points_nothing_is_told() {
        let few = ItemAnalysis::of(&scores(&BINARY[..9]), Points::whole(1));
        assert_eq!(few.discrimination, None);
        assert_eq!(few.difficulty.unwrap().to_string(), "0.556");
        for same in [
            BINARY.map(|(_, rest)| (100, rest)),
            BINARY.map(|(points, _)| (points, 500)),
        ] {
            let found = ItemAnalysis::of(&scores(&same), Points::whole(1));
            assert_eq!(found.discrimination, None);
        }
        let nobody = ItemAnalysis::of(&[], Points::whole(1));
        assert_eq!((nobody.learners, nobody.difficulty), (0, None));
        let nothing = ItemAnalysis::of(&scores(&BINARY), Points::ZERO);
        assert_eq!((nothing.difficulty, nothing.discrimination), (None, None));
    }

    fn many() -> impl Strategy<Value = Vec<(i64, i64)>> {
        prop::collection::vec((0..=10_000_i64, 0..=100_000_000_i64), 10..60)
    }

    proptest! {
        #[test]
        fn figures_stay_in_their_range_whatever_the_order(given in many()) {
            let found = ItemAnalysis::of(&scores(&given), Points::HUNDRED);
            prop_assert!((0..=1_000).contains(&found.difficulty.unwrap().thousandths()));
            prop_assert!(found.discrimination.is_none_or(|r| (-1_000..=1_000).contains(&r.thousandths())));
            let mut backwards = given;
            backwards.reverse();
            prop_assert_eq!(ItemAnalysis::of(&scores(&backwards), Points::HUNDRED), found);
        }

        #[test]
        fn what_follows_the_rest_exactly_is_one(given in prop::collection::vec(0..=10_000_i64, 10..60)) {
            let along: Vec<(i64, i64)> = given.iter().map(|points| (*points, 3 * points + 7)).collect();
            let found = ItemAnalysis::of(&scores(&along), Points::HUNDRED).discrimination;
            let varies = given.iter().any(|points| *points != given[0]);
            prop_assert_eq!(found.map(Thousandths::thousandths), varies.then_some(1_000));
        }

        #[test]
        fn it_is_what_floating_point_says_but_for_the_last_place(given in many()) {
            let found = ItemAnalysis::of(&scores(&given), Points::HUNDRED).discrimination;
            prop_assume!(found.is_some());
            let floats: Vec<[f64; 2]> = given
                .iter()
                .map(|(points, rest)| [*points, *rest].map(|one| f64::from(i32::try_from(one).unwrap())))
                .collect();
            let n = f64::from(u32::try_from(floats.len()).unwrap());
            let mean = |at: usize| floats.iter().map(|one| one[at]).sum::<f64>() / n;
            let (x, y) = (mean(0), mean(1));
            let (mut together, mut spread_x, mut spread_y) = (0.0, 0.0, 0.0);
            for [points, rest] in &floats {
                let (a, b) = (points - x, rest - y);
                together += a * b;
                spread_x += a * a;
                spread_y += b * b;
            }
            let r = 1_000.0 * together / (spread_x * spread_y).sqrt();
            prop_assert!((r - f64::from(found.unwrap().thousandths())).abs() < 0.500_001);
        }
    }
}
