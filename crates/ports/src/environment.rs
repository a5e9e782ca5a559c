//! Time, identifiers and randomness, so that nothing above reads them from the machine.

use lyceum_domain::{Id, Timestamp};
use uuid::Uuid;

/// The wall clock.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// The one generator of identifiers: UUIDv7, strictly increasing within the process.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait Ids: Send + Sync {
    /// A UUID that was never given out before and sorts after all that were.
    fn next(&self) -> Uuid;
}

impl dyn Ids {
    /// A new identifier of a `K`.
    pub fn mint<K>(&self) -> Id<K> {
        Id::from_uuid(self.next())
    }
}

/// The operating system's cryptographic random generator.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait Entropy: Send + Sync {
    /// Fills `bytes` with random bytes.
    fn fill(&self, bytes: &mut [u8]);
}

/// Tells the workers of this process that there may be something to do, so that nothing waits for the next poll.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait Signal: Send + Sync {
    /// Wakes every idle worker.
    fn wake(&self);
}
