//! A service with its listener: open, bootstrap if new, listen, work, stop cleanly.
//!
//! A stop, in this order: say so (`/readyz`, the register of nodes, `Connection: close`) and take up no more work;
//! after a pause in which a balancer notices, accept nobody; let requests end and, beside them, work; put back what did
//! not; leave.

mod draining;

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::middleware::from_fn;
use actix_web::{App as Actix, web};
use lyceum_application::identity::bootstrap::Bootstrapped;
use lyceum_store::DatabaseUrl;
use lyceum_store::running::metrics::StoreMetrics;
use prometheus::core::Collector;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::assemble::{assemble_service, hold_folder};
use crate::embedded::Embedded;
use crate::listener::crowd::{Crowd, PerAddress};
use crate::listener::http::Manners;
use crate::listener::patient::Patience;
use crate::settings::Settings;
use crate::tls::Certificate;
use crate::watching::Watching;
use crate::{admin, listener, page_checks};

/// How long requests may take to end after nobody is let in any more, in seconds.
const GRACE_SECONDS: u64 = 10;
/// Connections at once, where nothing else is said.
const CONNECTIONS: NonZeroU32 = NonZeroU32::MIN.saturating_add(8_191);

/// Where callers come in, and how they are treated there.
#[derive(Debug, Clone)]
pub struct ListenerSettings {
    /// Address to listen on.
    pub address: SocketAddr,
    /// Address for metrics and health, apart from the callers' one; not served when absent.
    pub admin_address: Option<SocketAddr>,
    /// Files of the certificate with its chain and of its private key, PEM; with them it speaks https, and nothing else.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// Connections at once; more wait until one is closed.
    pub connections: NonZeroU32,
    /// Connections at once of one address.
    pub per_address: PerAddress,
    /// How long a connection may rest between two requests.
    pub keep_alive: Duration,
    /// How long the headers of a request may take.
    pub header_timeout: Duration,
    /// How long answers may take to be read.
    pub patience: Patience,
    /// How long a stopping node goes on letting callers in; 2 s on PostgreSQL, where others go on, and none on SQLite
    /// when absent.
    pub drain: Option<Duration>,
}

impl ListenerSettings {
    /// What is usual, at this address.
    pub const fn new(address: SocketAddr) -> Self {
        Self {
            address,
            admin_address: None,
            certificate: None,
            connections: CONNECTIONS,
            per_address: PerAddress::Usual,
            keep_alive: Duration::from_secs(75),
            header_timeout: Duration::from_secs(10),
            patience: Patience {
                whole: Duration::from_secs(30),
                bytes_per_second: 4_096,
            },
            drain: None,
        }
    }
}

/// A service that is running.
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    inner: Embedded,
    handle: ServerHandle,
    serving: JoinHandle<std::io::Result<()>>,
    admin: Option<ServerHandle>,
    /// Looks after the certificate, where there is one.
    renewing: Option<JoinHandle<std::io::Result<()>>>,
    drain: Duration,
}

/// Opens and starts a service, with these pages before its routes, which are told the origin of the bucket where one hands
/// files out itself; `show_first` hears what a first start made, before
/// anything can fail: nobody can see the key again.
///
/// # Errors
/// If something cannot be opened or the address is taken.
pub async fn start(
    settings: &Settings,
    listens: &ListenerSettings,
    pages: fn(&mut web::ServiceConfig, Option<&str>),
    show_first: impl FnOnce(&Bootstrapped),
) -> anyhow::Result<Running> {
    settings.check()?;
    let opened = |(chain, key)| Certificate::open(chain, key);
    let certificate = listens.certificate.clone().map(opened).transpose()?;
    // Before the address: of two services on one folder the second is told the reason that matters.
    let held = hold_folder(&settings.storage)?;
    let listener = listener::open(listens.address)?;
    let address = listener.local_addr()?;
    let store_metrics = StoreMetrics::new()?;
    let assembled = assemble_service(settings, held, store_metrics.clone())?;
    let telemetry = assembled.telemetry.clone();
    let mut inner = Embedded::begin(settings, assembled).await?;
    if let Some(made) = &inner.first {
        show_first(made);
    }
    let crowd = Arc::new(Crowd::new(listens.per_address)?);
    let counted = [
        telemetry.collectors(),
        store_metrics.collectors(),
        crowd.collectors(),
    ];
    let admin = admin(settings, listens, &inner, counted.into_iter().flatten())?;
    let tls = certificate
        .as_ref()
        .map(Certificate::server_config)
        .transpose()?;
    let (api, node) = (Arc::clone(&inner.api), inner.app.node.clone());
    let bucket = inner.app.blobs.presigned_origin();
    let app = move || {
        let node = node.clone();
        Actix::new()
            .wrap(from_fn(lyceum_api::edge::unread::hold))
            .wrap(from_fn(move |request, next| {
                draining::close(node.clone(), request, next)
            }))
            .configure(|config: &mut web::ServiceConfig| pages(config, bucket.as_deref()))
            .configure(|config: &mut web::ServiceConfig| lyceum_api::configure(config, &api))
    };
    let server = listener::http::serve(listener, &manners(listens), &crowd, tls, app)?;
    let renewing = certificate.map(|certificate| tokio::spawn(certificate.keep_fresh()));
    if let url @ DatabaseUrl::Sqlite(_) = settings.storage.database() {
        let app = inner.app.clone();
        inner.also_until_stopped(|stopped| {
            page_checks::daily(app, url, page_checks::Schedule::default(), stopped)
        });
    }
    let handle = server.handle();
    let serving = tokio::spawn(server);
    tracing::info!(%address, node = %inner.app.node.id.0, "listening");
    Ok(Running {
        address,
        drain: drain(listens, inner.is_alone),
        inner,
        handle,
        serving,
        admin,
        renewing,
    })
}

/// How callers are served, by as many threads as the machine has room for.
fn manners(listens: &ListenerSettings) -> Manners {
    let workers = listener::workers();
    Manners {
        workers,
        connections_per_worker: listener::connections_per_worker(listens.connections, workers),
        keep_alive: listens.keep_alive,
        header_timeout: listens.header_timeout,
        patience: listens.patience,
        grace_seconds: GRACE_SECONDS,
    }
}

/// How long a stopping node goes on letting callers in.
fn drain(listens: &ListenerSettings, is_alone: bool) -> Duration {
    let usually = if is_alone { 0 } else { 2 };
    listens.drain.unwrap_or(Duration::from_secs(usually))
}

/// Serves metrics and health at the operator's own address, where there is one.
fn admin(
    settings: &Settings,
    listens: &ListenerSettings,
    inner: &Embedded,
    counted: impl Iterator<Item = Box<dyn Collector>>,
) -> anyhow::Result<Option<ServerHandle>> {
    let Some(address) = listens.admin_address else {
        return Ok(None);
    };
    let (api, folder) = (Arc::clone(&inner.api), settings.storage.data_dir.clone());
    let watching = Watching::new(api, counted.collect(), folder)?;
    let (server, handle) = admin::start(address, Arc::new(watching))?;
    tokio::spawn(server);
    Ok(Some(handle))
}

impl Running {
    /// Runs something beside the service, which ends when it is told of the stop.
    pub fn also_until_stopped<F>(&mut self, work: impl FnOnce(watch::Receiver<bool>) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.inner.also_until_stopped(work);
    }

    /// Lets requests and background work end, then stops.
    pub async fn stop(mut self) {
        if let Some(renewing) = &self.renewing {
            renewing.abort();
        }
        self.inner.announce_stop().await;
        let requests = async {
            tokio::time::sleep(self.drain).await;
            self.handle.stop(true).await;
        };
        tokio::join!(self.inner.end_work(), requests);
        if let Some(admin) = &self.admin {
            admin.stop(false).await;
        }
        let app = self.inner.leave().await;
        if let Err(error) = self.serving.await {
            tracing::warn!(%error, "the server did not end cleanly");
        }
        app.store.close().await;
    }
}
