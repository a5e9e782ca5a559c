//! Generations.

use lyceum_domain::drafting::generations::Generation;
use lyceum_domain::ids::{GenerationId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which generations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GenerationFilter {
    /// In this state: `pending`, `ready`, `error` or `canceled`.
    pub status: Option<String>,
}

/// Where generations are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait GenerationRepository {
    /// Adds a new one.
    fn insert(&mut self, generation: &Generation) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: GenerationId,
    ) -> Result<Option<Generation>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, generation: &Generation) -> Result<(), StoreError>;
    /// Removes it and everything below it; whether it was there.
    fn delete(&mut self, workspace: WorkspaceId, id: GenerationId) -> Result<bool, StoreError>;
    /// A page of those that match.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &GenerationFilter,
        page: &PageRequest,
    ) -> Result<Page<Generation>, StoreError>;
}
