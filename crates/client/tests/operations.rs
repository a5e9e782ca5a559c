//! A method for every operation: each is called, and what it asks for is what the document says.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

use std::collections::BTreeMap;
use std::future::IntoFuture;
use std::path::Path;
use std::pin::Pin;

use futures_util::TryStreamExt;
use lyceum_client::{Client, ClientError, ClientSettings};
use lyceum_wire::authoring::activities::{
    ActivityKind, CreateActivity, MoveActivity, UpdateActivity,
};
use lyceum_wire::authoring::assignments::{CreateAssignment, UpdateAssignment};
use lyceum_wire::authoring::courses::{CloneCourse, CreateCourse, UpdateCourse};
use lyceum_wire::authoring::due_dates::{CreateDueOverride, UpdateDueOverride};
use lyceum_wire::authoring::grading::{ConfigureAssignment, ConfigureFeedback, ConfigureRubric};
use lyceum_wire::authoring::lessons::{CreateLesson, MoveLesson, UpdateLesson};
use lyceum_wire::authoring::media::{CreateMedia, UpdateMedia};
use lyceum_wire::authoring::media_uploads::CreateMediaUpload;
use lyceum_wire::authoring::moves::MoveTogether;
use lyceum_wire::authoring::texts::RenderText;
use lyceum_wire::authoring::units::{CreateUnit, MoveUnit, UpdateUnit};
use lyceum_wire::authoring::versions::waiting::PublishDraft;
use lyceum_wire::drafting::generations::{
    DraftedKind, GenerateActivities, GenerateContent, RetryGeneration, StartSyllabus,
};
use lyceum_wire::drafting::pieces::AcceptPiece;
use lyceum_wire::drafting::tutor::AskTutor;
use lyceum_wire::exporting::scorm::CreateScormPackage;
use lyceum_wire::exporting::scorm_learners::CreateScormSession;
use lyceum_wire::grading::batches::{CommitRegrade, GradeAllWithAi, StartRegrade};
use lyceum_wire::grading::certificates::TryForCertificate;
use lyceum_wire::grading::groups::GradeAlike;
use lyceum_wire::grading::submissions::{
    CreateSubmission, GradeSubmission, GradeWithAi, UpdateSubmission,
};
use lyceum_wire::grading::tries::TryGrading;
use lyceum_wire::identity::keys::{CreateApiKey, UpdateApiKey};
use lyceum_wire::identity::me::UpdateMe;
use lyceum_wire::identity::sso_connections::{CreateSsoConnection, UpdateSsoConnection};
use lyceum_wire::identity::tokens::{FinishToken, StartToken};
use lyceum_wire::identity::users::{CreateUser, UpdateUser};
use lyceum_wire::identity::web_sessions::EndSessions;
use lyceum_wire::identity::workspaces::{CreateWorkspace, UpdateWorkspace};
use lyceum_wire::learning::attempts::CreateAttempt;
use lyceum_wire::learning::cohorts::{CreateCohort, UpdateCohort};
use lyceum_wire::learning::enrollments::EnrollStudent;
use lyceum_wire::learning::progress::CompleteLesson;
use lyceum_wire::learning::updates::TakeCohortUpdate;
use lyceum_wire::notifying::webhooks::{
    CreateWebhookEndpoint, RecoverWebhookEndpoint, UpdateWebhookEndpoint,
};
use lyceum_wire::running::bulk_writes::CreateBulkWrite;
use lyceum_wire::running::personal_data::EraseUser;
use serde_json::Value;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

const DOCUMENT: &str = include_str!("../../../docs/openapi.json");

/// What a browser is for, not a client, and why.
const WITHOUT: [(&str, &str); 26] = [
    (
        "acceptInvitationLink",
        "it ends in a cookie; a client has a key",
    ),
    ("startSso", "for pages that let people in"),
    ("finishSso", "where a provider sends a browser"),
    ("endSsoSessions", "for identity providers"),
    ("askForSignInLink", "for pages that let people in"),
    ("beginPasskey", "for pages that people are signed in to"),
    ("beginSignInByPasskey", "for pages that let people in"),
    ("createPasskey", "for pages that people are signed in to"),
    ("deletePasskey", "the same"),
    ("signInByPasskey", "it ends in a cookie; a client has a key"),
    ("updatePasskey", "for pages that people are signed in to"),
    ("lookAtInvitation", "for pages that let people in"),
    ("retrieveSignIn", "for pages that let people in"),
    ("signIn", "it ends in a cookie; a client has a key"),
    ("signOut", "the same"),
    ("docs", "a page"),
    ("docsFile", "a part of a page"),
    ("contentStyle", "a part of a page"),
    (
        "previewScormPackage",
        "a page; its address is in the package's `preview_url`",
    ),
    ("previewScormPackageFile", "a part of a page"),
    ("playLesson", "a page"),
    ("playLessonFile", "a part of a page"),
    ("playActivity", "a page"),
    ("playActivityFile", "a part of a page"),
    (
        "downloadMedia",
        "its signed address is in the media file; `MediaLibrary::download` takes it",
    ),
    (
        "downloadActivityAudio",
        "its signed address is in the activity; `Client::download` takes it",
    ),
];

type Asked = (&'static str, Pin<Box<dyn Future<Output = ()>>>);

/// A call under the name of its operation; what is answered does not matter.
fn ask<T: 'static>(
    operation: &'static str,
    call: impl IntoFuture<Output = Result<T, ClientError>> + 'static,
) -> Asked {
    let sent = async move { drop(call.await) };
    (operation, Box::pin(sent))
}

fn a_quiz() -> CreateActivity {
    CreateActivity {
        lesson_id: "x".into(),
        kind: ActivityKind::Quiz,
        name: "x".into(),
        position: None,
        content: None,
        language: None,
        metadata: None,
    }
}

const fn quizzes() -> GenerateActivities {
    GenerateActivities {
        kind: DraftedKind::Quiz,
        cards: None,
        questions: None,
        count: None,
        brief: None,
        source_text: None,
        model: None,
        budget: None,
        review: None,
    }
}

fn everything(c: &Client) -> Vec<Asked> {
    let (activity, activities) = (a_quiz(), quizzes());
    let (scorm, generations, media) = (c.scorm(), c.generations(), c.media());
    let (of_csv, of_xlsx) = (c.cohorts(), c.cohorts());
    let (library, again) = (c.media(), c.media());
    vec![
        ask("listPlatforms", c.platforms().list()),
        ask("retrievePlatform", c.platforms().retrieve("x")),
        ask("retrieveMe", c.me()),
        ask("updateMe", c.update_me(&UpdateMe::default())),
        ask(
            "createWorkspace",
            c.workspaces().create(&CreateWorkspace::default()),
        ),
        ask("listWorkspaces", c.workspaces().list()),
        ask("retrieveWorkspace", c.workspaces().retrieve("x")),
        ask(
            "updateWorkspace",
            c.workspaces().update("x", &UpdateWorkspace::default()),
        ),
        ask("deleteWorkspace", c.workspaces().delete("x")),
        ask(
            "createApiKey",
            c.api_keys().create(&CreateApiKey::default()),
        ),
        ask("listApiKeys", c.api_keys().list()),
        ask("listInvitations", c.invitations().list()),
        ask("retrieveInvitation", c.invitations().retrieve("x")),
        ask("acceptInvitation", c.invitations().accept("x")),
        ask("declineInvitation", c.invitations().decline("x")),
        ask("retrieveApiKey", c.api_keys().retrieve("x")),
        ask(
            "updateApiKey",
            c.api_keys().update("x", &UpdateApiKey::default()),
        ),
        ask("deleteApiKey", c.api_keys().delete("x")),
        ask("rotateApiKey", c.api_keys().rotate("x")),
        ask("revokeApiKey", c.api_keys().revoke("x")),
        ask("createUser", c.users().create(&CreateUser::default())),
        ask("listUsers", c.users().list()),
        ask("retrieveUser", c.users().retrieve("x")),
        ask("updateUser", c.users().update("x", &UpdateUser::default())),
        ask("deleteUser", c.users().delete("x")),
        ask("listSentInvitations", c.users().sent_invitations()),
        ask("retrieveUserInvitation", c.users().invitation("x")),
        ask("inviteUser", c.users().invite("x")),
        ask("listUserSessions", c.users().sessions("x")),
        ask(
            "endUserSessions",
            c.users().end_sessions("x", &EndSessions::default()),
        ),
        ask("exportUser", c.users().export("x")),
        ask(
            "eraseUser",
            c.users().erase(
                "x",
                &EraseUser {
                    confirm: "x".into(),
                },
            ),
        ),
        ask("listUserProgress", c.users().progress("x")),
        ask("listPasskeys", c.passkeys().list()),
        ask("retrievePasskey", c.passkeys().retrieve("x")),
        ask("listSessions", c.sessions().list()),
        ask("retrieveSession", c.sessions().retrieve("x")),
        ask("endSession", c.sessions().end("x")),
        ask("endOtherSessions", c.sessions().end_others()),
        ask(
            "startToken",
            c.tokens().start(&StartToken { email: "x".into() }),
        ),
        ask(
            "finishToken",
            c.tokens().finish(&FinishToken { token: "x".into() }),
        ),
        ask("createCohort", c.cohorts().create(&CreateCohort::default())),
        ask("listCohorts", c.cohorts().list()),
        ask("retrieveCohort", c.cohorts().retrieve("x")),
        ask(
            "updateCohort",
            c.cohorts().update("x", &UpdateCohort::default()),
        ),
        ask("deleteCohort", c.cohorts().delete("x")),
        ask("startCohort", c.cohorts().start("x")),
        ask("endCohort", c.cohorts().end("x")),
        ask("reopenCohort", c.cohorts().reopen("x")),
        ask("archiveCohort", c.cohorts().archive("x")),
        ask("retrieveCohortUpdate", c.cohorts().update_of("x")),
        ask(
            "takeCohortUpdate",
            c.cohorts().take_update("x", &TakeCohortUpdate::default()),
        ),
        ask("listCohortStudents", c.cohorts().students("x")),
        ask(
            "enrollStudent",
            c.cohorts().enroll("x", &EnrollStudent::default()),
        ),
        ask("withdrawStudent", c.cohorts().withdraw("x", "x")),
        ask("listCohortProgress", c.cohorts().progress("x")),
        ask("listGradebook", c.cohorts().gradebook("x")),
        ask("listCohortStanding", c.cohorts().standing("x")),
        ask("createCourse", c.courses().create(&CreateCourse::default())),
        ask("listCourses", c.courses().list()),
        ask("retrieveCourse", c.courses().retrieve("x")),
        ask(
            "updateCourse",
            c.courses().update("x", &UpdateCourse::default()),
        ),
        ask("deleteCourse", c.courses().delete("x")),
        ask(
            "cloneCourse",
            c.courses().clone_course("x", &CloneCourse::default()),
        ),
        ask(
            "moveTogether",
            c.courses().move_together("x", &MoveTogether::default()),
        ),
        ask("publishCourse", c.courses().publish("x")),
        ask("retrieveCourseDraft", c.courses().draft("x")),
        ask(
            "publishCourseDraft",
            c.courses().publish_draft("x", &PublishDraft::default()),
        ),
        ask("discardCourseDraft", c.courses().discard_draft("x")),
        ask("archiveCourse", c.courses().archive("x")),
        ask("unarchiveCourse", c.courses().unarchive("x")),
        ask(
            "generateSyllabus",
            c.courses()
                .generate_syllabus("x", &StartSyllabus::default()),
        ),
        ask("createUnit", c.units().create(&CreateUnit::default())),
        ask("listUnits", c.units().list()),
        ask("retrieveUnit", c.units().retrieve("x")),
        ask("updateUnit", c.units().update("x", &UpdateUnit::default())),
        ask("deleteUnit", c.units().delete("x")),
        ask(
            "generateUnit",
            c.units().generate("x", &GenerateContent::default()),
        ),
        ask("moveUnit", c.units().relocate("x", &MoveUnit::default())),
        ask("createLesson", c.lessons().create(&CreateLesson::default())),
        ask("listLessons", c.lessons().list()),
        ask("retrieveLesson", c.lessons().retrieve("x")),
        ask(
            "updateLesson",
            c.lessons().update("x", &UpdateLesson::default()),
        ),
        ask("deleteLesson", c.lessons().delete("x")),
        ask(
            "generateLesson",
            c.lessons().generate("x", &GenerateContent::default()),
        ),
        ask(
            "generateActivities",
            c.lessons().generate_activities("x", &activities),
        ),
        ask(
            "moveLesson",
            c.lessons().relocate("x", &MoveLesson::default()),
        ),
        ask(
            "completeLesson",
            c.lessons().complete("x", &CompleteLesson::default()),
        ),
        ask("askTutor", c.lessons().ask_tutor("x", &AskTutor::default())),
        ask("listTutorReplies", c.lessons().tutor_replies("x")),
        ask("previewLesson", c.lessons().preview("x")),
        ask("previewActivity", c.activities().preview("x")),
        ask("renderText", c.texts().render(&RenderText::default())),
        ask("createActivity", c.activities().create(&activity)),
        ask("listActivities", c.activities().list()),
        ask("retrieveActivity", c.activities().retrieve("x")),
        ask(
            "updateActivity",
            c.activities().update("x", &UpdateActivity::default()),
        ),
        ask("deleteActivity", c.activities().delete("x")),
        ask(
            "generateActivity",
            c.activities().generate("x", &GenerateContent::default()),
        ),
        ask(
            "moveActivity",
            c.activities().relocate("x", &MoveActivity::default()),
        ),
        ask(
            "createAttempt",
            c.activities().attempt("x", &CreateAttempt::default()),
        ),
        ask("retrieveActivityStatistics", c.activities().statistics("x")),
        ask("listAttempts", c.activities().attempts("x")),
        ask(
            "createAssignment",
            c.assignments().create(&CreateAssignment::default()),
        ),
        ask("listAssignments", c.assignments().list()),
        ask("retrieveAssignment", c.assignments().retrieve("x")),
        ask(
            "updateAssignment",
            c.assignments().update("x", &UpdateAssignment::default()),
        ),
        ask("deleteAssignment", c.assignments().delete("x")),
        ask(
            "configureAssignment",
            c.assignments()
                .configure("x", &ConfigureAssignment::default()),
        ),
        ask(
            "configureAssignmentRubric",
            c.assignments()
                .configure_rubric("x", &ConfigureRubric::default()),
        ),
        ask(
            "configureAssignmentFeedback",
            c.assignments()
                .configure_feedback("x", &ConfigureFeedback::default()),
        ),
        ask(
            "resetAssignmentConfiguration",
            c.assignments().reset_configuration("x"),
        ),
        ask("listLessonVersions", c.lessons().versions("x")),
        ask("listActivityVersions", c.activities().versions("x")),
        ask("listAssignmentVersions", c.assignments().versions("x")),
        ask("retrieveVersion", c.versions().retrieve("x")),
        ask("restoreVersion", c.versions().restore("x")),
        ask(
            "createDueOverride",
            c.assignments()
                .override_due_date("x", &CreateDueOverride::default()),
        ),
        ask("listDueOverrides", c.assignments().due_overrides("x")),
        ask("retrieveDueOverride", c.assignments().due_override("x")),
        ask(
            "updateDueOverride",
            c.assignments()
                .update_due_override("x", &UpdateDueOverride::default()),
        ),
        ask(
            "deleteDueOverride",
            c.assignments().delete_due_override("x"),
        ),
        ask(
            "createBulkWrite",
            c.bulk_writes().create(&CreateBulkWrite::default()),
        ),
        ask("retrieveBulkWrite", c.bulk_writes().retrieve("x")),
        ask("stopBulkWrite", c.bulk_writes().stop("x")),
        ask(
            "tryGrading",
            c.assignments().try_grading("x", &TryGrading::default()),
        ),
        ask("retrieveCalibration", c.assignments().calibration("x")),
        ask(
            "tryForCertificate",
            c.assignments()
                .try_for_certificate("x", &TryForCertificate::default()),
        ),
        ask("retrieveCertificate", c.assignments().certificate("x")),
        ask("endCertificate", c.assignments().end_certificate("x")),
        ask(
            "retrieveCertificateRecords",
            c.assignments().certificate_records("x"),
        ),
        ask(
            "retrieveAssignmentStatistics",
            c.assignments().statistics("x"),
        ),
        ask("retrieveConsistency", c.assignments().consistency("x")),
        ask("retrieveGroups", c.assignments().groups("x")),
        ask(
            "gradeAllWithAi",
            c.assignments()
                .grade_all_with_ai("x", &GradeAllWithAi::default()),
        ),
        ask("retrieveBulkGrading", c.assignments().bulk_grading("x")),
        ask("stopBulkGrading", c.assignments().stop_bulk_grading("x")),
        ask(
            "startRegrade",
            c.assignments().start_regrade("x", &StartRegrade::default()),
        ),
        ask("listRegrades", c.assignments().regrades("x")),
        ask("startRedTeam", c.assignments().start_red_team("x")),
        ask("retrieveRedTeam", c.assignments().red_team("x")),
        ask("retrieveBatch", c.batches().retrieve("x")),
        ask("listBatchItems", c.batches().items("x")),
        ask(
            "commitRegrade",
            c.batches().commit("x", &CommitRegrade::default()),
        ),
        ask("undoRegrade", c.batches().undo("x")),
        ask("stopBatch", c.batches().stop("x")),
        ask("listGenerations", c.generations().list()),
        ask("retrieveGeneration", c.generations().retrieve("x")),
        ask("cancelGeneration", c.generations().cancel("x")),
        ask(
            "retryGeneration",
            c.generations().retry("x", &RetryGeneration::default()),
        ),
        ask("listGenerationPieces", c.generations().pieces("x")),
        ask("retrieveGenerationPiece", c.pieces().retrieve("x")),
        ask(
            "acceptGenerationPiece",
            c.pieces().accept("x", &AcceptPiece::default()),
        ),
        ask("discardGenerationPiece", c.pieces().discard("x")),
        ask("reopenGenerationPiece", c.pieces().reopen("x")),
        ask(
            "createSubmission",
            c.submissions().create(&CreateSubmission::default()),
        ),
        ask("listSubmissions", c.submissions().list()),
        ask("retrieveSubmission", c.submissions().retrieve("x")),
        ask(
            "updateSubmission",
            c.submissions().update("x", &UpdateSubmission::default()),
        ),
        ask("deleteSubmission", c.submissions().delete("x")),
        ask("submitSubmission", c.submissions().submit("x")),
        ask(
            "gradeSubmissionWithAi",
            c.submissions().grade_with_ai("x", &GradeWithAi::default()),
        ),
        ask("explainGrade", c.submissions().explain("x")),
        ask(
            "gradeSubmission",
            c.submissions().grade("x", &GradeSubmission::default()),
        ),
        ask(
            "gradeAlike",
            c.submissions().grade_alike("x", &GradeAlike::default()),
        ),
        ask("approveSubmission", c.submissions().approve("x")),
        ask("blindSubmission", c.submissions().blind("x")),
        ask("revealSubmission", c.submissions().reveal("x")),
        ask("reopenSubmission", c.submissions().reopen("x")),
        ask("returnSubmission", c.submissions().give_back("x")),
        ask("listGrades", c.submissions().grades("x")),
        ask(
            "createScormPackage",
            c.scorm().create(&CreateScormPackage::default()),
        ),
        ask("listScormPackages", c.scorm().list()),
        ask("retrieveScormPackage", c.scorm().retrieve("x")),
        ask("deleteScormPackage", c.scorm().delete("x")),
        ask(
            "createScormSession",
            c.scorm().launch("x", &CreateScormSession::default()),
        ),
        ask("listScormSessions", c.scorm().learners("x")),
        ask("revokeScormPackage", c.scorm().revoke("x")),
        ask(
            "createSsoConnection",
            c.sso_connections().create(&CreateSsoConnection::default()),
        ),
        ask("listSsoConnections", c.sso_connections().list()),
        ask("retrieveSsoConnection", c.sso_connections().retrieve("x")),
        ask(
            "updateSsoConnection",
            c.sso_connections()
                .update("x", &UpdateSsoConnection::default()),
        ),
        ask("deleteSsoConnection", c.sso_connections().delete("x")),
        ask("testSsoConnection", c.sso_connections().test("x")),
        ask(
            "createWebhookEndpoint",
            c.webhook_endpoints()
                .create(&CreateWebhookEndpoint::default()),
        ),
        ask("listWebhookEndpoints", c.webhook_endpoints().list()),
        ask(
            "retrieveWebhookEndpoint",
            c.webhook_endpoints().retrieve("x"),
        ),
        ask(
            "updateWebhookEndpoint",
            c.webhook_endpoints()
                .update("x", &UpdateWebhookEndpoint::default()),
        ),
        ask("deleteWebhookEndpoint", c.webhook_endpoints().delete("x")),
        ask(
            "listWebhookDeliveries",
            c.webhook_endpoints().deliveries("x"),
        ),
        ask(
            "rotateWebhookSecret",
            c.webhook_endpoints().rotate_secret("x"),
        ),
        ask("testWebhookEndpoint", c.webhook_endpoints().test("x")),
        ask(
            "recoverWebhookEndpoint",
            c.webhook_endpoints()
                .recover("x", &RecoverWebhookEndpoint::default()),
        ),
        ask(
            "retrieveWebhookDelivery",
            c.webhook_deliveries().retrieve("x"),
        ),
        ask("redeliverWebhook", c.webhook_deliveries().redeliver("x")),
        ask("createMedia", async move {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
            media.upload(&file, &CreateMedia::default()).await
        }),
        ask(
            "createMediaUpload",
            c.media().begin_upload(&CreateMediaUpload::default()),
        ),
        ask("completeMediaUpload", c.media().complete_upload("x")),
        ask("retrieveMediaUpload", c.media().retrieve_upload("x")),
        ask("appendToMediaUpload", async move {
            library.append("x", 0, b"x".to_vec()).await
        }),
        ask("deleteMediaUpload", async move {
            again.give_up_upload("x").await
        }),
        ask("listMedia", c.media().list()),
        ask("retrieveMedia", c.media().retrieve("x")),
        ask(
            "updateMedia",
            c.media().update("x", &UpdateMedia::default()),
        ),
        ask("deleteMedia", c.media().delete("x")),
        ask("listTrash", c.trash().list()),
        ask("retrieveTrashItem", c.trash().retrieve("x")),
        ask("restoreTrashItem", c.trash().restore("x")),
        ask("deleteTrashItem", c.trash().delete("x")),
        ask("listAuditEntries", c.audit().list()),
        ask("retrieveAuditEntry", c.audit().retrieve("x")),
        ask("retrieveBackgroundWork", c.background_work()),
        ask("listEvents", c.events().list()),
        ask("retrieveEvent", c.events().retrieve("x")),
        ask("listEventTypes", c.events().types()),
        ask("retrieveAiUsage", c.ai().usage()),
        ask("listAiCalls", c.ai().calls()),
        ask("healthz", c.health()),
        ask("readyz", c.readiness()),
        ask("openapi", c.openapi()),
        ask("downloadScormPackage", async move {
            scorm.download("x", Path::new("/nowhere")).await
        }),
        ask("downloadGradebookCsv", async move {
            of_csv.gradebook_csv("x", Path::new("/nowhere")).await
        }),
        ask("downloadGradebookXlsx", async move {
            of_xlsx.gradebook_xlsx("x", Path::new("/nowhere")).await
        }),
        ask("streamGeneration", async move {
            generations.follow("x").try_next().await
        }),
    ]
}

/// Method and path of every operation in the document, with `x` for whatever stands in braces.
fn documented() -> BTreeMap<String, String> {
    let document: Value = serde_json::from_str(DOCUMENT).unwrap();
    let mut documented = BTreeMap::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let segments = path.split('/').map(|segment| {
            if segment.starts_with('{') {
                "x"
            } else {
                segment
            }
        });
        let path: Vec<&str> = segments.collect();
        for (method, operation) in methods.as_object().unwrap() {
            if let Some(id) = operation["operationId"].as_str() {
                documented.insert(
                    id.to_owned(),
                    format!("{} {}", method.to_uppercase(), path.join("/")),
                );
            }
        }
    }
    for (operation, _) in WITHOUT {
        assert!(
            documented.remove(operation).is_some(),
            "{operation} is no more"
        );
    }
    documented
}

#[tokio::test]
async fn every_operation_has_a_method_and_it_asks_for_that() {
    let server = MockServer::start().await;
    let refused = ResponseTemplate::new(404);
    Mock::given(any())
        .respond_with(refused)
        .mount(&server)
        .await;
    let client = Client::new(ClientSettings::new(server.uri(), "lyc_kx")).unwrap();
    let mut asked = BTreeMap::new();
    for (operation, call) in everything(&client) {
        call.await;
        let request = server.received_requests().await.unwrap().pop().unwrap();
        let what = format!("{} {}", request.method, request.url.path());
        assert_eq!(
            asked.insert(operation.to_owned(), what),
            None,
            "{operation}"
        );
        server.reset().await;
        Mock::given(any())
            .respond_with(ResponseTemplate::new(404))
            .mount(&server)
            .await;
    }
    assert_eq!(asked, documented());
}
