//! The text of an outlined lesson, and the simple activities made from its key points.

use lyceum_domain::activities::{ActivityContent, ActivityKind};
use serde_json::json;

use super::{Labels, content};
use crate::template::fill;

/// Where key points come from, which the lesson says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The words of the brief.
    BuiltIn,
    /// A language model.
    Model,
}

/// What a lesson is to hold.
pub(crate) struct LessonOutline<'a> {
    pub(crate) topic: &'a str,
    pub(crate) objective: &'a str,
    pub(crate) key_points: &'a [String],
    pub(crate) origin: Origin,
}

/// The lesson as Markdown: objective, key points, prompts to think about.
pub(crate) fn markdown(labels: &Labels, lesson: &LessonOutline<'_>) -> String {
    let mut parts = Vec::new();
    if lesson.origin == Origin::BuiltIn {
        parts.push(format!("> {}", labels.built_in_mark));
    }
    parts.push(format!(
        "## {}\n\n{}",
        labels.objective,
        plain(lesson.objective)
    ));
    if !lesson.key_points.is_empty() {
        parts.push(format!(
            "## {}\n\n{}",
            labels.key_points,
            list(lesson.key_points)
        ));
    }
    let prompts = prompts(labels, lesson.topic);
    parts.push(format!("## {}\n\n{}", labels.think_about, list(&prompts)));
    parts.join("\n\n")
}

fn prompts(labels: &Labels, topic: &str) -> Vec<String> {
    let topic = labels.quoted(topic);
    let filled = labels
        .prompts
        .iter()
        .map(|prompt| fill(prompt, &[("topic", &topic)]));
    filled.collect()
}

fn list(entries: &[String]) -> String {
    let lines = entries.iter().map(|entry| format!("- {}", plain(entry)));
    lines.collect::<Vec<_>>().join("\n")
}

/// One line that Markdown does not read as HTML.
fn plain(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    one_line.replace('<', "&lt;")
}

/// A prompt to think and write about a topic.
pub(crate) fn reflection(labels: &Labels, topic: &str) -> Option<ActivityContent> {
    let prompt = prompts(labels, topic).join("\n\n");
    content(ActivityKind::Reflection, json!({ "prompt": prompt }))
}

/// The key points one after the other.
pub(crate) fn explainer(lesson: &LessonOutline<'_>) -> Option<ActivityContent> {
    let sections: Vec<_> = points(lesson)
        .enumerate()
        .map(|(at, point)| json!({"id": format!("s{}", at + 1), "heading": lesson.topic, "body": point}))
        .collect();
    content(
        ActivityKind::Explainer,
        json!({"sections": sections, "key_points": lesson.key_points, "glossary": []}),
    )
}

/// A script in which one voice asks and the other answers with the key points; without sound.
pub(crate) fn podcast(labels: &Labels, lesson: &LessonOutline<'_>) -> Option<ActivityContent> {
    let questions = prompts(labels, lesson.topic);
    let turns: Vec<_> = points(lesson)
        .zip(questions.iter().cycle())
        .flat_map(|(point, question)| {
            [
                json!({"speaker_id": "a", "text": question}),
                json!({"speaker_id": "b", "text": point}),
            ]
        })
        .collect();
    // Letters need no translation, and nobody is invented.
    let script = json!({
        "language": labels.tag,
        "speakers": [{"id": "a", "name": "A"}, {"id": "b", "name": "B"}],
        "segments": [{"title": lesson.topic, "turns": turns}],
        "audio": {"status": "none"},
    });
    content(ActivityKind::Podcast, script)
}

fn points<'a>(lesson: &'a LessonOutline<'_>) -> impl Iterator<Item = &'a str> {
    let objective = std::iter::once(lesson.objective);
    let texts = objective.chain(lesson.key_points.iter().map(String::as_str));
    texts.filter(|text| !text.trim().is_empty())
}
