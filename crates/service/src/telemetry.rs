//! What use cases and background work count, as Prometheus takes it.

use std::time::Duration;

use lyceum_domain::Timestamp;
use lyceum_domain::notifying::deliveries::DeliveryStatus;
use lyceum_domain::notifying::mails::MailStatus;
use lyceum_domain::running::jobs::JobKind;
use lyceum_ports::running::telemetry::{FileKind, Telemetry};
use prometheus::core::Collector;
use prometheus::{HistogramOpts, HistogramVec, IntCounterVec, IntGauge, Opts};

/// From a hundredth of a second to as long as a package with media takes.
const SECONDS: &[f64] = &[
    0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 900.0,
];

/// What a process counts; clones count into the same.
#[derive(Debug, Clone)]
pub struct PrometheusTelemetry {
    deliveries: IntCounterVec,
    mails: IntCounterVec,
    damaged: IntCounterVec,
    database_damaged: IntGauge,
    database_looked_at: IntGauge,
    jobs: HistogramVec,
}

impl PrometheusTelemetry {
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
        let mails = IntCounterVec::new(
            Opts::new(
                "lyceum_mails_total",
                "Attempts to send a mail, by what came of the mail.",
            ),
            &["outcome"],
        )?;
        for status in MailStatus::ALL {
            mails.with_label_values(&[status.outcome()]);
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
        for kind in FileKind::ALL {
            damaged.with_label_values(&[kind.as_str()]);
        }
        Ok(Self {
            deliveries,
            mails,
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
            Box::new(self.mails.clone()),
            Box::new(self.damaged.clone()),
            Box::new(self.database_damaged.clone()),
            Box::new(self.database_looked_at.clone()),
            Box::new(self.jobs.clone()),
        ]
    }
}

impl Telemetry for PrometheusTelemetry {
    fn job_attempted(&self, kind: JobKind, took: Duration) {
        self.jobs
            .with_label_values(&[kind.as_str()])
            .observe(took.as_secs_f64());
    }

    fn delivery_attempted(&self, left: DeliveryStatus) {
        self.deliveries.with_label_values(&[left.outcome()]).inc();
    }

    fn mail_attempted(&self, left: MailStatus) {
        self.mails.with_label_values(&[left.outcome()]).inc();
    }

    fn file_damaged(&self, kind: FileKind) {
        self.damaged.with_label_values(&[kind.as_str()]).inc();
    }

    fn pages_looked_at(&self, is_damaged: bool, at: Timestamp) {
        self.database_looked_at.set(at.unix_seconds());
        if is_damaged {
            self.database_damaged.set(1);
        }
    }

    fn is_database_damaged(&self) -> bool {
        self.database_damaged.get() == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first label of each series of a family, and what was counted.
    fn samples(metrics: &PrometheusTelemetry, name: &str) -> Vec<(String, String)> {
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
        let metrics = PrometheusTelemetry::new().unwrap();
        metrics.delivery_attempted(DeliveryStatus::Pending);
        metrics.delivery_attempted(DeliveryStatus::Pending);
        metrics
            .clone()
            .delivery_attempted(DeliveryStatus::Delivered);
        let counted = samples(&metrics, "lyceum_webhook_deliveries_total");
        let expected = [("delivered", "1"), ("failed", "0"), ("retried", "2")];
        assert_eq!(
            counted,
            expected.map(|(name, n)| (name.to_owned(), n.to_owned()))
        );
    }

    #[test]
    fn mails_are_counted_by_what_came_of_them() {
        let metrics = PrometheusTelemetry::new().unwrap();
        metrics.mail_attempted(MailStatus::Pending);
        metrics.mail_attempted(MailStatus::Sent);
        let counted = samples(&metrics, "lyceum_mails_total");
        let expected = [
            ("dropped", "0"),
            ("failed", "0"),
            ("retried", "1"),
            ("sent", "1"),
        ];
        assert_eq!(
            counted,
            expected.map(|(name, n)| (name.to_owned(), n.to_owned()))
        );
    }

    #[test]
    fn jobs_are_timed_by_kind() {
        let metrics = PrometheusTelemetry::new().unwrap();
        metrics.job_attempted(JobKind::ExportScorm, Duration::from_secs(1));
        let counted = samples(&metrics, "lyceum_job_duration_seconds");
        assert!(counted.contains(&("export_scorm".to_owned(), "1".to_owned())));
        assert!(counted.contains(&("grade_submission".to_owned(), "0".to_owned())));
    }

    #[test]
    fn damage_is_counted_by_kind_and_that_of_the_database_stays() {
        let metrics = PrometheusTelemetry::new().unwrap();
        metrics.file_damaged(FileKind::Recording);
        let counted = samples(&metrics, "lyceum_files_damaged_total");
        let expected = [("media", "0"), ("package", "0"), ("recording", "1")];
        assert_eq!(
            counted,
            expected.map(|(name, n)| (name.to_owned(), n.to_owned()))
        );
        let now = Timestamp::from_unix_millis(1_000);
        metrics.pages_looked_at(true, now);
        metrics.pages_looked_at(false, now);
        assert!(metrics.is_database_damaged());
    }
}
