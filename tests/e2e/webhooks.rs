//! Webhooks from the real server to a receiver on loopback.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use lyceum_client::{Client, wait_until};
use lyceum_domain::notifying::webhook_signature::{Received, SigningSecret, verify};
use lyceum_wire::authoring::assignments::CreateAssignment;
use lyceum_wire::authoring::courses::CreateCourse;
use lyceum_wire::grading::submissions::{ContentInput, CreateSubmission, GradeWithAi};
use lyceum_wire::identity::users::CreateUser;
use lyceum_wire::notifying::webhooks::{CreateWebhookEndpoint, WebhookEndpointView};
use serde_json::Value;
use support::binary::Launch;
use support::receiver::{Message, Receiver};
use tokio::net::TcpListener;

use crate::service::{SOON, Service};

fn service() -> Service {
    Service::start(
        Launch::new()
            .env("LYCEUM_WEBHOOK_ALLOWED_CIDRS", "127.0.0.0/8")
            .env("LYCEUM_WEBHOOK_SCHEDULE", "0,1,1,1"),
    )
}

async fn endpoint(client: &Client, url: &str) -> WebhookEndpointView {
    let endpoint = CreateWebhookEndpoint {
        url: url.to_owned(),
        enabled_events: Some(vec!["submission.graded".to_owned()]),
        ..CreateWebhookEndpoint::default()
    };
    client.webhook_endpoints().create(&endpoint).await.unwrap()
}

/// Has a submission graded and returns its id.
pub async fn graded(client: &Client) -> String {
    let course = CreateCourse {
        name: "Cooling".to_owned(),
        language: "en".to_owned(),
        ..CreateCourse::default()
    };
    let assignment = CreateAssignment {
        course_id: Some(client.courses().create(&course).await.unwrap().id),
        name: "A cooling plan".to_owned(),
        ..CreateAssignment::default()
    };
    let student = CreateUser {
        email: "student@example.org".to_owned(),
        ..CreateUser::default()
    };
    let submission = CreateSubmission {
        assignment_id: client.assignments().create(&assignment).await.unwrap().id,
        user_id: Some(client.users().create(&student).await.unwrap().id),
        content: Some(ContentInput {
            text: Some("I use shallow pans.".to_owned()),
            ..ContentInput::default()
        }),
        draft: Some(false),
        ..CreateSubmission::default()
    };
    let id = client.submissions().create(&submission).await.unwrap().id;
    client
        .submissions()
        .grade_with_ai(&id, &GradeWithAi::default())
        .await
        .unwrap();
    client.submissions().wait(&id).within(SOON).await.unwrap();
    id
}

async fn messages(receiver: &Receiver, count: usize) -> Vec<Message> {
    let look = || async { Ok(receiver.messages()) };
    wait_until(SOON, look, |seen| seen.len() >= count)
        .await
        .unwrap()
}

fn assert_signed(message: &Message, endpoint: &WebhookEndpointView) {
    let secret = SigningSecret::parse(endpoint.secret.as_deref().unwrap()).unwrap();
    let received = Received {
        id: message.header("webhook-id"),
        timestamp: message.header("webhook-timestamp"),
        signatures: message.header("webhook-signature"),
        body: &message.body,
    };
    assert_eq!(verify(&[secret], &received, now()), Ok(()));
}

/// Seconds since the epoch.
#[allow(
    clippy::disallowed_methods,
    reason = "a receiver has a clock of its own"
)]
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since.as_secs()).unwrap()
}

fn assert_same_event(first: &Message, second: &Message) {
    assert_eq!(first.header("webhook-id"), second.header("webhook-id"));
    assert_eq!(first.body, second.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_fails_once_gets_the_same_signed_event_again() {
    let service = service();
    let client = service.client();
    let receiver = Receiver::answering([500]).await;
    let endpoint = endpoint(&client, &receiver.url).await;
    let submission = graded(&client).await;
    let messages = messages(&receiver, 2).await;
    assert_same_event(&messages[0], &messages[1]);
    for message in &messages {
        assert_signed(message, &endpoint);
    }
    let event: Value = serde_json::from_slice(&messages[0].body).unwrap();
    assert_eq!(event["id"], messages[0].header("webhook-id"));
    assert_eq!(event["type"], "submission.graded");
    assert_eq!(event["data"]["object"]["id"], submission.as_str());
    let look = || {
        Box::pin(
            client
                .webhook_endpoints()
                .deliveries(&endpoint.id)
                .collect(),
        )
    };
    let settled = wait_until(SOON, look, |seen| seen[0].status != "pending")
        .await
        .unwrap();
    assert_eq!(settled.len(), 1, "{settled:?}");
    assert_eq!(
        (settled[0].status.as_str(), settled[0].attempts),
        ("delivered", 2)
    );
    assert_eq!(
        receiver.messages().len(),
        2,
        "nothing comes after it was taken"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_is_told_after_a_crash_under_the_same_id() {
    let mut service = service();
    let client = service.client();
    let receiver = Receiver::answering([500]).await;
    let endpoint = endpoint(&client, &receiver.url).await;
    graded(&client).await;
    messages(&receiver, 1).await;
    service.process.kill();
    service.process.restart();
    let messages = messages(&receiver, 2).await;
    assert_same_event(&messages[0], &messages[1]);
    assert_signed(&messages[1], &endpoint);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_never_answers_does_not_delay_another() {
    let service = service();
    let client = service.client();
    // Connections are taken by the system and answered by nobody.
    let silent = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}/hook", silent.local_addr().unwrap());
    let hanging = endpoint(&client, &url).await;
    let receiver = Receiver::answering([]).await;
    endpoint(&client, &receiver.url).await;
    let start = Instant::now();
    graded(&client).await;
    messages(&receiver, 1).await;
    // Well under the time that the other one is given to answer.
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
    let waiting = client
        .webhook_endpoints()
        .deliveries(&hanging.id)
        .collect()
        .await
        .unwrap();
    assert_eq!(waiting[0].status, "pending");
}
