//! Files that lie damaged: never handed out, told, and made anew where the same bytes can be made.

use actix_web::test::TestRequest;
use lyceum_ports::blobs::BlobKey;
use serde_json::{Value, json};
use support::app::{TestApp, request};
use support::scripted_ai::ScriptedAi;
use support::stores::Database;

use crate::recordings::{Station, heard_at};
use crate::school::{School, app_on};
use crate::scorm::{address, bytes, read, ready};

fn archive(package: &Value) -> BlobKey {
    let id = package["id"].as_str().unwrap();
    BlobKey::parse(&format!("scorm/{id}.zip")).unwrap()
}

async fn put(app: &TestApp, key: &BlobKey, bytes: &[u8]) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    app.app.blobs.put_file(key, file.path()).await.unwrap();
}

/// Flips one bit in the middle.
async fn damage(app: &TestApp, key: &BlobKey, good: &[u8]) {
    let mut bad = good.to_vec();
    let middle = bad.len() / 2;
    bad[middle] ^= 1;
    put(app, key, &bad).await;
}

async fn download(app: &TestApp, package: &Value) -> (u16, Vec<u8>) {
    bytes(app, TestRequest::with_uri(&address(package))).await
}

#[actix_web::test]
async fn a_damaged_or_missing_package_is_not_handed_out_and_is_made_anew() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let package = ready(&app, json!({"cohort_id": school.cohort})).await;
        let (status, good) = download(&app, &package).await;
        assert_eq!(status, 200);
        for times in 1..=2 {
            if times == 1 {
                damage(&app, &archive(&package), &good).await;
            } else {
                app.app.blobs.delete(&archive(&package)).await.unwrap();
            }
            let (status, answer) = download(&app, &package).await;
            assert_eq!(status, 503, "{}", String::from_utf8_lossy(&answer));
            let part =
                TestRequest::with_uri(&address(&package)).insert_header(("range", "bytes=0-9"));
            assert_eq!(bytes(&app, part).await.0, 503, "nor a part of it");
            assert_eq!(app.work().await, 1, "it was asked for once");
            assert_eq!(download(&app, &package).await, (200, good.clone()));
        }
        let now = read(&app, package["id"].as_str().unwrap()).await;
        assert_eq!(now["warnings"], package["warnings"]);
        assert_eq!(now["updated_at"], package["updated_at"]);
    }
}

#[actix_web::test]
async fn a_package_that_shares_the_archive_of_one_that_is_gone_is_made_anew_too() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let body = json!({"cohort_id": school.cohort});
    let first = ready(&app, body.clone()).await;
    let second = ready(&app, body).await;
    app.delete(&format!("/v1/scorm/{}", first["id"].as_str().unwrap()))
        .await;
    app.work().await;
    let (_, good) = download(&app, &second).await;
    damage(&app, &archive(&first), &good).await;
    assert_eq!(download(&app, &second).await.0, 503);
    app.work().await;
    assert_eq!(download(&app, &second).await, (200, good));
}

#[actix_web::test]
async fn a_package_whose_course_has_changed_says_that_it_is_damaged_and_is_well_when_the_file_is_back()
 {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let package = ready(&app, json!({"cohort_id": school.cohort})).await;
    let id = package["id"].as_str().unwrap();
    let (_, good) = download(&app, &package).await;
    app.patch(
        &format!("/v1/lessons/{}", school.lesson),
        json!({"name": "Other"}),
    )
    .await;
    damage(&app, &archive(&package), &good).await;
    for _ in 0..2 {
        assert_eq!(download(&app, &package).await.0, 503);
        app.work().await;
    }
    let told = read(&app, id).await;
    assert_eq!(
        told["status"], "ready",
        "learners inside go on being let in"
    );
    let warnings = told["warnings"].as_array().unwrap();
    let about = |one: &&Value| one.as_str().unwrap().contains("damaged");
    assert_eq!(warnings.iter().filter(about).count(), 1, "{told}");
    put(&app, &archive(&package), &good).await;
    assert_eq!(download(&app, &package).await, (200, good));
    app.work().await;
    assert_eq!(read(&app, id).await["warnings"], package["warnings"]);
}

#[actix_web::test]
async fn nothing_of_a_damaged_package_is_previewed() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let package = ready(&app, json!({"cohort_id": school.cohort})).await;
    let (_, good) = download(&app, &package).await;
    damage(&app, &archive(&package), &good).await;
    let file = crate::scorm_preview::file_of(&package, "package/imsmanifest.xml");
    for _ in 0..3 {
        assert_eq!(bytes(&app, TestRequest::with_uri(&file)).await.0, 503);
    }
    assert_eq!(app.work().await, 1);
    assert_eq!(bytes(&app, TestRequest::with_uri(&file)).await.0, 200);
}

#[actix_web::test]
async fn a_damaged_recording_is_not_handed_out_and_in_no_package() {
    let station = Station::open(ScriptedAi::speaking([]), Database::Sqlite, json!({})).await;
    station.app.work().await;
    let podcast = station.podcast().await;
    let address = heard_at(&podcast);
    let (status, good) = station.hear(&address).await;
    assert_eq!(status, 200);
    damage(&station.app, &station.recording(), &good).await;
    assert_eq!(station.hear(&address).await.0, 503);
    let package = ready(&station.app, json!({"cohort_id": station.school.cohort})).await;
    let warnings = package["warnings"].to_string();
    assert!(warnings.contains("recording"), "{warnings}");
    put(&station.app, &station.recording(), &good).await;
    assert_eq!(station.hear(&address).await, (200, good));
}

#[actix_web::test]
async fn a_service_with_a_damaged_database_says_so_and_goes_on_reading() {
    let app = TestApp::start().await;
    let now = lyceum_ports::environment::Clock::now(&*app.clock);
    app.app.telemetry.pages_looked_at(false, now);
    let ready = app.send(request(&app.owner, "GET", "/readyz")).await;
    assert_eq!(ready.body, json!({"status": "ready"}));
    app.app.telemetry.pages_looked_at(true, now);
    let degraded = app.send(request(&app.owner, "GET", "/readyz")).await;
    assert_eq!(degraded.status, 200);
    assert_eq!(degraded.body["reason"], "database_damaged");
}
