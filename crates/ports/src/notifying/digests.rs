//! Who is told by mail what waits, and when next.

use lyceum_domain::Timestamp;
use lyceum_domain::ids::{UserId, WorkspaceId};
use lyceum_domain::notifying::digests::Digest;

use crate::error::StoreError;

/// Where it is kept who gets digests.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait DigestRepository {
    /// That of a member, if they ever asked for it.
    fn find(&mut self, workspace: WorkspaceId, user: UserId) -> Result<Option<Digest>, StoreError>;
    /// Keeps what a member chose, in the place of what they chose before.
    fn put(&mut self, digest: &Digest) -> Result<(), StoreError>;
    /// At most `limit` that are due, of any workspace, the longest waiting first.
    fn due(&mut self, now: Timestamp, limit: u16) -> Result<Vec<Digest>, StoreError>;
    /// Moves one on that was due at `from`; false, and nothing stored, if somebody else did, or its member chose anew meanwhile.
    fn move_on(&mut self, from: Timestamp, to: &Digest) -> Result<bool, StoreError>;
}
