//! What every event repository keeps to.

use lyceum_domain::events::{Event, EventId, EventType};
use lyceum_domain::workspaces::WorkspaceId;
use lyceum_ports::events::EventFilter;
use lyceum_ports::page::PageRequest;
use rstest::rstest;
use support::fakes::id;
use support::sample;
use support::sample_people as people;
use support::stores::{Database, TestStore};

/// Two workspaces, and the events given.
async fn store_with(database: Database, events: Vec<Event>) -> TestStore {
    let store = TestStore::open(database);
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

async fn find(store: &TestStore, workspace: WorkspaceId, n: u64) -> Option<Event> {
    store
        .read(move |tx| tx.events().find(workspace, id(n)))
        .await
        .unwrap()
}

async fn ids(store: &TestStore, filter: EventFilter) -> Vec<EventId> {
    let page = store
        .read(move |tx| tx.events().page(here(), &filter, &PageRequest::first(100)))
        .await
        .unwrap();
    page.items.iter().map(|event| event.id).collect()
}

#[rstest]
#[tokio::test]
async fn an_event_comes_back_byte_for_byte(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut event = people::event(here(), 10);
    // Signed as it is: no database may tidy up its spaces, order or numbers.
    event.body = "{\"z\": 1.50,  \"a\":\"漢\\u0041\"}\n".to_owned();
    let store = store_with(database, vec![event.clone()]).await;
    assert_eq!(find(&store, here(), 10).await, Some(event));
    assert_eq!(find(&store, elsewhere(), 10).await, None);
}

#[rstest]
#[tokio::test]
async fn every_type_of_event_can_be_stored(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let events: Vec<Event> = (10..)
        .zip(EventType::ALL)
        .map(|(n, kind)| Event {
            kind: *kind,
            ..people::event(here(), n)
        })
        .collect();
    let store = store_with(database, events.clone()).await;
    for event in events {
        let wanted = event.id;
        let found = store
            .read(move |tx| tx.events().find(here(), wanted))
            .await
            .unwrap();
        assert_eq!(found, Some(event));
    }
}

#[rstest]
#[tokio::test]
async fn pages_go_newest_first_through_everything_once(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut events: Vec<Event> = (10..15).map(|n| people::event(here(), n)).collect();
    events.push(people::event(elsewhere(), 15));
    let store = store_with(database, events).await;
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

#[rstest]
#[tokio::test]
async fn filters_narrow(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let about_the_same = Event {
        kind: EventType::CoursePublished,
        object_id: people::event(here(), 10).object_id,
        ..people::event(here(), 11)
    };
    let about = about_the_same.object_id.clone();
    let store = store_with(
        database,
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
