//! Who may call what: every route against every sort of caller, with things that are really there.
//!
//! The table below says it a second time, on purpose: a route that is missing from it fails, and so does one
//! whose row in the route table was changed without thinking of who gets in.

use std::collections::BTreeMap;

use actix_web::test::TestRequest;
use lyceum_api::http::route::Route;
use lyceum_api::routes;
use lyceum_application::exporting::scorm_learners::launch_key;
use lyceum_domain::identity::scopes::Scope;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp, request};
use support::stores::Database;

use crate::media;
use crate::school::{app_on, done, key, made, session};
use crate::world::{Ids, body, world};

/// What a route takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// No key.
    Nothing,
    /// Any key.
    AnyKey,
    /// A key with all of these scopes.
    All(&'static [&'static str]),
    /// A key with one of these scopes.
    One(&'static [&'static str]),
}

use Takes::{All, AnyKey, Nothing, One};

const READ_COURSES: Takes = All(&["read:courses"]);
const WRITE_COURSES: Takes = All(&["write:courses"]);
const READ_LESSONS: Takes = All(&["read:lessons"]);
const READ_STUDENTS: Takes = All(&["read:students"]);
const WRITE_STUDENTS: Takes = All(&["write:students"]);
const READ_SUBMISSIONS: Takes = One(&["read:submissions", "write:submissions"]);
const WRITE_SUBMISSIONS: Takes = All(&["write:submissions"]);
const WRITE_GRADES: Takes = All(&["write:grades"]);
const READ_WORKSPACES: Takes = All(&["read:workspaces"]);
const WRITE_WORKSPACES: Takes = All(&["write:workspaces"]);
const READ_KEYS: Takes = All(&["read:keys"]);
const WRITE_KEYS: Takes = All(&["write:keys"]);
const READ_WEBHOOKS: Takes = All(&["read:webhooks"]);
const WRITE_WEBHOOKS: Takes = All(&["write:webhooks"]);
const READ_SSO: Takes = All(&["read:workspaces", "read:keys"]);
const READ_AUDIT: Takes = All(&[
    "read:workspaces",
    "read:keys",
    "read:students",
    "read:submissions",
]);
const EXPORT_PERSON: Takes = All(&["write:students", "read:submissions", "read:keys"]);
const ERASE_PERSON: Takes = All(&["write:students", "write:workspaces"]);
const READ_GRADEBOOK: Takes = All(&["read:students", "read:submissions"]);
const READ_INVITATIONS: Takes = All(&["read:invitations"]);
const WRITE_INVITATIONS: Takes = All(&["write:invitations"]);
const READ_TRASH: Takes = One(&["read:courses", "read:students", "read:submissions"]);
const WRITE_TRASH: Takes = One(&["write:courses", "write:students", "write:grades"]);
const READ_EVENTS: Takes = All(&["read:events"]);
const READ_GENERATIONS: Takes = One(&["read:courses", "ai:generate"]);
const GENERATE: Takes = All(&["ai:generate"]);
const WRITE_IN_BULK: Takes = One(&[
    "write:courses",
    "write:students",
    "write:grades",
    "write:submissions",
]);
const TUTOR: Takes = All(&["ai:tutor"]);

/// Every operation, by path.
#[rustfmt::skip]
const TABLE: &[(&str, &[(&str, Takes)])] = &[
    ("/healthz", &[("GET", Nothing)]),
    ("/readyz", &[("GET", Nothing)]),
    ("/v1/openapi.json", &[("GET", Nothing)]),
    ("/v1/content.css", &[("GET", Nothing)]),
    ("/v1/texts/render", &[("POST", READ_COURSES)]),
    ("/docs", &[("GET", Nothing)]),
    ("/docs/{file}", &[("GET", Nothing)]),
    ("/v1/platforms", &[("GET", AnyKey)]),
    ("/v1/platforms/{platform}", &[("GET", AnyKey)]),
    ("/v1/me", &[("GET", AnyKey), ("PATCH", WRITE_INVITATIONS)]),
    ("/v1/workspaces", &[("GET", READ_WORKSPACES), ("POST", WRITE_WORKSPACES)]),
    ("/v1/workspaces/{id}", &[("GET", READ_WORKSPACES), ("PATCH", WRITE_WORKSPACES), ("DELETE", WRITE_WORKSPACES)]),
    ("/v1/background_work", &[("GET", READ_WORKSPACES)]),
    ("/v1/ai/usage", &[("GET", READ_WORKSPACES)]),
    ("/v1/ai/calls", &[("GET", READ_WORKSPACES)]),
    ("/v1/invitations", &[("GET", READ_INVITATIONS)]),
    ("/v1/invitations/{id}", &[("GET", READ_INVITATIONS)]),
    ("/v1/invitations/{id}/accept", &[("POST", WRITE_INVITATIONS)]),
    ("/v1/invitations/{id}/decline", &[("POST", WRITE_INVITATIONS)]),
    ("/v1/api_keys", &[("GET", READ_KEYS), ("POST", WRITE_KEYS)]),
    ("/v1/api_keys/{id}", &[("GET", READ_KEYS), ("PATCH", WRITE_KEYS), ("DELETE", WRITE_KEYS)]),
    ("/v1/api_keys/{id}/rotate", &[("POST", WRITE_KEYS)]),
    ("/v1/api_keys/{id}/revoke", &[("POST", WRITE_KEYS)]),
    ("/v1/users", &[("GET", READ_STUDENTS), ("POST", WRITE_STUDENTS)]),
    ("/v1/users/{id}", &[("GET", READ_STUDENTS), ("PATCH", WRITE_STUDENTS), ("DELETE", WRITE_STUDENTS)]),
    ("/v1/users/{id}/export", &[("POST", EXPORT_PERSON)]),
    ("/v1/users/{id}/erase", &[("POST", ERASE_PERSON)]),
    ("/v1/sent_invitations", &[("GET", READ_STUDENTS)]),
    ("/v1/users/{id}/invitation", &[("GET", READ_STUDENTS), ("POST", WRITE_STUDENTS)]),
    ("/v1/users/{id}/sessions", &[("GET", READ_KEYS)]),
    ("/v1/users/{id}/end_sessions", &[("POST", WRITE_KEYS)]),
    ("/v1/users/{id}/progress", &[("GET", READ_STUDENTS)]),
    ("/v1/sign_in", &[("GET", Nothing), ("POST", Nothing)]),
    ("/v1/sign_in/links", &[("POST", Nothing)]),
    ("/v1/sign_in/passkey/begin", &[("POST", Nothing)]),
    ("/v1/sign_in/passkey", &[("POST", Nothing)]),
    ("/v1/passkeys", &[("GET", READ_INVITATIONS), ("POST", WRITE_INVITATIONS)]),
    ("/v1/passkeys/begin", &[("POST", WRITE_INVITATIONS)]),
    ("/v1/passkeys/{id}", &[("GET", READ_INVITATIONS), ("PATCH", WRITE_INVITATIONS), ("DELETE", WRITE_INVITATIONS)]),
    ("/v1/sign_in/invitations", &[("POST", Nothing)]),
    ("/v1/sign_in/invitations/accept", &[("POST", Nothing)]),
    ("/v1/sign_in/sso", &[("POST", Nothing)]),
    ("/v1/sign_in/sso/callback", &[("GET", Nothing)]),
    ("/v1/sign_out", &[("POST", READ_INVITATIONS)]),
    ("/v1/sessions", &[("GET", READ_INVITATIONS)]),
    ("/v1/sessions/{id}", &[("GET", READ_INVITATIONS), ("DELETE", WRITE_INVITATIONS)]),
    ("/v1/sessions/end_others", &[("POST", WRITE_INVITATIONS)]),
    ("/v1/tokens/start", &[("POST", All(&["write:tokens"]))]),
    ("/v1/tokens/finish", &[("POST", Nothing)]),
    ("/v1/cohorts", &[("GET", READ_COURSES), ("POST", WRITE_COURSES)]),
    ("/v1/cohorts/{id}", &[("GET", READ_COURSES), ("PATCH", WRITE_COURSES), ("DELETE", WRITE_COURSES)]),
    ("/v1/cohorts/{id}/start", &[("POST", WRITE_COURSES)]),
    ("/v1/cohorts/{id}/end", &[("POST", WRITE_COURSES)]),
    ("/v1/cohorts/{id}/reopen", &[("POST", WRITE_COURSES)]),
    ("/v1/cohorts/{id}/archive", &[("POST", WRITE_COURSES)]),
    ("/v1/cohorts/{id}/update", &[("GET", READ_COURSES), ("POST", WRITE_COURSES)]),
    ("/v1/cohorts/{id}/progress", &[("GET", READ_STUDENTS)]),
    ("/v1/cohorts/{id}/gradebook", &[("GET", READ_GRADEBOOK)]),
    ("/v1/cohorts/{id}/standing", &[("GET", READ_GRADEBOOK)]),
    ("/v1/cohorts/{id}/gradebook.csv", &[("GET", READ_GRADEBOOK)]),
    ("/v1/cohorts/{id}/gradebook.xlsx", &[("GET", READ_GRADEBOOK)]),
    ("/v1/cohorts/{id}/students", &[("GET", READ_STUDENTS), ("POST", WRITE_STUDENTS)]),
    ("/v1/cohorts/{id}/students/{user_id}", &[("DELETE", WRITE_STUDENTS)]),
    ("/v1/courses", &[("GET", READ_COURSES), ("POST", WRITE_COURSES)]),
    ("/v1/courses/{id}", &[("GET", READ_COURSES), ("PATCH", WRITE_COURSES), ("DELETE", WRITE_COURSES)]),
    ("/v1/courses/{id}/clone", &[("POST", WRITE_COURSES)]),
    ("/v1/courses/{id}/move", &[("POST", WRITE_COURSES)]),
    ("/v1/courses/{id}/publish", &[("POST", WRITE_COURSES)]),
    ("/v1/courses/{id}/archive", &[("POST", WRITE_COURSES)]),
    ("/v1/courses/{id}/unarchive", &[("POST", WRITE_COURSES)]),
    ("/v1/courses/{id}/draft", &[("GET", READ_COURSES), ("DELETE", WRITE_COURSES)]),
    ("/v1/courses/{id}/draft/publish", &[("POST", WRITE_COURSES)]),
    ("/v1/courses/{id}/syllabus", &[("POST", GENERATE)]),
    ("/v1/units", &[("GET", READ_LESSONS), ("POST", WRITE_COURSES)]),
    ("/v1/units/{id}", &[("GET", READ_LESSONS), ("PATCH", WRITE_COURSES), ("DELETE", WRITE_COURSES)]),
    ("/v1/units/{id}/move", &[("POST", WRITE_COURSES)]),
    ("/v1/units/{id}/generate", &[("POST", GENERATE)]),
    ("/v1/lessons", &[("GET", READ_LESSONS), ("POST", WRITE_COURSES)]),
    ("/v1/lessons/{id}", &[("GET", READ_LESSONS), ("PATCH", WRITE_COURSES), ("DELETE", WRITE_COURSES)]),
    ("/v1/lessons/{id}/move", &[("POST", WRITE_COURSES)]),
    ("/v1/lessons/{id}/generate", &[("POST", GENERATE)]),
    ("/v1/lessons/{id}/activities/generate", &[("POST", GENERATE)]),
    ("/v1/lessons/{id}/complete", &[("POST", WRITE_SUBMISSIONS)]),
    ("/v1/lessons/{id}/tutor", &[("GET", TUTOR), ("POST", TUTOR)]),
    // Played by a signed address alone.
    ("/v1/lessons/{id}/preview", &[("GET", Nothing), ("POST", READ_COURSES)]),
    ("/v1/lessons/{id}/preview/{ticket}/{file}", &[("GET", Nothing)]),
    ("/v1/activities", &[("GET", READ_LESSONS), ("POST", WRITE_COURSES)]),
    ("/v1/activities/{id}", &[("GET", READ_LESSONS), ("PATCH", WRITE_COURSES), ("DELETE", WRITE_COURSES)]),
    ("/v1/activities/{id}/move", &[("POST", WRITE_COURSES)]),
    ("/v1/activities/{id}/generate", &[("POST", GENERATE)]),
    ("/v1/activities/{id}/statistics", &[("GET", All(&["read:submissions"]))]),
    ("/v1/activities/{id}/attempts", &[("GET", READ_SUBMISSIONS), ("POST", WRITE_SUBMISSIONS)]),
    ("/v1/activities/{id}/preview", &[("GET", Nothing), ("POST", READ_COURSES)]),
    ("/v1/activities/{id}/preview/{ticket}/{file}", &[("GET", Nothing)]),
    // By a signed address alone.
    ("/v1/activities/{id}/audio", &[("GET", Nothing)]),
    ("/v1/assignments", &[("GET", READ_LESSONS), ("POST", WRITE_COURSES)]),
    ("/v1/assignments/{id}", &[("GET", READ_LESSONS), ("PATCH", WRITE_COURSES), ("DELETE", WRITE_COURSES)]),
    ("/v1/assignments/{id}/configure", &[("PATCH", WRITE_COURSES)]),
    ("/v1/assignments/{id}/configure/rubric", &[("PATCH", WRITE_COURSES)]),
    ("/v1/assignments/{id}/configure/feedback", &[("PATCH", WRITE_COURSES)]),
    ("/v1/assignments/{id}/configure/reset", &[("POST", WRITE_COURSES)]),
    ("/v1/assignments/{id}/overrides", &[("GET", All(&["read:courses", "read:students"])), ("POST", WRITE_COURSES)]),
    ("/v1/assignments/{id}/versions", &[("GET", READ_COURSES)]),
    ("/v1/lessons/{id}/versions", &[("GET", READ_COURSES)]),
    ("/v1/activities/{id}/versions", &[("GET", READ_COURSES)]),
    ("/v1/versions/{id}", &[("GET", READ_COURSES)]),
    ("/v1/versions/{id}/restore", &[("POST", WRITE_COURSES)]),
    ("/v1/overrides/{id}", &[("GET", All(&["read:courses", "read:students"])), ("PATCH", WRITE_COURSES), ("DELETE", WRITE_COURSES)]),
    ("/v1/assignments/{id}/try", &[("POST", All(&["ai:grade"]))]),
    ("/v1/assignments/{id}/statistics", &[("GET", All(&["read:submissions"]))]),
    ("/v1/assignments/{id}/calibration", &[("GET", All(&["read:submissions"]))]),
    ("/v1/assignments/{id}/certificate", &[("GET", All(&["read:submissions"])), ("POST", All(&["ai:grade", "write:grades"]))]),
    ("/v1/assignments/{id}/certificate/records", &[("GET", All(&["read:submissions"]))]),
    ("/v1/assignments/{id}/certificate/end", &[("POST", WRITE_GRADES)]),
    ("/v1/assignments/{id}/consistency", &[("GET", All(&["read:submissions"]))]),
    ("/v1/assignments/{id}/groups", &[("GET", All(&["read:submissions"]))]),
    ("/v1/assignments/{id}/ai", &[("GET", All(&["read:submissions"])), ("POST", All(&["ai:grade"]))]),
    ("/v1/assignments/{id}/ai/stop", &[("POST", All(&["ai:grade"]))]),
    ("/v1/assignments/{id}/regrades", &[("GET", All(&["read:submissions"])), ("POST", All(&["ai:grade", "write:grades"]))]),
    ("/v1/assignments/{id}/redteam", &[("GET", All(&["read:submissions"])), ("POST", All(&["ai:grade", "write:grades"]))]),
    ("/v1/batches/{id}", &[("GET", All(&["read:submissions"]))]),
    ("/v1/batches/{id}/items", &[("GET", All(&["read:submissions"]))]),
    ("/v1/batches/{id}/commit", &[("POST", WRITE_GRADES)]),
    ("/v1/batches/{id}/undo", &[("POST", WRITE_GRADES)]),
    ("/v1/batches/{id}/stop", &[("POST", WRITE_GRADES)]),
    ("/v1/generations", &[("GET", READ_GENERATIONS)]),
    ("/v1/generations/{id}", &[("GET", READ_GENERATIONS)]),
    ("/v1/generations/{id}/stream", &[("GET", READ_GENERATIONS)]),
    ("/v1/generations/{id}/cancel", &[("POST", GENERATE)]),
    ("/v1/generations/{id}/retry", &[("POST", GENERATE)]),
    ("/v1/generations/{id}/pieces", &[("GET", READ_GENERATIONS)]),
    ("/v1/pieces/{id}", &[("GET", READ_COURSES)]),
    ("/v1/pieces/{id}/accept", &[("POST", WRITE_COURSES)]),
    ("/v1/pieces/{id}/discard", &[("POST", WRITE_COURSES)]),
    ("/v1/pieces/{id}/reopen", &[("POST", WRITE_COURSES)]),
    ("/v1/submissions", &[("GET", READ_SUBMISSIONS), ("POST", WRITE_SUBMISSIONS)]),
    ("/v1/submissions/{id}", &[("GET", READ_SUBMISSIONS), ("PATCH", WRITE_SUBMISSIONS), ("DELETE", WRITE_GRADES)]),
    ("/v1/submissions/{id}/submit", &[("POST", WRITE_SUBMISSIONS)]),
    ("/v1/submissions/{id}/ai", &[("POST", All(&["ai:grade"]))]),
    ("/v1/submissions/{id}/explain", &[("POST", All(&["ai:grade"]))]),
    ("/v1/submissions/{id}/grade", &[("POST", WRITE_GRADES)]),
    ("/v1/submissions/{id}/alike", &[("POST", WRITE_GRADES)]),
    ("/v1/submissions/{id}/approve", &[("POST", WRITE_GRADES)]),
    ("/v1/submissions/{id}/blind", &[("POST", WRITE_GRADES)]),
    ("/v1/submissions/{id}/reveal", &[("POST", WRITE_GRADES)]),
    ("/v1/submissions/{id}/reopen", &[("POST", WRITE_GRADES)]),
    ("/v1/submissions/{id}/return", &[("POST", WRITE_GRADES)]),
    ("/v1/submissions/{id}/grades", &[("GET", READ_SUBMISSIONS)]),
    ("/v1/media", &[("GET", READ_COURSES), ("POST", WRITE_COURSES)]),
    ("/v1/media_uploads", &[("POST", WRITE_COURSES)]),
    ("/v1/media_uploads/{id}", &[("GET", WRITE_COURSES), ("PATCH", WRITE_COURSES), ("DELETE", WRITE_COURSES)]),
    ("/v1/media_uploads/{id}/complete", &[("POST", WRITE_COURSES)]),
    ("/v1/media/{id}", &[("GET", READ_COURSES), ("PATCH", WRITE_COURSES), ("DELETE", WRITE_COURSES)]),
    // With a signed address alone.
    ("/v1/media/{id}/file", &[("GET", Nothing)]),
    ("/v1/scorm", &[("GET", READ_COURSES), ("POST", WRITE_COURSES)]),
    ("/v1/scorm/{id}", &[("GET", READ_COURSES), ("DELETE", WRITE_COURSES)]),
    ("/v1/scorm/{id}/revoke", &[("POST", WRITE_COURSES)]),
    // With the launch key inside a package.
    ("/v1/scorm/{id}/sessions", &[("POST", Nothing), ("GET", All(&["read:courses", "read:students"]))]),
    // Also without a key, by a signed address: see the tests of packages.
    ("/v1/scorm/{id}/download", &[("GET", READ_COURSES)]),
    ("/v1/scorm/{id}/preview", &[("GET", READ_COURSES)]),
    // By a signed address alone.
    ("/v1/scorm/{id}/preview/{ticket}/{file}", &[("GET", Nothing)]),
    ("/v1/sso_connections", &[("GET", READ_SSO), ("POST", WRITE_WORKSPACES)]),
    ("/v1/sso_connections/{id}", &[("GET", READ_SSO), ("PATCH", WRITE_WORKSPACES), ("DELETE", WRITE_WORKSPACES)]),
    ("/v1/sso_connections/{id}/test", &[("POST", WRITE_WORKSPACES)]),
    // With a token that its provider signed.
    ("/v1/sso_connections/{id}/logout", &[("POST", Nothing)]),
    ("/v1/webhook_endpoints", &[("GET", READ_WEBHOOKS), ("POST", WRITE_WEBHOOKS)]),
    ("/v1/webhook_endpoints/{id}", &[("GET", READ_WEBHOOKS), ("PATCH", WRITE_WEBHOOKS), ("DELETE", WRITE_WEBHOOKS)]),
    ("/v1/webhook_endpoints/{id}/rotate_secret", &[("POST", WRITE_WEBHOOKS)]),
    ("/v1/webhook_endpoints/{id}/test", &[("POST", WRITE_WEBHOOKS)]),
    ("/v1/webhook_endpoints/{id}/recover", &[("POST", WRITE_WEBHOOKS)]),
    ("/v1/webhook_endpoints/{id}/deliveries", &[("GET", READ_WEBHOOKS)]),
    ("/v1/webhook_deliveries/{id}", &[("GET", READ_WEBHOOKS)]),
    ("/v1/webhook_deliveries/{id}/redeliver", &[("POST", WRITE_WEBHOOKS)]),
    ("/v1/batch", &[("POST", WRITE_IN_BULK)]),
    ("/v1/batch/{id}", &[("GET", WRITE_IN_BULK)]),
    ("/v1/batch/{id}/stop", &[("POST", WRITE_IN_BULK)]),
    ("/v1/trash", &[("GET", READ_TRASH)]),
    ("/v1/trash/{id}", &[("GET", READ_TRASH), ("DELETE", WRITE_TRASH)]),
    // What its item hangs on is gone: it is told so, and the item can still be destroyed after that.
    ("/v1/trash/{id}/restore", &[("POST", WRITE_TRASH)]),
    ("/v1/audit", &[("GET", READ_AUDIT)]),
    ("/v1/audit/{id}", &[("GET", READ_AUDIT)]),
    ("/v1/events", &[("GET", READ_EVENTS)]),
    ("/v1/events/{id}", &[("GET", READ_EVENTS)]),
    ("/v1/event_types", &[("GET", READ_EVENTS)]),
];

/// What students may do, with whatever key.
const LEARNERS: [&str; 3] = ["read:lessons", "write:submissions", "ai:tutor"];

/// Paths that need no platform.
const ACCOUNT: [&str; 8] = [
    "/v1/passkeys",
    "/v1/platforms",
    "/v1/me",
    "/v1/workspaces",
    "/v1/invitations",
    "/v1/api_keys",
    "/v1/sessions",
    "/v1/sign_out",
];

impl Takes {
    /// The scopes that are asked for; of several that would do, the first.
    fn named(self) -> &'static [&'static str] {
        match self {
            Nothing | AnyKey => &[],
            All(scopes) | One(scopes) => scopes,
        }
    }

    /// A key that has what it takes, and no more.
    fn enough(self) -> Vec<&'static str> {
        match self {
            // Whatever opens nothing else here.
            Nothing | AnyKey => vec!["ai:tutor"],
            All(scopes) => scopes.to_vec(),
            One(scopes) => scopes.iter().take(1).copied().collect(),
        }
    }

    /// Keys that have everything but what it takes.
    fn too_little(self) -> Vec<Vec<&'static str>> {
        let all_but = |lacking: &[&str]| -> Vec<&'static str> {
            let lacking: Vec<Scope> = lacking
                .iter()
                .map(|scope| Scope::parse(scope).unwrap())
                .collect();
            // What provisions stands alone in its key: `scim.rs` has what that opens.
            let harmless = |scope: &&Scope| {
                **scope != Scope::Provision && !lacking.iter().any(|one| scope.covers(*one))
            };
            Scope::ALL
                .iter()
                .filter(harmless)
                .map(|scope| scope.as_str())
                .collect()
        };
        match self {
            Nothing | AnyKey => Vec::new(),
            All(scopes) => scopes.iter().map(|scope| all_but(&[scope])).collect(),
            One(scopes) => vec![all_but(scopes)],
        }
    }

    fn is_for_learners(self) -> bool {
        match self {
            Nothing | AnyKey => true,
            All(scopes) => scopes.iter().all(|scope| LEARNERS.contains(scope)),
            One(scopes) => scopes.iter().any(|scope| LEARNERS.contains(scope)),
        }
    }
}

/// The route table with what each row takes; reads first, and what takes things away last and from below.
pub fn table() -> Vec<(Route, Takes)> {
    let mut expected: BTreeMap<(&str, &str), Takes> = TABLE
        .iter()
        .flat_map(|(path, rows)| {
            rows.iter()
                .map(|(method, takes)| ((*path, *method), *takes))
        })
        .collect();
    let mut table: Vec<(Route, Takes)> = routes::all()
        .into_iter()
        .map(|route| {
            let takes = expected.remove(&(route.path, route.method));
            let place = (route.method, route.path);
            assert!(takes.is_some(), "say in the table who may {place:?}");
            let takes = takes.unwrap_or(Nothing);
            (route, takes)
        })
        .collect();
    assert!(expected.is_empty(), "no such routes: {expected:?}");
    let below = [
        "submissions",
        "activities",
        "assignments",
        "lessons",
        "units",
        "media",
        "media_uploads",
        "scorm",
        "cohorts",
        "courses",
        "users",
        "webhook_endpoints",
        "sso_connections",
        "api_keys",
        "workspaces",
    ];
    table.sort_by_key(|(route, _)| {
        let collection = route.path.split('/').nth(2).unwrap_or_default();
        let depth = below.iter().position(|one| *one == collection);
        match route.method {
            "GET" => (0, 0),
            // Nobody can be enrolled, let in, or taken out after that.
            _ if route.operation == "eraseUser" => (2, below.len() - 5),
            "DELETE" => (
                2,
                if route.path.contains("{user_id}") {
                    0
                } else {
                    1 + depth.unwrap_or_default()
                },
            ),
            _ => (1, 0),
        }
    });
    table
}

fn needs_platform(route: &Route) -> bool {
    !ACCOUNT.iter().any(|path| route.path.starts_with(path))
}

/// A workspace with everything in it, and callers of every sort.
pub struct Stage {
    pub app: TestApp,
    pub ids: Ids,
    /// A student with a standard key that may everything, and a session key of the same student.
    pub student: Caller,
    pub session: Caller,
    /// The owner of another workspace, who is nobody here.
    pub stranger: Caller,
    /// The uuid of their platform.
    pub elsewhere: String,
}

pub async fn stage(database: Database) -> Stage {
    let app = app_on(database).await;
    let mut ids = world(&app, &app.owner).await;
    // Somebody's standard key works wherever they belong: here they are a student.
    let student = app.another_workspace("home").await;
    let email = json!({"email": "owner@home.example"});
    let user = made(&app, &app.owner, "users", email).await;
    app.accept_everything(&student.key).await;
    let students = format!("cohorts/{}/students", ids.of("cohorts"));
    made(&app, &app.owner, &students, json!({"user_id": user})).await;
    // The owner's key with `read:lessons` alone sees what a learner sees: let there be something.
    let owner = json!({"email": "owner@main.example"});
    made(&app, &app.owner, &students, owner).await;
    done(&app, &format!("courses/{}/publish", ids.of("courses"))).await;
    done(&app, &format!("cohorts/{}/start", ids.of("cohorts"))).await;
    ids.0.insert("users".to_owned(), json!(user));
    let submission = body("createSubmission", &ids);
    let submission = made(&app, &app.owner, "submissions", submission).await;
    ids.0.insert("submissions".to_owned(), json!(submission));
    let stranger = app.another_workspace("other").await;
    let platforms = app.call(&stranger, "GET", "/v1/platforms", None).await.body;
    Stage {
        session: session(&app, "owner@home.example").await,
        student: Caller {
            platform: "main".to_owned(),
            ..student
        },
        elsewhere: platforms["data"][0]["uuid"].as_str().unwrap().to_owned(),
        stranger: Caller {
            platform: "main".to_owned(),
            ..stranger
        },
        ids,
        app,
    }
}

impl Stage {
    pub fn with_body(&self, route: &Route, request: TestRequest) -> TestRequest {
        if route.method == "GET" {
            return request;
        }
        if route.operation == "createMedia" {
            return media::with_picture(request);
        }
        if route.operation == "appendToMediaUpload" {
            let bytes = ("content-type", "application/offset+octet-stream");
            let request = request
                .insert_header(bytes)
                .insert_header(("upload-offset", "0"));
            return request.set_payload("x");
        }
        let mut body = body(route.operation, &self.ids);
        if route.operation == "createAssignment" {
            body["course_id"] = json!(self.ids.of("courses"));
        }
        if route.operation == "createScormSession" {
            let package = self.ids.of("scorm").parse().unwrap();
            let key = launch_key(&self.app.app.settings, package).unwrap();
            body["launch_key"] = json!(key.reveal());
        }
        request.set_json(body)
    }

    async fn call(&self, route: &Route, caller: &Caller) -> Answer {
        let request = request(caller, route.method, &self.ids.path(route.path));
        self.app.send(self.with_body(route, request)).await
    }

    /// The newest event: what changes anything leaves another.
    async fn newest(&self) -> Value {
        self.app.get("/v1/events?limit=1").await.body["data"][0]["id"].clone()
    }
}

/// What opens by a signature that its address has in its query, and by no key.
pub const SIGNED_ALONE: [&str; 4] = [
    "downloadActivityAudio",
    "downloadMedia",
    "playLesson",
    "playActivity",
];

/// Whether it is what an address without its signature opens: nothing.
fn lacks_signature(route: &Route, answer: &Answer) -> bool {
    SIGNED_ALONE.contains(&route.operation) && answer.code() == "link_expired"
}

#[track_caller]
fn assert_told(answer: &Answer, status: u16, code: &str, place: &str) {
    assert_eq!(
        (answer.status, answer.code()),
        (status, code),
        "{place} {}",
        answer.body
    );
}

#[actix_web::test]
async fn keys_that_open_nothing_open_no_route() {
    for database in [Database::Sqlite, Database::Postgres] {
        let stage = stage(database).await;
        let app = &stage.app;
        let spare = |body: Value| async move { app.post("/v1/api_keys", body).await };
        let revoked = spare(json!({"name": "Revoked"})).await;
        done(app, &format!("api_keys/{}/revoke", revoked.id())).await;
        let expired = spare(json!({"expires_at": "2026-11-21T06:56:00Z"})).await;
        app.clock.advance(61);
        let text = |answer: &Answer| answer.body["api_key"].as_str().unwrap().to_owned();
        let unknown = "lyc_k7Qm2Zt9-4fJx0RkP2a-Wb81LsYdTq-9uNcE5hGv3-3uyGXp";
        let cases = [
            (String::new(), "invalid_api_key"),
            ("nonsense".to_owned(), "invalid_api_key"),
            (unknown.to_owned(), "invalid_api_key"),
            (
                format!("{}-{}", app.owner.key, "0a".repeat(12)),
                "legacy_key_format",
            ),
            (text(&revoked), "api_key_revoked"),
            (text(&expired), "api_key_expired"),
        ];
        let before = stage.newest().await;
        for (route, _) in table().iter().filter(|(_, takes)| *takes != Nothing) {
            let place = format!("{database:?} {} {}", route.method, route.path);
            let path = stage.ids.path(route.path);
            let without = TestRequest::with_uri(&path)
                .method(route.method.parse().unwrap())
                .insert_header(("X-Learning-Platform-Code", "main"));
            let without = app.send(stage.with_body(route, without)).await;
            assert_told(&without, 401, "missing_api_key", &place);
            assert!(without.header("www-authenticate").is_some(), "{place}");
            for (key, code) in &cases {
                let caller = Caller {
                    key: key.clone(),
                    platform: "main".to_owned(),
                };
                assert_told(&stage.call(route, &caller).await, 401, code, &place);
            }
            let twice = request(&app.owner, route.method, &path)
                .append_header(("x-api-key", app.owner.key.as_str()));
            let twice = app.send(stage.with_body(route, twice)).await;
            assert_told(&twice, 401, "invalid_api_key", &place);
        }
        assert_eq!(stage.newest().await, before);
    }
}

#[actix_web::test]
async fn no_route_of_a_platform_opens_without_it_or_to_who_does_not_belong_there() {
    for database in [Database::Sqlite, Database::Postgres] {
        let stage = stage(database).await;
        let app = &stage.app;
        let before = stage.newest().await;
        for (route, takes) in table() {
            if takes == Nothing {
                continue;
            }
            let place = format!("{database:?} {} {}", route.method, route.path);
            let stranger = stage.call(&route, &stage.stranger).await;
            assert_told(&stranger, 403, "platform_access_denied", &place);
            let path = stage.ids.path(route.path);
            let conflict = request(&app.owner, route.method, &path)
                .insert_header(("X-Learning-Platform-Uuid", stage.elsewhere.as_str()));
            let conflict = app.send(stage.with_body(&route, conflict)).await;
            assert_told(&conflict, 400, "platform_mismatch", &place);
            if needs_platform(&route) {
                let nowhere = TestRequest::with_uri(&path)
                    .method(route.method.parse().unwrap())
                    .insert_header(("x-api-key", app.owner.key.as_str()));
                let nowhere = app.send(stage.with_body(&route, nowhere)).await;
                assert_told(&nowhere, 400, "missing_platform", &place);
            }
        }
        assert_eq!(stage.newest().await, before);
    }
}

#[actix_web::test]
async fn a_key_with_every_other_scope_is_refused_and_told_what_it_lacks() {
    for database in [Database::Sqlite, Database::Postgres] {
        let stage = stage(database).await;
        let mut keys: BTreeMap<Vec<&str>, Caller> = BTreeMap::new();
        for (_, takes) in table() {
            for scopes in takes.too_little() {
                if !keys.contains_key(&scopes) {
                    keys.insert(scopes.clone(), key(&stage.app, &scopes).await);
                }
            }
        }
        let before = stage.newest().await;
        let mut refused = 0;
        for (route, takes) in table() {
            let place = format!("{database:?} {} {}", route.method, route.path);
            for scopes in takes.too_little() {
                let answer = stage.call(&route, &keys[&scopes]).await;
                assert_told(&answer, 403, "insufficient_scope", &place);
                let scope = answer.body["error"]["fields"]["scope"].as_str().unwrap();
                assert!(takes.named().contains(&scope), "{place} {scope}");
                refused += 1;
            }
        }
        assert!(refused > 70, "{refused}");
        assert_eq!(stage.newest().await, before);
    }
}

#[actix_web::test]
async fn students_get_their_view_with_any_key_and_nothing_else() {
    for database in [Database::Sqlite, Database::Postgres] {
        let stage = stage(database).await;
        let before = stage.newest().await;
        for (route, takes) in table()
            .into_iter()
            .filter(|(_, takes)| !takes.is_for_learners())
        {
            let place = format!("{database:?} {} {}", route.method, route.path);
            let standard = stage.call(&route, &stage.student).await;
            if [READ_INVITATIONS, WRITE_INVITATIONS].contains(&takes) {
                // Everybody's own, with a key of their own; but for what no key does.
                let is_theirs =
                    standard.status != 403 || standard.code() == "recent_sign_in_required";
                assert!(is_theirs, "{place} {}", standard.body);
            } else {
                assert_told(&standard, 403, "insufficient_role", &place);
            }
            let session = stage.call(&route, &stage.session).await;
            assert_told(
                &session,
                403,
                "insufficient_scope",
                &format!("{place} {takes:?}"),
            );
        }
        assert_eq!(stage.newest().await, before);
        for (route, _) in table()
            .into_iter()
            .filter(|(_, takes)| takes.is_for_learners())
        {
            for caller in [&stage.student, &stage.session] {
                let answer = stage.call(&route, caller).await;
                let place = format!("{database:?} {} {}", route.method, route.path);
                let good = [200, 201, 409].contains(&answer.status);
                let good = good || is_anothers(&route, &answer);
                assert!(
                    good || lacks_signature(&route, &answer) || is_of_a_browser(&route),
                    "{place} {}",
                    answer.body
                );
            }
        }
    }
}

/// What somebody else asked for is not there, whatever the scopes.
fn is_anothers(route: &Route, answer: &Answer) -> bool {
    ["retrieveBulkWrite", "stopBulkWrite"].contains(&route.operation) && answer.status == 404
}

/// Operations that take something else than a key: a token, a link, a session, which others before them have used up or ended.
fn is_of_a_browser(route: &Route) -> bool {
    [
        "finishToken",
        "signIn",
        "askForSignInLink",
        "lookAtInvitation",
        "acceptInvitationLink",
        "beginPasskey",
        "createPasskey",
        "deletePasskey",
        "beginSignInByPasskey",
        "signInByPasskey",
        "startSso",
        "finishSso",
        "endSsoSessions",
        "signOut",
        "endSession",
        "retrieveSession",
    ]
    .contains(&route.operation)
}

#[actix_web::test]
async fn a_key_with_just_the_scopes_it_takes_gets_in() {
    for database in [Database::Sqlite, Database::Postgres] {
        let stage = stage(database).await;
        let mut keys: BTreeMap<Vec<&str>, Caller> = BTreeMap::new();
        for (route, takes) in table() {
            let scopes = takes.enough();
            if !keys.contains_key(&scopes) {
                keys.insert(scopes.clone(), key(&stage.app, &scopes).await);
            }
            let answer = stage.call(&route, &keys[&scopes]).await;
            let place = format!("{database:?} {} {}", route.method, route.path);
            // Somebody else's submission is not there for who may only hand in, nor a lesson for who may only talk.
            let hidden = answer.status == 404 && [WRITE_SUBMISSIONS, TUTOR].contains(&takes);
            let hidden = hidden || lacks_signature(&route, &answer);
            let good = (200..300).contains(&answer.status) || answer.status == 409 || hidden;
            assert!(good || is_of_a_browser(&route), "{place} {}", answer.body);
        }
    }
}

#[actix_web::test]
async fn what_is_open_answers_whoever_asks() {
    let stage = stage(Database::Sqlite).await;
    for (route, _) in table().iter().filter(|(_, takes)| *takes == Nothing) {
        for key in [None, Some("nonsense")] {
            let path = stage.ids.path(route.path);
            let mut request = TestRequest::with_uri(&path).method(route.method.parse().unwrap());
            if let Some(key) = key {
                request = request.insert_header(("x-api-key", key));
            }
            let answer = stage.app.send(request).await;
            let good = answer.status == 200
                // Whoever comes back without anything is sent to the door.
                || (answer.status == 303 && route.operation == "finishSso")
                || lacks_signature(route, &answer)
                || answer.code() == "missing_field"
                || is_of_a_browser(route);
            assert!(good, "{} {} {}", route.method, route.path, answer.body);
        }
    }
}
