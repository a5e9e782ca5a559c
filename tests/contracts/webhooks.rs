//! What every repository of webhook endpoints and deliveries keeps to.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_domain::ids::{WebhookDeliveryId, WebhookEndpointId, WorkspaceId};
use lyceum_domain::notifying::deliveries::{DeliveryState, WebhookDelivery};
use lyceum_domain::notifying::webhooks::{
    EndpointStatus, EventFilter, WebhookEndpoint, WebhookSecret,
};
use lyceum_domain::text::LongText;
use lyceum_ports::notifying::webhooks::{ClaimedDelivery, DeliveryFilter};
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::{Store, StoreError};

cases![Stores:
    an_endpoint_comes_back_as_it_was_stored,
    another_workspace_cannot_find_change_or_delete_it,
    a_change_is_stored_only_over_the_version_before_it,
    pages_go_newest_first_and_the_enabled_ones_are_known,
    a_delivery_comes_back_as_it_was_stored,
    pages_of_deliveries_go_newest_first_through_everything_once,
    an_event_goes_to_an_endpoint_once,
    a_claim_brings_all_that_is_needed_to_deliver,
    what_caused_a_delivery_is_known_at_every_attempt,
    deliveries_are_claimed_when_due_longest_waiting_first_and_no_more_than_asked_for,
    nothing_is_delivered_to_an_endpoint_that_is_switched_off,
    a_settled_delivery_is_done_or_waits_for_its_next_attempt,
    a_lease_that_ran_out_hands_the_delivery_on_and_fences_the_late_settler,
    a_deleted_endpoint_takes_its_deliveries_along,
    two_nodes_share_the_deliveries_and_never_take_the_same,
];

/// Two workspaces, and the endpoints given.
async fn store_with(stores: &Stores, endpoints: Vec<WebhookEndpoint>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.workspaces().insert(&sample::workspace(2))?;
            endpoints
                .iter()
                .try_for_each(|endpoint| tx.webhooks().insert(endpoint))
        })
        .await
        .unwrap();
    store
}

/// The endpoint 1 here, a numbered event for each delivery, and the deliveries.
async fn store_with_deliveries(stores: &Stores, deliveries: Vec<WebhookDelivery>) -> OpenStore {
    let store = store_with(stores, vec![people::endpoint(here(), 1)]).await;
    store
        .write(move |tx| {
            deliveries.iter().try_for_each(|delivery| {
                let mut event = people::event(here(), 0);
                event.id = delivery.event_id;
                tx.events().append(&event)?;
                tx.webhooks().insert_delivery(delivery, None)
            })
        })
        .await
        .unwrap();
    store
}

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

/// The `n`-th delivery, of the event with its number, to the endpoint 1.
fn delivery(n: u64) -> WebhookDelivery {
    people::delivery(here(), n, 1, n)
}

/// So many seconds after the moment at which samples are made.
fn at(seconds: u64) -> Timestamp {
    sample::now().plus(Duration::from_secs(seconds))
}

/// An endpoint with all there can be.
fn full_endpoint(n: u64) -> WebhookEndpoint {
    WebhookEndpoint {
        enabled_events: EventFilter::parse(vec!["submission.*".into(), "ping".into()]).unwrap(),
        description: LongText::parse("To the «CRM»").unwrap(),
        previous_secret: Some((
            WebhookSecret::from_text("whsec_previously".to_owned()),
            at(60),
        )),
        failing_since: Some(at(1)),
        ..people::endpoint(here(), n)
    }
}

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<WebhookEndpoint> {
    store
        .read(move |tx| tx.webhooks().find(workspace, id(n)))
        .await
        .unwrap()
}

/// Claims at a moment, for a minute; the deliveries alone.
async fn claim(store: &OpenStore, seconds: u64, limit: u16) -> Vec<WebhookDelivery> {
    let claimed = store
        .write(move |tx| {
            tx.webhooks()
                .claim_deliveries(&sample::lease(1, at(seconds)), &mut None, limit)
        })
        .await
        .unwrap();
    claimed
        .into_iter()
        .map(|claimed| claimed.delivery)
        .collect()
}

async fn claimed_ids(store: &OpenStore, seconds: u64, limit: u16) -> Vec<WebhookDeliveryId> {
    let claimed = claim(store, seconds, limit).await;
    claimed.iter().map(|delivery| delivery.id).collect()
}

async fn settle(store: &OpenStore, delivery: WebhookDelivery) -> bool {
    store
        .write(move |tx| tx.webhooks().settle_delivery(&delivery))
        .await
        .unwrap()
}

async fn listed(store: &OpenStore) -> Vec<WebhookDelivery> {
    let page = PageRequest::first(100);
    store
        .read(move |tx| {
            tx.webhooks()
                .deliveries(here(), id(1), &DeliveryFilter::default(), &page)
        })
        .await
        .unwrap()
        .items
}

async fn an_endpoint_comes_back_as_it_was_stored(stores: &Stores) {
    let (full, bare) = (full_endpoint(10), people::endpoint(here(), 11));
    let store = store_with(stores, vec![full.clone(), bare.clone()]).await;
    assert_eq!(find(&store, here(), 10).await, Some(full));
    assert_eq!(find(&store, here(), 11).await, Some(bare));
}

async fn another_workspace_cannot_find_change_or_delete_it(stores: &Stores) {
    let endpoint = people::endpoint(here(), 10);
    let store = store_with(stores, vec![endpoint.clone()]).await;
    assert_eq!(find(&store, elsewhere(), 10).await, None);
    let deleted = store
        .write(|tx| tx.webhooks().delete(elsewhere(), id(10)))
        .await
        .unwrap();
    assert!(!deleted);
    let mut moved = endpoint.clone();
    moved.workspace_id = elsewhere();
    moved.stamp.touch(sample::now());
    let update = store.write(move |tx| tx.webhooks().update(&moved)).await;
    assert!(matches!(update, Err(StoreError::Stale)), "{update:?}");
    assert_eq!(find(&store, here(), 10).await, Some(endpoint));
}

async fn a_change_is_stored_only_over_the_version_before_it(stores: &Stores) {
    let mut endpoint = full_endpoint(10);
    let store = store_with(stores, vec![endpoint.clone(), full_endpoint(11)]).await;
    endpoint.status = EndpointStatus::Disabled;
    endpoint.secret = WebhookSecret::from_text("whsec_rotated".to_owned());
    endpoint.previous_secret = None;
    endpoint.failing_since = None;
    endpoint.stamp.touch(at(1));
    let (first, second) = (endpoint.clone(), endpoint.clone());
    store
        .write(move |tx| tx.webhooks().update(&first))
        .await
        .unwrap();
    let again = store.write(move |tx| tx.webhooks().update(&second)).await;
    assert!(matches!(again, Err(StoreError::Stale)), "{again:?}");
    assert_eq!(find(&store, here(), 10).await, Some(endpoint));
    assert_eq!(find(&store, here(), 11).await, Some(full_endpoint(11)));
}

async fn pages_go_newest_first_and_the_enabled_ones_are_known(stores: &Stores) {
    let mut endpoints: Vec<WebhookEndpoint> =
        (10..15).map(|n| people::endpoint(here(), n)).collect();
    endpoints[1].status = EndpointStatus::Disabled;
    endpoints.push(people::endpoint(elsewhere(), 15));
    let store = store_with(stores, endpoints).await;
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(2));
    loop {
        let wanted = page.clone();
        let got = store
            .read(move |tx| tx.webhooks().page(here(), &wanted))
            .await
            .unwrap();
        seen.extend(got.items.iter().map(|endpoint| endpoint.id));
        match got.next {
            Some(after) => page.after = Some(after),
            None => break,
        }
    }
    let expected: Vec<WebhookEndpointId> = (10..15).rev().map(id).collect();
    assert_eq!(seen, expected);
    let enabled = store
        .read(|tx| tx.webhooks().enabled(here()))
        .await
        .unwrap();
    let enabled: BTreeSet<WebhookEndpointId> = enabled.iter().map(|endpoint| endpoint.id).collect();
    assert_eq!(
        enabled,
        [10, 12, 13, 14]
            .map(id)
            .into_iter()
            .collect::<BTreeSet<_>>()
    );
}

async fn a_delivery_comes_back_as_it_was_stored(stores: &Stores) {
    let full = WebhookDelivery {
        state: DeliveryState::Failed,
        attempts: 8,
        last_status: Some(503),
        last_error: Some("503 Service Unavailable".to_owned()),
        ..delivery(11)
    };
    let store = store_with_deliveries(stores, vec![delivery(10), full.clone()]).await;
    assert_eq!(listed(&store).await, [full, delivery(10)]);
    let page = PageRequest::first(10);
    let foreign = store
        .read(move |tx| {
            tx.webhooks()
                .deliveries(elsewhere(), id(1), &DeliveryFilter::default(), &page)
        })
        .await
        .unwrap();
    assert_eq!(foreign.items, []);
}

async fn pages_of_deliveries_go_newest_first_through_everything_once(stores: &Stores) {
    let store = store_with_deliveries(stores, (10..15).map(delivery).collect()).await;
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(2));
    loop {
        let wanted = page.clone();
        let got = store
            .read(move |tx| {
                tx.webhooks()
                    .deliveries(here(), id(1), &DeliveryFilter::default(), &wanted)
            })
            .await
            .unwrap();
        seen.extend(got.items.iter().map(|delivery| delivery.id));
        match got.next {
            Some(after) => page.after = Some(after),
            None => break,
        }
    }
    let expected: Vec<WebhookDeliveryId> = (10..15).rev().map(id).collect();
    assert_eq!(seen, expected);
}

async fn an_event_goes_to_an_endpoint_once(stores: &Stores) {
    let store = store_with_deliveries(stores, vec![delivery(10)]).await;
    let again = store
        .write(|tx| {
            let mut again = delivery(11);
            again.event_id = id(10);
            tx.webhooks().insert_delivery(&again, None)
        })
        .await;
    assert!(
        matches!(again, Err(StoreError::Taken { field: "event_id" })),
        "{again:?}"
    );
}

async fn a_claim_brings_all_that_is_needed_to_deliver(stores: &Stores) {
    let endpoints = vec![
        full_endpoint(1),
        people::endpoint(here(), 2),
        people::endpoint(elsewhere(), 1),
    ];
    let store = store_with(stores, endpoints).await;
    store
        .write(|tx| {
            tx.events().append(&people::event(here(), 1))?;
            tx.events().append(&people::event(elsewhere(), 1))?;
            tx.webhooks()
                .insert_delivery(&people::delivery(here(), 1, 1, 10), None)?;
            tx.webhooks()
                .insert_delivery(&people::delivery(here(), 1, 2, 11), Some(people::trace(2)))?;
            // The same numbers in another workspace are other things.
            tx.webhooks()
                .insert_delivery(&people::delivery(elsewhere(), 1, 1, 12), None)
        })
        .await
        .unwrap();
    let claimed = store
        .write(|tx| {
            tx.webhooks()
                .claim_deliveries(&sample::lease(1, at(0)), &mut None, 10)
        })
        .await
        .unwrap();
    let first_try = |delivery| WebhookDelivery {
        attempts: 1,
        ..delivery
    };
    let expected = [
        ClaimedDelivery {
            delivery: first_try(people::delivery(here(), 1, 1, 10)),
            endpoint: full_endpoint(1),
            event: people::event(here(), 1),
            trace: None,
        },
        ClaimedDelivery {
            delivery: first_try(people::delivery(here(), 1, 2, 11)),
            endpoint: people::endpoint(here(), 2),
            event: people::event(here(), 1),
            trace: Some(people::trace(2)),
        },
        ClaimedDelivery {
            delivery: first_try(people::delivery(elsewhere(), 1, 1, 12)),
            endpoint: people::endpoint(elsewhere(), 1),
            event: people::event(elsewhere(), 1),
            trace: None,
        },
    ];
    assert_eq!(claimed, expected);
}

async fn what_caused_a_delivery_is_known_at_every_attempt(stores: &Stores) {
    let store = store_with(stores, vec![people::endpoint(here(), 1)]).await;
    store
        .write(move |tx| {
            tx.events().append(&people::event(here(), 10))?;
            tx.webhooks()
                .insert_delivery(&delivery(10), Some(people::trace(3)))
        })
        .await
        .unwrap();
    let mut attempt = claim(&store, 0, 1).await.remove(0);
    attempt.state = DeliveryState::due(at(5));
    assert!(settle(&store, attempt).await);
    let claimed = store
        .write(|tx| {
            tx.webhooks()
                .claim_deliveries(&sample::lease(1, at(5)), &mut None, 1)
        })
        .await
        .unwrap();
    let known: Vec<_> = claimed
        .iter()
        .map(|one| (one.delivery.attempts, one.trace))
        .collect();
    assert_eq!(known, [(2, Some(people::trace(3)))]);
}

async fn deliveries_are_claimed_when_due_longest_waiting_first_and_no_more_than_asked_for(
    stores: &Stores,
) {
    let due_at = |n: u64, seconds: u64| WebhookDelivery {
        state: DeliveryState::due(at(seconds)),
        ..delivery(n)
    };
    let delivered = WebhookDelivery {
        state: DeliveryState::Delivered,
        ..delivery(14)
    };
    let deliveries = vec![
        due_at(10, 5),
        due_at(11, 3),
        due_at(12, 3),
        due_at(13, 9),
        delivered,
    ];
    let store = store_with_deliveries(stores, deliveries).await;
    assert_eq!(claimed_ids(&store, 2, 10).await, []);
    assert_eq!(
        claimed_ids(&store, 5, 2).await,
        [id(11), id(12)],
        "by time, then by id"
    );
    assert_eq!(claimed_ids(&store, 5, 2).await, [id(10)]);
    assert_eq!(claimed_ids(&store, 5, 2).await, []);
}

async fn nothing_is_delivered_to_an_endpoint_that_is_switched_off(stores: &Stores) {
    let store = store_with_deliveries(stores, vec![delivery(10)]).await;
    let switch = |status: EndpointStatus, version: i64| {
        let mut endpoint = people::endpoint(here(), 1);
        endpoint.status = status;
        endpoint.stamp.version = version;
        store.write(move |tx| tx.webhooks().update(&endpoint))
    };
    switch(EndpointStatus::Disabled, 2).await.unwrap();
    assert_eq!(claimed_ids(&store, 0, 10).await, []);
    switch(EndpointStatus::Enabled, 3).await.unwrap();
    assert_eq!(claimed_ids(&store, 0, 10).await, [id(10)]);
}

async fn a_settled_delivery_is_done_or_waits_for_its_next_attempt(stores: &Stores) {
    let store = store_with_deliveries(stores, vec![delivery(10), delivery(11)]).await;
    let mut claimed = claim(&store, 0, 10).await;
    let (mut refused, mut taken) = (claimed.remove(0), claimed.remove(0));
    refused.state = DeliveryState::due(at(5));
    refused.last_status = Some(500);
    refused.last_error = Some("500".to_owned());
    refused.stamp.touch(at(1));
    taken.state = DeliveryState::Delivered;
    taken.last_status = Some(204);
    taken.stamp.touch(at(1));
    assert!(settle(&store, refused.clone()).await);
    assert!(settle(&store, taken.clone()).await);
    assert_eq!(listed(&store).await, [taken.clone(), refused.clone()]);
    assert!(!settle(&store, taken).await, "done is done");
    // The lease went with the attempt: the next one need not wait for its end.
    let again = claim(&store, 5, 10).await;
    let expected = WebhookDelivery {
        attempts: 2,
        ..refused
    };
    assert_eq!(again, [expected]);
}

async fn a_lease_that_ran_out_hands_the_delivery_on_and_fences_the_late_settler(stores: &Stores) {
    let store = store_with_deliveries(stores, vec![delivery(10)]).await;
    let mut late = claim(&store, 0, 10).await.remove(0);
    assert_eq!(claim(&store, 60, 10).await, [], "it lasts to its end");
    let mut newer = claim(&store, 61, 10).await.remove(0);
    assert_eq!((late.attempts, newer.attempts), (1, 2));
    late.state = DeliveryState::Failed;
    assert!(!settle(&store, late).await);
    assert_eq!(listed(&store).await, [newer.clone()]);
    newer.state = DeliveryState::Delivered;
    assert!(settle(&store, newer).await);
}

async fn a_deleted_endpoint_takes_its_deliveries_along(stores: &Stores) {
    let store = store_with_deliveries(stores, vec![delivery(10)]).await;
    let deleted = store
        .write(|tx| {
            Ok((
                tx.webhooks().delete(here(), id(1))?,
                tx.webhooks().delete(here(), id(1))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(deleted, (true, false));
    assert_eq!(listed(&store).await, []);
    assert_eq!(claim(&store, 0, 10).await, []);
}

/// Claims by threes, and ends what it has, until there is nothing left to take.
async fn drain(store: Arc<dyn Store>) -> Vec<WebhookDeliveryId> {
    let mut taken = Vec::new();
    loop {
        let claimed: Result<Vec<_>, StoreError> = store
            .write(|tx| {
                tx.webhooks()
                    .claim_deliveries(&sample::lease(1, at(0)), &mut None, 3)
            })
            .await;
        let claimed = claimed.unwrap();
        if claimed.is_empty() {
            return taken;
        }
        taken.extend(claimed.iter().map(|claimed| claimed.delivery.id));
        let ended: Result<(), StoreError> = store
            .write(move |tx| {
                for ClaimedDelivery { delivery, .. } in &claimed {
                    let mut ended = delivery.clone();
                    ended.state = DeliveryState::Delivered;
                    ended.stamp.touch(at(0));
                    assert!(tx.webhooks().settle_delivery(&ended)?);
                }
                Ok(())
            })
            .await;
        ended.unwrap();
    }
}

async fn two_nodes_share_the_deliveries_and_never_take_the_same(stores: &Stores) {
    let store = store_with_deliveries(stores, (10..70).map(delivery).collect()).await;
    let one = tokio::spawn(drain(Arc::clone(&store.store)));
    let other = tokio::spawn(drain(stores.open().await.store));
    let taken = [one.await.unwrap(), other.await.unwrap()].concat();
    let expected: BTreeSet<WebhookDeliveryId> = (10..70).map(id).collect();
    assert_eq!(taken.len(), expected.len(), "some were taken twice");
    assert_eq!(taken.into_iter().collect::<BTreeSet<_>>(), expected);
}
