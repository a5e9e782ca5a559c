//! Storage behind the ports, on SQLite or PostgreSQL.
//!
//! One file per aggregate translates between the domain's types and rows, and holds its queries. Everything
//! the two databases do differently is in `columns`, `connection`, `sqlite` and `postgres`, or in a
//! commented `match` on the connection. No rule of the domain belongs here, and nothing that waits for a
//! remote system.

mod columns;
mod connection;
mod constraints;
mod courses;
mod error;
mod migrate;
mod open;
mod postgres;
mod rows;
mod schema;
mod session;
mod sqlite;
mod url;
mod vault;

pub use open::{OpenError, StoreSettings, open};
pub use url::{DatabaseUrl, InvalidDatabaseUrl};
pub use vault::MasterKey;
