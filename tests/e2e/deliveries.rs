//! Deliveries to receivers that are slow, dead or cut off, from the real process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::join_all;
use lyceum_client::{Client, wait_until};
use lyceum_wire::authoring::courses::CreateCourse;
use lyceum_wire::notifying::webhooks::CreateWebhookEndpoint;
use support::binary::Launch;
use support::receiver::{Message, Receiver};
use support::stores::Database;
use tokio::net::TcpListener;

use crate::service::{SOON, Service, place};

/// Courses made, each an event for every endpoint.
const EVENTS: usize = 40;
const GOOD: usize = 9;

fn launch(database: Database) -> Launch {
    let launch = Launch::new()
        .env("LYCEUM_NODE_NAME", "sender")
        .env("LYCEUM_WEBHOOK_ALLOWED_CIDRS", "127.0.0.0/8")
        .env("LYCEUM_WEBHOOK_SCHEDULE", "0,1,1,1,1,1");
    place(launch, database)
}

async fn subscribe(client: &Client, url: &str) {
    let endpoint = CreateWebhookEndpoint {
        url: url.to_owned(),
        enabled_events: Some(vec!["course.created".to_owned()]),
        ..CreateWebhookEndpoint::default()
    };
    client.webhook_endpoints().create(&endpoint).await.unwrap();
}

async fn make_course(client: &Client, n: usize) {
    let course = CreateCourse {
        name: format!("Course {n}"),
        language: "en".to_owned(),
        ..CreateCourse::default()
    };
    client.courses().create(&course).await.unwrap();
}

async fn received(receiver: &Receiver, count: usize) -> Vec<Message> {
    let look = || async { Ok(receiver.messages()) };
    wait_until(SOON, look, |seen| seen.len() >= count)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_never_answers_keeps_no_other_waiting() {
    // Whoever connects waits in the backlog, for ever.
    let dead = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let dead_url = format!("http://{}/hook", dead.local_addr().unwrap());
    for database in [Database::Sqlite, Database::Postgres] {
        let service = Service::start(launch(database));
        let client = service.client();
        subscribe(&client, &dead_url).await;
        let mut good = Vec::new();
        for _ in 0..GOOD {
            let receiver = Receiver::answering([]).await;
            subscribe(&client, &receiver.url).await;
            good.push(receiver);
        }
        for n in 0..EVENTS {
            make_course(&client, n).await;
        }
        // More wait for the dead one than there is room for deliveries in all, were it not for its share.
        let all = join_all(good.iter().map(|receiver| received(receiver, EVENTS))).await;
        for messages in all {
            assert_eq!(messages.len(), EVENTS, "{database:?}: each of them once");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_again_after_a_crash_is_the_same_to_the_byte() {
    for database in [Database::Sqlite, Database::Postgres] {
        let answers = Arc::new(AtomicBool::new(false));
        let receiver = Receiver::answering_when(Arc::clone(&answers)).await;
        let mut service = Service::start(launch(database));
        let client = service.client();
        subscribe(&client, &receiver.url).await;
        make_course(&client, 1).await;
        received(&receiver, 1).await;
        service.process.kill();
        answers.store(true, Ordering::SeqCst);
        service.process.restart();
        let messages = received(&receiver, 2).await;
        let (first, second) = (&messages[0], &messages[1]);
        assert_eq!(first.body, second.body, "{database:?}");
        assert_eq!(first.header("webhook-id"), second.header("webhook-id"));
        assert!(!first.header("webhook-id").is_empty());
    }
}
