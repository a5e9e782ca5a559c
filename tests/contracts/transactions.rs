//! What every transaction keeps to, whatever is done in it.

use std::sync::{Arc, Barrier};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel::{PgConnection, sql_query};
use lyceum_ports::store::StoreError;
use rstest::rstest;
use support::fakes::id;
use support::sample;
use support::stores::{Database, TestStore};
use support::tampering::tamper;
use tokio::task::JoinSet;

async fn is_there(store: &TestStore, n: u64) -> bool {
    store
        .read(move |tx| tx.workspaces().find(id(n)))
        .await
        .unwrap()
        .is_some()
}

#[rstest]
#[tokio::test]
async fn a_panic_rolls_its_own_transaction_back_and_the_store_goes_on_working(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = TestStore::open(database);
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

#[rstest]
#[tokio::test]
async fn of_many_writes_at_once_those_that_fail_leave_the_others_alone(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = TestStore::open(database);
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

#[rstest]
#[tokio::test]
async fn a_read_cannot_write(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let store = TestStore::open(database);
    let written = store
        .read(|tx| tx.workspaces().insert(&sample::workspace(1)))
        .await;
    assert!(written.is_err());
    let glanced = store
        .store
        .glance_on(&mut None, |tx| {
            tx.workspaces().insert(&sample::workspace(1))
        })
        .await;
    assert!(glanced.is_err());
    assert!(!is_there(&store, 1).await);
}

#[rstest]
#[tokio::test]
async fn a_failed_statement_is_never_passed_off_as_kept(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = TestStore::open(database);
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

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_read_sees_one_moment(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = TestStore::open(database);
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

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_glance_that_turns_out_to_be_more_sees_one_moment(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let store = TestStore::open(database);
    let (began, go_on) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let (begun, going) = (Arc::clone(&began), Arc::clone(&go_on));
    let reader = Arc::clone(&store.store);
    let reading = tokio::spawn(async move {
        let mut is_first = true;
        let seen: Result<_, StoreError> = reader
            .glance_on(&mut None, move |tx| {
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

/// How many connections the stores of tests have.
const CONNECTIONS: usize = 4;

/// As many readers as the store has connections. They meet when all have one, and once more before they give it back.
fn readers_on_every_connection(store: &TestStore, together: &Arc<Barrier>) -> JoinSet<()> {
    let mut reads = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let (store, together) = (Arc::clone(&store.store), Arc::clone(together));
        reads.spawn(async move {
            let read: Result<(), StoreError> = store
                .glance_on(&mut None, move |tx| {
                    tx.workspaces().find(id(1))?;
                    together.wait();
                    together.wait();
                    Ok(())
                })
                .await;
            read.unwrap();
        });
    }
    reads
}

async fn read_on_every_connection(store: &TestStore) {
    let together = Arc::new(Barrier::new(CONNECTIONS));
    readers_on_every_connection(store, &together)
        .join_all()
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_finds_every_connection_busy_for_long_is_told_so() {
    let store = TestStore::open(Database::Postgres);
    let together = Arc::new(Barrier::new(CONNECTIONS + 1));
    let busy = readers_on_every_connection(&store, &together);
    tokio::task::block_in_place(|| together.wait());
    let refused: Result<(), StoreError> = store.read(|_| Ok(())).await;
    assert!(
        matches!(refused, Err(StoreError::Unavailable(_))),
        "{refused:?}"
    );
    tokio::task::block_in_place(|| together.wait());
    busy.join_all().await;
    assert!(!is_there(&store, 1).await);
}

#[tokio::test]
async fn when_the_server_hangs_up_on_everybody_the_next_who_ask_are_answered() {
    let store = TestStore::open(Database::Postgres);
    read_on_every_connection(&store).await;
    let hang_up = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
    tamper(&store.url, hang_up);
    assert!(!is_there(&store, 1).await);
    read_on_every_connection(&store).await;
    tamper(&store.url, hang_up);
    store
        .write(|tx| tx.workspaces().insert(&sample::workspace(1)))
        .await
        .unwrap();
    assert!(is_there(&store, 1).await);
}

#[derive(QueryableByName)]
struct Setting {
    #[diesel(sql_type = Text)]
    value: String,
}

/// On SQLite it is a pragma, which the store's own tests look at.
#[tokio::test]
async fn a_commit_waits_for_the_disk_whatever_the_server_is_set_to() {
    let store = TestStore::open(Database::Postgres);
    #[allow(
        clippy::disallowed_methods,
        reason = "the operator does not ask the store for a connection"
    )]
    let mut operator = PgConnection::establish(&store.url).unwrap();
    let notes = "CREATE TABLE told (value text NOT NULL);
        CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO told VALUES (current_setting('synchronous_commit')); RETURN NULL;
        END $$;
        CREATE TRIGGER tell AFTER INSERT ON workspaces EXECUTE FUNCTION tell();";
    operator.batch_execute(notes).unwrap();
    let asked = sql_query("SELECT current_setting('synchronous_commit') AS value");
    let usual: Setting = asked.get_result(&mut operator).unwrap();
    assert_eq!(usual.value, "off", "tests are to be quick");
    store
        .write(|tx| tx.workspaces().insert(&sample::workspace(1)))
        .await
        .unwrap();
    let told = sql_query("SELECT value FROM told").load::<Setting>(&mut operator);
    let told: Vec<String> = told.unwrap().into_iter().map(|row| row.value).collect();
    assert_eq!(told, ["on"]);
}
