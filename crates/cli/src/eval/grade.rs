//! `lyceum eval grade`.

use std::path::PathBuf;
use std::sync::Arc;

use lyceum_eval::dataset::{Choice, Dataset};
use lyceum_eval::evaluation::{Evaluation, evaluate};
use lyceum_eval::gates::Requirement;
use lyceum_eval::page::grade_page;
use lyceum_eval::report::GradeReport;

use super::{AskingArguments, ReportArguments, asker, hold_to, said, tell_stop, write_file};
use crate::settings::Settings;
use lyceum_terminal::interruption::Interruption;
use lyceum_terminal::progress::Progress;

/// What is graded, by whom, and what is made of it.
#[derive(Debug, clap::Args)]
pub struct GradeArguments {
    /// CSV of answers that people graded.
    #[arg(long, value_name = "FILE")]
    answers: PathBuf,

    /// JSON lines of the questions they answer.
    #[arg(long, value_name = "FILE")]
    questions: PathBuf,

    #[command(flatten)]
    asking: AskingArguments,

    /// How many graded answers of the same question the grader is shown; several numbers make several runs.
    #[arg(long, value_name = "K", value_delimiter = ',', default_value = "0")]
    anchors: Vec<usize>,

    /// Only this many answers, drawn at random.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Seed of what is drawn.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Only answers of this split.
    #[arg(long)]
    split: Option<String>,

    /// How many bands scores are rounded to where bands are compared; as many as the people used when absent.
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=101))]
    bands: Option<u8>,

    /// From which share of the maximum on an answer passes.
    #[arg(long, default_value_t = 0.5)]
    pass_mark: f64,

    #[command(flatten)]
    report: ReportArguments,

    /// Where the report goes as a page.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Figures that every run must reach, such as `qwk=0.6`; otherwise the command fails.
    #[arg(long, value_delimiter = ',')]
    require: Vec<Requirement>,
}

/// Grades, reports, and fails where a requirement is not met.
///
/// # Errors
/// What cannot be read, asked or written, and what fell below what was required.
pub async fn run(settings: &Settings, arguments: GradeArguments) -> anyhow::Result<()> {
    let dataset = Dataset::read(&arguments.answers, &arguments.questions)?;
    let file = arguments.answers.file_name().unwrap_or_default();
    let evaluation = Evaluation {
        dataset: Arc::new(dataset),
        answers_file: file.to_string_lossy().into_owned(),
        choice: Choice {
            split: arguments.split.clone(),
            limit: arguments.limit,
            seed: arguments.seed,
        },
        anchors: arguments.anchors.clone(),
        bands: arguments.bands.map(usize::from),
        pass_mark: arguments.pass_mark,
    };
    let interruption = Interruption::listen()?;
    let report = evaluated(settings, &arguments, evaluation, &interruption).await?;
    arguments.report.write(&report)?;
    if let Some(page) = &arguments.html {
        write_file(page, &grade_page(&report))?;
    }
    said::grade(&report)?;
    tell_stop(report.stopped.as_ref(), &interruption)?;
    for run in &report.runs {
        hold_to(&arguments.require, |name| {
            run.figures.get(name).map(|figure| figure.value)
        })?;
    }
    Ok(())
}

async fn evaluated(
    settings: &Settings,
    arguments: &GradeArguments,
    evaluation: Evaluation,
    interruption: &Interruption,
) -> anyhow::Result<GradeReport> {
    let asker = asker(settings, &arguments.asking, interruption)?;
    let chosen = evaluation.dataset.choose(&evaluation.choice)?.len();
    let bar = Progress::of(u64::try_from(chosen * evaluation.anchors.len())?, "grading");
    // On a thread of its own: the built-in engine never waits, and Ctrl-C must be heard meanwhile.
    let grading = tokio::spawn(async move {
        let report = evaluate(&evaluation, &asker, &|_| bar.add(1)).await;
        drop(bar);
        report
    });
    Ok(grading.await??)
}
