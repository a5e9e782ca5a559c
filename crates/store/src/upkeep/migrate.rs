//! Bringing a database to the tables of this build: each migration is one transaction, which also notes that it
//! was run, so a start that dies half-way leaves whole ones, and the next start goes on behind them.

use diesel::PgConnection;
use diesel::SqliteConnection;
use diesel::backend::Backend;
use diesel::connection::SimpleConnection;
use diesel::migration::{self, Migration, MigrationSource, MigrationVersion};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use thiserror::Error;

use crate::database::failpoints::fail_point;
use crate::database::statistics;

pub const SQLITE: Migrations = Migrations(embed_migrations!("../../migrations/sqlite"));
const POSTGRES: Migrations = Migrations(embed_migrations!("../../migrations/postgres"));
const BOTH: EmbeddedMigrations = embed_migrations!("../../migrations/both");

/// The migrations of a database: those in its own words, and those in words that both understand.
pub struct Migrations(EmbeddedMigrations);

impl<DB: Backend> MigrationSource<DB> for Migrations
where
    EmbeddedMigrations: MigrationSource<DB>,
{
    fn migrations(&self) -> migration::Result<Vec<Box<dyn Migration<DB>>>> {
        let mut all = self.0.migrations()?;
        all.extend(BOTH.migrations()?);
        Ok(all)
    }
}

type MigrationFailure = Box<dyn std::error::Error + Send + Sync>;

/// Why a database has other tables than this build.
#[derive(Debug, Error)]
pub enum MigrateError {
    /// A later version was here.
    #[error(
        "the database is newer than this program: it has the migration {0}, which this version does not know; \
         run the version that made it, or restore a backup from before"
    )]
    Newer(String),
    /// A migration, or the look at what was run, failed.
    #[error("could not migrate the database")]
    Failed(#[source] MigrationFailure),
}

/// Runs what is missing on a SQLite database, which is this process's alone.
pub fn sqlite(connection: &mut SqliteConnection) -> Result<(), MigrateError> {
    bring_up_to_date(connection, || SQLITE)?;
    statistics::assume(connection).map_err(|error| MigrateError::Failed(error.into()))
}

/// Whether something is missing on a SQLite database.
pub fn sqlite_is_behind(connection: &mut SqliteConnection) -> Result<bool, MigrateError> {
    refuse_newer(connection, &SQLITE)?;
    connection
        .has_pending_migration(SQLITE)
        .map_err(MigrateError::Failed)
}

/// Runs what is missing on a PostgreSQL database; of several nodes starting together one does it.
pub fn postgres(connection: &mut PgConnection) -> Result<(), MigrateError> {
    // An arbitrary number of ours; the lock is gone with the session even if this process dies.
    connection
        .batch_execute("SELECT pg_advisory_lock(7236455)")
        .map_err(|error| MigrateError::Failed(error.into()))?;
    let outcome = bring_up_to_date(connection, || POSTGRES);
    let unlocked = connection.batch_execute("SELECT pg_advisory_unlock(7236455)");
    // What went wrong first is what is told; a connection that cannot unlock is dropped, and its lock with it.
    outcome.and(unlocked.map_err(|error| MigrateError::Failed(error.into())))
}

fn bring_up_to_date<C, DB>(
    connection: &mut C,
    known: fn() -> Migrations,
) -> Result<(), MigrateError>
where
    DB: Backend,
    C: MigrationHarness<DB>,
    Migrations: MigrationSource<DB>,
{
    refuse_newer(connection, &known())?;
    let missing = connection
        .pending_migrations(known())
        .map_err(MigrateError::Failed)?;
    for migration in missing {
        fail_point!("migration.begin");
        connection
            .run_migration(migration.as_ref())
            .map_err(MigrateError::Failed)?;
        fail_point!("migration.ended");
    }
    Ok(())
}

fn refuse_newer<C, DB>(connection: &mut C, known: &Migrations) -> Result<(), MigrateError>
where
    DB: Backend,
    C: MigrationHarness<DB>,
    Migrations: MigrationSource<DB>,
{
    let applied = connection
        .applied_migrations()
        .map_err(MigrateError::Failed)?;
    let known = known.migrations().map_err(MigrateError::Failed)?;
    let is_known = |version: &MigrationVersion<'_>| {
        known
            .iter()
            .any(|migration| migration.name().version() == *version)
    };
    match applied.iter().find(|version| !is_known(version)) {
        Some(unknown) => Err(MigrateError::Newer(unknown.to_string())),
        None => Ok(()),
    }
}
