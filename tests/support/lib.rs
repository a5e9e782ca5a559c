//! What tests share: stores on both databases, builders with defaults for what a test is not about, the real
//! binary, small fakes. Nothing here asserts; tests do.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot be set up has failed"
)]

pub mod app;
pub mod authenticator;
pub mod binary;
pub mod chance;
pub mod company;
pub mod contract;
pub mod fakes;
pub mod identity_provider;
pub mod markup;
pub mod own_postgres;
pub mod pooler;
pub mod postgres;
pub mod queries;
pub mod receiver;
pub mod remote_ai;
pub mod scripted_ai;
pub mod scripted_provider;
pub mod service;
pub mod stores;
pub mod tampering;
pub mod traces;
pub mod tracks;

pub use lyceum_contracts::sample::{
    self, ai as sample_ai, content as sample_content, learning as sample_learning,
    people as sample_people,
};
