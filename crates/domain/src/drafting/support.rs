//! Whether the sentences of a drafted lesson rest on the source it was drafted from: somebody who did not write them
//! says of each how it stands to the source, and here it is decided what the author is told.
//!
//! Nothing is taken out of a lesson: the author decides.

mod cutting;

pub use cutting::{MOST_SENTENCES, lesson_sentences};

use crate::words::words;
use cutting::SourceSentences;

/// Most sentences of one lesson that are named.
const MOST_NAMED: usize = 50;
/// Most characters of a sentence that is named.
const MOST_SHOWN: usize = 300;

words!(
    /// How a sentence of a lesson stands to the source.
    SourceStanding {
        /// A passage of the source says it.
        Supported = "supported",
        /// A passage of the source says otherwise.
        Contradicted = "contradicted",
        /// It claims something that no passage says.
        Unsupported = "unsupported",
        /// It claims nothing: a transition, a question, a task, an example that says that it is made up.
        NoClaim = "no_claim",
    }
);

words!(
    /// Why a sentence is to be looked at.
    DoubtReason {
        /// No passage of the source says it.
        Unsupported = "unsupported",
        /// A passage of the source says otherwise.
        Contradicted = "contradicted",
    }
);

impl SourceStanding {
    /// Why a sentence that stands so is to be looked at, if it is.
    pub const fn doubt(self) -> Option<DoubtReason> {
        match self {
            Self::Contradicted => Some(DoubtReason::Contradicted),
            Self::Unsupported => Some(DoubtReason::Unsupported),
            Self::Supported | Self::NoClaim => None,
        }
    }
}

/// A sentence of a lesson and what whoever read it says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadSentence {
    /// The sentence, as it stands in the lesson.
    pub text: String,
    /// How it stands to the source.
    pub standing: SourceStanding,
}

/// A sentence that is to be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoubtedSentence {
    /// The sentence as it stands in the lesson; of a very long one the beginning.
    pub text: String,
    /// Why.
    pub reason: DoubtReason,
}

/// What became of the sentences of a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupportCheck {
    /// How many sentences claim something.
    pub claims: usize,
    /// How many of them no passage of the source supports.
    pub unsupported: usize,
    /// The first of those, in the order of the lesson.
    pub doubted: Vec<DoubtedSentence>,
    /// Letters and digits of the sentences that claim something, and of those that no passage supports.
    weight: ClaimWeight,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct ClaimWeight {
    claimed: usize,
    unsupported: usize,
}

impl SupportCheck {
    /// Judges what was read. A sentence that is one of the source, word by word, is supported whatever anybody says.
    pub fn of(source: &str, read: &[ReadSentence]) -> Self {
        let source = SourceSentences::of(source);
        let mut check = Self {
            claims: 0,
            unsupported: 0,
            doubted: Vec::new(),
            weight: ClaimWeight::default(),
        };
        for sentence in read {
            check.count(&source, sentence);
        }
        check
    }

    fn count(&mut self, source: &SourceSentences, sentence: &ReadSentence) {
        let standing = if source.has(&sentence.text) {
            SourceStanding::Supported
        } else {
            sentence.standing
        };
        if standing == SourceStanding::NoClaim {
            return;
        }
        let weight = sentence.text.chars().filter(|c| c.is_alphanumeric());
        let weight = weight.count();
        self.claims += 1;
        self.weight.claimed += weight;
        let Some(reason) = standing.doubt() else {
            return;
        };
        self.unsupported += 1;
        self.weight.unsupported += weight;
        if self.doubted.len() < MOST_NAMED {
            let text = sentence.text.chars().take(MOST_SHOWN).collect();
            self.doubted.push(DoubtedSentence { text, reason });
        }
    }
}

/// What there is to be asked: the sentences that are not the source's own.
pub fn is_all_of_the_source(source: &str, sentences: &[String]) -> bool {
    let source = SourceSentences::of(source);
    sentences.iter().all(|sentence| source.has(sentence))
}

/// The share of what lessons claim that no passage supports, by letters and digits, in whole thousandths, half up; none
/// where nothing is claimed.
pub fn unsupported_share<'a>(checks: impl IntoIterator<Item = &'a SupportCheck>) -> Option<usize> {
    let sum = checks
        .into_iter()
        .fold(ClaimWeight::default(), |sum, check| ClaimWeight {
            claimed: sum.claimed + check.weight.claimed,
            unsupported: sum.unsupported + check.weight.unsupported,
        });
    let thousandths = (sum.unsupported * 2_000 + sum.claimed).checked_div(sum.claimed * 2)?;
    Some(thousandths)
}

#[cfg(test)]
mod tests;
