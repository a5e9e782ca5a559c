//! What every registry of nodes keeps to.

use std::time::Duration;

use lyceum_domain::Timestamp;
use lyceum_ports::nodes::{Node, NodeId, NodeState};
use rstest::rstest;
use support::sample;
use support::stores::{Database, TestStore};
use uuid::Uuid;

/// So many seconds after the moment at which samples are made.
fn at(seconds: u64) -> Timestamp {
    sample::now().plus(Duration::from_secs(seconds))
}

const fn uuid(n: u64) -> Uuid {
    Uuid::from_u64_pair(0, n)
}

fn node(n: u64, seen: u64) -> Node {
    Node {
        id: NodeId(uuid(n)),
        name: Some(format!("node-{n}")),
        host: "machine".to_owned(),
        version: "1.2.3".to_owned(),
        state: NodeState::Serving,
        started_at: at(0),
        seen_at: at(seen),
    }
}

async fn announce(store: &TestStore, node: Node) {
    let announced = store.write(move |tx| tx.nodes().announce(&node)).await;
    announced.unwrap();
}

#[rstest]
#[tokio::test]
async fn nodes_that_serve_and_were_seen_lately_are_counted(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = TestStore::open(database);
    let live = async |seconds| store.read(move |tx| tx.nodes().live(at(seconds))).await;
    assert_eq!(live(0).await.unwrap(), 0);
    announce(&store, node(1, 0)).await;
    announce(&store, node(2, 0)).await;
    announce(&store, node(3, 0)).await;
    announce(&store, node(1, 15)).await;
    let draining = Node {
        state: NodeState::Draining,
        ..node(3, 15)
    };
    announce(&store, draining.clone()).await;
    assert_eq!(
        live(16).await.unwrap(),
        2,
        "the third takes up no more work"
    );
    assert_eq!(live(30).await.unwrap(), 1, "the second is silent");
    let all = store.read(|tx| tx.nodes().all()).await.unwrap();
    assert_eq!(all, [node(1, 15), node(2, 0), draining]);
    store
        .write(|tx| tx.nodes().leave(NodeId(uuid(1))))
        .await
        .unwrap();
    assert_eq!(live(30).await.unwrap(), 0);
}

#[rstest]
#[tokio::test]
async fn where_machines_share_a_database_it_tells_the_time(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = TestStore::open(database);
    let first = store.write(|tx| tx.nodes().clock()).await.unwrap();
    let second = store.write(|tx| tx.nodes().clock()).await.unwrap();
    match database {
        Database::Sqlite => assert_eq!((first, second), (None, None)),
        Database::Postgres => {
            let passed = second.unwrap().since(first.unwrap());
            assert!(second >= first && passed < Duration::from_mins(1));
        }
    }
}
