//! Progress on the wire.

use lyceum_domain::Invalid;
use lyceum_domain::ids::{CohortId, UserId};
use lyceum_domain::learning::progress::{LessonCompletion, Progress};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::{Command, Resource};
use crate::common_ids::reference;
use crate::declared::view;
use crate::points::PointsNumber;
use crate::shapes;

/// A lesson that is done.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CompleteLesson {
    /// Who is done with it; the learner when absent, required from everybody else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// The cohort whose progress is answered; when absent, the newest active one that they are in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cohort_id: Option<String>,
}

/// Who is done, and whose progress is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompletionRequest {
    /// Who, if somebody was named.
    pub user_id: Option<UserId>,
    /// In which cohort, if one was named.
    pub cohort_id: Option<CohortId>,
}

impl Command for CompleteLesson {
    type Of = CompletionRequest;

    fn command(self) -> Result<CompletionRequest, Invalid> {
        Ok(CompletionRequest {
            user_id: self.user_id.as_deref().map(reference),
            cohort_id: self.cohort_id.as_deref().map(reference),
        })
    }
}

/// How far a student has come in the course of a cohort.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProgressView {
    /// The id of the enrolment whose progress it is: `enr_…`
    pub id: String,
    /// Always `progress`.
    pub object: String,
    /// The student.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::User>)]
    pub user_id: String,
    /// The cohort.
    #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Cohort>)]
    pub cohort_id: String,
    /// Lessons of the course that are done.
    pub lessons_completed: u32,
    /// Lessons of the course.
    pub lessons_total: u32,
    /// Whole per cent, rounded down: 100 when every lesson is done.
    pub percent: u8,
    /// Whether the course is done by its rule (`completion`), with lessons as its steps.
    // A service before this one does not say.
    #[serde(default)]
    #[schema(required)]
    pub completed: bool,
    /// Average of the best per cent in each scored activity; null before the first.
    #[schema(required)]
    pub average_score: Option<PointsNumber>,
    /// When a lesson was last completed or an activity last tried.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub last_activity_at: Option<String>,
    /// When they were enrolled.
    #[schema(schema_with = shapes::moment)]
    pub created_at: String,
    /// When the enrolment changed or something was done.
    #[schema(schema_with = shapes::moment)]
    pub updated_at: String,
}

impl ProgressView {
    /// Shows a progress.
    pub fn new(progress: &Progress) -> Self {
        let (enrollment, learning) = (&progress.enrollment, &progress.learning);
        Self {
            id: enrollment.id.to_string(),
            object: "progress".to_owned(),
            user_id: enrollment.user_id.to_string(),
            cohort_id: enrollment.cohort_id.to_string(),
            lessons_completed: learning.lessons_completed,
            lessons_total: progress.lessons_total,
            percent: progress.percent(),
            completed: progress.is_completed(),
            average_score: progress.average_score().map(PointsNumber),
            last_activity_at: learning.last_activity_at.map(|at| at.to_string()),
            created_at: enrollment.stamp.created_at.to_string(),
            updated_at: progress.updated_at().to_string(),
        }
    }
}

view! {
    /// A lesson that a student completed, as `lesson.completed` tells it.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    pub struct LessonCompletionView {
        /// `lcp_…`
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::LessonCompletion>)]
        pub id: String = completion.id.to_string(),
        /// Always `lesson_completion`.
        #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::LessonCompletion>)]
        pub object: String = "lesson_completion".to_owned(),
        /// The lesson.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Lesson>)]
        pub lesson_id: String = completion.lesson_id.to_string(),
        /// The course of the lesson.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Course>)]
        pub course_id: String = completion.course_id.to_string(),
        /// The student.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::User>)]
        pub user_id: String = completion.user_id.to_string(),
        /// The cohort in which they did.
        #[schema(schema_with = shapes::id_of::<lyceum_domain::ids::Cohort>)]
        pub cohort_id: String = cohort_id.to_string(),
        /// When.
        #[schema(schema_with = shapes::moment)]
        pub created_at: String = completion.created_at.to_string(),
        /// The same.
        #[schema(schema_with = shapes::moment)]
        pub updated_at: String = completion.created_at.to_string(),
    }

    /// Shows a completion.
    pub fn new(completion: &LessonCompletion, cohort_id: CohortId);
}

impl Resource for LessonCompletionView {
    const COLLECTION: &'static str = "lessons";

    fn id(&self) -> &str {
        &self.id
    }

    fn path(&self) -> String {
        format!("/{}/{}", Self::COLLECTION, self.lesson_id)
    }
}
