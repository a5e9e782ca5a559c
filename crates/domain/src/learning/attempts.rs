//! Attempts: what a learner answered in an activity, and what it was worth.

use crate::Timestamp;
pub use crate::authoring::scoring::{AttemptResult, QuestionResult, Unscorable, score};
use crate::ids::{ActivityId, AttemptId, CourseId, UserId, WorkspaceId};
use crate::json::JsonObject;

/// One go at an activity. It never changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: AttemptId,
    /// The activity.
    pub activity_id: ActivityId,
    /// The course of the activity.
    pub course_id: CourseId,
    /// Whose it is.
    pub user_id: UserId,
    /// 1 for the first one of this user at this activity.
    pub number: u32,
    /// What was answered, as it was sent.
    pub answers: JsonObject,
    /// What it was worth.
    pub result: AttemptResult,
    /// When it was made.
    pub created_at: Timestamp,
}
