//! Learners of SCORM packages.

use lyceum_domain::Timestamp;
use lyceum_domain::keys::SecretHash;
use lyceum_domain::scorm::{ScormPackage, ScormPackageId};
use lyceum_domain::scorm_learners::{LearnerIdentity, ScormLearner, ScormLearnerId};
use lyceum_domain::users::PersonId;
use lyceum_domain::workspaces::WorkspaceId;

use crate::error::StoreError;

/// Where the learners of packages are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait ScormLearnerRepository {
    /// Adds one who was looked for in vain. If another transaction was faster to add the first of this identity,
    /// this one is run again.
    fn insert(&mut self, learner: &ScormLearner) -> Result<(), StoreError>;
    /// The one of this identity at this package who has this proof.
    fn with_proof(
        &mut self,
        workspace: WorkspaceId,
        package: ScormPackageId,
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
    /// Whether anybody of this identity came to this package.
    fn is_known(
        &mut self,
        workspace: WorkspaceId,
        package: ScormPackageId,
        identity: &LearnerIdentity,
    ) -> Result<bool, StoreError>;
    /// How many came to this package.
    fn count(&mut self, workspace: WorkspaceId, package: ScormPackageId)
    -> Result<u64, StoreError>;
    /// Notes that one came again.
    fn note_launch(
        &mut self,
        workspace: WorkspaceId,
        id: ScormLearnerId,
        nonce: &SecretHash,
        at: Timestamp,
    ) -> Result<(), StoreError>;
    /// The package that somebody came with, if they are a learner of one that is still there.
    fn package_of(
        &mut self,
        workspace: WorkspaceId,
        person: PersonId,
    ) -> Result<Option<ScormPackage>, StoreError>;
}
