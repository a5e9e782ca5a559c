//! What callers do with the media library.
//!
//! An upload is taken in three steps, because its file is not in the database: what comes is looked for and its room
//! checked, the file is stored, and then its row is written with the job that looks at it. A file whose row is never
//! written, because the process dies in between, is noted before it is stored, and removed.

use std::sync::Arc;
use std::time::Duration;

use lyceum_domain::Stamp;
use lyceum_domain::authoring::media::{MediaChanges, MediaFile, MediaState, UploadedFile};
use lyceum_domain::ids::MediaId;
use lyceum_domain::running::jobs::{Job, JobKind};
use lyceum_domain::running::trash::TrashKind;
use lyceum_ports::blobs::BlobKey;
use lyceum_ports::store::Line;
use lyceum_wire::authoring::media::{MediaFileView, NewMedia};

pub use lyceum_ports::authoring::media_files::{MediaFileFilter, MediaUse};

use crate::app::App;
use crate::error::Quota;
use crate::prelude::*;
use crate::running::files::KeptFile;
use crate::running::queue;
use crate::running::scratch::Scratch;
use crate::running::signed_files::SignedFile;
use crate::running::trash::{self, Going};
use crate::{Door, Settings, signed_address};

/// When a file is removed whose row was never written.
const GIVEN_UP_AFTER: Duration = Duration::from_hours(2);
/// How long an address works at least. It ends at a full hour, so that two looks at a file mostly show the same.
const LIFETIME: Duration = Duration::from_hours(1);
/// How many of the things that refer to a file are named.
const MOST_NAMED: u16 = 20;

/// A file that came, and lies in a folder of ours.
#[derive(Clone)]
pub struct ReceivedFile {
    /// Where; it is gone when the last of these is.
    pub file: Arc<Scratch>,
    /// What it was called, how long it is, and its hash.
    pub uploaded: UploadedFile,
}

/// An upload: a file, and what is said about it.
#[derive(Clone)]
pub struct Upload {
    /// What is said.
    pub new: NewMedia,
    /// The file.
    pub received: ReceivedFile,
}

/// An upload whose room was found.
pub struct Admitted {
    id: MediaId,
    new: NewMedia,
    uploaded: UploadedFile,
    /// Where the file is; nowhere here where it was stored without us.
    file: Option<Arc<Scratch>>,
    /// Whether the same file is there already.
    is_known: bool,
    now: Timestamp,
}

/// Looks whether there is room for what came.
///
/// # Errors
/// [`Conflict::QuotaExceeded`]
pub fn admit(tx: &mut dyn Tx, ctx: &Context, upload: Upload) -> Result<Admitted, Error> {
    ctx.member()?;
    let is_known = known(tx, ctx, &upload.received.uploaded)?.is_some();
    if !is_known {
        check_room(tx, ctx, upload.received.uploaded.size_bytes)?;
    }
    Ok(admitted(ctx, upload, is_known))
}

/// The same for a file whose room is kept for it already.
///
/// # Errors
/// Those of storage.
pub(crate) fn admit_promised(
    tx: &mut dyn Tx,
    ctx: &Context,
    upload: Upload,
) -> Result<Admitted, Error> {
    let is_known = known(tx, ctx, &upload.received.uploaded)?.is_some();
    Ok(admitted(ctx, upload, is_known))
}

fn admitted(ctx: &Context, upload: Upload, is_known: bool) -> Admitted {
    Admitted {
        id: ctx.mint(),
        new: upload.new,
        uploaded: upload.received.uploaded,
        file: Some(upload.received.file),
        is_known,
        now: ctx.now,
    }
}

/// One whose file lies where uploads are, noted by [`note`].
pub(crate) const fn stored(
    id: MediaId,
    new: NewMedia,
    uploaded: UploadedFile,
    now: Timestamp,
) -> Admitted {
    Admitted {
        id,
        new,
        uploaded,
        file: None,
        is_known: false,
        now,
    }
}

/// Stores the file of an upload, unless it is there.
///
/// # Errors
/// [`Error::Unavailable`] where it cannot be stored.
pub async fn store(app: App, admitted: Admitted) -> Result<Admitted, Error> {
    if admitted.is_known {
        return Ok(admitted);
    }
    if let Some(file) = &admitted.file {
        let key = note(&app, admitted.id, admitted.now).await?;
        app.blobs.put_file(&key, &file.0).await?;
    }
    Ok(admitted)
}

/// Notes where the file of an upload is about to be stored, so that it goes if its row is never written.
pub(crate) async fn note(app: &App, id: MediaId, now: Timestamp) -> Result<BlobKey, Error> {
    let key = BlobKey::of_upload(id);
    let (noted, due) = (key.as_str().to_owned(), now.plus(GIVEN_UP_AFTER));
    let note = move |tx: &mut dyn Tx| Ok::<_, Error>(tx.unwanted_files().insert(&noted, due)?);
    app.store.write(note).await?;
    Ok(key)
}

/// Writes the row of an upload, and has it looked at; of the same file in the same workspace there is one.
///
/// # Errors
/// [`Conflict::QuotaExceeded`]
pub fn create(tx: &mut dyn Tx, ctx: &Context, admitted: &Admitted) -> Result<MediaFileView, Error> {
    // Two of one file at once, and two for which there is room one by one.
    tx.stand_in_line(line(ctx))?;
    if let Some(there) = known(tx, ctx, &admitted.uploaded)? {
        return Ok(view(ctx, &there));
    }
    if admitted.is_known {
        // It was deleted meanwhile, and the file was not stored.
        return Err(Error::Unavailable("the file has just been deleted".into()));
    }
    let (new, uploaded) = (admitted.new.clone(), admitted.uploaded.clone());
    check_room(tx, ctx, uploaded.size_bytes)?;
    let media = MediaFile {
        workspace_id: ctx.workspace_id(),
        id: admitted.id,
        uploaded,
        uploaded_by: ctx.member()?.user.id,
        description: new.description,
        state: MediaState::Pending {
            estimated_ready_at: queue::ready_at(tx, ctx, JobKind::InspectMedia)?,
        },
        metadata: new.metadata,
        stamp: Stamp::new(ctx.now),
    };
    tx.media_files().insert(&media)?;
    let key = BlobKey::of_upload(media.id);
    tx.unwanted_files()
        .forget(key.as_str(), ctx.now.plus(GIVEN_UP_AFTER))?;
    queue::enqueue(tx, ctx, Job::InspectMedia { media: media.id })?;
    Ok(view(ctx, &media))
}

/// Where all stand who need room in the same library.
pub(crate) fn line(ctx: &Context) -> Line {
    Line::at(format!("media of {}", ctx.workspace_id()))
}

/// What [`create`] makes of an upload, or finds.
pub(crate) fn media_of(
    tx: &mut dyn Tx,
    ctx: &Context,
    admitted: &Admitted,
) -> Result<MediaId, Error> {
    let there = known(tx, ctx, &admitted.uploaded)?;
    Ok(there.map_or(admitted.id, |media| media.id))
}

fn known(
    tx: &mut dyn Tx,
    ctx: &Context,
    uploaded: &UploadedFile,
) -> Result<Option<MediaFile>, Error> {
    let sha256 = &uploaded.sha256;
    Ok(tx.media_files().with_upload(ctx.workspace_id(), sha256)?)
}

/// Looks whether so much more fits beside what is there and what is on its way.
///
/// # Errors
/// [`Conflict::QuotaExceeded`]
pub(crate) fn check_room(tx: &mut dyn Tx, ctx: &Context, more: u64) -> Result<(), Error> {
    let Some(limit) = ctx.settings.spending.media_bytes else {
        return Ok(());
    };
    let kept = tx.media_files().kept_bytes(ctx.workspace_id())?;
    let open = tx.media_uploads().open(ctx.workspace_id(), ctx.now)?;
    let used = kept.saturating_add(open.size_bytes);
    if used.saturating_add(more) > limit {
        let quota = Quota::Media;
        return Err(Conflict::QuotaExceeded { quota, used, limit }.into());
    }
    Ok(())
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(tx: &mut dyn Tx, ctx: &Context, id: MediaId) -> Result<MediaFileView, Error> {
    Ok(view(ctx, &find(tx, ctx, id)?))
}

/// Shows a page of them.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &MediaFileFilter,
    page: &PageRequest,
) -> Result<Page<MediaFileView>, Error> {
    let found = tx.media_files().page(ctx.workspace_id(), filter, page)?;
    Ok(found.map(|media| view(ctx, &media)))
}

/// Changes what is said about one.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Invalid`]
pub fn update(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: MediaId,
    changes: MediaChanges,
) -> Result<MediaFileView, Error> {
    let mut media = find(tx, ctx, id)?;
    if media.change(changes, ctx.now)? {
        tx.media_files().update(&media)?;
    }
    Ok(view(ctx, &media))
}

/// Refuses to delete what texts refer to; it looks at every text of the workspace.
///
/// # Errors
/// [`Error::NotFound`], [`Conflict::MediaInUse`]
pub fn refuse_used(tx: &mut dyn Tx, ctx: &Context, id: MediaId) -> Result<MediaId, Error> {
    find(tx, ctx, id)?;
    let uses = tx.media_files().uses(ctx.workspace_id(), id, MOST_NAMED)?;
    if uses.is_empty() {
        return Ok(id);
    }
    let named = uses
        .into_iter()
        .map(|MediaUse { object, id, name }| (id, format!("{object} {name:?} refers to it")));
    Err(Conflict::MediaInUse(named.collect()).into())
}

/// Moves one to the trash; its files stay until it is destroyed there.
///
/// # Errors
/// [`Error::NotFound`]
pub fn delete(tx: &mut dyn Tx, ctx: &Context, id: MediaId) -> Result<MediaId, Error> {
    let media = find(tx, ctx, id)?;
    let title = media.description.title.as_str();
    let name = if title.trim().is_empty() {
        media.uploaded.file_name.as_str()
    } else {
        title
    };
    trash::put(tx, ctx, Going::new(TrashKind::MediaFile, &id, &name))?;
    Ok(id)
}

fn find(tx: &mut dyn Tx, ctx: &Context, id: MediaId) -> Result<MediaFile, Error> {
    found(tx.media_files().find(ctx.workspace_id(), id)?, "media_file")
}

/// Shows a media file, with the addresses of its files.
pub fn view(ctx: &Context, media: &MediaFile) -> MediaFileView {
    MediaFileView::new(media, |number| {
        address(&ctx.settings, media, number, ctx.now)
    })
}

/// The address by which whoever is shown a file loads it.
pub fn address(settings: &Settings, media: &MediaFile, number: usize, now: Timestamp) -> String {
    let hour = i64::try_from(LIFETIME.as_secs()).unwrap_or(i64::MAX);
    let expires = (now.plus(LIFETIME).unix_seconds() / hour + 1) * hour;
    let (workspace, id) = (media.workspace_id, media.id);
    let statement = signed_text(workspace, id, number, expires);
    let signature = signed_address::sign(settings, &statement);
    let door = Door::MediaFile(workspace, id, number);
    settings.addresses.signed(door, expires, &signature)
}

fn signed_text(workspace: WorkspaceId, id: MediaId, number: usize, expires: i64) -> String {
    format!("media\n{workspace}\n{id}\n{number}\n{expires}")
}

/// What a signed address says.
#[derive(Debug, Clone)]
pub struct SignedMedia {
    /// The tenant.
    pub workspace: WorkspaceId,
    /// The media file.
    pub id: MediaId,
    /// Which of its files.
    pub number: usize,
    /// When it ends, in seconds since 1970.
    pub expires: i64,
    /// Over all of it.
    pub signature: String,
}

/// The file behind a signed address.
///
/// # Errors
/// [`Forbidden::Link`](crate::error::Forbidden::Link) if the signature is not ours or too old, [`Error::NotFound`] if
/// there is no such file any more.
pub fn signed_download(
    tx: &mut dyn Tx,
    settings: &Settings,
    signed: &SignedMedia,
    now: Timestamp,
) -> Result<SignedFile, Error> {
    let statement = signed_text(signed.workspace, signed.id, signed.number, signed.expires);
    signed_address::check(settings, &statement, &signed.signature, signed.expires, now)?;
    let media = found(
        tx.media_files().find(signed.workspace, signed.id)?,
        "media_file",
    )?;
    let file = media
        .content()
        .and_then(|content| content.files().nth(signed.number));
    let file = found(file.cloned(), "media_file")?;
    Ok(SignedFile {
        media_type: file.media_type,
        size_bytes: file.size_bytes,
        kept: KeptFile::media(signed.id, signed.number, &file),
        expires: signed.expires,
    })
}
