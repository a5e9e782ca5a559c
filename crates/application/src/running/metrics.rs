//! What use cases and background work count, for whoever watches.

use std::time::Duration;

use lyceum_domain::Timestamp;
use lyceum_domain::notifying::deliveries::DeliveryStatus;
use lyceum_domain::running::jobs::JobKind;
use lyceum_ports::notifying::webhooks::DeliveryBacklog;
use lyceum_ports::running::jobs::JobBacklog;
use prometheus::core::Collector;
use prometheus::{HistogramOpts, HistogramVec, IntCounterVec, IntGauge, Opts};

use crate::app::App;
use crate::error::Error;
use crate::running::files::KeptKind;

/// From a hundredth of a second to as long as a package with media takes.
const SECONDS: &[f64] = &[
    0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 900.0,
];

/// What a process counts; clones count into the same.
#[derive(Debug, Clone)]
pub struct Metrics {
    deliveries: IntCounterVec,
    damaged: IntCounterVec,
    database_damaged: IntGauge,
    database_looked_at: IntGauge,
    jobs: HistogramVec,
}

impl Metrics {
    /// New, with nothing counted.
    ///
    /// # Errors
    /// Only if a name in here is not one that Prometheus takes.
    pub fn new() -> prometheus::Result<Self> {
        let deliveries = IntCounterVec::new(
            Opts::new(
                "lyceum_webhook_deliveries_total",
                "Attempts to deliver an event, by what came of the delivery.",
            ),
            &["outcome"],
        )?;
        for outcome in ["delivered", "retried", "failed"] {
            deliveries.with_label_values(&[outcome]);
        }
        let jobs = HistogramVec::new(
            HistogramOpts::new(
                "lyceum_job_duration_seconds",
                "Time that attempts at background jobs took.",
            )
            .buckets(SECONDS.to_vec()),
            &["kind"],
        )?;
        // A series that is there from the beginning can be told from one that is missing.
        for kind in JobKind::ALL {
            jobs.with_label_values(&[kind.as_str()]);
        }
        let damaged = IntCounterVec::new(
            Opts::new(
                "lyceum_files_damaged_total",
                "Stored files that were found to be gone or other than what was stored.",
            ),
            &["kind"],
        )?;
        for kind in KeptKind::ALL {
            damaged.with_label_values(&[kind]);
        }
        Ok(Self {
            deliveries,
            damaged,
            database_damaged: IntGauge::new(
                "lyceum_database_damaged",
                "1 where the last look at the pages of the database found something.",
            )?,
            database_looked_at: IntGauge::new(
                "lyceum_database_looked_at_timestamp_seconds",
                "When the pages of the database were last looked at; 0 before the first look.",
            )?,
            jobs,
        })
    }

    /// What is to be registered.
    pub fn collectors(&self) -> Vec<Box<dyn Collector>> {
        vec![
            Box::new(self.deliveries.clone()),
            Box::new(self.damaged.clone()),
            Box::new(self.database_damaged.clone()),
            Box::new(self.database_looked_at.clone()),
            Box::new(self.jobs.clone()),
        ]
    }

    /// An attempt to deliver left the delivery in this state.
    pub(crate) fn attempted(&self, left: DeliveryStatus) {
        self.deliveries.with_label_values(&[outcome_of(left)]).inc();
    }

    /// A stored file was found to be gone or damaged.
    pub(crate) fn damaged(&self, kind: KeptKind) {
        self.damaged.with_label_values(&[kind.as_str()]).inc();
    }

    /// The pages of the database were looked at. What was found damaged stays so: a later look may be at other tables.
    pub fn looked_at_pages(&self, is_damaged: bool, now: Timestamp) {
        self.database_looked_at.set(now.unix_seconds());
        if is_damaged {
            self.database_damaged.set(1);
        }
    }

    /// Whether the pages of the database were found damaged.
    pub fn is_database_damaged(&self) -> bool {
        self.database_damaged.get() == 1
    }

    /// An attempt at a job took so long.
    pub(crate) fn worked(&self, kind: JobKind, took: Duration) {
        self.jobs
            .with_label_values(&[kind.as_str()])
            .observe(took.as_secs_f64());
    }
}

/// What an attempt came to that left a delivery in this state.
pub(crate) const fn outcome_of(left: DeliveryStatus) -> &'static str {
    match left {
        DeliveryStatus::Delivered => "delivered",
        DeliveryStatus::Pending => "retried",
        DeliveryStatus::Failed => "failed",
    }
}

/// What is to be done in the background, in all workspaces.
pub async fn backlog(app: &App) -> Result<(JobBacklog, DeliveryBacklog), Error> {
    let now = app.clock.now();
    app.store
        .read_at_length(move |tx| Ok((tx.jobs().backlog(now)?, tx.webhooks().backlog(now)?)))
        .await
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The first label of each series of a family, and what was counted.
    pub(crate) fn samples(metrics: &Metrics, name: &str) -> Vec<(String, String)> {
        let families = metrics.collectors().into_iter();
        let mut found = families.flat_map(|one| one.collect());
        let family = found.find(|family| family.name() == name).unwrap();
        let series = family.get_metric().iter().map(|metric| {
            let label = metric.get_label().first().unwrap().value().to_owned();
            let count = match metric.get_histogram().get_sample_count() {
                0 => metric.get_counter().get_value().to_string(),
                timed => timed.to_string(),
            };
            (label, count)
        });
        let mut series: Vec<_> = series.collect();
        series.sort();
        series
    }

    #[test]
    fn deliveries_are_counted_by_what_came_of_them() {
        let metrics = Metrics::new().unwrap();
        metrics.attempted(DeliveryStatus::Pending);
        metrics.attempted(DeliveryStatus::Pending);
        metrics.clone().attempted(DeliveryStatus::Delivered);
        let counted = samples(&metrics, "lyceum_webhook_deliveries_total");
        let expected = [("delivered", "1"), ("failed", "0"), ("retried", "2")];
        assert_eq!(
            counted,
            expected.map(|(name, n)| (name.to_owned(), n.to_owned()))
        );
    }

    #[test]
    fn jobs_are_timed_by_kind() {
        let metrics = Metrics::new().unwrap();
        metrics.worked(JobKind::ExportScorm, Duration::from_secs(1));
        let counted = samples(&metrics, "lyceum_job_duration_seconds");
        assert!(counted.contains(&("export_scorm".to_owned(), "1".to_owned())));
        assert!(counted.contains(&("grade_submission".to_owned(), "0".to_owned())));
    }
}
