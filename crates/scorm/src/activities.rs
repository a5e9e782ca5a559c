//! Activity documents on their way into a package: cleaned, completed and marked up.
//!
//! The player inserts markup only from members named `html`, and only this room writes those members, so whatever
//! an author puts under that name is thrown away first.

use lyceum_ports::scorm::{PackageError, SnapshotActivity};
use serde_json::{Map, Value, json};

use crate::markdown::{self, FIELD_BYTES};
use crate::warnings::Warnings;
use crate::{quiz, text};

/// Deeper than any document of ours; guards the recursion below.
const LEVELS: usize = 32;
/// One activity larger than this would stall a phone.
const ACTIVITY_BYTES: usize = 2 * 1024 * 1024;

/// The document the player gets for one activity.
pub fn document(
    activity: &SnapshotActivity,
    warnings: &mut Warnings,
) -> Result<Value, PackageError> {
    let place = format!(
        "the activity \"{}\"",
        text::title(&activity.name, &activity.id)
    );
    let Value::Object(mut content) = cleaned(&activity.content, &place, LEVELS)? else {
        warnings.add(format!("In {place} there is no content yet."));
        return Ok(json!({}));
    };
    match activity.kind.as_str() {
        "quiz" => complete_quiz(&mut content, &place, warnings),
        "explainer" => mark_up_sections(&mut content, &place, warnings)?,
        "podcast" => {
            if let Some(audio) = content.get_mut("audio").and_then(Value::as_object_mut) {
                keep_web_address(audio, &place, warnings);
            }
        }
        "video" => keep_web_address(&mut content, &place, warnings),
        _ => {}
    }
    let document = Value::Object(content);
    let size = document.to_string().len();
    if size > ACTIVITY_BYTES {
        return Err(PackageError::Invalid(format!(
            "{place} is {size} bytes long; a package takes at most {ACTIVITY_BYTES} per activity"
        )));
    }
    Ok(document)
}

/// The same value without control characters and without members that claim to be markup.
fn cleaned(value: &Value, place: &str, levels: usize) -> Result<Value, PackageError> {
    let Some(below) = levels.checked_sub(1) else {
        return Err(PackageError::Invalid(format!("{place} nests too deeply")));
    };
    Ok(match value {
        Value::String(raw) if raw.len() > FIELD_BYTES => {
            return Err(PackageError::Invalid(format!(
                "{place} has a text of {} bytes; a package takes at most {FIELD_BYTES}",
                raw.len()
            )));
        }
        Value::String(raw) => Value::String(text::clean(raw)),
        Value::Array(list) => Value::Array(
            list.iter()
                .map(|v| cleaned(v, place, below))
                .collect::<Result<_, _>>()?,
        ),
        Value::Object(members) => {
            let mut kept = Map::new();
            for (key, member) in members.iter().filter(|(key, _)| *key != "html") {
                kept.insert(key.clone(), cleaned(member, place, below)?);
            }
            Value::Object(kept)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    })
}

fn complete_quiz(content: &mut Map<String, Value>, place: &str, warnings: &mut Warnings) {
    let pass = quiz::passing_percent(&Value::Object(content.clone()));
    content.insert("passing_percent".to_owned(), json!(pass));
    let Some(questions) = content.get_mut("questions").and_then(Value::as_array_mut) else {
        warnings.add(format!("In {place} there are no questions yet."));
        return;
    };
    questions.retain(Value::is_object);
    for (number, question) in (1_usize..).zip(questions) {
        let scored = quiz::scorable(question);
        let points = quiz::points(question);
        if !quiz::known_type(question) {
            warnings.add(format!(
                "Question {number} of {place} has a type that packages do not know; it is shown as an open question."
            ));
        } else if !scored && question.get("type") != Some(&json!("open")) {
            warnings.add(format!(
                "Question {number} of {place} has no right answer marked; it is shown but not scored."
            ));
        }
        let known = quiz::known_type(question);
        if let Value::Object(members) = question {
            if !known {
                members.insert("type".to_owned(), json!("open"));
            }
            members.insert("scored".to_owned(), json!(scored && points > 0.0));
            members.insert("points".to_owned(), json!(points));
        }
    }
}

fn mark_up_sections(
    content: &mut Map<String, Value>,
    place: &str,
    warnings: &mut Warnings,
) -> Result<(), PackageError> {
    let Some(sections) = content.get_mut("sections").and_then(Value::as_array_mut) else {
        return Ok(());
    };
    for section in sections {
        let Value::Object(members) = section else {
            continue;
        };
        let body = members.remove("body");
        let html = markdown::render(
            body.as_ref().and_then(Value::as_str).unwrap_or_default(),
            place,
            warnings,
        )?;
        // The section's heading is an h2, so what stands inside it begins one lower.
        members.insert("html".to_owned(), Value::String(lower_headings(&html)));
    }
    Ok(())
}

/// Moves every heading one level down, from the bottom up so that none is moved twice.
fn lower_headings(html: &str) -> String {
    let mut out = html.to_owned();
    for level in (2..=5).rev() {
        let below = level + 1;
        out = out
            .replace(&format!("<h{level}>"), &format!("<h{below}>"))
            .replace(&format!("</h{level}>"), &format!("</h{below}>"));
    }
    out
}

/// Keeps `url` only if it is a web address: the player makes a link of it.
fn keep_web_address(members: &mut Map<String, Value>, place: &str, warnings: &mut Warnings) {
    let Some(url) = members
        .get("url")
        .and_then(Value::as_str)
        .map(str::to_owned)
    else {
        return;
    };
    if url.is_empty() {
        members.remove("url");
    } else if url.starts_with("http://") {
        warnings.add(format!(
            "{place} links to an http: address; browsers may block or warn about it."
        ));
    } else if !url.starts_with("https://") {
        members.remove("url");
        warnings.add(format!(
            "The address in {place} is not a web address and was left out."
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn activity(kind: &str, content: Value) -> SnapshotActivity {
        SnapshotActivity {
            id: "act_1".to_owned(),
            kind: kind.to_owned(),
            name: "Check".to_owned(),
            content,
        }
    }

    #[test]
    fn markup_that_an_author_smuggles_in_is_thrown_away() {
        let content = json!({"sections": [{"heading": "A", "body": "*b*", "html": "<script>"}], "html": "<b>"});
        let document = document(&activity("explainer", content), &mut Warnings::default()).unwrap();
        assert_eq!(document["sections"][0]["html"], "<p><em>b</em></p>\n");
        assert!(document.get("html").is_none());
    }

    #[test]
    fn a_question_nobody_can_mark_is_shown_and_named() {
        let content = json!({"questions": [{"type": "single_choice", "prompt": "?", "options": [{"text": "a"}]}]});
        let mut warnings = Warnings::default();
        let document = document(&activity("quiz", content), &mut warnings).unwrap();
        assert_eq!(document["questions"][0]["scored"], false);
        assert_eq!(warnings.into_sentences().len(), 1);
    }

    #[test]
    fn only_web_addresses_stay() {
        let mut warnings = Warnings::default();
        let content = json!({"url": "javascript:alert(1)"});
        let document = document(&activity("video", content), &mut warnings).unwrap();
        assert!(document.get("url").is_none());
        assert_eq!(warnings.into_sentences().len(), 1);
    }

    #[test]
    fn a_document_without_end_is_refused() {
        let mut deep = json!("x");
        for _ in 0..100 {
            deep = json!([deep]);
        }
        let refused = document(
            &activity("reflection", json!({"prompt": deep})),
            &mut Warnings::default(),
        );
        assert!(matches!(refused, Err(PackageError::Invalid(_))));
    }
}
