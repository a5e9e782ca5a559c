//! Tables of long rows, which SQLite keeps by row number instead of in the tree of their key.
//!
//! A page of an index, and a `WITHOUT ROWID` table is one, takes no row of more than about a quarter of itself
//! (<https://www.sqlite.org/withoutrowid.html>, section 4): of each row over a kilobyte the rest goes to a page of its own. A
//! table by row number takes rows of nearly a page, and what is written goes to its end.
//!
//! This is a migration in Rust and not in SQL, because a large table is copied: it says how far it is, and each table
//! is one transaction, so that a start that is killed has lost no more than the copy of one table.

use diesel::connection::{BoxableConnection, SimpleConnection};
use diesel::migration::{self, Migration, MigrationMetadata, MigrationName, MigrationVersion};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel::sqlite::Sqlite;

use crate::database::failpoints::fail_point;

/// Events carry bodies, replies whole answers, submissions what was written, grades what was said of it.
const TABLES: &[&str] = &[
    "lessons",
    "activities",
    "tutor_turns",
    "submissions",
    "grades",
    "idempotency_replies",
    "events",
];
const BY_KEY: &str = "WITHOUT ROWID";
/// Rows between two words on how far it is.
const PORTION: i64 = 100_000;

/// The migration.
pub struct LongRows;

#[derive(Debug, Clone, Copy)]
struct LongRowsName;

impl std::fmt::Display for LongRowsName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{VERSION}_keep_long_rows_apart")
    }
}

/// Under this version the embedded migrations have one that does nothing, which is PostgreSQL's.
pub const VERSION: &str = "20261125210001";

impl MigrationName for LongRowsName {
    fn version(&self) -> MigrationVersion<'_> {
        VERSION.into()
    }
}

/// Foreign keys cannot be let rest within a transaction, so each table begins its own.
struct ByTable;

impl MigrationMetadata for ByTable {
    fn run_in_transaction(&self) -> bool {
        false
    }
}

impl Migration<Sqlite> for LongRows {
    fn run(&self, connection: &mut dyn BoxableConnection<Sqlite>) -> migration::Result<()> {
        let connection = connection
            .downcast_mut::<SqliteConnection>()
            .ok_or("no connection to SQLite")?;
        Ok(rebuild_all(connection)?)
    }

    fn revert(&self, _: &mut dyn BoxableConnection<Sqlite>) -> migration::Result<()> {
        // Whatever read the tables before reads them so, too.
        Ok(())
    }

    fn metadata(&self) -> &dyn MigrationMetadata {
        &ByTable
    }

    fn name(&self) -> &dyn MigrationName {
        &LongRowsName
    }
}

fn rebuild_all(connection: &mut SqliteConnection) -> QueryResult<()> {
    // Else whatever points to a table would go with it, and a trigger that speaks of it would be in the way of its name.
    connection.batch_execute("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON")?;
    let rebuilt = TABLES
        .iter()
        .try_for_each(|table| rebuild(connection, table));
    connection.batch_execute("PRAGMA legacy_alter_table = OFF; PRAGMA foreign_keys = ON")?;
    rebuilt
}

#[derive(QueryableByName)]
struct Definition {
    #[diesel(sql_type = Text)]
    sql: String,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// Copies a table in the order of its key, unless that is done.
fn rebuild(connection: &mut SqliteConnection, table: &str) -> QueryResult<()> {
    let definition = definitions(connection, table, "type = 'table'")?;
    let copied = definition
        .first()
        .and_then(|definition| by_row_number(definition));
    let Some(columns) = copied else {
        return Ok(());
    };
    connection.batch_execute("BEGIN IMMEDIATE")?;
    let kept = copy_and_exchange(connection, table, columns)
        .and_then(|()| connection.batch_execute("COMMIT"));
    if let Err(error) = kept {
        // On a full disk SQLite has done it already; what is told is why, and not that.
        drop(connection.batch_execute("ROLLBACK"));
        return Err(error);
    }
    // The copy is in the log; the next one need not be there beside it.
    connection.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)")
}

fn copy_and_exchange(
    connection: &mut SqliteConnection,
    table: &str,
    columns: &str,
) -> QueryResult<()> {
    // Indexes and triggers, which go with the table.
    let beside = definitions(connection, table, "type <> 'table' AND sql IS NOT NULL")?;
    connection.batch_execute(&format!("CREATE TABLE rebuilt_{table} {columns}"))?;
    copy(connection, table)?;
    fail_point!("migration.copied", |_| Err(
        diesel::result::Error::RollbackTransaction
    ));
    connection.batch_execute(&format!(
        "DROP TABLE {table}; ALTER TABLE rebuilt_{table} RENAME TO {table}"
    ))?;
    beside
        .iter()
        .try_for_each(|definition| connection.batch_execute(definition))
}

fn definitions(
    connection: &mut SqliteConnection,
    table: &str,
    which: &str,
) -> QueryResult<Vec<String>> {
    let asked =
        format!("SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND {which} ORDER BY rowid");
    let found = diesel::sql_query(asked)
        .bind::<Text, _>(table)
        .load::<Definition>(connection)?;
    Ok(found.into_iter().map(|found| found.sql).collect())
}

/// The columns and keys of a table that is kept by its key; `None` of one that is not.
fn by_row_number(definition: &str) -> Option<&str> {
    let columns = definition.find('(')?;
    definition
        .get(columns..)?
        .strip_suffix(BY_KEY)
        .map(str::trim_end)
}

/// The columns of a primary key, in its order.
fn key_of(connection: &mut SqliteConnection, table: &str) -> QueryResult<String> {
    let asked = "SELECT group_concat(name, ', ') AS sql FROM \
                 (SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk)";
    let key = diesel::sql_query(asked).bind::<Text, _>(table);
    key.get_result::<Definition>(connection)
        .map(|found| found.sql)
}

fn count(connection: &mut SqliteConnection, table: &str) -> QueryResult<i64> {
    diesel::sql_query(format!("SELECT count(*) AS count FROM {table}"))
        .get_result::<Count>(connection)
        .map(|found| found.count)
}

fn copy(connection: &mut SqliteConnection, table: &str) -> QueryResult<()> {
    let key = key_of(connection, table)?;
    let all = count(connection, table)?;
    let begun =
        format!("INSERT INTO rebuilt_{table} SELECT * FROM {table} ORDER BY {key} LIMIT {PORTION}");
    let next = format!(
        "INSERT INTO rebuilt_{table} SELECT * FROM {table} \
         WHERE ({key}) > (SELECT {key} FROM rebuilt_{table} ORDER BY rowid DESC LIMIT 1) ORDER BY {key} LIMIT {PORTION}"
    );
    let mut done = 0;
    let mut portion = begun;
    while done < all {
        let copied = diesel::sql_query(&portion).execute(connection)?;
        if copied == 0 {
            // A transaction sees as many rows as it counted; whoever copied fewer must not drop the rest.
            return Err(diesel::result::Error::RollbackTransaction);
        }
        done += i64::try_from(copied).unwrap_or(i64::MAX);
        if all > PORTION {
            tracing::info!(
                table,
                rows = done,
                of = all,
                "copying a table, once, to keep its rows apart"
            );
        }
        portion.clone_from(&next);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_leaves_the_table_as_it_was_and_is_what_is_told() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("lyceum.db");
        let mut connection = crate::database::sqlite::connect(&file, false).unwrap();
        let made = "CREATE TABLE events (id TEXT NOT NULL PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID; \
                    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 500) \
                    INSERT INTO events SELECT n, hex(randomblob(2000)) FROM n";
        connection.batch_execute(made).unwrap();
        // No page more than there are.
        connection
            .batch_execute("PRAGMA max_page_count = 1")
            .unwrap();
        let said = rebuild_all(&mut connection).unwrap_err().to_string();
        assert!(said.contains("full"), "{said}");
        assert_eq!(count(&mut connection, "events").unwrap(), 500);
        connection
            .batch_execute("PRAGMA max_page_count = 1000000")
            .unwrap();
        rebuild_all(&mut connection).unwrap();
        assert_eq!(count(&mut connection, "events").unwrap(), 500);
    }
}
