//! What every job repository keeps to.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::running::jobs::{JobKind, JobLane};
use lyceum_ports::running::jobs::QueuedJob;
use lyceum_ports::store::{Store, StoreError};
use uuid::Uuid;

cases![Stores:
    a_claimed_job_comes_back_as_it_was_stored_with_the_next_attempt,
    jobs_are_claimed_when_due_longest_waiting_first_and_no_more_than_asked_for,
    a_finished_or_buried_job_never_comes_back,
    a_job_to_be_tried_again_waits_for_its_time_and_counts_its_attempts,
    a_lease_that_ran_out_hands_the_job_on_and_fences_the_late_finisher,
    a_heartbeat_keeps_a_job,
    a_claim_that_was_rolled_back_took_nothing,
    two_nodes_share_the_jobs_and_never_take_the_same,
    a_lane_is_claimed_without_the_others,
    a_long_queue_of_one_workspace_leaves_room_for_the_next,
    how_long_jobs_took_is_told_of_the_newest_of_a_workspace_and_kind,
];

/// A workspace, and the jobs given.
async fn store_with(stores: &Stores, jobs: Vec<QueuedJob>) -> OpenStore {
    let store = stores.open().await;
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            jobs.iter()
                .try_for_each(|job| tx.jobs().enqueue(job, sample::now()))
        })
        .await
        .unwrap();
    store
}

fn here() -> WorkspaceId {
    id(1)
}

/// Of the lane that works.
fn job(n: u64) -> QueuedJob {
    QueuedJob {
        task: people::task(JobKind::RemoveArchive, n),
        ..people::job(here(), n)
    }
}

/// So many seconds after the moment at which samples are made.
fn at(seconds: u64) -> Timestamp {
    sample::now().plus(Duration::from_secs(seconds))
}

/// Claims at a moment, for a minute.
async fn claim(store: &OpenStore, seconds: u64, limit: u16) -> Vec<QueuedJob> {
    claim_in(store, JobLane::Work, seconds, limit).await
}

async fn claim_in(store: &OpenStore, lane: JobLane, seconds: u64, limit: u16) -> Vec<QueuedJob> {
    store
        .write(move |tx| {
            tx.jobs()
                .claim(lane, &sample::lease(1, at(seconds)), &mut None, limit)
        })
        .await
        .unwrap()
}

async fn next_due(store: &OpenStore) -> Option<Timestamp> {
    store.read(|tx| tx.jobs().next_due()).await.unwrap()
}

async fn a_claimed_job_comes_back_as_it_was_stored_with_the_next_attempt(stores: &Stores) {
    let in_lane = |kind: &&JobKind| kind.lane() == JobLane::Ai;
    let jobs: Vec<QueuedJob> = (10..)
        .zip(JobKind::ALL.iter().filter(in_lane))
        .map(|(n, kind)| QueuedJob {
            task: people::task(*kind, n),
            max_attempts: 3,
            trace: (n > 10).then(|| people::trace(n)),
            ..job(n)
        })
        .collect();
    let store = store_with(stores, jobs.clone()).await;
    let expected: Vec<QueuedJob> = jobs
        .into_iter()
        .map(|job| QueuedJob {
            attempt: 1,
            begun_at: Some(at(0)),
            ..job
        })
        .collect();
    assert_eq!(claim_in(&store, JobLane::Ai, 0, 10).await, expected);
}

async fn jobs_are_claimed_when_due_longest_waiting_first_and_no_more_than_asked_for(
    stores: &Stores,
) {
    let due_at = |n: u64, seconds: u64| QueuedJob {
        run_at: at(seconds),
        ..job(n)
    };
    let jobs = vec![due_at(10, 5), due_at(11, 3), due_at(12, 3), due_at(13, 9)];
    let store = store_with(stores, jobs).await;
    assert_eq!(next_due(&store).await, Some(at(3)));
    assert_eq!(claim(&store, 2, 10).await, []);
    let ids = |jobs: Vec<QueuedJob>| jobs.iter().map(|job| job.id).collect::<Vec<_>>();
    assert_eq!(
        ids(claim(&store, 5, 2).await),
        [job(11).id, job(12).id],
        "by time, then by id"
    );
    assert_eq!(ids(claim(&store, 5, 2).await), [job(10).id]);
    assert_eq!(claim(&store, 5, 2).await, []);
    assert_eq!(next_due(&store).await, Some(at(9)));
}

async fn a_finished_or_buried_job_never_comes_back(stores: &Stores) {
    let store = store_with(stores, vec![job(10), job(11)]).await;
    let claimed = claim(&store, 0, 10).await;
    assert_eq!(next_due(&store).await, Some(at(60)), "the lease is due");
    let (finished, buried) = (claimed[0].clone(), claimed[1].clone());
    let ended = store
        .write(move |tx| {
            Ok((
                tx.jobs().finish(&finished, at(1))?,
                tx.jobs().bury(&buried, "broken for good", at(1))?,
                tx.jobs().finish(&finished, at(1))?,
                tx.jobs().retry(&buried, (at(1), 1), "again", at(1))?,
                tx.jobs().extend(&buried, at(500))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(ended, (true, true, false, false, false));
    assert_eq!(claim(&store, 1_000, 10).await, []);
    assert_eq!(next_due(&store).await, None);
}

async fn a_job_to_be_tried_again_waits_for_its_time_and_counts_its_attempts(stores: &Stores) {
    let store = store_with(stores, vec![job(10)]).await;
    let first = claim(&store, 0, 10).await.remove(0);
    let again = first.clone();
    let put_back = store
        .write(move |tx| tx.jobs().retry(&again, (at(30), 1), "no luck", at(1)))
        .await
        .unwrap();
    assert!(put_back);
    assert_eq!(next_due(&store).await, Some(at(30)));
    assert_eq!(claim(&store, 29, 10).await, []);
    let second = claim(&store, 30, 10).await.remove(0);
    assert_eq!((second.attempt, second.run_at), (2, at(30)));
    assert_eq!((first.tries, second.tries), (0, 1));
    assert_eq!(second.begun_at, Some(at(0)), "it began when it first did");
    assert_eq!(second.max_attempts, 1 + QueuedJob::LOST_ATTEMPTS);
}

async fn a_lease_that_ran_out_hands_the_job_on_and_fences_the_late_finisher(stores: &Stores) {
    let store = store_with(stores, vec![job(10)]).await;
    let late = claim(&store, 0, 10).await.remove(0);
    assert_eq!(
        claim(&store, 60, 10).await,
        [],
        "the lease lasts to its end"
    );
    let newer = claim(&store, 61, 10).await.remove(0);
    assert_eq!((late.attempt, newer.attempt), (1, 2));
    let settled = store
        .write(move |tx| {
            Ok((
                tx.jobs().extend(&late, at(900))?,
                tx.jobs().finish(&late, at(62))?,
                tx.jobs().retry(&late, (at(62), 1), "late", at(62))?,
                tx.jobs().bury(&late, "late", at(62))?,
                tx.jobs().finish(&newer, at(62))?,
            ))
        })
        .await
        .unwrap();
    assert_eq!(settled, (false, false, false, false, true));
}

async fn a_heartbeat_keeps_a_job(stores: &Stores) {
    let store = store_with(stores, vec![job(10)]).await;
    let held = claim(&store, 0, 10).await.remove(0);
    let holder = held.clone();
    let extended = store
        .write(move |tx| tx.jobs().extend(&holder, at(120)))
        .await
        .unwrap();
    assert!(extended);
    assert_eq!(next_due(&store).await, Some(at(120)));
    assert_eq!(claim(&store, 61, 10).await, []);
    let finished = store
        .write(move |tx| tx.jobs().finish(&held, at(62)))
        .await
        .unwrap();
    assert!(finished);
}

async fn a_claim_that_was_rolled_back_took_nothing(stores: &Stores) {
    let store = store_with(stores, vec![job(10)]).await;
    let failed: Result<(), StoreError> = store
        .write(|tx| {
            tx.jobs()
                .claim(JobLane::Work, &sample::lease(1, at(0)), &mut None, 10)?;
            Err(StoreError::Stale)
        })
        .await;
    assert!(failed.is_err());
    let claimed = claim(&store, 0, 10).await;
    assert_eq!(claimed.len(), 1);
    assert_eq!(claimed[0].attempt, 1);
}

/// Claims by threes, and ends what it has, until there is nothing left to take.
async fn drain(store: Arc<dyn Store>) -> Vec<Uuid> {
    let mut taken = Vec::new();
    loop {
        let claimed: Result<Vec<QueuedJob>, StoreError> = store
            .write(|tx| {
                let lease = sample::lease(1, at(0));
                tx.jobs().claim(JobLane::Work, &lease, &mut None, 3)
            })
            .await;
        let claimed = claimed.unwrap();
        if claimed.is_empty() {
            return taken;
        }
        taken.extend(claimed.iter().map(|job| job.id));
        let ended: Result<(), StoreError> = store
            .write(move |tx| {
                for job in &claimed {
                    assert!(tx.jobs().finish(job, at(0))?);
                }
                Ok(())
            })
            .await;
        ended.unwrap();
    }
}

async fn two_nodes_share_the_jobs_and_never_take_the_same(stores: &Stores) {
    let store = store_with(stores, (10..70).map(job).collect()).await;
    let one = tokio::spawn(drain(Arc::clone(&store.store)));
    let other = tokio::spawn(drain(stores.open().await.store));
    let taken = [one.await.unwrap(), other.await.unwrap()].concat();
    let expected: BTreeSet<Uuid> = (10..70).map(|n| job(n).id).collect();
    assert_eq!(taken.len(), expected.len(), "some were taken twice");
    assert_eq!(taken.into_iter().collect::<BTreeSet<_>>(), expected);
    assert_eq!(claim(&store, 1, 100).await, []);
}

async fn a_lane_is_claimed_without_the_others(stores: &Stores) {
    let waiting = people::job(here(), 11);
    let store = store_with(stores, vec![job(10), waiting.clone()]).await;
    let ids = |jobs: Vec<QueuedJob>| jobs.iter().map(|job| job.id).collect::<Vec<_>>();
    assert_eq!(
        ids(claim_in(&store, JobLane::Ai, 0, 10).await),
        [waiting.id]
    );
    assert_eq!(
        ids(claim_in(&store, JobLane::Work, 0, 10).await),
        [job(10).id]
    );
    // Leases end in their lane too.
    assert_eq!(
        ids(claim_in(&store, JobLane::Ai, 99, 10).await),
        [waiting.id]
    );
}

async fn a_long_queue_of_one_workspace_leaves_room_for_the_next(stores: &Stores) {
    let share = JobLane::Ai.share();
    let long = (10..60).map(|n| people::job(here(), n)).collect();
    let store = store_with(stores, long).await;
    let late = QueuedJob {
        run_at: at(5),
        ..people::job(id(2), 90)
    };
    let queued = late.clone();
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(2))?;
            tx.jobs().enqueue(&queued, at(0))
        })
        .await
        .unwrap();
    let first = claim_in(&store, JobLane::Ai, 5, 16).await;
    let ids: Vec<Uuid> = first.iter().map(|job| job.id).collect();
    let mut expected: Vec<Uuid> = (10..10 + u64::from(share))
        .map(|n| people::job(here(), n).id)
        .collect();
    expected.insert(1, late.id);
    assert_eq!(ids, expected, "they take turns");
    assert_eq!(claim_in(&store, JobLane::Ai, 5, 16).await, []);
    let done = first[0].clone();
    store
        .write(move |tx| tx.jobs().finish(&done, at(6)))
        .await
        .unwrap();
    let next = claim_in(&store, JobLane::Ai, 6, 16).await;
    assert_eq!(next.len(), 1, "room for one of its share");
    // Jobs of a process that is gone hold their share until they are taken up again, and are taken up first.
    let again = claim_in(&store, JobLane::Ai, 500, 16).await;
    assert_eq!(again.len(), usize::from(share) + 1);
    assert!(again.iter().all(|job| job.attempt == 2));
}

async fn how_long_jobs_took_is_told_of_the_newest_of_a_workspace_and_kind(stores: &Stores) {
    let store = store_with(stores, vec![job(1), job(2), job(3)]).await;
    let claimed = claim(&store, 0, 2).await;
    let [first, second] = <[QueuedJob; 2]>::try_from(claimed).unwrap();
    let kind = first.task.kind();
    for (job, seconds) in [(first, 4), (second, 9)] {
        store
            .write(move |tx| tx.jobs().finish(&job, at(seconds)))
            .await
            .unwrap();
    }
    let recent = async |workspace: WorkspaceId, kind: JobKind, limit: u16| {
        store
            .read(move |tx| tx.jobs().recent_durations(workspace, kind, limit))
            .await
            .unwrap()
    };
    let seconds = Duration::from_secs;
    assert_eq!(recent(here(), kind, 20).await, [seconds(9), seconds(4)]);
    assert_eq!(recent(here(), kind, 1).await, [seconds(9)]);
    let other = JobKind::ALL.iter().find(|other| **other != kind).unwrap();
    assert!(recent(here(), *other, 20).await.is_empty());
    assert!(recent(id(2), kind, 20).await.is_empty());
}
