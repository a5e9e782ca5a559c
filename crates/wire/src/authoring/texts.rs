//! What is said of texts on the wire.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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
