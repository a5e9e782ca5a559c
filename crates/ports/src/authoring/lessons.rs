//! Lessons.

use lyceum_domain::authoring::lessons::Lesson;
use lyceum_domain::ids::{CourseId, LessonId, UnitId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which lessons. With a unit the list is in order of position, else newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LessonFilter {
    /// Of this unit.
    pub unit_id: Option<UnitId>,
    /// Of this course.
    pub course_id: Option<CourseId>,
    /// Of one of these courses; `None` for any.
    pub among: Option<Vec<CourseId>>,
}

/// Where lessons are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait LessonRepository {
    /// Adds a new one.
    fn insert(&mut self, lesson: &Lesson) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(&mut self, workspace: WorkspaceId, id: LessonId) -> Result<Option<Lesson>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, lesson: &Lesson) -> Result<(), StoreError>;
    /// Removes it and everything below it; whether it was there.
    fn delete(&mut self, workspace: WorkspaceId, id: LessonId) -> Result<bool, StoreError>;
    /// A page of those that match.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &LessonFilter,
        page: &PageRequest,
    ) -> Result<Page<Lesson>, StoreError>;
    /// How many there are below this parent: the position of the next one at the end.
    fn count(&mut self, workspace: WorkspaceId, parent: UnitId) -> Result<u32, StoreError>;
    /// Moves every one at `from` or behind it `by` places on.
    fn shift(
        &mut self,
        workspace: WorkspaceId,
        parent: UnitId,
        from: u32,
        by: i32,
    ) -> Result<(), StoreError>;
    /// All of these parents, in order of parent, position and id.
    fn of_units(
        &mut self,
        workspace: WorkspaceId,
        parents: &[UnitId],
    ) -> Result<Vec<Lesson>, StoreError>;
    /// Minutes of this course's lessons that AI made, edited since or not.
    fn generated_minutes(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
    ) -> Result<u32, StoreError>;
    /// Those with these ids that are in this workspace, in any order.
    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[LessonId],
    ) -> Result<Vec<Lesson>, StoreError>;
}
