//! When something was made and last changed, and how often.

use crate::Timestamp;

/// Carried by everything that can change; `version` lets storage refuse a change made to an older state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last really changed.
    pub updated_at: Timestamp,
    /// 1 when made, one more with every change.
    pub version: i64,
}

impl Stamp {
    /// The stamp of something made now.
    pub const fn new(now: Timestamp) -> Self {
        Self {
            created_at: now,
            updated_at: now,
            version: 1,
        }
    }

    /// Notes a change made now.
    pub fn touch(&mut self, now: Timestamp) {
        self.updated_at = now;
        self.version = self.version.saturating_add(1);
    }
}
