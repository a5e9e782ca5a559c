//! Learners of SCORM packages.

use lyceum_domain::Timestamp;
use lyceum_domain::exporting::scorm_learners::{LearnerIdentity, LearnerTrust, Lms, ScormLearner};
use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::ids::{CohortId, ScormLearnerId, ScormPackageId, UserId, WorkspaceId};
use lyceum_domain::text::Name;

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which learners of a package.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScormLearnerFilter {
    /// Of whom this much is known.
    pub identity: Option<LearnerTrust>,
    /// Who came from here.
    pub origin: Option<String>,
}

/// A learner as a teacher sees them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownLearner {
    /// The learner.
    pub learner: ScormLearner,
    /// What they are called here, if anything.
    pub name: Option<Name>,
    /// When one of their sessions was last used, to the minute; absent while none was.
    pub used_at: Option<Timestamp>,
}

/// Where the learners of packages are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait ScormLearnerRepository {
    /// Adds one who was looked for in vain. If another transaction was faster to add the first of this identity, or
    /// this user at this package, this one is run again.
    fn insert(&mut self, learner: &ScormLearner) -> Result<(), StoreError>;
    /// The one of this identity in this cohort who has this proof, where they came last.
    fn with_proof(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
        identity: &LearnerIdentity,
        proof: &SecretHash,
    ) -> Result<Option<ScormLearner>, StoreError>;
    /// The one of this identity at this package whose last launch had this nonce.
    fn with_nonce(
        &mut self,
        workspace: WorkspaceId,
        package: ScormPackageId,
        identity: &LearnerIdentity,
        nonce: &SecretHash,
    ) -> Result<Option<ScormLearner>, StoreError>;
    /// This user at this package.
    fn at(
        &mut self,
        workspace: WorkspaceId,
        package: ScormPackageId,
        user: UserId,
    ) -> Result<Option<ScormLearner>, StoreError>;
    /// Whether anybody of this identity came to a package of this cohort.
    fn is_known(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
        identity: &LearnerIdentity,
    ) -> Result<bool, StoreError>;
    /// How many came to this package.
    fn count(&mut self, workspace: WorkspaceId, package: ScormPackageId)
    -> Result<u64, StoreError>;
    /// Notes that one came again, from where.
    fn note_launch(
        &mut self,
        workspace: WorkspaceId,
        id: ScormLearnerId,
        nonce: &SecretHash,
        lms: &Lms,
        at: Timestamp,
    ) -> Result<(), StoreError>;
    /// A page of those who came to this package, the newest first.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        package: ScormPackageId,
        filter: &ScormLearnerFilter,
        page: &PageRequest,
    ) -> Result<Page<KnownLearner>, StoreError>;
}
