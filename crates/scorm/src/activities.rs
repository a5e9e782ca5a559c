//! Activity documents on their way into a package: cleaned, completed and marked up.
//!
//! The player inserts markup only from members named `html`, and only this room writes those members, so whatever
//! an author puts under that name is thrown away first.

use lyceum_markdown::Picture;
use lyceum_ports::exporting::scorm::{PackageError, SnapshotActivity};
use serde_json::{Map, Value, json};

use crate::markdown::{self, FIELD_BYTES};
use crate::rendering::Rendering;
use crate::{media, pictures, quiz, recordings, text, texts};

/// Deeper than any document of ours; guards the recursion below.
const LEVELS: usize = 32;
/// One activity larger than this would stall a phone.
const ACTIVITY_BYTES: usize = 2 * 1024 * 1024;
/// The same with its texts marked up: formulas take many times what they were written with.
const MARKED_UP_BYTES: usize = 4 * ACTIVITY_BYTES;

/// The document the player gets for one activity.
pub fn document(
    activity: &SnapshotActivity,
    rendering: &mut Rendering<'_>,
) -> Result<Value, PackageError> {
    let place = format!(
        "the activity \"{}\"",
        text::title(&activity.name, &activity.id)
    );
    let Value::Object(mut content) = cleaned(&activity.content, &place, LEVELS)? else {
        rendering.warn(format!("In {place} there is no content yet."));
        return Ok(json!({}));
    };
    match activity.kind.as_str() {
        "quiz" => complete_quiz(&mut content, &place, rendering),
        "explainer" => mark_up_sections(&mut content, &place, rendering)?,
        "podcast" => recordings::podcast(&mut content, &place, rendering),
        "video" => recordings::video(&mut content, &place, rendering),
        _ => {}
    }
    bounded(&content, ACTIVITY_BYTES, &place)?;
    texts::mark_up(&activity.kind, &mut content, &place, rendering)?;
    bounded(&content, MARKED_UP_BYTES, &place)?;
    Ok(Value::Object(content))
}

/// Refuses what is longer.
fn bounded(content: &Map<String, Value>, limit: usize, place: &str) -> Result<(), PackageError> {
    let size = json!(content).to_string().len();
    if size > limit {
        return Err(PackageError::Invalid(format!(
            "{place} is {size} bytes long; a package takes at most {limit} per activity"
        )));
    }
    Ok(())
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

/// Members of questions and options that are for teachers; a package is read by whoever opens it.
const FOR_TEACHERS: [&str; 6] = [
    "rationale",
    "source_quote",
    "lesson_key_point",
    "grader_notes",
    "bloom",
    "difficulty",
];

/// Takes out what only teachers are to see, and nothing that scoring needs.
fn hide_notes(question: &mut Map<String, Value>) {
    let options = question.get_mut("options").and_then(Value::as_array_mut);
    for option in options.into_iter().flatten() {
        if let Value::Object(option) = option {
            option.retain(|member, _| !FOR_TEACHERS.contains(&member.as_str()));
        }
    }
    question.retain(|member, _| !FOR_TEACHERS.contains(&member.as_str()));
}

fn complete_quiz(content: &mut Map<String, Value>, place: &str, rendering: &mut Rendering<'_>) {
    let pass = quiz::passing_percent(&Value::Object(content.clone()));
    content.insert("passing_percent".to_owned(), json!(pass));
    let Some(questions) = content.get_mut("questions").and_then(Value::as_array_mut) else {
        rendering.warn(format!("In {place} there are no questions yet."));
        return;
    };
    questions.retain(Value::is_object);
    for (number, question) in (1_usize..).zip(questions) {
        let scored = quiz::scorable(question);
        let points = quiz::points(question);
        if !quiz::known_type(question) {
            rendering.warn(format!(
                "Question {number} of {place} has a type that packages do not know; it is shown as an open question."
            ));
        } else if !scored && question.get("type") != Some(&json!("open")) {
            rendering.warn(format!(
                "Question {number} of {place} has no right answer marked; it is shown but not scored."
            ));
        }
        let known = quiz::known_type(question);
        if let Value::Object(members) = question {
            hide_notes(members);
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
    rendering: &mut Rendering<'_>,
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
            rendering,
        )?;
        // The section's heading is an h2, so what stands inside it begins one lower.
        let mut html = lower_headings(&html);
        html.push_str(&figure(members, place, rendering));
        members.insert("html".to_owned(), Value::String(html));
    }
    Ok(())
}

/// A section's picture as a figure. Where it is only described, or its file could not be had, the description stays
/// for the player to show.
fn figure(section: &mut Map<String, Value>, place: &str, rendering: &mut Rendering<'_>) -> String {
    let Some(Value::Object(visual)) = section.get_mut("visual") else {
        return String::new();
    };
    let address = media::visual_address(&Value::Object(visual.clone())).map(str::to_owned);
    visual.remove("url");
    visual.remove("src");
    let Some(address) = address else {
        return String::new();
    };
    let word = |key: &str| visual.get(key).and_then(Value::as_str).unwrap_or_default();
    let described = ["alt", "description", "text"].map(word);
    let picture = Picture {
        address,
        alt: described
            .into_iter()
            .find(|words| !words.trim().is_empty())
            .unwrap_or_default()
            .to_owned(),
    };
    let caption = match word("caption") {
        "" => String::new(),
        words => format!("<figcaption>{}</figcaption>", text::escape_text(words)),
    };
    let shown = pictures::embed(&picture, place, rendering);
    if !shown.starts_with('<') {
        return String::new();
    }
    section.remove("visual");
    format!("<figure>{shown}{caption}</figure>\n")
}

/// Moves every heading one level down, from the bottom up so that none is moved twice.
fn lower_headings(html: &str) -> String {
    let mut out = html.to_owned();
    for level in (2..=5).rev() {
        let below = level + 1;
        out = out
            .replace(&format!("<h{level}"), &format!("<h{below}"))
            .replace(&format!("</h{level}"), &format!("</h{below}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::Library;
    use std::sync::LazyLock;

    fn rendering() -> Rendering<'static> {
        static NOTHING: LazyLock<Library> = LazyLock::new(Library::default);
        Rendering::new(&NOTHING)
    }

    fn activity(kind: &str, content: Value) -> SnapshotActivity {
        SnapshotActivity {
            id: "act_1".to_owned(),
            kind: kind.to_owned(),
            name: "Check".to_owned(),
            language: None,
            content,
        }
    }

    #[test]
    fn markup_that_an_author_smuggles_in_is_thrown_away() {
        let content = json!({"sections": [{"heading": "A", "body": "*b*", "html": "<script>"}], "html": "<b>"});
        let document = document(&activity("explainer", content), &mut rendering()).unwrap();
        assert_eq!(
            document["sections"][0]["html"],
            "<p dir=\"auto\"><em>b</em></p>\n"
        );
        assert!(document.get("html").is_none());
    }

    #[test]
    fn markup_is_thrown_away_at_every_depth() {
        let evil = json!({"prompt": "<script>", "text": "<script>", "0": "<script>"});
        for (kind, content) in [
            (
                "quiz",
                json!({"html": evil, "questions": [{"type": "ordering", "html": evil, "options": [{"html": evil}],
                    "items": [{"html": evil}], "pairs": [{"html": evil}], "blanks": [{"html": evil}], "more": {"html": evil}}]}),
            ),
            (
                "flashcards",
                json!({"html": evil, "cards": [{"html": evil, "front": ""}]}),
            ),
            (
                "explainer",
                json!({"key_points": [{"html": evil}], "glossary": [{"html": evil}], "sections": [{"html": evil}]}),
            ),
            (
                "reflection",
                json!({"html": evil, "prompt": {"html": evil}}),
            ),
            ("podcast", json!({"segments": [{"html": evil}]})),
            ("unknown", json!({"any": [[{"html": evil}]]})),
        ] {
            let document = document(&activity(kind, content), &mut rendering()).unwrap();
            let text = document.to_string();
            assert!(!text.contains("script"), "{kind}: {text}");
        }
    }

    #[test]
    fn a_text_that_grows_without_bounds_is_refused() {
        let formulas = "$\\frac{1}{2}$".repeat(1000);
        let cards: Vec<Value> = (0..130).map(|_| json!({"front": formulas})).collect();
        let refused = document(
            &activity("flashcards", json!({"cards": cards})),
            &mut rendering(),
        );
        assert!(
            matches!(refused, Err(PackageError::Invalid(message)) if message.contains("at most 8388608"))
        );
    }

    #[test]
    fn notes_for_teachers_stay_out_of_packages() {
        let content = json!({"questions": [{"type": "single_choice", "prompt": "?", "explanation": "kept",
            "rationale": "SECRET", "source_quote": "SECRET", "lesson_key_point": 0, "grader_notes": "SECRET",
            "options": [{"id": "a", "text": "a", "correct": true, "rationale": "SECRET"}, {"id": "b", "text": "b"}]}]});
        let document = document(&activity("quiz", content), &mut rendering()).unwrap();
        let text = document.to_string();
        assert!(text.contains("kept") && text.contains("correct"), "{text}");
        for hidden in ["SECRET", "rationale", "lesson_key_point"] {
            assert!(!text.contains(hidden), "{hidden}: {text}");
        }
    }

    #[test]
    fn a_question_nobody_can_mark_is_shown_and_named() {
        let content = json!({"questions": [{"type": "single_choice", "prompt": "?", "options": [{"text": "a"}]}]});
        let mut rendering = rendering();
        let document = document(&activity("quiz", content), &mut rendering).unwrap();
        assert_eq!(document["questions"][0]["scored"], false);
        assert_eq!(rendering.warnings.into_sentences().len(), 1);
    }

    #[test]
    fn only_web_addresses_stay() {
        let mut rendering = rendering();
        let content = json!({"url": "javascript:alert(1)"});
        let document = document(&activity("video", content), &mut rendering).unwrap();
        assert!(document.get("url").is_none());
        assert_eq!(rendering.warnings.into_sentences().len(), 1);
    }

    #[test]
    fn a_document_without_end_is_refused() {
        let mut deep = json!("x");
        for _ in 0..100 {
            deep = json!([deep]);
        }
        let refused = document(
            &activity("reflection", json!({"prompt": deep})),
            &mut rendering(),
        );
        assert!(matches!(refused, Err(PackageError::Invalid(_))));
    }
}
