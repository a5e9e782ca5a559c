//! Courses.

use lyceum_domain::courses::{Course, CourseAttachments, CourseId, CourseStatus};
use lyceum_domain::workspaces::WorkspaceId;

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which courses; every member that is given must match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CourseFilter {
    /// In this state.
    pub status: Option<CourseStatus>,
    /// In this language (canonical tag).
    pub language: Option<String>,
    /// With this text in the name, whatever its case.
    pub q: Option<String>,
}

/// Where courses are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait CourseRepository {
    /// Adds a new one.
    fn insert(&mut self, course: &Course) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(&mut self, workspace: WorkspaceId, id: CourseId) -> Result<Option<Course>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, course: &Course) -> Result<(), StoreError>;
    /// Removes it and everything below it; whether it was there.
    fn delete(&mut self, workspace: WorkspaceId, id: CourseId) -> Result<bool, StoreError>;
    /// A page of those that match.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &CourseFilter,
        page: &PageRequest,
    ) -> Result<Page<Course>, StoreError>;
    /// Those with these ids that are in this workspace, in any order.
    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[CourseId],
    ) -> Result<Vec<Course>, StoreError>;
    /// How much hangs on the course that is not its content.
    fn attachments(
        &mut self,
        workspace: WorkspaceId,
        id: CourseId,
    ) -> Result<CourseAttachments, StoreError>;
}
