//! From measures to a probability that an answer states what a reference states.
//!
//! The constants were fitted by logistic regression on the training parts of two public short-answer
//! collections; nothing here was fitted to the examples of this repository.

use super::similarity::{Measures, Words, count, measure, share};
use crate::words::{Stem, distinct};

/// How well an answer covers a reference.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Scored {
    /// 0 to 1.
    pub(crate) probability: f64,
    /// The measures it comes from.
    pub(crate) measures: Measures,
}

/// What all answers to one reference share.
pub(crate) struct Context<'a> {
    reference: &'a Words,
    question: &'a Words,
    /// What the question itself would score: what parroting earns.
    parroting: f64,
    new_in_reference: f64,
    references: f64,
}

impl<'a> Context<'a> {
    /// Prepares a reference, one of `references` for the same thing.
    pub(crate) fn new(reference: &'a Words, question: &'a Words, references: usize) -> Self {
        Self {
            reference,
            question,
            parroting: measure(reference, question, &Words::new(Vec::new())).overall(),
            new_in_reference: share_of_new(&reference.stems, question),
            references: count(references.max(1)).ln(),
        }
    }

    /// Scores an answer, or a passage of one.
    pub(crate) fn score(&self, answer: &Words) -> Scored {
        let measures = measure(self.reference, answer, self.question);
        let similarity = measures.overall();
        let z = 0.01
            + 2.29 * similarity
            + 0.36 * measures.recall
            + 0.70 * measures.precision
            + 1.30 * measures.trigrams
            + 0.19 * measures.order
            - 0.11 * measures.pairs
            + 0.11 * measures.numbers
            - 1.07 * measures.negation
            - 2.57 * self.parroting
            - 0.60 * length(self.reference)
            + 0.41 * length(answer)
            - 0.75 * self.references
            - 1.48 * self.new_in_reference
            + 0.12 * share_of_new(&answer.stems, self.question);
        // What has next to nothing in common with the reference gets nothing, however long it is.
        let floor = ((similarity - 0.03) / 0.12).clamp(0.0, 1.0);
        Scored {
            probability: floor / (1.0 + (-z).exp()),
            measures,
        }
    }
}

/// The share of distinct stems that the question does not have.
pub(crate) fn share_of_new(stems: &[Stem], question: &Words) -> f64 {
    let all = distinct(stems);
    let new = all
        .iter()
        .filter(|stem| question.stems.iter().all(|asked| asked.text != stem.text))
        .count();
    share(new, all.len())
}

fn length(words: &Words) -> f64 {
    (1.0 + count(words.stems.len())).ln()
}
