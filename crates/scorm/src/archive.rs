//! The zip file: every byte decided here, so that the same course gives the same archive.
//!
//! Fixed times, fixed order (the caller's), no directory entries, no data descriptors, no zip64. Texts are deflated;
//! media that compress by themselves are stored. The file is streamed; nothing but the entry at hand is in memory,
//! and of media only a piece.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use lyceum_ports::exporting::scorm::{PackageError, WrittenPackage};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter, result::ZipError};

use crate::hex;
use crate::media::Item;

/// How much of a file is in memory at a time.
const CHUNK_BYTES: usize = 64 * 1024;

/// An archive being written.
pub struct ArchiveWriter {
    zip: ZipWriter<File>,
    path: PathBuf,
    content: Sha256,
    written: u64,
    files: u64,
    limit: u64,
}

impl ArchiveWriter {
    /// Starts a new file at `target`, which must not exist yet.
    pub fn create(target: &Path, limit: u64) -> Result<Self, PackageError> {
        let file = File::options().write(true).create_new(true).open(target)?;
        Ok(Self {
            zip: ZipWriter::new(file),
            path: target.to_owned(),
            content: Sha256::new(),
            written: 0,
            files: 0,
            limit,
        })
    }

    /// Adds a text. What the learner sees of it counts towards the content hash: nothing at all, or the text without
    /// what depends on where it was exported.
    pub fn add_text(
        &mut self,
        name: &str,
        text: &[u8],
        seen: Option<&[u8]>,
    ) -> Result<(), PackageError> {
        if let Some(seen) = seen {
            self.count(name, seen);
        }
        self.start(name, CompressionMethod::Deflated, length(text.len()))?;
        self.zip.write_all(text)?;
        Ok(())
    }

    /// Adds a picture or recording; the learner sees it whole.
    pub fn add_media(&mut self, item: &Item) -> Result<(), PackageError> {
        self.count(&item.name, &item.digest);
        let method = if item.kind.is_compressed() {
            CompressionMethod::Stored
        } else {
            CompressionMethod::Deflated
        };
        self.start(&item.name, method, item.size)?;
        let mut reader = item.source.open()?;
        let mut copied = 0_u64;
        let mut chunk = vec![0_u8; CHUNK_BYTES];
        while let Some(piece) = read_piece(&mut reader, &mut chunk)? {
            self.zip.write_all(piece)?;
            copied = copied.saturating_add(length(piece.len()));
        }
        if copied == item.size {
            return Ok(());
        }
        // Its name is its fingerprint: half of another file must not travel under it.
        Err(PackageError::Io(io::Error::other(format!(
            "{} changed while it was packed",
            item.name
        ))))
    }

    /// Closes the file and says what it has become.
    pub fn finish(self, warnings: Vec<String>) -> Result<WrittenPackage, PackageError> {
        // Not synced to disk: whoever stores the archive copies it, and a crash before that starts over.
        drop(self.zip.finish().map_err(refused)?);
        let (size_bytes, sha256) = fingerprint(&self.path)?;
        Ok(WrittenPackage {
            size_bytes,
            files: self.files,
            sha256,
            content_hash: hex::lower(&self.content.finalize()),
            warnings,
        })
    }

    /// Lengths first, so that no two different sets of files can hash alike.
    fn count(&mut self, name: &str, seen: &[u8]) {
        for part in [name.as_bytes(), seen] {
            self.content.update(length(part.len()).to_be_bytes());
            self.content.update(part);
        }
    }

    fn start(
        &mut self,
        name: &str,
        method: CompressionMethod,
        size: u64,
    ) -> Result<(), PackageError> {
        self.written = self.written.saturating_add(size);
        self.files = self.files.saturating_add(1);
        if self.written > self.limit {
            return Err(PackageError::TooLarge {
                size_bytes: self.written,
                limit_bytes: self.limit,
            });
        }
        let level = (method == CompressionMethod::Deflated).then_some(9);
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .compression_level(level)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644)
            .large_file(false);
        self.zip.start_file(name, options).map_err(refused)
    }
}

/// The archive's headers are patched while it is written, so its hash is taken from the finished file.
fn fingerprint(path: &Path) -> Result<(u64, String), PackageError> {
    let mut reader = BufReader::with_capacity(CHUNK_BYTES, File::open(path)?);
    let mut hash = Sha256::new();
    let mut size = 0_u64;
    let mut chunk = vec![0_u8; CHUNK_BYTES];
    while let Some(piece) = read_piece(&mut reader, &mut chunk)? {
        hash.update(piece);
        size = size.saturating_add(length(piece.len()));
    }
    Ok((size, hex::lower(&hash.finalize())))
}

/// The next bytes; none at the end.
fn read_piece<'a>(
    reader: &mut impl Read,
    chunk: &'a mut [u8],
) -> Result<Option<&'a [u8]>, PackageError> {
    let read = reader.read(chunk)?;
    Ok(chunk.get(..read).filter(|piece| !piece.is_empty()))
}

fn length(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

fn refused(error: ZipError) -> PackageError {
    PackageError::Io(std::io::Error::from(error))
}
