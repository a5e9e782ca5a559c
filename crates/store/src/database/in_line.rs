//! A store that does its work in the caller's thread, on one connection and without waiting for the disk: for
//! simulations, in which threads and real time would make two runs of one seed differ.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use diesel::connection::SimpleConnection;
use lyceum_ports::store::{Finish, Store, StoreError, Work};

use crate::database::connection::AnyConnection;
use crate::database::error::store_error;
use crate::database::session::Session;
use crate::database::sqlite;
use crate::mapping::vault::{MasterKey, Vault};
use crate::open::OpenError;
use crate::upkeep::migrate;

struct InLineStore {
    connection: Mutex<AnyConnection>,
    vault: Vault,
}

/// Brings a SQLite file up to date and opens it for work in the caller's thread. A commit survives the process and
/// no power cut: nothing that anybody relies on belongs here.
pub fn open_in_line(path: &Path, key: &MasterKey) -> Result<Arc<dyn Store>, OpenError> {
    let mut connection = sqlite::connect(path, false).map_err(OpenError::Connect)?;
    migrate::sqlite(&mut connection).map_err(OpenError::Migrate)?;
    connection
        .batch_execute("PRAGMA synchronous = OFF")
        .map_err(|error| OpenError::Migrate(migrate::MigrateError::Failed(error.into())))?;
    Ok(Arc::new(InLineStore {
        connection: Mutex::new(AnyConnection::Sqlite(connection)),
        vault: Vault::new(key),
    }))
}

impl InLineStore {
    fn run(&self, begin: &str, mut work: Work, may_write: bool) -> Result<(), StoreError> {
        let mut connection = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        connection.batch_execute(begin).map_err(store_error)?;
        let mut session = Session::new(&mut connection, &self.vault);
        let outcome = session.perform(&mut work);
        let run_again = session.run_again;
        let keep = may_write && !run_again && matches!(outcome, Ok(Finish::Commit));
        let end = if keep { "COMMIT" } else { "ROLLBACK" };
        connection.batch_execute(end).map_err(store_error)?;
        match outcome {
            Ok(_) if run_again => Err(StoreError::Stale),
            outcome => outcome.map(drop),
        }
    }
}

#[async_trait]
impl Store for InLineStore {
    async fn run_write(&self, work: Work) -> Result<(), StoreError> {
        self.run("BEGIN IMMEDIATE", work, true)
    }

    async fn run_read(&self, work: Work) -> Result<(), StoreError> {
        self.run("BEGIN", work, false)
    }
}
