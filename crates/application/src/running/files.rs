//! Stored files as rows know them: nothing that was damaged where it lies is handed out as what was stored.
//!
//! A file is read through once before the first byte of it is sent, and what was found counts for a while, as long as
//! the store says that the same file lies there. Who gets all of it gets the last piece only if the pieces before were
//! right: what breaks between the two looks is not handed out either.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::lock::OwnedMutexGuard;
use futures_util::{StreamExt, stream};
use lyceum_domain::authoring::activities::Recording;
use lyceum_domain::authoring::media::StoredFile;
use lyceum_domain::exporting::scorm::ScormFile;
use lyceum_domain::hex;
use lyceum_domain::ids::{MediaId, ScormPackageId};
use lyceum_domain::running::jobs::Job;
use lyceum_ports::blobs::{BlobError, BlobKey, ByteStream};
use lyceum_ports::running::telemetry::FileKind;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::prelude::*;
use crate::running::queue;
use crate::turns::TurnsByName;

/// How long it counts what a file was found to be: what a disk loses without a word shows after this.
const COUNTS_FOR: Duration = Duration::from_mins(10);
/// How many files are remembered.
const REMEMBERED: usize = 4_096;

/// A file, and what a row says of it.
#[derive(Debug, Clone)]
pub struct KeptFile {
    /// Where it is.
    pub key: BlobKey,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
    /// What it is.
    pub kind: KeptKind,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptKind {
    /// The archive of a package, which may be made anew.
    Package {
        /// Whose.
        workspace: WorkspaceId,
        /// The package whose identity it carries.
        origin: ScormPackageId,
    },
    /// The recording of a podcast.
    Recording,
    /// A file of the media library.
    Media,
}

impl KeptKind {
    /// As it is counted.
    const fn counted(self) -> FileKind {
        match self {
            Self::Package { .. } => FileKind::Package,
            Self::Recording => FileKind::Recording,
            Self::Media => FileKind::Media,
        }
    }
}

impl KeptFile {
    /// The archive of a package.
    ///
    /// # Errors
    /// Never for an id of ours.
    pub fn archive(workspace: WorkspaceId, file: &ScormFile) -> Result<Self, Error> {
        let origin = file.origin;
        Ok(Self {
            key: BlobKey::of_archive(origin),
            sha256: file.sha256.clone(),
            kind: KeptKind::Package { workspace, origin },
        })
    }

    /// A recording.
    ///
    /// # Errors
    /// Never for a name of ours.
    pub fn recording(recording: &Recording) -> Result<Self, Error> {
        Ok(Self {
            key: BlobKey::of_recording(&recording.name)?,
            sha256: recording.sha256.clone(),
            kind: KeptKind::Recording,
        })
    }

    /// A file of the media library, by its number.
    pub fn media(id: MediaId, number: usize, file: &StoredFile) -> Self {
        Self {
            key: BlobKey::of_media(id, number),
            sha256: file.sha256.clone(),
            kind: KeptKind::Media,
        }
    }
}

/// What this process found out about stored files; clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Files(Arc<FileChecks>);

#[derive(Debug, Default)]
struct FileChecks {
    looked: Mutex<HashMap<String, Look>>,
    turns: TurnsByName,
}

/// What a file was found to be.
#[derive(Debug, Clone)]
struct Look {
    version: String,
    sha256: String,
    is_whole: bool,
    at: Instant,
}

impl Files {
    /// Waits for one's turn at a file, and holds it.
    pub(crate) async fn turn(&self, key: &BlobKey) -> OwnedMutexGuard<()> {
        self.0.turns.of(key.as_str()).await
    }

    /// What was found of a file of this version, if that still counts.
    fn known(&self, file: &KeptFile, version: Option<&String>) -> Option<bool> {
        let looked = self.0.looked.lock().unwrap_or_else(PoisonError::into_inner);
        let look = looked.get(file.key.as_str())?;
        let counts = Some(&look.version) == version
            && look.sha256 == file.sha256
            && look.at.elapsed() < COUNTS_FOR;
        counts.then_some(look.is_whole)
    }

    fn note(&self, file: &KeptFile, version: Option<String>, is_whole: bool) {
        let Some(version) = version else { return };
        let mut looked = self.0.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.len() >= REMEMBERED {
            looked.retain(|_, look| look.at.elapsed() < COUNTS_FOR);
        }
        if looked.len() >= REMEMBERED {
            looked.clear();
        }
        let look = Look {
            version,
            sha256: file.sha256.clone(),
            is_whole,
            at: Instant::now(),
        };
        looked.insert(file.key.as_str().to_owned(), look);
    }

    fn forget(&self, file: &KeptFile) {
        let mut looked = self.0.looked.lock().unwrap_or_else(PoisonError::into_inner);
        looked.remove(file.key.as_str());
    }
}

/// The bytes of a file, or those of `range` (end exclusive), if the file is what was stored.
///
/// # Errors
/// [`Error::Unavailable`] if it is damaged, gone, or cannot be read now.
pub async fn open(
    app: &App,
    file: &KeptFile,
    range: Option<Range<u64>>,
) -> Result<ByteStream, Error> {
    if !is_whole(app, file).await? {
        return Err(BlobError::Damaged.into());
    }
    let all = range.is_none();
    let bytes = app.blobs.read(&file.key, range).await;
    let bytes = bytes?;
    if !all {
        return Ok(bytes);
    }
    let checked = checked(bytes, file.sha256.clone());
    let (files, file) = (app.files.clone(), file.clone());
    Ok(checked
        .inspect(move |piece| {
            if matches!(piece, Err(BlobError::Damaged)) {
                // Whoever asks next looks again, and finds it.
                tracing::error!(file = %file.key, "a stored file broke while it was sent");
                files.forget(&file);
            }
        })
        .boxed())
}

/// Whether a file is what was stored. One that is not is told to operators, once per look, and a package is made anew
/// where that can be.
///
/// # Errors
/// [`Error::Unavailable`] if it cannot be read now.
pub async fn is_whole(app: &App, file: &KeptFile) -> Result<bool, Error> {
    if let Some(known) = app.files.known(file, version(app, file).await?.as_ref()) {
        return Ok(known);
    }
    // Of many who ask at once, one reads.
    let turn = app.files.0.turns.of(file.key.as_str()).await;
    let version = version(app, file).await?;
    if let Some(known) = app.files.known(file, version.as_ref()) {
        return Ok(known);
    }
    let found = hash(app, file).await?;
    let is_whole = found.as_ref() == Some(&file.sha256);
    app.files.note(file, version, is_whole);
    drop(turn);
    if !is_whole {
        tell(app, file, found.is_none()).await;
    }
    Ok(is_whole)
}

/// Whether a file is what was stored, by a look of its own that is told to nobody.
///
/// # Errors
/// [`Error::Unavailable`] if it cannot be read now.
pub(crate) async fn stands(app: &App, file: &KeptFile) -> Result<bool, Error> {
    app.files.forget(file);
    Ok(hash(app, file).await?.as_ref() == Some(&file.sha256))
}

/// What tells the file that lies there from others, if the store says: also whether there is one at all.
async fn version(app: &App, file: &KeptFile) -> Result<Option<String>, Error> {
    match app.blobs.version(&file.key).await {
        Ok(version) => Ok(version),
        Err(BlobError::NotFound) => Ok(Some(String::new())),
        Err(error) => Err(error.into()),
    }
}

/// The hash of a file; none where there is no file.
async fn hash(app: &App, file: &KeptFile) -> Result<Option<String>, Error> {
    let mut bytes = match app.blobs.read(&file.key, None).await {
        Ok(bytes) => bytes,
        Err(BlobError::NotFound) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let mut hash = Sha256::new();
    while let Some(piece) = bytes.next().await {
        hash.update(piece?);
    }
    Ok(Some(hex::lower(&hash.finalize())))
}

/// Removes one that nobody has any more.
pub(crate) async fn remove(app: &App, key: &BlobKey) -> Result<(), Error> {
    Ok(app.blobs.delete(key).await?)
}

/// Tells of a file that is not what was stored, and has a package made anew.
async fn tell(app: &App, file: &KeptFile, is_gone: bool) {
    let what = if is_gone { "gone" } else { "damaged" };
    tracing::error!(file = %file.key, kind = file.kind.counted().as_str(), "a stored file is {what}");
    app.telemetry.file_damaged(file.kind.counted());
    if let KeptKind::Package { workspace, origin } = file.kind
        && let Err(error) = queue::enqueue_alone(app, workspace, Job::MendArchive { origin }).await
    {
        tracing::warn!(%error, %origin, "a damaged package could not be queued to be made anew");
    }
}

/// The pieces as they come, the last one only if all together have this hash.
fn checked(bytes: ByteStream, sha256: String) -> ByteStream {
    struct Sending {
        bytes: ByteStream,
        hash: Sha256,
        held: Option<Bytes>,
        sha256: String,
    }
    let start = Sending {
        bytes,
        hash: Sha256::new(),
        held: None,
        sha256,
    };
    let pieces = stream::unfold(Some(start), |sending| async {
        let mut sending = sending?;
        loop {
            match sending.bytes.next().await {
                Some(Ok(piece)) => {
                    sending.hash.update(&piece);
                    if let Some(before) = sending.held.replace(piece) {
                        return Some((Ok(before), Some(sending)));
                    }
                }
                Some(Err(error)) => return Some((Err(error), None)),
                None if hex::lower(&sending.hash.finalize()) == sending.sha256 => {
                    return sending.held.map(|last| (Ok(last), None));
                }
                None => return Some((Err(BlobError::Damaged), None)),
            }
        }
    });
    pieces.boxed()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use lyceum_ports::blobs::MockBlobStore;

    use super::*;
    use crate::app::tests::idle;
    use lyceum_ports::running::telemetry::MockTelemetry;
    use mockall::predicate::eq;

    const BYTES: [&[u8]; 3] = [b"one", b"two", b"three"];

    fn pieces(of: &[&'static [u8]]) -> ByteStream {
        let pieces: Vec<_> = of
            .iter()
            .map(|piece| Ok(Bytes::from_static(piece)))
            .collect();
        stream::iter(pieces).boxed()
    }

    fn file(bytes: &[u8]) -> KeptFile {
        KeptFile {
            key: BlobKey::parse("audio/a.wav").unwrap(),
            sha256: hex::lower(&Sha256::digest(bytes)),
            kind: KeptKind::Recording,
        }
    }

    /// An application over a file of one version, and how often it was read through.
    fn app(
        version: Option<&'static str>,
        bytes: &'static [&'static [u8]],
    ) -> (App, Arc<AtomicUsize>) {
        let read = Arc::new(AtomicUsize::new(0));
        let (counted, mut blobs) = (Arc::clone(&read), MockBlobStore::new());
        blobs
            .expect_version()
            .returning(move |_| Ok(version.map(str::to_owned)));
        blobs.expect_read().returning(move |_, range| {
            counted.fetch_add(usize::from(range.is_none()), Ordering::Relaxed);
            Ok(pieces(bytes))
        });
        let mut app = idle();
        app.blobs = Arc::new(blobs);
        (app, read)
    }

    async fn sent(bytes: ByteStream) -> (Vec<u8>, bool) {
        let (mut all, mut is_whole) = (Vec::new(), true);
        for piece in bytes.collect::<Vec<_>>().await {
            match piece {
                Ok(piece) => all.extend_from_slice(&piece),
                Err(error) => is_whole = !matches!(error, BlobError::Damaged),
            }
        }
        (all, is_whole)
    }

    #[tokio::test]
    async fn a_file_that_lies_there_unchanged_is_read_through_once() {
        let (app, read) = app(Some("1"), &BYTES);
        let file = file(b"onetwothree");
        for _ in 0..3 {
            assert!(open(&app, &file, Some(0..4)).await.is_ok());
        }
        assert_eq!(read.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn without_a_version_every_look_is_a_new_one() {
        let (app, read) = app(None, &BYTES);
        let file = file(b"onetwothree");
        assert!(is_whole(&app, &file).await.unwrap());
        assert!(is_whole(&app, &file).await.unwrap());
        assert_eq!(read.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn a_damaged_file_is_not_opened_and_is_counted_once() {
        let (mut app, read) = app(Some("1"), &BYTES);
        let mut telemetry = MockTelemetry::new();
        let damaged = telemetry.expect_file_damaged();
        damaged
            .with(eq(FileKind::Recording))
            .once()
            .return_const(());
        app.telemetry = Arc::new(telemetry);
        let file = file(b"onetwothre3");
        for range in [None, Some(0..1)] {
            let opened = open(&app, &file, range).await;
            assert!(matches!(opened, Err(Error::Unavailable(_))));
        }
        assert_eq!(read.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn the_end_of_what_breaks_while_it_is_sent_is_kept_back() {
        let good = file(b"onetwothree");
        let whole = checked(pieces(&BYTES), good.sha256.clone());
        assert_eq!(sent(whole).await, (b"onetwothree".to_vec(), true));
        let broken = checked(pieces(&[b"one", b"tvo", b"three"]), good.sha256);
        assert_eq!(sent(broken).await, (b"onetvo".to_vec(), false));
        let empty = checked(pieces(&[]), file(b"").sha256);
        assert_eq!(sent(empty).await, (Vec::new(), true));
    }
}
