//! Use cases: what callers may do, decided by the domain and stored in one transaction each.
//!
//! A use case is a synchronous function over a transaction and a context: it checks, builds, stores, tells.
//! What must happen because it committed is a row written with it: an event, a delivery, a job. [`App`] runs
//! use cases in transactions, once per idempotency key; [`work`] runs the jobs. No SQL, HTTP, runtime or
//! framework belongs here.

pub mod app;
pub mod authoring;
mod claimed;
pub mod context;
pub mod drafting;
pub mod error;
pub mod expand;
pub mod exporting;
pub mod grading;
pub mod identity;
pub mod learning;
pub mod lookup;
pub mod models;
pub mod notifying;
mod prelude;
pub mod running;
pub mod settings;

pub use app::App;
pub use context::{Context, Member};
pub use error::Error;
pub use lyceum_ports::addresses::{Addresses, Door, SsoDoor};
pub use lyceum_ports::finding;
pub use lyceum_ports::page::{
    Bound, Keyset, MetadataMember, Narrowing, Page, PageRequest, Sort, SortBy, SortValue,
};
pub use lyceum_ports::store::Tx;
pub use settings::Settings;
mod signed_address;
pub mod traces;
mod turns;
pub mod work;
