//! What callers do with webhook endpoints.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lyceum_domain::ids::{WebhookDeliveryId, WebhookEndpointId};
use lyceum_domain::notifying::deliveries::WebhookDelivery;
use lyceum_domain::notifying::webhooks::{
    NewWebhookEndpoint, WebhookEndpoint, WebhookEndpointChanges, WebhookSecret,
};
use lyceum_domain::web_address::WebAddress;
use lyceum_wire::notifying::webhooks::{
    WebhookDeliveryView, WebhookEndpointView, WebhookRecoveryView,
};

pub use lyceum_ports::notifying::webhooks::DeliveryFilter;

use crate::notifying::events;
use crate::prelude::*;
use crate::running::audit::{self, values};

/// How many events one call queues again, so that no call keeps others waiting for long.
const RECOVERED_AT_ONCE: u16 = 1_000;

/// Makes an endpoint; its secret is shown now and never again.
///
/// # Errors
/// [`Error::Invalid`] if the address may not be told anything.
pub fn create(
    tx: &mut dyn Tx,
    ctx: &Context,
    new: NewWebhookEndpoint,
) -> Result<WebhookEndpointView, Error> {
    vet(ctx, &new.url)?;
    let secret = fresh_secret(ctx);
    let endpoint = WebhookEndpoint::new(ctx.workspace_id(), ctx.mint(), new, secret, ctx.now);
    tx.webhooks().insert(&endpoint)?;
    let change = AuditedChange::made(values::endpoint(&endpoint));
    note(tx, ctx, AuditAction::WebhookCreated, endpoint.id, change)?;
    Ok(WebhookEndpointView::new(&endpoint, true))
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: WebhookEndpointId,
) -> Result<WebhookEndpointView, Error> {
    Ok(WebhookEndpointView::new(&find(tx, ctx, id)?, false))
}

/// Shows a page of them.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    page: &PageRequest,
) -> Result<Page<WebhookEndpointView>, Error> {
    let found = tx.webhooks().page(ctx.workspace_id(), page)?;
    Ok(found.map(|endpoint| WebhookEndpointView::new(&endpoint, false)))
}

/// Changes one; switching it on forgives its failures.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] if the new address may not be told anything.
pub fn update(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: WebhookEndpointId,
    changes: WebhookEndpointChanges,
) -> Result<WebhookEndpointView, Error> {
    let mut endpoint = find(tx, ctx, id)?;
    if let Some(url) = changes.url.as_ref().filter(|url| **url != endpoint.url) {
        vet(ctx, url)?;
    }
    let before = values::endpoint(&endpoint);
    if endpoint.change(changes, ctx.now) {
        tx.webhooks().update(&endpoint)?;
        let change = AuditedChange::between(before, values::endpoint(&endpoint));
        note(tx, ctx, AuditAction::WebhookUpdated, id, change)?;
        // What was waiting while it was off is due at once.
        ctx.note_queued();
    }
    Ok(WebhookEndpointView::new(&endpoint, false))
}

/// Gives one another secret, which is shown now and never again; for a day the old one signs beside it.
///
/// # Errors
/// [`Error::NotFound`]
pub fn rotate_secret(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: WebhookEndpointId,
) -> Result<WebhookEndpointView, Error> {
    let mut endpoint = find(tx, ctx, id)?;
    endpoint.rotate(fresh_secret(ctx), ctx.now);
    tx.webhooks().update(&endpoint)?;
    let unseen = AuditedChange::default();
    note(tx, ctx, AuditAction::WebhookSecretRotated, id, unseen)?;
    Ok(WebhookEndpointView::new(&endpoint, true))
}

/// Sends a test to one, whatever it wants to hear, and to nobody else.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Conflict`] if it is switched off.
pub fn test(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: WebhookEndpointId,
) -> Result<WebhookDeliveryView, Error> {
    let endpoint = find_enabled(tx, ctx, id)?;
    let view = WebhookEndpointView::new(&endpoint, false);
    let event = events::record_ping(tx, ctx, &view)?;
    let delivery = events::queue_delivery(tx, ctx, event.id, id)?;
    Ok(WebhookDeliveryView::new(&delivery))
}

/// Tells one again what it wants to hear and did not get since a moment: what failed, what still waits for
/// another attempt, and what happened while it was off or not yet there. Tests are left out.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`] for a moment that is too far back or has not come,
/// [`Error::Conflict`] if it is switched off.
pub fn recover(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: WebhookEndpointId,
    since: Timestamp,
) -> Result<WebhookRecoveryView, Error> {
    if since < ctx.now.minus(WebhookDelivery::KEPT) {
        return Err(Invalid::new("since", "must not be more than 30 days ago").into());
    }
    if since > ctx.now {
        return Err(Invalid::new("since", "must not be in the future").into());
    }
    let endpoint = find_enabled(tx, ctx, id)?;
    let workspace = ctx.workspace_id();
    let hastened = tx
        .webhooks()
        .hasten_deliveries(workspace, id, since, ctx.now)?;
    let kinds = endpoint.enabled_events.kinds();
    let mut missed =
        tx.webhooks()
            .undelivered(workspace, id, &kinds, since, RECOVERED_AT_ONCE + 1)?;
    let has_more = missed.len() > usize::from(RECOVERED_AT_ONCE);
    missed.truncate(RECOVERED_AT_ONCE.into());
    let mut queued = u32::try_from(hastened).unwrap_or(u32::MAX);
    for (event, failed) in missed {
        match failed {
            Some(delivery) => requeue(tx, ctx, delivery).map(drop)?,
            None => events::queue_delivery(tx, ctx, event, id).map(drop)?,
        }
        queued = queued.saturating_add(1);
    }
    if queued > 0 {
        ctx.note_queued();
    }
    Ok(WebhookRecoveryView::new(id, since, queued, has_more))
}

/// Deletes one and its deliveries.
///
/// # Errors
/// [`Error::NotFound`]
pub fn delete(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: WebhookEndpointId,
) -> Result<WebhookEndpointId, Error> {
    let endpoint = find(tx, ctx, id)?;
    tx.webhooks().delete(ctx.workspace_id(), id)?;
    let change = AuditedChange::gone(values::endpoint(&endpoint));
    note(tx, ctx, AuditAction::WebhookDeleted, id, change)?;
    Ok(id)
}

fn note(
    tx: &mut dyn Tx,
    ctx: &Context,
    action: AuditAction,
    id: WebhookEndpointId,
    change: AuditedChange,
) -> Result<(), Error> {
    audit::note(tx, ctx, action, AuditSubject::of(id), change)
}

/// Shows a page of its deliveries.
///
/// # Errors
/// [`Error::NotFound`]
pub fn deliveries(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: WebhookEndpointId,
    filter: DeliveryFilter,
    page: &PageRequest,
) -> Result<Page<WebhookDeliveryView>, Error> {
    find(tx, ctx, id)?;
    let found = tx
        .webhooks()
        .deliveries(ctx.workspace_id(), id, &filter, page)?;
    Ok(found.map(|delivery| WebhookDeliveryView::new(&delivery)))
}

/// Shows one delivery.
///
/// # Errors
/// [`Error::NotFound`]
pub fn delivery(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: WebhookDeliveryId,
) -> Result<WebhookDeliveryView, Error> {
    Ok(WebhookDeliveryView::new(&find_delivery(tx, ctx, id)?))
}

/// Makes a delivery again: the same event, under the same id and with the same bytes.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Conflict`] if its endpoint is switched off.
pub fn redeliver(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: WebhookDeliveryId,
) -> Result<WebhookDeliveryView, Error> {
    let delivery = find_delivery(tx, ctx, id)?;
    find_enabled(tx, ctx, delivery.endpoint_id)?;
    let delivery = requeue(tx, ctx, delivery)?;
    Ok(WebhookDeliveryView::new(&delivery))
}

fn requeue(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut delivery: WebhookDelivery,
) -> Result<WebhookDelivery, Error> {
    delivery.requeue(ctx.now);
    tx.webhooks().requeue_delivery(&delivery)?;
    ctx.note_queued();
    Ok(delivery)
}

fn find_delivery(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: WebhookDeliveryId,
) -> Result<WebhookDelivery, Error> {
    let delivery = tx.webhooks().find_delivery(ctx.workspace_id(), id)?;
    found(delivery, "webhook_delivery")
}

fn find_enabled(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: WebhookEndpointId,
) -> Result<WebhookEndpoint, Error> {
    let endpoint = find(tx, ctx, id)?;
    endpoint.require_enabled().map_err(Conflict::Transition)?;
    Ok(endpoint)
}

fn vet(ctx: &Context, url: &WebAddress) -> Result<(), Invalid> {
    ctx.sink
        .vet(url.as_str())
        .map_err(|refused| Invalid::new("url", refused.to_string()))
}

fn find(tx: &mut dyn Tx, ctx: &Context, id: WebhookEndpointId) -> Result<WebhookEndpoint, Error> {
    found(
        tx.webhooks().find(ctx.workspace_id(), id)?,
        "webhook_endpoint",
    )
}

fn fresh_secret(ctx: &Context) -> WebhookSecret {
    let mut bytes = [0_u8; 32];
    ctx.entropy.fill(&mut bytes);
    WebhookSecret::from_text(format!("whsec_{}", STANDARD.encode(bytes)))
}
