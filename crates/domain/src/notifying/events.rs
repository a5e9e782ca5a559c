//! Events: what happened, told to the outside.

use crate::Timestamp;
use crate::identity::actors::ActedBy;
use crate::ids::{EventId, WorkspaceId};
use crate::words::words;

words!(
    /// What can happen.
    EventType {
        /// AI grading of a submission landed.
        SubmissionGraded = "submission.graded",
        /// A submission was made.
        SubmissionCreated = "submission.created",
        /// A submission was handed in.
        SubmissionSubmitted = "submission.submitted",
        /// AI grading of a submission failed for good.
        SubmissionGradingFailed = "submission.grading_failed",
        /// A person graded or approved a submission.
        SubmissionReviewed = "submission.reviewed",
        /// A person took the newest decision about a submission back.
        SubmissionReopened = "submission.reopened",
        /// The due date that counts for a submission became better for it.
        SubmissionUpdated = "submission.updated",
        /// A person's grade was explained.
        SubmissionExplained = "submission.explained",
        /// A graded submission was given back.
        SubmissionReturned = "submission.returned",
        /// A grade of AI that waited for a certificate went out by one.
        SubmissionReleased = "submission.released",
        /// A submission was deleted.
        SubmissionDeleted = "submission.deleted",
        /// A submission came back from the trash.
        SubmissionRestored = "submission.restored",
        /// A course was made.
        CourseCreated = "course.created",
        /// A course changed.
        CourseUpdated = "course.updated",
        /// A course was published.
        CoursePublished = "course.published",
        /// A course was archived.
        CourseArchived = "course.archived",
        /// A course was deleted.
        CourseDeleted = "course.deleted",
        /// A course came back from the trash.
        CourseRestored = "course.restored",
        /// A cohort was made.
        CohortCreated = "cohort.created",
        /// A cohort changed.
        CohortUpdated = "cohort.updated",
        /// A cohort that is updated by choice was: it sees its course as it is now.
        CohortContentUpdated = "cohort.content_updated",
        /// A cohort started, or was reopened.
        CohortStarted = "cohort.started",
        /// A cohort ended.
        CohortCompleted = "cohort.completed",
        /// A cohort was archived.
        CohortArchived = "cohort.archived",
        /// A cohort was deleted.
        CohortDeleted = "cohort.deleted",
        /// A cohort came back from the trash.
        CohortRestored = "cohort.restored",
        /// A unit was made.
        UnitCreated = "unit.created",
        /// A unit changed.
        UnitUpdated = "unit.updated",
        /// A unit was deleted.
        UnitDeleted = "unit.deleted",
        /// A unit came back from the trash.
        UnitRestored = "unit.restored",
        /// A lesson was made.
        LessonCreated = "lesson.created",
        /// A lesson changed.
        LessonUpdated = "lesson.updated",
        /// A lesson was deleted.
        LessonDeleted = "lesson.deleted",
        /// A lesson came back from the trash.
        LessonRestored = "lesson.restored",
        /// A student completed a lesson.
        LessonCompleted = "lesson.completed",
        /// An activity was made.
        ActivityCreated = "activity.created",
        /// An activity changed.
        ActivityUpdated = "activity.updated",
        /// An activity was deleted.
        ActivityDeleted = "activity.deleted",
        /// An activity came back from the trash.
        ActivityRestored = "activity.restored",
        /// An assignment was made.
        AssignmentCreated = "assignment.created",
        /// An assignment changed.
        AssignmentUpdated = "assignment.updated",
        /// An assignment was deleted.
        AssignmentDeleted = "assignment.deleted",
        /// An assignment came back from the trash.
        AssignmentRestored = "assignment.restored",
        /// Answers were drawn, and wait for grades that are given blind.
        CertificateDrawn = "certificate.drawn",
        /// AI's grades of an assignment may go out unseen.
        CertificateIssued = "certificate.issued",
        /// A look at grades that were given blind earned no certificate.
        CertificateRefused = "certificate.refused",
        /// The newest audits no longer prove what a certificate promised: release stopped.
        CertificatePaused = "certificate.paused",
        /// Disagreement is shown to be more than a certificate promised: release ended.
        CertificateRevoked = "certificate.revoked",
        /// A try for a certificate, or a certificate, ended otherwise.
        CertificateEnded = "certificate.ended",
        /// A quarter of a batch more is graded.
        BatchProgressed = "batch.progressed",
        /// A regrade was previewed: nothing of it has landed.
        BatchReady = "batch.ready",
        /// A bulk grading or a red team is done.
        BatchCompleted = "batch.completed",
        /// What a regrade previewed has landed.
        BatchCommitted = "batch.committed",
        /// What stood before a regrade stands again.
        BatchUndone = "batch.undone",
        /// A batch was stopped.
        BatchStopped = "batch.stopped",
        /// A student joined a cohort.
        EnrollmentCreated = "enrollment.created",
        /// A student left a cohort.
        EnrollmentDeleted = "enrollment.deleted",
        /// A student came back to a cohort from the trash.
        EnrollmentRestored = "enrollment.restored",
        /// A generation is done.
        GenerationReady = "generation.ready",
        /// A generation failed for good.
        GenerationFailed = "generation.failed",
        /// A generation was called off.
        GenerationCanceled = "generation.canceled",
        /// A package can be downloaded.
        ScormReady = "scorm.ready",
        /// A package could not be made.
        ScormFailed = "scorm.failed",
        /// A package was revoked.
        ScormRevoked = "scorm.revoked",
        /// An uploaded file was looked at and can be used.
        MediaFileReady = "media_file.ready",
        /// An uploaded file is not kept.
        MediaFileFailed = "media_file.failed",
        /// A media file was deleted.
        MediaFileDeleted = "media_file.deleted",
        /// A media file came back from the trash.
        MediaFileRestored = "media_file.restored",
        /// A user was made.
        UserCreated = "user.created",
        /// A user changed.
        UserUpdated = "user.updated",
        /// A user was removed.
        UserDeleted = "user.deleted",
        /// A user who was removed came back from the trash.
        UserRestored = "user.restored",
        /// A user was erased: what is kept of them was replaced by a pseudonym.
        UserErased = "user.erased",
        /// A key was made.
        ApiKeyCreated = "api_key.created",
        /// A key was revoked.
        ApiKeyRevoked = "api_key.revoked",
        /// An endpoint was switched off after failing for too long.
        WebhookEndpointDisabled = "webhook_endpoint.disabled",
        /// A test of a webhook endpoint.
        Ping = "ping",
    }
);

/// Something that happened, with what is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The tenant it belongs to.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: EventId,
    /// What happened.
    pub kind: EventType,
    /// Id of the thing it happened to, such as `crs_…`.
    pub object_id: String,
    /// Who did it; none of what happened before that was noted.
    pub actor: Option<ActedBy>,
    /// The JSON document that is told, but for who did it: what they are called is looked up when it is told.
    pub body: String,
    /// When it happened.
    pub created_at: Timestamp,
}
