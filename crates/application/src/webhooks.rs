//! What callers do with webhook endpoints.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lyceum_domain::webhooks::{EndpointStatus, WebhookEndpoint, WebhookEndpointId, WebhookSecret};
use lyceum_domain::{Invalid, Stamp};
use lyceum_ports::page::{Page, PageRequest};
use lyceum_ports::store::Tx;
use lyceum_wire::webhooks::{NewWebhookEndpoint, WebhookDeliveryView, WebhookEndpointView};

use crate::context::Context;
use crate::error::Error;
use crate::lookup::found;

/// Makes an endpoint; its secret is shown now and never again.
///
/// # Errors
/// [`Error::Invalid`] if the address may not be told anything.
pub fn create(
    tx: &mut dyn Tx,
    ctx: &Context,
    new: NewWebhookEndpoint,
) -> Result<WebhookEndpointView, Error> {
    ctx.sink
        .vet(&new.url)
        .map_err(|refused| Invalid::new("url", refused.to_string()))?;
    let endpoint = WebhookEndpoint {
        workspace_id: ctx.workspace_id(),
        id: ctx.mint(),
        url: new.url,
        enabled_events: new.enabled_events,
        description: new.description,
        status: EndpointStatus::Enabled,
        secret: fresh_secret(ctx),
        previous_secret: None,
        failing_since: None,
        stamp: Stamp::new(ctx.now),
    };
    tx.webhooks().insert(&endpoint)?;
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
///
/// # Errors
/// Those of storage.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    page: &PageRequest,
) -> Result<Page<WebhookEndpointView>, Error> {
    let found = tx.webhooks().page(ctx.workspace_id(), page)?;
    Ok(found.map(|endpoint| WebhookEndpointView::new(&endpoint, false)))
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
    find(tx, ctx, id)?;
    tx.webhooks().delete(ctx.workspace_id(), id)?;
    Ok(id)
}

/// Shows a page of its deliveries.
///
/// # Errors
/// [`Error::NotFound`]
pub fn deliveries(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: WebhookEndpointId,
    page: &PageRequest,
) -> Result<Page<WebhookDeliveryView>, Error> {
    find(tx, ctx, id)?;
    let found = tx.webhooks().deliveries(ctx.workspace_id(), id, page)?;
    Ok(found.map(|delivery| WebhookDeliveryView::new(&delivery)))
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
