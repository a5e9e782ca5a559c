//! Lessons and activities from a model: checked, and turned into content of ours.
//!
//! Nothing is taken over that does not fit its kind; what breaks a rule is named, so that the model can repair it.

mod explainer;
mod flashcards;
pub(super) mod lesson;
pub(super) mod podcast;
pub(super) mod quiz;
pub(super) mod texts;

use lyceum_domain::authoring::activities::{ActivityContent, ActivityKind};
use lyceum_domain::drafting::drafts::{ActivitiesTask, LessonTask};
use lyceum_domain::drafting::syllabus::{ActivityDraft, LessonDraft};
use lyceum_domain::text::Name;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::builtin::unused;
use crate::language::Language;
use crate::outline::{Labels, stated_key_points};

/// Schemas of the answers.
pub(super) const LESSON: &str = include_str!("../../schemas/lesson.json");
const QUIZ: &str = include_str!("../../schemas/quiz.json");
const FLASHCARDS: &str = include_str!("../../schemas/flashcards.json");
const EXPLAINER: &str = include_str!("../../schemas/explainer.json");
const PODCAST: &str = include_str!("../../schemas/podcast.json");
const REFLECTION: &str = include_str!("../../schemas/reflection.json");

/// Minutes of an activity other than a podcast.
const ACTIVITY_MINUTES: u32 = 10;

/// The rules that an answer breaks, told to whoever is to repair it.
pub(super) type Broken = Vec<String>;

/// Most rules that one answer is told to break; whoever repairs those starts at the beginning anyway.
const MAX_BROKEN: usize = 20;

/// What was read, or the first of the rules that are broken.
pub(super) fn unless_broken<T>(mut broken: Broken, value: impl FnOnce() -> T) -> Result<T, Broken> {
    if broken.is_empty() {
        return Ok(value());
    }
    broken.truncate(MAX_BROKEN);
    Err(broken)
}

/// Schema of activities of a kind; none for kinds that no model is asked for.
pub(super) const fn schema_of(kind: ActivityKind) -> Option<&'static str> {
    match kind {
        ActivityKind::Quiz => Some(QUIZ),
        ActivityKind::Flashcards => Some(FLASHCARDS),
        ActivityKind::Explainer => Some(EXPLAINER),
        ActivityKind::Podcast => Some(PODCAST),
        ActivityKind::Reflection => Some(REFLECTION),
        ActivityKind::Video => None,
    }
}

/// Reads the text of a lesson; the rules it breaks otherwise.
pub(super) fn read_lesson(document: &Value, task: &LessonTask) -> Result<LessonDraft, Broken> {
    lesson::read(document, task)
}

/// The text that activities are made from: the lesson, or the source text where the lesson is empty.
fn source_of(task: &ActivitiesTask) -> &str {
    if task.content.trim().is_empty() {
        &task.frame.source_text
    } else {
        &task.content
    }
}

/// What a lesson says above all, in its own words.
pub(super) fn key_points(task: &ActivitiesTask) -> Vec<String> {
    let labels = Labels::of(Language::of_tag(task.frame.language.as_str()));
    stated_key_points(&task.content, labels)
}

#[derive(Deserialize)]
struct WrittenActivities {
    language: String,
    activities: Vec<Value>,
}

/// Reads activities of the task's kind; the rules they break otherwise.
pub(super) fn read_activities(
    document: &Value,
    task: &ActivitiesTask,
) -> Result<Vec<ActivityDraft>, Broken> {
    let written: WrittenActivities = parsed(document)?;
    let language = &task.frame.language;
    let text = all_texts(&written.activities);
    let mut broken: Broken = texts::wrong_language(&written.language, &text, language)
        .into_iter()
        .collect();
    let wanted = usize::try_from(task.count).unwrap_or(1).max(1);
    if written.activities.len() < wanted {
        broken.push(format!("there must be {wanted} activities"));
    }
    let mut names = task.names.clone();
    let mut made = Vec::new();
    for one in written.activities.iter().take(wanted) {
        match content(one, task) {
            Ok(content) => {
                let title = one.get("title").and_then(Value::as_str).unwrap_or_default();
                let name = unused(Name::clamp(title, &task.lesson_name).as_str(), &names);
                names.push(name.clone());
                made.push(ActivityDraft {
                    kind: task.kind,
                    name,
                    content,
                    minutes: minutes_of(task.kind),
                });
            }
            Err(rules) => broken.extend(rules),
        }
    }
    unless_broken(broken, || made)
}

fn minutes_of(kind: ActivityKind) -> u32 {
    match kind {
        ActivityKind::Podcast => u32::try_from(podcast::MINUTES).unwrap_or(ACTIVITY_MINUTES),
        ActivityKind::Quiz
        | ActivityKind::Flashcards
        | ActivityKind::Explainer
        | ActivityKind::Video
        | ActivityKind::Reflection => ACTIVITY_MINUTES,
    }
}

/// Every text of some documents, for the vote on their language.
fn all_texts(documents: &[Value]) -> String {
    let mut found = Vec::new();
    for document in documents {
        gather(document, &mut found);
    }
    found.join("\n")
}

fn gather<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(entries) => entries.iter().for_each(|entry| gather(entry, found)),
        Value::Object(members) => members.values().for_each(|member| gather(member, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn content(one: &Value, task: &ActivitiesTask) -> Result<ActivityContent, Broken> {
    let document = match task.kind {
        ActivityKind::Quiz => quiz::read(one, task)?,
        ActivityKind::Flashcards => flashcards::read(one, task)?,
        ActivityKind::Explainer => explainer::read(one, task)?,
        ActivityKind::Podcast => podcast::read(one, task)?,
        ActivityKind::Reflection => json!({"prompt": one.get("prompt")}),
        ActivityKind::Video => json!({}),
    };
    let Value::Object(document) = document else {
        return Err(vec!["an activity must be an object".to_owned()]);
    };
    ActivityContent::parse(task.kind, document)
        .map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

pub(super) fn parsed<'de, T: Deserialize<'de>>(document: &'de Value) -> Result<T, Broken> {
    T::deserialize(document).map_err(|error| vec![error.to_string()])
}
