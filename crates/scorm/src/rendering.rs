//! What every text is rendered with: the media that travel along, and the list of what a teacher should know.

use crate::media::Library;
use crate::warnings::Warnings;

/// Handed from text to text while a package is written.
#[derive(Debug)]
pub struct Rendering<'a> {
    /// What could be had of the pictures and recordings.
    pub media: &'a Library,
    /// What has come up so far.
    pub warnings: Warnings,
    /// How many texts there were.
    texts: usize,
}

impl<'a> Rendering<'a> {
    /// The beginning of a package with these media.
    pub fn new(media: &'a Library) -> Self {
        Self {
            media,
            warnings: Warnings::default(),
            texts: 0,
        }
    }

    /// Notes something a teacher should know.
    pub fn warn(&mut self, sentence: String) {
        self.warnings.add(sentence);
    }

    /// What the names of places within the next text begin with: several texts may be on one page.
    pub fn next_anchors(&mut self) -> String {
        self.texts = self.texts.saturating_add(1);
        format!("t{}", self.texts)
    }
}
