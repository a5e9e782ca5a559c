//! `lyceum eval injections`.

use std::path::PathBuf;

use anyhow::Context;
use lyceum_eval::gates::Requirement;
use lyceum_eval::injections::{BUILT_IN, Cases, InjectionReport};
use lyceum_eval::numbers::count;

use super::{AskingArguments, ReportArguments, asker, hold_to, said, tell_stop};
use crate::settings::Settings;
use lyceum_terminal::interruption::Interruption;
use lyceum_terminal::progress::Progress;

/// Which attacks, on whom.
#[derive(Debug, clap::Args)]
pub struct InjectionArguments {
    /// JSON of submissions with attacks; those that come with the program when absent.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    asking: AskingArguments,

    #[command(flatten)]
    report: ReportArguments,

    /// How many cases must pass, as `injections=18`; otherwise the command fails.
    #[arg(long, value_delimiter = ',')]
    require: Vec<Requirement>,
}

/// Grades, reports, and fails where a requirement is not met.
///
/// # Errors
/// What cannot be read, asked or written, and what fell below what was required.
pub async fn run(settings: &Settings, arguments: InjectionArguments) -> anyhow::Result<()> {
    let cases = match &arguments.file {
        None => BUILT_IN.to_owned(),
        Some(file) => {
            std::fs::read_to_string(file).with_context(|| format!("{}", file.display()))?
        }
    };
    let cases = Cases::parse(&cases).map_err(anyhow::Error::msg);
    let cases = cases.context("the file of attacks")?;
    let interruption = Interruption::listen()?;
    let report = attacked(settings, &arguments, cases, &interruption).await?;
    arguments.report.write(&report)?;
    said::injections(&report)?;
    tell_stop(report.stopped.as_ref(), &interruption)?;
    hold_to(&arguments.require, |name| match name {
        "injections" => Some(Some(count(report.passed))),
        _ => None,
    })
}

async fn attacked(
    settings: &Settings,
    arguments: &InjectionArguments,
    cases: Cases,
    interruption: &Interruption,
) -> anyhow::Result<InjectionReport> {
    let asker = asker(settings, &arguments.asking, interruption)?;
    let bar = Progress::of(u64::try_from(cases.tests.len())?, "attacking");
    let attacking = tokio::spawn(async move {
        let report = lyceum_eval::injections::run(&cases, &asker, &|_| bar.add(1)).await;
        drop(bar);
        report
    });
    attacking.await?.map_err(anyhow::Error::msg)
}
