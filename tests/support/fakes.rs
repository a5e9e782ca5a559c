//! Small fakes of what the machine provides.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use lyceum_domain::Timestamp;
use lyceum_ports::environment::{Clock, Entropy, Ids, Signal};
use uuid::Uuid;

pub use lyceum_contracts::sample::{START_MILLIS, id};

/// A clock that stands until it is moved.
pub struct ManualClock(AtomicI64);

impl Default for ManualClock {
    fn default() -> Self {
        Self(AtomicI64::new(START_MILLIS))
    }
}

impl ManualClock {
    /// Moves it on.
    pub fn advance(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1000, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix_millis(self.0.load(Ordering::SeqCst))
    }
}

/// Ids that count up: the same in every run, in order, each once.
#[derive(Default)]
pub struct CountingIds(AtomicU64);

impl Ids for CountingIds {
    fn next(&self) -> Uuid {
        let count = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        // The shape of a UUIDv7 of the fakes' moment, so that it sorts like a real one.
        Uuid::from_u128(
            (u128::from(START_MILLIS.unsigned_abs()) << 80) | 0x7000 << 64 | u128::from(count),
        )
    }
}

/// Bytes that count up: the same in every run, no two fills alike.
#[derive(Default)]
pub struct CountingEntropy(AtomicU64);

impl Entropy for CountingEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        for byte in bytes {
            let count = self.0.fetch_add(1, Ordering::SeqCst);
            // SplitMix64: also what is a Fibonacci number of steps apart is not alike, as products alone are.
            let mut mixed = count.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            let [.., top] = (mixed ^ (mixed >> 31)).to_le_bytes();
            *byte = top;
        }
    }
}

/// A signal that nobody listens to.
pub struct NoSignal;

impl Signal for NoSignal {
    fn wake(&self) {}
}
