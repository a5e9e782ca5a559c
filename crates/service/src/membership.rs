//! Being a node among others: said at the start, every few seconds, and at the end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use lyceum_application::App;
use lyceum_application::running::node::{self, Introduction};
use lyceum_ports::running::nodes::Node;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::environment::SharedClock;
use crate::processes;

/// A reading that took longer says too little.
const QUICK: Duration = Duration::from_secs(1);
/// How often it is looked whether the node that had a name is heard of.
const LOOK: Duration = Duration::from_millis(250);

/// The membership of this process, kept up until it leaves.
pub struct Membership {
    app: App,
    introduction: Arc<Introduction>,
    beating: JoinHandle<()>,
    /// The beats end when this is dropped.
    going_on: oneshot::Sender<()>,
}

impl Membership {
    /// Reads the shared clock, registers this process and takes over what lost ones held.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn begin(
        app: &App,
        clock: &Arc<SharedClock>,
        name: Option<String>,
        is_alone: bool,
    ) -> anyhow::Result<Self> {
        read_clock(app, clock).await.context("the clock")?;
        if let Some(name) = name.as_ref().filter(|_| !is_alone) {
            wait_for_name(app, name).await?;
        }
        let introduction = Arc::new(Introduction {
            name,
            host: host(),
            process: processes::own(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started_at: app.clock.now(),
            is_alone,
        });
        node::join(app, &introduction).await?;
        let (going_on, end) = oneshot::channel();
        let beating = beat(
            app.clone(),
            Arc::clone(clock),
            Arc::clone(&introduction),
            end,
        );
        Ok(Self {
            app: app.clone(),
            introduction,
            beating: tokio::spawn(beating),
            going_on,
        })
    }

    /// Tells at once that this node is draining.
    pub async fn tell(&self) {
        if let Err(error) = node::renew(&self.app, &self.introduction).await {
            tracing::warn!(%error, "the other nodes could not be told");
        }
    }

    /// Puts back what was not ended, and is no member any more.
    pub async fn end(self) {
        // A beat that is under way is waited for: it would register this node again.
        drop(self.going_on);
        drop(self.beating.await);
        match node::leave(&self.app).await {
            Ok(0) => {}
            Ok(jobs) => tracing::warn!(jobs, "jobs did not end in time and were put back"),
            Err(error) => tracing::warn!(%error, "leases are left to run out"),
        }
    }
}

/// Waits until it is plain that nobody serves under the name any more: a process of this machine tells that at once, one
/// of another by two beats that do not come.
///
/// # Errors
/// If somebody does.
async fn wait_for_name(app: &App, name: &str) -> anyhow::Result<()> {
    let mut first: Option<Node> = None;
    while let Some(holder) = node::holder_of(app, name).await? {
        let lives = holder.process.as_deref().and_then(processes::lives);
        if lives == Some(false) {
            return Ok(());
        }
        let beats = |before: &Node| before.id != holder.id || before.seen_at != holder.seen_at;
        if lives == Some(true) || first.as_ref().is_some_and(beats) {
            bail!(
                "another node serves as {name} on {}: give each node a LYCEUM_NODE_NAME of its own",
                holder.host
            );
        }
        if first.is_none() {
            tracing::info!(
                name,
                host = holder.host,
                "waiting whether the last node of this name is gone"
            );
        }
        first.get_or_insert(holder);
        tokio::time::sleep(LOOK).await;
    }
    Ok(())
}

async fn beat(
    app: App,
    clock: Arc<SharedClock>,
    introduction: Arc<Introduction>,
    mut end: oneshot::Receiver<()>,
) {
    let mut beats = tokio::time::interval(Node::BEAT);
    beats.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    beats.tick().await;
    loop {
        tokio::select! {
            _ = beats.tick() => {}
            _ = &mut end => return,
        }
        let beaten = match read_clock(&app, &clock).await {
            Ok(()) => node::renew(&app, &introduction).await,
            Err(error) => Err(error),
        };
        if let Err(error) = beaten {
            tracing::warn!(%error, "this node could not say that it is there");
        }
    }
}

/// Sets the clock by the database's, where nodes share one.
async fn read_clock(app: &App, clock: &SharedClock) -> Result<(), lyceum_application::Error> {
    let asked = Instant::now();
    if let Some(told) = node::shared_clock(app).await? {
        let took = asked.elapsed();
        if took < QUICK || !clock.is_set() {
            clock.set(told, asked + took / 2);
        }
    }
    Ok(())
}

/// The name of the machine, as far as it tells.
fn host() -> String {
    let told = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let host = told.or_else(|| std::env::var("HOSTNAME").ok());
    host.map_or_else(|| "unknown".to_owned(), |host| host.trim().to_owned())
}
