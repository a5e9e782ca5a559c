//! `lyceum eval compare`.

use std::path::PathBuf;

use lyceum_eval::compare::compare;
use lyceum_eval::report::GradeReport;

use super::{read_json, said, write_json};

/// Which reports.
#[derive(Debug, clap::Args)]
pub struct CompareArguments {
    /// A report of `eval grade`.
    a: PathBuf,

    /// Another one; differences are this one minus the first.
    b: PathBuf,

    /// Where the comparison goes; to the output when absent.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Compares.
///
/// # Errors
/// If a file is no report or cannot be written.
pub fn run(arguments: &CompareArguments) -> anyhow::Result<()> {
    let a: GradeReport = read_json(&arguments.a)?;
    let b: GradeReport = read_json(&arguments.b)?;
    let comparison = compare(&a, &b);
    write_json(&comparison, arguments.out.as_deref())?;
    said::comparison(&comparison)
}
