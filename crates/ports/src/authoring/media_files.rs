//! The media library.

use lyceum_domain::authoring::media::{MediaFile, MediaKind};
use lyceum_domain::ids::{MediaId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which media files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MediaFileFilter {
    /// In this state: `pending`, `ready` or `error`.
    pub status: Option<String>,
    /// Of this kind.
    pub kind: Option<MediaKind>,
    /// Whose upload has this SHA-256, lower-case hex.
    pub sha256: Option<String>,
}

/// A thing whose text refers to a media file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MediaUse {
    /// What it is, such as `lesson`.
    pub object: &'static str,
    /// Its id.
    pub id: String,
    /// What it is called.
    pub name: String,
}

/// Where media files are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait MediaFileRepository {
    /// Adds a new one.
    fn insert(&mut self, media: &MediaFile) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: MediaId,
    ) -> Result<Option<MediaFile>, StoreError>;
    /// Those of these ids that are in this workspace, in no order.
    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[MediaId],
    ) -> Result<Vec<MediaFile>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, media: &MediaFile) -> Result<(), StoreError>;
    /// A page of those that match, newest first.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &MediaFileFilter,
        page: &PageRequest,
    ) -> Result<Page<MediaFile>, StoreError>;
    /// The oldest that is no error and whose upload has this SHA-256.
    fn with_upload(
        &mut self,
        workspace: WorkspaceId,
        sha256: &str,
    ) -> Result<Option<MediaFile>, StoreError>;
    /// Bytes of all files of the workspace's library, with those that lie in the trash.
    fn kept_bytes(&mut self, workspace: WorkspaceId) -> Result<u64, StoreError>;
    /// At most `limit` things of the workspace whose texts refer to one: it looks at every text.
    fn uses(
        &mut self,
        workspace: WorkspaceId,
        id: MediaId,
        limit: u16,
    ) -> Result<Vec<MediaUse>, StoreError>;
}
