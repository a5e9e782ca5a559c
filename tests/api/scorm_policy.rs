//! What whoever asks for a package decides, and how it is kept to.

use actix_web::test::TestRequest;
use serde_json::{Value, json};
use support::app::{Answer, TestApp};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, list};
use crate::scorm::ready;
use crate::scorm_sessions::{Package, me};

#[actix_web::test]
async fn a_package_says_what_was_decided() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let plain = ready(&app, json!({"cohort_id": school.cohort})).await;
        let expected = json!({
            "allowed_origins": [], "launch_expires_at": null, "max_learners": null,
            "connected": true, "waits_for_grades": false, "retries_failed": false,
        });
        let told = |package: &Value| -> Value {
            let members = expected.as_object().unwrap().keys();
            members
                .map(|name| (name.clone(), package[name].clone()))
                .collect()
        };
        assert_eq!(told(&plain), expected, "{database:?}");
        let asked = ready(
            &app,
            json!({
                "cohort_id": school.cohort, "max_learners": 3, "connected": true,
                "allowed_origins": ["https://LMS.example:443", "null", "https://lms.example"],
                "launch_expires_at": "2027-06-30T18:00:00+02:00",
                "waits_for_grades": true, "retries_failed": true,
            }),
        )
        .await;
        let decided = json!({
            "allowed_origins": ["https://lms.example", "null"],
            "launch_expires_at": "2027-06-30T16:00:00.000Z", "max_learners": 3,
            "connected": true, "waits_for_grades": true, "retries_failed": true,
        });
        assert_eq!(told(&asked), decided, "{database:?}");
        let alone = json!({"cohort_id": school.cohort, "connected": false});
        assert_eq!(ready(&app, alone).await["connected"], false, "{database:?}");
    }
}

#[actix_web::test]
async fn a_policy_that_makes_no_sense_is_refused_by_member() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let many: Vec<String> = (0..51).map(|n| format!("https://lms{n}.example")).collect();
    for (members, field) in [
        (
            json!({"allowed_origins": "https://lms.example"}),
            "allowed_origins",
        ),
        (
            json!({"allowed_origins": ["https://lms.example", "lms.example"]}),
            "allowed_origins[1]",
        ),
        (
            json!({"allowed_origins": ["https://lms.example/moodle"]}),
            "allowed_origins[0]",
        ),
        (
            json!({"allowed_origins": ["http://lms.example"]}),
            "allowed_origins[0]",
        ),
        (json!({"allowed_origins": ["*"]}), "allowed_origins[0]"),
        (json!({"allowed_origins": [7]}), "allowed_origins[0]"),
        (json!({"allowed_origins": many}), "allowed_origins"),
        (json!({"launch_expires_at": "soon"}), "launch_expires_at"),
        (
            json!({"launch_expires_at": "2026-11-21T06:55:00Z"}),
            "launch_expires_at",
        ),
        (json!({"max_learners": 0}), "max_learners"),
        (json!({"max_learners": 10_001}), "max_learners"),
        (json!({"max_learners": "5"}), "max_learners"),
        (json!({"connected": "no"}), "connected"),
        (json!({"waits_for_grades": 1}), "waits_for_grades"),
        (
            json!({"waits_for_grades": true, "connected": false}),
            "waits_for_grades",
        ),
        (json!({"retries_failed": "x"}), "retries_failed"),
        (json!({"runtime_base_url": "http://"}), "runtime_base_url"),
        (
            json!({"runtime_base_url": "https://:80"}),
            "runtime_base_url",
        ),
        (
            json!({"runtime_base_url": "https://u:p@h.example"}),
            "runtime_base_url",
        ),
        (
            json!({"runtime_base_url": "https://h.example?q=1"}),
            "runtime_base_url",
        ),
        (
            json!({"runtime_base_url": "https://h.example#f"}),
            "runtime_base_url",
        ),
        (
            json!({"runtime_base_url": "https://h.example/a b"}),
            "runtime_base_url",
        ),
        (
            json!({"runtime_base_url": "https://h.example:99999"}),
            "runtime_base_url",
        ),
    ] {
        let mut body = members.clone();
        body["cohort_id"] = json!(school.cohort);
        let refused = app.post("/v1/scorm", body).await;
        assert_eq!(refused.status, 400, "{members} {}", refused.body);
        assert_refused(&refused, 400, "invalid_field", field);
    }
    assert!(list(&app, "scorm").await.is_empty());
}

#[actix_web::test]
async fn plain_http_is_warned_of_unless_nobody_calls_it_or_it_is_ones_own_machine() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    for (url, connected, warned) in [
        ("http://school.example", true, true),
        ("http://school.example", false, false),
        ("https://school.example", true, false),
        ("http://localhost:8080", true, false),
        ("http://127.0.0.1:8080", true, false),
    ] {
        let body = json!({
            "cohort_id": school.cohort, "runtime_base_url": url, "connected": connected,
        });
        let warnings = ready(&app, body).await["warnings"].to_string();
        assert_eq!(warnings.contains("plain http"), warned, "{url} {warnings}");
    }
}

/// A launch from a page at this origin.
async fn from_page(app: &TestApp, package: &Package, page: Option<&str>, body: Value) -> Answer {
    let path = format!("/v1/scorm/{}/sessions", package.id);
    let mut request = TestRequest::post().uri(&path).set_json(body);
    if let Some(page) = page {
        request = request.insert_header(("Origin", page));
    }
    app.send(request).await
}

#[actix_web::test]
async fn a_package_for_one_lms_is_launched_there_and_nowhere_else() {
    let app = TestApp::start().await;
    let origins = json!({"allowed_origins": ["https://lms.example", "null"]});
    let package = Package::published_with(&app, origins).await;
    for (n, (claimed, page, expected)) in [
        ("https://lms.example", Some("https://lms.example"), 200),
        ("https://lms.example", Some("null"), 200),
        ("null", None, 200),
        ("https://lms.example", Some("https://evil.example"), 401),
        ("https://evil.example", Some("https://lms.example"), 401),
        ("https://evil.example", None, 401),
        ("", None, 401),
    ]
    .into_iter()
    .enumerate()
    {
        let mut body = package.launch(&format!("learner{n}"), &n.to_string());
        body["lms"]["origin"] = json!(claimed);
        let answer = from_page(&app, &package, page, body).await;
        assert_eq!(
            answer.status, expected,
            "{claimed} {page:?} {}",
            answer.body
        );
        if expected == 401 {
            assert_refused(&answer, 401, "invalid_token", "");
            let allowed = answer.header("access-control-allow-origin");
            assert_eq!(allowed, Some("*"), "the player must be able to read it");
        }
    }
}

#[actix_web::test]
async fn a_package_that_has_run_out_lets_nobody_in_and_sends_nobody_away() {
    let app = TestApp::start().await;
    let until = json!({"launch_expires_at": "2026-11-21T07:55:00Z"});
    let package = Package::published_with(&app, until).await;
    let first = package.let_in(&app, "jdoe", "1").await;
    app.clock.advance(60 * 60);
    let mut back = package.launch("jdoe", "2");
    back["proof"] = first["proof"].clone();
    for launch in [back, package.launch("eve", "3")] {
        let refused = package.sent(&app, launch).await;
        assert_refused(&refused, 401, "invalid_token", "");
    }
    assert_eq!(me(&app, &first).await.status, 200);
}

#[actix_web::test]
async fn a_package_takes_as_many_learners_as_it_says() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let package = Package::published_with(&app, json!({"max_learners": 2})).await;
        let first = package.let_in(&app, "a", "1").await;
        package.let_in(&app, "b", "2").await;
        let refused = package.sent(&app, package.launch("c", "3")).await;
        assert_refused(&refused, 409, "limit_reached", "");
        let mut back = package.launch("a", "4");
        back["proof"] = first["proof"].clone();
        assert_eq!(package.sent(&app, back).await.status, 200, "{database:?}");
    }
}

#[actix_web::test]
async fn a_package_without_the_service_carries_no_key_and_no_key_opens_it() {
    let app = TestApp::start().await;
    let package = Package::published_with(&app, json!({"connected": false})).await;
    assert_eq!(package.service, Value::Null);
    let id = package.id.parse().unwrap();
    let key =
        lyceum_application::exporting::scorm_learners::launch_key(&app.app.settings, id).unwrap();
    let mut launch = package.launch("jdoe", "1");
    launch["launch_key"] = json!(key.reveal());
    let refused = package.sent(&app, launch).await;
    assert_refused(&refused, 401, "invalid_token", "");
}
