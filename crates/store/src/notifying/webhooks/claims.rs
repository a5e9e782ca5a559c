//! Taking deliveries that are due: who gets them, whom they go to, what they tell.

use std::collections::{BTreeMap, HashMap, HashSet};

use diesel::dsl::{count_star, sql};
use diesel::expression::SqlLiteral;
use diesel::sql_types::Bool;
use lyceum_domain::Id;
use lyceum_domain::id::Identified;
use lyceum_domain::ids;
use lyceum_domain::ids::WebhookEndpointId;
use lyceum_domain::notifying::deliveries::WebhookDelivery;
use lyceum_domain::notifying::events::Event;
use lyceum_domain::notifying::webhooks::{EndpointStatus, WebhookEndpoint};
use lyceum_ports::notifying::webhooks::{ClaimedDelivery, ENDPOINT_SHARE};
use lyceum_ports::running::nodes::Lease;
use lyceum_ports::traces::TraceParent;

use super::{DeliveryRow, DueRow, EndpointRow};
use crate::mapping::schema::{events, webhook_deliveries, webhook_endpoints};
use crate::notifying::events::EventRow;
use crate::prelude::*;
use crate::running::fair::{RoundRobin, Step, WaitingQueue, take_fairly};

/// What is there in every workspace: by tenant and id.
type ByKey<K, T> = HashMap<(WorkspaceId, Id<K>), T>;

/// A queue of fewer due deliveries than these is read whole; in a longer one the endpoints are looked up one by one.
const SHORT_QUEUE: usize = 64;
/// Most endpoints that one claim looks up; the next goes on behind them.
const LOOKED_UP: usize = 256;

/// What a claim knows of the deliveries.
struct DeliveryTerms {
    now: Moment,
    limit: usize,
    /// How many are under way, by endpoint.
    leased: HashMap<String, usize>,
}

impl DeliveryTerms {
    fn leased(&self, endpoint: &str) -> usize {
        self.leased.get(endpoint).copied().unwrap_or_default()
    }

    fn party(
        &self,
        endpoint: &str,
        waiting: impl IntoIterator<Item = DueRow>,
    ) -> WaitingQueue<DueRow> {
        WaitingQueue {
            taken: self.leased(endpoint),
            waiting: waiting.into_iter().collect(),
        }
    }
}

impl Session<'_> {
    /// Takes what is due, with all that is needed to deliver it, and moves the turn on to whoever was served last.
    pub(super) fn claim_due(
        &mut self,
        lease: &Lease,
        turn: &mut Option<WebhookEndpointId>,
        limit: usize,
    ) -> Result<Vec<ClaimedDelivery>, StoreError> {
        let terms = DeliveryTerms {
            now: Moment(lease.from),
            limit,
            leased: self.leased_deliveries(Moment(lease.from))?,
        };
        let due = self.next_deliveries(&terms, turn)?;
        let leased = self.lease_deliveries(due, &terms, lease)?;
        if leased.is_empty() {
            return Ok(Vec::new());
        }
        let deliveries: Vec<&WebhookDelivery> = leased.iter().map(|(it, _)| it).collect();
        let endpoints = self.endpoints_of(&deliveries)?;
        let events = self.events_of(&deliveries)?;
        leased
            .into_iter()
            .map(|(delivery, trace)| {
                let endpoint = endpoints.get(&(delivery.workspace_id, delivery.endpoint_id));
                let event = events.get(&(delivery.workspace_id, delivery.event_id));
                match (endpoint, event) {
                    (Some(endpoint), Some(event)) => Ok(ClaimedDelivery {
                        delivery,
                        endpoint: endpoint.clone(),
                        event: event.clone(),
                        trace,
                    }),
                    _ => Err(corrupt("a delivery without its endpoint or its event")),
                }
            })
            .collect()
    }

    /// How many deliveries are under way, by endpoint.
    fn leased_deliveries(&mut self, now: Moment) -> Result<HashMap<String, usize>, StoreError> {
        let counted = self.run(|conn| {
            let query = webhook_deliveries::table
                .filter(pending())
                .filter(webhook_deliveries::lease_until.is_not_null())
                .filter(webhook_deliveries::lease_until.ge(now).assume_not_null())
                .group_by(webhook_deliveries::endpoint_id)
                .select((webhook_deliveries::endpoint_id, count_star()));
            on_either!(conn, CachedByText(query).load::<(String, i64)>(conn))
        })?;
        counted
            .into_iter()
            .map(|(endpoint, count)| Ok((endpoint, rows::number(count)?)))
            .collect()
    }

    /// The due deliveries whose turn it is.
    fn next_deliveries(
        &mut self,
        terms: &DeliveryTerms,
        turn: &mut Option<WebhookEndpointId>,
    ) -> Result<Vec<DueRow>, StoreError> {
        let behind = turn.map(|endpoint| endpoint.to_string());
        let first = self.oldest_deliveries(terms)?;
        let (parties, seen) = if first.len() < SHORT_QUEUE {
            (self.few_endpoints(terms, first, behind.as_deref())?, None)
        } else {
            self.many_endpoints(terms, behind)?
        };
        let dealt = take_fairly(parties, ENDPOINT_SHARE.into(), terms.limit);
        let served = dealt.last().map(|due| due.row.endpoint_id.clone());
        if let Some(last) = seen.or(served) {
            *turn = Some(rows::id(&last)?);
        }
        Ok(dealt)
    }

    /// The longest due, whosever they are, without those under way.
    fn oldest_deliveries(&mut self, terms: &DeliveryTerms) -> Result<Vec<DueRow>, StoreError> {
        self.run(|conn| {
            let query = webhook_deliveries::table
                .filter(pending())
                .filter(webhook_deliveries::next_attempt_at.le(terms.now))
                .filter(is_free(terms.now))
                .order((
                    webhook_deliveries::next_attempt_at.asc(),
                    webhook_deliveries::id.asc(),
                ))
                .limit(rows::stored_number(SHORT_QUEUE));
            on_either!(
                conn,
                CachedByText(query.select(DueRow::as_select())).load(conn)
            )
        })
    }

    /// All that is due, by endpoint, beginning behind the turn.
    fn few_endpoints(
        &mut self,
        terms: &DeliveryTerms,
        due: Vec<DueRow>,
        behind: Option<&str>,
    ) -> Result<Vec<WaitingQueue<DueRow>>, StoreError> {
        let mut by_endpoint: BTreeMap<(bool, String), Vec<DueRow>> = BTreeMap::new();
        for one in due {
            let endpoint = one.row.endpoint_id.clone();
            let is_before = behind.is_some_and(|behind| endpoint.as_str() <= behind);
            by_endpoint
                .entry((is_before, endpoint))
                .or_default()
                .push(one);
        }
        let ids: Vec<&String> = by_endpoint.keys().map(|(_, endpoint)| endpoint).collect();
        let switched_on = self.switched_on(&ids)?;
        Ok(by_endpoint
            .into_iter()
            .filter(|((_, endpoint), _)| switched_on.contains(endpoint))
            .map(|((_, endpoint), waiting)| terms.party(&endpoint, waiting))
            .collect())
    }

    /// What is due of the endpoints behind the turn, until enough have nothing under way. Where there were too many to
    /// see them all, also how far this came.
    fn many_endpoints(
        &mut self,
        terms: &DeliveryTerms,
        behind: Option<String>,
    ) -> Result<(Vec<WaitingQueue<DueRow>>, Option<String>), StoreError> {
        let mut circle = RoundRobin::behind(behind);
        let (mut parties, mut idle) = (Vec::new(), 0);
        for _ in 0..LOOKED_UP {
            let found = self.next_endpoint(circle.position())?;
            let endpoint = match circle.step(found) {
                Step::At(endpoint) => endpoint,
                Step::Wrapped => continue,
                Step::Over => return Ok((parties, None)),
            };
            let room = usize::from(ENDPOINT_SHARE).saturating_sub(terms.leased(&endpoint));
            if room == 0 || self.switched_on(&[&endpoint])?.is_empty() {
                continue;
            }
            let due = self.due_to(terms, &endpoint, room.min(terms.limit))?;
            if due.is_empty() {
                continue;
            }
            idle += usize::from(terms.leased(&endpoint) == 0);
            parties.push(terms.party(&endpoint, due));
            if idle == terms.limit {
                return Ok((parties, None));
            }
        }
        let seen = circle.position().to_owned();
        Ok((parties, Some(seen)))
    }

    /// The first endpoint behind this one that anything waits for.
    fn next_endpoint(&mut self, behind: &str) -> Result<Option<String>, StoreError> {
        self.run(|conn| {
            let query = webhook_deliveries::table
                .filter(pending())
                .filter(webhook_deliveries::endpoint_id.gt(behind))
                .order(webhook_deliveries::endpoint_id.asc())
                .select(webhook_deliveries::endpoint_id);
            let row = on_either!(conn, CachedByText(query.limit(1)).get_result(conn));
            row.optional()
        })
    }

    /// The longest due to an endpoint.
    fn due_to(
        &mut self,
        terms: &DeliveryTerms,
        endpoint: &str,
        limit: usize,
    ) -> Result<Vec<DueRow>, StoreError> {
        self.run(|conn| {
            let query = webhook_deliveries::table
                .filter(pending())
                .filter(webhook_deliveries::endpoint_id.eq(endpoint))
                .filter(webhook_deliveries::next_attempt_at.le(terms.now))
                .filter(is_free(terms.now))
                .order((
                    webhook_deliveries::next_attempt_at.asc(),
                    webhook_deliveries::id.asc(),
                ))
                .limit(rows::stored_number(limit));
            on_either!(
                conn,
                CachedByText(query.select(DueRow::as_select())).load(conn)
            )
        })
    }

    /// Those of these endpoints that are switched on.
    fn switched_on(&mut self, endpoints: &[&String]) -> Result<HashSet<String>, StoreError> {
        let found = self.run(|conn| {
            let query = webhook_endpoints::table
                .filter(webhook_endpoints::id.eq_any(endpoints))
                .filter(webhook_endpoints::status.eq(EndpointStatus::Enabled.as_str()))
                .select(webhook_endpoints::id);
            on_either!(conn, CachedByText(query).load(conn))
        })?;
        Ok(found.into_iter().collect())
    }

    /// Takes these, raising their attempts, except for what another node is just taking.
    fn lease_deliveries(
        &mut self,
        due: Vec<DueRow>,
        terms: &DeliveryTerms,
        lease: &Lease,
    ) -> Result<Vec<(WebhookDelivery, Option<TraceParent>)>, StoreError> {
        let mut deliveries = Vec::new();
        for DueRow {
            mut row,
            trace_context,
        } in due
        {
            if !self.lock_delivery(&row, terms.now)? {
                continue;
            }
            row.attempts += 1;
            self.run(|conn| {
                let query = diesel::update(webhook_deliveries::table)
                    .filter(webhook_deliveries::workspace_id.eq(&row.workspace_id))
                    .filter(webhook_deliveries::id.eq(&row.id))
                    .set((
                        webhook_deliveries::attempts.eq(row.attempts),
                        webhook_deliveries::lease_until.eq(Moment(lease.until)),
                        webhook_deliveries::node_id.eq(lease.node.0.to_string()),
                    ));
                on_either!(conn, CachedByText(query).execute(conn))
            })?;
            deliveries.push((row.try_into()?, rows::trace(trace_context.as_deref())));
        }
        Ok(deliveries)
    }

    /// Puts a delivery out of the reach of other nodes until the transaction ends; false where one has it in hand.
    fn lock_delivery(&mut self, row: &DeliveryRow, now: Moment) -> Result<bool, StoreError> {
        let locked: Option<String> = self.run(|conn| match conn {
            AnyConnection::Postgres(conn) => webhook_deliveries::table
                .filter(webhook_deliveries::workspace_id.eq(&row.workspace_id))
                .filter(webhook_deliveries::id.eq(&row.id))
                .filter(is_free(now))
                .select(webhook_deliveries::id)
                .for_update()
                .skip_locked()
                .first(conn)
                .optional(),
            // There is one writer, and it is in this transaction.
            AnyConnection::Sqlite(_) => Ok(Some(row.id.clone())),
        })?;
        Ok(locked.is_some())
    }

    /// Whom these deliveries go to.
    fn endpoints_of(
        &mut self,
        deliveries: &[&WebhookDelivery],
    ) -> Result<ByKey<ids::WebhookEndpoint, WebhookEndpoint>, StoreError> {
        let vault = self.vault;
        let ids = deliveries.iter().map(|delivery| delivery.endpoint_id);
        let found = self.run(|conn| {
            let query = webhook_endpoints::table
                .filter(webhook_endpoints::workspace_id.eq_any(workspaces_of(deliveries)))
                .filter(webhook_endpoints::id.eq_any(texts(ids)));
            on_either!(
                conn,
                CachedByText(query.select(EndpointRow::as_select())).load(conn)
            )
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
        deliveries: &[&WebhookDelivery],
    ) -> Result<ByKey<ids::Event, Event>, StoreError> {
        let ids = deliveries.iter().map(|delivery| delivery.event_id);
        let found = self.run(|conn| {
            let query = events::table
                .filter(events::workspace_id.eq_any(workspaces_of(deliveries)))
                .filter(events::id.eq_any(texts(ids)));
            on_either!(
                conn,
                CachedByText(query.select(EventRow::as_select())).load(conn)
            )
        })?;
        found
            .into_iter()
            .map(Event::try_from)
            .map(|event| event.map(|it| ((it.workspace_id, it.id), it)))
            .collect()
    }
}

/// Written out and not bound, because the indexes of what waits are made for the word.
pub(super) fn pending() -> SqlLiteral<Bool> {
    sql("webhook_deliveries.status = 'pending'")
}

/// Whether nobody has it in hand.
#[diesel::dsl::auto_type(no_type_alias)]
pub(super) fn is_free(now: Moment) -> _ {
    let is_over: diesel::dsl::AssumeNotNull<
        diesel::dsl::Lt<webhook_deliveries::lease_until, Moment>,
    > = webhook_deliveries::lease_until.lt(now).assume_not_null();
    webhook_deliveries::lease_until.is_null().or(is_over)
}

fn workspaces_of(deliveries: &[&WebhookDelivery]) -> Vec<String> {
    texts(deliveries.iter().map(|delivery| delivery.workspace_id))
}

/// Identifiers as they are stored, each once.
fn texts<K: Identified>(ids: impl Iterator<Item = Id<K>>) -> Vec<String> {
    let each_once: HashSet<Id<K>> = ids.collect();
    each_once.iter().map(ToString::to_string).collect()
}
