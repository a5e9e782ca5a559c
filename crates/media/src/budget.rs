//! What is left, for all files of one course together: bytes, and patience with those who do not answer.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use lyceum_ports::exporting::media::MediaProblem;

/// What is left.
#[derive(Debug)]
pub struct Budget {
    bytes: AtomicU64,
    patience_ms: AtomicU64,
}

impl Budget {
    pub const fn new(bytes: u64, patience_ms: u64) -> Self {
        Self {
            bytes: AtomicU64::new(bytes),
            patience_ms: AtomicU64::new(patience_ms),
        }
    }

    /// Takes bytes that have arrived.
    pub fn take(&self, bytes: u64) -> Result<(), MediaProblem> {
        taken(&self.bytes, bytes)
            .map(|_| ())
            .ok_or(MediaProblem::TooLarge)
    }

    /// Whether anybody else is waited for.
    pub fn is_patient(&self) -> bool {
        self.patience_ms.load(Ordering::Relaxed) > 0
    }

    /// Some time went by for nothing.
    pub fn tire(&self, of: Duration) {
        let spent = u64::try_from(of.as_millis()).unwrap_or(u64::MAX);
        if taken(&self.patience_ms, spent).is_none() {
            self.patience_ms.store(0, Ordering::Relaxed);
        }
    }
}

/// The rest, unless there was less.
fn taken(from: &AtomicU64, amount: u64) -> Option<u64> {
    let order = Ordering::Relaxed;
    from.fetch_update(order, order, |left| left.checked_sub(amount))
        .ok()
}
