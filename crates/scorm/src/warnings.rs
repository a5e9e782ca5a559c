//! What a teacher should know before uploading, collected while the package is written.
//!
//! Sentences only, each once and not too many: a list nobody reads to the end warns of nothing.

use std::collections::BTreeSet;

/// Beyond this, further warnings are counted, not listed.
const LISTED: usize = 50;

/// Warnings in the order they came up, without repeats.
#[derive(Debug, Default)]
pub struct Warnings {
    sentences: Vec<String>,
    seen: BTreeSet<String>,
    unlisted: usize,
}

impl Warnings {
    /// Notes a warning unless the very same one is there already.
    pub fn add(&mut self, sentence: String) {
        if self.seen.contains(&sentence) {
            return;
        }
        if self.sentences.len() == LISTED {
            self.unlisted = self.unlisted.saturating_add(1);
            return;
        }
        self.seen.insert(sentence.clone());
        self.sentences.push(sentence);
    }

    /// The list, with a last line for what did not fit.
    pub fn into_sentences(mut self) -> Vec<String> {
        if self.unlisted > 0 {
            self.sentences.push(format!(
                "{} more warnings of this kind were left out.",
                self.unlisted
            ));
        }
        self.sentences
    }
}
