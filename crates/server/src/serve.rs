//! `lyceum serve`: open, bootstrap if new, listen, work, stop cleanly.
//!
//! A stop, in this order: say so (`/readyz`, the register of nodes, `Connection: close`) and take up no more work;
//! after a pause in which a balancer notices, accept nobody; let requests end and, beside them, work; put back what did
//! not; leave.

mod draining;
mod stops;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::middleware::from_fn;
use actix_web::{App as Actix, web};
use lyceum_store::DatabaseUrl;
use lyceum_store::running::metrics::StoreMetrics;
use tokio::task::JoinHandle;

use crate::assemble::{assemble_service, hold_folder};
use crate::backup::schedule;
use crate::embedded::Embedded;
use crate::listener::crowd::Crowd;
use crate::listener::http::Manners;
use crate::say;
use crate::settings::Settings;
use crate::tls::Certificate;
use crate::watching::Watching;
use crate::{admin, bootstrap, listener, page_checks};
use stops::Stops;

/// How long requests may take to end after nobody is let in any more, in seconds.
const GRACE_SECONDS: u64 = 10;
/// How a process ends that is told a second time to stop: as if the signal had killed it.
const KILLED: i32 = 128 + 15;

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

/// Opens and starts a service.
///
/// # Errors
/// If something cannot be opened or the address is taken.
pub async fn start(settings: &Settings) -> anyhow::Result<Running> {
    settings.edge.refuse_readable_keys(settings.listen)?;
    settings.check()?;
    let certificate = certificate(settings)?;
    // Before the address: of two services on one folder the second is told the reason that matters.
    let held = hold_folder(settings)?;
    let listener = listener::open(settings.listen)?;
    let address = listener.local_addr()?;
    let store_metrics = StoreMetrics::new()?;
    let assembled = assemble_service(settings, held, store_metrics.clone())?;
    let telemetry = assembled.telemetry.clone();
    settings.spending.announce(&settings.ai);
    let mut inner = Embedded::begin(settings, assembled).await?;
    if let Some(made) = &inner.first {
        bootstrap::show_first(made, settings.bootstrap_api_key.is_some());
    }
    let api = Arc::clone(&inner.api);
    let crowd = Arc::new(Crowd::new(settings.per_address())?);
    let admin = settings
        .admin_addr
        .map(|address| {
            let folder = settings.data_dir.clone();
            let all = [
                telemetry.collectors(),
                store_metrics.collectors(),
                crowd.collectors(),
            ];
            let counted = all.into_iter().flatten().collect();
            let watching = Watching::new(Arc::clone(&api), counted, folder)?;
            admin::start(address, Arc::new(watching))
        })
        .transpose()?;
    let admin = admin.map(|(server, handle)| {
        tokio::spawn(server);
        handle
    });
    let workers = listener::workers();
    let manners = Manners {
        workers,
        connections_per_worker: listener::connections_per_worker(
            settings.edge.max_connections,
            workers,
        ),
        keep_alive: Duration::from_secs(settings.edge.keep_alive.get()),
        header_timeout: Duration::from_secs(settings.edge.header_timeout.get()),
        patience: settings.edge.reader_patience(),
        grace_seconds: GRACE_SECONDS,
    };
    let node = inner.app.node.clone();
    let app = move || {
        let node = node.clone();
        Actix::new()
            .wrap(from_fn(lyceum_api::edge::unread::hold))
            .wrap(from_fn(move |request, next| {
                draining::close(node.clone(), request, next)
            }))
            .configure(lyceum_console::configure)
            .configure(|config: &mut web::ServiceConfig| lyceum_api::configure(config, &api))
    };
    let tls = certificate
        .as_ref()
        .map(crate::tls::Certificate::server_config)
        .transpose()?;
    let server = listener::http::serve(listener, &manners, &crowd, tls, app)?;
    let renewing = certificate.map(|certificate| tokio::spawn(certificate.keep_fresh()));
    if let Some(folder) = &settings.backup_dir {
        let (settings, folder) = (settings.clone(), folder.clone());
        inner.also_until_stopped(|stopped| schedule::nightly(settings, folder, stopped));
    }
    if let url @ DatabaseUrl::Sqlite(_) = settings.database()? {
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
        drain: settings.drain(inner.is_alone),
        inner,
        handle,
        serving,
        admin,
        renewing,
    })
}

/// The certificate, where the service speaks https itself.
fn certificate(settings: &Settings) -> anyhow::Result<Option<Arc<Certificate>>> {
    let opened = |(chain, key)| Certificate::open(chain, key);
    settings.edge.tls().map(opened).transpose()
}

impl Running {
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

/// Where it listens, and what is there for a browser.
fn addresses(scheme: &str, address: SocketAddr) -> String {
    format!(
        "Lyceum is listening on {scheme}://{address}\n\
         \x20 console    {scheme}://{address}/console\n\
         \x20 reference  {scheme}://{address}/docs\n\
         \x20 health     {scheme}://{address}/readyz"
    )
}

/// Serves until SIGTERM or SIGINT; the second of them ends the process at once.
///
/// # Errors
/// Those of [`start`].
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let mut stops = Stops::listen()?;
    let (handle, own) = (tokio::runtime::Handle::current(), settings.clone());
    // On a thread of its own, because bringing a database up to date waits for it without letting go: a stop that is
    // asked for meanwhile ends the process, and the database takes back what was half done.
    let starting = tokio::task::spawn_blocking(move || handle.block_on(start(&own)));
    let running = tokio::select! {
        running = starting => running??,
        () = stops.next() => {
            tracing::info!("stopped before it served");
            return Ok(());
        }
    };
    say::in_passing(&addresses(settings.edge.scheme(), running.address));
    stops.next().await;
    tracing::info!("stopping");
    tokio::select! {
        () = running.stop() => Ok(()),
        () = stops.next() => {
            tracing::warn!("told a second time to stop: stopping at once");
            std::process::exit(KILLED);
        }
    }
}
