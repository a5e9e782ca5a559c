//! One-time login tokens.

use lyceum_domain::Timestamp;
use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::identity::tokens::LoginToken;
use lyceum_domain::ids::{UserId, WorkspaceId};

use crate::error::StoreError;

/// Where one-time login tokens are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait TokenRepository {
    /// Adds a new one.
    fn insert(&mut self, token: &LoginToken) -> Result<(), StoreError>;
    /// Takes back those of the user that nobody has used.
    fn withdraw(&mut self, workspace: WorkspaceId, user: UserId) -> Result<(), StoreError>;
    /// Uses the token up: of any number of calls exactly one gets it, and none after it expired.
    fn redeem(
        &mut self,
        hash: &SecretHash,
        now: Timestamp,
    ) -> Result<Option<LoginToken>, StoreError>;
    /// Removes up to `limit` tokens that expired before `oldest`, used or not; how many those were.
    fn forget_expired(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError>;
}
