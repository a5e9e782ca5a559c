//! Copies of a SQLite database beside a running service, and what can be said of a copy.
//!
//! `VACUUM INTO`, which reads one snapshot and keeps no writer waiting: copying in steps starts anew with every write,
//! and a copied file lacks what is still in the log beside it.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use diesel::connection::{Connection, SimpleConnection};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel::{SqliteConnection, sql_query};
use lyceum_ports::store::StoreError;

use crate::database::connection::AnyConnection;
use crate::database::error::store_error;
use crate::database::sqlite;
use crate::mapping::vault::MasterKey;
use crate::upkeep::diagnosis;
use crate::upkeep::schema_version::{self, SchemaVersion};

/// What is counted, so that a person sees at a glance whether a backup is the right one.
const COUNTED: [&str; 6] = [
    "workspaces",
    "users",
    "courses",
    "submissions",
    "grades",
    "events",
];

/// What a copy holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyFacts {
    /// Which tables it has.
    pub schema_version: SchemaVersion,
    /// Rows by table.
    pub counts: BTreeMap<String, i64>,
}

/// Copies a database to a file that is not there yet, and puts it on disk.
///
/// # Errors
/// If it cannot be read or written, or the copy is not whole.
pub fn copy(database: &Path, to: &Path) -> Result<CopyFacts, StoreError> {
    let failed = |error: diesel::ConnectionError| StoreError::Unavailable(Box::new(error));
    let mut connection = sqlite::connect(database, false).map_err(failed)?;
    let into = to.to_string_lossy().into_owned();
    sql_query("VACUUM INTO ?")
        .bind::<Text, _>(into)
        .execute(&mut connection)
        .map_err(store_error)?;
    let facts = facts(to)?;
    let on_disk = File::open(to).and_then(|file| file.sync_all());
    on_disk.map_err(|error| StoreError::Failed(error.into()))?;
    Ok(facts)
}

#[derive(QueryableByName)]
struct BackupLine {
    #[diesel(sql_type = Text)]
    integrity_check: String,
}

#[derive(QueryableByName)]
struct CopiedCount {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// Looks at a copy.
///
/// # Errors
/// If it is not whole.
pub fn facts(copy: &Path) -> Result<CopyFacts, StoreError> {
    let mut connection = quietly(copy)?;
    let said = sql_query("PRAGMA integrity_check").load::<BackupLine>(&mut connection);
    let said = said.map_err(store_error)?;
    if let Some(wrong) = said.iter().find(|row| row.integrity_check != "ok") {
        let wrong = format!("the copy is damaged: {}", wrong.integrity_check);
        return Err(StoreError::Failed(wrong.into()));
    }
    let mut counts = BTreeMap::new();
    for table in COUNTED {
        let counted = sql_query(format!("SELECT count(*) AS number FROM {table}"));
        let counted: CopiedCount = counted.get_result(&mut connection).map_err(store_error)?;
        counts.insert(table.to_owned(), counted.number);
    }
    let schema_version = schema_version::of(&mut AnyConnection::Sqlite(connection))?;
    Ok(CopyFacts {
        schema_version,
        counts,
    })
}

/// Whether a key opens what a copy keeps sealed; none where nothing is sealed.
///
/// # Errors
/// If it cannot be read.
pub fn opens(copy: &Path, key: &MasterKey) -> Result<Option<bool>, StoreError> {
    diagnosis::opens(&mut quietly(copy)?, key)
}

/// A connection that changes nothing about the file, not even how its log is kept.
fn quietly(copy: &Path) -> Result<SqliteConnection, StoreError> {
    #[allow(
        clippy::disallowed_methods,
        reason = "a copy has no pool, and must not be switched to a log beside it"
    )]
    let connection = SqliteConnection::establish(&copy.to_string_lossy());
    let mut connection = connection.map_err(|error| StoreError::Unavailable(Box::new(error)))?;
    connection
        .batch_execute("PRAGMA query_only = ON")
        .map_err(store_error)?;
    Ok(connection)
}
