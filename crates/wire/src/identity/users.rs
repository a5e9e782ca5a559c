//! Users on the wire.

use lyceum_domain::identity::users::{
    NewMember, NewService, NewUser, Role, User, UserChanges, UserKind,
};
use lyceum_domain::text::{Email, LanguageTag, Name, TimeZone};
use lyceum_domain::{At, Invalid, InvalidValue};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::{Command, FreeObject, Resource, metadata, metadata_change, not_cleared};
use crate::declared::view;
use crate::patch::Patch;
use crate::shapes;

/// A user to be made: the membership of a person in this workspace, or a service account, which is a program's.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateUser {
    /// Their e-mail address, in any case; people need one, a service account has none.
    #[schema(
        max_length = 254,
        pattern = r"^[^@\s]+@[^@\s]+$",
        example = "ada@example.org"
    )]
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub email: String,
    /// `person`, or `service` for a program; `person` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<UserKindInput>,
    /// Their name; a service account needs one.
    #[schema(max_length = 255, example = "Ada Lovelace")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What they are here; `student` when absent, of a service account `teacher`, which may also be `admin`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<UserRole>,
    /// Whether an invitation is sent to them, by mail. Where the service can send mail, `true` when absent for everybody but students;
    /// where it cannot, `false`: `POST /v1/users/{id}/invitation` makes a link to hand on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invite: Option<bool>,
    /// BCP-47 tag of the language they prefer.
    #[schema(
        min_length = 2,
        max_length = 100,
        pattern = "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$",
        example = "en"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Time zone they live in, by its name in the IANA database.
    #[schema(
        max_length = 64,
        pattern = r"^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$",
        example = "Europe/Berlin"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// Their id in your own system.
    #[schema(
        min_length = 1,
        max_length = 255,
        pattern = r"\S",
        example = "emp-1042"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    /// Free-form key-value store: at most 50 keys, 16 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<FreeObject>,
}

/// Whether a user is somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UserKindInput {
    /// A person.
    Person,
    /// A program, with an account of its own.
    Service,
}

/// What someone is in a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UserRole {
    /// Everything, including deleting the workspace.
    Owner,
    /// Everything but deleting the workspace.
    Admin,
    /// Courses, students, submissions, grades.
    Teacher,
    /// Learns.
    Student,
}

impl From<UserRole> for Role {
    fn from(role: UserRole) -> Self {
        match role {
            UserRole::Owner => Self::Owner,
            UserRole::Admin => Self::Admin,
            UserRole::Teacher => Self::Teacher,
            UserRole::Student => Self::Student,
        }
    }
}

impl From<Role> for UserRole {
    fn from(role: Role) -> Self {
        match role {
            Role::Owner => Self::Owner,
            Role::Admin => Self::Admin,
            Role::Teacher => Self::Teacher,
            Role::Student => Self::Student,
        }
    }
}

impl Command for CreateUser {
    type Of = NewMember;

    fn command(self) -> Result<NewMember, Invalid> {
        match self.kind {
            Some(UserKindInput::Service) => self.service().map(NewMember::Service),
            Some(UserKindInput::Person) | None => {
                let invite = self.invite;
                let person = self.person()?;
                Ok(NewMember::Person(person, invite))
            }
        }
    }
}

impl CreateUser {
    fn person(self) -> Result<NewUser, Invalid> {
        if self.email.is_empty() {
            return Err(Invalid::missing("email"));
        }
        let language = self.language.as_deref().map(LanguageTag::parse);
        let timezone = self.timezone.map(TimeZone::parse);
        Ok(NewUser {
            email: Email::parse(&self.email).at("email")?,
            name: optional_name(self.name)?,
            role: self.role.map_or(Role::Student, Role::from),
            language: language.transpose().at("language")?,
            timezone: timezone.transpose().at("timezone")?,
            external_id: self
                .external_id
                .map(external_id)
                .transpose()
                .at("external_id")?,
            metadata: metadata(self.metadata)?,
        })
    }

    fn service(self) -> Result<NewService, Invalid> {
        let is_said = [
            ("email", !self.email.is_empty()),
            ("language", self.language.is_some()),
            ("timezone", self.timezone.is_some()),
            ("invite", self.invite.is_some()),
        ];
        if let Some((field, _)) = is_said.iter().find(|(_, is_said)| *is_said) {
            let problem = "must not be given for a service account";
            return Err(Invalid::new(*field, problem));
        }
        let name = optional_name(self.name)?;
        Ok(NewService {
            name: name.ok_or_else(|| Invalid::missing("name"))?,
            role: self.role.map_or(Role::Teacher, Role::from),
            external_id: self
                .external_id
                .map(external_id)
                .transpose()
                .at("external_id")?,
            metadata: metadata(self.metadata)?,
        })
    }
}

/// A name that need not be there; an absent one is shown as `""`, so `""` is also read as none.
///
/// # Errors
/// [`Invalid`] at `name`.
pub fn optional_name(given: Option<String>) -> Result<Option<Name>, Invalid> {
    given
        .filter(|name| !name.is_empty())
        .map(Name::parse)
        .transpose()
        .at("name")
}

/// Ids of other systems follow the rules of names.
fn external_id(text: String) -> Result<String, InvalidValue> {
    Name::parse(text).map(|name| name.to_string())
}

/// A change of a user: absent keeps, `null` clears. The address cannot change.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UpdateUser {
    /// New name.
    #[schema(value_type = Option<String>, max_length = 255)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub name: Patch<String>,
    /// New role; cannot be cleared.
    #[schema(value_type = Option<UserRole>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub role: Patch<UserRole>,
    /// BCP-47 tag of the language they prefer.
    #[schema(
        value_type = Option<String>,
        min_length = 2,
        max_length = 100,
        pattern = "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$"
    )]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub language: Patch<String>,
    /// Time zone they live in, by its name in the IANA database.
    #[schema(value_type = Option<String>, max_length = 64, pattern = r"^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$")]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub timezone: Patch<String>,
    /// New id in your own system.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 255, pattern = r"\S")]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub external_id: Patch<String>,
    /// Change of the metadata, by key.
    #[schema(value_type = Option<FreeObject>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub metadata: Patch<FreeObject>,
}

impl Command for UpdateUser {
    type Of = UserChanges;

    fn command(self) -> Result<UserChanges, Invalid> {
        let name = self.name.into_option().map(optional_name).transpose()?;
        let language = self.language.try_map(|tag| LanguageTag::parse(&tag));
        let timezone = self.timezone.try_map(TimeZone::parse);
        let external_id = self.external_id.try_map(external_id);
        Ok(UserChanges {
            name,
            role: not_cleared(self.role, "role")?.map(Role::from),
            language: language.at("language")?.into_option(),
            timezone: timezone.at("timezone")?.into_option(),
            external_id: external_id.at("external_id")?.into_option(),
            metadata: metadata_change(self.metadata),
        })
    }
}

view! {
    /// A user: the membership of a person in this workspace.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    pub struct UserView {
        /// `usr_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::User>)]
        pub id: String = user.id.to_string(),
        /// Always `user`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::User>)]
        pub object: String = "user".to_owned(),
        /// `person`, or `service` for a program with an account of its own.
        #[schema(schema_with = shapes::word::<UserKind>)]
        pub kind: String = user.kind.to_string(),
        /// Their e-mail address, in lower case; of a service account one of ours, which nobody can have.
        pub email: String = user.email.to_string(),
        /// Their name; `""` when nobody said.
        pub name: String = user
            .name
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default(),
        /// `owner`, `admin`, `teacher` or `student`.
        #[schema(schema_with = shapes::word::<Role>)]
        pub role: String = user.role.to_string(),
        /// BCP-47 tag of the language they prefer.
        #[schema(required)]
        pub language: Option<String> = user.language.as_ref().map(ToString::to_string),
        /// Time zone they live in, by its name in the IANA database.
        #[schema(required)]
        pub timezone: Option<String> = user.timezone.as_ref().map(ToString::to_string),
        /// Their id in your own system.
        #[schema(required)]
        pub external_id: Option<String> = user.external_id.clone(),
        /// Free-form key-value store.
        pub metadata: FreeObject = (&user.metadata).into(),
        /// When the person accepted, so that their own keys open the platform; null until then. Sessions that the platform
        /// hands out need no acceptance.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub accepted_at: Option<String> = user.accepted_at().map(|at| at.to_string()),
        /// Whether the platform is open to them, as far as it is not theirs to accept: false where a directory ended that.
        pub active: bool = user.suspension.is_none(),
        /// When they joined.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = user.stamp.created_at.to_string(),
        /// When they last changed.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = user.stamp.updated_at.to_string(),
    }

    /// Of a user.
    pub fn new(user: &User);
}

impl UserView {
    /// The same for a learner, who does not see metadata.
    pub fn learner(user: &User) -> Self {
        Self {
            metadata: FreeObject::default(),
            ..Self::new(user)
        }
    }
}

impl Resource for UserView {
    const COLLECTION: &'static str = "users";

    fn id(&self) -> &str {
        &self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn any_created(json: &str) -> Result<NewMember, Invalid> {
        serde_json::from_str::<CreateUser>(json).unwrap().command()
    }

    fn created(json: &str) -> Result<NewUser, Invalid> {
        any_created(json).map(|new| match new {
            NewMember::Person(new, _) => new,
            NewMember::Service(other) => panic!("{other:?}"),
        })
    }

    #[test]
    fn a_service_account_has_a_name_and_no_address() {
        let made = any_created(r#"{"kind":"service","name":"Sync"}"#).unwrap();
        assert!(matches!(made, NewMember::Service(new) if new.role == Role::Teacher));
        for (json, field, is_missing) in [
            (r#"{"kind":"service"}"#, "name", true),
            (r#"{"kind":"service","name":""}"#, "name", true),
            (
                r#"{"kind":"service","name":"S","email":"a@b.example"}"#,
                "email",
                false,
            ),
            (
                r#"{"kind":"service","name":"S","language":"en"}"#,
                "language",
                false,
            ),
            (r#"{"name":"Ada"}"#, "email", true),
            (r#"{"kind":"person","name":"Ada"}"#, "email", true),
        ] {
            let refused = any_created(json).unwrap_err();
            assert_eq!(
                (refused.field.as_str(), refused.missing),
                (field, is_missing),
                "{json}"
            );
        }
    }

    fn updated(json: &str) -> Result<UserChanges, Invalid> {
        serde_json::from_str::<UpdateUser>(json).unwrap().command()
    }

    #[test]
    fn a_new_user_is_a_student_whose_address_is_folded() {
        let new = created(r#"{"email":"Ada@Example.ORG","name":""}"#).unwrap();
        assert_eq!(new.email.as_str(), "ada@example.org");
        assert_eq!((new.role, new.name), (Role::Student, None));
        assert_eq!(created(r#"{"email":"ada"}"#).unwrap_err().field, "email");
    }

    #[test]
    fn null_clears_what_may_be_absent_and_nothing_else() {
        let changes = updated(r#"{"name":null,"language":null,"external_id":null}"#).unwrap();
        assert_eq!(changes.name, Some(None));
        assert_eq!(
            (changes.language, changes.external_id),
            (Some(None), Some(None))
        );
        assert_eq!(updated(r#"{"role":null}"#).unwrap_err().field, "role");
        assert_eq!(updated("{}").unwrap(), UserChanges::default());
    }

    #[test]
    fn every_role_has_its_word() {
        for role in Role::ALL {
            let word: UserRole = serde_json::from_str(&format!("\"{role}\"")).unwrap();
            assert_eq!(Role::from(word), *role);
        }
    }
}
