//! A COMMIT that fails, on either database, and one whose answer is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use lyceum_ports::store::{Store, StoreError, Tx};
use lyceum_store::database::failpoints::Points;
use lyceum_store::{DatabaseUrl, EXIT_STORAGE, Ending, MasterKey, Safeguards, StoreSettings};
use rstest::rstest;
use support::company::{in_company, piece};
use support::fakes::id;
use support::sample;
use support::stores::{Database, TestStore, reopen};
use tempfile::TempDir;

async fn insert(store: &Arc<dyn Store>, n: u64) -> Result<(), StoreError> {
    store
        .write(move |tx| tx.workspaces().insert(&sample::workspace(n)))
        .await
}

async fn is_there(store: &Arc<dyn Store>, n: u64) -> bool {
    let found: Result<_, StoreError> = store.read(move |tx| tx.workspaces().find(id(n))).await;
    found.unwrap().is_some()
}

/// A store on SQLite that tells instead of ending the process.
fn telling(folder: &TempDir) -> (Arc<dyn Store>, mpsc::Receiver<String>) {
    let (tell, told) = mpsc::channel();
    let safeguards = Safeguards {
        ending: Ending::calling(move |reason| tell.send(reason.to_owned()).unwrap()),
        ..Safeguards::default()
    };
    let settings = StoreSettings {
        url: DatabaseUrl::Sqlite(folder.path().join("lyceum.db")),
        pooler: None,
        replica: None,
        master_key: MasterKey::from_bytes([7; 32]),
        connections: 2,
    };
    let store = lyceum_store::open_with(settings, safeguards).unwrap();
    (store, told)
}

#[tokio::test]
async fn a_failed_sync_ends_the_process_and_nothing_is_written_after_it() {
    let folder = TempDir::new().unwrap();
    let (store, told) = telling(&folder);
    let points = Points::on("writer.commit", "1*return(disk I/O error)");
    let unknown = insert(&store, 1).await;
    assert!(
        matches!(unknown, Err(StoreError::Unknown(_))),
        "{unknown:?}"
    );
    assert!(told.recv().unwrap().contains("disk I/O error"));
    drop(points);
    let after = insert(&store, 2).await;
    assert!(
        matches!(after, Err(StoreError::Unavailable(_))),
        "{after:?}"
    );
}

#[rstest]
#[case::full("database or disk is full")]
#[case::busy("database is locked")]
#[tokio::test]
async fn a_commit_that_kept_nothing_is_refused_and_the_writer_goes_on(#[case] said: &str) {
    let folder = TempDir::new().unwrap();
    let (store, told) = telling(&folder);
    let points = Points::on("writer.commit", &format!("1*return({said})"));
    let refused = insert(&store, 1).await;
    assert!(
        matches!(
            refused,
            Err(StoreError::DiskFull | StoreError::Unavailable(_))
        ),
        "{refused:?}"
    );
    drop(points);
    assert!(!is_there(&store, 1).await);
    insert(&store, 2).await.unwrap();
    assert!(is_there(&store, 2).await);
    assert!(told.try_recv().is_err(), "the process would have ended");
}

#[rstest]
#[case::before_it_arrived("postgres.commit", false)]
#[case::before_it_was_answered("postgres.answer", true)]
#[tokio::test]
async fn a_commit_without_an_answer_is_unknown(#[case] point: &str, #[case] kept: bool) {
    let store = TestStore::open(Database::Postgres);
    let points = Points::on(point, "1*return");
    let unknown = insert(&store.store, 1).await;
    assert!(
        matches!(unknown, Err(StoreError::Unknown(_))),
        "{unknown:?}"
    );
    drop(points);
    assert_eq!(is_there(&store.store, 1).await, kept);
    // The connection is not given to anybody else.
    for n in 2..8 {
        insert(&store.store, n).await.unwrap();
    }
}

#[rstest]
#[case::before_it_arrived("postgres.commit", false)]
#[case::before_it_was_answered("postgres.answer", true)]
#[tokio::test(flavor = "multi_thread")]
async fn a_commit_of_many_without_an_answer_is_unknown_to_all(
    #[case] point: &str,
    #[case] kept: bool,
) {
    let store = TestStore::open(Database::Postgres);
    let points = Points::on(point, "1*return");
    let insert_one =
        |n| piece(move |tx: &mut dyn Tx| tx.workspaces().insert(&sample::workspace(n)));
    let ended = in_company(&store.store, (1..=3).map(insert_one).collect()).await;
    assert!(
        ended
            .iter()
            .all(|ended| matches!(ended, Err(StoreError::Unknown(_)))),
        "{ended:?}"
    );
    drop(points);
    for n in 1..=3 {
        assert_eq!(is_there(&store.store, n).await, kept);
    }
    // The connection is not given to anybody else.
    for n in 4..10 {
        insert(&store.store, n).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_lost_before_commit_is_another_run_on_another_one() {
    let store = TestStore::open(Database::Postgres);
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let url = store.url.clone();
    let written: Result<(), StoreError> = store
        .write(move |tx| {
            tx.workspaces().insert(&sample::workspace(1))?;
            if counted.fetch_add(1, Ordering::SeqCst) == 0 {
                cut_others(&url);
            }
            tx.workspaces().insert(&sample::workspace(2))
        })
        .await;
    written.unwrap();
    assert_eq!(runs.load(Ordering::SeqCst), 2);
    let later = reopen(&store.url);
    assert!(is_there(&later, 1).await && is_there(&later, 2).await);
}

/// Where the process of the next test finds its file.
const FILE: &str = "LYCEUM_TEST_CRASH_FILE";

#[tokio::test]
async fn the_process_that_cannot_tell_what_is_on_disk_ends_with_a_code_of_its_own() {
    if let Some(file) = std::env::var_os(FILE) {
        let store = reopen(&format!("sqlite://{}", file.display()));
        insert(&store, 1).await.unwrap();
        let _points = Points::on("writer.commit", "return(disk I/O error)");
        drop(insert(&store, 2).await);
        return;
    }
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("lyceum.db");
    let name = "commits::the_process_that_cannot_tell_what_is_on_disk_ends_with_a_code_of_its_own";
    let ended = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name])
        .env(FILE, &file)
        .output()
        .unwrap();
    assert_eq!(ended.status.code(), Some(EXIT_STORAGE), "{ended:?}");
    let after = reopen(&format!("sqlite://{}", file.display()));
    assert!(is_there(&after, 1).await);
}

/// Ends all connections to the database but the one that asks for it.
fn cut_others(url: &str) {
    support::tampering::tamper(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn cut_connections_are_replaced_before_anybody_gets_them() {
    let store = TestStore::open(Database::Postgres);
    insert(&store.store, 1).await.unwrap();
    cut_others(&store.url);
    for n in 2..8 {
        insert(&store.store, n).await.unwrap();
    }
    assert!(is_there(&store.store, 7).await);
}
