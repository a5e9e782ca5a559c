//! What a store measures of itself, for whoever watches.

use std::time::Duration;

use prometheus::core::Collector;
use prometheus::{Histogram, HistogramOpts, IntCounterVec, IntGauge, Opts};

/// From a tenth of a millisecond to ten seconds.
const SECONDS: &[f64] = &[
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
    5.0, 10.0,
];
/// Up to the most that one commit takes.
const PIECES: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// What a store measures; clones measure into the same.
#[derive(Debug, Clone)]
pub struct StoreMetrics {
    group_size: Histogram,
    commit: Histogram,
    wait: Histogram,
    line: Histogram,
    in_use: IntGauge,
    replica: IntCounterVec,
}

/// What came of a read that the replica was to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReplicaOutcome {
    /// It did; all else the primary answered.
    Answered,
    /// It had not come as far, and did not within a few milliseconds.
    Behind,
    /// All connections to it were in use, or being made.
    Busy,
    /// It could not answer this, as when its replaying of the log is in the way.
    Failed,
    /// Nobody answered there, or nobody of this database.
    Away,
}

impl ReplicaOutcome {
    const ALL: [Self; 5] = [
        Self::Answered,
        Self::Behind,
        Self::Busy,
        Self::Failed,
        Self::Away,
    ];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Behind => "behind",
            Self::Busy => "busy",
            Self::Failed => "failed",
            Self::Away => "away",
        }
    }
}

impl StoreMetrics {
    /// New, with nothing measured.
    ///
    /// # Errors
    /// Only if a name in here is not one that Prometheus takes.
    pub fn new() -> prometheus::Result<Self> {
        let histogram = |name: &str, help: &str, buckets: &[f64]| {
            Histogram::with_opts(HistogramOpts::new(name, help).buckets(buckets.to_vec()))
        };
        Ok(Self {
            group_size: histogram(
                "lyceum_store_write_group_size",
                "Pieces of work that one commit kept.",
                PIECES,
            )?,
            commit: histogram(
                "lyceum_store_commit_duration_seconds",
                "Time that commits took, with the wait for the disk.",
                SECONDS,
            )?,
            wait: histogram(
                "lyceum_store_pool_wait_seconds",
                "Time that work waited for the writer of SQLite, or for a connection to PostgreSQL.",
                SECONDS,
            )?,
            line: histogram(
                "lyceum_store_line_wait_seconds",
                "Time that work on PostgreSQL waited for those who change the same thing before it.",
                SECONDS,
            )?,
            in_use: IntGauge::new(
                "lyceum_store_pool_in_use",
                "Connections to PostgreSQL that are in use.",
            )?,
            replica: replica_reads()?,
        })
    }

    /// What is to be registered.
    pub fn collectors(&self) -> Vec<Box<dyn Collector>> {
        vec![
            Box::new(self.group_size.clone()),
            Box::new(self.commit.clone()),
            Box::new(self.wait.clone()),
            Box::new(self.line.clone()),
            Box::new(self.in_use.clone()),
            Box::new(self.replica.clone()),
        ]
    }

    /// A commit of so many pieces of work took so long.
    pub(crate) fn committed(&self, pieces: usize, took: Duration) {
        let pieces = u32::try_from(pieces).unwrap_or(u32::MAX);
        self.group_size.observe(pieces.into());
        self.commit.observe(took.as_secs_f64());
    }

    /// Work waited so long for its turn.
    pub(crate) fn waited(&self, waited: Duration) {
        self.wait.observe(waited.as_secs_f64());
    }

    /// Work stood in line for so long.
    pub(crate) fn stood_in_line(&self, waited: Duration) {
        self.line.observe(waited.as_secs_f64());
    }

    /// The replica was to answer a read.
    pub(crate) fn asked_replica(&self, outcome: ReplicaOutcome) {
        self.replica.with_label_values(&[outcome.as_str()]).inc();
    }

    /// A connection is in use until the answer is dropped.
    pub(crate) fn in_use(&self) -> InUse {
        self.in_use.inc();
        InUse(self.in_use.clone())
    }
}

/// A counter for each outcome, at zero: a rate is then right from the first one on, and a table of names is whole
/// whether or not there is a replica.
fn replica_reads() -> prometheus::Result<IntCounterVec> {
    let name = "lyceum_store_replica_reads_total";
    let help = "Reads that the replica of PostgreSQL was to answer, by what came of it.";
    let reads = IntCounterVec::new(Opts::new(name, help), &["outcome"])?;
    for outcome in ReplicaOutcome::ALL {
        reads.get_metric_with_label_values(&[outcome.as_str()])?;
    }
    Ok(reads)
}

/// A connection that is in use.
pub(crate) struct InUse(IntGauge);

impl Drop for InUse {
    fn drop(&mut self) {
        self.0.dec();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn sample(metrics: &StoreMetrics, name: &str) -> String {
        let families = metrics
            .collectors()
            .into_iter()
            .flat_map(|one| one.collect());
        let mut found = families.filter(|family| family.name() == name);
        let family = found.next().unwrap();
        let metric = family.get_metric().first().unwrap();
        match name {
            "lyceum_store_pool_in_use" => metric.get_gauge().get_value().to_string(),
            _ => metric.get_histogram().get_sample_sum().to_string(),
        }
    }

    #[test]
    fn groups_commits_and_waits_are_measured() {
        let metrics = StoreMetrics::new().unwrap();
        metrics.clone().committed(3, Duration::from_millis(250));
        metrics.committed(1, Duration::from_millis(250));
        metrics.waited(Duration::from_millis(125));
        metrics.stood_in_line(Duration::from_millis(500));
        let measured = [
            "lyceum_store_write_group_size",
            "lyceum_store_commit_duration_seconds",
            "lyceum_store_pool_wait_seconds",
            "lyceum_store_line_wait_seconds",
        ];
        assert_eq!(
            measured.map(|name| sample(&metrics, name)),
            ["4", "0.5", "0.125", "0.5"]
        );
    }

    #[test]
    fn each_outcome_of_a_replica_is_told_before_there_was_one() {
        let metrics = StoreMetrics::new().unwrap();
        let told = || {
            let families = metrics.replica.collect();
            let counters = families
                .iter()
                .flat_map(prometheus::proto::MetricFamily::get_metric);
            let said = counters.map(|one| {
                let outcome = one.get_label()[0].value().to_owned();
                (outcome, one.get_counter().get_value().to_string())
            });
            said.collect::<BTreeMap<_, _>>()
        };
        let outcomes = ["answered", "away", "behind", "busy", "failed"];
        let nothing = outcomes.map(|it| (it.to_owned(), "0".to_owned()));
        assert_eq!(told(), BTreeMap::from(nothing));
        metrics.asked_replica(ReplicaOutcome::Behind);
        assert_eq!(told()["behind"], "1");
    }

    #[test]
    fn a_connection_is_in_use_until_it_is_given_back() {
        let metrics = StoreMetrics::new().unwrap();
        let held = metrics.in_use();
        assert_eq!(sample(&metrics, "lyceum_store_pool_in_use"), "1");
        drop(held);
        assert_eq!(sample(&metrics, "lyceum_store_pool_in_use"), "0");
    }
}
