//! Words and runs of words that name things, found without a tagger: by capitals in German, elsewhere by the small words
//! around them, and never across a verb.

use std::collections::{BTreeMap, BTreeSet};

use super::defining::is_term;
use crate::language::Language;
use crate::words::fold;

/// Longest run, in words.
const MAX_WORDS: usize = 3;

/// A name for a thing and the sentences that it stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Noun {
    /// As it is written where it first stands.
    pub(crate) text: String,
    /// Which sentences have it, each once, in order.
    pub(crate) sentences: Vec<usize>,
}

/// The names of things in some sentences, in order of first appearance.
pub(crate) fn nouns(sentences: &[String], language: Language) -> Vec<Noun> {
    let verbs = verbs(sentences, language);
    let mut found: Vec<Noun> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (at, sentence) in sentences.iter().enumerate() {
        for text in runs(sentence, language, &verbs) {
            if !is_term(&text, language) {
                continue;
            }
            let place = *places.entry(fold(&text)).or_insert_with(|| {
                found.push(Noun {
                    text: text.clone(),
                    sentences: Vec::new(),
                });
                found.len() - 1
            });
            if let Some(noun) = found.get_mut(place)
                && noun.sentences.last() != Some(&at)
            {
                noun.sentences.push(at);
            }
        }
    }
    found
}

/// A word of a sentence as it is read here.
struct NounToken<'a> {
    text: &'a str,
    folded: String,
    /// Whether a mark stands behind it.
    ends: bool,
    /// Whether a mark or nothing stands before it.
    begins: bool,
}

fn words(sentence: &str) -> Vec<NounToken<'_>> {
    let mut begins = true;
    let mut found = Vec::new();
    for piece in sentence.split_whitespace() {
        let text = piece.trim_matches(|c: char| !c.is_alphanumeric());
        let ends = !piece.ends_with(|c: char| c.is_alphanumeric());
        let opens = piece.starts_with(|c: char| !c.is_alphanumeric());
        found.push(NounToken {
            text,
            folded: fold(text),
            ends,
            begins: begins || opens,
        });
        begins = ends;
    }
    found
}

/// What stands behind "to", "can", "they" is a verb, wherever else it stands.
fn verbs(sentences: &[String], language: Language) -> BTreeSet<String> {
    let before = before_verbs(language);
    let stemmer = language.stemmer();
    let mut found = BTreeSet::new();
    for sentence in sentences {
        let words = words(sentence);
        for (one, next) in words.iter().zip(words.iter().skip(1)) {
            if !one.ends
                && before.split(' ').any(|known| known == one.folded)
                && !language.is_stop_word(&next.folded)
            {
                found.insert(stemmer.stem(&next.folded).into_owned());
            }
        }
    }
    found.extend(
        common_verbs(language)
            .split_ascii_whitespace()
            .map(|verb| stemmer.stem(verb).into_owned()),
    );
    found
}

fn runs(sentence: &str, language: Language, verbs: &BTreeSet<String>) -> Vec<String> {
    let words = words(sentence);
    match language {
        Language::German => capitalised(&words, language),
        Language::English | Language::Other => between_small_words(&words, language, verbs),
        Language::Spanish | Language::French | Language::Italian | Language::Portuguese => {
            behind_articles(&words, language)
        }
        Language::Arabic => Vec::new(),
    }
}

/// German nouns: capitals that do not begin a sentence.
fn capitalised(words: &[NounToken<'_>], language: Language) -> Vec<String> {
    let mut before_is_article = false;
    let mut found = Vec::new();
    for word in words {
        let capital = word.text.starts_with(char::is_uppercase);
        let inside = !word.begins || before_is_article;
        let long = word.text.chars().count() >= 4
            && word.text.chars().all(|c| c.is_alphabetic() || c == '-');
        if capital && inside && long && !language.is_stop_word(&word.folded) {
            found.push(word.text.to_owned());
        }
        before_is_article = language.is_stop_word(&word.folded);
    }
    found
}

/// English: one to three content words behind a determiner or a preposition, and before a mark or a small word.
fn between_small_words(
    words: &[NounToken<'_>],
    language: Language,
    verbs: &BTreeSet<String>,
) -> Vec<String> {
    let stemmer = language.stemmer();
    let is_content = |word: &NounToken<'_>| {
        word.text.chars().all(|c| c.is_alphabetic() || c == '-')
            && word.folded.chars().count() >= 3
            && !language.is_stop_word(&word.folded)
            && !language.is_negation(&word.folded)
            && !PREPOSITIONS.split(' ').any(|known| known == word.folded)
    };
    let is_verb = |word: &NounToken<'_>| {
        verbs.contains(stemmer.stem(&word.folded).as_ref()) || word.folded.ends_with("ed")
    };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        if word.ends || !DETERMINERS.split(' ').any(|known| known == word.folded) {
            continue;
        }
        let mut run: Vec<&NounToken<'_>> = Vec::new();
        while let Some(next) = words.get(at).filter(|next| is_content(next)) {
            run.push(next);
            at += 1;
            if next.ends {
                break;
            }
        }
        let named = (1..=MAX_WORDS).contains(&run.len()) && !run.iter().any(|word| is_verb(word));
        if named {
            found.push(
                run.iter()
                    .map(|word| word.text)
                    .collect::<Vec<_>>()
                    .join(" "),
            );
        }
    }
    found
}

/// Small words that are no stop words, because they tell places apart.
const PREPOSITIONS: &str = "near inside outside onto along around behind toward towards among across beneath beside beyond despite \
except unless upon without always often usually never together first";

const DETERMINERS: &str = "the a an each every no any its their our your his her of in on with from for by into through between \
without per as at against under over";

/// Romance languages: the word behind an article that is no pronoun, and what hangs on it by "of".
fn behind_articles(words: &[NounToken<'_>], language: Language) -> Vec<String> {
    let (articles, joints) = match language {
        Language::Spanish => ("el los un una unos unas del al las", "de"),
        Language::French => ("un une des du au aux le la les", "de"),
        Language::Italian => (
            "il un uno una del della dello dei delle degli nel nella al alla i",
            "di",
        ),
        Language::Portuguese => ("um uma do da dos das no na ao", "de"),
        Language::English | Language::German | Language::Arabic | Language::Other => ("", ""),
    };
    let is_content = |word: &&NounToken<'_>| {
        word.folded.chars().count() >= 4
            && word.text.chars().all(char::is_alphabetic)
            && !language.is_stop_word(&word.folded)
    };
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let begins = !word.ends && articles.split(' ').any(|known| known == word.folded);
        let Some(noun) = words.get(at + 1).filter(|_| begins).filter(is_content) else {
            continue;
        };
        let joined = words
            .get(at + 2)
            .filter(|joint| !noun.ends && joint.folded == joints);
        match joined.and_then(|joint| Some((joint, words.get(at + 3).filter(is_content)?))) {
            Some((joint, second)) => {
                found.push(format!("{} {} {}", noun.text, joint.text, second.text));
            }
            None => found.push(noun.text.to_owned()),
        }
    }
    found
}

const fn before_verbs(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other => {
            "to can could must may might should shall will would cannot it they we you he she who not never always"
        }
        Language::German
        | Language::Spanish
        | Language::French
        | Language::Italian
        | Language::Portuguese
        | Language::Arabic => "",
    }
}

const fn common_verbs(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other => {
            "make made use take took taken give given keep kept need become show shown put find found go goes come came begin began \
grow grew hold held leave left lose lost mean means run say said see seen tell told think write wrote written bring happen remain \
contain include require allow cause prevent produce protect provide reach move turn call known"
        }
        Language::German
        | Language::Spanish
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
    #[case(
        Language::English,
        "The cook must wash the chopping board, and the cook washes hands in the dish room.",
        "cook|chopping board|dish room"
    )]
    #[case(
        Language::English,
        "Keep the fire blanket near the door.",
        "fire blanket|door"
    )]
    #[case(
        Language::German,
        "Wasser verdunstet über die Spaltöffnungen der Blätter.",
        "Spaltöffnungen|Blätter"
    )]
    #[case(
        Language::Spanish,
        "El banco de semillas cierra con un registro.",
        "banco de semillas|registro"
    )]
    #[case(
        Language::Italian,
        "Il bagno di ghiaccio raffredda la pentola.",
        "bagno di ghiaccio"
    )]
    fn names_of_things_have_no_verb_inside(
        #[case] language: Language,
        #[case] sentence: &str,
        #[case] expected: &str,
    ) {
        let found: Vec<String> = nouns(&[sentence.to_owned()], language)
            .into_iter()
            .map(|noun| noun.text)
            .collect();
        assert_eq!(found.join("|"), expected);
    }
}
