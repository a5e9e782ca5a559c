//! People, and what they are in a workspace.
//!
//! A person is global and has one e-mail address. A user is that person's membership in *one* workspace, so
//! that one tenant's edit never shows in another.

use crate::changes::changes;
use crate::identity::actors::ActedBy;
use crate::identity::consent::Consent;
use crate::identity::keys::KeyKind;
pub use crate::identity::roles::Role;
use crate::ids::{ApiKeyId, PersonId, UserId, WorkspaceId};
use crate::json::{Metadata, MetadataChange};
use crate::running::audit::AuditActor;
use crate::text::{Email, LanguageTag, Name, TimeZone};
use crate::words::words;
use crate::{At, Invalid, InvalidValue, Stamp, Timestamp};

/// The domain of pseudonyms' addresses.
const ERASED: &str = "erased.invalid";
/// The domain of service accounts' addresses.
const SERVICES: &str = "service.invalid";

words!(
    /// Whether a user is somebody.
    UserKind {
        /// A person.
        Person = "person",
        /// A program, with an account of its own.
        Service = "service",
    }
);

words!(
    /// How a membership ended that a directory ended.
    Suspension {
        /// The person is not let in, and may be again.
        Suspended = "suspended",
        /// The same, and the directory has let them go: it hears of them no more.
        Removed = "removed",
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
    /// The time zone that they live in.
    pub timezone: Option<TimeZone>,
    /// Their id in the caller's own system.
    pub external_id: Option<String>,
    /// Free-form key-value store.
    pub metadata: Metadata,
}

/// A service account to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewService {
    /// What it is called.
    pub name: Name,
    /// What it is here.
    pub role: Role,
    /// Its id in the caller's own system.
    pub external_id: Option<String>,
    /// Free-form key-value store.
    pub metadata: Metadata,
}

/// Who is to become a user.
#[derive(Debug, Clone, PartialEq)]
pub enum NewMember {
    /// A person, and whether they are sent an invitation; `None` is as is usual for what they are to be.
    Person(NewUser, Option<bool>),
    /// A program.
    Service(NewService),
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
        /// New time zone.
        timezone: Option<TimeZone>,
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
    /// Whether it is somebody, or a program.
    pub kind: UserKind,
    /// Their address.
    pub email: Email,
    /// Their name here.
    pub name: Option<Name>,
    /// What they are here.
    pub role: Role,
    /// The language they prefer.
    pub language: Option<LanguageTag>,
    /// The time zone they live in.
    pub timezone: Option<TimeZone>,
    /// Their id in the caller's own system.
    pub external_id: Option<String>,
    /// Free-form key-value store.
    pub metadata: Metadata,
    /// What the person said to it.
    pub consent: Consent,
    /// Whether a directory ended it: then it opens nothing, and all that hangs on it stays.
    pub suspension: Option<Suspension>,
    /// When those who run the workspace ended the person's sessions: one that began before opens it no more.
    pub sessions_ended_at: Option<Timestamp>,
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
            kind: UserKind::Person,
            email: new.email,
            name: new.name,
            role: new.role,
            language: new.language,
            timezone: new.timezone,
            external_id: new.external_id,
            metadata: new.metadata,
            consent: Consent::Pending,
            suspension: None,
            sessions_ended_at: None,
            invited_by: None,
            stamp: Stamp::new(now),
        }
    }

    /// A service account: nobody's consent is needed for it, because it is nobody. Its address is one that nobody can have.
    ///
    /// # Errors
    /// [`Invalid`] for a role that it cannot have.
    pub fn service(
        workspace_id: WorkspaceId,
        id: UserId,
        person_id: PersonId,
        new: NewService,
        now: Timestamp,
    ) -> Result<Self, Invalid> {
        let new = NewUser {
            email: Self::service_email(id).at("email")?,
            name: Some(new.name),
            role: new.role,
            language: None,
            timezone: None,
            external_id: new.external_id,
            metadata: new.metadata,
        };
        let mut made = Self::new(workspace_id, id, person_id, new, now).of_ones_own_will();
        made.kind = UserKind::Service;
        made.check_service()?;
        Ok(made)
    }

    /// Whether it is a program, with an account of its own.
    pub fn is_service(&self) -> bool {
        self.kind == UserKind::Service
    }

    /// Whether they are more than somebody in this role.
    pub fn is_above(&self, role: Role) -> bool {
        // Roles are declared from the most to the least powerful.
        self.role < role
    }

    /// As whom events name them.
    pub const fn acted(&self) -> ActedBy {
        match self.kind {
            UserKind::Person => ActedBy::Person(Some(self.id)),
            UserKind::Service => ActedBy::Service(self.id),
        }
    }

    /// As whom the audit trail names them, with one of their keys.
    pub const fn audited_with(&self, api_key_id: ApiKeyId) -> AuditActor {
        let user_id = self.id;
        match self.kind {
            UserKind::Person => AuditActor::User {
                user_id,
                api_key_id,
            },
            UserKind::Service => AuditActor::Service {
                user_id,
                api_key_id,
            },
        }
    }

    /// A service account owns nothing and learns nothing, and is always called something.
    fn check_service(&self) -> Result<(), Invalid> {
        if self.kind == UserKind::Person {
            return Ok(());
        }
        if !matches!(self.role, Role::Admin | Role::Teacher) {
            let problem = "must be admin or teacher: a service account owns and learns nothing";
            return Err(Invalid::new("role", problem));
        }
        if self.name.is_none() {
            return Err(Invalid::new(
                "name",
                "must not be empty for a service account",
            ));
        }
        Ok(())
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

    /// When the person accepted, if the membership is one of their own will and nobody ended it.
    pub const fn accepted_at(&self) -> Option<Timestamp> {
        match self.consent {
            Consent::Accepted(at) if self.suspension.is_none() => Some(at),
            Consent::Accepted(_) | Consent::Pending | Consent::Declined(_) => None,
        }
    }

    /// Whether a key of the person opens the workspace: their own, and those that were made for them there, only once they
    /// accepted. A session is the workspace's to hand out, and opens nothing else. `began_at` is when a session in a browser
    /// began; `None` is now.
    pub fn is_open_to(&self, kind: KeyKind, began_at: Option<Timestamp>) -> bool {
        if self.suspension.is_some() {
            return false;
        }
        match kind {
            KeyKind::Session => true,
            KeyKind::Standard => self.accepted_at().is_some(),
            KeyKind::Web => self.accepted_at().is_some() && !self.ended_since(began_at),
        }
    }

    fn ended_since(&self, began_at: Option<Timestamp>) -> bool {
        match (self.sessions_ended_at, began_at) {
            (Some(ended), Some(began)) => began <= ended,
            (None, _) | (_, None) => false,
        }
    }

    /// No session that began until now opens the workspace any more; the workspace is shown nothing of it.
    pub const fn end_sessions(&mut self, now: Timestamp) {
        self.sessions_ended_at = Some(now);
        self.hold();
    }

    /// Makes whoever changes or ends the membership at the same time begin anew: so they see what is made for it now.
    pub const fn hold(&mut self) {
        self.stamp.version = self.stamp.version.saturating_add(1);
    }

    /// The person says yes; a second time changes nothing.
    pub fn accept(&mut self, now: Timestamp) -> bool {
        if matches!(self.consent, Consent::Accepted(_)) {
            return false;
        }
        self.consent = Consent::Accepted(now);
        self.stamp.touch(now);
        true
    }

    /// A directory ends it, or lets the person in again; a second time changes nothing.
    pub fn suspend(&mut self, to: Option<Suspension>, now: Timestamp) -> bool {
        if self.suspension == to {
            return false;
        }
        self.suspension = to;
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

    /// The address of a service account: in a domain that is reserved and never resolves.
    fn service_email(id: UserId) -> Result<Email, InvalidValue> {
        let id = id.to_string();
        let bare = id.strip_prefix("usr_").unwrap_or(&id);
        Email::parse(&format!("service-{bare}@{SERVICES}"))
    }

    /// Whether an address is one that only service accounts have.
    pub fn is_of_service(email: &Email) -> bool {
        let domain = email.as_str().rsplit('@').next();
        domain == Some(SERVICES)
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
        self.kind = UserKind::Person;
        self.role = Role::Student;
        self.language = None;
        self.timezone = None;
        self.external_id = None;
        self.metadata = Metadata::default();
        self.consent = Consent::Pending;
        self.suspension = None;
        self.sessions_ended_at = None;
        self.invited_by = None;
        self.stamp.touch(now);
        Ok(())
    }

    /// Applies changes; returns whether anything really changed.
    ///
    /// # Errors
    /// [`Invalid`] if the merged metadata breaks its limits, and for what a service account cannot be.
    pub fn change(&mut self, mut changes: UserChanges, now: Timestamp) -> Result<bool, Invalid> {
        let before = self.clone();
        changes.replace(self);
        self.check_service()?;
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
            timezone: None,
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
        assert!(
            !user.is_open_to(KeyKind::Standard, None) && user.is_open_to(KeyKind::Session, None)
        );
        assert!(user.accept(at(1)) && !user.accept(at(2)));
        assert_eq!(user.accepted_at(), Some(at(1)));
        assert!(user.is_open_to(KeyKind::Standard, None));
        assert!(user.decline(at(3)) && !user.decline(at(4)));
        assert!(
            !user.is_open_to(KeyKind::Standard, None) && user.is_open_to(KeyKind::Session, None)
        );
        assert!(user.accept(at(5)), "whoever left may come back");
    }

    #[test]
    fn what_a_directory_ended_opens_nothing_until_it_lets_in_again() {
        for how in Suspension::ALL {
            let mut user = user().of_ones_own_will();
            assert!(user.suspend(Some(*how), at(1)) && !user.suspend(Some(*how), at(2)));
            for kind in KeyKind::ALL {
                assert!(!user.is_open_to(*kind, None), "{how} {kind}");
            }
            assert_eq!(user.accepted_at(), None);
            // The person cannot let themselves in.
            assert!(!user.accept(at(3)));
            assert!(user.suspend(None, at(4)));
            assert!(user.is_open_to(KeyKind::Standard, None));
        }
    }

    #[test]
    fn sessions_that_were_ended_open_nothing_and_later_ones_do() {
        let mut user = user().of_ones_own_will();
        let before = user.stamp;
        user.end_sessions(at(5));
        let opens = |kind, began| user.is_open_to(kind, Some(at(began)));
        assert!(!opens(KeyKind::Web, 4) && !opens(KeyKind::Web, 5));
        assert!(opens(KeyKind::Web, 6) && user.is_open_to(KeyKind::Web, None));
        // What programs hold, and what the workspace hands out, ends by ways of its own.
        assert!(opens(KeyKind::Standard, 4) && opens(KeyKind::Session, 4));
        assert_eq!(user.stamp.updated_at, before.updated_at);
        assert!(user.stamp.version > before.version);
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

    fn service(role: Role) -> Result<User, Invalid> {
        let new = NewService {
            name: Name::parse("Grade sync").unwrap(),
            role,
            external_id: None,
            metadata: Metadata::default(),
        };
        let nil = uuid::Uuid::nil();
        let (id, person) = (Id::from_uuid(nil), Id::from_uuid(nil));
        User::service(Id::from_uuid(nil), id, person, new, at(0))
    }

    #[test]
    fn a_service_account_is_accepted_by_itself_and_has_an_address_that_nobody_has() {
        let made = service(Role::Teacher).unwrap();
        assert!(made.is_service() && made.is_open_to(KeyKind::Standard, None));
        assert!(User::is_of_service(&made.email) && !made.is_erased());
        assert!(!User::is_of_service(&user().email) && !user().is_service());
        let key = Id::from_uuid(uuid::Uuid::nil());
        assert_eq!(made.audited_with(key).word(), "service");
        assert_eq!(user().audited_with(key).word(), "user");
    }

    #[test]
    fn a_service_account_owns_and_learns_nothing_and_keeps_its_name() {
        for role in [Role::Owner, Role::Student] {
            assert_eq!(service(role).unwrap_err().field, "role");
            let mut made = service(Role::Admin).unwrap();
            let to = UserChanges {
                role: Some(role),
                ..UserChanges::default()
            };
            assert_eq!(made.change(to, at(1)).unwrap_err().field, "role");
        }
        let nameless = UserChanges {
            name: Some(None),
            ..UserChanges::default()
        };
        let mut made = service(Role::Admin).unwrap();
        assert_eq!(made.change(nameless, at(1)).unwrap_err().field, "name");
    }

    #[test]
    fn whoever_was_erased_has_accepted_nothing() {
        let mut user = user().of_ones_own_will();
        user.erase(Id::from_uuid(uuid::Uuid::nil()), at(1)).unwrap();
        assert_eq!(user.consent, Consent::Pending);
    }
}
