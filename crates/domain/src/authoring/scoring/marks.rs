//! Marking one answer. A packaged course marks by the same rules, in its player.

use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;

use super::QuestionResult;
use super::answers;
use crate::Invalid;
use crate::authoring::activities::quiz::{
    AcceptedTexts, AnswerKey, Blank, ChoiceOption, OrderedItem, Pair, Question,
};
use crate::points::Points;

/// How much of a question is right: `hits` of `of`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share {
    /// What is right, not more than there is.
    pub hits: i64,
    /// What there is.
    pub of: i64,
}

impl Share {
    const ALL: Self = Self { hits: 1, of: 1 };
    const NOTHING: Self = Self { hits: 0, of: 1 };

    fn counted(hits: usize, of: usize) -> Self {
        let whole = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        Self {
            hits: whole(hits),
            of: whole(of),
        }
    }

    const fn all_or_nothing(is_right: bool) -> Self {
        if is_right { Self::ALL } else { Self::NOTHING }
    }

    /// This share of a whole, rounded half up; the whole itself for all of it.
    pub fn times(self, whole: i64) -> i64 {
        if self.of <= 0 {
            return 0;
        }
        (2 * whole * self.hits + self.of) / (2 * self.of)
    }
}

/// What an answer, or none, is worth.
///
/// # Errors
/// What is wrong with the form of the answer.
pub(super) fn mark(
    asked: &Question,
    answer: Option<&Value>,
) -> Result<QuestionResult, Vec<Invalid>> {
    let path = format!("answers.{}", asked.id);
    let (mut share, mut feedback) = (Some(Share::NOTHING), String::new());
    if let Some(answer) = answer {
        share = share_of(&asked.key, answer, &path)?;
        feedback = said(&asked.key, answer);
    } else if matches!(asked.key, AnswerKey::Open { .. }) {
        share = None;
    }
    let reached = share.map(|share| share.times(i64::from(asked.points.hundredths())));
    Ok(QuestionResult {
        question_id: asked.id.clone(),
        correct: share.map(|share| share.hits == share.of),
        score: Points::from_hundredths(reached.unwrap_or_default()),
        max_score: asked.points,
        feedback,
        explanation: asked.explanation.clone(),
        right_answer: right_answer(&asked.key),
    })
}

/// `None` where nobody marks.
fn share_of(key: &AnswerKey, answer: &Value, path: &str) -> Result<Option<Share>, Vec<Invalid>> {
    Ok(Some(match key {
        AnswerKey::SingleChoice(options) => {
            Share::all_or_nothing(answers::option(answer, path, options)?.correct)
        }
        AnswerKey::MultipleChoice(options) => {
            chosen(options, &answers::options(answer, path, options)?)
        }
        AnswerKey::TrueFalse(right) => {
            Share::all_or_nothing(answers::truth(answer, path)? == *right)
        }
        AnswerKey::ShortText(accepted) => {
            Share::all_or_nothing(accepts(accepted, answers::text(answer, path)?))
        }
        AnswerKey::Numeric {
            answer: right,
            tolerance,
        } => {
            let given = answers::number(answer, path)?;
            Share::all_or_nothing(given.is_some_and(|given| is_near(given, *right, *tolerance)))
        }
        AnswerKey::Cloze(blanks) => filled(blanks, answer, path)?,
        AnswerKey::Ordering(items) => in_place(items, &answers::order(answer, path, items)?),
        AnswerKey::Matching(pairs) => matched(pairs, answer, path)?,
        AnswerKey::Open { min_words, .. } => {
            let least = u64::from(*min_words);
            answers::written(answer, path, least).map_err(|problem: Invalid| vec![problem])?;
            return Ok(None);
        }
    }))
}

/// Right ones less wrong ones, of all right ones: choosing everything gains nothing.
fn chosen(options: &[ChoiceOption], chosen: &[&ChoiceOption]) -> Share {
    let right = chosen.iter().filter(|option| option.correct).count();
    let wrong = chosen.len() - right;
    let of = options.iter().filter(|option| option.correct).count();
    Share::counted(right.saturating_sub(wrong), of)
}

fn filled(blanks: &[Blank], answer: &Value, path: &str) -> Result<Share, Vec<Invalid>> {
    let ids: Vec<&str> = blanks.iter().map(|blank| blank.id.as_str()).collect();
    let given = answers::texts(answer, path, &ids)?;
    let is_right = |blank: &&Blank| {
        let text = given.get(blank.id.as_str());
        text.is_some_and(|text| accepts(&blank.accepted, text))
    };
    Ok(Share::counted(
        blanks.iter().filter(is_right).count(),
        blanks.len(),
    ))
}

/// The share of things that stand in their place; things that say the same may change places.
fn in_place(items: &[OrderedItem], order: &[&str]) -> Share {
    let places = items.iter().zip(order);
    let right = places.filter(|(item, text)| item.text == **text).count();
    Share::counted(right, items.len())
}

fn matched(pairs: &[Pair], answer: &Value, path: &str) -> Result<Share, Vec<Invalid>> {
    let given = answers::matches(answer, path, pairs)?;
    let is_right = |pair: &&Pair| given.get(&pair.id) == Some(&pair.right.as_str());
    Ok(Share::counted(
        pairs.iter().filter(is_right).count(),
        pairs.len(),
    ))
}

fn accepts(accepted: &AcceptedTexts, given: &str) -> bool {
    let given = normal(given, accepted.case_sensitive);
    let texts = accepted.texts.iter();
    !given.is_empty()
        && texts
            .map(|text| normal(text, accepted.case_sensitive))
            .any(|text| text == given)
}

/// White space as one space, letters composed, and in lower case unless that matters.
fn normal(text: &str, case_sensitive: bool) -> String {
    let composed: String = text.nfc().collect();
    let words: Vec<&str> = composed.split_whitespace().collect();
    let plain = words.join(" ");
    if case_sensitive {
        plain
    } else {
        plain.to_lowercase()
    }
}

/// Within the tolerance, and a hair more, because decimals are not exact in binary.
fn is_near(given: f64, right: f64, tolerance: f64) -> bool {
    (given - right).abs() <= tolerance + right.abs() * 1e-9 + 1e-12
}

/// The author's words to whoever chose these options.
fn said(key: &AnswerKey, answer: &Value) -> String {
    let (AnswerKey::SingleChoice(options) | AnswerKey::MultipleChoice(options)) = key else {
        return String::new();
    };
    let many = answer.as_array().map_or(&[][..], Vec::as_slice);
    let named: Vec<&str> = many
        .iter()
        .chain([answer])
        .filter_map(Value::as_str)
        .collect();
    let chosen = options
        .iter()
        .filter(|option| named.iter().any(|id| id.trim() == option.id));
    let said: Vec<&str> = chosen
        .map(|option| option.feedback.as_str())
        .filter(|feedback| !feedback.is_empty())
        .collect();
    said.join("\n")
}

fn right_answer(key: &AnswerKey) -> Value {
    let first = |accepted: &AcceptedTexts| accepted.texts.first().cloned().unwrap_or_default();
    let right = |options: &[ChoiceOption]| -> Vec<String> {
        let right = options.iter().filter(|option| option.correct);
        right.map(|option| option.id.clone()).collect()
    };
    match key {
        AnswerKey::SingleChoice(options) => json!(right(options).first()),
        AnswerKey::MultipleChoice(options) => json!(right(options)),
        AnswerKey::TrueFalse(truth) => json!(truth),
        AnswerKey::ShortText(accepted) => json!(first(accepted)),
        AnswerKey::Numeric { answer, .. } => plain_number(*answer),
        AnswerKey::Cloze(blanks) => {
            let blanks = blanks.iter();
            blanks
                .map(|blank| (blank.id.clone(), json!(first(&blank.accepted))))
                .collect()
        }
        AnswerKey::Ordering(items) => items.iter().map(|item| json!(item.text)).collect(),
        AnswerKey::Matching(pairs) => {
            let pairs = pairs.iter();
            pairs
                .map(|pair| (pair.id.clone(), json!(pair.right)))
                .collect()
        }
        AnswerKey::Open { sample, .. } if sample.is_empty() => Value::Null,
        AnswerKey::Open { sample, .. } => json!(sample),
    }
}

/// A number without a fraction where it has none.
fn plain_number(number: f64) -> Value {
    let whole = format!("{number:.0}").parse::<i64>().ok();
    match whole {
        Some(whole) if number.fract() == 0.0 => json!(whole),
        _ => json!(number),
    }
}
