//! What is too old to count is forgotten a little at a time, and nothing else is.

use std::time::Duration;

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::sample::people;
use crate::stores::Stores;
use lyceum_domain::Timestamp;
use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::running::jobs::{JobKind, JobLane};
use lyceum_ports::running::jobs::QueuedJob;
use lyceum_ports::store::{StoreError, Tx};

cases![Stores:
    of_jobs_that_are_done_the_newest_of_each_workspace_stay,
    jobs_that_were_given_up_go_when_they_are_old,
    tokens_and_sessions_go_when_they_expired_and_keys_stay,
];

fn at(seconds: u64) -> Timestamp {
    sample::now().plus(Duration::from_secs(seconds))
}

fn removal(workspace: u64, n: u64) -> QueuedJob {
    QueuedJob {
        task: people::task(JobKind::RemoveArchive, n),
        ..people::job(id(workspace), n)
    }
}

/// Queues a job, takes it, and ends it at this moment.
fn end(tx: &mut dyn Tx, job: &QueuedJob, seconds: u64, well: bool) -> Result<(), StoreError> {
    tx.jobs().enqueue(job, at(0))?;
    let lease = sample::lease(1, at(0));
    for job in tx.jobs().claim(JobLane::Work, &lease, &mut None, 1)? {
        let ended = if well {
            tx.jobs().finish(&job, at(seconds))?
        } else {
            tx.jobs().bury(&job, "broken", at(seconds))?
        };
        assert!(ended);
    }
    Ok(())
}

/// A workspace with an owner and their key.
fn workspace(tx: &mut dyn Tx, n: u64) -> Result<(), StoreError> {
    tx.workspaces().insert(&sample::workspace(n))
}

async fn of_jobs_that_are_done_the_newest_of_each_workspace_stay(stores: &Stores) {
    let store = stores.open().await;
    store
        .write(|tx| {
            workspace(tx, 1)?;
            workspace(tx, 2)?;
            for n in 0..10 {
                end(tx, &removal(1, n), n, true)?;
            }
            end(tx, &removal(2, 100), 0, true)?;
            tx.jobs().enqueue(&removal(1, 200), at(0))
        })
        .await
        .unwrap();
    let (mut after, mut batches) = (None, Vec::new());
    loop {
        let begun = after;
        let (batch, behind) = store
            .write(move |tx| {
                let mut after = begun;
                let batch = tx.jobs().forget_done(&mut after, at(8), 3, 5)?;
                Ok((batch, after))
            })
            .await
            .unwrap();
        after = behind;
        match batch {
            Some(count) => batches.push(count),
            None => break,
        }
    }
    assert_eq!(batches, [5, 2, 0], "seven of ten, and not the only one");
    let left = async |workspace: WorkspaceId| {
        let kind = JobKind::RemoveArchive;
        store
            .read(move |tx| tx.jobs().recent_durations(workspace, kind, 100))
            .await
            .unwrap()
    };
    assert_eq!(left(id(1)).await, [9, 8, 7].map(Duration::from_secs));
    assert_eq!(left(id(2)).await.len(), 1);
    let lease = sample::lease(1, at(20));
    let waiting = store.write(move |tx| tx.jobs().claim(JobLane::Work, &lease, &mut None, 10));
    assert_eq!(waiting.await.unwrap().len(), 1);
}

async fn jobs_that_were_given_up_go_when_they_are_old(stores: &Stores) {
    let store = stores.open().await;
    store
        .write(|tx| {
            workspace(tx, 1)?;
            for n in 0..4 {
                end(tx, &removal(1, n), n, false)?;
            }
            Ok(())
        })
        .await
        .unwrap();
    let forget = async |limit| {
        store
            .write(move |tx| tx.jobs().forget_dead(at(3), limit))
            .await
            .unwrap()
    };
    assert_eq!(
        (forget(2).await, forget(2).await, forget(2).await),
        (2, 1, 0)
    );
}

async fn tokens_and_sessions_go_when_they_expired_and_keys_stay(stores: &Stores) {
    let store = stores.open().await;
    store
        .write(|tx| {
            workspace(tx, 1)?;
            tx.users().insert_person(&people::person(1))?;
            tx.users().insert(&people::user(id(1), 1))?;
            let mut key = people::key(id(1), 1);
            key.expires_at = Some(at(0));
            tx.keys().insert(&key)?;
            for n in 2..5 {
                let mut session = people::session_key(id(1), id(1), id(1), n);
                session.expires_at = Some(at(n));
                tx.keys().insert(&session)?;
                let mut token = people::token(id(1), id(1), id(1), n);
                token.expires_at = at(n);
                tx.tokens().insert(&token)?;
            }
            Ok(())
        })
        .await
        .unwrap();
    let forgotten = store
        .write(|tx| {
            Ok([
                tx.tokens().forget_expired(at(4), 1)?,
                tx.tokens().forget_expired(at(4), 10)?,
                tx.keys().forget_sessions(at(4), 1)?,
                tx.keys().forget_sessions(at(4), 10)?,
            ])
        })
        .await
        .unwrap();
    assert_eq!(forgotten, [1, 1, 1, 1]);
    let hash: SecretHash = people::token(id(1), id(1), id(1), 4).hash;
    let left = store
        .write(move |tx| {
            Ok((
                tx.keys().find(id(1))?.is_some(),
                tx.keys().find(id(4))?.is_some(),
                tx.tokens().redeem(&hash, at(0))?.is_some(),
            ))
        })
        .await
        .unwrap();
    assert_eq!(left, (true, true, true));
}
