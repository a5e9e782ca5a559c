//! Long queues of some are not in the way of others, and cost them nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_domain::ids::{WebhookEndpointId, WorkspaceId};
use lyceum_domain::notifying::deliveries::{DeliveryState, WebhookDelivery};
use lyceum_domain::running::jobs::{JobKind, JobLane};
use lyceum_ports::notifying::webhooks::ENDPOINT_SHARE;
use lyceum_ports::running::jobs::QueuedJob;

cases![Stores:
    a_thousand_jobs_of_one_workspace_keep_no_other_waiting,
    a_receiver_that_never_answers_takes_its_share_of_room_and_no_more { few_waiting(&[40, 40, 2]), many_waiting(&[600, 40, 2]) },
    endpoints_take_turns_and_those_switched_off_lose_theirs,
];

fn at(seconds: u64) -> Timestamp {
    sample::now().plus(Duration::from_secs(seconds))
}

fn export(workspace: u64, n: u64) -> QueuedJob {
    QueuedJob {
        task: people::task(JobKind::ExportScorm, n),
        run_at: at(n),
        ..people::job(id(workspace), n)
    }
}

async fn claim(store: &OpenStore, turn: &mut Option<WorkspaceId>, limit: u16) -> Vec<QueuedJob> {
    let before = *turn;
    let (jobs, after) = store
        .write(move |tx| {
            let mut turn = before;
            let lease = sample::lease(1, at(10_000));
            let jobs = tx.jobs().claim(JobLane::Work, &lease, &mut turn, limit)?;
            Ok((jobs, turn))
        })
        .await
        .unwrap();
    *turn = after;
    jobs
}

async fn finish(store: &OpenStore, job: QueuedJob) {
    let ended = store.write(move |tx| tx.jobs().finish(&job, at(10_000)));
    assert!(ended.await.unwrap());
}

async fn a_thousand_jobs_of_one_workspace_keep_no_other_waiting(stores: &Stores) {
    let store = stores.open().await;
    store
        .write(|tx| {
            for workspace in 1..=4 {
                tx.workspaces().insert(&sample::workspace(workspace))?;
            }
            // Those of the first three are older than the single one of the fourth.
            for n in 0..1000 {
                tx.jobs().enqueue(&export(1, n), at(0))?;
            }
            for n in 1000..1080 {
                tx.jobs().enqueue(&export(2 + n % 2, n), at(0))?;
            }
            tx.jobs().enqueue(&export(4, 2000), at(0))
        })
        .await
        .unwrap();
    // One at a time, each ended before the next is taken: nobody has anything running.
    let mut turn = None;
    let mut served: Vec<WorkspaceId> = Vec::new();
    for _ in 0..8 {
        let [job] = <[QueuedJob; 1]>::try_from(claim(&store, &mut turn, 1).await).unwrap();
        served.push(job.workspace_id);
        finish(&store, job).await;
    }
    assert_eq!(served[..4], [id(1), id(2), id(3), id(4)]);
    assert_eq!(
        served[4..],
        [id(1), id(2), id(3), id(1)],
        "the fourth has no more"
    );
    // Many at once: as many of each, and no more than its share.
    let many = claim(&store, &mut turn, 100).await;
    let mut by_workspace: BTreeMap<WorkspaceId, u16> = BTreeMap::new();
    for job in &many {
        *by_workspace.entry(job.workspace_id).or_default() += 1;
    }
    let shares = [1, 2, 3].map(|n| (id(n), JobLane::Work.share()));
    assert_eq!(by_workspace, BTreeMap::from(shares));
    assert!(claim(&store, &mut turn, 100).await.is_empty());
    let other = many.iter().find(|job| job.workspace_id == id(2)).unwrap();
    finish(&store, other.clone()).await;
    let next = claim(&store, &mut turn, 100).await;
    assert_eq!(
        next.iter().map(|job| job.workspace_id).collect::<Vec<_>>(),
        [id(2)]
    );
}

/// An endpoint per number, and so many deliveries to each, the first ones oldest.
async fn deliveries(stores: &Stores, counts: &'static [u64]) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            let mut n = 0;
            for (endpoint, count) in (1..).zip(counts) {
                tx.webhooks().insert(&people::endpoint(id(1), endpoint))?;
                for _ in 0..*count {
                    n += 1;
                    tx.events().append(&people::event(id(1), n))?;
                    tx.webhooks()
                        .insert_delivery(&people::delivery(id(1), n, endpoint, n), None)?;
                }
            }
            Ok(())
        })
        .await
        .unwrap();
    store
}

async fn take(
    store: &OpenStore,
    turn: &mut Option<WebhookEndpointId>,
    limit: u16,
) -> Vec<WebhookDelivery> {
    let before = *turn;
    let (taken, after) = store
        .write(move |tx| {
            let mut turn = before;
            let lease = sample::lease(1, at(1));
            let taken = tx.webhooks().claim_deliveries(&lease, &mut turn, limit)?;
            Ok((taken, turn))
        })
        .await
        .unwrap();
    *turn = after;
    taken.into_iter().map(|claimed| claimed.delivery).collect()
}

fn by_endpoint(taken: &[WebhookDelivery]) -> BTreeMap<WebhookEndpointId, u16> {
    let mut counts = BTreeMap::new();
    for delivery in taken {
        *counts.entry(delivery.endpoint_id).or_default() += 1;
    }
    counts
}

async fn a_receiver_that_never_answers_takes_its_share_of_room_and_no_more(
    stores: &Stores,
    counts: &'static [u64],
) {
    let store = deliveries(stores, counts).await;
    let mut turn = None;
    let first = take(&store, &mut turn, 64).await;
    let shares = [(id(1), ENDPOINT_SHARE), (id(2), ENDPOINT_SHARE), (id(3), 2)];
    assert_eq!(by_endpoint(&first), BTreeMap::from(shares));
    assert!(take(&store, &mut turn, 64).await.is_empty());
    // The first never answers; what the second got has arrived, so it gets the next.
    for delivery in first.iter().filter(|one| one.endpoint_id == id(2)) {
        let mut done = delivery.clone();
        done.state = DeliveryState::Delivered;
        done.stamp.touch(at(2));
        let settled = store.write(move |tx| tx.webhooks().settle_delivery(&done));
        assert!(settled.await.unwrap());
    }
    let second = take(&store, &mut turn, 64).await;
    assert_eq!(
        by_endpoint(&second),
        BTreeMap::from([(id(2), ENDPOINT_SHARE)])
    );
}

async fn endpoints_take_turns_and_those_switched_off_lose_theirs(stores: &Stores) {
    let store = deliveries(stores, &[300, 3, 3]).await;
    store
        .write(|tx| {
            let mut off = people::endpoint(id(1), 2);
            off.status = lyceum_domain::notifying::webhooks::EndpointStatus::Disabled;
            off.stamp.touch(at(1));
            tx.webhooks().update(&off)
        })
        .await
        .unwrap();
    let mut turn = None;
    let mut served = Vec::new();
    for _ in 0..3 {
        served.extend(take(&store, &mut turn, 2).await);
    }
    assert_eq!(
        by_endpoint(&served),
        BTreeMap::from([(id(1), 3), (id(3), 3)])
    );
}
