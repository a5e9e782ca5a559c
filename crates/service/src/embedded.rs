//! The service without a listener of its own: what serves beside other things in somebody else's process.
//!
//! A listener, with a certificate and pages around it, makes a server of it ([`crate::serve`]).

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use lyceum_api::{Api, ApiSettings};
use lyceum_application::App;
use lyceum_application::identity::bootstrap::Bootstrapped;
use lyceum_application::running::node;
use lyceum_ports::running::nodes::NodeId;
use lyceum_store::running::metrics::StoreMetrics;
use lyceum_store::{DatabaseUrl, Notices};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::assemble::{Assembled, assemble_service, hold_folder, scratch_of};
use crate::membership::Membership;
use crate::settings::Settings;
use crate::storage::Storage;
use crate::traces::Traces;
use crate::{file_store, first_start, workers};

/// How long background work may take to end after a stop was asked for; what does not is put back.
const WORK_GRACE: Duration = Duration::from_secs(20);
/// How long the last words to the database may take.
const FAREWELL: Duration = Duration::from_secs(3);
/// Everything of a service but its listener: the application, its routes, its workers, its place among other nodes.
pub struct Embedded {
    /// The application: use cases run on it.
    pub app: App,
    /// Its routes, with what they count: for `lyceum_api::configure`.
    pub api: Arc<Api>,
    /// Owner, workspace and key, if this start made them: nobody can see the key again.
    pub first: Option<Bootstrapped>,
    pub(crate) is_alone: bool,
    stop: watch::Sender<bool>,
    loops: JoinSet<()>,
    membership: Membership,
    scratch: PathBuf,
    traces: Traces,
    /// The thread ends with this.
    _notices: Option<Notices>,
}

impl Embedded {
    /// Opens what the settings name and starts the workers; `adapt` may put adapters of one's own in the places of ours
    /// before anything runs. It needs a runtime of tokio, and a SQLite file for itself.
    ///
    /// # Errors
    /// If something cannot be opened.
    pub async fn start(settings: &Settings, adapt: impl FnOnce(&mut App)) -> anyhow::Result<Self> {
        settings.check()?;
        let held = hold_folder(&settings.storage)?;
        let mut assembled = assemble_service(settings, held, StoreMetrics::new()?)?;
        adapt(&mut assembled.app);
        Self::begin(settings, assembled).await
    }

    /// Joins the other nodes, makes the first workspace where there is none, and starts the workers.
    pub(crate) async fn begin(settings: &Settings, assembled: Assembled) -> anyhow::Result<Self> {
        let Assembled {
            mut app,
            bell,
            clock,
            telemetry: _,
        } = assembled;
        file_store::hold(&settings.storage).await?;
        let traces = Traces::open(settings.traces.as_ref(), app.node.id)?;
        if let Some(tracing) = traces.tracing() {
            app.tracing = tracing;
        }
        let database = settings.storage.database();
        // On SQLite this process is the only one.
        let is_alone = matches!(database, DatabaseUrl::Sqlite(_));
        let name = settings.node_name.clone();
        let membership = Membership::begin(&app, &clock, name, is_alone).await?;
        let scratch = make_scratch(&settings.storage, &app).await?;
        let ring = bell.clone();
        let told = Arc::clone(&bell.to_tell);
        let notices = Notices::open(&database, app.node.id, told, move || ring.ring())?;
        let api =
            Api::new(app.clone(), api_settings(settings, is_alone)).map_err(anyhow::Error::msg)?;
        // Rows of bulk writes are written by the way of single requests, which the edge knows.
        app.rows.clone_from(&api.app.rows);
        // Nothing fails after this: the key that it may make is shown once.
        let first = first_start::run(&app, settings.bootstrap_key.clone()).await?;
        let (stop, stopped) = watch::channel(false);
        Ok(Self {
            loops: workers::start(&app, &bell, &stopped),
            app,
            api: Arc::new(api),
            first,
            is_alone,
            stop,
            membership,
            scratch,
            traces,
            _notices: notices,
        })
    }

    /// Lets background work end, and leaves. Requests are to have ended before.
    pub async fn stop(mut self) {
        self.announce_stop().await;
        self.end_work().await;
        self.leave().await.store.close().await;
    }

    /// Runs something beside the workers, which ends when it is told of the stop.
    pub(crate) fn also_until_stopped<F>(&mut self, work: impl FnOnce(watch::Receiver<bool>) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.loops.spawn(work(self.stop.subscribe()));
    }

    /// Says so to callers and other nodes, and takes up no more work.
    pub(crate) async fn announce_stop(&self) {
        self.app.node.drain();
        self.stop.send_replace(true);
        if tokio::time::timeout(FAREWELL, self.membership.tell())
            .await
            .is_err()
        {
            tracing::warn!("the other nodes could not be told in time");
        }
    }

    /// Waits for the work that runs, but not for ever.
    pub(crate) async fn end_work(&mut self) {
        let working = async { while self.loops.join_next().await.is_some() {} };
        if tokio::time::timeout(WORK_GRACE, working).await.is_err() {
            tracing::warn!("background work did not end in time and is taken up again later");
        }
    }

    /// Gives back what this node held; what is left is the application, whose store is to be closed last.
    pub(crate) async fn leave(mut self) -> App {
        // Whatever still runs is broken off before its leases are given back.
        self.loops.shutdown().await;
        if tokio::time::timeout(FAREWELL, self.membership.end())
            .await
            .is_err()
        {
            tracing::warn!("the database did not answer: leases are left to run out");
        }
        drop(std::fs::remove_dir_all(&self.scratch));
        self.traces.close().await;
        self.app
    }
}

/// What is asked of callers. Where this process is not the only one, others count against the same quotas.
fn api_settings(settings: &Settings, is_alone: bool) -> ApiSettings {
    let mut api = settings.api.clone();
    if let Some(limits) = &mut api.rate_limits {
        limits.shared = !is_alone;
    }
    api
}

/// Makes this process's folder for files of jobs and removes those of processes that are gone.
async fn make_scratch(storage: &Storage, app: &App) -> anyhow::Result<PathBuf> {
    let scratch = scratch_of(storage, app.node.id);
    tokio::fs::create_dir_all(&scratch)
        .await
        .context("LYCEUM_DATA_DIR: could not make the folder for temporary files")?;
    let there = node::registered_nodes(app).await?;
    let folders = there.iter().map(|node: &NodeId| scratch_of(storage, *node));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_others_serve_too_quotas_are_shared_with_them() {
        let ai = lyceum_ai::ProviderSettings::Builtin;
        let settings = Settings::new("data", "http://127.0.0.1:8080", ai).unwrap();
        for is_alone in [true, false] {
            let limits = api_settings(&settings, is_alone).rate_limits.unwrap();
            assert_eq!(limits.shared, !is_alone);
        }
    }
}
