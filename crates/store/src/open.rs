//! Opening a store: migrate, then connect.

use std::sync::Arc;

use lyceum_ports::store::{Store, StoreError};
use thiserror::Error;

use crate::migrate;
use crate::postgres::{self, PostgresStore};
use crate::sqlite::{self, SqliteStore};
use crate::url::DatabaseUrl;
use crate::vault::{MasterKey, Vault};

/// Where and how to keep things.
pub struct StoreSettings {
    /// The database.
    pub url: DatabaseUrl,
    /// What secrets are encrypted with.
    pub master_key: MasterKey,
    /// Most connections: readers on SQLite, all on PostgreSQL.
    pub connections: u32,
}

/// Why a store could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The folder of the SQLite file could not be made.
    #[error("could not make the folder of the database")]
    Folder(#[source] std::io::Error),
    /// The database could not be reached.
    #[error("could not connect to the database")]
    Connect(#[source] diesel::ConnectionError),
    /// The tables could not be brought up to date.
    #[error("could not migrate the database")]
    Migrate(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The pool could not be filled.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Brings the database up to date and opens it.
///
/// # Errors
/// [`OpenError`]
pub fn open(settings: StoreSettings) -> Result<Arc<dyn Store>, OpenError> {
    let vault = Vault::new(&settings.master_key);
    match settings.url {
        DatabaseUrl::Sqlite(path) => {
            if let Some(folder) = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty())
            {
                std::fs::create_dir_all(folder).map_err(OpenError::Folder)?;
            }
            let mut connection = sqlite::connect(&path, false).map_err(OpenError::Connect)?;
            migrate::sqlite(&mut connection).map_err(OpenError::Migrate)?;
            Ok(Arc::new(SqliteStore::open(
                &path,
                settings.connections,
                vault,
            )?))
        }
        DatabaseUrl::Postgres(url) => {
            let mut connection = postgres::connect(&url).map_err(OpenError::Connect)?;
            migrate::postgres(&mut connection).map_err(OpenError::Migrate)?;
            Ok(Arc::new(PostgresStore::open(
                &url,
                settings.connections,
                vault,
            )?))
        }
    }
}
