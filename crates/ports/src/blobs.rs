//! Files too large for a row: packages and media.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::pin::Pin;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::{Stream, TryStreamExt};
use lyceum_domain::authoring::media::MOST_SMALLER;
use lyceum_domain::ids::{MediaId, MediaUploadId, ScormPackageId};
use thiserror::Error;

/// Name of a stored file: segments of `[a-z0-9_.-]` joined by `/`, made from ids, never from titles.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BlobKey(String);

impl BlobKey {
    /// Parses a key.
    ///
    /// # Errors
    /// [`BlobError::InvalidKey`] unless every segment is non-empty, not only dots, and of the allowed alphabet.
    pub fn parse(text: &str) -> Result<Self, BlobError> {
        let allowed = |segment: &str| {
            !segment.is_empty()
                && !segment.chars().all(|c| c == '.')
                && segment
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_.-".contains(c))
        };
        if text.split('/').all(allowed) {
            Ok(Self(text.to_owned()))
        } else {
            Err(BlobError::InvalidKey)
        }
    }

    /// Where the archive is that was made for a package; others with the same content share it.
    pub fn of_archive(origin: ScormPackageId) -> Self {
        Self(format!("scorm/{origin}.zip"))
    }

    /// Where a recording is.
    ///
    /// # Errors
    /// [`BlobError::InvalidKey`] for a name that is not of ours.
    pub fn of_recording(name: &str) -> Result<Self, BlobError> {
        Self::parse(&format!("audio/{name}.wav"))
    }

    /// Where the upload of a media file is until it was looked at.
    pub fn of_upload(media: MediaId) -> Self {
        Self(format!("media/{media}/upload"))
    }

    /// Where a piece of an upload is until all of them came.
    ///
    /// # Errors
    /// [`BlobError::InvalidKey`] for a name that is not of ours.
    pub fn of_upload_piece(upload: MediaUploadId, name: &str) -> Result<Self, BlobError> {
        Self::parse(&format!("uploads/{upload}/{name}"))
    }

    /// Where a file is put by whoever sends it to the store itself, until it is copied to where uploads are. No piece is called so.
    pub fn of_direct_upload(upload: MediaUploadId) -> Self {
        Self(format!("uploads/{upload}/direct"))
    }

    /// Where a file of a media file is, by its number: 0 is the file itself, the others are smaller pictures of it.
    pub fn of_media(media: MediaId, number: usize) -> Self {
        Self(format!("media/{media}/{number}"))
    }

    /// Every place where a file of a media file may be.
    pub fn all_of_media(media: MediaId) -> Vec<Self> {
        let files = (0..=MOST_SMALLER).map(|number| Self::of_media(media, number));
        std::iter::once(Self::of_upload(media))
            .chain(files)
            .collect()
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BlobKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Bytes as they come.
pub type ByteStream = Pin<Box<dyn Stream<Item = Result<Bytes, BlobError>> + Send>>;

/// What the store is to answer whoever comes to it by a presigned URL: it knows bytes, and not what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PresignedRead {
    /// For how long.
    pub valid_for: Duration,
    /// Of what media type the file is.
    pub media_type: &'static str,
    /// Whether it is shown or saved: a `Content-Disposition`.
    pub disposition: &'static str,
}

/// What may be put into the store by whoever comes to it with a presigned URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PresignedWrite {
    /// For how long. Who began in time may take longer.
    pub valid_for: Duration,
    /// As what it has to be sent: a `Content-Type`.
    pub media_type: &'static str,
}

/// An address by which whoever has it reads one file from the store itself, or puts one there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresignedUrl {
    /// The whole of it.
    pub url: String,
    /// For how long it is sure to work; never longer than was asked for.
    pub valid_for: Duration,
}

/// Why a blob could not be stored or read.
#[derive(Debug, Error)]
pub enum BlobError {
    /// No file of that name.
    #[error("no such file")]
    NotFound,
    /// The name is not one we would make.
    #[error("not a valid blob key")]
    InvalidKey,
    /// The file is not what was stored: its hash is another.
    #[error("the file is damaged")]
    Damaged,
    /// The store could not be reached or refused.
    #[error("file storage failed")]
    Storage(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Where packages and media are kept. `lyceum-contracts` has the suite that every adapter keeps to.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait BlobStore: Send + Sync {
    /// Stores the local file under `key`, whole or not at all, in constant memory; replaces what was there.
    async fn put_file(&self, key: &BlobKey, file: &Path) -> Result<(), BlobError>;
    /// Reads the file, or the part of it in `range` (bytes, end exclusive). A range that ends behind the file ends with
    /// it; an empty one yields nothing; one that begins behind the file is [`BlobError::Storage`].
    async fn read(&self, key: &BlobKey, range: Option<Range<u64>>)
    -> Result<ByteStream, BlobError>;
    /// What tells the file as it lies there now from whatever may lie there later, without reading it: what was found
    /// out about its bytes counts for as long as this stays the same. `None` where the store has nothing of the kind;
    /// then bytes are looked at each time.
    async fn version(&self, key: &BlobKey) -> Result<Option<String>, BlobError> {
        let _ = key;
        Ok(None)
    }
    /// An address by which a browser reads the file from the store itself, whether it is there or not. `None` where the
    /// store has none to give: then the file is handed out by whoever asks.
    async fn presign(
        &self,
        key: &BlobKey,
        read: &PresignedRead,
    ) -> Result<Option<PresignedUrl>, BlobError> {
        let _ = (key, read);
        Ok(None)
    }
    /// An address by which a browser puts a file there, as often as it likes and of any length. `None` where the store has
    /// none to give.
    async fn presign_write(
        &self,
        key: &BlobKey,
        write: &PresignedWrite,
    ) -> Result<Option<PresignedUrl>, BlobError> {
        let _ = (key, write);
        Ok(None)
    }
    /// How long the file is.
    async fn size(&self, key: &BlobKey) -> Result<u64, BlobError> {
        let bytes = self.read(key, None).await?;
        let size = bytes.try_fold(0_u64, |size, part| {
            let more = u64::try_from(part.len()).unwrap_or(u64::MAX);
            std::future::ready(Ok(size.saturating_add(more)))
        });
        size.await
    }
    /// Has the store copy a file; replaces what was there. Only a store with an address to give for writing is asked to.
    async fn copy(&self, from: &BlobKey, to: &BlobKey) -> Result<(), BlobError> {
        let _ = (from, to);
        Err(BlobError::Storage("this store copies nothing".into()))
    }
    /// The origin (`https://files.example.org`) that [`presign`](Self::presign) sends browsers to, for the policies of pages;
    /// `None` where it has no address to give.
    fn presigned_origin(&self) -> Option<String> {
        None
    }
    /// Removes the file; removing what is not there is no error.
    async fn delete(&self, key: &BlobKey) -> Result<(), BlobError>;
}
