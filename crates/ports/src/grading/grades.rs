//! Grade records.

use lyceum_domain::Timestamp;
use lyceum_domain::grading::grades::{Grade, GradeStatus};
use lyceum_domain::grading::receipts::{ChainHead, Kept};
use lyceum_domain::ids::{AssignmentId, GradeId, SubmissionId, UserId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// A grade that a person gave and that counts, with what it was given for.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfirmedGrade {
    /// The record.
    pub grade: Grade,
    /// The text that was graded.
    pub text: String,
    /// Whose it is.
    pub user_id: UserId,
}

/// The append-only grade history.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait GradeRepository {
    /// Adds a record with what is kept beside it; [`StoreError::Taken`] (`run`) if this run already has one.
    ///
    /// A sealed record must follow the submission's [`Self::head`], and becomes it. If another record has done so
    /// meanwhile, the transaction is run again from its start ([`StoreError::Stale`]).
    fn append(&mut self, grade: &Grade, kept: &Kept) -> Result<(), StoreError>;
    /// Marks every earlier record of the submission that still counted, or was proposed, as superseded.
    fn supersede(
        &mut self,
        workspace: WorkspaceId,
        submission: SubmissionId,
    ) -> Result<(), StoreError>;
    /// A page of the submission's records, all or those in this state, newest first.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        submission: SubmissionId,
        status: Option<GradeStatus>,
        page: &PageRequest,
    ) -> Result<Page<Grade>, StoreError>;
    /// The submission's newest receipt.
    fn head(
        &mut self,
        workspace: WorkspaceId,
        submission: SubmissionId,
    ) -> Result<ChainHead, StoreError>;
    /// Every record of the submission with what is kept beside it, oldest first.
    fn history(
        &mut self,
        workspace: WorkspaceId,
        submission: SubmissionId,
    ) -> Result<Vec<(Grade, Kept)>, StoreError>;
    /// What is kept beside a record.
    fn kept(&mut self, workspace: WorkspaceId, id: GradeId) -> Result<Option<Kept>, StoreError>;
    /// The newest records with this result key, at most `limit`, newest first.
    fn with_result(
        &mut self,
        workspace: WorkspaceId,
        result_key: &str,
        limit: u16,
    ) -> Result<Vec<Grade>, StoreError>;
    /// The newest grades of the assignment that persons gave and that count, at most `limit`, newest first: for texts
    /// only, never for the submission `except`, and only those judged by exactly these criteria. Grades that were given
    /// without criteria match too; those of AI that a person let stand do not. None that was given after `until`.
    fn confirmed(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        except: Option<SubmissionId>,
        until: Option<Timestamp>,
        criteria: &[String],
        limit: usize,
    ) -> Result<Vec<ConfirmedGrade>, StoreError>;
    /// The moments before which AI's grades of these assignments are stale, of those that have one: the later of what is noted with
    /// the assignment, and of the newest of all grades that [`Self::confirmed`] would choose from, but none later than the
    /// assignment's certificate, while one is open.
    fn stale_since(
        &mut self,
        workspace: WorkspaceId,
        assignments: &[AssignmentId],
    ) -> Result<Vec<(AssignmentId, Timestamp)>, StoreError>;
    /// Notes with their assignments, as [`AssignmentRepository::note_grader_changed`] does, that the examples among the grades of
    /// these submissions are no more, or are back; to be called while they count as such. What a certificate that is open leaves out
    /// is none.
    ///
    /// [`AssignmentRepository::note_grader_changed`]: crate::authoring::assignments::AssignmentRepository::note_grader_changed
    fn note_examples_moved(
        &mut self,
        workspace: WorkspaceId,
        ids: &[SubmissionId],
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Notes with the assignment, in the same way, that the examples which were given after `since` count from `now` on; nothing where
    /// there are none.
    fn note_examples_after(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Replaces the texts of a record whose person was erased, and what is kept beside it, by what stays of them.
    fn erase(&mut self, grade: &Grade, kept: &Kept) -> Result<(), StoreError>;
    /// How many AI runs have landed for the assignment; no more than `limit` are counted.
    fn graded_by_ai(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        limit: u32,
    ) -> Result<u32, StoreError>;
    /// Submissions that were ever graded, of one workspace or of all, after the one named, by workspace and id. For
    /// the operator's walk over everything; no request asks for it.
    fn graded_submissions(
        &mut self,
        workspace: Option<WorkspaceId>,
        after: Option<(WorkspaceId, SubmissionId)>,
        limit: u16,
    ) -> Result<Vec<(WorkspaceId, SubmissionId)>, StoreError>;
}
