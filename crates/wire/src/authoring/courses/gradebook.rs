//! How a course is weighed, on the wire.

use lyceum_domain::Invalid;
use lyceum_domain::authoring::courses::gradebook::{
    CountingAttempt, GradeGroup, GradebookScheme, MissingWork,
};
use lyceum_domain::json::JsonObject;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::patch::Patch;
use crate::shapes;

/// How a course is weighed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct GradebookInput {
    /// Tasks that weigh something together. Where there are none all tasks are together.
    #[schema(max_items = 20)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<GradeGroupInput>>,
    /// What becomes of a task that was due and was not handed in: `ignored` (when absent), or it counts as `zero`.
    #[schema(schema_with = shapes::optional_word::<MissingWork>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// Tasks that weigh something together, as given.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct GradeGroupInput {
    /// Unique among the groups of the course.
    #[schema(min_length = 1, max_length = 64, pattern = r"\S", example = "homework")]
    pub id: String,
    /// What people call it, each group something else.
    #[schema(
        min_length = 1,
        max_length = 255,
        pattern = r"\S",
        example = "Homework"
    )]
    pub name: String,
    /// What it weighs, in per cent; all groups together at most 100.
    #[schema(minimum = 0, maximum = 100, example = 40)]
    pub weight: i64,
    /// How many of its tasks are dropped, those without which it goes best; none when absent.
    #[schema(minimum = 0, maximum = 20, example = 1)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drop_lowest: Option<i64>,
    /// Which attempt at its tasks counts: the `best` (when absent), the `latest` or the `first`.
    #[schema(schema_with = shapes::optional_word::<CountingAttempt>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<String>,
    /// Ids of assignments, and of activities that are scored quizzes; each in one group, and at most 1000 in all.
    #[schema(max_items = 1000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<String>>,
}

impl GradebookInput {
    fn read(&self) -> Result<GradebookScheme, Invalid> {
        let groups = self.groups.as_ref().map(|groups| {
            let groups = groups.iter().map(GradeGroupInput::document);
            groups.collect::<Vec<_>>()
        });
        let members = [("groups", json!(groups)), ("missing", json!(self.missing))];
        let object: JsonObject = members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        GradebookScheme::parse(&object)
    }
}

impl GradeGroupInput {
    fn document(&self) -> Value {
        json!({
            "id": self.id,
            "name": self.name,
            "weight": self.weight,
            "drop_lowest": self.drop_lowest,
            "attempt": self.attempt,
            "items": self.items,
        })
    }
}

/// Of a course to be made.
///
/// # Errors
/// [`Invalid`] naming the member behind `gradebook`.
pub(super) fn gradebook(given: Option<GradebookInput>) -> Result<GradebookScheme, Invalid> {
    given.unwrap_or_default().read()
}

/// Of a change: replaced whole, and as it is where nobody says when cleared.
///
/// # Errors
/// [`Invalid`] naming the member behind `gradebook`.
pub(super) fn gradebook_change(
    given: Patch<GradebookInput>,
) -> Result<Option<GradebookScheme>, Invalid> {
    match given {
        Patch::Keep => Ok(None),
        Patch::Clear => Ok(Some(GradebookScheme::default())),
        Patch::Set(given) => given.read().map(Some),
    }
}

/// How a course is weighed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GradebookView {
    /// Tasks that weigh something together; where there are none all tasks are together.
    pub groups: Vec<GradeGroupView>,
    /// What becomes of a task that was due and was not handed in.
    #[schema(schema_with = shapes::word::<MissingWork>)]
    pub missing: String,
}

/// Tasks that weigh something together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GradeGroupView {
    /// Unique among the groups of the course.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it weighs, in per cent.
    pub weight: u8,
    /// How many of its tasks are dropped, those without which it goes best.
    pub drop_lowest: u8,
    /// Which attempt at its tasks counts.
    #[schema(schema_with = shapes::word::<CountingAttempt>)]
    pub attempt: String,
    /// Ids of assignments and activities.
    pub items: Vec<String>,
}

impl Default for GradebookView {
    fn default() -> Self {
        (&GradebookScheme::default()).into()
    }
}

impl From<&GradebookScheme> for GradebookView {
    fn from(scheme: &GradebookScheme) -> Self {
        Self {
            groups: scheme.groups().iter().map(Into::into).collect(),
            missing: scheme.missing().to_string(),
        }
    }
}

impl From<&GradeGroup> for GradeGroupView {
    fn from(group: &GradeGroup) -> Self {
        Self {
            id: group.id.clone(),
            name: group.name.to_string(),
            weight: group.weight,
            drop_lowest: group.drop_lowest,
            attempt: group.attempt.to_string(),
            items: group.items.iter().map(ToString::to_string).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn homework() -> GradeGroupInput {
        GradeGroupInput {
            id: "homework".to_owned(),
            name: "Homework".to_owned(),
            weight: 40,
            ..GradeGroupInput::default()
        }
    }

    #[test]
    fn what_is_shown_of_a_scheme_can_be_given_back() {
        let given = GradebookInput {
            groups: Some(vec![homework()]),
            missing: Some("zero".to_owned()),
        };
        let scheme = gradebook(Some(given)).unwrap();
        let view = serde_json::to_value(GradebookView::from(&scheme)).unwrap();
        let given: GradebookInput = serde_json::from_value(view).unwrap();
        assert_eq!(gradebook_change(Patch::Set(given)).unwrap(), Some(scheme));
    }

    #[test]
    fn a_service_that_does_not_say_weighs_nothing() {
        let view = GradebookView::default();
        assert_eq!((view.groups.len(), view.missing.as_str()), (0, "ignored"));
        assert_eq!(gradebook(None).unwrap(), GradebookScheme::default());
        assert_eq!(gradebook_change(Patch::Keep).unwrap(), None);
        let cleared = gradebook_change(Patch::Clear).unwrap();
        assert_eq!(cleared, Some(GradebookScheme::default()));
    }

    #[test]
    fn what_is_wrong_is_named_behind_gradebook() {
        let heavy = GradeGroupInput {
            weight: 300,
            ..homework()
        };
        let groups = Some(vec![homework(), heavy]);
        let given = GradebookInput {
            groups,
            missing: None,
        };
        let wrong = gradebook(Some(given)).unwrap_err();
        assert_eq!(wrong.field, "gradebook.groups[1].weight");
    }
}
