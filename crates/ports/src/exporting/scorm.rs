//! Writing a SCORM package: the course as it stood at one moment, and the archive made of it.

use std::path::{Path, PathBuf};

pub use lyceum_domain::authoring::completion::{Completion, Done};
use serde::{Serialize, Serializer};
use serde_json::Value;
use thiserror::Error;

use crate::exporting::media::MediaProblem;

/// Which dialect of SCORM a package speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum ScormEdition {
    /// SCORM 1.2.
    V1_2,
    /// SCORM 2004 3rd Edition.
    V2004,
    /// SCORM 2004 4th Edition: the same package under another name, for an LMS that insists on it.
    V2004Fourth,
}

/// Everything a package is made of: a snapshot of one cohort's course.
///
/// The writer reads nothing else, so the same snapshot always gives the same bytes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CourseSnapshot {
    /// The cohort (`coh_…`) that every identifier in the manifest is derived from.
    pub cohort_id: String,
    /// The edition asked for.
    pub edition: ScormEdition,
    /// Where the package finds the live service; without it the package makes no request at all.
    pub service: Option<LiveService>,
    /// The workspace's accent colour, `#rrggbb`; the player's own when absent.
    pub accent_color: Option<String>,
    /// Whether learners may ask the tutor, where the service lets them in.
    pub tutor: bool,
    /// What the LMS is told of a course that is done.
    pub reporting: Reporting,
    /// When the course is done, and what it takes to pass it.
    #[serde(serialize_with = "as_document", skip_serializing_if = "is_default")]
    pub completion: Completion,
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
    /// Pictures, recordings and captions that the texts above refer to, as far as they could be had.
    pub media: Vec<SnapshotMedia>,
    /// Addresses in those texts whose files could not be had, and why.
    #[serde(skip)]
    pub unavailable: Vec<(String, MediaProblem)>,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands fields over so"
)]
fn as_document<S: Serializer>(completion: &Completion, serializer: S) -> Result<S::Ok, S::Error> {
    completion.to_json().serialize(serializer)
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands fields over so"
)]
fn is_default(completion: &Completion) -> bool {
    *completion == Completion::default()
}

/// The live service as a package knows it: public by design, as it lies in the archive.
///
/// None of it enters the bytes that `content_hash` covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LiveService {
    /// Absolute address, without a trailing slash.
    pub runtime_base_url: String,
    /// The package (`scp_…`) whose learners are let in.
    pub package_id: String,
    /// Its public launch key (`lk_…`).
    pub launch_key: String,
}

/// What the LMS is told of a course that is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Reporting {
    /// Whether an assignment that AI or a person grades is done only once its grade is there; otherwise handing it
    /// in is enough, and the score joins at a later launch.
    pub waits_for_grades: bool,
    /// Whether a course below its pass mark is told as `incomplete` rather than `failed`: some systems lock
    /// learners out after `failed`.
    pub retries_failed: bool,
}

/// A file that a text refers to.
///
/// An address such as `media:med_…` is a medium of the library, which [`PackageWriter::media`] names like any other: as an
/// image, as a link, or as the `url` of a podcast's recording, a film or its captions. For each that is ready and of the
/// course's own workspace there is one entry with everything that the library knows; for each that is not there, of another
/// workspace or not ready there is none. The package then names it in a warning, by its place, and shows its description.
/// What was tried and could not be read belongs into [`CourseSnapshot::unavailable`].
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct SnapshotMedia {
    /// The address as the text has it.
    pub address: String,
    /// Where its bytes are, on this machine.
    pub file: PathBuf,
    /// What the file is, such as `image/png`. Of a medium of the library it says whether an MP4 or `WebM` file is a recording or a
    /// film, and that a drawing (`image/svg+xml`) was cleaned: from nowhere else are drawings taken.
    pub media_type: String,
    /// What a medium shows, for texts that do not say so themselves: absent where nobody said, empty where it only decorates.
    pub alt_text: Option<String>,
    /// Pixels from side to side and from top to bottom, of films and drawings. Of other pictures the file itself says it.
    pub dimensions: Option<(u32, u32)>,
    /// The same picture, smaller: browsers take the one that is large enough.
    pub smaller: Vec<SnapshotPicture>,
}

/// A picture made smaller.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct SnapshotPicture {
    /// Where its bytes are, on this machine.
    pub file: PathBuf,
    /// Pixels from side to side and from top to bottom.
    pub dimensions: (u32, u32),
}

/// A unit and its lessons.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    /// BCP-47 tag of its content, where it is not the course's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Activities in order.
    pub activities: Vec<SnapshotActivity>,
}

/// An activity inside a lesson.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SnapshotActivity {
    /// `act_…`
    pub id: String,
    /// `quiz`, `flashcards`, `explainer`, `podcast`, `video` or `reflection`.
    pub kind: String,
    /// Name as shown.
    pub name: String,
    /// BCP-47 tag of its content, where it is not the course's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The content document of that kind, answers included (a package scores offline).
    pub content: Value,
}

/// An assignment, shown as a step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SnapshotAssignment {
    /// `asg_…`
    pub id: String,
    /// The unit it belongs to, if any (`unt_…`).
    pub unit_id: Option<String>,
    /// Name as shown.
    pub name: String,
    /// Instructions, Markdown, not yet sanitised.
    pub instructions: String,
    /// How often it may be handed in; without a limit when absent.
    pub max_attempts: Option<u32>,
}

/// What the writer made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenPackage {
    /// Bytes of the archive.
    pub size_bytes: u64,
    /// How many files are in it.
    pub files: u64,
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
    #[error(
        "the package would be {} MB, more than the {} MB that a package may have: leave out or link to the largest \
         recordings and pictures",
        megabytes(*size_bytes),
        megabytes(*limit_bytes)
    )]
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

/// Begun megabytes, as people see sizes.
fn megabytes(bytes: u64) -> u64 {
    bytes.div_ceil(1024 * 1024)
}

/// A lesson, or one of its activities, as it stood at one moment, for whoever tries it while it is being made: single files, of which
/// none is written anywhere.
#[derive(Debug, Clone, PartialEq)]
pub struct CoursePiece {
    /// The course, with this one lesson in it and nothing of what is not tried. Its own `media` are left alone.
    pub course: CourseSnapshot,
    /// The one step that is played (`act_…`); every step where absent.
    pub only_step: Option<String>,
    /// Media that the texts refer to: they stay where they are kept.
    pub media: Vec<PieceMedium>,
}

/// A medium that is kept, and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PieceMedium {
    /// The address as the text has it.
    pub address: String,
    /// What the file was found to be when it came, such as `image/png`.
    pub media_type: String,
    /// What it shows: absent where nobody said, empty where it only decorates.
    pub alt_text: Option<String>,
    /// The file itself, and then the same picture, smaller.
    pub files: Vec<PieceFacts>,
}

/// What is known of a file that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PieceFacts {
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
    /// Its size.
    pub size_bytes: u64,
    /// Pixels from side to side and from top to bottom, of pictures and films.
    pub dimensions: Option<(u32, u32)>,
}

/// A file of a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PieceFile {
    /// It was made.
    Made(Vec<u8>),
    /// It is kept: a file of one of [`CoursePiece::media`], both by their places.
    Kept {
        /// Which medium.
        medium: usize,
        /// Which of its files.
        number: usize,
    },
}

/// Turns a snapshot into an archive file. CPU-bound and synchronous: callers run it off the reactor.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait PackageWriter: Send + Sync {
    /// Tells this writer and its player from any that would make other bytes of the same snapshot.
    fn version(&self) -> String;

    /// The addresses of pictures, recordings and captions that the course's texts refer to: each once, in the order of
    /// the texts, as the texts have them. Whoever can get at the files puts them into [`CourseSnapshot::media`].
    fn media(&self, snapshot: &CourseSnapshot) -> Vec<String>;

    /// Writes the archive to `target`, which must not exist yet.
    ///
    /// # Errors
    /// [`PackageError`]; a partly written `target` may be left behind and is the caller's to remove.
    fn write(
        &self,
        snapshot: &CourseSnapshot,
        target: &Path,
    ) -> Result<WrittenPackage, PackageError>;

    /// The file of this name as it would be in an archive of the piece, made by itself; none where there would be no such file.
    ///
    /// # Errors
    /// [`PackageError::Invalid`] for what no package takes.
    fn file(&self, piece: &CoursePiece, name: &str) -> Result<Option<PieceFile>, PackageError>;
}
