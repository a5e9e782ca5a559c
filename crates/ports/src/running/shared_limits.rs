//! Counts of requests that all nodes share.

use std::num::NonZeroU32;
use std::time::Duration;

use lyceum_domain::Timestamp;

use crate::error::StoreError;

/// How one caller stands with a quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedStanding {
    /// How many more requests there are now.
    pub remaining: u32,
    /// Whether this one was taken; if not, milliseconds until one will be.
    pub taken: Result<(), u64>,
}

/// How much a bucket holds, and in how long an empty one is full again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedQuota {
    /// How much.
    pub amount: NonZeroU32,
    /// In how long.
    pub window: Duration,
}

impl SharedQuota {
    /// So many in a minute.
    pub const fn per_minute(amount: NonZeroU32) -> Self {
        Self {
            amount,
            window: Duration::from_mins(1),
        }
    }
}

/// Where shared counts are kept: buckets that hold a quota and refill evenly.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait SharedLimitRepository {
    /// Takes so much from a bucket, or all of a full one where it never holds that much; first of all in its transaction.
    fn take(
        &mut self,
        bucket: &str,
        quota: SharedQuota,
        amount: u32,
        now: Timestamp,
    ) -> Result<SharedStanding, StoreError>;
    /// How a bucket stands, and whether one would be taken; nothing is.
    fn look(
        &mut self,
        bucket: &str,
        quota: SharedQuota,
        now: Timestamp,
    ) -> Result<SharedStanding, StoreError>;
    /// Forgets buckets that are full again, at most so many; how many that were.
    fn forget_full(&mut self, now: Timestamp, limit: u16) -> Result<u64, StoreError>;
}
