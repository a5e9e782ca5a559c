//! From measures to a probability that an answer states what a reference states.
//!
//! Constants in [`super::constants`]. Logarithm and exponential come from a library, not from the machine, so that
//! every machine gets the same bits.

use super::constants::{FLOOR, RAMP, WEIGHTS};
use super::similarity::{Measures, Weighed, Words, measure, weights};
use crate::numbers::{count, share};

/// How well an answer covers a reference.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Scored {
    /// 0 to 1, four decimals.
    pub(crate) probability: f64,
    /// The similarity s, four decimals.
    pub(crate) similarity: f64,
    /// The measures they come from.
    pub(crate) measures: Measures,
}

/// A text that is held against references: its words, and what each counts given the question.
pub(crate) struct Text {
    pub(crate) words: Words,
    weights: Vec<f64>,
    new: f64,
}

impl Text {
    pub(crate) fn new(words: Words, question: &Words) -> Self {
        Self {
            weights: weights(&words, question),
            new: share_of_new(&words, question),
            words,
        }
    }

    fn weighed(&self) -> Weighed<'_> {
        Weighed {
            words: &self.words,
            weights: &self.weights,
        }
    }
}

/// A reference, and all that does not depend on the answer.
pub(crate) struct Reference {
    pub(crate) text: Text,
    /// The part of z that all answers to it share.
    base: f64,
}

impl Reference {
    /// Prepares a reference, one of `references` for the same thing.
    pub(crate) fn new(words: Words, question: &Words, references: usize) -> Self {
        let text = Text::new(words, question);
        let asked = Text::new(question.clone(), question);
        // What the question itself would earn: what parroting earns.
        let parroting = measure(text.weighed(), asked.weighed()).similarity();
        let w = WEIGHTS;
        let base = w.intercept
            + w.parroting * parroting
            + w.reference_length * length(&text.words)
            + w.references * libm::log(count(references.max(1)))
            + w.new_in_reference * text.new;
        Self { text, base }
    }

    /// Scores an answer, or a passage of one.
    pub(crate) fn score(&self, answer: &Text) -> Scored {
        let measures = measure(self.text.weighed(), answer.weighed());
        let similarity = measures.similarity();
        let w = WEIGHTS;
        let z = self.base
            + w.similarity * similarity
            + w.recall * measures.recall
            + w.precision * measures.precision
            + w.trigrams * measures.trigrams
            + w.order * measures.order
            + w.pairs * measures.pairs
            + w.numbers * measures.numbers
            + w.negation * measures.negation
            + w.answer_length * length(&answer.words)
            + w.new_in_answer * answer.new;
        // What has next to nothing in common with the reference gets nothing, however long it is.
        let ramp = ((similarity - FLOOR) / RAMP).clamp(0.0, 1.0);
        Scored {
            probability: four_decimals(ramp / (1.0 + libm::exp(-z))),
            similarity: four_decimals(similarity),
            measures,
        }
    }
}

/// The share of distinct stems that the question does not have.
pub(crate) fn share_of_new(words: &Words, question: &Words) -> f64 {
    let new = words.distinct().filter(|stem| !question.has(stem)).count();
    share(new, words.distinct().count())
}

/// Rounded, so that nothing finer is ever compared or stored.
pub(crate) fn four_decimals(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

fn length(words: &Words) -> f64 {
    libm::log(1.0 + count(words.stems.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    /// Computed by hand from the formula, to pin each of its terms.
    #[test]
    fn the_formula_is_that_of_the_version() {
        let words = |text| Words::of(text, Language::English);
        let question = words("What is a vacuum?");
        let reference = Reference::new(words("empty space"), &question, 2);
        let scored = reference.score(&Text::new(words("empty space"), &question));
        // The question shares no word and no trigram with the reference: s = 0 for it.
        let z = 0.01 + 2.29 + 0.36 + 0.70 + 1.30 + 0.19 - 0.11 + 0.11 - 0.60 * 3_f64.ln()
            + 0.41 * 3_f64.ln()
            - 0.75 * 2_f64.ln()
            - 1.48
            + 0.12;
        let expected = 1.0 / (1.0 + (-z).exp());
        assert!(
            (scored.probability - expected).abs() < 6e-5,
            "{scored:?} {expected}"
        );
        assert!((scored.similarity - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_shares_next_to_nothing_gets_nothing() {
        let words = |text| Words::of(text, Language::English);
        let question = words("What is a vacuum?");
        let reference = Reference::new(words("empty space"), &question, 1);
        let other = Text::new(words("my brother bought lilac, yoghurt"), &question);
        assert!(reference.score(&other).probability < 1e-9);
    }
}
