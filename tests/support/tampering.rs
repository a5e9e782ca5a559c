//! Changing data behind the service's back, as somebody with the database's password could.

use diesel::connection::SimpleConnection;
use diesel::sql_types::BigInt;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection};

/// Runs statements where the data is, `sqlite://FILE` or the address of a PostgreSQL database, with foreign keys off, as
/// they are in the shell of SQLite.
///
/// # Panics
/// If they cannot be run.
#[allow(
    clippy::disallowed_methods,
    reason = "whoever tampers does not ask the store for a connection"
)]
pub fn tamper(database_url: &str, statements: &str) {
    let done = match database_url.strip_prefix("sqlite://") {
        Some(file) => SqliteConnection::establish(file)
            .unwrap()
            .batch_execute(&format!(
                "PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = OFF; {statements}"
            )),
        None => PgConnection::establish(database_url)
            .unwrap()
            .batch_execute(statements),
    };
    done.unwrap();
}

#[derive(QueryableByName)]
struct Root {
    #[diesel(sql_type = BigInt)]
    page: i64,
}

/// The first page of a table in a SQLite file, counted from 1.
///
/// # Panics
/// If there is no such table.
#[allow(
    clippy::disallowed_methods,
    reason = "whoever tampers does not ask the store for a connection"
)]
pub fn first_page(file: &str, table: &str) -> u64 {
    let asked = format!("SELECT rootpage AS page FROM sqlite_schema WHERE name = '{table}'");
    let mut connection = SqliteConnection::establish(file).unwrap();
    let root: Root = diesel::sql_query(asked)
        .get_result(&mut connection)
        .unwrap();
    u64::try_from(root.page).unwrap()
}
