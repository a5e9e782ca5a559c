//! What a grade points at: passages of the submission, and expected ideas that are not there.
//!
//! Quotes are exact slices of the original. What is missing is for the teacher only.

use std::collections::BTreeSet;

use super::constants::DEMOTED;
use super::expected::{Expected, Source};
use super::reading::{Reading, SubmissionSentence};
use super::score::Reference;
use super::similarity::Words;
use crate::language::Language;
use crate::matching::word_match;
use crate::quoting::{occurrence, quote, shorten};
use crate::words::{Stem, fold, stems, tokens};
use lyceum_domain::text::sentences::sentences;

/// Most passages quoted for a criterion.
const MAX_QUOTES: usize = 2;
/// Most ideas named as missing, and the longest of them, in characters.
const MAX_MISSING: usize = 8;
const MAX_IDEA: usize = 200;
/// A key point counts as missing where the text has less than this share of its words.
const COVERED: f64 = 0.5;

/// Up to two sentences that together cover most of the expected words, in the order of the text, each with which of
/// its occurrences (1-based) is meant.
pub(crate) fn quotes(
    expected: &Expected,
    best: usize,
    reading: &Reading<'_>,
    question: &Words,
) -> Vec<(String, usize)> {
    let mut open = wanted(expected, best, question);
    let mut chosen: Vec<&SubmissionSentence<'_>> = Vec::new();
    while chosen.len() < MAX_QUOTES {
        let mut best: Option<(f64, &SubmissionSentence<'_>)> = None;
        for passage in &reading.passages {
            let gain = gain(&open, passage);
            if best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, passage));
            }
        }
        let Some((_, passage)) = best.filter(|(gain, _)| *gain > 0.0) else {
            break;
        };
        open.retain(|(stem, _)| !has(&passage.stems, stem));
        chosen.push(passage);
    }
    chosen.sort_by_key(|passage| passage.sentence.start);
    let quoted = chosen.into_iter().map(|passage| {
        let quote = quote(passage.sentence.text);
        let which = occurrence(reading.original, quote, passage.sentence.start);
        (quote.to_owned(), which)
    });
    quoted.collect()
}

/// The references that count: the model answer it was held against, or all key points.
fn judged_by(expected: &Expected, best: usize) -> Vec<&Reference> {
    match expected.source {
        Source::Answers | Source::OwnWords => {
            let answer = expected.answers.get(best).map(|(_, reference)| reference);
            answer.into_iter().collect()
        }
        Source::Points => expected.points.iter().map(|p| &p.reference).collect(),
        Source::Nothing => Vec::new(),
    }
}

/// The expected words, each once, with what it counts.
fn wanted<'a>(expected: &'a Expected, best: usize, question: &Words) -> Vec<(&'a Stem, f64)> {
    let mut seen = BTreeSet::new();
    let all = judged_by(expected, best);
    let stems = all.into_iter().flat_map(|one| one.text.words.distinct());
    let stems = stems.filter(|stem| seen.insert(stem.text.as_str()));
    let weigh = |stem| (stem, if question.has(stem) { DEMOTED } else { 1.0 });
    stems.map(weigh).collect()
}

fn gain(open: &[(&Stem, f64)], passage: &SubmissionSentence<'_>) -> f64 {
    let found = open.iter().filter(|(stem, _)| has(&passage.stems, stem));
    found.map(|(_, weight)| weight).sum()
}

fn has(given: &[Stem], stem: &Stem) -> bool {
    given.iter().any(|own| word_match(stem, own) > 0.0)
}

/// The expected words that are there, and those that are not, each once, as they are written there.
pub(crate) fn coverage(
    expected: &Expected,
    best: usize,
    reading: &Reading<'_>,
) -> (Vec<String>, Vec<String>) {
    let mut seen = BTreeSet::new();
    let (mut matched, mut missing) = (Vec::new(), Vec::new());
    let all = judged_by(expected, best);
    for stem in all.iter().flat_map(|one| one.text.words.distinct()) {
        // The C of °C tells a teacher nothing.
        let letter = !stem.number && stem.text.is_ascii() && stem.text.len() == 1;
        if letter || !seen.insert(stem.text.as_str()) {
            continue;
        }
        if !reading.blank && reading.whole.words.contains(stem) {
            matched.push(stem.surface.clone());
        } else {
            missing.push(stem.surface.clone());
        }
    }
    (matched, missing)
}

/// The ideas that are not there: key points of which too little is said, or else the phrases of the model answer
/// of which nothing is.
pub(crate) fn missing_ideas(
    expected: &Expected,
    best: usize,
    reading: &Reading<'_>,
    language: Language,
) -> Vec<String> {
    let ideas: Vec<String> = match expected.source {
        Source::Nothing | Source::OwnWords => Vec::new(),
        Source::Answers | Source::Points if !expected.points.is_empty() => {
            let points = expected.points.iter();
            let open = points.filter(|point| !is_covered(&point.reference, reading));
            open.map(|point| point.text.trim().to_owned()).collect()
        }
        Source::Answers | Source::Points => expected
            .answers
            .get(best)
            .map_or_else(Vec::new, |(text, _)| phrases(text, reading, language)),
    };
    let ideas = ideas.into_iter().take(MAX_MISSING);
    ideas
        .map(|idea| shorten(&idea, MAX_IDEA).to_owned())
        .collect()
}

fn is_covered(reference: &Reference, reading: &Reading<'_>) -> bool {
    !reading.blank && reference.score(&reading.whole).measures.recall >= COVERED
}

/// Runs of words of a reference that the text has not, with the small words between them.
fn phrases(reference: &str, reading: &Reading<'_>, language: Language) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for sentence in sentences(reference) {
        let (mut run, mut pending): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for token in tokens(&fold(sentence.text), language) {
            let stems = stems(&token, language);
            match stems.first() {
                None if !run.is_empty() => pending.push(token),
                None => {}
                Some(stem) if !reading.blank && reading.whole.words.contains(stem) => {
                    finish(&mut run, &mut pending, &mut found);
                }
                Some(_) => {
                    run.append(&mut pending);
                    run.push(token);
                }
            }
        }
        finish(&mut run, &mut pending, &mut found);
    }
    found
}

fn finish(run: &mut Vec<String>, pending: &mut Vec<String>, found: &mut Vec<String>) {
    pending.clear();
    let phrase = std::mem::take(run).join(" ");
    if phrase.chars().count() > 1 && !found.contains(&phrase) {
        found.push(phrase);
    }
}
