//! What the edge has at hand for every request: the application, what the operator decided, and what is counted. It knows no
//! route, so that every handler may know it.

use std::num::NonZeroU32;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use actix_web::web::Bytes;
use lyceum_application::App;
use serde_json::Value;

use crate::document::schemas::Schemas;
use crate::edge::concurrency::ConcurrencyLimit;
use crate::edge::rate_limit::{Limiter, RateLimits};
use crate::edge::shares::{Shared, Shares};
use crate::http::response::Origins;
use crate::identity::key_uses::KeyUses;
use crate::running::metrics::Metrics;

/// What an operator decides about the edge.
#[derive(Debug, Clone)]
pub struct ApiSettings {
    /// Which origins may read answers.
    pub origins: Origins,
    /// How much callers may ask for; as much as they like when absent.
    pub rate_limits: Option<RateLimits>,
    /// How many proxies stand before this service and tell whom they talk to, where `rate_limits` do not say.
    pub trusted_proxies: u8,
    /// How long bodies are waited for.
    pub body_patience: BodyPatience,
    /// How many requests are worked on at once.
    pub max_requests: NonZeroU32,
    /// How much of everything one caller may have; as much as they like when absent.
    pub shares: Option<Shares>,
    /// Whether callers reach this process itself by https, and shall never come by http again.
    pub is_secure: bool,
}

/// How long a body may take to arrive: longer, and its sender is told so and hung up on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyPatience {
    /// From its first byte to its last.
    pub whole: Duration,
    /// From one piece of it to the next.
    pub idle: Duration,
}

impl Default for BodyPatience {
    fn default() -> Self {
        Self {
            whole: Duration::from_secs(15),
            idle: Duration::from_secs(5),
        }
    }
}

/// How many requests are worked on at once where nothing else is said.
pub const MAX_REQUESTS: NonZeroU32 = NonZeroU32::MIN.saturating_add(1023);

/// How many files are taken in at once: each takes room in a folder of ours until it is stored.
const UPLOADS: NonZeroU32 = NonZeroU32::MIN.saturating_add(31);

impl Default for ApiSettings {
    /// Every origin, no limits, by http.
    fn default() -> Self {
        Self {
            origins: Origins::All,
            rate_limits: None,
            trusted_proxies: 0,
            body_patience: BodyPatience::default(),
            max_requests: MAX_REQUESTS,
            shares: None,
            is_secure: false,
        }
    }
}

impl ApiSettings {
    /// How many proxies tell whom they talk to: the same for whatever is decided by an address.
    pub fn proxies(&self) -> u8 {
        let limits = self.rate_limits.as_ref();
        limits.map_or(self.trusted_proxies, |limits| limits.trusted_proxies)
    }
}

/// The application and what the edge needs beside it.
pub struct Api {
    /// The application.
    pub app: App,
    /// What the operator decided.
    pub settings: ApiSettings,
    /// Validators of bodies.
    pub schemas: Arc<Schemas>,
    /// What has been answered.
    pub metrics: Metrics,
    /// Who has asked for how much.
    pub limiter: Limiter,
    /// Where requests are worked on.
    pub concurrency: ConcurrencyLimit,
    /// Where files are taken in.
    pub uploads: ConcurrencyLimit,
    /// Which keys' use is being noted.
    pub key_uses: KeyUses,
    /// Who has how much of what all share.
    pub shared: Shared,
    /// Makes the OpenAPI document.
    describe: fn() -> Result<Value, String>,
    /// The OpenAPI document, made when it is asked for first.
    document: OnceLock<Result<Bytes, String>>,
}

impl Api {
    /// With nothing counted yet; `describe` makes the OpenAPI document.
    pub(crate) fn of(
        app: App,
        settings: ApiSettings,
        describe: fn() -> Result<Value, String>,
    ) -> Result<Self, String> {
        let metrics = Metrics::new().map_err(|error| error.to_string())?;
        let shared = Shared::new(
            settings.shares,
            settings.proxies(),
            &metrics.waiting,
            &metrics.unsent,
        );
        Ok(Self {
            app,
            shared,
            limiter: Limiter::new(settings.rate_limits.as_ref()),
            concurrency: ConcurrencyLimit::new(settings.max_requests),
            uploads: ConcurrencyLimit::new(UPLOADS),
            key_uses: KeyUses::default(),
            settings,
            schemas: Arc::default(),
            describe,
            document: OnceLock::new(),
            metrics,
        })
    }

    /// The OpenAPI document. The first time it takes as long as many requests.
    ///
    /// # Errors
    /// A sentence about what cannot be described; a fault of this build.
    pub fn document(&self) -> Result<Bytes, String> {
        let made = self.document.get_or_init(|| {
            let document = (self.describe)()?;
            Ok(Bytes::from(document.to_string()))
        });
        made.clone()
    }
}
