//! Reading single files out of stored archives.
//!
//! An archive is copied once into an unnamed file of the scratch folder, which the system removes when it is no longer
//! held, however the process ends. A few copies are kept, by the hash of the archive. Only names that are entries of
//! the archive are ever answered, and no name becomes a path.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use lyceum_ports::blobs::{BlobError, BlobStore, ByteStream};
use lyceum_ports::exporting::scorm_preview::{PackageReader, StoredPackage};
use sha2::{Digest, Sha256};
use tokio::sync::{OnceCell, mpsc};
use tokio::task::spawn_blocking;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::hex;

/// How many archives are kept open.
const KEPT: usize = 4;
/// How much of a file is unpacked at a time.
const PIECE: usize = 64 * 1024;
/// How many pieces may wait for a slow reader.
const AHEAD: usize = 2;

type OpenArchive = ZipArchive<Positioned>;

/// Looks into archives of a blob store.
pub struct PackageFiles {
    blobs: Arc<dyn BlobStore>,
    scratch: PathBuf,
    /// The newest last.
    kept: Mutex<VecDeque<(String, Arc<OnceCell<OpenArchive>>)>>,
}

impl PackageFiles {
    /// Over this store, with copies in this folder.
    pub fn new(blobs: Arc<dyn BlobStore>, scratch: PathBuf) -> Self {
        Self {
            blobs,
            scratch,
            kept: Mutex::default(),
        }
    }

    async fn open(&self, package: &StoredPackage) -> Result<OpenArchive, BlobError> {
        let place = self.place(&package.sha256);
        let archive = place.get_or_try_init(|| self.copy(package)).await?;
        Ok(archive.clone())
    }

    /// Where the archive of this hash is or will be; whoever was not asked for longest makes room.
    fn place(&self, sha256: &str) -> Arc<OnceCell<OpenArchive>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(name, _)| name == sha256);
        let entry = at.and_then(|at| kept.remove(at));
        let (name, place) = entry.unwrap_or_else(|| (sha256.to_owned(), Arc::default()));
        kept.push_back((name, Arc::clone(&place)));
        if kept.len() > KEPT {
            kept.pop_front();
        }
        place
    }

    async fn copy(&self, package: &StoredPackage) -> Result<OpenArchive, BlobError> {
        let mut bytes = self.blobs.read(&package.key, None).await?;
        let scratch = self.scratch.clone();
        let mut file = off_the_reactor(move || Ok(tempfile::tempfile_in(scratch)?)).await?;
        let mut hash = Sha256::new();
        while let Some(chunk) = bytes.next().await {
            let chunk = chunk?;
            (file, hash) = off_the_reactor(move || {
                file.write_all(&chunk)?;
                hash.update(&chunk);
                Ok((file, hash))
            })
            .await?;
        }
        if hex::lower(&hash.finalize()) != package.sha256 {
            return Err(BlobError::Damaged);
        }
        off_the_reactor(move || Ok(ZipArchive::new(Positioned::start(file)?)?)).await
    }
}

#[async_trait]
impl PackageReader for PackageFiles {
    async fn size(&self, package: &StoredPackage, name: &str) -> Result<Option<u64>, BlobError> {
        let (mut archive, name) = (self.open(package).await?, name.to_owned());
        off_the_reactor(move || match archive.by_name(&name) {
            Ok(entry) if entry.is_file() => Ok(Some(entry.size())),
            Ok(_) | Err(ZipError::FileNotFound) => Ok(None),
            Err(error) => Err(error.into()),
        })
        .await
    }

    async fn read(
        &self,
        package: &StoredPackage,
        name: &str,
        range: Range<u64>,
    ) -> Result<ByteStream, BlobError> {
        let (archive, name) = (self.open(package).await?, name.to_owned());
        let (sender, receiver) = mpsc::channel(AHEAD);
        spawn_blocking(move || {
            if let Err(error) = unpack(archive, &name, range, &sender) {
                // Whoever stopped reading does not care.
                drop(sender.blocking_send(Err(error.into())));
            }
        });
        Ok(Box::pin(stream::unfold(
            receiver,
            |mut pieces| async move { pieces.recv().await.map(|piece| (piece, pieces)) },
        )))
    }
}

/// Sends a part of an entry piece by piece, until its end or until nobody listens any more.
fn unpack(
    mut archive: OpenArchive,
    name: &str,
    range: Range<u64>,
    pieces: &mpsc::Sender<Result<Bytes, BlobError>>,
) -> Result<(), Fault> {
    let mut entry = archive.by_name(name)?;
    io::copy(&mut entry.by_ref().take(range.start), &mut io::sink())?;
    let mut rest = entry.take(range.end.saturating_sub(range.start));
    loop {
        let mut piece = Vec::with_capacity(PIECE);
        let limit = u64::try_from(PIECE).unwrap_or(u64::MAX);
        rest.by_ref().take(limit).read_to_end(&mut piece)?;
        if piece.is_empty() || pieces.blocking_send(Ok(piece.into())).is_err() {
            return Ok(());
        }
    }
}

/// What can go wrong with a copy of an archive.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Zip(#[from] ZipError),
}

impl From<Fault> for BlobError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Zip(ZipError::FileNotFound) => Self::NotFound,
            Fault::Io(error) => Self::Storage(error.into()),
            Fault::Zip(error) => Self::Storage(error.into()),
        }
    }
}

async fn off_the_reactor<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, BlobError> {
    let done = spawn_blocking(work).await;
    Ok(done.map_err(|error| BlobError::Storage(error.into()))??)
}

/// A place in a file that others read at the same time.
#[derive(Clone)]
struct Positioned {
    file: Arc<File>,
    length: u64,
    at: u64,
}

impl Positioned {
    fn start(file: File) -> io::Result<Self> {
        Ok(Self {
            length: file.metadata()?.len(),
            file: Arc::new(file),
            at: 0,
        })
    }
}

impl Read for Positioned {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(buffer, self.at)?;
        self.at += u64::try_from(count).map_err(io::Error::other)?;
        Ok(count)
    }
}

impl Seek for Positioned {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(offset) => self.length.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.at.checked_add_signed(offset),
        };
        self.at = target.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::io::Cursor;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use lyceum_ports::blobs::BlobKey;
    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;

    /// Archives in memory, and how often they were asked for.
    #[derive(Default)]
    struct Shelf {
        archives: HashMap<String, Vec<u8>>,
        asked: AtomicUsize,
    }

    #[async_trait]
    impl BlobStore for Shelf {
        async fn put_file(&self, _: &BlobKey, _: &Path) -> Result<(), BlobError> {
            Err(BlobError::InvalidKey)
        }

        async fn read(
            &self,
            key: &BlobKey,
            _: Option<Range<u64>>,
        ) -> Result<ByteStream, BlobError> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            let found = self.archives.get(key.as_str());
            let bytes = Bytes::from(found.ok_or(BlobError::NotFound)?.clone());
            Ok(Box::pin(stream::iter([Ok(bytes)])))
        }

        async fn delete(&self, _: &BlobKey) -> Result<(), BlobError> {
            Err(BlobError::InvalidKey)
        }
    }

    /// An archive that says its name, so that no two have the same hash.
    fn archive(name: &str) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        zip.set_comment(name).unwrap();
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        zip.start_file("index.html", SimpleFileOptions::default())
            .unwrap();
        zip.write_all(b"<!DOCTYPE html>").unwrap();
        zip.start_file("media/long.bin", stored).unwrap();
        zip.write_all(&long()).unwrap();
        zip.add_directory("media", stored).unwrap();
        zip.finish().unwrap().into_inner()
    }

    fn long() -> Vec<u8> {
        (0..200_000_u32).flat_map(u32::to_be_bytes).collect()
    }

    fn package(name: &str) -> StoredPackage {
        StoredPackage {
            key: BlobKey::parse(name).unwrap(),
            sha256: hex::lower(&Sha256::digest(archive(name))),
        }
    }

    /// A reader over archives of these names.
    fn reader(names: &[&str]) -> (PackageFiles, Arc<Shelf>) {
        let archives = names.iter().map(|name| ((*name).to_owned(), archive(name)));
        let shelf = Arc::new(Shelf {
            archives: archives.collect(),
            ..Shelf::default()
        });
        let blobs: Arc<dyn BlobStore> = shelf.clone();
        let files = PackageFiles::new(blobs, std::env::temp_dir());
        (files, shelf)
    }

    async fn bytes(files: &PackageFiles, name: &str, range: Range<u64>) -> Vec<u8> {
        let pieces = files.read(&package("a"), name, range).await.unwrap();
        let pieces: Vec<Bytes> = pieces.map(Result::unwrap).collect().await;
        pieces.concat()
    }

    #[tokio::test]
    async fn files_are_read_whole_and_in_part() {
        let (files, shelf) = reader(&["a"]);
        assert_eq!(
            files.size(&package("a"), "index.html").await.unwrap(),
            Some(15)
        );
        assert_eq!(bytes(&files, "index.html", 0..15).await, b"<!DOCTYPE html>");
        assert_eq!(bytes(&files, "index.html", 2..9).await, b"DOCTYPE");
        let long = long();
        assert_eq!(bytes(&files, "media/long.bin", 0..800_000).await, long);
        assert_eq!(
            bytes(&files, "media/long.bin", 399_999..500_000).await,
            long[399_999..500_000]
        );
        assert_eq!(shelf.asked.load(Ordering::Relaxed), 1, "one copy for all");
    }

    #[tokio::test]
    async fn only_entries_of_the_archive_are_files() {
        let (files, _) = reader(&["a"]);
        for name in [
            "media/",
            "media",
            "../a",
            "/etc/passwd",
            "media/../index.html",
            "",
        ] {
            let size = files.size(&package("a"), name).await.unwrap();
            assert_eq!(size, None, "{name}");
            let mut pieces = files.read(&package("a"), name, 0..9).await.unwrap();
            let first = pieces.next().await;
            assert!(!matches!(first, Some(Ok(_))), "{name}");
        }
    }

    #[tokio::test]
    async fn the_archive_not_asked_for_longest_makes_room() {
        let names = ["a", "b", "c", "d", "e"];
        let (files, shelf) = reader(&names);
        for name in ["a", "b", "c", "d", "a", "e", "a"] {
            files.size(&package(name), "index.html").await.unwrap();
        }
        assert_eq!(shelf.asked.load(Ordering::Relaxed), 5);
        files.size(&package("b"), "index.html").await.unwrap();
        assert_eq!(shelf.asked.load(Ordering::Relaxed), 6, "b had made room");
    }

    #[tokio::test]
    async fn an_archive_that_is_gone_or_broken_is_an_error_and_asked_for_again() {
        let (files, shelf) = reader(&["a"]);
        for asked in 1..=2 {
            let missing = files.size(&package("z"), "index.html").await;
            assert!(matches!(missing, Err(BlobError::NotFound)));
            assert_eq!(shelf.asked.load(Ordering::Relaxed), asked);
        }
        let broken = Shelf {
            archives: HashMap::from([("a".to_owned(), b"not a zip".to_vec())]),
            ..Shelf::default()
        };
        let files = PackageFiles::new(Arc::new(broken), std::env::temp_dir());
        let failed = files.size(&package("a"), "index.html").await;
        assert!(matches!(failed, Err(BlobError::Damaged)));
    }

    #[tokio::test]
    async fn an_archive_with_one_bit_flipped_is_never_looked_into() {
        for at in [40, 400_000] {
            let mut bytes = archive("a");
            bytes[at] ^= 1;
            let damaged = Shelf {
                archives: HashMap::from([("a".to_owned(), bytes)]),
                ..Shelf::default()
            };
            let files = PackageFiles::new(Arc::new(damaged), std::env::temp_dir());
            let failed = files.size(&package("a"), "index.html").await;
            assert!(matches!(failed, Err(BlobError::Damaged)), "{at}");
        }
    }
}
