//! Assignments.

use lyceum_domain::Timestamp;
use lyceum_domain::authoring::assignments::Assignment;
use lyceum_domain::ids::{AssignmentId, CourseId, LessonId, UnitId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which assignments.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AssignmentFilter {
    /// Of this course.
    pub course_id: Option<CourseId>,
    /// Of this unit.
    pub unit_id: Option<UnitId>,
    /// Of this lesson.
    pub lesson_id: Option<LessonId>,
    /// Of one of these courses; `None` for any.
    pub among: Option<Vec<CourseId>>,
}

/// Where assignments are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait AssignmentRepository {
    /// Adds a new one.
    fn insert(&mut self, assignment: &Assignment) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: AssignmentId,
    ) -> Result<Option<Assignment>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, assignment: &Assignment) -> Result<(), StoreError>;
    /// Removes it and everything below it; whether it was there.
    fn delete(&mut self, workspace: WorkspaceId, id: AssignmentId) -> Result<bool, StoreError>;
    /// A page of those that match.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &AssignmentFilter,
        page: &PageRequest,
    ) -> Result<Page<Assignment>, StoreError>;
    /// Notes with these that what fixes the grades that AI gives for them changed at `now`. Nothing else of them changes, nor their
    /// version: nobody is shown it.
    fn note_grader_changed(
        &mut self,
        workspace: WorkspaceId,
        ids: &[AssignmentId],
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Every assignment of the course, oldest first.
    fn of_course(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
    ) -> Result<Vec<Assignment>, StoreError>;
    /// Those with these ids that are in this workspace, in any order.
    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[AssignmentId],
    ) -> Result<Vec<Assignment>, StoreError>;
}
