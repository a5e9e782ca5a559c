//! How a client is set up.

use std::fmt;
use std::time::Duration;

/// The workspace that requests act on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Platform {
    /// By its slug.
    Code(String),
    /// By its 24 hexadecimal digits.
    Uuid(String),
    /// Not chosen: enough for account-level requests only.
    #[default]
    None,
}

impl Platform {
    /// The header that names it.
    pub(crate) fn header(&self) -> Option<(&'static str, &str)> {
        match self {
            Self::Code(code) => Some(("x-learning-platform-code", code)),
            Self::Uuid(uuid) => Some(("x-learning-platform-uuid", uuid)),
            Self::None => None,
        }
    }
}

/// How a client is set up.
#[derive(Clone)]
pub struct ClientSettings {
    /// The service's address, such as `https://lyceum.example.org`.
    pub base_url: String,
    /// The key that says who is calling.
    pub api_key: String,
    /// The workspace that requests act on.
    pub platform: Platform,
    /// How often a request that failed in passing is sent again.
    pub max_retries: u32,
    /// How long one attempt may take.
    pub timeout: Duration,
}

impl ClientSettings {
    /// No platform, two retries, 30 seconds per attempt.
    pub fn new(base_url: impl Into<String>, api_key: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            api_key: api_key.into(),
            platform: Platform::None,
            max_retries: 2,
            timeout: Duration::from_secs(30),
        }
    }
}

impl fmt::Debug for ClientSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The key is a secret and stays out of logs.
        f.debug_struct("ClientSettings")
            .field("base_url", &self.base_url)
            .field("platform", &self.platform)
            .field("max_retries", &self.max_retries)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
