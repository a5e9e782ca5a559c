//! `lyceum serve`: what was decided, a service, and being asked to stop.

mod stops;

use std::net::SocketAddr;

use lyceum_service::serve::{self, Running};

use crate::backup::schedule;
use crate::bootstrap;
use crate::settings::Settings;
use lyceum_terminal::say;
use stops::Stops;

/// How a process ends that is told a second time to stop: as if the signal had killed it.
const KILLED: i32 = 128 + 15;

async fn start(settings: &Settings) -> anyhow::Result<Running> {
    settings.edge.refuse_readable_keys(settings.listen)?;
    let decided = settings.decided()?;
    settings.usual_budget()?.announce();
    let is_key_given = settings.bootstrap_api_key.is_some();
    let public_url = decided.public_url.clone();
    let show_first = |made: &_| bootstrap::show_first(made, is_key_given, &public_url);
    let listener = settings.listener();
    let pages = |config: &mut _, bucket: Option<&str>| {
        lyceum_guides::configure(config);
        lyceum_console::configure(config, bucket);
    };
    let mut running = serve::start(&decided, &listener, pages, show_first).await?;
    if let Some(folder) = &settings.backup_dir {
        let (storage, folder) = (decided.storage, folder.clone());
        running.also_until_stopped(|stopped| schedule::nightly(storage, folder, stopped));
    }
    Ok(running)
}

/// Where it listens, and what is there for a browser.
fn addresses(scheme: &str, address: SocketAddr) -> String {
    format!(
        "Lyceum is listening on {scheme}://{address}\n\
         \x20 studio     {scheme}://{address}/studio\n\
         \x20 reference  {scheme}://{address}/docs\n\
         \x20 handbook   {scheme}://{address}/docs/guides\n\
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
