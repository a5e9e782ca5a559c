//! How much each sentence of a text says of what the whole text is about.
//!
//! `TextRank` (Mihalcea and Tarau, "Bringing Order into Text", EMNLP 2004): sentences are the nodes of a graph,
//! the stems they share over the logarithms of their lengths the weights of its edges, and what `PageRank` gives each node,
//! with d = 0.85, is its salience.

use std::collections::{BTreeMap, BTreeSet};

use crate::language::Language;
use crate::numbers::count;
use crate::words::stems;

/// Most sentences of one graph; a longer text is ranked in neighbouring parts, because a graph grows with the square of
/// its sentences.
const MAX_NODES: usize = 150;
/// The share of a node's rank that comes over its edges.
const DAMPING: f64 = 0.85;
/// So many rounds at most, and no more once nothing moves by more than this.
const ROUNDS: usize = 50;
const SETTLED: f64 = 1e-5;

/// The salience of each sentence, from 0 to 1 for the most salient of its part, rounded so that every machine ranks alike.
pub(crate) fn salience(sentences: &[String], language: Language) -> Vec<f64> {
    sentences
        .chunks(MAX_NODES)
        .flat_map(|part| ranks(part, language))
        .collect()
}

fn ranks(sentences: &[String], language: Language) -> Vec<f64> {
    let words: Vec<BTreeSet<u32>> = numbered(sentences, language);
    let weights = weights(&words);
    let sums: Vec<f64> = weights.iter().map(|row| row.iter().sum()).collect();
    let mut ranks = vec![1.0; sentences.len()];
    for _ in 0..ROUNDS {
        // What every node hands on along an edge of weight one.
        let handed: Vec<f64> = ranks
            .iter()
            .zip(&sums)
            .map(|(rank, sum)| if *sum > 0.0 { rank / sum } else { 0.0 })
            .collect();
        let next: Vec<f64> = weights
            .iter()
            .map(|row| {
                let got: f64 = row
                    .iter()
                    .zip(&handed)
                    .map(|(weight, handed)| weight * handed)
                    .sum();
                1.0 - DAMPING + DAMPING * got
            })
            .collect();
        let moved = ranks
            .iter()
            .zip(&next)
            .map(|(old, new): (&f64, &f64)| (old - new).abs())
            .fold(0.0, f64::max);
        ranks = next;
        if moved < SETTLED {
            break;
        }
    }
    let most = ranks
        .iter()
        .copied()
        .fold(0.0, f64::max)
        .max(f64::MIN_POSITIVE);
    ranks
        .into_iter()
        .map(|rank| (rank / most * 1_000.0).round() / 1_000.0)
        .collect()
}

/// The stems of each sentence as numbers, which compare faster than words.
fn numbered(sentences: &[String], language: Language) -> Vec<BTreeSet<u32>> {
    let mut known: BTreeMap<String, u32> = BTreeMap::new();
    let mut number = |text: String| {
        let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
        *known.entry(text).or_insert(next)
    };
    sentences
        .iter()
        .map(|sentence| {
            stems(sentence, language)
                .into_iter()
                .map(|stem| number(stem.text))
                .collect()
        })
        .collect()
}

/// The weights of all edges; none from a sentence to itself.
fn weights(words: &[BTreeSet<u32>]) -> Vec<Vec<f64>> {
    let mut weights = vec![vec![0.0; words.len()]; words.len()];
    for (at, one) in words.iter().enumerate() {
        for (to, other) in words.iter().enumerate().skip(at + 1) {
            let weight = similarity(one, other);
            for (from, to) in [(at, to), (to, at)] {
                if let Some(place) = weights.get_mut(from).and_then(|row| row.get_mut(to)) {
                    *place = weight;
                }
            }
        }
    }
    weights
}

fn similarity(one: &BTreeSet<u32>, other: &BTreeSet<u32>) -> f64 {
    let shared = one.intersection(other).count();
    let length = libm::log(count(one.len())) + libm::log(count(other.len()));
    if shared == 0 || length <= 0.0 {
        return 0.0;
    }
    count(shared) / length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shares_words_with_many_sentences_says_most() {
        let text = [
            "Ledgers record every sale of the shop.",
            "The auditor reads ledgers and checks every sale against a receipt.",
            "A receipt proves a sale to the auditor.",
            "Yesterday rain fell.",
        ]
        .map(str::to_owned);
        let found = salience(&text, Language::English);
        assert!((found[1] - 1.0).abs() < 1e-9, "{found:?}");
        assert!(found.iter().all(|rank| *rank >= found[3]), "{found:?}");
        assert_eq!(found, salience(&text, Language::English));
    }

    #[test]
    fn a_long_text_is_ranked_in_parts() {
        let text: Vec<String> = (0..2_000)
            .map(|at| format!("Sentence {at} speaks of heat and water in pots."))
            .collect();
        assert_eq!(salience(&text, Language::English).len(), 2_000);
        assert_eq!(salience(&[], Language::English), [0.0; 0]);
    }
}
