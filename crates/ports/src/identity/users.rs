//! People and their memberships.

use lyceum_domain::identity::invitations::{Invitation, InvitationStatus};
use lyceum_domain::identity::users::{Person, Role, User, UserKind};
use lyceum_domain::identity::workspaces::Workspace;
use lyceum_domain::ids::{InvitationId, PersonId, UserId, WorkspaceId};
use lyceum_domain::text::Email;

use crate::error::StoreError;
use crate::page::{Page, PageRequest};

/// Which users.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UserFilter {
    /// In this role.
    pub role: Option<Role>,
    /// People, or programs.
    pub kind: Option<UserKind>,
    /// With this address.
    pub email: Option<Email>,
    /// Whose person accepted, or has not.
    pub accepted: Option<bool>,
}

/// Where people and their memberships are kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait UserRepository {
    /// Adds a new one.
    fn insert(&mut self, user: &User) -> Result<(), StoreError>;
    /// The one with this id, if it is in this workspace.
    fn find(&mut self, workspace: WorkspaceId, id: UserId) -> Result<Option<User>, StoreError>;
    /// Stores a changed one; [`StoreError::Stale`] unless storage holds the version before it.
    fn update(&mut self, user: &User) -> Result<(), StoreError>;
    /// Removes it and everything below it; whether it was there.
    fn delete(&mut self, workspace: WorkspaceId, id: UserId) -> Result<bool, StoreError>;
    /// A page of those that match.
    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &UserFilter,
        page: &PageRequest,
    ) -> Result<Page<User>, StoreError>;
    /// All of them, oldest first, as long as they are no more than `most`; of more than these the first.
    fn all(&mut self, workspace: WorkspaceId, most: u16) -> Result<Vec<User>, StoreError>;
    /// The membership in this workspace of whoever has this address. Asks nothing of people elsewhere, so that it takes
    /// the same whether somebody is known there or nowhere.
    fn with_email(
        &mut self,
        workspace: WorkspaceId,
        email: &Email,
    ) -> Result<Option<User>, StoreError>;
    /// Whoever has this person's address: the person, unless somebody had it before. Does the same either way, so that
    /// nobody can tell from the time it takes who is known in other workspaces.
    fn known_or_new(&mut self, person: &Person) -> Result<Person, StoreError>;
    /// Adds a person; [`StoreError::Taken`] (`email`) if the address is known.
    fn insert_person(&mut self, person: &Person) -> Result<(), StoreError>;
    /// The person with this address, in whatever workspaces.
    fn find_person(&mut self, email: &Email) -> Result<Option<Person>, StoreError>;
    /// The person with this id.
    fn person(&mut self, id: PersonId) -> Result<Option<Person>, StoreError>;
    /// Every workspace that the person belongs to of their own will, oldest membership first.
    fn memberships(&mut self, person: PersonId) -> Result<Vec<(User, Workspace)>, StoreError>;
    /// What the person is in this workspace, whatever they said to it.
    fn membership(
        &mut self,
        workspace: WorkspaceId,
        person: PersonId,
    ) -> Result<Option<(User, Workspace)>, StoreError>;
    /// A page of the person's invitations to which they said this, newest first.
    fn invitations(
        &mut self,
        person: PersonId,
        status: InvitationStatus,
        page: &PageRequest,
    ) -> Result<Page<Invitation>, StoreError>;
    /// The invitation with this id, if it is the person's.
    fn invitation(
        &mut self,
        person: PersonId,
        id: InvitationId,
    ) -> Result<Option<Invitation>, StoreError>;
    /// Those with these ids that are in this workspace, in any order.
    fn with_ids(&mut self, workspace: WorkspaceId, ids: &[UserId])
    -> Result<Vec<User>, StoreError>;
}
