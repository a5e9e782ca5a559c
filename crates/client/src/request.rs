//! One request: where it goes, what it carries, and what it wants otherwise than the client's settings say.

use std::time::Duration;

use reqwest::Method;

use crate::settings::Platform;

/// What one call wants otherwise than the client's settings say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestOptions {
    /// The key that makes repeating this write harmless; made up when absent.
    pub idempotency_key: Option<String>,
    /// How often it is sent again.
    pub max_retries: Option<u32>,
    /// The workspace it acts on.
    pub platform: Option<Platform>,
}

/// A request, ready to be sent more than once.
#[derive(Debug, Clone)]
pub struct Outgoing {
    pub method: Method,
    pub path: String,
    pub query: Vec<(String, String)>,
    pub body: Option<Vec<u8>>,
    pub if_match: Option<String>,
    /// How long one attempt may take.
    pub within: Option<Duration>,
    pub options: RequestOptions,
}
