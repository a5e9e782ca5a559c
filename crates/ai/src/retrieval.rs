//! Finding the passages that fit a question: BM25 over stems.
//!
//! Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the usual k1 = 1.2
//! and b = 0.75. What is done with what is found, and every word said to people, lives elsewhere.

use std::cmp::Ordering;

use crate::matching::word_match;
use crate::numbers::count;
use crate::words::Stem;

/// How soon a word that is said again stops counting, and how much long passages count less.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// How often a word stands in a passage; a slip of the pen counts a little less.
pub(crate) fn frequency(word: &Stem, passage: &[Stem]) -> f64 {
    passage.iter().map(|stem| word_match(word, stem)).sum()
}

/// The passages that have a word of the question, best first, with their scores rounded so that every machine ranks
/// alike; of equals the earlier one comes first.
pub(crate) fn rank(passages: &[&[Stem]], asked: &[&Stem]) -> Vec<(usize, f64)> {
    let mut ranked: Vec<(usize, f64)> = scores(passages, asked)
        .into_iter()
        .enumerate()
        .filter(|(_, score)| *score > 0.0)
        .collect();
    ranked.sort_by(|(_, one), (_, other)| other.partial_cmp(one).unwrap_or(Ordering::Equal));
    ranked
}

fn scores(passages: &[&[Stem]], asked: &[&Stem]) -> Vec<f64> {
    let total: usize = passages.iter().map(|passage| passage.len()).sum();
    let average = count(total) / count(passages.len()).max(1.0);
    let mut scores = vec![0.0; passages.len()];
    for word in asked {
        let found: Vec<f64> = passages
            .iter()
            .map(|passage| frequency(word, passage))
            .collect();
        let with = count(found.iter().filter(|frequency| **frequency > 0.0).count());
        let rarity = ((count(passages.len()) - with + 0.5) / (with + 0.5)).ln_1p();
        for ((score, frequency), passage) in scores.iter_mut().zip(found).zip(passages) {
            let length = 1.0 - B + B * count(passage.len()) / average.max(1.0);
            *score += rarity * frequency * (K1 + 1.0) / (frequency + K1 * length);
        }
    }
    let rounded = |score: f64| (score * 10_000.0).round() / 10_000.0;
    scores.into_iter().map(rounded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use crate::words::stems;

    fn ranked(passages: &[&str], asked: &str) -> Vec<usize> {
        let read: Vec<Vec<Stem>> = passages
            .iter()
            .map(|text| stems(text, Language::English))
            .collect();
        let read: Vec<&[Stem]> = read.iter().map(Vec::as_slice).collect();
        let asked = stems(asked, Language::English);
        let asked: Vec<&Stem> = asked.iter().collect();
        rank(&read, &asked).into_iter().map(|(at, _)| at).collect()
    }

    #[test]
    fn rare_words_and_short_passages_come_first_and_the_rest_not_at_all() {
        let passages = [
            "Rice is eaten with rice and more rice in every kitchen of the world, often with beans.",
            "Rice spores.",
            "Rice in bowls.",
            "Wash your hands.",
        ];
        assert_eq!(ranked(&passages, "spores in rice")[0], 1);
        assert_eq!(ranked(&passages, "spores in rice").len(), 3);
        assert_eq!(ranked(&passages, "mongolia"), [0_usize; 0]);
    }

    #[test]
    fn of_equals_the_first_comes_first() {
        assert_eq!(ranked(&["Cool rice.", "Cool rice."], "rice"), [0, 1]);
    }
}
