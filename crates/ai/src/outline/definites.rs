//! "The device", "die Geräte": noun phrases with a definite article that mean something an earlier sentence named.
//!
//! After the rules of thumb for definite descriptions of Vieira and Poesio ("An Empirically Based System for Processing
//! Definite Descriptions", Computational Linguistics 2000): what is specified where it stands ("the rate of growth") needs no
//! sentence before it; what the sentence before has, what only says the kind of a thing defined elsewhere, or what opens a
//! sentence and stands nowhere else, does. Only for languages whose articles tell: English and German.

use std::collections::BTreeSet;

use crate::language::Language;
use crate::words::{fold, stems};

/// What a sentence is read against.
pub(crate) struct Surroundings<'a> {
    /// The sentence before it, empty where there is none.
    pub(crate) before: &'a str,
    /// The stems of what the course's definitions say their terms are.
    pub(crate) genera: &'a BTreeSet<String>,
    /// The stems of the terms that the course defines.
    pub(crate) terms: &'a BTreeSet<String>,
}

/// A noun phrase behind a definite article.
struct DefinitePhrase {
    /// The stems of its words, at most two, in order.
    stems: Vec<String>,
    opens: bool,
}

/// Whether a definite article points to what an earlier sentence named; `times` says how many sentences have a stem.
pub(crate) fn points_to_named(
    sentence: &str,
    around: &Surroundings<'_>,
    times: impl Fn(&str) -> usize,
    language: Language,
) -> bool {
    let before: BTreeSet<String> = stems(around.before, language)
        .into_iter()
        .map(|stem| stem.text)
        .collect();
    phrases(sentence, language).iter().any(|phrase| {
        let any = |known: &BTreeSet<String>| phrase.stems.iter().any(|stem| known.contains(stem));
        let is_unheard = || {
            let mut own = phrase.stems.iter();
            phrase.opens && phrase.stems.len() == 1 && own.all(|stem| times(stem) <= 1)
        };
        !any(around.terms) && (any(&before) || any(around.genera) || is_unheard())
    })
}

/// The phrases with a definite article that nothing behind them specifies.
fn phrases(sentence: &str, language: Language) -> Vec<DefinitePhrase> {
    let pieces: Vec<&str> = sentence.split_whitespace().collect();
    let mut found = Vec::new();
    let mut behind_mark = false;
    for (at, piece) in pieces.iter().enumerate() {
        // Behind a comma German articles are pronouns.
        if !behind_mark && has(articles(language), &bare(piece)) {
            found.extend(phrase(&pieces, at, language));
        }
        behind_mark = piece.ends_with(',');
    }
    found
}

fn phrase(pieces: &[&str], article: usize, language: Language) -> Option<DefinitePhrase> {
    let behind = pieces.get(article + 1..)?;
    let length = match language {
        Language::German => 1 + behind.iter().position(|piece| is_capital(piece))?,
        Language::English
        | Language::Spanish
        | Language::French
        | Language::Italian
        | Language::Portuguese
        | Language::Arabic
        | Language::Other => {
            let content = behind
                .iter()
                .take_while(|piece| !language.is_stop_word(&bare(piece)));
            content.count().min(MOST_WORDS)
        }
    };
    let words = behind.get(..length)?;
    let head = words.last()?;
    let next = behind.get(length).map(|piece| bare(piece));
    let specified = next.is_some_and(|next| has(specifying(language), &next))
        || (head.ends_with(',') && matches!(language, Language::German));
    // Adjectives say nothing about what was named.
    let kept = match language {
        Language::German => std::slice::from_ref(head),
        Language::English
        | Language::Spanish
        | Language::French
        | Language::Italian
        | Language::Portuguese
        | Language::Arabic
        | Language::Other => words,
    };
    let stemmer = language.stemmer();
    let stems = kept
        .iter()
        .map(|word| stemmer.stem(&bare(word)).into_owned());
    (!specified).then(|| DefinitePhrase {
        stems: stems.collect(),
        opens: article == 0,
    })
}

/// More words than these behind an article are hardly one name.
const MOST_WORDS: usize = 2;

fn is_capital(piece: &str) -> bool {
    piece
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .starts_with(char::is_uppercase)
}

fn bare(piece: &str) -> String {
    fold(piece.trim_matches(|c: char| !c.is_alphanumeric()))
}

fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

const fn articles(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other => "the",
        Language::German => "der die das den dem",
        Language::Spanish
        | Language::French
        | Language::Italian
        | Language::Portuguese
        | Language::Arabic => "",
    }
}

/// What stands behind a noun and says which one is meant.
const fn specifying(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other => {
            "of that which who whose for in on at from between with"
        }
        Language::German => {
            "des der eines einer von vom aus für mit unseres unserer ihres ihrer seines seiner"
        }
        Language::Spanish
        | Language::French
        | Language::Italian
        | Language::Portuguese
        | Language::Arabic => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    // The sentence before has it, specified or not; a kind of what is defined; nobody has heard of it; it is a term.
    #[case(
        Language::English,
        "Hold it under running water.",
        "The water should be about 20 °C.",
        true
    )]
    #[case(
        Language::English,
        "Water is warm.",
        "The water of the tap is 20 °C.",
        false
    )]
    #[case(
        Language::English,
        "",
        "Experts test the devices every two years.",
        true
    )]
    #[case(Language::English, "", "The spray must stay for two minutes.", true)]
    #[case(Language::English, "", "The ledger must be kept for ten years.", false)]
    #[case(Language::German, "", "Alle zwei Jahre prüft jemand die Geräte.", true)]
    #[case(Language::German, "", "Der Satz beträgt 19 %.", true)]
    #[case(
        Language::German,
        "",
        "Wer raucht, schadet den Lungen, die 20 Jahre brauchen.",
        false
    )]
    #[case(Language::French, "L'eau coule.", "L'eau doit avoir 20 °C.", false)]
    fn definite_articles_point_back_or_not(
        #[case] language: Language,
        #[case] before: &str,
        #[case] sentence: &str,
        #[case] expected: bool,
    ) {
        let set = |words: [&str; 2]| words.map(str::to_owned).into_iter().collect();
        let (genera, terms) = (set(["devic", "gerat"]), set(["ledger", "bilanz"]));
        let around = Surroundings {
            before,
            genera: &genera,
            terms: &terms,
        };
        assert_eq!(
            points_to_named(sentence, &around, |_| 1, language),
            expected
        );
    }
}
