//! What is counted while work is done, for whoever watches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lyceum_domain::Timestamp;
use lyceum_domain::notifying::deliveries::DeliveryStatus;
use lyceum_domain::notifying::mails::MailStatus;
use lyceum_domain::running::jobs::JobKind;

/// What a stored file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// The archive of a package.
    Package,
    /// The recording of a podcast.
    Recording,
    /// A file of the media library.
    Media,
}

impl FileKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Package, Self::Recording, Self::Media];

    /// The kind in a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Package => "package",
            Self::Recording => "recording",
            Self::Media => "media",
        }
    }
}

/// Counts what a process does. Nothing waits for it, and nothing is decided by it.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait Telemetry: Send + Sync {
    /// An attempt at a job took so long.
    fn job_attempted(&self, kind: JobKind, took: Duration);
    /// An attempt to deliver left the delivery in this state.
    fn delivery_attempted(&self, left: DeliveryStatus);
    /// An attempt to send a mail left it in this state.
    fn mail_attempted(&self, left: MailStatus);
    /// A stored file was found to be gone or damaged.
    fn file_damaged(&self, kind: FileKind);
    /// The pages of the database were looked at. What was found damaged stays so: a later look may be at other tables.
    fn pages_looked_at(&self, is_damaged: bool, at: Timestamp);
    /// Whether the pages of the database were found damaged.
    fn is_database_damaged(&self) -> bool;
}

/// Counts nothing, and knows whether the database was found damaged.
#[derive(Debug, Default)]
pub struct NoTelemetry {
    is_database_damaged: AtomicBool,
}

impl Telemetry for NoTelemetry {
    fn job_attempted(&self, _: JobKind, _: Duration) {}
    fn delivery_attempted(&self, _: DeliveryStatus) {}
    fn mail_attempted(&self, _: MailStatus) {}
    fn file_damaged(&self, _: FileKind) {}
    fn pages_looked_at(&self, is_damaged: bool, _: Timestamp) {
        self.is_database_damaged
            .fetch_or(is_damaged, Ordering::Relaxed);
    }
    fn is_database_damaged(&self) -> bool {
        self.is_database_damaged.load(Ordering::Relaxed)
    }
}
