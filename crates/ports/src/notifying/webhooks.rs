//! Webhook endpoints and the deliveries to them.

use std::time::Duration;

use lyceum_domain::Timestamp;
use lyceum_domain::ids::{EventId, WebhookDeliveryId, WebhookEndpointId, WorkspaceId};
use lyceum_domain::notifying::deliveries::{DeliveryStatus, WebhookDelivery};
use lyceum_domain::notifying::events::{Event, EventType};
use lyceum_domain::notifying::webhooks::WebhookEndpoint;

use crate::error::StoreError;
use crate::page::{Page, PageRequest};
use crate::running::nodes::{Lease, NodeId};
use crate::traces::TraceParent;

/// Which deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeliveryFilter {
    /// Of this status.
    pub status: Option<DeliveryStatus>,
    /// Of events of this type.
    pub kind: Option<EventType>,
}

/// How many deliveries to one endpoint are under way at once, on all nodes together: one that is slow or dead takes no
/// more room than this. Nodes that claim at the same moment may exceed it for a while.
pub const ENDPOINT_SHARE: u16 = 16;

/// A delivery that is one worker's for a while, with all that is needed to make an attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimedDelivery {
    /// The delivery.
    pub delivery: WebhookDelivery,
    /// Whom it goes to.
    pub endpoint: WebhookEndpoint,
    /// What it tells.
    pub event: Event,
    /// What caused it, where that is traced.
    pub trace: Option<TraceParent>,
}

/// Deliveries that are due and not under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryBacklog {
    /// How many.
    pub due: u64,
    /// Since when the first of them is.
    pub due_since: Option<Timestamp>,
}

/// Where webhook endpoints and the deliveries to them are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait WebhookRepository {
    /// Adds an endpoint; its secrets are encrypted at rest.
    fn insert(&mut self, endpoint: &WebhookEndpoint) -> Result<(), StoreError>;
    /// The endpoint with this id, if it is in this workspace.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: WebhookEndpointId,
    ) -> Result<Option<WebhookEndpoint>, StoreError>;
    /// Stores a changed endpoint; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, endpoint: &WebhookEndpoint) -> Result<(), StoreError>;
    /// Removes an endpoint and its deliveries; whether it was there.
    fn delete(&mut self, workspace: WorkspaceId, id: WebhookEndpointId)
    -> Result<bool, StoreError>;
    /// A page of endpoints, newest first.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        page: &PageRequest,
    ) -> Result<Page<WebhookEndpoint>, StoreError>;
    /// Every endpoint of the workspace that is switched on.
    fn enabled(&mut self, workspace: WorkspaceId) -> Result<Vec<WebhookEndpoint>, StoreError>;
    /// Adds a delivery, due at once, and what caused it, where that is traced.
    fn insert_delivery(
        &mut self,
        delivery: &WebhookDelivery,
        trace: Option<TraceParent>,
    ) -> Result<(), StoreError>;
    /// Takes up to `limit` due deliveries, raising their attempts by one; nobody else gets them before the lease ends.
    /// Endpoints take turns: who has least under way comes first and then who comes behind `turn`, which is moved on;
    /// of one endpoint the longest waiting come first, and no more than [`ENDPOINT_SHARE`] are under way.
    fn claim_deliveries(
        &mut self,
        lease: &Lease,
        turn: &mut Option<WebhookEndpointId>,
        limit: u16,
    ) -> Result<Vec<ClaimedDelivery>, StoreError>;
    /// Stores how an attempt ended; false, and nothing stored, if the delivery was taken by somebody else since.
    fn settle_delivery(&mut self, delivery: &WebhookDelivery) -> Result<bool, StoreError>;
    /// The delivery with this id, if it is in this workspace.
    fn find_delivery(
        &mut self,
        workspace: WorkspaceId,
        id: WebhookDeliveryId,
    ) -> Result<Option<WebhookDelivery>, StoreError>;
    /// Stores a delivery that was made due again; an attempt that is under way keeps its claim.
    /// [`StoreError::Stale`] if storage holds a newer version.
    fn requeue_delivery(&mut self, delivery: &WebhookDelivery) -> Result<(), StoreError>;
    /// Up to `limit` events of these kinds since a moment, oldest first, that are neither delivered to this
    /// endpoint nor on their way, each with its delivery if it had one: a failed one.
    fn undelivered(
        &mut self,
        workspace: WorkspaceId,
        endpoint: WebhookEndpointId,
        kinds: &[EventType],
        since: Timestamp,
        limit: u16,
    ) -> Result<Vec<(EventId, Option<WebhookDelivery>)>, StoreError>;
    /// Makes an endpoint's deliveries that were queued since a moment and wait for a later attempt due now; how
    /// many that were.
    fn hasten_deliveries(
        &mut self,
        workspace: WorkspaceId,
        endpoint: WebhookEndpointId,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<u64, StoreError>;
    /// Removes up to `limit` deliveries of all workspaces that have ended and were queued before `oldest`; how many those
    /// were.
    fn forget_deliveries_before(
        &mut self,
        oldest: Timestamp,
        limit: u16,
    ) -> Result<u64, StoreError>;
    /// How many deliveries of all workspaces are due and not under way, and since when the first of them is.
    fn backlog(&mut self, now: Timestamp) -> Result<DeliveryBacklog, StoreError>;
    /// A page of those of an endpoint's deliveries that match, newest first.
    fn deliveries(
        &mut self,
        workspace: WorkspaceId,
        endpoint: WebhookEndpointId,
        filter: &DeliveryFilter,
        page: &PageRequest,
    ) -> Result<Page<WebhookDelivery>, StoreError>;
    /// Makes every leased delivery due now: for the start of a process when no other can be alive.
    fn release_leases(&mut self, now: Timestamp) -> Result<(), StoreError>;
    /// Puts right up to `limit` deliveries that were written by a clock that was ahead of `now`: who waits, waits as long
    /// as was meant when it was written, and no lease lasts longer than `lease`. How many those were.
    fn set_right(&mut self, now: Timestamp, lease: Duration, limit: u16)
    -> Result<u64, StoreError>;
    /// Makes what these nodes hold due now, because they are gone; how many deliveries those were.
    fn release_leases_of(&mut self, nodes: &[NodeId], now: Timestamp) -> Result<u64, StoreError>;
}
