//! Collections by name, and what can be done with one thing beside reading and changing it.

use lyceum_wire::activities::{ActivityView, CreateActivity, UpdateActivity};
use lyceum_wire::assignments::{AssignmentView, CreateAssignment, UpdateAssignment};
use lyceum_wire::cohorts::{CohortView, CreateCohort, UpdateCohort};
use lyceum_wire::courses::{CourseView, CreateCourse, UpdateCourse};
use lyceum_wire::enrollments::{EnrollStudent, EnrollmentView};
use lyceum_wire::events::EventView;
use lyceum_wire::generations::{GenerationView, StartSyllabus};
use lyceum_wire::grades::GradeView;
use lyceum_wire::grading::ConfigureAssignment;
use lyceum_wire::keys::{ApiKeyView, CreateApiKey, UpdateApiKey};
use lyceum_wire::lessons::{CreateLesson, LessonView, UpdateLesson};
use lyceum_wire::lists::List;
use lyceum_wire::me::MeView;
use lyceum_wire::platforms::PlatformView;
use lyceum_wire::scorm::{CreateScormPackage, ScormPackageView};
use lyceum_wire::submissions::{
    CreateSubmission, GradeSubmission, GradeWithAi, SubmissionView, UpdateSubmission,
};
use lyceum_wire::tokens::{FinishToken, LoginTokenView, SessionKeyView, StartToken};
use lyceum_wire::units::{CreateUnit, UnitView, UpdateUnit};
use lyceum_wire::users::{CreateUser, UpdateUser, UserView};
use lyceum_wire::webhooks::{
    CreateWebhookEndpoint, RecoverWebhookEndpoint, UpdateWebhookEndpoint, WebhookDeliveryView,
    WebhookEndpointView, WebhookRecoveryView,
};
use lyceum_wire::workspaces::{CreateWorkspace, UpdateWorkspace, WorkspaceView};
use serde_json::json;

use crate::client::Client;
use crate::collection::{Collection, ListQuery, Never, path};
use crate::error::ClientError;

impl Client {
    /// Courses.
    pub const fn courses(&self) -> Collection<'_, CreateCourse, UpdateCourse, CourseView> {
        Collection::of(self, "courses")
    }

    /// Units.
    pub const fn units(&self) -> Collection<'_, CreateUnit, UpdateUnit, UnitView> {
        Collection::of(self, "units")
    }

    /// Lessons.
    pub const fn lessons(&self) -> Collection<'_, CreateLesson, UpdateLesson, LessonView> {
        Collection::of(self, "lessons")
    }

    /// Activities.
    pub const fn activities(&self) -> Collection<'_, CreateActivity, UpdateActivity, ActivityView> {
        Collection::of(self, "activities")
    }

    /// Assignments.
    pub const fn assignments(
        &self,
    ) -> Collection<'_, CreateAssignment, UpdateAssignment, AssignmentView> {
        Collection::of(self, "assignments")
    }

    /// Cohorts.
    pub const fn cohorts(&self) -> Collection<'_, CreateCohort, UpdateCohort, CohortView> {
        Collection::of(self, "cohorts")
    }

    /// Users of the workspace.
    pub const fn users(&self) -> Collection<'_, CreateUser, UpdateUser, UserView> {
        Collection::of(self, "users")
    }

    /// Workspaces that the key's person belongs to.
    pub const fn workspaces(
        &self,
    ) -> Collection<'_, CreateWorkspace, UpdateWorkspace, WorkspaceView> {
        Collection::of(self, "workspaces")
    }

    /// The person's API keys.
    pub const fn api_keys(&self) -> Collection<'_, CreateApiKey, UpdateApiKey, ApiKeyView> {
        Collection::of(self, "api_keys")
    }

    /// Submissions.
    pub const fn submissions(
        &self,
    ) -> Collection<'_, CreateSubmission, UpdateSubmission, SubmissionView> {
        Collection::of(self, "submissions")
    }

    /// SCORM packages.
    pub const fn scorm(&self) -> Collection<'_, CreateScormPackage, Never, ScormPackageView> {
        Collection::of(self, "scorm")
    }

    /// Webhook endpoints.
    pub const fn webhook_endpoints(
        &self,
    ) -> Collection<'_, CreateWebhookEndpoint, UpdateWebhookEndpoint, WebhookEndpointView> {
        Collection::of(self, "webhook_endpoints")
    }

    /// Generations.
    pub const fn generations(&self) -> Collection<'_, Never, Never, GenerationView> {
        Collection::of(self, "generations")
    }

    /// Who is calling, and what for.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn me(&self) -> Result<MeView, ClientError> {
        self.get("/v1/me").await
    }

    /// The platforms that the key can act on.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn platforms(&self) -> Result<Vec<PlatformView>, ClientError> {
        self.all("/v1/platforms", &ListQuery::new()).await
    }

    /// A one-time token with which a user gets a session key.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn start_token(&self, email: &str) -> Result<LoginTokenView, ClientError> {
        self.post(
            "/v1/tokens/start",
            &StartToken {
                email: email.to_owned(),
            },
        )
        .await
    }

    /// Exchanges a one-time token for a session key.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn finish_token(&self, token: &str) -> Result<SessionKeyView, ClientError> {
        self.post(
            "/v1/tokens/finish",
            &FinishToken {
                token: token.to_owned(),
            },
        )
        .await
    }

    /// Makes a draft visible to learners.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn publish_course(&self, id: &str) -> Result<CourseView, ClientError> {
        self.act("courses", id, "/publish").await
    }

    /// Has AI draft a course's syllabus; wait for it with [`Client::wait_for_generation`].
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn generate_syllabus(
        &self,
        course: &str,
        wanted: &StartSyllabus,
    ) -> Result<GenerationView, ClientError> {
        self.post(&path("courses", course, "/syllabus"), wanted)
            .await
    }

    /// Calls a generation off.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn cancel_generation(&self, id: &str) -> Result<GenerationView, ClientError> {
        self.act("generations", id, "/cancel").await
    }

    /// Opens a cohort to its students.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn start_cohort(&self, id: &str) -> Result<CohortView, ClientError> {
        self.act("cohorts", id, "/start").await
    }

    /// Ends a cohort.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn end_cohort(&self, id: &str) -> Result<CohortView, ClientError> {
        self.act("cohorts", id, "/end").await
    }

    /// Puts a student into a cohort.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn enroll(
        &self,
        cohort: &str,
        student: &EnrollStudent,
    ) -> Result<EnrollmentView, ClientError> {
        self.post(&path("cohorts", cohort, "/students"), student)
            .await
    }

    /// The students of a cohort.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn students(&self, cohort: &str) -> Result<Vec<EnrollmentView>, ClientError> {
        self.all(&path("cohorts", cohort, "/students"), &ListQuery::new())
            .await
    }

    /// Says how an assignment is graded.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn configure_assignment(
        &self,
        id: &str,
        wanted: &ConfigureAssignment,
    ) -> Result<AssignmentView, ClientError> {
        self.patch(&path("assignments", id, "/configure"), wanted)
            .await
    }

    /// Hands a draft in.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn submit(&self, submission: &str) -> Result<SubmissionView, ClientError> {
        self.act("submissions", submission, "/submit").await
    }

    /// Has AI grade a submission; wait for it with [`Client::wait_for_grading`].
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn grade_with_ai(
        &self,
        submission: &str,
        wanted: &GradeWithAi,
    ) -> Result<SubmissionView, ClientError> {
        self.post(&path("submissions", submission, "/ai"), wanted)
            .await
    }

    /// Grades a submission as a person.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn grade(
        &self,
        submission: &str,
        grade: &GradeSubmission,
    ) -> Result<SubmissionView, ClientError> {
        self.post(&path("submissions", submission, "/grade"), grade)
            .await
    }

    /// Lets an AI grade that waits for a person stand.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn approve(&self, submission: &str) -> Result<SubmissionView, ClientError> {
        self.act("submissions", submission, "/approve").await
    }

    /// The grade history of a submission.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn grades(&self, submission: &str) -> Result<Vec<GradeView>, ClientError> {
        self.all(
            &path("submissions", submission, "/grades"),
            &ListQuery::new(),
        )
        .await
    }

    /// Makes a package stop reporting.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn revoke_package(&self, id: &str) -> Result<ScormPackageView, ClientError> {
        self.act("scorm", id, "/revoke").await
    }

    /// What was sent to an endpoint, or will be.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn deliveries(
        &self,
        endpoint: &str,
    ) -> Result<Vec<WebhookDeliveryView>, ClientError> {
        self.all(
            &path("webhook_endpoints", endpoint, "/deliveries"),
            &ListQuery::new(),
        )
        .await
    }

    /// Gives an endpoint another secret, shown in this answer alone; for a day the old one signs beside it.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn rotate_webhook_secret(
        &self,
        endpoint: &str,
    ) -> Result<WebhookEndpointView, ClientError> {
        self.act("webhook_endpoints", endpoint, "/rotate_secret")
            .await
    }

    /// Sends an endpoint a ping.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn test_webhook_endpoint(
        &self,
        endpoint: &str,
    ) -> Result<WebhookDeliveryView, ClientError> {
        self.act("webhook_endpoints", endpoint, "/test").await
    }

    /// Sends an endpoint again what it missed since a moment; once more while the answer says there is more.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn recover_webhook_endpoint(
        &self,
        endpoint: &str,
        since: &RecoverWebhookEndpoint,
    ) -> Result<WebhookRecoveryView, ClientError> {
        self.post(&path("webhook_endpoints", endpoint, "/recover"), since)
            .await
    }

    /// Sends a delivery again.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn redeliver(&self, delivery: &str) -> Result<WebhookDeliveryView, ClientError> {
        self.act("webhook_deliveries", delivery, "/redeliver").await
    }

    /// A page of what happened.
    ///
    /// # Errors
    /// [`ClientError`]
    pub async fn events(&self, query: &ListQuery) -> Result<List<EventView>, ClientError> {
        self.page("/v1/events", query).await
    }

    async fn act<T: serde::de::DeserializeOwned>(
        &self,
        collection: &str,
        id: &str,
        action: &str,
    ) -> Result<T, ClientError> {
        self.post(&path(collection, id, action), &json!({})).await
    }
}
