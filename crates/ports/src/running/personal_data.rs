//! What is kept of a person.

use lyceum_domain::Timestamp;
use lyceum_domain::identity::users::User;
use lyceum_domain::ids::{EventId, SubmissionId, UserId, WorkspaceId};
use lyceum_domain::running::personal_data::{Erasure, TableErasure, TableRows};

use crate::error::StoreError;
use crate::running::idempotency::ReplyKey;

/// What tells of a person by its words, and by no column: looking for it takes long where there is much.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PersonTraces {
    /// Events about them.
    pub events: Vec<EventId>,
    /// Remembered replies to them or about them, by their keys.
    pub replies: Vec<ReplyKey>,
}

/// Where all that is kept of a person is found: one inventory of every table.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait PersonalDataRepository {
    /// Every row that is about the user, by table, without secrets; tables that hold none have no rows.
    fn export(&mut self, user: &User) -> Result<Vec<TableRows>, StoreError>;
    /// Looks for what tells of the user: long, and for a snapshot, on which nobody else waits.
    fn traces(&mut self, user: &User) -> Result<PersonTraces, StoreError>;
    /// Erases what no rule of the domain is needed for: talk, links, tokens, sessions, jobs, answers, and what events
    /// and replies carry: those that were found before, and what has come to be `since`. The user is as they were before
    /// the erasure, their submissions are erased already.
    fn erase(
        &mut self,
        user: &User,
        submissions: &[SubmissionId],
        found: &PersonTraces,
        since: Timestamp,
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
