//! Resolves strangers' names, and keeps the addresses that must not be called from the connector.
//!
//! The check sits inside the resolver the connection itself uses, so there is no second lookup for a
//! rebinding name to answer differently. The connector does not ask a resolver about IP literals;
//! those are `target`'s.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use thiserror::Error;

use crate::address::{AddressPolicy, Verdict};
use crate::target::Reach;

/// What asking for a name's addresses yields.
pub type Found = Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>>;

/// How names are looked up; the system's way, except in tests of rebinding names.
pub type Lookup = Arc<dyn Fn(String) -> Found + Send + Sync>;

/// Why a name led nowhere.
#[derive(Debug, Error)]
pub enum ResolveError {
    /// The name has no address, or nobody could be asked.
    #[error("the name could not be resolved")]
    Unresolved(#[source] io::Error),
    /// Every address it has must not be called.
    #[error("the name leads only to addresses that must not be called")]
    Refused,
}

/// Resolves names to those of their addresses that may be called.
#[derive(Clone)]
pub(crate) struct GuardedResolver {
    lookup: Lookup,
    addresses: Arc<AddressPolicy>,
    reach: Reach,
}

impl GuardedResolver {
    pub(crate) fn new(lookup: Lookup, addresses: Arc<AddressPolicy>, reach: Reach) -> Self {
        Self {
            lookup,
            addresses,
            reach,
        }
    }

    fn keep(&self, found: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, ResolveError> {
        let kept: Vec<_> = found
            .into_iter()
            .filter(|at| match self.addresses.judge(at.ip()) {
                Verdict::Listed => true,
                Verdict::Public => self.reach == Reach::Anywhere,
                Verdict::Refused(_) => false,
            })
            .collect();
        if kept.is_empty() {
            Err(ResolveError::Refused)
        } else {
            Ok(kept)
        }
    }
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.clone();
        let found = (self.lookup)(name.as_str().to_owned());
        Box::pin(async move {
            let found = found.await.map_err(ResolveError::Unresolved)?;
            let addresses: Addrs = Box::new(resolver.keep(found)?.into_iter());
            Ok(addresses)
        })
    }
}

/// Asks the operating system. Port 0 lets the connector put in the URL's.
pub fn system_lookup() -> Lookup {
    Arc::new(|name| {
        Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.collect()) })
    })
}
