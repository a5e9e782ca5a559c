//! The HTTP contract, against the whole application in process.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

mod activities;
mod assignments;
mod courses;
mod edge;
mod expand;
mod generations;
mod grading;
mod idempotency;
mod isolation;
mod learners;
mod lessons;
mod routes;
mod school;
mod scorm;
mod submissions;
mod tokens;
mod units;
mod webhooks;
