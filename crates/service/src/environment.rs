//! The machine behind the ports: its clock, its randomness, one generator of ids, one bell for the workers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

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

/// The clock that all nodes share, which is the database's where there can be several: read every few seconds, and
/// carried on in between by this machine's monotonic clock, so that a wall clock that is wrong or stepped makes no lease
/// end early and no token live too long. It is off by no more than half of what a reading took. Where there is one
/// node, or before the first reading, it is the wall clock.
#[derive(Debug, Default)]
pub struct SharedClock(Mutex<Option<(Timestamp, Instant)>>);

impl SharedClock {
    /// It was `told` at this instant.
    pub fn set(&self, told: Timestamp, at: Instant) {
        *self.reading() = Some((told, at));
    }

    /// Whether it was ever set.
    pub fn is_set(&self) -> bool {
        self.reading().is_some()
    }

    fn reading(&self) -> std::sync::MutexGuard<'_, Option<(Timestamp, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for SharedClock {
    fn now(&self) -> Timestamp {
        match *self.reading() {
            Some((told, at)) => told.plus(at.elapsed()),
            None => SystemClock.now(),
        }
    }
}

/// UUIDv7 with a counter: ids of the same millisecond still sort in the order they were made.
#[derive(Default)]
pub struct MonotonicIds {
    context: Mutex<ContextV7>,
    clock: Arc<SharedClock>,
}

impl MonotonicIds {
    /// Ids that tell the time of this clock.
    pub fn by(clock: &Arc<SharedClock>) -> Self {
        Self {
            context: Mutex::default(),
            clock: Arc::clone(clock),
        }
    }
}

impl Ids for MonotonicIds {
    fn next(&self) -> Uuid {
        let millis = u64::try_from(self.clock.now().unix_millis()).unwrap_or_default();
        let nanos = u32::try_from(millis % 1000).unwrap_or_default() * 1_000_000;
        let context = self.context.lock().unwrap_or_else(PoisonError::into_inner);
        let moment = uuid::Timestamp::from_unix(&*context, millis / 1000, nanos);
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
    /// For whoever sends mail.
    pub mails: Arc<Notify>,
    /// Raised when the workers of other nodes are to be woken too.
    pub to_tell: Arc<AtomicBool>,
}

impl Bell {
    /// Wakes the workers of this process.
    pub fn ring(&self) {
        self.ai.notify_one();
        self.jobs.notify_one();
        self.deliveries.notify_one();
        self.mails.notify_one();
    }
}

impl Signal for Bell {
    fn wake(&self) {
        self.ring();
        self.to_tell.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_shared_clock_goes_on_from_what_it_was_told_whatever_the_wall_says() {
        let clock = SharedClock::default();
        assert!(!clock.is_set());
        assert!(clock.now().since(SystemClock.now()) < Duration::from_mins(1));
        let elsewhere = SystemClock.now().minus(Duration::from_hours(1));
        clock.set(elsewhere, Instant::now());
        let (first, second) = (clock.now(), clock.now());
        assert!(elsewhere <= first && first <= second);
        assert!(second < elsewhere.plus(Duration::from_mins(1)));
        let ids = MonotonicIds::by(&Arc::new(clock));
        let told = ids.next().get_timestamp().unwrap().to_unix().0;
        assert!(i64::try_from(told).unwrap() < SystemClock.now().unix_seconds() - 3000);
    }

    #[test]
    fn ids_only_grow() {
        let ids = MonotonicIds::default();
        let made: Vec<Uuid> = (0..10_000).map(|_| ids.next()).collect();
        assert!(made.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
