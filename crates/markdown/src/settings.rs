//! What a text is rendered with.

use crate::labels::Labels;

/// What differs from text to text and from page to page.
#[derive(Debug, Clone, Copy, Default)]
pub struct Settings<'a> {
    /// What the names of places in this text begin with, so that footnotes are links: letters and digits that no other text
    /// of the page has. Without it numbers link to nothing.
    pub anchors: Option<&'a str>,
    /// The words that stand in the text and that its author did not write.
    pub labels: Option<&'a Labels<'a>>,
    /// Lines of the source that stand before what is rendered; warnings count them.
    pub lines_before: usize,
}
