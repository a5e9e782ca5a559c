//! The handbook's receiver does what the handbook says.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use lyceum_client::{Client, wait_until};
use lyceum_wire::authoring::courses::CreateCourse;
use lyceum_wire::notifying::webhooks::{CreateWebhookEndpoint, WebhookEndpointView};
use support::binary::Launch;

use crate::service::{SOON, Service};
use crate::webhooks::now;

const HANDBOOK: &str = include_str!("../../docs/api.md");

/// The handbook's receiver, as it stands there.
fn receiver() -> &'static str {
    let code = HANDBOOK.split("```js\n").nth(1).unwrap();
    code.split("```").next().unwrap()
}

/// A process of Node.js that is gone when dropped, and what it has printed.
struct Node {
    process: Child,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Node {
    fn run(code: &str, port: u16, secret: &str) -> Self {
        let mut process = Command::new("node")
            .args(["--input-type=module", "--eval", code])
            .env("PORT", port.to_string())
            .env("WEBHOOK_SECRET", secret)
            .stdout(Stdio::piped())
            .spawn()
            .expect("Node.js runs the handbook's receiver");
        let output = BufReader::new(process.stdout.take().unwrap());
        let lines = Arc::<Mutex<Vec<String>>>::default();
        let inbox = Arc::clone(&lines);
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let mut lines = inbox.lock().unwrap_or_else(PoisonError::into_inner);
                lines.push(line);
            }
        });
        Self { process, lines }
    }

    fn lines(&self) -> Vec<String> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.clone()
    }

    /// Waits until it has printed so many lines.
    async fn printed(&self, count: usize) -> Vec<String> {
        let look = || async { Ok(self.lines()) };
        wait_until(SOON, look, |lines| lines.len() >= count)
            .await
            .unwrap()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A port that is free now.
fn port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    listener.local_addr().unwrap().port()
}

async fn endpoint(client: &Client, port: u16) -> WebhookEndpointView {
    let endpoint = CreateWebhookEndpoint {
        url: format!("http://127.0.0.1:{port}/hook"),
        enabled_events: Some(vec!["course.*".to_owned()]),
        ..CreateWebhookEndpoint::default()
    };
    client.webhook_endpoints().create(&endpoint).await.unwrap()
}

async fn course(client: &Client) -> String {
    let course = CreateCourse {
        name: "Cooling".to_owned(),
        language: "en".to_owned(),
        ..CreateCourse::default()
    };
    client.courses().create(&course).await.unwrap().id
}

async fn all_delivered(client: &Client, endpoint: &str, count: usize) {
    let look = || Box::pin(client.webhook_endpoints().deliveries(endpoint).collect());
    let is_done = |seen: &Vec<lyceum_wire::notifying::webhooks::WebhookDeliveryView>| {
        seen.len() == count && seen.iter().all(|one| one.status == "delivered")
    };
    wait_until(SOON, look, is_done).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_handbook_s_receiver_believes_us_and_nobody_else() {
    let service = Service::start(
        Launch::new()
            .env("LYCEUM_WEBHOOK_ALLOWED_CIDRS", "127.0.0.0/8")
            .env("LYCEUM_WEBHOOK_SCHEDULE", "0,1,1,1,1,1,1,1"),
    );
    let client = service.client();
    let port = port();
    let endpoint = endpoint(&client, port).await;
    let secret = endpoint.secret.as_deref().unwrap();
    let node = Node::run(receiver(), port, secret);
    node.printed(1).await;
    client.webhook_endpoints().test(&endpoint.id).await.unwrap();
    let first = course(&client).await;
    all_delivered(&client, &endpoint.id, 2).await;

    // For a day the old secret is still good.
    client
        .webhook_endpoints()
        .rotate_secret(&endpoint.id)
        .await
        .unwrap();
    let second = course(&client).await;
    all_delivered(&client, &endpoint.id, 3).await;

    // What comes again is taken and not acted on again.
    let delivered = client
        .webhook_endpoints()
        .deliveries(&endpoint.id)
        .collect()
        .await
        .unwrap();
    client
        .webhook_deliveries()
        .redeliver(&delivered[0].id)
        .await
        .unwrap();
    all_delivered(&client, &endpoint.id, 3).await;

    let mut expected = vec![
        format!("listening on {port}"),
        format!("ping {}", endpoint.id),
        format!("course.created {first}"),
        format!("course.created {second}"),
    ];
    let mut printed = node.printed(4).await;
    expected.sort();
    printed.sort();
    assert_eq!(printed, expected);

    let forged = reqwest::Client::new()
        .post(&endpoint.url)
        .header("webhook-id", "evt_forged")
        .header("webhook-timestamp", now())
        .header("webhook-signature", "v1,AAAA")
        .body("{}");
    assert_eq!(forged.send().await.unwrap().status(), 401);
    assert_eq!(node.lines().len(), 4);
}
