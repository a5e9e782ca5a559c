//! The regression's weights, fitted anew on the training splits of `tests/data`: those in [`super::constants`] are these,
//! rounded, and nothing else. Whoever changes a word list, a measure or a feature learns here that the weights do not belong
//! to it any more, and which ones would.

use super::constants::WEIGHTS;
use super::figures::{Corpus, semeval};
use super::score::Features;

/// Inverse strength of the penalty on standardised weights.
const C: f64 = 0.03;
/// What a right answer counts, a wrong one being 1: macro-F1 weighs both sides alike, and fewer answers are right.
const RIGHT_COUNTS: f64 = 1.2;
const STEPS: usize = 30;
const N: usize = WEIGHTS.len();

/// An answer as the regression sees it.
struct Sample {
    features: Features,
    right: f64,
}

fn samples(corpus: &Corpus) -> Vec<Sample> {
    let said = corpus.answers.iter().filter(|answer| !answer.blank);
    said.map(|answer| Sample {
        features: corpus.features(answer),
        right: answer.given,
    })
    .collect()
}

/// Mean and standard deviation of each feature; the first is the constant 1, which is left as it is.
fn scales(samples: &[Sample]) -> [(f64, f64); N] {
    let n = crate::numbers::count(samples.len());
    let mut scales = [(0.0, 1.0); N];
    for (at, scale) in scales.iter_mut().enumerate().skip(1) {
        let values = || samples.iter().map(|sample| sample.features[at]);
        let mean = values().sum::<f64>() / n;
        let variance = values().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
        *scale = (mean, variance.sqrt().max(1e-9));
    }
    scales
}

/// Logistic regression with a squared penalty, by Newton's method (iteratively reweighted least squares).
fn fitted(samples: &[Sample]) -> [f64; N] {
    let scales = scales(samples);
    let standard = |sample: &Sample| -> Features {
        std::array::from_fn(|at| (sample.features[at] - scales[at].0) / scales[at].1)
    };
    let rows: Vec<(Features, f64)> = samples
        .iter()
        .map(|sample| (standard(sample), sample.right))
        .collect();
    let mut weights = [0.0; N];
    for _ in 0..STEPS {
        let step = newton(&rows, &weights);
        for (weight, step) in weights.iter_mut().zip(step) {
            *weight -= step;
        }
    }
    let mut raw: [f64; N] = std::array::from_fn(|at| weights[at] / scales[at].1);
    raw[0] -= (1..N).map(|at| raw[at] * scales[at].0).sum::<f64>();
    raw
}

fn newton(rows: &[(Features, f64)], weights: &[f64; N]) -> [f64; N] {
    let mut hessian = [[0.0; N]; N];
    let mut gradient = [0.0; N];
    for (row, right) in rows {
        let z: f64 = row.iter().zip(weights).map(|(x, weight)| x * weight).sum();
        let p = 1.0 / (1.0 + libm::exp(-z));
        let counts = if *right > 0.5 { RIGHT_COUNTS } else { 1.0 };
        for ((gradient, hessian), x) in gradient.iter_mut().zip(&mut hessian).zip(row) {
            *gradient += counts * x * (p - right);
            for (cell, y) in hessian.iter_mut().zip(row) {
                *cell += counts * x * y * p * (1.0 - p);
            }
        }
    }
    for at in 1..N {
        hessian[at][at] += 1.0 / C;
        gradient[at] += weights[at] / C;
    }
    solved(hessian, gradient)
}

/// The solution of a system of linear equations, by elimination with pivots.
fn solved(mut rows: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for at in 0..N {
        let pivot = (at..N)
            .max_by(|a, b| rows[*a][at].abs().total_cmp(&rows[*b][at].abs()))
            .unwrap();
        rows.swap(at, pivot);
        right.swap(at, pivot);
        let (pivot, solved) = (rows[at], right[at]);
        for (row, right) in rows.iter_mut().zip(&mut right).skip(at + 1) {
            let factor = row[at] / pivot[at];
            for (cell, value) in row.iter_mut().zip(pivot).skip(at) {
                *cell -= factor * value;
            }
            *right -= factor * solved;
        }
    }
    let mut found = [0.0; N];
    for at in (0..N).rev() {
        let after = rows[at].iter().zip(found).skip(at + 1);
        let known: f64 = after.map(|(factor, found)| factor * found).sum();
        found[at] = (right[at] - known) / rows[at][at];
    }
    found
}

#[test]
fn the_weights_are_those_of_the_training_splits() {
    let found = fitted(&samples(&semeval()));
    let far: Vec<String> = WEIGHTS
        .iter()
        .zip(found)
        .filter(|((_, pinned), found)| (pinned - found).abs() > 0.0051)
        .map(|((name, pinned), found)| format!("{name}: {pinned} is pinned, {found:.2} fits"))
        .collect();
    assert!(far.is_empty(), "{far:#?}");
}
