//! What every registry of nodes keeps to.

use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_domain::running::jobs::{JobKind, JobLane};
use lyceum_ports::running::jobs::QueuedJob;
use lyceum_ports::running::nodes::{Node, NodeId, NodeState};
use lyceum_ports::store::StoreError;
use uuid::Uuid;

cases![Stores:
    nodes_that_serve_and_were_seen_lately_are_counted,
    where_machines_share_a_database_it_tells_the_time,
    what_a_lost_node_held_is_taken_up_at_once_and_counts_as_lost,
    what_a_stopping_node_puts_back_uses_up_no_attempt_and_is_fenced,
];

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
        process: Some(format!("boot 4026531836 {n} 100")),
        version: "1.2.3".to_owned(),
        state: NodeState::Serving,
        started_at: at(0),
        seen_at: at(seen),
    }
}

async fn announce(store: &OpenStore, node: Node) {
    let announced = store.write(move |tx| tx.nodes().announce(&node)).await;
    announced.unwrap();
}

async fn nodes_that_serve_and_were_seen_lately_are_counted(stores: &Stores) {
    let store = stores.open().await;
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

async fn where_machines_share_a_database_it_tells_the_time(stores: &Stores) {
    let store = stores.open().await;
    let first = store.write(|tx| tx.nodes().clock()).await.unwrap();
    let second = store.write(|tx| tx.nodes().clock()).await.unwrap();
    // Where one machine has the database for itself, its own clock will do.
    assert_eq!(first.is_some(), second.is_some());
    if let (Some(first), Some(second)) = (first, second) {
        assert!(second >= first && second.since(first) < Duration::from_mins(1));
    }
}

fn removal(n: u64) -> QueuedJob {
    QueuedJob {
        task: people::task(JobKind::RemoveArchive, n),
        ..people::job(id(1), n)
    }
}

/// Two jobs, one in the hands of each of two nodes.
async fn held(stores: &Stores) -> (OpenStore, QueuedJob, QueuedJob) {
    let store = stores.open().await;
    let (one, other) = store
        .write(|tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.jobs().enqueue(&removal(1), at(0))?;
            tx.jobs().enqueue(&removal(2), at(0))?;
            let mut take = |node: u64| {
                let lease = sample::lease(node, at(0));
                let taken = tx.jobs().claim(JobLane::Work, &lease, &mut None, 1)?;
                Ok::<_, StoreError>(taken[0].clone())
            };
            Ok((take(1)?, take(2)?))
        })
        .await
        .unwrap();
    (store, one, other)
}

async fn claim(store: &OpenStore, node: u64, seconds: u64) -> Vec<QueuedJob> {
    store
        .write(move |tx| {
            let lease = sample::lease(node, at(seconds));
            tx.jobs().claim(JobLane::Work, &lease, &mut None, 10)
        })
        .await
        .unwrap()
}

async fn what_a_lost_node_held_is_taken_up_at_once_and_counts_as_lost(stores: &Stores) {
    let (store, one, _) = held(stores).await;
    let released = store
        .write(|tx| {
            let nodes = [NodeId(uuid(1)), NodeId(uuid(7))];
            Ok((
                tx.jobs().release_leases_of(&nodes, at(5))?,
                tx.webhooks().release_leases_of(&nodes, at(5))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(released, (1, 0));
    let again = claim(&store, 3, 5).await;
    assert_eq!(again.len(), 1, "the other still holds its own");
    assert_eq!((again[0].id, again[0].attempt), (one.id, 2));
    assert_eq!(again[0].max_attempts, QueuedJob::LOST_ATTEMPTS);
    let late = store.write(move |tx| tx.jobs().finish(&one, at(6))).await;
    assert!(!late.unwrap(), "the late one is fenced off");
}

async fn what_a_stopping_node_puts_back_uses_up_no_attempt_and_is_fenced(stores: &Stores) {
    let (store, mut mine, other) = held(stores).await;
    for stop in 1..=2 * QueuedJob::LOST_ATTEMPTS {
        let back = store
            .write(move |tx| tx.jobs().put_back(NodeId(uuid(1)), at(1)))
            .await;
        assert_eq!(back.unwrap(), 1);
        let stale = mine.clone();
        let ended = store
            .write(move |tx| {
                Ok((
                    tx.jobs().extend(&stale, at(99))?,
                    tx.jobs().finish(&stale, at(1))?,
                ))
            })
            .await;
        assert_eq!(ended.unwrap(), (false, false));
        mine = claim(&store, 1, 1).await.remove(0);
        assert_eq!(mine.attempt, stop + 1);
        assert!(mine.attempt <= mine.max_attempts);
    }
    let ended = store
        .write(move |tx| {
            Ok((
                tx.jobs().finish(&mine, at(2))?,
                tx.jobs().finish(&other, at(2))?,
            ))
        })
        .await;
    assert_eq!(ended.unwrap(), (true, true));
}
