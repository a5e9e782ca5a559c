//! Workspaces, platforms and oneself, over HTTP.

use actix_web::test::TestRequest;
use insta::assert_json_snapshot;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::school::{School, assert_refused, list, made};

/// A request that chooses no platform.
async fn plain(app: &TestApp, method: &str, path: &str, body: Value) -> Answer {
    let request = TestRequest::with_uri(path)
        .method(actix_web::http::Method::from_bytes(method.as_bytes()).unwrap())
        .insert_header(("x-api-key", app.owner.key.as_str()));
    app.send(request.set_json(body)).await
}

#[actix_web::test]
async fn a_workspace_is_created_with_a_platform_and_its_maker_as_owner() {
    let app = TestApp::start().await;
    let body = json!({"name": "River School", "domain": "river.example", "metadata": {"k": 1}});
    let made = plain(&app, "POST", "/v1/workspaces", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let path = format!("/v1/workspaces/{}", made.id());
    assert_eq!(made.header("location"), Some(path.as_str()));
    assert_eq!(app.get(&path).await.body, made.body);
    let uuid = made.body["platform"]["uuid"].as_str().unwrap();
    assert_eq!(
        (uuid.len(), uuid.chars().all(|c| c.is_ascii_hexdigit())),
        (24, true)
    );
    assert!(made.body["platform"]["id"].is_i64());
    assert_json_snapshot!("created_workspace", made.body, {
        ".platform.uuid" => "[uuid]", ".platform.code" => "[code]",
    });
    let request = TestRequest::with_uri("/v1/users")
        .insert_header(("x-api-key", app.owner.key.as_str()))
        .insert_header(("X-Learning-Platform-Uuid", uuid));
    let users = app.send(request).await.body;
    assert_eq!(users["data"][0]["role"], "owner");
    assert_eq!(users["data"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn a_platform_is_found_by_number_uuid_and_code() {
    let app = TestApp::start().await;
    let platform = list(&app, "platforms").await[0].clone();
    assert_json_snapshot!("platform", platform, {".uuid" => "[uuid]"});
    for name in ["id", "uuid", "code"] {
        let text = platform[name].to_string().replace('"', "");
        let found = plain(&app, "GET", &format!("/v1/platforms/{text}"), Value::Null).await;
        assert_eq!(found.body, platform, "{name}");
    }
    let other = app.another_workspace("other").await;
    let theirs = app.call(&other, "GET", "/v1/platforms", None).await.body["data"][0].clone();
    for name in ["id", "uuid", "code"] {
        let text = theirs[name].to_string().replace('"', "");
        let hidden = app.get(&format!("/v1/platforms/{text}")).await;
        assert_refused(&hidden, 404, "resource_missing", "");
    }
}

#[actix_web::test]
async fn one_key_opens_every_platform_that_its_owner_accepted() {
    let app = TestApp::start().await;
    let other = app.another_workspace("other").await;
    made(
        &app,
        &other,
        "users",
        json!({"email": "owner@main.example", "role": "teacher"}),
    )
    .await;
    let there = Caller {
        key: app.owner.key.clone(),
        platform: "other".into(),
    };
    let before = app.call(&there, "GET", "/v1/courses", None).await;
    assert_refused(&before, 403, "platform_access_denied", "");
    app.accept_everything(&app.owner.key).await;
    assert_eq!(
        app.call(&there, "GET", "/v1/courses", None).await.status,
        200
    );
    let platforms = list(&app, "platforms").await;
    let seen: Vec<(&Value, &Value)> = platforms
        .iter()
        .map(|one| (&one["code"], &one["role"]))
        .collect();
    let expected = [
        (json!("other"), json!("teacher")),
        (json!("main"), json!("owner")),
    ];
    assert_eq!(seen, expected.each_ref().map(|(code, role)| (code, role)));
}

#[actix_web::test]
async fn everybody_learns_who_they_are() {
    let app = TestApp::start().await;
    let me = app.get("/v1/me").await;
    assert_eq!(
        (me.status, &me.body["user"]["role"]),
        (200, &json!("owner"))
    );
    assert_json_snapshot!("me", me.body, {
        ".key.last_used_at" => "[time]", ".key.prefix" => "[prefix]", ".platforms[].uuid" => "[uuid]",
    });
    let without = plain(&app, "GET", "/v1/me", Value::Null).await;
    assert_eq!(without.body["user"], me.body["user"]);
    assert_eq!(without.body["email"], "owner@main.example");
    assert!(!me.body.to_string().contains(&app.owner.key));
}

#[actix_web::test]
async fn a_workspace_is_changed_by_admins() {
    let app = TestApp::start().await;
    let path = format!(
        "/v1/workspaces/{}",
        list(&app, "workspaces").await[0]["id"].as_str().unwrap()
    );
    let changed = app
        .patch(&path, json!({"name": "New", "domain": "d.example"}))
        .await;
    assert_eq!(
        (changed.status, &changed.body["name"]),
        (200, &json!("New"))
    );
    let cleared = app.patch(&path, json!({"domain": null})).await;
    assert_eq!(
        (&cleared.body["domain"], &cleared.body["name"]),
        (&Value::Null, &json!("New"))
    );
    assert_refused(
        &app.patch(&path, json!({"name": null})).await,
        400,
        "invalid_field",
        "name",
    );
    let other = app.another_workspace("other").await;
    made(
        &app,
        &app.owner,
        "users",
        json!({"email": "owner@other.example", "role": "teacher"}),
    )
    .await;
    app.accept_everything(&other.key).await;
    let as_teacher = app
        .call(&other, "PATCH", &path, Some(json!({"name": "Mine"})))
        .await;
    assert_refused(&as_teacher, 403, "insufficient_role", "");
    let as_teacher = app.call(&other, "DELETE", &path, None).await;
    assert_refused(&as_teacher, 403, "insufficient_role", "");
    let nameless = app.post("/v1/workspaces", json!({})).await;
    assert_refused(&nameless, 400, "missing_field", "name");
}

#[actix_web::test]
async fn a_deleted_workspace_is_gone_with_everything_in_it() {
    let app = TestApp::start().await;
    let other = app.another_workspace("other").await;
    let school = School::of(&app, &other).await;
    let workspaces = app.call(&other, "GET", "/v1/workspaces", None).await.body;
    let id = workspaces["data"][0]["id"].as_str().unwrap();
    let path = format!("/v1/workspaces/{id}");
    let deleted = app.call(&other, "DELETE", &path, None).await;
    assert_eq!(deleted.body, json!({"deleted": true, "id": id}));
    let course = format!("/v1/courses/{}", school.course);
    let gone = app.call(&other, "GET", &course, None).await;
    assert_refused(&gone, 403, "platform_access_denied", "");
    assert_eq!(app.get(&course).await.status, 404);
    assert_eq!(app.get("/v1/courses").await.status, 200);
}

/// Every file below the folder, by name.
fn files(folder: &std::path::Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push(entry.path().display().to_string());
        }
    }
    found
}

#[actix_web::test]
async fn a_deleted_workspace_leaves_no_file_behind() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = crate::school::app_on(database).await;
        let other = app.another_workspace("other").await;
        for caller in [&app.owner, &other] {
            let school = School::of(&app, caller).await;
            for _ in 0..2 {
                let package = json!({"cohort_id": school.cohort});
                let package = app.call(caller, "POST", "/v1/scorm", Some(package)).await;
                assert_eq!(package.status, 202, "{}", package.body);
                app.work().await;
            }
        }
        let blobs = app.app.settings.scratch.join("blobs");
        let before = files(&blobs).len();
        assert!(before >= 2, "{before}");
        let workspaces = app.call(&other, "GET", "/v1/workspaces", None).await.body;
        let path = format!(
            "/v1/workspaces/{}",
            workspaces["data"][0]["id"].as_str().unwrap()
        );
        assert_eq!(app.call(&other, "DELETE", &path, None).await.status, 200);
        lyceum_application::running::retention::sweep(&app.app)
            .await
            .unwrap();
        assert_eq!(files(&blobs).len(), before / 2, "{:?}", files(&blobs));
        // What was at work then may have left something since; and after that nothing is due any more.
        app.clock.advance(2 * 3600);
        assert!(
            lyceum_application::running::retention::sweep(&app.app)
                .await
                .unwrap()
                >= 1
        );
        assert_eq!(
            lyceum_application::running::retention::sweep(&app.app)
                .await
                .unwrap(),
            0
        );
        assert_eq!(files(&blobs).len(), before / 2);
    }
}
