//! PostgreSQL: a pool, and a transaction per request.
//!
//! Writes run at REPEATABLE READ: whoever changes a row that somebody else changed since is told so by the
//! database, and the whole transaction is run again, which is why work can be run more than once.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::connection::{Connection, SimpleConnection};
use diesel::{ConnectionError, PgConnection};
use lyceum_ports::store::{Finish, Store, StoreError, Work};
use r2d2::Pool;

use crate::connection::AnyConnection;
use crate::error::{asks_for_another_run, store_error};
use crate::session::Session;
use crate::vault::Vault;

/// How often a transaction is run at most.
const RUNS: u32 = 8;

/// Opens a connection of its own.
pub fn connect(url: &str) -> Result<PgConnection, ConnectionError> {
    #[allow(
        clippy::disallowed_methods,
        reason = "the store's own pools are where this belongs"
    )]
    let mut connection = PgConnection::establish(url)?;
    // Notices would go to the operator's terminal, one per statement.
    let quiet = "SET client_min_messages = warning";
    connection
        .batch_execute(quiet)
        .map_err(ConnectionError::CouldntSetupConfiguration)?;
    Ok(connection)
}

struct Connections(String);

impl r2d2::ManageConnection for Connections {
    type Connection = AnyConnection;
    type Error = diesel::r2d2::Error;

    fn connect(&self) -> Result<AnyConnection, Self::Error> {
        let connection = connect(&self.0).map_err(diesel::r2d2::Error::ConnectionError)?;
        Ok(AnyConnection::Postgres(connection))
    }

    fn is_valid(&self, connection: &mut AnyConnection) -> Result<(), Self::Error> {
        connection
            .batch_execute("SELECT 1")
            .map_err(diesel::r2d2::Error::QueryError)
    }

    fn has_broken(&self, _: &mut AnyConnection) -> bool {
        // A connection that went back inside a transaction is caught by the check on the way out.
        std::thread::panicking()
    }
}

/// A store on a PostgreSQL database.
pub struct PostgresStore {
    pool: Pool<Connections>,
    vault: Arc<Vault>,
}

impl PostgresStore {
    /// Opens the pool. The database is migrated already.
    pub fn open(url: &str, connections: u32, vault: Vault) -> Result<Self, StoreError> {
        let pool = Pool::builder()
            .max_size(connections)
            .min_idle(Some(1))
            .build(Connections(url.to_owned()))
            .map_err(|error| StoreError::Unavailable(Box::new(error)))?;
        Ok(Self {
            pool,
            vault: Arc::new(vault),
        })
    }

    async fn on_a_connection(
        &self,
        mut work: Work,
        run: fn(&mut AnyConnection, &Vault, &mut Work) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let pool = self.pool.clone();
        let vault = Arc::clone(&self.vault);
        let running = tokio::task::spawn_blocking(move || {
            let mut connection = pool
                .get()
                .map_err(|error| StoreError::Unavailable(Box::new(error)))?;
            run(&mut connection, &vault, &mut work)
        });
        running
            .await
            .map_err(|error| StoreError::Failed(Box::new(error)))?
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn run_write(&self, work: Work) -> Result<(), StoreError> {
        self.on_a_connection(work, write).await
    }

    async fn run_read(&self, work: Work) -> Result<(), StoreError> {
        self.on_a_connection(work, read).await
    }
}

fn read(connection: &mut AnyConnection, vault: &Vault, work: &mut Work) -> Result<(), StoreError> {
    let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    connection.batch_execute(begin).map_err(store_error)?;
    let outcome = Session::new(connection, vault).perform(work);
    connection.batch_execute("ROLLBACK").map_err(store_error)?;
    outcome.map(drop)
}

fn write(connection: &mut AnyConnection, vault: &Vault, work: &mut Work) -> Result<(), StoreError> {
    for _ in 1..RUNS {
        match write_once(connection, vault, work)? {
            Ended::AsAsked => return Ok(()),
            Ended::RunAgain => {}
        }
    }
    match write_once(connection, vault, work)? {
        Ended::AsAsked => Ok(()),
        Ended::RunAgain => Err(StoreError::Stale),
    }
}

enum Ended {
    AsAsked,
    RunAgain,
}

fn write_once(
    connection: &mut AnyConnection,
    vault: &Vault,
    work: &mut Work,
) -> Result<Ended, StoreError> {
    let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ";
    connection.batch_execute(begin).map_err(store_error)?;
    let mut session = Session::new(connection, vault);
    let outcome = session.perform(work);
    let run_again = session.run_again;
    if let Ok(Finish::Commit) = outcome {
        return match connection.batch_execute("COMMIT") {
            Ok(()) => Ok(Ended::AsAsked),
            Err(error) if asks_for_another_run(&error) => Ok(Ended::RunAgain),
            // Whether it was kept is unknown: the caller finds out by its idempotency key.
            Err(error) => Err(StoreError::Unavailable(Box::new(error))),
        };
    }
    connection.batch_execute("ROLLBACK").map_err(store_error)?;
    outcome.map(|_| {
        if run_again {
            Ended::RunAgain
        } else {
            Ended::AsAsked
        }
    })
}
