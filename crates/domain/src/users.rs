//! People, and what they are in a workspace.
//!
//! A person is global and has one e-mail address. A user is that person's membership in *one* workspace, so
//! that one tenant's edit never shows in another.

use crate::id::Identified;
use crate::json::{Metadata, MetadataChange};
use crate::text::{Email, LanguageTag, Name};
use crate::words::words;
use crate::workspaces::WorkspaceId;
use crate::{At, Id, Invalid, InvalidValue, Stamp, Timestamp};

/// Identifies a membership (`usr_…`).
pub type UserId = Id<User>;

/// Identifies a person across workspaces (`per_…`); never shown to a tenant.
pub type PersonId = Id<Person>;

impl Identified for User {
    const PREFIX: &'static str = "usr";
    const OBJECT: &'static str = "user";
}

impl Identified for Person {
    const PREFIX: &'static str = "per";
    const OBJECT: &'static str = "person";
}

words!(
    /// What someone is in a workspace.
    Role {
        /// Everything, including deleting the workspace.
        Owner = "owner",
        /// Everything but deleting the workspace.
        Admin = "admin",
        /// Courses, students, submissions, grades.
        Teacher = "teacher",
        /// Learns.
        Student = "student",
    }
);

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

/// What is to change; `None` keeps, `Some(None)` clears.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UserChanges {
    /// New name.
    pub name: Option<Option<Name>>,
    /// New role.
    pub role: Option<Role>,
    /// New preferred language.
    pub language: Option<Option<LanguageTag>>,
    /// New id in the caller's own system.
    pub external_id: Option<Option<String>>,
    /// Change of the metadata.
    pub metadata: MetadataChange,
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
    /// When it was made and changed.
    pub stamp: Stamp,
}

impl User {
    /// A new membership of `person_id`.
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
            stamp: Stamp::new(now),
        }
    }

    /// What stands for somebody who was erased: the same id for ever, and nothing of theirs.
    pub fn pseudonym(id: UserId) -> String {
        let id = id.to_string();
        let bare = id.strip_prefix("usr_").unwrap_or(&id);
        format!("erased-{bare}")
    }

    /// The address of a pseudonym: in a domain that is reserved and never resolves.
    fn pseudonymous_email(id: UserId) -> Result<Email, InvalidValue> {
        Email::parse(&format!("{}@erased.invalid", Self::pseudonym(id)))
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
        self.stamp.touch(now);
        Ok(())
    }

    /// Applies changes; returns whether anything really changed.
    ///
    /// # Errors
    /// [`Invalid`] if the merged metadata breaks its limits.
    pub fn change(&mut self, changes: UserChanges, now: Timestamp) -> Result<bool, Invalid> {
        let before = self.clone();
        self.name = changes.name.unwrap_or_else(|| self.name.clone());
        self.role = changes.role.unwrap_or(self.role);
        self.language = changes.language.unwrap_or_else(|| self.language.clone());
        self.external_id = changes
            .external_id
            .unwrap_or_else(|| self.external_id.clone());
        self.metadata = changes.metadata.apply(&self.metadata).at("metadata")?;
        let differs = *self != before;
        if differs {
            self.stamp.touch(now);
        }
        Ok(differs)
    }
}
