//! Completed lessons, and the counts that progress is made of.

use lyceum_domain::Timestamp;
use lyceum_domain::ids::{AssignmentId, CourseId, LessonId, UserId, WorkspaceId};
use lyceum_domain::learning::progress::LessonCompletion;

use crate::error::StoreError;

/// How much of a course a user has completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompletedLessons {
    /// The user.
    pub user_id: UserId,
    /// The course.
    pub course_id: CourseId,
    /// How many of its lessons; at least one.
    pub lessons: u32,
    /// When the last one was completed.
    pub last_at: Timestamp,
}

/// Where completed lessons are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait ProgressRepository {
    /// Adds a completion that is not there yet. If another one was faster, the transaction is run again.
    fn complete(&mut self, completion: &LessonCompletion) -> Result<(), StoreError>;
    /// The completion of this lesson by this user.
    fn completion(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        lesson: LessonId,
    ) -> Result<Option<LessonCompletion>, StoreError>;
    /// How many lessons each of these courses has, in one query; courses without any are left out.
    fn lesson_totals(
        &mut self,
        workspace: WorkspaceId,
        courses: &[CourseId],
    ) -> Result<Vec<(CourseId, u32)>, StoreError>;
    /// How much of each of these courses each of these users has completed, in one query.
    fn completed(
        &mut self,
        workspace: WorkspaceId,
        users: &[UserId],
        courses: &[CourseId],
    ) -> Result<Vec<CompletedLessons>, StoreError>;
    /// Which of these assignments each of these users has handed in, at least once, in one query.
    fn handed_in(
        &mut self,
        workspace: WorkspaceId,
        users: &[UserId],
        assignments: &[AssignmentId],
    ) -> Result<Vec<(UserId, AssignmentId)>, StoreError>;
}
