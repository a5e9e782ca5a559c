//! The two databases: connections, transactions, who waits for whom, and what a commit rests on.

mod ahead;
pub(crate) mod cached_by_text;
pub(crate) mod connection;
pub(crate) mod constraints;
pub(crate) mod error;
#[cfg(feature = "failpoints")]
pub mod failpoints;
#[cfg(not(feature = "failpoints"))]
pub(crate) mod failpoints;
pub(crate) mod in_line;
pub(crate) mod lines;
pub(crate) mod link;
pub(crate) mod log_index;
pub(crate) mod memory;
pub(crate) mod postgres;
pub(crate) mod replay;
mod server_errors;
pub(crate) mod session;
pub(crate) mod sqlite;
pub(crate) mod statements;
pub(crate) mod statistics;
