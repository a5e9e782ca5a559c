//! Courses on the wire.

pub mod gradebook;

use std::collections::BTreeMap;

use lyceum_domain::authoring::courses::{
    Course, CourseAi, CourseAiChanges, CourseAttachments, CourseChanges, CourseCopy, Hours,
    NewCourse,
};
use lyceum_domain::ids::CohortId;
use lyceum_domain::json::JsonObject;
use lyceum_domain::text::{LanguageTag, LongText, Name};
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use self::gradebook::{GradebookInput, GradebookView, gradebook, gradebook_change};
use crate::authoring::completion::{
    CompletionInput, CompletionView, completion, completion_change,
};
use crate::authoring::texts::TextWarningView;
use crate::common::{FreeObject, Resource, metadata, metadata_change};
use crate::declared::{change, change_or_default, command, optional, or_default, taken, view};
use crate::patch::Patch;
use crate::shapes;

command! {
    /// A course to be made.
    #[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
    pub struct CreateCourse => NewCourse {
        /// Human-readable course name.
        #[schema(
            min_length = 1,
            max_length = 255,
            pattern = r"\S",
            example = "Food safety in restaurant kitchens"
        )]
        pub name: String => Name::parse,
        /// BCP-47 language tag of the content.
        #[schema(
            min_length = 2,
            max_length = 100,
            pattern = "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$",
            example = "en"
        )]
        pub language: String => |tag: String| LanguageTag::parse(&tag),
        /// Long description; the default brief of syllabus generation.
        #[schema(max_length = 100_000)]
        #[serde(skip_serializing_if = "Option::is_none")]
        pub description: Option<String> => or_default(LongText::parse),
        /// Planned length in hours; 8 when absent.
        #[schema(minimum = 1, maximum = 1000, example = 8)]
        #[serde(skip_serializing_if = "Option::is_none")]
        pub hours: Option<i64> => or_default(Hours::parse),
        /// Guidance and defaults for AI.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ai: Option<CourseAiInput> => course_ai,
        /// Tutor configuration: `enabled`, `instructions` and `model` are read, whatever else is kept.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub tutor: Option<FreeObject> => taken(tutor),
        /// When it is done, and what it takes to pass it.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub completion: Option<CompletionInput> => completion,
        /// How it is weighed.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub gradebook: Option<GradebookInput> => gradebook,
        /// Free-form key-value store: at most 50 keys, 16 KiB.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub metadata: Option<FreeObject> => metadata,
    }
}

/// Guidance and defaults for AI, as given.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CourseAiInput {
    /// Free-text guidance applied to every AI call of the course.
    #[schema(max_length = 100_000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// Default rubric and model of the course's assignments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluator: Option<FreeObject>,
}

fn tutor(given: Option<FreeObject>) -> JsonObject {
    given.unwrap_or_default().0
}

fn course_ai(given: Option<CourseAiInput>) -> Result<CourseAi, Invalid> {
    let ai = given.unwrap_or_default();
    Ok(CourseAi {
        instructions: LongText::parse(ai.instructions.unwrap_or_default()).at("ai.instructions")?,
        evaluator: ai.evaluator.unwrap_or_default().0,
    })
}

command! {
    /// A change of a course: absent keeps, `null` clears.
    #[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
    #[serde(default)]
    pub struct UpdateCourse => CourseChanges, not_cleared(name, language) {
        /// New name; cannot be cleared.
        #[schema(value_type = Option<String>, min_length = 1, max_length = 255, pattern = r"\S")]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub name: Patch<String> => change(Name::parse),
        /// New language tag; cannot be cleared.
        #[schema(
            min_length = 2,
            max_length = 100,
            pattern = "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$"
        )]
        #[schema(value_type = Option<String>)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub language: Patch<String> => change(|tag: String| LanguageTag::parse(&tag)),
        /// New description.
        #[schema(value_type = Option<String>, max_length = 100_000)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub description: Patch<String> => change_or_default(LongText::parse),
        /// New planned length in hours; `null` sets 8.
        #[schema(value_type = Option<i64>, minimum = 1, maximum = 1000)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub hours: Patch<i64> => change_or_default(Hours::parse),
        /// Change of guidance and defaults for AI.
        #[schema(value_type = Option<CourseAiPatch>)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub ai: Patch<CourseAiPatch> => course_ai_changes,
        /// Merge patch of the tutor configuration.
        #[schema(value_type = Option<FreeObject>)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub tutor: Patch<FreeObject> => taken(|tutor: Patch<FreeObject>| {
            tutor.into_option().map(|tutor| tutor.map(|object| object.0))
        }),
        /// When it is done, replaced whole; `null` is all of it, and the quizzes' own marks.
        #[schema(value_type = Option<CompletionInput>)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub completion: Patch<CompletionInput> => completion_change,
        /// How it is weighed, replaced whole; `null` is all tasks together.
        #[schema(value_type = Option<GradebookInput>)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub gradebook: Patch<GradebookInput> => gradebook_change,
        /// Whether Studio has what is changed of the published course wait until it is published; `null` sets `false`. Never waits itself.
        #[schema(value_type = Option<bool>)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub changes_wait: Patch<bool> => taken(|wait: Patch<bool>| wait.or_default(bool::default)),
        /// Change of the metadata, by key.
        #[schema(value_type = Option<FreeObject>)]
        #[serde(skip_serializing_if = "Patch::is_keep")]
        pub metadata: Patch<FreeObject> => taken(metadata_change),
    }
}

/// Change of guidance and defaults for AI.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CourseAiPatch {
    /// New guidance.
    #[schema(value_type = Option<String>, max_length = 100_000)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub instructions: Patch<String>,
    /// New evaluator, replaced whole.
    #[schema(value_type = Option<FreeObject>)]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub evaluator: Patch<FreeObject>,
}

fn course_ai_changes(given: Patch<CourseAiPatch>) -> Result<CourseAiChanges, Invalid> {
    let ai = match given {
        Patch::Keep => CourseAiPatch::default(),
        Patch::Clear => CourseAiPatch {
            instructions: Patch::Clear,
            evaluator: Patch::Clear,
        },
        Patch::Set(ai) => ai,
    };
    Ok(CourseAiChanges {
        instructions: change_or_default(LongText::parse)(ai.instructions).at("ai.instructions")?,
        evaluator: ai
            .evaluator
            .or_default(FreeObject::default)
            .map(|object| object.0),
    })
}

command! {
    /// What is to be different in a copy of a course.
    #[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
    pub struct CloneCourse => CourseCopy {
        /// Its name; the original's with ` (copy)` behind it when absent.
        #[schema(
            min_length = 1,
            max_length = 255,
            pattern = r"\S",
            example = "Food safety, autumn"
        )]
        #[serde(skip_serializing_if = "Option::is_none")]
        pub name: Option<String> => optional(Name::parse),
        /// BCP-47 language tag of its content; the original's when absent. Nothing is translated.
        #[schema(
            min_length = 2,
            max_length = 100,
            pattern = "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$"
        )]
        #[serde(skip_serializing_if = "Option::is_none")]
        pub language: Option<String> => optional(|tag: String| LanguageTag::parse(&tag)),
        /// Its metadata, in place of the original's; the original's when absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub metadata: Option<FreeObject> => optional(|given| metadata(Some(given))),
    }
}

view! {
    /// A course.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
    pub struct CourseView {
        /// `crs_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Course>)]
        pub id: String = course.id.to_string(),
        /// Always `course`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::Course>)]
        pub object: String = "course".to_owned(),
        /// Human-readable course name.
        pub name: String = course.name.to_string(),
        /// BCP-47 language tag in canonical case.
        pub language: String = course.language.to_string(),
        /// Long description.
        pub description: String = course.description.to_string(),
        /// Planned and AI-made length.
        pub duration: CourseDuration = CourseDuration {
            hours: course.hours.get().into(),
            hours_generated: course.hours_generated().into(),
        },
        /// `draft`, `published` or `archived`.
        #[schema(schema_with = shapes::word::<lyceum_domain::authoring::courses::CourseStatus>)]
        pub status: String = course.status.to_string(),
        /// Ids of the newest 100 cohorts, newest first.
        pub cohorts: Vec<String> = cohorts.iter().map(ToString::to_string).collect(),
        /// Guidance and defaults for AI.
        pub ai: CourseAiView = CourseAiView {
            instructions: course.ai.instructions.to_string(),
            evaluator: (&course.ai.evaluator).into(),
        },
        /// Tutor configuration: `enabled`, `instructions` and `model` are read, whatever else is kept.
        pub tutor: FreeObject = (&course.tutor).into(),
        /// When it is done, and what it takes to pass it.
        // A service before this one does not say.
        #[serde(default)]
        #[schema(required)]
        pub completion: CompletionView = course.completion.into(),
        /// How it is weighed.
        #[serde(default)]
        #[schema(required)]
        pub gradebook: GradebookView = (&course.gradebook).into(),
        /// Whether Studio has what is changed of the published course wait until it is published. Programs say so themselves, with
        /// `draft=true`.
        #[serde(default)]
        #[schema(required)]
        pub changes_wait: bool = course.changes_wait,
        /// The newest syllabus generation.
        #[schema(required)]
        pub generation: Option<GenerationSummary> = generation,
        /// Free-form key-value store.
        pub metadata: FreeObject = (&course.metadata).into(),
        /// When it was made.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = course.stamp.created_at.to_string(),
        /// When it last changed.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = course.stamp.updated_at.to_string(),
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

    /// Shows a course with its newest cohorts and its newest generation.
    pub fn new(course: &Course, cohorts: &[CohortId], generation: Option<GenerationSummary>);
}

/// Planned and AI-made length, in hours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CourseDuration {
    /// Planned.
    pub hours: i64,
    /// Minutes of AI-made lessons / 60, rounded half up.
    pub hours_generated: i64,
}

/// Guidance and defaults for AI.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CourseAiView {
    /// Free-text guidance applied to every AI call of the course.
    pub instructions: String,
    /// Default rubric and model of the course's assignments.
    pub evaluator: FreeObject,
}

/// A generation, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GenerationSummary {
    /// `gen_…`
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Generation>)]
    pub id: String,
    /// `pending`, `ready`, `error` or `canceled`.
    #[schema(schema_with = shapes::word::<lyceum_domain::drafting::generations::GenerationState>)]
    pub status: String,
}

impl Resource for CourseView {
    const COLLECTION: &'static str = "courses";

    fn id(&self) -> &str {
        &self.id
    }
}

/// A copy of a course, and what of the original is not in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CourseCloneView {
    /// The copy.
    #[serde(flatten)]
    pub course: CourseView,
    /// What was not copied; kinds of which the original has none are left out.
    pub not_copied: Vec<NotCopied>,
}

/// What of a course is not in its copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NotCopied {
    /// The kind of thing, such as `cohort`.
    #[schema(example = "assignment")]
    pub object: String,
    /// The member that was left empty in the copies; null when the things themselves were left behind.
    #[schema(example = "due_at")]
    pub field: Option<String>,
    /// How many.
    #[schema(example = 3)]
    pub count: u32,
}

impl CourseCloneView {
    /// Shows a copy beside what stayed with the original; `due_dates` is of how many assignments they were cleared.
    pub fn new(copy: &Course, stayed: &CourseAttachments, due_dates: u32) -> Self {
        let things = [
            ("cohort", stayed.cohorts),
            ("enrollment", stayed.enrollments),
            ("submission", stayed.submissions),
            ("generation", stayed.generations),
            ("scorm_package", stayed.scorm_packages),
            ("waiting_change", stayed.waiting_changes),
        ];
        let whole = things.map(|(object, count)| (object, None, count));
        let fields = [("assignment", Some("due_at"), due_dates)];
        let all = whole.into_iter().chain(fields);
        Self {
            course: CourseView::new(copy, &[], None),
            not_copied: all
                .filter(|(_, _, count)| *count > 0)
                .map(|(object, field, count)| NotCopied {
                    object: object.to_owned(),
                    field: field.map(str::to_owned),
                    count,
                })
                .collect(),
        }
    }
}

impl Resource for CourseCloneView {
    const COLLECTION: &'static str = CourseView::COLLECTION;

    fn id(&self) -> &str {
        &self.course.id
    }
}
