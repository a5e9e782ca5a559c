//! Storing, reading and removing files.

use std::ffi::OsString;
use std::io;
use std::ops::Range;
use std::path::Path as FilePath;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt, TryStreamExt, stream};
use lyceum_ports::blobs::{
    BlobError, BlobKey, BlobStore, ByteStream, PresignedRead, PresignedUrl, PresignedWrite,
};
use object_store::path::Path;
use object_store::{
    Error, GetOptions, GetRange, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload,
    WriteMultipart,
};
use tokio::fs::File;
use tokio::io::AsyncReadExt;

use crate::open::{OpenError, Opened, open};
use crate::presigning::{Presigner, Presigning};

/// How much of a file is held at once, in bytes. S3 takes parts from 5 MiB on and at most 10 000 of
/// them, so the largest file is 80 GB.
const PART_BYTES: usize = 8 * 1024 * 1024;

/// Reading goes on while fewer parts than this are being stored: with the one being read, three parts
/// are the most that is ever held.
const PARTS_UNDER_WAY: usize = 2;

/// The file in which a store keeps what it is known by: no key of a file of ours.
pub const NAME: &str = "STORE";

/// A file that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its name; foreign files may have one that is no key of ours.
    pub key: String,
    /// How long it is.
    pub size_bytes: u64,
    /// When it was stored, in seconds since 1970.
    pub stored_at: i64,
}

/// Packages and media in a folder or a bucket.
#[derive(Debug, Clone)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
    presigner: Option<Presigner>,
}

impl Blobs {
    /// Opens `file:///folder`, creating the folder, or, on a build with feature `s3`,
    /// `s3://bucket/prefix` with region, keys and endpoint from the usual `AWS_*` variables. Nothing
    /// is asked of a bucket before its first use.
    ///
    /// An upload to a bucket that is cut by a crash leaves invisible parts behind; give the bucket a
    /// lifecycle rule that aborts incomplete uploads.
    ///
    /// # Errors
    /// [`OpenError`] for a URL of another form, an `s3` URL on a build without the feature, a folder
    /// that cannot be made, or settings the bucket's client does not take.
    pub fn open(url: &str) -> Result<Self, OpenError> {
        Self::open_presigning(url, &Presigning::Off)
    }

    /// The same, of which the files of a bucket may be handed out by the bucket itself.
    ///
    /// # Errors
    /// Those of [`open`](Self::open), [`OpenError::NoPresigning`], and [`OpenError::InvalidEndpoint`].
    pub fn open_presigning(url: &str, presigning: &Presigning) -> Result<Self, OpenError> {
        let readable = |(name, value): (OsString, OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        let environment = std::env::vars_os().filter_map(readable);
        Self::open_presigning_with(url, presigning, environment)
    }

    /// The same, with other variables than those of the environment: name and value.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_with(
        url: &str,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, OpenError> {
        Self::open_presigning_with(url, &Presigning::Off, variables)
    }

    /// Both.
    ///
    /// # Errors
    /// Those of [`open_presigning`](Self::open_presigning).
    pub fn open_presigning_with(
        url: &str,
        presigning: &Presigning,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, OpenError> {
        let Opened { store, presigner } = open(url, presigning, variables.into_iter())?;
        Ok(Self { store, presigner })
    }

    /// Every stored file, in no order; for checks and backups, never for answering a caller.
    ///
    /// # Errors
    /// [`BlobError::Storage`]
    pub async fn list(&self) -> Result<Vec<Stored>, BlobError> {
        let listed = self.store.list(None).map(|file| {
            let file = file.map_err(refused)?;
            Ok(Stored {
                key: file.location.to_string(),
                size_bytes: file.size,
                stored_at: file.last_modified.timestamp(),
            })
        });
        listed.try_collect().await
    }

    /// What this store is known by; nothing where it was given no name.
    ///
    /// # Errors
    /// [`BlobError::Storage`]
    pub async fn name(&self) -> Result<Option<String>, BlobError> {
        match self.store.get(&Path::from(NAME)).await {
            Ok(found) => {
                let bytes = found.bytes().await.map_err(refused)?;
                let name = String::from_utf8_lossy(&bytes).trim().to_owned();
                Ok(Some(name))
            }
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(refused(error)),
        }
    }

    /// What this store is known by, which is `fresh` from now on if it had no name. Of several that name it at once, one
    /// does.
    ///
    /// # Errors
    /// [`BlobError::Storage`]
    pub async fn named(&self, fresh: &str) -> Result<String, BlobError> {
        let (place, name) = (Path::from(NAME), format!("{fresh}\n"));
        let first = PutOptions::from(PutMode::Create);
        let put = self
            .store
            .put_opts(&place, name.clone().into(), first)
            .await;
        match put {
            Ok(_) | Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => {}
            // A bucket that cannot be asked to be careful.
            Err(Error::NotImplemented { .. }) => {
                if self.name().await?.is_none() {
                    self.store.put(&place, name.into()).await.map_err(refused)?;
                }
            }
            Err(error) => return Err(refused(error)),
        }
        self.name().await?.ok_or(BlobError::NotFound)
    }

    /// Uploads a file that begins with `first` and is too long for one part. Nothing shows under
    /// `path` before the last step.
    async fn put_parts(&self, path: &Path, first: Bytes, mut file: File) -> Result<(), BlobError> {
        let upload = self.store.put_multipart(path).await.map_err(refused)?;
        let mut parts = WriteMultipart::new_with_chunk_size(upload, PART_BYTES);
        match feed(&mut parts, first, &mut file).await {
            Ok(()) => parts.finish().await.map(|_| ()).map_err(refused),
            Err(cause) => {
                // The cause is what the caller should learn; unfinished parts are never visible.
                parts.abort().await.ok();
                Err(cause)
            }
        }
    }
}

#[async_trait]
impl BlobStore for Blobs {
    async fn put_file(&self, key: &BlobKey, file: &FilePath) -> Result<(), BlobError> {
        let path = path_of(key)?;
        let mut file = File::open(file).await.map_err(unreadable)?;
        let first = read_part(&mut file).await?;
        if first.len() < PART_BYTES {
            let whole = PutPayload::from_bytes(first);
            return self
                .store
                .put(&path, whole)
                .await
                .map(|_| ())
                .map_err(refused);
        }
        self.put_parts(&path, first, file).await
    }

    async fn read(
        &self,
        key: &BlobKey,
        range: Option<Range<u64>>,
    ) -> Result<ByteStream, BlobError> {
        let path = path_of(key)?;
        if range.as_ref().is_some_and(Range::is_empty) {
            // Stores call an empty range malformed.
            self.store.head(&path).await.map_err(refused)?;
            return Ok(stream::empty().boxed());
        }
        let options = GetOptions {
            range: range.map(GetRange::Bounded),
            ..GetOptions::default()
        };
        let found = self.store.get_opts(&path, options).await.map_err(refused)?;
        Ok(found
            .into_stream()
            .map(|bytes| bytes.map_err(refused))
            .boxed())
    }

    async fn version(&self, key: &BlobKey) -> Result<Option<String>, BlobError> {
        let found = self.store.head(&path_of(key)?).await.map_err(refused)?;
        let changed = found.last_modified.timestamp_micros();
        // In a folder the tag is made of inode, time and size; a bucket makes its own.
        let tag = found.e_tag.unwrap_or_default();
        Ok(Some(format!("{tag} {changed} {}", found.size)))
    }

    async fn presign(
        &self,
        key: &BlobKey,
        read: &PresignedRead,
    ) -> Result<Option<PresignedUrl>, BlobError> {
        let Some(presigner) = &self.presigner else {
            return Ok(None);
        };
        let signed = presigner.presign(&path_of(key)?, read).await;
        signed.map(Some).map_err(refused)
    }

    async fn presign_write(
        &self,
        key: &BlobKey,
        write: &PresignedWrite,
    ) -> Result<Option<PresignedUrl>, BlobError> {
        let Some(presigner) = &self.presigner else {
            return Ok(None);
        };
        let signed = presigner.presign_write(&path_of(key)?, write).await;
        signed.map(Some).map_err(refused)
    }

    async fn size(&self, key: &BlobKey) -> Result<u64, BlobError> {
        let found = self.store.head(&path_of(key)?).await.map_err(refused)?;
        Ok(found.size)
    }

    async fn copy(&self, from: &BlobKey, to: &BlobKey) -> Result<(), BlobError> {
        let (from, to) = (path_of(from)?, path_of(to)?);
        self.store.copy(&from, &to).await.map_err(refused)
    }

    fn presigned_origin(&self) -> Option<String> {
        let presigner = self.presigner.as_ref()?;
        Some(presigner.origin().to_owned())
    }

    async fn delete(&self, key: &BlobKey) -> Result<(), BlobError> {
        match self.store.delete(&path_of(key)?).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(refused(error)),
        }
    }
}

/// Hands the file over part by part, waiting while too many are under way.
async fn feed(parts: &mut WriteMultipart, first: Bytes, file: &mut File) -> Result<(), BlobError> {
    let mut part = first;
    while !part.is_empty() {
        parts.put(part);
        parts
            .wait_for_capacity(PARTS_UNDER_WAY)
            .await
            .map_err(refused)?;
        part = read_part(file).await?;
    }
    Ok(())
}

/// The next [`PART_BYTES`] of the file; fewer only at its end.
async fn read_part(file: &mut File) -> Result<Bytes, BlobError> {
    let mut part = BytesMut::with_capacity(PART_BYTES);
    let limit = u64::try_from(PART_BYTES).unwrap_or(u64::MAX);
    let mut rest = file.take(limit);
    // A full buffer would grow before it finds nothing more to read.
    while part.len() < PART_BYTES && rest.read_buf(&mut part).await.map_err(unreadable)? > 0 {}
    Ok(part.freeze())
}

fn path_of(key: &BlobKey) -> Result<Path, BlobError> {
    Path::parse(key.as_str()).map_err(|_| BlobError::InvalidKey)
}

fn refused(error: Error) -> BlobError {
    if matches!(error, Error::NotFound { .. }) {
        BlobError::NotFound
    } else {
        BlobError::Storage(Box::new(error))
    }
}

/// A local file that cannot be read is our failure, not a missing blob.
fn unreadable(error: io::Error) -> BlobError {
    BlobError::Storage(Box::new(error))
}
