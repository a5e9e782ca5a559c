//! Activities.

use lyceum_domain::authoring::activities::{Activity, ActivityKind};
use lyceum_domain::ids::{ActivityId, CourseId, LessonId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which activities. With a lesson the list is in order of position, else newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ActivityFilter {
    /// Of this lesson.
    pub lesson_id: Option<LessonId>,
    /// Of this kind.
    pub kind: Option<ActivityKind>,
    /// Of one of these courses; `None` for any.
    pub among: Option<Vec<CourseId>>,
}

/// Where activities are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait ActivityRepository {
    /// Adds a new one.
    fn insert(&mut self, activity: &Activity) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: ActivityId,
    ) -> Result<Option<Activity>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, activity: &Activity) -> Result<(), StoreError>;
    /// Removes it and everything below it; whether it was there.
    fn delete(&mut self, workspace: WorkspaceId, id: ActivityId) -> Result<bool, StoreError>;
    /// A page of those that match.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &ActivityFilter,
        page: &PageRequest,
    ) -> Result<Page<Activity>, StoreError>;
    /// How many there are below this parent: the position of the next one at the end.
    fn count(&mut self, workspace: WorkspaceId, parent: LessonId) -> Result<u32, StoreError>;
    /// Moves every one at `from` or behind it `by` places on.
    fn shift(
        &mut self,
        workspace: WorkspaceId,
        parent: LessonId,
        from: u32,
        by: i32,
    ) -> Result<(), StoreError>;
    /// All of these parents, in order of parent, position and id.
    fn of_lessons(
        &mut self,
        workspace: WorkspaceId,
        parents: &[LessonId],
    ) -> Result<Vec<Activity>, StoreError>;
    /// Every quiz of the course, in any order.
    fn quizzes_of_course(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
    ) -> Result<Vec<Activity>, StoreError>;
    /// How many have the recording of this name: one, and its copies.
    fn with_recording(
        &mut self,
        workspace: WorkspaceId,
        recording: &str,
    ) -> Result<u32, StoreError>;
    /// Those with these ids that are in this workspace, in any order.
    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[ActivityId],
    ) -> Result<Vec<Activity>, StoreError>;
}
