//! Key phrases: runs of content words, as they are written.
//!
//! Scored as in rapid automatic keyword extraction (Rose et al. 2010): a word counts its degree over its
//! frequency, a phrase the sum of its words.

use std::collections::BTreeMap;

use crate::language::Language;
use crate::words::fold;

/// Longest phrase, in words.
const MAX_WORDS: usize = 4;

/// A phrase and what it is worth.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KeyPhrase {
    /// As it is written where it first stands.
    pub(crate) text: String,
    /// Its score.
    pub(crate) score: f64,
}

/// The phrases of some texts, each once, in order of first appearance.
pub(crate) fn phrases<'a>(
    texts: impl IntoIterator<Item = &'a str>,
    language: Language,
) -> Vec<KeyPhrase> {
    let candidates: Vec<Vec<&str>> = texts
        .into_iter()
        .flat_map(|text| candidates(text, language))
        .collect();
    let mut frequency: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for phrase in &candidates {
        let length: f64 = phrase.iter().map(|_| 1.0).sum();
        for word in phrase {
            let entry = frequency.entry(fold(word)).or_insert((0.0, 0.0));
            entry.0 += length;
            entry.1 += 1.0;
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    let mut found = Vec::new();
    for words in candidates {
        let text = words.join(" ");
        let score = words
            .iter()
            .filter_map(|word| frequency.get(&fold(word)))
            .map(|(degree, times)| degree / times)
            .sum();
        if seen.insert(fold(&text)) {
            found.push(KeyPhrase { text, score });
        }
    }
    found
}

/// Runs of words without stop words or punctuation in between.
fn candidates(text: &str, language: Language) -> Vec<Vec<&str>> {
    let mut found = Vec::new();
    let is_mark = |c: char| {
        matches!(
            c,
            ',' | ';'
                | ':'
                | '('
                | ')'
                | '"'
                | '“'
                | '”'
                | '„'
                | '«'
                | '»'
                | '!'
                | '?'
                | '\n'
                | '—'
                | '…'
                | '<'
                | '>'
                | '{'
                | '}'
                | '|'
                | '#'
                | '。'
                | '、'
        )
    };
    for part in text.split(is_mark) {
        let mut run: Vec<&str> = Vec::new();
        for word in part.split_whitespace() {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '°' && c != '%');
            let folded = fold(bare);
            let ends = word.ends_with('.');
            let content = bare.chars().any(char::is_alphanumeric) || bare.starts_with('°');
            if !content || language.is_stop_word(&folded) || language.is_negation(&folded) {
                keep(&mut run, &mut found);
                continue;
            }
            run.push(bare);
            if ends {
                keep(&mut run, &mut found);
            }
        }
        keep(&mut run, &mut found);
    }
    found
}

fn keep<'a>(run: &mut Vec<&'a str>, found: &mut Vec<Vec<&'a str>>) {
    let words = std::mem::take(run);
    let letters = words
        .iter()
        .flat_map(|word| word.chars())
        .filter(|c| c.is_alphabetic());
    if (1..=MAX_WORDS).contains(&words.len()) && letters.count() >= 3 {
        found.push(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_stand_between_small_words_and_marks() {
        let found: Vec<String> = phrases(
            ["Check the blast chiller, probe thermometers and the walk-in."],
            Language::English,
        )
        .into_iter()
        .map(|phrase| phrase.text)
        .collect();
        assert_eq!(
            found,
            ["Check", "blast chiller", "probe thermometers", "walk-in"]
        );
    }
}
