//! Activities: what a learner does inside a lesson.

mod ids;
mod kinds;
pub mod quiz;
mod reading;
mod recording;

use self::quiz::Quiz;
use self::reading::{Place, Problems};
pub use self::recording::Recording;
use crate::authoring::provenance::Provenance;
use crate::ids::{ActivityId, CourseId, LessonId, WorkspaceId};
use crate::json::{JsonObject, Metadata, MetadataChange};
use crate::text::{LanguageTag, Name};
use crate::words::words;
use crate::{At, Invalid, Stamp, Timestamp};

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

/// Most words that an answer can be asked to have.
const MAX_WORDS: u32 = 10_000;

/// The content document of an activity, checked against its kind, with an id on everything that answers name.
#[derive(Debug, Clone, PartialEq)]
pub struct ActivityContent(JsonObject);

impl ActivityContent {
    /// Checks that the members the kind lives on are there and of the right shape, and completes missing ids;
    /// members that nobody knows are kept, and a recording of the service's is not taken from anybody. An empty object
    /// is an activity still to be written.
    ///
    /// # Errors
    /// Every problem, with a path such as `content.questions[2].options[0].text`.
    pub fn parse(kind: ActivityKind, mut content: JsonObject) -> Result<Self, Vec<Invalid>> {
        if content.is_empty() {
            return Ok(Self(content));
        }
        if kind == ActivityKind::Podcast {
            recording::forget(&mut content);
        }
        ids::complete(kind, &mut content);
        let problems = Problems::default();
        let place = Place::root(&content, "content", &problems);
        match kind {
            ActivityKind::Quiz => drop(quiz::read(&place)),
            ActivityKind::Flashcards => kinds::flashcards(&place),
            ActivityKind::Explainer => kinds::explainer(&place),
            ActivityKind::Podcast => kinds::podcast(&place),
            ActivityKind::Video => kinds::video(&place),
            ActivityKind::Reflection => kinds::reflection(&place),
        }
        let problems = problems.into_vec();
        if problems.is_empty() {
            Ok(Self(content))
        } else {
            Err(problems)
        }
    }

    /// A document as storage holds it: it was checked when it was written, by the rules of that time.
    pub const fn stored(content: JsonObject) -> Self {
        Self(content)
    }

    /// The document.
    pub const fn as_map(&self) -> &JsonObject {
        &self.0
    }
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
    /// Language of its content; the lesson's when absent.
    pub language: Option<LanguageTag>,
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
    /// New language; `Some(None)` takes it back.
    pub language: Option<Option<LanguageTag>>,
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
    /// Language of its content; the lesson's when absent.
    pub language: Option<LanguageTag>,
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
    /// What it asks, if it is a quiz that is written.
    pub fn quiz(&self) -> Option<Quiz> {
        let content = self.content.as_map();
        let is_quiz = self.kind == ActivityKind::Quiz && !content.is_empty();
        is_quiz.then(|| Quiz::of(content))
    }

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
            language: new.language,
            position,
            provenance,
            metadata: new.metadata,
            stamp: Stamp::new(now),
        }
    }

    /// Applies a person's changes; returns whether anything really changed.
    ///
    /// # Errors
    /// What of the content does not fit the kind, or which limit the metadata break.
    pub fn change(
        &mut self,
        changes: ActivityChanges,
        now: Timestamp,
    ) -> Result<bool, Vec<Invalid>> {
        let before = self.clone();
        self.name = changes.name.unwrap_or_else(|| self.name.clone());
        if let Some(content) = changes.content {
            self.content = self.content.replaced_by(self.kind, content)?;
        }
        if let Some(language) = changes.language {
            self.language = language;
        }
        let metadata = changes.metadata.apply(&self.metadata).at("metadata");
        self.metadata = metadata.map_err(|problem| vec![problem])?;
        let differs = *self != before;
        if differs {
            self.provenance.edited();
            self.stamp.touch(now);
        }
        Ok(differs)
    }
}

#[cfg(test)]
mod tests;
