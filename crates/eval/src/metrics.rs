//! How well a grader's scores agree with a person's. Pure functions of numbers; no texts come in here.
//!
//! Definitions are those of `RSMTool` 7 (Educational Testing Service), the usual toolkit for automated scoring,
//! unless a function says otherwise. All scores are shares of the maximum, 0..=1.

use std::collections::BTreeMap;

use crate::numbers::{count, mean};

/// A person's score and a grader's for the same answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// Number of the question that was answered.
    pub question: usize,
    /// The person's score.
    pub human: f64,
    /// The grader's score.
    pub machine: f64,
    /// How sure the grader says it is, 0..=1.
    pub confidence: Option<f64>,
}

/// By what scores are put into classes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// How many bands of equal distance the scores are rounded to: 2 knows only nothing and everything.
    pub bands: usize,
    /// From which score on an answer passes.
    pub pass: f64,
}

impl Scale {
    /// The band of a score, from 0: the score times (bands − 1), rounded half up.
    pub fn band(self, score: f64) -> usize {
        let steps = self.bands.saturating_sub(1);
        let place = score * count(steps) + 0.5 + 1e-9;
        (0..=steps)
            .rev()
            .find(|band| place >= count(*band))
            .unwrap_or(0)
    }

    /// Whether a score passes.
    pub fn passes(self, score: f64) -> bool {
        score + 1e-9 >= self.pass
    }

    /// Whether both say the same about passing.
    pub fn same_side(self, pair: &Pair) -> bool {
        self.passes(pair.human) == self.passes(pair.machine)
    }

    /// Whether both give the same band.
    pub fn same_band(self, pair: &Pair) -> bool {
        self.band(pair.human) == self.band(pair.machine)
    }

    /// How often which human band (row) met which machine band (column).
    pub fn confusion(self, pairs: &[Pair]) -> Vec<Vec<usize>> {
        let mut table = vec![vec![0; self.bands]; self.bands];
        for pair in pairs {
            let row = table.get_mut(self.band(pair.human));
            if let Some(cell) = row.and_then(|row| row.get_mut(self.band(pair.machine))) {
                *cell += 1;
            }
        }
        table
    }
}

/// The names of the figures of [`figures`], in its order.
pub const FIGURES: [&str; 14] = [
    "qwk",
    "qwk_mean_over_questions",
    "pearson",
    "pearson_mean_over_questions",
    "spearman",
    "rmse",
    "mae",
    "exact_agreement",
    "adjacent_agreement",
    "accuracy",
    "macro_f1",
    "smd",
    "ece",
    "auroc",
];

/// Every figure that has an interval; absent where the answers do not allow it (nothing varies, nobody is sure).
pub fn figures(pairs: &[Pair], scale: Scale) -> [Option<f64>; FIGURES.len()] {
    let confusion = scale.confusion(pairs);
    let (human, machine): (Vec<f64>, Vec<f64>) =
        pairs.iter().map(|pair| (pair.human, pair.machine)).unzip();
    let differences: Vec<f64> = pairs.iter().map(|pair| pair.machine - pair.human).collect();
    let squares: Vec<f64> = differences.iter().map(|d| d * d).collect();
    let absolutes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
    let sure = confident(pairs, |pair| scale.same_side(pair));
    [
        quadratic_weighted_kappa(&confusion),
        over_questions(pairs, |own| quadratic_weighted_kappa(&scale.confusion(own))),
        pearson(&human, &machine),
        over_questions(pairs, |own| {
            let (human, machine): (Vec<f64>, Vec<f64>) =
                own.iter().map(|pair| (pair.human, pair.machine)).unzip();
            pearson(&human, &machine)
        }),
        pearson(&ranks(&human), &ranks(&machine)),
        mean(&squares).map(f64::sqrt),
        mean(&absolutes),
        agreement(&confusion, 0),
        agreement(&confusion, 1),
        share(pairs, |pair| scale.same_side(pair)),
        macro_f1(pairs, scale),
        standardised_mean_difference(&human, &machine),
        expected_calibration_error(&sure),
        auroc(&sure),
    ]
}

/// The share of pairs of which something is true.
pub fn share(pairs: &[Pair], is: impl Fn(&Pair) -> bool) -> Option<f64> {
    let yes = pairs.iter().filter(|pair| is(pair)).count();
    (!pairs.is_empty()).then(|| count(yes) / count(pairs.len()))
}

/// The mean of a figure over the questions that have it.
fn over_questions(pairs: &[Pair], figure: impl Fn(&[Pair]) -> Option<f64>) -> Option<f64> {
    let found: Vec<f64> = by_question(pairs)
        .values()
        .filter_map(|own| figure(own))
        .collect();
    mean(&found)
}

/// The pairs of each question.
pub fn by_question(pairs: &[Pair]) -> BTreeMap<usize, Vec<Pair>> {
    let mut questions: BTreeMap<usize, Vec<Pair>> = BTreeMap::new();
    for pair in pairs {
        questions.entry(pair.question).or_default().push(*pair);
    }
    questions
}

/// Cohen's kappa with quadratic weights, 1 − Σwᵢⱼ·Oᵢⱼ / Σwᵢⱼ·Eᵢⱼ; absent where no disagreement is to be expected.
pub fn quadratic_weighted_kappa(confusion: &[Vec<usize>]) -> Option<f64> {
    let total = count(confusion.iter().flatten().sum());
    let rows: Vec<f64> = confusion
        .iter()
        .map(|row| count(row.iter().sum()))
        .collect();
    let columns: Vec<f64> = (0..confusion.len())
        .map(|at| count(confusion.iter().filter_map(|row| row.get(at)).sum()))
        .collect();
    let (mut observed, mut expected) = (0.0, 0.0);
    for (i, (row, of_row)) in confusion.iter().zip(&rows).enumerate() {
        for (j, (cell, of_column)) in row.iter().zip(&columns).enumerate() {
            let distance = count(i.abs_diff(j));
            observed += distance * distance * count(*cell);
            expected += distance * distance * of_row * of_column / total;
        }
    }
    (expected > 0.0).then(|| 1.0 - observed / expected)
}

/// The share of pairs whose bands are at most `apart` apart.
fn agreement(confusion: &[Vec<usize>], apart: usize) -> Option<f64> {
    let total: usize = confusion.iter().flatten().sum();
    let near: usize = confusion
        .iter()
        .enumerate()
        .flat_map(|(i, row)| row.iter().enumerate().map(move |(j, cell)| (i, j, cell)))
        .filter(|(i, j, _)| i.abs_diff(*j) <= apart)
        .map(|(_, _, cell)| cell)
        .sum();
    (total > 0).then(|| count(near) / count(total))
}

/// Pearson's correlation; absent where one side does not vary.
pub fn pearson(one: &[f64], other: &[f64]) -> Option<f64> {
    let (mean_one, mean_other) = (mean(one)?, mean(other)?);
    let (mut both, mut squares_one, mut squares_other) = (0.0, 0.0, 0.0);
    for (a, b) in one.iter().zip(other) {
        let (a, b) = (a - mean_one, b - mean_other);
        both += a * b;
        squares_one += a * a;
        squares_other += b * b;
    }
    let product: f64 = squares_one * squares_other;
    (product > 1e-18).then(|| both / product.sqrt())
}

/// Ranks from 1; equal numbers share the mean of their ranks, as Spearman's correlation wants it.
pub fn ranks(numbers: &[f64]) -> Vec<f64> {
    let mut order: Vec<(usize, f64)> = numbers.iter().copied().enumerate().collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut ranks = vec![0.0; numbers.len()];
    let mut before = 0;
    for tied in order.chunk_by(|a, b| a.1.total_cmp(&b.1).is_eq()) {
        let rank = count(before) + f64::midpoint(count(tied.len()), 1.0);
        for (at, _) in tied {
            if let Some(place) = ranks.get_mut(*at) {
                *place = rank;
            }
        }
        before += tied.len();
    }
    ranks
}

/// The mean of the F1 of passing and the F1 of failing; a class that neither side names is left out.
fn macro_f1(pairs: &[Pair], scale: Scale) -> Option<f64> {
    let of_class = |wanted: bool| {
        let (mut both, mut either) = (0, 0);
        for pair in pairs {
            let human = scale.passes(pair.human) == wanted;
            let machine = scale.passes(pair.machine) == wanted;
            both += usize::from(human && machine);
            either += usize::from(human) + usize::from(machine);
        }
        (either > 0).then(|| 2.0 * count(both) / count(either))
    };
    let found: Vec<f64> = [true, false].into_iter().filter_map(of_class).collect();
    mean(&found)
}

/// The standard deviation of a sample (n − 1).
pub fn deviation(numbers: &[f64]) -> Option<f64> {
    let middle = mean(numbers)?;
    let squares: f64 = numbers.iter().map(|n| (n - middle) * (n - middle)).sum();
    (numbers.len() > 1).then(|| (squares / (count(numbers.len()) - 1.0)).sqrt())
}

/// (mean of the machine − mean of the person) / deviation of the person's scores.
fn standardised_mean_difference(human: &[f64], machine: &[f64]) -> Option<f64> {
    let deviation = deviation(human).filter(|deviation| *deviation > 1e-9)?;
    Some((mean(machine)? - mean(human)?) / deviation)
}

/// The difference between standardised means of a group: the mean of z(machine) − z(person), both by means and
/// deviations of `all`. A grader that is equally strict to everybody has 0 in every group.
pub fn difference_of_standardised_means(all: &[Pair], group: &[Pair]) -> Option<f64> {
    let standards = |of: fn(&Pair) -> f64| {
        let numbers: Vec<f64> = all.iter().map(of).collect();
        let deviation = deviation(&numbers).filter(|deviation| *deviation > 1e-9)?;
        Some((mean(&numbers)?, deviation))
    };
    let (human_mean, human_deviation) = standards(|pair| pair.human)?;
    let (machine_mean, machine_deviation) = standards(|pair| pair.machine)?;
    let differences: Vec<f64> = group
        .iter()
        .map(|pair| {
            (pair.machine - machine_mean) / machine_deviation
                - (pair.human - human_mean) / human_deviation
        })
        .collect();
    mean(&differences)
}

/// The standardised mean difference of a group, by the deviation of everybody's human scores.
pub fn group_difference(all: &[Pair], group: &[Pair]) -> Option<f64> {
    let human: Vec<f64> = all.iter().map(|pair| pair.human).collect();
    let deviation = deviation(&human).filter(|deviation| *deviation > 1e-9)?;
    let differences: Vec<f64> = group.iter().map(|pair| pair.machine - pair.human).collect();
    Some(mean(&differences)? / deviation)
}

/// How sure the grader was, and whether it was right, of each answer where it said so.
pub fn confident(pairs: &[Pair], right: impl Fn(&Pair) -> bool) -> Vec<(f64, bool)> {
    pairs
        .iter()
        .filter_map(|pair| Some((pair.confidence?, right(pair))))
        .collect()
}

/// Bins of the calibration: how sure on average, how often right, of how many.
pub fn calibration(sure: &[(f64, bool)]) -> Vec<(f64, f64, usize)> {
    // The last bin is closed at 1.
    let bin_of = |confidence: f64| {
        (0..10)
            .rev()
            .find(|bin| confidence * 10.0 + 1e-9 >= count(*bin))
    };
    (0..10)
        .filter_map(|bin| {
            let found: Vec<&(f64, bool)> = sure
                .iter()
                .filter(|(c, _)| bin_of(*c) == Some(bin))
                .collect();
            let said: Vec<f64> = found.iter().map(|(confidence, _)| *confidence).collect();
            let right = found.iter().filter(|(_, right)| *right).count();
            Some((mean(&said)?, count(right) / count(found.len()), found.len()))
        })
        .collect()
}

/// Expected calibration error over ten bins of equal width: Σ nᵦ/n · |rightᵦ − sureᵦ|.
pub fn expected_calibration_error(sure: &[(f64, bool)]) -> Option<f64> {
    let total = count(sure.len());
    let error: f64 = calibration(sure)
        .iter()
        .map(|(said, right, of)| count(*of) / total * (said - right).abs())
        .sum();
    (!sure.is_empty()).then_some(error)
}

/// The chance that the grader was surer of a right score than of a wrong one; a tie counts half.
pub fn auroc(sure: &[(f64, bool)]) -> Option<f64> {
    let said: Vec<f64> = sure.iter().map(|(confidence, _)| *confidence).collect();
    let right = sure.iter().filter(|(_, right)| *right).count();
    let wrong = sure.len() - right;
    if right == 0 || wrong == 0 {
        return None;
    }
    let of_right: f64 = ranks(&said)
        .iter()
        .zip(sure)
        .filter(|(_, (_, right))| *right)
        .map(|(rank, _)| rank)
        .sum();
    let least = count(right) * (count(right) + 1.0) / 2.0;
    Some((of_right - least) / (count(right) * count(wrong)))
}

/// How often the grader is right on the most certain tenth, two tenths, …, of the answers. Answers it is equally
/// sure of come together, so a point's share may be more than was asked for.
pub fn coverage(sure: &[(f64, bool)]) -> Vec<(f64, f64)> {
    let mut sorted = sure.to_vec();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let total = sorted.len();
    let mut curve: Vec<(f64, f64)> = Vec::new();
    for tenth in 1..=10 {
        let Some(least) = (total * tenth / 10)
            .checked_sub(1)
            .and_then(|at| sorted.get(at))
            .map(|(confidence, _)| *confidence)
        else {
            continue;
        };
        let taken: Vec<_> = sorted.iter().take_while(|(c, _)| *c >= least).collect();
        let right = taken.iter().filter(|(_, right)| *right).count();
        let point = (
            count(taken.len()) / count(total),
            count(right) / count(taken.len()),
        );
        if curve.last() != Some(&point) {
            curve.push(point);
        }
    }
    curve
}

#[cfg(test)]
mod tests;
