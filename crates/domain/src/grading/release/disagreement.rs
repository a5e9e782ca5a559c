//! When AI and a teacher disagree about one answer.

use crate::points::Points;

/// The share of the points, in hundredths, with which an answer passes.
pub const PASS_SHARE: u8 = 50;
/// By more than this share of the points, in hundredths, two grades are apart where nobody chose another.
pub const POINTS_SHARE: u8 = 25;

/// What counts as disagreement. A flip between passed and failed hurts most; without the second, an essay of 95 points that
/// is marked 55 would count as right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disagreement {
    /// By more than this share of the points, in hundredths, they are apart.
    pub points_share: u8,
}

impl Default for Disagreement {
    fn default() -> Self {
        Self {
            points_share: POINTS_SHARE,
        }
    }
}

impl Disagreement {
    /// Whether one passes the answer and the other fails it, or they are further apart than may be. `max` is the best
    /// possible score of both.
    pub fn between(self, ai: Points, teacher: Points, max: Points) -> bool {
        is_flip(ai, teacher, max) || self.is_apart(ai, teacher, max)
    }

    fn is_apart(self, ai: Points, teacher: Points, max: Points) -> bool {
        let [ai, teacher, max] = [ai, teacher, max].map(|points| i64::from(points.hundredths()));
        100 * (ai - teacher).abs() > i64::from(self.points_share) * max
    }
}

/// Whether one passes the answer and the other fails it.
pub fn is_flip(ai: Points, teacher: Points, max: Points) -> bool {
    let max = i64::from(max.hundredths());
    let passes =
        |points: Points| 100 * i64::from(points.hundredths()) >= i64::from(PASS_SHARE) * max;
    passes(ai) != passes(teacher)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::the_same(60, 60, false)]
    #[case::a_flip_by_little(49, 50, true)]
    #[case::both_pass_exactly_a_quarter_apart(95, 70, false)]
    #[case::both_pass_and_more_apart(96, 70, true)]
    #[case::both_fail(0, 25, false)]
    fn a_flip_or_more_than_a_quarter_of_the_points(
        #[case] ai: u16,
        #[case] teacher: u16,
        #[case] disagree: bool,
    ) {
        let [ai, teacher] = [ai, teacher].map(Points::whole);
        let rule = Disagreement::default();
        assert_eq!(rule.between(ai, teacher, Points::HUNDRED), disagree);
        assert_eq!(rule.between(teacher, ai, Points::HUNDRED), disagree);
    }

    #[test]
    fn how_far_apart_may_be_chosen() {
        let strict = Disagreement { points_share: 10 };
        assert!(strict.between(Points::whole(71), Points::whole(60), Points::HUNDRED));
        assert!(!strict.between(Points::whole(70), Points::whole(60), Points::HUNDRED));
    }
}
