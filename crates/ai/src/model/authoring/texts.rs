//! Texts of drafts, counted and compared: what the rules of every kind of draft share.

use std::collections::{BTreeMap, BTreeSet};

use lyceum_domain::text::LanguageTag;

use crate::builtin::is_other_language;
use crate::language::Language;
use crate::words::{fold, stems, tokens};

/// A text as quotes are looked for in it: without emphasis and case, with single spaces.
pub(in crate::model) fn folded(text: &str) -> String {
    let plain = text.replace(['*', '`', '_', '#'], "").to_lowercase();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a quote stands in a text, word for word; a quote without a word stands nowhere.
pub(in crate::model) fn stands_in(quote: &str, text: &str) -> bool {
    let quote = folded(quote);
    quote.chars().any(char::is_alphanumeric) && folded(text).contains(&quote)
}

/// Words between white space.
pub(in crate::model) fn word_count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The share of a text's different content words that another text has too; 1 where it has none.
pub(in crate::model) fn overlap(text: &str, other: &str, language: Language) -> f64 {
    let other = all_stems(other, language);
    let own = all_stems(text, language);
    if own.is_empty() {
        return 1.0;
    }
    let shared: f64 = own.intersection(&other).map(|_| 1.0).sum();
    let all: f64 = own.iter().map(|_| 1.0).sum();
    shared / all
}

/// The stems of a text of any length; a comparison of stems reads the beginning of a text only.
pub(in crate::model) fn all_stems(text: &str, language: Language) -> BTreeSet<String> {
    text.lines()
        .flat_map(|line| stems(line, language))
        .map(|stem| stem.text)
        .collect()
}

/// How alike two texts are, from 0 to 1: the cosine of their counts of three characters in a row.
pub(in crate::model) fn likeness(a: &str, b: &str) -> f64 {
    let (a, b) = (trigrams(a), trigrams(b));
    let dot: f64 = a
        .iter()
        .filter_map(|(gram, count)| Some(count * b.get(gram)?))
        .sum();
    let length = |grams: &BTreeMap<[char; 3], f64>| {
        let squares: f64 = grams.values().map(|count| count * count).sum();
        squares.sqrt()
    };
    let lengths = length(&a) * length(&b);
    if lengths > 0.0 { dot / lengths } else { 0.0 }
}

fn trigrams(text: &str) -> BTreeMap<[char; 3], f64> {
    let mut counts = BTreeMap::new();
    let (mut before, mut last) = (' ', ' ');
    for next in folded(text).chars().chain([' ']) {
        *counts.entry([before, last, next]).or_insert(0.0) += 1.0;
        (before, last) = (last, next);
    }
    counts
}

/// What a learner's browser would load or run. Code may show anything.
pub(in crate::model) fn unsafe_markdown(text: &str) -> Option<String> {
    let prose: Vec<&str> = text.split('`').step_by(2).collect();
    let has_tag = |part: &&str| {
        part.split('<')
            .skip(1)
            .any(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!'))
    };
    if prose.iter().any(has_tag) {
        return Some("Markdown must hold no raw HTML".to_owned());
    }
    let links = prose
        .iter()
        .any(|part| part.contains("](") || part.contains("]:") || part.contains("]["));
    links.then(|| "Markdown must hold no links and no images".to_owned())
}

/// The addresses in a text that do not stand in any of the sources.
pub(in crate::model) fn foreign_address(text: &str, sources: &str) -> Option<String> {
    let address = text
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '<' | '>' | '"' | '\''))
        .map(|word| word.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '`']))
        .find(|word| is_address(word) && !sources.contains(word))?;
    Some(format!(
        "the address {address:?} stands in no source and must go"
    ))
}

/// Whether a word is an address of the web.
pub(in crate::model) fn is_address(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    lower.contains("://") || lower.starts_with("www.")
}

/// What is wrong with the language of an answer: what it says of itself, and what its small words say.
pub(in crate::model) fn wrong_language(
    declared: &str,
    text: &str,
    wanted: &LanguageTag,
) -> Option<String> {
    let primary = wanted.primary();
    let given = declared.split(['-', '_']).next().unwrap_or_default();
    let language = Language::of_tag(wanted.as_str());
    let other = is_other_language(&tokens(&fold(text), language), language);
    (!given.eq_ignore_ascii_case(primary) || other)
        .then(|| format!("everything must be written in the language {primary}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("sink full of ICE and", true)]
    #[case("a sink  full\nof ice", true)]
    #[case("a sink of ice", false)]
    #[case(" * ", false)]
    #[case("", false)]
    fn quotes_stand_in_a_text_or_not(#[case] quote: &str, #[case] stands: bool) {
        assert_eq!(
            stands_in(quote, "An ice bath is a sink full of **ice** and water."),
            stands
        );
    }

    #[test]
    fn near_copies_are_alike_and_other_sentences_are_not() {
        let stem = "At which temperature is soup kept hot?";
        assert!(likeness(stem, "At which temperature is a soup kept hot?") > 0.85);
        assert!(likeness(stem, "Why does an ice bath cool faster than a fridge?") < 0.5);
        assert!((likeness("", "")).abs() < 1.01);
    }

    #[rstest]
    #[case("plain **bold** `<b>` a < b", true)]
    #[case("<script>x</script>", false)]
    #[case("![x](http://e)", false)]
    #[case("[x]: http://e", false)]
    fn markup_that_loads_or_runs_is_found(#[case] text: &str, #[case] safe: bool) {
        assert_eq!(unsafe_markdown(text).is_none(), safe);
    }

    #[rstest]
    #[case("See https://a.example/x.", "at https://a.example/x", false)]
    #[case("See https://b.example", "at https://a.example", true)]
    #[case("See WWW.b.example", "", true)]
    #[case("a ratio 1:2", "", false)]
    fn addresses_must_stand_in_a_source(
        #[case] text: &str,
        #[case] source: &str,
        #[case] foreign: bool,
    ) {
        assert_eq!(foreign_address(text, source).is_some(), foreign);
    }

    #[rstest]
    #[case("en-GB", "The trays are in the fridge and they are cold.", "en", true)]
    #[case("de", "The trays are in the fridge.", "en", false)]
    #[case(
        "en",
        "Die Bleche sind in der Küche und das ist nicht gut.",
        "en",
        false
    )]
    #[case("sw", "Habari ya asubuhi", "sw", true)]
    fn a_language_is_what_it_says_and_what_its_small_words_say(
        #[case] declared: &str,
        #[case] text: &str,
        #[case] wanted: &str,
        #[case] right: bool,
    ) {
        let wanted = LanguageTag::parse(wanted).unwrap();
        assert_eq!(wrong_language(declared, text, &wanted).is_none(), right);
    }
}
