//! Writing a SCORM package: the course as it stood at one moment, and the archive made of it.

use std::path::Path;

use serde_json::Value;
use thiserror::Error;

/// Which dialect of SCORM a package speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScormEdition {
    /// SCORM 1.2.
    V1_2,
    /// SCORM 2004 3rd Edition.
    V2004,
}

/// Everything a package is made of: a snapshot of one cohort's course.
///
/// The writer reads nothing else, so the same snapshot always gives the same bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct CourseSnapshot {
    /// The package's own id (`scp_…`); it never enters the bytes that `content_hash` covers.
    pub package_id: String,
    /// The cohort (`coh_…`) that every identifier in the manifest is derived from.
    pub cohort_id: String,
    /// The edition asked for.
    pub edition: ScormEdition,
    /// Absolute address of the live service, without a trailing slash.
    pub runtime_base_url: String,
    /// The package's public launch key (`lk_…`); like its id, it never enters the bytes of `content_hash`.
    pub launch_key: String,
    /// Name of the course.
    pub course_name: String,
    /// Name of the cohort.
    pub cohort_name: String,
    /// BCP-47 tag of the course.
    pub language: String,
    /// Long description (Markdown).
    pub description: String,
    /// Units in order.
    pub units: Vec<SnapshotUnit>,
    /// Assignments in order; shown as steps at the end of their unit or of the course.
    pub assignments: Vec<SnapshotAssignment>,
}

/// A unit and its lessons.
#[derive(Debug, Clone, PartialEq)]
pub struct SnapshotUnit {
    /// `unt_…`
    pub id: String,
    /// Name as shown in the menu.
    pub name: String,
    /// What the unit is about.
    pub description: String,
    /// Lessons in order.
    pub lessons: Vec<SnapshotLesson>,
}

/// A lesson and its activities.
#[derive(Debug, Clone, PartialEq)]
pub struct SnapshotLesson {
    /// `les_…`
    pub id: String,
    /// Name as shown in the menu.
    pub name: String,
    /// One or two sentences.
    pub summary: String,
    /// What the learner will be able to do.
    pub objectives: Vec<String>,
    /// The lesson's text, Markdown, not yet sanitised.
    pub content: String,
    /// Planned minutes.
    pub duration_minutes: u32,
    /// Activities in order.
    pub activities: Vec<SnapshotActivity>,
}

/// An activity inside a lesson.
#[derive(Debug, Clone, PartialEq)]
pub struct SnapshotActivity {
    /// `act_…`
    pub id: String,
    /// `quiz`, `flashcards`, `explainer`, `podcast`, `video` or `reflection`.
    pub kind: String,
    /// Name as shown.
    pub name: String,
    /// The content document of that kind, answers included (a package scores offline).
    pub content: Value,
}

/// An assignment, shown as a step.
#[derive(Debug, Clone, PartialEq)]
pub struct SnapshotAssignment {
    /// `asg_…`
    pub id: String,
    /// The unit it belongs to, if any (`unt_…`).
    pub unit_id: Option<String>,
    /// Name as shown.
    pub name: String,
    /// Instructions, Markdown, not yet sanitised.
    pub instructions: String,
}

/// What the writer made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenPackage {
    /// Bytes of the archive.
    pub size_bytes: u64,
    /// SHA-256 of the archive, lower-case hex.
    pub sha256: String,
    /// SHA-256 over names and contents of everything the learner sees, lower-case hex.
    pub content_hash: String,
    /// What a teacher should know before uploading, in sentences.
    pub warnings: Vec<String>,
}

/// Why a package could not be written.
#[derive(Debug, Error)]
pub enum PackageError {
    /// There is nothing to show; the message says what to add.
    #[error("{0}")]
    NothingToExport(String),
    /// The package would be larger than any LMS takes.
    #[error("the package would be {size_bytes} bytes, more than {limit_bytes}")]
    TooLarge {
        /// What it would have been.
        size_bytes: u64,
        /// What is allowed.
        limit_bytes: u64,
    },
    /// The archive could not be written.
    #[error("could not write the package")]
    Io(#[from] std::io::Error),
    /// Content that cannot be put into a package.
    #[error("{0}")]
    Invalid(String),
}

/// Turns a snapshot into an archive file. CPU-bound and synchronous: callers run it off the reactor.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait PackageWriter: Send + Sync {
    /// Writes the archive to `target`, which must not exist yet.
    ///
    /// # Errors
    /// [`PackageError`]; a partly written `target` may be left behind and is the caller's to remove.
    fn write(
        &self,
        snapshot: &CourseSnapshot,
        target: &Path,
    ) -> Result<WrittenPackage, PackageError>;
}
