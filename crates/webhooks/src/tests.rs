//! The client against receivers on loopback, and the guard against everything that is not outside.

mod deliveries;
mod environment;
mod receiver;
mod spellings;

use std::time::Duration;

use lyceum_domain::notifying::deliveries::DeliveryOutcome;
use lyceum_ports::notifying::webhook_sink::WebhookMessage;

use crate::{WebhookClient, WebhookSettings};

/// The published example of Standard Webhooks.
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const SENT_AT: i64 = 1_614_265_330;
const BODY: &[u8] = br#"{"test": 2432232314}"#;
const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

/// Settings that let tests reach receivers on loopback, with deadlines no healthy test meets.
fn settings(allowed: &[&str]) -> WebhookSettings {
    WebhookSettings {
        allowed_cidrs: allowed.iter().map(|cidr| cidr.parse().unwrap()).collect(),
        ..WebhookSettings::default()
    }
}

fn client(allowed: &[&str]) -> WebhookClient {
    WebhookClient::new(settings(allowed))
}

/// A client for loopback that loses patience soon.
fn impatient() -> WebhookClient {
    WebhookClient::new(WebhookSettings {
        timeout: Duration::from_millis(300),
        ..settings(&["127.0.0.0/8"])
    })
}

fn message(url: &str) -> WebhookMessage {
    WebhookMessage {
        url: url.to_owned(),
        id: ID.to_owned(),
        timestamp: SENT_AT,
        trace: None,
        body: BODY.to_vec(),
        secrets: vec![SECRET.to_owned()],
    }
}

#[track_caller]
fn reason(outcome: DeliveryOutcome) -> String {
    let DeliveryOutcome::Failed { reason } = outcome else {
        panic!("expected a failure, got {outcome:?}");
    };
    reason
}
