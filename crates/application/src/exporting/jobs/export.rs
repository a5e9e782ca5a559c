//! Making a SCORM package.

pub(super) mod fingerprint;

use std::sync::Arc;
use std::time::{Duration, Instant};

use lyceum_domain::exporting::scorm::{ScormFile, ScormPackage, ScormState};
use lyceum_domain::ids::ScormPackageId;
use lyceum_domain::running::jobs::Job;
use lyceum_ports::blobs::BlobKey;
use lyceum_ports::exporting::scorm::{PackageError, WrittenPackage};

use super::media;
use super::snapshot::{Snapshot, snapshot_for};
use crate::Settings;
use crate::app::App;
use crate::claimed::{self, AttemptEnd, Claimed};
use crate::exporting::exports::Outcome;
use crate::exporting::scorm;
use crate::notifying::events;
use crate::prelude::*;
use crate::running::queue;
use crate::running::scratch::Scratch;

/// A package to be made, and the course as it stood at one moment.
struct ExportOrder {
    package: ScormPackage,
    snapshot: Snapshot,
}

pub async fn perform(app: &App, job: &Claimed, package: ScormPackageId) -> Result<(), Error> {
    let (started, workspace) = (Instant::now(), job.workspace_id);
    let settings = Arc::clone(&app.settings);
    let reading = move |tx: &mut dyn Tx| prepare(tx, workspace, package, &settings);
    let Some(mut order) = app.store.read_at_length(reading).await? else {
        return abandon(app, job, package).await;
    };
    // Held until the archive is stored: its files are gone when it is.
    let files = media::gather(app, job, &mut order.snapshot).await?;
    let fingerprint = fingerprint::of(
        &app.packages.version(),
        &order.package,
        &order.snapshot.course,
    )?;
    let turn = app.exports.turn(&fingerprint).await;
    let outcome = if share(app, job, package, &fingerprint).await? {
        Some(Outcome::Shared)
    } else {
        write(app, job, &order, fingerprint).await?
    };
    drop((turn, files));
    if let Some(outcome) = outcome {
        app.exports.count(outcome, started.elapsed());
    }
    Ok(())
}

/// The package, or what it is made of, was deleted meanwhile; an earlier attempt may have stored its archive.
async fn abandon(app: &App, job: &Claimed, origin: ScormPackageId) -> Result<(), Error> {
    claimed::settle(app, job, move |tx, ctx| {
        queue::enqueue(tx, ctx, Job::RemoveArchive { origin })
    })
    .await
}

/// Takes the archive of unchanged content, if there is one.
async fn share(
    app: &App,
    job: &Claimed,
    package: ScormPackageId,
    fingerprint: &str,
) -> Result<bool, Error> {
    let (workspace, wanted) = (job.workspace_id, fingerprint.to_owned());
    let find = move |tx: &mut dyn Tx| {
        let found = tx.scorm_packages().with_fingerprint(workspace, &wanted)?;
        Ok::<_, Error>(found.is_some())
    };
    if !app.store.read(find).await? {
        return Ok(false);
    }
    let wanted = fingerprint.to_owned();
    claimed::settle(app, job, move |tx, ctx| {
        let Some(package) = pending(tx, workspace, package)? else {
            return Ok(());
        };
        let file = archive_of(tx, workspace, &wanted)?;
        let taken_back = || Error::Unavailable("the archive has just been taken back".into());
        finish(tx, ctx, package, file.ok_or_else(taken_back)?)
    })
    .await?;
    Ok(true)
}

/// How it went, unless it failed; that is counted where it ends.
async fn write(
    app: &App,
    job: &Claimed,
    order: &ExportOrder,
    fingerprint: String,
) -> Result<Option<Outcome>, Error> {
    let scratch = Scratch(
        app.settings
            .scratch
            .join(format!("lyceum-{}-{}.zip", job.id, job.attempt)),
    );
    let failed = |()| None;
    match app.packages.write(&order.snapshot.course, &scratch.0) {
        Ok(written) => store(app, job, &scratch, order, written, fingerprint).await,
        Err(PackageError::NothingToExport(message)) => {
            let ended = give_up(app, job, order, "nothing_to_export", &message).await;
            ended.map(failed)
        }
        Err(PackageError::Io(error)) if !job.is_last_attempt() => {
            Err(Error::Unavailable(error.into()))
        }
        Err(error) => {
            let ended = give_up(app, job, order, "export_failed", &error.to_string()).await;
            ended.map(failed)
        }
    }
}

async fn store(
    app: &App,
    job: &Claimed,
    scratch: &Scratch,
    order: &ExportOrder,
    written: WrittenPackage,
    fingerprint: String,
) -> Result<Option<Outcome>, Error> {
    let origin = order.package.id;
    let outcome = Outcome::Written {
        bytes: written.size_bytes,
        files: written.files,
    };
    let stored = app
        .blobs
        .put_file(&BlobKey::of_archive(origin), &scratch.0)
        .await;
    match stored {
        Ok(()) => {}
        Err(error) if job.is_last_attempt() => {
            tracing::error!(job = %job.id, %error, "a package could not be stored");
            let message = "The package could not be stored.";
            give_up(app, job, order, "export_failed", message).await?;
            return Ok(None);
        }
        Err(error) => return Err(Error::Unavailable(error.into())),
    }
    let file = ScormFile {
        origin,
        fingerprint: Some(fingerprint.clone()),
        size_bytes: written.size_bytes,
        sha256: written.sha256,
        content_hash: written.content_hash,
        warnings: warnings(&order.package, written.warnings),
    };
    let workspace = job.workspace_id;
    claimed::settle(app, job, move |tx, ctx| {
        let Some(package) = pending(tx, workspace, origin)? else {
            // It was deleted meanwhile.
            return queue::enqueue(tx, ctx, Job::RemoveArchive { origin });
        };
        // Another process may have been faster with the same content.
        let faster = archive_of(tx, workspace, &fingerprint)?;
        if faster.is_some() {
            queue::enqueue(tx, ctx, Job::RemoveArchive { origin })?;
        }
        finish(tx, ctx, package, faster.unwrap_or_else(|| file.clone()))
    })
    .await?;
    Ok(Some(outcome))
}

/// What the writer cannot know, and then what it says.
fn warnings(package: &ScormPackage, of_the_writer: Vec<String>) -> Vec<String> {
    let mut warnings = Vec::new();
    if package.launch.connected && package.runtime_base_url.is_mixed_content() {
        let url = package.runtime_base_url.as_str();
        warnings.push(format!(
            "The service at {url} is called by plain http: browsers block that inside an LMS that is reached by https."
        ));
    }
    warnings.extend(of_the_writer);
    warnings
}

/// The archive of a fingerprint, as one that is ready has it.
fn archive_of(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    fingerprint: &str,
) -> Result<Option<ScormFile>, Error> {
    let found = tx
        .scorm_packages()
        .with_fingerprint(workspace, fingerprint)?;
    Ok(found.and_then(|package| match package.state {
        ScormState::Ready(file) => Some(file),
        ScormState::Pending { .. } | ScormState::Error { .. } | ScormState::Revoked(_) => None,
    }))
}

fn finish(
    tx: &mut dyn Tx,
    ctx: &Context,
    mut package: ScormPackage,
    file: ScormFile,
) -> Result<(), Error> {
    package.finish(file, ctx.now)?;
    tx.scorm_packages().update(&package)?;
    tell(tx, ctx, EventType::ScormReady, &package)
}

/// Ends it in an error that another attempt would meet, too.
async fn give_up(
    app: &App,
    job: &Claimed,
    order: &ExportOrder,
    code: &str,
    message: &str,
) -> Result<(), Error> {
    job.note_end(AttemptEnd::GivenUp);
    fail(app, job, order.package.id, code, message).await
}

pub async fn fail(
    app: &App,
    job: &Claimed,
    package: ScormPackageId,
    code: &str,
    message: &str,
) -> Result<(), Error> {
    app.exports.count(Outcome::Failed, Duration::ZERO);
    let (workspace, code, message) = (job.workspace_id, code.to_owned(), message.to_owned());
    claimed::settle(app, job, move |tx, ctx| {
        let Some(mut package) = pending(tx, workspace, package)? else {
            return Ok(());
        };
        package.fail(&code, &message, ctx.now)?;
        tx.scorm_packages().update(&package)?;
        tell(tx, ctx, EventType::ScormFailed, &package)
    })
    .await
}

fn tell(
    tx: &mut dyn Tx,
    ctx: &Context,
    kind: EventType,
    package: &ScormPackage,
) -> Result<(), Error> {
    events::record(tx, ctx, kind, &scorm::view(ctx, package))
}

fn pending(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    id: ScormPackageId,
) -> Result<Option<ScormPackage>, Error> {
    let package = tx.scorm_packages().find(workspace, id)?;
    Ok(package.filter(|package| matches!(package.state, ScormState::Pending { .. })))
}

/// The package and its course as it stands now, read in one snapshot of the database.
fn prepare(
    tx: &mut dyn Tx,
    workspace: WorkspaceId,
    package: ScormPackageId,
    settings: &Settings,
) -> Result<Option<ExportOrder>, Error> {
    let Some(package) = pending(tx, workspace, package)? else {
        return Ok(None);
    };
    let snapshot = snapshot_for(tx, &package, settings)?;
    Ok(snapshot.map(|snapshot| ExportOrder { package, snapshot }))
}
