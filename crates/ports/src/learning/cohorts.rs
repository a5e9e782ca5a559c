//! Cohorts.

use lyceum_domain::ids::{CohortId, CourseId, WorkspaceId};
use lyceum_domain::learning::cohorts::{Cohort, CohortStatus};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which cohorts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CohortFilter {
    /// Of this course.
    pub course_id: Option<CourseId>,
    /// In this state.
    pub status: Option<CohortStatus>,
    /// One of these; `None` for any.
    pub among: Option<Vec<CohortId>>,
}

/// Where cohorts are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait CohortRepository {
    /// Adds a new one.
    fn insert(&mut self, cohort: &Cohort) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(&mut self, workspace: WorkspaceId, id: CohortId) -> Result<Option<Cohort>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, cohort: &Cohort) -> Result<(), StoreError>;
    /// Removes it and everything below it; whether it was there.
    fn delete(&mut self, workspace: WorkspaceId, id: CohortId) -> Result<bool, StoreError>;
    /// A page of those that match.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &CohortFilter,
        page: &PageRequest,
    ) -> Result<Page<Cohort>, StoreError>;
    /// The newest `limit` cohorts of each of these courses, newest first.
    fn newest_of_courses(
        &mut self,
        workspace: WorkspaceId,
        courses: &[CourseId],
        limit: u16,
    ) -> Result<Vec<Cohort>, StoreError>;
    /// Whether the course has a cohort that is active.
    fn any_active(&mut self, workspace: WorkspaceId, course: CourseId) -> Result<bool, StoreError>;
    /// Those with these ids that are in this workspace, in any order.
    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[CohortId],
    ) -> Result<Vec<Cohort>, StoreError>;
}
