//! The service's file as somebody else sees it.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;

/// A connection of somebody else's.
pub fn open(file: &str) -> SqliteConnection {
    #[allow(
        clippy::disallowed_methods,
        reason = "somebody else asks nobody's pool"
    )]
    let mut connection = SqliteConnection::establish(file).unwrap();
    connection
        .batch_execute("PRAGMA busy_timeout = 20000")
        .unwrap();
    connection
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

/// What SQLite itself finds wrong with the file.
pub fn damage(connection: &mut SqliteConnection) -> Vec<String> {
    let integrity = "SELECT integrity_check AS line FROM pragma_integrity_check";
    let keys =
        "SELECT \"table\" || ' ' || coalesce(rowid, '') AS line FROM pragma_foreign_key_check";
    let ask = |query: &str, connection: &mut SqliteConnection| -> Vec<String> {
        let lines: Vec<Line> = diesel::sql_query(query).load(connection).unwrap();
        lines.into_iter().map(|line| line.line).collect()
    };
    let mut damage = ask(integrity, connection);
    damage.retain(|line| line != "ok");
    damage.extend(ask(keys, connection));
    damage
}
