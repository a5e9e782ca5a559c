//! Passages of a submission, as a model quotes them.

use lyceum_domain::points::Points;
use serde::Deserialize;

use crate::quoting::quote;

/// A passage that a model copied from a submission.
#[derive(Deserialize)]
pub(super) struct Quotation {
    text: String,
    occurrence: f64,
}

impl Quotation {
    /// The passage, as far as it is quoted.
    pub(super) fn quote(&self) -> &str {
        quote(&self.text)
    }

    /// The passage, and which of its occurrences is meant.
    pub(super) fn located(&self) -> (String, usize) {
        (self.quote().to_owned(), self.which())
    }

    /// Which occurrence the model means; the first when it says nothing sensible.
    fn which(&self) -> usize {
        usize::try_from(Points::from_number(self.occurrence).hundredths() / 100)
            .unwrap_or(1)
            .max(1)
    }
}
