//! Activities: what a learner does inside a lesson.

use serde_json::Value;

use crate::courses::CourseId;
use crate::id::Identified;
use crate::json::{JsonObject, Metadata, MetadataChange};
use crate::lessons::LessonId;
use crate::provenance::Provenance;
use crate::text::Name;
use crate::words::words;
use crate::workspaces::WorkspaceId;
use crate::{At, Id, Invalid, Stamp, Timestamp};

/// Identifies an activity (`act_…`).
pub type ActivityId = Id<Activity>;

impl Identified for Activity {
    const PREFIX: &'static str = "act";
    const OBJECT: &'static str = "activity";
}

words!(
    /// What kind of activity, and so what its content looks like.
    ActivityKind {
        /// Questions that are scored.
        Quiz = "quiz",
        /// Cards with two sides.
        Flashcards = "flashcards",
        /// A thing explained step by step.
        Explainer = "explainer",
        /// A spoken dialogue with its transcript.
        Podcast = "podcast",
        /// A video with captions and chapters.
        Video = "video",
        /// A prompt to think and write about.
        Reflection = "reflection",
    }
);

words!(
    /// What kind of quiz question.
    QuestionType {
        /// One of several options.
        SingleChoice = "single_choice",
        /// Some of several options.
        MultipleChoice = "multiple_choice",
        /// True or false.
        TrueFalse = "true_false",
        /// A word or a few.
        ShortText = "short_text",
        /// A number.
        Numeric = "numeric",
        /// Blanks in a text.
        Cloze = "cloze",
        /// Things to put in order.
        Ordering = "ordering",
        /// Things to pair.
        Matching = "matching",
        /// A text that is not scored.
        Open = "open",
    }
);

/// The content document of an activity, checked against its kind.
#[derive(Debug, Clone, PartialEq)]
pub struct ActivityContent(JsonObject);

impl ActivityContent {
    /// Checks that the members the kind lives on are there and of the right shape; an empty object is an
    /// activity still to be written.
    ///
    /// # Errors
    /// [`Invalid`] with a path such as `content.questions[2].type`.
    pub fn parse(kind: ActivityKind, content: JsonObject) -> Result<Self, Invalid> {
        if !content.is_empty() {
            match kind {
                ActivityKind::Quiz => check_questions(&content)?,
                ActivityKind::Flashcards => check_list(&content, "cards", &["front", "back"])?,
                ActivityKind::Explainer => check_list(&content, "sections", &["body"])?,
                ActivityKind::Podcast => check_list(&content, "segments", &[])?,
                ActivityKind::Video => check_text(&content, "content", "url")?,
                ActivityKind::Reflection => check_text(&content, "content", "prompt")?,
            }
        }
        Ok(Self(content))
    }

    /// The document.
    pub const fn as_map(&self) -> &JsonObject {
        &self.0
    }
}

fn list<'a>(content: &'a JsonObject, member: &str) -> Result<&'a Vec<Value>, Invalid> {
    let path = format!("content.{member}");
    match content.get(member) {
        None | Some(Value::Null) => Err(Invalid::missing(path)),
        Some(Value::Array(entries)) => Ok(entries),
        Some(_) => Err(Invalid::new(path, "must be an array")),
    }
}

fn check_text(content: &JsonObject, path: &str, member: &str) -> Result<(), Invalid> {
    let path = format!("{path}.{member}");
    match content.get(member) {
        None | Some(Value::Null) => Err(Invalid::missing(path)),
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(()),
        Some(Value::String(_)) => Err(Invalid::new(path, "must not be blank")),
        Some(_) => Err(Invalid::new(path, "must be a string")),
    }
}

fn check_list(content: &JsonObject, member: &str, texts: &[&str]) -> Result<(), Invalid> {
    for (index, entry) in list(content, member)?.iter().enumerate() {
        let path = format!("content.{member}[{index}]");
        let Value::Object(entry) = entry else {
            return Err(Invalid::new(path, "must be an object"));
        };
        for text in texts {
            check_text(entry, &path, text)?;
        }
    }
    Ok(())
}

fn check_questions(content: &JsonObject) -> Result<(), Invalid> {
    check_list(content, "questions", &["prompt", "type"])?;
    for (index, question) in list(content, "questions")?.iter().enumerate() {
        let kind = question
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or_default();
        QuestionType::parse(kind).at(&format!("content.questions[{index}].type"))?;
    }
    Ok(())
}

/// An activity to be made; its place is the end of the lesson unless `position` says otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct NewActivity {
    /// The lesson it belongs to.
    pub lesson_id: LessonId,
    /// Human-readable name.
    pub name: Name,
    /// What kind.
    pub kind: ActivityKind,
    /// The content document of that kind.
    pub content: ActivityContent,
    /// 0-based place among the lesson's activities; the end if absent or beyond it.
    pub position: Option<u32>,
    /// Free-form key-value store.
    pub metadata: Metadata,
}

/// What is to change; `None` keeps. The kind never changes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ActivityChanges {
    /// New name.
    pub name: Option<Name>,
    /// New content document, replaced whole; checked against the activity's kind.
    pub content: Option<JsonObject>,
    /// Change of the metadata.
    pub metadata: MetadataChange,
}

/// An activity.
#[derive(Debug, Clone, PartialEq)]
pub struct Activity {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: ActivityId,
    /// The lesson it belongs to.
    pub lesson_id: LessonId,
    /// The course it belongs to.
    pub course_id: CourseId,
    /// Human-readable name.
    pub name: Name,
    /// What kind.
    pub kind: ActivityKind,
    /// The content document of that kind.
    pub content: ActivityContent,
    /// 0-based place among the lesson's activities.
    pub position: u32,
    /// Where it came from.
    pub provenance: Provenance,
    /// Free-form key-value store.
    pub metadata: Metadata,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl Activity {
    /// A new activity at `position` of a lesson of `course_id`.
    pub fn new(
        workspace_id: WorkspaceId,
        id: ActivityId,
        course_id: CourseId,
        new: NewActivity,
        position: u32,
        provenance: Provenance,
        now: Timestamp,
    ) -> Self {
        Self {
            workspace_id,
            id,
            lesson_id: new.lesson_id,
            course_id,
            name: new.name,
            kind: new.kind,
            content: new.content,
            position,
            provenance,
            metadata: new.metadata,
            stamp: Stamp::new(now),
        }
    }

    /// Applies a person's changes; returns whether anything really changed.
    ///
    /// # Errors
    /// [`Invalid`] if the content does not fit the kind or the metadata breaks its limits.
    pub fn change(&mut self, changes: ActivityChanges, now: Timestamp) -> Result<bool, Invalid> {
        let before = self.clone();
        self.name = changes.name.unwrap_or_else(|| self.name.clone());
        if let Some(content) = changes.content {
            self.content = ActivityContent::parse(self.kind, content)?;
        }
        self.metadata = changes.metadata.apply(&self.metadata).at("metadata")?;
        let differs = *self != before;
        if differs {
            self.provenance.edited();
            self.stamp.touch(now);
        }
        Ok(differs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parse(kind: ActivityKind, content: &Value) -> Result<ActivityContent, Invalid> {
        ActivityContent::parse(kind, content.as_object().cloned().unwrap())
    }

    #[test]
    fn content_has_the_members_its_kind_lives_on() {
        assert!(parse(ActivityKind::Quiz, &json!({})).is_ok());
        let missing = parse(ActivityKind::Quiz, &json!({"shuffle": true})).unwrap_err();
        assert_eq!(
            (missing.field.as_str(), missing.missing),
            ("content.questions", true)
        );
        let quiz = json!({"questions": [{"prompt": "2+2?", "type": "riddle"}]});
        assert_eq!(
            parse(ActivityKind::Quiz, &quiz).unwrap_err().field,
            "content.questions[0].type"
        );
        let cards = json!({"cards": [{"front": "a", "back": " "}]});
        assert_eq!(
            parse(ActivityKind::Flashcards, &cards).unwrap_err().field,
            "content.cards[0].back"
        );
        assert!(parse(ActivityKind::Reflection, &json!({"prompt": "Why?"})).is_ok());
    }
}
