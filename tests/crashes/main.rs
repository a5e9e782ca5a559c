//! Storage that dies or fails at a chosen place: what it was doing is done or not done, never half.
//!
//! The places are the store's fail points, which only these tests are built with.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

mod commits;
mod deeds;
mod everywhere;
mod folder;
mod long_rows;
mod migrations;
mod sign_in;
