//! What callers do with SCORM packages.

use std::time::Duration;

use lyceum_domain::Timestamp;
use lyceum_domain::events::EventType;
use lyceum_domain::scorm::{NewScormPackage, ScormFile, ScormPackage, ScormPackageId, ScormState};
use lyceum_domain::{Stamp, scopes::Scope};
use lyceum_ports::blobs::BlobKey;
use lyceum_ports::jobs::JobKind;
use lyceum_ports::page::{Page, PageRequest};
use lyceum_ports::store::Tx;
use lyceum_wire::scorm::ScormPackageView;
use serde_json::json;

pub use lyceum_ports::scorm_packages::ScormPackageFilter;

use crate::context::Context;
use crate::error::{Error, Forbidden};
use crate::lookup::{found, referenced};
use crate::{Settings, events, queue, scorm_preview, signed_address};

/// How long a download address works.
const DOWNLOAD_LIFETIME: Duration = Duration::from_hours(1);

/// Asks for a package of a cohort's course as it stands now.
///
/// # Errors
/// [`Error::Reference`] if there is no such cohort.
pub fn create(
    tx: &mut dyn Tx,
    ctx: &Context,
    new: NewScormPackage,
) -> Result<ScormPackageView, Error> {
    let cohort = tx.cohorts().find(ctx.workspace_id(), new.cohort_id)?;
    let cohort = referenced(cohort, "cohort_id", "cohort")?;
    let package = ScormPackage {
        workspace_id: ctx.workspace_id(),
        id: ctx.mint(),
        cohort_id: cohort.id,
        course_id: cohort.course_id,
        version: new.version,
        runtime_base_url: new
            .runtime_base_url
            .unwrap_or_else(|| ctx.settings.public_url.clone()),
        state: ScormState::Pending {
            estimated_ready_at: queue::ready_at(tx, ctx, JobKind::ExportScorm)?,
        },
        stamp: Stamp::new(ctx.now),
    };
    tx.scorm_packages().insert(&package)?;
    queue::enqueue(
        tx,
        ctx,
        JobKind::ExportScorm,
        package.id.to_string(),
        json!({}),
    )?;
    Ok(view(ctx, &package))
}

/// Shows one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn retrieve(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: ScormPackageId,
) -> Result<ScormPackageView, Error> {
    Ok(view(ctx, &find(tx, ctx, id)?))
}

/// Shows a page of them.
///
/// # Errors
/// Those of storage.
pub fn list(
    tx: &mut dyn Tx,
    ctx: &Context,
    filter: &ScormPackageFilter,
    page: &PageRequest,
) -> Result<Page<ScormPackageView>, Error> {
    let found = tx.scorm_packages().page(ctx.workspace_id(), filter, page)?;
    Ok(found.map(|package| view(ctx, &package)))
}

/// Deletes one.
///
/// # Errors
/// [`Error::NotFound`]
pub fn delete(tx: &mut dyn Tx, ctx: &Context, id: ScormPackageId) -> Result<ScormPackageId, Error> {
    find(tx, ctx, id)?;
    tx.scorm_packages().delete(ctx.workspace_id(), id)?;
    Ok(id)
}

/// ready → revoked
///
/// # Errors
/// [`Error::NotFound`], [`crate::error::Conflict::Transition`]
pub fn revoke(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: ScormPackageId,
) -> Result<ScormPackageView, Error> {
    let mut package = find(tx, ctx, id)?;
    package.revoke(ctx.now)?;
    tx.scorm_packages().update(&package)?;
    let view = view(ctx, &package);
    events::record(tx, ctx, EventType::ScormRevoked, &view)?;
    Ok(view)
}

pub(crate) fn find(
    tx: &mut dyn Tx,
    ctx: &Context,
    id: ScormPackageId,
) -> Result<ScormPackage, Error> {
    found(
        tx.scorm_packages().find(ctx.workspace_id(), id)?,
        "scorm_package",
    )
}

/// Shows a package; a ready one with the addresses to download it from and to look at it.
pub fn view(ctx: &Context, package: &ScormPackage) -> ScormPackageView {
    let url = |of: fn(&Settings, ScormPackageId, Timestamp) -> String| {
        package
            .is_ready()
            .then(|| of(&ctx.settings, package.id, ctx.now))
    };
    ScormPackageView {
        preview_url: url(scorm_preview::address),
        ..ScormPackageView::new(package, url(download_url))
    }
}

/// A package that may be downloaded.
#[derive(Debug, Clone)]
pub struct Download {
    /// Where it is stored.
    pub key: BlobKey,
    /// Its name for whoever saves it: ASCII.
    pub file_name: String,
    /// Size and hash.
    pub file: ScormFile,
}

/// The package behind a signed address.
///
/// # Errors
/// [`Error::NotFound`] if the signature is not ours, too old, or the package is not ready.
pub fn signed_download(
    tx: &mut dyn Tx,
    settings: &Settings,
    id: ScormPackageId,
    expires: i64,
    signature: &str,
    now: Timestamp,
) -> Result<Download, Error> {
    let signed = || signed_address::is_signed(settings, &format!("{id}\n{expires}"), signature);
    if expires < now.unix_seconds() || !signed() {
        return Err(Error::NotFound("scorm_package"));
    }
    let package = found(tx.scorm_packages().find_signed(id)?, "scorm_package")?;
    download(&package)
}

/// The package of a caller with a key.
///
/// # Errors
/// [`Error::NotFound`] if it is not there or not ready.
pub fn own_download(tx: &mut dyn Tx, ctx: &Context, id: ScormPackageId) -> Result<Download, Error> {
    if !ctx.may(Scope::ReadCourses) {
        return Err(Forbidden::Scope(Scope::ReadCourses).into());
    }
    download(&find(tx, ctx, id)?)
}

pub(crate) fn download(package: &ScormPackage) -> Result<Download, Error> {
    let ScormState::Ready(file) = &package.state else {
        return Err(Error::NotFound("scorm_package"));
    };
    let edition = package.version.as_str().replace('.', "");
    let file_name = format!("{}-scorm{edition}.zip", package.cohort_id);
    Ok(Download {
        key: blob_key(package.id)?,
        file_name,
        file: file.clone(),
    })
}

/// Where a package is stored.
///
/// # Errors
/// Never for an id of ours.
pub fn blob_key(id: ScormPackageId) -> Result<BlobKey, Error> {
    BlobKey::parse(&format!("scorm/{id}.zip")).map_err(|error| Error::Internal(error.into()))
}

fn download_url(settings: &Settings, id: ScormPackageId, now: Timestamp) -> String {
    let expires = now.plus(DOWNLOAD_LIFETIME).unix_seconds();
    let signature = signed_address::sign(settings, &format!("{id}\n{expires}"));
    let base = settings.public_url.as_str();
    format!("{base}/v1/scorm/{id}/download?expires={expires}&signature={signature}")
}
