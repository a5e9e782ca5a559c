//! The clients that may leave, and which of them takes which address.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use ipnet::IpNet;
use reqwest::{Client, ClientBuilder};
use thiserror::Error;

use crate::address::AddressPolicy;
use crate::resolver::{GuardedResolver, Lookup, system_lookup};
use crate::target::{AddressRefused, Reach, Target, TargetRules};

/// How requests go out.
#[derive(Debug, Clone)]
pub struct GuardSettings {
    /// What goes out, in a word for sentences: `webhooks`.
    pub what: &'static str,
    /// How the requests introduce themselves.
    pub user_agent: &'static str,
    /// Networks that may be called although they are not of the public Internet, with any port and
    /// by plain http too. Exactly these; a cloud's metadata service never is.
    pub allowed_cidrs: Vec<IpNet>,
    /// Refuse plain http outside `allowed_cidrs`.
    pub require_https: bool,
    /// How long it may take until a connection stands.
    pub connect_timeout: Duration,
}

/// Why no client could be made.
#[derive(Debug, Error)]
#[error("the client for requests to the outside could not be set up")]
pub struct SetupError(#[source] reqwest::Error);

/// Clients that reach only what they may.
pub struct Guard {
    rules: TargetRules,
    settings: GuardSettings,
    // A resolver sees names, never URLs, so how far a URL reaches is told by which client takes it.
    anywhere: Outlet,
    listed_only: Outlet,
}

/// A client that is made when something first leaves by it: it reads every certificate authority that this machine
/// knows, which no start should wait for.
struct Outlet {
    resolver: GuardedResolver,
    client: OnceLock<Client>,
}

impl Outlet {
    fn client(&self, settings: &GuardSettings) -> Result<&Client, SetupError> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let client = build(&self.resolver, settings)?;
        Ok(self.client.get_or_init(|| client))
    }
}

impl Guard {
    /// With these rules; nothing is sent, read or looked up yet.
    pub fn new(settings: GuardSettings) -> Self {
        Self::with_lookup(settings, &system_lookup())
    }

    /// The same, with names looked up another way: for tests of names that change their addresses.
    pub fn with_lookup(settings: GuardSettings, lookup: &Lookup) -> Self {
        let addresses = AddressPolicy::new(settings.allowed_cidrs.clone());
        let shared = Arc::new(addresses.clone());
        let outlet = |reach| Outlet {
            resolver: GuardedResolver::new(Arc::clone(lookup), Arc::clone(&shared), reach),
            client: OnceLock::new(),
        };
        Self {
            anywhere: outlet(Reach::Anywhere),
            listed_only: outlet(Reach::ListedOnly),
            rules: TargetRules {
                what: settings.what,
                addresses,
                require_https: settings.require_https,
            },
            settings,
        }
    }

    /// Parses and checks a URL; what a name leads to is checked again at every connection.
    ///
    /// # Errors
    /// [`AddressRefused`]
    pub fn check(&self, url: &str) -> Result<Target, AddressRefused> {
        self.rules.check(url)
    }

    /// The client for a checked address, and for no other. On a machine without certificate authorities there is one
    /// all the same: plain http works, https fails attempt by attempt, and a warning says so once.
    ///
    /// The first one installs rustls' ring provider for the process unless one is installed already.
    ///
    /// # Errors
    /// [`SetupError`] if TLS cannot be set up at all.
    pub fn client(&self, target: &Target) -> Result<&Client, SetupError> {
        let outlet = match target.reach {
            Reach::Anywhere => &self.anywhere,
            Reach::ListedOnly => &self.listed_only,
        };
        outlet.client(&self.settings)
    }
}

fn build(resolver: &GuardedResolver, settings: &GuardSettings) -> Result<Client, SetupError> {
    // Without a provider the first client panics; a second installation is no harm.
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    let with_system_roots = hardened(resolver, settings).build();
    with_system_roots
        .or_else(|error| {
            let what = settings.what;
            tracing::warn!(
                ?error,
                "no certificate authorities: {what} by https will fail"
            );
            hardened(resolver, settings)
                .tls_certs_only(std::iter::empty())
                .build()
        })
        .map_err(SetupError)
}

/// Every line closes a way around the guard or a way to hold us; features that other crates switch
/// on in the shared HTTP library are switched off by name.
fn hardened(resolver: &GuardedResolver, settings: &GuardSettings) -> ClientBuilder {
    Client::builder()
        .user_agent(settings.user_agent)
        .dns_resolver(resolver.clone())
        .no_hickory_dns()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .retry(reqwest::retry::never())
        .connect_timeout(settings.connect_timeout)
        .pool_max_idle_per_host(0)
        .http1_only()
        .no_gzip()
        .no_brotli()
        .no_zstd()
        .no_deflate()
}
