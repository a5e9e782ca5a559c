//! `lyceum eval tricks`.

use std::path::PathBuf;
use std::sync::Arc;

use lyceum_ai::attacks::BuiltinAttacks;
use lyceum_eval::dataset::{Choice, Dataset};
use lyceum_eval::tricks::{Material, TrickReport, play};

use super::{AskingArguments, ReportArguments, asker, said, tell_stop};
use crate::settings::Settings;
use lyceum_terminal::interruption::Interruption;
use lyceum_terminal::progress::Progress;

/// Which data set the tricks are made of, and on whom they are played.
#[derive(Debug, clap::Args)]
pub struct TrickArguments {
    /// CSV of answers that people graded.
    #[arg(long, value_name = "FILE")]
    answers: PathBuf,

    /// JSON lines of the questions they answer.
    #[arg(long, value_name = "FILE")]
    questions: PathBuf,

    #[command(flatten)]
    asking: AskingArguments,

    /// Only this many answers, drawn at random.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Seed of what is drawn and shuffled.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Only answers of this split.
    #[arg(long)]
    split: Option<String>,

    #[command(flatten)]
    report: ReportArguments,
}

/// Plays the tricks and reports.
///
/// # Errors
/// What cannot be read, asked or written.
pub async fn run(settings: &Settings, arguments: TrickArguments) -> anyhow::Result<()> {
    let dataset = Arc::new(Dataset::read(&arguments.answers, &arguments.questions)?);
    let interruption = Interruption::listen()?;
    let report = played(settings, &arguments, dataset, &interruption).await?;
    arguments.report.write(&report)?;
    said::tricks(&report)?;
    tell_stop(report.stopped.as_ref(), &interruption)
}

async fn played(
    settings: &Settings,
    arguments: &TrickArguments,
    dataset: Arc<Dataset>,
    interruption: &Interruption,
) -> anyhow::Result<TrickReport> {
    let asker = asker(settings, &arguments.asking, interruption)?;
    let seed = arguments.seed;
    let chosen = dataset.choose(&Choice {
        split: arguments.split.clone(),
        limit: arguments.limit,
        seed,
    })?;
    // On a thread of its own: the built-in engine never waits, and Ctrl-C must be heard meanwhile.
    let playing = tokio::spawn(async move {
        let material = Material {
            dataset: &dataset,
            chosen: &chosen,
            seed,
            maker: &BuiltinAttacks,
        };
        let all = u64::try_from(material.count()).unwrap_or(u64::MAX);
        let bar = Progress::of(all, "playing tricks");
        play(&material, &asker, &|_| bar.add(1)).await
    });
    Ok(playing.await?)
}
