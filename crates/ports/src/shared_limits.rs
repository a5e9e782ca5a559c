//! Counts of requests that all nodes share.

use lyceum_domain::Timestamp;

use crate::error::StoreError;

/// How one caller stands with a quota per minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedStanding {
    /// How many more requests there are now.
    pub remaining: u32,
    /// Whether this one was taken; if not, milliseconds until one will be.
    pub taken: Result<(), u64>,
}

/// Where shared counts are kept: buckets that hold a minute's quota and refill evenly.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait SharedLimitRepository {
    /// Takes one from a bucket; first of all in its transaction.
    fn take(
        &mut self,
        bucket: &str,
        per_minute: u32,
        now: Timestamp,
    ) -> Result<SharedStanding, StoreError>;
    /// Forgets buckets that are full again, at most so many; how many that were.
    fn forget_full(&mut self, now: Timestamp, limit: u16) -> Result<u64, StoreError>;
}
