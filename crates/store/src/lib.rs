//! Storage behind the ports, on SQLite or PostgreSQL.
//!
//! One file per aggregate translates between the domain's types and rows, and holds its queries. Everything
//! the two databases do differently is in `columns`, `connection`, `sqlite` and `postgres`, or in a
//! commented `match` on the connection. No rule of the domain belongs here, and nothing that waits for a
//! remote system.

mod activities;
mod ai_calls;
mod ai_reservations;
mod assignments;
mod attempts;
mod audit;
pub mod backup;
mod callers;
mod cohorts;
mod columns;
mod conditions;
mod connection;
mod constraints;
mod courses;
mod data_folder;
pub mod diagnosis;
mod documents;
mod enrollments;
mod error;
mod events;
#[cfg(feature = "failpoints")]
pub mod failpoints;
#[cfg(not(feature = "failpoints"))]
mod failpoints;
mod fair;
mod fsck;
mod generation_steps;
mod generations;
mod grade_documents;
mod grade_rows;
mod grades;
mod idempotency;
mod in_line;
mod in_use;
pub mod integrity;
mod jobs;
mod keys;
mod lessons;
mod lines;
mod memory;
pub mod metrics;
mod migrate;
mod nodes;
mod notices;
mod open;
mod personal_data;
mod postgres;
mod progress;
pub mod rotation;
mod rows;
mod run_documents;
mod safeguards;
mod schema;
pub mod schema_version;
mod scorm_learners;
mod scorm_packages;
mod scorm_policy_document;
mod session;
mod shared_limits;
mod siblings;
mod space;
mod sqlite;
mod statistics;
mod steady;
mod step_documents;
mod storage_use;
mod sub_select;
mod submissions;
mod tokens;
mod trash;
mod tutor;
mod units;
mod unwanted_files;
mod url;
mod users;
mod vault;
mod webhooks;
mod weights;
mod workspaces;

pub use data_folder::{DataFolderError, DataFolderLock, LOCK_FILE, refuse_network_folder};
pub use fsck::{
    Check, Findings, FsckError, FsckScope, Look, WantedFile, WantedFiles, files_wanted, fsck,
};
pub use in_line::open_in_line;
pub use migrate::MigrateError;
pub use notices::Notices;
pub use open::{OpenError, StoreSettings, open, open_with};
pub use safeguards::{EXIT_STORAGE, Ending, Safeguards};
pub use space::{RESERVE_FILE, SpaceSettings};
pub use url::{DatabaseUrl, InvalidDatabaseUrl};
pub use vault::MasterKey;
