//! How sure a figure is: 95 % intervals by drawing questions again and again.
//!
//! Answers to one question are alike, so whole questions are drawn, not single answers (a cluster bootstrap); with one
//! question only, there is nothing but its answers to draw.

use lyceum_domain::draws::Draws;
use serde::{Deserialize, Serialize};

use crate::metrics::{FIGURES, Pair, Scale, by_question, figures};
use crate::numbers::quantile;

/// How often is drawn.
pub const RESAMPLES: usize = 1_000;
/// The seed of every interval.
pub const SEED: u64 = 20_130_601;

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Whole questions.
    Question,
    /// Single answers, where there is one question.
    Answer,
}

/// An interval that holds the figure in 95 of 100 draws; absent where too few draws have the figure.
pub type Interval = Option<(f64, f64)>;

/// The intervals of every figure of [`FIGURES`], and what was drawn.
pub fn intervals(pairs: &[Pair], scale: Scale, resamples: usize) -> (Unit, Vec<Interval>) {
    let (unit, clusters) = clusters(pairs);
    let mut draws = Draws::new(SEED);
    let mut found: Vec<Vec<f64>> = vec![Vec::new(); FIGURES.len()];
    for _ in 0..resamples {
        let one_draw = figures(&resample(&clusters, unit, &mut draws), scale);
        for (all, one) in found.iter_mut().zip(one_draw) {
            all.extend(one);
        }
    }
    let intervals = found.iter().map(|all| interval(all, resamples)).collect();
    (unit, intervals)
}

/// The intervals of the differences (other − one) between two graders of the same answers, for every figure.
pub fn paired_intervals(pairs: &[(Pair, Pair)], scale: Scale, resamples: usize) -> Vec<Interval> {
    let (ones, others): (Vec<Pair>, Vec<Pair>) = pairs.iter().copied().unzip();
    let (unit, clusters_of_one) = clusters(&ones);
    let (_, clusters_of_other) = clusters(&others);
    // Equal seeds draw equal questions, so the two stay paired.
    let (mut draws, mut same_draws) = (Draws::new(SEED), Draws::new(SEED));
    let mut found: Vec<Vec<f64>> = vec![Vec::new(); FIGURES.len()];
    for _ in 0..resamples {
        let one = figures(&resample(&clusters_of_one, unit, &mut draws), scale);
        let other = figures(&resample(&clusters_of_other, unit, &mut same_draws), scale);
        for (all, (one, other)) in found.iter_mut().zip(one.into_iter().zip(other)) {
            all.extend(one.zip(other).map(|(one, other)| other - one));
        }
    }
    found.iter().map(|all| interval(all, resamples)).collect()
}

fn clusters(pairs: &[Pair]) -> (Unit, Vec<Vec<Pair>>) {
    let questions = by_question(pairs);
    if questions.len() > 1 {
        return (Unit::Question, questions.into_values().collect());
    }
    let single = pairs.iter().map(|pair| vec![*pair]).collect();
    (Unit::Answer, single)
}

fn resample(clusters: &[Vec<Pair>], unit: Unit, draws: &mut Draws) -> Vec<Pair> {
    let mut resampled = Vec::new();
    for place in 0..clusters.len() {
        let Some(cluster) = clusters.get(draws.below(clusters.len())) else {
            continue;
        };
        // A question that is drawn twice counts as two.
        resampled.extend(cluster.iter().map(|pair| Pair {
            question: if unit == Unit::Question {
                place
            } else {
                pair.question
            },
            ..*pair
        }));
    }
    resampled
}

fn interval(found: &[f64], resamples: usize) -> Interval {
    // Where a figure is missing in many draws, what is left says little about it.
    if found.is_empty() || found.len() * 10 < resamples * 9 {
        return None;
    }
    Some((quantile(found, 0.025)?, quantile(found, 0.975)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALE: Scale = Scale {
        bands: 5,
        pass: 0.5,
    };

    fn pairs(questions: usize) -> Vec<Pair> {
        let mut draws = Draws::new(7);
        let mut score = || [0.0, 0.25, 0.5, 0.75, 1.0][draws.below(5)];
        let pairs = (0..60).map(|at| {
            let human = score();
            Pair {
                question: at % questions,
                human,
                machine: if at % 3 == 0 { score() } else { human },
                confidence: Some(score()),
            }
        });
        pairs.collect()
    }

    #[test]
    fn the_same_answers_have_the_same_intervals_and_hold_the_figure() {
        let pairs = pairs(6);
        let (unit, first) = intervals(&pairs, SCALE, 200);
        assert_eq!((unit, first.clone()), intervals(&pairs, SCALE, 200));
        assert_eq!(unit, Unit::Question);
        for (value, interval) in figures(&pairs, SCALE).into_iter().zip(first) {
            let (value, (low, high)) = (value.unwrap(), interval.unwrap());
            assert!(
                low < high && low <= value && value <= high,
                "{low} {value} {high}"
            );
        }
    }

    #[test]
    fn of_one_question_the_answers_are_drawn() {
        let (unit, found) = intervals(&pairs(1), SCALE, 50);
        assert_eq!(unit, Unit::Answer);
        assert!(found[0].unwrap().0 < found[0].unwrap().1);
    }

    #[test]
    fn what_most_draws_lack_has_no_interval() {
        // Only one answer says how sure it is, so most draws cannot tell right from wrong.
        let mut pairs = pairs(6);
        pairs
            .iter_mut()
            .skip(1)
            .for_each(|pair| pair.confidence = None);
        let (_, found) = intervals(&pairs, SCALE, 50);
        assert_eq!(found[FIGURES.len() - 1], None);
        assert!(found[0].is_some());
    }

    #[test]
    fn a_grader_does_not_differ_from_itself() {
        let both: Vec<(Pair, Pair)> = pairs(6).into_iter().map(|pair| (pair, pair)).collect();
        for interval in paired_intervals(&both, SCALE, 50) {
            assert_eq!(interval, Some((0.0, 0.0)));
        }
    }
}
