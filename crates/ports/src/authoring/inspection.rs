//! What an uploaded file is, told by its bytes, and made fit to be shown to learners.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use lyceum_domain::authoring::media::MediaType;
use thiserror::Error;

/// Why a file is not kept, as a sentence for whoever uploaded it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    /// Neither picture, recording, film, captions nor a document of a kind that is kept.
    #[error("The file is of a kind that is not kept: {0}.")]
    UnsupportedType(String),
    /// It begins as what it claims to be and does not go on as such.
    #[error("The file is damaged or incomplete: {0}.")]
    Damaged(String),
    /// A picture of more pixels than are taken.
    #[error("The picture has {pixels} pixels; {most} are the most.")]
    TooManyPixels {
        /// Width by height.
        pixels: u64,
        /// How many are taken.
        most: u64,
    },
    /// A scanner found something in it.
    #[error("The scanner found {0} in the file.")]
    Infected(String),
}

impl Refusal {
    /// The refusal in a word, which callers may go by.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnsupportedType(_) => "unsupported_type",
            Self::Damaged(_) => "damaged",
            Self::TooManyPixels { .. } => "too_many_pixels",
            Self::Infected(_) => "infected",
        }
    }
}

/// Why a file could not be looked at.
#[derive(Debug, Error)]
pub enum InspectionError {
    /// It was, and is not kept. Asking again gives the same.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It could not be: a disk is full, a scanner does not answer. Later it may be.
    #[error("{0}")]
    Unavailable(String),
}

/// A picture made smaller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmallerPicture {
    /// Where it is, in the folder that was named.
    pub file: PathBuf,
    /// What it is.
    pub media_type: MediaType,
    /// Pixels from side to side.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

/// A file that may be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspected {
    /// What it is.
    pub media_type: MediaType,
    /// What is to be kept: the file that came, where nothing had to be taken out of it, else one in the folder that was named.
    pub file: PathBuf,
    /// Pixels from side to side and from top to bottom, of pictures and films.
    pub dimensions: Option<(u32, u32)>,
    /// How long it is, in milliseconds, of recordings and films that say so.
    pub duration_ms: Option<u64>,
    /// Pictures of the same, from small to large, where they take fewer bytes.
    pub smaller: Vec<SmallerPicture>,
    /// What was taken out of it, or could not be found out, each a sentence for whoever uploaded it.
    pub notes: Vec<String>,
}

/// Looks at files of strangers.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait MediaInspector: Send + Sync {
    /// Looks at a file, and puts into the folder what is made of it. Memory and time are bounded, whatever the file is; of many
    /// asked for at once, few are looked at.
    ///
    /// # Errors
    /// [`InspectionError`]
    async fn inspect(&self, file: &Path, folder: &Path) -> Result<Inspected, InspectionError>;
}
