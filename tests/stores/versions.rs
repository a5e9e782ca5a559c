//! Rows that another version wrote, or somebody's hand.

use std::time::Duration;

use lyceum_domain::running::jobs::{JobKind, JobLane};
use lyceum_ports::running::jobs::QueuedJob;
use rstest::rstest;
use support::fakes::id;
use support::sample::{self, people};
use support::stores::{Database, TestStore};
use support::tampering::tamper;

fn removal(n: u64) -> QueuedJob {
    QueuedJob {
        task: people::task(JobKind::RemoveArchive, n),
        ..people::job(id(1), n)
    }
}

async fn claimed(store: &TestStore, seconds: u64) -> Vec<QueuedJob> {
    let from = sample::now().plus(Duration::from_secs(seconds));
    let claim = store.write(move |tx| {
        tx.jobs()
            .claim(JobLane::Work, &sample::lease(1, from), &mut None, 10)
    });
    claim.await.unwrap()
}

#[rstest]
#[tokio::test]
async fn a_job_of_a_version_to_come_is_left_to_it_and_nobody_waits_behind_it(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = TestStore::open(database);
    let filling = store.write(|tx| {
        tx.workspaces().insert(&sample::workspace(1))?;
        (1..=3).try_for_each(|n| tx.jobs().enqueue(&removal(n), sample::now()))
    });
    filling.await.unwrap();
    let (unknown, abandoned) = (removal(1).id, removal(2).id);
    tamper(
        &store.url,
        &format!(
            "UPDATE jobs SET kind = 'translate_course' WHERE id IN ('{unknown}', '{abandoned}'); \
             UPDATE jobs SET state = 'running', lease_until = run_at, node_id = 'lost' WHERE id = '{abandoned}'"
        ),
    );
    let ids = |jobs: Vec<QueuedJob>| jobs.iter().map(|job| job.id).collect::<Vec<_>>();
    assert_eq!(ids(claimed(&store, 1).await), [removal(3).id]);
    assert!(claimed(&store, 2).await.is_empty());
    // A node of that version, a lease later: no attempt is lost.
    tamper(&store.url, "UPDATE jobs SET kind = 'remove_archive'");
    let taken = claimed(&store, 62).await;
    assert!(
        taken
            .iter()
            .filter(|job| job.id != removal(3).id)
            .all(|job| job.attempt == 1)
    );
    let taken = ids(taken);
    assert!(
        taken.contains(&unknown) && taken.contains(&abandoned),
        "{taken:?}"
    );
}
