//! What keeps a service going, whatever it serves.

pub mod audit;
pub mod backlog;
pub mod bulk_writes;
pub mod files;
pub mod idempotency;
pub mod in_use;
pub mod names;
pub mod node;
pub mod personal_data;
pub mod queue;
pub mod retention;
pub mod room;
pub mod scratch;
pub mod shared_limits;
pub mod signed_files;
pub mod trash;
pub(crate) mod unwanted_files;
