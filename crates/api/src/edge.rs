//! Who is let in: limits, shares of what all share, and what is noted of every request.

pub(crate) mod access_log;
pub(crate) mod admission;
pub mod bearers;
pub mod concurrency;
pub(crate) mod cookies;
pub(crate) mod noted;
pub mod policy;
pub mod rate_limit;
pub mod shares;
pub(crate) mod signed_file;
pub(crate) mod spans;
pub(crate) mod tus;
pub mod unread;
pub(crate) mod upload;
pub(crate) mod whole_file;
