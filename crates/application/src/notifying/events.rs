//! Telling the outside: an event row and its deliveries, written with the change; and the log of them.

use std::slice;

use lyceum_domain::identity::actors::ActedBy;
use lyceum_domain::identity::workspaces::PlatformCode;
use lyceum_domain::ids::{EventId, WebhookEndpointId};
use lyceum_domain::notifying::deliveries::WebhookDelivery;
use lyceum_domain::notifying::events::Event;
use lyceum_wire::common::Resource;
use lyceum_wire::identity::actors::ActorView;
use lyceum_wire::notifying::events::{EventView, with_actor};
use lyceum_wire::notifying::webhooks::WebhookEndpointView;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::error::LastChange;
use crate::prelude::*;
use crate::running::names;

pub use lyceum_ports::notifying::events::EventFilter as EventLogFilter;

/// Shows one, as it is sent.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: EventId) -> Result<EventView, Error> {
    let event = found(tx.events().find(ctx.workspace_id(), id)?, "event")?;
    let mut told = told(tx, ctx.workspace_id(), slice::from_ref(&event))?;
    view(&told.pop().unwrap_or_default())
}

/// Shows a page of them.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &EventLogFilter,
    page: &PageRequest,
) -> Result<Page<EventView>, Error> {
    let found = tx.events().page(ctx.workspace_id(), filter, page)?;
    let told = told(tx, ctx.workspace_id(), &found.items)?;
    let items = told
        .iter()
        .map(|body| view(body))
        .collect::<Result<_, _>>()?;
    Ok(Page {
        items,
        next: found.next,
    })
}

/// What is told of events of a workspace, in their order, with what those who did it are called now.
pub fn told(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    events: &[Event],
) -> Result<Vec<String>, Error> {
    let unnamed = |event: &Event| event.actor.as_ref().map(ActorView::unnamed);
    let mut actors: Vec<Option<ActorView>> = events.iter().map(unnamed).collect();
    names::give(tx, workspace, actors.iter_mut().flatten())?;
    let pairs = events.iter().zip(&actors);
    pairs
        .map(|(event, actor)| with_actor(&event.body, actor.as_ref()))
        .collect::<Result<_, _>>()
        .map_err(|error| Error::Internal(error.into()))
}

/// Who changed a thing last, and when, as far as its events tell.
pub fn last_change(
    tx: &mut dyn Tx,
    ctx: &Context,
    object_id: &str,
) -> Result<Option<LastChange>, Error> {
    let filter = EventLogFilter {
        object_id: Some(object_id.to_owned()),
        ..EventLogFilter::default()
    };
    let newest = PageRequest::first(1);
    let found = tx.events().page(ctx.workspace_id(), &filter, &newest)?;
    let Some(event) = found.items.into_iter().next() else {
        return Ok(None);
    };
    let Some(by) = event.actor else {
        return Ok(None);
    };
    let mut actor = ActorView::unnamed(&by);
    names::give(tx, ctx.workspace_id(), [&mut actor])?;
    Ok(Some(LastChange {
        actor,
        at: event.created_at,
    }))
}

fn view(told: &str) -> Result<EventView, Error> {
    serde_json::from_str(told)
        .map(EventView)
        .map_err(|error| Error::Internal(error.into()))
}

/// Notes that something happened to what `view` shows, and queues a delivery to everybody who wants to hear.
pub fn record<V: Serialize + Resource>(
    tx: &mut dyn Tx,
    ctx: &Context,
    kind: EventType,
    view: &V,
) -> Result<(), Error> {
    record_by(tx, ctx, ctx.acted_by(), kind, view)
}

/// The same of what somebody else did than who asked for it: AI.
pub fn record_by<V: Serialize + Resource>(
    tx: &mut dyn Tx,
    ctx: &Context,
    by: ActedBy,
    kind: EventType,
    view: &V,
) -> Result<(), Error> {
    let object = serde_json::to_value(view).map_err(|error| Error::Internal(error.into()))?;
    let happened = Happened::to(view.id(), kind, by);
    let event = append(tx, ctx, happened, &object, &Map::new())?;
    queue_deliveries(tx, ctx, &event)
}

/// The same of many things, asking once who wants to hear.
pub fn record_all<V: Serialize + Resource>(
    tx: &mut dyn Tx,
    ctx: &Context,
    kind: EventType,
    views: &[V],
) -> Result<(), Error> {
    let endpoints = tx.webhooks().enabled(ctx.workspace_id())?;
    for view in views {
        let object = serde_json::to_value(view).map_err(|error| Error::Internal(error.into()))?;
        let happened = Happened::to(view.id(), kind, ctx.acted_by());
        let event = append(tx, ctx, happened, &object, &Map::new())?;
        for endpoint in &endpoints {
            if endpoint.enabled_events.wants(kind) {
                queue_delivery(tx, ctx, event.id, endpoint.id)?;
            }
        }
    }
    Ok(())
}

/// Notes a test of an endpoint; nobody else is told.
pub fn record_ping(
    tx: &mut dyn Tx,
    ctx: &Context,
    view: &WebhookEndpointView,
) -> Result<Event, Error> {
    let object = serde_json::to_value(view).map_err(|error| Error::Internal(error.into()))?;
    let happened = Happened::to(view.id(), EventType::Ping, ctx.acted_by());
    append(tx, ctx, happened, &object, &Map::new())
}

/// Like [`record`] for a change, with the members that changed as they were before.
pub fn record_change<V: Serialize + Resource>(
    tx: &mut dyn Tx,
    ctx: &Context,
    kind: EventType,
    before: &V,
    after: &V,
) -> Result<(), Error> {
    let failed = |error: serde_json::Error| Error::Internal(error.into());
    let before = serde_json::to_value(before).map_err(failed)?;
    let object = serde_json::to_value(after).map_err(failed)?;
    let previous = changed_members(&before, &object);
    let happened = Happened::to(after.id(), kind, ctx.acted_by());
    let event = append(tx, ctx, happened, &object, &previous)?;
    queue_deliveries(tx, ctx, &event)
}

fn changed_members(before: &Value, after: &Value) -> Map<String, Value> {
    let members = before.as_object().into_iter().flatten();
    members
        .filter(|(name, value)| after.get(name.as_str()) != Some(value))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// What happened, to what, and who did it.
struct Happened<'a> {
    object_id: &'a str,
    kind: EventType,
    by: ActedBy,
}

impl<'a> Happened<'a> {
    const fn to(object_id: &'a str, kind: EventType, by: ActedBy) -> Self {
        Self {
            object_id,
            kind,
            by,
        }
    }
}

fn append(
    tx: &mut dyn Tx,
    ctx: &Context,
    Happened {
        object_id,
        kind,
        by,
    }: Happened<'_>,
    object: &Value,
    previous: &Map<String, Value>,
) -> Result<Event, Error> {
    let id: EventId = ctx.mint();
    let platform = &ctx.workspace.platform;
    let body = json!({
        "id": id.to_string(),
        "object": "event",
        "type": kind.as_str(),
        "timestamp": ctx.now.to_string(),
        "created_at": ctx.now.to_string(),
        "updated_at": ctx.now.to_string(),
        "platform": {
            "id": platform.number,
            "uuid": platform.uuid.as_str(),
            "code": platform.code.as_ref().map(PlatformCode::as_str),
            "name": ctx.workspace.name.as_str(),
        },
        "request_id": ctx.request_id,
        "data": { "object": object, "previous_attributes": previous },
    });
    let event = Event {
        workspace_id: ctx.workspace_id(),
        id,
        kind,
        object_id: object_id.to_owned(),
        actor: Some(by),
        body: body.to_string(),
        created_at: ctx.now,
    };
    tx.events().append(&event)?;
    Ok(event)
}

/// Who is told is settled when it happens: endpoints made later hear nothing of it.
fn queue_deliveries(tx: &mut dyn Tx, ctx: &Context, event: &Event) -> Result<(), Error> {
    for endpoint in tx.webhooks().enabled(ctx.workspace_id())? {
        if !endpoint.enabled_events.wants(event.kind) {
            continue;
        }
        queue_delivery(tx, ctx, event.id, endpoint.id)?;
    }
    Ok(())
}

/// Queues an event for an endpoint, due at once.
pub fn queue_delivery(
    tx: &mut dyn Tx,
    ctx: &Context,
    event: EventId,
    endpoint: WebhookEndpointId,
) -> Result<WebhookDelivery, Error> {
    let delivery = WebhookDelivery::new(ctx.workspace_id(), ctx.mint(), event, endpoint, ctx.now);
    tx.webhooks().insert_delivery(&delivery, ctx.trace)?;
    ctx.note_queued();
    Ok(delivery)
}
