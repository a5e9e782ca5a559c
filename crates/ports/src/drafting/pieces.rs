//! Pieces of generations.

use lyceum_domain::drafting::pieces::{Piece, PieceStatus, PieceTexts};
use lyceum_domain::ids::{GenerationId, PieceId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Where they are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait PieceRepository {
    /// Adds a new one; [`StoreError::Dangling`] where what it is for is not there.
    fn insert(&mut self, piece: &Piece, texts: &PieceTexts) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(&mut self, workspace: WorkspaceId, id: PieceId) -> Result<Option<Piece>, StoreError>;
    /// What the one with this id says, if it is in this workspace.
    fn texts(
        &mut self,
        workspace: WorkspaceId,
        id: PieceId,
    ) -> Result<Option<PieceTexts>, StoreError>;
    /// All of a generation, in order.
    fn of_generation(
        &mut self,
        workspace: WorkspaceId,
        generation: GenerationId,
    ) -> Result<Vec<Piece>, StoreError>;
    /// Stores what became of one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, piece: &Piece) -> Result<(), StoreError>;
    /// A page of a generation's, in order: those of this status, where one is given.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        generation: GenerationId,
        status: Option<PieceStatus>,
        page: &PageRequest,
    ) -> Result<Page<Piece>, StoreError>;
}
