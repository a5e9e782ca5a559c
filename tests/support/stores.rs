//! A fresh, migrated store on either database.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use lyceum_contracts::Place;
use lyceum_ports::store::{Store, StoreError, Tx};
use lyceum_store::running::metrics::StoreMetrics;
use lyceum_store::{DatabaseUrl, MasterKey, OpenError, PostgresUrl, Safeguards, StoreSettings};
use tempfile::TempDir;

use crate::postgres;

/// Which database a test runs on. Tests of both take it by
/// `#[values(Database::Sqlite, Database::Postgres)] database: Database`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Database {
    /// A file of its own.
    Sqlite,
    /// A database of its own in the run's throw-away cluster.
    Postgres,
}

/// An empty database of its own, gone when dropped.
pub struct TestDatabase {
    /// Where it is.
    pub url: String,
    _folder: Option<TempDir>,
}

impl TestDatabase {
    /// Makes one without any table.
    pub fn new(database: Database) -> Self {
        match database {
            Database::Sqlite => Self::in_folder(TempDir::new().expect("a temporary folder")),
            Database::Postgres => Self::at(postgres::cluster().create_database()),
        }
    }

    /// Makes one with all tables, as a start on an empty one would.
    pub fn migrated(database: Database) -> Self {
        match database {
            Database::Sqlite => {
                let folder = TempDir::new().expect("a temporary folder");
                fs::copy(migrated_file(), folder.path().join(FILE)).expect("the file is copied");
                Self::in_folder(folder)
            }
            Database::Postgres => {
                let migrate = |url: &str| drop(reopen(url));
                Self::at(postgres::cluster().create_migrated_database(migrate))
            }
        }
    }

    fn in_folder(folder: TempDir) -> Self {
        Self {
            url: url_of(&folder.path().join(FILE)),
            _folder: Some(folder),
        }
    }

    fn at(url: String) -> Self {
        Self { url, _folder: None }
    }
}

/// How many connections to PostgreSQL a store of tests has.
pub const CONNECTIONS: usize = 4;

/// Name of the SQLite file.
const FILE: &str = "lyceum.db";

fn url_of(file: &Path) -> String {
    format!("sqlite://{}", file.display())
}

/// A SQLite file with all tables, made by the first test of this program: to bring a database up to date takes far longer
/// than to copy one.
fn migrated_file() -> PathBuf {
    beside_this_program("migrated.db", |made| {
        let folder = TempDir::new().expect("a temporary folder");
        let file = folder.path().join(FILE);
        drop(reopen(&url_of(&file)));
        // What of it is still in the log beside it, too.
        lyceum_store::upkeep::backup::copy(&file, made).expect("the database is copied");
    })
}

/// So many of such files this process has begun.
static MADE: AtomicU32 = AtomicU32::new(0);

/// A file that is the same for all tests of this program, made by the first of them; a program that was built anew makes
/// it anew.
pub fn beside_this_program(name: &str, make: impl FnOnce(&Path)) -> PathBuf {
    let program = std::env::current_exe().expect("a test knows its own path");
    let file = program.with_extension(name);
    let changed = |path: &Path| path.metadata().and_then(|it| it.modified()).ok();
    if changed(&file) > changed(&program) {
        return file;
    }
    // Whoever else makes it at this moment, here or in another process, makes the same.
    let serial = MADE.fetch_add(1, Ordering::Relaxed);
    let own = program.with_extension(format!("{name}.{}.{serial}", std::process::id()));
    make(&own);
    fs::rename(own, &file).expect("the target folder is writable");
    file
}

#[async_trait]
impl Place<dyn Store> for TestDatabase {
    async fn open(&self) -> Arc<dyn Store> {
        reopen(&self.url)
    }
}

/// A store on a database of its own, gone when dropped.
pub struct TestStore {
    /// The store.
    pub store: Arc<dyn Store>,
    /// Where it is, for a second process or a second store on the same data.
    pub url: String,
    _database: TestDatabase,
}

impl TestStore {
    /// Opens a fresh store.
    pub fn open(database: Database) -> Self {
        let database = TestDatabase::migrated(database);
        Self {
            store: reopen(&database.url),
            url: database.url.clone(),
            _database: database,
        }
    }

    /// Runs work in a transaction that is kept.
    pub async fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut dyn Tx) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.store.write(work).await
    }

    /// Runs work on a snapshot.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut dyn Tx) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.store.read(work).await
    }
}

/// Opens a store on data that may be there already.
pub fn reopen(url: &str) -> Arc<dyn Store> {
    match postgres::replica_of(url) {
        Some(replica) => reopen_beside(url, &replica, None),
        None => lyceum_store::open(settings(url)).expect("the store opens"),
    }
}

/// The same, which goes through this pooler.
pub fn reopen_behind(url: &str, pooler: &str) -> Arc<dyn Store> {
    open_behind(url, pooler).expect("the store opens")
}

/// The same, where the pooler may be none that can be used.
///
/// # Errors
/// If it is none.
pub fn open_behind(url: &str, pooler: &str) -> Result<Arc<dyn Store>, OpenError> {
    let settings = settings(url);
    let pooler = PostgresUrl::parse(pooler, &settings.url).expect("the address of a pooler");
    let settings = StoreSettings {
        pooler: Some(pooler),
        ..settings
    };
    lyceum_store::open(settings)
}

/// The same, which reads from this replica.
pub fn reopen_beside(url: &str, replica: &str, metrics: Option<StoreMetrics>) -> Arc<dyn Store> {
    let settings = settings(url);
    let replica = PostgresUrl::parse(replica, &settings.url).expect("the address of a replica");
    let settings = StoreSettings {
        replica: Some(replica),
        ..settings
    };
    let safeguards = Safeguards {
        metrics,
        ..Safeguards::default()
    };
    lyceum_store::open_with(settings, safeguards).expect("the store opens")
}

fn settings(url: &str) -> StoreSettings {
    StoreSettings {
        url: DatabaseUrl::parse(url).expect("a database address"),
        pooler: None,
        replica: None,
        master_key: MasterKey::from_bytes([7; 32]),
        connections: u32::try_from(CONNECTIONS).expect("a few"),
    }
}
