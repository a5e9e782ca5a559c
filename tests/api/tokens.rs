//! How learners get in: one-time tokens, the session keys they become, and how those end.

use futures_util::future::join_all;
use insta::assert_json_snapshot;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::school::{STUDENT, School, app_on, assert_refused, caller, key, made, session};

/// Asks for a token; the token.
async fn start(app: &TestApp, caller: &Caller) -> String {
    let body = json!({"email": STUDENT});
    let started = app
        .call(caller, "POST", "/v1/tokens/start", Some(body))
        .await;
    assert_eq!(started.status, 200, "{}", started.body);
    started.body["token"].as_str().unwrap().to_owned()
}

async fn finish(app: &TestApp, token: &str) -> Answer {
    let nobody = actix_web::test::TestRequest::post().uri("/v1/tokens/finish");
    app.send(nobody.set_json(json!({"token": token}))).await
}

async fn me(app: &TestApp, caller: &Caller) -> Answer {
    app.call(caller, "GET", "/v1/me", None).await
}

#[actix_web::test]
async fn a_token_becomes_a_session_key_of_one_platform_and_three_scopes() {
    let app = TestApp::start().await;
    School::open(&app).await;
    let started = app
        .post("/v1/tokens/start", json!({"email": "ADA@School.example"}))
        .await;
    assert_eq!(started.status, 200, "{}", started.body);
    assert_json_snapshot!("login_token", started.body, {".token" => "[token]"});
    let finished = finish(&app, started.body["token"].as_str().unwrap()).await;
    assert_eq!(finished.status, 200, "{}", finished.body);
    let mut scopes: Vec<&str> = Vec::new();
    scopes.extend(
        finished.body["scopes"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str),
    );
    scopes.sort_unstable();
    assert_eq!(scopes, ["ai:tutor", "read:lessons", "write:submissions"]);
    assert_json_snapshot!("session_key", finished.body, {".api_key" => "[key]", ".platform.uuid" => "[uuid]"});
    let key = finished.body["api_key"].as_str().unwrap();
    assert!(key.starts_with("lyc_s"), "{key}");
    let session = me(&app, &caller(&finished.body["api_key"])).await;
    assert_eq!(session.body["user"]["email"], STUDENT);
    assert_eq!(session.body["platforms"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn a_token_works_once() {
    let app = TestApp::start().await;
    School::open(&app).await;
    let token = start(&app, &app.owner).await;
    assert_eq!(finish(&app, &token).await.status, 200);
    for token in [
        token.as_str(),
        "",
        "nonsense",
        &format!("tok_{}", "0".repeat(64)),
    ] {
        let refused = finish(&app, token).await;
        assert_refused(&refused, 401, "invalid_token", "");
        assert_eq!(refused.body["error"]["type"], "authentication_error");
    }
}

#[actix_web::test]
async fn of_parallel_exchanges_exactly_one_wins() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        School::open(&app).await;
        let token = start(&app, &app.owner).await;
        let answers = join_all((0..50).map(|_| finish(&app, &token))).await;
        let won = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(won, 1, "{database:?}");
        for lost in answers.iter().filter(|answer| answer.status != 200) {
            assert_refused(lost, 401, "invalid_token", "");
        }
    }
}

#[actix_web::test]
async fn a_token_lives_ten_minutes() {
    let app = TestApp::start().await;
    School::open(&app).await;
    let in_time = start(&app, &app.owner).await;
    app.clock.advance(10 * 60 - 1);
    assert_eq!(finish(&app, &in_time).await.status, 200);
    let late = start(&app, &app.owner).await;
    app.clock.advance(10 * 60);
    assert_refused(&finish(&app, &late).await, 401, "invalid_token", "");
}

#[actix_web::test]
async fn a_session_ends_after_a_day_however_much_it_is_used() {
    let app = TestApp::start().await;
    School::open(&app).await;
    let session = session(&app, STUDENT).await;
    for _ in 0..23 {
        app.clock.advance(60 * 60);
        assert_eq!(me(&app, &session).await.status, 200);
    }
    app.clock.advance(60 * 60 - 1);
    assert_eq!(me(&app, &session).await.status, 200);
    app.clock.advance(1);
    assert_refused(&me(&app, &session).await, 401, "api_key_expired", "");
}

#[actix_web::test]
async fn sessions_and_tokens_end_with_the_key_that_asked_for_them() {
    for ending in ["revoke", "delete"] {
        let app = TestApp::start().await;
        School::open(&app).await;
        let body = json!({"scopes": ["write:tokens"]});
        let issuer = app.post("/v1/api_keys", body).await;
        let with = caller(&issuer.body["api_key"]);
        let opened = finish(&app, &start(&app, &with).await).await;
        let session = caller(&opened.body["api_key"]);
        let unused = start(&app, &with).await;
        assert_eq!(me(&app, &session).await.status, 200);
        let path = format!("/v1/api_keys/{}", issuer.id());
        let ended = match ending {
            "revoke" => app.post(&format!("{path}/revoke"), json!({})).await,
            _ => app.delete(&path).await,
        };
        assert_eq!(ended.status, 200, "{}", ended.body);
        assert_eq!(me(&app, &session).await.status, 401, "{ending}");
        assert_refused(&finish(&app, &unused).await, 401, "invalid_token", "");
    }
}

#[actix_web::test]
async fn ending_the_membership_ends_its_sessions() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let session = session(&app, STUDENT).await;
    let unused = start(&app, &app.owner).await;
    let path = format!("/v1/users/{}", school.student);
    assert_eq!(app.delete(&path).await.status, 200);
    assert_eq!(me(&app, &session).await.status, 401);
    assert_refused(&finish(&app, &unused).await, 401, "invalid_token", "");
}

#[actix_web::test]
async fn tokens_are_for_users_of_this_workspace_and_take_their_scope() {
    let app = TestApp::start().await;
    School::open(&app).await;
    let other = app.another_workspace("other").await;
    let body = json!({"email": "eve@other.example"});
    made(&app, &other, "users", body.clone()).await;
    let foreign = app.post("/v1/tokens/start", body).await;
    assert_refused(&foreign, 404, "resource_missing", "email");
    let malformed = app.post("/v1/tokens/start", json!({"email": "eve"})).await;
    assert_refused(&malformed, 400, "invalid_field", "email");
    let missing = app.post("/v1/tokens/start", json!({})).await;
    assert_refused(&missing, 400, "missing_field", "email");
    let narrow = key(&app, &["write:students", "read:*"]).await;
    let body = Some(json!({"email": STUDENT}));
    let refused = app.call(&narrow, "POST", "/v1/tokens/start", body).await;
    assert_refused(&refused, 403, "insufficient_scope", "scope");
}

#[actix_web::test]
async fn a_session_opens_the_platform_it_was_asked_for_on_and_no_other() {
    let app = TestApp::start().await;
    School::open(&app).await;
    let other = app.another_workspace("other").await;
    // The same person is a user there too.
    made(&app, &other, "users", json!({"email": STUDENT})).await;
    let mut session = session(&app, STUDENT).await;
    "other".clone_into(&mut session.platform);
    let refused = app.call(&session, "GET", "/v1/units", None).await;
    assert_refused(&refused, 403, "platform_access_denied", "");
}

#[actix_web::test]
async fn a_new_token_takes_the_place_of_one_that_nobody_used() {
    let app = TestApp::start().await;
    School::open(&app).await;
    let first = start(&app, &app.owner).await;
    let second = start(&app, &app.owner).await;
    assert_refused(&finish(&app, &first).await, 401, "invalid_token", "");
    assert_eq!(finish(&app, &second).await.status, 200);
}

#[actix_web::test]
async fn the_twenty_first_session_ends_the_oldest() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        School::open(&app).await;
        let mut sessions = Vec::new();
        for _ in 0..21 {
            sessions.push(crate::school::session(&app, crate::school::STUDENT).await);
        }
        let mut alive = Vec::new();
        for session in &sessions {
            alive.push(me(&app, session).await.status == 200);
        }
        let expected: Vec<bool> = (0..21).map(|n| n > 0).collect();
        assert_eq!(alive, expected, "{database:?}");
    }
}
