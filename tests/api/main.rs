//! The HTTP contract, against the whole application in process.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

mod access;
mod activities;
mod assignments;
mod bad_input;
mod cohorts;
mod courses;
mod edge;
mod events;
mod expand;
mod generations;
mod grading;
mod grading_races;
mod idempotency;
mod isolation;
mod keys;
mod learners;
mod lessons;
mod lists;
mod queries;
mod routes;
mod school;
mod scorm;
mod submissions;
mod tokens;
mod units;
mod users;
mod webhooks;
mod workspaces;
mod world;
