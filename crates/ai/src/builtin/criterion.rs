//! One criterion: what it is compared with, which passages bear on it, how much of it is there.
//!
//! Pure functions over words; points, levels and sentences for people are made elsewhere.

use std::collections::BTreeSet;

use lyceum_domain::rubric::Criterion;

use super::score::{Context, Scored};
use super::similarity::{Words, count, share, word_match};
use crate::language::Language;
use crate::sentences::{Sentence, occurrence, quote};
use crate::words::{Stem, distinct, stems};

/// Most reference texts read per criterion.
const MAX_REFERENCES: usize = 12;
/// Longest passage compared with a model answer and with a key point, in sentences.
const ANSWER_WINDOW: usize = 5;
const POINT_WINDOW: usize = 2;

/// A sentence of the submission with its words.
pub(crate) struct Passage<'a> {
    pub(crate) sentence: Sentence<'a>,
    pub(crate) stems: Vec<Stem>,
}

/// A submission as it is compared: its sentences, and every run of neighbouring ones.
pub(crate) struct Reading<'a> {
    pub(crate) passages: Vec<Passage<'a>>,
    /// Runs of sentences with their length, made once because every reference is compared with all of them.
    windows: Vec<(usize, Words)>,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(passages: Vec<Passage<'a>>) -> Self {
        let mut windows = Vec::new();
        for length in 1..=ANSWER_WINDOW.min(passages.len()) {
            for window in passages.windows(length) {
                let stems = window
                    .iter()
                    .flat_map(|passage| passage.stems.iter().cloned());
                windows.push((length, Words::new(stems.collect())));
            }
        }
        Self { passages, windows }
    }
}

/// What a submission is compared with for one criterion.
pub(crate) struct References {
    answers: Vec<Words>,
    points: Vec<Words>,
    /// Nobody wrote down what a good answer says; the rubric's own words stand in for it.
    pub(crate) weak: bool,
}

impl References {
    /// Model answers and key points of a criterion, or else its own words and the task's.
    pub(crate) fn of(criterion: &Criterion, instructions: &str, language: Language) -> Self {
        let words = |texts: Vec<String>| -> Vec<Words> {
            let texts = texts.into_iter().take(MAX_REFERENCES);
            texts
                .map(|text| Words::new(stems(&text, language)))
                .filter(|words| !words.stems.is_empty())
                .collect()
        };
        let answers = words(criterion.texts("reference_answers"));
        let points = words(criterion.texts("key_points"));
        let weak = answers.is_empty() && points.is_empty();
        if !weak {
            return Self {
                answers,
                points,
                weak,
            };
        }
        Self {
            answers: words(vec![own_words(criterion, instructions)]),
            points,
            weak,
        }
    }

    fn all(&self) -> impl Iterator<Item = &Words> {
        self.answers.iter().chain(&self.points)
    }
}

fn own_words(criterion: &Criterion, instructions: &str) -> String {
    let best = criterion.levels.iter().max_by_key(|level| level.points);
    let descriptor = best.map_or("", |level| level.description.as_str());
    format!(
        "{}. {}. {descriptor}. {instructions}",
        criterion.name, criterion.description
    )
}

/// What was found for one criterion.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Finding {
    /// How much of it is there, 0 to 1.
    pub(crate) reached: f64,
    /// Share of the matched words that are negated on one side only.
    pub(crate) negation: f64,
    /// Share of the reference's neighbouring word pairs that are there, beside the share of its words.
    pub(crate) order: (f64, f64),
    /// Words of the references that were found, as they are written there.
    pub(crate) matched: Vec<String>,
    /// Those that were not.
    pub(crate) missing: Vec<String>,
    /// Passages that bear on it, and which of their occurrences is meant.
    pub(crate) quotes: Vec<(String, usize)>,
}

/// Judges one criterion; `text` is the original that the passages were cut from.
pub(crate) fn judge(
    references: &References,
    reading: &Reading<'_>,
    question: &Words,
    text: &str,
) -> Finding {
    let nothing = Words::new(Vec::new());
    // The task's words are the reference itself here, so they cannot count less.
    let question = if references.weak { &nothing } else { question };
    let answer = best_answer(&references.answers, reading, question);
    let points = mean_of_points(&references.points, reading, question);
    let scored = answer.unwrap_or_default();
    let reached = match (answer, points) {
        (Some(answer), Some(points)) => f64::midpoint(answer.probability, points),
        (Some(answer), None) => answer.probability,
        (None, points) => points.unwrap_or(0.0),
    };
    let (matched, missing) = coverage(references, &reading.passages);
    Finding {
        reached: stretch(reached),
        negation: scored.measures.negation,
        order: (scored.measures.pairs, scored.measures.recall),
        matched,
        missing,
        quotes: evidence(references, &reading.passages, question, text),
    }
}

/// From the probability to the share of the points.
///
/// Without graded examples the probability is strict: a text in its own words shares about half of a model
/// answer's, and one about something else still shares a tenth. The two ends were set by hand with the 24 example
/// answers in view, so those are no test of it, and results carry the flag `uncalibrated`.
fn stretch(probability: f64) -> f64 {
    ((probability - 0.1) / 0.5).clamp(0.0, 1.0)
}

fn best_answer(answers: &[Words], reading: &Reading<'_>, question: &Words) -> Option<Scored> {
    let contexts = answers
        .iter()
        .map(|reference| Context::new(reference, question, answers.len()));
    contexts
        .map(|context| best_window(&context, reading, ANSWER_WINDOW))
        .max_by(|a, b| a.measures.overall().total_cmp(&b.measures.overall()))
}

fn mean_of_points(points: &[Words], reading: &Reading<'_>, question: &Words) -> Option<f64> {
    let sum: f64 = points
        .iter()
        .map(|point| Context::new(point, question, 1))
        .map(|context| best_window(&context, reading, POINT_WINDOW).probability)
        .sum();
    (!points.is_empty()).then(|| sum / count(points.len()))
}

/// The neighbouring sentences that say most of a reference, at most `longest` of them.
fn best_window(context: &Context<'_>, reading: &Reading<'_>, longest: usize) -> Scored {
    let mut best = Scored::default();
    let windows = reading.windows.iter();
    for (_, words) in windows.filter(|(length, _)| *length <= longest) {
        let scored = context.score(words);
        if scored.measures.overall() > best.measures.overall() {
            best = scored;
        }
    }
    best
}

/// The references' words, each once: those the submission has, and those it has not.
fn coverage(references: &References, passages: &[Passage<'_>]) -> (Vec<String>, Vec<String>) {
    let mut seen = BTreeSet::new();
    let (mut matched, mut missing) = (Vec::new(), Vec::new());
    for stem in references.all().flat_map(|words| &words.stems) {
        // The C of °C tells a teacher nothing.
        let letter = !stem.number && stem.text.is_ascii() && stem.text.len() == 1;
        if letter || !seen.insert(stem.text.as_str()) {
            continue;
        }
        let found = passages
            .iter()
            .flat_map(|passage| &passage.stems)
            .any(|given| word_match(stem, given) > 0.0);
        if found {
            matched.push(stem.surface.clone());
        } else {
            missing.push(stem.surface.clone());
        }
    }
    (matched, missing)
}

/// Up to two sentences that together cover most of the references' words.
fn evidence(
    references: &References,
    passages: &[Passage<'_>],
    question: &Words,
    text: &str,
) -> Vec<(String, usize)> {
    let wanted: Vec<Stem> = references
        .all()
        .flat_map(|words| words.stems.iter().cloned())
        .collect();
    let mut open = distinct(&wanted);
    let mut chosen: Vec<&Passage<'_>> = Vec::new();
    for _ in 0..2 {
        let best = passages
            .iter()
            .map(|passage| (covered(&open, passage, question), passage))
            .fold(None, |best: Option<(f64, &Passage<'_>)>, next| match best {
                Some(best) if best.0 >= next.0 => Some(best),
                _ => Some(next),
            });
        let Some((gain, passage)) = best else { break };
        if gain <= 0.0 {
            break;
        }
        open.retain(|stem| !has(passage, stem));
        chosen.push(passage);
    }
    chosen.sort_by_key(|passage| passage.sentence.start);
    chosen
        .into_iter()
        .map(|passage| quoted(text, passage.sentence))
        .collect()
}

fn quoted(text: &str, sentence: Sentence<'_>) -> (String, usize) {
    let quote = quote(sentence.text);
    (quote.to_owned(), occurrence(text, quote, sentence.start))
}

fn covered(open: &[&Stem], passage: &Passage<'_>, question: &Words) -> f64 {
    open.iter()
        .filter(|stem| has(passage, stem))
        .map(|stem| {
            let asked = question.stems.iter().any(|word| word.text == stem.text);
            if asked { 0.25 } else { 1.0 }
        })
        .sum()
}

fn has(passage: &Passage<'_>, stem: &Stem) -> bool {
    passage
        .stems
        .iter()
        .any(|given| word_match(stem, given) > 0.0)
}

/// The share of the submission's words that no reference and no question has.
pub(crate) fn unrelated(all: &[References], passages: &[Passage<'_>], question: &Words) -> f64 {
    let given: Vec<Stem> = passages
        .iter()
        .flat_map(|passage| passage.stems.iter().cloned())
        .collect();
    let given = distinct(&given);
    let strange = given
        .iter()
        .filter(|stem| {
            !question.contains(stem)
                && all
                    .iter()
                    .flat_map(References::all)
                    .all(|words| !words.contains(stem))
        })
        .count();
    share(strange, given.len())
}
