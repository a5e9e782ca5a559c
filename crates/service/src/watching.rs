//! What `/metrics` tells: what every part of the process counts, and what is looked up when somebody asks.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lyceum_api::Api;
use lyceum_application::running::backlog::backlog;
use lyceum_domain::Timestamp;
use lyceum_ports::notifying::webhooks::DeliveryBacklog;
use lyceum_ports::running::jobs::JobBacklog;
use prometheus::core::Collector;
use prometheus::{Gauge, GaugeVec, IntGauge, IntGaugeVec, Opts, Registry, TextEncoder};

use crate::log;

/// How long the database may take to say what waits: whoever scrapes hangs up after ten seconds and hears nothing.
const LOOK: Duration = Duration::from_secs(3);

/// Everything that is measured.
pub struct Watching {
    api: Arc<Api>,
    registry: Registry,
    /// The folder whose disk is looked at.
    folder: PathBuf,
    looked_up: LookedUp,
}

/// What is looked up when somebody asks. What the database says has labels, if only none, so that it can be taken away.
struct LookedUp {
    jobs_waiting: IntGaugeVec,
    jobs_oldest: GaugeVec,
    jobs_running: IntGaugeVec,
    jobs_dead: IntGaugeVec,
    deliveries_waiting: IntGaugeVec,
    deliveries_oldest: GaugeVec,
    disk_free: Gauge,
    gate_shut: IntGauge,
    storage: Gauge,
    full: IntGauge,
}

impl Watching {
    /// Brings together what is measured.
    ///
    /// # Errors
    /// If two measure under one name.
    pub fn new(
        api: Arc<Api>,
        counted: Vec<Box<dyn Collector>>,
        folder: PathBuf,
    ) -> prometheus::Result<Self> {
        let registry = Registry::new();
        let looked_up = LookedUp::new()?;
        let all = [
            api.metrics.collectors(),
            counted,
            looked_up.collectors(),
            vec![build()?, own_process()],
        ];
        for collector in all.into_iter().flatten() {
            registry.register(collector)?;
        }
        Ok(Self {
            api,
            registry,
            folder,
            looked_up,
        })
    }

    /// Everything, as Prometheus reads it.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub async fn text(&self) -> prometheus::Result<String> {
        self.look().await;
        let mut text = TextEncoder::new().encode_to_string(&self.registry.gather())?;
        text.push_str(&self.api.app.exports.render());
        text.push_str(&self.api.app.ai_tally.render());
        text.push_str(&log::metric());
        Ok(text)
    }

    async fn look(&self) {
        let app = &self.api.app;
        self.looked_up
            .gate_shut
            .set(i64::from(app.is_almost_full()));
        let (kept, full) = app.room.totals(app.settings.spending.workspace_bytes);
        self.looked_up.storage.set(rounded(kept));
        self.looked_up.full.set(whole(full));
        if let Ok(disk) = rustix::fs::statvfs(&self.folder) {
            let free = disk.f_bavail.saturating_mul(disk.f_frsize);
            self.looked_up.disk_free.set(rounded(free));
        }
        match tokio::time::timeout(LOOK, backlog(app)).await {
            Ok(Ok((jobs, deliveries))) => self.looked_up.tell(&jobs, deliveries, app.clock.now()),
            Ok(Err(error)) => {
                tracing::warn!(%error, "the queues could not be looked at");
                self.looked_up.forget();
            }
            Err(_) => {
                tracing::warn!("the queues could not be looked at in time");
                self.looked_up.forget();
            }
        }
    }
}

impl LookedUp {
    fn new() -> prometheus::Result<Self> {
        let by_lane = |name: &str, help: &str| IntGaugeVec::new(Opts::new(name, help), &["lane"]);
        Ok(Self {
            jobs_waiting: by_lane(
                "lyceum_jobs_waiting",
                "Background jobs that are due and not taken up.",
            )?,
            jobs_oldest: GaugeVec::new(
                Opts::new(
                    "lyceum_jobs_oldest_seconds",
                    "For how long the first of the waiting jobs has been due.",
                ),
                &["lane"],
            )?,
            jobs_running: by_lane(
                "lyceum_jobs_running",
                "Background jobs that run, on all nodes.",
            )?,
            jobs_dead: IntGaugeVec::new(
                Opts::new("lyceum_jobs_dead", "Background jobs that were given up."),
                &[],
            )?,
            deliveries_waiting: IntGaugeVec::new(
                Opts::new(
                    "lyceum_webhook_deliveries_waiting",
                    "Deliveries of webhooks that are due and not under way.",
                ),
                &[],
            )?,
            deliveries_oldest: GaugeVec::new(
                Opts::new(
                    "lyceum_webhook_deliveries_oldest_seconds",
                    "For how long the first of the waiting deliveries has been due.",
                ),
                &[],
            )?,
            disk_free: Gauge::new(
                "lyceum_disk_free_bytes",
                "Room on the disk of the data folder.",
            )?,
            gate_shut: IntGauge::new(
                "lyceum_disk_gate_shut",
                "1 while new writes are refused because the disk is almost full.",
            )?,
            storage: Gauge::new(
                "lyceum_storage_bytes",
                "What all workspaces keep in the database, as it was last measured, and what this node was sent since.",
            )?,
            full: IntGauge::new(
                "lyceum_workspaces_full",
                "Workspaces that keep as much as they may, and are refused more.",
            )?,
        })
    }

    /// What the database said.
    fn tell(&self, jobs: &JobBacklog, deliveries: DeliveryBacklog, now: Timestamp) {
        const NO_LABELS: &[&str] = &[];
        for lane in &jobs.lanes {
            let name = &[lane.lane.as_str()];
            let oldest = age(lane.due_since, now);
            self.jobs_waiting
                .with_label_values(name)
                .set(whole(lane.due));
            self.jobs_oldest.with_label_values(name).set(oldest);
            self.jobs_running
                .with_label_values(name)
                .set(whole(lane.running));
        }
        self.jobs_dead
            .with_label_values(NO_LABELS)
            .set(whole(jobs.dead));
        self.deliveries_waiting
            .with_label_values(NO_LABELS)
            .set(whole(deliveries.due));
        self.deliveries_oldest
            .with_label_values(NO_LABELS)
            .set(age(deliveries.due_since, now));
    }

    /// Whoever watches sees by what is missing that the database does not answer, rather than old figures.
    fn forget(&self) {
        self.jobs_waiting.reset();
        self.jobs_oldest.reset();
        self.jobs_running.reset();
        self.jobs_dead.reset();
        self.deliveries_waiting.reset();
        self.deliveries_oldest.reset();
    }

    fn collectors(&self) -> Vec<Box<dyn Collector>> {
        vec![
            Box::new(self.jobs_waiting.clone()),
            Box::new(self.jobs_oldest.clone()),
            Box::new(self.jobs_running.clone()),
            Box::new(self.jobs_dead.clone()),
            Box::new(self.deliveries_waiting.clone()),
            Box::new(self.deliveries_oldest.clone()),
            Box::new(self.disk_free.clone()),
            Box::new(self.gate_shut.clone()),
            Box::new(self.storage.clone()),
            Box::new(self.full.clone()),
        ]
    }
}

fn build() -> prometheus::Result<Box<dyn Collector>> {
    let info = Opts::new("lyceum_build_info", "The build that is running.")
        .const_label("version", env!("CARGO_PKG_VERSION"));
    let gauge = IntGauge::with_opts(info)?;
    gauge.set(1);
    Ok(Box::new(gauge))
}

/// Processor time, memory, threads and open files of this process; where the system does not say, nothing.
fn own_process() -> Box<dyn Collector> {
    Box::new(prometheus::process_collector::ProcessCollector::for_self())
}

fn age(since: Option<Timestamp>, now: Timestamp) -> f64 {
    since
        .map_or(Duration::ZERO, |since| now.since(since))
        .as_secs_f64()
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// In whole mebibytes: nobody is warned by a byte.
fn rounded(bytes: u64) -> f64 {
    const MIB: u64 = 1 << 20;
    let mebibytes = u32::try_from(bytes / MIB).unwrap_or(u32::MAX);
    f64::from(mebibytes) * f64::from(1_u32 << 20)
}
