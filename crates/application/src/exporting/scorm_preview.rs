//! Looking at a SCORM package before it is uploaded anywhere: its files, straight out of the archive.

use std::ops::Range;

use lyceum_domain::exporting::scorm::{ScormPackage, ScormVersion};
use lyceum_domain::identity::scopes::Scope;
use lyceum_domain::ids::ScormPackageId;
use lyceum_ports::blobs::{BlobError, ByteStream};
use lyceum_ports::exporting::scorm_preview::StoredPackage;

use crate::Settings;
use crate::app::App;
use crate::exporting::scorm;
use crate::exporting::scorm_addresses;
use crate::prelude::*;
use crate::running::files::{self, KeptFile};

/// The file that would let learners in at the live service: in a preview nobody is let in.
const SERVICE: &str = "content/service.js";
/// What the player reads instead.
const NO_SERVICE: &str = "lyceumRegister(\"service\",\"service\",null);\n";

/// A package that is looked at.
#[derive(Debug, Clone)]
pub struct Preview {
    /// Which it is.
    pub id: ScormPackageId,
    /// Which SCORM it speaks.
    pub version: ScormVersion,
    /// What a teacher should know before uploading.
    pub warnings: Vec<String>,
    /// Opens its files for a while, as a part of their addresses.
    pub ticket: String,
    /// The archive.
    pub stored: StoredPackage,
    /// The same, for whoever finds it damaged.
    pub kept: KeptFile,
}

/// The package behind a signed address.
///
/// # Errors
/// [`Forbidden::Link`] if the signature is not ours or too old, [`Error::NotFound`] if the package is not ready.
pub fn signed(
    tx: &mut dyn Tx,
    settings: &Settings,
    id: ScormPackageId,
    expires: i64,
    signature: &str,
    now: Timestamp,
) -> Result<Preview, Error> {
    scorm_addresses::check_preview(settings, id, expires, signature, now)?;
    let package = found(tx.scorm_packages().find_signed(id)?, "scorm_package")?;
    preview(tx, &package, format!("{expires}-{signature}"))
}

/// The package behind a ticket.
///
/// # Errors
/// Those of [`signed`].
pub fn with_ticket(
    tx: &mut dyn Tx,
    settings: &Settings,
    id: ScormPackageId,
    ticket: &str,
    now: Timestamp,
) -> Result<Preview, Error> {
    let cut = || Error::from(Forbidden::Link);
    let (expires, signature) = ticket.split_once('-').ok_or_else(cut)?;
    let expires = expires.parse().map_err(|_| cut())?;
    signed(tx, settings, id, expires, signature, now)
}

/// The package of a caller with a key.
///
/// # Errors
/// [`Error::NotFound`] if it is not there or not ready.
pub fn own(tx: &mut dyn Tx, ctx: &Context, id: ScormPackageId) -> Result<Preview, Error> {
    if !ctx.may(Scope::ReadCourses) {
        return Err(Forbidden::Scope(Scope::ReadCourses).into());
    }
    let (expires, signature) = scorm_addresses::sign_preview(&ctx.settings, id, ctx.now);
    let package = scorm::find(tx, ctx, id)?;
    preview(tx, &package, format!("{expires}-{signature}"))
}

fn preview(tx: &mut dyn Tx, package: &ScormPackage, ticket: String) -> Result<Preview, Error> {
    let download = scorm::download(tx, package)?;
    Ok(Preview {
        id: package.id,
        version: package.version,
        warnings: download.file.warnings,
        ticket,
        stored: StoredPackage {
            key: download.kept.key.clone(),
            sha256: download.file.sha256,
        },
        kept: download.kept,
    })
}

/// A file of a package that is looked at.
pub enum PreviewFile {
    /// What is shown instead of the archive's own.
    Instead(&'static str),
    /// A file of the archive, of so many bytes.
    Stored(u64),
}

/// The file of this name.
///
/// # Errors
/// [`Error::NotFound`] if the archive has none.
pub async fn file(app: &App, preview: &Preview, name: &str) -> Result<PreviewFile, Error> {
    if name == SERVICE {
        return Ok(PreviewFile::Instead(NO_SERVICE));
    }
    let size = app.package_files.size(&preview.stored, name).await;
    let size = match size {
        Ok(size) => size.ok_or(Error::NotFound("file"))?,
        Err(error) => return Err(failed(app, preview, error).await),
    };
    Ok(PreviewFile::Stored(size))
}

/// A part of a file of the archive (bytes, end exclusive).
///
/// # Errors
/// Those of file storage.
pub async fn read(
    app: &App,
    preview: &Preview,
    name: &str,
    range: Range<u64>,
) -> Result<ByteStream, Error> {
    let read = app.package_files.read(&preview.stored, name, range).await;
    match read {
        Ok(bytes) => Ok(bytes),
        Err(error) => Err(failed(app, preview, error).await),
    }
}

async fn failed(app: &App, preview: &Preview, error: BlobError) -> Error {
    if matches!(error, BlobError::NotFound | BlobError::Damaged)
        && let Err(error) = files::is_whole(app, &preview.kept).await
    {
        return error;
    }
    error.into()
}
