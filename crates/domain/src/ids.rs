//! Every kind of thing that has ids, and what its ids begin with. What stands here is only ever added to: an id is written
//! into addresses, events, packages and other people's databases, so a prefix that was given out means the same for ever.

use crate::id::{Id, Identified};

/// For each kind: the type of its ids, the kind as a type that has no values, the prefix, and its name.
macro_rules! kinds {
    ($($(#[$meaning:meta])+ $id:ident = $kind:ident, $prefix:literal, $object:literal;)+) => {
        $(
            $(#[$meaning])+
            pub type $id = Id<$kind>;

            #[doc = concat!("The kind `", $object, "`.")]
            #[derive(Debug)]
            pub enum $kind {}

            impl Identified for $kind {
                const PREFIX: &'static str = $prefix;
                const OBJECT: &'static str = $object;
            }
        )+

        /// Prefix and name of every kind.
        pub const ALL: &[(&str, &str)] = &[$(($prefix, $object)),+];
    };
}

kinds! {
    /// Identifies an activity (`act_…`).
    ActivityId = Activity, "act", "activity";
    /// Identifies a request that left the service (`aic_…`).
    AiCallId = AiCallRecord, "aic", "ai_call";
    /// Identifies an assignment (`asg_…`).
    AssignmentId = Assignment, "asg", "assignment";
    /// Identifies an attempt (`att_…`).
    AttemptId = Attempt, "att", "attempt";
    /// Identifies an entry (`aud_…`).
    AuditEntryId = AuditEntry, "aud", "audit_entry";
    /// Identifies a try for a certificate, and the certificate if it earns one (`crt_…`).
    CertificateId = Certificate, "crt", "certificate";
    /// Identifies a cohort (`coh_…`).
    CohortId = Cohort, "coh", "cohort";
    /// Identifies a course (`crs_…`).
    CourseId = Course, "crs", "course";
    /// Identifies an enrolment (`enr_…`).
    EnrollmentId = Enrollment, "enr", "enrollment";
    /// Identifies an event (`evt_…`); also its `webhook-id` for ever.
    EventId = Event, "evt", "event";
    /// Identifies a generation (`gen_…`).
    GenerationId = Generation, "gen", "generation";
    /// Identifies a grade record (`grd_…`).
    GradeId = Grade, "grd", "grade";
    /// Identifies an invitation (`inv_…`).
    InvitationId = Invitation, "inv", "invitation";
    /// Identifies a key (`key_…`); says nothing about its secret.
    ApiKeyId = ApiKey, "key", "api_key";
    /// Identifies a person's session in a browser (`ses_…`).
    WebSessionId = WebSession, "ses", "session";
    /// Identifies a lesson (`les_…`).
    LessonId = Lesson, "les", "lesson";
    /// Identifies the erasure of a person (`ers_…`).
    ErasureId = Erasure, "ers", "user_erasure";
    /// Identifies a completed lesson (`lcp_…`).
    CompletionId = LessonCompletion, "lcp", "lesson_completion";
    /// Identifies a package (`scp_…`).
    ScormPackageId = ScormPackage, "scp", "scorm_package";
    /// Identifies a learner of a package (`scl_…`).
    ScormLearnerId = ScormLearner, "scl", "scorm_learner";
    /// Identifies a submission (`sub_…`).
    SubmissionId = Submission, "sub", "submission";
    /// Identifies something in the trash (`trs_…`).
    TrashItemId = TrashItem, "trs", "trash_item";
    /// Identifies a conversation with the tutor (`thr_…`).
    ThreadId = TutorThread, "thr", "thread";
    /// Identifies a message with its reply (`trn_…`).
    TurnId = TutorTurn, "trn", "tutor_reply";
    /// Identifies a unit (`unt_…`).
    UnitId = Unit, "unt", "unit";
    /// Identifies a membership (`usr_…`).
    UserId = User, "usr", "user";
    /// Identifies a person across workspaces (`per_…`); never shown to a tenant.
    PersonId = Person, "per", "person";
    /// Identifies an endpoint (`whe_…`).
    WebhookEndpointId = WebhookEndpoint, "whe", "webhook_endpoint";
    /// Identifies a delivery (`whd_…`).
    WebhookDeliveryId = WebhookDelivery, "whd", "webhook_delivery";
    /// Identifies a workspace (`wsp_…`).
    WorkspaceId = Workspace, "wsp", "workspace";
    /// Identifies what is set aside for one call (`air_…`).
    AiReservationId = AiReservation, "air", "ai_reservation";
    /// Identifies a request (`req_…`), in its answer, the log and the audit trail.
    RequestId = Request, "req", "request";
    /// Identifies a batch: a regrade, a bulk grading or a red team (`bat_…`).
    BatchId = Batch, "bat", "batch";
    /// Identifies a picture, recording, film or document of the library (`med_…`).
    MediaId = MediaFile, "med", "media_file";
    /// Identifies an upload in pieces (`mup_…`).
    MediaUploadId = MediaUpload, "mup", "media_upload";
    /// Identifies a mail that is sent (`eml_…`); also what is before the `@` of its `Message-ID`.
    MailId = OutgoingMail, "eml", "mail";
    /// Identifies a passkey (`psk_…`); says nothing of what is in it.
    PasskeyId = Passkey, "psk", "passkey";
    /// Identifies a connection to an identity provider (`sso_…`).
    SsoConnectionId = SsoConnection, "sso", "sso_connection";
    /// Identifies another due date for a cohort or a learner (`ovr_…`).
    DueOverrideId = DueOverride, "ovr", "due_override";
    /// Identifies what something was before a change (`ver_…`).
    VersionId = Version, "ver", "version";
    /// Identifies a bulk write (`blk_…`).
    BulkWriteId = BulkWrite, "blk", "bulk_write";
    /// Identifies what a generation made and a person decides about (`gpc_…`).
    PieceId = GenerationPiece, "gpc", "generation_piece";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// As they were given out. A line may be added to it, and none changed.
    const GIVEN_OUT: &str = include_str!("ids/given_out.txt");

    #[test]
    fn what_was_given_out_keeps_its_meaning() {
        let now: Vec<String> = ALL
            .iter()
            .map(|(prefix, object)| format!("{prefix} {object}"))
            .collect();
        let then: Vec<&str> = GIVEN_OUT.lines().collect();
        assert_eq!(now, then);
    }

    #[test]
    fn no_two_kinds_begin_alike() {
        let prefixes: BTreeSet<&str> = ALL.iter().map(|(prefix, _)| *prefix).collect();
        assert_eq!(prefixes.len(), ALL.len());
        for prefix in prefixes {
            assert_eq!(prefix.len(), 3, "{prefix}");
            assert!(
                prefix.bytes().all(|byte| byte.is_ascii_lowercase()),
                "{prefix}"
            );
        }
    }
}
