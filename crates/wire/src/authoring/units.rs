//! Units on the wire.

use lyceum_domain::Invalid;
use lyceum_domain::authoring::units::{NewUnit, Objectives, Unit, UnitChanges};
use lyceum_domain::text::{LongText, Name};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::authoring::provenance::ProvenanceView;
use crate::common::{Command, FreeObject, Resource, metadata, metadata_change};
use crate::common_ids::reference;
use crate::declared::{change, change_or_default, command, optional, or_default, taken, view};
use crate::patch::Patch;
use crate::place::position;
use crate::shapes;

command! {
    /// A unit to be made.
    #[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
    pub struct CreateUnit => NewUnit {
        /// The course it belongs to, `crs_…`.
        #[schema(example = "crs_01kazv9h8ye5x8q9c4t7m2n3p6")]
        pub course_id: String => taken(|id: String| reference(&id)),
        /// Human-readable name.
        #[schema(
            min_length = 1,
            max_length = 255,
            pattern = r"\S",
            example = "Cooling and storing"
        )]
        pub name: String => Name::parse,
        /// What the unit is about.
        #[schema(max_length = 100_000)]
        #[serde(skip_serializing_if = "Option::is_none")]
        pub description: Option<String> => or_default(LongText::parse),
        /// What a learner will be able to do: sentences of at most 1000 characters.
        #[schema(max_items = 50)]
        #[serde(skip_serializing_if = "Option::is_none")]
        pub objectives: Option<Vec<String>> => or_default(Objectives::parse),
        /// 0-based place among the course's units; the end when absent or beyond it.
        #[schema(minimum = 0, maximum = 2_147_483_647_u32)]
        #[serde(skip_serializing_if = "Option::is_none")]
        pub position: Option<i64> => optional(position),
        /// Free-form key-value store: at most 50 keys, 16 KiB.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub metadata: Option<FreeObject> => metadata,
    }
}

command! {
    /// A change of a unit: absent keeps, `null` clears.
    #[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
    #[serde(default)]
    pub struct UpdateUnit => UnitChanges, not_cleared(name) {
        /// New name; cannot be cleared.
        #[schema(value_type = Option<String>, min_length = 1, max_length = 255, pattern = r"\S")]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub name: Patch<String> => change(Name::parse),
        /// New description.
        #[schema(value_type = Option<String>, max_length = 100_000)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub description: Patch<String> => change_or_default(LongText::parse),
        /// New objectives, replaced whole.
        #[schema(value_type = Option<Vec<String>>, max_items = 50)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub objectives: Patch<Vec<String>> => change_or_default(Objectives::parse),
        /// Change of the metadata, by key.
        #[schema(value_type = Option<FreeObject>)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub metadata: Patch<FreeObject> => taken(metadata_change),
    }
}

/// Where a unit is to be moved, within its course.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, ToSchema)]
pub struct MoveUnit {
    /// New 0-based place among the course's units; the end when beyond it.
    #[schema(minimum = 0, maximum = 2_147_483_647_u32, example = 0)]
    pub position: i64,
}

impl Command for MoveUnit {
    type Of = u32;

    fn command(self) -> Result<u32, Invalid> {
        position(self.position)
    }
}

view! {
    /// A unit.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    pub struct UnitView {
        /// `unt_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Unit>)]
        pub id: String = unit.id.to_string(),
        /// Always `unit`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Unit>)]
        pub object: String = "unit".to_owned(),
        /// The course it belongs to.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Course>)]
        pub course_id: String = unit.course_id.to_string(),
        /// Human-readable name.
        pub name: String = unit.name.to_string(),
        /// What the unit is about.
        pub description: String = unit.description.to_string(),
        /// What a learner will be able to do.
        pub objectives: Vec<String> = unit.objectives.as_slice().to_vec(),
        /// 0-based place among the course's units.
        pub position: u32 = unit.position,
        /// How many lessons it has.
        pub lesson_count: u32 = lesson_count,
        /// Where it came from.
        pub provenance: ProvenanceView = (&unit.provenance).into(),
        /// Free-form key-value store.
        pub metadata: FreeObject = (&unit.metadata).into(),
        /// When it was made.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = unit.stamp.created_at.to_string(),
        /// When it last changed.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = unit.stamp.updated_at.to_string(),
        /// What of it waits to go live, by the names of the members: they are shown as they will be. Only with `draft=true`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub waiting: Option<Vec<String>> = None,
    }

    /// Shows a unit that has `lesson_count` lessons.
    pub fn new(unit: &Unit, lesson_count: u32);
}

impl UnitView {
    /// The same for a learner, who does not see metadata.
    pub fn learner(unit: &Unit, lesson_count: u32) -> Self {
        Self {
            metadata: FreeObject::default(),
            ..Self::new(unit, lesson_count)
        }
    }
}

impl Resource for UnitView {
    const COLLECTION: &'static str = "units";

    fn id(&self) -> &str {
        &self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_unit_needs_a_course_and_a_name_only() {
        let body: CreateUnit =
            serde_json::from_value(json!({"course_id": "no id", "name": "Week 1"})).unwrap();
        let new = body.command().unwrap();
        assert_eq!(new.name.as_str(), "Week 1");
        assert_eq!(new.position, None);
        assert!(new.objectives.as_slice().is_empty());
    }

    #[test]
    fn null_clears_what_may_be_empty() {
        let body: UpdateUnit =
            serde_json::from_value(json!({"description": null, "objectives": null})).unwrap();
        let changes = body.command().unwrap();
        assert_eq!(changes.name, None);
        assert_eq!(changes.description, Some(LongText::default()));
        assert_eq!(changes.objectives, Some(Objectives::default()));
        let body: UpdateUnit = serde_json::from_value(json!({"name": null})).unwrap();
        assert_eq!(body.command().unwrap_err().field, "name");
    }

    #[test]
    fn a_place_is_not_negative() {
        assert_eq!(MoveUnit { position: 3 }.command(), Ok(3));
        assert_eq!(
            MoveUnit { position: -1 }.command().unwrap_err().field,
            "position"
        );
    }
}
