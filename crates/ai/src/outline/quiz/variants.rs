//! Answers to a blank that are as right as what stands in the lesson: a number as a word, a term with its article, as one or
//! as many.

use super::course::Course;
use super::items::{AskedFor, Item};
use crate::language::Language;
use crate::outline::quantities::{self, Quantity};
use crate::words::{fold, stems};

/// What is accepted, first what the lesson has.
pub(super) fn accepted(item: &Item, course: &Course) -> Vec<String> {
    let sentence = course.sentences.get(item.at);
    if let AskedFor::Number(index) = item.kind {
        let quantity = sentence.and_then(|one| one.quantities.get(index));
        let mut found = quantity.map_or_else(
            || vec![item.answer.clone()],
            |one| quantities::variants(one, course.language),
        );
        // Where the unit stands behind the blank, the number alone is what fits best.
        let alone = quantity.filter(|one| unit_behind(one).is_some());
        if let Some(at) = alone.and_then(|one| found.iter().position(|text| *text == one.number)) {
            found.swap(0, at);
        }
        return found;
    }
    let mut found = vec![item.answer.clone()];
    let mut add = |text: String| {
        if found.iter().all(|known| fold(known) != fold(&text)) {
            found.push(text);
        }
    };
    if let Some(with_article) = sentence.and_then(|one| one.text.get(item.start..item.end)) {
        add(with_article.to_owned());
    }
    let countable = sentence
        .and_then(|one| one.definition.as_ref())
        .is_some_and(|one| one.countable);
    number_of(&item.answer, countable, course.language)
        .into_iter()
        .for_each(&mut add);
    other_writings(&item.answer, course)
        .into_iter()
        .for_each(&mut add);
    if item.answer.contains('-') {
        add(item.answer.replace('-', " "));
    }
    found
}

/// The unit that can stand behind the blank of a number, as it is written there; none where a letter of it would be read as
/// a part of what is filled in, or where it stands before the number.
pub(super) fn unit_behind(quantity: &Quantity) -> Option<&str> {
    let behind = quantity.shown.strip_prefix(quantity.number.as_str())?;
    (!behind.starts_with(char::is_alphabetic)).then_some(behind)
}

/// The English plural of what can be counted.
fn number_of(term: &str, countable: bool, language: Language) -> Option<String> {
    if !countable || language != Language::English {
        return None;
    }
    let is_sibilant = ["s", "x", "ch", "sh", "z"]
        .iter()
        .any(|end| term.ends_with(end));
    let before_y = term.chars().rev().nth(1);
    Some(match term.strip_suffix('y') {
        Some(rest) if before_y.is_some_and(|c| !"aeiou".contains(c)) => format!("{rest}ies"),
        _ if is_sibilant => format!("{term}es"),
        _ => format!("{term}s"),
    })
}

/// The words of the course that have the same stems: another number or case of the term, as the course itself writes it.
fn other_writings(term: &str, course: &Course) -> Vec<String> {
    let asked = stems(term, course.language);
    let [asked] = asked.as_slice() else {
        return Vec::new();
    };
    let mut found: Vec<String> = Vec::new();
    let words = course
        .sentences
        .iter()
        .flat_map(|one| one.text.split(|c: char| !c.is_alphanumeric() && c != '-'));
    let stemmer = course.language.stemmer();
    for word in words {
        let folded = fold(word);
        // Most words do not even begin alike.
        if folded.chars().next() != asked.surface.chars().next() || folded == asked.surface {
            continue;
        }
        if stemmer.stem(&folded) == asked.text && !found.iter().any(|known| fold(known) == folded) {
            found.push(word.to_owned());
        }
    }
    found.truncate(3);
    found
}
