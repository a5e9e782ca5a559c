//! Quizzes from the lessons' own sentences: blanks, choices, true or false.
//!
//! A wrong option is a term from another sentence of the same kind; no term is made up.

use lyceum_domain::activities::{ActivityContent, ActivityKind};
use serde_json::{Value, json};

use super::phrases::phrases;
use super::{Labels, content};
use crate::language::Language;
use crate::template::fill;

/// Most questions of a quiz.
const MAX_QUESTIONS: usize = 6;
/// Wrong options of a choice.
const DISTRACTORS: usize = 3;

/// What a quiz is made from.
pub(crate) struct QuizSource<'a> {
    pub(crate) language: Language,
    /// Name of the unit.
    pub(crate) unit: &'a str,
    /// The sentences asked about.
    pub(crate) facts: &'a [String],
    /// All sentences of the course, for wrong options.
    pub(crate) all_facts: &'a [String],
    /// Names of the unit's topics.
    pub(crate) topics: &'a [String],
    /// Names of all other topics.
    pub(crate) other_topics: &'a [String],
}

/// A sentence and the term that is asked for.
struct Gap<'a> {
    sentence: &'a str,
    term: String,
    distractors: Vec<String>,
}

impl Gap<'_> {
    fn with(&self, filling: &str) -> String {
        self.sentence.replacen(&self.term, filling, 1)
    }
}

/// A quiz of up to six questions; `None` if nothing can be asked.
pub(crate) fn quiz(labels: &Labels, source: &QuizSource<'_>) -> Option<ActivityContent> {
    let pool = terms(source.all_facts, source.language);
    let gaps: Vec<Gap<'_>> = source
        .facts
        .iter()
        .filter_map(|fact| gap(fact, source.language, &pool))
        .take(MAX_QUESTIONS)
        .collect();
    let mut questions: Vec<Value> = gaps
        .iter()
        .enumerate()
        .map(|(index, gap)| ask(labels, gap, index))
        .collect();
    if questions.len() < MAX_QUESTIONS {
        questions.extend(belonging(labels, source));
    }
    if questions.is_empty() {
        return None;
    }
    for (index, question) in questions.iter_mut().enumerate() {
        if let Value::Object(question) = question {
            question.insert("id".to_owned(), json!(format!("q{}", index + 1)));
        }
    }
    content(
        ActivityKind::Quiz,
        json!({"questions": questions, "shuffle": true, "passing_percent": 70, "show_answers": "after_submit"}),
    )
}

fn ask(labels: &Labels, gap: &Gap<'_>, index: usize) -> Value {
    let number = gap.term.starts_with(|c: char| c.is_ascii_digit());
    match (index % 3, gap.distractors.first()) {
        (1, Some(_)) if gap.distractors.len() >= DISTRACTORS => single_choice(labels, gap),
        // Only another number makes a statement surely false, and every other one is to be true.
        (2, Some(wrong)) if number && index.is_multiple_of(2) => {
            true_false(labels, gap, Some(wrong))
        }
        (2, _) if number => true_false(labels, gap, None),
        _ => cloze(labels, gap),
    }
}

fn cloze(labels: &Labels, gap: &Gap<'_>) -> Value {
    json!({
        "type": "cloze",
        "prompt": labels.fill_blank,
        "text": gap.with("{{1}}"),
        "blanks": [{"id": "1", "accepted_answers": [gap.term]}],
        "explanation": fill(labels.as_lesson_says, &[("sentence", gap.sentence)]),
    })
}

fn true_false(labels: &Labels, gap: &Gap<'_>, wrong: Option<&String>) -> Value {
    let statement = wrong.map_or_else(|| gap.sentence.to_owned(), |wrong| gap.with(wrong));
    json!({
        "type": "true_false",
        "prompt": format!("{} {statement}", labels.true_or_false),
        "answer": wrong.is_none(),
        "explanation": fill(labels.as_lesson_says, &[("sentence", gap.sentence)]),
    })
}

fn single_choice(labels: &Labels, gap: &Gap<'_>) -> Value {
    json!({
        "type": "single_choice",
        "prompt": format!("{}\n\n{}", labels.which_completes, gap.with("____")),
        "options": options(&gap.term, &gap.distractors),
        "explanation": fill(labels.as_lesson_says, &[("sentence", gap.sentence)]),
    })
}

fn belonging(labels: &Labels, source: &QuizSource<'_>) -> Option<Value> {
    let right = source.topics.first()?;
    let wrong: Vec<String> = source
        .other_topics
        .iter()
        .filter(|topic| !source.topics.contains(topic))
        .take(DISTRACTORS)
        .cloned()
        .collect();
    if wrong.is_empty() {
        return None;
    }
    let unit = labels.quoted(source.unit);
    Some(json!({
        "type": "single_choice",
        "prompt": fill(labels.which_belongs, &[("unit", &unit)]),
        "options": options(right, &wrong),
        "explanation": "",
    }))
}

/// The right and the wrong options in alphabetical order, which says nothing about which is right.
fn options(right: &str, wrong: &[String]) -> Vec<Value> {
    let mut texts: Vec<&str> = wrong.iter().map(String::as_str).take(DISTRACTORS).collect();
    texts.push(right);
    texts.sort_unstable();
    let ids = ["a", "b", "c", "d"];
    texts
        .into_iter()
        .zip(ids)
        .map(|(text, id)| json!({"id": id, "text": text, "correct": text == right}))
        .collect()
}

/// The term of a sentence worth asking for, with terms of the same shape from elsewhere.
fn gap<'a>(sentence: &'a str, language: Language, pool: &[String]) -> Option<Gap<'a>> {
    let length = sentence.chars().count();
    if !(20..=300).contains(&length)
        || sentence.split_whitespace().count() < 4
        || sentence.contains("{{")
    {
        return None;
    }
    let term = term(sentence, language)?;
    let lower = sentence.to_lowercase();
    let mut distractors: Vec<String> = Vec::new();
    for candidate in pool {
        let folded = candidate.to_lowercase();
        let fresh = distractors.iter().chain([&term]).all(|known| {
            let known = known.to_lowercase();
            !known.contains(&folded) && !folded.contains(&known)
        });
        if fresh && same_shape(candidate, &term) && !lower.contains(&folded) {
            distractors.push(candidate.clone());
        }
        if distractors.len() == DISTRACTORS {
            break;
        }
    }
    Some(Gap {
        sentence,
        term,
        distractors,
    })
}

fn terms(facts: &[String], language: Language) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for term in facts.iter().filter_map(|fact| term(fact, language)) {
        if !found.contains(&term) {
            found.push(term);
        }
    }
    found
}

/// A number of two digits or more, else the heaviest phrase of at most three words.
fn term(sentence: &str, language: Language) -> Option<String> {
    let number = sentence
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_ascii_digit()))
        .find(|word| word.len() >= 2 && word.chars().all(|c| c.is_ascii_digit()));
    if let Some(number) = number {
        return Some(number.to_owned());
    }
    let mut best: Option<(usize, String)> = None;
    for phrase in phrases([sentence], language) {
        let words = phrase.text.split(' ').count();
        let letters = phrase.text.chars().count();
        let fits = words <= 3 && letters >= 4 && sentence.contains(&phrase.text);
        // Two words name a thing better than one, and better than a whole clause.
        let worth = if words == 2 { 100 + letters } else { letters };
        if fits && best.as_ref().is_none_or(|(so_far, _)| worth > *so_far) {
            best = Some((worth, phrase.text));
        }
    }
    best.map(|(_, text)| text)
}

fn same_shape(a: &str, b: &str) -> bool {
    let shape = |text: &str| {
        let mut chars = text.chars();
        let first = chars.next();
        (
            text.split(' ').count(),
            first.is_some_and(char::is_uppercase),
            first.is_some_and(|c| c.is_ascii_digit()),
        )
    };
    shape(a) == shape(b)
}
