//! Copying files so that they are on disk, and saying what was copied.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use sha2::{Digest, Sha256};

use super::{Item, Manifest};
use lyceum_terminal::progress::LongWork;

/// How much is held at once, in bytes.
const CHUNK: usize = 1 << 20;

/// Copies every file below `from` that is not below `to` yet. Files are never changed once they are there, and those
/// that are only being written have a `#` in their names.
///
/// # Errors
/// Those of the file system, and an interruption.
pub fn copy_new(from: &Path, to: &Path, work: &LongWork) -> anyhow::Result<()> {
    for file in below(from)? {
        let place = to.join(&file);
        if place.exists() || file.to_string_lossy().contains('#') {
            continue;
        }
        copy_file(&from.join(&file), &place, work)
            .or_else(unless_gone)
            .with_context(|| format!("could not copy {}", file.display()))?;
    }
    Ok(())
}

/// A file may have been deleted since its folder was read.
fn unless_gone(error: anyhow::Error) -> anyhow::Result<()> {
    match error.downcast_ref::<io::Error>().map(io::Error::kind) {
        Some(io::ErrorKind::NotFound) => Ok(()),
        _ => Err(error),
    }
}

/// Copies a file, making its folder, and puts it on disk.
///
/// # Errors
/// Those of the file system, and an interruption; then there is no copy.
pub fn copy_file(from: &Path, to: &Path, work: &LongWork) -> anyhow::Result<()> {
    work.advance(0)?;
    let mut source = File::open(from)?;
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut copy = File::create_new(to)?;
    let copied = in_chunks(&mut source, work, |chunk| copy.write_all(chunk));
    let copied = copied.and_then(|()| Ok(copy.sync_all()?));
    if copied.is_err() {
        fs::remove_file(to).ok();
    }
    copied
}

/// Reads to the end, piece by piece.
fn in_chunks(
    source: &mut File,
    work: &LongWork,
    mut take: impl FnMut(&[u8]) -> io::Result<()>,
) -> anyhow::Result<()> {
    let mut chunk = vec![0_u8; CHUNK];
    loop {
        let read = source.read(&mut chunk)?;
        let Some(bytes) = chunk.get(..read).filter(|bytes| !bytes.is_empty()) else {
            return Ok(());
        };
        take(bytes)?;
        work.advance(u64::try_from(read)?)?;
    }
}

/// Puts names in a folder on disk.
///
/// # Errors
/// Those of the file system.
pub fn sync_folder(folder: &Path) -> anyhow::Result<()> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.with_context(|| format!("could not put {} on disk", folder.display()))
}

/// Every file in a backup but its manifest, by name.
///
/// # Errors
/// Those of the file system, and an interruption.
pub fn items(folder: &Path, work: &LongWork) -> anyhow::Result<Vec<Item>> {
    let mut items = Vec::new();
    for file in below(folder)? {
        if file == Path::new(Manifest::FILE) {
            continue;
        }
        let path = folder.join(&file);
        items.push(Item {
            name: file.to_string_lossy().into_owned(),
            size_bytes: fs::metadata(&path)?.len(),
            sha256: hash_of(&path, work)?,
        });
    }
    items.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(items)
}

/// SHA-256 of a file, lower-case hex.
///
/// # Errors
/// If it cannot be read, or an interruption came.
pub fn hash_of(path: &Path, work: &LongWork) -> anyhow::Result<String> {
    work.advance(0)?;
    let mut file =
        File::open(path).with_context(|| format!("could not read {}", path.display()))?;
    let mut digest = Sha256::new();
    in_chunks(&mut file, work, |bytes| {
        digest.update(bytes);
        Ok(())
    })?;
    Ok(lyceum_domain::hex::lower(&digest.finalize()))
}

/// How many bytes the files below a folder have; those that are gone meanwhile have none.
pub fn size_of(folder: &Path) -> u64 {
    let files = below(folder).unwrap_or_default();
    let sizes = files
        .iter()
        .filter_map(|file| Some(fs::metadata(folder.join(file)).ok()?.len()));
    sizes.sum()
}

/// Every file below a folder, by its path from there; none where there is no folder.
fn below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(inner) = folders.pop() {
        let entries = match fs::read_dir(folder.join(&inner)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => {
                return Err(error).with_context(|| format!("could not read {}", folder.display()));
            }
        };
        for entry in entries {
            let entry = entry?;
            let path = inner.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    Ok(found)
}
