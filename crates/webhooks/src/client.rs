//! One attempt at delivering one message.

use std::time::Duration;

use async_trait::async_trait;
use ipnet::IpNet;
use lyceum_domain::notifying::deliveries::{Answer, DeliveryOutcome, Header};
use lyceum_domain::notifying::webhook_signature::{
    self as signature, SignatureError, SigningSecret,
};
use lyceum_outbound::resolver::{Lookup, system_lookup};
use lyceum_outbound::{Guard, GuardSettings, SetupError, Target};
use lyceum_ports::notifying::webhook_sink::{AddressRefused, WebhookMessage, WebhookSink};
use reqwest::Response;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use thiserror::Error;
use tokio::time::Instant;

use crate::{reasons, retry_after};

/// How much of an answer's body is read before hanging up, in bytes.
const MOST_BODY_BYTES: usize = 64 * 1024;
/// How much of it is handed on, in bytes: more than is kept, so that a secret at the cut is still seen whole. As much of all
/// headers.
const HANDED_ON_BYTES: usize = 4 * 1024;

/// How webhooks are sent.
#[derive(Debug, Clone)]
pub struct WebhookSettings {
    /// Networks that may be called although they are not of the public Internet, with any port and
    /// by plain http too. Exactly these; a cloud's metadata service never is.
    pub allowed_cidrs: Vec<IpNet>,
    /// Refuse plain http outside `allowed_cidrs`.
    pub require_https: bool,
    /// The one deadline for an attempt, from looking up the name to the last byte.
    pub timeout: Duration,
    /// How much of it may pass before the connection stands.
    pub connect_timeout: Duration,
}

impl Default for WebhookSettings {
    /// https to the public Internet, 15 s for everything, 5 s for connecting.
    fn default() -> Self {
        Self {
            allowed_cidrs: Vec::new(),
            require_https: true,
            timeout: Duration::from_secs(15),
            connect_timeout: Duration::from_secs(5),
        }
    }
}

/// Sends signed messages to receivers outside our own network.
pub struct WebhookClient {
    guard: Guard,
    timeout: Duration,
}

impl WebhookClient {
    /// Makes a client; see [`Guard::new`].
    pub fn new(settings: WebhookSettings) -> Self {
        Self::with_lookup(settings, &system_lookup())
    }

    pub(crate) fn with_lookup(settings: WebhookSettings, lookup: &Lookup) -> Self {
        let guard = GuardSettings {
            what: "webhooks",
            user_agent: concat!("Lyceum-Webhooks/", env!("CARGO_PKG_VERSION")),
            allowed_cidrs: settings.allowed_cidrs,
            require_https: settings.require_https,
            connect_timeout: settings.connect_timeout,
        };
        Self {
            guard: Guard::with_lookup(guard, lookup),
            timeout: settings.timeout,
        }
    }

    async fn attempt(&self, message: WebhookMessage) -> Result<DeliveryOutcome, Failure> {
        let target = self.guard.check(&message.url)?;
        let signature = sign(&message)?;
        let sent_at = message.timestamp;
        let start = Instant::now();
        let exchange = self.exchange(target, message, signature);
        let answer = tokio::time::timeout(self.timeout, exchange)
            .await
            .map_err(|_| Failure::TooSlow(self.timeout))??;
        Ok(answer.outcome(start.elapsed(), sent_at))
    }

    async fn exchange(
        &self,
        target: Target,
        message: WebhookMessage,
        signature: String,
    ) -> Result<Heard, Failure> {
        let client = self.guard.client(&target)?;
        let mut request = client
            .post(target.url)
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", &message.id)
            .header("webhook-timestamp", message.timestamp)
            .header("webhook-signature", signature);
        if let Some(place) = message.trace {
            request = request.header("traceparent", place.to_string());
        }
        let response = request
            .body(message.body)
            .send()
            .await
            .map_err(|error| Failure::on_the_wire(error, &message.id))?;
        Heard::read(response)
            .await
            .map_err(|error| Failure::on_the_wire(error, &message.id))
    }
}

#[async_trait]
impl WebhookSink for WebhookClient {
    fn vet(&self, url: &str) -> Result<(), AddressRefused> {
        let checked = self.guard.check(url);
        checked
            .map(drop)
            .map_err(|refused| AddressRefused(refused.0))
    }

    async fn deliver(&self, message: WebhookMessage) -> DeliveryOutcome {
        self.attempt(message)
            .await
            .unwrap_or_else(|failure| DeliveryOutcome::Failed {
                reason: failure.to_string(),
            })
    }
}

/// What of an answer matters.
struct Heard {
    status: reqwest::StatusCode,
    headers: Vec<Header>,
    retry_after: Option<String>,
    /// How the body begins.
    start: Vec<u8>,
}

impl Heard {
    /// Reads the answer to its end, or to where its body gets too long.
    async fn read(mut response: Response) -> Result<Self, reqwest::Error> {
        let mut answer = Self {
            start: Vec::new(),
            status: response.status(),
            headers: headers_of(&response),
            retry_after: response
                .headers()
                .get(RETRY_AFTER)
                .and_then(|value| value.to_str().ok())
                .map(str::to_owned),
        };
        let mut read = 0;
        while read < MOST_BODY_BYTES {
            match response.chunk().await? {
                Some(chunk) => {
                    read += chunk.len();
                    let room = HANDED_ON_BYTES.saturating_sub(answer.start.len());
                    answer.start.extend(chunk.iter().take(room));
                }
                None => break,
            }
        }
        Ok(answer)
    }

    fn outcome(&self, took: Duration, sent_at: i64) -> DeliveryOutcome {
        let status = self.status.as_u16();
        let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let answer = Answer {
            headers: self.headers.clone(),
            body: String::from_utf8_lossy(&self.start).into_owned(),
        };
        if self.status.is_success() {
            return DeliveryOutcome::Delivered {
                status,
                duration_ms,
                answer,
            };
        }
        let now = sent_at.saturating_add_unsigned(took.as_secs());
        DeliveryOutcome::Refused {
            status,
            retry_after_seconds: self
                .retry_after
                .as_deref()
                .and_then(|value| retry_after::seconds(value, now)),
            duration_ms,
            answer,
        }
    }
}

/// As many headers as are handed on.
fn headers_of(response: &Response) -> Vec<Header> {
    let mut room = HANDED_ON_BYTES;
    let headers = response.headers().iter().filter_map(|(name, value)| {
        room = room.checked_sub(name.as_str().len() + value.len())?;
        Some(Header {
            name: name.as_str().to_owned(),
            value: String::from_utf8_lossy(value.as_bytes()).into_owned(),
        })
    });
    headers.collect()
}

/// Why there is no answer; the words are for the owner of the endpoint.
#[derive(Debug, Error)]
enum Failure {
    #[error(transparent)]
    Address(#[from] lyceum_outbound::AddressRefused),
    #[error("the message could not be signed: {0}")]
    Signature(#[from] SignatureError),
    #[error("the receiver did not finish its answer within {0:?}")]
    TooSlow(Duration),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error("{0}")]
    Wire(&'static str),
}

impl Failure {
    fn on_the_wire(error: reqwest::Error, id: &str) -> Self {
        let reason = reasons::sentence(&error);
        // The URL may carry the receiver's token.
        let error = error.without_url();
        tracing::debug!(webhook_id = id, ?error, "webhook attempt failed: {reason}");
        Self::Wire(reason)
    }
}

fn sign(message: &WebhookMessage) -> Result<String, SignatureError> {
    let secrets = message
        .secrets
        .iter()
        .map(|text| SigningSecret::parse(text))
        .collect::<Result<Vec<_>, _>>()?;
    signature::sign(&secrets, &message.id, message.timestamp, &message.body)
}
