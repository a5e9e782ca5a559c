//! Storage behind the ports, on SQLite or PostgreSQL.
//!
//! One file per aggregate translates between the domain's types and rows, and holds its queries. Everything
//! the two databases do differently is in `columns`, `connection`, `sqlite` and `postgres`, or in a
//! commented `match` on the connection. No rule of the domain belongs here, and nothing that waits for a
//! remote system.

mod activities;
mod ai_calls;
mod assignments;
mod attempts;
mod audit;
mod cohorts;
mod columns;
mod conditions;
mod connection;
mod constraints;
mod courses;
mod documents;
mod enrollments;
mod error;
mod events;
mod generation_steps;
mod generations;
mod grade_documents;
mod grade_rows;
mod grades;
mod idempotency;
mod jobs;
mod keys;
mod lessons;
mod migrate;
mod open;
mod personal_data;
mod postgres;
mod progress;
mod rows;
mod run_documents;
mod schema;
mod scorm_learners;
mod scorm_packages;
mod scorm_policy_document;
mod session;
mod siblings;
mod sqlite;
mod step_documents;
mod submissions;
mod tokens;
mod tutor;
mod units;
mod unwanted_files;
mod url;
mod users;
mod vault;
mod webhooks;
mod workspaces;

pub use open::{OpenError, StoreSettings, open};
pub use url::{DatabaseUrl, InvalidDatabaseUrl};
pub use vault::MasterKey;
