//! SCORM packages.

use lyceum_domain::exporting::scorm::ScormPackage;
use lyceum_domain::ids::{CohortId, ScormPackageId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which packages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScormPackageFilter {
    /// In this state: `pending`, `ready`, `error` or `revoked`.
    pub status: Option<String>,
    /// Of this cohort.
    pub cohort_id: Option<CohortId>,
}

/// Where SCORM packages are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait ScormPackageRepository {
    /// Adds a new one.
    fn insert(&mut self, package: &ScormPackage) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: ScormPackageId,
    ) -> Result<Option<ScormPackage>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it. If another transaction
    /// was faster to store the archive of this fingerprint, this one is run again, to find it.
    fn update(&mut self, package: &ScormPackage) -> Result<(), StoreError>;
    /// Removes it and everything below it; whether it was there.
    fn delete(&mut self, workspace: WorkspaceId, id: ScormPackageId) -> Result<bool, StoreError>;
    /// A page of those that match.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &ScormPackageFilter,
        page: &PageRequest,
    ) -> Result<Page<ScormPackage>, StoreError>;
    /// One that is ready and whose archive has this fingerprint: the oldest.
    fn with_fingerprint(
        &mut self,
        workspace: WorkspaceId,
        fingerprint: &str,
    ) -> Result<Option<ScormPackage>, StoreError>;
    /// Those that are ready and share the archive of `origin`, in the order in which they were asked for.
    fn sharing(
        &mut self,
        workspace: WorkspaceId,
        origin: ScormPackageId,
    ) -> Result<Vec<ScormPackage>, StoreError>;
    /// One that is ready and shares the archive of `origin`, in whatever workspace: for learners inside it, whose
    /// launch or session key is the permission.
    fn open(&mut self, origin: ScormPackageId) -> Result<Option<ScormPackage>, StoreError>;
    /// The origins of the archives of a cohort's packages, each once.
    fn origins_of_cohort(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
    ) -> Result<Vec<ScormPackageId>, StoreError>;
    /// The one with this id in whatever workspace: for downloads, whose signature is the permission.
    fn find_signed(&mut self, id: ScormPackageId) -> Result<Option<ScormPackage>, StoreError>;
}
