//! How alike two texts are: word matches, shares, trigrams, order, negation.
//!
//! Measures only. How much each of them counts is decided in [`super::score`].

use std::collections::BTreeMap;

use super::constants::{CONTRARY, DEMOTED, S_F1, S_RECALL, S_TRIGRAMS};
use crate::language::Language;
use crate::matching::word_match;
use crate::numbers::{count, share};
use crate::words::{Pointer, Stem, fold, read, squeezed};

/// A text, ready to be compared with others.
#[derive(Debug, Clone, Default)]
pub(crate) struct Words {
    /// Its content words, in order.
    pub(crate) stems: Vec<Stem>,
    /// Where it points one way of two.
    pub(crate) pointers: Vec<Pointer>,
    /// Whether a frame of denial stands in it, such as *it is wrong to say that*.
    pub(crate) denies: bool,
    /// Where each of them stands first.
    firsts: Vec<usize>,
    /// How often any three neighbouring characters stand in it, sorted; three characters make one number.
    trigrams: Vec<(u64, f64)>,
    norm: f64,
}

impl Words {
    /// Reads a text.
    pub(crate) fn of(text: &str, language: Language) -> Self {
        let folded = fold(text);
        let trigrams = counted(grams(&squeezed(&folded), 3));
        let norm = trigrams.iter().map(|(_, count)| count * count).sum::<f64>();
        let read = read(&folded, language);
        Self {
            firsts: firsts(&read.stems),
            stems: read.stems,
            pointers: read.pointers,
            denies: read.denies,
            trigrams,
            norm: norm.sqrt(),
        }
    }

    /// Each stem once, in order of first appearance.
    pub(crate) fn distinct(&self) -> impl Iterator<Item = &Stem> {
        self.firsts.iter().filter_map(|at| self.stems.get(*at))
    }

    /// The share of the words that are said not to be so. Whether there is one would say how long the text is.
    pub(crate) fn negated(&self) -> f64 {
        let negated = self.stems.iter().filter(|stem| stem.negated);
        share(negated.count(), self.stems.len())
    }

    /// Whether one of the words matches, be it only nearly.
    pub(crate) fn contains(&self, stem: &Stem) -> bool {
        self.distinct().any(|own| word_match(stem, own) > 0.0)
    }

    /// Whether one of the words has the same stem.
    pub(crate) fn has(&self, stem: &Stem) -> bool {
        self.distinct().any(|own| own.text == stem.text)
    }
}

fn firsts(stems: &[Stem]) -> Vec<usize> {
    let mut seen = std::collections::BTreeSet::new();
    let stems = stems.iter().enumerate();
    stems
        .filter(|(_, stem)| seen.insert(stem.text.as_str()))
        .map(|(at, _)| at)
        .collect()
}

/// What each word of a text counts: [`DEMOTED`] where its stem also stands in the question, else 1; in the order of
/// [`Words::distinct`].
pub(crate) fn weights(words: &Words, question: &Words) -> Vec<f64> {
    let weight = |stem| {
        if question.has(stem) { DEMOTED } else { 1.0 }
    };
    words.distinct().map(weight).collect()
}

/// The measures between a reference and an answer, each 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Measures {
    /// Weighted share of the reference's words that the answer has.
    pub(crate) recall: f64,
    /// Weighted share of the answer's words that the reference has.
    pub(crate) precision: f64,
    /// Share of the reference's words that the question does not have and the answer has; nothing where the question has all.
    pub(crate) new_recall: Option<f64>,
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
    /// Longest common subsequence over the words that both have: 1 where they stand in the same order.
    pub(crate) kept: f64,
    /// How many words both have, each as often as both have it.
    pub(crate) common: usize,
    /// How much of what both say with one of two opposites points the other way, the mean over the pairs that both speak of.
    pub(crate) opposed: f64,
}

impl Measures {
    /// The similarity s, by which references and passages are chosen.
    pub(crate) fn similarity(&self) -> f64 {
        let sum = self.recall + self.precision;
        let f1 = if sum > 0.0 {
            2.0 * self.recall * self.precision / sum
        } else {
            0.0
        };
        S_RECALL * self.recall + S_F1 * f1 + S_TRIGRAMS * self.trigrams
    }

    /// The similarity, less where one text denies what the other says: by this a reference is chosen of several, so that
    /// *is not connected* is held against *is not connected* where both that and the contrary about something else are right.
    pub(crate) fn likeness(&self) -> f64 {
        let stands = (1.0 - CONTRARY * self.negation) * (1.0 - CONTRARY * self.opposed);
        self.similarity() * stands
    }
}

/// A text and what each of its words counts.
#[derive(Clone, Copy)]
pub(crate) struct Weighed<'a> {
    pub(crate) words: &'a Words,
    /// As [`weights`] gives them.
    pub(crate) weights: &'a [f64],
}

/// Compares an answer with a reference.
pub(crate) fn measure(reference: Weighed<'_>, answer: Weighed<'_>) -> Measures {
    if reference.words.stems.is_empty() || answer.words.stems.is_empty() {
        return Measures::default();
    }
    let Matched {
        share: recall,
        new: new_recall,
        negation,
    } = matched(reference, answer.words);
    let precision = matched(answer, reference.words).share;
    let (wanted, given) = (&reference.words.stems, &answer.words.stems);
    let in_order = longest_common_subsequence(wanted, given);
    let common = common(wanted, given);
    Measures {
        recall,
        precision,
        new_recall,
        trigrams: cosine(reference.words, answer.words),
        order: share(in_order, wanted.len()),
        pairs: pairs(wanted, given),
        numbers: numbers(reference.words, answer.words).unwrap_or(recall),
        negation,
        kept: share(in_order, common),
        common,
        opposed: opposed(&reference.words.pointers, &answer.words.pointers),
    }
}

/// The best match among a text's words and how good it is, if there is any.
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

/// How much of a text's words another has.
struct Matched {
    /// The weighted share.
    share: f64,
    /// The share of those that are not demoted, where there are any.
    new: Option<f64>,
    /// The share of the matched weight whose negation differs.
    negation: f64,
}

fn matched(wanted: Weighed<'_>, given: &Words) -> Matched {
    let (mut all, mut matched, mut opposite) = (0.0, 0.0, 0.0);
    let (mut new, mut new_found) = (0, 0);
    for (stem, weight) in wanted.words.distinct().zip(wanted.weights) {
        let found = best_match(stem, &given.stems);
        all += weight;
        if *weight > DEMOTED {
            new += 1;
            new_found += usize::from(found.is_some());
        }
        if let Some((found, partner)) = found {
            matched += weight * found;
            if partner.negated != stem.negated {
                opposite += weight * found;
            }
        }
    }
    let part = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    Matched {
        share: part(matched, all),
        new: (new > 0).then(|| share(new_found, new)),
        negation: part(opposite, matched),
    }
}

fn numbers(reference: &Words, answer: &Words) -> Option<f64> {
    let wanted: Vec<&Stem> = reference.distinct().filter(|stem| stem.number).collect();
    let found = wanted.iter().filter(|stem| answer.has(stem)).count();
    (!wanted.is_empty()).then(|| share(found, wanted.len()))
}

fn pairs(reference: &[Stem], answer: &[Stem]) -> f64 {
    let neighbours = |stems: &'_ [Stem]| -> Vec<(String, String)> {
        let both = stems.iter().zip(stems.iter().skip(1));
        both.map(|(a, b)| (a.text.clone(), b.text.clone()))
            .collect()
    };
    let given: std::collections::HashSet<_> = neighbours(answer).into_iter().collect();
    let wanted = neighbours(reference);
    let found = wanted.iter().filter(|pair| given.contains(*pair)).count();
    share(found, wanted.len())
}

/// The share of a reference's words that an answer has in the same order.
pub(crate) fn shares_in_order(reference: &Words, answer: &Words) -> f64 {
    let found = longest_common_subsequence(&reference.stems, &answer.stems);
    share(found, reference.stems.len())
}

/// How many words stand in both texts in the same order.
fn longest_common_subsequence(reference: &[Stem], answer: &[Stem]) -> usize {
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
    row.last().copied().unwrap_or(0)
}

/// How many words stand in both texts in any order, each as often as in both.
fn common(reference: &[Stem], answer: &[Stem]) -> usize {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for stem in reference {
        *left.entry(stem.text.as_str()).or_default() += 1;
    }
    let taken = answer.iter().filter(|stem| {
        let Some(left) = left.get_mut(stem.text.as_str()).filter(|left| **left > 0) else {
            return false;
        };
        *left -= 1;
        true
    });
    taken.count()
}

/// Where a text points on each axis that it speaks of, in order.
fn directions(pointers: &[Pointer]) -> BTreeMap<usize, Vec<bool>> {
    let mut directions: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
    for pointer in pointers {
        let on_axis = directions.entry(pointer.pole.axis).or_default();
        on_axis.push(pointer.pole.first);
    }
    directions
}

fn opposed(reference: &[Pointer], answer: &[Pointer]) -> f64 {
    if reference.is_empty() || answer.is_empty() {
        return 0.0;
    }
    let given = directions(answer);
    let both: Vec<f64> = directions(reference)
        .into_iter()
        .filter_map(|(axis, wanted)| Some(turned(&wanted, given.get(&axis)?)))
        .collect();
    if both.is_empty() {
        return 0.0;
    }
    both.iter().sum::<f64>() / count(both.len())
}

/// How much of what is said on an axis is turned: place by place where both say as much, else against a reference that points
/// one way only; one that points both ways may be told in many ways.
fn turned(wanted: &[bool], given: &[bool]) -> f64 {
    let one_way = wanted.first().filter(|first| !wanted.contains(&!**first));
    let turned = if wanted.len() == given.len() {
        wanted.iter().zip(given).filter(|(a, b)| a != b).count()
    } else if let Some(way) = one_way {
        given.iter().filter(|given| *given != way).count()
    } else {
        0
    };
    share(turned, given.len())
}

fn cosine(a: &Words, b: &Words) -> f64 {
    let norms = a.norm * b.norm;
    if norms > 0.0 {
        product(&a.trigrams, &b.trigrams) / norms
    } else {
        0.0
    }
}

/// Every run of `length` (at most 3) neighbouring characters of a text, as one number each, nothing lost.
fn grams(text: &str, length: usize) -> Vec<u64> {
    let characters: Vec<u64> = text.chars().map(|c| u64::from(u32::from(c))).collect();
    let packed = |run: &[u64]| run.iter().fold(0, |sum, c| (sum << 21) | c);
    characters.windows(length).map(packed).collect()
}

/// How often each number stands there, sorted.
pub(crate) fn counted(mut numbers: Vec<u64>) -> Vec<(u64, f64)> {
    numbers.sort_unstable();
    let runs = numbers.chunk_by(|a, b| a == b);
    runs.filter_map(|run| Some((*run.first()?, count(run.len()))))
        .collect()
}

/// The scalar product of two sorted sparse vectors, summed in their order.
pub(crate) fn product(a: &[(u64, f64)], b: &[(u64, f64)]) -> f64 {
    let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
    let mut sum = 0.0;
    while let (Some((key, value)), Some((other, factor))) = (left.peek(), right.peek()) {
        match key.cmp(other) {
            std::cmp::Ordering::Less => drop(left.next()),
            std::cmp::Ordering::Greater => drop(right.next()),
            std::cmp::Ordering::Equal => {
                sum += value * factor;
                left.next();
                right.next();
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Words {
        Words::of(text, Language::English)
    }

    fn compared(reference: &str, answer: &str) -> Measures {
        let (reference, answer, question) = (words(reference), words(answer), words(""));
        let (wanted, given) = (weights(&reference, &question), weights(&answer, &question));
        measure(
            Weighed {
                words: &reference,
                weights: &wanted,
            },
            Weighed {
                words: &answer,
                weights: &given,
            },
        )
    }

    #[test]
    fn a_text_is_wholly_like_itself() {
        let text = "Spores survive the cooking and wake up at 41 degrees.";
        let same = compared(text, text);
        for value in [
            same.recall,
            same.precision,
            same.trigrams,
            same.order,
            same.pairs,
            same.numbers,
            same.similarity(),
        ] {
            assert!((value - 1.0).abs() < 1e-9, "{same:?}");
        }
        assert!(same.negation < 1e-9);
    }

    #[test]
    fn a_denied_truth_shows_as_negation() {
        let denied = compared("Boiling kills bacteria", "Boiling does not kill bacteria");
        assert!(denied.recall > 0.9 && denied.negation > 0.5, "{denied:?}");
    }

    #[test]
    fn numbers_only_match_themselves() {
        assert!(compared("63 degrees", "36 degrees").numbers < 1e-9);
        assert!((compared("63 degrees", "at 63").numbers - 1.0).abs() < 1e-9);
    }

    #[test]
    fn words_of_the_question_count_a_quarter() {
        let question = words("What does the leaf do?");
        assert_eq!(weights(&words("A leaf breathes"), &question), [0.25, 1.0]);
    }
}
