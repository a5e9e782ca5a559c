//! What a part of a text is called: by the term that it says most about and other parts say least about.
//!
//! A term counts the sentences of the part that have it, times how rare it is in the whole (tf·idf, Spärck Jones 1972);
//! terms that the part defines count more. Verbs and numbers are no names.

use crate::language::Language;
use crate::numbers::count;
use crate::outline::Labels;
use crate::outline::defining::{Pattern, definition};
use crate::outline::nouns::nouns;
use crate::outline::phrases::phrases;
use crate::words::fold;

/// What counts so much more: a term that is defined, one that stands in the first sentence, one of several words.
const DEFINED: f64 = 2.0;
const FIRST: f64 = 1.3;
const SEVERAL_WORDS: f64 = 1.2;

/// So many candidates are looked up in the whole, those that most sentences of the part have.
const MOST_CANDIDATES: usize = 20;

/// Words that say that there is a course, not what it is about.
const COURSE_WORDS: &str = "course courses introduction introductory intro training class workshop lesson lessons teach learn learners \
students student people beginners beginner hours hour weeks brief short basic basics new make made want need use using cover covers \
covering include includes including safely correctly properly confidently well curso introducción estudiantes alumnos principiantes horas enseñar aprender queremos necesitamos \
introdução estudantes iniciantes cours introduction étudiants débutants heures apprendre kurs einführung anfänger stunden lernen \
lernende teilnehmer corso introduzione studenti principianti ore imparare";

/// A text's sentences as they are compared.
pub(super) fn folded(sentences: &[String]) -> Vec<String> {
    sentences.iter().map(|sentence| fold(sentence)).collect()
}

/// The most telling term of some sentences of a whole, folded, that is not taken yet; else a phrase of theirs.
pub(super) fn telling_phrase(
    facts: &[String],
    whole: &[String],
    language: Language,
    taken: &[String],
) -> Option<String> {
    telling_term(facts, whole, language, taken).or_else(|| frequent_phrase(facts, language, taken))
}

/// The most telling term, if the sentences define one or name a thing twice.
pub(super) fn telling_term(
    facts: &[String],
    whole: &[String],
    language: Language,
    taken: &[String],
) -> Option<String> {
    let fresh = |text: &String| !taken.contains(&fold(text)) && !Labels::is_heading(text);
    let own = folded(facts);
    let times = |sentences: &[String], text: &str| {
        count(sentences.iter().filter(|one| has_words(one, text)).count())
    };
    let mut named: Vec<(f64, String, String)> = candidates(facts, language)
        .into_iter()
        .filter(|(text, _)| fresh(text))
        .map(|(text, bonus)| {
            let compared = fold(&text);
            (times(&own, &compared) * bonus, compared, text)
        })
        .collect();
    named.sort_by(|a, b| b.0.total_cmp(&a.0));
    named.truncate(MOST_CANDIDATES);
    let scored = named.into_iter().map(|(weight, compared, text)| {
        let rarity = libm::log((count(whole.len()) + 1.0) / times(whole, &compared).max(1.0));
        let first = own.first().is_some_and(|first| has_words(first, &compared));
        let words = if text.contains(' ') {
            SEVERAL_WORDS
        } else {
            1.0
        };
        let score = weight * (0.5 + rarity) * words * if first { FIRST } else { 1.0 };
        (score, text)
    });
    let best = scored.reduce(
        |best, next| {
            if next.0 > best.0 + 1e-9 { next } else { best }
        },
    );
    best.map(|(_, text)| text)
}

/// Terms that are defined, then names of things, each with what it counts.
fn candidates(facts: &[String], language: Language) -> Vec<(String, f64)> {
    let defined = facts.iter().filter_map(|fact| definition(fact, language));
    let defined = defined
        .filter(|one| one.pattern != Pattern::Listed)
        .map(|one| (one.term, DEFINED));
    let named = nouns(facts, language).into_iter();
    let named = named
        .filter(|noun| noun.sentences.len() >= 2)
        .map(|noun| (noun.text, 1.0));
    defined
        .chain(named)
        .filter_map(|(text, bonus)| Some((without_course_words(&text)?, bonus)))
        .collect()
}

fn has_words(sentence: &str, words: &str) -> bool {
    sentence.match_indices(words).any(|(at, _)| {
        let before = sentence.get(..at).and_then(|text| text.chars().next_back());
        before.is_none_or(|c| !c.is_alphanumeric())
    })
}

/// Where nothing is named twice: the phrase that stands in most of some sentences, the longer one of equals, one without a
/// number if there is one.
fn frequent_phrase(facts: &[String], language: Language, taken: &[String]) -> Option<String> {
    let found = phrases(facts.iter().map(String::as_str), language).into_iter();
    let named = found.filter_map(|phrase| without_course_words(&phrase.text));
    let fresh = named.filter(|text| !taken.contains(&fold(text)));
    let facts: Vec<String> = facts.iter().map(|fact| fold(fact)).collect();
    fresh
        .map(|text| {
            let folded = fold(&text);
            let times = facts.iter().filter(|fact| fact.contains(&folded)).count();
            let is_plain = !text.chars().any(|c| c.is_ascii_digit());
            ((is_plain, times, text.split(' ').count().min(2)), text)
        })
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, text)| text)
}

/// A phrase without the words that only say that there is a course.
pub(super) fn without_course_words(phrase: &str) -> Option<String> {
    let kept: Vec<&str> = phrase
        .split(' ')
        .filter(|word| {
            let folded = fold(word);
            COURSE_WORDS
                .split_ascii_whitespace()
                .all(|known| known != folded)
        })
        .collect();
    let letters = kept
        .iter()
        .flat_map(|word| word.chars())
        .filter(|c| c.is_alphabetic());
    (letters.count() >= 3).then(|| kept.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_called_by_what_only_it_speaks_of() {
        let part = [
            "Water is heated to 63 degrees in the urn.",
            "Fourteen allergens must be declared on every label.",
            "Guests ask about allergens at the table.",
        ]
        .map(str::to_owned);
        let other = [
            "Water is drained from the urn.",
            "The urn is cleaned with water.",
        ]
        .map(str::to_owned);
        let whole = [part.to_vec(), other.to_vec()].concat();
        let named = telling_phrase(&part, &folded(&whole), Language::English, &[]).unwrap();
        assert_eq!(named, "allergens");
    }

    #[test]
    fn numbers_are_no_names() {
        let part = [
            "At 63 degrees it is safe.",
            "Below 63 degrees bacteria grow.",
        ]
        .map(str::to_owned);
        let named = telling_phrase(&part, &folded(&part), Language::English, &[]).unwrap();
        assert!(!named.contains("63"), "{named}");
    }
}
