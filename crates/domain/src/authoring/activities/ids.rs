//! Ids inside content documents, so that answers can refer to questions and options.

use serde_json::{Value, json};

use super::ActivityKind;
use crate::json::JsonObject;

/// Gives an id to everything that answers refer to and that has none.
///
/// The id is made from the place (`q1`, `o2`, …), so the same document always gets the same ids; a number that
/// is taken already is passed over. Whole numbers become texts, since ids are texts, and lose the white space around them.
pub(super) fn complete(kind: ActivityKind, content: &mut JsonObject) {
    match kind {
        ActivityKind::Quiz => {
            number_entries(content, "questions", "q");
            for question in objects(content, "questions") {
                name_plain_items(question);
                number_entries(question, "options", "o");
                number_entries(question, "items", "i");
                number_entries(question, "pairs", "p");
                // A text that says {{1}} means the first blank.
                number_entries(question, "blanks", "");
            }
        }
        ActivityKind::Flashcards => number_entries(content, "cards", "c"),
        ActivityKind::Explainer => number_entries(content, "sections", "s"),
        ActivityKind::Podcast => number_entries(content, "speakers", "s"),
        ActivityKind::Video | ActivityKind::Reflection => {}
    }
}

fn objects<'a>(
    content: &'a mut JsonObject,
    member: &str,
) -> impl Iterator<Item = &'a mut JsonObject> {
    let entries = content.get_mut(member).and_then(Value::as_array_mut);
    entries
        .into_iter()
        .flatten()
        .filter_map(Value::as_object_mut)
}

fn number_entries(content: &mut JsonObject, member: &str, prefix: &str) {
    let mut taken = Vec::new();
    for entry in objects(content, member) {
        let tidy = match entry.get("id") {
            Some(Value::String(id)) => Some(id.trim().to_owned()),
            Some(Value::Number(id)) if id.is_i64() => Some(id.to_string()),
            _ => None,
        };
        if let Some(id) = tidy {
            entry.insert("id".to_owned(), Value::String(id));
        }
        taken.extend(entry.get("id").and_then(Value::as_str).map(str::to_owned));
    }
    for (place, entry) in (1_usize..).zip(objects(content, member)) {
        if entry.get("id").is_some_and(|id| !id.is_null()) {
            continue;
        }
        // Of so many numbers one is free, whatever is taken.
        let free = (place..=place + taken.len())
            .map(|number| format!("{prefix}{number}"))
            .find(|id| !taken.contains(id));
        if let Some(id) = free {
            taken.push(id.clone());
            entry.insert("id".to_owned(), Value::String(id));
        }
    }
}

/// Things to order may be written as plain texts.
fn name_plain_items(question: &mut JsonObject) {
    let items = question.get_mut("items").and_then(Value::as_array_mut);
    for item in items.into_iter().flatten() {
        if item.is_string() {
            *item = json!({ "text": item.take() });
        }
    }
}
