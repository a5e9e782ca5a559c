//! `lyceum fsck`: whether what is stored keeps every promise.
//!
//! What the database can tell alone is checked in `lyceum_store::running::fsck`; here come the grade histories, which are
//! hashes, and the file storage.

pub mod files;

use std::process::ExitCode;

use anyhow::Context;
use lyceum_application::grading::verification::{self, Scope};
use lyceum_domain::Timestamp;
use lyceum_ports::store::{StoreError, Tx};
use lyceum_store::{Check, DatabaseUrl, Findings, FsckScope};
use serde_json::{Value, json};

use crate::settings::Settings;
use lyceum_service::assemble::now;
use lyceum_terminal::interruption::{Interruption, telling};
use lyceum_terminal::progress::Progress;
use lyceum_terminal::say;

/// How the check is made and told.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct FsckArguments {
    /// No service is running: that nobody takes up what is due is no fault.
    #[arg(long)]
    stopped: bool,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Everything that was found.
struct CheckReport {
    at: Timestamp,
    checks: Vec<Check>,
    notes: Vec<Check>,
}

impl CheckReport {
    fn is_clean(&self) -> bool {
        self.checks.iter().all(|check| check.violations == 0)
    }
}

/// Checks, tells, and ends with 0 where nothing was found and with 1 where something was.
///
/// # Errors
/// If nothing could be checked.
pub async fn run(settings: &Settings, arguments: FsckArguments) -> anyhow::Result<ExitCode> {
    let interruption = Interruption::listen()?;
    let checking = checked(settings, !arguments.stopped, &interruption).await;
    let says = || "the check was not finished, and nothing was changed".to_owned();
    let report = checking.map_err(|error| telling(error, says))?;
    tell(&report, arguments.json);
    Ok(if report.is_clean() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

async fn checked(
    settings: &Settings,
    is_running: bool,
    interruption: &Interruption,
) -> anyhow::Result<CheckReport> {
    let storage = settings.storage()?;
    let url = storage.database();
    let scope = FsckScope {
        now: now(),
        is_running,
    };
    let in_database = url.clone();
    let findings = interruption.unless(move || database(&in_database, scope));
    let findings = findings.await?;
    let listing = Progress::waiting("checking the files");
    let found = tokio::select! {
        found = files::checks(&storage, &url, findings.files, scope.now) => found?,
        interrupted = interruption.asked() => return Err(interrupted.into()),
    };
    drop(listing);
    let mut checks = findings.checks;
    checks.extend(found.checks);
    Ok(CheckReport {
        at: scope.now,
        checks,
        notes: vec![found.left_over],
    })
}

fn database(url: &DatabaseUrl, scope: FsckScope) -> anyhow::Result<Findings> {
    let bar = Progress::of(0, "checking the database");
    let mut told = |done, of| bar.at_of(count(done), count(of));
    let checked = lyceum_store::fsck(url, scope, &mut told, &mut grade_histories);
    checked.context("the database could not be checked")
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// Most ids that a check names.
const EXAMPLES: usize = 5;

/// A check of ours.
fn check(id: &str, says: &str, found: Vec<String>) -> Check {
    Check {
        id: id.to_owned(),
        says: says.to_owned(),
        violations: count(found.len()),
        examples: found.into_iter().take(EXAMPLES).collect(),
    }
}

/// Walks over every grade history.
///
/// What cannot be read is a finding of its own, so it never fails.
#[allow(
    clippy::unnecessary_wraps,
    reason = "a look may fail, and this one is handed over as one"
)]
fn grade_histories(tx: &mut dyn Tx) -> Result<Vec<Check>, StoreError> {
    let (mut broken, mut miscounted, mut unreadable) = (Vec::new(), Vec::new(), Vec::new());
    let bar = Progress::counting("grade histories checked:");
    let mut after = None;
    loop {
        let step = match verification::step(tx, Scope::default(), after) {
            Ok(step) => step,
            Err(error) => {
                unreadable.push(error.to_string());
                break;
            }
        };
        bar.add(count(step.checked.len()));
        for one in step.checked {
            if !one.found.holds() {
                broken.push(one.submission_id.to_string());
            }
            miscounted.extend(one.miscounted.iter().map(ToString::to_string));
        }
        after = step.next;
        if after.is_none() {
            break;
        }
    }
    Ok(vec![
        check(
            "I10.history_broken",
            "Every grade history is as it was sealed.",
            broken,
        ),
        check(
            "I10.sum_differs",
            "An AI grade is the sum of its criteria by the rubric that was kept.",
            miscounted,
        ),
        check(
            "I10.unreadable",
            "Every grade record can be read.",
            unreadable,
        ),
    ])
}

fn tell(report: &CheckReport, as_json: bool) {
    if as_json {
        say!("{}", document(report));
        return;
    }
    for found in report.checks.iter().filter(|check| check.violations > 0) {
        say!("{}  {}  {}", found.id, found.violations, found.says);
        say!("    such as {}", found.examples.join(", "));
    }
    for note in report.notes.iter().filter(|note| note.violations > 0) {
        say!("note: {}  {}  {}", note.id, note.violations, note.says);
        say!("    such as {}", note.examples.join(", "));
    }
    let broken = report.checks.iter().filter(|check| check.violations > 0);
    say!(
        "{} checks, {} of them found something",
        report.checks.len(),
        broken.count()
    );
}

fn document(report: &CheckReport) -> Value {
    let told = |checks: &[Check]| -> Vec<Value> {
        let told = checks.iter().map(|check| {
            json!({
                "id": check.id,
                "says": check.says,
                "violations": check.violations,
                "examples": check.examples,
            })
        });
        told.collect()
    };
    json!({
        "clean": report.is_clean(),
        "checked_at": report.at.to_string(),
        "checks": told(&report.checks),
        "notes": told(&report.notes),
    })
}
