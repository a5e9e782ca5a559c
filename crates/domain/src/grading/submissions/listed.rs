//! What lists of submissions go by of the grade that stands.

use super::Submission;
use crate::Timestamp;
use crate::grading::grades::GradeSource;
use crate::ids::UserId;
use crate::points::Points;

/// A grade, as lists find it and put it in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedGrade {
    /// Who judged.
    pub by: GradeSource,
    /// Which member gave it, or let AI's stand.
    pub decided_by: Option<UserId>,
    /// When it was given.
    pub at: Timestamp,
    /// The score that counts.
    pub score: Points,
}

impl Submission {
    /// What lists go by. None while it waits for a blind grade: nobody is told of a grade then, and so nobody finds it by one.
    pub fn listed_grade(&self) -> Option<ListedGrade> {
        let grade = self.grade.as_ref().filter(|_| !self.is_blind())?;
        Some(ListedGrade {
            by: grade.by,
            decided_by: grade.decided_by,
            at: grade.at,
            score: self.score()?,
        })
    }
}
