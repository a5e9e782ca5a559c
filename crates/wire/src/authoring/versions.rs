//! Versions on the wire.

pub mod waiting;

use lyceum_domain::authoring::versions::{Version, Versioned};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::{FreeObject, Resource};
use crate::shapes;

/// What a lesson, an activity or an assignment was until somebody changed it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct VersionView {
    /// `ver_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Version>)]
    pub id: String,
    /// Always `version`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Version>)]
    pub object: String,
    /// The lesson, if it is one of a lesson.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::Lesson>, required)]
    pub lesson_id: Option<String>,
    /// The activity, if it is one of an activity.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::Activity>, required)]
    pub activity_id: Option<String>,
    /// The assignment, if it is one of an assignment.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::Assignment>, required)]
    pub assignment_id: Option<String>,
    /// 1 for the first. What is there now has the number after that of the newest.
    pub number: u32,
    /// Who made it; null of the first, and where it was no member.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::User>, required)]
    pub made_by: Option<String>,
    /// When it was made.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// Who changed it; null where it was no member.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::User>, required)]
    pub replaced_by: Option<String>,
    /// When it was changed: it was what is taught until then.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
    /// What it was, by the members that a change takes. Not in lists.
    #[schema(value_type = Option<FreeObject>)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<FreeObject>,
}

impl VersionView {
    /// All of it.
    pub fn new(version: &Version) -> Self {
        let content = Some(FreeObject(version.content.clone()));
        Self {
            content,
            ..Self::listed(version)
        }
    }

    /// Without what it was, which can be long.
    pub fn listed(version: &Version) -> Self {
        let of = version.of;
        let mut view = Self {
            id: version.id.to_string(),
            object: "version".to_owned(),
            lesson_id: None,
            activity_id: None,
            assignment_id: None,
            number: version.number,
            made_by: version.made_by.map(|id| id.to_string()),
            created_at: version.created_at.to_string(),
            replaced_by: version.replaced_by.map(|id| id.to_string()),
            updated_at: version.replaced_at.to_string(),
            content: None,
        };
        match of {
            Versioned::Lesson(id) => view.lesson_id = Some(id.to_string()),
            Versioned::Activity(id) => view.activity_id = Some(id.to_string()),
            Versioned::Assignment(id) => view.assignment_id = Some(id.to_string()),
        }
        view
    }
}

impl Resource for VersionView {
    const COLLECTION: &'static str = "versions";

    fn id(&self) -> &str {
        &self.id
    }
}
