//! From text to comparable words: folding, tokens, stems and their negation.
//!
//! Everything here is for matching only; nothing folded or stemmed is ever shown to a person, and no
//! judgement about a text belongs here.

use rust_stemmers::Stemmer;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::denials::Denials;
use crate::language::Language;
use crate::opposites::{Pole, pole};

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
pub(crate) const fn is_unspaced(c: char) -> bool {
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

/// A place where a text points one way of two: `more` and not `less`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pointer {
    /// Which way, denials and a negation right before it counted in.
    pub(crate) pole: Pole,
    /// Whether anything denies it, be it from further off: *not contained in the same path*.
    pub(crate) denied: bool,
    /// Whether the word itself, by whatever denied, names the first end.
    pub(crate) named: bool,
    /// Its place among the words.
    pub(crate) at: usize,
}

/// A text, read for being compared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Read {
    /// The content words, in order.
    pub(crate) stems: Vec<Stem>,
    /// Where it points one way of two; small words do, too.
    pub(crate) pointers: Vec<Pointer>,
    /// Whether a frame of denial stands in it.
    pub(crate) denies: bool,
}

/// The content words of a text, in order, stemmed, with their negation.
pub(crate) fn stems(text: &str, language: Language) -> Vec<Stem> {
    read(&fold(text), language).stems
}

/// Reads a folded text.
///
/// A negation reaches the next content words; a frame that denies, such as *it is wrong to say that*, the rest of its
/// sentence; one that points back, such as *which is false*, what was said before it. What is denied twice stands.
pub(crate) fn read(folded: &str, language: Language) -> Read {
    let mut reader = SentenceReader {
        language,
        stemmer: language.stemmer(),
        scope: 0.0,
        words: 0,
        found: Read::default(),
    };
    let mut before = (0, 0);
    for sentence in folded_sentences(folded) {
        let start = (reader.found.stems.len(), reader.found.pointers.len());
        let looks_back = reader.sentence(sentence);
        let says_something = reader.found.stems.len() > start.0;
        if looks_back {
            reader.turn(if says_something { start } else { before });
        }
        if says_something {
            before = start;
        }
    }
    reader.found
}

/// The sentences of a folded text; numbers and abbreviations within a word are not cut.
fn folded_sentences(folded: &str) -> impl Iterator<Item = &str> {
    let mut rest = folded;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut characters = rest.char_indices().peekable();
        let mut end = rest.len();
        while let Some((at, c)) = characters.next() {
            let at_space = characters
                .peek()
                .is_none_or(|(_, next)| next.is_whitespace());
            if matches!(c, '\n' | '。' | '！' | '？')
                || (at_space && matches!(c, '.' | '!' | '?' | ';'))
            {
                end = at + c.len_utf8();
                break;
            }
        }
        let (sentence, after) = rest.split_at_checked(end)?;
        rest = after;
        Some(sentence)
    })
}

struct SentenceReader {
    language: Language,
    stemmer: Stemmer,
    /// How many more content words the last negation reaches.
    scope: f64,
    words: usize,
    found: Read,
}

impl SentenceReader {
    /// Reads one sentence; whether it denies what was said before.
    fn sentence(&mut self, sentence: &str) -> bool {
        let tokens = tokens(sentence, self.language);
        let denials = Denials::of(&tokens, self.language);
        self.found.denies |= denials.any();
        for (at, token) in tokens.into_iter().enumerate() {
            if !denials.is_frame(at) {
                self.word(token, denials.turns(at));
            }
        }
        denials.looks_back()
    }

    fn word(&mut self, token: String, turned: bool) {
        if self.language.is_negation(&token) {
            self.scope = NEGATION_SCOPE;
            return;
        }
        let stem = self.stemmer.stem(&token).into_owned();
        if let Some(pole) = pole(&stem, self.language) {
            // Between `not` and `more` stands one small word at most.
            let negated = self.scope >= NEGATION_SCOPE - NEGATION_FADES;
            let first = pole.first != (negated != turned);
            self.found.pointers.push(Pointer {
                pole: Pole { first, ..pole },
                denied: (self.scope > 0.0) != turned,
                named: pole.first,
                at: self.words,
            });
        }
        self.words += 1;
        if self.language.is_stop_word(&token) {
            self.scope -= NEGATION_FADES;
            return;
        }
        self.found.stems.push(Stem {
            text: stem,
            number: token.starts_with(|c: char| c.is_ascii_digit()),
            negated: (self.scope > 0.0) != turned,
            surface: token,
        });
        self.scope -= 1.0;
    }

    /// Turns what was read from somewhere on into its opposite.
    fn turn(&mut self, (stem, pointer): (usize, usize)) {
        for stem in self.found.stems.iter_mut().skip(stem) {
            stem.negated = !stem.negated;
        }
        for pointer in self.found.pointers.iter_mut().skip(pointer) {
            pointer.pole.first = !pointer.pole.first;
            pointer.denied = !pointer.denied;
        }
    }
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

    /// Whether each content word stands as it was said.
    fn standing(text: &str, language: Language) -> Vec<bool> {
        let stems = stems(text, language);
        stems.iter().map(|stem| !stem.negated).collect()
    }

    #[rstest]
    #[case(Language::English, "It is wrong to say that {}")]
    #[case(Language::English, "It isn't true that {}")]
    #[case(Language::English, "I do not think that {}")]
    #[case(Language::English, "Nobody should believe that {}")]
    #[case(Language::English, "It would be a mistake to think {}")]
    #[case(Language::English, "It is not the case that {}")]
    #[case(Language::English, "{}. That is not true.")]
    #[case(Language::English, "{}, which is false.")]
    #[case(Language::German, "Es ist falsch zu sagen, dass {}")]
    #[case(Language::German, "Es stimmt nicht, dass {}")]
    #[case(Language::German, "Ich glaube nicht, dass {}")]
    #[case(Language::German, "{}. Das ist falsch.")]
    #[case(Language::Spanish, "No es cierto que {}")]
    #[case(Language::Spanish, "Es falso decir que {}")]
    #[case(Language::French, "Il n'est pas vrai que {}")]
    #[case(Language::French, "Il est faux de dire que {}")]
    #[case(Language::Italian, "Non è vero che {}")]
    #[case(Language::Italian, "È sbagliato dire che {}")]
    #[case(Language::Portuguese, "Não é verdade que {}")]
    #[case(Language::Portuguese, "É errado dizer que {}")]
    fn a_denial_reaches_all_of_a_sentence(#[case] language: Language, #[case] frame: &str) {
        // Names, so that nothing of it is a small word anywhere; more of them than a negation reaches.
        let claim = "Rhodium palladium osmium zirconium wolfram hafnium tantalum";
        let found = standing(&frame.replace("{}", claim), language);
        assert_eq!(found, [false; 7], "{frame}");
    }

    #[rstest]
    #[case("It is not wrong to say that {}")]
    #[case("It is true that {}")]
    #[case("I think that {}")]
    #[case("I do not think it is false that {}")]
    #[case("This shows that {}")]
    #[case("That is true: {}")]
    fn what_is_denied_twice_or_not_at_all_stands(#[case] frame: &str) {
        let claim = "rhodium palladium osmium zirconium wolfram hafnium tantalum";
        let found = standing(&frame.replace("{}", claim), Language::English);
        assert!(found.ends_with(&[true; 7]), "{frame}: {found:?}");
    }

    #[rstest]
    #[case("more light", true)]
    #[case("less light", false)]
    #[case("not more light", false)]
    #[case("It is wrong that there is more light", false)]
    fn opposites_point_where_the_sentence_does(#[case] text: &str, #[case] first: bool) {
        let pointers = read(&fold(text), Language::English).pointers;
        assert_eq!(pointers.len(), 1);
        assert_eq!(pointers[0].pole.first, first);
    }

    #[test]
    fn scripts_without_spaces_are_read_by_character() {
        assert_eq!(stems("光合作用", Language::Other).len(), 4);
    }
}
