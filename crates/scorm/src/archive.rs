//! The zip file: every byte decided here, so that the same course gives the same archive.
//!
//! Fixed times, fixed order (the caller's), deflate, no directory entries, no data descriptors, no zip64. The file
//! is streamed; nothing but the entry at hand is in memory.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

use lyceum_ports::scorm::{PackageError, WrittenPackage};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter, result::ZipError};

/// An archive being written.
pub struct Archive {
    zip: ZipWriter<File>,
    path: PathBuf,
    content: Sha256,
    files: u64,
    written: u64,
    limit: u64,
}

impl Archive {
    /// Starts a new file at `target`, which must not exist yet.
    pub fn create(target: &Path, limit: u64) -> Result<Self, PackageError> {
        let file = File::options().write(true).create_new(true).open(target)?;
        Ok(Self {
            zip: ZipWriter::new(file),
            path: target.to_owned(),
            content: Sha256::new(),
            files: 0,
            written: 0,
            limit,
        })
    }

    /// Adds something the learner sees; it counts towards the content hash.
    pub fn add_content(&mut self, name: &str, bytes: &[u8]) -> Result<(), PackageError> {
        // Lengths first, so that no two different sets of files can hash alike.
        for part in [name.as_bytes(), bytes] {
            let length = u64::try_from(part.len()).unwrap_or(u64::MAX);
            self.content.update(length.to_be_bytes());
            self.content.update(part);
        }
        self.add_control(name, bytes)
    }

    /// Adds something only the LMS or the service reads.
    pub fn add_control(&mut self, name: &str, bytes: &[u8]) -> Result<(), PackageError> {
        self.written = self
            .written
            .saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        if self.written > self.limit {
            return Err(PackageError::TooLarge {
                size_bytes: self.written,
                limit_bytes: self.limit,
            });
        }
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644)
            .large_file(false);
        self.zip.start_file(name, options).map_err(refused)?;
        self.zip.write_all(bytes)?;
        self.files = self.files.saturating_add(1);
        Ok(())
    }

    /// Closes the file and says what it has become.
    pub fn finish(self, warnings: Vec<String>) -> Result<WrittenPackage, PackageError> {
        let file = self.zip.finish().map_err(refused)?;
        file.sync_all()?;
        drop(file);
        let (size_bytes, sha256) = fingerprint(&self.path)?;
        Ok(WrittenPackage {
            size_bytes,
            files: self.files,
            sha256,
            content_hash: hex(&self.content.finalize()),
            warnings,
        })
    }
}

/// The archive's headers are patched while it is written, so its hash is taken from the finished file.
fn fingerprint(path: &Path) -> Result<(u64, String), PackageError> {
    let mut reader = BufReader::new(File::open(path)?);
    let mut hash = Sha256::new();
    let mut size = 0_u64;
    let mut chunk = vec![0_u8; 64 * 1024];
    loop {
        let read = reader.read(&mut chunk)?;
        let Some(bytes) = chunk.get(..read).filter(|bytes| !bytes.is_empty()) else {
            return Ok((size, hex(&hash.finalize())));
        };
        hash.update(bytes);
        size = size.saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
    }
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(bytes.len().saturating_mul(2));
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}

fn refused(error: ZipError) -> PackageError {
    PackageError::Io(std::io::Error::from(error))
}
