//! What transactions on PostgreSQL keep to when its server, or its connections, are not as one would like.

use std::sync::{Arc, Barrier};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel::{PgConnection, sql_query};
use lyceum_ports::store::StoreError;
use support::fakes::id;
use support::sample;
use support::stores::{CONNECTIONS, Database, TestStore};
use support::tampering::tamper;
use tokio::task::JoinSet;

async fn is_there(store: &TestStore, n: u64) -> bool {
    store
        .read(move |tx| tx.workspaces().find(id(n)))
        .await
        .unwrap()
        .is_some()
}

/// As many readers as the store has connections. They meet when all have one, and once more before they give it back.
fn readers_on_every_connection(store: &TestStore, together: &Arc<Barrier>) -> JoinSet<()> {
    let mut reads = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let (store, together) = (Arc::clone(&store.store), Arc::clone(together));
        reads.spawn(async move {
            let read: Result<(), StoreError> = store
                .read_one_in(&mut None, move |tx| {
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
