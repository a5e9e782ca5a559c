//! What is said of texts on the wire.

use lyceum_domain::ids::{CourseId, LessonId};
use lyceum_domain::text::LongText;
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Command;
use crate::common_ids::reference;

/// Something that a text loses, or shows otherwise than its author wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TextWarningView {
    /// Where the text stands.
    #[schema(example = "content.questions[2].prompt")]
    pub field: String,
    /// Its line, counted from 1; `null` where it is about the text as a whole.
    pub line: Option<u32>,
    /// What becomes of it, for a person.
    #[schema(example = "the element <iframe> is not taken and was left out")]
    pub message: String,
}

/// A text that nobody has saved, to be shown as a lesson's `content` or an assignment's `instructions` would be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RenderText {
    /// Markdown.
    #[schema(max_length = 100_000, example = "Rice is cooled *within two hours*.")]
    pub text: String,
    /// The lesson whose language the words of ours in it are in, such as those above a note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lesson_id: Option<String>,
    /// The course whose language they are in, where no lesson is named; English where none is either.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub course_id: Option<String>,
}

/// The same, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsavedText {
    /// Markdown.
    pub text: LongText,
    /// The lesson whose language counts.
    pub lesson_id: Option<LessonId>,
    /// The course whose language counts.
    pub course_id: Option<CourseId>,
}

impl Command for RenderText {
    type Of = UnsavedText;

    fn command(self) -> Result<UnsavedText, Invalid> {
        Ok(UnsavedText {
            text: LongText::parse(self.text).at("text")?,
            lesson_id: self.lesson_id.as_deref().map(reference),
            course_id: self.course_id.as_deref().map(reference),
        })
    }
}

/// A text as whoever reads it would see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RenderedTextView {
    /// Always `rendered_text`.
    pub object: String,
    /// Its HTML, as `expand=html` would show it; `/v1/content.css` is its style.
    pub html: String,
    /// What it loses, or shows otherwise than it is written.
    pub warnings: Vec<TextWarningView>,
}

impl RenderedTextView {
    /// This HTML, and what was lost.
    pub fn new(html: String, warnings: Vec<TextWarningView>) -> Self {
        Self {
            object: "rendered_text".to_owned(),
            html,
            warnings,
        }
    }
}
