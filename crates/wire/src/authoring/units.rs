//! Units on the wire.

use lyceum_domain::authoring::units::{NewUnit, Objectives, Unit, UnitChanges};
use lyceum_domain::text::{LongText, Name};
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::authoring::provenance::ProvenanceView;
use crate::common::{Command, FreeObject, Resource, metadata, metadata_change, not_cleared};
use crate::common_ids::reference;
use crate::patch::Patch;
use crate::place::position;
use crate::shapes;

/// A unit to be made.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateUnit {
    /// The course it belongs to, `crs_…`.
    #[schema(example = "crs_01kazv9h8ye5x8q9c4t7m2n3p6")]
    pub course_id: String,
    /// Human-readable name.
    #[schema(
        min_length = 1,
        max_length = 255,
        pattern = r"\S",
        example = "Cooling and storing"
    )]
    pub name: String,
    /// What the unit is about.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What a learner will be able to do: sentences of at most 1000 characters.
    #[schema(max_items = 50)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objectives: Option<Vec<String>>,
    /// 0-based place among the course's units; the end when absent or beyond it.
    #[schema(minimum = 0, maximum = 2_147_483_647_u32)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<i64>,
    /// Free-form key-value store: at most 50 keys, 16 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<FreeObject>,
}

impl Command for CreateUnit {
    type Of = NewUnit;

    fn command(self) -> Result<NewUnit, Invalid> {
        Ok(NewUnit {
            course_id: reference(&self.course_id),
            name: Name::parse(self.name).at("name")?,
            description: LongText::parse(self.description.unwrap_or_default()).at("description")?,
            objectives: Objectives::parse(self.objectives.unwrap_or_default()).at("objectives")?,
            position: self.position.map(position).transpose()?,
            metadata: metadata(self.metadata)?,
        })
    }
}

/// A change of a unit: absent keeps, `null` clears.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UpdateUnit {
    /// New name; cannot be cleared.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 255, pattern = r"\S")]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub name: Patch<String>,
    /// New description.
    #[schema(value_type = Option<String>, max_length = 100_000)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub description: Patch<String>,
    /// New objectives, replaced whole.
    #[schema(value_type = Option<Vec<String>>, max_items = 50)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub objectives: Patch<Vec<String>>,
    /// Change of the metadata, by key.
    #[schema(value_type = Option<FreeObject>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub metadata: Patch<FreeObject>,
}

impl Command for UpdateUnit {
    type Of = UnitChanges;

    fn command(self) -> Result<UnitChanges, Invalid> {
        let name = not_cleared(self.name, "name")?;
        Ok(UnitChanges {
            name: name.map(Name::parse).transpose().at("name")?,
            description: self
                .description
                .try_map(LongText::parse)
                .at("description")?
                .or_default(LongText::default),
            objectives: self
                .objectives
                .try_map(Objectives::parse)
                .at("objectives")?
                .or_default(Objectives::default),
            metadata: metadata_change(self.metadata),
        })
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

/// A unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct UnitView {
    /// `unt_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Unit>)]
    pub id: String,
    /// Always `unit`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Unit>)]
    pub object: String,
    /// The course it belongs to.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Course>)]
    pub course_id: String,
    /// Human-readable name.
    pub name: String,
    /// What the unit is about.
    pub description: String,
    /// What a learner will be able to do.
    pub objectives: Vec<String>,
    /// 0-based place among the course's units.
    pub position: u32,
    /// How many lessons it has.
    pub lesson_count: u32,
    /// Where it came from.
    pub provenance: ProvenanceView,
    /// Free-form key-value store.
    pub metadata: FreeObject,
    /// When it was made.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When it last changed.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

impl UnitView {
    /// Shows a unit that has `lesson_count` lessons.
    pub fn new(unit: &Unit, lesson_count: u32) -> Self {
        Self {
            id: unit.id.to_string(),
            object: "unit".to_owned(),
            course_id: unit.course_id.to_string(),
            name: unit.name.to_string(),
            description: unit.description.to_string(),
            objectives: unit.objectives.as_slice().to_vec(),
            position: unit.position,
            lesson_count,
            provenance: (&unit.provenance).into(),
            metadata: (&unit.metadata).into(),
            created_at: unit.stamp.created_at.to_string(),
            updated_at: unit.stamp.updated_at.to_string(),
        }
    }

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
