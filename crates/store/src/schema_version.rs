//! Which tables a database has, and which this build makes.

use diesel::migration::MigrationSource;
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};
use diesel::sqlite::Sqlite;
use lyceum_ports::store::StoreError;

use crate::connection::AnyConnection;
use crate::error::store_error;
use crate::migrate;

/// The newest migration of a database, as digits that sort by time; empty where there is none.
pub type SchemaVersion = String;

#[derive(QueryableByName)]
struct Newest {
    #[diesel(sql_type = Nullable<Text>)]
    version: Option<String>,
}

/// The tables of a database.
///
/// # Errors
/// Also where no migration has ever run.
pub fn of(connection: &mut AnyConnection) -> Result<SchemaVersion, StoreError> {
    let query = diesel::sql_query("SELECT max(version) AS version FROM __diesel_schema_migrations");
    let newest: Newest = match connection {
        AnyConnection::Postgres(connection) => query.get_result(connection),
        AnyConnection::Sqlite(connection) => query.get_result(connection),
    }
    .map_err(store_error)?;
    Ok(newest.version.unwrap_or_default())
}

/// The tables that this build makes; the two databases are migrated in step.
pub fn built() -> SchemaVersion {
    let migrations = MigrationSource::<Sqlite>::migrations(&migrate::SQLITE).unwrap_or_default();
    let versions = migrations
        .iter()
        .map(|one| one.name().version().to_string());
    versions.max().unwrap_or_default()
}
