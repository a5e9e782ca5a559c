//! Opening a store: migrate, then connect.

use std::path::Path;
use std::sync::Arc;

use diesel::SqliteConnection;
use lyceum_ports::store::{Store, StoreError};
use thiserror::Error;

use crate::database::postgres::{self, Addresses, PostgresStore, pooler};
use crate::database::sqlite::{self, SqliteStore};
use crate::mapping::vault::{MasterKey, Vault};
use crate::upkeep::data_folder::{DataFolderError, DataFolderLock};
use crate::upkeep::migrate::{self, MigrateError};
use crate::upkeep::safeguards::Safeguards;
use crate::url::{DatabaseUrl, PostgresUrl};

/// Where and how to keep things.
pub struct StoreSettings {
    /// The database.
    pub url: DatabaseUrl,
    /// A pooler in front of it that hands out sessions for a transaction each; what needs one of its own goes to the database.
    pub pooler: Option<PostgresUrl>,
    /// A standby of it, which answers what callers read.
    pub replica: Option<PostgresUrl>,
    /// What secrets are encrypted with.
    pub master_key: MasterKey,
    /// Most connections: readers kept open on SQLite, all on PostgreSQL.
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
    #[error(transparent)]
    Migrate(#[from] MigrateError),
    /// The tables must be brought up to date, and a service is at work on them.
    #[error("the database must be brought up to date first")]
    InUse(#[source] DataFolderError),
    /// The file was damaged when the last process ended.
    #[error("the database is damaged, restore a backup: {0}")]
    Damaged(String),
    /// The pooler is none that can be used.
    #[error("the pooler cannot be used: {0}")]
    Pooler(&'static str),
    /// The pool could not be filled.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Brings the database up to date and opens it, for a command.
pub fn open(settings: StoreSettings) -> Result<Arc<dyn Store>, OpenError> {
    open_with(settings, Safeguards::default())
}

/// Brings the database up to date and opens it, guarded as a service's must be.
pub fn open_with(
    settings: StoreSettings,
    safeguards: Safeguards,
) -> Result<Arc<dyn Store>, OpenError> {
    let vault = Vault::new(&settings.master_key);
    match settings.url {
        DatabaseUrl::Sqlite(path) => {
            let prepared = prepare_sqlite(&path, safeguards.lock.is_some())?;
            let store = SqliteStore::open(&path, settings.connections, vault, safeguards)?;
            // The last connection to go takes the log with it, and the next one would make it anew: two waits for the
            // disk that a start can do without.
            drop(prepared);
            Ok(Arc::new(store))
        }
        DatabaseUrl::Postgres(url) => {
            let mut connection = postgres::connect(&url).map_err(OpenError::Connect)?;
            migrate::postgres(&mut connection)?;
            let at = Addresses {
                url: &url,
                pooler: settings.pooler.as_ref().map(PostgresUrl::as_str),
                replica: settings.replica.as_ref().map(PostgresUrl::as_str),
            };
            if let Some(pooler) = at.pooler {
                pooler::check(pooler, connection).map_err(OpenError::Pooler)?;
            }
            let store = PostgresStore::open(&at, settings.connections, vault, safeguards.metrics)?;
            Ok(Arc::new(store))
        }
    }
}

/// A file whose damage shows as soon as it is opened is damaged, and not out of reach.
fn not_opened(error: diesel::ConnectionError) -> OpenError {
    let said = error.to_string();
    let is_damaged = ["malformed", "not a database"];
    if is_damaged.iter().any(|words| said.contains(words)) {
        return OpenError::Damaged(said);
    }
    OpenError::Connect(error)
}

fn prepare_sqlite(path: &Path, is_ours: bool) -> Result<SqliteConnection, OpenError> {
    let folder = sqlite::folder_of(path);
    std::fs::create_dir_all(folder).map_err(OpenError::Folder)?;
    let mut connection = sqlite::connect(path, false).map_err(not_opened)?;
    if is_ours && sqlite::is_marked(folder) {
        tracing::info!("the last service here did not end in order; looking through the database");
        let damage = sqlite::check_after_crash(&mut connection)
            .map_err(|error| OpenError::Damaged(error.to_string()))?;
        if let Some(damage) = damage {
            return Err(OpenError::Damaged(damage));
        }
    }
    if is_ours {
        migrate::sqlite(&mut connection)?;
        return Ok(connection);
    }
    if !migrate::sqlite_is_behind(&mut connection)? {
        return Ok(connection);
    }
    // A service of an older version must not find other tables from one moment to the next.
    let held = DataFolderLock::take(folder).map_err(OpenError::InUse)?;
    migrate::sqlite(&mut connection)?;
    drop(held);
    Ok(connection)
}
