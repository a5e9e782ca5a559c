//! The everyday connection: one type over both databases.
//!
//! What only one of them can do goes through a `match` on it, with a comment. It is never established by
//! itself, because a mistyped PostgreSQL address would make a SQLite file of that name: the pools parse the
//! address first.

#![allow(
    clippy::disallowed_methods,
    reason = "the derived connection forwards to `establish`; nothing calls it"
)]

use diesel::connection::SimpleConnection;
use diesel::{MultiConnection, QueryResult, SqliteConnection};

use crate::database::link::PgLink;

/// A connection to either database.
#[derive(MultiConnection)]
pub enum AnyConnection {
    Postgres(PgLink),
    Sqlite(SqliteConnection),
}

impl AnyConnection {
    /// Runs something whose answer nobody reads; on PostgreSQL it is not waited for, where that can be, and what comes of it shows
    /// with the next answer.
    pub fn unread<T>(&mut self, run: impl FnOnce(&mut Self) -> QueryResult<T>) -> QueryResult<T> {
        self.reads(false);
        let outcome = run(self);
        self.reads(true);
        outcome
    }

    fn reads(&mut self, is_read: bool) {
        if let Self::Postgres(link) = self {
            link.reads(is_read);
        }
    }

    /// Ends a transaction: what came of statements whose answers nobody had read, and what came of this.
    pub fn end(&mut self, text: &str) -> (QueryResult<()>, QueryResult<()>) {
        match self {
            Self::Postgres(link) => link.end(text),
            Self::Sqlite(connection) => (Ok(()), connection.batch_execute(text)),
        }
    }
}

/// Runs a query on the connection that there is. diesel knows by its type alone whether it has compiled such a query
/// before, but only on a connection to one database: on either, it spells out the SQL each time to find that out, which
/// takes longer than small queries do. For what every request asks.
macro_rules! on_either {
    ($connection:ident, $query:expr) => {
        match $connection {
            $crate::database::connection::AnyConnection::Postgres($connection) => $query,
            $crate::database::connection::AnyConnection::Sqlite($connection) => $query,
        }
    };
}

pub(crate) use on_either;

/// A LIKE pattern that finds `text` anywhere, whatever the case of its ASCII letters; its own wildcards are taken literally (escape character `\`).
pub fn containing(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.to_ascii_lowercase().chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}
