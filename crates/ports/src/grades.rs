//! Grade records.

use lyceum_domain::grades::{Grade, GradeStatus};
use lyceum_domain::submissions::SubmissionId;
use lyceum_domain::workspaces::WorkspaceId;

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// The append-only grade history.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait GradeRepository {
    /// Adds a record; [`StoreError::Taken`] (`run`) if this run already has one.
    fn append(&mut self, grade: &Grade) -> Result<(), StoreError>;
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
}
