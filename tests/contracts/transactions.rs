//! What every transaction keeps to, whatever is done in it.

use std::sync::{Arc, Barrier};

use crate::cases::cases;
use crate::sample;
use crate::sample::id;
use crate::stores::{OpenStore, Stores};
use lyceum_ports::store::StoreError;
use tokio::task::JoinSet;

cases![Stores:
    a_panic_rolls_its_own_transaction_back_and_the_store_goes_on_working,
    of_many_writes_at_once_those_that_fail_leave_the_others_alone,
    a_read_cannot_write,
    a_failed_statement_is_never_passed_off_as_kept,
    a_read_sees_one_moment,
    a_read_of_one_that_turns_out_to_be_more_sees_one_moment,
];

async fn is_there(store: &OpenStore, n: u64) -> bool {
    store
        .read(move |tx| tx.workspaces().find(id(n)))
        .await
        .unwrap()
        .is_some()
}

async fn a_panic_rolls_its_own_transaction_back_and_the_store_goes_on_working(stores: &Stores) {
    let store = stores.open().await;
    // More often than there are connections: none may be lost by it.
    for _ in 0..6 {
        let panicked: Result<(), StoreError> = store
            .write(|tx| {
                tx.workspaces().insert(&sample::workspace(1))?;
                panic!("a bug in a use case");
            })
            .await;
        assert!(
            matches!(panicked, Err(StoreError::Failed(_))),
            "{panicked:?}"
        );
    }
    let panicked_reading: Result<(), StoreError> =
        store.read(|_| panic!("a bug in a use case")).await;
    assert!(
        matches!(panicked_reading, Err(StoreError::Failed(_))),
        "{panicked_reading:?}"
    );
    assert!(!is_there(&store, 1).await);
    store
        .write(|tx| tx.workspaces().insert(&sample::workspace(2)))
        .await
        .unwrap();
    assert!(is_there(&store, 2).await);
}

async fn of_many_writes_at_once_those_that_fail_leave_the_others_alone(stores: &Stores) {
    let store = stores.open().await;
    let mut writes = JoinSet::new();
    for n in 1..=50 {
        let store = Arc::clone(&store.store);
        writes.spawn(async move {
            let written: Result<(), StoreError> = store
                .write(move |tx| {
                    tx.workspaces().insert(&sample::workspace(n))?;
                    match n % 9 {
                        3 => Err(StoreError::Stale),
                        6 => panic!("a bug in a use case"),
                        0 => tx.workspaces().insert(&sample::workspace(n)),
                        _ => Ok(()),
                    }
                })
                .await;
            (n, written.is_ok())
        });
    }
    let mut written = writes.join_all().await;
    written.sort_unstable();
    for (n, ok) in written {
        assert_eq!(ok, n % 3 != 0, "{n}");
        assert_eq!(is_there(&store, n).await, ok, "{n}");
    }
}

async fn a_read_cannot_write(stores: &Stores) {
    let store = stores.open().await;
    let written = store
        .read(|tx| tx.workspaces().insert(&sample::workspace(1)))
        .await;
    assert!(written.is_err());
    let glanced = store
        .store
        .read_one_in(&mut None, |tx| {
            tx.workspaces().insert(&sample::workspace(1))
        })
        .await;
    assert!(glanced.is_err());
    assert!(!is_there(&store, 1).await);
}

async fn a_failed_statement_is_never_passed_off_as_kept(stores: &Stores) {
    let store = stores.open().await;
    let result: Result<(), StoreError> = store
        .write(|tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            // Whoever goes on after an error must not be told that the rest was kept when it was not.
            drop(tx.workspaces().insert(&sample::workspace(1)));
            Ok(())
        })
        .await;
    assert_eq!(is_there(&store, 1).await, result.is_ok());
}

async fn a_read_sees_one_moment(stores: &Stores) {
    let store = stores.open().await;
    let (began, go_on) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let (begun, going) = (Arc::clone(&began), Arc::clone(&go_on));
    let reader = Arc::clone(&store.store);
    // A long export: it looks, others write meanwhile, and it looks again.
    let reading = tokio::spawn(async move {
        let seen: Result<_, StoreError> = reader
            .read(move |tx| {
                let before = tx.workspaces().find(id(1))?.is_some();
                begun.wait();
                going.wait();
                Ok((before, tx.workspaces().find(id(1))?.is_some()))
            })
            .await;
        seen.unwrap()
    });
    tokio::task::block_in_place(|| began.wait());
    store
        .write(|tx| tx.workspaces().insert(&sample::workspace(1)))
        .await
        .unwrap();
    tokio::task::block_in_place(|| go_on.wait());
    assert_eq!(reading.await.unwrap(), (false, false));
    assert!(is_there(&store, 1).await);
}

async fn a_read_of_one_that_turns_out_to_be_more_sees_one_moment(stores: &Stores) {
    let store = stores.open().await;
    let (began, go_on) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let (begun, going) = (Arc::clone(&began), Arc::clone(&go_on));
    let reader = Arc::clone(&store.store);
    let reading = tokio::spawn(async move {
        let mut is_first = true;
        let seen: Result<_, StoreError> = reader
            .read_one_in(&mut None, move |tx| {
                let before = tx.workspaces().find(id(1))?.is_some();
                if std::mem::take(&mut is_first) {
                    begun.wait();
                    going.wait();
                }
                Ok((before, tx.workspaces().find(id(1))?.is_some()))
            })
            .await;
        seen.unwrap()
    });
    tokio::task::block_in_place(|| began.wait());
    store
        .write(|tx| tx.workspaces().insert(&sample::workspace(1)))
        .await
        .unwrap();
    tokio::task::block_in_place(|| go_on.wait());
    let (before, after) = reading.await.unwrap();
    assert_eq!(before, after);
}
