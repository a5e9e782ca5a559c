//! Files of workspaces that are gone.

use lyceum_domain::Timestamp;
use lyceum_domain::ids::WorkspaceId;

use crate::error::StoreError;

/// Which files are to be removed although nothing that belongs to them is left. They belong to no workspace, because
/// theirs is gone.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait UnwantedFileRepository {
    /// What the workspace's packages, recordings, media and unfinished work are called: archives by the id of their package,
    /// recordings by name, media files by id, pieces of speech and files that are being removed already by key.
    fn of_workspace(&mut self, workspace: WorkspaceId) -> Result<FilesOfWorkspace, StoreError>;
    /// Notes that a file is to be removed at a moment, and not before.
    fn insert(&mut self, key: &str, due_at: Timestamp) -> Result<(), StoreError>;
    /// At most `limit` keys that are due.
    fn due(&mut self, now: Timestamp, limit: u16) -> Result<Vec<String>, StoreError>;
    /// Forgets what was due of this key, because it is removed.
    fn forget(&mut self, key: &str, now: Timestamp) -> Result<(), StoreError>;
}

/// The files of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FilesOfWorkspace {
    /// Ids of packages that have archives, or are getting one.
    pub packages: Vec<String>,
    /// Names of recordings.
    pub recordings: Vec<String>,
    /// Ids of media files.
    pub media: Vec<String>,
    /// Keys of other files.
    pub keys: Vec<String>,
}
