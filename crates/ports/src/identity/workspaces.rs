//! Workspaces.

use lyceum_domain::identity::workspaces::{PlatformCode, Workspace};
use lyceum_domain::ids::WorkspaceId;

use crate::error::StoreError;

/// Where workspaces are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait WorkspaceRepository {
    /// Adds a new one; [`StoreError::Taken`] (`code`) if another has its code.
    fn insert(&mut self, workspace: &Workspace) -> Result<(), StoreError>;
    /// The one with this id; who may see it is the caller's to decide.
    fn find(&mut self, id: WorkspaceId) -> Result<Option<Workspace>, StoreError>;
    /// The one chosen by this code.
    fn find_by_code(&mut self, code: &PlatformCode) -> Result<Option<Workspace>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, workspace: &Workspace) -> Result<(), StoreError>;
    /// Removes it and everything in it; whether it was there.
    fn delete(&mut self, id: WorkspaceId) -> Result<bool, StoreError>;
    /// Makes every other transaction that holds this workspace wait for the end of this one, and then begin anew.
    fn hold(&mut self, id: WorkspaceId) -> Result<(), StoreError>;
    /// The next platform number: 1, 2, 3, …
    fn next_platform_number(&mut self) -> Result<i64, StoreError>;
    /// Whether there is no workspace at all yet.
    fn none_yet(&mut self) -> Result<bool, StoreError>;
}
