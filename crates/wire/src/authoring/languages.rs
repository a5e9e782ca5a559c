//! Languages of parts of a course, where they are not those of what is around them.

use lyceum_domain::text::LanguageTag;
use lyceum_domain::{At, Invalid};

use crate::patch::Patch;

/// Of something to be made.
///
/// # Errors
/// [`Invalid`] at `language`.
pub(super) fn language(given: Option<String>) -> Result<Option<LanguageTag>, Invalid> {
    given
        .map(|tag| LanguageTag::parse(&tag))
        .transpose()
        .at("language")
}

/// Of a change; cleared, it is taken back.
///
/// # Errors
/// [`Invalid`] at `language`.
pub(super) fn language_change(given: Patch<String>) -> Result<Patch<LanguageTag>, Invalid> {
    given.try_map(|tag| LanguageTag::parse(&tag)).at("language")
}
