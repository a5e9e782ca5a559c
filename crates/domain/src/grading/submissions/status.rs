//! Where a submission is, and the moves from there.

use crate::transition::InvalidTransition;
use crate::words::words;

words!(
    /// Where a submission is: draft → submitted → graded / `in_review` → graded → returned.
    SubmissionStatus {
        /// Being written.
        Draft = "draft",
        /// Handed in.
        Submitted = "submitted",
        /// A grade is proposed and waits for a person; the learner sees none of it.
        InReview = "in_review",
        /// Graded.
        Graded = "graded",
        /// Given back.
        Returned = "returned",
    }
);

impl SubmissionStatus {
    /// Whether its learner is shown the grade that stands; while a person is still to look at it, they are not.
    pub const fn shows_grade(self) -> bool {
        match self {
            Self::Draft | Self::Submitted | Self::Graded | Self::Returned => true,
            Self::InReview => false,
        }
    }

    /// draft → submitted
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state.
    pub fn submit(self) -> Result<Self, InvalidTransition> {
        match self {
            Self::Draft => Ok(Self::Submitted),
            Self::Submitted | Self::InReview | Self::Graded | Self::Returned => {
                Err(self.cannot("be submitted"))
            }
        }
    }

    /// Whether AI may be asked: about anything handed in, also after it was given back.
    ///
    /// # Errors
    /// [`InvalidTransition`] from a draft.
    pub fn ask_ai(self) -> Result<(), InvalidTransition> {
        match self {
            Self::Submitted | Self::InReview | Self::Graded | Self::Returned => Ok(()),
            Self::Draft => Err(self.cannot("be graded")),
        }
    }

    /// Whether it may wait for a person who is not to know what AI says of it: while no grade is out.
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state.
    pub fn hide_ai(self) -> Result<(), InvalidTransition> {
        match self {
            Self::Submitted | Self::InReview => Ok(()),
            Self::Draft | Self::Graded | Self::Returned => Err(self.cannot("be graded blind")),
        }
    }

    /// The refusal of what does not go with a blind grade.
    pub const fn cannot_be_blind(self, action: &'static str) -> InvalidTransition {
        self.cannot(action)
    }

    /// submitted, `in_review` or graded → `in_review`
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state.
    pub fn hold(self) -> Result<Self, InvalidTransition> {
        match self {
            Self::Submitted | Self::InReview | Self::Graded => Ok(Self::InReview),
            Self::Draft | Self::Returned => Err(self.cannot("be held for review")),
        }
    }

    /// anything handed in and not yet returned → graded
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state.
    pub fn grade(self) -> Result<Self, InvalidTransition> {
        match self {
            Self::Submitted | Self::InReview | Self::Graded => Ok(Self::Graded),
            Self::Draft | Self::Returned => Err(self.cannot("be graded")),
        }
    }

    /// `in_review` → graded; graded stays so while it still wants a look
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state.
    pub fn approve(self, wants_a_look: bool) -> Result<Self, InvalidTransition> {
        match self {
            Self::InReview => Ok(Self::Graded),
            Self::Graded if wants_a_look => Ok(Self::Graded),
            Self::Draft | Self::Submitted | Self::Graded | Self::Returned => {
                Err(self.cannot("be approved"))
            }
        }
    }

    /// graded → returned
    ///
    /// # Errors
    /// [`InvalidTransition`] from any other state.
    pub fn give_back(self) -> Result<Self, InvalidTransition> {
        match self {
            Self::Graded => Ok(Self::Returned),
            Self::Draft | Self::Submitted | Self::InReview | Self::Returned => {
                Err(self.cannot("be returned"))
            }
        }
    }

    /// The refusal of landing what was previewed, or of putting back what stood before.
    pub const fn cannot_be_regraded(self) -> InvalidTransition {
        self.cannot("be graded anew")
    }

    /// The refusal of letting out what does not wait for a certificate alone.
    pub const fn cannot_be_released(self) -> InvalidTransition {
        self.cannot("be released by a certificate")
    }

    /// The refusal of giving to others what no person decided.
    pub const fn cannot_be_spread(self) -> InvalidTransition {
        self.cannot("be given to others before a person has decided about it")
    }

    /// The refusal of taking back what no person decided.
    pub const fn cannot_be_reopened(self) -> InvalidTransition {
        self.cannot("be reopened")
    }

    const fn cannot(self, action: &'static str) -> InvalidTransition {
        InvalidTransition {
            object: "submission",
            from: self.as_str(),
            action,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_is_legal_from_its_states_only() {
        use SubmissionStatus::{Draft, Graded, InReview, Returned, Submitted};
        type Arrow = fn(SubmissionStatus) -> Result<SubmissionStatus, InvalidTransition>;
        let arrows: [(&str, Arrow, &[SubmissionStatus], SubmissionStatus); 6] = [
            ("submit", SubmissionStatus::submit, &[Draft], Submitted),
            (
                "hold",
                SubmissionStatus::hold,
                &[Submitted, InReview, Graded],
                InReview,
            ),
            (
                "grade",
                SubmissionStatus::grade,
                &[Submitted, InReview, Graded],
                Graded,
            ),
            ("approve", |from| from.approve(false), &[InReview], Graded),
            (
                "approve what is out",
                |from| from.approve(true),
                &[InReview, Graded],
                Graded,
            ),
            (
                "give back",
                SubmissionStatus::give_back,
                &[Graded],
                Returned,
            ),
        ];
        for (name, arrow, starts, end) in arrows {
            for from in SubmissionStatus::ALL {
                let expected = starts.contains(from).then_some(end);
                assert_eq!(arrow(*from).ok(), expected, "{name} from {from}");
            }
        }
    }
}
