//! Users over HTTP: memberships of people in one workspace.

use insta::assert_json_snapshot;
use serde_json::{Value, json};
use support::app::{Caller, TestApp};

use crate::school::{School, assert_refused, events, list, made};

async fn user(app: &TestApp, email: &str, role: &str) -> String {
    made(
        app,
        &app.owner,
        "users",
        json!({"email": email, "role": role}),
    )
    .await
}

/// Somebody in this role here, with a key of their own that may everything.
async fn somebody(app: &TestApp, role: &str) -> Caller {
    let elsewhere = app.another_workspace(role).await;
    user(app, &format!("owner@{role}.example"), role).await;
    app.accept_everything(&elsewhere.key).await;
    Caller {
        key: elsewhere.key,
        platform: "main".into(),
    }
}

#[actix_web::test]
async fn a_user_is_created_with_every_member() {
    let app = TestApp::start().await;
    let body = json!({
        "email": "Ada@School.example", "name": "Ada", "role": "teacher", "language": "pt-br",
        "external_id": "emp-1", "metadata": {"k": 1},
    });
    let made = app.post("/v1/users", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let path = format!("/v1/users/{}", made.id());
    assert_eq!(made.header("location"), Some(path.as_str()));
    assert_eq!(app.get(&path).await.body, made.body);
    assert_json_snapshot!("created_user", made.body);
}

#[actix_web::test]
async fn an_address_joins_a_workspace_once_and_others_too() {
    let app = TestApp::start().await;
    let other = app.another_workspace("other").await;
    let first = user(&app, "ada@school.example", "student").await;
    let again = app
        .post("/v1/users", json!({"email": "ADA@school.example"}))
        .await;
    assert_refused(&again, 409, "already_exists", "email");
    let there = json!({"email": "ada@school.example", "name": "Elsewhere"});
    let there = made(&app, &other, "users", there).await;
    assert_ne!(first, there);
    let path = format!("/v1/users/{first}");
    assert_eq!(
        app.get(&path).await.body["name"],
        "",
        "one tenant's words never show in another"
    );
}

#[actix_web::test]
async fn users_are_checked_field_by_field() {
    let app = TestApp::start().await;
    let cases = [
        (json!({}), "missing_field", "email"),
        (json!({"email": "ada"}), "invalid_field", "email"),
        (
            json!({"email": format!("{}@x.example", "a".repeat(250))}),
            "invalid_field",
            "email",
        ),
        (
            json!({"email": "a@x.example", "role": "boss"}),
            "invalid_field",
            "role",
        ),
        (
            json!({"email": "a@x.example", "language": "not a language"}),
            "invalid_field",
            "language",
        ),
    ];
    for (body, code, field) in cases {
        assert_refused(&app.post("/v1/users", body).await, 400, code, field);
    }
}

#[actix_web::test]
async fn a_patch_clears_what_may_be_absent_and_keeps_the_address() {
    let app = TestApp::start().await;
    let body =
        json!({"email": "ada@school.example", "name": "Ada", "external_id": "e", "language": "en"});
    let path = format!("/v1/users/{}", made(&app, &app.owner, "users", body).await);
    let patch = json!({"name": null, "external_id": null, "email": "eve@school.example"});
    let changed = app.patch(&path, patch).await;
    assert_eq!(changed.header("x-ignored-fields"), Some("email"));
    let told = [
        &changed.body["name"],
        &changed.body["external_id"],
        &changed.body["language"],
    ];
    assert_eq!(told, [&json!(""), &Value::Null, &json!("en")]);
    assert_eq!(changed.body["email"], "ada@school.example");
    assert_refused(
        &app.patch(&path, json!({"role": null})).await,
        400,
        "invalid_field",
        "role",
    );
    assert_eq!(events(&app, "user.updated").await.len(), 1);
}

#[actix_web::test]
async fn the_last_owner_stays_an_owner() {
    let app = TestApp::start().await;
    let owner = list(&app, "users?role=owner").await[0]["id"].clone();
    let path = format!("/v1/users/{}", owner.as_str().unwrap());
    assert_refused(&app.delete(&path).await, 409, "not_editable", "");
    let step_down = json!({"role": "admin"});
    assert_refused(
        &app.patch(&path, step_down.clone()).await,
        409,
        "not_editable",
        "",
    );
    let second = app.another_workspace("second").await;
    user(&app, "owner@second.example", "owner").await;
    // Who was asked to be one is none yet.
    let refused = app.patch(&path, step_down.clone()).await;
    assert_refused(&refused, 409, "not_editable", "");
    app.accept_everything(&second.key).await;
    assert_eq!(app.patch(&path, step_down).await.status, 200);
}

#[actix_web::test]
async fn nobody_gives_or_takes_a_role_above_their_own() {
    let app = TestApp::start().await;
    let teacher = somebody(&app, "teacher").await;
    let student = user(&app, "s@school.example", "student").await;
    let admin = user(&app, "a@school.example", "admin").await;
    let raise = json!({"email": "new@school.example", "role": "admin"});
    let cases = [
        ("POST", "/v1/users".to_owned(), Some(raise)),
        (
            "PATCH",
            format!("/v1/users/{student}"),
            Some(json!({"role": "owner"})),
        ),
        (
            "PATCH",
            format!("/v1/users/{admin}"),
            Some(json!({"name": "X"})),
        ),
        ("DELETE", format!("/v1/users/{admin}"), None),
    ];
    for (method, path, body) in cases {
        let refused = app.call(&teacher, method, &path, body).await;
        assert_refused(&refused, 403, "insufficient_role", "");
    }
    let fellow = json!({"role": "teacher"});
    let path = format!("/v1/users/{student}");
    assert_eq!(
        app.call(&teacher, "PATCH", &path, Some(fellow))
            .await
            .status,
        200
    );
}

#[actix_web::test]
async fn teachers_neither_manage_keys_nor_webhooks_nor_tokens() {
    let app = TestApp::start().await;
    let teacher = somebody(&app, "teacher").await;
    for (method, path) in [
        ("GET", "/v1/api_keys"),
        ("POST", "/v1/api_keys"),
        ("GET", "/v1/webhook_endpoints"),
        ("POST", "/v1/webhook_endpoints"),
        ("POST", "/v1/tokens/start"),
    ] {
        let body = (method == "POST").then(|| json!({}));
        let refused = app.call(&teacher, method, path, body).await;
        assert_eq!(
            (refused.status, refused.code()),
            (403, "insufficient_role"),
            "{method} {path}"
        );
    }
    assert_eq!(
        app.call(&teacher, "GET", "/v1/courses", None).await.status,
        200
    );
}

#[actix_web::test]
async fn users_are_found_by_role_address_and_words() {
    let app = TestApp::start().await;
    let ada = json!({"email": "ada@school.example", "name": "Ada Lovelace"});
    let ada = made(&app, &app.owner, "users", ada).await;
    let tom = user(&app, "tom@school.example", "teacher").await;
    for (query, expected) in [
        ("role=student", &ada),
        ("role=teacher", &tom),
        ("email=ADA@school.example", &ada),
        ("q=love", &ada),
    ] {
        let found = list(&app, &format!("users?{query}")).await;
        let ids: Vec<&Value> = found.iter().map(|user| &user["id"]).collect();
        assert_eq!(ids, [expected], "{query}");
    }
}

#[actix_web::test]
async fn whoever_leaves_gives_their_places_back() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    school.student_session(&app).await;
    let path = format!("/v1/users/{}", school.student);
    assert_eq!(
        app.delete(&path).await.body,
        json!({"deleted": true, "id": school.student})
    );
    assert_eq!(app.get(&path).await.status, 404);
    let cohort = app
        .get(&format!("/v1/cohorts/{}", school.cohort))
        .await
        .body;
    assert_eq!(cohort["student_count"], json!(0));
    assert_eq!(events(&app, "user.deleted").await.len(), 1);
    // The person may come back, as somebody new.
    assert_ne!(
        user(&app, crate::school::STUDENT, "student").await,
        school.student
    );
}
