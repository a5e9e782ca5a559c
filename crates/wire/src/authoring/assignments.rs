//! Assignments on the wire.

use std::collections::BTreeMap;

use lyceum_domain::authoring::assignments as domain;
use lyceum_domain::authoring::assignments::{
    Assignment, AssignmentChanges, AssignmentParent, GradingChanges, MaxAttempts, NewAssignment,
};
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::json::JsonObject;
use lyceum_domain::points::Points;
use lyceum_domain::text::{LongText, Name};
use lyceum_domain::{At, Invalid, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::authoring::grading::{
    self, AiEvaluatorInput, FeedbackInput, HumanReview, ReleaseInput, ReleaseView,
};
use crate::authoring::late_policy::{LatePolicyInput, LatePolicyView};
use crate::authoring::rubric_input::{RubricInput, RubricView};
use crate::authoring::texts::TextWarningView;
use crate::common::{Command, FreeObject, Resource, metadata, metadata_change, not_cleared};
use crate::common_ids::reference;
use crate::patch::Patch;
use crate::points::PointsNumber;
use crate::shapes;

/// An assignment to be made, on exactly one of a course, a unit and a lesson.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateAssignment {
    /// Human-readable name.
    #[schema(
        min_length = 1,
        max_length = 255,
        pattern = r"\S",
        example = "A cooling plan for your kitchen"
    )]
    pub name: String,
    /// The course it hangs on, `crs_…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub course_id: Option<String>,
    /// The unit it hangs on, `unt_…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit_id: Option<String>,
    /// The lesson it hangs on, `les_…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lesson_id: Option<String>,
    /// What is to be done, Markdown.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// Best possible score, above 0; 100 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_score: Option<PointsNumber>,
    /// When it is due, RFC 3339.
    #[schema(example = "2026-12-01T17:00:00Z")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_at: Option<String>,
    /// What is taken off work that comes later; nothing when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late_policy: Option<LatePolicyInput>,
    /// How often a learner may hand in; without limit when absent.
    #[schema(minimum = 1, maximum = 100)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_attempts: Option<i64>,
    /// What submissions are judged by; the course's rubric, or one criterion `overall`, when absent.
    #[schema(value_type = Option<RubricInput>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rubric: Option<FreeObject>,
    /// Whether and with what AI grades.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ai_evaluator: Option<AiEvaluatorInput>,
    /// Whether a person looks at AI grades; `optional` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub human_review: Option<HumanReview>,
    /// What a certificate has to promise before AI's grades go out unseen; none is asked for when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<ReleaseInput>,
    /// How feedback is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<FeedbackInput>,
    /// Free-form key-value store: at most 50 keys, 16 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<FreeObject>,
}

impl CreateAssignment {
    fn parent(&self) -> Result<AssignmentParent, Invalid> {
        let course = self.course_id.as_deref();
        let unit = self.unit_id.as_deref();
        let lesson = self.lesson_id.as_deref();
        let too_many = |field: &str| {
            Err(Invalid::new(
                field,
                "must not be given beside another parent",
            ))
        };
        match (course, unit, lesson) {
            (Some(id), None, None) => Ok(AssignmentParent::Course(reference(id))),
            (None, Some(id), None) => Ok(AssignmentParent::Unit(reference(id))),
            (None, None, Some(id)) => Ok(AssignmentParent::Lesson(reference(id))),
            (None, None, None) => Err(Invalid::missing("course_id")),
            (_, _, Some(_)) => too_many("lesson_id"),
            (Some(_), Some(_), None) => too_many("unit_id"),
        }
    }
}

impl Command for CreateAssignment {
    type Of = NewAssignment;

    fn command(self) -> Result<NewAssignment, Invalid> {
        let parent = self.parent()?;
        let rubric = self
            .rubric
            .map(|rubric| grading::read_rubric(&rubric))
            .transpose()?
            .flatten();
        let mut changes = GradingChanges {
            rubric: rubric.map(Some),
            human_review: self.human_review.map(Into::into),
            release: self.release.map(ReleaseInput::terms).transpose()?.map(Some),
            ..GradingChanges::default()
        };
        self.ai_evaluator.unwrap_or_default().add_to(&mut changes)?;
        let mut feedback = self.feedback.unwrap_or_default();
        // A new assignment has nothing to clear: `null` is the same as absent.
        if feedback.language == Patch::Clear {
            feedback.language = Patch::Keep;
        }
        feedback.add_to(&mut changes, "feedback.")?;
        Ok(NewAssignment {
            parent,
            name: Name::parse(self.name).at("name")?,
            instructions: LongText::parse(self.instructions.unwrap_or_default())
                .at("instructions")?,
            max_score: self.max_score.map_or(Points::HUNDRED, |points| points.0),
            due_at: self
                .due_at
                .map(|text| Timestamp::parse(&text))
                .transpose()
                .at("due_at")?,
            late_policy: self.late_policy.map(LatePolicyInput::policy).transpose()?,
            max_attempts: self
                .max_attempts
                .map(MaxAttempts::parse)
                .transpose()
                .at("max_attempts")?,
            grading: changes,
            metadata: metadata(self.metadata)?,
        })
    }
}

/// A change of an assignment: absent keeps, `null` clears. Where it hangs never changes.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UpdateAssignment {
    /// New name; cannot be cleared.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 255, pattern = r"\S")]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub name: Patch<String>,
    /// New instructions, Markdown.
    #[schema(value_type = Option<String>, max_length = 100_000)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub instructions: Patch<String>,
    /// New best possible score, above 0; `null` sets 100.
    #[schema(value_type = Option<PointsNumber>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub max_score: Patch<PointsNumber>,
    /// New due date, RFC 3339.
    #[schema(value_type = Option<String>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub due_at: Patch<String>,
    /// What is taken off work that comes later, replaced whole; `null` takes nothing off.
    #[schema(value_type = Option<LatePolicyInput>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub late_policy: Patch<LatePolicyInput>,
    /// New number of attempts; `null` takes the limit away.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub max_attempts: Patch<i64>,
    /// New rubric, replaced whole.
    #[schema(value_type = Option<RubricInput>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub rubric: Patch<FreeObject>,
    /// Change of whether and with what AI grades.
    #[schema(value_type = Option<AiEvaluatorInput>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub ai_evaluator: Patch<AiEvaluatorInput>,
    /// Whether a person looks at AI grades; `null` sets `optional`.
    #[schema(value_type = Option<HumanReview>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub human_review: Patch<HumanReview>,
    /// What a certificate has to promise before AI's grades go out unseen, replaced whole; `null` asks for none.
    #[schema(value_type = Option<ReleaseInput>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub release: Patch<ReleaseInput>,
    /// Change of how feedback is written; `null` keeps it.
    #[schema(value_type = Option<FeedbackInput>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub feedback: Patch<FeedbackInput>,
    /// Change of the metadata, by key.
    #[schema(value_type = Option<FreeObject>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub metadata: Patch<FreeObject>,
}

impl Command for UpdateAssignment {
    type Of = AssignmentChanges;

    fn command(self) -> Result<AssignmentChanges, Invalid> {
        let name = not_cleared(self.name, "name")?;
        Ok(AssignmentChanges {
            name: name.map(Name::parse).transpose().at("name")?,
            instructions: self
                .instructions
                .try_map(LongText::parse)
                .at("instructions")?
                .or_default(LongText::default),
            max_score: self
                .max_score
                .or_default(|| PointsNumber(Points::HUNDRED))
                .map(|points| points.0),
            due_at: self
                .due_at
                .try_map(|text| Timestamp::parse(&text))
                .at("due_at")?
                .into_option(),
            late_policy: self
                .late_policy
                .try_map(LatePolicyInput::policy)?
                .into_option(),
            max_attempts: self
                .max_attempts
                .try_map(MaxAttempts::parse)
                .at("max_attempts")?
                .into_option(),
            grading: grading::changes(
                self.rubric,
                self.ai_evaluator,
                self.human_review,
                self.release,
                self.feedback,
            )?,
            metadata: metadata_change(self.metadata),
        })
    }
}

/// An assignment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AssignmentView {
    /// `asg_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Assignment>)]
    pub id: String,
    /// Always `assignment`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Assignment>)]
    pub object: String,
    /// The course it belongs to.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Course>)]
    pub course_id: String,
    /// The unit, if it hangs on one or on one of its lessons.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::Unit>, required)]
    pub unit_id: Option<String>,
    /// The lesson, if it hangs on one.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::Lesson>, required)]
    pub lesson_id: Option<String>,
    /// Human-readable name.
    pub name: String,
    /// What is to be done, Markdown.
    pub instructions: String,
    /// Best possible score.
    pub max_score: PointsNumber,
    /// When it is due; for learners, when it is due for them.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub due_at: Option<String>,
    /// What is taken off work that comes later; null where nothing is.
    #[serde(default)]
    #[schema(required)]
    pub late_policy: Option<LatePolicyView>,
    /// How often a learner may hand in; `null` is without limit.
    #[schema(required)]
    pub max_attempts: Option<u32>,
    /// What submissions are judged by; without criteria where the assignment has no rubric of its own.
    #[schema(value_type = RubricView)]
    pub rubric: FreeObject,
    /// Whether and with what AI grades.
    pub ai_evaluator: AiEvaluatorView,
    /// `required`, `optional` or `off`.
    #[schema(schema_with = shapes::word::<lyceum_domain::authoring::assignments::HumanReview>)]
    pub human_review: String,
    /// What a certificate has to promise before AI's grades go out unseen; null where none is asked for.
    #[schema(required)]
    pub release: Option<ReleaseView>,
    /// How feedback is written.
    pub feedback: FeedbackStyleView,
    /// Free-form key-value store.
    pub metadata: FreeObject,
    /// When it was made.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When it last changed.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
    /// The HTML of its texts by place, with addresses of media that work for an hour or two. Only with `expand=html`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub html: Option<BTreeMap<String, String>>,
    /// What its texts lose when they are shown. Only in the answer to whoever writes them, and only where there is something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<TextWarningView>>,
    /// What of it waits to go live, by the names of the members: they are shown as they will be. Only with `draft=true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Vec<String>>,
}

/// Whether and with what AI grades.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct AiEvaluatorView {
    /// Whether submitting starts grading by itself.
    pub enabled: bool,
    /// The model asked for; empty means the course's or the service's.
    pub model: String,
}

/// How feedback is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FeedbackStyleView {
    /// `encouraging`, `neutral`, `normal` or `demanding`.
    #[schema(schema_with = shapes::word::<lyceum_domain::authoring::assignments::Tone>)]
    pub tone: String,
    /// `brief`, `normal` or `detailed`.
    #[schema(schema_with = shapes::word::<lyceum_domain::authoring::assignments::Verbosity>)]
    pub verbosity: String,
    /// BCP-47 language tag in canonical case.
    pub language: String,
}

impl From<&domain::FeedbackStyle> for FeedbackStyleView {
    fn from(style: &domain::FeedbackStyle) -> Self {
        Self {
            tone: style.tone.to_string(),
            verbosity: style.verbosity.to_string(),
            language: style.language.to_string(),
        }
    }
}

impl AssignmentView {
    /// Shows an assignment.
    pub fn new(assignment: &Assignment) -> Self {
        let grading = &assignment.grading;
        Self {
            id: assignment.id.to_string(),
            object: "assignment".to_owned(),
            course_id: assignment.place.course_id.to_string(),
            unit_id: assignment.place.unit_id.map(|id| id.to_string()),
            lesson_id: assignment.place.lesson_id.map(|id| id.to_string()),
            name: assignment.name.to_string(),
            instructions: assignment.instructions.to_string(),
            max_score: PointsNumber(assignment.max_score),
            due_at: assignment.due_at.map(|due| due.to_string()),
            late_policy: assignment.late_policy.map(Into::into),
            max_attempts: assignment.max_attempts.map(MaxAttempts::get),
            rubric: rubric_view(grading.rubric.as_ref()),
            ai_evaluator: AiEvaluatorView {
                enabled: grading.ai_evaluator.enabled,
                model: grading.ai_evaluator.model.clone(),
            },
            human_review: grading.human_review.to_string(),
            release: grading.release.as_ref().map(Into::into),
            feedback: (&grading.feedback).into(),
            metadata: (&assignment.metadata).into(),
            created_at: assignment.stamp.created_at.to_string(),
            updated_at: assignment.stamp.updated_at.to_string(),
            html: None,
            warnings: None,
            waiting: None,
        }
    }

    /// The same for a learner, who sees what is judged and whether AI judges it, but neither by which model nor by which
    /// reference answers, nor what it has to promise.
    pub fn learner(assignment: &Assignment) -> Self {
        let rubric = assignment.grading.rubric.clone().map(without_notes);
        Self {
            release: None,
            rubric: rubric_view(rubric.as_ref()),
            ai_evaluator: AiEvaluatorView {
                enabled: assignment.grading.ai_evaluator.enabled,
                model: String::new(),
            },
            metadata: FreeObject::default(),
            ..Self::new(assignment)
        }
    }
}

fn rubric_view(rubric: Option<&Rubric>) -> FreeObject {
    FreeObject(rubric.map_or_else(
        || JsonObject::from_iter([("criteria".to_owned(), json!([]))]),
        Rubric::to_json,
    ))
}

/// What we do not know may be a note for graders.
fn without_notes(mut rubric: Rubric) -> Rubric {
    rubric.extra = JsonObject::new();
    for criterion in &mut rubric.criteria {
        criterion.extra = JsonObject::new();
    }
    rubric
}

impl Resource for AssignmentView {
    const COLLECTION: &'static str = "assignments";

    fn id(&self) -> &str {
        &self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lyceum_domain::authoring::assignments::AssignmentPlace;
    use lyceum_domain::text::LanguageTag;
    use lyceum_domain::{Id, Timestamp};
    use serde_json::Value;
    use uuid::Uuid;

    fn create(body: Value) -> Result<NewAssignment, Invalid> {
        serde_json::from_value::<CreateAssignment>(body)
            .unwrap()
            .command()
    }

    fn update(body: Value) -> Result<AssignmentChanges, Invalid> {
        serde_json::from_value::<UpdateAssignment>(body)
            .unwrap()
            .command()
    }

    #[test]
    fn an_assignment_needs_a_name_and_one_parent() {
        let new = create(json!({"name": "Plan", "unit_id": "unt_"})).unwrap();
        assert!(matches!(new.parent, AssignmentParent::Unit(_)));
        assert_eq!(new.max_score, Points::HUNDRED);
        assert_eq!(new.grading, GradingChanges::default());
        let none = create(json!({"name": "Plan"})).unwrap_err();
        assert_eq!((none.field.as_str(), none.missing), ("course_id", true));
        let two = create(json!({"name": "Plan", "course_id": "c", "unit_id": "u"})).unwrap_err();
        assert_eq!((two.field.as_str(), two.missing), ("unit_id", false));
    }

    #[test]
    fn problems_of_a_rubric_say_where_they_stand() {
        let body = json!({"name": "Plan", "course_id": "c", "rubric": {"criteria": [{}]}});
        assert_eq!(create(body).unwrap_err().field, "rubric.criteria[0].name");
        let body = json!({"name": "Plan", "course_id": "c", "feedback": {"language": "?"}});
        assert_eq!(create(body).unwrap_err().field, "feedback.language");
    }

    #[test]
    fn null_clears_and_absent_keeps() {
        let changes = update(json!({"due_at": null, "rubric": null, "max_score": null})).unwrap();
        assert_eq!(changes.due_at, Some(None));
        assert_eq!(changes.max_attempts, None);
        assert_eq!(changes.max_score, Some(Points::HUNDRED));
        assert_eq!(changes.grading.rubric, Some(None));
        assert_eq!(changes.grading.human_review, None);
    }

    #[test]
    fn a_learner_sees_what_is_judged_but_not_how() {
        let new = create(json!({
            "name": "Plan", "course_id": "c", "metadata": {"internal": 1}, "max_score": 12.5,
            "ai_evaluator": {"enabled": true, "model": "large"},
            "rubric": {"note": "SECRET", "criteria": [
                {"name": "Accuracy", "description": "Right numbers", "reference_answers": ["SECRET"]}]},
        }))
        .unwrap();
        let place = AssignmentPlace {
            course_id: Id::from_uuid(Uuid::nil()),
            unit_id: None,
            lesson_id: None,
        };
        let assignment = Assignment::new(
            Id::from_uuid(Uuid::nil()),
            Id::from_uuid(Uuid::nil()),
            place,
            LanguageTag::english(),
            new,
            Timestamp::from_unix_millis(0),
        )
        .unwrap();
        let whole = serde_json::to_value(AssignmentView::new(&assignment)).unwrap();
        assert_eq!(whole["max_score"], json!(12.5));
        assert_eq!(whole["unit_id"], Value::Null);
        assert_eq!(whole["rubric"]["note"], json!("SECRET"));
        let shown = serde_json::to_value(AssignmentView::learner(&assignment)).unwrap();
        assert!(!shown.to_string().contains("SECRET"), "{shown}");
        assert_eq!(
            shown["rubric"]["criteria"][0]["description"],
            json!("Right numbers")
        );
        assert_eq!(shown["ai_evaluator"], json!({"enabled": true, "model": ""}));
        assert_eq!(shown["metadata"], json!({}));
    }
}
