//! The forms that an item may take: a blank, a choice of answers, a choice of meanings, true or false.

use serde_json::{Value, json};

use super::choices::{DISTRACTORS, is_short, wrong_answers, wrong_meanings};
use super::course::Course;
use super::difficulty::difficulty;
use super::items::{AskedFor, Form, Item};
use super::variants::{accepted, unit_behind};
use crate::outline::Labels;
use crate::outline::capital;
use crate::outline::defining::Definition;
use crate::outline::pointing::gives_reasons;
use crate::outline::quantities::is_bound;
use crate::template::fill;

/// A wrong number that makes a false statement is at most so many times the right one, or the other way round.
const FARTHEST: f64 = 5.0;

/// An item with all that its forms need.
pub(super) struct Asking<'a> {
    labels: &'static Labels,
    course: &'a Course,
    item: &'a Item,
    sentence: &'a str,
    definition: Option<&'a Definition>,
    wrong: Vec<String>,
    meanings: Vec<String>,
}

impl<'a> Asking<'a> {
    pub(super) fn of(labels: &'static Labels, course: &'a Course, item: &'a Item) -> Option<Self> {
        let sentence = course.sentences.get(item.at)?;
        let definition = sentence
            .definition
            .as_ref()
            .filter(|_| item.kind == AskedFor::Defined);
        let said = definition.filter(|one| !one.meaning.is_empty() && is_short(&one.meaning));
        Some(Self {
            labels,
            course,
            item,
            sentence: &sentence.text,
            definition,
            wrong: wrong_answers(item, course),
            meanings: said.map_or_else(Vec::new, |one| wrong_meanings(one, course)),
        })
    }

    /// The forms that the course has enough for; none where the item cannot be asked.
    pub(super) fn forms(&self) -> Vec<Form> {
        let answers = (self.wrong.len() >= DISTRACTORS).then_some(Form::Answers);
        let meanings = (self.meanings.len() >= DISTRACTORS).then_some(Form::Meanings);
        match self.item.kind {
            AskedFor::Defined => answers
                .into_iter()
                .chain(meanings)
                .chain([Form::Blank])
                .collect(),
            AskedFor::Number(index) => {
                let truth = self.can_be_false(index).then_some(Form::TrueOrFalse);
                answers
                    .into_iter()
                    .chain([Form::Blank])
                    .chain(truth)
                    .collect()
            }
            // Others might fill such a blank as well as the right one; a choice names those that do not.
            AskedFor::Term | AskedFor::Name => answers.into_iter().collect(),
        }
    }

    /// Only another number of the same unit makes a statement surely false: where it is the only one of its unit, and no
    /// bound.
    fn can_be_false(&self, index: usize) -> bool {
        let sentence = self.course.sentences.get(self.item.at);
        let quantity = sentence.and_then(|one| one.quantities.get(index));
        let is_exact =
            quantity.is_some_and(|one| !one.one_of_several && !is_bound(self.sentence, one));
        is_exact
            && quantity.is_some_and(|one| self.is_near(one.value))
            && !gives_reasons(self.sentence, self.course.language)
    }

    /// Whether the wrong number is of the right one's size: what is absurd is no false statement to think about.
    fn is_near(&self, value: f64) -> bool {
        let first = self.wrong.first();
        let numbers = self.course.sentences.iter().flat_map(|one| &one.quantities);
        let wrong = first.and_then(|first| {
            numbers
                .into_iter()
                .find(|other| other.shown == *first)
                .map(|other| other.value)
        });
        wrong.is_some_and(|wrong| {
            let (low, high) = (wrong.abs().min(value.abs()), wrong.abs().max(value.abs()));
            high <= low * FARTHEST
        })
    }

    /// The question in one of its forms.
    pub(super) fn question(&self, form: Form) -> Value {
        let mut question = match form {
            Form::Blank => self.blank(),
            Form::Answers => self.answers(),
            Form::Meanings => self.meanings(),
            Form::TrueOrFalse => self.true_or_false(),
        };
        if let Value::Object(members) = &mut question {
            let said = self.item.text(self.sentence);
            members.insert(
                "explanation".to_owned(),
                json!(fill(self.labels.as_lesson_says, &[("sentence", &said)])),
            );
            members.insert(
                "difficulty".to_owned(),
                json!(difficulty(self.item, form, self.course)),
            );
            members.insert("source_quote".to_owned(), json!(said));
        }
        question
    }

    fn blank(&self) -> Value {
        json!({
            "type": "cloze",
            "prompt": self.labels.fill_blank,
            "text": self.item.with(self.sentence, &format!("{{{{1}}}}{}", self.unit())),
            "blanks": [{"id": "1", "accepted_answers": accepted(self.item, self.course)}],
        })
    }

    /// The unit that stands behind the blank of a number, which says what the number is of.
    fn unit(&self) -> &str {
        let AskedFor::Number(index) = self.item.kind else {
            return "";
        };
        let sentence = self.course.sentences.get(self.item.at);
        let quantity = sentence.and_then(|one| one.quantities.get(index));
        quantity.and_then(unit_behind).unwrap_or_default()
    }

    /// Where the sentence says what the term means, the meaning is shown alone, so that no article tells the answer.
    fn answers(&self) -> Value {
        let meaning = self.definition.map_or("", |one| one.meaning.as_str());
        let prompt = if meaning.is_empty() {
            format!(
                "{}\n\n{}",
                self.labels.which_completes,
                self.item.with(self.sentence, "____")
            )
        } else {
            format!(
                "{}\n\n{}",
                self.labels.which_term,
                self.labels.quoted(meaning)
            )
        };
        json!({
            "type": "single_choice",
            "prompt": prompt,
            "options": self.options_of_answers(),
        })
    }

    /// Terms begin alike, wherever they stood; numbers stay as they are.
    fn options_of_answers(&self) -> Vec<Value> {
        if let AskedFor::Number(_) = self.item.kind {
            return options(&self.item.answer, &self.wrong);
        }
        let wrong: Vec<String> = self.wrong.iter().map(|term| capital(term)).collect();
        options(&capital(&self.item.answer), &wrong)
    }

    fn meanings(&self) -> Value {
        let (term, meaning) = self
            .definition
            .map_or(("", ""), |one| (one.term.as_str(), one.meaning.as_str()));
        json!({
            "type": "single_choice",
            "prompt": fill(self.labels.what_means, &[("term", &self.labels.quoted(term))]),
            "options": options(meaning, &self.meanings),
        })
    }

    /// Every other sentence of the course is turned into a false statement.
    fn true_or_false(&self) -> Value {
        let wrong = self
            .wrong
            .first()
            .filter(|_| self.item.at.is_multiple_of(2));
        let statement = wrong.map_or_else(
            || self.sentence.to_owned(),
            |wrong| self.item.with(self.sentence, wrong),
        );
        json!({
            "type": "true_false",
            "prompt": format!("{} {statement}", self.labels.true_or_false),
            "answer": wrong.is_none(),
        })
    }
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
