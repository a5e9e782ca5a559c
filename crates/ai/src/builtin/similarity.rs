//! How alike two word sequences are: word matches, shares, trigrams, order, negation.
//!
//! Measures only. How much each of them counts is decided in [`super::score`].

use std::collections::BTreeMap;

use crate::words::{Stem, distinct};

/// What a word that also stands in the question counts: saying it again proves little.
const DEMOTED: f64 = 0.25;

/// Words compared with one another.
pub(crate) struct Words {
    pub(crate) stems: Vec<Stem>,
    trigrams: BTreeMap<[char; 3], f64>,
    norm: f64,
}

impl Words {
    pub(crate) fn new(stems: Vec<Stem>) -> Self {
        let trigrams = trigrams(&stems);
        let norm = trigrams.values().map(|count| count * count).sum::<f64>();
        Self {
            stems,
            trigrams,
            norm: norm.sqrt(),
        }
    }

    /// Whether one of the words matches well.
    pub(crate) fn contains(&self, stem: &Stem) -> bool {
        best_match(stem, &self.stems).is_some()
    }
}

/// The measures between a reference and an answer, each 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Measures {
    /// Weighted share of the reference's words that the answer has.
    pub(crate) recall: f64,
    /// Weighted share of the answer's words that the reference has.
    pub(crate) precision: f64,
    /// Cosine of character trigram counts.
    pub(crate) trigrams: f64,
    /// Longest common subsequence over the reference's length.
    pub(crate) order: f64,
    /// Share of the reference's word pairs that the answer has.
    pub(crate) pairs: f64,
    /// Share of the reference's numbers that the answer has; the recall if it has none.
    pub(crate) numbers: f64,
    /// Share of the matched weight that is negated on one side only.
    pub(crate) negation: f64,
}

impl Measures {
    /// The one number references and passages are chosen by.
    pub(crate) fn overall(&self) -> f64 {
        let sum = self.recall + self.precision;
        let f1 = if sum > 0.0 {
            2.0 * self.recall * self.precision / sum
        } else {
            0.0
        };
        0.4 * self.recall + 0.3 * f1 + 0.3 * self.trigrams
    }
}

/// Compares an answer with a reference; words of the question count less.
pub(crate) fn measure(reference: &Words, answer: &Words, question: &Words) -> Measures {
    if reference.stems.is_empty() || answer.stems.is_empty() {
        return Measures::default();
    }
    let weight = |stem: &Stem| {
        let asked = question.stems.iter().any(|word| word.text == stem.text);
        if asked { DEMOTED } else { 1.0 }
    };
    let (recall, negation) = recall(reference, answer, weight);
    let (precision, _) = self::recall(answer, reference, weight);
    Measures {
        recall,
        precision,
        trigrams: cosine(reference, answer),
        order: order(&reference.stems, &answer.stems),
        pairs: pairs(&reference.stems, &answer.stems),
        numbers: numbers(reference, answer).unwrap_or(recall),
        negation,
    }
}

/// How well two words match, 0 to 1: the same stem, a prefix, or a slip of the pen.
pub(crate) fn word_match(a: &Stem, b: &Stem) -> f64 {
    if a.text == b.text {
        return 1.0;
    }
    if a.number || b.number || a.text.chars().next() != b.text.chars().next() {
        return 0.0;
    }
    let (long, short) = if a.text.len() >= b.text.len() {
        (&a.text, &b.text)
    } else {
        (&b.text, &a.text)
    };
    let short_length = short.chars().count();
    if short_length >= 5 && long.starts_with(short.as_str()) {
        return 0.9;
    }
    if short_length < 5 || long.chars().count() > short_length + 2 {
        return 0.0;
    }
    match edits(long, short) {
        1 => 0.9,
        2 if short_length >= 8 => 0.8,
        _ => 0.0,
    }
}

/// The best match among candidates and how good it is, if there is any.
fn best_match<'a>(stem: &Stem, candidates: &'a [Stem]) -> Option<(f64, &'a Stem)> {
    let mut best: Option<(f64, &Stem)> = None;
    for candidate in candidates {
        let found = word_match(stem, candidate);
        let same_sign = candidate.negated == stem.negated;
        let better = best.is_none_or(|(so_far, chosen)| {
            found > so_far || (found >= so_far && same_sign && chosen.negated != stem.negated)
        });
        if found > 0.0 && better {
            best = Some((found, candidate));
        }
    }
    best
}

fn recall(wanted: &Words, given: &Words, weight: impl Fn(&Stem) -> f64) -> (f64, f64) {
    let (mut all, mut matched, mut opposite) = (0.0, 0.0, 0.0);
    for stem in distinct(&wanted.stems) {
        let weight = weight(stem);
        all += weight;
        if let Some((found, partner)) = best_match(stem, &given.stems) {
            matched += weight * found;
            if partner.negated != stem.negated {
                opposite += weight * found;
            }
        }
    }
    let negation = if matched > 0.0 {
        opposite / matched
    } else {
        0.0
    };
    let recall = if all > 0.0 { matched / all } else { 0.0 };
    (recall, negation)
}

fn numbers(reference: &Words, answer: &Words) -> Option<f64> {
    let wanted: Vec<&Stem> = distinct(&reference.stems)
        .into_iter()
        .filter(|stem| stem.number)
        .collect();
    let found = wanted.iter().filter(|stem| answer.contains(stem)).count();
    (!wanted.is_empty()).then(|| share(found, wanted.len()))
}

fn pairs(reference: &[Stem], answer: &[Stem]) -> f64 {
    let wanted: Vec<_> = reference.iter().zip(reference.iter().skip(1)).collect();
    let found = wanted
        .iter()
        .filter(|(first, second)| {
            answer
                .iter()
                .zip(answer.iter().skip(1))
                .any(|(a, b)| a.text == first.text && b.text == second.text)
        })
        .count();
    share(found, wanted.len())
}

fn order(reference: &[Stem], answer: &[Stem]) -> f64 {
    let mut row = vec![0_usize; answer.len() + 1];
    for wanted in reference {
        let mut diagonal = 0;
        let mut left = 0;
        for (cell, given) in row.iter_mut().skip(1).zip(answer) {
            let above = *cell;
            *cell = if wanted.text == given.text {
                diagonal + 1
            } else {
                above.max(left)
            };
            diagonal = above;
            left = *cell;
        }
    }
    share(row.last().copied().unwrap_or(0), reference.len())
}

fn trigrams(stems: &[Stem]) -> BTreeMap<[char; 3], f64> {
    let mut counts = BTreeMap::new();
    let mut last = [' ', ' ', ' '];
    let letters = stems.iter().flat_map(|stem| stem.text.chars().chain([' ']));
    for letter in letters {
        let [_, second, third] = last;
        last = [second, third, letter];
        *counts.entry(last).or_insert(0.0) += 1.0;
    }
    counts
}

fn cosine(a: &Words, b: &Words) -> f64 {
    let product: f64 = a
        .trigrams
        .iter()
        .filter_map(|(gram, count)| Some(count * b.trigrams.get(gram)?))
        .sum();
    let norms = a.norm * b.norm;
    if norms > 0.0 { product / norms } else { 0.0 }
}

/// Optimal string alignment distance: insertions, deletions, substitutions, swapped neighbours.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    let mut last = None;
    for (i, letter) in a.chars().enumerate() {
        let mut row = vec![i + 1];
        for (j, other) in b.iter().enumerate() {
            let cell = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX - 1);
            let mut best = (cell(&above, j) + usize::from(letter != *other))
                .min(cell(&above, j + 1) + 1)
                .min(cell(&row, j) + 1);
            let swapped = j > 0 && last == Some(*other) && b.get(j - 1) == Some(&letter);
            if swapped {
                best = best.min(cell(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
        last = Some(letter);
    }
    above.last().copied().unwrap_or(0)
}

/// A share of a whole as a number from 0 to 1; 0 of nothing.
pub(crate) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    count(part) / count(whole)
}

/// A count as a floating-point number; texts are capped far below the limit.
pub(crate) fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use crate::words::stems;
    use rstest::rstest;

    fn words(text: &str) -> Words {
        Words::new(stems(text, Language::English))
    }

    #[rstest]
    #[case("bacteria", "bakteria", 1)]
    #[case("toxin", "toxni", 1)]
    #[case("spore", "store", 1)]
    #[case("", "abc", 3)]
    #[case("temperature", "temprature", 1)]
    fn slips_of_the_pen_are_counted(#[case] a: &str, #[case] b: &str, #[case] expected: usize) {
        assert_eq!(edits(a, b), expected);
        assert_eq!(edits(b, a), expected);
    }

    #[test]
    fn a_text_is_wholly_like_itself() {
        let text = words("Spores survive the cooking and wake up at 41 degrees.");
        let same = measure(&text, &text, &words(""));
        for value in [
            same.recall,
            same.precision,
            same.trigrams,
            same.order,
            same.pairs,
        ] {
            assert!((value - 1.0).abs() < 1e-9, "{same:?}");
        }
        assert!(same.negation < 1e-9);
    }

    #[test]
    fn a_denied_truth_shows_as_negation() {
        let reference = words("Boiling kills bacteria");
        let denied = measure(
            &reference,
            &words("Boiling does not kill bacteria"),
            &words(""),
        );
        assert!(denied.recall > 0.9 && denied.negation > 0.5, "{denied:?}");
    }

    #[test]
    fn numbers_only_match_themselves() {
        let measures = measure(&words("63 degrees"), &words("36 degrees"), &words(""));
        assert!(measures.numbers < 1e-9);
    }
}
