//! Which tables a database has, and which this build makes.

use diesel::migration::MigrationSource;
use diesel::prelude::*;
use diesel::sql_types::Text;
use lyceum_ports::store::StoreError;

use crate::database::connection::AnyConnection;
use crate::database::statements::load;
use crate::upkeep::migrate;

/// The newest migration of a database and how many there are, so that it sorts by time: `20261122145001/036`.
pub type SchemaVersion = String;

#[derive(QueryableByName)]
struct Applied {
    #[diesel(sql_type = Text)]
    version: String,
}

/// The tables of a database.
///
/// # Errors
/// Also where no migration has ever run.
pub fn of(connection: &mut AnyConnection) -> Result<SchemaVersion, StoreError> {
    let applied = "SELECT version FROM __diesel_schema_migrations".to_owned();
    let applied = load::<Applied>(connection, applied)?;
    Ok(written(applied.into_iter().map(|row| row.version)))
}

/// The tables that this build makes; the two databases are migrated in step.
pub fn built() -> SchemaVersion {
    let migrations = migrate::OnSqlite.migrations().unwrap_or_default();
    written(
        migrations
            .iter()
            .map(|one| one.name().version().to_string()),
    )
}

fn written(versions: impl Iterator<Item = String>) -> SchemaVersion {
    let versions: Vec<String> = versions.collect();
    let newest = versions.iter().max().cloned().unwrap_or_default();
    format!("{newest}/{:03}", versions.len())
}
