//! From text to comparable words: folding, tokens, stems and their negation.
//!
//! Everything here is for matching only; nothing folded or stemmed is ever shown to a person, and no
//! judgement about a text belongs here.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::language::Language;

/// How much of a text is read, in characters.
pub(crate) const MAX_CHARS: usize = 8_000;

/// How many content words a negation reaches.
pub(crate) const NEGATION_SCOPE: f64 = 4.0;
/// What a stop word uses up of it.
pub(crate) const NEGATION_FADES: f64 = 0.5;

/// A content word, ready to be compared.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stem {
    /// The stem.
    pub(crate) text: String,
    /// The folded word it came from.
    pub(crate) surface: String,
    /// Whether it is a number, which only matches itself.
    pub(crate) number: bool,
    /// Whether a negation reaches it.
    pub(crate) negated: bool,
}

/// Whether a character is invisible and has no business in a text: zero-width, bidi and tag characters.
pub(crate) const fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
}

/// Whether a hidden character has no use in any script: Arabic, Persian, Indic texts and emoji need the joiners
/// and direction marks.
pub(crate) const fn is_suspicious(c: char) -> bool {
    is_hidden(c) && !matches!(c, '\u{200C}'..='\u{200F}' | '\u{FEFF}')
}

/// The text as it is compared: hidden characters gone, NFKC, lower case, straight quotes, at most [`MAX_CHARS`].
pub(crate) fn fold(text: &str) -> String {
    text.chars()
        .take(MAX_CHARS)
        .filter(|c| !is_hidden(*c))
        .nfkc()
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            '\u{2018}' | '\u{2019}' | '\u{02BC}' => '\'',
            '\u{201C}' | '\u{201D}' | '\u{201E}' | '\u{00AB}' | '\u{00BB}' => '"',
            other => other,
        })
        .collect()
}

/// A folded text with single spaces and none around it, whose neighbouring characters are compared.
pub(crate) fn squeezed(folded: &str) -> String {
    let words: Vec<&str> = folded.split_whitespace().collect();
    words.join(" ")
}

/// The words and numbers of a folded text, in order.
pub(crate) fn tokens(folded: &str, language: Language) -> Vec<String> {
    let mut found = Vec::new();
    let mut run = String::new();
    let mut chars = folded.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        if is_unspaced(c) {
            finish(&mut run, language, &mut found);
            found.push(c.to_string());
        } else if continues(&run, c, next) {
            run.push(c);
        } else {
            finish(&mut run, language, &mut found);
            if c.is_alphabetic() || c.is_ascii_digit() {
                run.push(c);
            }
        }
    }
    finish(&mut run, language, &mut found);
    found
}

/// Scripts written without spaces are compared character by character.
const fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0E7F}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{20000}'..='\u{2FA1F}')
}

fn continues(run: &str, c: char, next: Option<char>) -> bool {
    let Some(last) = run.chars().last() else {
        return false;
    };
    let in_number = run.starts_with(|first: char| first.is_ascii_digit());
    if in_number {
        let digit_follows = next.is_some_and(|next| next.is_ascii_digit());
        return c.is_ascii_digit()
            || (matches!(c, '.' | ',') && last.is_ascii_digit() && digit_follows);
    }
    let letter_follows = next.is_some_and(|next| next.is_alphabetic() && !is_unspaced(next));
    c.is_alphabetic() || is_combining_mark(c) || (c == '\'' && letter_follows)
}

/// Puts a finished run among the tokens, its contractions resolved.
fn finish(run: &mut String, language: Language, found: &mut Vec<String>) {
    let word = std::mem::take(run);
    if word.is_empty() {
        return;
    }
    match language {
        Language::English | Language::Other => finish_english(&word, found),
        // An elided article or preposition stands before the apostrophe: l'eau, dell'acqua.
        Language::French | Language::Italian => {
            found.extend(word.split('\'').map(str::to_owned));
        }
        Language::German | Language::Spanish | Language::Portuguese | Language::Arabic => {
            found.push(word);
        }
    }
}

fn finish_english(word: &str, found: &mut Vec<String>) {
    if word.ends_with("n't") || word == "cannot" {
        found.push("not".to_owned());
        return;
    }
    let bare = ["'s", "'re", "'ve", "'ll", "'d", "'m"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending))
        .unwrap_or(word);
    found.push(english_number(bare).unwrap_or(bare).to_owned());
}

fn english_number(word: &str) -> Option<&'static str> {
    Some(match word {
        "two" => "2",
        "three" => "3",
        "four" => "4",
        "five" => "5",
        "six" => "6",
        "seven" => "7",
        "eight" => "8",
        "nine" => "9",
        "ten" => "10",
        _ => return None,
    })
}

/// The content words of a text, in order, stemmed, with their negation.
pub(crate) fn stems(text: &str, language: Language) -> Vec<Stem> {
    stems_of(&fold(text), language)
}

/// The content words of a folded text.
pub(crate) fn stems_of(folded: &str, language: Language) -> Vec<Stem> {
    let stemmer = language.stemmer();
    let mut scope = 0.0_f64;
    let mut found = Vec::new();
    for token in tokens(folded, language) {
        if language.is_negation(&token) {
            scope = NEGATION_SCOPE;
        } else if language.is_stop_word(&token) {
            scope -= NEGATION_FADES;
        } else {
            found.push(Stem {
                text: stemmer.stem(&token).into_owned(),
                number: token.starts_with(|c: char| c.is_ascii_digit()),
                negated: scope > 0.0,
                surface: token,
            });
            scope -= 1.0;
        }
    }
    found
}

/// Each stem once, in order of first appearance.
pub(crate) fn distinct(stems: &[Stem]) -> Vec<&Stem> {
    let mut seen = std::collections::BTreeSet::new();
    stems
        .iter()
        .filter(|stem| seen.insert(stem.text.as_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(
        Language::English,
        "It doesn't stay below 63 °C, the chef's 1,5 l pot",
        "not stay below 63 c the chef 1,5 l pot"
    )]
    #[case(Language::French, "L’eau qu'il boit", "eau boit")]
    fn texts_fall_into_words(
        #[case] language: Language,
        #[case] text: &str,
        #[case] expected: &str,
    ) {
        let tokens = tokens(&fold(text), language);
        for word in expected.split(' ') {
            assert!(
                tokens.iter().any(|token| token == word),
                "{word} in {tokens:?}"
            );
        }
    }

    #[test]
    fn hidden_characters_do_not_split_words() {
        assert_eq!(stems("spo\u{200B}res", Language::English)[0].text, "spore");
    }

    #[test]
    fn a_negation_reaches_the_next_words_only() {
        let stems = stems(
            "not killed by boiling water today however bacteria",
            Language::English,
        );
        let negated: Vec<bool> = stems.iter().map(|stem| stem.negated).collect();
        assert_eq!(negated, [true, true, true, true, false]);
    }

    #[test]
    fn scripts_without_spaces_are_read_by_character() {
        assert_eq!(stems("光合作用", Language::Other).len(), 4);
    }
}
