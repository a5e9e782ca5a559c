//! What one AI run does otherwise than the assignment says; gone with the run.

use crate::InvalidValue;
use crate::authoring::assignments::{FeedbackStyle, HumanReview, Tone, Verbosity};
use crate::authoring::rubric::Rubric;
use crate::money::MicroUsd;
use crate::text::LanguageTag;

/// How often one run asks, to find out how sure the answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Samples(u8);

impl Samples {
    /// What a run may ask for: odd, so that there is a middle.
    pub const ALLOWED: &'static [u8] = &[1, 3, 5];

    /// Checks the number.
    ///
    /// # Errors
    /// [`InvalidValue`] unless it is one of [`Self::ALLOWED`].
    pub fn parse(number: u64) -> Result<Self, InvalidValue> {
        u8::try_from(number)
            .ok()
            .filter(|number| Self::ALLOWED.contains(number))
            .map(Self)
            .ok_or_else(|| InvalidValue::new("must be one of 1 3 5"))
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl Default for Samples {
    fn default() -> Self {
        Self(1)
    }
}

/// How feedback is written in this run; `None` keeps the assignment's.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeedbackOverrides {
    /// How it sounds.
    pub tone: Option<Tone>,
    /// How long it is.
    pub verbosity: Option<Verbosity>,
    /// What language it is in.
    pub language: Option<LanguageTag>,
}

impl FeedbackOverrides {
    /// The assignment's style with these changes.
    #[must_use]
    pub fn over(&self, usual: &FeedbackStyle) -> FeedbackStyle {
        FeedbackStyle {
            tone: self.tone.unwrap_or(usual.tone),
            verbosity: self.verbosity.unwrap_or(usual.verbosity),
            language: self
                .language
                .clone()
                .unwrap_or_else(|| usual.language.clone()),
        }
    }
}

/// What a run may take at most; `None` sets no limit of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunBudget {
    /// Tokens, read and written.
    pub tokens: Option<u64>,
    /// Money.
    pub cost: Option<MicroUsd>,
}

/// What one run alone uses; what is absent is the assignment's, the course's or the provider's.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunOverrides {
    /// Judge by this rubric.
    pub rubric: Option<Rubric>,
    /// Ask this model.
    pub model: Option<String>,
    /// Write feedback like this.
    pub feedback: FeedbackOverrides,
    /// Whether a person looks at the grade.
    pub human_review: Option<HumanReview>,
    /// Whether to insist on an answer of its own, even where the same was judged before.
    pub anew: bool,
    /// What it may take.
    pub budget: RunBudget,
    /// How often it asks.
    pub samples: Samples,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_asks_an_odd_number_of_times() {
        for number in [1, 3, 5] {
            assert_eq!(u64::from(Samples::parse(number).unwrap().get()), number);
        }
        for number in [0, 2, 4, 6, 257] {
            assert!(Samples::parse(number).is_err(), "{number}");
        }
    }

    #[test]
    fn what_a_run_does_not_say_is_the_assignments() {
        let usual = FeedbackStyle::of_course(LanguageTag::parse("de").unwrap());
        assert_eq!(FeedbackOverrides::default().over(&usual), usual);
        let once = FeedbackOverrides {
            tone: Some(Tone::Demanding),
            ..FeedbackOverrides::default()
        };
        let style = once.over(&usual);
        assert_eq!(
            (style.tone, style.language),
            (Tone::Demanding, usual.language)
        );
    }
}
