//! One attempt at delivering one message.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use ipnet::IpNet;
use lyceum_ports::webhook_sink::{AddressRefused, DeliveryOutcome, WebhookMessage, WebhookSink};
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, ClientBuilder, Response};
use thiserror::Error;
use tokio::time::Instant;

use crate::address::AddressPolicy;
use crate::resolver::{GuardedResolver, Lookup, system_lookup};
use crate::signature::{self, SignatureError, SigningSecret};
use crate::target::{Reach, Target, TargetRules};
use crate::{reasons, retry_after};

/// How much of an answer's body is read before hanging up, in bytes. Nothing of it is kept.
const MOST_BODY_BYTES: usize = 64 * 1024;

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

/// Why no client could be made.
#[derive(Debug, Error)]
#[error("the client for webhooks could not be set up")]
pub struct SetupError(#[source] reqwest::Error);

/// Sends signed messages to receivers outside our own network.
pub struct WebhookClient {
    rules: TargetRules,
    timeout: Duration,
    // A resolver sees names, never URLs, so how far a URL reaches is told by which client takes it.
    anywhere: Client,
    listed_only: Client,
}

impl WebhookClient {
    /// Makes a client. On a machine without certificate authorities it is made all the same: plain
    /// http works, https fails attempt by attempt, and a warning says so once.
    ///
    /// Installs rustls' ring provider for the process unless one is installed already.
    ///
    /// # Errors
    /// [`SetupError`] if TLS cannot be set up at all.
    pub fn new(settings: WebhookSettings) -> Result<Self, SetupError> {
        Self::with_lookup(settings, &system_lookup())
    }

    pub(crate) fn with_lookup(
        settings: WebhookSettings,
        lookup: &Lookup,
    ) -> Result<Self, SetupError> {
        // Without a provider the first client panics; a second installation is no harm.
        rustls::crypto::ring::default_provider()
            .install_default()
            .ok();
        let addresses = AddressPolicy::new(settings.allowed_cidrs);
        let shared = Arc::new(addresses.clone());
        let client = |reach| {
            let resolver = GuardedResolver::new(Arc::clone(lookup), Arc::clone(&shared), reach);
            build(&resolver, settings.connect_timeout)
        };
        Ok(Self {
            anywhere: client(Reach::Anywhere)?,
            listed_only: client(Reach::ListedOnly)?,
            timeout: settings.timeout,
            rules: TargetRules {
                addresses,
                require_https: settings.require_https,
            },
        })
    }

    async fn attempt(&self, message: WebhookMessage) -> Result<DeliveryOutcome, Failure> {
        let target = self.rules.check(&message.url)?;
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
    ) -> Result<Answer, Failure> {
        let client = match target.reach {
            Reach::Anywhere => &self.anywhere,
            Reach::ListedOnly => &self.listed_only,
        };
        let response = client
            .post(target.url)
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", &message.id)
            .header("webhook-timestamp", message.timestamp)
            .header("webhook-signature", signature)
            .body(message.body)
            .send()
            .await
            .map_err(|error| Failure::on_the_wire(error, &message.id))?;
        Answer::read(response)
            .await
            .map_err(|error| Failure::on_the_wire(error, &message.id))
    }
}

#[async_trait]
impl WebhookSink for WebhookClient {
    fn vet(&self, url: &str) -> Result<(), AddressRefused> {
        self.rules.check(url).map(|_| ())
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
struct Answer {
    status: reqwest::StatusCode,
    retry_after: Option<String>,
}

impl Answer {
    /// Reads the answer to its end, or to where its body gets too long.
    async fn read(mut response: Response) -> Result<Self, reqwest::Error> {
        let answer = Self {
            status: response.status(),
            retry_after: response
                .headers()
                .get(RETRY_AFTER)
                .and_then(|value| value.to_str().ok())
                .map(str::to_owned),
        };
        let mut read = 0;
        while read < MOST_BODY_BYTES {
            match response.chunk().await? {
                Some(chunk) => read += chunk.len(),
                None => break,
            }
        }
        Ok(answer)
    }

    fn outcome(&self, took: Duration, sent_at: i64) -> DeliveryOutcome {
        let status = self.status.as_u16();
        let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        if self.status.is_success() {
            return DeliveryOutcome::Delivered {
                status,
                duration_ms,
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
        }
    }
}

/// Why there is no answer; the words are for the owner of the endpoint.
#[derive(Debug, Error)]
enum Failure {
    #[error(transparent)]
    Address(#[from] AddressRefused),
    #[error("the message could not be signed: {0}")]
    Signature(#[from] SignatureError),
    #[error("the receiver did not finish its answer within {0:?}")]
    TooSlow(Duration),
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

fn build(resolver: &GuardedResolver, connect_timeout: Duration) -> Result<Client, SetupError> {
    let with_system_roots = hardened(resolver, connect_timeout).build();
    with_system_roots
        .or_else(|error| {
            tracing::warn!(
                ?error,
                "no certificate authorities: https webhooks will fail"
            );
            hardened(resolver, connect_timeout)
                .tls_certs_only(std::iter::empty())
                .build()
        })
        .map_err(SetupError)
}

/// Every line closes a way around the guard or a way to hold us; features that other crates switch
/// on in the shared HTTP library are switched off by name.
fn hardened(resolver: &GuardedResolver, connect_timeout: Duration) -> ClientBuilder {
    Client::builder()
        .user_agent(concat!("Lyceum-Webhooks/", env!("CARGO_PKG_VERSION")))
        .dns_resolver(resolver.clone())
        .no_hickory_dns()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .retry(reqwest::retry::never())
        .connect_timeout(connect_timeout)
        .pool_max_idle_per_host(0)
        .http1_only()
        .no_gzip()
        .no_brotli()
        .no_zstd()
        .no_deflate()
}
