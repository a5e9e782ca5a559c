//! Units.

use lyceum_domain::authoring::units::Unit;
use lyceum_domain::ids::{CourseId, UnitId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which units. With a course the list is in order of position, else newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnitFilter {
    /// Of this course.
    pub course_id: Option<CourseId>,
    /// Of one of these courses; `None` for any.
    pub among: Option<Vec<CourseId>>,
}

/// Where units are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait UnitRepository {
    /// Adds a new one.
    fn insert(&mut self, unit: &Unit) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(&mut self, workspace: WorkspaceId, id: UnitId) -> Result<Option<Unit>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, unit: &Unit) -> Result<(), StoreError>;
    /// Removes it and everything below it; whether it was there.
    fn delete(&mut self, workspace: WorkspaceId, id: UnitId) -> Result<bool, StoreError>;
    /// A page of those that match.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &UnitFilter,
        page: &PageRequest,
    ) -> Result<Page<Unit>, StoreError>;
    /// How many there are below this parent: the position of the next one at the end.
    fn count(&mut self, workspace: WorkspaceId, parent: CourseId) -> Result<u32, StoreError>;
    /// Moves every one at `from` or behind it `by` places on.
    fn shift(
        &mut self,
        workspace: WorkspaceId,
        parent: CourseId,
        from: u32,
        by: i32,
    ) -> Result<(), StoreError>;
    /// All of these parents, in order of parent, position and id.
    fn of_courses(
        &mut self,
        workspace: WorkspaceId,
        parents: &[CourseId],
    ) -> Result<Vec<Unit>, StoreError>;
    /// How many lessons each of these units has; units without any are absent.
    fn lesson_counts(
        &mut self,
        workspace: WorkspaceId,
        ids: &[UnitId],
    ) -> Result<Vec<(UnitId, u32)>, StoreError>;
    /// Those with these ids that are in this workspace, in any order.
    fn with_ids(&mut self, workspace: WorkspaceId, ids: &[UnitId])
    -> Result<Vec<Unit>, StoreError>;
}
