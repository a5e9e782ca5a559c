//! Webhook endpoints, with their secrets encrypted, and deliveries in rows.

mod backlog;
mod claims;
mod clocks;

use std::collections::HashMap;
use std::time::Duration;

use diesel::dsl::{exists, not, sql};
use diesel::sql_types::Bool;
use lyceum_domain::ids::EventId;
use lyceum_domain::ids::WebhookDeliveryId;
use lyceum_domain::ids::WebhookEndpointId;
use lyceum_domain::notifying::deliveries::{
    DeliveryAttempt, DeliveryState, DeliveryStatus, WebhookDelivery,
};
use lyceum_domain::notifying::events::EventType;
use lyceum_domain::notifying::webhooks::{
    EndpointStatus, EventFilter, WebhookEndpoint, WebhookSecret,
};
use lyceum_domain::text::LongText;
use lyceum_domain::web_address::WebAddress;
use lyceum_ports::notifying::webhooks::{
    ClaimedDelivery, DeliveryBacklog, DeliveryFilter, WebhookRepository,
};
use lyceum_ports::running::nodes::{Lease, NodeId};
use lyceum_ports::traces::TraceParent;

use crate::mapping::conditions::Condition;
use crate::mapping::schema::{events, webhook_deliveries, webhook_endpoints};
use crate::mapping::vault::Vault;
use crate::prelude::*;
use claims::pending;

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = webhook_endpoints, primary_key(workspace_id, id), treat_none_as_null = true)]
struct EndpointRow {
    workspace_id: String,
    id: String,
    url: String,
    enabled_events: Json,
    description: String,
    status: String,
    secret: String,
    previous_secret: Option<String>,
    previous_secret_until: Option<Moment>,
    failing_since: Option<Moment>,
    created_at: Moment,
    updated_at: Moment,
    version: i64,
}

impl EndpointRow {
    fn sealed(endpoint: &WebhookEndpoint, vault: &Vault) -> Result<Self, StoreError> {
        let WebhookEndpoint {
            workspace_id,
            id,
            url,
            enabled_events,
            description,
            status,
            secret,
            previous_secret,
            failing_since,
            stamp,
        } = endpoint;
        let (previous_secret, previous_secret_until) = match previous_secret {
            Some((secret, until)) => (Some(vault.seal(secret.reveal())?), Some(Moment(*until))),
            None => (None, None),
        };
        Ok(Self {
            workspace_id: workspace_id.to_string(),
            id: id.to_string(),
            url: url.to_string(),
            enabled_events: Json::strings(enabled_events.as_slice()),
            description: description.to_string(),
            status: status.to_string(),
            secret: vault.seal(secret.reveal())?,
            previous_secret,
            previous_secret_until,
            failing_since: failing_since.map(Moment),
            created_at: stamp.created_at.into(),
            updated_at: stamp.updated_at.into(),
            version: stamp.version,
        })
    }

    fn opened(self, vault: &Vault) -> Result<WebhookEndpoint, StoreError> {
        let previous_secret = match (self.previous_secret, self.previous_secret_until) {
            (Some(sealed), Some(until)) => {
                Some((WebhookSecret::from_text(vault.open(&sealed)?), until.0))
            }
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => {
                return Err(corrupt("half of a previous webhook secret"));
            }
        };
        Ok(WebhookEndpoint {
            workspace_id: rows::id(&self.workspace_id)?,
            id: rows::id(&self.id)?,
            url: WebAddress::accepted(self.url),
            enabled_events: rows::read(EventFilter::parse(rows::strings(self.enabled_events)?))?,
            description: rows::read(LongText::parse(self.description))?,
            status: rows::read(EndpointStatus::parse(&self.status))?,
            secret: WebhookSecret::from_text(vault.open(&self.secret)?),
            previous_secret,
            failing_since: rows::moment(self.failing_since),
            stamp: rows::stamp(self.created_at, self.updated_at, self.version),
        })
    }
}

/// A delivery without its lease, which is nobody's business but the queue's, and without what caused it, which stays as
/// it was.
#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = webhook_deliveries, primary_key(workspace_id, id), treat_none_as_null = true)]
struct DeliveryRow {
    workspace_id: String,
    id: String,
    event_id: String,
    endpoint_id: String,
    status: String,
    attempts: i64,
    next_attempt_at: Option<Moment>,
    last_status: Option<i64>,
    last_error: Option<String>,
    attempt_log: Json,
    created_at: Moment,
    updated_at: Moment,
    version: i64,
}

/// A delivery, and what caused it.
#[derive(Queryable, Selectable)]
#[diesel(table_name = webhook_deliveries)]
struct DueRow {
    #[diesel(embed)]
    row: DeliveryRow,
    trace_context: Option<String>,
}

impl From<&WebhookDelivery> for DeliveryRow {
    fn from(delivery: &WebhookDelivery) -> Self {
        let WebhookDelivery {
            workspace_id,
            id,
            event_id,
            endpoint_id,
            state,
            attempts,
            last_status,
            last_error,
            history,
            stamp,
        } = delivery;
        Self {
            workspace_id: workspace_id.to_string(),
            id: id.to_string(),
            event_id: event_id.to_string(),
            endpoint_id: endpoint_id.to_string(),
            status: state.status().to_string(),
            attempts: (*attempts).into(),
            next_attempt_at: state.next_attempt_at().map(Moment),
            last_status: last_status.map(i64::from),
            last_error: last_error.clone(),
            attempt_log: Json(history.iter().map(DeliveryAttempt::to_json).collect()),
            created_at: stamp.created_at.into(),
            updated_at: stamp.updated_at.into(),
            version: stamp.version,
        }
    }
}

impl TryFrom<DeliveryRow> for WebhookDelivery {
    type Error = StoreError;

    fn try_from(row: DeliveryRow) -> Result<Self, StoreError> {
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            event_id: rows::id(&row.event_id)?,
            endpoint_id: rows::id(&row.endpoint_id)?,
            state: match rows::read(DeliveryStatus::parse(&row.status))? {
                // One that does not say when has waited since it was changed.
                DeliveryStatus::Pending => {
                    DeliveryState::due(row.next_attempt_at.unwrap_or(row.updated_at).0)
                }
                DeliveryStatus::Delivered => DeliveryState::Delivered,
                DeliveryStatus::Failed => DeliveryState::Failed,
            },
            attempts: rows::number(row.attempts)?,
            last_status: row.last_status.map(rows::number).transpose()?,
            last_error: row.last_error,
            history: attempts(&row.attempt_log)?,
            stamp: rows::stamp(row.created_at, row.updated_at, row.version),
        })
    }
}

fn attempts(log: &Json) -> Result<Vec<DeliveryAttempt>, StoreError> {
    let entries = log.0.as_array().into_iter().flatten();
    entries
        .map(|entry| rows::read(DeliveryAttempt::from_json(entry)))
        .collect()
}

/// That the event of a delivery is of a type.
fn tells_of(kind: EventType) -> Condition {
    Condition::steady(
        "EXISTS (SELECT 1 FROM events AS told WHERE told.workspace_id = webhook_deliveries.workspace_id \
         AND told.id = webhook_deliveries.event_id AND told.kind = ",
    )
    .then_text(kind.to_string())
    .and_sql(")")
}

impl WebhookRepository for Session<'_> {
    fn insert(&mut self, endpoint: &WebhookEndpoint) -> Result<(), StoreError> {
        let row = EndpointRow::sealed(endpoint, self.vault)?;
        self.run(|conn| {
            let query = diesel::insert_into(webhook_endpoints::table).values(&row);
            on_either!(conn, query.execute(conn))
        })
        .map(drop)
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: WebhookEndpointId,
    ) -> Result<Option<WebhookEndpoint>, StoreError> {
        let vault = self.vault;
        let found = self.run(|conn| {
            let query = webhook_endpoints::table.find((workspace.to_string(), id.to_string()));
            let row = on_either!(conn, query.select(EndpointRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(|row| row.opened(vault)).transpose()
    }

    fn update(&mut self, endpoint: &WebhookEndpoint) -> Result<(), StoreError> {
        let row = EndpointRow::sealed(endpoint, self.vault)?;
        self.change(&row.id, |conn| {
            let query = diesel::update(webhook_endpoints::table)
                .filter(webhook_endpoints::workspace_id.eq(&row.workspace_id))
                .filter(webhook_endpoints::id.eq(&row.id))
                .filter(webhook_endpoints::version.lt(row.version))
                .set(&row);
            on_either!(conn, CachedByText(query).execute(conn))
        })
    }

    fn delete(
        &mut self,
        workspace: WorkspaceId,
        id: WebhookEndpointId,
    ) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            let query = diesel::delete(webhook_endpoints::table)
                .filter(webhook_endpoints::workspace_id.eq(workspace.to_string()))
                .filter(webhook_endpoints::id.eq(id.to_string()));
            on_either!(conn, query.execute(conn))
        })?;
        Ok(deleted == 1)
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        page: &PageRequest,
    ) -> Result<Page<WebhookEndpoint>, StoreError> {
        let vault = self.vault;
        let (order, conditions) = paging(self.conn, "webhook_endpoints", page)?;
        let mut query = webhook_endpoints::table
            .filter(webhook_endpoints::workspace_id.eq(workspace.to_string()))
            .select(EndpointRow::as_select())
            .order(order)
            .limit(i64::from(page.limit) + 1)
            .into_boxed();
        for condition in conditions {
            query = query.filter(condition);
        }
        let found = self.run(|conn| query.load::<EndpointRow>(conn))?;
        let endpoints = found
            .into_iter()
            .map(|row| row.opened(vault))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Page::cut(endpoints, page.limit, |endpoint| {
            Keyset::of_id(endpoint.id.to_string())
        }))
    }

    fn enabled(&mut self, workspace: WorkspaceId) -> Result<Vec<WebhookEndpoint>, StoreError> {
        let vault = self.vault;
        let found = self.run(|conn| {
            let found = webhook_endpoints::table
                .filter(webhook_endpoints::workspace_id.eq(workspace.to_string()))
                .filter(webhook_endpoints::status.eq(EndpointStatus::Enabled.as_str()))
                .order(webhook_endpoints::id.asc());
            on_either!(conn, found.select(EndpointRow::as_select()).load(conn))
        })?;
        found.into_iter().map(|row| row.opened(vault)).collect()
    }

    fn insert_delivery(
        &mut self,
        delivery: &WebhookDelivery,
        trace: Option<TraceParent>,
    ) -> Result<(), StoreError> {
        let row = DeliveryRow::from(delivery);
        let trace = trace.map(|place| place.to_string());
        self.put_row(|conn| {
            let insert = diesel::insert_into(webhook_deliveries::table)
                .values((&row, webhook_deliveries::trace_context.eq(trace)));
            on_either!(conn, CachedByText(insert).execute(conn))
        })
    }

    fn claim_deliveries(
        &mut self,
        lease: &Lease,
        turn: &mut Option<WebhookEndpointId>,
        limit: u16,
    ) -> Result<Vec<ClaimedDelivery>, StoreError> {
        self.claim_due(lease, turn, limit.into())
    }

    fn set_right(
        &mut self,
        now: Timestamp,
        lease: Duration,
        limit: u16,
    ) -> Result<u64, StoreError> {
        self.set_deliveries_right(now, lease, limit)
    }

    fn release_leases_of(&mut self, nodes: &[NodeId], now: Timestamp) -> Result<u64, StoreError> {
        let released = self.run(|conn| {
            let query = diesel::update(webhook_deliveries::table)
                .filter(pending())
                .filter(webhook_deliveries::lease_until.gt(Moment(now)))
                .filter(webhook_deliveries::node_id.eq_any(rows::node_ids(nodes)))
                .set(webhook_deliveries::lease_until.eq(None::<Moment>));
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        rows::number(rows::stored_number(released))
    }

    fn backlog(&mut self, now: Timestamp) -> Result<DeliveryBacklog, StoreError> {
        self.delivery_backlog(now)
    }

    fn release_leases(&mut self, now: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            let query = diesel::update(webhook_deliveries::table)
                .filter(pending())
                .filter(webhook_deliveries::lease_until.gt(Moment(now)))
                .set(webhook_deliveries::lease_until.eq(None::<Moment>));
            on_either!(conn, CachedByText(query).execute(conn))
        })
        .map(drop)
    }

    fn settle_delivery(&mut self, delivery: &WebhookDelivery) -> Result<bool, StoreError> {
        let row = DeliveryRow::from(delivery);
        let settled = self.run(|conn| {
            let query = diesel::update(webhook_deliveries::table)
                .filter(webhook_deliveries::workspace_id.eq(&row.workspace_id))
                .filter(webhook_deliveries::id.eq(&row.id))
                .filter(webhook_deliveries::status.eq(DeliveryStatus::Pending.as_str()))
                .filter(webhook_deliveries::attempts.eq(row.attempts))
                // Queued again, attempts start anew: then the version tells a late one from the new ones.
                .filter(webhook_deliveries::version.le(row.version))
                .set((&row, webhook_deliveries::lease_until.eq(None::<Moment>)));
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        Ok(settled == 1)
    }

    fn find_delivery(
        &mut self,
        workspace: WorkspaceId,
        id: WebhookDeliveryId,
    ) -> Result<Option<WebhookDelivery>, StoreError> {
        let found = self.run(|conn| {
            let query = webhook_deliveries::table.find((workspace.to_string(), id.to_string()));
            let row = on_either!(conn, query.select(DeliveryRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(WebhookDelivery::try_from).transpose()
    }

    fn requeue_delivery(&mut self, delivery: &WebhookDelivery) -> Result<(), StoreError> {
        let row = DeliveryRow::from(delivery);
        self.change(&row.id, |conn| {
            let query = diesel::update(webhook_deliveries::table)
                .filter(webhook_deliveries::workspace_id.eq(&row.workspace_id))
                .filter(webhook_deliveries::id.eq(&row.id))
                .filter(webhook_deliveries::version.le(row.version))
                .set(&row);
            on_either!(conn, CachedByText(query).execute(conn))
        })
    }

    fn undelivered(
        &mut self,
        workspace: WorkspaceId,
        endpoint: WebhookEndpointId,
        kinds: &[EventType],
        since: Timestamp,
        limit: u16,
    ) -> Result<Vec<(EventId, Option<WebhookDelivery>)>, StoreError> {
        let (workspace, endpoint) = (workspace.to_string(), endpoint.to_string());
        let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
        let reached = webhook_deliveries::table
            .filter(webhook_deliveries::workspace_id.eq(events::workspace_id))
            .filter(webhook_deliveries::event_id.eq(events::id))
            .filter(webhook_deliveries::endpoint_id.eq(endpoint.clone()))
            .filter(webhook_deliveries::status.ne(DeliveryStatus::Failed.as_str()));
        let missed: Vec<String> = self.run(|conn| {
            let query = events::table
                .filter(events::workspace_id.eq(&workspace))
                .filter(events::created_at.ge(Moment(since)))
                .filter(events::kind.eq_any(kinds))
                .filter(not(exists(reached)))
                .select(events::id)
                .order((events::created_at.asc(), events::id.asc()))
                .limit(limit.into());
            on_either!(conn, CachedByText(query).load(conn))
        })?;
        let failed = self.run(|conn| {
            let query = webhook_deliveries::table
                .filter(webhook_deliveries::workspace_id.eq(&workspace))
                .filter(webhook_deliveries::endpoint_id.eq(&endpoint))
                .filter(webhook_deliveries::event_id.eq_any(&missed));
            on_either!(
                conn,
                CachedByText(query.select(DeliveryRow::as_select())).load(conn)
            )
        })?;
        let mut failed: HashMap<String, DeliveryRow> = failed
            .into_iter()
            .map(|row: DeliveryRow| (row.event_id.clone(), row))
            .collect();
        missed
            .iter()
            .map(|event| {
                let delivery = failed.remove(event).map(WebhookDelivery::try_from);
                Ok((rows::id(event)?, delivery.transpose()?))
            })
            .collect()
    }

    fn hasten_deliveries(
        &mut self,
        workspace: WorkspaceId,
        endpoint: WebhookEndpointId,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let hastened = self.run(|conn| {
            let query = diesel::update(webhook_deliveries::table)
                .filter(webhook_deliveries::workspace_id.eq(workspace.to_string()))
                .filter(webhook_deliveries::endpoint_id.eq(endpoint.to_string()))
                .filter(webhook_deliveries::status.eq(DeliveryStatus::Pending.as_str()))
                .filter(webhook_deliveries::created_at.ge(Moment(since)))
                .filter(webhook_deliveries::next_attempt_at.gt(Moment(now)))
                .set(webhook_deliveries::next_attempt_at.eq(Moment(now)));
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        rows::number(rows::stored_number(hastened))
    }

    fn forget_deliveries_before(
        &mut self,
        oldest: Timestamp,
        limit: u16,
    ) -> Result<u64, StoreError> {
        // Written out and not bound, because the index is made for the word.
        let has_ended = || sql::<Bool>("webhook_deliveries.status <> 'pending'");
        let old: Vec<(String, Moment)> = self.run(|conn| {
            let query = webhook_deliveries::table
                .filter(has_ended())
                .filter(webhook_deliveries::created_at.lt(Moment(oldest)))
                .order(webhook_deliveries::created_at.asc())
                .limit(limit.into())
                .select((webhook_deliveries::id, webhook_deliveries::created_at));
            on_either!(conn, query.load(conn))
        })?;
        let Some((_, newest)) = old.last() else {
            return Ok(0);
        };
        // No index is of the ids alone: they are found among those of their age, and not among all that are old.
        let forgotten = self.run(|conn| {
            let query = diesel::delete(webhook_deliveries::table)
                .filter(webhook_deliveries::id.eq_any(old.iter().map(|(id, _)| id)))
                .filter(has_ended())
                .filter(webhook_deliveries::created_at.le(newest));
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        rows::number(rows::stored_number(forgotten))
    }

    fn deliveries(
        &mut self,
        workspace: WorkspaceId,
        endpoint: WebhookEndpointId,
        filter: &DeliveryFilter,
        page: &PageRequest,
    ) -> Result<Page<WebhookDelivery>, StoreError> {
        let walk = Walk::<ids::WebhookDelivery>::over("webhook_deliveries", workspace, page)
            .along("endpoint_id", Some(endpoint))
            .sifting(filter.status.is_some() || filter.kind.is_some());
        walk.take(self, |session, mut reach| {
            let mut query = webhook_deliveries::table
                .filter(webhook_deliveries::workspace_id.eq(workspace.to_string()))
                .filter(webhook_deliveries::endpoint_id.eq(endpoint.to_string()))
                .select(DeliveryRow::as_select())
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(status) = filter.status {
                query = query.filter(webhook_deliveries::status.eq(status.as_str()));
            }
            if let Some(kind) = filter.kind {
                query = query.filter(tells_of(kind));
            }
            let found = session.run(|conn| query.load::<DeliveryRow>(conn))?;
            let deliveries = found
                .into_iter()
                .map(WebhookDelivery::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut(deliveries, |delivery| delivery.id.to_string()))
        })
    }
}
