//! What learners did with a thing.

use lyceum_domain::ids::WorkspaceId;
use lyceum_domain::running::in_use::{Subject, Uses};

use crate::error::StoreError;

/// Where what learners did is counted.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait InUseRepository {
    /// What is below the subject, by kind; of each kind no more than `most` are counted.
    ///
    /// Whoever deletes the subject in the same transaction deletes no more than was counted: what others add meanwhile
    /// makes the transaction run again from its start.
    fn uses(
        &mut self,
        workspace: WorkspaceId,
        subject: Subject,
        most: u32,
    ) -> Result<Uses, StoreError>;
}
