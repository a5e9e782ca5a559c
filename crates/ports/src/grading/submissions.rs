//! Submissions.

use lyceum_domain::Timestamp;
use lyceum_domain::grading::grades::GradeSource;
use lyceum_domain::grading::submissions::{
    BlindGrading, ReviewStatus, Submission, SubmissionStatus,
};
use lyceum_domain::ids::{AssignmentId, CohortId, CourseId, SubmissionId, UserId, WorkspaceId};
use lyceum_domain::notifying::digests::CourseWaiting;
use lyceum_domain::points::Points;

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which submissions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SubmissionFilter {
    /// Of this assignment.
    pub assignment_id: Option<AssignmentId>,
    /// Of the assignments of this course.
    pub course_id: Option<CourseId>,
    /// Of this cohort.
    pub cohort_id: Option<CohortId>,
    /// Of this student.
    pub user_id: Option<UserId>,
    /// In this state.
    pub status: Option<SubmissionStatus>,
    /// With AI grading `pending`, `ready` or `error`.
    pub ai_status: Option<String>,
    /// Reviewed or not.
    pub review_status: Option<ReviewStatus>,
    /// With this among the reasons why a person should look; none of what waits for a blind grade.
    pub review_reason: Option<&'static str>,
    /// With what is to hold of the grade that stands.
    pub grade: GradeFilter,
    /// With a grade of AI that stands, about which no person decided and that is no secret, of this age.
    pub ai_graded: Option<AiGraded>,
}

/// Which grade is to stand, as [`Submission::listed_grade`] says; what has none is left out where anything is asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GradeFilter {
    /// By AI, or by a person.
    pub by: Option<GradeSource>,
    /// Given by this member, or let stand by them.
    pub decided_by: Option<UserId>,
    /// Given at this moment or later.
    pub since: Option<Timestamp>,
    /// Given before this moment.
    pub before: Option<Timestamp>,
    /// Whether its learner is shown it.
    pub is_out: bool,
}

/// When a grade of AI landed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AiGraded {
    /// At any time.
    Ever,
    /// Before this moment.
    Before(Timestamp),
    /// At this moment or later.
    Since(Timestamp),
}

/// Where a run of AI is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AiRun {
    /// There was none.
    NotAsked,
    /// It is under way.
    Pending,
    /// It landed.
    Ready,
    /// It failed for good.
    Failed,
}

/// Where AI's grade of a submission stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AiStanding {
    /// Which submission.
    pub id: SubmissionId,
    /// In which cohort it was made.
    pub cohort_id: Option<CohortId>,
    /// Where it is.
    pub status: SubmissionStatus,
    /// Whether a person has looked at it, or should.
    pub review: Option<ReviewStatus>,
    /// Why one should.
    pub review_reasons: Vec<String>,
    /// Whether it is to be graded blind, or can no longer be.
    pub blind: BlindGrading,
    /// When it was handed in.
    pub submitted_at: Option<Timestamp>,
    /// Where the newest run of AI is.
    pub run: AiRun,
    /// What AI last proposed.
    pub score: Option<Points>,
    /// SHA-256 of everything that fixed the proposal but the text.
    pub grader_hash: Option<String>,
    /// The lowest confidence of a criterion of it, in hundredths.
    pub confidence: Option<u8>,
    /// When it landed.
    pub proposed_at: Option<Timestamp>,
    /// As of when AI's grade that stands was given; none where there is none, or a person decided.
    pub graded_at: Option<Timestamp>,
}

impl AiStanding {
    /// Handed in, out to nobody, decided about by nobody, and still to be hidden from whoever grades it.
    pub fn is_open(&self) -> bool {
        let is_held = match self.status {
            SubmissionStatus::Submitted | SubmissionStatus::InReview => true,
            SubmissionStatus::Draft | SubmissionStatus::Graded | SubmissionStatus::Returned => {
                false
            }
        };
        is_held && self.review != Some(ReviewStatus::Done) && self.blind == BlindGrading::NotAsked
    }
}

/// Where submissions are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait SubmissionRepository {
    /// Adds a new one.
    fn insert(&mut self, submission: &Submission) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: SubmissionId,
    ) -> Result<Option<Submission>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, submission: &Submission) -> Result<(), StoreError>;
    /// Removes it and everything below it; whether it was there.
    fn delete(&mut self, workspace: WorkspaceId, id: SubmissionId) -> Result<bool, StoreError>;
    /// A page of those that match.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &SubmissionFilter,
        page: &PageRequest,
    ) -> Result<Page<Submission>, StoreError>;
    /// The student's newest attempt at the assignment.
    fn latest(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        user: UserId,
    ) -> Result<Option<Submission>, StoreError>;
    /// Whether there is any of the assignment.
    fn is_any_of(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
    ) -> Result<bool, StoreError>;
    /// Those of the assignment that came late, after this one, oldest first.
    fn late(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        after: Option<SubmissionId>,
        limit: u16,
    ) -> Result<Vec<Submission>, StoreError>;
    /// Where AI's grades of the assignment's texts stand that were handed in, newest first, at most `limit`.
    fn ai_standing(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        limit: u16,
    ) -> Result<Vec<AiStanding>, StoreError>;
    /// How many wait for a person in each course in which any do: those of a list of what is to be looked at.
    fn waiting(&mut self, workspace: WorkspaceId) -> Result<Vec<CourseWaiting>, StoreError>;
    /// Those with these ids that are in this workspace, in any order.
    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[SubmissionId],
    ) -> Result<Vec<Submission>, StoreError>;
}
