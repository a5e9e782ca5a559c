//! Bulk writes that are done in the background.

use lyceum_domain::Timestamp;
use lyceum_domain::ids::{BulkWriteId, UserId, WorkspaceId};
use lyceum_domain::running::bulk_writes::BulkWrite;

use crate::error::StoreError;

/// Where bulk writes are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait BulkWriteRepository {
    /// Adds a new one.
    fn insert(&mut self, bulk: &BulkWrite) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: BulkWriteId,
    ) -> Result<Option<BulkWrite>, StoreError>;
    /// The same without what is asked, which is large and for nobody to see.
    fn find_results(
        &mut self,
        workspace: WorkspaceId,
        id: BulkWriteId,
    ) -> Result<Option<BulkWrite>, StoreError>;
    /// Stores what came of rows and how many are done, and forgets what was asked once all of it is; [`StoreError::Stale`] unless
    /// storage holds the version before it.
    fn update(&mut self, bulk: &BulkWrite) -> Result<(), StoreError>;
    /// Who asked for each of the workspace's that is not done.
    fn pending(&mut self, workspace: WorkspaceId) -> Result<Vec<UserId>, StoreError>;
    /// Removes at most `limit` that were asked for before `oldest`; how many those were.
    fn forget_before(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError>;
}
