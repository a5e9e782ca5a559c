//! Batches and their items.

use std::collections::BTreeMap;

use lyceum_domain::grading::batches::{Batch, BatchItem, BatchKind, ItemCounts, ItemState};
use lyceum_domain::ids::{AssignmentId, BatchId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Where batches are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait BatchRepository {
    /// Adds one; [`StoreError::Taken`] (`assignment_id`) while another of the kind is busy with the assignment.
    fn insert(&mut self, batch: &Batch) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(&mut self, workspace: WorkspaceId, id: BatchId) -> Result<Option<Batch>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, batch: &Batch) -> Result<(), StoreError>;
    /// A page of the assignment's batches of a kind, newest first.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        kind: BatchKind,
        page: &PageRequest,
    ) -> Result<Page<Batch>, StoreError>;
    /// Adds items.
    fn add_items(&mut self, workspace: WorkspaceId, items: &[BatchItem]) -> Result<(), StoreError>;
    /// Stores a changed item; [`StoreError::Stale`] if it is gone.
    fn update_item(&mut self, workspace: WorkspaceId, item: &BatchItem) -> Result<(), StoreError>;
    /// The item at this place.
    fn item(
        &mut self,
        workspace: WorkspaceId,
        batch: BatchId,
        place: u32,
    ) -> Result<Option<BatchItem>, StoreError>;
    /// The first items in this state from a place on, in their order, at most `limit`.
    fn items_in(
        &mut self,
        workspace: WorkspaceId,
        batch: BatchId,
        state: ItemState,
        from: u32,
        limit: u16,
    ) -> Result<Vec<BatchItem>, StoreError>;
    /// A page of items that are about submissions, all or those in this state, by the submissions' ids, newest first.
    fn items(
        &mut self,
        workspace: WorkspaceId,
        batch: BatchId,
        state: Option<ItemState>,
        page: &PageRequest,
    ) -> Result<Page<BatchItem>, StoreError>;
    /// How many items of each of these batches are in each state; a batch without items is not in it.
    fn counts(
        &mut self,
        workspace: WorkspaceId,
        batches: &[BatchId],
    ) -> Result<BTreeMap<BatchId, ItemCounts>, StoreError>;
}
