//! A fresh, migrated store on either database.

use std::sync::Arc;

use async_trait::async_trait;
use lyceum_contracts::Place;
use lyceum_ports::store::{Store, StoreError, Tx};
use lyceum_store::{DatabaseUrl, MasterKey, StoreSettings};
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
    /// Makes one.
    pub fn new(database: Database) -> Self {
        let (url, folder) = match database {
            Database::Sqlite => {
                let folder = TempDir::new().expect("a temporary folder");
                let url = format!("sqlite://{}/lyceum.db", folder.path().display());
                (url, Some(folder))
            }
            Database::Postgres => (postgres::cluster().create_database(), None),
        };
        Self {
            url,
            _folder: folder,
        }
    }
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
        let database = TestDatabase::new(database);
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
    lyceum_store::open(StoreSettings {
        url: DatabaseUrl::parse(url).expect("a database address"),
        master_key: MasterKey::from_bytes([7; 32]),
        connections: 4,
    })
    .expect("the store opens")
}
