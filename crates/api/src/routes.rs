//! The route table: every path there is, who may call it, and what answers.
//!
//! A route stands here or nowhere: the service, the documentation and the tests that walk over every route
//! are made from this list.

use std::collections::BTreeSet;

use lyceum_application::identity::access::Requirement;
use lyceum_domain::identity::scopes::Scope::{
    AiGenerate, AiGrade, AiTutor, ReadCourses, ReadEvents, ReadInvitations, ReadKeys, ReadLessons,
    ReadStudents, ReadSubmissions, ReadWebhooks, ReadWorkspaces, WriteCourses, WriteGrades,
    WriteInvitations, WriteKeys, WriteStudents, WriteSubmissions, WriteTokens, WriteWebhooks,
    WriteWorkspaces,
};

use crate::addresses;
use crate::authoring::{
    activities, assignments, courses, due_dates, lessons, media, media_uploads, moves, recordings,
    texts, units, versions, waiting,
};
use crate::document::docs;
use crate::drafting::{ai_calls, generations, pieces, tutor};
use crate::edge::policy::Counted;
use crate::edge::upload::UPLOAD_DEADLINE;
use crate::exporting::{previews, scorm, scorm_learners, scorm_preview};
use crate::grading::{
    batches, calibration, certificates, consistency, gradebook, groups, standing, statistics,
    submissions, tries,
};
use crate::http::route::{BULK_LIMIT, Route, SUBMISSION_LIMIT, TUTOR_DEADLINE};
use crate::identity::{
    invitations, keys, passkeys, platforms, sent_invitations, sign_in, sso_connections, sso_logout,
    sso_sign_in, tokens, users, web_sessions, workspaces,
};
use crate::learning::{attempts, cohorts, enrollments, progress, updates};
use crate::notifying::{event_types, events, webhooks};
use crate::running::{audit, background_work, bulk_writes, health, personal_data, trash};

const READ_COURSES: Requirement = Requirement::all(&[ReadCourses]);
const WRITE_COURSES: Requirement = Requirement::all(&[WriteCourses]);
/// Also by those who may read courses; learners get their view.
const READ_LESSONS: Requirement = Requirement::all(&[ReadLessons]);
/// On what the key's owner may author: every role that may use the scope may write courses.
const AI_GENERATE: Requirement = Requirement::all(&[AiGenerate]);
/// Whoever may start one follows it as well.
const READ_GENERATIONS: Requirement = Requirement::any(&[ReadCourses, AiGenerate]);
const AI_GRADE: Requirement = Requirement::all(&[AiGrade]);
const AI_TUTOR: Requirement = Requirement::all(&[AiTutor]);
const SUBMIT: Requirement = Requirement::all(&[WriteSubmissions]);
/// Everybody's, or one's own: the use case tells them apart.
const READ_SUBMISSIONS: Requirement = Requirement::any(&[ReadSubmissions, WriteSubmissions]);
/// Everybody's at once: nothing for whoever may read their own alone.
const READ_ALL_SUBMISSIONS: Requirement = Requirement::all(&[ReadSubmissions]);
const GRADE: Requirement = Requirement::all(&[WriteGrades]);
/// It has AI grade, and grades go out by it.
const CERTIFY: Requirement = Requirement::all(&[AiGrade, WriteGrades]);
const READ_WEBHOOKS: Requirement = Requirement::all(&[ReadWebhooks]);
const WRITE_WEBHOOKS: Requirement = Requirement::all(&[WriteWebhooks]);
const READ_EVENTS: Requirement = Requirement::all(&[ReadEvents]);
/// Admins alone: no other role may read keys.
const READ_AUDIT: Requirement =
    Requirement::all(&[ReadWorkspaces, ReadKeys, ReadStudents, ReadSubmissions]);
/// Admins alone: no other role may read keys, or write workspaces.
const EXPORT_PERSON: Requirement = Requirement::all(&[WriteStudents, ReadSubmissions, ReadKeys]);
const ERASE_PERSON: Requirement = Requirement::all(&[WriteStudents, WriteWorkspaces]);
/// What is in an item decides which of these it takes, and whether it takes more.
const READ_TRASH: Requirement = Requirement::any(&[ReadCourses, ReadStudents, ReadSubmissions]);
const WRITE_TRASH: Requirement = Requirement::any(&[WriteCourses, WriteStudents, WriteGrades]);
/// What a row does decides which of these it takes.
const WRITE_IN_BULK: Requirement =
    Requirement::any(&[WriteCourses, WriteStudents, WriteGrades, WriteSubmissions]);
const ANY_KEY: Requirement = Requirement::NOTHING;
const READ_WORKSPACES: Requirement = Requirement::all(&[ReadWorkspaces]);
const WRITE_WORKSPACES: Requirement = Requirement::all(&[WriteWorkspaces]);
/// Admins alone: no other role may read keys.
const READ_SSO: Requirement = Requirement::all(&[ReadWorkspaces, ReadKeys]);
/// A person's own keys alone: no session has these, so whoever can open a session for somebody cannot answer for them.
const READ_INVITATIONS: Requirement = Requirement::all(&[ReadInvitations]);
const WRITE_INVITATIONS: Requirement = Requirement::all(&[WriteInvitations]);
const READ_KEYS: Requirement = Requirement::all(&[ReadKeys]);
const WRITE_KEYS: Requirement = Requirement::all(&[WriteKeys]);
const READ_LEARNERS: Requirement = Requirement::all(&[ReadCourses, ReadStudents]);
const READ_STUDENTS: Requirement = Requirement::all(&[ReadStudents]);
const WRITE_STUDENTS: Requirement = Requirement::all(&[WriteStudents]);
const WRITE_TOKENS: Requirement = Requirement::all(&[WriteTokens]);
const NO_KEY: Requirement = Requirement::NOTHING;

/// Every operation that takes no key. Whoever opens another says so here too.
const OPEN: [&str; 27] = [
    "startSso",
    // With a state that went to a provider, in the browser that began it.
    "finishSso",
    // With a token that the provider signed.
    "endSsoSessions",
    "retrieveSignIn",
    "signIn",
    "askForSignInLink",
    "beginSignInByPasskey",
    "signInByPasskey",
    "lookAtInvitation",
    "acceptInvitationLink",
    "docs",
    "docsFile",
    "contentStyle",
    "healthz",
    "readyz",
    "openapi",
    "finishToken",
    // With the launch key inside a package.
    "createScormSession",
    // With a signed address; else its handler asks for a key.
    "downloadScormPackage",
    "previewScormPackage",
    // With a signed address alone.
    "downloadActivityAudio",
    "downloadMedia",
    "playLesson",
    "playLessonFile",
    "playActivity",
    "playActivityFile",
    "previewScormPackageFile",
];

/// Every operation that any key may ask for.
const FOR_ANY_KEY: [&str; 3] = ["listPlatforms", "retrievePlatform", "retrieveMe"];

/// Every route.
#[rustfmt::skip]
pub fn all() -> Vec<Route> {
    vec![
        Route::new("GET", "/v1/platforms", "listPlatforms", "List the caller's platforms", ANY_KEY, platforms::list),
        Route::new("GET", "/v1/platforms/{platform}", "retrievePlatform", "Retrieve a platform by number, uuid or code", ANY_KEY, platforms::retrieve),
        Route::new("GET", "/v1/me", "retrieveMe", "Retrieve the caller and their key", ANY_KEY, platforms::me),
        Route::new("PATCH", "/v1/me", "updateMe", "Change what the caller is called, their language, their time zone and whether mail tells them what waits", WRITE_INVITATIONS, platforms::update_me),

        Route::new("POST", "/v1/workspaces", "createWorkspace", "Create a workspace", WRITE_WORKSPACES, workspaces::create),
        Route::new("GET", "/v1/workspaces", "listWorkspaces", "List workspaces", READ_WORKSPACES, workspaces::list),
        Route::new("GET", "/v1/workspaces/{id}", "retrieveWorkspace", "Retrieve a workspace", READ_WORKSPACES, workspaces::retrieve),
        Route::new("PATCH", "/v1/workspaces/{id}", "updateWorkspace", "Update a workspace", WRITE_WORKSPACES, workspaces::update).conditional(),
        Route::new("DELETE", "/v1/workspaces/{id}", "deleteWorkspace", "Delete a workspace and everything in it", WRITE_WORKSPACES, workspaces::delete).conditional().recent_sign_in(),

        Route::new("GET", "/v1/invitations", "listInvitations", "List the caller's invitations to workspaces", READ_INVITATIONS, invitations::list),
        Route::new("GET", "/v1/invitations/{id}", "retrieveInvitation", "Retrieve an invitation", READ_INVITATIONS, invitations::retrieve),
        Route::new("POST", "/v1/invitations/{id}/accept", "acceptInvitation", "Accept an invitation: the caller's keys open the workspace", WRITE_INVITATIONS, invitations::accept),
        Route::new("POST", "/v1/invitations/{id}/decline", "declineInvitation", "Decline an invitation, or leave the workspace", WRITE_INVITATIONS, invitations::decline),
        Route::new("GET", "/v1/sent_invitations", "listSentInvitations", "List who has not accepted yet, and how it stands with their invitation", READ_STUDENTS, sent_invitations::list),

        Route::new("POST", "/v1/api_keys", "createApiKey", "Create an API key", WRITE_KEYS, keys::create).reveals_key().recent_sign_in(),
        Route::new("GET", "/v1/api_keys", "listApiKeys", "List the caller's API keys", READ_KEYS, keys::list),
        Route::new("GET", "/v1/api_keys/{id}", "retrieveApiKey", "Retrieve an API key, without its secret", READ_KEYS, keys::retrieve),
        Route::new("PATCH", "/v1/api_keys/{id}", "updateApiKey", "Rename an API key, or have it end at another moment", WRITE_KEYS, keys::update).conditional().recent_sign_in(),
        Route::new("DELETE", "/v1/api_keys/{id}", "deleteApiKey", "Delete an API key and its sessions", WRITE_KEYS, keys::delete).conditional(),
        Route::new("POST", "/v1/api_keys/{id}/rotate", "rotateApiKey", "Create an API key like another, which keeps working for as long as you say", WRITE_KEYS, keys::rotate).reveals_key().recent_sign_in(),
        Route::new("POST", "/v1/api_keys/{id}/revoke", "revokeApiKey", "Revoke an API key and its sessions", WRITE_KEYS, keys::revoke),

        Route::new("POST", "/v1/users", "createUser", "Create a user", WRITE_STUDENTS, users::create),
        Route::new("GET", "/v1/users", "listUsers", "List users", READ_STUDENTS, users::list),
        Route::new("GET", "/v1/users/{id}", "retrieveUser", "Retrieve a user", READ_STUDENTS, users::retrieve),
        Route::new("PATCH", "/v1/users/{id}", "updateUser", "Update a user", WRITE_STUDENTS, users::update).conditional(),
        Route::new("DELETE", "/v1/users/{id}", "deleteUser", "End a user's membership", WRITE_STUDENTS, users::delete).conditional(),
        Route::new("GET", "/v1/users/{id}/invitation", "retrieveUserInvitation", "Show how it stands with a user's invitation", READ_STUDENTS, sent_invitations::retrieve),
        Route::new("POST", "/v1/users/{id}/invitation", "inviteUser", "Send a user who has not accepted an invitation, or make a link", WRITE_STUDENTS, sent_invitations::send).also(&[409]).recent_sign_in().keeping_nothing(),
        Route::new("GET", "/v1/users/{id}/sessions", "listUserSessions", "List a user's sessions in browsers, as far as the workspace knows of them", READ_KEYS, web_sessions::of_member),
        Route::new("POST", "/v1/users/{id}/end_sessions", "endUserSessions", "End one of a user's sessions in browsers, or all", WRITE_KEYS, web_sessions::end_of_member),
        Route::new("POST", "/v1/users/{id}/export", "exportUser", "Hand out everything that is kept of a user", EXPORT_PERSON, personal_data::export).recent_sign_in(),
        Route::new("POST", "/v1/users/{id}/erase", "eraseUser", "Erase a user; what others' records hang on stays under a pseudonym", ERASE_PERSON, personal_data::erase).recent_sign_in(),
        Route::new("GET", "/v1/users/{id}/progress", "listUserProgress", "List how far a user has come, by cohort", READ_STUDENTS, progress::of_user),

        Route::new("GET", "/v1/sign_in", "retrieveSignIn", "Show by which ways people sign in", NO_KEY, sign_in::ways).also(&[400]),
        Route::new("POST", "/v1/sign_in", "signIn", "Exchange a sign-in link for a session in a browser", NO_KEY, sign_in::finish).also(&[401]).counted_as(Counted::SignIn),
        Route::new("POST", "/v1/sign_in/links", "askForSignInLink", "Have a sign-in link sent by mail", NO_KEY, sign_in::ask).also(&[401, 409]).counted_as(Counted::SignIn),
        Route::new("POST", "/v1/sign_in/invitations", "lookAtInvitation", "Show what an invitation's link invites to", NO_KEY, sent_invitations::look).also(&[401]).counted_as(Counted::SignIn),
        Route::new("POST", "/v1/sign_in/invitations/accept", "acceptInvitationLink", "Accept an invitation by its link, and begin a session in a browser", NO_KEY, sent_invitations::accept).also(&[401, 409]).counted_as(Counted::SignIn),
        Route::new("POST", "/v1/sign_in/passkey/begin", "beginSignInByPasskey", "Show what a browser asks a device for that signs somebody in", NO_KEY, passkeys::begin_sign_in).also(&[401, 409]).counted_as(Counted::SignIn).keeping_nothing(),
        Route::new("POST", "/v1/sign_in/passkey", "signInByPasskey", "Exchange the answer of a passkey for a session in a browser", NO_KEY, passkeys::sign_in).also(&[401, 409]).counted_as(Counted::SignIn),
        Route::new("GET", "/v1/passkeys", "listPasskeys", "List the caller's passkeys", READ_INVITATIONS, passkeys::list),
        Route::new("POST", "/v1/passkeys/begin", "beginPasskey", "Show what a browser asks a device for that makes a passkey", WRITE_INVITATIONS, passkeys::begin).also(&[409]).recent_sign_in().keeping_nothing(),
        Route::new("POST", "/v1/passkeys", "createPasskey", "Keep a passkey that a device made", WRITE_INVITATIONS, passkeys::create).also(&[401]).recent_sign_in(),
        Route::new("GET", "/v1/passkeys/{id}", "retrievePasskey", "Retrieve a passkey", READ_INVITATIONS, passkeys::retrieve),
        Route::new("PATCH", "/v1/passkeys/{id}", "updatePasskey", "Rename a passkey", WRITE_INVITATIONS, passkeys::update).conditional(),
        Route::new("DELETE", "/v1/passkeys/{id}", "deletePasskey", "Remove a passkey", WRITE_INVITATIONS, passkeys::delete).conditional().recent_sign_in(),
        Route::new("POST", "/v1/sign_in/sso", "startSso", "Ask where somebody signs in by their organisation", NO_KEY, sso_sign_in::start).also(&[401, 404, 502]).counted_as(Counted::SignIn),
        Route::raw(addresses::SSO_CALLBACK, "finishSso", "Come back from an identity provider", sso_sign_in::callback_doc(), sso_sign_in::callback).counted_as(Counted::SignIn),
        Route::new("POST", addresses::SSO_LOGOUT, "endSsoSessions", "End the sessions of somebody who is no longer signed in at the provider", NO_KEY, sso_logout::log_out).also(&[404, 502]),
        Route::new("POST", "/v1/sign_out", "signOut", "End the session that this is asked with", READ_INVITATIONS, sign_in::sign_out).also(&[404]),
        Route::new("GET", "/v1/sessions", "listSessions", "List the caller's sessions in browsers", READ_INVITATIONS, web_sessions::list),
        Route::new("GET", "/v1/sessions/{id}", "retrieveSession", "Retrieve a session", READ_INVITATIONS, web_sessions::retrieve),
        Route::new("DELETE", "/v1/sessions/{id}", "endSession", "End a session", WRITE_INVITATIONS, web_sessions::end).conditional(),
        Route::new("POST", "/v1/sessions/end_others", "endOtherSessions", "End every other session of the caller", WRITE_INVITATIONS, web_sessions::end_others),
        Route::new("POST", "/v1/sso_connections", "createSsoConnection", "Connect the workspace to an identity provider", WRITE_WORKSPACES, sso_connections::create).recent_sign_in(),
        Route::new("GET", "/v1/sso_connections", "listSsoConnections", "List the workspace's connections to identity providers", READ_SSO, sso_connections::list),
        Route::new("GET", "/v1/sso_connections/{id}", "retrieveSsoConnection", "Retrieve a connection, without its secret", READ_SSO, sso_connections::retrieve),
        Route::new("PATCH", "/v1/sso_connections/{id}", "updateSsoConnection", "Change a connection, or switch it on or off", WRITE_WORKSPACES, sso_connections::update).conditional().recent_sign_in(),
        Route::new("DELETE", "/v1/sso_connections/{id}", "deleteSsoConnection", "Delete a connection; the sessions that began by it end", WRITE_WORKSPACES, sso_connections::delete).conditional().recent_sign_in(),
        Route::new("POST", "/v1/sso_connections/{id}/test", "testSsoConnection", "Say what is wrong with a connection", WRITE_WORKSPACES, sso_connections::test),
        Route::new("POST", "/v1/tokens/start", "startToken", "Create a one-time login token for a user", WRITE_TOKENS, tokens::start).also(&[404]).keeping_nothing(),
        Route::new("POST", "/v1/tokens/finish", "finishToken", "Exchange a one-time login token for a session key", NO_KEY, tokens::finish).also(&[401]),

        Route::new("POST", "/v1/cohorts", "createCohort", "Create a cohort", WRITE_COURSES, cohorts::create),
        Route::new("GET", "/v1/cohorts", "listCohorts", "List cohorts", READ_COURSES, cohorts::list),
        Route::new("GET", "/v1/cohorts/{id}", "retrieveCohort", "Retrieve a cohort", READ_COURSES, cohorts::retrieve),
        Route::new("PATCH", "/v1/cohorts/{id}", "updateCohort", "Update a cohort", WRITE_COURSES, cohorts::update).conditional(),
        Route::new("DELETE", "/v1/cohorts/{id}", "deleteCohort", "Delete a cohort and everything below it", WRITE_COURSES, cohorts::delete).conditional(),
        Route::new("POST", "/v1/cohorts/{id}/start", "startCohort", "Start a cohort", WRITE_COURSES, cohorts::start),
        Route::new("POST", "/v1/cohorts/{id}/end", "endCohort", "End a cohort", WRITE_COURSES, cohorts::end),
        Route::new("POST", "/v1/cohorts/{id}/reopen", "reopenCohort", "Run a completed cohort again", WRITE_COURSES, cohorts::reopen),
        Route::new("POST", "/v1/cohorts/{id}/archive", "archiveCohort", "Archive a completed cohort", WRITE_COURSES, cohorts::archive),
        Route::new("GET", "/v1/cohorts/{id}/update", "retrieveCohortUpdate", "Show what changes for a cohort when it is updated", READ_COURSES, updates::retrieve),
        Route::new("POST", "/v1/cohorts/{id}/update", "takeCohortUpdate", "Have a cohort see its course as it is now", WRITE_COURSES, updates::take),
        Route::new("GET", "/v1/cohorts/{id}/students", "listCohortStudents", "List a cohort's students", READ_STUDENTS, enrollments::list),
        Route::new("POST", "/v1/cohorts/{id}/students", "enrollStudent", "Enrol a student by id or address", WRITE_STUDENTS, enrollments::create),
        Route::new("DELETE", "/v1/cohorts/{id}/students/{user_id}", "withdrawStudent", "Take a student out of a cohort", WRITE_STUDENTS, enrollments::delete),
        Route::new("GET", "/v1/cohorts/{id}/gradebook", "listGradebook", "List where a cohort's students stand in its course", gradebook::READ, gradebook::page),
        Route::raw("/v1/cohorts/{id}/gradebook.csv", "downloadGradebookCsv", "Download a cohort's book of grades as comma-separated values", gradebook::csv_doc(), gradebook::csv).asking(gradebook::READ),
        Route::raw("/v1/cohorts/{id}/gradebook.xlsx", "downloadGradebookXlsx", "Download a cohort's book of grades as a workbook", gradebook::xlsx_doc(), gradebook::xlsx).asking(gradebook::READ),
        Route::new("GET", "/v1/cohorts/{id}/progress", "listCohortProgress", "List how far a cohort's students have come", READ_STUDENTS, progress::of_cohort),
        Route::new("GET", "/v1/cohorts/{id}/standing", "listCohortStanding", "List who of a cohort falls behind, and by which rule", gradebook::READ, standing::of_cohort),

        Route::new("POST", "/v1/courses", "createCourse", "Create a course", WRITE_COURSES, courses::create),
        Route::new("GET", "/v1/courses", "listCourses", "List courses", READ_COURSES, courses::list),
        Route::new("GET", "/v1/courses/{id}", "retrieveCourse", "Retrieve a course", READ_COURSES, courses::retrieve),
        Route::new("PATCH", "/v1/courses/{id}", "updateCourse", "Update a course", WRITE_COURSES, courses::update).conditional(),
        Route::new("DELETE", "/v1/courses/{id}", "deleteCourse", "Delete a course and everything below it", WRITE_COURSES, courses::delete).conditional(),
        Route::new("POST", "/v1/courses/{id}/clone", "cloneCourse", "Copy a course with its content", WRITE_COURSES, courses::copy),
        Route::new("POST", "/v1/courses/{id}/move", "moveTogether", "Move several units, lessons or activities together", WRITE_COURSES, moves::together),
        Route::new("POST", "/v1/courses/{id}/publish", "publishCourse", "Publish a draft", WRITE_COURSES, courses::publish),
        Route::new("POST", "/v1/courses/{id}/archive", "archiveCourse", "Archive a course", WRITE_COURSES, courses::archive),
        Route::new("POST", "/v1/courses/{id}/unarchive", "unarchiveCourse", "Publish an archived course again", WRITE_COURSES, courses::unarchive),
        Route::new("GET", "/v1/courses/{id}/draft", "retrieveCourseDraft", "Retrieve what waits to go live of a course", READ_COURSES, waiting::retrieve),
        Route::new("POST", "/v1/courses/{id}/draft/publish", "publishCourseDraft", "Have all that waits for a course go live", WRITE_COURSES, waiting::publish),
        Route::new("DELETE", "/v1/courses/{id}/draft", "discardCourseDraft", "Throw away what waits for a course, or for one thing of it", WRITE_COURSES, waiting::discard),
        Route::new("POST", "/v1/courses/{id}/syllabus", "generateSyllabus", "Draft a course's syllabus with AI", AI_GENERATE, generations::start_syllabus),

        Route::new("POST", "/v1/units", "createUnit", "Create a unit", WRITE_COURSES, units::create),
        Route::new("GET", "/v1/units", "listUnits", "List units", READ_LESSONS, units::list),
        Route::new("GET", "/v1/units/{id}", "retrieveUnit", "Retrieve a unit", READ_LESSONS, units::retrieve),
        Route::new("PATCH", "/v1/units/{id}", "updateUnit", "Update a unit", WRITE_COURSES, units::update).conditional(),
        Route::new("DELETE", "/v1/units/{id}", "deleteUnit", "Delete a unit and everything below it", WRITE_COURSES, units::delete).conditional(),
        Route::new("POST", "/v1/units/{id}/generate", "generateUnit", "Draft lessons for a unit with AI", AI_GENERATE, generations::start_unit),
        Route::new("POST", "/v1/units/{id}/move", "moveUnit", "Move a unit to another place", WRITE_COURSES, units::relocate),

        Route::new("POST", "/v1/lessons", "createLesson", "Create a lesson", WRITE_COURSES, lessons::create),
        Route::new("GET", "/v1/lessons", "listLessons", "List lessons", READ_LESSONS, lessons::list),
        Route::new("GET", "/v1/lessons/{id}", "retrieveLesson", "Retrieve a lesson", READ_LESSONS, lessons::retrieve),
        Route::new("PATCH", "/v1/lessons/{id}", "updateLesson", "Update a lesson", WRITE_COURSES, lessons::update).conditional(),
        Route::new("GET", "/v1/lessons/{id}/versions", "listLessonVersions", "List what a lesson was before it was changed", READ_COURSES, versions::of_lesson),
        Route::new("DELETE", "/v1/lessons/{id}", "deleteLesson", "Delete a lesson and everything below it", WRITE_COURSES, lessons::delete).conditional(),
        Route::new("POST", "/v1/lessons/{id}/generate", "generateLesson", "Draft the text of a lesson with AI", AI_GENERATE, generations::start_lesson),
        Route::new("POST", "/v1/lessons/{id}/activities/generate", "generateActivities", "Draft activities for a lesson with AI", AI_GENERATE, generations::start_activities),
        Route::new("POST", "/v1/lessons/{id}/move", "moveLesson", "Move a lesson to another place", WRITE_COURSES, lessons::relocate),
        Route::new("POST", "/v1/lessons/{id}/complete", "completeLesson", "Note that a student is done with a lesson", SUBMIT, progress::complete),
        Route::new("POST", "/v1/lessons/{id}/tutor", "askTutor", "Ask the tutor about a lesson", AI_TUTOR, tutor::ask).within(TUTOR_DEADLINE).counted_as(Counted::Tutor).also(&[502]),
        Route::new("GET", "/v1/lessons/{id}/tutor", "listTutorReplies", "List one's own talk with the tutor about a lesson", AI_TUTOR, tutor::list),
        Route::new("POST", addresses::LESSON_PREVIEW, "previewLesson", "Try a lesson with the player of packages, as it is saved", READ_COURSES, previews::create_of_lesson).keeping_nothing(),
        Route::raw(addresses::LESSON_PREVIEW, "playLesson", "The page that plays a lesson", previews::page_doc(), previews::lesson_page),
        Route::raw("/v1/lessons/{id}/preview/{ticket}/{file}", "playLessonFile", "A file of a lesson that is played", previews::file_doc(), previews::lesson_file).deep(),

        Route::new("POST", "/v1/activities", "createActivity", "Create an activity", WRITE_COURSES, activities::create),
        Route::new("GET", "/v1/activities", "listActivities", "List activities", READ_LESSONS, activities::list),
        Route::new("GET", "/v1/activities/{id}", "retrieveActivity", "Retrieve an activity", READ_LESSONS, activities::retrieve),
        Route::new("PATCH", "/v1/activities/{id}", "updateActivity", "Update an activity", WRITE_COURSES, activities::update).conditional(),
        Route::new("GET", "/v1/activities/{id}/versions", "listActivityVersions", "List what an activity was before it was changed", READ_COURSES, versions::of_activity),
        Route::new("DELETE", "/v1/activities/{id}", "deleteActivity", "Delete an activity", WRITE_COURSES, activities::delete).conditional(),
        Route::new("POST", "/v1/activities/{id}/generate", "generateActivity", "Draft the content of an activity with AI", AI_GENERATE, generations::start_activity),
        Route::new("POST", "/v1/activities/{id}/move", "moveActivity", "Move an activity to another place", WRITE_COURSES, activities::relocate),
        Route::new("POST", "/v1/activities/{id}/attempts", "createAttempt", "Answer an activity and have it scored", SUBMIT, attempts::create),
        Route::new("GET", "/v1/activities/{id}/statistics", "retrieveActivityStatistics", "See how a quiz's points are spread, and what its questions tell", READ_ALL_SUBMISSIONS, statistics::of_activity),
        Route::new("GET", "/v1/activities/{id}/attempts", "listAttempts", "List the attempts at an activity", READ_SUBMISSIONS, attempts::list),
        Route::new("POST", addresses::ACTIVITY_PREVIEW, "previewActivity", "Try an activity with the player of packages, as it is saved", READ_COURSES, previews::create_of_activity).keeping_nothing(),
        Route::raw(addresses::ACTIVITY_PREVIEW, "playActivity", "The page that plays an activity", previews::page_doc(), previews::activity_page),
        Route::raw("/v1/activities/{id}/preview/{ticket}/{file}", "playActivityFile", "A file of an activity that is played", previews::file_doc(), previews::activity_file).deep(),
        Route::raw(addresses::RECORDING, "downloadActivityAudio", "Listen to the recording of a podcast", recordings::doc(), recordings::download),

        Route::new("POST", "/v1/assignments", "createAssignment", "Create an assignment", WRITE_COURSES, assignments::create),
        Route::new("GET", "/v1/assignments", "listAssignments", "List assignments", READ_LESSONS, assignments::list),
        Route::new("GET", "/v1/assignments/{id}", "retrieveAssignment", "Retrieve an assignment", READ_LESSONS, assignments::retrieve),
        Route::new("PATCH", "/v1/assignments/{id}", "updateAssignment", "Update an assignment", WRITE_COURSES, assignments::update).conditional(),
        Route::new("DELETE", "/v1/assignments/{id}", "deleteAssignment", "Delete an assignment and its submissions", WRITE_COURSES, assignments::delete).conditional(),
        Route::new("GET", "/v1/assignments/{id}/versions", "listAssignmentVersions", "List what an assignment was before it was changed", READ_COURSES, versions::of_assignment),
        Route::new("POST", "/v1/assignments/{id}/overrides", "createDueOverride", "Give a cohort or a learner another due date", WRITE_COURSES, due_dates::create),
        Route::new("GET", "/v1/assignments/{id}/overrides", "listDueOverrides", "List an assignment's other due dates", READ_LEARNERS, due_dates::list),
        Route::new("GET", "/v1/versions/{id}", "retrieveVersion", "Retrieve what something was before a change", READ_COURSES, versions::retrieve),
        Route::new("POST", "/v1/versions/{id}/restore", "restoreVersion", "Make something again what it was", WRITE_COURSES, versions::restore),
        Route::new("GET", "/v1/overrides/{id}", "retrieveDueOverride", "Retrieve another due date", READ_LEARNERS, due_dates::retrieve),
        Route::new("PATCH", "/v1/overrides/{id}", "updateDueOverride", "Change another due date", WRITE_COURSES, due_dates::update).conditional(),
        Route::new("DELETE", "/v1/overrides/{id}", "deleteDueOverride", "Take another due date away: the assignment's own counts again", WRITE_COURSES, due_dates::delete).conditional(),
        Route::new("PATCH", "/v1/assignments/{id}/configure", "configureAssignment", "Change how an assignment is graded", WRITE_COURSES, assignments::configure).conditional(),
        Route::new("PATCH", "/v1/assignments/{id}/configure/rubric", "configureAssignmentRubric", "Change an assignment's rubric", WRITE_COURSES, assignments::configure_rubric).conditional(),
        Route::new("PATCH", "/v1/assignments/{id}/configure/feedback", "configureAssignmentFeedback", "Change how feedback is written", WRITE_COURSES, assignments::configure_feedback).conditional(),
        Route::new("POST", "/v1/assignments/{id}/configure/reset", "resetAssignmentConfiguration", "Put the grading configuration back to its defaults", WRITE_COURSES, assignments::reset),
        Route::new("GET", "/v1/assignments/{id}/statistics", "retrieveAssignmentStatistics", "See how an assignment's points are spread, and what its criteria tell", READ_ALL_SUBMISSIONS, statistics::of_assignment),
        Route::new("GET", "/v1/assignments/{id}/calibration", "retrieveCalibration", "See how AI and the teacher agree, and what to grade next", READ_ALL_SUBMISSIONS, calibration::retrieve),
        Route::new("POST", "/v1/assignments/{id}/certificate", "tryForCertificate", "Try for a certificate by which AI's grades go out unseen", CERTIFY, certificates::ask),
        Route::new("GET", "/v1/assignments/{id}/certificate", "retrieveCertificate", "See where an assignment's newest certificate stands", READ_ALL_SUBMISSIONS, certificates::retrieve),
        Route::new("GET", "/v1/assignments/{id}/certificate/records", "retrieveCertificateRecords", "Show what a third party needs to make an assignment's certificates again", READ_ALL_SUBMISSIONS, certificates::records),
        Route::new("POST", "/v1/assignments/{id}/certificate/end", "endCertificate", "Give a certificate, or a try for one, up", GRADE, certificates::give_up),
        Route::new("GET", "/v1/assignments/{id}/consistency", "retrieveConsistency", "List answers of nearly the same words that were graded far apart", READ_ALL_SUBMISSIONS, consistency::retrieve),
        Route::new("GET", "/v1/assignments/{id}/groups", "retrieveGroups", "Group answers that say nearly the same", READ_ALL_SUBMISSIONS, groups::retrieve),
        Route::new("POST", "/v1/assignments/{id}/try", "tryGrading", "See what an assignment's grader would give an answer: nothing of it is kept", AI_GRADE, tries::ask).within(TUTOR_DEADLINE).taking(SUBMISSION_LIMIT).keeping_nothing().also(&[502]),
        Route::new("POST", "/v1/assignments/{id}/ai", "gradeAllWithAi", "Have AI grade every answer that waits", AI_GRADE, batches::grade_all),
        Route::new("GET", "/v1/assignments/{id}/ai", "retrieveBulkGrading", "See what waits for AI, what grading it would cost, and how far that is", READ_ALL_SUBMISSIONS, batches::bulk),
        Route::new("POST", "/v1/assignments/{id}/ai/stop", "stopBulkGrading", "Stop grading what waits", AI_GRADE, batches::stop_grading),
        Route::new("POST", "/v1/assignments/{id}/regrades", "startRegrade", "Preview a regrade: nothing of it lands", CERTIFY, batches::regrade),
        Route::new("GET", "/v1/assignments/{id}/regrades", "listRegrades", "List an assignment's regrades", READ_ALL_SUBMISSIONS, batches::regrades),
        Route::new("POST", "/v1/assignments/{id}/redteam", "startRedTeam", "Have attacks on an assignment's grader made and graded", CERTIFY, batches::attack),
        Route::new("GET", "/v1/assignments/{id}/redteam", "retrieveRedTeam", "See what an assignment's newest red team found", READ_ALL_SUBMISSIONS, batches::newest_red_team),

        Route::new("GET", "/v1/batches/{id}", "retrieveBatch", "Retrieve a regrade, a bulk grading or a red team", READ_ALL_SUBMISSIONS, batches::retrieve),
        Route::new("GET", "/v1/batches/{id}/items", "listBatchItems", "List the answers of a batch, with old points and new ones", READ_ALL_SUBMISSIONS, batches::items),
        Route::new("POST", "/v1/batches/{id}/commit", "commitRegrade", "Let a previewed regrade land", GRADE, batches::commit),
        Route::new("POST", "/v1/batches/{id}/undo", "undoRegrade", "Put back what stood before a regrade", GRADE, batches::undo),
        Route::new("POST", "/v1/batches/{id}/stop", "stopBatch", "Stop a batch, or throw a preview away", GRADE, batches::stop),

        Route::new("GET", "/v1/generations", "listGenerations", "List generations", READ_GENERATIONS, generations::list),
        Route::new("GET", "/v1/generations/{id}", "retrieveGeneration", "Retrieve a generation", READ_GENERATIONS, generations::retrieve),
        Route::new("GET", "/v1/generations/{id}/stream", "streamGeneration", "Follow a generation as it goes on", READ_GENERATIONS, generations::stream),
        Route::new("POST", "/v1/generations/{id}/cancel", "cancelGeneration", "Call a generation off", AI_GENERATE, generations::cancel),
        Route::new("POST", "/v1/generations/{id}/retry", "retryGeneration", "Try a failed generation again", AI_GENERATE, generations::retry),
        Route::new("GET", "/v1/generations/{id}/pieces", "listGenerationPieces", "List what a generation proposes, piece by piece", READ_GENERATIONS, pieces::list),
        // It shows what is in the course, beside what would be.
        Route::new("GET", "/v1/pieces/{id}", "retrieveGenerationPiece", "Retrieve what is proposed, beside what it would take the place of", READ_COURSES, pieces::retrieve),
        Route::new("POST", "/v1/pieces/{id}/accept", "acceptGenerationPiece", "Let what is proposed land, changed or as it is", WRITE_COURSES, pieces::accept).also(&[412]),
        Route::new("POST", "/v1/pieces/{id}/discard", "discardGenerationPiece", "Say that what is proposed is not wanted", WRITE_COURSES, pieces::discard),
        Route::new("POST", "/v1/pieces/{id}/reopen", "reopenGenerationPiece", "Take back that what is proposed is not wanted", WRITE_COURSES, pieces::reopen),

        Route::new("POST", "/v1/submissions", "createSubmission", "Start a submission, or hand one in", SUBMIT, submissions::create).taking(SUBMISSION_LIMIT),
        Route::new("GET", "/v1/submissions", "listSubmissions", "List submissions", READ_SUBMISSIONS, submissions::list),
        Route::new("GET", "/v1/submissions/{id}", "retrieveSubmission", "Retrieve a submission", READ_SUBMISSIONS, submissions::retrieve),
        Route::new("PATCH", "/v1/submissions/{id}", "updateSubmission", "Change a draft, or the metadata of what was handed in", SUBMIT, submissions::update).taking(SUBMISSION_LIMIT).conditional(),
        Route::new("DELETE", "/v1/submissions/{id}", "deleteSubmission", "Delete a submission and its grades", GRADE, submissions::delete).conditional(),
        Route::new("POST", "/v1/submissions/{id}/submit", "submitSubmission", "Hand a draft in", SUBMIT, submissions::submit),
        Route::new("POST", "/v1/submissions/{id}/ai", "gradeSubmissionWithAi", "Grade with AI", AI_GRADE, submissions::grade_with_ai),
        Route::new("POST", "/v1/submissions/{id}/explain", "explainGrade", "Have AI explain the grade that stands", AI_GRADE, submissions::explain),
        Route::new("POST", "/v1/submissions/{id}/grade", "gradeSubmission", "Grade as a person", GRADE, submissions::grade).conditional(),
        Route::new("POST", "/v1/submissions/{id}/alike", "gradeAlike", "Give a person's judgement of an answer to others that say the same", GRADE, groups::grade_alike),
        Route::new("POST", "/v1/submissions/{id}/approve", "approveSubmission", "Let an AI grade stand that is held or wants a look", GRADE, submissions::approve).conditional(),
        Route::new("POST", "/v1/submissions/{id}/blind", "blindSubmission", "Hide what AI says until a person has graded it", GRADE, submissions::hide_ai),
        Route::new("POST", "/v1/submissions/{id}/reveal", "revealSubmission", "Show what AI says without a blind grade", GRADE, submissions::show_ai),
        Route::new("POST", "/v1/submissions/{id}/reopen", "reopenSubmission", "Take a person's newest decision back", GRADE, submissions::reopen).conditional(),
        Route::new("POST", "/v1/submissions/{id}/return", "returnSubmission", "Give a graded submission back", GRADE, submissions::give_back).conditional(),
        Route::new("GET", "/v1/submissions/{id}/grades", "listGrades", "List a submission's grade history", READ_SUBMISSIONS, submissions::grades),

        Route::new("POST", "/v1/media", "createMedia", "Upload a file to the media library", WRITE_COURSES, media::create).within(UPLOAD_DEADLINE),
        Route::new("GET", "/v1/media", "listMedia", "List the files of the media library", READ_COURSES, media::list),
        Route::new("GET", "/v1/media/{id}", "retrieveMedia", "Retrieve a file of the media library", READ_COURSES, media::retrieve),
        Route::new("PATCH", "/v1/media/{id}", "updateMedia", "Change what is said about a file of the media library", WRITE_COURSES, media::update).conditional(),
        Route::new("DELETE", "/v1/media/{id}", "deleteMedia", "Delete a file of the media library that no text refers to", WRITE_COURSES, media::delete).conditional(),
        Route::new("POST", "/v1/media_uploads", "createMediaUpload", "Begin to upload a large file to the media library, in pieces or straight to the bucket", WRITE_COURSES, media_uploads::create).speaking_tus(),
        Route::new("GET", "/v1/media_uploads/{id}", "retrieveMediaUpload", "Retrieve an upload of a large file: how much of it came", WRITE_COURSES, media_uploads::retrieve).speaking_tus(),
        Route::new("PATCH", "/v1/media_uploads/{id}", "appendToMediaUpload", "Send the next bytes of an upload in pieces", WRITE_COURSES, media_uploads::append).within(UPLOAD_DEADLINE).speaking_tus(),
        Route::new("POST", "/v1/media_uploads/{id}/complete", "completeMediaUpload", "Take a file that was put into the bucket into the media library", WRITE_COURSES, media_uploads::complete).within(UPLOAD_DEADLINE),
        Route::new("DELETE", "/v1/media_uploads/{id}", "deleteMediaUpload", "Give an upload of a large file up, and what came of it", WRITE_COURSES, media_uploads::terminate).conditional().speaking_tus(),
        Route::raw(addresses::MEDIA_FILE, "downloadMedia", "Load a file of the media library", media::doc(), media::download),

        Route::new("POST", "/v1/scorm", "createScormPackage", "Ask for a SCORM package", WRITE_COURSES, scorm::create),
        Route::new("GET", "/v1/scorm", "listScormPackages", "List SCORM packages", READ_COURSES, scorm::list),
        Route::new("GET", "/v1/scorm/{id}", "retrieveScormPackage", "Retrieve a SCORM package", READ_COURSES, scorm::retrieve),
        Route::new("DELETE", "/v1/scorm/{id}", "deleteScormPackage", "Delete a SCORM package", WRITE_COURSES, scorm::delete).conditional(),
        Route::new("POST", "/v1/scorm/{id}/sessions", "createScormSession", "Let a learner in from inside a SCORM package", NO_KEY, scorm_learners::launch).also(&[401, 409]).counted_as(Counted::Launch),
        Route::new("GET", "/v1/scorm/{id}/sessions", "listScormSessions", "List the learners who came with a SCORM package", READ_LEARNERS, scorm_learners::list),
        Route::new("POST", "/v1/scorm/{id}/revoke", "revokeScormPackage", "Revoke a SCORM package", WRITE_COURSES, scorm::revoke),
        Route::raw(addresses::PACKAGE_DOWNLOAD, "downloadScormPackage", "Download a SCORM package", scorm::download_doc(), scorm::download),
        Route::raw(addresses::PACKAGE_PREVIEW, "previewScormPackage", "Play a SCORM package in the browser and see what it reports", scorm_preview::page_doc(), scorm_preview::page),
        Route::raw("/v1/scorm/{id}/preview/{ticket}/{file}", "previewScormPackageFile", "A file of the preview", scorm_preview::file_doc(), scorm_preview::file).deep(),

        Route::new("POST", "/v1/webhook_endpoints", "createWebhookEndpoint", "Create a webhook endpoint", WRITE_WEBHOOKS, webhooks::create).recent_sign_in(),
        Route::new("GET", "/v1/webhook_endpoints", "listWebhookEndpoints", "List webhook endpoints", READ_WEBHOOKS, webhooks::list),
        Route::new("GET", "/v1/webhook_endpoints/{id}", "retrieveWebhookEndpoint", "Retrieve a webhook endpoint", READ_WEBHOOKS, webhooks::retrieve),
        Route::new("PATCH", "/v1/webhook_endpoints/{id}", "updateWebhookEndpoint", "Update a webhook endpoint, or switch it on or off", WRITE_WEBHOOKS, webhooks::update).conditional(),
        Route::new("DELETE", "/v1/webhook_endpoints/{id}", "deleteWebhookEndpoint", "Delete a webhook endpoint", WRITE_WEBHOOKS, webhooks::delete).conditional(),
        Route::new("GET", "/v1/webhook_endpoints/{id}/deliveries", "listWebhookDeliveries", "List an endpoint's deliveries", READ_WEBHOOKS, webhooks::deliveries),
        Route::new("POST", "/v1/webhook_endpoints/{id}/rotate_secret", "rotateWebhookSecret", "Give an endpoint another secret", WRITE_WEBHOOKS, webhooks::rotate_secret).recent_sign_in(),
        Route::new("POST", "/v1/webhook_endpoints/{id}/test", "testWebhookEndpoint", "Send an endpoint a ping", WRITE_WEBHOOKS, webhooks::test),
        Route::new("POST", "/v1/webhook_endpoints/{id}/recover", "recoverWebhookEndpoint", "Send an endpoint again what it missed", WRITE_WEBHOOKS, webhooks::recover),
        Route::new("GET", "/v1/webhook_deliveries/{id}", "retrieveWebhookDelivery", "Retrieve a delivery", READ_WEBHOOKS, webhooks::delivery),
        Route::new("POST", "/v1/webhook_deliveries/{id}/redeliver", "redeliverWebhook", "Send a delivery again", WRITE_WEBHOOKS, webhooks::redeliver),

        Route::new("POST", "/v1/batch", "createBulkWrite", "Write up to 1,000 things of one kind, each as by a request of its own", WRITE_IN_BULK, bulk_writes::create).taking(BULK_LIMIT).keeping_nothing(),
        Route::new("GET", "/v1/batch/{id}", "retrieveBulkWrite", "See how far many writes are, and what came of each", WRITE_IN_BULK, bulk_writes::retrieve),
        Route::new("POST", "/v1/batch/{id}/stop", "stopBulkWrite", "Stop many writes: what was not begun is not done", WRITE_IN_BULK, bulk_writes::stop),

        Route::new("GET", "/v1/trash", "listTrash", "List what was deleted and can come back", READ_TRASH, trash::list),
        Route::new("GET", "/v1/trash/{id}", "retrieveTrashItem", "Retrieve something that was deleted", READ_TRASH, trash::retrieve),
        Route::new("POST", "/v1/trash/{id}/restore", "restoreTrashItem", "Bring something back with everything that went with it", WRITE_TRASH, trash::restore),
        Route::new("DELETE", "/v1/trash/{id}", "deleteTrashItem", "Destroy something that was deleted for good", WRITE_TRASH, trash::delete).conditional().recent_sign_in(),

        Route::new("GET", "/v1/audit", "listAuditEntries", "List who changed what: grades, keys, members, settings", READ_AUDIT, audit::list),
        Route::new("GET", "/v1/audit/{id}", "retrieveAuditEntry", "Retrieve an entry of the audit trail", READ_AUDIT, audit::retrieve),

        Route::new("GET", "/v1/background_work", "retrieveBackgroundWork", "See what waits and runs in the background", READ_WORKSPACES, background_work::retrieve),

        Route::new("GET", "/v1/events", "listEvents", "List events", READ_EVENTS, events::list),
        Route::new("GET", "/v1/events/{id}", "retrieveEvent", "Retrieve an event", READ_EVENTS, events::retrieve),
        Route::new("GET", "/v1/event_types", "listEventTypes", "List what can happen, with a JSON Schema of each event", READ_EVENTS, event_types::list),

        Route::new("GET", "/v1/ai/usage", "retrieveAiUsage", "What AI took, and what is left of this month's budget", READ_WORKSPACES, ai_calls::usage),
        Route::new("GET", "/v1/ai/calls", "listAiCalls", "List calls to AI providers: what was sent where", READ_WORKSPACES, ai_calls::list),

        Route::raw("/healthz", "healthz", "Whether the process lives", health::status_doc(&["ok"], &[]), health::healthz).uncounted(),
        Route::raw("/readyz", "readyz", "Whether the service can work", health::status_doc(&["ready", "degraded"], &[]), health::readyz).uncounted(),
        Route::raw("/v1/openapi.json", "openapi", "This document", health::openapi_doc(), health::openapi),
        Route::new("POST", "/v1/texts/render", "renderText", "Show a text that nobody has saved as HTML, and what it loses", READ_COURSES, texts::render).keeping_nothing(),
        Route::raw("/v1/content.css", "contentStyle", "The style sheet of texts that are shown as HTML", texts::style_doc(), texts::style),
        Route::raw("/docs", "docs", "A browsable reference made from this document", docs::page_doc(), docs::page),
        Route::raw("/docs/{file}", "docsFile", "A file of the browsable reference", docs::file_doc(), docs::file),
    ]
}

/// Checks that every row says who may call it: a service with one that does not must not start.
///
/// # Errors
/// A sentence about the row.
pub fn check(table: &[Route]) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for route in table {
        let Route {
            method,
            path,
            operation,
            ..
        } = route;
        let wrong = |what: &str| Err(format!("the route {method} {path} {what}"));
        let is_open = OPEN.contains(&route.operation);
        let asks = route.policy.requirement != Requirement::NOTHING;
        if !seen.insert((method, path)) {
            return wrong("stands twice in the table");
        }
        match (route.policy.needs_key, asks) {
            // Nobody would look at the scopes.
            (false, true) => return wrong("asks for scopes and takes no key"),
            (false, false) if !is_open => return wrong("is open to everybody"),
            (true, false) if !FOR_ANY_KEY.contains(operation) => return wrong("asks for no scope"),
            (true, _) if is_open => return wrong("takes a key and is said to be open"),
            (true, true) if FOR_ANY_KEY.contains(operation) => {
                return wrong("asks for scopes and is said to be for any key");
            }
            (true | false, true | false) => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::policy::REQUEST_DEADLINE;

    fn told(route: Route) -> String {
        let mut table = all();
        table.push(route);
        check(&table).err().unwrap_or_default()
    }

    #[test]
    fn every_row_says_who_may_call_it() {
        assert_eq!(check(&all()), Ok(()));
    }

    #[test]
    fn every_change_of_one_thing_heeds_its_tag() {
        let is_change = |route: &&Route| matches!(route.method, "PATCH" | "DELETE");
        let of_one = |path: &str| path.ends_with("/{id}") || path.contains("/configure");
        // Bytes of a file are told apart by their place.
        let table = all();
        let changes = table.iter().filter(is_change);
        for route in changes.filter(|route| route.operation != "appendToMediaUpload") {
            assert_eq!(route.is_conditional, of_one(route.path), "{}", route.path);
        }
    }

    #[test]
    fn what_is_counted_in_a_way_of_its_own_is_this() {
        let own = |route: &Route| route.policy.counted != Counted::Usually;
        let own = all().into_iter().filter(own);
        let own: Vec<_> = own
            .map(|route| (route.operation, route.policy.counted))
            .collect();
        let expected = [
            ("signIn", Counted::SignIn),
            ("askForSignInLink", Counted::SignIn),
            ("lookAtInvitation", Counted::SignIn),
            ("acceptInvitationLink", Counted::SignIn),
            ("beginSignInByPasskey", Counted::SignIn),
            ("signInByPasskey", Counted::SignIn),
            ("startSso", Counted::SignIn),
            ("finishSso", Counted::SignIn),
            ("askTutor", Counted::Tutor),
            ("createScormSession", Counted::Launch),
            ("healthz", Counted::Never),
            ("readyz", Counted::Never),
        ];
        assert_eq!(own, expected);
    }

    #[test]
    fn only_who_waits_for_the_tutor_and_who_sends_a_file_takes_longer() {
        let patient = |route: &Route| route.policy.deadline != REQUEST_DEADLINE;
        let patient: Vec<Route> = all().into_iter().filter(patient).collect();
        let rows: Vec<(&str, u64)> = patient
            .iter()
            .map(|route| (route.operation, route.policy.deadline.as_secs()))
            .collect();
        let sent = [
            ("createMedia", 3_600),
            ("appendToMediaUpload", 3_600),
            ("completeMediaUpload", 3_600),
        ];
        let waiting = [("askTutor", 60), ("tryGrading", 60)];
        let (tutor, grader) = waiting.split_at(1);
        assert_eq!(rows, [tutor, grader, &sent[..]].concat());
    }

    #[test]
    fn a_row_that_does_not_say_who_may_call_it_is_refused() {
        let asks_nothing = Route::new("PUT", "/v1/courses", "x", "X", ANY_KEY, courses::list);
        assert!(told(asks_nothing).ends_with("asks for no scope"));
        let open = Route::new("PUT", "/v1/courses", "x", "X", NO_KEY, tokens::finish);
        assert!(told(open).ends_with("is open to everybody"));
        let unseen = Route::new(
            "PUT",
            "/v1/tokens/finish",
            "x",
            "X",
            WRITE_COURSES,
            tokens::finish,
        );
        assert!(told(unseen).ends_with("takes no key"));
        let raw = Route::raw(
            "/v1/secrets",
            "x",
            "X",
            health::openapi_doc(),
            health::healthz,
        );
        assert!(told(raw).ends_with("is open to everybody"));
        let closed = Route::new(
            "PUT",
            "/healthz",
            "healthz",
            "X",
            READ_COURSES,
            courses::list,
        );
        assert!(told(closed).ends_with("is said to be open"));
        let narrower = Route::new(
            "PUT",
            "/v1/me",
            "retrieveMe",
            "X",
            READ_COURSES,
            courses::list,
        );
        assert!(told(narrower).ends_with("is said to be for any key"));
        let twice = Route::new("GET", "/v1/courses", "x", "X", READ_COURSES, courses::list);
        assert!(told(twice).ends_with("stands twice in the table"));
    }
}
