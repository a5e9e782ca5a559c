//! Quizzes from a model: item-writing rules, and the questions that are made of them.
//!
//! The rules follow Haladyna, Downing and Rodriguez (2002): one idea per item, distinct options of similar length,
//! no "all of the above", plausible wrong options.

use lyceum_domain::drafting::drafts::ActivitiesTask;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::texts::{folded, likeness, overlap, stands_in, word_count};
use super::{Broken, key_points, parsed, source_of};
use crate::language::Language;

/// Share of the key's words that the passage that settles it must have.
const KEY_IN_QUOTE: f64 = 0.3;
/// From this likeness on two stems ask the same.
const SAME_STEM: f64 = 0.85;
/// An option shorter than this is as long as this when lengths are compared: one word gives nothing away.
const SHORT_OPTION: usize = 10;
/// Words of a lesson that one question is asked for.
const WORDS_PER_QUESTION: usize = 40;
/// Options that no item may have, folded, in the languages we know.
const CATCH_ALLS: &[&str] = &[
    "all of the above",
    "none of the above",
    "all of these",
    "none of these",
    "both a and b",
    "todas las anteriores",
    "ninguna de las anteriores",
    "todas as anteriores",
    "nenhuma das anteriores",
    "toutes les réponses",
    "aucune de ces réponses",
    "toutes ces réponses",
    "alle der genannten",
    "keine der genannten",
    "alle genannten",
    "keine davon",
    "alle antworten",
    "tutte le precedenti",
    "nessuna delle precedenti",
    "tutte le risposte",
];

#[derive(Deserialize)]
struct Quiz {
    questions: Vec<QuizQuestion>,
}

#[derive(Deserialize)]
struct QuizQuestion {
    id: String,
    stem: String,
    kind: Kind,
    bloom: String,
    difficulty: String,
    options: Vec<QuizOption>,
    accepted_answers: Vec<String>,
    explanation: String,
    source_quote: String,
    lesson_key_point: i64,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Single,
    Multiple,
    TrueFalse,
    ShortText,
}

#[derive(Deserialize)]
struct QuizOption {
    id: String,
    text: String,
    correct: bool,
    rationale: String,
}

impl QuizQuestion {
    /// What is right, as text: the correct options, the accepted answers, or the statement that is judged.
    fn key(&self) -> String {
        let options = self.options.iter().filter(|option| option.correct);
        match self.kind {
            Kind::Single | Kind::Multiple => {
                let texts: Vec<&str> = options.map(|option| option.text.as_str()).collect();
                texts.join(" ")
            }
            Kind::ShortText => self.accepted_answers.join(" "),
            Kind::TrueFalse => self.stem.clone(),
        }
    }

    /// Whether a right option is longer than every wrong one.
    fn key_is_longest(&self) -> bool {
        let longest = |correct: bool| {
            let options = self.options.iter().filter(|one| one.correct == correct);
            options.map(|one| one.text.chars().count()).max()
        };
        self.is_choice() && longest(true) > longest(false)
    }

    const fn is_choice(&self) -> bool {
        matches!(self.kind, Kind::Single | Kind::Multiple)
    }
}

/// How many questions a quiz about a text has: 3 to 8, by its length.
fn question_count(lesson: &str) -> usize {
    if lesson.trim().is_empty() {
        return 5;
    }
    (word_count(lesson) / WORDS_PER_QUESTION).clamp(3, 8)
}

/// How many questions are asked for: as many as the caller said, else as suit the lesson.
pub(in crate::model) fn wanted_questions(task: &ActivitiesTask) -> usize {
    let said = task.items.and_then(|items| usize::try_from(items).ok());
    said.unwrap_or_else(|| question_count(&task.content))
}

/// Reads one quiz; the rules it breaks otherwise.
pub(super) fn read(one: &Value, task: &ActivitiesTask) -> Result<Value, Broken> {
    let quiz: Quiz = parsed(one)?;
    let mut broken: Broken = quiz
        .questions
        .iter()
        .flat_map(|question| broken_question(question, task))
        .collect();
    broken.extend(broken_quiz(&quiz, task));
    if !broken.is_empty() {
        return Err(broken);
    }
    let questions: Vec<Value> = (1..).zip(&quiz.questions).map(written).collect();
    Ok(json!({
        "questions": questions, "shuffle": true, "passing_percent": 70, "show_answers": "after_submit",
    }))
}

/// Rules about the questions together.
fn broken_quiz(quiz: &Quiz, task: &ActivitiesTask) -> Broken {
    let mut broken = Broken::new();
    let questions = &quiz.questions;
    let wanted = wanted_questions(task);
    if questions.len() != wanted {
        broken.push(format!(
            "there must be {wanted} questions, not {}",
            questions.len()
        ));
    }
    let longest = questions.iter().filter(|one| one.key_is_longest()).count();
    if longest * 2 > questions.len() {
        broken.push(
            "the right option must not be the longest one in more than half of the questions"
                .to_owned(),
        );
    }
    let mut ids: Vec<&str> = questions.iter().map(|one| one.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.len() != questions.len() {
        broken.push("the ids of questions must differ".to_owned());
    }
    for (at, question) in questions.iter().enumerate() {
        let earlier = questions.iter().take(at);
        if let Some(twin) = earlier
            .into_iter()
            .find(|one| likeness(&one.stem, &question.stem) >= SAME_STEM)
        {
            broken.push(format!(
                "questions {:?} and {:?} ask nearly the same",
                twin.id, question.id
            ));
        }
    }
    broken
}

/// Rules about one question, each named with its id.
fn broken_question(question: &QuizQuestion, task: &ActivitiesTask) -> Broken {
    let language = Language::of_tag(task.frame.language.as_str());
    let mut rules: Vec<&str> = Vec::new();
    if question.stem.trim().is_empty() {
        rules.push("needs a stem");
    }
    rules.extend(wrong_options(question));
    rules.extend(unbalanced_options(question));
    let source = source_of(task);
    if !source.trim().is_empty() {
        if !stands_in(&question.source_quote, source) {
            rules.push("needs a source_quote that stands in the lesson, word for word");
        } else if overlap(&question.key(), &question.source_quote, language) < KEY_IN_QUOTE {
            rules.push("needs a source_quote that holds the right answer");
        }
    }
    let points = key_points(task).len();
    let at = usize::try_from(question.lesson_key_point).ok();
    if points > 0 && at.is_none_or(|at| at >= points) {
        rules.push("needs a lesson_key_point that is the index of one of key_points");
    }
    let id = &question.id;
    let named = rules.into_iter();
    named
        .map(|rule| format!("question {id:?} {rule}"))
        .collect()
}

/// How many options, how many of them right, and what they are.
fn wrong_options(question: &QuizQuestion) -> Option<&'static str> {
    let right = question.options.iter().filter(|one| one.correct).count();
    let all = question.options.len();
    let ids = |wanted: [&str; 2]| {
        let has = |id| question.options.iter().any(|option| option.id == id);
        wanted.into_iter().all(has)
    };
    match question.kind {
        Kind::Single if right != 1 || !(3..=5).contains(&all) => {
            Some("of kind single needs 3 to 5 options, exactly one of them correct")
        }
        Kind::Multiple if right < 2 || right == all => {
            Some("of kind multiple needs at least two correct options and a wrong one")
        }
        Kind::TrueFalse if all != 2 || right != 1 || !ids(["true", "false"]) => Some(
            "of kind true_false needs two options with the ids true and false, one of them correct",
        ),
        Kind::ShortText if all > 0 => Some("of kind short_text has no options"),
        Kind::ShortText
            if question
                .accepted_answers
                .iter()
                .all(|answer| answer.trim().is_empty()) =>
        {
            Some("of kind short_text needs accepted_answers")
        }
        Kind::Single | Kind::Multiple | Kind::TrueFalse | Kind::ShortText => None,
    }
}

/// Options that give the key away or cannot be told apart.
fn unbalanced_options(question: &QuizQuestion) -> Vec<&'static str> {
    let mut rules = Vec::new();
    let texts: Vec<String> = question
        .options
        .iter()
        .map(|option| folded(&option.text))
        .collect();
    let mut different = texts.clone();
    different.sort();
    different.dedup();
    if different.len() < texts.len() || texts.iter().any(|text| text.trim().is_empty()) {
        rules.push("needs options with texts that differ");
    }
    if texts
        .iter()
        .any(|text| CATCH_ALLS.iter().any(|known| text.contains(known)))
    {
        rules.push("must not have an option such as \"all of the above\"");
    }
    if !question.is_choice() {
        return rules;
    }
    let lengths = texts.iter().map(|text| text.chars().count());
    let longest = lengths.clone().max().unwrap_or(0);
    let shortest = lengths.min().unwrap_or(0).max(SHORT_OPTION);
    if longest > shortest * 2 {
        rules.push(
            "needs options of similar length: the longest at most twice as long as the shortest",
        );
    }
    let unexplained = question
        .options
        .iter()
        .any(|option| option.rationale.trim().is_empty());
    if unexplained {
        rules.push("needs a rationale for every option");
    }
    rules
}

/// A question of ours; what only a teacher is to see stands in members that learners are never shown.
fn written((number, question): (usize, &QuizQuestion)) -> Value {
    let mut document = json!({
        "id": format!("q{number}"),
        "prompt": question.stem,
        "explanation": question.explanation,
        "bloom": question.bloom,
        "difficulty": question.difficulty,
        "source_quote": question.source_quote,
        "lesson_key_point": question.lesson_key_point,
    });
    let members = match question.kind {
        Kind::Single => json!({"type": "single_choice", "options": options(question)}),
        Kind::Multiple => json!({"type": "multiple_choice", "options": options(question)}),
        Kind::TrueFalse => true_false(question),
        Kind::ShortText => {
            json!({"type": "short_text", "accepted_answers": question.accepted_answers})
        }
    };
    if let (Value::Object(document), Value::Object(members)) = (&mut document, members) {
        document.extend(members);
    }
    document
}

fn true_false(question: &QuizQuestion) -> Value {
    let answer = question
        .options
        .iter()
        .any(|option| option.id == "true" && option.correct);
    let wrong = question.options.iter().find(|option| !option.correct);
    json!({
        "type": "true_false", "answer": answer,
        "rationale": wrong.map_or("", |option| option.rationale.as_str()),
    })
}

/// The options in an order that hangs on their texts alone: models like to put the right one first. Whoever has
/// the question can find the order again.
fn options(question: &QuizQuestion) -> Vec<Value> {
    let mut options: Vec<&QuizOption> = question.options.iter().collect();
    options.sort_by_cached_key(|option| {
        let seed = Sha256::new().chain_update(&question.stem);
        seed.chain_update([0])
            .chain_update(&option.text)
            .finalize()
            .to_vec()
    });
    ('a'..='z')
        .zip(options)
        .map(|(id, one)| {
            json!({"id": id.to_string(), "text": one.text, "correct": one.correct, "rationale": one.rationale})
        })
        .collect()
}
