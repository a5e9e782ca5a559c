//! One criterion: how much of what it expects a submission has.
//!
//! Pure functions over words; points, levels and sentences for people are made elsewhere.

use super::expected::{Expected, KeyPoint, Source};
use super::reading::Reading;
use super::score::{Scored, four_decimals};
use super::similarity::Words;
use crate::words::Pointer;

/// From this share of the highest similarity on a reference speaks of the same as the text.
const NEAR: f64 = 0.7;

/// What was found for one criterion.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct CriterionMatch {
    /// How much of it is there, 0 to 1, four decimals; before any anchor is looked at.
    pub(crate) probability: f64,
    /// The similarity s, four decimals.
    pub(crate) similarity: f64,
    /// Weighted share of the expected words that are there.
    pub(crate) recall: f64,
    /// Share of the matched words that are negated on one side only.
    pub(crate) negation: f64,
    /// Weighted share of the text's words that are expected.
    pub(crate) precision: f64,
    /// Share of the reference's neighbouring word pairs that are there.
    pub(crate) pairs: f64,
    /// Share of the common words that stand in the same order, and how many there are.
    pub(crate) kept: f64,
    pub(crate) common: usize,
    /// Share of the opposites that point the other way.
    pub(crate) opposed: f64,
    /// Whether the model answers that the text is most like in its words say the contrary.
    pub(crate) contradicted: bool,
    /// How many content words the reference has.
    pub(crate) length: usize,
    /// Which model answer it was held against.
    pub(crate) reference: usize,
}

/// Holds a submission against what is expected; nothing said and nothing expected give nothing.
pub(crate) fn find(expected: &Expected, reading: &Reading<'_>) -> CriterionMatch {
    if reading.blank {
        return CriterionMatch::default();
    }
    match expected.source {
        Source::Answers | Source::OwnWords => best_answer(expected, reading),
        Source::Points => all_points(&expected.points, reading),
        Source::Nothing => CriterionMatch::default(),
    }
}

/// The reference that the whole text is most like and does not contradict; the first of equals.
fn best_answer(expected: &Expected, reading: &Reading<'_>) -> CriterionMatch {
    let mut best: Option<CriterionMatch> = None;
    let mut nearest = 0.0;
    let mut held = Vec::new();
    for (index, (_, reference)) in expected.answers.iter().enumerate() {
        let scored = reference.score(&reading.whole);
        let likeness = scored.measures.likeness();
        held.push((scored.measures.similarity(), &reference.text.words));
        if best.is_none() || likeness > nearest {
            nearest = likeness;
            best = Some(CriterionMatch {
                length: reference.text.words.stems.len(),
                reference: index,
                ..found(scored)
            });
        }
    }
    CriterionMatch {
        contradicted: is_contradicted(&held, &reading.whole.words),
        ..best.unwrap_or_default()
    }
}

/// Whether a reference of nearly the same words names the other one of two opposites than the text, and none agrees with it.
/// The one that a text is held against is chosen among those that it does not contradict, and so may be of other words.
fn is_contradicted(held: &[(f64, &Words)], said: &Words) -> bool {
    let nearest = held.iter().map(|(similarity, _)| *similarity);
    let nearest = nearest.fold(0.0, f64::max);
    let near = held
        .iter()
        .filter(|(similarity, _)| *similarity >= NEAR * nearest);
    let wanted: Vec<Pointer> = near
        .flat_map(|(_, words)| words.pointers.iter().copied())
        .collect();
    let is_contrary = |given: &Pointer| {
        let on_axis = || wanted.iter().filter(|one| one.pole.axis == given.pole.axis);
        let agrees = |one: &Pointer| (one.named != one.denied) == (given.named != given.denied);
        on_axis().any(|one| one.named != given.named && one.denied == given.denied)
            && !on_axis().any(agrees)
    };
    said.pointers.iter().any(is_contrary)
}

fn found(scored: Scored) -> CriterionMatch {
    CriterionMatch {
        probability: scored.probability,
        similarity: scored.similarity,
        recall: scored.measures.recall,
        negation: scored.measures.negation,
        precision: scored.measures.precision,
        pairs: scored.measures.pairs,
        kept: scored.measures.kept,
        common: scored.measures.common,
        opposed: scored.measures.opposed,
        contradicted: false,
        length: 0,
        reference: 0,
    }
}

/// The mean over the key points by their weights, each in the passage that is most like it.
fn all_points(points: &[KeyPoint], reading: &Reading<'_>) -> CriterionMatch {
    let mut sum = CriterionMatch::default();
    let mut weights = 0.0;
    for point in points {
        let scored = best_window(point, reading);
        weights += point.weight;
        sum.probability += point.weight * scored.probability;
        sum.similarity += point.weight * scored.similarity;
        sum.recall += point.weight * scored.measures.recall;
        sum.negation += point.weight * scored.measures.negation;
        sum.precision += point.weight * scored.measures.precision;
        sum.pairs += point.weight * scored.measures.pairs;
        sum.kept += point.weight * scored.measures.kept;
        sum.common += scored.measures.common;
        sum.opposed += point.weight * scored.measures.opposed;
        sum.length += point.reference.text.words.stems.len();
    }
    if weights <= 0.0 {
        return CriterionMatch::default();
    }
    CriterionMatch {
        probability: four_decimals(sum.probability / weights),
        similarity: four_decimals(sum.similarity / weights),
        recall: sum.recall / weights,
        negation: sum.negation / weights,
        precision: sum.precision / weights,
        pairs: sum.pairs / weights,
        kept: sum.kept / weights,
        opposed: sum.opposed / weights,
        ..sum
    }
}

/// The run of sentences that says most of a key point; the first of equals.
pub(crate) fn best_window(point: &KeyPoint, reading: &Reading<'_>) -> Scored {
    let mut best = Scored::default();
    for window in &reading.windows {
        let scored = point.reference.score(window);
        if scored.similarity > best.similarity {
            best = scored;
        }
    }
    best
}
