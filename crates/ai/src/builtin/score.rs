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
    /// What the question itself would earn: what parroting earns.
    parroting: f64,
    /// How many references there are for the same thing.
    references: usize,
}

/// What the regression weighs, in the order of [`WEIGHTS`].
pub(crate) type Features = [f64; WEIGHTS.len()];

impl Reference {
    /// Prepares a reference, one of `references` for the same thing.
    pub(crate) fn new(words: Words, question: &Words, references: usize) -> Self {
        let text = Text::new(words, question);
        let asked = Text::new(question.clone(), question);
        Self {
            parroting: measure(text.weighed(), asked.weighed()).similarity(),
            text,
            references: references.max(1),
        }
    }

    /// Scores an answer, or a passage of one.
    pub(crate) fn score(&self, answer: &Text) -> Scored {
        let measures = measure(self.text.weighed(), answer.weighed());
        let similarity = measures.similarity();
        let features = self.features(&measures, answer);
        let weighed = features.iter().zip(WEIGHTS);
        let z: f64 = weighed.map(|(feature, (_, weight))| feature * weight).sum();
        Scored {
            probability: four_decimals(
                credible(&measures) * self.stands(&measures, answer) / (1.0 + libm::exp(-z)),
            ),
            similarity: four_decimals(similarity),
            measures,
        }
    }

    /// What is left of an answer that denies in so many words what the reference says (*it is wrong to say that*), or the other
    /// way round: the share of it that stands on the same side. No learner answered so, so no weight was ever fitted to it.
    fn stands(&self, measures: &Measures, answer: &Text) -> f64 {
        if self.text.words.denies == answer.words.denies {
            1.0
        } else {
            1.0 - measures.negation
        }
    }

    /// What is known about an answer to this reference.
    pub(crate) fn features(&self, measures: &Measures, answer: &Text) -> Features {
        [
            1.0,
            measures.similarity(),
            measures.recall,
            measures.precision,
            measures.trigrams,
            measures.order,
            measures.pairs,
            measures.numbers,
            measures.negation,
            self.parroting,
            length(&self.text.words),
            length(&answer.words),
            libm::log(count(self.references)),
            self.text.new,
            answer.new,
            measures.opposed,
            measures.new_recall.unwrap_or(0.0),
            if measures.new_recall.is_none() {
                1.0
            } else {
                0.0
            },
            self.text.words.negated(),
            answer.words.negated(),
        ]
    }

    /// The measures of an answer.
    #[cfg(test)]
    pub(crate) fn measures(&self, answer: &Text) -> Measures {
        measure(self.text.weighed(), answer.weighed())
    }
}

/// The share of a probability that stands: none where not one word is shared, or next to nothing, however long the text is.
fn credible(measures: &Measures) -> f64 {
    if measures.recall <= 0.0 {
        return 0.0;
    }
    ((measures.similarity() - FLOOR) / RAMP).clamp(0.0, 1.0)
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
        let z = -1.20 + 1.51 - 0.28 + 0.72 + 0.91 + 0.77 + 0.17 + 0.05 - 0.61 * 3_f64.ln()
            + 0.57 * 3_f64.ln()
            - 0.81 * 2_f64.ln()
            - 0.49
            - 0.01
            + 1.33;
        let expected = 1.0 / (1.0 + (-z).exp());
        assert!(
            (scored.probability - expected).abs() < 6e-5,
            "{scored:?} {expected}"
        );
        assert!((scored.similarity - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_right_answer_that_is_denied_gets_nothing() {
        let words = |text: &str| Words::of(text, Language::English);
        let question = words("What is a vacuum?");
        let reference = Reference::new(words("A vacuum is empty space without air"), &question, 1);
        let score = |text: &str| {
            reference
                .score(&Text::new(words(text), &question))
                .probability
        };
        let right = "a vacuum is empty space without air";
        assert!(score(right) > 0.5);
        assert!(score(&format!("It is wrong to say that {right}")) < 1e-9);
        assert!(score(&format!("{right}. That is not true.")) < 1e-9);
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
