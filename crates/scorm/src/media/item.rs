//! A file on its way into a package: what it is, told by its bytes, and the name that it gets.
//!
//! Files are read in pieces, once for their fingerprint and once into the archive, so that an hour of video costs no
//! memory.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::PathBuf;

use lyceum_ports::exporting::scorm::PieceFacts;
use sha2::{Digest, Sha256};

use super::kind::{HEAD_BYTES, Kind, Role};
use crate::hex;

/// How much of a file is in memory at a time.
const CHUNK_BYTES: usize = 64 * 1024;
/// How much of the fingerprint is in a name: enough that no two files of a course share it.
const NAME_DIGITS: usize = 16;

/// A file of the package.
#[derive(Debug)]
pub struct Item {
    /// `media/<16 hex>.<ext>`
    pub name: String,
    /// What its bytes say it is.
    pub kind: Kind,
    /// Bytes.
    pub size: u64,
    /// SHA-256; zeros of a file that is kept, which is written nowhere.
    pub digest: [u8; 32],
    /// Width and height of a picture, as far as they could be read.
    pub dimensions: Option<(usize, usize)>,
    /// Where the bytes are.
    pub source: Source,
}

/// Where a file's bytes are.
#[derive(Debug)]
pub enum Source {
    File(PathBuf),
    Bytes(Vec<u8>),
    /// Where they are kept: a file of a medium of a piece, which nobody reads here.
    Kept {
        medium: usize,
        number: usize,
    },
}

impl Source {
    /// The bytes, from the start.
    pub fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        Ok(match self {
            Self::File(path) => Box::new(File::open(path)?),
            Self::Bytes(bytes) => Box::new(Cursor::new(bytes)),
            Self::Kept { .. } => return Err(io::ErrorKind::Unsupported.into()),
        })
    }
}

/// What a file is, of which this is said; none if it is of no known kind.
pub fn examine(source: Source, said: &str) -> io::Result<Option<Item>> {
    let mut reader = source.open()?;
    let mut head = vec![0; CHUNK_BYTES];
    let read = fill(&mut reader, &mut head)?;
    head.truncate(read);
    let first = head.get(..HEAD_BYTES).unwrap_or(&head);
    let Some(kind) = Kind::of_library(first, said) else {
        return Ok(None);
    };
    let mut hash = Sha256::new();
    let mut size = 0_u64;
    let mut chunk = head;
    while !chunk.is_empty() {
        hash.update(&chunk);
        size = size.saturating_add(u64::try_from(chunk.len()).unwrap_or(u64::MAX));
        chunk.resize(CHUNK_BYTES, 0);
        let read = fill(&mut reader, &mut chunk)?;
        chunk.truncate(read);
    }
    drop(reader);
    let digest: [u8; 32] = hash.finalize().into();
    Ok(Some(Item {
        name: name(&hex::lower(&digest), kind),
        dimensions: dimensions(kind, &source),
        kind,
        size,
        digest,
        source,
    }))
}

/// A file that is kept, of which this is known; none if it is of no known kind.
pub fn kept(facts: &PieceFacts, media_type: &str, source: Source) -> Option<Item> {
    let kind = Kind::of_type(media_type)?;
    let pixels = |side: u32| usize::try_from(side).ok().filter(|side| *side > 0);
    Some(Item {
        name: name(&facts.sha256, kind),
        kind,
        size: facts.size_bytes,
        digest: [0; 32],
        dimensions: facts
            .dimensions
            .and_then(|(width, height)| pixels(width).zip(pixels(height)))
            .filter(|_| kind.serves(Role::Picture)),
        source,
    })
}

fn name(sha256: &str, kind: Kind) -> String {
    let digits = sha256.get(..NAME_DIGITS).unwrap_or(sha256);
    format!("media/{digits}.{}", kind.extension())
}

/// Reads until `chunk` is full or the end is there.
fn fill(reader: &mut impl Read, chunk: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0_usize;
    while let Some(space) = chunk.get_mut(filled..).filter(|space| !space.is_empty()) {
        match reader.read(space)? {
            0 => break,
            read => filled = filled.saturating_add(read),
        }
    }
    Ok(filled)
}

fn dimensions(kind: Kind, source: &Source) -> Option<(usize, usize)> {
    if !kind.serves(Role::Picture) {
        return None;
    }
    let size = match source {
        Source::File(path) => imagesize::reader_size(BufReader::new(File::open(path).ok()?)),
        Source::Bytes(bytes) => imagesize::blob_size(bytes),
        Source::Kept { .. } => return None,
    };
    size.ok()
        .map(|size| (size.width, size.height))
        .filter(|(width, height)| *width > 0 && *height > 0)
}
