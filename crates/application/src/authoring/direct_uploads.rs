//! Uploads straight to the bucket: whoever sends a large file puts it there by an address that the bucket knows, and says when it is
//! there.
//!
//! Whoever has the address may put another file there until it ends, so what lies there is never what the library keeps: the bucket
//! makes a copy, and the copy is measured, hashed and looked at. Everything else is as with uploads in pieces.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::lock::OwnedMutexGuard;
use lyceum_domain::authoring::media::UploadedFile;
use lyceum_domain::authoring::media_uploads::MediaUpload;
use lyceum_domain::hex;
use lyceum_domain::ids::MediaUploadId;
use lyceum_ports::blobs::{BlobError, BlobKey, PresignedWrite};
use lyceum_wire::authoring::media::NewMedia;
use lyceum_wire::authoring::media_uploads::{MediaUploadView, PutAddressView};
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::authoring::media::{self, Admitted};
use crate::authoring::media_uploads::{DirectUploads, find, let_go_of_direct};
use crate::prelude::*;

/// What nobody's browser shows or runs, whoever lets the bucket be read.
const MEDIA_TYPE: &str = "application/octet-stream";
/// An address is given out while there is so much time to use it.
const SHORTEST: Duration = Duration::from_mins(1);

/// Whether the service has files put into its bucket.
pub fn are_taken(app: &App) -> DirectUploads {
    if app.blobs.presigned_origin().is_some() {
        DirectUploads::Taken
    } else {
        DirectUploads::Off
    }
}

/// Where the file of an upload is put, for as long as there is time to; none of one in pieces.
///
/// # Errors
/// [`Error::Unavailable`] where the store should sign and cannot.
pub async fn address(app: &App, upload: &MediaUploadView) -> Result<Option<PutAddressView>, Error> {
    let until = upload.direct_until.as_deref();
    let Some(until) = until.and_then(|until| Timestamp::parse(until).ok()) else {
        return Ok(None);
    };
    let id = upload.id.parse();
    let id: MediaUploadId = id.map_err(|_| Error::NotFound("media_upload"))?;
    let now = app.clock.now();
    let left = until.unix_seconds().saturating_sub(now.unix_seconds());
    let valid_for = Duration::from_secs(u64::try_from(left).unwrap_or(0));
    if valid_for < SHORTEST {
        return Ok(None);
    }
    let write = PresignedWrite {
        valid_for,
        media_type: MEDIA_TYPE,
    };
    let key = BlobKey::of_direct_upload(id);
    let signed = app.blobs.presign_write(&key, &write).await?;
    Ok(signed.map(|signed| PutAddressView {
        url: signed.url,
        headers: BTreeMap::from([("content-type".to_owned(), MEDIA_TYPE.to_owned())]),
        expires_at: now.plus(signed.valid_for).to_string(),
    }))
}

/// What was found when an upload was to be completed.
pub struct Completion {
    id: MediaUploadId,
    /// The copy, unless somebody completed it before.
    copied: Option<Admitted>,
    /// Of those who complete one at once, one copies, and the others find what has become of it.
    _turn: OwnedMutexGuard<()>,
}

/// Whose upload is to be completed.
pub struct Wanted {
    ctx: Context,
    id: MediaUploadId,
}

/// Looks whether there is such an upload.
///
/// # Errors
/// [`Error::NotFound`]
pub fn prepare(tx: &mut dyn Tx, ctx: &Context, id: MediaUploadId) -> Result<Wanted, Error> {
    find(tx, ctx, id)?;
    let ctx = ctx.clone();
    Ok(Wanted { ctx, id })
}

/// Has the bucket copy what was put there, and reads the copy.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::UploadIncomplete`], [`Conflict::QuotaExceeded`], [`Error::Unavailable`] where the bucket cannot be
/// asked.
pub async fn take(app: App, wanted: Wanted) -> Result<Completion, Error> {
    let Wanted { ctx, id } = wanted;
    let turn = app.files.turn(&BlobKey::of_direct_upload(id)).await;
    let asking = ctx.clone();
    let look = move |tx: &mut dyn Tx| expected(tx, &asking, id);
    let upload = app.store.read(look).await?;
    let copied = match upload.media {
        Some(_) => None,
        None => Some(copy(&app, &ctx, &upload).await?),
    };
    Ok(Completion {
        id,
        copied,
        _turn: turn,
    })
}

/// One whose file may be there, and for which there is room still: before anybody copies it.
fn expected(tx: &mut dyn Tx, ctx: &Context, id: MediaUploadId) -> Result<MediaUpload, Error> {
    let upload = find(tx, ctx, id)?;
    if upload.media.is_none() {
        if !upload.is_direct() {
            return Err(incomplete(&upload, Some(upload.offset())));
        }
        // What it was promised is counted already.
        media::check_room(tx, ctx, 0)?;
    }
    Ok(upload)
}

async fn copy(app: &App, ctx: &Context, upload: &MediaUpload) -> Result<Admitted, Error> {
    let put = BlobKey::of_direct_upload(upload.id);
    expect_size(app, &put, upload).await?;
    let id = ctx.mint();
    let kept = media::note(app, id, ctx.now).await?;
    let copied = app.blobs.copy(&put, &kept).await;
    copied.map_err(|error| missing(error, upload))?;
    let measured = match measure(app, &kept, upload).await {
        Ok(measured) => measured,
        Err(error) => {
            // Where this fails, the note does it.
            drop(app.blobs.delete(&kept).await);
            return Err(error);
        }
    };
    let new = NewMedia {
        description: upload.description.clone(),
        metadata: upload.metadata.clone(),
    };
    Ok(media::stored(id, new, measured, ctx.now))
}

/// Refuses what is as long as was not said before anybody copies it.
async fn expect_size(app: &App, put: &BlobKey, upload: &MediaUpload) -> Result<(), Error> {
    let there = app.blobs.size(put).await;
    let there = there.map_err(|error| missing(error, upload))?;
    if there == upload.size_bytes {
        return Ok(());
    }
    Err(incomplete(upload, Some(there)))
}

/// Reads the copy through; it may be of something else than what was there a moment before.
async fn measure(app: &App, kept: &BlobKey, upload: &MediaUpload) -> Result<UploadedFile, Error> {
    let mut bytes = app.blobs.read(kept, None).await?;
    let (mut hash, mut size_bytes) = (Sha256::new(), 0_u64);
    while let Some(part) = bytes.next().await {
        let part = part?;
        size_bytes = size_bytes.saturating_add(u64::try_from(part.len()).unwrap_or(u64::MAX));
        if size_bytes > upload.size_bytes {
            break;
        }
        hash.update(&part);
    }
    if size_bytes != upload.size_bytes {
        return Err(incomplete(upload, Some(size_bytes)));
    }
    Ok(UploadedFile {
        file_name: upload.file_name.clone(),
        size_bytes,
        sha256: hex::lower(&hash.finalize()),
    })
}

/// Writes what became of an upload, with the file. Its place in the library is free from here on, and the file takes it.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::QuotaExceeded`]
pub fn settle(
    tx: &mut dyn Tx,
    ctx: &Context,
    completion: &Completion,
) -> Result<MediaUploadView, Error> {
    tx.stand_in_line(media::line(ctx))?;
    let mut upload = find(tx, ctx, completion.id)?;
    if upload.media.is_some() {
        // By another node, whose copy it is; ours goes when its note is due.
        return Ok(MediaUploadView::from(&upload));
    }
    let copied = completion.copied.as_ref();
    let copied = copied.ok_or_else(|| incomplete(&upload, None))?;
    let media = media::media_of(tx, ctx, copied)?;
    upload.complete(media, ctx.now);
    tx.media_uploads().update(&upload)?;
    let_go_of_direct(tx, &upload, ctx.now)?;
    media::create(tx, ctx, copied)?;
    Ok(MediaUploadView::from(&upload))
}

/// What is not there has not come yet.
fn missing(error: BlobError, upload: &MediaUpload) -> Error {
    if matches!(error, BlobError::NotFound) {
        incomplete(upload, None)
    } else {
        error.into()
    }
}

fn incomplete(upload: &MediaUpload, there: Option<u64>) -> Error {
    let declared = upload.size_bytes;
    Conflict::UploadIncomplete { declared, there }.into()
}
