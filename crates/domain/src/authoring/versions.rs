//! Versions: what lessons, activities and assignments were before somebody changed them.
//!
//! A version is made by a change, not by a save: what one person saves within [`ONE_SITTING`] is one change, and what stood before it is
//! kept. What was handed in names the version of its assignment, so from the first submission on every change of an assignment counts.

pub mod pinning;
pub mod waiting;

use std::time::Duration;

use crate::Timestamp;
use crate::ids::{ActivityId, AssignmentId, LessonId, UserId, VersionId, WorkspaceId};
use crate::json::JsonObject;

/// Saves of one person within so long are one change.
pub const ONE_SITTING: Duration = Duration::from_mins(10);
/// So long every version is kept.
pub const KEPT: Duration = Duration::from_hours(90 * 24);
/// So many of the newest are kept however old they are; of assignments all are.
pub const NEWEST_KEPT: u32 = 20;

/// What has versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Versioned {
    /// A lesson.
    Lesson(LessonId),
    /// An activity.
    Activity(ActivityId),
    /// An assignment.
    Assignment(AssignmentId),
}

/// What something was, until somebody changed it.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: VersionId,
    /// Of what.
    pub of: Versioned,
    /// 1 for the first.
    pub number: u32,
    /// What an author can change, as a change takes it.
    pub content: JsonObject,
    /// Who made it; none of the first, and where it was no member.
    pub made_by: Option<UserId>,
    /// When.
    pub created_at: Timestamp,
    /// Who changed it; none where it was no member.
    pub replaced_by: Option<UserId>,
    /// When.
    pub replaced_at: Timestamp,
}

/// A change of what has versions.
#[derive(Debug, Clone)]
pub struct VersionedChange {
    /// The tenant.
    pub workspace_id: WorkspaceId,
    /// What changes.
    pub of: Versioned,
    /// What it was.
    pub before: JsonObject,
    /// When it was made, as far as no version says so.
    pub created_at: Timestamp,
    /// Who changes it.
    pub by: Option<UserId>,
    /// Whether somebody relies on each version of it.
    pub every_one_counts: bool,
}

impl VersionedChange {
    /// The version that is to be kept, given the newest that is; none where this goes on with what the same person has just begun.
    pub fn keeps(self, newest: Option<&Version>, id: VersionId, now: Timestamp) -> Option<Version> {
        let goes_on = newest.is_some_and(|newest| {
            newest.replaced_by == self.by && now < newest.replaced_at.plus(ONE_SITTING)
        });
        if goes_on && !self.every_one_counts {
            return None;
        }
        let created_at = newest.map_or(self.created_at, |newest| newest.replaced_at);
        Some(Version {
            workspace_id: self.workspace_id,
            id,
            of: self.of,
            number: current_number(newest),
            content: self.before,
            made_by: newest.and_then(|newest| newest.replaced_by),
            created_at,
            replaced_by: self.by,
            replaced_at: now,
        })
    }
}

/// The number of what is there now, given the newest version before it.
pub fn current_number(newest: Option<&Version>) -> u32 {
    newest.map_or(1, |newest| newest.number.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use crate::id::Identified;
    use uuid::Uuid;

    fn id<K: Identified>(number: u128) -> Id<K> {
        Id::from_uuid(Uuid::from_u128(number))
    }

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_unix_millis(minutes * 60_000)
    }

    fn change(by: u128) -> VersionedChange {
        VersionedChange {
            workspace_id: id(1),
            of: Versioned::Lesson(id(1)),
            before: JsonObject::new(),
            created_at: at(0),
            by: Some(id(by)),
            every_one_counts: false,
        }
    }

    #[test]
    fn what_one_person_saves_in_one_sitting_is_one_version() {
        let first = change(5).keeps(None, id(1), at(1)).unwrap();
        assert_eq!(
            (first.number, first.made_by, first.created_at),
            (1, None, at(0))
        );
        assert!(change(5).keeps(Some(&first), id(2), at(10)).is_none());
        let later = change(5).keeps(Some(&first), id(2), at(11)).unwrap();
        assert_eq!(
            (later.number, later.made_by, later.created_at),
            (2, Some(id(5)), at(1))
        );
    }

    #[test]
    fn somebody_else_makes_a_version_at_once() {
        let first = change(5).keeps(None, id(1), at(1)).unwrap();
        let other = change(6).keeps(Some(&first), id(2), at(2)).unwrap();
        assert_eq!(
            (other.number, other.made_by, other.replaced_by),
            (2, Some(id(5)), Some(id(6)))
        );
        assert_eq!(current_number(Some(&other)), 3);
    }

    #[test]
    fn where_somebody_relies_on_each_every_change_makes_one() {
        let first = change(5).keeps(None, id(1), at(1)).unwrap();
        let relied_on = VersionedChange {
            every_one_counts: true,
            ..change(5)
        };
        assert!(relied_on.keeps(Some(&first), id(2), at(2)).is_some());
    }
}
