//! Packages of unchanged content share one archive, its identity and its launch key.

use actix_web::test::TestRequest;
use futures_util::future::join_all;
use lyceum_application::exporting::exports::Exports;
use lyceum_application::running::files::Files;
use lyceum_application::{App, work};
use lyceum_domain::running::jobs::JobLane;
use lyceum_ports::blobs::BlobKey;
use serde_json::{Value, json};
use support::app::TestApp;
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, destroy, done, events};
use crate::scorm::{address, ask, bytes, read, ready};
use crate::scorm_sessions::{Package, me, start};

fn id(package: &Value) -> &str {
    package["id"].as_str().unwrap()
}

async fn archive(app: &TestApp, package: &Value) -> Vec<u8> {
    let (status, archive) = bytes(app, TestRequest::with_uri(&address(package))).await;
    assert_eq!(status, 200, "{package}");
    archive
}

/// Whether the archive of this origin is stored.
async fn is_stored(app: &TestApp, origin: &str) -> bool {
    let key = BlobKey::parse(&format!("scorm/{origin}.zip")).unwrap();
    app.app.blobs.read(&key, None).await.is_ok()
}

async fn rename(app: &TestApp, school: &School, name: &str) {
    let path = format!("/v1/lessons/{}", school.lesson);
    let renamed = app.patch(&path, json!({ "name": name })).await;
    assert_eq!(renamed.status, 200, "{}", renamed.body);
}

#[actix_web::test]
async fn unchanged_content_gives_the_identical_archive() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let body = json!({"cohort_id": school.cohort});
        let first = ready(&app, body.clone()).await;
        app.clock.advance(3_600);
        let second = ready(&app, body.clone()).await;
        assert_ne!(first["id"], second["id"]);
        for member in ["sha256", "content_hash", "size_bytes", "warnings"] {
            assert_eq!(first[member], second[member], "{member}");
        }
        assert_eq!(archive(&app, &second).await, archive(&app, &first).await);
        assert!(is_stored(&app, id(&first)).await);
        assert!(!is_stored(&app, id(&second)).await, "one file for both");
        assert_eq!(events(&app, "scorm.ready").await.len(), 2);
        rename(&app, &school, "Something else").await;
        let changed = ready(&app, body.clone()).await;
        assert_ne!(changed["sha256"], first["sha256"]);
        assert_ne!(changed["content_hash"], first["content_hash"]);
        rename(&app, &school, "The danger zone").await;
        assert_eq!(ready(&app, body).await["sha256"], first["sha256"]);
    }
}

#[actix_web::test]
async fn whatever_else_is_asked_for_is_another_archive() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let mut seen = Vec::new();
    for members in [
        json!({}),
        json!({"version": "1.2"}),
        json!({"runtime_base_url": "https://other.example"}),
        json!({"allowed_origins": ["https://lms.example"]}),
        json!({"launch_expires_at": "2030-01-01T00:00:00Z"}),
        json!({"max_learners": 5}),
        json!({"connected": false}),
        json!({"waits_for_grades": true}),
        json!({"retries_failed": true}),
    ] {
        let mut body = members;
        body["cohort_id"] = json!(school.cohort);
        let one = ready(&app, body.clone()).await;
        let again = ready(&app, body).await;
        assert_eq!(one["sha256"], again["sha256"]);
        assert!(!seen.contains(&one["sha256"]), "{one}");
        seen.push(one["sha256"].clone());
    }
}

/// Does all jobs at once, on these processes in turn.
async fn work_at_once(app: &TestApp, processes: &[App]) {
    let jobs = work::claim(&app.app, JobLane::Work, 10).await.unwrap();
    let doing = jobs.iter().enumerate().map(|(n, job)| {
        let process = &processes[n % processes.len()];
        work::perform(process, job)
    });
    for done in join_all(doing).await {
        done.unwrap();
    }
}

#[actix_web::test]
async fn exports_of_the_same_at_once_share_one_archive() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let another = App {
            exports: Exports::default(),
            files: Files::default(),
            ..app.app.clone()
        };
        for processes in [
            vec![app.app.clone()],
            vec![app.app.clone(), another.clone()],
        ] {
            let name = format!("On {}", processes.len());
            rename(&app, &school, &name).await;
            let mut asked = Vec::new();
            for _ in 0..4 {
                asked.push(ask(&app, json!({"cohort_id": school.cohort})).await);
            }
            work_at_once(&app, &processes).await;
            // What a process wrote in vain is removed.
            app.work().await;
            let packages = join_all(asked.iter().map(|id| read(&app, id))).await;
            let mut stored = 0;
            for package in &packages {
                assert_eq!(package["status"], "ready", "{database:?} {package}");
                assert_eq!(package["sha256"], packages[0]["sha256"], "{database:?}");
                stored += usize::from(is_stored(&app, id(package)).await);
            }
            assert_eq!(stored, 1, "{database:?} {name}");
        }
        let metrics = app.app.exports.render();
        let written = "lyceum_scorm_exports_total{outcome=\"written\"}";
        let line = metrics.lines().find(|line| line.starts_with(written));
        assert!(line.is_some_and(|line| !line.ends_with(" 0")), "{metrics}");
    }
}

#[actix_web::test]
async fn the_key_in_the_archive_opens_every_package_that_shares_it() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let second = ready(&app, json!({"cohort_id": package.school.cohort})).await;
    let first = package.let_in(&app, "jdoe", "1").await;
    let mut back = package.launch("jdoe", "2");
    back["proof"] = first["proof"].clone();
    let back = start(&app, id(&second), back).await;
    assert_eq!(back.status, 200, "{}", back.body);
    assert_eq!(back.body["user"], first["user"]);
    // The package that the archive names may be gone while another shares it.
    let path = format!("/v1/scorm/{}", package.id);
    assert_eq!(app.delete(&path).await.status, 200);
    app.work().await;
    assert!(is_stored(&app, &package.id).await);
    assert_eq!(me(&app, &first).await.status, 200);
    assert_eq!(me(&app, &back.body).await.status, 200);
    package.let_in(&app, "eve", "3").await;
    assert!(!archive(&app, &second).await.is_empty());
    // With the last one the archive goes, and with it whoever came by it.
    let path = format!("/v1/scorm/{}", id(&second));
    assert_eq!(app.delete(&path).await.status, 200);
    let refused = package.sent(&app, package.launch("ann", "4")).await;
    assert_refused(&refused, 401, "invalid_token", "");
    assert_refused(&me(&app, &first).await, 401, "api_key_revoked", "");
    app.work().await;
    assert!(is_stored(&app, &package.id).await, "it may come back");
    destroy(&app, &package.id).await;
    assert!(is_stored(&app, &package.id).await, "the other may");
    destroy(&app, id(&second)).await;
    assert!(!is_stored(&app, &package.id).await);
}

#[actix_web::test]
async fn revoking_one_revokes_all_that_share_its_archive_and_the_next_has_another_key() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let body = json!({"cohort_id": package.school.cohort});
    let second = ready(&app, body.clone()).await;
    let other = ready(
        &app,
        json!({"cohort_id": package.school.cohort, "version": "1.2"}),
    )
    .await;
    let learner = package.let_in(&app, "jdoe", "1").await;
    done(&app, &format!("scorm/{}/revoke", id(&second))).await;
    for revoked in [package.id.as_str(), id(&second)] {
        assert_eq!(read(&app, revoked).await["status"], "revoked");
    }
    assert_eq!(read(&app, id(&other)).await["status"], "ready");
    assert_eq!(events(&app, "scorm.revoked").await.len(), 2);
    assert_refused(&me(&app, &learner).await, 401, "api_key_revoked", "");
    let third = ready(&app, body).await;
    assert_ne!(third["sha256"], second["sha256"]);
    assert_eq!(third["content_hash"], second["content_hash"]);
    let service = crate::scorm_sessions::service(&app, id(&third)).await;
    assert_ne!(service["key"], package.service["key"]);
    // Who came before the archive was taken back comes back by their proof, and their old session stays ended.
    let mut back = package.launch("jdoe", "2");
    back["launch_key"] = service["key"].clone();
    back["proof"] = learner["proof"].clone();
    let back = start(&app, id(&third), back).await.body;
    assert_eq!(back["user"], learner["user"]);
    assert_eq!(me(&app, &back).await.status, 200);
    assert_refused(&me(&app, &learner).await, 401, "api_key_revoked", "");
}

#[actix_web::test]
async fn a_course_that_is_uploaded_anew_keeps_its_learners() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let package = Package::published(&app).await;
        let first = package.let_in(&app, "jdoe", "1").await;
        rename(&app, &package.school, "Told better").await;
        let path = format!("/v1/scorm/{}", package.id);
        assert_eq!(app.delete(&path).await.status, 200);
        let second = ready(&app, json!({"cohort_id": package.school.cohort})).await;
        let service = crate::scorm_sessions::service(&app, id(&second)).await;
        let mut again = package.launch("jdoe", "2");
        again["launch_key"] = service["key"].clone();
        let mut forged = again.clone();
        forged["nonce"] = json!("forged-0123456789");
        again["proof"] = first["proof"].clone();
        let again = start(&app, id(&second), again).await.body;
        assert_eq!(again["user"], first["user"], "{database:?}");
        assert_eq!(again["proof"], first["proof"]);
        assert_eq!(events(&app, "enrollment.created").await.len(), 1);
        // Without the proof it is somebody else, who is marked: the id was somebody's at the package before.
        let stranger = start(&app, id(&second), forged).await.body;
        assert_ne!(stranger["user"]["id"], first["user"]["id"]);
        let path = format!("/v1/users/{}", stranger["user"]["id"].as_str().unwrap());
        let stranger = app.get(&path).await.body;
        assert_eq!(stranger["metadata"]["scorm_identity"], "unverified");
    }
}

#[actix_web::test]
async fn with_its_cohort_goes_a_package_and_its_archive() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let package = ready(&app, json!({"cohort_id": school.cohort})).await;
    let pending = ask(&app, json!({"cohort_id": school.cohort, "version": "1.2"})).await;
    let path = format!("/v1/cohorts/{}", school.cohort);
    assert_eq!(app.delete(&path).await.status, 200);
    app.work().await;
    assert!(is_stored(&app, id(&package)).await, "it may come back");
    destroy(&app, &school.cohort).await;
    assert!(!is_stored(&app, id(&package)).await);
    assert!(!is_stored(&app, &pending).await);
    assert_eq!(app.get(&format!("/v1/scorm/{pending}")).await.status, 404);
}
