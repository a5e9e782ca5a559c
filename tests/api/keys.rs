//! API keys over HTTP.

use futures_util::future::join_all;
use insta::assert_json_snapshot;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::school::{app_on, assert_refused, caller, events, key, list};

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];

async fn opens(app: &TestApp, key: &Caller) -> bool {
    app.call(key, "GET", "/v1/me", None).await.status == 200
}

#[actix_web::test]
async fn a_key_is_shown_once_with_every_member() {
    let app = TestApp::start().await;
    let body =
        json!({"name": "Sync", "scopes": ["read:courses"], "expires_at": "2027-01-01T00:00:00Z"});
    let made = app.post("/v1/api_keys", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let path = format!("/v1/api_keys/{}", made.id());
    assert_eq!(made.header("location"), Some(path.as_str()));
    assert_json_snapshot!("created_key", made.body, {".api_key" => "[key]", ".prefix" => "[prefix]"});
    let secret = made.body["api_key"].as_str().unwrap();
    assert!(secret.starts_with(made.body["prefix"].as_str().unwrap()));
    let mut without = made.body.clone();
    without.as_object_mut().unwrap().remove("api_key");
    assert_eq!(app.get(&path).await.body, without);
    let told = events(&app, "api_key.created").await;
    for shown in [json!(list(&app, "api_keys").await), json!(told)] {
        assert!(!shown.to_string().contains(secret));
    }
    assert_eq!(told.len(), 1);
}

#[actix_web::test]
async fn a_key_without_scopes_reads_and_writes_and_spends_nothing() {
    let app = TestApp::start().await;
    let made = app.post("/v1/api_keys", json!({})).await;
    assert_eq!(made.body["scopes"], json!(["read:*", "write:*"]));
    let course = json!({"name": "A", "language": "en", "description": "D"});
    let course = app.post("/v1/courses", course).await.id();
    let path = format!("/v1/courses/{course}/syllabus");
    let refused = app
        .call(
            &caller(&made.body["api_key"]),
            "POST",
            &path,
            Some(json!({})),
        )
        .await;
    assert_refused(&refused, 403, "insufficient_scope", "scope");
}

#[actix_web::test]
async fn a_key_that_was_handed_out_is_shown_again_to_nobody_but_who_asked() {
    let app = TestApp::start().await;
    let narrow = key(&app, &["write:keys", "read:courses"]).await;
    let body = json!({"scopes": ["write:*"], "options": {"idempotencyKey": "k1"}});
    let create = async |caller: &Caller| {
        let body = Some(body.clone());
        app.call(caller, "POST", "/v1/api_keys", body).await
    };
    let made = create(&app.owner).await;
    assert_eq!(made.status, 201, "{}", made.body);
    assert_eq!(create(&app.owner).await.body, made.body);
    let refused = create(&narrow).await;
    assert_refused(&refused, 400, "idempotency_key_reused", "");
    assert!(!refused.body.to_string().contains("lyc_"));
}

#[actix_web::test]
async fn a_key_hands_out_no_more_than_it_has() {
    let app = TestApp::start().await;
    let strong = app
        .post("/v1/api_keys", json!({"scopes": ["ai:*"]}))
        .await
        .id();
    let narrow = key(&app, &["write:keys", "write:courses"]).await;
    let create = async |body: Value| app.call(&narrow, "POST", "/v1/api_keys", Some(body)).await;
    for scopes in [
        json!(["read:users"]),
        json!([]),
        json!("read:*"),
        json!(["nonsense"]),
    ] {
        let refused = create(json!({"scopes": scopes})).await;
        assert_eq!(
            (refused.status, refused.code()),
            (400, "invalid_field"),
            "{scopes}"
        );
    }
    for scopes in [
        json!(["read:*"]),
        json!(["read:students"]),
        json!(["ai:grade"]),
        json!(["read:lessons", "write:*"]),
    ] {
        assert_refused(
            &create(json!({"scopes": scopes})).await,
            403,
            "scope_escalation",
            "scopes",
        );
    }
    assert_refused(&create(json!({})).await, 403, "scope_escalation", "scopes");
    let rotate = format!("/v1/api_keys/{strong}/rotate");
    let rotated = app.call(&narrow, "POST", &rotate, None).await;
    assert_refused(&rotated, 403, "scope_escalation", "scopes");
    let within = create(json!({"scopes": ["read:courses", "read:lessons", "read:keys"]})).await;
    assert_eq!(within.status, 201, "{}", within.body);
}

#[actix_web::test]
async fn a_revoked_key_is_refused_on_the_next_request() {
    let app = TestApp::start().await;
    let made = app.post("/v1/api_keys", json!({})).await;
    let key = caller(&made.body["api_key"]);
    assert!(opens(&app, &key).await);
    let revoke = format!("/v1/api_keys/{}/revoke", made.id());
    let revoked = app.post(&revoke, json!({})).await;
    assert!(revoked.body["revoked_at"].is_string(), "{}", revoked.body);
    let refused = app.call(&key, "GET", "/v1/courses", None).await;
    assert_refused(&refused, 401, "api_key_revoked", "");
    assert_eq!(refused.body["error"]["type"], "authentication_error");
    let again = app.post(&revoke, json!({})).await.body;
    // When it was last used is noted off the path of the request.
    for member in ["id", "revoked_at", "updated_at"] {
        assert_eq!(again[member], revoked.body[member], "{member}");
    }
    assert_eq!(events(&app, "api_key.revoked").await.len(), 1);
    let rotate = format!("/v1/api_keys/{}/rotate", made.id());
    assert_refused(&app.post(&rotate, json!({})).await, 409, "not_editable", "");
}

#[actix_web::test]
async fn a_rotated_key_keeps_working_until_it_is_revoked() {
    let app = TestApp::start().await;
    let old = app
        .post(
            "/v1/api_keys",
            json!({"name": "Sync", "scopes": ["read:courses"]}),
        )
        .await;
    let new = app
        .post(&format!("/v1/api_keys/{}/rotate", old.id()), json!({}))
        .await;
    assert_eq!(new.status, 201, "{}", new.body);
    assert_ne!(new.id(), old.id());
    for member in ["name", "scopes", "expires_at"] {
        assert_eq!(new.body[member], old.body[member], "{member}");
    }
    let (old_key, new_key) = (caller(&old.body["api_key"]), caller(&new.body["api_key"]));
    assert!(opens(&app, &old_key).await && opens(&app, &new_key).await);
    app.delete(&format!("/v1/api_keys/{}", old.id())).await;
    assert!(!opens(&app, &old_key).await && opens(&app, &new_key).await);
}

#[actix_web::test]
async fn a_rotated_key_goes_on_for_as_long_as_is_said_and_no_longer_than_it_would() {
    for database in BOTH {
        let app = app_on(database).await;
        let key_of = |made: &Answer| (made.id(), caller(&made.body["api_key"]));
        let rotate = async |id: &str, seconds: u64| {
            let body = json!({"expires_old_in": seconds});
            app.post(&format!("/v1/api_keys/{id}/rotate"), body).await
        };
        let (id, old) = key_of(&app.post("/v1/api_keys", json!({})).await);
        let made = rotate(&id, 60).await;
        assert_eq!(made.status, 201, "{}", made.body);
        assert_eq!(made.body["expires_at"], Value::Null);
        let (new_id, new) = key_of(&made);
        let shown = app.get(&format!("/v1/api_keys/{id}")).await.body;
        assert_eq!(shown["expires_at"], "2026-11-21T06:56:00.000Z");
        let noted = list(&app, "audit?action=key.updated").await;
        assert_eq!(noted[0]["new"]["expires_at"], shown["expires_at"]);
        assert_eq!(noted[0]["subject"]["id"], json!(id));
        // A longer overlap gives back nothing of what was taken.
        assert_eq!(rotate(&id, 604_800).await.status, 201);
        let shown = app.get(&format!("/v1/api_keys/{id}")).await.body;
        assert_eq!(shown["expires_at"], "2026-11-21T06:56:00.000Z");
        app.clock.advance(59);
        assert!(opens(&app, &old).await && opens(&app, &new).await);
        app.clock.advance(1);
        let refused = app.call(&old, "GET", "/v1/me", None).await;
        assert_refused(&refused, 401, "api_key_expired", "");
        assert!(opens(&app, &new).await);
        let refused = rotate(&new_id, 604_801).await;
        assert_refused(&refused, 400, "invalid_field", "expires_old_in");
        assert_eq!(rotate(&new_id, 0).await.status, 201);
        assert!(!opens(&app, &new).await);
    }
}

#[actix_web::test]
async fn of_two_hundred_who_take_a_keys_place_at_once_one_does() {
    for database in BOTH {
        let app = app_on(database).await;
        let id = app.post("/v1/api_keys", json!({})).await.id();
        let path = format!("/v1/api_keys/{id}/rotate");
        let at_once = (0..200).map(|_| app.post(&path, json!({"expires_old_in": 0})));
        let mut told = Vec::new();
        for answer in join_all(at_once).await {
            told.push(answer.status);
            assert!(
                answer.status == 201 || answer.code() == "not_editable",
                "{}",
                answer.body
            );
        }
        assert_eq!(told.iter().filter(|status| **status == 201).count(), 1);
        // With a key that goes on for a while nobody is turned away.
        let id = app.post("/v1/api_keys", json!({})).await.id();
        let path = format!("/v1/api_keys/{id}/rotate");
        let at_once = (0..200).map(|_| app.post(&path, json!({"expires_old_in": 60})));
        for answer in join_all(at_once).await {
            assert_eq!(answer.status, 201, "{}", answer.body);
        }
    }
}

#[actix_web::test]
async fn an_end_is_set_put_off_and_taken_away_and_no_dead_key_lives_again() {
    let app = TestApp::start().await;
    let made = app.post("/v1/api_keys", json!({})).await;
    let (path, key) = (
        format!("/v1/api_keys/{}", made.id()),
        caller(&made.body["api_key"]),
    );
    for end in [
        json!("2026-11-21T07:55:00.000Z"),
        json!("2026-11-21T08:55:00.000Z"),
        Value::Null,
        json!("2026-11-21T06:56:00.000Z"),
    ] {
        let changed = app.patch(&path, json!({"expires_at": end})).await;
        assert_eq!(changed.body["expires_at"], end, "{}", changed.body);
    }
    let past = app
        .patch(&path, json!({"expires_at": "2020-01-01T00:00:00Z"}))
        .await;
    assert_refused(&past, 400, "invalid_field", "expires_at");
    assert!(opens(&app, &key).await);
    app.clock.advance(60);
    assert!(!opens(&app, &key).await);
    for end in [Value::Null, json!("2027-01-01T00:00:00Z")] {
        let revival = app.patch(&path, json!({"expires_at": end})).await;
        assert_refused(&revival, 409, "not_editable", "");
    }
    assert!(!opens(&app, &key).await);
}

#[actix_web::test]
async fn a_key_ends_when_it_said_it_would() {
    let app = TestApp::start().await;
    let body = json!({"expires_at": "2026-11-21T07:55:00Z"});
    let made = app.post("/v1/api_keys", body).await;
    let key = caller(&made.body["api_key"]);
    app.clock.advance(60 * 60 - 1);
    assert!(opens(&app, &key).await);
    app.clock.advance(1);
    let refused = app.call(&key, "GET", "/v1/me", None).await;
    assert_refused(&refused, 401, "api_key_expired", "");
    let born_dead = app
        .post(
            "/v1/api_keys",
            json!({"expires_at": "2020-01-01T00:00:00Z"}),
        )
        .await;
    assert_refused(&born_dead, 400, "invalid_field", "expires_at");
}

#[actix_web::test]
async fn a_key_is_renamed_and_nothing_else_of_it_changes() {
    let app = TestApp::start().await;
    let path = format!(
        "/v1/api_keys/{}",
        app.post("/v1/api_keys", json!({})).await.id()
    );
    let changed = app
        .patch(&path, json!({"name": "New", "scopes": ["ai:*"]}))
        .await;
    assert_eq!(changed.body["name"], "New");
    assert_eq!(changed.body["scopes"], json!(["read:*", "write:*"]));
    assert_eq!(changed.header("x-ignored-fields"), Some("scopes"));
    assert_refused(
        &app.patch(&path, json!({"name": null})).await,
        400,
        "invalid_field",
        "name",
    );
}

#[actix_web::test]
async fn session_keys_are_nobodys_to_manage() {
    let app = TestApp::start().await;
    let before = list(&app, "api_keys").await.len();
    crate::school::session(&app, "owner@main.example").await;
    let keys = list(&app, "api_keys").await;
    assert_eq!(keys.len(), before);
    assert!(keys.iter().all(|key| key["kind"] == "standard"));
}

#[actix_web::test]
async fn a_replayed_creation_shows_the_same_key() {
    let app = TestApp::start().await;
    let create = || {
        support::app::request(&app.owner, "POST", "/v1/api_keys")
            .insert_header(("Idempotency-Key", "k1"))
            .set_json(json!({"name": "Once"}))
    };
    let (first, again) = (app.send(create()).await, app.send(create()).await);
    assert_eq!(first.body, again.body);
    assert!(opens(&app, &caller(&again.body["api_key"])).await);
}
