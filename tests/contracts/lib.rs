//! What every adapter of a port keeps to, as suites that an adapter of anybody's can run.
//!
//! A suite is a list of cases, and each case opens a fresh place of its own. An adapter says how that is done, in
//! a test target without the usual harness:
//!
//! ```toml
//! [[test]]
//! name = "contract"
//! harness = false
//! ```
//!
//! ```no_run
//! use std::process::ExitCode;
//! use std::sync::Arc;
//!
//! use lyceum_contracts::{Place, blobs, run};
//! use lyceum_ports::blobs::BlobStore;
//! # use lyceum_ports::blobs::{BlobError, BlobKey, ByteStream};
//! # struct MyBlobs;
//! # #[async_trait::async_trait]
//! # impl BlobStore for MyBlobs {
//! #     async fn put_file(&self, _: &BlobKey, _: &std::path::Path) -> Result<(), BlobError> { Ok(()) }
//! #     async fn read(&self, _: &BlobKey, _: Option<std::ops::Range<u64>>) -> Result<ByteStream, BlobError> {
//! #         Err(BlobError::NotFound)
//! #     }
//! #     async fn delete(&self, _: &BlobKey) -> Result<(), BlobError> { Ok(()) }
//! # }
//! # impl MyBlobs { fn open(_: &std::path::Path) -> Self { Self } }
//!
//! struct Folder(tempfile::TempDir);
//!
//! #[async_trait::async_trait]
//! impl Place<dyn BlobStore> for Folder {
//!     async fn open(&self) -> Arc<dyn BlobStore> {
//!         Arc::new(MyBlobs::open(self.0.path()))
//!     }
//! }
//!
//! fn main() -> ExitCode {
//!     run([blobs::suite("folder", || Folder(tempfile::tempdir().unwrap()))])
//! }
//! ```
//!
//! `cargo test` and `cargo nextest run` then show every promise as a test of its own, such as
//! `blobs::the_last_put_wins::folder`, and take a part of a name as usual. A database of one's own is held against
//! [`stores`] in the same way, by a `Place<dyn Store>`: its `open` gives a store on an empty database whose tables are
//! there.
//!
//! [`sample`] makes the things that cases put into stores; tests of adapters may use it too.
//!
//! No adapter may enter this crate: what only one of them promises is tested beside it.
#![warn(missing_docs)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::similar_names,
    clippy::assigning_clones,
    reason = "a case is a test, and tests may"
)]

mod cases;

pub mod blobs;
pub mod sample;
pub mod stores;

mod activities;
mod ai_calls;
mod among;
mod assignments;
mod attempts;
mod audit;
mod backlog;
mod batches;
mod bulk_writes;
mod callers;
mod certificates;
mod cohorts;
mod courses;
mod digests;
mod due_dates;
mod enrollments;
mod events;
mod fairness;
mod generation_steps;
mod generations;
mod grade_receipts;
mod gradebook;
mod grades;
mod idempotency;
mod job_moves;
mod jobs;
mod keys;
mod lessons;
mod mails;
mod media_files;
mod media_uploads;
mod narrowing;
mod nodes;
mod passkeys;
mod pieces;
mod pinning;
mod progress;
mod retention;
mod scorm_learners;
mod scorm_packages;
mod sign_in;
mod sorting;
mod sso;
mod staleness;
mod storage_use;
mod submission_lists;
mod submissions;
mod tokens;
mod transactions;
mod trash;
mod tutor;
mod units;
mod users;
mod versions;
mod waiting;
mod webhook_redeliveries;
mod webhooks;
mod with_ids;
mod workspaces;

pub use cases::{Place, Suite, run};
