//! Outlines of lessons, quizzes, cards and tasks, made from key points that somebody else chose.
//!
//! Shared by the built-in engine, whose key points come from the brief, and by the model adapter, whose key
//! points come from the model. Nothing here adds a fact: there are only labels, questions and slices.

mod cards;
pub(crate) mod defining;
mod definites;
mod labels;
mod lesson;
pub(crate) mod nouns;
pub(crate) mod phrases;
mod pointing;
mod quantities;
mod quiz;
mod reading;
mod salience;
mod task;

use lyceum_domain::authoring::activities::{ActivityContent, ActivityKind};
use serde_json::Value;

pub(crate) use cards::{cards, pairs};
pub(crate) use labels::Labels;
pub(crate) use lesson::{
    LessonOutline, Origin, capital, explainer, markdown, podcast, reflection, selection,
};
pub(crate) use quantities::{number_word, unit};
pub(crate) use quiz::{Course, QuizMade, QuizSource, quiz, quiz_of};
pub(crate) use reading::{glossary, stated_key_points};
pub(crate) use task::{Task, assignment};

/// A content document of our own making, if it fits its kind.
fn content(kind: ActivityKind, value: Value) -> Option<ActivityContent> {
    let Value::Object(object) = value else {
        return None;
    };
    ActivityContent::parse(kind, object).ok()
}
