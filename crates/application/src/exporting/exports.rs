//! What all exports of one process share: whose turn it is, and how they went.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::lock::OwnedMutexGuard;

use crate::turns::TurnsByName;

/// So many files of what is tried are made, or wait to be made, at once: whoever holds a signed address takes no more places than that
/// from those who ask for something else.
const MOST_TRIED: usize = 32;

/// Exports of one process; clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Exports(Arc<ExportState>);

#[derive(Debug, Default)]
struct ExportState {
    /// Who writes what.
    turns: TurnsByName,
    /// How many files of what is tried are made, or wait to be.
    tried: AtomicUsize,
    written: ExportCounts,
    shared: ExportCounts,
    failed: ExportCounts,
    bytes: AtomicU64,
    files: AtomicU64,
}

#[derive(Debug, Default)]
struct ExportCounts {
    count: AtomicU64,
    millis: AtomicU64,
}

/// A place among those for whom a file of what is tried is made, until it is dropped.
#[derive(Debug)]
struct TryPlace(Exports);

impl Drop for TryPlace {
    fn drop(&mut self) {
        self.0.0.tried.fetch_sub(1, Ordering::Relaxed);
    }
}

/// One's turn to have a file of what is tried made, until it is dropped.
#[derive(Debug)]
pub struct TryTurn {
    _turn: OwnedMutexGuard<()>,
    _place: TryPlace,
}

/// How an export went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// An archive was written.
    Written {
        /// Its size.
        bytes: u64,
        /// What is in it.
        files: u64,
    },
    /// The archive of unchanged content was taken.
    Shared,
    /// There is no package.
    Failed,
}

impl Exports {
    /// Waits for one's turn to write what has this fingerprint: of exports of the same content at once the first
    /// writes, and the others find what it wrote.
    pub async fn turn(&self, fingerprint: &str) -> OwnedMutexGuard<()> {
        self.0.turns.of(fingerprint).await
    }

    /// Waits for one's turn to have a file made of what is tried under this name: one at a time, however many hold its address. None
    /// where too many wait.
    pub async fn turn_to_try(&self, name: &str) -> Option<TryTurn> {
        let place = TryPlace(self.clone());
        if self.0.tried.fetch_add(1, Ordering::Relaxed) >= MOST_TRIED {
            return None;
        }
        Some(TryTurn {
            _turn: self.0.turns.of(name).await,
            _place: place,
        })
    }

    /// Counts an export that took so long.
    pub fn count(&self, outcome: Outcome, took: Duration) {
        let tally = match outcome {
            Outcome::Written { bytes, files } => {
                self.0.bytes.fetch_add(bytes, Ordering::Relaxed);
                self.0.files.fetch_add(files, Ordering::Relaxed);
                &self.0.written
            }
            Outcome::Shared => &self.0.shared,
            Outcome::Failed => &self.0.failed,
        };
        let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        tally.count.fetch_add(1, Ordering::Relaxed);
        tally.millis.fetch_add(millis, Ordering::Relaxed);
    }

    /// The counts in Prometheus' text format.
    pub fn render(&self) -> String {
        let outcomes = [
            ("written", &self.0.written),
            ("shared", &self.0.shared),
            ("error", &self.0.failed),
        ];
        let mut text = String::new();
        let mut by_outcome = |name: &str, help: &str, value: fn(&ExportCounts) -> &AtomicU64| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} counter");
            for (outcome, tally) in outcomes {
                let value = value(tally).load(Ordering::Relaxed);
                let _ = writeln!(text, "{name}{{outcome=\"{outcome}\"}} {value}");
            }
        };
        by_outcome(
            "lyceum_scorm_exports_total",
            "SCORM packages by how their export went.",
            |tally| &tally.count,
        );
        by_outcome(
            "lyceum_scorm_export_milliseconds_total",
            "Time that the exports took.",
            |tally| &tally.millis,
        );
        for (name, help, value) in [
            (
                "lyceum_scorm_export_bytes_total",
                "Bytes of the archives that were written.",
                &self.0.bytes,
            ),
            (
                "lyceum_scorm_export_files_total",
                "Files in the archives that were written.",
                &self.0.files,
            ),
        ] {
            let value = value.load(Ordering::Relaxed);
            let _ = writeln!(
                text,
                "# HELP {name} {help}\n# TYPE {name} counter\n{name} {value}"
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn so_many_wait_for_what_is_tried_and_no_more() {
        let exports = Exports::default();
        let first = exports.turn_to_try("a").await;
        let mut waiting: Vec<_> = (1..MOST_TRIED)
            .map(|_| Box::pin(exports.turn_to_try("a")))
            .collect();
        for one in &mut waiting {
            assert!(one.now_or_never().is_none(), "one at a time");
        }
        assert!(exports.turn_to_try("b").await.is_none());
        // Whoever goes, waiting or made for, makes room.
        drop(waiting.pop());
        assert!(exports.turn_to_try("b").await.is_some());
        drop((first, waiting));
        assert!(exports.turn_to_try("a").await.is_some());
        assert_eq!(exports.0.tried.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn exports_are_counted_by_how_they_went() {
        let exports = Exports::default();
        let second = Duration::from_secs(1);
        exports.count(
            Outcome::Written {
                bytes: 10,
                files: 3,
            },
            second,
        );
        exports.count(Outcome::Written { bytes: 5, files: 2 }, second);
        exports.count(Outcome::Shared, Duration::from_millis(7));
        exports.clone().count(Outcome::Failed, Duration::ZERO);
        let text = exports.render();
        for line in [
            "lyceum_scorm_exports_total{outcome=\"written\"} 2",
            "lyceum_scorm_exports_total{outcome=\"shared\"} 1",
            "lyceum_scorm_exports_total{outcome=\"error\"} 1",
            "lyceum_scorm_export_milliseconds_total{outcome=\"written\"} 2000",
            "lyceum_scorm_export_milliseconds_total{outcome=\"shared\"} 7",
            "lyceum_scorm_export_bytes_total 15",
            "lyceum_scorm_export_files_total 5",
        ] {
            assert!(text.lines().any(|it| it == line), "{line}\n{text}");
        }
    }
}
