//! `lyceum eval compare`.

use std::path::PathBuf;

use lyceum_eval::compare::compare;
use lyceum_eval::report::GradeReport;

use super::{ReportArguments, read_json, said};

/// Which reports.
#[derive(Debug, clap::Args)]
pub struct CompareArguments {
    /// A report of `eval grade`.
    a: PathBuf,

    /// Another one; differences are this one minus the first.
    b: PathBuf,

    #[command(flatten)]
    report: ReportArguments,
}

/// Compares.
///
/// # Errors
/// If a file is no report or cannot be written.
pub fn run(arguments: &CompareArguments) -> anyhow::Result<()> {
    let a: GradeReport = read_json(&arguments.a)?;
    let b: GradeReport = read_json(&arguments.b)?;
    let comparison = compare(&a, &b);
    arguments.report.write(&comparison)?;
    said::comparison(&comparison)
}
