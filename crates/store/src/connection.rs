//! The everyday connection: one type over both databases.
//!
//! What only one of them can do goes through a `match` on it, with a comment. It is never established by
//! itself, because a mistyped PostgreSQL address would make a SQLite file of that name: the pools parse the
//! address first.

#![allow(
    clippy::disallowed_methods,
    reason = "the derived connection forwards to `establish`; nothing calls it"
)]

use diesel::{MultiConnection, PgConnection, SqliteConnection};

/// A connection to either database.
#[derive(MultiConnection)]
pub enum AnyConnection {
    Postgres(PgConnection),
    Sqlite(SqliteConnection),
}

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
