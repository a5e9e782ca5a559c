//! Flashcards from sentences that say what something is.

use lyceum_domain::authoring::activities::{ActivityContent, ActivityKind};
use serde_json::json;

use super::content;
use crate::language::Language;
use crate::words::{fold, stems};

/// Words between a term and what is said about it, in the languages we know.
const LINKS: &[&str] = &[
    ": ",
    " means ",
    " is ",
    " are ",
    " – ",
    " — ",
    " bedeutet ",
    " heißt ",
    " ist ",
    " sind ",
    " significa ",
    " es ",
    " son ",
    " é ",
    " são ",
    " est ",
    " sont ",
    " signifie ",
    " è ",
    " sono ",
];

/// Most cards of one activity.
const MAX_CARDS: usize = 20;

/// Terms and what the sentences say about them.
pub(crate) fn pairs(facts: &[String], language: Language) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for (front, back) in facts.iter().filter_map(|fact| pair(fact, language)) {
        let known = found.iter().any(|(term, _)| fold(term) == fold(&front));
        if !known && found.len() < MAX_CARDS {
            found.push((front, back));
        }
    }
    found
}

fn pair(fact: &str, language: Language) -> Option<(String, String)> {
    let (front, back) = LINKS.iter().find_map(|link| fact.split_once(link))?;
    let (front, back) = (front.trim(), back.trim());
    let words = front.split_whitespace().count();
    let named = !stems(front, language).is_empty() && !starts_with_stop_word(front, language);
    let fits = (1..=5).contains(&words) && front.chars().count() >= 3 && named;
    let says = (8..=300).contains(&back.chars().count());
    (fits && says && !front.contains([',', '.', '?'])).then(|| (front.to_owned(), back.to_owned()))
}

fn starts_with_stop_word(text: &str, language: Language) -> bool {
    // An article is welcome; a pronoun or a conjunction names nothing.
    let articles = [
        "the", "a", "an", "der", "die", "das", "el", "la", "le", "il", "lo", "o", "un", "una",
        "um", "uma",
    ];
    let first = fold(text.split_whitespace().next().unwrap_or_default());
    language.is_stop_word(&first) && !articles.contains(&first.as_str())
}

/// Those terms of which the sentences say what they are, and not only what happens to them.
pub(crate) fn definitions(facts: &[String], language: Language) -> Vec<(String, String)> {
    const ARTICLES: &[&str] = &[
        "a", "an", "the", "one", "ein", "eine", "der", "die", "das", "un", "una", "uno", "une",
        "le", "la", "les", "el", "los", "las", "il", "lo", "i", "gli", "o", "os", "as", "um",
        "uma", "l",
    ];
    const IS: &[&str] = &[
        " is ", " are ", " ist ", " sind ", " es ", " son ", " é ", " são ", " est ", " sont ",
        " è ", " sono ",
    ];
    let defines = |fact: &&String| {
        let link = LINKS.iter().find(|link| fact.contains(**link));
        let Some(link) = link.filter(|link| IS.contains(link)) else {
            return true;
        };
        let said = fact.split_once(link).map_or("", |(_, said)| said);
        let first = said.split([' ', '\'', '’']).next().unwrap_or_default();
        ARTICLES.contains(&fold(first).as_str())
    };
    let facts: Vec<String> = facts.iter().filter(defines).cloned().collect();
    pairs(&facts, language)
}

/// The cards as an activity's content.
pub(crate) fn cards(pairs: &[(String, String)]) -> Option<ActivityContent> {
    let cards: Vec<_> = pairs
        .iter()
        .enumerate()
        .map(|(index, (front, back))| json!({"id": format!("f{}", index + 1), "front": front, "back": back}))
        .collect();
    content(ActivityKind::Flashcards, json!({ "cards": cards }))
}
