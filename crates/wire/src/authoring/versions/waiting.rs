//! The draft of a published course on the wire: what waits to go live, and publishing it.

use lyceum_domain::Invalid;
use lyceum_domain::authoring::versions::waiting::{ChangeTarget, DraftNoticeCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Command;
use crate::shapes;

/// What waits to go live of a course and of what is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CourseDraftView {
    /// Always `course_draft`.
    #[schema(example = "course_draft")]
    pub object: String,
    /// The course.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Course>)]
    pub course_id: String,
    /// Names exactly what waits now: whoever publishes with it publishes what they have seen.
    #[schema(example = "9c1185a5c5e9fc54612808977ee8f548")]
    pub revision: String,
    /// For which things something waits: the course, then units, lessons, activities and assignments.
    pub changes: Vec<WaitingChangeView>,
    /// What learners will notice when it goes live.
    pub notices: Vec<DraftNoticeView>,
}

/// That something waits for a thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WaitingChangeView {
    /// `course`, `unit`, `lesson`, `activity` or `assignment`.
    #[schema(example = "lesson")]
    pub object: String,
    /// Its id.
    #[schema(example = "les_01kazv9h8ye5x8q9c4t7m2n3p6")]
    pub id: String,
    /// What it will be called.
    pub name: String,
    /// Always `updated`: things are made, moved and deleted at once.
    #[schema(example = "updated")]
    pub change: String,
    /// The names of the members that will be different.
    pub fields: Vec<String>,
    /// Whether somebody has meanwhile changed, at once, what is to change.
    pub base_changed: bool,
    /// Who last changed what waits; null where it was no member.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::User>, required)]
    pub changed_by: Option<String>,
    /// When.
    #[schema(schema_with = shapes::moment)]
    pub changed_at: String,
}

/// Something that learners will notice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DraftNoticeView {
    /// What.
    #[schema(schema_with = shapes::word::<DraftNoticeCode>)]
    pub code: String,
    /// How many cohorts, lessons, activities or submissions it is about.
    pub count: u32,
    /// How many learners.
    pub learners: u32,
}

impl CourseDraftView {
    /// What waits for a course, in this revision.
    pub fn new(
        course_id: String,
        revision: String,
        changes: Vec<WaitingChangeView>,
        notices: Vec<DraftNoticeView>,
    ) -> Self {
        Self {
            object: "course_draft".to_owned(),
            course_id,
            revision,
            changes,
            notices,
        }
    }
}

impl DraftNoticeView {
    /// Of so many things and learners.
    pub fn new(code: DraftNoticeCode, count: u32, learners: u32) -> Self {
        Self {
            code: code.to_string(),
            count,
            learners,
        }
    }
}

/// What whoever publishes has seen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Publishing {
    /// Things that somebody else changed meanwhile, and that are to be as it waits all the same.
    pub over: Vec<ChangeTarget>,
    /// What they have seen waiting; whatever waits, where they do not say.
    pub revision: Option<String>,
}

/// What goes live.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct PublishDraft {
    /// Ids of things that somebody has changed meanwhile (`base_changed`), and that are to be as it waits all the same.
    #[schema(max_items = 10_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<Vec<String>>,
    /// The `revision` of the draft that was looked at: where something else waits by now, nothing is published.
    #[schema(max_length = 100)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
}

impl Command for PublishDraft {
    type Of = Publishing;

    fn command(self) -> Result<Publishing, Invalid> {
        // What is no id of anything that changes is in nobody's way.
        let over = self.over.unwrap_or_default();
        Ok(Publishing {
            over: over
                .iter()
                .filter_map(|id| ChangeTarget::parse(id))
                .collect(),
            revision: self.revision,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn whoever_publishes_may_say_nothing() {
        let said: PublishDraft = serde_json::from_value(json!({})).unwrap();
        assert_eq!(said.command().unwrap(), Publishing::default());
        let said: PublishDraft = serde_json::from_value(
            json!({"over": ["les_01kazv9h8ye5x8q9c4t7m2n3p6", "x"], "revision": "r"}),
        )
        .unwrap();
        let said = said.command().unwrap();
        assert_eq!((said.over.len(), said.revision.as_deref()), (1, Some("r")));
    }
}
