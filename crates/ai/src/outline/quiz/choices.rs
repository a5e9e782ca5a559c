//! Wrong options: things of the same kind as the right answer, from the whole course. None is made up.

use super::course::{Course, whole_words};
use super::items::{AskedFor, Item, akin};
use super::kinship::{says_nearly_the_same, shares_half};
use crate::outline::defining::{Definition, genus, same_sort};
use crate::words::{fold, stems};

/// Wrong options of a choice.
pub(super) const DISTRACTORS: usize = 3;
/// So many of them at least are of the sort of the right answer, or nobody needs the lesson to tell it from them.
const OF_ITS_SORT: usize = 2;
/// Longest meaning that is an option, in characters.
const LONGEST_OPTION: usize = 170;

/// Wrong answers to an item, the likest first; fewer than [`DISTRACTORS`] where the course has no more of the kind.
pub(super) fn wrong_answers(item: &Item, course: &Course) -> Vec<String> {
    match item.kind {
        AskedFor::Number(index) => numbers(item, index, course),
        AskedFor::Defined | AskedFor::Term => terms(item, course),
        AskedFor::Name => names(item, course),
    }
}

/// Numbers of the same unit that the sentence does not have, the nearest first.
fn numbers(item: &Item, index: usize, course: &Course) -> Vec<String> {
    let Some(sentence) = course.sentences.get(item.at) else {
        return Vec::new();
    };
    let Some(right) = sentence.quantities.get(index) else {
        return Vec::new();
    };
    let same = |one: f64, other: f64| (one - other).abs() < 1e-9;
    let mut others: Vec<(f64, &str)> = course
        .sentences
        .iter()
        .flat_map(|sentence| &sentence.quantities)
        .filter(|one| {
            one.unit == right.unit
                && one.measures == right.measures
                && in_digits(&one.number) == in_digits(&right.number)
        })
        .filter(|one| {
            sentence
                .quantities
                .iter()
                .all(|own| own.unit != one.unit || !same(own.value, one.value))
        })
        .map(|one| (one.value, one.shown.as_str()))
        .collect();
    others.sort_by(|a, b| {
        (a.0 - right.value)
            .abs()
            .total_cmp(&(b.0 - right.value).abs())
            .then(a.1.cmp(b.1))
    });
    others.dedup_by(|a, b| same(a.0, b.0));
    let mut chosen: Vec<(f64, String)> = Vec::new();
    for (value, shown) in others {
        // "5 °C" is easily read into "75 °C".
        let is_apart = |known: &str| !known.contains(shown) && !shown.contains(known);
        let is_fresh = chosen
            .iter()
            .all(|(known, text)| !same(*known, value) && is_apart(text));
        if chosen.len() < DISTRACTORS && is_fresh && is_apart(&right.shown) {
            chosen.push((value, shown.to_owned()));
        }
    }
    chosen.into_iter().map(|(_, shown)| shown).collect()
}

fn in_digits(number: &str) -> bool {
    number.chars().any(|c| c.is_ascii_digit())
}

/// Terms that other sentences define: those of the same sort first, then those that are one or many alike, then those
/// defined in the same way, then the nearest. In a sentence that goes on around the answer only those fit that are one or
/// many alike. None where too few are of the same sort, or where the meaning shows a part of the term.
fn terms(item: &Item, course: &Course) -> Vec<String> {
    let own = course.definitions().find(|one| one.term == item.answer);
    let Some(own) = own.filter(|own| !shares_half(&own.term, &own.meaning, course.language)) else {
        return Vec::new();
    };
    let strict = item.kind == AskedFor::Term;
    let alike = |other: &Definition| same_sort(own, other, course.language);
    let mut others: Vec<(bool, bool, bool, usize, &Definition)> = Vec::new();
    for (at, sentence) in course.sentences.iter().enumerate() {
        let Some(other) = &sentence.definition else {
            continue;
        };
        let number = (other.countable, other.many);
        let counts = (own.countable, own.many) != number;
        let differs = own.pattern != other.pattern;
        if !(strict && counts || might_be_right(other, own, course)) {
            others.push((!alike(other), counts, differs, at.abs_diff(item.at), other));
        }
    }
    others.sort_by_key(|(sort, counts, differs, away, _)| (*sort, *counts, *differs, *away));
    let terms = others.iter().map(|(_, _, _, _, other)| other.term.as_str());
    let chosen = distinct(item, course, terms);
    let of_its_sort = others
        .iter()
        .filter(|(other_sort, _, _, _, other)| !other_sort && chosen.contains(&other.term));
    if of_its_sort.count() < OF_ITS_SORT {
        return Vec::new();
    }
    chosen
}

/// Whether what is asked about one term may be true of another: the other is a kind of it, stands beside it in a sentence
/// ("allergens, among them gluten"), or means nearly the same.
fn might_be_right(other: &Definition, right: &Definition, course: &Course) -> bool {
    let language = course.language;
    let is_kind = genus(&other.meaning, language).is_some_and(|genus| {
        stems(&right.term, language)
            .iter()
            .any(|stem| stem.text == genus)
    });
    let (one, two) = (whole_words(&right.term), whole_words(&other.term));
    let mut sentences = course.sentences.iter();
    let meets =
        sentences.any(|sentence| sentence.words.contains(&one) && sentence.words.contains(&two));
    is_kind || meets || says_nearly_the_same(&right.meaning, &other.meaning, language)
}

/// Names of things of the same shape that never stand in a sentence with the right one.
fn names(item: &Item, course: &Course) -> Vec<String> {
    let Some(right) = course.nouns.iter().find(|noun| noun.text == item.answer) else {
        return Vec::new();
    };
    let apart = course.nouns.iter().filter(|noun| {
        let meets = noun
            .sentences
            .iter()
            .any(|at| right.sentences.binary_search(at).is_ok());
        noun.sentences.len() >= 2 && !meets && shape(&noun.text) == shape(&right.text)
    });
    distinct(item, course, apart.map(|noun| noun.text.as_str()))
}

/// How many words, a capital or none, and whether it ends like a plural.
fn shape(text: &str) -> (usize, bool, bool) {
    (
        text.split(' ').count(),
        text.starts_with(char::is_uppercase),
        text.ends_with('s'),
    )
}

/// The first of some terms that are neither in the text nor parts or kin of each other or of the answer.
fn distinct<'a>(item: &Item, course: &Course, terms: impl Iterator<Item = &'a str>) -> Vec<String> {
    let sentence = course
        .sentences
        .get(item.at)
        .map_or("", |one| one.text.as_str());
    let text = whole_words(&item.text(sentence));
    let mut chosen: Vec<String> = Vec::new();
    for term in terms {
        let is_fresh = [&item.answer]
            .into_iter()
            .chain(&chosen)
            .all(|known| !overlap(known, term, course));
        if is_fresh && !text.contains(&whole_words(term)) {
            chosen.push(term.to_owned());
        }
        if chosen.len() == DISTRACTORS {
            break;
        }
    }
    chosen
}

fn overlap(one: &str, other: &str, course: &Course) -> bool {
    let (a, b) = (fold(one), fold(other));
    let (one, other) = (stems(one, course.language), stems(other, course.language));
    a.contains(&b)
        || b.contains(&a)
        || one
            .iter()
            .any(|one| other.iter().any(|other| akin(&one.surface, &other.surface)))
}

/// What other terms mean: of about the same length, built alike, and without the term that is asked about.
pub(super) fn wrong_meanings(right: &Definition, course: &Course) -> Vec<String> {
    let language = course.language;
    if is_object(&right.meaning) || shares_half(&right.term, &right.meaning, language) {
        return Vec::new();
    }
    let length = right.meaning.chars().count();
    let alike = |other: &&Definition| {
        let own = other.meaning.chars().count();
        let of_a_length = own <= length * 2 && length <= own * 2;
        of_a_length
            && !other.meaning.is_empty()
            && begins(&other.meaning) == begins(&right.meaning)
            && other.many == right.many
            && !is_object(&other.meaning)
            && !overlap(&right.term, &other.term, course)
            && !whole_words(&other.meaning).contains(&whole_words(&right.term))
            && !might_be_right(other, right, course)
    };
    let mut others: Vec<(bool, usize, usize, &Definition)> = course
        .definitions()
        .filter(alike)
        .enumerate()
        .map(|(at, other)| {
            let differs = other.meaning.chars().count().abs_diff(length);
            (!same_sort(right, other, language), differs, at, other)
        })
        .collect();
    others.sort_by_key(|(sort, differs, at, _)| (*sort, *differs, *at));
    let mut chosen: Vec<String> = Vec::new();
    let mut of_its_sort = 0;
    for (other_sort, _, _, other) in others {
        if chosen.len() < DISTRACTORS && !chosen.contains(&other.meaning) {
            chosen.push(other.meaning.clone());
            of_its_sort += usize::from(!other_sort);
        }
    }
    if of_its_sort < OF_ITS_SORT {
        return Vec::new();
    }
    chosen
}

/// Whether a meaning begins with a capital, or with an article; options that begin otherwise stand out.
fn begins(meaning: &str) -> (bool, bool) {
    const ARTICLES: &[&str] = &[
        "a", "an", "the", "one", "ein", "eine", "einen", "der", "die", "das", "den", "el", "la",
        "los", "las", "un", "una", "le", "les", "une", "des", "il", "lo", "uno", "o", "os", "as",
        "um", "uma",
    ];
    let first = fold(meaning.split([' ', '\'', '’']).next().unwrap_or_default());
    (
        meaning.starts_with(char::is_uppercase),
        ARTICLES.contains(&first.as_str()),
    )
}

/// Whether a meaning is in the accusative, which would stand out: "Unter X versteht man einen …".
fn is_object(meaning: &str) -> bool {
    meaning.starts_with("einen ") || meaning.starts_with("den ")
}

/// Whether a meaning can be an option.
pub(super) fn is_short(meaning: &str) -> bool {
    meaning.chars().count() <= LONGEST_OPTION
}
