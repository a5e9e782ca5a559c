//! Changes that wait.

use lyceum_domain::Timestamp;
use lyceum_domain::authoring::versions::waiting::{ChangeTarget, WaitingChange};
use lyceum_domain::ids::{CourseId, WorkspaceId};

use crate::error::StoreError;

/// That something waits, without what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingMark {
    /// For which thing.
    pub of: ChangeTarget,
    /// One more with every change of what waits.
    pub version: i64,
    /// When what waits was last changed.
    pub updated_at: Timestamp,
}

/// Whom it reaches when the changes that wait for a course go live. Learners are counted once each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChangeReach {
    /// Cohorts under way that get it, and who learns in them.
    pub cohorts: Reached,
    /// Cohorts under way that are updated by choice, and who learns in them.
    pub by_choice: Reached,
    /// Lessons that change and somebody is done with, and who.
    pub lessons: Reached,
    /// Activities that change and somebody has tried, and who.
    pub activities: Reached,
    /// Submissions to assignments that change, handed in and not graded yet, and whose.
    pub ungraded: Reached,
    /// Submissions to assignments that change, graded, and whose.
    pub graded: Reached,
}

/// How many things, and how many learners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reached {
    /// Things.
    pub count: u32,
    /// Learners.
    pub learners: u32,
}

/// Where they are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait WaitingChangeRepository {
    /// Adds one for a thing that has none. Whoever adds, changes or takes away one stands in the line of its course before.
    fn insert(&mut self, change: &WaitingChange) -> Result<(), StoreError>;
    /// Replaces one.
    fn update(&mut self, change: &WaitingChange) -> Result<(), StoreError>;
    /// What waits for this.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        of: ChangeTarget,
    ) -> Result<Option<WaitingChange>, StoreError>;
    /// For which of these something waits.
    fn among(
        &mut self,
        workspace: WorkspaceId,
        of: &[ChangeTarget],
    ) -> Result<Vec<ChangeTarget>, StoreError>;
    /// All that waits for a course and what is in it: the course itself, then units, lessons, activities and assignments, by id.
    fn of_course(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
    ) -> Result<Vec<WaitingMark>, StoreError>;
    /// Takes away what waits for this; whether anything did.
    fn delete(&mut self, workspace: WorkspaceId, of: ChangeTarget) -> Result<bool, StoreError>;
    /// Takes away all that waits for a course and what is in it; for how many things that was.
    fn delete_of_course(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
    ) -> Result<u64, StoreError>;
    /// Whom it reaches when all that waits for a course goes live.
    fn reach(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
    ) -> Result<ChangeReach, StoreError>;
}
