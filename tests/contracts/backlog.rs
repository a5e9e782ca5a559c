//! What is told of the queues to whoever watches.

use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::{OpenStore, Stores};
use lyceum_domain::Timestamp;
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::notifying::deliveries::DeliveryState;
use lyceum_domain::running::jobs::{JobKind, JobLane, KindBacklog};
use lyceum_ports::notifying::webhooks::DeliveryBacklog;
use lyceum_ports::running::jobs::{JobBacklog, LaneBacklog, QueuedJob};

cases![Stores:
    jobs_wait_once_they_are_due_then_run_and_are_gone_or_given_up,
    each_workspace_is_told_of_its_own_jobs_kind_by_kind,
    deliveries_wait_while_they_are_due_and_nobody_has_them_in_hand,
];

fn here() -> WorkspaceId {
    id(1)
}

/// So many seconds after the moment at which samples are made.
fn at(seconds: u64) -> Timestamp {
    sample::now().plus(Duration::from_secs(seconds))
}

async fn jobs(store: &OpenStore, seconds: u64) -> JobBacklog {
    store
        .read(move |tx| tx.jobs().backlog(at(seconds)))
        .await
        .unwrap()
}

async fn deliveries(store: &OpenStore, seconds: u64) -> DeliveryBacklog {
    store
        .read(move |tx| tx.webhooks().backlog(at(seconds)))
        .await
        .unwrap()
}

async fn jobs_wait_once_they_are_due_then_run_and_are_gone_or_given_up(stores: &Stores) {
    let due_at = |n, kind, seconds| QueuedJob {
        task: people::task(kind, n),
        run_at: at(seconds),
        ..people::job(here(), n)
    };
    let store = stores.open().await;
    store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            for job in [
                due_at(10, JobKind::RemoveArchive, 2),
                due_at(11, JobKind::ExportScorm, 4),
                due_at(12, JobKind::RemoveArchive, 60),
                due_at(13, JobKind::GradeSubmission, 3),
            ] {
                tx.jobs().enqueue(&job, sample::now())?;
            }
            Ok(())
        })
        .await
        .unwrap();
    let lane = |lane, due, due_since, running| LaneBacklog {
        lane,
        due,
        due_since,
        running,
    };
    let expected = |ai, work, dead| JobBacklog {
        lanes: vec![ai, work],
        dead,
    };
    let (nothing, grading) = (
        lane(JobLane::Ai, 0, None, 0),
        lane(JobLane::Ai, 1, Some(at(3)), 0),
    );
    let quiet = lane(JobLane::Work, 0, None, 0);
    assert_eq!(jobs(&store, 1).await, expected(nothing, quiet, 0));
    let two = lane(JobLane::Work, 2, Some(at(2)), 0);
    assert_eq!(jobs(&store, 9).await, expected(grading, two, 0));
    let taken = store
        .write(|tx| {
            let lease = sample::lease(1, at(9));
            tx.jobs().claim(JobLane::Work, &lease, &mut None, 10)
        })
        .await
        .unwrap();
    let running = lane(JobLane::Work, 0, None, 2);
    assert_eq!(jobs(&store, 9).await, expected(grading, running, 0));
    let (done, buried) = (taken[0].clone(), taken[1].clone());
    store
        .write(move |tx| {
            tx.jobs().finish(&done, at(9))?;
            tx.jobs().bury(&buried, "lost", at(9))
        })
        .await
        .unwrap();
    assert_eq!(jobs(&store, 9).await, expected(grading, quiet, 1));
}

async fn each_workspace_is_told_of_its_own_jobs_kind_by_kind(stores: &Stores) {
    let due_at = |(workspace, n), kind, seconds| QueuedJob {
        task: people::task(kind, n),
        run_at: at(seconds),
        ..people::job(id(workspace), n)
    };
    let store = stores.open().await;
    store
        .write(move |tx| {
            for n in [1, 2] {
                tx.workspaces().insert(&sample::workspace(n))?;
            }
            for job in [
                due_at((1, 10), JobKind::RemoveArchive, 2),
                due_at((1, 11), JobKind::ExportScorm, 4),
                due_at((1, 12), JobKind::RemoveArchive, 60),
                due_at((1, 13), JobKind::GradeSubmission, 3),
                due_at((1, 14), JobKind::GradeSubmission, 2),
                due_at((2, 15), JobKind::GradeSubmission, 1),
            ] {
                tx.jobs().enqueue(&job, sample::now())?;
            }
            Ok(())
        })
        .await
        .unwrap();
    let found = async |workspace: u64| {
        let read = store.read(move |tx| tx.jobs().backlog_of(id(workspace), at(9)));
        let mut found = read.await.unwrap();
        found.sort_by_key(|one| one.kind.as_str());
        found
    };
    let of = |kind, due, due_since: Option<u64>, later, running| KindBacklog {
        kind,
        due,
        due_since: due_since.map(at),
        later,
        running,
        given_up: 0,
    };
    let grading = of(JobKind::GradeSubmission, 2, Some(2), 0, 0);
    let all = [
        of(JobKind::ExportScorm, 1, Some(4), 0, 0),
        grading,
        of(JobKind::RemoveArchive, 1, Some(2), 1, 0),
    ];
    assert_eq!(found(1).await, all);
    let others = of(JobKind::GradeSubmission, 1, Some(1), 0, 0);
    assert_eq!(found(2).await, [others]);
    assert_eq!(found(3).await, []);
    let taken = store
        .write(|tx| {
            let lease = sample::lease(1, at(9));
            tx.jobs().claim(JobLane::Work, &lease, &mut None, 2)
        })
        .await
        .unwrap();
    let running = [
        of(JobKind::ExportScorm, 0, None, 0, 1),
        grading,
        of(JobKind::RemoveArchive, 0, None, 1, 1),
    ];
    assert_eq!(found(1).await, running);
    // What is done is not told, what was given up is.
    store
        .write(move |tx| {
            for job in &taken {
                if job.task.kind() == JobKind::ExportScorm {
                    tx.jobs().bury(job, "lost", at(9))?;
                } else {
                    tx.jobs().finish(job, at(9))?;
                }
            }
            Ok(())
        })
        .await
        .unwrap();
    let given_up = KindBacklog {
        given_up: 1,
        ..of(JobKind::ExportScorm, 0, None, 0, 0)
    };
    let later = of(JobKind::RemoveArchive, 0, None, 1, 0);
    assert_eq!(found(1).await, [given_up, grading, later]);
}

async fn deliveries_wait_while_they_are_due_and_nobody_has_them_in_hand(stores: &Stores) {
    let store = stores.open().await;
    store
        .write(|tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            tx.webhooks().insert(&people::endpoint(here(), 1))?;
            for n in 1..=3 {
                tx.events().append(&people::event(here(), n))?;
                let mut delivery = people::delivery(here(), n, 1, n);
                delivery.state = DeliveryState::due(at(n));
                tx.webhooks().insert_delivery(&delivery, None)?;
            }
            Ok(())
        })
        .await
        .unwrap();
    let waiting = |due, due_since| DeliveryBacklog { due, due_since };
    assert_eq!(deliveries(&store, 0).await, waiting(0, None));
    assert_eq!(deliveries(&store, 2).await, waiting(2, Some(at(1))));
    let taken = store
        .write(|tx| {
            let lease = sample::lease(1, at(3));
            tx.webhooks().claim_deliveries(&lease, &mut None, 1)
        })
        .await
        .unwrap();
    assert_eq!(deliveries(&store, 3).await, waiting(2, Some(at(2))));
    let mut done = taken[0].delivery.clone();
    done.state = DeliveryState::Delivered;
    done.stamp.touch(at(4));
    let settled = store.write(move |tx| tx.webhooks().settle_delivery(&done));
    assert!(settled.await.unwrap());
    let over = Duration::from_mins(2).as_secs();
    assert_eq!(deliveries(&store, over).await, waiting(2, Some(at(2))));
}
