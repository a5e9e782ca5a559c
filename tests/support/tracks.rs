//! Looking for what must not be there any more: in every table, and on SQLite in every byte of the file.

use diesel::connection::SimpleConnection;
use diesel::sql_types::{Nullable, Text};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection, sql_query};

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Nullable<Text>)]
    text: Option<String>,
}

/// Where `needle` still is: tables, or the database file. On SQLite what was deleted is first cleared away for good,
/// as `docs/operations.md` tells the operator to.
///
/// # Panics
/// If the database cannot be read.
#[allow(
    clippy::disallowed_methods,
    reason = "whoever searches does not ask the store for a connection"
)]
pub fn places_of(database_url: &str, needle: &str) -> Vec<String> {
    match database_url.strip_prefix("sqlite://") {
        Some(file) => {
            let mut connection = SqliteConnection::establish(file).unwrap();
            let clear = "PRAGMA busy_timeout = 10000; VACUUM; PRAGMA wal_checkpoint(TRUNCATE);";
            connection.batch_execute(clear).unwrap();
            let bytes = std::fs::read(file).unwrap();
            let needle = needle.as_bytes();
            let found = bytes.windows(needle.len()).any(|part| part == needle);
            found.then(|| file.to_owned()).into_iter().collect()
        }
        None => in_tables(&mut PgConnection::establish(database_url).unwrap(), needle),
    }
}

fn in_tables(connection: &mut PgConnection, needle: &str) -> Vec<String> {
    let tables = "SELECT table_name::text AS text FROM information_schema.tables \
        WHERE table_schema = current_schema()";
    let tables: Vec<Line> = sql_query(tables).load(connection).unwrap();
    let mut found = Vec::new();
    for table in tables.into_iter().filter_map(|line| line.text) {
        let rows = format!("SELECT t::text AS text FROM \"{table}\" t");
        let rows: Vec<Line> = sql_query(rows).load(connection).unwrap();
        let holds = |row: &Line| {
            row.text
                .as_deref()
                .is_some_and(|text| text.contains(needle))
        };
        if rows.iter().any(holds) {
            found.push(table);
        }
    }
    found
}
