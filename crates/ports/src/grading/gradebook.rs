//! What a book of grades is made of, of many learners at once and without what they wrote.

use lyceum_domain::authoring::due_dates::DueOverride;
use lyceum_domain::grading::gradebook::{HandedIn, QuizAttempt, TaskAttempt};
use lyceum_domain::ids::{
    ActivityId, AssignmentId, CohortId, CourseId, LessonId, UnitId, UserId, WorkspaceId,
};

use crate::error::StoreError;

/// What was handed in for a task, with the points at its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedWork {
    /// The attempts that were looked at.
    pub attempts: Vec<TaskAttempt>,
    /// Whether there is no more than what was looked at.
    pub is_all: bool,
}

/// Where a book of grades is read from.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait GradebookRepository {
    /// The units of a course in their order, each with its lessons in theirs.
    fn outline(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
    ) -> Result<Vec<(UnitId, Vec<LessonId>)>, StoreError>;
    /// What these learners have handed in of these assignments, in any order, in one query. Drafts are left out.
    fn handed_in(
        &mut self,
        workspace: WorkspaceId,
        users: &[UserId],
        assignments: &[AssignmentId],
    ) -> Result<Vec<HandedIn>, StoreError>;
    /// Of the scored attempts of these learners at the quizzes of a course those that can count, in any order, in one query: of each learner
    /// at each quiz the first, the last, and the best of those with the same best possible points. However often somebody tries, a few rows.
    fn quiz_attempts(
        &mut self,
        workspace: WorkspaceId,
        users: &[UserId],
        course: CourseId,
    ) -> Result<Vec<QuizAttempt>, StoreError>;
    /// The newest `limit` submissions of an assignment, without drafts, each with the points at what was judged of it: all, or those that
    /// count in a cohort, of who is enrolled there. What waits for a blind grade has no points, nor has what is not out.
    fn submissions_judged(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        cohort: Option<CohortId>,
        limit: u16,
    ) -> Result<JudgedWork, StoreError>;
    /// Of the newest scored attempts at a quiz, at most `limit`, those that can count, each with the points at its questions: of all, or of
    /// who is enrolled in a cohort.
    fn attempts_judged(
        &mut self,
        workspace: WorkspaceId,
        activity: ActivityId,
        cohort: Option<CohortId>,
        limit: u16,
    ) -> Result<JudgedWork, StoreError>;
    /// The other due dates of these assignments that a cohort or one of these learners has, in any order.
    fn due_overrides(
        &mut self,
        workspace: WorkspaceId,
        assignments: &[AssignmentId],
        cohort: CohortId,
        users: &[UserId],
    ) -> Result<Vec<DueOverride>, StoreError>;
}
