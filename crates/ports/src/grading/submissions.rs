//! Submissions.

use lyceum_domain::grading::submissions::{ReviewStatus, Submission, SubmissionStatus};
use lyceum_domain::ids::{AssignmentId, CohortId, SubmissionId, UserId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which submissions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SubmissionFilter {
    /// Of this assignment.
    pub assignment_id: Option<AssignmentId>,
    /// Of this cohort.
    pub cohort_id: Option<CohortId>,
    /// Of this student.
    pub user_id: Option<UserId>,
    /// In this state.
    pub status: Option<SubmissionStatus>,
    /// With AI grading `pending`, `ready` or `error`.
    pub ai_status: Option<String>,
    /// Reviewed or not.
    pub review_status: Option<ReviewStatus>,
}

/// Where submissions are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait SubmissionRepository {
    /// Adds a new one.
    fn insert(&mut self, submission: &Submission) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: SubmissionId,
    ) -> Result<Option<Submission>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, submission: &Submission) -> Result<(), StoreError>;
    /// Removes it and everything below it; whether it was there.
    fn delete(&mut self, workspace: WorkspaceId, id: SubmissionId) -> Result<bool, StoreError>;
    /// A page of those that match.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &SubmissionFilter,
        page: &PageRequest,
    ) -> Result<Page<Submission>, StoreError>;
    /// The student's newest attempt at the assignment.
    fn latest(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        user: UserId,
    ) -> Result<Option<Submission>, StoreError>;
    /// Those with these ids that are in this workspace, in any order.
    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[SubmissionId],
    ) -> Result<Vec<Submission>, StoreError>;
}
