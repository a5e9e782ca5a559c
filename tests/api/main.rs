//! The HTTP contract, against the whole application in process.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

mod courses;
mod edge;
mod idempotency;
mod routes;
