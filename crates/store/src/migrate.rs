//! Bringing a database to the tables of this build.

use diesel::PgConnection;
use diesel::SqliteConnection;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

pub const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Runs what is missing on a SQLite database.
pub fn sqlite(connection: &mut SqliteConnection) -> Result<(), Failure> {
    connection.run_pending_migrations(SQLITE).map(drop)
}

/// Runs what is missing on a PostgreSQL database; of several nodes starting together one does it.
pub fn postgres(connection: &mut PgConnection) -> Result<(), Failure> {
    use diesel::connection::SimpleConnection;
    // An arbitrary number of ours; the lock is gone with the session even if this process dies.
    connection.batch_execute("SELECT pg_advisory_lock(7236455)")?;
    let outcome = connection.run_pending_migrations(POSTGRES).map(drop);
    connection.batch_execute("SELECT pg_advisory_unlock(7236455)")?;
    outcome
}
