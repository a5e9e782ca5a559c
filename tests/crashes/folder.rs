//! What lies in the data folder: whose it is, whether it was left in order, whether it is whole.

use std::path::Path;
use std::sync::Arc;

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel::{PgConnection, SqliteConnection};
use lyceum_ports::store::{Store, StoreError};
use lyceum_store::{
    DataFolderLock, DatabaseUrl, MasterKey, OpenError, RESERVE_FILE, Safeguards, SpaceSettings,
    StoreSettings,
};
use support::sample;
use tempfile::TempDir;

#[derive(QueryableByName)]
struct Counted {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

/// What a query counts as `n`, asked past the store.
#[allow(
    clippy::disallowed_methods,
    reason = "who looks behind the store does not ask it for a connection"
)]
pub fn count(url: &str, query: &str) -> i64 {
    let query = diesel::sql_query(query);
    let counted: Counted = if let Some(file) = url.strip_prefix("sqlite://") {
        let mut connection = SqliteConnection::establish(file).unwrap();
        query.get_result(&mut connection).unwrap()
    } else {
        let mut connection = PgConnection::establish(url).unwrap();
        query.get_result(&mut connection).unwrap()
    };
    counted.n
}

/// That a SQLite file is whole and refers to nothing that is not there; PostgreSQL looks after itself.
pub fn assert_whole(url: &str) {
    if url.starts_with("sqlite://") {
        let broken = "SELECT (SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok') \
                      + (SELECT count(*) FROM pragma_foreign_key_check) AS n";
        assert_eq!(count(url, broken), 0);
    }
}

/// A folder and the service's hold on it.
struct Served {
    folder: TempDir,
}

impl Served {
    fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    fn file(&self) -> std::path::PathBuf {
        self.folder.path().join("lyceum.db")
    }

    fn has(&self, name: &str) -> bool {
        self.folder.path().join(name).exists()
    }

    fn settings(&self) -> StoreSettings {
        StoreSettings {
            url: DatabaseUrl::Sqlite(self.file()),
            pooler: None,
            replica: None,
            master_key: MasterKey::from_bytes([7; 32]),
            connections: 2,
        }
    }

    fn open(&self) -> Result<Arc<dyn Store>, OpenError> {
        let space = SpaceSettings {
            reserve_bytes: 1 << 20,
            minimum_free_bytes: 1,
        };
        self.open_with(space)
    }

    fn open_with(&self, space: SpaceSettings) -> Result<Arc<dyn Store>, OpenError> {
        let lock = DataFolderLock::take(self.folder.path()).unwrap();
        let safeguards = Safeguards {
            space,
            lock: Some(Arc::new(lock)),
            ..Safeguards::default()
        };
        lyceum_store::open_with(self.settings(), safeguards)
    }
}

async fn insert(store: &Arc<dyn Store>, n: u64) -> Result<(), StoreError> {
    store
        .write(move |tx| tx.workspaces().insert(&sample::workspace(n)))
        .await
}

#[tokio::test]
async fn a_store_that_is_closed_leaves_one_whole_file_and_the_folder_to_the_next() {
    let served = Served::new();
    let store = served.open().unwrap();
    insert(&store, 1).await.unwrap();
    assert!(served.has("RUNNING") && served.has(RESERVE_FILE));
    let held = DataFolderLock::take(served.folder.path());
    assert!(held.is_err(), "two had the folder");
    store.close().await;
    let log = std::fs::metadata(served.folder.path().join("lyceum.db-wal"));
    assert!(log.map_or(0, |log| log.len()) == 0, "the log is not empty");
    assert!(!served.has("RUNNING"));
    assert!(insert(&store, 2).await.is_err());
    served.open().unwrap();
}

#[tokio::test]
async fn a_command_is_no_service_and_leaves_no_mark() {
    let served = Served::new();
    let store = lyceum_store::open(served.settings()).unwrap();
    insert(&store, 1).await.unwrap();
    assert!(!served.has("RUNNING") && !served.has(RESERVE_FILE));
}

#[tokio::test]
async fn a_command_does_not_change_the_tables_under_a_running_service() {
    let served = Served::new();
    let _held = DataFolderLock::take(served.folder.path()).unwrap();
    let refused = lyceum_store::open(served.settings()).map(drop);
    assert!(matches!(refused, Err(OpenError::InUse(_))), "{refused:?}");
}

/// Writes over the middle of a file, as a failing disk does.
fn damage(file: &Path) {
    let mut bytes = std::fs::read(file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 8192].fill(0xa5);
    std::fs::write(file, bytes).unwrap();
}

#[tokio::test]
async fn a_file_that_a_crash_left_damaged_is_not_served() {
    let served = Served::new();
    let store = served.open().unwrap();
    insert(&store, 1).await.unwrap();
    store.close().await;
    damage(&served.file());
    // As after a crash: the mark is still there.
    std::fs::write(served.folder.path().join("RUNNING"), "").unwrap();
    let refused = served.open().map(drop);
    assert!(matches!(refused, Err(OpenError::Damaged(_))), "{refused:?}");
}

#[tokio::test]
async fn on_an_almost_full_disk_nothing_new_is_taken_and_what_ends_something_is() {
    let served = Served::new();
    let store = served
        .open_with(SpaceSettings {
            reserve_bytes: 0,
            minimum_free_bytes: u64::MAX,
        })
        .unwrap();
    let refused = insert(&store, 1).await;
    assert!(matches!(refused, Err(StoreError::DiskFull)), "{refused:?}");
    let concluded: Result<(), StoreError> = store
        .conclude(|tx| tx.workspaces().insert(&sample::workspace(2)))
        .await;
    concluded.unwrap();
    let read: Result<_, StoreError> = store.read(|tx| tx.workspaces().none_yet()).await;
    assert!(!read.unwrap());
    assert_eq!(
        store.condition(),
        lyceum_ports::store::Condition::DiskAlmostFull
    );
}
