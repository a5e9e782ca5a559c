//! Rows and files: what a row says is stored must be, and what is stored should be somebody's.

use std::collections::HashMap;

use anyhow::Context;
use futures_util::StreamExt;
use lyceum_blobs::{Blobs, Stored};
use lyceum_domain::Timestamp;
use lyceum_ports::blobs::{BlobError, BlobKey, BlobStore};
use lyceum_store::{Check, DatabaseUrl, WantedFiles};
use sha2::{Digest, Sha256};

use super::check;
use lyceum_service::Storage;
use lyceum_terminal::progress::Progress;

/// A file may be there this long before a row says so, in seconds: a package is stored before it is ready.
const STORED_AHEAD: i64 = 3_600;

/// Files by key, with the hash that their row has.
pub type HashesByKey = HashMap<String, String>;

/// What was found.
pub struct Found {
    /// What breaks a promise: files that are missing, and files that are not what was stored.
    pub checks: Vec<Check>,
    /// What only takes room.
    pub left_over: Check,
}

/// Holds rows against files, each read to its end.
pub async fn checks(
    storage: &Storage,
    url: &DatabaseUrl,
    wanted: WantedFiles,
    now: Timestamp,
) -> anyhow::Result<Found> {
    let stored = stored(storage).await?;
    let names: HashMap<&str, &Stored> = stored.iter().map(|it| (it.key.as_str(), it)).collect();
    let mut wanted = keys(&wanted)?;
    if wanted.keys().any(|key| !names.contains_key(key.as_str())) {
        // Deleted between the two looks, rows first: what is still wanted is missing.
        let again = wanted_now(url).await?;
        wanted.retain(|key, _| again.contains_key(key));
    }
    let missing = wanted
        .keys()
        .filter(|key| !names.contains_key(key.as_str()));
    let missing = check(
        "I1.file_missing",
        "The file of every package that can be downloaded, of every recording and of the media library is there.",
        sorted(missing.cloned()),
    );
    let there = wanted
        .iter()
        .filter_map(|(key, sha256)| Some((*names.get(key.as_str())?, sha256)));
    let damaged = damaged(storage, url, there.collect()).await?;
    let damaged = check(
        "I1.file_damaged",
        "Every package, every recording and every file of the media library has the bytes that were stored.",
        damaged,
    );
    let left_over = stored
        .iter()
        .filter(|file| !wanted.contains_key(&file.key) && is_old(file, now) && is_ours(file));
    let left_over = check(
        "file_left_over",
        "A file that nothing refers to takes room.",
        left_over.map(|file| file.key.clone()).collect(),
    );
    Ok(Found {
        checks: vec![missing, damaged],
        left_over,
    })
}

async fn wanted_now(url: &DatabaseUrl) -> anyhow::Result<HashesByKey> {
    let url = url.clone();
    let wanted = tokio::task::spawn_blocking(move || lyceum_store::files_wanted(&url));
    keys(&wanted.await??)
}

/// Those whose bytes have another hash than their row says.
async fn damaged(
    storage: &Storage,
    url: &DatabaseUrl,
    files: Vec<(&Stored, &String)>,
) -> anyhow::Result<Vec<String>> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let blobs = Blobs::open(&storage.blobs_url()?).context("LYCEUM_BLOBS_URL")?;
    let bytes = files.iter().map(|(file, _)| file.size_bytes).sum();
    let bar = Progress::of_bytes(bytes, "reading the files");
    let mut suspects = Vec::new();
    for (file, sha256) in files {
        // A row that was written before hashes were kept says nothing to hold the file against.
        let differs = hash_of(&blobs, &file.key).await?.as_ref() != Some(sha256);
        if differs && !sha256.is_empty() {
            suspects.push(file.key.clone());
        }
        bar.add(file.size_bytes);
    }
    if !suspects.is_empty() {
        // Deleted while it was read, or made anew: what is still wanted, and still differs, is damaged.
        let wanted = wanted_now(url).await?;
        let mut still = Vec::new();
        for key in suspects {
            let Some(sha256) = wanted.get(&key) else {
                continue;
            };
            if hash_of(&blobs, &key).await?.as_ref() != Some(sha256) {
                still.push(key);
            }
        }
        suspects = still;
    }
    Ok(sorted(suspects.into_iter()))
}

/// The hash of a file; none where it is gone.
async fn hash_of(blobs: &Blobs, key: &str) -> anyhow::Result<Option<String>> {
    let mut bytes = match blobs.read(&BlobKey::parse(key)?, None).await {
        Ok(bytes) => bytes,
        Err(BlobError::NotFound) => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("could not read {key}")),
    };
    let mut hash = Sha256::new();
    while let Some(piece) = bytes.next().await {
        match piece {
            Ok(piece) => hash.update(&piece),
            // A disk that does not give a file back has damaged it.
            Err(error) => {
                tracing::warn!(key, %error, "a file could not be read to its end");
                return Ok(Some(String::new()));
            }
        }
    }
    Ok(Some(lyceum_domain::hex::lower(&hash.finalize())))
}

fn sorted(keys: impl Iterator<Item = String>) -> Vec<String> {
    let mut keys: Vec<String> = keys.collect();
    keys.sort_unstable();
    keys
}

fn is_old(file: &Stored, now: Timestamp) -> bool {
    file.stored_at < now.unix_seconds() - STORED_AHEAD
}

/// Pieces of recordings that are being made, and of uploads, are not looked for here: whoever makes them may go on for long.
fn is_ours(file: &Stored) -> bool {
    ["scorm/", "audio/", "media/"]
        .iter()
        .any(|folder| file.key.starts_with(folder))
}

/// Under which names they are stored, with their hashes.
///
/// # Errors
/// If a row names none.
pub fn keys(wanted: &WantedFiles) -> anyhow::Result<HashesByKey> {
    let mut keys = HashMap::new();
    for file in &wanted.archives {
        let origin = file.id.parse().context("the origin of a package")?;
        let key = BlobKey::of_archive(origin);
        keys.insert(key.as_str().to_owned(), file.sha256.clone());
    }
    for file in &wanted.recordings {
        let key = BlobKey::of_recording(&file.id)?;
        keys.insert(key.as_str().to_owned(), file.sha256.clone());
    }
    for file in &wanted.media {
        keys.insert(file.id.clone(), file.sha256.clone());
    }
    Ok(keys)
}

/// Everything in the file storage; a folder that is not there has nothing in it, and none is made.
async fn stored(storage: &Storage) -> anyhow::Result<Vec<Stored>> {
    if storage
        .blobs_folder()?
        .is_some_and(|folder| !folder.is_dir())
    {
        return Ok(Vec::new());
    }
    let url = storage.blobs_url()?;
    let blobs = Blobs::open(&url).context("LYCEUM_BLOBS_URL")?;
    blobs.list().await.context("the file storage")
}
