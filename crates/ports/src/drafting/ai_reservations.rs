//! What is set aside of a workspace's AI budget while a call is being made, so that two calls, on two nodes, do not
//! both spend what is left for one.

use std::fmt::Debug;

use async_trait::async_trait;
use lyceum_domain::Timestamp;
use lyceum_domain::ids::{AiReservationId, WorkspaceId};
use lyceum_domain::money::MicroUsd;

use crate::drafting::ai_outcome::{AiError, Usage};
use crate::error::StoreError;

/// What is set aside for one call, until the call is written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AiReservation {
    /// The tenant.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: AiReservationId,
    /// Tokens that the call probably takes.
    pub tokens: u64,
    /// What it probably costs.
    pub cost: MicroUsd,
    /// When it no longer counts: whoever set it aside is gone.
    pub expires_at: Timestamp,
}

/// Where reservations are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait AiReservationRepository {
    /// Waits until nobody else sets anything aside of this workspace's budget, and sees all that they did; first of
    /// all in its transaction, and for the rest of it.
    fn take_turn(&mut self, workspace: WorkspaceId) -> Result<(), StoreError>;
    /// Tokens and money that are set aside now.
    fn total(
        &mut self,
        workspace: WorkspaceId,
        now: Timestamp,
    ) -> Result<(u64, MicroUsd), StoreError>;
    /// Sets something aside.
    fn insert(&mut self, reservation: &AiReservation) -> Result<(), StoreError>;
    /// Takes it back, if it is still there.
    fn remove(&mut self, workspace: WorkspaceId, id: AiReservationId) -> Result<(), StoreError>;
    /// Forgets those of a workspace that no longer count.
    fn forget_expired(&mut self, workspace: WorkspaceId, now: Timestamp) -> Result<(), StoreError>;
}

/// A budget that others spend from as well, also on other nodes.
#[async_trait]
pub trait SharedBudget: Debug + Send + Sync {
    /// Sets aside what a call will probably take.
    ///
    /// # Errors
    /// [`AiError::BudgetExceeded`] if it is not there, [`AiError::Unavailable`] if it may be there once others have
    /// ended their calls
    async fn set_aside(
        &self,
        estimate: Usage,
        cost: Option<MicroUsd>,
    ) -> Result<AiReservationId, AiError>;

    /// Takes back what was set aside for a call that was not made.
    async fn take_back(&self, id: AiReservationId);
}
