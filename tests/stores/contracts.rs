//! The contract of every store, run against SQLite and PostgreSQL alike.

use std::process::ExitCode;

use lyceum_contracts::{run, stores};
use support::stores::{Database, TestDatabase};

fn main() -> ExitCode {
    run([
        stores::suite("sqlite", || TestDatabase::migrated(Database::Sqlite)),
        stores::suite("postgres", || TestDatabase::migrated(Database::Postgres)),
    ])
}
