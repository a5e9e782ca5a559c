//! What every event repository keeps to.

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::identity::actors::ActedBy;
use lyceum_domain::ids::{EventId, WorkspaceId};
use lyceum_domain::notifying::events::{Event, EventType};
use lyceum_ports::notifying::events::EventFilter;
use lyceum_ports::page::PageRequest;

cases![Stores:
    an_event_comes_back_byte_for_byte,
    every_type_of_event_can_be_stored,
    who_did_it_is_stored_as_kind_and_id,
    pages_go_newest_first_through_everything_once,
    filters_narrow,
];

/// Two workspaces, and the events given.
async fn store_with(stores: &Stores, events: Vec<Event>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.workspaces().insert(&sample::workspace(2))?;
            events
                .iter()
                .try_for_each(|event| tx.events().append(event))
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

async fn find(store: &OpenStore, workspace: WorkspaceId, n: u64) -> Option<Event> {
    store
        .read(move |tx| tx.events().find(workspace, id(n)))
        .await
        .unwrap()
}

async fn ids(store: &OpenStore, filter: EventFilter) -> Vec<EventId> {
    let page = store
        .read(move |tx| tx.events().page(here(), &filter, &PageRequest::first(100)))
        .await
        .unwrap();
    page.items.iter().map(|event| event.id).collect()
}

async fn an_event_comes_back_byte_for_byte(stores: &Stores) {
    let mut event = people::event(here(), 10);
    // Signed as it is: no database may tidy up its spaces, order or numbers.
    event.body = "{\"z\": 1.50,  \"a\":\"漢\\u0041\"}\n".to_owned();
    let store = store_with(stores, vec![event.clone()]).await;
    assert_eq!(find(&store, here(), 10).await, Some(event));
    assert_eq!(find(&store, elsewhere(), 10).await, None);
}

async fn every_type_of_event_can_be_stored(stores: &Stores) {
    let events: Vec<Event> = (10..)
        .zip(EventType::ALL)
        .map(|(n, kind)| Event {
            kind: *kind,
            ..people::event(here(), n)
        })
        .collect();
    let store = store_with(stores, events.clone()).await;
    for event in events {
        let wanted = event.id;
        let found = store
            .read(move |tx| tx.events().find(here(), wanted))
            .await
            .unwrap();
        assert_eq!(found, Some(event));
    }
}

async fn who_did_it_is_stored_as_kind_and_id(stores: &Stores) {
    let by = [
        Some(ActedBy::Person(Some(id(3)))),
        Some(ActedBy::Person(None)),
        Some(ActedBy::Service(id(4))),
        Some(ActedBy::Agent(Some("a:model".to_owned()))),
        Some(ActedBy::System),
        // Of what happened before that was noted.
        None,
    ];
    let events: Vec<Event> = (10..)
        .zip(by)
        .map(|(n, actor)| Event {
            actor,
            ..people::event(here(), n)
        })
        .collect();
    let store = store_with(stores, events.clone()).await;
    for (n, event) in (10..).zip(events) {
        assert_eq!(find(&store, here(), n).await, Some(event));
    }
}

async fn pages_go_newest_first_through_everything_once(stores: &Stores) {
    let mut events: Vec<Event> = (10..15).map(|n| people::event(here(), n)).collect();
    events.push(people::event(elsewhere(), 15));
    let store = store_with(stores, events).await;
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(2));
    loop {
        let wanted = page.clone();
        let got = store
            .read(move |tx| tx.events().page(here(), &EventFilter::default(), &wanted))
            .await
            .unwrap();
        seen.extend(got.items.iter().map(|event| event.id));
        match got.next {
            Some(after) => page.after = Some(after),
            None => break,
        }
    }
    let expected: Vec<EventId> = (10..15).rev().map(id).collect();
    assert_eq!(seen, expected);
}

async fn filters_narrow(stores: &Stores) {
    let about_the_same = Event {
        kind: EventType::CoursePublished,
        object_id: people::event(here(), 10).object_id,
        ..people::event(here(), 11)
    };
    let about = about_the_same.object_id.clone();
    let store = store_with(
        stores,
        vec![
            people::event(here(), 10),
            about_the_same,
            people::event(here(), 12),
            people::event(elsewhere(), 10),
        ],
    )
    .await;
    let by = |kind: Option<EventType>, object_id: Option<String>| EventFilter { kind, object_id };
    assert_eq!(
        ids(&store, by(Some(EventType::CourseCreated), None)).await,
        [id(12), id(10)]
    );
    assert_eq!(
        ids(&store, by(None, Some(about.clone()))).await,
        [id(11), id(10)]
    );
    assert_eq!(
        ids(&store, by(Some(EventType::CoursePublished), Some(about))).await,
        [id(11)]
    );
    assert_eq!(
        ids(&store, by(Some(EventType::CourseDeleted), None)).await,
        []
    );
}
