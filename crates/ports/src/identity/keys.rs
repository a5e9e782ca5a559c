//! API keys.

use lyceum_domain::Timestamp;
use lyceum_domain::identity::addresses::Network;
use lyceum_domain::identity::keys::{ApiKey, KeyLookup};
use lyceum_domain::ids::{ApiKeyId, PersonId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Where API keys are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait KeyRepository {
    /// Adds a new one.
    fn insert(&mut self, key: &ApiKey) -> Result<(), StoreError>;
    /// The one with this id, whoever owns it.
    fn find(&mut self, id: ApiKeyId) -> Result<Option<ApiKey>, StoreError>;
    /// The one with this public first segment, whoever owns it.
    fn with_lookup(&mut self, lookup: &KeyLookup) -> Result<Option<ApiKey>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, key: &ApiKey) -> Result<(), StoreError>;
    /// Removes it and the session keys it handed out; whether it was there.
    fn delete(&mut self, id: ApiKeyId) -> Result<bool, StoreError>;
    /// A page of the person's standard keys, newest first; of those alone that were made for them on this platform, if one
    /// is named.
    fn page(
        &mut self,
        person: PersonId,
        only_of: Option<WorkspaceId>,
        page: &PageRequest,
    ) -> Result<Page<ApiKey>, StoreError>;
    /// Notes that the key was used, and from where if that is to be noted, unless that is noted of a moment after
    /// `unless_after`; changes nothing else about it.
    fn note_use(
        &mut self,
        id: ApiKeyId,
        at: Timestamp,
        from: Option<Network>,
        unless_after: Timestamp,
    ) -> Result<(), StoreError>;
    /// Puts off the end of a session in a browser, unless it has ended; changes nothing else about it.
    fn renew(&mut self, id: ApiKeyId, now: Timestamp, ends: Timestamp) -> Result<(), StoreError>;
    /// A page of the person's sessions in browsers that live, newest first.
    fn web_sessions(
        &mut self,
        person: PersonId,
        only_of: Option<WorkspaceId>,
        now: Timestamp,
        page: &PageRequest,
    ) -> Result<Page<ApiKey>, StoreError>;
    /// A page of the person's sessions in browsers that live and of which this workspace was told when they began, newest first.
    fn web_sessions_told_to(
        &mut self,
        workspace: WorkspaceId,
        person: PersonId,
        now: Timestamp,
        page: &PageRequest,
    ) -> Result<Page<ApiKey>, StoreError>;
    /// Removes up to `limit` session keys and sessions in browsers that expired before `oldest`; how many those were.
    fn forget_sessions(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError>;
    /// Ends the person's session keys on this platform that still live, but the `kept` newest.
    fn end_oldest_sessions(
        &mut self,
        workspace: WorkspaceId,
        person: PersonId,
        kept: u16,
        at: Timestamp,
    ) -> Result<(), StoreError>;
    /// Ends every key that was made for the person on this platform, and every session of a browser that opens it alone.
    fn end_member_keys(
        &mut self,
        workspace: WorkspaceId,
        person: PersonId,
        at: Timestamp,
    ) -> Result<(), StoreError>;
    /// Ends every session of a browser that opens this platform alone for the person.
    fn end_bound_sessions(
        &mut self,
        workspace: WorkspaceId,
        person: PersonId,
        at: Timestamp,
    ) -> Result<(), StoreError>;
    /// Ends every session key of the person on this platform.
    fn end_sessions(
        &mut self,
        workspace: WorkspaceId,
        person: PersonId,
        at: Timestamp,
    ) -> Result<(), StoreError>;
}
