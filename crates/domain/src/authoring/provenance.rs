//! Where content came from.

use crate::ids::GenerationId;
use crate::words::words;

words!(
    /// Who made a piece of content.
    Origin {
        /// A person.
        Human = "human",
        /// AI, untouched since.
        Ai = "ai",
        /// AI, changed by a person since.
        AiEdited = "ai_edited",
        /// Brought in from elsewhere.
        Import = "import",
    }
);

/// Where a piece of content came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// Who made it.
    pub origin: Origin,
    /// The model, if AI had a part in it.
    pub model: Option<String>,
    /// The generation that made it, if one did.
    pub generation_id: Option<GenerationId>,
    /// SHA-256 of the text that it was drafted from, if one was given.
    pub source_hash: Option<String>,
}

impl Provenance {
    /// Made by a person.
    pub const fn human() -> Self {
        Self {
            origin: Origin::Human,
            model: None,
            generation_id: None,
            source_hash: None,
        }
    }

    /// Made by a generation.
    pub const fn ai(model: String, generation_id: GenerationId) -> Self {
        Self {
            origin: Origin::Ai,
            model: Some(model),
            generation_id: Some(generation_id),
            source_hash: None,
        }
    }

    /// Whether a person had a hand in it: only what AI made and nobody touched since is replaced.
    pub fn is_a_persons(&self) -> bool {
        self.origin != Origin::Ai
    }

    /// The same, drafted from a text with this hash.
    #[must_use]
    pub fn from_source(self, source_hash: Option<String>) -> Self {
        Self {
            source_hash,
            ..self
        }
    }

    /// Notes that a person changed it.
    pub fn edited(&mut self) {
        match self.origin {
            Origin::Ai => self.origin = Origin::AiEdited,
            Origin::Human | Origin::AiEdited | Origin::Import => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_ai_made_and_nobody_touched_is_not_a_persons() {
        let ai = Provenance::ai("m".to_owned(), crate::Id::from_uuid(uuid::Uuid::nil()));
        let mut edited = ai.clone();
        edited.edited();
        assert!(!ai.is_a_persons());
        assert!(edited.is_a_persons());
        assert!(Provenance::human().is_a_persons());
    }
}
