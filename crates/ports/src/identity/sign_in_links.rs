//! Links that let people in.

use lyceum_domain::Timestamp;
use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::identity::sign_in_links::SignInLink;
use lyceum_domain::ids::{UserId, WorkspaceId};

use crate::error::StoreError;

/// Where links are kept that let people in.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait SignInLinkRepository {
    /// Adds a new one.
    fn insert(&mut self, link: &SignInLink) -> Result<(), StoreError>;
    /// The one with this hash, unless it was used or has expired.
    fn find(&mut self, hash: &SecretHash, now: Timestamp)
    -> Result<Option<SignInLink>, StoreError>;
    /// Uses it up: of any number of calls exactly one is told so, and none after it expired.
    fn redeem(&mut self, hash: &SecretHash, now: Timestamp) -> Result<bool, StoreError>;
    /// The newest invitation of each of these members that has one, used or over or not.
    fn invitations(
        &mut self,
        workspace: WorkspaceId,
        members: &[UserId],
    ) -> Result<Vec<SignInLink>, StoreError>;
    /// Ends every invitation of a member that still works.
    fn end_invitations(
        &mut self,
        workspace: WorkspaceId,
        member: UserId,
        at: Timestamp,
    ) -> Result<(), StoreError>;
    /// Ends those of them that were shown, and not sent by mail: somebody else may have them.
    fn end_shown_invitations(
        &mut self,
        workspace: WorkspaceId,
        member: UserId,
        at: Timestamp,
    ) -> Result<(), StoreError>;
    /// Removes up to `limit` that expired before `oldest`, used or not, invitations a month after that; how many those were.
    fn forget_expired(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError>;
}
