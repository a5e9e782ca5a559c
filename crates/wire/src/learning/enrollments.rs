//! Enrolments on the wire: who is in a cohort.

use lyceum_domain::identity::users::User;
use lyceum_domain::ids::UserId;
use lyceum_domain::learning::enrollments::Enrollment;
use lyceum_domain::text::{Email, Name};
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::{Command, Resource};
use crate::common_ids::reference;
use crate::declared::view;
use crate::identity::users::{UserView, optional_name};
use crate::shapes;

/// A student to be enrolled: by id, or by address.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct EnrollStudent {
    /// A user of this workspace: `usr_…`; this or `email`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// Their address; whoever is not in this workspace yet becomes a student of it.
    #[schema(
        max_length = 254,
        pattern = r"^[^@\s]+@[^@\s]+$",
        example = "ada@example.org"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// The name of a student who is not in this workspace yet.
    #[schema(max_length = 255)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Who is to be enrolled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Enrollee {
    /// A user of this workspace.
    User(UserId),
    /// Whoever has this address.
    Address {
        /// The address.
        email: Email,
        /// Their name, should they be new here.
        name: Option<Name>,
    },
}

impl Command for EnrollStudent {
    type Of = Enrollee;

    fn command(self) -> Result<Enrollee, Invalid> {
        let name = optional_name(self.name)?;
        match (self.user_id, self.email) {
            (Some(id), None) => Ok(Enrollee::User(reference(&id))),
            (None, Some(email)) => Ok(Enrollee::Address {
                email: Email::parse(&email).at("email")?,
                name,
            }),
            (Some(_), Some(_)) => Err(Invalid::new("email", "must not be given with user_id")),
            (None, None) => Err(Invalid::missing("user_id")),
        }
    }
}

view! {
    /// A student in a cohort.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    pub struct EnrollmentView {
        /// `enr_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Enrollment>)]
        pub id: String = enrollment.id.to_string(),
        /// Always `enrollment`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Enrollment>)]
        pub object: String = "enrollment".to_owned(),
        /// The cohort: `coh_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Cohort>)]
        pub cohort_id: String = enrollment.cohort_id.to_string(),
        /// The student: `usr_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::User>)]
        pub user_id: String = enrollment.user_id.to_string(),
        /// The student.
        pub user: UserView = UserView::new(user),
        /// `active`, `completed` or `withdrawn`.
        #[schema(schema_with = shapes::word::<lyceum_domain::learning::enrollments::EnrollmentStatus>)]
        pub status: String = enrollment.status.to_string(),
        /// When they were enrolled.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = enrollment.stamp.created_at.to_string(),
        /// When it last changed.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = enrollment.stamp.updated_at.to_string(),
    }

    /// Of an enrolment with its student.
    pub fn new(enrollment: &Enrollment, user: &User);
}

impl Resource for EnrollmentView {
    const COLLECTION: &'static str = "students";

    fn id(&self) -> &str {
        &self.id
    }

    /// Below its cohort, by its student.
    fn path(&self) -> String {
        let collection = Self::COLLECTION;
        format!("/cohorts/{}/{collection}/{}", self.cohort_id, self.user_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Enrollee, Invalid> {
        serde_json::from_str::<EnrollStudent>(json)
            .unwrap()
            .command()
    }

    #[test]
    fn a_student_is_named_by_id_or_by_address_and_not_by_both() {
        let id = "usr_00000000000000000000000007";
        assert_eq!(
            read(&format!(r#"{{"user_id":"{id}"}}"#)),
            Ok(Enrollee::User(reference(id)))
        );
        assert!(matches!(
            read(r#"{"email":"Ada@example.org"}"#),
            Ok(Enrollee::Address { email, name: None }) if email.as_str() == "ada@example.org"
        ));
        assert!(read("{}").unwrap_err().missing);
        let both = read(r#"{"user_id":"usr_x","email":"ada@example.org"}"#);
        assert_eq!(both.unwrap_err().field, "email");
    }
}
