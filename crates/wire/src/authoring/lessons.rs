//! Lessons on the wire.

use std::collections::BTreeMap;

use lyceum_domain::authoring::lessons::{Lesson, LessonChanges, Minutes, NewLesson};
use lyceum_domain::authoring::units::Objectives;
use lyceum_domain::ids::UnitId;
use lyceum_domain::text::{LongText, Name};
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::authoring::languages::{language, language_change};
use crate::authoring::provenance::ProvenanceView;
use crate::authoring::texts::TextWarningView;
use crate::common::{Command, FreeObject, Resource, metadata, metadata_change, not_cleared};
use crate::common_ids::reference;
use crate::declared::view;
use crate::patch::Patch;
use crate::place::{Place, position};
use crate::shapes;

/// A lesson to be made.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateLesson {
    /// The unit it belongs to, `unt_…`.
    #[schema(example = "unt_01kazv9h8ye5x8q9c4t7m2n3p6")]
    pub unit_id: String,
    /// Human-readable name.
    #[schema(
        min_length = 1,
        max_length = 255,
        pattern = r"\S",
        example = "The danger zone"
    )]
    pub name: String,
    /// One or two sentences.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// What a learner will be able to do: sentences of at most 1000 characters.
    #[schema(max_items = 50)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objectives: Option<Vec<String>>,
    /// The lesson's text, Markdown.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Planned minutes; 0 when absent.
    #[schema(minimum = 0, maximum = 10_000, example = 20)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_minutes: Option<i64>,
    /// BCP-47 language tag of its content, where it is not the course's.
    #[schema(
        min_length = 2,
        max_length = 100,
        pattern = "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$",
        example = "ar"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// 0-based place among the unit's lessons; the end when absent or beyond it.
    #[schema(minimum = 0, maximum = 2_147_483_647_u32)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<i64>,
    /// Free-form key-value store: at most 50 keys, 16 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<FreeObject>,
}

impl Command for CreateLesson {
    type Of = NewLesson;

    fn command(self) -> Result<NewLesson, Invalid> {
        Ok(NewLesson {
            unit_id: reference(&self.unit_id),
            name: Name::parse(self.name).at("name")?,
            summary: LongText::parse(self.summary.unwrap_or_default()).at("summary")?,
            objectives: Objectives::parse(self.objectives.unwrap_or_default()).at("objectives")?,
            content: LongText::parse(self.content.unwrap_or_default()).at("content")?,
            duration: self
                .duration_minutes
                .map_or(Ok(Minutes::default()), Minutes::parse)
                .at("duration_minutes")?,
            language: language(self.language)?,
            position: self.position.map(position).transpose()?,
            metadata: metadata(self.metadata)?,
        })
    }
}

/// A change of a lesson: absent keeps, `null` clears.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UpdateLesson {
    /// New name; cannot be cleared.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 255, pattern = r"\S")]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub name: Patch<String>,
    /// New summary.
    #[schema(value_type = Option<String>, max_length = 100_000)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub summary: Patch<String>,
    /// New objectives, replaced whole.
    #[schema(value_type = Option<Vec<String>>, max_items = 50)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub objectives: Patch<Vec<String>>,
    /// New text, Markdown.
    #[schema(value_type = Option<String>, max_length = 100_000)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub content: Patch<String>,
    /// New planned minutes; `null` sets 0.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 10_000)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub duration_minutes: Patch<i64>,
    /// New language tag; `null` takes it back.
    #[schema(
        value_type = Option<String>,
        min_length = 2,
        max_length = 100,
        pattern = "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$"
    )]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub language: Patch<String>,
    /// Change of the metadata, by key.
    #[schema(value_type = Option<FreeObject>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub metadata: Patch<FreeObject>,
}

impl Command for UpdateLesson {
    type Of = LessonChanges;

    fn command(self) -> Result<LessonChanges, Invalid> {
        let name = not_cleared(self.name, "name")?;
        Ok(LessonChanges {
            name: name.map(Name::parse).transpose().at("name")?,
            summary: self
                .summary
                .try_map(LongText::parse)
                .at("summary")?
                .or_default(LongText::default),
            objectives: self
                .objectives
                .try_map(Objectives::parse)
                .at("objectives")?
                .or_default(Objectives::default),
            content: self
                .content
                .try_map(LongText::parse)
                .at("content")?
                .or_default(LongText::default),
            duration: self
                .duration_minutes
                .try_map(Minutes::parse)
                .at("duration_minutes")?
                .or_default(Minutes::default),
            language: language_change(self.language)?.into_option(),
            metadata: metadata_change(self.metadata),
        })
    }
}

/// Where a lesson is to be moved, within its course.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct MoveLesson {
    /// New 0-based place among the unit's lessons; the end when beyond it.
    #[schema(minimum = 0, maximum = 2_147_483_647_u32, example = 0)]
    pub position: i64,
    /// Its new unit, of the same course; the one it is in when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit_id: Option<String>,
}

impl Command for MoveLesson {
    type Of = Place<UnitId>;

    fn command(self) -> Result<Place<UnitId>, Invalid> {
        Ok(Place {
            position: position(self.position)?,
            parent: self.unit_id.as_deref().map(reference),
        })
    }
}

view! {
    /// A lesson.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    pub struct LessonView {
        /// `les_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Lesson>)]
        pub id: String = lesson.id.to_string(),
        /// Always `lesson`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Lesson>)]
        pub object: String = "lesson".to_owned(),
        /// The unit it belongs to.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Unit>)]
        pub unit_id: String = lesson.unit_id.to_string(),
        /// The course it belongs to.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Course>)]
        pub course_id: String = lesson.course_id.to_string(),
        /// Human-readable name.
        pub name: String = lesson.name.to_string(),
        /// One or two sentences.
        pub summary: String = lesson.summary.to_string(),
        /// What a learner will be able to do.
        pub objectives: Vec<String> = lesson.objectives.as_slice().to_vec(),
        /// The lesson's text, Markdown.
        pub content: String = lesson.content.to_string(),
        /// Planned minutes.
        pub duration_minutes: u32 = lesson.duration.get(),
        /// BCP-47 language tag of its content; null where it is the course's.
        #[schema(required)]
        pub language: Option<String> = lesson.language.as_ref().map(ToString::to_string),
        /// 0-based place among the unit's lessons.
        pub position: u32 = lesson.position,
        /// Where it came from.
        pub provenance: ProvenanceView = (&lesson.provenance).into(),
        /// Free-form key-value store.
        pub metadata: FreeObject = (&lesson.metadata).into(),
        /// When it was made.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = lesson.stamp.created_at.to_string(),
        /// When it last changed.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = lesson.stamp.updated_at.to_string(),
        /// The HTML of its texts by place, with addresses of media that work for an hour or two. Only with `expand=html`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub html: Option<BTreeMap<String, String>> = None,
        /// What its texts lose when they are shown. Only in the answer to whoever writes them, and only where there is something.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub warnings: Option<Vec<TextWarningView>> = None,
        /// What of it waits to go live, by the names of the members: they are shown as they will be. Only with `draft=true`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub waiting: Option<Vec<String>> = None,
    }

    /// Shows a lesson.
    pub fn new(lesson: &Lesson);
}

impl LessonView {
    /// The same for a learner, who does not see metadata.
    pub fn learner(lesson: &Lesson) -> Self {
        Self {
            metadata: FreeObject::default(),
            ..Self::new(lesson)
        }
    }
}

impl Resource for LessonView {
    const COLLECTION: &'static str = "lessons";

    fn id(&self) -> &str {
        &self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_lesson_needs_a_unit_and_a_name_only() {
        let body: CreateLesson =
            serde_json::from_value(json!({"unit_id": "unt_", "name": "Cooling"})).unwrap();
        let new = body.command().unwrap();
        assert_eq!(new.duration, Minutes::default());
        assert!(new.content.is_blank());
    }

    #[test]
    fn problems_name_the_field_as_callers_write_it() {
        let body: UpdateLesson =
            serde_json::from_value(json!({"duration_minutes": 10_001})).unwrap();
        assert_eq!(body.command().unwrap_err().field, "duration_minutes");
        let body: UpdateLesson = serde_json::from_value(json!({"duration_minutes": null})).unwrap();
        assert_eq!(body.command().unwrap().duration, Some(Minutes::default()));
    }

    #[test]
    fn moving_names_a_new_unit_or_none() {
        let stay: MoveLesson = serde_json::from_value(json!({"position": 2})).unwrap();
        assert_eq!(stay.command().unwrap().parent, None);
        let away: MoveLesson =
            serde_json::from_value(json!({"position": 0, "unit_id": "?"})).unwrap();
        assert!(away.command().unwrap().parent.is_some());
    }
}
