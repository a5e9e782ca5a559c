//! The text of an outlined lesson, and the simple activities made from its key points.

use lyceum_domain::authoring::activities::{ActivityContent, ActivityKind};
use serde_json::{Value, json};

use super::cards::pairs;
use super::defining::definition;
use super::phrases::phrases;
use super::pointing::points_back;
use super::salience::salience;
use super::{Labels, content};
use crate::language::Language;
use crate::template::fill;

/// Where key points come from, which the lesson says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The words of the brief.
    Brief,
    /// The words of a source text.
    Source,
    /// A language model.
    Model,
}

/// What a lesson is to hold.
pub(crate) struct LessonOutline<'a> {
    pub(crate) topic: &'a str,
    pub(crate) objective: &'a str,
    /// Paragraphs that are the lesson's text; without any it is an outline of key points.
    pub(crate) text: &'a [String],
    pub(crate) key_points: &'a [String],
    /// Terms and what the text says they are.
    pub(crate) terms: &'a [(String, String)],
    pub(crate) origin: Origin,
}

/// Points of a section of an explainer.
const POINTS_PER_SECTION: usize = 2;

/// What it adds to a sentence's salience, which is 1 at most, that it says what something is.
const DEFINING: f64 = 0.3;

/// So many key points do without those that cannot stand alone.
const ENOUGH_POINTS: usize = 3;

/// The lesson as Markdown: objective, text, key points, terms, a place for an example, prompts to think about.
pub(crate) fn markdown(labels: &Labels, lesson: &LessonOutline<'_>) -> String {
    let mark = match lesson.origin {
        Origin::Brief => Some(labels.built_in_mark),
        Origin::Source => Some(labels.source_mark),
        Origin::Model => None,
    };
    let section =
        |heading: &str, body: String| (!body.is_empty()).then(|| format!("## {heading}\n\n{body}"));
    let terms: Vec<String> = lesson
        .terms
        .iter()
        .map(|(term, meaning)| format!("- **{}**: {}", plain(term), plain(meaning)))
        .collect();
    let topic = labels.quoted(lesson.topic);
    let slot = fill(labels.example_slot, &[("topic", &topic)]);
    let example = if lesson.text.is_empty() {
        String::new()
    } else {
        format!("> {}", plain(&slot))
    };
    let parts = [
        mark.map(|mark| format!("> {mark}")),
        section(labels.objective, plain(lesson.objective)),
        section(&plain(lesson.topic), paragraphs(lesson.text)),
        section(labels.key_points, list(lesson.key_points)),
        section(labels.key_terms, terms.join("\n")),
        section(labels.example, example),
        section(labels.think_about, list(&prompts(labels, lesson.topic))),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

fn paragraphs(text: &[String]) -> String {
    let paragraphs = text.iter().map(|paragraph| plain(paragraph));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Those sentences of a text that say most of what the whole text is about, those that say what something is before their
/// equals; last those that cannot stand alone. At most `most`, in their order.
pub(crate) fn selection(text: &[String], language: Language, most: usize) -> Vec<String> {
    let stands_alone = |sentence: &str| !points_back(sentence, language);
    let enough = text.iter().filter(|one| stands_alone(one)).count() >= ENOUGH_POINTS;
    let mut order: Vec<(usize, bool, f64, &String)> = text
        .iter()
        .zip(salience(text, language))
        .enumerate()
        .map(|(at, (sentence, salience))| {
            let bonus = if definition(sentence, language).is_some() {
                DEFINING
            } else {
                0.0
            };
            (
                at,
                points_back(sentence, language),
                salience + bonus,
                sentence,
            )
        })
        .filter(|(_, points_back, _, _)| !(enough && *points_back))
        .collect();
    order.sort_by(|a, b| a.1.cmp(&b.1).then(b.2.total_cmp(&a.2)).then(a.0.cmp(&b.0)));
    order.truncate(most);
    order.sort_by_key(|(at, _, _, _)| *at);
    order
        .into_iter()
        .map(|(_, _, _, sentence)| sentence.clone())
        .collect()
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

/// One line that Markdown does not read as HTML, a heading or a picture from elsewhere.
fn plain(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let safe = one_line.replace('<', "&lt;").replace("![", "[");
    safe.trim_start_matches(['#', '>', ' ']).to_owned()
}

/// A prompt to think and write about a topic.
pub(crate) fn reflection(labels: &Labels, topic: &str) -> Option<ActivityContent> {
    let prompt = prompts(labels, topic).join("\n\n");
    content(ActivityKind::Reflection, json!({ "prompt": prompt }))
}

/// The key points in their order, a few at a time, and a place for an example.
pub(crate) fn explainer(
    labels: &Labels,
    language: Language,
    lesson: &LessonOutline<'_>,
) -> Option<ActivityContent> {
    let points: Vec<&str> = points(lesson).collect();
    let mut headings: Vec<String> = Vec::new();
    let mut sections: Vec<Value> = Vec::new();
    for points in points.chunks(POINTS_PER_SECTION) {
        let heading = heading(points, lesson.topic, language, &headings);
        let body: Vec<String> = points.iter().map(|point| plain(point)).collect();
        sections.push(json!({"heading": heading, "body": body.join(" ")}));
        headings.push(heading);
    }
    if lesson.origin != Origin::Model {
        let topic = labels.quoted(lesson.topic);
        let slot = fill(labels.example_slot, &[("topic", &topic)]);
        sections.push(json!({"heading": labels.example, "body": format!("> {}", plain(&slot))}));
    }
    let terms = pairs(lesson.key_points, language);
    let glossary: Vec<Value> = terms
        .iter()
        .map(|(term, meaning)| json!({"term": term, "definition": meaning}))
        .collect();
    content(
        ActivityKind::Explainer,
        json!({"sections": sections, "key_points": lesson.key_points, "glossary": glossary}),
    )
}

/// The first heading among a section's own phrases that is not taken; the topic for the first section.
fn heading(points: &[&str], topic: &str, language: Language, taken: &[String]) -> String {
    if taken.is_empty() {
        return topic.to_owned();
    }
    let found = phrases(points.iter().copied(), language).into_iter();
    let short = found.filter(|phrase| phrase.text.split(' ').count() <= 3);
    short
        .map(|phrase| capital(&phrase.text))
        .find(|text| !taken.contains(text) && text.chars().count() >= 4)
        .unwrap_or_else(|| format!("{topic} ({})", taken.len() + 1))
}

/// A text with a capital at its beginning.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

/// A script in which one voice asks and the other answers with the key points; without sound.
pub(crate) fn podcast(labels: &Labels, lesson: &LessonOutline<'_>) -> Option<ActivityContent> {
    // The topic is spoken, so it has no quotation marks.
    let topic = [("topic", lesson.topic)];
    let say = |speaker: &str, text: String| json!({"speaker_id": speaker, "text": text});
    let [first_ask, later_asks @ ..] = labels.podcast_asks;
    let asks = std::iter::once(first_ask).chain(later_asks.into_iter().cycle());
    let told: Vec<String> = lesson
        .key_points
        .iter()
        .map(|point| spoken(point))
        .collect();
    if told.is_empty() {
        return None;
    }
    let dialogue: Vec<Value> = told
        .chunks(POINTS_PER_SECTION)
        .zip(asks)
        .flat_map(|(points, ask)| [say("a", fill(ask, &topic)), say("b", points.join(" "))])
        .collect();
    let recap = told.iter().take(3).cloned().collect::<Vec<_>>().join(" ");
    let part = |section: &str, turns: Vec<Value>| json!({"title": labels.podcast_part(section), "turns": turns});
    // Letters need no translation, and nobody is invented.
    let script = json!({
        "language": labels.tag,
        "speakers": [{"id": "a", "name": "A"}, {"id": "b", "name": "B"}],
        "segments": [
            part("intro", vec![say("a", fill(labels.podcast_welcome, &topic))]),
            part("topic", dialogue),
            part("recap", vec![say("b", format!("{} {recap}", labels.podcast_recap))]),
            part("outro", vec![say("a", fill(labels.podcast_bye, &topic))]),
        ],
        "show_notes": [labels.show_note],
        "audio": {"status": "none"},
    });
    content(ActivityKind::Podcast, script)
}

/// A sentence as it is spoken: without marks that nobody says, and with an end.
fn spoken(text: &str) -> String {
    let kept = text.replace(['*', '_', '`', '#', '[', ']', '(', ')'], "");
    let line = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.ends_with(['.', '!', '?', '…']) {
        line
    } else {
        format!("{line}.")
    }
}

fn points<'a>(lesson: &'a LessonOutline<'_>) -> impl Iterator<Item = &'a str> {
    let texts = lesson.key_points.iter().map(String::as_str);
    texts.filter(|text| !text.trim().is_empty())
}
