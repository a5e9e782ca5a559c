//! Attempts.

use lyceum_domain::Timestamp;
use lyceum_domain::ids::{ActivityId, CourseId, UserId, WorkspaceId};
use lyceum_domain::learning::attempts::Attempt;

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which attempts at an activity.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AttemptFilter {
    /// Of this user.
    pub user_id: Option<UserId>,
}

/// How a user did in an activity, over all attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestAttempt {
    /// The user.
    pub user_id: UserId,
    /// The course of the activity.
    pub course_id: CourseId,
    /// The activity.
    pub activity_id: ActivityId,
    /// The best per cent; `None` where nothing is scored.
    pub percent: Option<u8>,
    /// When the last attempt was made.
    pub last_at: Timestamp,
}

/// Where attempts are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait AttemptRepository {
    /// Adds a new one. If another one with its number was faster, the transaction is run again.
    fn insert(&mut self, attempt: &Attempt) -> Result<(), StoreError>;
    /// The number of the user's newest attempt at this activity; 0 before the first.
    fn latest_number(
        &mut self,
        workspace: WorkspaceId,
        activity: ActivityId,
        user: UserId,
    ) -> Result<u32, StoreError>;
    /// A page of the attempts at this activity that match, newest first.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        activity: ActivityId,
        filter: &AttemptFilter,
        page: &PageRequest,
    ) -> Result<Page<Attempt>, StoreError>;
    /// How each of these users did in each activity of these courses that they tried, in one query.
    fn best(
        &mut self,
        workspace: WorkspaceId,
        users: &[UserId],
        courses: &[CourseId],
    ) -> Result<Vec<BestAttempt>, StoreError>;
}
