//! A stranger may hold a record of anybody whose address they know. They learn nothing by it, and change nothing.

use actix_web::test::TestRequest;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp, request};
use support::stores::Database;

use crate::isolation::told;
use crate::rate_limits::{few, started};
use crate::school::{app_on, assert_refused, caller, list, made};

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];
const VICTIM: &str = "owner@home.example";
/// Nobody has this address.
const NOBODY: &str = "void@home.example";

/// Somebody with a workspace and keys of their own; the owner of the app is the stranger.
async fn scene(database: Database) -> (TestApp, Caller) {
    let app = app_on(database).await;
    let victim = app.another_workspace("home").await;
    // What is known of the victim is older than what the stranger does.
    app.clock.advance(3600);
    (app, victim)
}

/// A request at the victim's account, without any platform, under an idempotency key.
async fn at_account(app: &TestApp, key: &str, path: &str, body: Value) -> Answer {
    let sent = TestRequest::post()
        .uri(path)
        .insert_header(("x-api-key", key))
        .insert_header(("Idempotency-Key", "CANARY-once"))
        .set_json(body);
    app.send(sent).await
}

async fn add(app: &TestApp, email: &str) -> String {
    made(app, &app.owner, "users", json!({"email": email})).await
}

/// What a stranger is told, without what must differ: ids, addresses and the number of the request.
fn bare(value: &Value, user: &str, email: &str) -> String {
    let text = value.to_string();
    let pseudonym = user.trim_start_matches("usr_");
    let text = text.replace(pseudonym, "{id}").replace(email, "{email}");
    let mut out = String::new();
    let mut rest = text.as_str();
    // Every other id is one that was minted for the answer.
    while let Some(at) = rest.find("_0") {
        let (before, after) = rest.split_at(at);
        let id: String = after.chars().take(27).collect();
        out.push_str(before);
        let is_id = id.len() == 27 && id.chars().skip(1).all(char::is_alphanumeric);
        out.push_str(if is_id { "_{other}" } else { &id });
        rest = after.strip_prefix(id.as_str()).unwrap_or_default();
    }
    out + rest
}

/// All that the stranger's workspace tells of what happened.
async fn heard(app: &TestApp) -> (Vec<Value>, Vec<Value>) {
    (
        list(app, "events?limit=100").await,
        list(app, "audit?limit=100").await,
    )
}

#[actix_web::test]
async fn a_key_does_not_open_what_its_owner_did_not_accept() {
    for database in BOTH {
        let (app, victim) = scene(database).await;
        let there = Caller {
            platform: "main".to_owned(),
            ..victim.clone()
        };
        let never = told(app.call(&there, "GET", "/v1/courses", None).await);
        let known = app.call(&victim, "GET", "/v1/platforms", None).await.body;
        let me = app.call(&victim, "GET", "/v1/me", None).await.body;
        add(&app, VICTIM).await;
        let invited = told(app.call(&there, "GET", "/v1/courses", None).await);
        assert_eq!(invited, never);
        assert_eq!(never.0, 403);
        let after = app.call(&victim, "GET", "/v1/platforms", None).await.body;
        assert_eq!(after, known, "no look-alike in the chooser");
        let still = app.call(&victim, "GET", "/v1/me", None).await.body;
        assert_eq!(still["platforms"], me["platforms"]);
        assert_eq!(still["user"], me["user"]);
        let workspaces = app.call(&victim, "GET", "/v1/workspaces", None).await.body;
        assert_eq!(workspaces["data"].as_array().unwrap().len(), 1);
    }
}

#[actix_web::test]
async fn the_record_of_somebody_who_never_accepted_works_at_once() {
    let (app, _) = scene(Database::Sqlite).await;
    let school = crate::school::School::open(&app).await;
    let place = format!("cohorts/{}/students", school.cohort);
    made(&app, &app.owner, &place, json!({"email": VICTIM})).await;
    let session = crate::school::session(&app, VICTIM).await;
    let me = app.call(&session, "GET", "/v1/me", None).await;
    assert_eq!(me.body["user"]["email"], VICTIM, "{}", me.body);
    assert_eq!(me.body["platforms"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn somebody_known_elsewhere_is_let_in_and_exported_like_somebody_nobody_knows() {
    for database in BOTH {
        let (app, victim) = scene(database).await;
        let named = json!({"name": "CANARY", "scopes": ["read:keys"]});
        let made = at_account(&app, &victim.key, "/v1/api_keys", named).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let mut told = Vec::new();
        for email in [VICTIM, NOBODY] {
            let body = json!({"email": email});
            let added = app.post("/v1/users", body).await;
            let user = added.id();
            let export = format!("/v1/users/{user}/export");
            let export = app.post(&export, json!({})).await.body;
            let text = export.to_string();
            for canary in ["CANARY", "key_0", made.body["prefix"].as_str().unwrap()] {
                let of_stranger = app.get("/v1/me").await.body["key"]["id"].clone();
                let text = text.replace(of_stranger.as_str().unwrap(), "{stranger}");
                assert!(!text.contains(canary), "{canary} in {text}");
            }
            let first_heard_of = "2026-11-21T06:55";
            assert!(!text.contains(first_heard_of), "{text}");
            let events = list(&app, "events?limit=1").await;
            let audit = list(&app, "audit?limit=2").await;
            let all = json!([added.status, added.body, export, events, audit]);
            let requests = [added.header("request-id").unwrap().to_owned()];
            let mut all = bare(&all, &user, email);
            for request in requests {
                all = all.replace(&request, "{request}");
            }
            told.push(all);
        }
        assert_eq!(told[0], told[1], "{database:?}");
    }
}

#[actix_web::test]
async fn what_a_person_does_with_their_keys_is_told_where_the_keys_were_made() {
    for database in BOTH {
        let (app, victim) = scene(database).await;
        add(&app, VICTIM).await;
        let before = heard(&app).await;
        for accepted in [false, true] {
            if accepted {
                app.accept_everything(&victim.key).await;
            }
            let before = if accepted {
                heard(&app).await
            } else {
                before.clone()
            };
            let new = Some(json!({"name": "One", "scopes": ["read:keys"]}));
            let with_platform = app.call(&victim, "POST", "/v1/api_keys", new).await;
            let without = app
                .call_at_account(&victim.key, "POST", "/v1/api_keys")
                .await;
            for key in [with_platform, without] {
                assert_eq!(key.status, 201, "{}", key.body);
                let path = format!("/v1/api_keys/{}", key.id());
                let renamed = Some(json!({"name": "Two"}));
                app.call(&victim, "PATCH", &path, renamed).await;
                let rotated = format!("{path}/rotate");
                app.call_at_account(&victim.key, "POST", &rotated).await;
                let revoke = format!("{path}/revoke");
                app.call_at_account(&victim.key, "POST", &revoke).await;
                app.call(&victim, "DELETE", &path, None).await;
            }
            assert_eq!(heard(&app).await, before, "{database:?} {accepted}");
        }
        let home = app
            .call(&victim, "GET", "/v1/audit?action=key.created", None)
            .await;
        // The first key, and in each round two that were made and two that were rotated.
        assert_eq!(home.body["data"].as_array().unwrap().len(), 9);
    }
}

#[actix_web::test]
async fn a_key_is_told_of_where_it_was_made_and_nowhere_else() {
    let (app, victim) = scene(Database::Sqlite).await;
    add(&app, VICTIM).await;
    app.accept_everything(&victim.key).await;
    let here = Caller {
        platform: "main".to_owned(),
        ..victim.clone()
    };
    let scopes = Some(json!({"scopes": ["read:lessons"]}));
    // A student there may make no keys there; at home, and at their account, they may.
    let refused = app
        .call(&here, "POST", "/v1/api_keys", scopes.clone())
        .await;
    assert_refused(&refused, 403, "insufficient_role", "");
    let made = app.call(&victim, "POST", "/v1/api_keys", scopes).await;
    let path = format!("/v1/users/{}/export", me_at(&app, &here).await);
    let export = app.post(&path, json!({})).await.body;
    assert_eq!(export["data"]["api_keys"], json!([]), "{export}");
    let path = format!("/v1/users/{}/export", me_at(&app, &victim).await);
    let export = app.call(&victim, "POST", &path, Some(json!({}))).await.body;
    assert!(export.to_string().contains(&made.id()), "{export}");
}

async fn me_at(app: &TestApp, caller: &Caller) -> String {
    let me = app.call(caller, "GET", "/v1/me", None).await.body;
    me["user"]["id"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn an_erasure_by_a_stranger_takes_nothing_that_was_made_elsewhere() {
    for database in BOTH {
        let (app, victim) = scene(database).await;
        let key = json!({"name": "Sync"});
        let key = at_account(&app, &victim.key, "/v1/api_keys", key).await;
        let course = || {
            request(&victim, "POST", "/v1/courses")
                .insert_header(("Idempotency-Key", "at-home"))
                .set_json(json!({"name": "A", "language": "en"}))
        };
        let course_made = app.send(course()).await;
        let mut receipts = Vec::new();
        for email in [VICTIM, NOBODY] {
            let user = add(&app, email).await;
            let path = format!("/v1/users/{user}/erase");
            let erased = app.post(&path, json!({"confirm": user})).await;
            assert_eq!(erased.status, 200, "{}", erased.body);
            receipts.push(bare(&erased.body, &user, email));
        }
        assert_eq!(receipts[0], receipts[1], "{database:?}");
        let again = json!({"name": "Sync"});
        let again = at_account(&app, &victim.key, "/v1/api_keys", again).await;
        assert_eq!(again.body, key.body, "the retry is answered as before");
        assert_eq!(app.send(course()).await.body, course_made.body);
        let opened = caller(&key.body["api_key"]);
        let opened = app.call_at_account(&opened.key, "GET", "/v1/me").await;
        assert_eq!(opened.status, 200, "{}", opened.body);
        assert_eq!(opened.body["email"], VICTIM);
    }
}

#[actix_web::test]
async fn whoever_was_known_here_alone_is_forgotten_with_their_account() {
    for database in BOTH {
        let app = app_on(database).await;
        let user = add(&app, NOBODY).await;
        let path = format!("/v1/users/{user}/erase");
        app.post(&path, json!({"confirm": user})).await;
        let places = support::tracks::places_of(app.database_url(), NOBODY);
        assert_eq!(places, Vec::<String>::new());
    }
}

#[actix_web::test]
async fn a_no_is_not_told_to_whom_it_is_said() {
    for database in BOTH {
        let (app, victim) = scene(database).await;
        let user = add(&app, VICTIM).await;
        let path = format!("/v1/users/{user}");
        let before = (app.get(&path).await, heard(&app).await);
        app.clock.advance(60);
        let waiting = app
            .call_at_account(&victim.key, "GET", "/v1/invitations")
            .await;
        let id = waiting.body["data"][0]["id"].as_str().unwrap().to_owned();
        let decline = format!("/v1/invitations/{id}/decline");
        let declined = app.call_at_account(&victim.key, "POST", &decline).await;
        assert_eq!(declined.body["status"], "declined", "{}", declined.body);
        let after = app.get(&path).await;
        assert_eq!(after.body, before.0.body);
        assert_eq!(after.header("etag"), before.0.header("etag"));
        assert_eq!(heard(&app).await, before.1);
        // Nor is it undone by who was told nothing.
        let renamed = app.patch(&path, json!({"name": "Friend"})).await;
        assert_eq!(renamed.status, 200, "{}", renamed.body);
        let declined = app
            .call_at_account(&victim.key, "GET", &format!("/v1/invitations/{id}"))
            .await;
        assert_eq!(declined.body["status"], "declined");
    }
}

#[actix_web::test]
async fn whoever_opens_a_session_for_somebody_cannot_answer_for_them() {
    let (app, victim) = scene(Database::Sqlite).await;
    add(&app, VICTIM).await;
    let waiting = app
        .call_at_account(&victim.key, "GET", "/v1/invitations")
        .await;
    let id = waiting.body["data"][0]["id"].as_str().unwrap().to_owned();
    let accept = format!("/v1/invitations/{id}/accept");
    let session = crate::school::session(&app, VICTIM).await;
    for (method, path) in [
        ("GET", "/v1/invitations".to_owned()),
        ("GET", format!("/v1/invitations/{id}")),
        ("POST", accept.clone()),
        ("POST", format!("/v1/invitations/{id}/decline")),
    ] {
        for refused in [
            app.call_at_account(&session.key, method, &path).await,
            app.call(&session, method, &path, None).await,
        ] {
            assert_refused(&refused, 403, "insufficient_scope", "scope");
        }
    }
    // Not even by an idempotency key under which the person did.
    let answered = at_account(&app, &victim.key, &accept, json!({})).await;
    assert_eq!(answered.status, 200, "{}", answered.body);
    let replayed = at_account(&app, &session.key, &accept, json!({})).await;
    assert_refused(&replayed, 403, "insufficient_scope", "scope");
    // And of the platforms of the person, a session sees the one it is of.
    let seen = app
        .call_at_account(&session.key, "GET", "/v1/platforms")
        .await;
    let codes: Vec<&Value> = seen.body["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["code"])
        .collect();
    assert_eq!(codes, [&json!("main")]);
}

#[actix_web::test]
async fn look_alikes_come_slowly_and_not_for_ever() {
    let (app, clock) = started(|limits| {
        limits.tenants.workspaces_per_person = few(3);
        limits.tenants.invitations = few(4);
    })
    .await;
    let another = || async { app.post("/v1/workspaces", json!({"name": "Home"})).await };
    for _ in 0..3 {
        assert_eq!(another().await.status, 201);
    }
    let refused = another().await;
    assert_refused(&refused, 429, "rate_limited", "");
    assert!(refused.header("retry-after").is_some());
    clock.advance(std::time::Duration::from_secs(20));
    assert_eq!(another().await.status, 201);
    // Known and unknown addresses count alike.
    app.another_workspace("home").await;
    for email in [VICTIM, NOBODY, "a@b.example", "c@d.example"] {
        add(&app, email).await;
    }
    let fifth = json!({"email": "e@f.example"});
    let refused = app.post("/v1/users", fifth).await;
    assert_refused(&refused, 429, "rate_limited", "");
    let school = json!({"name": "Food", "language": "en"});
    let course = made(&app, &app.owner, "courses", school).await;
    let cohort = json!({"course_id": course, "name": "Spring"});
    let cohort = made(&app, &app.owner, "cohorts", cohort).await;
    let place = format!("/v1/cohorts/{cohort}/students");
    let by_address = app.post(&place, json!({"email": "e@f.example"})).await;
    assert_refused(&by_address, 429, "rate_limited", "");
    // Whoever is here already is enrolled as fast as anybody likes.
    let here = list(&app, "users?email=a@b.example").await[0]["id"].clone();
    let enrolled = app.post(&place, json!({"user_id": here})).await;
    assert_eq!(enrolled.status, 201, "{}", enrolled.body);
}

#[actix_web::test]
async fn nobody_owns_workspaces_without_end() {
    for database in BOTH {
        let mut app = app_on(database).await;
        let mut settings = lyceum_application::Settings::clone(&app.app.settings);
        settings.workspaces.per_person = 4;
        app.app.settings = std::sync::Arc::new(settings);
        let app = app.mounted_again();
        let many = (0..6).map(|_| app.post("/v1/workspaces", json!({"name": "Home"})));
        let answers = futures_util::future::join_all(many).await;
        let made = answers.iter().filter(|answer| answer.status == 201).count();
        assert_eq!(made, 3, "one was there");
        for refused in answers.iter().filter(|answer| answer.status != 201) {
            assert_refused(refused, 409, "limit_reached", "");
        }
    }
}
