//! How learners get in from inside a SCORM package, who they are then, and how that ends.

use std::io::{Cursor, Read};

use actix_web::test::{self, TestRequest};
use futures_util::future::join_all;
use insta::assert_json_snapshot;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp, request};
use support::stores::Database;
use zip::ZipArchive;

use crate::school::{
    STUDENT, School, app_on, assert_refused, caller, done, events, list, made, session,
};

/// A package that is ready, of a course that learners may see.
pub struct Package {
    pub school: School,
    pub id: String,
    /// What the player inside finds in `content/service.js`.
    pub service: Value,
}

impl Package {
    pub async fn published(app: &TestApp) -> Self {
        Self::published_with(app, json!({})).await
    }

    /// … asked for with these members beside the cohort.
    pub async fn published_with(app: &TestApp, members: Value) -> Self {
        let school = School::open(app).await;
        done(app, &format!("courses/{}/publish", school.course)).await;
        done(app, &format!("cohorts/{}/start", school.cohort)).await;
        Self::of(app, school, members).await
    }

    async fn of(app: &TestApp, school: School, mut body: Value) -> Self {
        body["cohort_id"] = json!(school.cohort);
        let id = app.post("/v1/scorm", body).await.id();
        app.work().await;
        let service = service(app, &id).await;
        Self {
            school,
            id,
            service,
        }
    }

    /// A launch by somebody whom the LMS calls `learner`.
    pub fn launch(&self, learner: &str, nonce: &str) -> Value {
        json!({
            "launch_key": self.service["key"],
            "learner": {"id": learner, "name": format!("Name of {learner}")},
            "lms": {"version": "2004", "origin": "https://lms.example", "title": "Campus"},
            "nonce": format!("{nonce:0>16}"),
        })
    }

    pub async fn sent(&self, app: &TestApp, body: Value) -> Answer {
        start(app, &self.id, body).await
    }

    pub async fn let_in(&self, app: &TestApp, learner: &str, nonce: &str) -> Value {
        let answer = self.sent(app, self.launch(learner, nonce)).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }
}

/// Asks for a session without a key.
pub async fn start(app: &TestApp, package: &str, body: Value) -> Answer {
    let path = format!("/v1/scorm/{package}/sessions");
    app.send(TestRequest::post().uri(&path).set_json(body))
        .await
}

/// What the archive says of its service.
pub async fn service(app: &TestApp, package: &str) -> Value {
    let path = format!("/v1/scorm/{package}/download");
    let api = actix_web::App::new().configure(|config| lyceum_api::configure(config, &app.api));
    let api = test::init_service(api).await;
    let asked = request(&app.owner, "GET", &path).to_request();
    let bytes = test::call_and_read_body(&api, asked).await.to_vec();
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut text = String::new();
    let mut file = archive.by_name("content/service.js").unwrap();
    file.read_to_string(&mut text).unwrap();
    let (_, document) = text.split_once("\"service\",\"service\",").unwrap();
    serde_json::from_str(document.trim_end().trim_end_matches(");")).unwrap()
}

async fn status(app: &TestApp, session: &Caller, path: &str) -> u16 {
    app.call(session, "GET", path, None).await.status
}

pub async fn me(app: &TestApp, session: &Value) -> Answer {
    app.call(&caller(&session["api_key"]), "GET", "/v1/me", None)
        .await
}

#[actix_web::test]
async fn a_package_carries_what_lets_a_learner_in() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    assert_eq!(package.service["api"], "http://lyceum.test");
    assert_eq!(package.service["package"], json!(package.id));
    let key = package.service["key"].as_str().unwrap();
    assert!(key.starts_with("lk_") && key.len() == 43, "{key}");
    let session = package.let_in(&app, "jdoe", "1").await;
    assert_json_snapshot!("scorm_session", session, {
        ".api_key" => "[key]", ".platform.uuid" => "[uuid]", ".proof" => "[proof]",
    });
    assert_eq!(session["proof"].as_str().unwrap().len(), 22);
    assert_eq!(session["expires_at"], "2026-11-22T06:55:00.000Z");
    let mut scopes: Vec<&str> = session["scopes"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    scopes.sort_unstable();
    assert_eq!(scopes, ["ai:tutor", "read:lessons", "write:submissions"]);
}

#[actix_web::test]
async fn a_learner_sees_the_course_of_the_package_and_nothing_else() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let other = Package::published_beside(&app).await;
    let session = package.let_in(&app, "jdoe", "1").await;
    let learner = caller(&session["api_key"]);
    let (own, foreign) = (&package.school, &other.school);
    let lesson = |school: &School| format!("/v1/lessons/{}", school.lesson);
    assert_eq!(status(&app, &learner, &lesson(own)).await, 200);
    assert_eq!(status(&app, &learner, &lesson(foreign)).await, 404);
    let lessons = app.call(&learner, "GET", "/v1/lessons", None).await.body;
    assert_eq!(lessons["data"].as_array().unwrap().len(), 1);
    for path in [
        "/v1/courses",
        "/v1/users",
        "/v1/scorm",
        "/v1/cohorts",
        "/v1/api_keys",
    ] {
        assert_eq!(status(&app, &learner, path).await, 403, "{path}");
    }
    let handed_in = json!({
        "assignment_id": own.assignment, "content": {"type": "text", "text": "Cool it."},
    });
    let path = "/v1/submissions";
    let handed_in = app.call(&learner, "POST", path, Some(handed_in)).await;
    assert_eq!(handed_in.status, 201, "{}", handed_in.body);
    assert_eq!(handed_in.body["user_id"], session["user"]["id"]);
    let elsewhere = app.another_workspace("other").await;
    let platform = elsewhere.platform.clone();
    let stray = Caller {
        platform,
        ..learner
    };
    assert_eq!(status(&app, &stray, "/v1/lessons").await, 403);
}

impl Package {
    /// Of another course in the same workspace; the student is there already.
    async fn published_beside(app: &TestApp) -> Self {
        let student = list(app, "users?q=ada").await[0]["id"].clone();
        let path = format!("/v1/users/{}", student.as_str().unwrap());
        assert_eq!(app.delete(&path).await.status, 200);
        Self::published(app).await
    }
}

#[actix_web::test]
async fn whoever_lacks_the_launch_key_is_not_told_which_packages_there_are() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let package = Package::published(&app).await;
        let good = package.launch("jdoe", "1");
        let failed = json!({"name": "Empty", "language": "en"});
        let failed = made(&app, &app.owner, "courses", failed).await;
        let failed = json!({"course_id": failed, "name": "Spring"});
        let failed = made(&app, &app.owner, "cohorts", failed).await;
        let failed = app.post("/v1/scorm", json!({"cohort_id": failed})).await;
        app.work().await;
        let again = json!({"cohort_id": package.school.cohort});
        let pending = app.post("/v1/scorm", again).await.id();
        let mut told = Vec::new();
        let never = "scp_00000000000000000000000000";
        let right = |id: &str| {
            let id = id.parse().unwrap();
            let key =
                lyceum_application::exporting::scorm_learners::launch_key(&app.app.settings, id);
            json!(key.unwrap().reveal())
        };
        let wrong = json!(format!("lk_{}", "0".repeat(40)));
        for (id, key) in [
            (package.id.as_str(), wrong),
            (&package.id, json!("")),
            (&package.id, json!("nonsense")),
            (never, good["launch_key"].clone()),
            // A right key of what was never there, is not ready, or never will be.
            (never, right(never)),
            (&pending, right(&pending)),
            (&failed.id(), right(&failed.id())),
        ] {
            let mut body = good.clone();
            body["launch_key"] = key;
            let mut answer = start(&app, id, body).await;
            assert_refused(&answer, 401, "invalid_token", "");
            answer.body["error"]["request_id"] = json!("");
            told.push(answer.body);
        }
        assert!(told.windows(2).all(|pair| pair[0] == pair[1]), "{told:?}");
        let malformed = start(&app, "crs_1", good).await;
        assert_refused(&malformed, 404, "resource_missing", "");
        assert_eq!(list(&app, "users").await.len(), 2, "{database:?}");
    }
}

#[actix_web::test]
async fn launches_are_checked() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let long = "x".repeat(5_000);
    for (changes, code, field) in [
        (json!({"launch_key": null}), "missing_field", "launch_key"),
        (json!({"learner": null}), "missing_field", "learner"),
        (
            json!({"learner": {"name": "J"}}),
            "missing_field",
            "learner.id",
        ),
        (
            json!({"learner": {"id": "j"}}),
            "missing_field",
            "learner.name",
        ),
        (
            json!({"learner": {"id": "", "name": ""}}),
            "invalid_field",
            "learner.id",
        ),
        (
            json!({"learner": {"id": long, "name": ""}}),
            "invalid_field",
            "learner.id",
        ),
        (json!({"lms": null}), "missing_field", "lms"),
        (
            json!({"lms": {"origin": long}}),
            "invalid_field",
            "lms.origin",
        ),
        (json!({"nonce": null}), "missing_field", "nonce"),
        (json!({"nonce": "short"}), "invalid_field", "nonce"),
        (
            json!({"nonce": "0123456789abcde "}),
            "invalid_field",
            "nonce",
        ),
        (json!({"proof": 5}), "invalid_field", "proof"),
        (json!({"proof": long}), "invalid_field", "proof"),
    ] {
        let mut body = package.launch("jdoe", "1");
        for (name, value) in changes.as_object().unwrap() {
            body[name] = value.clone();
        }
        assert_refused(&package.sent(&app, body).await, 400, code, field);
    }
    let mut least = package.launch("jdoe", "1");
    least["lms"] = json!({});
    least["learner"]["name"] = json!("");
    least["proof"] = Value::Null;
    let answer = package.sent(&app, least).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.body["user"]["name"], "Learner");
}

#[actix_web::test]
async fn the_proof_brings_the_same_learner_back() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let package = Package::published(&app).await;
        let first = package.let_in(&app, "jdoe", "1").await;
        app.clock.advance(25 * 60 * 60);
        assert_refused(&me(&app, &first).await, 401, "api_key_expired", "");
        let mut again = package.launch("jdoe", "2");
        again["proof"] = first["proof"].clone();
        let again = package.sent(&app, again).await.body;
        assert_eq!(again["user"], first["user"], "{database:?}");
        assert_eq!(again["proof"], first["proof"]);
        assert_ne!(again["api_key"], first["api_key"]);
        assert_eq!(me(&app, &again).await.status, 200);
        let path = format!("cohorts/{}/students", package.school.cohort);
        assert_eq!(list(&app, &path).await.len(), 1);
        assert_eq!(events(&app, "enrollment.created").await.len(), 1);
        // The proof is that of one learner at one LMS.
        for (member, value) in [
            ("learner", json!({"id": "eve", "name": "Eve"})),
            ("lms", json!({"origin": "https://other.example"})),
        ] {
            let mut stolen = package.launch("jdoe", member);
            stolen["proof"] = first["proof"].clone();
            stolen[member] = value;
            let stranger = package.sent(&app, stolen).await.body;
            assert_ne!(stranger["user"]["id"], first["user"]["id"], "{member}");
            assert_ne!(stranger["proof"], first["proof"], "{member}");
        }
    }
}

#[actix_web::test]
async fn an_id_without_its_proof_is_somebody_new_who_is_marked() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let first = package.let_in(&app, "jdoe", "1").await;
    let handed_in = json!({
        "assignment_id": package.school.assignment, "content": {"type": "text", "text": "Mine."},
    });
    let owner = caller(&first["api_key"]);
    let handed_in = app
        .call(&owner, "POST", "/v1/submissions", Some(handed_in))
        .await
        .id();
    let mut forged = package.launch("jdoe", "2");
    let mut marks = vec!["first_use"];
    for proof in [Value::Null, json!(""), json!("0123456789012345678901")] {
        forged["proof"] = proof;
        forged["nonce"] = json!(format!("forged-nonce-{:03}", marks.len()));
        let stranger = package.sent(&app, forged.clone()).await.body;
        assert_ne!(stranger["user"]["id"], first["user"]["id"]);
        let path = format!("/v1/submissions/{handed_in}");
        assert_eq!(
            status(&app, &caller(&stranger["api_key"]), &path).await,
            404
        );
        marks.insert(0, "unverified");
    }
    let users = list(
        &app,
        &format!("users?metadata[scorm_package]={}", package.id),
    )
    .await;
    let told: Vec<&str> = users
        .iter()
        .filter_map(|user| user["metadata"]["scorm_identity"].as_str())
        .collect();
    assert_eq!(told, marks);
    assert!(users.iter().all(|user| user["external_id"] == "scorm:jdoe"));
}

#[actix_web::test]
async fn a_learner_is_never_somebody_who_is_known_by_other_means() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let teacher = json!({
        "email": "head@school.example", "name": "Head", "role": "teacher", "external_id": "t-1",
    });
    let teacher = made(&app, &app.owner, "users", teacher).await;
    let known = [teacher.as_str(), &package.school.student];
    for (n, claim) in ["head@school.example", STUDENT, "t-1", &teacher, "Head"]
        .iter()
        .enumerate()
    {
        let mut launch = package.launch(claim, &n.to_string());
        launch["learner"]["name"] = json!("Head");
        let session = package.sent(&app, launch).await.body;
        let id = session["user"]["id"].as_str().unwrap();
        assert!(!known.contains(&id), "{claim}");
        let user = app.get(&format!("/v1/users/{id}")).await.body;
        assert_eq!(user["role"], "student");
        assert_eq!(user["email"], format!("{id}@scorm.invalid"));
        assert_eq!(user["external_id"], format!("scorm:{claim}"));
    }
}

#[actix_web::test]
async fn a_launch_that_is_sent_again_is_the_same_launch() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let package = Package::published(&app).await;
        let launch = package.launch("jdoe", "1");
        let sent = || package.sent(&app, launch.clone());
        let answers = join_all((0..5).map(|_| sent())).await;
        for answer in &answers {
            assert_eq!(answer.status, 200, "{database:?} {}", answer.body);
            assert_eq!(answer.body, answers[0].body, "{database:?}");
        }
        app.clock.advance(10 * 60);
        assert_eq!(sent().await.body, answers[0].body);
        // What somebody else has under this nonce is not that launch.
        let mut other = launch.clone();
        other["learner"]["name"] = json!("Other");
        let other = package.sent(&app, other).await.body;
        assert_ne!(other["user"]["id"], answers[0].body["user"]["id"]);
        // Long after, it is a launch without proof.
        app.clock.advance(1);
        let late = sent().await;
        assert_eq!(late.status, 200, "{}", late.body);
        assert_ne!(late.body["user"]["id"], answers[0].body["user"]["id"]);
        assert_ne!(late.body["proof"], answers[0].body["proof"]);
    }
}

#[actix_web::test]
async fn of_parallel_first_launches_one_is_the_first() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let package = Package::published(&app).await;
        let launches = (0..6).map(|n| package.launch("jdoe", &n.to_string()));
        let answers = join_all(launches.map(|launch| package.sent(&app, launch))).await;
        for answer in &answers {
            assert_eq!(answer.status, 200, "{database:?} {}", answer.body);
        }
        let firsts = list(&app, "users?metadata[scorm_identity]=first_use").await;
        assert_eq!(firsts.len(), 1, "{database:?}");
        let path = format!("/v1/cohorts/{}", package.school.cohort);
        assert_eq!(app.get(&path).await.body["student_count"], 6);
    }
}

#[actix_web::test]
async fn the_same_id_in_another_cohort_or_platform_is_somebody_else() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let first = package.let_in(&app, "jdoe", "1").await;
    let cohort = json!({"course_id": package.school.course, "name": "Autumn"});
    let cohort = made(&app, &app.owner, "cohorts", cohort).await;
    let again = app
        .post("/v1/scorm", json!({"cohort_id": cohort}))
        .await
        .id();
    app.work().await;
    let service = service(&app, &again).await;
    assert_ne!(service["key"], package.service["key"]);
    // The key of one archive does not open another.
    let mut launch = package.launch("jdoe", "1");
    launch["proof"] = first["proof"].clone();
    let crossed = start(&app, &again, launch.clone()).await;
    assert_refused(&crossed, 401, "invalid_token", "");
    launch["launch_key"] = service["key"].clone();
    let second = start(&app, &again, launch).await.body;
    assert_ne!(second["user"]["id"], first["user"]["id"]);
    assert_ne!(second["proof"], first["proof"]);
    let path = format!("/v1/users/{}", second["user"]["id"].as_str().unwrap());
    let user = app.get(&path).await.body;
    assert_eq!(user["metadata"]["scorm_identity"], "first_use");
    let other = app.another_workspace("other").await;
    let foreign = app.call(&other, "GET", &path, None).await;
    assert_eq!(foreign.status, 404);
    assert_eq!(second["platform"]["code"], "main");
}

#[actix_web::test]
async fn taking_a_package_back_ends_its_sessions_and_no_others() {
    for action in ["revoke", "delete", "delete cohort"] {
        let app = TestApp::start().await;
        let package = Package::published(&app).await;
        let learner = package.let_in(&app, "jdoe", "1").await;
        let by_token = session(&app, STUDENT).await;
        assert_eq!(me(&app, &learner).await.status, 200);
        match action {
            "revoke" => drop(done(&app, &format!("scorm/{}/revoke", package.id)).await),
            "delete" => drop(app.delete(&format!("/v1/scorm/{}", package.id)).await),
            _ => {
                let path = format!("/v1/cohorts/{}", package.school.cohort);
                assert_eq!(app.delete(&path).await.status, 200);
            }
        }
        assert_refused(&me(&app, &learner).await, 401, "api_key_revoked", "");
        for body in [package.launch("jdoe", "1"), package.launch("eve", "2")] {
            let refused = package.sent(&app, body).await;
            assert_refused(&refused, 401, "invalid_token", "");
        }
        assert_eq!(status(&app, &by_token, "/v1/me").await, 200, "{action}");
        // What they did stays, under their name.
        let path = format!("/v1/users/{}", learner["user"]["id"].as_str().unwrap());
        assert_eq!(app.get(&path).await.status, 200, "{action}");
    }
}

#[actix_web::test]
async fn a_session_lives_a_day_and_ends_with_the_membership() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let session = package.let_in(&app, "jdoe", "1").await;
    app.clock.advance(24 * 60 * 60 - 1);
    assert_eq!(me(&app, &session).await.status, 200);
    app.clock.advance(1);
    assert_refused(&me(&app, &session).await, 401, "api_key_expired", "");
    let session = package.let_in(&app, "eve", "2").await;
    let path = format!("/v1/users/{}", session["user"]["id"].as_str().unwrap());
    assert_eq!(app.delete(&path).await.status, 200);
    assert_refused(&me(&app, &session).await, 401, "api_key_revoked", "");
}

#[actix_web::test]
async fn whom_a_teacher_takes_out_does_not_come_back_by_a_launch() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let first = package.let_in(&app, "jdoe", "1").await;
    let (cohort, user) = (
        &package.school.cohort,
        first["user"]["id"].as_str().unwrap(),
    );
    let place = format!("/v1/cohorts/{cohort}/students/{user}");
    assert_eq!(app.delete(&place).await.status, 200);
    let mut launch = package.launch("jdoe", "2");
    launch["proof"] = first["proof"].clone();
    let again = package.sent(&app, launch).await.body;
    assert_eq!(again["user"]["id"], first["user"]["id"]);
    let lesson = format!("/v1/lessons/{}", package.school.lesson);
    let learner = caller(&again["api_key"]);
    assert_eq!(status(&app, &learner, &lesson).await, 404);
}

#[actix_web::test]
async fn a_full_cohort_takes_no_learner_and_keeps_nothing_of_them() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let path = format!("/v1/cohorts/{}", package.school.cohort);
    assert_eq!(app.patch(&path, json!({"capacity": 1})).await.status, 200);
    let first = package.let_in(&app, "jdoe", "1").await;
    let before = list(&app, "users").await.len();
    let refused = package.sent(&app, package.launch("eve", "2")).await;
    assert_refused(&refused, 409, "limit_reached", "");
    assert_eq!(list(&app, "users").await.len(), before);
    let mut back = package.launch("jdoe", "3");
    back["proof"] = first["proof"].clone();
    assert_eq!(package.sent(&app, back).await.status, 200);
}

#[actix_web::test]
async fn a_player_inside_an_lms_may_ask_across_origins() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    for (key, expected) in [(package.service["key"].clone(), 200), (json!("lk_"), 401)] {
        let mut body = package.launch("jdoe", "1");
        body["launch_key"] = key;
        let path = format!("/v1/scorm/{}/sessions", package.id);
        let asked = TestRequest::post().uri(&path).set_json(body);
        let answer = app.send(asked.insert_header(("Origin", "null"))).await;
        assert_eq!(answer.status, expected);
        assert!(answer.header("access-control-allow-origin").is_some());
        assert!(answer.header("access-control-allow-credentials").is_none());
    }
}

#[actix_web::test]
async fn what_is_recorded_of_a_launch_holds_no_secret() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let session = package.let_in(&app, "jdoe", "1").await;
    assert_eq!(events(&app, "enrollment.created").await.len(), 1);
    let told = app.get("/v1/events?limit=100").await.body.to_string();
    let key = package.service["key"].as_str().unwrap();
    for secret in ["api_key", "proof"].map(|name| session[name].as_str().unwrap()) {
        assert!(!told.contains(secret));
    }
    assert!(!told.contains(key));
}
