//! How callers reach the service, and what it takes from them at once.

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use lyceum_api::BodyPatience;
use lyceum_api::edge::shares::Shares;

use lyceum_service::listener::crowd::PerAddress;
use lyceum_service::listener::patient::Patience;

/// Settings of the way in.
#[derive(Debug, Clone, Args)]
pub struct EdgeSettings {
    /// File with the certificate and its chain, PEM; with it the service speaks https, and nothing else.
    #[arg(long, env = "LYCEUM_TLS_CERT", requires = "tls_key", global = true)]
    pub tls_cert: Option<PathBuf>,

    /// File with the certificate's private key, PEM.
    #[arg(long, env = "LYCEUM_TLS_KEY", requires = "tls_cert", global = true)]
    pub tls_key: Option<PathBuf>,

    /// Serve http on an address that others can reach: something in front speaks https, or nothing needs to.
    #[arg(
        long,
        env = "LYCEUM_INSECURE_HTTP",
        default_value = "false",
        default_missing_value = "true",
        num_args = 0..=1,
        require_equals = true,
        global = true
    )]
    pub insecure_http: bool,

    /// Seconds that a connection may rest between two requests; more than the proxies before us let it.
    #[arg(long, env = "LYCEUM_KEEP_ALIVE", default_value = "75", global = true)]
    pub keep_alive: NonZeroU64,

    /// Seconds for the headers of a request to arrive.
    #[arg(
        long,
        env = "LYCEUM_HEADER_TIMEOUT",
        default_value = "10",
        global = true
    )]
    pub header_timeout: NonZeroU64,

    /// Seconds for the whole body of a request to arrive.
    #[arg(long, env = "LYCEUM_BODY_TIMEOUT", default_value = "15", global = true)]
    pub body_timeout: NonZeroU64,

    /// Seconds that a body may pause.
    #[arg(
        long,
        env = "LYCEUM_BODY_IDLE_TIMEOUT",
        default_value = "5",
        global = true
    )]
    pub body_idle_timeout: NonZeroU64,

    /// Connections at once; more wait until one is closed.
    #[arg(
        long,
        env = "LYCEUM_MAX_CONNECTIONS",
        default_value = "8192",
        global = true
    )]
    pub max_connections: NonZeroU32,

    /// Connections at once of one address, an IPv6 network of /64 being one; more are closed. When absent 1024, and any
    /// number from the machine itself and where there are trusted proxies.
    #[arg(long, env = "LYCEUM_MAX_CONNECTIONS_PER_ADDRESS", global = true)]
    pub max_connections_per_address: Option<NonZeroU32>,

    /// Seconds that a caller may keep an answer waiting, all in all; then the connection is cut.
    #[arg(long, env = "LYCEUM_SEND_TIMEOUT", default_value = "30", global = true)]
    pub send_timeout: NonZeroU64,

    /// Bytes for which such a caller gets a second back when they are read: who reads as many a second is never cut.
    #[arg(
        long,
        env = "LYCEUM_SEND_LEAST_RATE",
        default_value = "4096",
        global = true
    )]
    pub send_least_rate: NonZeroU32,

    /// MiB of large answers that may wait for their callers to read them; more are refused.
    #[arg(long, env = "LYCEUM_UNSENT_MIB", default_value = "256", global = true)]
    pub unsent_mib: NonZeroU32,

    /// Requests of one key worked on at once; more wait for those before them.
    #[arg(
        long,
        env = "LYCEUM_REQUESTS_PER_KEY",
        default_value = "64",
        global = true
    )]
    pub requests_per_key: NonZeroU32,

    /// Requests of one address worked on at once; more wait for those before them.
    #[arg(
        long,
        env = "LYCEUM_REQUESTS_PER_ADDRESS",
        default_value = "128",
        global = true
    )]
    pub requests_per_address: NonZeroU32,

    /// Requests worked on at once; more are sent away with 503.
    #[arg(
        long,
        env = "LYCEUM_MAX_REQUESTS",
        default_value = "1024",
        global = true
    )]
    pub max_requests: NonZeroU32,
}

impl EdgeSettings {
    /// The files of the certificate and its key, where the service speaks https itself.
    pub fn tls(&self) -> Option<(PathBuf, PathBuf)> {
        self.tls_cert.clone().zip(self.tls_key.clone())
    }

    /// `https` or `http`.
    pub const fn scheme(&self) -> &'static str {
        if self.tls_cert.is_some() {
            "https"
        } else {
            "http"
        }
    }

    /// How long bodies are waited for.
    pub const fn body_patience(&self) -> BodyPatience {
        BodyPatience {
            whole: Duration::from_secs(self.body_timeout.get()),
            idle: Duration::from_secs(self.body_idle_timeout.get()),
        }
    }

    /// How long answers may take to be read.
    pub const fn reader_patience(&self) -> Patience {
        Patience {
            whole: Duration::from_secs(self.send_timeout.get()),
            bytes_per_second: self.send_least_rate.get(),
        }
    }

    /// How many connections one address may have, where so many proxies stand before the service.
    pub fn per_address(&self, trusted_proxies: u8) -> PerAddress {
        match self.max_connections_per_address {
            Some(most) => PerAddress::AtMost(usize::try_from(most.get()).unwrap_or(usize::MAX)),
            None if trusted_proxies > 0 => PerAddress::Unlimited,
            None => PerAddress::Usual,
        }
    }

    /// How much one caller may have at once.
    pub fn shares(&self) -> Shares {
        const MIB: usize = 1 << 20;
        let number = |it: NonZeroU32| usize::try_from(it.get()).unwrap_or(usize::MAX);
        Shares {
            requests_per_key: number(self.requests_per_key),
            requests_per_address: number(self.requests_per_address),
            unsent_bytes: number(self.unsent_mib).saturating_mul(MIB),
        }
    }

    /// Refuses to let keys travel readably over a network, unless told to.
    ///
    /// # Errors
    /// Naming the three ways out.
    pub fn refuse_readable_keys(&self, listen: SocketAddr) -> anyhow::Result<()> {
        let is_local = listen.ip().to_canonical().is_loopback();
        if is_local || self.tls_cert.is_some() || self.insecure_http {
            return Ok(());
        }
        bail!(
            "LYCEUM_LISTEN: {listen} can be reached from other machines, and without TLS everybody on the way \
             reads the keys. Either give a certificate (LYCEUM_TLS_CERT and LYCEUM_TLS_KEY), or listen on \
             127.0.0.1 behind a proxy that has one, or, where the network in between is yours alone (a container \
             behind its proxy), say so with LYCEUM_INSECURE_HTTP=true"
        )
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        edge: EdgeSettings,
    }

    fn edge(flags: &[&str]) -> Result<EdgeSettings, clap::Error> {
        let arguments = ["lyceum"].iter().chain(flags);
        Command::try_parse_from(arguments).map(|command| command.edge)
    }

    fn is_refused(flags: &[&str], listen: &str) -> bool {
        let edge = edge(flags).unwrap();
        edge.refuse_readable_keys(listen.parse().unwrap()).is_err()
    }

    #[test]
    fn keys_do_not_travel_readably_unless_someone_says_so() {
        for public in [
            "0.0.0.0:80",
            "[::]:80",
            "192.0.2.1:80",
            "[::ffff:192.0.2.1]:80",
        ] {
            assert!(is_refused(&[], public), "{public}");
            assert!(is_refused(&["--insecure-http=false"], public), "{public}");
            assert!(!is_refused(&["--insecure-http"], public), "{public}");
            let with_tls = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];
            assert!(!is_refused(&with_tls, public), "{public}");
        }
        for local in [
            "127.0.0.1:80",
            "127.8.0.1:80",
            "[::1]:80",
            "[::ffff:127.0.0.1]:80",
        ] {
            assert!(!is_refused(&[], local), "{local}");
        }
    }

    #[test]
    fn a_certificate_and_its_key_come_together() {
        assert!(edge(&["--tls-cert", "cert.pem"]).is_err());
        assert!(edge(&["--tls-key", "key.pem"]).is_err());
        let both = edge(&["--tls-cert", "cert.pem", "--tls-key", "key.pem"]).unwrap();
        assert_eq!((both.scheme(), both.tls().is_some()), ("https", true));
        assert_eq!(edge(&[]).unwrap().scheme(), "http");
    }
}
