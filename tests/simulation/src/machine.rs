//! The machine that a node runs on: its clocks, of which the wall clock may step, its randomness, and whether it stands
//! still.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use lyceum_domain::Timestamp;
use lyceum_domain::grading::groups::AnswerGroups;
use lyceum_ports::addresses::{Addresses, Door, SsoDoor};
use lyceum_ports::authoring::inspection::{Inspected, InspectionError, MediaInspector};
use lyceum_ports::blobs::{BlobError, BlobKey, BlobStore, ByteStream};
use lyceum_ports::environment::{Clock, Entropy, Ids, Signal};
use lyceum_ports::exporting::scorm::{CoursePiece, PieceFile};
use lyceum_ports::exporting::scorm::{CourseSnapshot, PackageError, PackageWriter, WrittenPackage};
use lyceum_ports::exporting::scorm_preview::{PackageReader, StoredPackage};
use lyceum_ports::grading::grouping::AnswerGrouper;
use tokio::sync::Notify;
use uuid::Uuid;

/// 2026-11-21T06:55:00.000Z
const START_MILLIS: i64 = 1_795_244_100_000;

/// Milliseconds since the simulation began.
fn elapsed_millis() -> u64 {
    u64::try_from(Machine::uptime().as_millis()).unwrap()
}

/// True time, told by a clock that is ahead of it by so many milliseconds.
pub fn true_time(ahead: i64) -> Timestamp {
    let elapsed = i64::try_from(elapsed_millis()).unwrap();
    Timestamp::from_unix_millis(START_MILLIS + elapsed + ahead)
}

/// A machine; it outlives the processes on it.
#[derive(Default)]
pub struct Machine {
    /// How far its wall clock is ahead, in milliseconds.
    ahead: AtomicI64,
    /// What the database's clock said to the process on it, and when by [`Machine::uptime`].
    told: Mutex<Option<(Timestamp, Duration)>>,
    /// Whether the process on it was asked to stop.
    stopping: AtomicBool,
    asked_to_stop: Notify,
    /// Until when it stands still, in milliseconds since the simulation began.
    still_until: AtomicU64,
    /// Rung when there may be something to do.
    pub bell: Notify,
}

impl Machine {
    /// The monotonic clock, which nothing steps.
    pub fn uptime() -> Duration {
        turmoil::sim_elapsed().unwrap_or_default()
    }

    /// A process begins on it: of the one before nothing is left.
    pub fn begin_process(&self) {
        self.stopping.store(false, Ordering::SeqCst);
        *self.reading() = None;
    }

    /// Asks the process on it to stop, as SIGTERM does.
    pub fn ask_to_stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        self.asked_to_stop.notify_waiters();
    }

    /// Whether the process on it was asked to stop.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// Returns when the process on it is asked to stop.
    pub async fn stop_is_asked_for(&self) {
        loop {
            let asked = self.asked_to_stop.notified();
            if self.is_stopping() {
                return;
            }
            asked.await;
        }
    }

    /// The shared clock was `told` at this moment of [`Machine::uptime`]: from now on the wall clock does not count.
    pub fn share_clock(&self, told: Timestamp, at: Duration) {
        *self.reading() = Some((told, at));
    }

    /// Whether the process on it goes by a shared clock.
    pub fn has_shared_clock(&self) -> bool {
        self.reading().is_some()
    }

    fn reading(&self) -> MutexGuard<'_, Option<(Timestamp, Duration)>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the wall clock this far ahead of true time, or behind it.
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
        match *self.reading() {
            Some((told, at)) => told.plus(Self::uptime().saturating_sub(at)),
            None => true_time(self.ahead.load(Ordering::SeqCst)),
        }
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

/// Nobody asks for groups of answers.
pub struct NoGroups;

impl lyceum_ports::grading::attacking::AttackMaker for NoGroups {
    fn attacks(
        &self,
        _: &lyceum_domain::grading::red_team::AttackTask,
        _: u64,
    ) -> Vec<lyceum_domain::grading::red_team::Attack> {
        Vec::new()
    }
}

impl AnswerGrouper for NoGroups {
    fn group(&self, _: &[String], _: &str, _: &dyn Fn() -> bool) -> Option<AnswerGroups> {
        panic!("no groups are asked for")
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

    fn file(&self, _: &CoursePiece, _: &str) -> Result<Option<PieceFile>, PackageError> {
        panic!("nothing is tried")
    }
}

impl Addresses for NoPackages {
    fn signed(&self, door: Door, _: i64, _: &str) -> String {
        panic!("nothing is there that has a door: {door:?}")
    }

    fn of_sso(&self, door: SsoDoor) -> String {
        panic!("nobody signs in by a provider: {door:?}")
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
impl MediaInspector for NoPackages {
    async fn inspect(&self, _: &Path, _: &Path) -> Result<Inspected, InspectionError> {
        panic!("nothing is uploaded")
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
