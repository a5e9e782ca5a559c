//! Versions of lessons, activities and assignments.

use lyceum_domain::Timestamp;
use lyceum_domain::authoring::versions::{Version, Versioned};
use lyceum_domain::ids::{VersionId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Where they are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait VersionRepository {
    /// Adds one. Whoever changed what it is of has done so before, so that of two at once one is told to begin again.
    fn insert(&mut self, version: &Version) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: VersionId,
    ) -> Result<Option<Version>, StoreError>;
    /// The newest of this.
    fn newest(
        &mut self,
        workspace: WorkspaceId,
        of: Versioned,
    ) -> Result<Option<Version>, StoreError>;
    /// A page of this, newest first, without the contents: they are empty here.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        of: Versioned,
        page: &PageRequest,
    ) -> Result<Page<Version>, StoreError>;
    /// Removes up to `limit` of lessons and activities that were replaced before this, but for the newest of each; how many that were.
    fn forget_before(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError>;
}
