//! Pictures of texts. No author's `<img>` survives: whoever renders says what stands in its place.

use crate::tags;
use crate::text;

/// What an author said of a picture.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picture {
    /// Where it is.
    pub address: String,
    /// What it shows; empty if nobody said.
    pub alt: String,
}

impl Picture {
    /// An element for the sanitiser, which is the only one to read it.
    pub(crate) fn draft(&self) -> String {
        format!(
            "<img src=\"{}\" alt=\"{}\">",
            text::escape_html(&self.address),
            text::escape_html(&self.alt)
        )
    }

    /// The picture of a tag that the sanitiser has written.
    pub(crate) fn of(tag: &str) -> Self {
        let mut found = Self::default();
        for (name, value) in tags::attributes(tag) {
            match name {
                "src" => text::unescape(value).trim().clone_into(&mut found.address),
                "alt" => found.alt = text::unescape(value),
                _ => {}
            }
        }
        found
    }
}
