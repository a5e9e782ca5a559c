//! On PostgreSQL those who wait for a connection are written together, and none of them notices the others.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel::{PgConnection, sql_query};
use lyceum_ports::store::{Store, StoreError, Tx};
use rstest::rstest;
use support::company::{Piece, in_a_crowd, in_company, piece, while_all_are_busy};
use support::fakes::id;
use support::sample;
use support::sample::content;
use support::stores::{Database, TestStore, reopen};
use support::tampering::tamper;
use tokio::time::timeout;

/// Connections that wait for what is read only, and libpq's, which wait for everything: this setting it alone knows.
const OURS: &str = "";
const LIBPQ_S: &str = "?keepalives_count=3";

/// A database with a workspace, and a store on it by connections of one kind.
async fn store(kind: &str) -> (TestStore, Arc<dyn Store>) {
    let behind = TestStore::open(Database::Postgres);
    let made = behind.write(|tx| tx.workspaces().insert(&sample::workspace(1)));
    made.await.unwrap();
    let store = reopen(&format!("{}{kind}", behind.url));
    (behind, store)
}

#[allow(
    clippy::disallowed_methods,
    reason = "somebody else does not ask the store for a connection"
)]
fn somebody_else(behind: &TestStore) -> PgConnection {
    PgConnection::establish(&behind.url).unwrap()
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

fn count(behind: &TestStore, query: &str) -> i64 {
    let counted: Count = sql_query(query)
        .get_result(&mut somebody_else(behind))
        .unwrap();
    counted.count
}

/// Notes of each course in which transaction it was made.
fn note_transactions(behind: &TestStore) {
    tamper(
        &behind.url,
        "CREATE TABLE told (transaction bigint NOT NULL);
         CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             INSERT INTO told VALUES (txid_current()); RETURN NULL;
         END $$;
         CREATE TRIGGER tell AFTER INSERT ON courses FOR EACH ROW EXECUTE FUNCTION tell();",
    );
}

const TRANSACTIONS: &str = "SELECT count(DISTINCT transaction) FROM told";

fn course(n: u64) -> Piece {
    piece(move |tx| tx.courses().insert(&sample::course(id(1), n)))
}

/// Which of the first so many courses are there.
async fn courses(store: &Arc<dyn Store>, most: u64) -> Vec<u64> {
    let all: Result<Vec<u64>, StoreError> = store
        .read(move |tx| {
            let mut there = Vec::new();
            for n in 1..=most {
                there.extend(tx.courses().find(id(1), id(n))?.map(|_| n));
            }
            Ok(there)
        })
        .await;
    all.unwrap()
}

fn none_refused(ended: &[Result<(), StoreError>]) {
    assert!(ended.iter().all(Result::is_ok), "{ended:?}");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn those_who_wait_are_kept_by_one_commit(#[values(OURS, LIBPQ_S)] kind: &str) {
    let (behind, store) = store(kind).await;
    note_transactions(&behind);
    none_refused(&in_company(&store, (1..=10).map(course).collect()).await);
    assert_eq!(courses(&store, 11).await, (1..=10).collect::<Vec<_>>());
    assert_eq!(count(&behind, TRANSACTIONS), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_alone_has_a_transaction_of_their_own() {
    let (behind, store) = store(OURS).await;
    note_transactions(&behind);
    for n in 1..=3 {
        store.write(course(n)).await.unwrap();
    }
    assert_eq!(count(&behind, TRANSACTIONS), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_is_shared_out_among_groups_and_everybody_served() {
    let (behind, store) = store(OURS).await;
    note_transactions(&behind);
    none_refused(&in_a_crowd(&store, (1..=200).map(course).collect()).await);
    assert_eq!(courses(&store, 200).await.len(), 200);
    // Sixteen at most in one.
    let transactions = count(&behind, TRANSACTIONS);
    assert!((13..100).contains(&transactions), "{transactions}");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_with_one_is_told_to_it_and_touches_nobody_else(
    #[values(OURS, LIBPQ_S)] kind: &str,
) {
    let (_behind, store) = store(kind).await;
    store.write(course(1)).await.unwrap();
    let refused = piece(|tx| {
        tx.courses().insert(&sample::course(id(1), 3))?;
        tx.courses().find(id(1), id(3))?;
        Err(StoreError::Taken { field: "mine" })
    });
    let panics = piece(|tx| {
        tx.courses().insert(&sample::course(id(1), 4))?;
        panic!("of a use case")
    });
    // There is one of this id; it is found out by the question behind it.
    let exists = piece(|tx| {
        tx.courses().insert(&sample::course(id(1), 5))?;
        tx.courses().insert(&sample::course(id(1), 1))?;
        tx.courses().find(id(1), id(1)).map(drop)
    });
    let pieces = vec![course(2), refused, panics, exists, course(6)];
    let ended = in_company(&store, pieces).await;
    assert!(
        matches!(
            &ended[..],
            [
                Ok(()),
                Err(StoreError::Taken { field: "mine" }),
                Err(StoreError::Failed(_)),
                Err(StoreError::Failed(_)),
                Ok(())
            ]
        ),
        "{ended:?}"
    );
    assert_eq!(courses(&store, 6).await, [1, 2, 6]);
}

/// Of what nobody waits for, nobody knows at once that it went wrong.
#[rstest]
#[case::the_next_asks(true)]
#[case::nobody_asks_anything(false)]
#[tokio::test(flavor = "multi_thread")]
async fn where_nobody_can_say_whose_statement_failed_each_goes_by_itself(#[case] asks: bool) {
    let (behind, store) = store(OURS).await;
    note_transactions(&behind);
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    // Of a unit that is not there.
    let dangles = piece(|tx| tx.lessons().insert(&content::lesson(id(1), 50)));
    let asks_next = piece(move |tx| {
        counted.fetch_add(1, Ordering::SeqCst);
        tx.courses().insert(&sample::course(id(1), 2))?;
        if asks {
            tx.courses().find(id(1), id(2))?;
        }
        Ok(())
    });
    let ended = in_company(&store, vec![course(1), dangles, asks_next, course(3)]).await;
    assert!(
        matches!(
            &ended[..],
            [Ok(()), Err(StoreError::Dangling), Ok(()), Ok(())]
        ),
        "{ended:?}"
    );
    assert_eq!(courses(&store, 3).await, [1, 2, 3]);
    assert_eq!(runs.load(Ordering::SeqCst), 2);
    assert_eq!(count(&behind, TRANSACTIONS), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_later_sees_what_those_before_did() {
    let (_behind, store) = store(OURS).await;
    let finds = |n: u64, wanted: bool| {
        piece(move |tx: &mut dyn Tx| {
            let is_there = tx.courses().find(id(1), id(n))?.is_some();
            if is_there == wanted {
                return Ok(());
            }
            Err(StoreError::Stale)
        })
    };
    let refused = piece(|tx| {
        tx.courses().insert(&sample::course(id(1), 2))?;
        Err(StoreError::Stale)
    });
    let pieces = vec![course(1), finds(1, true), refused, finds(2, false)];
    let ended = in_company(&store, pieces).await;
    assert!(
        matches!(&ended[..], [Ok(()), Ok(()), Err(StoreError::Stale), Ok(())]),
        "{ended:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_lost_on_the_way_is_another_run_for_all() {
    let (behind, store) = store(OURS).await;
    let (runs, url) = (Arc::new(AtomicUsize::new(0)), behind.url.clone());
    let counted = Arc::clone(&runs);
    let cut = piece(move |tx| {
        tx.courses().insert(&sample::course(id(1), 2))?;
        if counted.fetch_add(1, Ordering::SeqCst) == 0 {
            let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                          WHERE datname = current_database() AND pid <> pg_backend_pid()";
            tamper(&url, others);
        }
        tx.courses().find(id(1), id(2)).map(drop)
    });
    let pieces = vec![course(1), cut, course(3)];
    none_refused(&in_a_crowd(&store, pieces).await);
    assert_eq!(courses(&store, 3).await, [1, 2, 3]);
    assert_eq!(runs.load(Ordering::SeqCst), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_waits_for_somebody_else_s_lock_does_so_by_themselves() {
    let (behind, store) = store(OURS).await;
    store.write(course(1)).await.unwrap();
    let mut holder = somebody_else(&behind);
    let hold = "BEGIN; SELECT 1 FROM courses FOR UPDATE";
    holder.batch_execute(hold).unwrap();
    let touch = piece(|tx| {
        let mut course = tx.courses().find(id(1), id(1))?.ok_or(StoreError::Stale)?;
        course.stamp.touch(sample::now());
        tx.courses().update(&course)
    });
    let shared = Arc::clone(&store);
    let company =
        tokio::spawn(async move { in_a_crowd(&shared, vec![course(2), touch, course(3)]).await });
    // The neighbours are there while the lock is held.
    let neighbours = async {
        while courses(&store, 3).await != [1, 2, 3] {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let are_there = timeout(Duration::from_secs(10), neighbours).await;
    holder.batch_execute("COMMIT").unwrap();
    are_there.unwrap();
    none_refused(&company.await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_work_that_takes_long_nobody_waits_who_has_not_begun() {
    let (_behind, store) = store(OURS).await;
    let (go, goes) = mpsc::channel();
    let slow = piece(move |tx| {
        tx.courses().insert(&sample::course(id(1), 2))?;
        goes.recv_timeout(Duration::from_secs(10))
            .map_err(|error| StoreError::Failed(error.into()))
    });
    let shared = Arc::clone(&store);
    let company =
        tokio::spawn(async move { in_a_crowd(&shared, vec![course(1), slow, course(3)]).await });
    let served = async {
        while courses(&store, 3).await != [3] {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(8), served).await.unwrap();
    go.send(()).unwrap();
    none_refused(&company.await.unwrap());
    assert_eq!(courses(&store, 3).await, [1, 2, 3]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_waits_for_any_more_is_not_begun() {
    let (_behind, store) = store(OURS).await;
    let leaves = timeout(Duration::from_millis(20), store.write(course(1)));
    let left = while_all_are_busy(&store, leaves).await;
    assert!(left.is_err(), "there was a connection");
    store.write(course(2)).await.unwrap();
    assert_eq!(courses(&store, 2).await, [2]);
}
