//! How hard a question is, from what can be counted: how rare the answer is, how long the sentence, and whether the answer
//! is to be written or only chosen.

use super::course::Course;
use super::items::{Form, Item};

/// More words than these are much to read.
const LONG: usize = 18;

/// `easy`, `medium` or `hard`: one step for an answer that only one sentence has, one for a long sentence, one for writing.
pub(super) fn difficulty(item: &Item, form: Form, course: &Course) -> &'static str {
    let sentence = course
        .sentences
        .get(item.at)
        .map_or("", |one| one.text.as_str());
    let rare = course.times(&item.answer) <= 1;
    let long = item.text(sentence).split_whitespace().count() > LONG;
    let written = form == Form::Blank;
    match u8::from(rare) + u8::from(long) + u8::from(written) {
        0 => "easy",
        1 | 2 => "medium",
        _ => "hard",
    }
}
