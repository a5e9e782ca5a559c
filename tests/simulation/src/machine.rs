//! The machine that a node runs on: its clock, which may step, its randomness, and whether it stands still.

use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use lyceum_domain::Timestamp;
use lyceum_ports::blobs::{BlobError, BlobKey, BlobStore, ByteStream};
use lyceum_ports::environment::{Clock, Entropy, Ids, Signal};
use lyceum_ports::scorm::{CourseSnapshot, PackageError, PackageWriter, WrittenPackage};
use lyceum_ports::scorm_preview::{PackageReader, StoredPackage};
use tokio::sync::Notify;
use uuid::Uuid;

/// 2026-11-21T06:55:00.000Z
const START_MILLIS: i64 = 1_795_244_100_000;

/// Milliseconds since the simulation began.
fn elapsed_millis() -> u64 {
    let elapsed = turmoil::sim_elapsed().unwrap_or_default();
    u64::try_from(elapsed.as_millis()).unwrap()
}

/// A machine; it outlives the processes on it.
#[derive(Default)]
pub struct Machine {
    /// How far its clock is ahead, in milliseconds.
    ahead: AtomicI64,
    /// Until when it stands still, in milliseconds since the simulation began.
    still_until: AtomicU64,
    /// Rung when there may be something to do.
    pub bell: Notify,
}

impl Machine {
    /// Sets the clock this far ahead of true time, or behind it.
    pub fn set_clock(&self, ahead_millis: i64) {
        self.ahead.store(ahead_millis, Ordering::SeqCst);
    }

    /// Stops everything on it for a while, as SIGSTOP does; then it goes on as if nothing had been.
    pub fn stand_still(&self, lasting: Duration) {
        let lasting = u64::try_from(lasting.as_millis()).unwrap();
        self.still_until
            .store(elapsed_millis() + lasting, Ordering::SeqCst);
    }

    /// Returns when the machine does not stand still; whatever a process on it does next goes through here.
    pub async fn goes_on(&self) {
        loop {
            let now = elapsed_millis();
            let until = self.still_until.load(Ordering::SeqCst);
            if until <= now {
                return;
            }
            tokio::time::sleep(Duration::from_millis(until - now)).await;
        }
    }
}

impl Clock for Machine {
    fn now(&self) -> Timestamp {
        let elapsed = i64::try_from(elapsed_millis()).unwrap();
        Timestamp::from_unix_millis(START_MILLIS + elapsed + self.ahead.load(Ordering::SeqCst))
    }
}

impl Signal for Machine {
    fn wake(&self) {
        self.bell.notify_waiters();
    }
}

/// Ids that count up, over all nodes of a simulation.
pub struct SharedIds(AtomicU64);

impl SharedIds {
    /// From this number on.
    pub fn from(first: u64) -> Arc<Self> {
        Arc::new(Self(AtomicU64::new(first)))
    }
}

impl Ids for SharedIds {
    fn next(&self) -> Uuid {
        let count = self.0.fetch_add(1, Ordering::SeqCst);
        Uuid::from_u128(
            (u128::from(START_MILLIS.unsigned_abs()) << 80) | 0x7000 << 64 | u128::from(count),
        )
    }
}

/// Randomness from the seed.
pub struct SeededEntropy(Mutex<fastrand::Rng>);

impl SeededEntropy {
    /// From a generator of its own.
    pub fn of(random: fastrand::Rng) -> Arc<Self> {
        Arc::new(Self(Mutex::new(random)))
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .fill(bytes);
    }
}

/// Packages are not simulated: nobody asks for any.
pub struct NoPackages;

impl PackageWriter for NoPackages {
    fn version(&self) -> String {
        String::new()
    }

    fn media(&self, _: &CourseSnapshot) -> Vec<String> {
        Vec::new()
    }

    fn write(&self, _: &CourseSnapshot, _: &Path) -> Result<WrittenPackage, PackageError> {
        panic!("no package is asked for")
    }
}

#[async_trait]
impl PackageReader for NoPackages {
    async fn size(&self, _: &StoredPackage, _: &str) -> Result<Option<u64>, BlobError> {
        Ok(None)
    }

    async fn read(
        &self,
        _: &StoredPackage,
        _: &str,
        _: std::ops::Range<u64>,
    ) -> Result<ByteStream, BlobError> {
        Err(BlobError::NotFound)
    }
}

#[async_trait]
impl BlobStore for NoPackages {
    async fn put_file(&self, _: &BlobKey, _: &Path) -> Result<(), BlobError> {
        Ok(())
    }

    async fn read(
        &self,
        _: &BlobKey,
        _: Option<std::ops::Range<u64>>,
    ) -> Result<ByteStream, BlobError> {
        Err(BlobError::NotFound)
    }

    async fn delete(&self, _: &BlobKey) -> Result<(), BlobError> {
        Ok(())
    }
}
