//! What the application needs from outside, as traits.
//!
//! Storage is a unit of work ([`store::Store`]) whose repositories are synchronous, so that no remote call can
//! sit inside a transaction. Everything remote (AI, SCORM, webhooks, files) is asynchronous and never sees one.
//! No adapter, SQL, HTTP or runtime may enter this crate. Feature `mocks` adds a mock of every trait.
#![warn(missing_docs)]

pub mod addresses;
pub mod authoring;
pub mod blobs;
pub mod drafting;
pub mod environment;
pub mod error;
pub mod exporting;
pub mod finding;
pub mod grading;
pub mod identity;
pub mod learning;
#[cfg(feature = "mocks")]
pub mod mocks;
pub mod notifying;
pub mod page;
pub mod running;
pub mod store;
pub mod traces;
pub mod weights;
