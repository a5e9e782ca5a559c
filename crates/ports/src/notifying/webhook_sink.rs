//! Sending one signed message to one address.

use async_trait::async_trait;
use lyceum_domain::notifying::deliveries::DeliveryOutcome;
use thiserror::Error;

use crate::traces::TraceParent;

/// One attempt at delivering one event.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookMessage {
    /// Where to.
    pub url: String,
    /// `webhook-id`: the event's id, the same at every attempt.
    pub id: String,
    /// `webhook-timestamp`: seconds since the epoch, fresh for every attempt.
    pub timestamp: i64,
    /// `traceparent`: where in a trace the attempt is; not signed.
    pub trace: Option<TraceParent>,
    /// The bytes to send; what is sent is what is signed.
    pub body: Vec<u8>,
    /// The endpoint's secrets (`whsec_…`), newest first; each gives one signature.
    pub secrets: Vec<String>,
}

/// Why an address may not be registered.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct AddressRefused(pub String);

/// Delivers signed messages (Standard Webhooks 1.0).
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait WebhookSink: Send + Sync {
    /// Checks an address at registration: scheme, no credentials, no literal address of a private range.
    ///
    /// # Errors
    /// [`AddressRefused`] with a sentence for the person who typed the address.
    fn vet(&self, url: &str) -> Result<(), AddressRefused>;

    /// One attempt. Never fails: every ending is an outcome.
    async fn deliver(&self, message: WebhookMessage) -> DeliveryOutcome;
}
