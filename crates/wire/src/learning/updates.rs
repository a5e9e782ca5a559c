//! Updating a cohort on the wire: what would change for it, and having it updated.

use lyceum_domain::Invalid;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::authoring::versions::waiting::DraftNoticeView;
use crate::common::Command;
use crate::shapes;

/// What changes for a cohort when it is updated, and for whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CohortUpdateView {
    /// Always `cohort_update`.
    #[schema(example = "cohort_update")]
    pub object: String,
    /// The cohort.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Cohort>)]
    pub cohort_id: String,
    /// Its course.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Course>)]
    pub course_id: String,
    /// Names exactly what would change now: whoever updates with it updates to what they have seen.
    #[schema(example = "9c1185a5c5e9fc54612808977ee8f548")]
    pub revision: String,
    /// How many learn in it.
    pub learners: u32,
    /// Which things of the course it sees as they were: units, then lessons, activities and assignments. Empty where it sees all as it is.
    pub changes: Vec<PinnedChangeView>,
    /// What its learners will notice.
    pub notices: Vec<DraftNoticeView>,
}

/// A thing that a cohort sees as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PinnedChangeView {
    /// `unit`, `lesson`, `activity` or `assignment`.
    #[schema(example = "lesson")]
    pub object: String,
    /// Its id.
    #[schema(example = "les_01kazv9h8ye5x8q9c4t7m2n3p6")]
    pub id: String,
    /// What it is called now.
    pub name: String,
    /// The names of the members that the cohort sees as they were.
    pub fields: Vec<String>,
    /// When it first became something else than the cohort sees.
    #[schema(schema_with = shapes::moment)]
    pub pinned_at: String,
    /// When it last did.
    #[schema(schema_with = shapes::moment)]
    pub changed_at: String,
}

impl CohortUpdateView {
    /// What changes for a cohort, by its id and that of its course, and what so many learners notice of it.
    pub fn new(
        (cohort_id, course_id): (String, String),
        revision: String,
        learners: u32,
        (changes, notices): (Vec<PinnedChangeView>, Vec<DraftNoticeView>),
    ) -> Self {
        Self {
            object: "cohort_update".to_owned(),
            cohort_id,
            course_id,
            revision,
            learners,
            changes,
            notices,
        }
    }
}

/// What whoever has a cohort updated has seen.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct TakeCohortUpdate {
    /// The `revision` that was looked at: where something else would change by now, nothing does.
    #[schema(max_length = 100)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
}

impl Command for TakeCohortUpdate {
    type Of = Option<String>;

    fn command(self) -> Result<Option<String>, Invalid> {
        Ok(self.revision)
    }
}
