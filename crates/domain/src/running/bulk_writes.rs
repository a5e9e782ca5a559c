//! Bulk writes: up to a thousand writes of one kind that are asked for at once. Each row is a write of its own, and fails alone.

use std::time::Duration;

use crate::ids::{ApiKeyId, BulkWriteId, UserId, WorkspaceId};
use crate::json::JsonObject;
use crate::words::words;
use crate::{Stamp, Timestamp};

/// Most rows of one.
pub const MOST_ROWS: usize = 1_000;
/// So many rows are written while whoever asks waits; more are written in the background.
pub const AT_ONCE: usize = 50;
/// So many rows are written in the background before it is noted what came of them. Whoever stops one stops it behind them: also
/// where their process died, it is known of each whether it was written.
pub const AT_HAND: usize = 10;
/// Most of a workspace that wait or are at work at a time.
pub const MOST_PENDING: usize = 4;
/// Most of them that one person asked for, so that there is room for somebody else.
pub const MOST_PENDING_OF_ONE: usize = 2;
/// How long one is kept after it was asked for.
pub const KEPT: Duration = Duration::from_hours(7 * 24);
/// How long rows are tried that cannot be written now, from when they were asked for. Shorter than a reply is remembered under its key.
pub const PATIENCE: Duration = Duration::from_hours(12);

words! {
    /// What may be written in bulk, by the name of the operation that writes one. None of them shows a secret, asks for a recent
    /// sign-in, takes a file or has AI asked.
    BulkOperation {
        /// A course is made.
        CreateCourse = "createCourse",
        /// A course is changed.
        UpdateCourse = "updateCourse",
        /// A course is deleted with everything below it.
        DeleteCourse = "deleteCourse",
        /// A draft is published.
        PublishCourse = "publishCourse",
        /// A course is archived.
        ArchiveCourse = "archiveCourse",
        /// An archived course is published again.
        UnarchiveCourse = "unarchiveCourse",
        /// A unit is made.
        CreateUnit = "createUnit",
        /// A unit is changed.
        UpdateUnit = "updateUnit",
        /// A unit is moved.
        MoveUnit = "moveUnit",
        /// A unit is deleted with everything below it.
        DeleteUnit = "deleteUnit",
        /// A lesson is made.
        CreateLesson = "createLesson",
        /// A lesson is changed.
        UpdateLesson = "updateLesson",
        /// A lesson is moved.
        MoveLesson = "moveLesson",
        /// A lesson is deleted with everything below it.
        DeleteLesson = "deleteLesson",
        /// A student is done with a lesson.
        CompleteLesson = "completeLesson",
        /// An activity is made.
        CreateActivity = "createActivity",
        /// An activity is changed.
        UpdateActivity = "updateActivity",
        /// An activity is moved.
        MoveActivity = "moveActivity",
        /// An activity is deleted.
        DeleteActivity = "deleteActivity",
        /// An assignment is made.
        CreateAssignment = "createAssignment",
        /// An assignment is changed.
        UpdateAssignment = "updateAssignment",
        /// How an assignment is graded is changed.
        ConfigureAssignment = "configureAssignment",
        /// An assignment is deleted with its submissions.
        DeleteAssignment = "deleteAssignment",
        /// A cohort or a learner is given another due date.
        CreateDueOverride = "createDueOverride",
        /// Another due date is changed.
        UpdateDueOverride = "updateDueOverride",
        /// Another due date is taken away.
        DeleteDueOverride = "deleteDueOverride",
        /// A cohort is made.
        CreateCohort = "createCohort",
        /// A cohort is changed.
        UpdateCohort = "updateCohort",
        /// A cohort is started.
        StartCohort = "startCohort",
        /// A cohort is ended.
        EndCohort = "endCohort",
        /// A completed cohort is archived.
        ArchiveCohort = "archiveCohort",
        /// A cohort is deleted with everything below it.
        DeleteCohort = "deleteCohort",
        /// A student is enrolled.
        EnrollStudent = "enrollStudent",
        /// A student is taken out of a cohort.
        WithdrawStudent = "withdrawStudent",
        /// A user is made.
        CreateUser = "createUser",
        /// A user is changed.
        UpdateUser = "updateUser",
        /// A membership is ended.
        DeleteUser = "deleteUser",
        /// A submission is graded by a person.
        GradeSubmission = "gradeSubmission",
        /// An AI grade is let stand.
        ApproveSubmission = "approveSubmission",
        /// A graded submission is given back.
        ReturnSubmission = "returnSubmission",
        /// A person's newest decision about a submission is taken back.
        ReopenSubmission = "reopenSubmission",
    }
}

/// One write that is asked for among others.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BulkRow {
    /// Once per this key, as in the header of a single request.
    pub idempotency_key: Option<String>,
    /// What is changed or deleted, or what the new thing is made in: what stands for `{id}` in the path.
    pub id: Option<String>,
    /// As in the header of a single request.
    pub if_match: Option<String>,
    /// The body of the single request; of a deletion its parameters.
    pub body: JsonObject,
}

/// What came of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct BulkRowResult {
    /// The HTTP status that a single request would have had.
    pub status: u16,
    /// The thing that was written.
    pub id: Option<String>,
    /// The tag of what it is now, for whoever changes it next.
    pub tag: Option<String>,
    /// When it was changed by this, as it says itself.
    pub updated_at: Option<String>,
    /// Why it was not written, as errors are told everywhere.
    pub error: Option<JsonObject>,
    /// Members of its body that nobody knew.
    pub ignored: Vec<String>,
    /// Whether it had been written before, under the same key.
    pub replayed: bool,
}

impl BulkRowResult {
    /// Whether it was written.
    pub const fn is_success(&self) -> bool {
        self.status < 400
    }
}

/// How many rows there are of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BulkCounts {
    /// Those that were written, or would have been.
    pub succeeded: u64,
    /// Those that were not.
    pub failed: u64,
}

impl BulkCounts {
    /// Of these results.
    pub fn of<'a>(results: impl Iterator<Item = &'a BulkRowResult>) -> Self {
        results.fold(Self::default(), |counts, result| {
            let succeeded = u64::from(result.is_success());
            Self {
                succeeded: counts.succeeded + succeeded,
                failed: counts.failed + 1 - succeeded,
            }
        })
    }
}

/// Many writes that are done in the background, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct BulkWrite {
    /// The tenant.
    pub workspace_id: WorkspaceId,
    /// Identifies it.
    pub id: BulkWriteId,
    /// Whoever asked for it.
    pub asked_by: UserId,
    /// The key that it was asked for with, which has to open the way for every row.
    pub key_id: ApiKeyId,
    /// In which request, for the trail of what its rows change.
    pub request_id: Option<String>,
    /// What each row does.
    pub operation: BulkOperation,
    /// Whether nothing of it is kept.
    pub is_dry_run: bool,
    /// Whether members that nobody knows are refused.
    pub is_strict: bool,
    /// How many rows there are.
    pub size: u32,
    /// Behind how many of them it ends, where somebody stopped it.
    pub stop_after: Option<u32>,
    /// What is asked; forgotten once all of it is done.
    pub rows: Vec<BulkRow>,
    /// What came of the first rows.
    pub results: Vec<BulkRowResult>,
    /// When the last row was done.
    pub done_at: Option<Timestamp>,
    /// When it was asked for and last changed.
    pub stamp: Stamp,
}

impl BulkWrite {
    /// The rows of which nothing is known yet, with their places.
    pub fn ahead(&self) -> impl Iterator<Item = (usize, &BulkRow)> {
        let wanted = self.rows.iter().enumerate().take(self.wanted());
        wanted.skip(self.results.len())
    }

    /// Notes what came of the rows from this place on; false if somebody noted it before.
    pub fn note(&mut self, from: usize, results: Vec<BulkRowResult>, now: Timestamp) -> bool {
        let is_next = self.results.len() == from && self.done_at.is_none();
        if !is_next {
            return false;
        }
        self.results.extend(results);
        if self.results.len() >= self.wanted() {
            self.done_at = Some(now);
            self.rows.clear();
        }
        self.stamp.touch(now);
        true
    }

    /// Leaves what was not begun; false if it is over, or was stopped before. The rows at hand are still done.
    pub fn stop(&mut self, now: Timestamp) -> bool {
        let begun = u32::try_from(self.results.len() + AT_HAND).unwrap_or(u32::MAX);
        if self.done_at.is_some() || self.stop_after.unwrap_or(self.size) <= begun {
            return false;
        }
        self.stop_after = Some(begun);
        self.stamp.touch(now);
        true
    }

    /// Whether it is over, and rows of it were not tried because somebody stopped it. A node of a version before does not hear of that
    /// and tries them all.
    pub fn is_stopped(&self) -> bool {
        let tried = u32::try_from(self.results.len()).unwrap_or(u32::MAX);
        self.done_at.is_some() && tried < self.size
    }

    fn wanted(&self) -> usize {
        usize::try_from(self.stop_after.unwrap_or(self.size)).unwrap_or(usize::MAX)
    }

    /// Whether rows that cannot be written now are tried again.
    pub fn is_patient(&self, now: Timestamp) -> bool {
        now < self.stamp.created_at.plus(PATIENCE)
    }

    /// What keeps the row at this place from being written twice, where it has no key of its own. No key of a caller has a
    /// space in it.
    pub fn key_of(id: BulkWriteId, place: usize) -> String {
        format!("{id} {place}")
    }
}

/// Whether another of a person may wait beside those that do, each named by who asked for it.
///
/// # Errors
/// A sentence about what there are too many of.
pub fn check_room(pending: &[UserId], asker: UserId) -> Result<(), String> {
    if pending.len() >= MOST_PENDING {
        return Err(format!(
            "at most {MOST_PENDING} bulk writes of a workspace are under way"
        ));
    }
    let own = pending.iter().filter(|one| **one == asker).count();
    if own >= MOST_PENDING_OF_ONE {
        return Err(format!(
            "at most {MOST_PENDING_OF_ONE} bulk writes of one person are under way"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    fn id<K>(n: u128) -> Id<K> {
        Id::from_uuid(uuid::Uuid::from_u128(n))
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix_millis(seconds * 1_000)
    }

    fn result(status: u16) -> BulkRowResult {
        BulkRowResult {
            status,
            id: None,
            tag: None,
            updated_at: None,
            error: None,
            ignored: Vec::new(),
            replayed: false,
        }
    }

    fn write(rows: usize) -> BulkWrite {
        BulkWrite {
            workspace_id: id(1),
            id: id(2),
            asked_by: id(3),
            key_id: id(4),
            request_id: None,
            operation: BulkOperation::CreateLesson,
            is_dry_run: false,
            is_strict: false,
            size: u32::try_from(rows).unwrap(),
            stop_after: None,
            rows: vec![BulkRow::default(); rows],
            results: Vec::new(),
            done_at: None,
            stamp: Stamp::new(at(0)),
        }
    }

    #[test]
    fn what_came_of_rows_is_noted_once_and_in_order() {
        let mut one = write(3);
        assert!(one.note(0, vec![result(201), result(404)], at(1)));
        assert_eq!(one.ahead().map(|(place, _)| place).collect::<Vec<_>>(), [2]);
        let before = one.clone();
        assert!(!one.note(0, vec![result(201)], at(2)), "told twice");
        assert_eq!(one, before);
        assert!(one.note(2, vec![result(200)], at(3)));
        assert_eq!((one.done_at, one.rows.len()), (Some(at(3)), 0));
        assert!(!one.note(3, vec![result(200)], at(4)), "it is done");
        let counts = BulkCounts::of(one.results.iter());
        assert_eq!((counts.succeeded, counts.failed), (2, 1));
    }

    #[test]
    fn what_is_at_hand_is_still_done_of_one_that_is_stopped() {
        let mut one = write(100);
        assert!(one.note(0, vec![result(200); 20], at(1)));
        assert!(one.stop(at(2)));
        let before = one.clone();
        assert!(!one.stop(at(3)), "it was stopped before");
        assert_eq!(one, before);
        assert_eq!((one.ahead().count(), one.is_stopped()), (AT_HAND, false));
        assert!(one.note(20, vec![result(200); AT_HAND], at(4)));
        assert_eq!((one.done_at, one.results.len()), (Some(at(4)), 30));
        assert!(one.is_stopped() && !one.stop(at(5)));
        one.results = vec![result(200); 100];
        assert!(!one.is_stopped(), "all of it was done after all");
    }

    #[test]
    fn one_of_which_nothing_is_left_to_begin_is_done_as_if_nobody_had_stopped_it() {
        let mut one = write(AT_HAND + 3);
        assert!(one.note(0, vec![result(200); 3], at(1)));
        assert!(!one.stop(at(2)));
        assert!(one.note(3, vec![result(200); AT_HAND], at(3)));
        assert!(one.done_at.is_some() && !one.is_stopped());
    }

    #[test]
    fn one_person_leaves_room_for_others_and_a_workspace_has_so_many() {
        let people = |numbers: &[u128]| numbers.iter().map(|n| id(*n)).collect::<Vec<UserId>>();
        assert_eq!(check_room(&people(&[7]), id(7)), Ok(()));
        assert!(check_room(&people(&[7, 7]), id(7)).is_err());
        assert_eq!(check_room(&people(&[7, 7]), id(8)), Ok(()));
        assert!(check_room(&people(&[7, 7, 8, 9]), id(1)).is_err());
    }

    #[test]
    fn rows_are_given_up_before_their_keys_are_forgotten() {
        let one = write(1);
        assert!(one.is_patient(at(12 * 3_600 - 1)));
        assert!(!one.is_patient(at(12 * 3_600)));
        assert!(BulkWrite::key_of(one.id, 7).contains(' '));
    }
}
