//! How much is kept: of a learner at once, of a workspace as it was last measured.

use lyceum_domain::Timestamp;
use lyceum_domain::ids::{UserId, WorkspaceId};

use crate::error::StoreError;

/// How much a workspace keeps, as it was last measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageUse {
    /// The tenant.
    pub workspace_id: WorkspaceId,
    /// Bytes of texts and documents, and a little for each row around them.
    pub bytes: u64,
    /// When that was so.
    pub measured_at: Timestamp,
}

/// Where it is found out and kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait StorageUseRepository {
    /// Bytes that the works, answers and messages of one learner take now.
    fn of_learner(&mut self, workspace: WorkspaceId, user: UserId) -> Result<u64, StoreError>;
    /// Bytes that a workspace keeps now: it reads all of it, so it is for whoever nobody waits for.
    fn measure(&mut self, workspace: WorkspaceId) -> Result<u64, StoreError>;
    /// Keeps what was measured, instead of what was before.
    fn keep(&mut self, measured: &StorageUse) -> Result<(), StoreError>;
    /// What was last measured of these; nothing of those that never were.
    fn of(&mut self, workspaces: &[WorkspaceId]) -> Result<Vec<StorageUse>, StoreError>;
    /// What was last measured, of all.
    fn all(&mut self) -> Result<Vec<StorageUse>, StoreError>;
    /// Some that were not measured since then.
    fn stale(&mut self, since: Timestamp, limit: u16) -> Result<Vec<WorkspaceId>, StoreError>;
}
