//! What a learning platform is: its things, their rules and their state machines.
//!
//! No I/O, no async, no clock, no randomness: time, ids and random bytes come in as arguments, so every rule
//! here can be tested with a function call. Nothing in this crate may know about databases, HTTP or JSON
//! shapes on the wire; the only JSON here is what the platform stores as documents on behalf of its users
//! (metadata, activity content, rubrics).
#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod activities;
pub mod ai_calls;
pub mod ai_settings;
pub mod assignments;
pub mod attempts;
pub mod audit;
pub mod cohorts;
pub mod courses;
pub mod drafts;
pub mod enrollments;
pub mod events;
pub mod explanations;
mod folding;
pub mod generation_steps;
pub mod generations;
pub mod grades;
pub mod hex;
pub mod id;
pub mod ids;
pub mod in_use;
pub mod invalid;
pub mod invitations;
pub mod json;
pub mod keys;
pub mod lessons;
pub mod money;
pub mod personal_data;
pub mod points;
pub mod progress;
pub mod provenance;
pub mod pseudonyms;
pub mod quiz_checks;
pub mod receipts;
pub mod references;
pub mod rubric;
pub mod scopes;
pub mod scorm;
mod scorm_addresses;
mod scorm_file_name;
pub mod scorm_learners;
pub mod scorm_policy;
pub mod speech;
pub mod spenders;
pub mod stamp;
pub mod submissions;
pub mod syllabus;
pub mod text;
pub mod timestamp;
pub mod tokens;
pub mod transition;
pub mod trash;
pub mod tutor;
pub mod units;
pub mod users;
pub mod webhook_signature;
pub mod webhooks;
mod words;
pub mod workspaces;

pub use id::Id;
pub use invalid::{At, Invalid, InvalidValue};
pub use stamp::Stamp;
pub use timestamp::Timestamp;
pub use words::Words;
