//! Fetching the files that a course's texts refer to.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use thiserror::Error;

/// Why a file could not be had, as the end of a sentence about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MediaProblem {
    /// Nobody answered with it, in time, or nobody may be asked.
    #[error("could not be reached")]
    Unreachable,
    /// It, or all of them together, are more than a package should hold.
    #[error("is too large")]
    TooLarge,
    /// Neither picture, recording nor captions.
    #[error("is of a kind that packages do not carry")]
    WrongKind,
}

/// A file that was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedMedia {
    /// Where it is, in the folder that was named.
    pub file: PathBuf,
    /// What it is, such as `image/png`.
    pub media_type: String,
}

/// Fetches files of strangers.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait MediaFetcher: Send + Sync {
    /// Fetches each address, once, into a file of its own in the folder; the answers are in the order of the
    /// addresses. All of it ends within minutes, whatever the others do.
    async fn fetch(
        &self,
        addresses: &[String],
        folder: &Path,
    ) -> Vec<Result<FetchedMedia, MediaProblem>>;
}
