//! Why storage did not do it: the one error of every repository.

use thiserror::Error;

/// Why storage did not do it.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Something with the same unique value is already there.
    #[error("{field} is already taken")]
    Taken {
        /// The field of the value, such as `email`.
        field: &'static str,
    },
    /// It was changed by somebody else since it was read.
    #[error("it was changed meanwhile")]
    Stale,
    /// What was remembered of the caller is no longer so: whatever was done with it is to be done anew.
    #[error("what was remembered of the caller is no longer so")]
    Outdated,
    /// It names something that is not there in this workspace.
    #[error("it refers to something that does not exist")]
    Dangling,
    /// Storage cannot be reached now; later it may.
    #[error("storage is not available")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// There is no room left to keep anything more; reading goes on.
    #[error("the disk is almost full")]
    DiskFull,
    /// The connection was lost while the commit was under way: it may have been kept, or not.
    #[error("whether it was kept is not known")]
    Unknown(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Storage broke, or holds what it must not hold.
    #[error("storage failed")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}
