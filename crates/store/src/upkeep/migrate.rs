//! Bringing a database to the tables of this build: each migration is one transaction, which also notes that it
//! was run, so a start that dies half-way leaves whole ones, and the next start goes on behind them. One that copies
//! tables, [`LongRows`], is a transaction per table.

use diesel::PgConnection;
use diesel::SqliteConnection;
use diesel::backend::Backend;
use diesel::connection::SimpleConnection;
use diesel::migration::{self, Migration, MigrationSource, MigrationVersion};
use diesel::pg::Pg;
use diesel::sqlite::Sqlite;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use thiserror::Error;

use crate::database::failpoints::fail_point;
use crate::database::statistics;
use crate::upkeep::long_rows::{LongRows, VERSION};

const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");
/// In words that both databases understand.
const BOTH: EmbeddedMigrations = embed_migrations!("../../migrations/both");

/// What SQLite is brought up to date with.
#[derive(Clone, Copy)]
pub struct OnSqlite;

impl MigrationSource<Sqlite> for OnSqlite {
    fn migrations(&self) -> migration::Result<Vec<Box<dyn Migration<Sqlite>>>> {
        let mut all: Vec<Box<dyn Migration<Sqlite>>> = SQLITE.migrations()?;
        all.extend(MigrationSource::<Sqlite>::migrations(&BOTH)?);
        all.retain(|one| one.name().version() != VERSION.into());
        all.push(Box::new(LongRows));
        Ok(all)
    }
}

/// What PostgreSQL is brought up to date with.
#[derive(Clone, Copy)]
struct OnPostgres;

impl MigrationSource<Pg> for OnPostgres {
    fn migrations(&self) -> migration::Result<Vec<Box<dyn Migration<Pg>>>> {
        let mut all = POSTGRES.migrations()?;
        all.extend(MigrationSource::<Pg>::migrations(&BOTH)?);
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
    bring_up_to_date(connection, OnSqlite)?;
    statistics::assume(connection).map_err(|error| MigrateError::Failed(error.into()))
}

/// Whether something is missing on a SQLite database.
pub fn sqlite_is_behind(connection: &mut SqliteConnection) -> Result<bool, MigrateError> {
    refuse_newer(connection, &OnSqlite)?;
    connection
        .has_pending_migration(OnSqlite)
        .map_err(MigrateError::Failed)
}

/// Runs what is missing on a PostgreSQL database; of several nodes starting together one does it.
pub fn postgres(connection: &mut PgConnection) -> Result<(), MigrateError> {
    // An arbitrary number of ours; the lock is gone with the session even if this process dies.
    connection
        .batch_execute("SELECT pg_advisory_lock(7236455)")
        .map_err(|error| MigrateError::Failed(error.into()))?;
    let outcome = bring_up_to_date(connection, OnPostgres);
    let unlocked = connection.batch_execute("SELECT pg_advisory_unlock(7236455)");
    // What went wrong first is what is told; a connection that cannot unlock is dropped, and its lock with it.
    outcome.and(unlocked.map_err(|error| MigrateError::Failed(error.into())))
}

fn bring_up_to_date<C, DB, M>(connection: &mut C, known: M) -> Result<(), MigrateError>
where
    DB: Backend,
    C: MigrationHarness<DB>,
    M: MigrationSource<DB> + Copy,
{
    refuse_newer(connection, &known)?;
    let missing = connection
        .pending_migrations(known)
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

fn refuse_newer<C, DB, M>(connection: &mut C, known: &M) -> Result<(), MigrateError>
where
    DB: Backend,
    C: MigrationHarness<DB>,
    M: MigrationSource<DB>,
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
