//! Reads a stranger's URL and says whether, and how far, it may be called.
//!
//! What can be known without asking anybody is decided here, on the *parsed* URL: the parser turns
//! `0x7f.1`, `2130706433` and `①②⑦.⓪.⓪.①` into the address they mean. Names are left to `resolver`,
//! which sees them at the moment of connecting.

use std::net::IpAddr;

use thiserror::Error;
use url::{Host, Url};

use crate::address::{AddressPolicy, Verdict};

/// The longest URL we take, in bytes.
const LONGEST_URL: usize = 2048;

/// Ports of web servers; others are for networks the operator named.
const WEB_PORTS: [u16; 3] = [80, 443, 8443];

/// Which addresses a name may resolve to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The public Internet and what the operator named.
    Anywhere,
    /// Only what the operator named: the scheme or the port is not for strangers.
    ListedOnly,
}

/// A URL that may be called.
#[derive(Debug, Clone)]
pub struct Target {
    /// As it was understood.
    pub url: Url,
    pub(crate) reach: Reach,
}

/// Why an address must not be called, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct AddressRefused(pub String);

/// The rules for strangers' URLs.
#[derive(Debug, Clone)]
pub(crate) struct TargetRules {
    pub(crate) what: &'static str,
    pub(crate) addresses: AddressPolicy,
    pub(crate) require_https: bool,
}

impl TargetRules {
    /// Parses and checks a URL; the same at registration and at every attempt.
    pub(crate) fn check(&self, text: &str) -> Result<Target, AddressRefused> {
        let url = parse(text)?;
        let demand = self.web_only(&url);
        let reach = match url.host() {
            Some(Host::Ipv4(v4)) => self.check_literal(IpAddr::V4(v4), demand)?,
            Some(Host::Ipv6(v6)) => self.check_literal(IpAddr::V6(v6), demand)?,
            Some(Host::Domain(name)) => self.check_name(name, demand)?,
            None => return refuse("the address has no host"),
        };
        Ok(Target { url, reach })
    }

    /// What about the URL forbids calling a stranger with it, if anything does.
    fn web_only(&self, url: &Url) -> Result<(), AddressRefused> {
        if self.require_https && url.scheme() != "https" {
            return refuse("the address must start with https://");
        }
        match url.port_or_known_default() {
            Some(port) if WEB_PORTS.contains(&port) => Ok(()),
            _ => refuse("the port must be 443, 8443 or 80"),
        }
    }

    fn check_literal(
        &self,
        address: IpAddr,
        demand: Result<(), AddressRefused>,
    ) -> Result<Reach, AddressRefused> {
        match self.addresses.judge(address) {
            Verdict::Listed => Ok(Reach::ListedOnly),
            Verdict::Public => demand.map(|()| Reach::Anywhere),
            Verdict::Refused(what) => refuse(&format!(
                "the address leads to {what}, and {} go to public addresses only",
                self.what
            )),
        }
    }

    fn check_name(
        &self,
        name: &str,
        demand: Result<(), AddressRefused>,
    ) -> Result<Reach, AddressRefused> {
        let name = name.trim_end_matches('.');
        if is_loopback_name(name) && !self.addresses.lists_loopback() {
            return refuse(&format!(
                "the address leads to this machine, and {} go to public addresses only",
                self.what
            ));
        }
        if is_inner_name(name) && !self.addresses.lists_anything() {
            return refuse(&format!(
                "the address is a name of an inner network, and {} go to public addresses only",
                self.what
            ));
        }
        match demand {
            Ok(()) => Ok(Reach::Anywhere),
            // The name may yet lead to a network the operator named; connecting will tell.
            Err(_) if self.addresses.lists_anything() => Ok(Reach::ListedOnly),
            Err(refused) => Err(refused),
        }
    }
}

fn parse(text: &str) -> Result<Url, AddressRefused> {
    if text.len() > LONGEST_URL {
        return refuse("the address is longer than 2048 bytes");
    }
    // The parser drops tabs and newlines silently; what is stored should be what is called.
    if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return refuse("the address contains spaces or control characters");
    }
    let Ok(url) = Url::parse(text) else {
        return refuse("the address is not a valid URL");
    };
    if !matches!(url.scheme(), "http" | "https") {
        return refuse("the address must start with https://");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refuse("the address must not contain a user name or password");
    }
    Ok(url)
}

/// Names every machine gives to itself (RFC 6761, and what distributions put into `/etc/hosts`).
fn is_loopback_name(name: &str) -> bool {
    matches!(
        name,
        "localhost" | "localhost.localdomain" | "ip6-localhost" | "ip6-loopback"
    ) || name.ends_with(".localhost")
}

/// Names that cannot belong to the public Internet: without a dot, or under a private-use suffix
/// (RFC 6762, RFC 8375, ICANN 2024 for `.internal`).
fn is_inner_name(name: &str) -> bool {
    !name.contains('.')
        || [".local", ".internal", ".home.arpa"]
            .iter()
            .any(|suffix| name.ends_with(suffix))
}

fn refuse<T>(sentence: &str) -> Result<T, AddressRefused> {
    Err(AddressRefused(sentence.to_owned()))
}
