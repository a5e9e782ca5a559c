//! How far AI and a teacher are apart, with how sure that is.
//!
//! Sources: C. J. Clopper, E. S. Pearson, *The use of confidence or fiducial limits illustrated in the case of the binomial*,
//! Biometrika 26 (1934), for shares; J. Cohen, *Weighted kappa*, Psychological Bulletin 70 (1968), with the squared
//! difference of the points themselves as weight, so that no bands have to be chosen; J. W. Tukey, *Bias and confidence in
//! not-quite large samples*, Annals of Mathematical Statistics 29 (1958), the jackknife with Student's distribution, for kappa
//! and the mean (for which it is Student's own interval).

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::grading::release::Delta;
use crate::grading::release::bounds::{Drawn, bound_of_later};
use crate::grading::release::disagreement::{Disagreement, is_flip};
use crate::points::Points;

/// Two grades of one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TwoGrades {
    /// AI's.
    pub ai: Points,
    /// The teacher's, given blind.
    pub teacher: Points,
    /// The best possible score of both.
    pub max: Points,
}

/// A figure, and between what it lies: of a hundred such intervals ninety hold what they are about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// How AI and a teacher agree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// Of how many answers this is.
    pub answers: u32,
    /// The share that both gave the same points, 0 to 1.
    pub exact: Estimate,
    /// The share on which they are at most a tenth of the points apart.
    pub within_tenth: Estimate,
    /// The share on which one passes the answer and the other fails it.
    pub flips: Estimate,
    /// The share on which they disagree as release counts it.
    pub disagreements: Estimate,
    /// How much higher AI's grades are on average, as a part of the best score: below 0 it is the stricter one.
    pub mean_difference: Option<Estimate>,
    /// Quadratic weighted kappa: 1 for the same points everywhere, 0 for what chance gives; none where nothing varies.
    pub kappa: Option<Estimate>,
}

/// Fewer answers say nothing about how much a figure would vary.
const FEWEST: usize = 5;
/// The chance beyond each end of an interval.
const BEYOND: f64 = 0.05;

/// How they agree on these answers; none without any.
pub fn agreement(pairs: &[TwoGrades], rule: Disagreement) -> Option<Agreement> {
    let share = |holds: &dyn Fn(&TwoGrades) -> bool| share(Drawn::count(pairs.iter().map(holds)));
    (!pairs.is_empty()).then(|| Agreement {
        answers: u32::try_from(pairs.len()).unwrap_or(u32::MAX),
        exact: share(&|pair| pair.ai == pair.teacher),
        within_tenth: share(&|pair| pair.apart() <= 0.1 + f64::EPSILON),
        flips: share(&|pair| is_flip(pair.ai, pair.teacher, pair.max)),
        disagreements: share(&|pair| rule.between(pair.ai, pair.teacher, pair.max)),
        mean_difference: left_out(pairs, mean_difference),
        kappa: left_out(pairs, kappa),
    })
}

impl TwoGrades {
    fn parts(&self) -> (f64, f64) {
        let max = f64::from(self.max.hundredths().max(1));
        let part = |points: Points| f64::from(points.hundredths()) / max;
        (part(self.ai), part(self.teacher))
    }

    fn apart(&self) -> f64 {
        let (ai, teacher) = self.parts();
        (ai - teacher).abs()
    }
}

/// A share with the interval of Clopper and Pearson, which is at least as wide as it says.
fn share(found: Drawn) -> Estimate {
    let others = Drawn::new(found.tests() - found.errors(), found.tests()).unwrap_or_default();
    let [high, low] = match Delta::new(BEYOND) {
        Some(beyond) => [
            bound_of_later(found, beyond),
            1.0 - bound_of_later(others, beyond),
        ],
        None => [1.0, 0.0],
    };
    Estimate {
        value: f64::from(found.errors()) / f64::from(found.tests().max(1)),
        low,
        high,
    }
}

/// A figure with the interval of the jackknife: how much it changes when each answer is left out once says how much it would
/// vary, and Student's distribution how far that reaches.
fn left_out(
    answers: &[TwoGrades],
    figure: impl Fn(&[TwoGrades]) -> Option<f64>,
) -> Option<Estimate> {
    if answers.len() < FEWEST {
        return None;
    }
    let value = figure(answers)?;
    let without = |at: usize| {
        let others = answers.iter().enumerate();
        let others: Vec<TwoGrades> = others
            .filter(|(other, _)| *other != at)
            .map(|(_, one)| *one)
            .collect();
        figure(&others)
    };
    let without: Vec<f64> = (0..answers.len()).map(without).collect::<Option<_>>()?;
    let middle = mean(without.iter().copied())?;
    let squares = mean(without.iter().map(|one| (one - middle).powi(2)))?;
    let others = f64::from(u32::try_from(answers.len() - 1).ok()?);
    let reach = StudentsT::new(0.0, 1.0, others)
        .ok()?
        .inverse_cdf(1.0 - BEYOND);
    let apart = reach * (others * squares).sqrt();
    Some(Estimate {
        value,
        low: (value - apart).max(-1.0),
        high: (value + apart).min(1.0),
    })
}

fn mean_difference(pairs: &[TwoGrades]) -> Option<f64> {
    let differences = pairs.iter().map(|pair| {
        let (ai, teacher) = pair.parts();
        ai - teacher
    });
    mean(differences)
}

/// 1 − Σ(aᵢ − tᵢ)² / (Σᵢⱼ(aᵢ − tⱼ)² / n).
fn kappa(pairs: &[TwoGrades]) -> Option<f64> {
    let parts: Vec<(f64, f64)> = pairs.iter().map(TwoGrades::parts).collect();
    let observed = mean(parts.iter().map(|(ai, teacher)| (ai - teacher).powi(2)))?;
    let expected = mean(parts.iter().flat_map(|(ai, _)| {
        let teachers = parts.iter();
        teachers.map(move |(_, teacher)| (ai - teacher).powi(2))
    }))?;
    (expected > 0.0).then(|| 1.0 - observed / expected)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    (count > 0.0).then(|| sum / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(points: &[(u16, u16)]) -> Vec<TwoGrades> {
        let pair = |(ai, teacher): &(u16, u16)| TwoGrades {
            ai: Points::whole(*ai),
            teacher: Points::whole(*teacher),
            max: Points::HUNDRED,
        };
        points.iter().map(pair).collect()
    }

    fn of(points: &[(u16, u16)]) -> Agreement {
        agreement(&pairs(points), Disagreement::default()).unwrap()
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 5e-4, "{found} {expected}");
    }

    #[test]
    fn without_an_answer_there_is_nothing_to_say() {
        assert_eq!(agreement(&[], Disagreement::default()), None);
    }

    #[test]
    fn shares_are_counted_and_lie_in_the_interval_of_clopper_and_pearson() {
        let found = of(&[(100, 100), (90, 80), (60, 40), (95, 60), (0, 0)]);
        assert_eq!(found.answers, 5);
        near(found.exact.value, 0.4);
        near(found.within_tenth.value, 0.6);
        near(found.flips.value, 0.2);
        near(found.disagreements.value, 0.4);
        // 2 of 5 at 5 % beyond each end, as R's binom.test(2, 5, conf.level = 0.9) has it.
        near(found.exact.low, 0.0764);
        near(found.exact.high, 0.8107);
    }

    #[test]
    fn where_all_agree_one_cannot_be_sure_of_it() {
        let found = of(&[(10, 10), (50, 50), (90, 90)]);
        near(found.exact.value, 1.0);
        near(found.exact.low, 0.05_f64.powf(1.0 / 3.0));
        near(found.flips.high, 1.0 - 0.05_f64.powf(1.0 / 3.0));
        assert_eq!(found.kappa, None, "three answers say nothing of others");
    }

    #[test]
    fn kappa_is_one_for_the_same_points_and_below_nought_for_the_opposite() {
        let same = of(&[(0, 0), (25, 25), (50, 50), (75, 75), (100, 100)]);
        near(same.kappa.unwrap().value, 1.0);
        let opposite = of(&[(0, 100), (25, 75), (50, 50), (75, 25), (100, 0)]);
        near(opposite.kappa.unwrap().value, -1.0);
        // Two bands: J. Cohen's kappa, 50 answers of which 20 and 15 are agreed on.
        let grants = [
            ((0, 0), 20),
            ((0, 100), 5),
            ((100, 0), 10),
            ((100, 100), 15),
        ];
        let grants: Vec<(u16, u16)> = grants
            .into_iter()
            .flat_map(|(pair, times)| std::iter::repeat_n(pair, times))
            .collect();
        near(of(&grants).kappa.unwrap().value, 0.4);
        let constant = of(&[(50, 50); 6]);
        assert_eq!(constant.kappa, None, "nothing varies");
    }

    #[test]
    fn the_difference_says_who_is_stricter_and_its_interval_holds_it() {
        let strict = of(&[(10, 30), (20, 30), (40, 60), (50, 80), (0, 20)]);
        let difference = strict.mean_difference.unwrap();
        near(difference.value, -0.2);
        assert!(difference.low < -0.2 && difference.high > -0.2 && difference.high < 0.0);
    }

    #[test]
    fn the_interval_of_a_mean_is_students() {
        // R: t.test(c(-20, -10, -20, -30, -20) / 100, conf.level = 0.9)
        let difference = of(&[(10, 30), (20, 30), (40, 60), (50, 80), (0, 20)]).mean_difference;
        let difference = difference.unwrap();
        near(difference.low, -0.2674);
        near(difference.high, -0.1326);
    }
}
