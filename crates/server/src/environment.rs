//! The machine behind the ports: its clock, its randomness, one generator of ids, one bell for the workers.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use lyceum_domain::Timestamp;
use lyceum_ports::environment::{Clock, Entropy, Ids, Signal};
use tokio::sync::Notify;
use uuid::{ContextV7, Uuid};

/// The wall clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[allow(clippy::disallowed_methods, reason = "this is where the time comes in")]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp::from_unix_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// UUIDv7 with a counter: ids of the same millisecond still sort in the order they were made.
#[derive(Default)]
pub struct MonotonicIds(Mutex<ContextV7>);

impl Ids for MonotonicIds {
    #[allow(clippy::disallowed_methods, reason = "this is where ids come from")]
    fn next(&self) -> Uuid {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let context = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let moment = uuid::Timestamp::from_unix(&*context, since.as_secs(), since.subsec_nanos());
        Uuid::new_v7(moment)
    }
}

/// The operating system's generator.
pub struct OsEntropy;

impl Entropy for OsEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        // Without randomness every secret would be guessable: better no service than such a one.
        if let Err(error) = getrandom::fill(bytes) {
            tracing::error!(%error, "the operating system gives no randomness");
            std::process::abort();
        }
    }
}

/// Rings for the workers of this process: a bell per loop, because a ring is heard by one listener and kept for
/// one that is not listening yet.
#[derive(Clone, Default)]
pub struct Bell {
    /// For whoever runs jobs that wait for AI providers.
    pub ai: Arc<Notify>,
    /// For whoever runs other jobs.
    pub jobs: Arc<Notify>,
    /// For whoever makes deliveries.
    pub deliveries: Arc<Notify>,
}

impl Signal for Bell {
    fn wake(&self) {
        self.ai.notify_one();
        self.jobs.notify_one();
        self.deliveries.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_only_grow() {
        let ids = MonotonicIds::default();
        let made: Vec<Uuid> = (0..10_000).map(|_| ids.next()).collect();
        assert!(made.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
