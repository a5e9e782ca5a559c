//! `lyceum serve`: open, bootstrap if new, listen, work, stop cleanly.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::middleware::from_fn;
use actix_web::{App as Actix, HttpServer, web};
use lyceum_api::Api;
use tokio::sync::watch;

use crate::assemble::{Assembled, assemble};
use crate::backup::schedule;
use crate::settings::Settings;
use crate::tls::Certificate;
use crate::{admin, bootstrap, listener, workers};

/// How long requests may take to end after a stop was asked for, in seconds.
const GRACE_SECONDS: u64 = 10;
/// How long background work may take to end; what does not is taken up again at the next start.
const WORK_GRACE: Duration = Duration::from_secs(20);

/// A service that is running.
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    handle: ServerHandle,
    serving: tokio::task::JoinHandle<std::io::Result<()>>,
    admin: Option<ServerHandle>,
    stop: watch::Sender<bool>,
    loops: tokio::task::JoinSet<()>,
    /// Looks after the certificate, where there is one.
    renewing: Option<tokio::task::JoinHandle<std::io::Result<()>>>,
}

/// Opens and starts a service.
///
/// # Errors
/// If something cannot be opened or the address is taken.
pub async fn start(settings: &Settings) -> anyhow::Result<Running> {
    settings.edge.refuse_readable_keys(settings.listen)?;
    let certificate = certificate(settings)?;
    let listener = listener::open(settings.listen)?;
    let address = listener.local_addr()?;
    let Assembled { app, bell } = assemble(settings)?;
    bootstrap::on_first_start(&app, settings.bootstrap_key()?).await?;
    lyceum_application::work::take_up_again(&app, is_single_node(settings)?).await?;
    let api = Api::new(app.clone(), settings.api()).map_err(anyhow::Error::msg)?;
    let api = Arc::new(api);
    let admin = settings
        .admin_addr
        .map(|address| admin::start(address, Arc::clone(&api)))
        .transpose()?;
    let admin = admin.map(|(server, handle)| {
        tokio::spawn(server);
        handle
    });
    let workers = listener::workers();
    let connections = listener::connections_per_worker(settings.edge.max_connections, workers);
    let server = HttpServer::new(move || {
        Actix::new()
            .wrap(from_fn(lyceum_api::unread::hold))
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
    tracing::info!(%address, "listening");
    Ok(Running {
        address,
        handle,
        serving,
        admin,
        stop,
        loops,
        renewing,
    })
}

/// The certificate, where the service speaks https itself.
fn certificate(settings: &Settings) -> anyhow::Result<Option<Arc<Certificate>>> {
    let opened = |(chain, key)| Certificate::open(chain, key);
    settings.edge.tls().map(opened).transpose()
}

/// On SQLite this process is the only one, so leases it finds are those of a process that is gone.
fn is_single_node(settings: &Settings) -> anyhow::Result<bool> {
    Ok(matches!(
        settings.database()?,
        lyceum_store::DatabaseUrl::Sqlite(_)
    ))
}

impl Running {
    /// Lets requests and background work end, then stops.
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        self.handle.stop(true).await;
        if let Some(renewing) = &self.renewing {
            renewing.abort();
        }
        if let Some(admin) = &self.admin {
            admin.stop(false).await;
        }
        let working = async { while self.loops.join_next().await.is_some() {} };
        if tokio::time::timeout(WORK_GRACE, working).await.is_err() {
            tracing::warn!("background work did not end in time and is taken up again later");
        }
        if let Err(error) = self.serving.await {
            tracing::warn!(%error, "the server did not end cleanly");
        }
    }
}

/// Serves until SIGTERM or SIGINT.
///
/// # Errors
/// Those of [`start`].
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let running = start(settings).await?;
    #[allow(clippy::print_stdout, reason = "the operator's terminal")]
    {
        println!(
            "Lyceum is listening on {}://{}",
            settings.edge.scheme(),
            running.address
        );
    }
    asked_to_stop().await?;
    tracing::info!("stopping");
    running.stop().await;
    Ok(())
}

async fn asked_to_stop() -> anyhow::Result<()> {
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => Ok(interrupted?),
        _ = terminate.recv() => Ok(()),
    }
}
