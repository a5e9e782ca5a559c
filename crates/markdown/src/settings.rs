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
    /// What a new line in the source is: a new line on the page too, or a space as in CommonMark.
    pub keeps_lines: bool,
    /// What the text may have.
    pub scope: Scope,
    /// What marks a place that whoever shows the text fills. A formula with such a place stays text.
    pub gap: Option<&'a str>,
}

/// How much of the dialect a text may have: not every place on a page can hold everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scope {
    /// A line is what may stand within a paragraph, and new lines in it are new lines on the page. A sign that would begin a
    /// block is text: `1. May`.
    pub is_line: bool,
    /// Nothing can be followed or opened: for texts within something that is itself pressed.
    pub is_inert: bool,
}
