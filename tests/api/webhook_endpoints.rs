//! Webhook endpoints: how they are changed, how their secret is, and how they are tried out.

use insta::assert_json_snapshot;
use lyceum_domain::notifying::webhook_signature::SigningSecret;
use serde_json::{Value, json};
use support::app::{Answer, TestApp, request};
use support::receiver::Receiver;

use crate::school::{School, assert_refused, done, events, list};
use crate::webhooks::{deliveries, endpoint, is_signed};

/// An endpoint that nobody will reach.
async fn quiet_endpoint(app: &TestApp) -> String {
    let body = json!({"url": "http://127.0.0.1:9/hook", "enabled_events": ["course.*"]});
    let made = app.post("/v1/webhook_endpoints", body).await;
    format!("/v1/webhook_endpoints/{}", made.id())
}

async fn rotate(app: &TestApp, endpoint: &str) -> (Answer, SigningSecret) {
    let path = format!("/v1/webhook_endpoints/{endpoint}/rotate_secret");
    let rotated = app.post(&path, json!({})).await;
    assert_eq!(rotated.status, 201, "{}", rotated.body);
    let secret = SigningSecret::parse(rotated.body["secret"].as_str().unwrap()).unwrap();
    (rotated, secret)
}

#[actix_web::test]
async fn an_endpoint_is_changed_like_everything_else() {
    let app = TestApp::start().await;
    let path = quiet_endpoint(&app).await;
    app.clock.advance(60);
    let change =
        json!({"url": "http://127.0.0.1:9/other", "description": "LMS", "status": "disabled"});
    let changed = app.patch(&path, change).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    assert_json_snapshot!("changed_endpoint", changed.body);
    assert_eq!(app.get(&path).await.body, changed.body);
    let cleared = json!({"enabled_events": null, "description": null});
    let cleared = app.patch(&path, cleared).await.body;
    assert_eq!(
        (&cleared["enabled_events"], &cleared["description"]),
        (&json!(["*"]), &json!(""))
    );
}

#[actix_web::test]
async fn a_change_that_changes_nothing_leaves_no_trace_and_a_stale_one_is_refused() {
    let app = TestApp::start().await;
    let path = quiet_endpoint(&app).await;
    let before = app.get(&path).await;
    app.clock.advance(60);
    let same = json!({"enabled_events": ["course.*"], "status": "enabled"});
    assert_eq!(app.patch(&path, same).await.body, before.body);
    let stale = async |method: &str, tag: &str| {
        let request =
            request(&app.owner, method, &path).insert_header(("If-Match", tag.to_owned()));
        app.send(request.set_json(json!({"description": "B"})))
            .await
    };
    let refused = stale("PATCH", "\"stale\"").await;
    assert_refused(&refused, 412, "precondition_failed", "");
    let tag = before.header("etag").unwrap();
    assert_eq!(stale("PATCH", tag).await.status, 200);
    let refused = stale("DELETE", tag).await;
    assert_refused(&refused, 412, "precondition_failed", "");
}

#[actix_web::test]
async fn a_change_that_breaks_a_rule_is_refused() {
    let app = TestApp::start().await;
    let path = quiet_endpoint(&app).await;
    for (change, field) in [
        (json!({"url": "http://10.0.0.1/"}), "url"),
        (json!({"url": null}), "url"),
        (json!({"enabled_events": []}), "enabled_events"),
        (
            json!({"enabled_events": ["course.exploded"]}),
            "enabled_events",
        ),
        (json!({"status": "asleep"}), "status"),
        (json!({"status": null}), "status"),
    ] {
        let refused = app.patch(&path, change).await;
        assert_refused(&refused, 400, "invalid_field", field);
    }
}

#[actix_web::test]
async fn an_endpoint_that_is_off_hears_nothing_until_it_is_on_again() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([]).await;
    let (id, _) = endpoint(&app, &receiver, json!(["*"])).await;
    let path = format!("/v1/webhook_endpoints/{id}");
    School::open(&app).await;
    app.patch(&path, json!({"status": "disabled"})).await;
    assert_eq!(app.deliver().await, 0);
    let queued = deliveries(&app, &id).await.len();
    let course = list(&app, "courses").await[0]["id"].clone();
    done(
        &app,
        &format!("courses/{}/publish", course.as_str().unwrap()),
    )
    .await;
    assert_eq!(deliveries(&app, &id).await.len(), queued);
    assert!(events(&app, "webhook_endpoint.disabled").await.is_empty());
    app.patch(&path, json!({"status": "enabled"})).await;
    assert_eq!(app.deliver().await, queued, "what waited is sent");
}

#[actix_web::test]
async fn switching_an_endpoint_on_starts_its_patience_anew() {
    const DAY: i64 = 24 * 3600;
    let app = TestApp::start().await;
    let receiver = Receiver::answering([410, 500]).await;
    let (id, _) = endpoint(&app, &receiver, json!(["course.*"])).await;
    let path = format!("/v1/webhook_endpoints/{id}");
    let course = json!({"name": "A", "language": "en"});
    app.post("/v1/courses", course.clone()).await;
    app.deliver().await;
    assert_eq!(app.get(&path).await.body["status"], "disabled");
    // Longer than the service is patient with an endpoint that only fails.
    app.clock.advance(6 * DAY);
    app.patch(&path, json!({"status": "enabled"})).await;
    app.post("/v1/courses", course).await;
    assert_eq!(app.deliver().await, 1);
    assert_eq!(app.get(&path).await.body["status"], "enabled");
}

#[actix_web::test]
async fn for_a_day_messages_are_signed_with_both_secrets() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([]).await;
    let (id, old) = endpoint(&app, &receiver, json!(["course.*"])).await;
    app.clock.advance(1);
    let (rotated, new) = rotate(&app, &id).await;
    let path = format!("/v1/webhook_endpoints/{id}");
    assert_eq!(rotated.header("location"), Some(path.as_str()));
    let mut shown = rotated.body.clone();
    shown.as_object_mut().unwrap().remove("secret");
    assert_eq!(app.get(&path).await.body, shown, "shown once");
    for (hours_later, both) in [(0, true), (23, true), (1, false)] {
        app.clock.advance(hours_later * 3600);
        app.post("/v1/courses", json!({"name": "A", "language": "en"}))
            .await;
        app.deliver().await;
        let message = receiver.messages().pop().unwrap();
        let signatures: Vec<&str> = message.header("webhook-signature").split(' ').collect();
        assert_eq!(signatures.len(), if both { 2 } else { 1 });
        assert!(signatures.iter().all(|one| one.starts_with("v1,")));
        assert!(is_signed(&app, &message, &new));
        assert_eq!(is_signed(&app, &message, &old), both);
    }
}

#[actix_web::test]
async fn of_three_secrets_the_oldest_signs_no_more() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([]).await;
    let (id, first) = endpoint(&app, &receiver, json!(["course.*"])).await;
    let (_, second) = rotate(&app, &id).await;
    let (_, third) = rotate(&app, &id).await;
    app.post("/v1/courses", json!({"name": "A", "language": "en"}))
        .await;
    app.deliver().await;
    let message = &receiver.messages()[0];
    assert!(is_signed(&app, message, &third) && is_signed(&app, message, &second));
    assert!(!is_signed(&app, message, &first));
}

#[actix_web::test]
async fn a_rotation_under_a_key_happens_once_and_its_secret_is_not_readable_at_rest() {
    let app = TestApp::start().await;
    let path = quiet_endpoint(&app).await;
    let rotate = async || {
        let request = request(&app.owner, "POST", &format!("{path}/rotate_secret"));
        app.send(request.insert_header(("Idempotency-Key", "rotate-1")))
            .await
    };
    let (first, again) = (rotate().await, rotate().await);
    assert_eq!(first.body, again.body);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    let secret = first.body["secret"].as_str().unwrap();
    let file = app.database_url().strip_prefix("sqlite://").unwrap();
    let bytes = [file.to_owned(), format!("{file}-wal")].map(|path| std::fs::read(path).unwrap());
    let holds = |text: &str| {
        bytes
            .concat()
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    };
    assert!(holds("http://127.0.0.1:9/hook"), "the right file");
    assert!(!holds(secret.strip_prefix("whsec_").unwrap()));
}

#[actix_web::test]
async fn a_test_goes_to_its_endpoint_whatever_it_wants_and_to_no_other() {
    let app = TestApp::start().await;
    let (receiver, other) = (Receiver::answering([]).await, Receiver::answering([]).await);
    let (id, secret) = endpoint(&app, &receiver, json!(["course.deleted"])).await;
    endpoint(&app, &other, json!(["*", "ping"])).await;
    let path = format!("/v1/webhook_endpoints/{id}");
    let queued = app.post(&format!("{path}/test"), json!({})).await;
    assert_eq!(queued.status, 202, "{}", queued.body);
    assert_json_snapshot!("queued_test", queued.body);
    let poll = queued.header("location").unwrap();
    assert_eq!(app.get(poll).await.body, queued.body);
    assert_eq!(app.deliver().await, 1);
    assert_eq!(app.get(poll).await.body["status"], "delivered");
    let message = receiver.messages().remove(0);
    assert!(is_signed(&app, &message, &secret));
    let told: Value = serde_json::from_slice(&message.body).unwrap();
    assert_eq!(
        (&told["type"], &told["id"]),
        (&json!("ping"), &queued.body["event_id"])
    );
    assert_eq!(told["data"]["object"], app.get(&path).await.body);
    assert_eq!(events(&app, "ping").await, [told]);
    assert!(other.messages().is_empty());
}

#[actix_web::test]
async fn an_endpoint_that_is_off_is_neither_tested_nor_told_again() {
    let app = TestApp::start().await;
    let path = quiet_endpoint(&app).await;
    let delivery = app.post(&format!("{path}/test"), json!({})).await.id();
    app.patch(&path, json!({"status": "disabled"})).await;
    let since = json!({"since": "2026-11-21T06:00:00Z"});
    for (path, body) in [
        (format!("{path}/test"), json!({})),
        (format!("{path}/recover"), since),
        (
            format!("/v1/webhook_deliveries/{delivery}/redeliver"),
            json!({}),
        ),
    ] {
        let refused = app.post(&path, body).await;
        assert_refused(&refused, 409, "invalid_state_transition", "");
    }
    let rotated = app.post(&format!("{path}/rotate_secret"), json!({})).await;
    assert_eq!(rotated.status, 201, "a secret may be changed at any time");
}
