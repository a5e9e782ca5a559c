//! Connections to identity providers, who is on the way to one, and who came back.

use lyceum_domain::Timestamp;
use lyceum_domain::identity::keys::SecretHash;
use lyceum_domain::identity::sso_connections::{AssignedDomain, EmailDomain, SsoConnection};
use lyceum_domain::identity::sso_sign_in::{SsoIdentity, SsoSession, SsoSignIn};
use lyceum_domain::ids::{PersonId, SsoConnectionId, WorkspaceId};

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Where all of that is kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait SsoRepository {
    /// Adds a new connection.
    fn insert(&mut self, connection: &SsoConnection) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: SsoConnectionId,
    ) -> Result<Option<SsoConnection>, StoreError>;
    /// The one with this id, in whatever workspace.
    fn anywhere(&mut self, id: SsoConnectionId) -> Result<Option<SsoConnection>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, connection: &SsoConnection) -> Result<(), StoreError>;
    /// Removes it with its links and what it knows of sessions; its domains stay the workspace's.
    fn delete(&mut self, workspace: WorkspaceId, id: SsoConnectionId) -> Result<bool, StoreError>;
    /// A page of the workspace's, newest first.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        page: &PageRequest,
    ) -> Result<Page<SsoConnection>, StoreError>;
    /// Makes every other transaction that holds or changes it wait for the end of this one, and then begin anew: so nobody comes in
    /// by what is being switched off.
    fn hold(&mut self, workspace: WorkspaceId, id: SsoConnectionId) -> Result<(), StoreError>;
    /// Notes that somebody came in by it; changes nothing else about it.
    fn note_use(
        &mut self,
        workspace: WorkspaceId,
        id: SsoConnectionId,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Gives a domain to a workspace; [`StoreError::Taken`] (`domain`) if it is one's already.
    fn assign_domain(&mut self, domain: &AssignedDomain) -> Result<(), StoreError>;
    /// Takes it back; whether it was anybody's.
    fn unassign_domain(&mut self, domain: &EmailDomain) -> Result<bool, StoreError>;
    /// Whose it is, if it is anybody's.
    fn domain(&mut self, domain: &EmailDomain) -> Result<Option<AssignedDomain>, StoreError>;
    /// Whether any domain is connected to a provider: whether people sign in by one here at all.
    fn is_offered(&mut self) -> Result<bool, StoreError>;
    /// Those of a workspace, or all.
    fn domains(
        &mut self,
        workspace: Option<WorkspaceId>,
    ) -> Result<Vec<AssignedDomain>, StoreError>;
    /// Has those who have such an address sign in by this connection, or by none.
    fn connect_domain(
        &mut self,
        domain: &EmailDomain,
        connection: Option<SsoConnectionId>,
    ) -> Result<(), StoreError>;

    /// Adds somebody who goes to a provider.
    fn begin(&mut self, sign_in: &SsoSignIn) -> Result<(), StoreError>;
    /// Whoever went with this state and may still be back.
    fn waiting(
        &mut self,
        hash: &SecretHash,
        now: Timestamp,
    ) -> Result<Option<SsoSignIn>, StoreError>;
    /// Uses it up: of any number of calls exactly one is told so.
    fn take(&mut self, hash: &SecretHash) -> Result<bool, StoreError>;
    /// Removes up to `limit` that expired before `oldest`; how many those were.
    fn forget_expired(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError>;

    /// Whom a provider calls so.
    fn identity(
        &mut self,
        workspace: WorkspaceId,
        connection: SsoConnectionId,
        subject: &str,
    ) -> Result<Option<SsoIdentity>, StoreError>;
    /// Links somebody.
    fn link(&mut self, identity: &SsoIdentity) -> Result<(), StoreError>;
    /// Notes how a session began.
    fn note_session(&mut self, session: &SsoSession) -> Result<(), StoreError>;
    /// Sessions that began by the connection: all, of this person, or with this word of the provider's for its own.
    fn sessions(
        &mut self,
        workspace: WorkspaceId,
        connection: SsoConnectionId,
        of: &SessionsOf,
    ) -> Result<Vec<SsoSession>, StoreError>;
    /// Whether the person has a passkey of their own, or ever had a key or a session that is still known.
    fn has_own_keys(&mut self, person: PersonId) -> Result<bool, StoreError>;
}

/// Which sessions of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionsOf {
    /// Every one.
    Everybody,
    /// Of whom the provider calls so.
    Subject(String),
    /// With this word of the provider's for its own session.
    Sid(String),
}
