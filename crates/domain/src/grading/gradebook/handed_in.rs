//! What a book goes by of what learners did: submissions and attempts at quizzes, without what they wrote.

use super::work::Attempted;
use crate::Timestamp;
use crate::grading::submissions::SubmissionStatus;
use crate::ids::{ActivityId, AssignmentId, CohortId, SubmissionId, UserId};
use crate::points::Points;

/// A submission that was handed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandedIn {
    /// Which.
    pub id: SubmissionId,
    /// Whose.
    pub user_id: UserId,
    /// Of which assignment.
    pub assignment_id: AssignmentId,
    /// In which cohort, where one was named.
    pub cohort_id: Option<CohortId>,
    /// 1 for the first one of this learner at this assignment.
    pub attempt: u32,
    /// Where it is.
    pub status: SubmissionStatus,
    /// When it was handed in.
    pub submitted_at: Timestamp,
    /// Whether that was late.
    pub late: bool,
    /// The best possible score when it was handed in.
    pub max_score: Points,
    /// The score that counts of the grade that stands, as lists find it: what coming late costs is taken off, and while it waits for a blind
    /// grade there is none.
    pub score: Option<Points>,
}

impl HandedIn {
    /// What counts of it: what its learner is shown. None while no grade of it is out.
    pub fn points(&self) -> Option<Points> {
        self.score.filter(|_| self.status.shows_grade())
    }

    /// The same as an attempt.
    pub fn attempted(&self) -> Attempted {
        Attempted {
            number: self.attempt,
            points: self.points(),
            best_possible: self.max_score,
            handed_in_at: self.submitted_at,
        }
    }

    /// Whether it belongs to this cohort: it was made in it, or in none. What was handed in elsewhere counts there.
    pub fn counts_in(&self, cohort: CohortId) -> bool {
        self.cohort_id.is_none_or(|named| named == cohort)
    }
}

/// A scored attempt at a quiz.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuizAttempt {
    /// Whose.
    pub user_id: UserId,
    /// At which quiz.
    pub activity_id: ActivityId,
    /// What came of it.
    pub attempted: Attempted,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use uuid::Uuid;

    fn handed_in() -> HandedIn {
        HandedIn {
            id: Id::from_uuid(Uuid::nil()),
            user_id: Id::from_uuid(Uuid::nil()),
            assignment_id: Id::from_uuid(Uuid::nil()),
            cohort_id: None,
            attempt: 1,
            status: SubmissionStatus::Graded,
            submitted_at: Timestamp::from_unix_millis(0),
            late: true,
            max_score: Points::HUNDRED,
            score: Some(Points::whole(70)),
        }
    }

    #[test]
    fn a_grade_that_is_not_out_counts_nothing() {
        assert_eq!(handed_in().attempted().points, Some(Points::whole(70)));
        let held = HandedIn {
            status: SubmissionStatus::InReview,
            ..handed_in()
        };
        assert_eq!(held.attempted().points, None);
    }

    #[test]
    fn what_was_handed_in_elsewhere_counts_there() {
        let [here, there] = [1, 2].map(|n| Id::from_uuid(Uuid::from_u128(n)));
        assert!(handed_in().counts_in(here));
        let elsewhere = HandedIn {
            cohort_id: Some(there),
            ..handed_in()
        };
        assert!(!elsewhere.counts_in(here) && elsewhere.counts_in(there));
    }
}
