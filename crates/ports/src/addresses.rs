//! Where things of this service are reached from outside. Only whoever keeps the routes knows.

use lyceum_domain::ids::{
    ActivityId, LessonId, MediaId, ScormPackageId, SsoConnectionId, WorkspaceId,
};

/// What opens without a key for whoever holds a signed address of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// The archive of a package.
    PackageDownload(ScormPackageId),
    /// A look at a package in the browser.
    PackagePreview(ScormPackageId),
    /// The recording of a podcast.
    Recording(WorkspaceId, ActivityId),
    /// A file of the media library, by its number.
    MediaFile(WorkspaceId, MediaId, usize),
    /// A lesson, played as it is.
    LessonPreview(WorkspaceId, LessonId),
    /// An activity, played as it is.
    ActivityPreview(WorkspaceId, ActivityId),
}

/// What is registered at an identity provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SsoDoor {
    /// Where it sends people back to.
    Callback,
    /// Where it tells of who signed out.
    Logout(SsoConnectionId),
}

/// Spells addresses.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait Addresses: Send + Sync {
    /// The whole address of a door that opens until `expires`, in seconds since 1970.
    fn signed(&self, door: Door, expires: i64, signature: &str) -> String;
    /// The whole address of what a provider is told.
    fn of_sso(&self, door: SsoDoor) -> String;
}
