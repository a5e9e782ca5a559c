//! Uploads of large files. In pieces: a file comes over several connections, to whichever node, and goes into the media library
//! with its last byte.
//!
//! Each piece is a file beside the database, noted as unwanted from the end of its upload on, and its row says which
//! pieces there are: a process that dies loses what it had not yet stored, and whoever sends asks where to go on. The
//! last piece is taken only together with what becomes of the whole, so that an upload of which all came is one that is
//! in the library.

use std::time::Duration;

use lyceum_domain::Stamp;
use lyceum_domain::authoring::media_uploads::{
    DirectUpload, LIFETIME, MOST_OPEN, MediaUpload, Misplaced, PUT_WITHIN, UploadPiece,
};
use lyceum_domain::ids::MediaUploadId;
use lyceum_ports::blobs::{BlobError, BlobKey, ByteStream};
use lyceum_wire::authoring::media::NewMedia;
use lyceum_wire::authoring::media_uploads::NewMediaUpload;

pub use lyceum_wire::authoring::media_uploads::MediaUploadView;

use crate::app::App;
use crate::authoring::media::{self, Admitted, ReceivedFile, Upload};
use crate::prelude::*;
use crate::running::scratch::Scratch;

/// How long a piece is kept behind the end of its upload, for whoever is just putting the file together.
const GRACE: Duration = Duration::from_hours(2);

/// Behind the end of an upload: what was begun to be put there while its address worked has come by then.
const LATEST: Duration = Duration::from_hours(24);

/// Whether the service has files put into its bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectUploads {
    /// Its operator says that browsers reach the bucket.
    Taken,
    /// Or there is none.
    Off,
}

/// Bytes that came, and lie in a folder of ours.
pub struct ReceivedPiece {
    /// Where; it is gone when this is.
    pub file: Scratch,
    /// How many.
    pub size_bytes: u64,
    /// SHA-256 of them, lower-case hex.
    pub sha256: String,
}

/// Begins an upload. Its file has a place in the library from now on.
///
/// # Errors
/// [`Conflict::QuotaExceeded`], [`Conflict::LimitReached`], [`Conflict::DirectUploadsOff`] unless `direct` says otherwise
pub fn create(
    tx: &mut dyn Tx,
    ctx: &Context,
    new: NewMediaUpload,
    direct: DirectUploads,
) -> Result<MediaUploadView, Error> {
    if new.is_direct && direct == DirectUploads::Off {
        return Err(Conflict::DirectUploadsOff.into());
    }
    // Two for which there is room one by one.
    tx.stand_in_line(media::line(ctx))?;
    let open = tx.media_uploads().open(ctx.workspace_id(), ctx.now)?;
    if open.count >= MOST_OPEN {
        let reached = format!("at most {MOST_OPEN} uploads of a workspace are under way");
        return Err(Conflict::LimitReached(reached).into());
    }
    media::check_room(tx, ctx, new.size_bytes)?;
    let upload = MediaUpload {
        workspace_id: ctx.workspace_id(),
        id: ctx.mint(),
        uploaded_by: ctx.member()?.user.id,
        file_name: new.file_name,
        size_bytes: new.size_bytes,
        description: new.description,
        metadata: new.metadata,
        pieces: Vec::new(),
        direct: new.is_direct.then(|| DirectUpload {
            until: ctx.now.plus(PUT_WITHIN),
            is_given_up: false,
        }),
        media: None,
        expires_at: ctx.now.plus(LIFETIME),
        stamp: Stamp::new(ctx.now),
    };
    tx.media_uploads().insert(&upload)?;
    expect_leftovers(tx, &upload)?;
    Ok(MediaUploadView::from(&upload))
}

/// Shows one to whoever began it.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: MediaUploadId,
) -> Result<MediaUploadView, Error> {
    Ok(MediaUploadView::from(&find(tx, ctx, id)?))
}

/// Gives one up, and what came of it; as it was.
///
/// # Errors
/// [`Error::NotFound`]
pub fn terminate(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: MediaUploadId,
) -> Result<MediaUploadView, Error> {
    let mut upload = find(tx, ctx, id)?;
    let shown = MediaUploadView::from(&upload);
    let_go(tx, id, &upload.pieces, ctx.now)?;
    let_go_of_direct(tx, &upload, ctx.now)?;
    if upload.give_up(ctx.now) {
        tx.media_uploads().update(&upload)?;
    } else {
        tx.media_uploads().delete(upload.workspace_id, id)?;
    }
    Ok(shown)
}

/// The upload that bytes come for.
///
/// # Errors
/// [`Error::NotFound`]
pub fn open(tx: &mut dyn Tx, ctx: &Context, id: MediaUploadId) -> Result<MediaUpload, Error> {
    find(tx, ctx, id)
}

/// Looks whether the first of the bytes that come is the next that is missing.
///
/// # Errors
/// [`Conflict::Misplaced`]
pub fn expect(upload: &MediaUpload, offset: u64) -> Result<(), Error> {
    upload.expect(offset).map_err(misplaced)
}

/// Keeps a piece: one that is not the last.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::Misplaced`], [`Error::Unavailable`] where it cannot be stored.
pub async fn keep(
    app: &App,
    ctx: &Context,
    upload: &MediaUpload,
    received: ReceivedPiece,
) -> Result<MediaUpload, Error> {
    let name = app.ids.next().simple().to_string();
    let key = BlobKey::of_upload_piece(upload.id, &name)?;
    let (noted, due) = (key.as_str().to_owned(), upload.expires_at.plus(GRACE));
    let note = move |tx: &mut dyn Tx| Ok::<_, Error>(tx.unwanted_files().insert(&noted, due)?);
    app.store.write(note).await?;
    app.blobs.put_file(&key, &received.file.0).await?;
    let piece = UploadPiece {
        name,
        size_bytes: received.size_bytes,
        sha256: received.sha256,
    };
    let (ctx, id, offset) = (at_present(app, ctx), upload.id, upload.offset());
    let append = move |tx: &mut dyn Tx| {
        let mut upload = find(tx, &ctx, id)?;
        let appended = upload.append(offset, piece.clone(), ctx.now);
        appended.map_err(misplaced)?;
        tx.media_uploads().update(&upload)?;
        Ok::<_, Error>(upload)
    };
    let kept = app.store.write(append).await;
    if let Err(Error::Conflict(_) | Error::NotFound(_)) = kept {
        // It is not in the row, which is certain of these alone. Where this fails, the note does it.
        drop(app.blobs.delete(&key).await);
    }
    kept
}

/// The bytes of a piece as they were stored, if they are there; whoever reads them compares their hash.
///
/// # Errors
/// [`Error::Unavailable`] where they cannot be read now.
pub async fn bytes(
    app: &App,
    upload: &MediaUpload,
    piece: &UploadPiece,
) -> Result<Option<ByteStream>, Error> {
    let key = BlobKey::of_upload_piece(upload.id, &piece.name)?;
    match app.blobs.read(&key, None).await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(BlobError::NotFound) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Takes the whole file into the media library, of which the last piece just came.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::Misplaced`], [`Error::Unavailable`] where the file cannot be stored.
pub async fn finish(
    app: &App,
    ctx: &Context,
    upload: &MediaUpload,
    received: ReceivedFile,
) -> Result<MediaUpload, Error> {
    let (ctx, offset, id) = (at_present(app, ctx), upload.offset(), upload.id);
    let new = NewMedia {
        description: upload.description.clone(),
        metadata: upload.metadata.clone(),
    };
    let (asking, whole) = (ctx.clone(), Upload { new, received });
    let admit = move |tx: &mut dyn Tx| media::admit_promised(tx, &asking, whole.clone());
    let admitted = media::store(app.clone(), app.store.read(admit).await?).await?;
    let settle = move |tx: &mut dyn Tx| settle(tx, &ctx, id, offset, &admitted);
    let finished = app.store.write(settle).await?;
    app.signal.wake();
    Ok(finished)
}

/// Writes what became of an upload. Its place in the library is free from here on, and the file takes it.
fn settle(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: MediaUploadId,
    offset: u64,
    admitted: &Admitted,
) -> Result<MediaUpload, Error> {
    tx.stand_in_line(media::line(ctx))?;
    let mut upload = find(tx, ctx, id)?;
    let media = media::media_of(tx, ctx, admitted)?;
    let pieces = upload.finish(offset, media, ctx.now).map_err(misplaced)?;
    tx.media_uploads().update(&upload)?;
    let_go(tx, id, &pieces, ctx.now)?;
    media::create(tx, ctx, admitted)?;
    Ok(upload)
}

/// Forgets an upload of which something that came is gone or damaged: it has to begin again.
///
/// # Errors
/// [`Error::NotFound`]; [`Conflict::Misplaced`] where somebody else finished it meanwhile, so that nobody needs its pieces.
pub async fn lose(app: &App, ctx: &Context, upload: &MediaUpload) -> Result<MediaUpload, Error> {
    let (ctx, id, offset) = (at_present(app, ctx), upload.id, upload.offset());
    let forget = move |tx: &mut dyn Tx| forget(tx, &ctx, id, offset);
    app.store.write(forget).await?;
    tracing::error!(upload = %id, "a piece of an upload is gone or damaged");
    Err(Error::NotFound("media_upload"))
}

/// Forgets an upload that stands where its pieces were missed.
fn forget(tx: &mut dyn Tx, ctx: &Context, id: MediaUploadId, offset: u64) -> Result<(), Error> {
    expect(&find(tx, ctx, id)?, offset)?;
    terminate(tx, ctx, id).map(drop)
}

/// Notes that pieces are not needed any more.
fn let_go(
    tx: &mut dyn Tx,
    id: MediaUploadId,
    pieces: &[UploadPiece],
    now: Timestamp,
) -> Result<(), Error> {
    for piece in pieces {
        let key = BlobKey::of_upload_piece(id, &piece.name)?;
        tx.unwanted_files().insert(key.as_str(), now)?;
    }
    Ok(())
}

/// Notes what may lie where an upload comes when it is over: before anybody can put anything there.
fn expect_leftovers(tx: &mut dyn Tx, upload: &MediaUpload) -> Result<(), Error> {
    if !upload.is_direct() {
        return Ok(());
    }
    let key = BlobKey::of_direct_upload(upload.id);
    for late in [GRACE, LATEST] {
        let due = upload.expires_at.plus(late);
        tx.unwanted_files().insert(key.as_str(), due)?;
    }
    Ok(())
}

/// Notes that what was put there is not needed any more, nor what is put there while the address works.
pub(crate) fn let_go_of_direct(
    tx: &mut dyn Tx,
    upload: &MediaUpload,
    now: Timestamp,
) -> Result<(), Error> {
    let Some(direct) = upload.direct else {
        return Ok(());
    };
    let key = BlobKey::of_direct_upload(upload.id);
    tx.unwanted_files().insert(key.as_str(), now)?;
    Ok(tx
        .unwanted_files()
        .insert(key.as_str(), direct.until.max(now).plus(GRACE))?)
}

/// One that the caller began, and that is not over.
pub(crate) fn find(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: MediaUploadId,
) -> Result<MediaUpload, Error> {
    let caller = ctx.member()?.user.id;
    let there = tx.media_uploads().find(ctx.workspace_id(), id)?;
    let open = there.filter(|upload| upload.uploaded_by == caller && !upload.is_over(ctx.now));
    found(open, "media_upload")
}

/// The same caller, a while later: an upload takes its time.
fn at_present(app: &App, ctx: &Context) -> Context {
    let mut ctx = ctx.clone();
    ctx.visit.now = app.clock.now();
    ctx
}

fn misplaced(problem: Misplaced) -> Error {
    Conflict::Misplaced(problem).into()
}

#[cfg(test)]
mod tests {
    use lyceum_domain::authoring::media::{MediaDescription, file_name};
    use lyceum_domain::identity::keys::KeyKind;
    use lyceum_domain::identity::users::Role;
    use lyceum_domain::json::Metadata;
    use lyceum_ports::mocks::MockTx;

    use super::*;
    use crate::identity::visibility::tests::{context, id, now};

    /// What of an upload of ten bytes is there, as its owner's transaction finds it.
    fn standing_at(offset: u64) -> (MockTx, Context) {
        let ctx = context(Role::Teacher, KeyKind::Standard);
        let mut upload = MediaUpload {
            workspace_id: ctx.workspace_id(),
            id: id(7),
            uploaded_by: ctx.member().unwrap().user.id,
            file_name: file_name("film.mp4"),
            size_bytes: 10,
            description: MediaDescription::default(),
            metadata: Metadata::default(),
            pieces: Vec::new(),
            direct: None,
            media: (offset == 10).then(|| id(8)),
            expires_at: now().plus(LIFETIME),
            stamp: Stamp::new(now()),
        };
        if offset < 10 {
            upload.pieces.push(UploadPiece {
                name: "a".to_owned(),
                size_bytes: offset,
                sha256: String::new(),
            });
        }
        let mut tx = MockTx::default();
        let found = move |_, _| Ok(Some(upload.clone()));
        tx.media_uploads.expect_find().returning(found);
        (tx, ctx)
    }

    #[test]
    fn who_misses_the_pieces_of_an_upload_that_is_whole_by_now_forgets_nothing() {
        let (mut tx, ctx) = standing_at(10);
        let refused = forget(&mut tx, &ctx, id(7), 4);
        let elsewhere = Misplaced::Elsewhere(10);
        assert!(
            matches!(refused, Err(Error::Conflict(Conflict::Misplaced(at))) if at == elsewhere)
        );
        let (mut tx, ctx) = standing_at(4);
        tx.media_uploads
            .expect_delete()
            .once()
            .returning(|_, _| Ok(()));
        let noted = tx.unwanted_files.expect_insert();
        noted.once().returning(|_, _| Ok(()));
        forget(&mut tx, &ctx, id(7), 4).unwrap();
    }
}
