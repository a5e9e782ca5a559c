//! Who came with a package, as teachers see it.

use insta::assert_json_snapshot;
use serde_json::{Value, json};
use support::app::TestApp;
use support::stores::Database;

use crate::school::{app_on, assert_refused, caller, key, list};
use crate::scorm::{ask, ready};
use crate::scorm_sessions::Package;

fn path(package: &str) -> String {
    format!("scorm/{package}/sessions")
}

#[actix_web::test]
async fn teachers_see_who_came_from_where_and_how_far_they_are_known() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let package = Package::published(&app).await;
        let first = package.let_in(&app, "jdoe", "1").await;
        app.clock.advance(60);
        let mut elsewhere = package.launch("eve", "2");
        elsewhere["lms"] = json!({"origin": "https://other.example"});
        assert_eq!(package.sent(&app, elsewhere).await.status, 200);
        package.let_in(&app, "jdoe", "3").await;
        let came = list(&app, &path(&package.id)).await;
        assert_eq!(came.len(), 3, "{database:?}");
        let identities: Vec<&Value> = came.iter().map(|one| &one["identity"]).collect();
        assert_eq!(identities, ["unverified", "first_use", "first_use"]);
        assert_eq!(came[2]["user_id"], first["user"]["id"]);
        assert_eq!(came[1]["lms"]["origin"], "https://other.example");
        if database == Database::Sqlite {
            assert_json_snapshot!("scorm_learner", came[2]);
        }
        for (query, expected) in [
            ("identity=unverified", 1),
            ("identity=first_use", 2),
            ("identity=proven", 0),
            ("origin=https://other.example", 1),
            ("origin=https://lms.example&identity=first_use", 1),
        ] {
            let found = list(&app, &format!("{}?{query}", path(&package.id))).await;
            assert_eq!(found.len(), expected, "{query}");
        }
        let wrong = app
            .get(&format!("/v1/{}?identity=known", path(&package.id)))
            .await;
        assert_refused(&wrong, 400, "invalid_parameter", "identity");
    }
}

#[actix_web::test]
async fn a_learner_is_seen_when_they_launch_and_when_they_use_their_session() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let session = package.let_in(&app, "jdoe", "1").await;
    let seen = async || list(&app, &path(&package.id)).await[0].clone();
    let start = seen().await;
    assert_eq!(start["last_seen_at"], start["created_at"]);
    app.clock.advance(600);
    let identity = app
        .app
        .admit(
            None,
            lyceum_application::identity::access::Credentials {
                api_key: session["api_key"].as_str().map(str::to_owned),
                ..Default::default()
            },
            false,
        )
        .await
        .unwrap()
        .0
        .identity;
    app.app.note_key_use(&identity, None).await.unwrap();
    let later = seen().await;
    assert_eq!(later["last_seen_at"], "2026-11-21T07:05:00.000Z");
    assert_eq!(later["updated_at"], start["updated_at"]);
    app.clock.advance(600);
    let mut back = package.launch("jdoe", "2");
    back["proof"] = session["proof"].clone();
    back["lms"]["title"] = json!("New campus");
    assert_eq!(package.sent(&app, back).await.status, 200);
    let back = seen().await;
    assert_eq!(back["last_seen_at"], "2026-11-21T07:15:00.000Z");
    assert_eq!(back["updated_at"], back["last_seen_at"]);
    assert_eq!(back["created_at"], start["created_at"]);
    assert_eq!(back["lms"]["title"], "New campus");
}

#[actix_web::test]
async fn packages_that_share_an_archive_share_its_learners_and_others_do_not() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let body = json!({"cohort_id": package.school.cohort});
    package.let_in(&app, "jdoe", "1").await;
    let sharing = ready(&app, body.clone()).await;
    let shared = list(&app, &path(sharing["id"].as_str().unwrap())).await;
    assert_eq!(shared, list(&app, &path(&package.id)).await);
    let other = ready(
        &app,
        json!({"cohort_id": package.school.cohort, "version": "1.2"}),
    )
    .await;
    let none = list(&app, &path(other["id"].as_str().unwrap())).await;
    assert!(none.is_empty());
    let lesson = format!("/v1/lessons/{}", package.school.lesson);
    app.patch(&lesson, json!({"name": "New"})).await;
    let pending = ask(&app, body).await;
    assert!(list(&app, &path(&pending)).await.is_empty());
}

#[actix_web::test]
async fn who_came_is_told_to_teachers_of_the_workspace_only() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let session = package.let_in(&app, "jdoe", "1").await;
    let path = format!("/v1/{}", path(&package.id));
    let learner = caller(&session["api_key"]);
    assert_eq!(app.call(&learner, "GET", &path, None).await.status, 403);
    for narrow in [&["read:courses"], &["read:students"]] {
        let narrow = key(&app, narrow).await;
        let refused = app.call(&narrow, "GET", &path, None).await;
        assert_refused(&refused, 403, "insufficient_scope", "scope");
    }
    let both = key(&app, &["read:courses", "read:students"]).await;
    let told = app.call(&both, "GET", &path, None).await;
    assert_eq!(told.status, 200, "{}", told.body);
    for secret in [
        &session["proof"],
        &session["api_key"],
        &package.service["key"],
    ] {
        assert!(!told.body.to_string().contains(secret.as_str().unwrap()));
    }
    let other = app.another_workspace("other").await;
    let foreign = app.call(&other, "GET", &path, None).await;
    assert_refused(&foreign, 404, "resource_missing", "");
}
