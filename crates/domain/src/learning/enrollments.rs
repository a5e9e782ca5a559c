//! Enrolments: who is in a cohort.

use crate::ids::{CohortId, EnrollmentId, UserId, WorkspaceId};
use crate::words::words;
use crate::{Stamp, Timestamp};

words!(
    /// Where an enrolment is in its life.
    EnrollmentStatus {
        /// Learning.
        Active = "active",
        /// Done.
        Completed = "completed",
        /// Gone.
        Withdrawn = "withdrawn",
    }
);

/// One student in one cohort.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enrollment {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: EnrollmentId,
    /// The cohort.
    pub cohort_id: CohortId,
    /// The student.
    pub user_id: UserId,
    /// Where it is in its life.
    pub status: EnrollmentStatus,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl Enrollment {
    /// A new enrolment is active.
    pub const fn new(
        workspace_id: WorkspaceId,
        id: EnrollmentId,
        cohort_id: CohortId,
        user_id: UserId,
        now: Timestamp,
    ) -> Self {
        let status = EnrollmentStatus::Active;
        Self {
            workspace_id,
            id,
            cohort_id,
            user_id,
            status,
            stamp: Stamp::new(now),
        }
    }
}
