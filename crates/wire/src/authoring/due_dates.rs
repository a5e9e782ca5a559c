//! Other due dates on the wire.

use lyceum_domain::authoring::due_dates::{
    DueOverride, DueOverrideChanges, NewDueOverride, OverrideTarget,
};
use lyceum_domain::{At, Invalid, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::{Command, Resource};
use crate::common_ids::reference;
use crate::declared::view;
use crate::patch::Patch;
use crate::shapes;

/// Another due date, for exactly one of a cohort and a learner.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateDueOverride {
    /// For whoever hands in within this cohort, `coh_…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cohort_id: Option<String>,
    /// For this learner, `usr_…`, in whatever cohort.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// When it is due for them, RFC 3339; never when absent.
    #[schema(format = DateTime, example = "2026-12-08T17:00:00Z")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_at: Option<String>,
}

impl Command for CreateDueOverride {
    type Of = NewDueOverride;

    fn command(self) -> Result<NewDueOverride, Invalid> {
        let target = match (self.cohort_id.as_deref(), self.user_id.as_deref()) {
            (Some(id), None) => OverrideTarget::Cohort(reference(id)),
            (None, Some(id)) => OverrideTarget::User(reference(id)),
            (None, None) => return Err(Invalid::missing("cohort_id")),
            (Some(_), Some(_)) => {
                return Err(Invalid::new("user_id", "must not be given beside a cohort"));
            }
        };
        let due_at = self.due_at.as_deref().map(Timestamp::parse);
        Ok(NewDueOverride {
            target,
            due_at: due_at.transpose().at("due_at")?,
        })
    }
}

/// A change of another due date: absent keeps. Whose it is never changes.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UpdateDueOverride {
    /// When it is due for them, RFC 3339; never when `null`.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub due_at: Patch<String>,
}

impl Command for UpdateDueOverride {
    type Of = DueOverrideChanges;

    fn command(self) -> Result<DueOverrideChanges, Invalid> {
        let due_at = self.due_at.try_map(|text| Timestamp::parse(&text));
        Ok(DueOverrideChanges {
            due_at: due_at.at("due_at")?.into_option(),
        })
    }
}

view! {
    /// Another due date of an assignment, for a cohort or for one learner.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    pub struct DueOverrideView {
        /// `ovr_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::DueOverride>)]
        pub id: String = due.id.to_string(),
        /// Always `due_override`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::DueOverride>)]
        pub object: String = "due_override".to_owned(),
        /// The assignment.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Assignment>)]
        pub assignment_id: String = due.assignment_id.to_string(),
        /// The cohort it is for; null where it is for a learner.
        #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::Cohort>, required)]
        pub cohort_id: Option<String> = due.target.cohort().map(|id| id.to_string()),
        /// The learner it is for; null where it is for a cohort.
        #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::User>, required)]
        pub user_id: Option<String> = due.target.user().map(|id| id.to_string()),
        /// When it is due for them; never when null.
        #[schema(schema_with = shapes::optional_moment, required)]
        pub due_at: Option<String> = due.due_at.map(|at| at.to_string()),
        /// When it was made.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = due.stamp.created_at.to_string(),
        /// When it last changed.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = due.stamp.updated_at.to_string(),
    }

    /// Of another due date.
    pub fn new(due: &DueOverride);
}

impl Resource for DueOverrideView {
    const COLLECTION: &'static str = "overrides";

    fn id(&self) -> &str {
        &self.id
    }
}
