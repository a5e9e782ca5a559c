//! Telling an endpoint of an event.

use std::collections::BTreeMap;

use lyceum_domain::notifying::deliveries::{DeliveryOutcome, DeliveryState, WebhookDelivery};
use lyceum_domain::notifying::events::Event;
use lyceum_domain::notifying::webhooks::{EndpointChange, WebhookEndpoint};
use lyceum_ports::notifying::webhook_sink::WebhookMessage;
pub use lyceum_ports::notifying::webhooks::ClaimedDelivery;
use lyceum_ports::traces::TraceParent;
use lyceum_wire::notifying::webhooks::WebhookEndpointView;

use crate::app::App;
use crate::notifying::events;
use crate::prelude::*;
use crate::running::audit::{self, values};
use crate::traces::{Span, SpanKind};

/// Takes up to `limit` due deliveries.
pub async fn claim_deliveries(app: &App, limit: u16) -> Result<Vec<ClaimedDelivery>, Error> {
    if app.is_almost_full() {
        return Ok(Vec::new());
    }
    let lease = app.node.lease(app.clock.now(), WebhookDelivery::LEASE);
    let turn = app.node.turns.of_deliveries();
    let (claimed, turn) = app
        .store
        .write(move |tx| {
            let mut turn = turn;
            let mut claimed = tx.webhooks().claim_deliveries(&lease, &mut turn, limit)?;
            name_actors(tx, &mut claimed)?;
            Ok::<_, Error>((claimed, turn))
        })
        .await?;
    app.node.turns.move_deliveries_on(turn);
    Ok(claimed)
}

/// Completes what is told by who did it, as they are called now: once per workspace.
fn name_actors(tx: &mut dyn Tx, claimed: &mut [ClaimedDelivery]) -> Result<(), Error> {
    let mut by_workspace: BTreeMap<WorkspaceId, Vec<&mut Event>> = BTreeMap::new();
    for delivery in claimed {
        let theirs = by_workspace.entry(delivery.delivery.workspace_id);
        theirs.or_default().push(&mut delivery.event);
    }
    for (workspace, mut events) in by_workspace {
        let stored: Vec<Event> = events.iter().map(|event| Event::clone(event)).collect();
        let told = events::told(tx, workspace, &stored)?;
        for (event, body) in events.iter_mut().zip(told) {
            event.body = body;
        }
    }
    Ok(())
}

/// Makes one attempt and notes how it ended.
///
/// # Errors
/// Those of storage; then the delivery is tried again, under the same id, when its lease runs out.
pub async fn deliver(app: &App, claimed: ClaimedDelivery) -> Result<(), Error> {
    let ClaimedDelivery {
        mut delivery,
        endpoint,
        event,
        trace,
    } = claimed;
    let name = || format!("webhook {}", event.kind);
    let mut span = app.tracing.begin(SpanKind::Client, trace, name);
    let place = span.place();
    let began = app.clock.now();
    let outcome = send(app, &delivery, &endpoint, &event, place, began).await;
    let now = app.clock.now();
    let mut jitter = [0_u8];
    app.entropy.fill(&mut jitter);
    let [jitter] = jitter;
    let wait = app
        .settings
        .webhook_schedule
        .wait_after(delivery.attempts, jitter);
    delivery.end_attempt(
        &outcome,
        wait,
        &endpoint.signing_secrets(began),
        (began, now),
    );
    app.telemetry.delivery_attempted(delivery.state.status());
    span.describe(|span| tell(span, &delivery, &event));
    drop(span);
    let inner = app.clone();
    app.store
        .conclude(move |tx| settle(tx, &inner, &delivery, &outcome, place, now))
        .await
}

/// Sends what is told of the event, unless the delivery has had all its attempts: then those that told nobody how
/// they went ended with the process that made them, and another could end this one too.
async fn send(
    app: &App,
    delivery: &WebhookDelivery,
    endpoint: &WebhookEndpoint,
    event: &Event,
    trace: Option<TraceParent>,
    now: Timestamp,
) -> DeliveryOutcome {
    let before = delivery.attempts.saturating_sub(1);
    let schedule = &app.settings.webhook_schedule;
    if schedule.wait_after(before, 0).is_none() {
        let reason = "the attempts were interrupted too often".to_owned();
        return DeliveryOutcome::Failed { reason };
    }
    app.sink
        .deliver(WebhookMessage {
            url: endpoint.url.as_str().to_owned(),
            id: event.id.to_string(),
            timestamp: now.unix_seconds(),
            trace,
            body: event.body.clone().into_bytes(),
            secrets: endpoint.signing_secrets(now),
        })
        .await
}

/// What operators are told of an attempt. The receiver's address is not among it: it may carry a token.
fn tell(span: &mut dyn Span, delivery: &WebhookDelivery, event: &Event) {
    let outcome = delivery.state.status().outcome();
    span.note(
        "lyceum.workspace.id",
        delivery.workspace_id.to_string().into(),
    );
    span.note("lyceum.delivery.id", delivery.id.to_string().into());
    span.note(
        "lyceum.delivery.attempt",
        u64::from(delivery.attempts).into(),
    );
    span.note("lyceum.delivery.outcome", outcome.into());
    span.note("lyceum.event.type", event.kind.as_str().into());
    if let Some(status) = delivery.last_status {
        span.note("http.response.status_code", u64::from(status).into());
    }
    if delivery.state != DeliveryState::Delivered {
        span.fail();
    }
}

fn settle(
    tx: &mut dyn Tx,
    app: &App,
    delivery: &WebhookDelivery,
    outcome: &DeliveryOutcome,
    place: Option<TraceParent>,
    now: Timestamp,
) -> Result<(), Error> {
    if !tx.webhooks().settle_delivery(delivery)? {
        return Ok(());
    }
    let Some(mut endpoint) = tx
        .webhooks()
        .find(delivery.workspace_id, delivery.endpoint_id)?
    else {
        return Ok(());
    };
    let before = values::endpoint(&endpoint);
    let change = endpoint.hear(outcome, now);
    if change == EndpointChange::Nothing {
        return Ok(());
    }
    tx.webhooks().update(&endpoint)?;
    match tx.workspaces().find(endpoint.workspace_id)? {
        Some(workspace) if change == EndpointChange::SwitchedOff => {
            let ctx = app.service_context(workspace).in_trace(place);
            let change = AuditedChange::between(before, values::endpoint(&endpoint));
            let subject = AuditSubject::of(endpoint.id);
            audit::note(tx, &ctx, AuditAction::WebhookUpdated, subject, change)?;
            let view = WebhookEndpointView::new(&endpoint, false);
            events::record(tx, &ctx, EventType::WebhookEndpointDisabled, &view)
        }
        _ => Ok(()),
    }
}
