//! Other due dates.

use lyceum_domain::authoring::due_dates::DueOverride;
use lyceum_domain::ids::{AssignmentId, CohortId, DueOverrideId, UserId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Whose of an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DueOverrideFilter {
    /// Of this cohort.
    pub cohort_id: Option<CohortId>,
    /// Of this learner.
    pub user_id: Option<UserId>,
}

/// Where other due dates are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait DueOverrideRepository {
    /// Adds a new one; [`StoreError::Taken`] (`cohort_id`, `user_id`) where they have another due date already.
    fn insert(&mut self, due: &DueOverride) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: DueOverrideId,
    ) -> Result<Option<DueOverride>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, due: &DueOverride) -> Result<(), StoreError>;
    /// Removes it; whether it was there.
    fn delete(&mut self, workspace: WorkspaceId, id: DueOverrideId) -> Result<bool, StoreError>;
    /// A page of an assignment's, newest first.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        filter: DueOverrideFilter,
        page: &PageRequest,
    ) -> Result<Page<DueOverride>, StoreError>;
    /// Those of these assignments that this learner has, or a cohort that they are in, in any order.
    fn of_learner(
        &mut self,
        workspace: WorkspaceId,
        assignments: &[AssignmentId],
        user: UserId,
    ) -> Result<Vec<DueOverride>, StoreError>;
}
