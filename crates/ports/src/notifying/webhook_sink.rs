//! Sending one signed message to one address.

use async_trait::async_trait;
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

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryOutcome {
    /// A 2xx in time.
    Delivered {
        /// The receiver's status.
        status: u16,
        /// From connecting to the last byte, in milliseconds.
        duration_ms: u64,
        /// How the body of the answer begins, read as UTF-8.
        answer: String,
    },
    /// An answer that is not a 2xx; a redirect counts as one and is not followed.
    Refused {
        /// The receiver's status.
        status: u16,
        /// `Retry-After` in seconds, if the receiver asked for one.
        retry_after_seconds: Option<u64>,
        /// From connecting to the last byte, in milliseconds.
        duration_ms: u64,
        /// How the body of the answer begins, read as UTF-8.
        answer: String,
    },
    /// No answer: refused, timed out, cut, or an address that must not be called.
    Failed {
        /// One sentence without addresses of our own network.
        reason: String,
    },
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
