//! What every repository of deliveries keeps to when they are made again, looked for and forgotten.

use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_domain::ids::{EventId, WorkspaceId};
use lyceum_domain::notifying::deliveries::{DeliveryState, DeliveryStatus, WebhookDelivery};
use lyceum_domain::notifying::events::{Event, EventType};
use lyceum_ports::notifying::webhooks::DeliveryFilter;
use lyceum_ports::page::PageRequest;
use lyceum_ports::store::StoreError;

cases![Stores:
    a_delivery_is_found_in_its_workspace_alone,
    what_ended_is_claimed_again_once_it_is_queued_again,
    a_delivery_of_another_workspace_or_an_older_version_is_not_queued_again,
    an_attempt_under_way_may_end_although_its_delivery_was_asked_for_again,
    a_late_settler_is_fenced_off_although_attempts_started_anew,
    what_an_endpoint_missed_is_what_failed_and_what_was_never_queued_for_it,
    what_waits_for_a_later_attempt_is_hastened,
    what_ended_long_ago_is_forgotten,
    deliveries_are_found_by_status_page_by_page,
    deliveries_are_found_by_the_type_of_their_events_page_by_page,
];

fn here() -> WorkspaceId {
    id(1)
}

fn elsewhere() -> WorkspaceId {
    id(2)
}

fn at(seconds: u64) -> Timestamp {
    sample::now().plus(Duration::from_secs(seconds))
}

/// The `n`-th event, `n` seconds after the moment at which samples are made.
fn event(n: u64) -> Event {
    Event {
        created_at: at(n),
        ..people::event(here(), n)
    }
}

fn state(status: DeliveryStatus) -> DeliveryState {
    match status {
        DeliveryStatus::Pending => DeliveryState::due(at(100)),
        DeliveryStatus::Delivered => DeliveryState::Delivered,
        DeliveryStatus::Failed => DeliveryState::Failed,
    }
}

/// The delivery of the event with its number to the endpoint 1.
fn delivery(n: u64, status: DeliveryStatus) -> WebhookDelivery {
    WebhookDelivery {
        state: state(status),
        attempts: 1,
        ..people::delivery(here(), n, 1, n)
    }
}

/// Two workspaces, the endpoints 1 and 2 here, these events and these deliveries.
async fn store_with(
    stores: &Stores,
    events: Vec<Event>,
    deliveries: Vec<WebhookDelivery>,
) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.workspaces().insert(&sample::workspace(2))?;
            tx.webhooks().insert(&people::endpoint(here(), 1))?;
            tx.webhooks().insert(&people::endpoint(here(), 2))?;
            events
                .iter()
                .try_for_each(|event| tx.events().append(event))?;
            deliveries
                .iter()
                .try_for_each(|delivery| tx.webhooks().insert_delivery(delivery, None))
        })
        .await
        .unwrap();
    store
}

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<WebhookDelivery> {
    store
        .read(move |tx| tx.webhooks().find_delivery(workspace, id(n)))
        .await
        .unwrap()
}

async fn requeue(store: &OpenStore, delivery: WebhookDelivery) -> Result<(), StoreError> {
    store
        .write(move |tx| tx.webhooks().requeue_delivery(&delivery))
        .await
}

async fn claim(store: &OpenStore, seconds: u64) -> Vec<WebhookDelivery> {
    let claimed = store
        .write(move |tx| {
            tx.webhooks()
                .claim_deliveries(&sample::lease(1, at(seconds)), &mut None, 10)
        })
        .await
        .unwrap();
    claimed
        .into_iter()
        .map(|claimed| claimed.delivery)
        .collect()
}

async fn settle(store: &OpenStore, delivery: WebhookDelivery) -> bool {
    store
        .write(move |tx| tx.webhooks().settle_delivery(&delivery))
        .await
        .unwrap()
}

/// A delivery as its worker leaves it.
fn ended(mut delivery: WebhookDelivery, status: DeliveryStatus) -> WebhookDelivery {
    delivery.state = state(status);
    delivery.stamp.touch(at(1));
    delivery
}

async fn a_delivery_is_found_in_its_workspace_alone(stores: &Stores) {
    let there = delivery(10, DeliveryStatus::Failed);
    let store = store_with(stores, vec![event(10)], vec![there.clone()]).await;
    assert_eq!(find(&store, here(), 10).await, Some(there));
    assert_eq!(find(&store, elsewhere(), 10).await, None);
    assert_eq!(find(&store, here(), 11).await, None);
}

async fn what_ended_is_claimed_again_once_it_is_queued_again(stores: &Stores) {
    let mut again = delivery(10, DeliveryStatus::Delivered);
    let store = store_with(stores, vec![event(10)], vec![again.clone()]).await;
    assert_eq!(claim(&store, 0).await, []);
    again.requeue(at(5));
    requeue(&store, again.clone()).await.unwrap();
    assert_eq!(find(&store, here(), 10).await, Some(again.clone()));
    let first_try = WebhookDelivery {
        attempts: 1,
        ..again
    };
    assert_eq!(claim(&store, 5).await, [first_try]);
}

async fn a_delivery_of_another_workspace_or_an_older_version_is_not_queued_again(stores: &Stores) {
    let mut newest = delivery(10, DeliveryStatus::Failed);
    newest.stamp.version = 3;
    let store = store_with(stores, vec![event(10)], vec![newest.clone()]).await;
    let mut stale = newest.clone();
    stale.stamp.version = 1;
    stale.requeue(at(5));
    let mut foreign = newest.clone();
    foreign.workspace_id = elsewhere();
    foreign.requeue(at(5));
    for wrong in [stale, foreign] {
        let refused = requeue(&store, wrong).await;
        assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
    }
    assert_eq!(find(&store, here(), 10).await, Some(newest));
}

async fn an_attempt_under_way_may_end_although_its_delivery_was_asked_for_again(stores: &Stores) {
    let store = store_with(
        stores,
        vec![event(10)],
        vec![delivery(10, DeliveryStatus::Pending)],
    )
    .await;
    let claimed = claim(&store, 100).await.remove(0);
    let mut asked = claimed.clone();
    asked.requeue(at(101));
    requeue(&store, asked).await.unwrap();
    assert_eq!(claim(&store, 101).await, [], "it keeps its claim");
    assert!(settle(&store, ended(claimed, DeliveryStatus::Delivered)).await);
}

async fn a_late_settler_is_fenced_off_although_attempts_started_anew(stores: &Stores) {
    let fresh = WebhookDelivery {
        attempts: 0,
        ..delivery(10, DeliveryStatus::Pending)
    };
    let store = store_with(stores, vec![event(10)], vec![fresh]).await;
    let late = claim(&store, 100).await.remove(0);
    let second = claim(&store, 161).await.remove(0);
    let mut again = ended(second, DeliveryStatus::Failed);
    assert!(settle(&store, again.clone()).await);
    again.requeue(at(170));
    requeue(&store, again).await.unwrap();
    let third = claim(&store, 170).await.remove(0);
    assert_eq!(late.attempts, third.attempts);
    assert!(!settle(&store, ended(late, DeliveryStatus::Failed)).await);
    assert!(settle(&store, ended(third, DeliveryStatus::Delivered)).await);
}

async fn undelivered(
    store: &OpenStore,
    kinds: &'static [EventType],
    since: u64,
    limit: u16,
) -> Vec<(EventId, Option<WebhookDelivery>)> {
    store
        .read(move |tx| {
            tx.webhooks()
                .undelivered(here(), id(1), kinds, at(since), limit)
        })
        .await
        .unwrap()
}

async fn what_an_endpoint_missed_is_what_failed_and_what_was_never_queued_for_it(stores: &Stores) {
    const COURSES: &[EventType] = &[EventType::CourseCreated, EventType::CourseDeleted];
    let mut events: Vec<Event> = (10..16).map(event).collect();
    events[4].kind = EventType::UserCreated;
    let mut foreign = event(20);
    foreign.workspace_id = elsewhere();
    events.push(foreign);
    let failed = delivery(12, DeliveryStatus::Failed);
    let deliveries = vec![
        delivery(10, DeliveryStatus::Delivered),
        delivery(11, DeliveryStatus::Pending),
        failed.clone(),
        // That another endpoint got it says nothing about this one.
        WebhookDelivery {
            endpoint_id: id(2),
            ..delivery(13, DeliveryStatus::Delivered)
        },
    ];
    let store = store_with(stores, events, deliveries).await;
    let all = [(id(12), Some(failed)), (id(13), None), (id(15), None)];
    assert_eq!(undelivered(&store, COURSES, 0, 10).await, all);
    assert_eq!(undelivered(&store, COURSES, 0, 2).await, all[..2]);
    assert_eq!(undelivered(&store, COURSES, 13, 10).await, all[1..]);
    let none = undelivered(&store, &[EventType::CourseDeleted], 0, 10).await;
    assert_eq!(none, []);
}

async fn what_waits_for_a_later_attempt_is_hastened(stores: &Stores) {
    let at_moment = |n: u64, seconds: u64| {
        let mut waiting = delivery(n, DeliveryStatus::Pending);
        waiting.stamp.created_at = at(seconds);
        waiting
    };
    let due = WebhookDelivery {
        state: DeliveryState::due(at(1)),
        ..at_moment(13, 5)
    };
    let other = WebhookDelivery {
        endpoint_id: id(2),
        ..at_moment(14, 5)
    };
    let store = store_with(
        stores,
        (10..16).map(event).collect(),
        vec![
            at_moment(10, 4),
            at_moment(11, 5),
            delivery(12, DeliveryStatus::Failed),
            due,
            other,
        ],
    )
    .await;
    let hasten = async || {
        store
            .write(|tx| {
                tx.webhooks()
                    .hasten_deliveries(here(), id(1), at(5), at(50))
            })
            .await
            .unwrap()
    };
    assert_eq!(hasten().await, 1);
    assert_eq!(hasten().await, 0);
    let hastened = find(&store, here(), 11).await.unwrap();
    assert_eq!(hastened.state, DeliveryState::due(at(50)));
    let earlier = find(&store, here(), 10).await.unwrap();
    assert_eq!(earlier.state, DeliveryState::due(at(100)));
}

async fn what_ended_long_ago_is_forgotten(stores: &Stores) {
    let queued_at = |n: u64, seconds: u64, status| {
        let mut delivery = delivery(n, status);
        delivery.stamp.created_at = at(seconds);
        delivery
    };
    let store = store_with(
        stores,
        (10..14).map(event).collect(),
        vec![
            queued_at(10, 4, DeliveryStatus::Delivered),
            queued_at(11, 4, DeliveryStatus::Failed),
            queued_at(12, 4, DeliveryStatus::Pending),
            queued_at(13, 5, DeliveryStatus::Delivered),
        ],
    )
    .await;
    let forget = async || {
        store
            .write(|tx| tx.webhooks().forget_deliveries_before(at(5), 100))
            .await
            .unwrap()
    };
    assert_eq!(forget().await, 2);
    assert_eq!(forget().await, 0);
    let mut left = Vec::new();
    for n in 10..14 {
        left.extend(find(&store, here(), n).await.map(|delivery| delivery.id));
    }
    assert_eq!(left, [id(12), id(13)]);
}

async fn deliveries_are_found_by_status_page_by_page(stores: &Stores) {
    let statuses = [
        DeliveryStatus::Failed,
        DeliveryStatus::Delivered,
        DeliveryStatus::Failed,
        DeliveryStatus::Pending,
    ];
    let deliveries = (10..).zip(statuses).map(|(n, status)| delivery(n, status));
    let store = store_with(stores, (10..14).map(event).collect(), deliveries.collect()).await;
    let filter = DeliveryFilter {
        status: Some(DeliveryStatus::Failed),
        kind: None,
    };
    let page = async |page: PageRequest| {
        store
            .read(move |tx| tx.webhooks().deliveries(here(), id(1), &filter, &page))
            .await
            .unwrap()
    };
    let first = page(PageRequest::first(1)).await;
    assert_eq!(first.items, [delivery(12, DeliveryStatus::Failed)]);
    let rest = page(PageRequest {
        after: first.next,
        ..PageRequest::first(1)
    })
    .await;
    assert_eq!(rest.items, [delivery(10, DeliveryStatus::Failed)]);
    assert_eq!(rest.next, None);
}

async fn deliveries_are_found_by_the_type_of_their_events_page_by_page(stores: &Stores) {
    let published = |n| Event {
        kind: EventType::CoursePublished,
        ..event(n)
    };
    let events = vec![event(10), published(11), event(12), published(13)];
    let statuses = [DeliveryStatus::Failed, DeliveryStatus::Delivered];
    let deliveries = (10..14).map(|n| delivery(n, statuses[usize::try_from(n % 2).unwrap()]));
    let store = store_with(stores, events, deliveries.collect()).await;
    let found = async |filter: DeliveryFilter| {
        let mut found = Vec::new();
        let mut page = PageRequest::first(1);
        loop {
            let asked = page.clone();
            let read =
                store.read(move |tx| tx.webhooks().deliveries(here(), id(1), &filter, &asked));
            let part = read.await.unwrap();
            found.extend(part.items.into_iter().map(|one| one.event_id));
            page.after = part.next;
            if page.after.is_none() {
                return found;
            }
        }
    };
    let of = |kind, status| DeliveryFilter {
        status,
        kind: Some(kind),
    };
    let ids = |all: &[u64]| -> Vec<EventId> { all.iter().map(|n| id(*n)).collect() };
    assert_eq!(
        found(of(EventType::CoursePublished, None)).await,
        ids(&[13, 11])
    );
    let failed = Some(DeliveryStatus::Failed);
    assert_eq!(
        found(of(EventType::CourseCreated, failed)).await,
        ids(&[12, 10])
    );
    assert_eq!(
        found(of(EventType::CoursePublished, failed)).await,
        ids(&[])
    );
    assert_eq!(found(of(EventType::UserErased, None)).await, ids(&[]));
}
