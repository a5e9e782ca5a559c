//! `lyceum export`: a cohort's course as a SCORM package, from a running service into a file.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::ValueEnum;
use lyceum_client::Client;
use lyceum_wire::exporting::scorm::{CreateScormPackage, ScormPackageView, ScormVersionWord};

use crate::remote::ServiceArguments;
use lyceum_terminal::interruption::Interruption;
use lyceum_terminal::progress::Progress;
use lyceum_terminal::{say, say_beside};

/// How long the service may take to make a package.
const READY_WITHIN: Duration = Duration::from_mins(15);
/// How long a request may take: a package may be large and the line slow.
const REQUEST_WITHIN: Duration = Duration::from_mins(30);

/// Which SCORM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Edition {
    /// SCORM 1.2: Moodle's mobile app and older systems.
    #[value(name = "1.2")]
    V12,
    /// SCORM 2004 3rd Edition.
    #[value(name = "2004")]
    V2004,
}

/// What is exported, from where and to where.
#[derive(clap::Args)]
pub struct ExportArguments {
    /// The cohort (`coh_…`) whose course is packed.
    cohort: String,

    /// Which SCORM.
    #[arg(id = "edition", long = "version", value_enum, default_value = "2004")]
    edition: Edition,

    /// File to write; what was there is replaced once the package is whole.
    #[arg(short, long, value_name = "FILE", default_value = "course.zip")]
    output: PathBuf,

    #[command(flatten)]
    service: ServiceArguments,

    /// Print the package as one JSON document.
    #[arg(long)]
    json: bool,
}

/// Exports; when it is interrupted, nothing is left behind.
///
/// # Errors
/// What the service refuses, why the package could not be made, or that the file cannot be written.
pub async fn run(arguments: &ExportArguments) -> anyhow::Result<()> {
    let interruption = Interruption::listen()?;
    tokio::select! {
        done = Box::pin(export(arguments)) => done,
        interrupted = interruption.asked() => Err(interrupted.saying(
            "no file was written; the service may still make the package, and the same command asks for another",
        ).into()),
    }
}

async fn export(arguments: &ExportArguments) -> anyhow::Result<()> {
    let client = arguments.service.client(REQUEST_WITHIN).await?;
    let package = made(&client, arguments).await?;
    let address = package.download_url.clone().unwrap_or_default();
    save(&client, &address, package.size_bytes, &arguments.output).await?;
    tell(&package, arguments)
}

/// The package, once it can be downloaded.
async fn made(client: &Client, arguments: &ExportArguments) -> anyhow::Result<ScormPackageView> {
    let waiting = Progress::waiting("packing the course");
    let wanted = CreateScormPackage {
        cohort_id: arguments.cohort.clone(),
        version: Some(match arguments.edition {
            Edition::V12 => ScormVersionWord::V12,
            Edition::V2004 => ScormVersionWord::V2004,
        }),
        ..CreateScormPackage::default()
    };
    let asked = client.scorm().create(&wanted).await?;
    let package = client.scorm().wait(&asked.id).within(READY_WITHIN).await?;
    drop(waiting);
    if package.status == "ready" {
        return Ok(package);
    }
    match package.error {
        Some(problem) => bail!("{}", problem.message),
        None => bail!("the package is {}", package.status),
    }
}

/// Downloads beside the target and then takes its place, so that half a package is never found there.
async fn save(
    client: &Client,
    address: &str,
    size: Option<u64>,
    output: &Path,
) -> anyhow::Result<()> {
    let named = || format!("{}", output.display());
    let folder = output.parent().filter(|folder| *folder != Path::new(""));
    let part = tempfile::Builder::new()
        .prefix(".lyceum-export-")
        .permissions(Permissions::from_mode(0o644))
        .tempfile_in(folder.unwrap_or(Path::new(".")))
        .with_context(named)?;
    let bar = Progress::of_bytes(size.unwrap_or_default(), "downloading");
    let written = client
        .download_with(address, part.path(), |so_far| bar.at(so_far))
        .await?;
    drop(bar);
    if size.is_some_and(|size| size != written) {
        bail!("the download ended too early");
    }
    part.persist(output).with_context(named)?;
    Ok(())
}

/// What a script reads goes to the output; what a person should know, beside it.
fn tell(package: &ScormPackageView, arguments: &ExportArguments) -> anyhow::Result<()> {
    if arguments.json {
        say!("{}", serde_json::to_string(package)?);
        return Ok(());
    }
    for warning in &package.warnings {
        say_beside!("warning: {warning}");
    }
    let (file, size) = (arguments.output.display(), package.size_bytes);
    say!("{file}: {} bytes", size.unwrap_or_default());
    Ok(())
}
