//! The addresses by which a package is downloaded and looked at without a key: signed, and for an hour.

use std::time::Duration;

use lyceum_domain::ids::ScormPackageId;

use crate::prelude::*;
use crate::{Door, Settings, signed_address};

/// How long an address works.
const LIFETIME: Duration = Duration::from_hours(1);

/// Where a package can be downloaded.
pub fn download(settings: &Settings, id: ScormPackageId, now: Timestamp) -> String {
    let expires = now.plus(LIFETIME).unix_seconds();
    let signature = signed_address::sign(settings, &download_statement(id, expires));
    let door = Door::PackageDownload(id);
    settings.addresses.signed(door, expires, &signature)
}

/// Where a package can be looked at.
pub fn preview(settings: &Settings, id: ScormPackageId, now: Timestamp) -> String {
    let (expires, signature) = sign_preview(settings, id, now);
    let door = Door::PackagePreview(id);
    settings.addresses.signed(door, expires, &signature)
}

/// When a look ends that begins now, and its signature.
pub fn sign_preview(settings: &Settings, id: ScormPackageId, now: Timestamp) -> (i64, String) {
    let expires = now.plus(LIFETIME).unix_seconds();
    let signature = signed_address::sign(settings, &preview_statement(id, expires));
    (expires, signature)
}

/// Checks what stands in the address of a download.
///
/// # Errors
/// [`Forbidden::Link`](crate::error::Forbidden::Link) if the signature is not ours or too old.
pub fn check_download(
    settings: &Settings,
    id: ScormPackageId,
    expires: i64,
    signature: &str,
    now: Timestamp,
) -> Result<(), Error> {
    let statement = download_statement(id, expires);
    signed_address::check(settings, &statement, signature, expires, now)
}

/// Checks what stands in the address of a look.
///
/// # Errors
/// [`Forbidden::Link`](crate::error::Forbidden::Link) if the signature is not ours or too old.
pub fn check_preview(
    settings: &Settings,
    id: ScormPackageId,
    expires: i64,
    signature: &str,
    now: Timestamp,
) -> Result<(), Error> {
    let statement = preview_statement(id, expires);
    signed_address::check(settings, &statement, signature, expires, now)
}

fn download_statement(id: ScormPackageId, expires: i64) -> String {
    format!("{id}\n{expires}")
}

/// Other than a download's: neither opens what the other does.
fn preview_statement(id: ScormPackageId, expires: i64) -> String {
    format!("preview\n{id}\n{expires}")
}
