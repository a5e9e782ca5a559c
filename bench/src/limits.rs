//! What the machine itself can do, measured beside the server: the same bytes without a service, the same rows
//! without one.

pub mod bytes;
pub mod pgbench;
pub mod postgres;
pub mod row_set;
pub mod sqlite;
