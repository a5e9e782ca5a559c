//! Webhooks: who is told, of what, how it is signed, and what happens when nobody listens.

use actix_web::test;
use insta::assert_json_snapshot;
use lyceum_domain::notifying::webhook_signature::{Received, SigningSecret, verify};
use lyceum_ports::environment::Clock;
use serde_json::{Value, json};
use support::app::{TestApp, request};
use support::receiver::{Message, Receiver};

use crate::school::{School, assert_refused, events, key, list};

/// An endpoint for these events; its id and its secret.
pub async fn endpoint(
    app: &TestApp,
    receiver: &Receiver,
    events: Value,
) -> (String, SigningSecret) {
    let body = json!({"url": receiver.url, "enabled_events": events});
    let made = app.post("/v1/webhook_endpoints", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let secret = made.body["secret"].as_str().unwrap();
    (made.id(), SigningSecret::parse(secret).unwrap())
}

/// Has a submission graded by AI.
pub async fn grade(app: &TestApp) {
    let school = School::open(app).await;
    let id = school.hand_in(app, "Cool the rice within two hours.").await;
    let asked = app
        .post(&format!("/v1/submissions/{id}/ai"), json!({}))
        .await;
    assert_eq!(asked.status, 202);
    app.work().await;
}

pub async fn deliveries(app: &TestApp, endpoint: &str) -> Vec<Value> {
    list(app, &format!("webhook_endpoints/{endpoint}/deliveries")).await
}

pub fn is_signed(app: &TestApp, message: &Message, secret: &SigningSecret) -> bool {
    let received = Received {
        id: message.header("webhook-id"),
        timestamp: message.header("webhook-timestamp"),
        signatures: message.header("webhook-signature"),
        body: &message.body,
    };
    let secrets = std::slice::from_ref(secret);
    verify(secrets, &received, app.clock.now().unix_seconds()).is_ok()
}

/// A body as it goes over the wire.
async fn raw(app: &TestApp, path: &str) -> Vec<u8> {
    let service = actix_web::App::new().configure(|config| lyceum_api::configure(config, &app.api));
    let service = test::init_service(service).await;
    let request = request(&app.owner, "GET", path).to_request();
    test::read_body(test::call_service(&service, request).await)
        .await
        .to_vec()
}

#[actix_web::test]
async fn an_endpoint_shows_its_secret_once() {
    let app = TestApp::start().await;
    let body = json!({
        "url": "http://127.0.0.1:9/hook", "enabled_events": ["submission.*"], "description": "LMS",
    });
    let made = app.post("/v1/webhook_endpoints", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    assert_json_snapshot!("created_endpoint", made.body, {".secret" => "[secret]"});
    let path = format!("/v1/webhook_endpoints/{}", made.id());
    assert_eq!(made.header("location"), Some(path.as_str()));
    let mut without = made.body.clone();
    without.as_object_mut().unwrap().remove("secret");
    assert_eq!(app.get(&path).await.body, without);
    assert_eq!(list(&app, "webhook_endpoints").await, [without]);
}

#[actix_web::test]
async fn a_graded_submission_is_told_once_signed_and_byte_for_byte() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([]).await;
    let (id, secret) = endpoint(&app, &receiver, json!(["submission.graded"])).await;
    grade(&app).await;
    app.deliver().await;
    app.clock.advance(60);
    assert_eq!(app.deliver().await, 0);
    let messages = receiver.messages();
    assert_eq!(messages.len(), 1);
    let message = &messages[0];
    assert!(is_signed(&app, message, &secret));
    assert_eq!(message.header("content-type"), "application/json");
    let event = events(&app, "submission.graded").await[0]["id"].clone();
    assert_eq!(json!(message.header("webhook-id")), event);
    let path = format!("/v1/events/{}", event.as_str().unwrap());
    assert_eq!(raw(&app, &path).await, message.body);
    let log = deliveries(&app, &id).await;
    assert_eq!(log.len(), 1);
    assert_json_snapshot!("delivered", log[0], {".history[].duration_ms" => "[ms]", ".history[].headers" => "[headers]"});
}

#[actix_web::test]
async fn a_message_that_is_refused_comes_again_under_the_same_id() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([500, 302]).await;
    let (id, secret) = endpoint(&app, &receiver, json!(["submission.graded"])).await;
    grade(&app).await;
    app.deliver().await;
    let waiting = deliveries(&app, &id).await[0].clone();
    assert_eq!(
        (&waiting["status"], &waiting["last_status"]),
        (&json!("pending"), &json!(500))
    );
    assert!(waiting["next_attempt_at"].is_string());
    assert_eq!(app.deliver().await, 0, "it must wait before it tries again");
    for _ in 0..2 {
        app.clock.advance(5);
        app.deliver().await;
    }
    let messages = receiver.messages();
    assert_eq!(messages.len(), 3);
    for message in &messages {
        assert_eq!(
            message.header("webhook-id"),
            messages[0].header("webhook-id")
        );
        assert_eq!(message.body, messages[0].body);
        assert!(is_signed(&app, message, &secret));
    }
    let first = messages[0].header("webhook-timestamp");
    assert_ne!(messages[2].header("webhook-timestamp"), first);
    let delivered = deliveries(&app, &id).await[0].clone();
    assert_eq!(
        (&delivered["status"], &delivered["attempts"]),
        (&json!("delivered"), &json!(3))
    );
}

#[actix_web::test]
async fn a_delivery_shows_every_attempt_and_how_the_answer_began() {
    let app = TestApp::start().await;
    let words = "no room: whsec_";
    let receiver = Receiver::saying([500, 503], words).await;
    let (id, secret) = endpoint(&app, &receiver, json!(["submission.graded"])).await;
    drop(secret);
    grade(&app).await;
    app.deliver().await;
    let first = app.clock.now().to_string();
    for _ in 0..2 {
        app.clock.advance(5);
        app.deliver().await;
    }
    let delivered = deliveries(&app, &id).await[0].clone();
    let history = delivered["history"].as_array().unwrap();
    let seen: Vec<(&Value, &Value)> = history
        .iter()
        .map(|one| (&one["status"], &one["answer"]))
        .collect();
    assert_eq!(
        seen,
        [
            (&json!(500), &json!(words)),
            (&json!(503), &json!(words)),
            // A 204 has no body.
            (&json!(204), &json!("")),
        ],
        "{delivered}"
    );
    assert_eq!(history[0]["at"], json!(first));
    assert_eq!(history[0]["error"], "the receiver answered 500");
    let length = json!({"name": "content-length", "value": words.len().to_string()});
    let headers = history[0]["headers"].as_array().unwrap();
    assert!(headers.contains(&length), "{delivered}");
    assert_eq!(history[2]["error"], Value::Null);
    assert!(
        history.iter().all(|one| one["duration_ms"].is_u64()),
        "{delivered}"
    );
    // What is sent again goes on where it was.
    let again = format!(
        "/v1/webhook_deliveries/{}/redeliver",
        delivered["id"].as_str().unwrap()
    );
    assert_eq!(app.post(&again, json!({})).await.status, 202);
    app.deliver().await;
    let again = deliveries(&app, &id).await[0].clone();
    assert_eq!(
        (
            &again["attempts"],
            again["history"].as_array().unwrap().len()
        ),
        (&json!(1), 4)
    );
}

#[actix_web::test]
async fn a_message_that_nobody_takes_fails_in_the_end() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([500; 9]).await;
    let (id, _) = endpoint(&app, &receiver, json!(["submission.graded"])).await;
    grade(&app).await;
    for _ in 0..5 {
        app.deliver().await;
        app.clock.advance(10);
    }
    let failed = deliveries(&app, &id).await[0].clone();
    assert_eq!(
        (&failed["status"], &failed["attempts"]),
        (&json!("failed"), &json!(3))
    );
    assert_eq!(failed["next_attempt_at"], Value::Null);
    assert_eq!(receiver.messages().len(), 3);
}

#[actix_web::test]
async fn whoever_says_gone_is_told_nothing_more() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([410]).await;
    let (id, _) = endpoint(&app, &receiver, json!(["submission.graded"])).await;
    grade(&app).await;
    app.deliver().await;
    let path = format!("/v1/webhook_endpoints/{id}");
    assert_eq!(app.get(&path).await.body["status"], "disabled");
    assert_eq!(events(&app, "webhook_endpoint.disabled").await.len(), 1);
    app.clock.advance(60);
    let submission = list(&app, "submissions").await[0]["id"].clone();
    let again = format!("/v1/submissions/{}/ai", submission.as_str().unwrap());
    assert_eq!(app.post(&again, json!({})).await.status, 202);
    app.work().await;
    app.deliver().await;
    assert_eq!(receiver.messages().len(), 1);
}

#[actix_web::test]
async fn endpoints_hear_what_they_asked_for_and_of_their_workspace_alone() {
    let app = TestApp::start().await;
    let (everything, family) = (Receiver::answering([]).await, Receiver::answering([]).await);
    endpoint(&app, &everything, json!(["*"])).await;
    endpoint(&app, &family, json!(["unit.*", "course.deleted"])).await;
    let other = app.another_workspace("other").await;
    School::of(&app, &other).await;
    assert_eq!(app.deliver().await, 0);
    School::open(&app).await;
    app.deliver().await;
    let kinds = |receiver: &Receiver| {
        let kind = |message: Message| {
            let body: Value = serde_json::from_slice(&message.body).unwrap();
            body["type"].as_str().unwrap().to_owned()
        };
        let mut kinds: Vec<String> = receiver.messages().into_iter().map(kind).collect();
        kinds.sort();
        kinds
    };
    assert_eq!(kinds(&family), ["unit.created"]);
    let all = [
        "activity.created",
        "assignment.created",
        "cohort.created",
        "course.created",
        "lesson.created",
        "unit.created",
        "user.created",
    ];
    assert_eq!(kinds(&everything), all);
}

#[actix_web::test]
async fn addresses_that_may_not_be_called_are_refused_when_they_are_registered() {
    let app = TestApp::start().await;
    for url in [
        "http://10.0.0.1/",
        "http://192.168.1.1/hook",
        "http://169.254.169.254/latest/meta-data",
        "http://100.64.0.1/",
        "http://[::ffff:10.0.0.1]/",
        "http://[fd00::1]/",
        "http://0x0a000001/",
        "ftp://example.org/",
        "hook",
        "",
    ] {
        let refused = app.post("/v1/webhook_endpoints", json!({"url": url})).await;
        assert_refused(&refused, 400, "invalid_field", "url");
    }
    let missing = app.post("/v1/webhook_endpoints", json!({})).await;
    assert_refused(&missing, 400, "missing_field", "url");
    let unknown = json!({"url": "http://127.0.0.1:9/", "enabled_events": ["course.exploded"]});
    let unknown = app.post("/v1/webhook_endpoints", unknown).await;
    assert_refused(&unknown, 400, "invalid_field", "enabled_events");
    assert!(list(&app, "webhook_endpoints").await.is_empty());
}

#[actix_web::test]
async fn a_deleted_endpoint_is_told_nothing() {
    let app = TestApp::start().await;
    let receiver = Receiver::answering([]).await;
    let (id, _) = endpoint(&app, &receiver, json!(["*"])).await;
    School::open(&app).await;
    let path = format!("/v1/webhook_endpoints/{id}");
    assert_eq!(
        app.delete(&path).await.body,
        json!({"deleted": true, "id": id})
    );
    assert_eq!(app.deliver().await, 0);
    assert!(receiver.messages().is_empty());
    assert_eq!(app.get(&format!("{path}/deliveries")).await.status, 404);
}

#[actix_web::test]
async fn what_a_receiver_answers_stands_with_its_delivery_alone() {
    let app = TestApp::start().await;
    for statuses in [[200, 200], [500, 200], [302, 200], [410, 410]] {
        let receiver = Receiver::saying(statuses, "root:x:0:0").await;
        let (id, _) = endpoint(&app, &receiver, json!(["ping"])).await;
        let asked = app
            .post(&format!("/v1/webhook_endpoints/{id}/test"), json!({}))
            .await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        app.deliver().await;
        assert_eq!(receiver.messages().len(), 1);
        let mut log = deliveries(&app, &id).await;
        assert_eq!(log[0]["last_status"], statuses[0], "{log:?}");
        let history = log[0].as_object_mut().unwrap().remove("history").unwrap();
        assert_eq!(history[0]["answer"], "root:x:0:0", "{history}");
        // Whoever may read webhooks here, and nobody else.
        let stranger = key(&app, &["read:courses", "read:events", "write:courses"]).await;
        let path = format!("/v1/webhook_deliveries/{}", log[0]["id"].as_str().unwrap());
        let refused = app.call(&stranger, "GET", &path, None).await;
        assert_refused(&refused, 403, "insufficient_scope", "scope");
        for told in [
            json!(log),
            app.get(&format!("/v1/webhook_endpoints/{id}")).await.body,
            json!(list(&app, "events").await),
        ] {
            assert!(!told.to_string().contains("root:"), "{told}");
        }
    }
}
