//! SCORM packages: asked for, made, downloaded, taken back.

use actix_web::test::{self, TestRequest};
use insta::assert_json_snapshot;
use lyceum_domain::running::jobs::JobLane;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use support::app::{TestApp, request};

use crate::school::{School, assert_refused, done, events, key, list, made, session};

/// Asks for a package; its id.
pub async fn ask(app: &TestApp, body: Value) -> String {
    let asked = app.post("/v1/scorm", body).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    asked.id()
}

pub async fn read(app: &TestApp, id: &str) -> Value {
    app.get(&format!("/v1/scorm/{id}")).await.body
}

/// A package that is there to be downloaded.
pub async fn ready(app: &TestApp, body: Value) -> Value {
    let id = ask(app, body).await;
    app.work().await;
    let package = read(app, &id).await;
    assert_eq!(package["status"], "ready", "{package}");
    package
}

/// Path and query of the address that a package is downloaded from.
pub fn address(package: &Value) -> String {
    let url = package["download_url"].as_str().unwrap();
    url.strip_prefix("http://lyceum.test").unwrap().to_owned()
}

/// Status and bytes, as they come.
pub async fn bytes(app: &TestApp, request: TestRequest) -> (u16, Vec<u8>) {
    let service = actix_web::App::new().configure(|config| lyceum_api::configure(config, &app.api));
    let service = test::init_service(service).await;
    let response = test::call_service(&service, request.to_request()).await;
    let status = response.status().as_u16();
    (status, test::read_body(response).await.to_vec())
}

fn sha256(bytes: &[u8]) -> String {
    let nibbles = |byte: u8| [byte >> 4, byte & 15].map(|nibble| format!("{nibble:x}"));
    let digest = Sha256::digest(bytes);
    digest.iter().copied().flat_map(nibbles).collect()
}

#[actix_web::test]
async fn a_package_is_accepted_and_then_ready_with_every_member() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let asked = app
        .post("/v1/scorm", json!({"cohort_id": school.cohort}))
        .await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    let path = format!("/v1/scorm/{}", asked.id());
    assert_eq!(asked.header("location"), Some(path.as_str()));
    assert_eq!(asked.header("retry-after"), Some("2"));
    assert_json_snapshot!("pending_package", asked.body);
    app.work().await;
    let ready = app.get(&path).await.body;
    let told = events(&app, "scorm.ready").await;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["data"]["object"]["id"], ready["id"]);
    assert_json_snapshot!("ready_package", ready, {
        ".download_url" => "[url]", ".preview_url" => "[url]", ".size_bytes" => "[size]", ".sha256" => "[hash]",
        ".content_hash" => "[hash]",
    });
}

#[actix_web::test]
async fn either_version_is_downloaded_without_a_key_and_is_what_was_promised() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    for version in ["1.2", "2004"] {
        let package = ready(
            &app,
            json!({"cohort_id": school.cohort, "version": version}),
        )
        .await;
        assert_eq!(package["version"], version);
        let (status, archive) = bytes(&app, TestRequest::with_uri(&address(&package))).await;
        assert_eq!(status, 200, "{version}");
        assert!(archive.starts_with(b"PK\x03\x04"), "{version}");
        assert_eq!(package["size_bytes"], json!(archive.len()));
        assert_eq!(package["sha256"], json!(sha256(&archive)));
        let path = format!("/v1/scorm/{}/download", package["id"].as_str().unwrap());
        let (status, again) = bytes(&app, request(&app.owner, "GET", &path)).await;
        assert_eq!((status, again == archive), (200, true), "{version}");
    }
}

#[actix_web::test]
async fn a_signature_opens_one_package_for_an_hour() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let package = ready(&app, json!({"cohort_id": school.cohort})).await;
    let other = ready(&app, json!({"cohort_id": school.cohort, "version": "1.2"})).await;
    let good = address(&package);
    let id = |package: &Value| package["id"].as_str().unwrap().to_owned();
    let signature = good.rsplit_once('=').unwrap().1.to_owned();
    let expires = good.split(['=', '&']).nth(1).unwrap().to_owned();
    let later = expires.parse::<i64>().unwrap() + 1;
    let wrong = [
        good.replace(&signature, &"0".repeat(64)),
        good.replace(&signature, "xyz"),
        good.replace(&signature, "ab"),
        good.replace(&expires, &later.to_string()),
        good.replace(&id(&package), &id(&other)),
        good.replace(&id(&package), "nonsense"),
        // Cut off on its way.
        good.rsplit_once("&signature").unwrap().0.to_owned(),
        good.replace(&signature, ""),
        good.replace(&expires, ""),
    ];
    for address in wrong {
        let refused = app.send(TestRequest::with_uri(&address)).await;
        assert_refused(&refused, 403, "link_expired", "");
    }
    app.clock.advance(60 * 60);
    assert_eq!(app.send(TestRequest::with_uri(&good)).await.status, 200);
    app.clock.advance(1);
    let expired = app.send(TestRequest::with_uri(&good)).await;
    assert_refused(&expired, 403, "link_expired", "");
    let fresh = address(&read(&app, &id(&package)).await);
    assert_eq!(app.send(TestRequest::with_uri(&fresh)).await.status, 200);
}

#[actix_web::test]
async fn without_signature_a_download_takes_a_key_that_reads_courses() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let package = ready(&app, json!({"cohort_id": school.cohort})).await;
    let path = format!("/v1/scorm/{}/download", package["id"].as_str().unwrap());
    let nobody = app.send(TestRequest::with_uri(&path)).await;
    assert_refused(&nobody, 401, "missing_api_key", "");
    let narrow = key(&app, &["read:students"]).await;
    let refused = app.call(&narrow, "GET", &path, None).await;
    assert_refused(&refused, 403, "insufficient_scope", "scope");
    let student = session(&app, crate::school::STUDENT).await;
    assert_eq!(app.call(&student, "GET", &path, None).await.status, 403);
    let other = app.another_workspace("other").await;
    let foreign = app.call(&other, "GET", &path, None).await;
    assert_refused(&foreign, 404, "resource_missing", "");
}

#[actix_web::test]
async fn a_cohort_without_content_ends_in_an_error_that_helps() {
    let app = TestApp::start().await;
    let course = json!({"name": "Empty", "language": "en"});
    let course = made(&app, &app.owner, "courses", course).await;
    let cohort = json!({"course_id": course, "name": "Spring"});
    let cohort = made(&app, &app.owner, "cohorts", cohort).await;
    let id = ask(&app, json!({"cohort_id": cohort})).await;
    app.work().await;
    let failed = read(&app, &id).await;
    assert_eq!(
        (&failed["status"], &failed["error"]["code"]),
        (&json!("error"), &json!("nothing_to_export"))
    );
    let message = failed["error"]["message"].as_str().unwrap();
    assert!(message.contains("lesson"), "{message}");
    assert_eq!(failed["download_url"], Value::Null);
    assert_eq!(events(&app, "scorm.failed").await.len(), 1);
    let path = format!("/v1/scorm/{id}/download");
    assert_refused(&app.get(&path).await, 404, "resource_missing", "");
}

#[actix_web::test]
async fn requests_for_packages_are_checked() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let cases = [
        (
            json!({"cohort_id": null}),
            400,
            "missing_field",
            "cohort_id",
        ),
        (json!({"version": "1.3"}), 400, "invalid_field", "version"),
        (json!({"version": 2004}), 400, "invalid_field", "version"),
        (json!({"version": 1.2}), 400, "invalid_field", "version"),
        (
            json!({"runtime_base_url": "/api"}),
            400,
            "invalid_field",
            "runtime_base_url",
        ),
        (
            json!({"runtime_base_url": "ftp://x.example"}),
            400,
            "invalid_field",
            "runtime_base_url",
        ),
        (
            json!({"runtime_base_url": ""}),
            400,
            "invalid_field",
            "runtime_base_url",
        ),
        (
            json!({"cohort_id": "coh_00000000000000000000000000"}),
            404,
            "resource_missing",
            "cohort_id",
        ),
        (
            json!({"cohort_id": school.course}),
            404,
            "resource_missing",
            "cohort_id",
        ),
    ];
    for (changes, status, code, field) in cases {
        let mut body = json!({"cohort_id": school.cohort});
        for (name, value) in changes.as_object().unwrap() {
            body[name] = value.clone();
        }
        assert_refused(&app.post("/v1/scorm", body).await, status, code, field);
    }
    assert!(list(&app, "scorm").await.is_empty());
}

#[actix_web::test]
async fn the_runtime_calls_where_the_request_says() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let asked = json!({"cohort_id": school.cohort, "runtime_base_url": "https://lms.example/base"});
    let package = ready(&app, asked).await;
    assert_eq!(package["runtime_base_url"], "https://lms.example/base");
}

#[actix_web::test]
async fn a_revoked_package_is_no_longer_downloaded() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let pending = ask(&app, json!({"cohort_id": school.cohort})).await;
    let too_early = app
        .post(&format!("/v1/scorm/{pending}/revoke"), json!({}))
        .await;
    assert_refused(&too_early, 409, "invalid_state_transition", "");
    app.work().await;
    let package = read(&app, &pending).await;
    let revoked = done(&app, &format!("scorm/{pending}/revoke")).await.body;
    assert_eq!(
        (&revoked["status"], &revoked["download_url"]),
        (&json!("revoked"), &Value::Null)
    );
    let signed = app.send(TestRequest::with_uri(&address(&package))).await;
    assert_refused(&signed, 404, "resource_missing", "");
    let path = format!("/v1/scorm/{pending}/download");
    assert_refused(&app.get(&path).await, 404, "resource_missing", "");
    assert_eq!(events(&app, "scorm.revoked").await.len(), 1);
    let found = list(&app, "scorm?status=revoked").await;
    assert_eq!(found.len(), 1);
    assert!(list(&app, "scorm?status=ready").await.is_empty());
}

#[actix_web::test]
async fn a_deleted_package_is_gone() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let package = ready(&app, json!({"cohort_id": school.cohort})).await;
    let path = format!("/v1/scorm/{}", package["id"].as_str().unwrap());
    let deleted = app.delete(&path).await;
    assert_eq!(deleted.body, json!({"deleted": true, "id": package["id"]}));
    assert_eq!(app.get(&path).await.status, 404);
    let signed = app.send(TestRequest::with_uri(&address(&package))).await;
    assert_refused(&signed, 404, "resource_missing", "");
}

#[actix_web::test]
async fn a_package_whose_workers_die_ends_in_an_error_within_ten_minutes() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let id = ask(&app, json!({"cohort_id": school.cohort})).await;
    let mut waited = 0;
    for _ in 0..5 {
        // Taken, and never heard of again.
        let taken = lyceum_application::work::claim(&app.app, JobLane::Work, 10).await;
        assert_eq!(taken.unwrap().len(), 1);
        assert_eq!(read(&app, &id).await["status"], "pending");
        app.clock.advance(61);
        waited += 61;
    }
    app.work().await;
    let failed = read(&app, &id).await;
    assert_eq!(
        (&failed["status"], &failed["error"]["code"]),
        (&json!("error"), &json!("worker_lost"))
    );
    assert!(waited < 600);
    assert_eq!(events(&app, "scorm.failed").await.len(), 1);
    let metrics = app.app.exports.render();
    let line = "lyceum_scorm_exports_total{outcome=\"error\"} 1";
    assert!(metrics.lines().any(|it| it == line), "{metrics}");
}

#[actix_web::test]
async fn an_export_is_counted_with_what_came_of_it() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let written = ready(&app, json!({"cohort_id": school.cohort})).await;
    ready(&app, json!({"cohort_id": school.cohort})).await;
    let metrics = app.app.exports.render();
    for line in [
        "lyceum_scorm_exports_total{outcome=\"written\"} 1".to_owned(),
        "lyceum_scorm_exports_total{outcome=\"shared\"} 1".to_owned(),
        format!("lyceum_scorm_export_bytes_total {}", written["size_bytes"]),
    ] {
        assert!(metrics.lines().any(|it| it == line), "{line}\n{metrics}");
    }
    assert!(!metrics.contains("lyceum_scorm_export_files_total 0"));
}
