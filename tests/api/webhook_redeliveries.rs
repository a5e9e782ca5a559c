//! What was missed is sent again: one delivery, or everything since a moment.

use serde_json::{Value, json};
use support::app::TestApp;
use support::receiver::Receiver;

use crate::school::{assert_refused, key, list, made};
use crate::webhooks::{deliveries, endpoint, is_signed};

const LONG_AGO: &str = "2026-11-20T06:55:00.000Z";

async fn course(app: &TestApp) {
    made(
        app,
        &app.owner,
        "courses",
        json!({"name": "A", "language": "en"}),
    )
    .await;
}

async fn recover(app: &TestApp, endpoint: &str, since: &str) -> Value {
    let path = format!("/v1/webhook_endpoints/{endpoint}/recover");
    let answer = app.post(&path, json!({"since": since})).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

/// Tries what is due until nothing is tried any more.
async fn give_up(app: &TestApp) {
    for _ in 0..5 {
        app.deliver().await;
        app.clock.advance(10);
    }
}

#[actix_web::test]
async fn a_delivery_is_made_again_under_the_same_id_with_the_same_bytes() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([]).await;
    let (id, secret) = endpoint(&app, &receiver, json!(["course.*"])).await;
    course(&app).await;
    app.deliver().await;
    app.clock.advance(60);
    let delivery = deliveries(&app, &id).await[0].clone();
    let path = format!(
        "/v1/webhook_deliveries/{}",
        delivery["id"].as_str().unwrap()
    );
    let again = app.post(&format!("{path}/redeliver"), json!({})).await;
    assert_eq!(again.status, 202, "{}", again.body);
    assert_eq!(again.header("location"), Some(path.as_str()));
    assert_eq!(
        again.id(),
        delivery["id"].as_str().unwrap(),
        "the same delivery"
    );
    let state = (&again.body["status"], &again.body["attempts"]);
    assert_eq!(state, (&json!("pending"), &json!(0)));
    app.deliver().await;
    let messages = receiver.messages();
    assert_eq!(messages.len(), 2);
    assert_eq!(
        messages[0].header("webhook-id"),
        messages[1].header("webhook-id")
    );
    assert_eq!(messages[0].body, messages[1].body);
    assert_ne!(
        messages[0].header("webhook-timestamp"),
        messages[1].header("webhook-timestamp")
    );
    assert!(is_signed(&app, &messages[1], &secret));
    assert_eq!(deliveries(&app, &id).await.len(), 1);
    assert_eq!(app.get(&path).await.body["status"], "delivered");
}

#[actix_web::test]
async fn a_delivery_that_failed_gets_its_whole_schedule_again() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([500; 5]).await;
    let (id, _) = endpoint(&app, &receiver, json!(["course.*"])).await;
    course(&app).await;
    give_up(&app).await;
    let failed = deliveries(&app, &id).await[0].clone();
    assert_eq!(
        (&failed["status"], receiver.messages().len()),
        (&json!("failed"), 3)
    );
    let path = format!("/v1/webhook_deliveries/{}", failed["id"].as_str().unwrap());
    app.post(&format!("{path}/redeliver"), json!({})).await;
    give_up(&app).await;
    let delivered = app.get(&path).await.body;
    assert_eq!(
        (&delivered["status"], &delivered["attempts"]),
        (&json!("delivered"), &json!(3))
    );
}

#[actix_web::test]
async fn a_delivery_that_waits_for_its_next_attempt_waits_no_longer() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([500]).await;
    let (id, _) = endpoint(&app, &receiver, json!(["course.*"])).await;
    course(&app).await;
    app.deliver().await;
    assert_eq!(app.deliver().await, 0);
    let waiting = deliveries(&app, &id).await[0]["id"].clone();
    let path = format!(
        "/v1/webhook_deliveries/{}/redeliver",
        waiting.as_str().unwrap()
    );
    app.post(&path, json!({})).await;
    assert_eq!(app.deliver().await, 1);
    let delivered = deliveries(&app, &id).await[0].clone();
    assert_eq!(
        (&delivered["status"], &delivered["attempts"]),
        (&json!("delivered"), &json!(2))
    );
}

#[actix_web::test]
async fn an_endpoint_is_told_what_it_missed_and_nothing_else() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([204, 500, 500, 500]).await;
    let (id, _) = endpoint(&app, &receiver, json!(["course.*"])).await;
    let path = format!("/v1/webhook_endpoints/{id}");
    course(&app).await;
    app.deliver().await;
    course(&app).await;
    give_up(&app).await;
    app.patch(&path, json!({"status": "disabled"})).await;
    course(&app).await;
    app.post("/v1/users", json!({"email": "ada@school.example"}))
        .await;
    app.patch(&path, json!({"status": "enabled"})).await;
    app.post(&format!("{path}/test"), json!({})).await;
    app.deliver().await;
    let before = receiver.messages().len();
    let answer = recover(&app, &id, LONG_AGO).await;
    let expected = json!({
        "object": "webhook_recovery", "endpoint_id": id, "since": LONG_AGO,
        "queued": 2, "has_more": false,
    });
    assert_eq!(
        answer, expected,
        "the one that failed and the one while it was off"
    );
    app.deliver().await;
    let events = list(&app, "events?type=course.created").await;
    let mut missed: Vec<&str> = events[..2]
        .iter()
        .filter_map(|e| e["id"].as_str())
        .collect();
    missed.sort_unstable();
    let messages = receiver.messages();
    let mut told: Vec<&str> = messages[before..]
        .iter()
        .map(|message| message.header("webhook-id"))
        .collect();
    told.sort_unstable();
    assert_eq!(told, missed);
    assert_eq!(recover(&app, &id, LONG_AGO).await["queued"], 0);
}

#[actix_web::test]
async fn recovering_takes_what_waits_forward_and_nothing_from_before() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([500, 500]).await;
    let (id, _) = endpoint(&app, &receiver, json!(["course.*"])).await;
    course(&app).await;
    app.deliver().await;
    app.clock.advance(1);
    assert_eq!(
        recover(&app, &id, "2026-11-21T06:55:00.500Z").await["queued"],
        0
    );
    app.clock.advance(1);
    assert_eq!(app.deliver().await, 1, "it was due by itself");
    assert_eq!(recover(&app, &id, LONG_AGO).await["queued"], 1);
    assert_eq!(
        recover(&app, &id, LONG_AGO).await["queued"],
        0,
        "it is due already"
    );
    assert_eq!(app.deliver().await, 1);
}

#[actix_web::test]
async fn a_large_recovery_comes_in_parts() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([]).await;
    let workspace = app.get("/v1/workspaces").await.body["data"][0]["id"].clone();
    let workspace = workspace.as_str().unwrap().parse().unwrap();
    app.app
        .store
        .write(move |tx| {
            (0..1_001).try_for_each(|n| {
                let mut event = support::sample_people::event(workspace, n);
                event.created_at = support::sample::now();
                tx.events().append(&event)
            })?;
            Ok::<_, lyceum_application::Error>(())
        })
        .await
        .map_err(|error| error.to_string())
        .unwrap();
    let (id, _) = endpoint(&app, &receiver, json!(["course.created"])).await;
    let first = recover(&app, &id, LONG_AGO).await;
    assert_eq!(
        (&first["queued"], &first["has_more"]),
        (&json!(1_000), &json!(true))
    );
    let rest = recover(&app, &id, LONG_AGO).await;
    assert_eq!(
        (&rest["queued"], &rest["has_more"]),
        (&json!(1), &json!(false))
    );
}

#[actix_web::test]
async fn nothing_is_recovered_from_before_the_log_or_from_the_future() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([]).await;
    let (id, _) = endpoint(&app, &receiver, json!(["*"])).await;
    let path = format!("/v1/webhook_endpoints/{id}/recover");
    for since in ["2026-10-22T06:54:59Z", "2026-11-21T06:55:01Z", "yesterday"] {
        let refused = app.post(&path, json!({"since": since})).await;
        assert_refused(&refused, 400, "invalid_field", "since");
    }
    let missing = app.post(&path, json!({})).await;
    assert_refused(&missing, 400, "missing_field", "since");
    assert_eq!(
        recover(&app, &id, "2026-10-22T06:55:00Z").await["queued"],
        0
    );
}

#[actix_web::test]
async fn deliveries_are_found_by_status() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([204, 500]).await;
    let (id, _) = endpoint(&app, &receiver, json!(["course.*"])).await;
    course(&app).await;
    app.deliver().await;
    course(&app).await;
    app.deliver().await;
    for (status, count) in [("delivered", 1), ("pending", 1), ("failed", 0)] {
        let path = format!("webhook_endpoints/{id}/deliveries?status={status}");
        let found = list(&app, &path).await;
        assert_eq!(found.len(), count, "{status}");
        assert!(found.iter().all(|delivery| delivery["status"] == status));
    }
    let path = format!("/v1/webhook_endpoints/{id}/deliveries?status=lost");
    assert_refused(&app.get(&path).await, 400, "invalid_parameter", "status");
}

#[actix_web::test]
async fn a_month_later_the_log_is_empty_but_for_what_is_still_tried() {
    const DAY: i64 = 24 * 3600;
    let app = TestApp::start().await;
    let receiver = Receiver::answering([204, 500]).await;
    let (id, _) = endpoint(&app, &receiver, json!(["course.*"])).await;
    course(&app).await;
    app.deliver().await;
    course(&app).await;
    app.deliver().await;
    app.clock.advance(30 * DAY);
    lyceum_application::running::retention::sweep(&app.app)
        .await
        .ok()
        .unwrap();
    assert_eq!(deliveries(&app, &id).await.len(), 2, "not yet");
    app.clock.advance(1);
    lyceum_application::running::retention::sweep(&app.app)
        .await
        .ok()
        .unwrap();
    let left = deliveries(&app, &id).await;
    assert_eq!((left.len(), &left[0]["status"]), (1, &json!("pending")));
}

#[actix_web::test]
async fn acting_on_webhooks_takes_the_scope_to_write_them() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([]).await;
    let (id, _) = endpoint(&app, &receiver, json!(["*"])).await;
    let test = app
        .post(&format!("/v1/webhook_endpoints/{id}/test"), json!({}))
        .await;
    let reader = key(&app, &["read:webhooks"]).await;
    let delivery = format!("/v1/webhook_deliveries/{}", test.id());
    assert_eq!(app.call(&reader, "GET", &delivery, None).await.status, 200);
    for (method, path) in [
        ("PATCH", format!("/v1/webhook_endpoints/{id}")),
        ("POST", format!("/v1/webhook_endpoints/{id}/rotate_secret")),
        ("POST", format!("/v1/webhook_endpoints/{id}/test")),
        ("POST", format!("/v1/webhook_endpoints/{id}/recover")),
        ("POST", format!("{delivery}/redeliver")),
    ] {
        let refused = app.call(&reader, method, &path, Some(json!({}))).await;
        assert_refused(&refused, 403, "insufficient_scope", "scope");
    }
}
