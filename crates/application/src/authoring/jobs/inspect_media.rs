//! Looking at an upload, and keeping what is made of it.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use futures_util::StreamExt;
use lyceum_domain::authoring::media::{
    MOST_SMALLER, MediaContent, MediaFile, MediaState, MediaType, StoredFile,
};
use lyceum_domain::hex;
use lyceum_domain::ids::MediaId;
use lyceum_domain::running::jobs::Job;
use lyceum_domain::transition::InvalidTransition;
use lyceum_ports::authoring::inspection::{Inspected, InspectionError};
use lyceum_ports::blobs::{BlobError, BlobKey};
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::authoring::media;
use crate::claimed::{self, AttemptEnd, Claimed};
use crate::notifying::events;
use crate::prelude::*;
use crate::running::{queue, unwanted_files};

/// What is read of a file at once, to hash it.
const PIECE_BYTES: usize = 64 * 1024;

/// A folder that is gone when the job is, however it ends.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

pub async fn perform(app: &App, job: &Claimed, id: MediaId) -> Result<(), Error> {
    let workspace = job.workspace_id;
    let look = move |tx: &mut dyn Tx| pending(tx, workspace, id);
    let Some(media) = app.store.read(look).await? else {
        return abandon(app, job, id).await;
    };
    let name = format!("lyceum-{}-{}.upload", job.id, job.attempt);
    let folder = Folder(app.settings.scratch.join(name));
    std::fs::create_dir_all(&folder.0).map_err(unavailable)?;
    let done = match look_at(app, &media, &folder.0).await {
        Ok(content) => finish(app, job, id, content).await,
        Err(NotKept::Refused { code, message }) => {
            job.note_end(AttemptEnd::GivenUp);
            fail(app, job, id, code, &message).await
        }
        Err(NotKept::Later(error)) if job.is_last_attempt() => {
            tracing::error!(job = %job.id, %error, "an upload could not be looked at");
            job.note_end(AttemptEnd::GivenUp);
            let message = "The file could not be looked at. Upload it again later.";
            fail(app, job, id, "inspection_failed", message).await
        }
        Err(NotKept::Later(error)) => Err(error),
    };
    drop(folder);
    done
}

/// Why nothing is kept of an upload, for now or for good.
enum NotKept {
    Refused { code: &'static str, message: String },
    Later(Error),
}

impl From<Error> for NotKept {
    fn from(error: Error) -> Self {
        Self::Later(error)
    }
}

impl From<BlobError> for NotKept {
    fn from(error: BlobError) -> Self {
        Self::Later(error.into())
    }
}

impl From<InspectionError> for NotKept {
    fn from(error: InspectionError) -> Self {
        match error {
            InspectionError::Refused(refusal) => Self::Refused {
                code: refusal.code(),
                message: refusal.to_string(),
            },
            InspectionError::Unavailable(why) => Self::Later(Error::Unavailable(why.into())),
        }
    }
}

/// Has the upload looked at, and stores what is made of it.
async fn look_at(app: &App, media: &MediaFile, folder: &Path) -> Result<MediaContent, NotKept> {
    let upload = folder.join("upload");
    fetch(app, media, &upload).await?;
    let inspected = app.inspector.inspect(&upload, folder).await?;
    let Inspected {
        media_type,
        file,
        dimensions,
        duration_ms,
        mut smaller,
        notes,
    } = inspected;
    smaller.truncate(MOST_SMALLER);
    let file = keep(app, media.id, 0, &file, (media_type, dimensions)).await?;
    let mut kept = Vec::new();
    for (number, one) in (1..).zip(smaller) {
        let what = (one.media_type, Some((one.width, one.height)));
        kept.push(keep(app, media.id, number, &one.file, what).await?);
    }
    Ok(MediaContent {
        file,
        smaller: kept,
        duration_ms,
        notes,
    })
}

/// Copies the upload here; one that is not what came is as good as gone.
async fn fetch(app: &App, media: &MediaFile, file: &Path) -> Result<(), NotKept> {
    let mut bytes = app.blobs.read(&BlobKey::of_upload(media.id), None).await?;
    let mut written = std::fs::File::create(file).map_err(unavailable)?;
    let mut hash = Sha256::new();
    while let Some(piece) = bytes.next().await {
        let piece = piece?;
        hash.update(&piece);
        written.write_all(&piece).map_err(unavailable)?;
    }
    if hex::lower(&hash.finalize()) == media.uploaded.sha256 {
        return Ok(());
    }
    Err(BlobError::Damaged.into())
}

async fn keep(
    app: &App,
    id: MediaId,
    number: usize,
    file: &Path,
    (media_type, dimensions): (MediaType, Option<(u32, u32)>),
) -> Result<StoredFile, NotKept> {
    let (size_bytes, sha256) = hashed(file).map_err(unavailable)?;
    app.blobs
        .put_file(&BlobKey::of_media(id, number), file)
        .await?;
    Ok(StoredFile {
        media_type,
        size_bytes,
        sha256,
        dimensions,
    })
}

fn hashed(file: &Path) -> std::io::Result<(u64, String)> {
    let mut hash = Sha256::new();
    let mut file = std::fs::File::open(file)?;
    let (mut size, mut piece) = (0, vec![0; PIECE_BYTES]);
    loop {
        let length = file.read(&mut piece)?;
        let Some(read) = piece.get(..length).filter(|read| !read.is_empty()) else {
            return Ok((size, hex::lower(&hash.finalize())));
        };
        hash.update(read);
        size += u64::try_from(length).unwrap_or_default();
    }
}

fn unavailable(error: std::io::Error) -> Error {
    Error::Unavailable(error.into())
}

/// It was deleted meanwhile, for good or to come back.
async fn abandon(app: &App, job: &Claimed, media: MediaId) -> Result<(), Error> {
    claimed::settle(app, job, move |tx, ctx| {
        queue::enqueue(tx, ctx, Job::RemoveMedia { media })
    })
    .await
}

async fn finish(app: &App, job: &Claimed, id: MediaId, content: MediaContent) -> Result<(), Error> {
    conclude(
        app,
        job,
        id,
        EventType::MediaFileReady,
        move |media, now| media.finish(content.clone(), now),
    )
    .await
}

pub async fn fail(
    app: &App,
    job: &Claimed,
    id: MediaId,
    code: &str,
    message: &str,
) -> Result<(), Error> {
    let (code, message) = (code.to_owned(), message.to_owned());
    conclude(
        app,
        job,
        id,
        EventType::MediaFileFailed,
        move |media, now| media.fail(&code, &message, now),
    )
    .await
}

/// Ends what is pending in one way or the other, tells of it, and lets go of the upload.
async fn conclude(
    app: &App,
    job: &Claimed,
    id: MediaId,
    kind: EventType,
    mut end: impl FnMut(&mut MediaFile, Timestamp) -> Result<(), InvalidTransition> + Send + 'static,
) -> Result<(), Error> {
    let workspace = job.workspace_id;
    claimed::settle(app, job, move |tx, ctx| {
        let Some(mut media) = pending(tx, workspace, id)? else {
            return queue::enqueue(tx, ctx, Job::RemoveMedia { media: id });
        };
        end(&mut media, ctx.now)?;
        tx.media_files().update(&media)?;
        for key in no_longer_needed(&media) {
            tx.unwanted_files().insert(key.as_str(), ctx.now)?;
        }
        events::record(tx, ctx, kind, &media::view(ctx, &media))
    })
    .await?;
    // At once, because it may be large, and may say where it was made; what fails now the hourly sweep makes good.
    if let Err(error) = unwanted_files::sweep(app).await {
        tracing::warn!(job = %job.id, %error, "an upload that nobody needs any more lies there for a while");
    }
    Ok(())
}

/// Where files may lie that nobody needs once it was looked at: the upload, and of one that is not kept whatever was stored
/// before that was known.
fn no_longer_needed(media: &MediaFile) -> Vec<BlobKey> {
    match media.content() {
        Some(_) => vec![BlobKey::of_upload(media.id)],
        None => BlobKey::all_of_media(media.id),
    }
}

fn pending(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    id: MediaId,
) -> Result<Option<MediaFile>, Error> {
    let media = tx.media_files().find(workspace, id)?;
    Ok(media.filter(|media| matches!(media.state, MediaState::Pending { .. })))
}

#[cfg(test)]
mod tests {
    use lyceum_domain::Stamp;
    use lyceum_domain::authoring::media::{MediaDescription, UploadedFile, file_name};
    use lyceum_domain::json::Metadata;

    use super::*;
    use crate::identity::visibility::tests::{id, now};

    #[test]
    fn of_what_is_kept_the_upload_goes_and_of_what_is_not_everything() {
        let mut media = MediaFile {
            workspace_id: id(1),
            id: id(2),
            uploaded: UploadedFile {
                file_name: file_name("pump.png"),
                size_bytes: 3,
                sha256: "5".repeat(64),
            },
            uploaded_by: id(3),
            description: MediaDescription::default(),
            state: MediaState::Error {
                code: "damaged".to_owned(),
                message: "It ends too soon.".to_owned(),
            },
            metadata: Metadata::default(),
            stamp: Stamp::new(now()),
        };
        let first = BlobKey::of_media(media.id, 0);
        assert!(no_longer_needed(&media).contains(&first));
        assert!(no_longer_needed(&media).contains(&BlobKey::of_upload(media.id)));
        let file = StoredFile {
            media_type: MediaType::Png,
            size_bytes: 3,
            sha256: "6".repeat(64),
            dimensions: None,
        };
        media.state = MediaState::Ready(MediaContent {
            file,
            smaller: Vec::new(),
            duration_ms: None,
            notes: Vec::new(),
        });
        assert_eq!(no_longer_needed(&media), [BlobKey::of_upload(media.id)]);
    }
}
