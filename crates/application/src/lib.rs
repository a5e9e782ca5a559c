//! Use cases: what callers may do, decided by the domain and stored in one transaction each.
//!
//! A use case is a synchronous function over a transaction and a context: it checks, builds, stores, tells.
//! What must happen because it committed is a row written with it: an event, a delivery, a job. [`App`] runs
//! use cases in transactions, once per idempotency key; [`work`] runs the jobs. No SQL, HTTP, runtime or
//! framework belongs here.

pub mod access;
pub mod app;
pub mod bootstrap;
pub mod context;
pub mod courses;
pub mod error;
pub mod event_types;
pub mod events;
pub mod expand;
pub mod exports;
pub mod files;
pub mod idempotency;
pub mod lookup;
pub mod settings;
pub mod shared_limits;

pub use app::App;
pub use context::{Context, Member};
pub use error::Error;
pub use lyceum_ports::page::{Bound, Keyset, MetadataMember, Narrowing, Page, PageRequest};
pub use lyceum_ports::store::Tx;
pub use settings::Settings;
pub mod activities;
pub mod ai_calls;
pub mod ai_reservations;
pub mod ai_starts;
pub mod ai_tally;
pub mod assignments;
pub mod attempts;
pub mod audit;
pub mod cohorts;
pub mod enrollments;
pub mod generations;
pub mod in_use;
pub mod invitations;
pub mod keys;
pub mod lessons;
pub mod metrics;
mod models;
pub mod node;
pub mod personal_data;
pub mod platforms;
pub mod progress;
pub mod queue;
pub mod recordings;
pub mod retention;
pub mod room;
pub mod scorm;
pub mod scorm_learners;
pub mod scorm_preview;
mod signed_address;
pub mod submissions;
pub mod tokens;
pub mod traces;
pub mod trash;
mod turns;
pub mod tutor;
pub mod units;
pub mod users;
pub mod verification;
pub mod visibility;
pub mod webhooks;
pub mod work;
pub mod workspaces;
