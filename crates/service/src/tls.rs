//! TLS of the service's own: a certificate from two files, read again when they change.
//!
//! TLS 1.2 and 1.3 by rustls with ring. HTTP/1.1 only: whoever wants HTTP/2 has a proxy for it, and we do not have
//! its ways to be worn out.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use anyhow::Context;
use rustls::ServerConfig;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::signal::unix::{SignalKind, signal};

/// How often the files are looked at: renewals come weeks before a certificate ends.
const LOOKED_AT_EVERY: Duration = Duration::from_mins(1);

/// A certificate that is served, and where it comes from.
#[derive(Debug)]
pub struct Certificate {
    chain_file: PathBuf,
    key_file: PathBuf,
    provider: Arc<CryptoProvider>,
    served: RwLock<Served>,
}

#[derive(Debug, Clone)]
struct Served {
    chain: Vec<u8>,
    certified: Arc<CertifiedKey>,
}

impl Certificate {
    /// Reads the certificate with its chain, and its key.
    ///
    /// # Errors
    /// If one of the files cannot be read, is none, or they do not belong together.
    pub fn open(chain_file: PathBuf, key_file: PathBuf) -> anyhow::Result<Arc<Self>> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let served = RwLock::new(read(&chain_file, &key_file, &provider)?);
        Ok(Arc::new(Self {
            chain_file,
            key_file,
            provider,
            served,
        }))
    }

    /// What a listener speaks with it.
    ///
    /// # Errors
    /// If the cryptography of this build has no TLS 1.2 and 1.3; a fault of the build.
    pub fn server_config(self: &Arc<Self>) -> anyhow::Result<ServerConfig> {
        let config = ServerConfig::builder_with_provider(Arc::clone(&self.provider));
        let config = config.with_safe_default_protocol_versions()?;
        let resolver: Arc<dyn ResolvesServerCert> = Arc::<Self>::clone(self);
        let mut config = config.with_no_client_auth().with_cert_resolver(resolver);
        // Said, because whoever hears nothing may guess.
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(config)
    }

    /// Reads the files again; whether they have changed.
    ///
    /// # Errors
    /// Those of [`Certificate::open`]; then what was served is served on.
    pub fn renew(&self) -> anyhow::Result<bool> {
        let found = read(&self.chain_file, &self.key_file, &self.provider)?;
        let mut served = self.served.write().unwrap_or_else(PoisonError::into_inner);
        let has_changed = served.chain != found.chain;
        *served = found;
        Ok(has_changed)
    }

    /// Renews it for ever: on SIGHUP, and when the files change.
    ///
    /// # Errors
    /// If the signal cannot be listened to.
    pub async fn keep_fresh(self: Arc<Self>) -> std::io::Result<()> {
        let mut asked = signal(SignalKind::hangup())?;
        let mut looked = tokio::time::interval(LOOKED_AT_EVERY);
        // The first tick comes at once.
        looked.tick().await;
        loop {
            tokio::select! {
                _ = asked.recv() => {}
                _ = looked.tick() => {}
            }
            let certificate = Arc::clone(&self);
            let renewed = tokio::task::spawn_blocking(move || certificate.renew()).await;
            match renewed {
                Ok(Ok(true)) => tracing::info!("the TLS certificate was renewed"),
                Ok(Ok(false)) => {}
                Ok(Err(error)) => {
                    tracing::warn!(
                        error = format!("{error:#}"),
                        "the TLS certificate was not renewed"
                    );
                }
                Err(error) => tracing::warn!(%error, "the TLS certificate was not renewed"),
            }
        }
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let served = self.served.read().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(&served.certified))
    }
}

fn read(chain_file: &Path, key_file: &Path, provider: &CryptoProvider) -> anyhow::Result<Served> {
    let bytes =
        |file: &Path| fs::read(file).with_context(|| format!("could not read {}", file.display()));
    let chain = bytes(chain_file).context("LYCEUM_TLS_CERT")?;
    let certificates: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(&chain)
        .collect::<Result<_, _>>()
        .with_context(|| format!("LYCEUM_TLS_CERT: {} is not PEM", chain_file.display()))?;
    let key = bytes(key_file).context("LYCEUM_TLS_KEY")?;
    let key = PrivateKeyDer::from_pem_slice(&key)
        .with_context(|| format!("LYCEUM_TLS_KEY: {} holds no key in PEM", key_file.display()))?;
    let certified = CertifiedKey::from_der(certificates, key, provider).with_context(|| {
        let (chain, key) = (chain_file.display(), key_file.display());
        format!("LYCEUM_TLS_CERT and LYCEUM_TLS_KEY: {chain} and {key} do not belong together")
    })?;
    Ok(Served {
        chain,
        certified: Arc::new(certified),
    })
}
