//! Rows and files: what a row says is stored must be, and what is stored should be somebody's.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::Context;
use lyceum_application::{recordings, scorm};
use lyceum_blobs::{Blobs, Stored};
use lyceum_domain::Timestamp;
use lyceum_store::{Check, DatabaseUrl, WantedFiles};
use url::Url;

use super::check;
use crate::settings::Settings;

/// A file may be there this long before a row says so, in seconds: a package is stored before it is ready.
const STORED_AHEAD: i64 = 3_600;

/// What is missing, which breaks a promise, and what is left over, which only takes room.
pub async fn checks(
    settings: &Settings,
    url: &DatabaseUrl,
    wanted: WantedFiles,
    now: Timestamp,
) -> anyhow::Result<(Check, Check)> {
    let stored = stored(settings).await?;
    let names: HashSet<&str> = stored.iter().map(|file| file.key.as_str()).collect();
    let mut wanted = keys(&wanted)?;
    if wanted.iter().any(|key| !names.contains(key.as_str())) {
        // Deleted between the two looks, rows first: what is still wanted is missing.
        let wanted_now = url.clone();
        let again = tokio::task::spawn_blocking(move || lyceum_store::files_wanted(&wanted_now));
        let again = keys(&again.await??)?;
        wanted.retain(|key| again.contains(key));
    }
    let missing = wanted.iter().filter(|key| !names.contains(key.as_str()));
    let missing = check(
        "I1.file_missing",
        "The file of every package that can be downloaded and of every recording is there.",
        missing.cloned().collect(),
    );
    let left_over = stored
        .iter()
        .filter(|file| !wanted.contains(&file.key) && is_old(file, now) && is_ours(file));
    let left_over = check(
        "file_left_over",
        "A file that nothing refers to takes room.",
        left_over.map(|file| file.key.clone()).collect(),
    );
    Ok((missing, left_over))
}

fn is_old(file: &Stored, now: Timestamp) -> bool {
    file.stored_at < now.unix_seconds() - STORED_AHEAD
}

/// Pieces of recordings that are being made are not looked for here: their generation may go on with them for long.
fn is_ours(file: &Stored) -> bool {
    file.key.starts_with("scorm/") || file.key.starts_with("audio/")
}

/// Under which names they are stored.
///
/// # Errors
/// If a row names none.
pub fn keys(wanted: &WantedFiles) -> anyhow::Result<HashSet<String>> {
    let mut keys = HashSet::new();
    for origin in &wanted.archives {
        let origin = origin.parse().context("the origin of a package")?;
        keys.insert(scorm::blob_key(origin)?.as_str().to_owned());
    }
    for name in &wanted.recordings {
        keys.insert(recordings::blob_key(name)?.as_str().to_owned());
    }
    Ok(keys)
}

/// The folder that files are stored in, unless they are in a bucket.
///
/// # Errors
/// If the setting names no place.
pub fn folder(settings: &Settings) -> anyhow::Result<Option<PathBuf>> {
    let url = Url::parse(&settings.blobs_url()?).context("LYCEUM_BLOBS_URL")?;
    let folder = Some(url).filter(|url| url.scheme() == "file");
    Ok(folder.and_then(|url| url.to_file_path().ok()))
}

/// Everything in the file storage; a folder that is not there has nothing in it, and none is made.
async fn stored(settings: &Settings) -> anyhow::Result<Vec<Stored>> {
    if folder(settings)?.is_some_and(|folder| !folder.is_dir()) {
        return Ok(Vec::new());
    }
    let url = settings.blobs_url()?;
    let blobs = Blobs::open(&url).context("LYCEUM_BLOBS_URL")?;
    blobs.list().await.context("the file storage")
}
