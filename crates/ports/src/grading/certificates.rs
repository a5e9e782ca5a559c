//! Tries for certificates, the answers they are about, and the chain of what happened.

use lyceum_domain::Timestamp;
use lyceum_domain::grading::certificates::certification::Certification;
use lyceum_domain::grading::certificates::ledger::CertificateAnswer;
use lyceum_domain::grading::certificates::records::ReleaseRecord;
use lyceum_domain::ids::{AssignmentId, CertificateId, SubmissionId, WorkspaceId};

use crate::error::StoreError;

/// Where certificates are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait CertificateRepository {
    /// Adds a try; [`StoreError::Taken`] (`assignment_id`) while another of the assignment is open.
    fn insert(&mut self, certification: &Certification) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: CertificateId,
    ) -> Result<Option<Certification>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, certification: &Certification) -> Result<(), StoreError>;
    /// The newest try of the assignment.
    fn newest(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
    ) -> Result<Option<Certification>, StoreError>;
    /// Every try of the assignment, oldest first.
    fn of_assignment(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
    ) -> Result<Vec<Certification>, StoreError>;
    /// Assignments with records, of one workspace or of all, after the one named, by workspace and id. For the operator's walk
    /// over everything; no request asks for it.
    fn with_records(
        &mut self,
        workspace: Option<WorkspaceId>,
        after: Option<(WorkspaceId, AssignmentId)>,
        limit: u16,
    ) -> Result<Vec<(WorkspaceId, AssignmentId)>, StoreError>;
    /// Adds answers that the try is about.
    fn add_answers(
        &mut self,
        workspace: WorkspaceId,
        certificate: CertificateId,
        answers: &[CertificateAnswer],
    ) -> Result<(), StoreError>;
    /// Stores a changed answer.
    fn update_answer(
        &mut self,
        workspace: WorkspaceId,
        certificate: CertificateId,
        answer: &CertificateAnswer,
    ) -> Result<(), StoreError>;
    /// What is known of an answer; none if the try is not about it.
    fn answer(
        &mut self,
        workspace: WorkspaceId,
        certificate: CertificateId,
        submission: SubmissionId,
    ) -> Result<Option<CertificateAnswer>, StoreError>;
    /// Audits that came before this moment and wait for their blind grade, at most `limit`.
    fn overdue(
        &mut self,
        workspace: WorkspaceId,
        certificate: CertificateId,
        before: Timestamp,
        limit: u16,
    ) -> Result<Vec<CertificateAnswer>, StoreError>;
    /// Every answer that the try is about, by the ids of their submissions.
    fn answers(
        &mut self,
        workspace: WorkspaceId,
        certificate: CertificateId,
    ) -> Result<Vec<CertificateAnswer>, StoreError>;
    /// Adds a record to the assignment's chain; if another has its place meanwhile, the transaction is run again from its start
    /// ([`StoreError::Stale`]).
    fn append(
        &mut self,
        certification: &Certification,
        record: &ReleaseRecord,
    ) -> Result<(), StoreError>;
    /// The assignment's chain, oldest first.
    fn records(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
    ) -> Result<Vec<ReleaseRecord>, StoreError>;
}
