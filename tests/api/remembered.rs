//! Callers are remembered between requests: whoever was changed since is never answered as who they were, and whoever is
//! still let in notices nothing.

use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};
use support::app::{Caller, TestApp};
use support::stores::Database;

use crate::school::{app_on, assert_refused, key, list, made};

const SOON: Duration = Duration::from_secs(20);

/// Often enough to be remembered, and for storage to have made its connections.
async fn comes_often(app: &TestApp, caller: &Caller, path: &str) {
    for _ in 0..10 {
        let answer = app.call(caller, "GET", path, None).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
}

/// When a key was used, as soon as that is noted: nobody waits for it but this test.
async fn noted_use(app: &TestApp, key: &str) -> Value {
    let since = Instant::now();
    loop {
        let shown = app.get(&format!("/v1/api_keys/{key}")).await;
        if !shown.body["last_used_at"].is_null() {
            return shown.body["last_used_at"].clone();
        }
        assert!(since.elapsed() < SOON, "no use was noted: {}", shown.body);
        tokio::task::yield_now().await;
    }
}

#[rstest]
#[actix_web::test]
async fn whoever_was_changed_and_may_still_come_in_is_served_as_if_nothing_was(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let course = made(
        &app,
        &app.owner,
        "courses",
        json!({"name": "A", "language": "en"}),
    )
    .await;
    let path = format!("/v1/courses/{course}");
    for n in 0..10 {
        comes_often(&app, &app.owner, &path).await;
        // A key of theirs goes: they are looked for anew.
        let other = app
            .post("/v1/api_keys", json!({"name": "Other"}))
            .await
            .id();
        let gone = app
            .call(&app.owner, "DELETE", &format!("/v1/api_keys/{other}"), None)
            .await;
        assert_eq!(gone.status, 200, "{}", gone.body);
        let read = app.get(&path).await;
        assert_eq!((read.status, &read.body["name"]), (200, &json!("A")));
        comes_often(&app, &app.owner, &path).await;
        let other = app
            .post("/v1/api_keys", json!({"name": "Other"}))
            .await
            .id();
        app.call(&app.owner, "DELETE", &format!("/v1/api_keys/{other}"), None)
            .await;
        let name = format!("Course {n}");
        let written = app
            .post("/v1/courses", json!({"name": name, "language": "en"}))
            .await;
        assert_eq!((written.status, &written.body["name"]), (201, &json!(name)));
    }
    assert_eq!(list(&app, "courses?limit=100").await.len(), 11);
}

/// Whatever else is wrong with what they ask for: nothing of it is told to somebody whose key is dead.
#[rstest]
#[actix_web::test]
async fn whose_key_was_revoked_hears_that_and_nothing_else(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let course = made(
        &app,
        &app.owner,
        "courses",
        json!({"name": "A", "language": "en"}),
    )
    .await;
    let asked = [
        ("GET", format!("/v1/courses/{course}")),
        ("GET", "/v1/courses?limit=0".to_owned()),
        ("GET", "/v1/courses?q=a".to_owned()),
        ("GET", "/v1/courses/crs_nothing".to_owned()),
        ("GET", format!("/v1/courses/{course}?expand=nothing")),
        ("GET", "/v1/webhook_endpoints".to_owned()),
        ("DELETE", format!("/v1/courses/{course}")),
    ];
    for (method, path) in asked {
        let caller = key(&app, &["read:courses", "write:courses"]).await;
        comes_often(&app, &caller, "/v1/courses").await;
        let newest = list(&app, "api_keys?limit=1").await.remove(0);
        let newest = newest["id"].as_str().unwrap();
        let used = noted_use(&app, newest).await;
        // So long that another use would be noted.
        app.clock.advance(120);
        let revoked = app
            .post(&format!("/v1/api_keys/{newest}/revoke"), json!({}))
            .await;
        assert_eq!(revoked.status, 200, "{}", revoked.body);
        let refused = app.call(&caller, method, &path, None).await;
        assert_refused(&refused, 401, "api_key_revoked", "");
        let after = app.get(&format!("/v1/api_keys/{newest}")).await;
        assert_eq!(after.body["last_used_at"], used, "{method} {path}");
    }
    assert_eq!(app.get(&format!("/v1/courses/{course}")).await.status, 200);
}
