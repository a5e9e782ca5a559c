//! `lyceum eval release`.

use std::path::PathBuf;
use std::sync::Arc;

use lyceum_eval::dataset::{Choice, Dataset};
use lyceum_eval::release::{ReleaseReport, Simulation, simulate};

use super::{AskingArguments, ReportArguments, asker, said, tell_stop};
use crate::settings::Settings;
use lyceum_terminal::interruption::Interruption;
use lyceum_terminal::progress::Progress;

/// Which data set certificates are tried for on, and how.
#[derive(Debug, clap::Args)]
pub struct ReleaseArguments {
    /// CSV of answers that people graded.
    #[arg(long, value_name = "FILE")]
    answers: PathBuf,

    /// JSON lines of the questions they answer.
    #[arg(long, value_name = "FILE")]
    questions: PathBuf,

    #[command(flatten)]
    asking: AskingArguments,

    /// How many graded answers of each question are examples.
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = examples)]
    examples: usize,

    /// How many answers are graded blind; several numbers make several rows. Never fewer than can prove the promise.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "20,30,50", value_parser = clap::value_parser!(u32).range(1..=500))]
    tests: Vec<u32>,

    /// What is promised: of 100 grades that go out at most so many disagree; several numbers make several rows.
    #[arg(long, value_name = "X", value_delimiter = ',', default_value = "10,20", value_parser = clap::value_parser!(u8).range(5..=30))]
    max_disagreement: Vec<u8>,

    /// By more than this share of the points, in hundredths, two grades disagree; a pass/fail flip always does.
    #[arg(long, value_name = "SHARE", default_value_t = 25, value_parser = clap::value_parser!(u8).range(5..=100))]
    points_share: u8,

    /// How many answers a class hands in, drawn from those of the question with replacement.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = class)]
    class: usize,

    /// How many classes are drawn for each question.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    redraws: u32,

    /// Seed of examples, classes and lots.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Only answers of this split.
    #[arg(long)]
    split: Option<String>,

    #[command(flatten)]
    report: ReportArguments,
}

/// Grades, tries for certificates and reports.
///
/// # Errors
/// What cannot be read, asked or written.
pub async fn run(settings: &Settings, arguments: ReleaseArguments) -> anyhow::Result<()> {
    let dataset = Dataset::read(&arguments.answers, &arguments.questions)?;
    let file = arguments.answers.file_name().unwrap_or_default();
    let simulation = Simulation {
        dataset: Arc::new(dataset),
        answers_file: file.to_string_lossy().into_owned(),
        choice: Choice {
            split: arguments.split.clone(),
            limit: None,
            seed: arguments.seed,
        },
        examples: arguments.examples,
        promises: arguments.max_disagreement.clone(),
        tests: arguments.tests.clone(),
        class: arguments.class,
        redraws: arguments.redraws,
        points_share: arguments.points_share,
    };
    let interruption = Interruption::listen()?;
    let report = simulated(settings, &arguments, simulation, &interruption).await?;
    arguments.report.write(&report)?;
    said::release(&report)?;
    tell_stop(report.stopped.as_ref(), &interruption)
}

async fn simulated(
    settings: &Settings,
    arguments: &ReleaseArguments,
    simulation: Simulation,
    interruption: &Interruption,
) -> anyhow::Result<ReleaseReport> {
    let asker = asker(settings, &arguments.asking, interruption)?;
    let all = u64::try_from(simulation.number()?)?;
    let bar = Progress::of(all, "grading");
    // On a thread of its own: the built-in engine never waits, and Ctrl-C must be heard meanwhile.
    let simulating = tokio::spawn(async move {
        let report = simulate(&simulation, &asker, &|| bar.add(1)).await;
        drop(bar);
        report
    });
    Ok(simulating.await??)
}

fn examples(text: &str) -> Result<usize, String> {
    within(text, 1, 50)
}

fn class(text: &str) -> Result<usize, String> {
    within(text, 1, 10_000)
}

fn within(text: &str, least: usize, most: usize) -> Result<usize, String> {
    let number = text.parse::<usize>().ok();
    let fits = number.filter(|number| (least..=most).contains(number));
    fits.ok_or_else(|| format!("must be between {least} and {most}"))
}
