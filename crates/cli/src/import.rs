//! `lyceum import`: a course from Markdown, or people from CSV, into a running service.
//!
//! A file is read whole before anything is sent, and every problem in it is told with its line. What is sent can be sent
//! again: what is there is recognised, and what is asked for twice has one idempotency key. So a run that broke off is
//! gone on with by running the same command again.

mod course;
mod course_file;
mod once;
mod people;
mod people_file;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};

use crate::remote::ServiceArguments;
use course_file::CourseFile;
use lyceum_terminal::interruption::Interruption;
use lyceum_terminal::progress::Progress;
use people_file::PeopleFile;
use report::{Problem, Report, refuse};

/// How long a request may take.
const REQUEST_WITHIN: Duration = Duration::from_mins(1);

/// What is imported, and where to.
#[derive(clap::Args)]
pub struct ImportArguments {
    /// A course (`.md`) or people (`.csv`).
    file: PathBuf,

    #[command(flatten)]
    service: ServiceArguments,

    /// Only say what would be made: the service is asked, and nothing is changed.
    #[arg(long)]
    dry_run: bool,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// What a file holds.
enum Content {
    Course(CourseFile),
    People(PeopleFile),
}

/// What came of an import: a report, or what is wrong with the file.
type Imported = Result<Report, Vec<Problem>>;

/// Imports; ends with 1 where something is wrong with the file, and then nothing was changed.
///
/// # Errors
/// What the service refuses, or that it cannot be reached.
pub async fn run(arguments: &ImportArguments) -> anyhow::Result<ExitCode> {
    let interruption = Interruption::listen()?;
    let content = match read(&arguments.file)? {
        Ok(content) => content,
        Err(problems) => return Ok(refuse(&arguments.file, &problems, arguments.json)),
    };
    let progress = Progress::of(content.size(), "importing");
    let imported = tokio::select! {
        imported = Box::pin(import(arguments, &content, &progress)) => imported,
        interrupted = interruption.asked() => {
            return Err(interrupted.saying(so_far(&progress, &content)).into());
        }
    };
    let told = so_far(&progress, &content);
    drop(progress);
    match imported {
        Ok(Ok(report)) => {
            report.tell(arguments.dry_run, arguments.json);
            Ok(ExitCode::SUCCESS)
        }
        Ok(Err(problems)) => Ok(refuse(&arguments.file, &problems, arguments.json)),
        Err(error) => Err(error.context(told)),
    }
}

fn so_far(progress: &Progress, content: &Content) -> String {
    let (done, all) = (progress.done(), content.size());
    format!("{done} of {all} things are in the service, and the same command goes on from there")
}

async fn import(
    arguments: &ImportArguments,
    content: &Content,
    progress: &Progress,
) -> anyhow::Result<Imported> {
    let client = arguments.service.client(REQUEST_WITHIN).await?;
    let once = once::Once {
        client: &client,
        progress,
        is_dry: arguments.dry_run,
    };
    match content {
        Content::Course(file) => Ok(Ok(course::bring(&once, file).await?)),
        Content::People(file) => people::bring(&once, file).await,
    }
}

fn read(file: &Path) -> anyhow::Result<Result<Content, Vec<Problem>>> {
    let named = || format!("{}", file.display());
    let text = std::fs::read_to_string(file).with_context(named)?;
    // What editors of other systems add.
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let ending = file.extension().unwrap_or_default().to_ascii_lowercase();
    match ending.to_str() {
        Some("md" | "markdown") => Ok(course_file::parse(&text).map(Content::Course)),
        Some("csv") => Ok(people_file::parse(&text).map(Content::People)),
        _ => bail!("{} is neither a course (.md) nor people (.csv)", named()),
    }
}

impl Content {
    fn size(&self) -> u64 {
        let size = match self {
            Self::Course(file) => file.size(),
            Self::People(file) => file.size(),
        };
        u64::try_from(size).unwrap_or(u64::MAX)
    }
}
