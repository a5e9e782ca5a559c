//! A fresh, migrated store on either database.

use std::sync::Arc;

use lyceum_ports::store::{Store, StoreError, Tx};
use lyceum_store::{DatabaseUrl, MasterKey, StoreSettings};
use tempfile::TempDir;

use crate::postgres;

/// Which database a test runs on. Contract tests take it by
/// `#[values(Database::Sqlite, Database::Postgres)] database: Database`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Database {
    /// A file of its own.
    Sqlite,
    /// A database of its own in the run's throw-away cluster.
    Postgres,
}

/// A store that is gone when dropped.
pub struct TestStore {
    /// The store.
    pub store: Arc<dyn Store>,
    /// Where it is, for a second process or a second store on the same data.
    pub url: String,
    _folder: Option<TempDir>,
}

impl TestStore {
    /// Opens a fresh store.
    pub fn open(database: Database) -> Self {
        let (url, folder) = match database {
            Database::Sqlite => {
                let folder = TempDir::new().expect("a temporary folder");
                let url = format!("sqlite://{}/lyceum.db", folder.path().display());
                (url, Some(folder))
            }
            Database::Postgres => (postgres::cluster().create_database(), None),
        };
        Self {
            store: reopen(&url),
            url,
            _folder: folder,
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
