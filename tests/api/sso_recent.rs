//! How recent a sign-in by an organisation is: as recent as the provider says that it asked somebody who they are, and not as their coming back.
//! Else whoever sits down at a browser that was left alone would press a button, and be taken for its person by the provider's cookie.

use actix_web::test::TestRequest;
use lyceum_domain::Timestamp;
use lyceum_ports::environment::Clock;
use serde_json::{Value, json};
use support::app::Answer;
use support::stores::Database;

use crate::school::assert_refused;
use crate::sign_in::{asking, cookie};
use crate::sso::{Sso, assert_in, assert_out, seconds};

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];
const GRACE: &str = "grace@school.example";
const HOUR: i64 = 60 * 60;

/// With a connection by which everybody is an admin.
async fn start_on(database: Database) -> Sso {
    let differing = json!({ "default_role": "admin", "greatest_role": "admin" });
    Sso::on(database, differing).await
}

async fn start() -> Sso {
    start_on(Database::Sqlite).await
}

/// Has the provider say that this is when it asked who they are; of `null` it says nothing.
fn say_when(sso: &Sso, when: &Value) {
    sso.provider.say(json!({ "auth_time": when }));
}

/// Asks for a way on which they are to prove anew who they are, and takes it; in a browser that holds this.
async fn sign_in_anew(sso: &Sso, held: &str) -> Answer {
    let body = json!({ "email": GRACE, "place": "/courses", "fresh": true });
    let request = asking("POST", "/v1/sign_in/sso", held).set_json(body);
    let asked = sso.app.send(request).await;
    assert_eq!(asked.status, 200, "{}", asked.body);
    let brought = sso.provider.visit(asked.body["url"].as_str().unwrap());
    let all = format!("{held}; {}", cookie(&asked));
    sso.come_back(all.trim_start_matches("; "), &brought).await
}

fn on_platform(method: &str, path: &str, session: &str) -> TestRequest {
    let request = asking(method, path, session);
    request.insert_header(("x-learning-platform-code", "main"))
}

async fn post(sso: &Sso, path: &str, session: &str, body: Value) -> Answer {
    let request = on_platform("POST", path, session);
    sso.app.send(request.set_json(body)).await
}

/// Whether the session does what takes a recent sign-in.
async fn is_recent(sso: &Sso, session: &str) -> bool {
    let hook = json!({ "url": "http://127.0.0.1:9/hook" });
    let hook = post(sso, "/v1/webhook_endpoints", session, hook).await;
    let key = post(sso, "/v1/api_keys", session, json!({ "name": "Mine" })).await;
    if hook.status == 201 {
        // Whoever is bound to a workspace makes no key of their own there, but that is looked at afterwards.
        assert_refused(&key, 403, "key_bound_to_platform", "");
        return true;
    }
    for refused in [&hook, &key] {
        assert_refused(refused, 403, "recent_sign_in_required", "");
    }
    false
}

#[actix_web::test]
async fn a_sign_in_is_as_recent_as_the_provider_says() {
    for database in BOTH {
        let sso = start_on(database).await;
        let now = seconds(&sso.app);
        for (when, recent) in [
            (Value::Null, false),
            (json!(now - HOUR), false),
            (json!(now - 600), false),
            (json!(now - 599), true),
            (json!(now), true),
            (json!(now + 60), true),
        ] {
            say_when(&sso, &when);
            let session = assert_in(&sso.sign_in().await);
            assert_eq!(is_recent(&sso, &session).await, recent, "{when}");
        }
        // Also where its clock is ahead of ours, it is for ten minutes.
        let session = assert_in(&sso.sign_in().await);
        sso.app.clock.advance(600);
        assert!(!is_recent(&sso, &session).await);
    }
}

#[actix_web::test]
async fn a_session_says_when_it_began_and_when_its_person_was_asked() {
    let sso = start().await;
    let (now, today) = (seconds(&sso.app), sso.app.clock.now());
    for (when, shown) in [
        (
            json!(now - HOUR),
            Timestamp::from_unix_millis((now - HOUR) * 1_000),
        ),
        (Value::Null, today.minus(std::time::Duration::from_mins(10))),
    ] {
        say_when(&sso, &when);
        let session = assert_in(&sso.sign_in().await);
        let sessions = sso.app.send(asking("GET", "/v1/sessions", &session)).await;
        let sessions = sessions.body["data"].as_array().unwrap();
        let told = sessions.iter().find(|one| one["current"] == true).unwrap();
        assert_eq!(told["signed_in_at"], shown.to_string(), "{told}");
        assert_eq!(told["created_at"], today.to_string(), "{told}");
    }
}

#[actix_web::test]
async fn what_is_not_in_the_token_proves_nothing() {
    let sso = start().await;
    let now = seconds(&sso.app);
    sso.provider
        .say(json!({ "email": null, "email_verified": null, "auth_time": null }));
    sso.provider.conduct().userinfo = Some(json!({
        "sub": "ada at the provider", "email": GRACE, "email_verified": true, "auth_time": now,
    }));
    let session = assert_in(&sso.sign_in().await);
    assert!(!is_recent(&sso, &session).await);
    assert_out(&sign_in_anew(&sso, "").await, "not_fresh");
}

#[actix_web::test]
async fn whoever_is_to_prove_anew_who_they_are_comes_in_by_nothing_else() {
    for database in BOTH {
        let sso = start_on(database).await;
        let now = seconds(&sso.app);
        for when in [Value::Null, json!(now - HOUR), json!(now - 661)] {
            say_when(&sso, &when);
            assert_out(&sign_in_anew(&sso, "").await, "not_fresh");
        }
        say_when(&sso, &json!(now + 61));
        assert_out(&sign_in_anew(&sso, "").await, "provider_failed");
        // Nobody was linked or let in on the way; admins see why.
        assert_eq!(sso.users().await.len(), 1);
        let refused = sso.audited("sso_connection.refused").await;
        assert_eq!(refused.len(), 3);
        assert_eq!(refused[0]["new"], json!({ "reason": "not_fresh" }));
        // Honest again: it asks, and says when.
        sso.provider.conduct().claims.remove("auth_time");
        let session = assert_in(&sign_in_anew(&sso, "").await);
        assert!(is_recent(&sso, &session).await);
        // A clock may be behind by a little.
        say_when(&sso, &json!(now - 630));
        assert_in(&sign_in_anew(&sso, "").await);
    }
}

#[actix_web::test]
async fn whoever_does_not_prove_it_anew_keeps_the_session_that_they_have() {
    let sso = start().await;
    let held = assert_in(&sso.sign_in().await);
    say_when(&sso, &Value::Null);
    assert_out(&sign_in_anew(&sso, &held).await, "not_fresh");
    let me = sso.app.send(asking("GET", "/v1/me", &held)).await;
    assert_eq!(me.status, 200, "{}", me.body);
}

#[actix_web::test]
async fn a_provider_is_asked_when_it_was_and_to_ask_anew_only_where_that_is_wanted() {
    let sso = start().await;
    assert_in(&sso.sign_in().await);
    let asked = sso.provider.asked();
    for name in ["max_age", "prompt", "claims"] {
        assert!(!asked.contains_key(name), "{asked:?}");
    }
    assert_in(&sign_in_anew(&sso, "").await);
    let asked = sso.provider.asked();
    assert_eq!(asked["max_age"], "0");
    // Some providers know no such word, and let nobody in who comes with it.
    assert!(!asked.contains_key("prompt"), "{asked:?}");
    // Another document is known an hour later.
    let document = json!({ "claims_parameter_supported": true });
    sso.provider.conduct().document = document.as_object().unwrap().clone();
    sso.app.clock.advance(HOUR);
    sso.provider.conduct().now = seconds(&sso.app);
    assert_in(&sso.sign_in().await);
    let asked = sso.provider.asked();
    let claims: Value = serde_json::from_str(&asked["claims"]).unwrap();
    let wanted = json!({ "id_token": { "auth_time": { "essential": true } } });
    assert_eq!(claims, wanted);
    assert!(!asked.contains_key("max_age"), "{asked:?}");
}

#[actix_web::test]
async fn whoever_comes_in_after_their_sessions_were_ended_is_in_however_long_ago_they_were_asked() {
    for database in BOTH {
        let sso = start_on(database).await;
        let now = seconds(&sso.app);
        say_when(&sso, &json!(now - HOUR));
        let before = assert_in(&sso.sign_in().await);
        let path = format!(
            "/v1/users/{}/end_sessions",
            sso.user(GRACE).await["id"].as_str().unwrap()
        );
        sso.app.clock.advance(1);
        let ended = sso.app.post(&path, json!({})).await;
        assert_eq!(ended.status, 200, "{}", ended.body);
        let courses = async |session: &str| {
            let request = on_platform("GET", "/v1/courses", session);
            sso.app.send(request).await
        };
        assert_eq!(courses(&before).await.status, 401);
        sso.app.clock.advance(1);
        let again = assert_in(&sso.sign_in().await);
        let open = courses(&again).await;
        assert_eq!(open.status, 200, "{}", open.body);
    }
}
