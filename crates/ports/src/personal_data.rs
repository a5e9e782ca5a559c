//! What is kept of a person.

use lyceum_domain::personal_data::{Erasure, TableErasure, TableRows};
use lyceum_domain::submissions::SubmissionId;
use lyceum_domain::users::{User, UserId};
use lyceum_domain::workspaces::WorkspaceId;

use crate::error::StoreError;

/// Where all that is kept of a person is found: one inventory of every table.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait PersonalDataRepository {
    /// Every row that is about the user, by table, without secrets; tables that hold none have no rows.
    fn export(&mut self, user: &User) -> Result<Vec<TableRows>, StoreError>;
    /// Erases what no rule of the domain is needed for: talk, links, tokens, sessions, jobs, answers, and what events
    /// and replies carry. The user is as they were before the erasure, their submissions are erased already.
    fn erase(
        &mut self,
        user: &User,
        submissions: &[SubmissionId],
    ) -> Result<Vec<TableErasure>, StoreError>;
    /// Removes the person with their keys if they belong nowhere any more; what was done.
    fn forget_person(&mut self, before: &User) -> Result<Vec<TableErasure>, StoreError>;
    /// Keeps the receipt of an erasure.
    fn insert_erasure(&mut self, erasure: &Erasure) -> Result<(), StoreError>;
    /// The receipt of a user's erasure, if they were erased.
    fn erasure(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
    ) -> Result<Option<Erasure>, StoreError>;
}
