//! Taking deliveries that are due: who gets them, whom they go to, what they tell.

use std::collections::{HashMap, HashSet};

use diesel::dsl::exists;
use diesel::prelude::*;
use lyceum_domain::events::Event;
use lyceum_domain::id::Identified;
use lyceum_domain::webhooks::{DeliveryStatus, EndpointStatus, WebhookDelivery, WebhookEndpoint};
use lyceum_domain::workspaces::WorkspaceId;
use lyceum_domain::{Id, Timestamp};
use lyceum_ports::store::StoreError;

use super::{DeliveryRow, EndpointRow};
use crate::columns::Moment;
use crate::connection::AnyConnection;
use crate::error::corrupt;
use crate::events::EventRow;
use crate::schema::{events, webhook_deliveries, webhook_endpoints};
use crate::session::Session;

/// What is there in every workspace: by tenant and id.
type ByKey<K, T> = HashMap<(WorkspaceId, Id<K>), T>;

impl Session<'_> {
    /// Takes what is due, with all that is needed to deliver it.
    pub(super) fn claim_due(
        &mut self,
        now: Timestamp,
        lease_until: Timestamp,
        limit: u16,
    ) -> Result<Vec<(WebhookDelivery, WebhookEndpoint, Event)>, StoreError> {
        let deliveries = self.lease_deliveries(now, lease_until, limit)?;
        if deliveries.is_empty() {
            return Ok(Vec::new());
        }
        let endpoints = self.endpoints_of(&deliveries)?;
        let events = self.events_of(&deliveries)?;
        deliveries
            .into_iter()
            .map(|delivery| {
                let endpoint = endpoints.get(&(delivery.workspace_id, delivery.endpoint_id));
                let event = events.get(&(delivery.workspace_id, delivery.event_id));
                match (endpoint, event) {
                    (Some(endpoint), Some(event)) => {
                        Ok((delivery, endpoint.clone(), event.clone()))
                    }
                    _ => Err(corrupt("a delivery without its endpoint or its event")),
                }
            })
            .collect()
    }

    /// The deliveries that are due, out of the reach of everybody else until the transaction ends.
    fn due_deliveries(
        &mut self,
        now: Timestamp,
        limit: u16,
    ) -> Result<Vec<DeliveryRow>, StoreError> {
        let now = Moment(now);
        let free = webhook_deliveries::lease_until
            .is_null()
            .or(webhook_deliveries::lease_until.lt(now).assume_not_null());
        let switched_on = webhook_endpoints::table
            .filter(webhook_endpoints::workspace_id.eq(webhook_deliveries::workspace_id))
            .filter(webhook_endpoints::id.eq(webhook_deliveries::endpoint_id))
            .filter(webhook_endpoints::status.eq(EndpointStatus::Enabled.as_str()));
        let due = webhook_deliveries::table
            .filter(webhook_deliveries::status.eq(DeliveryStatus::Pending.as_str()))
            .filter(webhook_deliveries::next_attempt_at.le(now))
            .filter(free)
            .filter(exists(switched_on))
            .order((
                webhook_deliveries::next_attempt_at.asc(),
                webhook_deliveries::id.asc(),
            ))
            .limit(limit.into());
        self.run(|conn| match conn {
            // Several nodes claim at once: each passes over what another is just taking.
            AnyConnection::Postgres(conn) => due
                .select(DeliveryRow::as_select())
                .for_update()
                .skip_locked()
                .load(conn),
            // There is one writer, and it is in this transaction.
            AnyConnection::Sqlite(conn) => due.select(DeliveryRow::as_select()).load(conn),
        })
    }

    /// Takes what is due, raising its attempts.
    fn lease_deliveries(
        &mut self,
        now: Timestamp,
        lease_until: Timestamp,
        limit: u16,
    ) -> Result<Vec<WebhookDelivery>, StoreError> {
        let mut deliveries = Vec::new();
        for mut row in self.due_deliveries(now, limit)? {
            row.attempts += 1;
            self.run(|conn| {
                diesel::update(webhook_deliveries::table)
                    .filter(webhook_deliveries::workspace_id.eq(&row.workspace_id))
                    .filter(webhook_deliveries::id.eq(&row.id))
                    .set((
                        webhook_deliveries::attempts.eq(row.attempts),
                        webhook_deliveries::lease_until.eq(Moment(lease_until)),
                    ))
                    .execute(conn)
            })?;
            deliveries.push(row.try_into()?);
        }
        Ok(deliveries)
    }

    /// Whom these deliveries go to.
    fn endpoints_of(
        &mut self,
        deliveries: &[WebhookDelivery],
    ) -> Result<ByKey<WebhookEndpoint, WebhookEndpoint>, StoreError> {
        let vault = self.vault;
        let ids = deliveries.iter().map(|delivery| delivery.endpoint_id);
        let found = self.run(|conn| {
            webhook_endpoints::table
                .filter(webhook_endpoints::workspace_id.eq_any(workspaces_of(deliveries)))
                .filter(webhook_endpoints::id.eq_any(texts(ids)))
                .select(EndpointRow::as_select())
                .load(conn)
        })?;
        found
            .into_iter()
            .map(|row| row.opened(vault))
            .map(|endpoint| endpoint.map(|it| ((it.workspace_id, it.id), it)))
            .collect()
    }

    /// What these deliveries tell.
    fn events_of(
        &mut self,
        deliveries: &[WebhookDelivery],
    ) -> Result<ByKey<Event, Event>, StoreError> {
        let ids = deliveries.iter().map(|delivery| delivery.event_id);
        let found = self.run(|conn| {
            events::table
                .filter(events::workspace_id.eq_any(workspaces_of(deliveries)))
                .filter(events::id.eq_any(texts(ids)))
                .select(EventRow::as_select())
                .load(conn)
        })?;
        found
            .into_iter()
            .map(Event::try_from)
            .map(|event| event.map(|it| ((it.workspace_id, it.id), it)))
            .collect()
    }
}

fn workspaces_of(deliveries: &[WebhookDelivery]) -> Vec<String> {
    texts(deliveries.iter().map(|delivery| delivery.workspace_id))
}

/// Identifiers as they are stored, each once.
fn texts<K: Identified>(ids: impl Iterator<Item = Id<K>>) -> Vec<String> {
    let each_once: HashSet<Id<K>> = ids.collect();
    each_once.iter().map(ToString::to_string).collect()
}
