//! An adapter of one's own: a [`BlobStore`] that keeps every file in one JSON document, in base64.
//!
//! It is as small as an adapter can be that keeps to the whole contract; `tests/contract.rs` says that it does. It
//! reads and writes the whole document each time, so it is for a handful of small files.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::{StreamExt, stream};
use lyceum_ports::blobs::{BlobError, BlobKey, BlobStore, ByteStream};
use tempfile::NamedTempFile;
use tokio::task::spawn_blocking;

/// Names, and what stands under them in base64.
type Document = BTreeMap<String, String>;

/// Files in `blobs.json` of a folder.
#[derive(Debug, Clone)]
pub struct JsonBlobs {
    folder: PathBuf,
}

impl JsonBlobs {
    /// Keeps its document in this folder, which it makes if it is not there.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn open(folder: impl Into<PathBuf>) -> io::Result<Self> {
        let folder = folder.into();
        fs::create_dir_all(&folder)?;
        Ok(Self { folder })
    }

    fn document(&self) -> io::Result<Document> {
        match fs::read(self.folder.join("blobs.json")) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Document::new()),
            Err(error) => Err(error),
        }
    }

    /// Changes the document. Whoever else does waits, also in other processes, and whoever reads sees the old one or
    /// the new one.
    fn change(&self, change: impl FnOnce(&mut Document)) -> io::Result<()> {
        let turn = File::create(self.folder.join("blobs.lock"))?;
        turn.lock()?;
        let mut document = self.document()?;
        change(&mut document);
        let mut next = NamedTempFile::new_in(&self.folder)?;
        next.write_all(&serde_json::to_vec(&document)?)?;
        // What was acknowledged is on the disk, and so is the name under which it is found.
        next.as_file().sync_all()?;
        next.persist(self.folder.join("blobs.json"))?;
        File::open(&self.folder)?.sync_all()
    }

    fn put(&self, key: &BlobKey, file: &Path) -> io::Result<()> {
        let content = STANDARD.encode(fs::read(file)?);
        self.change(|document| {
            document.insert(key.to_string(), content);
        })
    }

    fn get(&self, key: &BlobKey, range: Option<Range<u64>>) -> Result<Vec<u8>, BlobError> {
        let document = self.document().map_err(failed)?;
        let content = document.get(key.as_str()).ok_or(BlobError::NotFound)?;
        let bytes = STANDARD.decode(content).map_err(failed)?;
        match range {
            None => Ok(bytes),
            Some(range) => {
                part(&bytes, &range).ok_or_else(|| failed("the range begins behind the file"))
            }
        }
    }
}

/// The part of a file in a range; none if it begins behind the file.
fn part(bytes: &[u8], range: &Range<u64>) -> Option<Vec<u8>> {
    if range.is_empty() {
        return Some(Vec::new());
    }
    let start = usize::try_from(range.start).ok()?;
    let end = usize::try_from(range.end)
        .unwrap_or(usize::MAX)
        .min(bytes.len());
    let part = bytes.get(start..end)?;
    (!part.is_empty()).then(|| part.to_vec())
}

fn failed(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> BlobError {
    BlobError::Storage(cause.into())
}

#[async_trait]
impl BlobStore for JsonBlobs {
    async fn put_file(&self, key: &BlobKey, file: &Path) -> Result<(), BlobError> {
        let (blobs, key, file) = (self.clone(), key.clone(), file.to_owned());
        // On a thread of its own, so that nobody waits for this disk, and a put whose caller goes away ends whole.
        let put = spawn_blocking(move || blobs.put(&key, &file));
        put.await.map_err(failed)?.map_err(failed)
    }

    async fn read(
        &self,
        key: &BlobKey,
        range: Option<Range<u64>>,
    ) -> Result<ByteStream, BlobError> {
        let (blobs, key) = (self.clone(), key.clone());
        let bytes = spawn_blocking(move || blobs.get(&key, range))
            .await
            .map_err(failed)??;
        Ok(stream::iter([Ok(bytes.into())]).boxed())
    }

    async fn delete(&self, key: &BlobKey) -> Result<(), BlobError> {
        let (blobs, key) = (self.clone(), key.clone());
        let delete = spawn_blocking(move || {
            blobs.change(|document| {
                document.remove(key.as_str());
            })
        });
        delete.await.map_err(failed)?.map_err(failed)
    }
}
