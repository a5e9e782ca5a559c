//! How to reach a server with language models, and what the operator allows.
//!
//! Values only; where they come from is the binary's business.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use lyceum_domain::money::MicroUsd;
use thiserror::Error;
use url::Url;

use crate::prices::Price;
use crate::profiles::{Profile, Structured};

/// How to reach a server with language models.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerSettings {
    /// What kind of server it is.
    pub profile: Profile,
    /// Where the API starts, such as `https://api.openai.com/v1`; a query is kept.
    pub base_url: Url,
    /// Its key; local servers often need none.
    pub api_key: Option<String>,
    /// The model used when nobody asks for one.
    pub model: String,
    /// The models that may be asked besides it; empty means any.
    pub models: Vec<String>,
    /// How answers are given a shape; found out where absent.
    pub structured: Option<Structured>,
    /// What models cost, by name; unknown for all others.
    pub prices: BTreeMap<String, Price>,
    /// Most tokens, read and written, of one request; what would be more is not sent.
    pub context_tokens: Option<u64>,
    /// How many requests are sent at once; at least 1.
    pub concurrency: usize,
    /// Longest wait for a whole answer when grading.
    pub grading_timeout: Duration,
    /// Longest wait for a whole answer when drafting.
    pub drafting_timeout: Duration,
    /// Longest wait of a caller who is there until the answer comes, over all tries: a learner who asks the tutor, or an author who tries
    /// a rubric.
    pub tutor_timeout: Duration,
    /// Longest wait for a connection.
    pub connect_timeout: Duration,
    /// How often one call is tried in all; at least 1.
    pub max_attempts: usize,
    /// Pause before the second try, unless the server names one; doubles from then on.
    pub first_pause: Duration,
    /// When a failing server is left alone, and for how long.
    pub breaker: BreakerSettings,
    /// Who speaks scripts; nobody where absent.
    pub speech: Option<SpeechSettings>,
}

/// A server that turns text into speech, by `OpenAI`'s protocol.
#[derive(Clone, PartialEq, Eq)]
pub struct SpeechSettings {
    /// Where the API starts.
    pub base_url: Url,
    /// Its key.
    pub api_key: Option<String>,
    /// The model.
    pub model: String,
    /// Names of voices, one per speaker; at least one. A speaker without one shares.
    pub voices: Vec<String>,
    /// What a million characters cost, where that is known.
    pub price: Option<MicroUsd>,
    /// Longest wait for one text.
    pub timeout: Duration,
}

/// When a breaker opens, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakerSettings {
    /// Failures that open it.
    pub failures: usize,
    /// Within this time, and without a success between them.
    pub within: Duration,
    /// How long it stays open.
    pub open_for: Duration,
}

impl Default for BreakerSettings {
    /// Five failures within 60 s, open for 60 s.
    fn default() -> Self {
        Self {
            failures: 5,
            within: Duration::from_mins(1),
            open_for: Duration::from_mins(1),
        }
    }
}

impl ServerSettings {
    /// The usual timeouts and tries: 120 s for grading, 300 s for drafting, 50 s for the tutor, 5 s to connect,
    /// 3 tries.
    pub fn new(
        profile: Profile,
        base_url: Url,
        api_key: Option<String>,
        model: impl Into<String>,
    ) -> Self {
        Self {
            profile,
            base_url,
            api_key: api_key.filter(|key| !key.trim().is_empty()),
            model: model.into(),
            models: Vec::new(),
            structured: None,
            prices: BTreeMap::new(),
            context_tokens: None,
            concurrency: profile.usual_concurrency(),
            grading_timeout: Duration::from_mins(2),
            drafting_timeout: Duration::from_mins(5),
            tutor_timeout: Duration::from_secs(50),
            connect_timeout: Duration::from_secs(5),
            max_attempts: 3,
            first_pause: Duration::from_millis(500),
            breaker: BreakerSettings::default(),
            speech: None,
        }
    }

    /// Whether a model may be asked.
    pub(crate) fn allows(&self, model: &str) -> bool {
        let listed = || self.models.iter().any(|listed| listed == model);
        self.models.is_empty() || model == self.model || listed()
    }
}

impl SpeechSettings {
    /// Voices and timeout as usual: `alloy` and `onyx`, 180 s.
    pub fn new(base_url: Url, api_key: Option<String>, model: impl Into<String>) -> Self {
        Self {
            base_url,
            api_key: api_key.filter(|key| !key.trim().is_empty()),
            model: model.into(),
            voices: vec!["alloy".to_owned(), "onyx".to_owned()],
            price: None,
            timeout: Duration::from_mins(3),
        }
    }
}

impl fmt::Debug for ServerSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerSettings")
            .field("profile", &self.profile)
            .field("base_url", &self.base_url.host_str())
            .field("api_key", &self.api_key.as_ref().map(|_| "…"))
            .field("model", &self.model)
            .field("speech", &self.speech)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for SpeechSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SpeechSettings")
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
    /// No voice was named.
    #[error("speech needs a model and the name of at least one voice")]
    Voice,
    /// The HTTP client could not be made.
    #[error("the HTTP client for the AI provider could not be made")]
    Client(#[source] reqwest::Error),
}
