//! Background work: what is to be done, to what, and where it waits. How often, by whom and until when it is tried is kept
//! beside it, in the queue.

use crate::Timestamp;
use crate::identity::spenders::Spender;
use crate::ids::{
    AssignmentId, BatchId, BulkWriteId, CertificateId, GenerationId, MediaId, ScormPackageId,
    SubmissionId,
};

/// Where a job waits and runs: beside those of its lane, and whatever those of another lane do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobLane {
    /// Jobs that wait for AI providers most of their time.
    Ai,
    /// Jobs that work.
    Work,
}

impl JobLane {
    /// Every lane.
    pub const ALL: &'static [Self] = &[Self::Ai, Self::Work];

    /// The lane in a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ai => "ai",
            Self::Work => "work",
        }
    }

    /// How many jobs of one workspace run at once in a lane, on all nodes together: three quarters of what a node does,
    /// so that a long queue of one is not in the way of the others. Nodes that claim at the same moment may exceed it
    /// for a while.
    pub const fn share(self) -> u16 {
        match self {
            Self::Ai => 12,
            Self::Work => 3,
        }
    }
}

impl crate::Words for JobLane {
    fn words() -> Vec<&'static str> {
        Self::ALL.iter().map(|lane| lane.as_str()).collect()
    }
}

/// The word for a job, by which it is stored and counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobKind {
    /// [`Job::GradeSubmission`].
    GradeSubmission,
    /// [`Job::ExplainGrade`].
    ExplainGrade,
    /// [`Job::GenerateSyllabus`].
    GenerateSyllabus,
    /// [`Job::GenerateContent`].
    GenerateContent,
    /// [`Job::ExportScorm`].
    ExportScorm,
    /// [`Job::RemoveArchive`], [`Job::RemoveRecording`], [`Job::RemovePieces`] and [`Job::RemoveMedia`]: one word, so that
    /// rows and metrics of before go on.
    RemoveArchive,
    /// [`Job::MendArchive`].
    MendArchive,
    /// [`Job::TendCertificate`].
    TendCertificate,
    /// [`Job::TendBatch`].
    TendBatch,
    /// [`Job::GradeBatchItem`].
    GradeBatchItem,
    /// [`Job::InspectMedia`].
    InspectMedia,
    /// [`Job::EaseDueDates`].
    EaseDueDates,
    /// [`Job::WriteRows`].
    WriteRows,
}

impl JobKind {
    /// Every kind.
    pub const ALL: &'static [Self] = &[
        Self::GradeSubmission,
        Self::ExplainGrade,
        Self::GenerateSyllabus,
        Self::GenerateContent,
        Self::ExportScorm,
        Self::RemoveArchive,
        Self::MendArchive,
        Self::TendCertificate,
        Self::TendBatch,
        Self::GradeBatchItem,
        Self::InspectMedia,
        Self::EaseDueDates,
        Self::WriteRows,
    ];

    /// The kind in a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::GradeSubmission => "grade_submission",
            Self::ExplainGrade => "explain_grade",
            Self::GenerateSyllabus => "generate_syllabus",
            Self::GenerateContent => "generate_content",
            Self::ExportScorm => "export_scorm",
            Self::RemoveArchive => "remove_archive",
            Self::MendArchive => "mend_archive",
            Self::TendCertificate => "tend_certificate",
            Self::TendBatch => "tend_batch",
            Self::GradeBatchItem => "grade_batch_item",
            Self::InspectMedia => "inspect_media",
            Self::EaseDueDates => "ease_due_dates",
            Self::WriteRows => "write_rows",
        }
    }

    /// Where it waits and runs.
    pub const fn lane(self) -> JobLane {
        match self {
            Self::GradeSubmission
            | Self::ExplainGrade
            | Self::GenerateSyllabus
            | Self::GenerateContent
            | Self::GradeBatchItem => JobLane::Ai,
            Self::ExportScorm
            | Self::RemoveArchive
            | Self::MendArchive
            | Self::TendCertificate
            | Self::TendBatch
            | Self::InspectMedia
            | Self::EaseDueDates
            | Self::WriteRows => JobLane::Work,
        }
    }

    /// Reads the word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == text)
    }
}

impl crate::Words for JobKind {
    fn words() -> Vec<&'static str> {
        Self::ALL.iter().map(|kind| kind.as_str()).collect()
    }
}

/// How much of a kind is to be done in one workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindBacklog {
    /// Which kind.
    pub kind: JobKind,
    /// How many jobs are due and not taken up.
    pub due: u64,
    /// Since when the first of them is.
    pub due_since: Option<Timestamp>,
    /// How many wait for their time: put off, or to be tried again.
    pub later: u64,
    /// How many run.
    pub running: u64,
    /// How many were given up, and are not forgotten yet.
    pub given_up: u64,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Job {
    /// Have AI grade a submission.
    GradeSubmission {
        /// Which.
        submission: SubmissionId,
        /// Which of its runs: a job whose run is not the newest has nothing to do.
        run: u32,
        /// From whose share it is paid.
        spender: Spender,
    },
    /// Have AI explain the grade of a submission.
    ExplainGrade {
        /// Which.
        submission: SubmissionId,
        /// Which explanation is waited for: of several asked for, the last.
        name: String,
    },
    /// Draft a course's syllabus.
    GenerateSyllabus {
        /// By this generation.
        generation: GenerationId,
    },
    /// Draft lessons, the text of a lesson, or activities.
    GenerateContent {
        /// By this generation.
        generation: GenerationId,
    },
    /// Make a SCORM package.
    ExportScorm {
        /// Which.
        package: ScormPackageId,
    },
    /// Remove the archive of a SCORM package unless another package still shares it.
    RemoveArchive {
        /// The package that the archive was made for.
        origin: ScormPackageId,
    },
    /// Remove the recording of a podcast unless an activity still has it.
    RemoveRecording {
        /// Its name in the workspace.
        name: String,
    },
    /// Remove the pieces of speech that recordings were made of.
    RemovePieces {
        /// The generation that made them, and is over.
        generation: GenerationId,
        /// The keys of their files.
        pieces: Vec<String>,
    },
    /// Make the archive of a SCORM package anew, because the stored one is damaged or gone.
    MendArchive {
        /// The package that the archive was made for.
        origin: ScormPackageId,
    },
    /// Bring a try for a certificate on: have AI grade what waits, draw, and let out what a certificate covers.
    TendCertificate {
        /// Which.
        certificate: CertificateId,
    },
    /// Bring a batch on: collect what it is about, have AI asked, land or put back what was decided.
    TendBatch {
        /// Which.
        batch: BatchId,
    },
    /// Have AI grade an item of a batch, apart from all records.
    GradeBatchItem {
        /// Of which batch.
        batch: BatchId,
        /// Its place.
        place: u32,
    },
    /// Look at an uploaded file, and make of it what is kept.
    InspectMedia {
        /// Which.
        media: MediaId,
    },
    /// Have late submissions judged by due dates that became better for them.
    EaseDueDates {
        /// Of which assignment.
        assignment: AssignmentId,
    },
    /// Write the next rows of a bulk write, as whoever asked for it.
    WriteRows {
        /// Which.
        bulk: BulkWriteId,
    },
    /// Remove the files of a media file unless it is there, or in the trash.
    RemoveMedia {
        /// Which.
        media: MediaId,
    },
}

impl Job {
    /// Its kind.
    pub const fn kind(&self) -> JobKind {
        match self {
            Self::GradeSubmission { .. } => JobKind::GradeSubmission,
            Self::ExplainGrade { .. } => JobKind::ExplainGrade,
            Self::GenerateSyllabus { .. } => JobKind::GenerateSyllabus,
            Self::GenerateContent { .. } => JobKind::GenerateContent,
            Self::ExportScorm { .. } => JobKind::ExportScorm,
            Self::RemoveArchive { .. }
            | Self::RemoveRecording { .. }
            | Self::RemovePieces { .. }
            | Self::RemoveMedia { .. } => JobKind::RemoveArchive,
            Self::MendArchive { .. } => JobKind::MendArchive,
            Self::TendCertificate { .. } => JobKind::TendCertificate,
            Self::TendBatch { .. } => JobKind::TendBatch,
            Self::GradeBatchItem { .. } => JobKind::GradeBatchItem,
            Self::InspectMedia { .. } => JobKind::InspectMedia,
            Self::EaseDueDates { .. } => JobKind::EaseDueDates,
            Self::WriteRows { .. } => JobKind::WriteRows,
        }
    }

    /// What it is about: an id (`sub_…`, `gen_…`, `scp_…`, `med_…`), or the name of a recording.
    pub fn subject(&self) -> String {
        match self {
            Self::GradeSubmission { submission, .. } | Self::ExplainGrade { submission, .. } => {
                submission.to_string()
            }
            Self::GenerateSyllabus { generation }
            | Self::GenerateContent { generation }
            | Self::RemovePieces { generation, .. } => generation.to_string(),
            Self::ExportScorm { package: id }
            | Self::RemoveArchive { origin: id }
            | Self::MendArchive { origin: id } => id.to_string(),
            Self::RemoveRecording { name } => name.clone(),
            Self::TendCertificate { certificate } => certificate.to_string(),
            Self::TendBatch { batch } | Self::GradeBatchItem { batch, .. } => batch.to_string(),
            Self::InspectMedia { media } | Self::RemoveMedia { media } => media.to_string(),
            Self::EaseDueDates { assignment } => assignment.to_string(),
            Self::WriteRows { bulk } => bulk.to_string(),
        }
    }

    /// From whose share it is paid.
    pub const fn spender(&self) -> Spender {
        match self {
            Self::GradeSubmission { spender, .. } => *spender,
            Self::ExplainGrade { .. }
            | Self::GenerateSyllabus { .. }
            | Self::GenerateContent { .. }
            | Self::ExportScorm { .. }
            | Self::RemoveArchive { .. }
            | Self::RemoveRecording { .. }
            | Self::RemovePieces { .. }
            | Self::MendArchive { .. }
            | Self::TendCertificate { .. }
            | Self::TendBatch { .. }
            | Self::GradeBatchItem { .. }
            | Self::InspectMedia { .. }
            | Self::EaseDueDates { .. }
            | Self::WriteRows { .. }
            | Self::RemoveMedia { .. } => Spender::Staff,
        }
    }

    /// The removal of an archive, of a media file or of a recording, by the name of its file in the workspace.
    pub fn remove_file(name: String) -> Self {
        if let Ok(origin) = name.parse() {
            return Self::RemoveArchive { origin };
        }
        if let Ok(media) = name.parse() {
            return Self::RemoveMedia { media };
        }
        Self::RemoveRecording { name }
    }
}
