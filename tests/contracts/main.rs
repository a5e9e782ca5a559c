//! The contract of every repository, run against SQLite and PostgreSQL alike.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

mod courses;
