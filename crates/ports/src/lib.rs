//! What the application needs from outside, as traits.
//!
//! Storage is a unit of work ([`store::Store`]) whose repositories are synchronous, so that no remote call can
//! sit inside a transaction. Everything remote (AI, SCORM, webhooks, files) is asynchronous and never sees one.
//! No adapter, SQL, HTTP or runtime may enter this crate. Feature `mocks` adds a mock of every trait.
#![warn(missing_docs)]

pub mod activities;
pub mod ai;
pub mod ai_calls;
pub mod ai_reservations;
pub mod assignments;
pub mod attempts;
pub mod audit;
pub mod blobs;
pub mod callers;
pub mod cohorts;
pub mod courses;
pub mod enrollments;
pub mod environment;
pub mod error;
pub mod events;
pub mod generation_steps;
pub mod generations;
pub mod grades;
pub mod idempotency;
pub mod in_use;
pub mod jobs;
pub mod keys;
pub mod lessons;
pub mod media;
#[cfg(feature = "mocks")]
pub mod mocks;
pub mod nodes;
pub mod page;
pub mod personal_data;
pub mod progress;
pub mod scorm;
pub mod scorm_learners;
pub mod scorm_packages;
pub mod scorm_preview;
pub mod shared_limits;
pub mod storage_use;
pub mod store;
pub mod submissions;
pub mod tokens;
pub mod traces;
pub mod trash;
pub mod tutor;
pub mod units;
pub mod unwanted_files;
pub mod users;
pub mod webhook_sink;
pub mod webhooks;
pub mod weights;
pub mod workspaces;
