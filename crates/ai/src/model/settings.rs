//! How to reach an `OpenAI`-compatible server.
//!
//! Values only; where they come from is the binary's business.

use std::fmt;
use std::time::Duration;

use thiserror::Error;
use url::Url;

/// How to reach a server that speaks the `OpenAI` chat completions API.
#[derive(Clone, PartialEq, Eq)]
pub struct OpenAiSettings {
    /// Where the API starts, such as `https://api.openai.com/v1`; a query is kept.
    pub base_url: Url,
    /// Sent as a bearer token; local servers often need none.
    pub api_key: Option<String>,
    /// The model used when nobody asks for one.
    pub model: String,
    /// Longest wait for a whole answer when grading.
    pub grading_timeout: Duration,
    /// Longest wait for a whole answer when drafting a syllabus.
    pub syllabus_timeout: Duration,
    /// Longest wait of a learner who asks the tutor, over all tries.
    pub tutor_timeout: Duration,
    /// Longest wait for a connection.
    pub connect_timeout: Duration,
    /// How often one call is tried in all; at least 1.
    pub max_attempts: usize,
    /// Pause before the second try, unless the server names one; doubles from then on.
    pub first_pause: Duration,
}

impl OpenAiSettings {
    /// The usual timeouts and tries: 120 s for grading, 300 s for a syllabus, 50 s for the tutor, 5 s to connect, 3 tries.
    pub fn new(base_url: Url, api_key: Option<String>, model: impl Into<String>) -> Self {
        Self {
            base_url,
            api_key: api_key.filter(|key| !key.trim().is_empty()),
            model: model.into(),
            grading_timeout: Duration::from_mins(2),
            syllabus_timeout: Duration::from_mins(5),
            tutor_timeout: Duration::from_secs(50),
            connect_timeout: Duration::from_secs(5),
            max_attempts: 3,
            first_pause: Duration::from_millis(500),
        }
    }
}

impl fmt::Debug for OpenAiSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiSettings")
            .field("base_url", &self.base_url.host_str())
            .field("api_key", &self.api_key.as_ref().map(|_| "…"))
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

/// Settings that no provider can be made from.
#[derive(Debug, Error)]
pub enum SetupError {
    /// Not an address of an HTTP API.
    #[error("the base URL of the AI provider must be an http or https address")]
    BaseUrl,
    /// A key that cannot be sent.
    #[error("the API key of the AI provider contains characters that cannot be sent")]
    ApiKey,
    /// No model was named.
    #[error("the AI provider needs the name of a model")]
    Model,
    /// The HTTP client could not be made.
    #[error("the HTTP client for the AI provider could not be made")]
    Client(#[source] reqwest::Error),
}
