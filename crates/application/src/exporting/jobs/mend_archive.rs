//! Making the archive of a package anew whose stored file is damaged or gone.
//!
//! Only the same bytes take its place: those that the row has the hash of. A course that has changed since gives others;
//! then the package says so, and goes on letting in the learners of the copies that were handed out.

use lyceum_domain::exporting::scorm::{ScormFile, ScormPackage, ScormState};
use lyceum_domain::ids::ScormPackageId;
use lyceum_ports::blobs::BlobKey;
use lyceum_ports::exporting::scorm::PackageError;

use super::export::fingerprint;
use super::media;
use super::snapshot::{Snapshot, snapshot_for};
use crate::app::App;
use crate::claimed::{self, Claimed};
use crate::prelude::*;
use crate::running::files::{self, KeptFile};
use crate::running::scratch::Scratch;

/// A package whose archive is to be mended.
struct MendOrder {
    package: ScormPackage,
    file: ScormFile,
    /// Its course as it stands now, if that is still there.
    snapshot: Option<Snapshot>,
}

pub async fn perform(app: &App, job: &Claimed, origin: ScormPackageId) -> Result<(), Error> {
    let (inner, workspace) = (app.clone(), job.workspace_id);
    let reading = move |tx: &mut dyn Tx| prepare(tx, &inner, workspace, origin);
    let Some(order) = app.store.read_at_length(reading).await? else {
        // Nobody can download it any more.
        return claimed::finish(app, job).await;
    };
    let kept = KeptFile::archive(workspace, &order.file)?;
    let is_whole = files::stands(app, &kept).await? || remade(app, job, order).await?;
    if is_whole {
        tracing::info!(file = %kept.key, "the archive of a package is whole");
    } else {
        tracing::error!(file = %kept.key, "a damaged package could not be made anew: its course has changed");
    }
    tell(app, job, origin, !is_whole).await
}

fn prepare(
    tx: &mut dyn Tx,
    app: &App,
    workspace: WorkspaceId,
    origin: ScormPackageId,
) -> Result<Option<MendOrder>, Error> {
    let sharing = tx.scorm_packages().sharing(workspace, origin)?;
    let Some(mut package) = sharing.into_iter().next() else {
        return Ok(None);
    };
    let ScormState::Ready(file) = package.state.clone() else {
        return Ok(None);
    };
    let id = package.id;
    // The archive carries the identity of the first that had it.
    package.id = origin;
    let snapshot = snapshot_for(tx, &package, &app.settings)?;
    package.id = id;
    Ok(Some(MendOrder {
        package,
        file,
        snapshot,
    }))
}

/// Whether the same bytes could be made and stored.
async fn remade(app: &App, job: &Claimed, order: MendOrder) -> Result<bool, Error> {
    let Some(mut snapshot) = order.snapshot else {
        return Ok(false);
    };
    // Held until the archive is stored: its files are gone when it is.
    let files = media::gather(app, job, &mut snapshot).await?;
    let version = app.packages.version();
    let found = fingerprint::of(&version, &order.package, &snapshot.course)?;
    if order.file.fingerprint.as_ref() != Some(&found) {
        return Ok(false);
    }
    let name = format!("lyceum-{}-{}.zip", job.id, job.attempt);
    let scratch = Scratch(app.settings.scratch.join(name));
    match app.packages.write(&snapshot.course, &scratch.0) {
        Ok(written) if written.sha256 == order.file.sha256 => {}
        Err(PackageError::Io(error)) => return Err(Error::Unavailable(error.into())),
        Ok(_) | Err(_) => return Ok(false),
    }
    let key = BlobKey::of_archive(order.file.origin);
    let stored = app.blobs.put_file(&key, &scratch.0).await;
    drop(files);
    stored?;
    Ok(true)
}

/// Says on every package that shares the archive how it stands with it, and ends the job.
async fn tell(
    app: &App,
    job: &Claimed,
    origin: ScormPackageId,
    is_damaged: bool,
) -> Result<(), Error> {
    let workspace = job.workspace_id;
    claimed::settle(app, job, move |tx, ctx| {
        for mut package in tx.scorm_packages().sharing(workspace, origin)? {
            if package.tell_damage(is_damaged, ctx.now) {
                tx.scorm_packages().update(&package)?;
            }
        }
        Ok(())
    })
    .await
}

pub async fn fail(
    app: &App,
    job: &Claimed,
    origin: ScormPackageId,
    message: &str,
) -> Result<(), Error> {
    tracing::error!(package = %origin, message, "a damaged package stays so");
    claimed::finish(app, job).await
}
