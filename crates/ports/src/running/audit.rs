//! The audit trail.

use lyceum_domain::ids::{AuditEntryId, WorkspaceId};
use lyceum_domain::running::audit::{AuditAction, AuditEntry};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which entries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditFilter {
    /// Of this action.
    pub action: Option<AuditAction>,
    /// By the user or key with this id, or by this kind of actor, such as `system`.
    pub actor: Option<String>,
    /// About things of this kind, such as `submission`.
    pub subject_object: Option<String>,
    /// About the thing with this id.
    pub subject_id: Option<String>,
}

/// Where the audit trail is kept: it is added to and read. The database itself refuses anything else.
pub trait AuditRepository {
    /// Adds an entry.
    fn append(&mut self, entry: &AuditEntry) -> Result<(), StoreError>;

    /// The one with this id, if it is in this workspace.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: AuditEntryId,
    ) -> Result<Option<AuditEntry>, StoreError>;

    /// A page of those that match, newest first.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &AuditFilter,
        page: &PageRequest,
    ) -> Result<Page<AuditEntry>, StoreError>;
}

/// A trail that remembers what was added to it.
///
/// Not a mock: whatever a use case changes it also notes, and few tests are about that.
#[cfg(feature = "mocks")]
#[derive(Debug, Default)]
pub struct RememberedTrail {
    /// What was added, oldest first.
    pub entries: Vec<AuditEntry>,
}

#[cfg(feature = "mocks")]
impl AuditRepository for RememberedTrail {
    fn append(&mut self, entry: &AuditEntry) -> Result<(), StoreError> {
        self.entries.push(entry.clone());
        Ok(())
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: AuditEntryId,
    ) -> Result<Option<AuditEntry>, StoreError> {
        let mut entries = self.entries.iter();
        Ok(entries
            .find(|entry| entry.workspace_id == workspace && entry.id == id)
            .cloned())
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        _: &AuditFilter,
        page: &PageRequest,
    ) -> Result<Page<AuditEntry>, StoreError> {
        let mut entries = self.entries.clone();
        entries.retain(|entry| entry.workspace_id == workspace);
        Ok(Page::of_few(entries, page, |entry| entry.id.to_string()))
    }
}
