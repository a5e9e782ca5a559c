//! Replies remembered by idempotency key.

use lyceum_domain::Timestamp;
use lyceum_domain::ids::{PersonId, WorkspaceId};

use crate::error::StoreError;

/// Who sent a key, and where: the same key of another person or in another workspace is another key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ReplyKey {
    /// Whose request.
    pub person_id: PersonId,
    /// In which workspace; `None` on account-level requests.
    pub workspace_id: Option<WorkspaceId>,
    /// The key: 1 to 255 visible ASCII characters.
    pub key: String,
}

/// A remembered reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RememberedReply {
    /// SHA-256 of method, path, query and canonical body, lower-case hex.
    pub fingerprint: String,
    /// The reply, as whoever remembers it writes it; encrypted at rest, because it may hold a secret.
    pub reply: String,
    /// When it was remembered.
    pub created_at: Timestamp,
}

/// Where replies are remembered.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait IdempotencyRepository {
    /// The reply under this key, if it is not older than `oldest`.
    fn find(
        &mut self,
        key: &ReplyKey,
        oldest: Timestamp,
    ) -> Result<Option<RememberedReply>, StoreError>;
    /// Remembers a reply, in place of one that is too old to count.
    fn remember(&mut self, key: &ReplyKey, reply: &RememberedReply) -> Result<(), StoreError>;
    /// Removes about `limit` replies that were remembered before `oldest`; how many those were.
    fn forget_before(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError>;
}
