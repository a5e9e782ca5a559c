//! People, and what they are in a workspace.
//!
//! A person is global and has one e-mail address. A user is that person's membership in *one* workspace, so
//! that one tenant's edit never shows in another.

use crate::changes::changes;
use crate::identity::consent::Consent;
use crate::identity::keys::KeyKind;
pub use crate::identity::roles::Role;
use crate::ids::{PersonId, UserId, WorkspaceId};
use crate::json::{Metadata, MetadataChange};
use crate::text::{Email, LanguageTag, Name};
use crate::{At, Invalid, InvalidValue, Stamp, Timestamp};

/// The domain of pseudonyms' addresses.
const ERASED: &str = "erased.invalid";

/// Someone, across workspaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Their identifier.
    pub id: PersonId,
    /// Their one address.
    pub email: Email,
    /// When they were first heard of.
    pub created_at: Timestamp,
}

/// A user to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewUser {
    /// Their address.
    pub email: Email,
    /// Their name, if known.
    pub name: Option<Name>,
    /// What they are here.
    pub role: Role,
    /// The language they prefer.
    pub language: Option<LanguageTag>,
    /// Their id in the caller's own system.
    pub external_id: Option<String>,
    /// Free-form key-value store.
    pub metadata: Metadata,
}

changes! {
    /// What is to change; `None` keeps, `Some(None)` clears.
    pub struct UserChanges of User {
        /// New name.
        name: Option<Name>,
        /// New role.
        role: Role,
        /// New preferred language.
        language: Option<LanguageTag>,
        /// New id in the caller's own system.
        external_id: Option<String>,
    } and {
        /// Change of the metadata.
        metadata: MetadataChange,
    }
}

/// A person's membership in one workspace.
#[derive(Debug, Clone, PartialEq)]
pub struct User {
    /// The tenant.
    pub workspace_id: WorkspaceId,
    /// The membership's identifier.
    pub id: UserId,
    /// Who it is.
    pub person_id: PersonId,
    /// Their address.
    pub email: Email,
    /// Their name here.
    pub name: Option<Name>,
    /// What they are here.
    pub role: Role,
    /// The language they prefer.
    pub language: Option<LanguageTag>,
    /// Their id in the caller's own system.
    pub external_id: Option<String>,
    /// Free-form key-value store.
    pub metadata: Metadata,
    /// What the person said to it.
    pub consent: Consent,
    /// Who made it, if that was a member.
    pub invited_by: Option<UserId>,
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl User {
    /// A new membership of `person_id`, who has not been asked yet.
    pub fn new(
        workspace_id: WorkspaceId,
        id: UserId,
        person_id: PersonId,
        new: NewUser,
        now: Timestamp,
    ) -> Self {
        Self {
            workspace_id,
            id,
            person_id,
            email: new.email,
            name: new.name,
            role: new.role,
            language: new.language,
            external_id: new.external_id,
            metadata: new.metadata,
            consent: Consent::Pending,
            invited_by: None,
            stamp: Stamp::new(now),
        }
    }

    /// The same of somebody who asked for it themselves, or whom the operator named.
    #[must_use]
    pub const fn of_ones_own_will(mut self) -> Self {
        self.consent = Consent::Accepted(self.stamp.created_at);
        self
    }

    /// The same, made by a member.
    #[must_use]
    pub const fn invited_by(mut self, who: Option<UserId>) -> Self {
        self.invited_by = who;
        self
    }

    /// When the person accepted, if the membership is one of their own will.
    pub const fn accepted_at(&self) -> Option<Timestamp> {
        match self.consent {
            Consent::Accepted(at) => Some(at),
            Consent::Pending | Consent::Declined(_) => None,
        }
    }

    /// Whether a key of the person opens the workspace: their own only once they accepted. A session is the workspace's
    /// to hand out, and opens nothing else.
    pub const fn is_open_to(&self, kind: KeyKind) -> bool {
        match kind {
            KeyKind::Session => true,
            KeyKind::Standard | KeyKind::Web => self.accepted_at().is_some(),
        }
    }

    /// The person says yes; a second time changes nothing.
    pub fn accept(&mut self, now: Timestamp) -> bool {
        if self.accepted_at().is_some() {
            return false;
        }
        self.consent = Consent::Accepted(now);
        self.stamp.touch(now);
        true
    }

    /// The person says no, or leaves; a second time changes nothing. The workspace is shown nothing of a no to what was
    /// never accepted: that there is somebody who answers is not its to know.
    pub fn decline(&mut self, now: Timestamp) -> bool {
        match self.consent {
            Consent::Declined(_) => return false,
            Consent::Accepted(_) => self.stamp.touch(now),
            Consent::Pending => self.stamp.version = self.stamp.version.saturating_add(1),
        }
        self.consent = Consent::Declined(now);
        true
    }

    /// What stands for somebody who was erased: the same id for ever, and nothing of theirs.
    pub fn pseudonym(id: UserId) -> String {
        let id = id.to_string();
        let bare = id.strip_prefix("usr_").unwrap_or(&id);
        format!("erased-{bare}")
    }

    /// The address of a pseudonym: in a domain that is reserved and never resolves.
    fn pseudonymous_email(id: UserId) -> Result<Email, InvalidValue> {
        Email::parse(&format!("{}@{ERASED}", Self::pseudonym(id)))
    }

    /// Whether an address is one that only pseudonyms have.
    pub fn is_pseudonymous(email: &Email) -> bool {
        let domain = email.as_str().rsplit('@').next();
        domain == Some(ERASED)
    }

    /// Whether this is what is left of somebody who was erased.
    pub fn is_erased(&self) -> bool {
        Self::pseudonymous_email(self.id).is_ok_and(|email| email == self.email)
    }

    /// Replaces everything that is known of them by a pseudonym, which is a person of its own.
    ///
    /// # Errors
    /// None that a well-formed id can cause.
    pub fn erase(&mut self, pseudonym: PersonId, now: Timestamp) -> Result<(), InvalidValue> {
        self.email = Self::pseudonymous_email(self.id)?;
        self.name = Some(Name::parse(Self::pseudonym(self.id))?);
        self.person_id = pseudonym;
        self.role = Role::Student;
        self.language = None;
        self.external_id = None;
        self.metadata = Metadata::default();
        self.consent = Consent::Pending;
        self.invited_by = None;
        self.stamp.touch(now);
        Ok(())
    }

    /// Applies changes; returns whether anything really changed.
    ///
    /// # Errors
    /// [`Invalid`] if the merged metadata breaks its limits.
    pub fn change(&mut self, mut changes: UserChanges, now: Timestamp) -> Result<bool, Invalid> {
        let before = self.clone();
        changes.replace(self);
        self.metadata = changes.metadata.apply(&self.metadata).at("metadata")?;
        let differs = *self != before;
        if differs {
            self.stamp.touch(now);
        }
        Ok(differs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_unix_millis(millis)
    }

    fn user() -> User {
        let new = NewUser {
            email: Email::parse("ada@example.org").unwrap(),
            name: None,
            role: Role::Student,
            language: None,
            external_id: None,
            metadata: Metadata::default(),
        };
        let id = Id::from_uuid(uuid::Uuid::nil());
        User::new(
            Id::from_uuid(uuid::Uuid::nil()),
            id,
            Id::from_uuid(uuid::Uuid::nil()),
            new,
            at(0),
        )
    }

    #[test]
    fn a_persons_own_keys_open_what_they_accepted_and_nothing_else() {
        let mut user = user();
        assert!(!user.is_open_to(KeyKind::Standard) && user.is_open_to(KeyKind::Session));
        assert!(user.accept(at(1)) && !user.accept(at(2)));
        assert_eq!(user.accepted_at(), Some(at(1)));
        assert!(user.is_open_to(KeyKind::Standard));
        assert!(user.decline(at(3)) && !user.decline(at(4)));
        assert!(!user.is_open_to(KeyKind::Standard) && user.is_open_to(KeyKind::Session));
        assert!(user.accept(at(5)), "whoever left may come back");
    }

    #[test]
    fn a_no_to_what_was_never_accepted_shows_nowhere() {
        let (mut user, before) = (user(), user());
        user.decline(at(9));
        assert_eq!(user.stamp.updated_at, before.stamp.updated_at);
        assert_eq!(user.accepted_at(), before.accepted_at());
        // Whoever read it before cannot bring it back.
        assert!(user.stamp.version > before.stamp.version);
    }

    #[test]
    fn whoever_was_erased_has_accepted_nothing() {
        let mut user = user().of_ones_own_will();
        user.erase(Id::from_uuid(uuid::Uuid::nil()), at(1)).unwrap();
        assert_eq!(user.consent, Consent::Pending);
    }
}
