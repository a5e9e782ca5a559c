//! Uploads to the media library that come in pieces.

use lyceum_domain::Timestamp;
use lyceum_domain::authoring::media_uploads::MediaUpload;
use lyceum_domain::ids::{MediaUploadId, WorkspaceId};

use crate::error::StoreError;

/// What a workspace's uploads that are under way come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenUploads {
    /// How many there are.
    pub count: u64,
    /// Bytes that their files will have.
    pub size_bytes: u64,
}

/// Where uploads in pieces are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait MediaUploadRepository {
    /// Adds a new one.
    fn insert(&mut self, upload: &MediaUpload) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: MediaUploadId,
    ) -> Result<Option<MediaUpload>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, upload: &MediaUpload) -> Result<(), StoreError>;
    /// Removes one.
    fn delete(&mut self, workspace: WorkspaceId, id: MediaUploadId) -> Result<(), StoreError>;
    /// Those of the workspace that are not whole and not over.
    fn open(&mut self, workspace: WorkspaceId, now: Timestamp) -> Result<OpenUploads, StoreError>;
    /// Removes at most `limit` that are over; how many that were.
    fn forget_over(&mut self, now: Timestamp, limit: u16) -> Result<u64, StoreError>;
}
