//! Changing data behind the service's back, as somebody with the database's password could.

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, SqliteConnection};

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
