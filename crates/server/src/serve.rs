//! `lyceum serve`: open, bootstrap if new, listen, work, stop cleanly.
//!
//! A stop, in this order: say so (`/readyz`, the register of nodes, `Connection: close`) and take up no more work;
//! after a pause in which a balancer notices, accept nobody; let requests end and, beside them, work; put back what did
//! not; leave.

mod draining;
mod stops;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::middleware::from_fn;
use actix_web::{App as Actix, HttpServer, web};
use anyhow::Context;
use lyceum_api::Api;
use lyceum_application::App;
use lyceum_application::node;
use lyceum_ports::nodes::NodeId;
use lyceum_store::metrics::StoreMetrics;
use lyceum_store::{DatabaseUrl, Notices};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

use crate::assemble::{Assembled, assemble_service, hold_folder, scratch_of};
use crate::backup::schedule;
use crate::membership::Membership;
use crate::settings::Settings;
use crate::tls::Certificate;
use crate::traces::Traces;
use crate::watching::Watching;
use crate::{admin, bootstrap, listener, workers};
use stops::Stops;

/// How long requests may take to end after nobody is let in any more, in seconds.
const GRACE_SECONDS: u64 = 10;
/// How long background work may take to end after a stop was asked for; what does not is put back.
const WORK_GRACE: Duration = Duration::from_secs(20);
/// How long the last words to the database may take.
const FAREWELL: Duration = Duration::from_secs(3);
/// How a process ends that is told a second time to stop: as if the signal had killed it.
const KILLED: i32 = 128 + 15;

/// A service that is running.
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    app: App,
    handle: ServerHandle,
    serving: JoinHandle<std::io::Result<()>>,
    admin: Option<ServerHandle>,
    stop: watch::Sender<bool>,
    loops: JoinSet<()>,
    /// Looks after the certificate, where there is one.
    renewing: Option<JoinHandle<std::io::Result<()>>>,
    membership: Membership,
    drain: Duration,
    scratch: PathBuf,
    traces: Traces,
    /// The thread ends with this.
    _notices: Option<Notices>,
}

/// Opens and starts a service.
///
/// # Errors
/// If something cannot be opened or the address is taken.
pub async fn start(settings: &Settings) -> anyhow::Result<Running> {
    settings.edge.refuse_readable_keys(settings.listen)?;
    settings.traces.refuse_what_is_not_built_in()?;
    let certificate = certificate(settings)?;
    // Before the address: of two services on one folder the second is told the reason that matters.
    let held = hold_folder(settings)?;
    let listener = listener::open(settings.listen)?;
    let address = listener.local_addr()?;
    let store_metrics = StoreMetrics::new()?;
    let assembled = assemble_service(settings, held, store_metrics.clone())?;
    let Assembled {
        mut app,
        bell,
        clock,
    } = assembled;
    let traces = Traces::open(&settings.traces, app.node.id)?;
    app.tracing = traces.tracing();
    let database = settings.database()?;
    // On SQLite this process is the only one.
    let is_alone = matches!(database, DatabaseUrl::Sqlite(_));
    let name = settings.node_name.clone();
    let membership = Membership::begin(&app, &clock, name, is_alone).await?;
    bootstrap::on_first_start(&app, settings.bootstrap_key()?).await?;
    let scratch = make_scratch(settings, &app).await?;
    let ring = bell.clone();
    let told = Arc::clone(&bell.to_tell);
    let notices = Notices::open(&database, app.node.id, told, move || ring.ring())?;
    let api = Api::new(app.clone(), settings.api()).map_err(anyhow::Error::msg)?;
    let api = Arc::new(api);
    let admin = settings
        .admin_addr
        .map(|address| {
            let folder = settings.data_dir.clone();
            let watching = Watching::new(Arc::clone(&api), &store_metrics, folder)?;
            admin::start(address, Arc::new(watching))
        })
        .transpose()?;
    let admin = admin.map(|(server, handle)| {
        tokio::spawn(server);
        handle
    });
    let workers = listener::workers();
    let connections = listener::connections_per_worker(settings.edge.max_connections, workers);
    let node = app.node.clone();
    let server = HttpServer::new(move || {
        let node = node.clone();
        Actix::new()
            .wrap(from_fn(lyceum_api::unread::hold))
            .wrap(from_fn(move |request, next| {
                draining::close(node.clone(), request, next)
            }))
            .configure(lyceum_console::configure)
            .configure(|config: &mut web::ServiceConfig| lyceum_api::configure(config, &api))
    })
    .workers(workers)
    .max_connections(connections)
    .client_request_timeout(Duration::from_secs(settings.edge.header_timeout.get()))
    .shutdown_timeout(GRACE_SECONDS)
    .disable_signals();
    let server = match &certificate {
        Some(certificate) => server.listen_rustls_0_23(listener, certificate.server_config()?)?,
        None => server.listen(listener)?,
    };
    let server = server.run();
    let renewing = certificate.map(|certificate| tokio::spawn(certificate.keep_fresh()));
    let (stop, stopped) = watch::channel(false);
    let mut loops = workers::start(&app, &bell, &stopped);
    if let Some(folder) = &settings.backup_dir {
        let nightly = schedule::nightly(settings.clone(), folder.clone(), stopped.clone());
        loops.spawn(nightly);
    }
    let handle = server.handle();
    let serving = tokio::spawn(server);
    tracing::info!(%address, node = %app.node.id.0, "listening");
    Ok(Running {
        address,
        app,
        handle,
        serving,
        admin,
        stop,
        loops,
        renewing,
        membership,
        drain: settings.drain(is_alone),
        scratch,
        traces,
        _notices: notices,
    })
}

/// The certificate, where the service speaks https itself.
fn certificate(settings: &Settings) -> anyhow::Result<Option<Arc<Certificate>>> {
    let opened = |(chain, key)| Certificate::open(chain, key);
    settings.edge.tls().map(opened).transpose()
}

/// Makes this process's folder for files of jobs and removes those of processes that are gone.
async fn make_scratch(settings: &Settings, app: &App) -> anyhow::Result<PathBuf> {
    let scratch = scratch_of(settings, app.node.id);
    tokio::fs::create_dir_all(&scratch)
        .await
        .context("LYCEUM_DATA_DIR: could not make the folder for temporary files")?;
    let there = node::registered_nodes(app).await?;
    let folders = there
        .iter()
        .map(|node: &NodeId| scratch_of(settings, *node));
    let kept: Vec<PathBuf> = folders.collect();
    let all = scratch.parent().map(std::fs::read_dir).transpose()?;
    for folder in all.into_iter().flatten() {
        let folder = folder?.path();
        if !kept.contains(&folder)
            && let Err(error) = std::fs::remove_dir_all(&folder)
        {
            tracing::warn!(%error, folder = %folder.display(), "what a lost process left stays");
        }
    }
    Ok(scratch)
}

impl Running {
    /// Lets requests and background work end, then stops.
    pub async fn stop(mut self) {
        self.app.node.drain();
        self.stop.send_replace(true);
        if let Some(renewing) = &self.renewing {
            renewing.abort();
        }
        self.tell_others().await;
        let requests = async {
            tokio::time::sleep(self.drain).await;
            self.handle.stop(true).await;
        };
        let working = async { while self.loops.join_next().await.is_some() {} };
        let (worked, ()) = tokio::join!(tokio::time::timeout(WORK_GRACE, working), requests);
        if worked.is_err() {
            tracing::warn!("background work did not end in time and is taken up again later");
        }
        // Whatever still runs is broken off before its leases are given back.
        self.loops.shutdown().await;
        if let Some(admin) = &self.admin {
            admin.stop(false).await;
        }
        if tokio::time::timeout(FAREWELL, self.membership.end())
            .await
            .is_err()
        {
            tracing::warn!("the database did not answer: leases are left to run out");
        }
        drop(std::fs::remove_dir_all(&self.scratch));
        if let Err(error) = self.serving.await {
            tracing::warn!(%error, "the server did not end cleanly");
        }
        self.traces.close().await;
        self.app.store.close().await;
    }

    async fn tell_others(&self) {
        if tokio::time::timeout(FAREWELL, self.membership.tell())
            .await
            .is_err()
        {
            tracing::warn!("the other nodes could not be told in time");
        }
    }
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
    #[allow(clippy::print_stdout, reason = "the operator's terminal")]
    {
        println!(
            "Lyceum is listening on {}://{}",
            settings.edge.scheme(),
            running.address
        );
    }
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
