//! `lyceum backup`: a copy of everything but the master key, taken beside a running service.
//!
//! A backup is a folder that appears under its name when it is whole. Files are copied first, then the database, then
//! the files that came in between: so no row of a backup lacks its file, whatever was stored or deleted meanwhile.

mod copying;
mod holding;
mod manifest;
pub mod schedule;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use lyceum_store::running::integrity;
use lyceum_store::upkeep::backup;
use lyceum_store::{DatabaseUrl, WantedFiles};
use serde_json::{Value, json};

pub use copying::{copy_file, copy_new, hash_of, sync_folder};
pub use manifest::{Item, Manifest};

use crate::fsck::files;
use crate::settings::Settings;
use lyceum_service::assemble::now;
use lyceum_service::{Storage, private};
use lyceum_terminal::interruption::{Interruption, telling};
use lyceum_terminal::progress::{LongWork, Progress};
use lyceum_terminal::say;

/// What every backup's name begins with.
const PREFIX: &str = "lyceum-";
/// Name of the database in a backup.
pub const DATABASE: &str = "lyceum.db";
/// Name of the folder of files in a backup.
pub const FILES: &str = "blobs";
/// How often the database is copied anew because a file was deleted between the two looks.
const TRIES: usize = 3;

/// Where to, and how many are kept.
#[derive(Debug, clap::Args)]
pub struct BackupArguments {
    /// Folder that the backup is made in.
    destination: PathBuf,

    /// How many backups are kept there; older ones are removed when this one is whole.
    #[arg(long, default_value = "7")]
    keep: NonZeroUsize,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Takes a backup and says where it is.
///
/// # Errors
/// If it could not be taken; then nothing appears under its name.
pub async fn run(settings: &Settings, arguments: &BackupArguments) -> anyhow::Result<()> {
    let work = LongWork::new(Progress::of_bytes(0, "backing up"), Interruption::listen()?);
    let storage = settings.storage()?;
    let taking = take(&storage, &arguments.destination, arguments.keep, work);
    let says = || "no backup was made, and nothing of it is left".to_owned();
    let made = taking.await.map_err(|error| telling(error, says))?;
    let damaged = Manifest::read(&made)?.damaged;
    let has_database = matches!(storage.database(), DatabaseUrl::Sqlite(_));
    if arguments.json {
        say!("{}", document(&made, has_database)?);
        return refuse_silence(&damaged);
    }
    say!("{}", made.display());
    say!("The master key is not in it: keep a copy of it elsewhere.");
    if !has_database {
        say!("The database is not in it either: dump it with `pg_dump -Fc`, before this command.");
    }
    refuse_silence(&damaged)
}

/// The backup is there; whoever runs this every night is to hear what is in it.
fn refuse_silence(damaged: &[String]) -> anyhow::Result<()> {
    ensure!(
        damaged.is_empty(),
        "the backup was made, but these files are damaged, and no earlier backup here has a good copy: {}",
        damaged.join(", ")
    );
    Ok(())
}

fn document(made: &Path, has_database: bool) -> anyhow::Result<Value> {
    let manifest = Manifest::read(made)?;
    let bytes: u64 = manifest.items.iter().map(|item| item.size_bytes).sum();
    Ok(json!({
        "path": made,
        "created_at": manifest.created_at,
        "has_database": has_database,
        "has_files": manifest.has_files,
        "has_master_key": false,
        "items": manifest.items.len(),
        "size_bytes": bytes,
        "counts": manifest.counts,
        "damaged": manifest.damaged,
    }))
}

/// Takes a backup; its folder.
///
/// # Errors
/// If it could not be taken; then nothing appears under its name.
pub async fn take(
    storage: &Storage,
    destination: &Path,
    keep: NonZeroUsize,
    work: LongWork,
) -> anyhow::Result<PathBuf> {
    fs::create_dir_all(destination)
        .with_context(|| format!("could not make {}", destination.display()))?;
    for earlier in taken(destination)? {
        private::close(&earlier);
    }
    let stamp: String = now().to_string();
    let stamp: String = stamp.chars().filter(char::is_ascii_alphanumeric).collect();
    let name = format!("{PREFIX}{stamp}");
    let partial = destination.join(format!(".{name}.partial"));
    fs::create_dir(&partial).with_context(|| format!("could not make {}", partial.display()))?;
    let taken = fill(storage, &partial, taken(destination)?, work).await;
    if let Err(error) = taken {
        // What is left of it is of no use to anybody.
        fs::remove_dir_all(&partial).ok();
        return Err(error);
    }
    let place = destination.join(name);
    fs::rename(&partial, &place).with_context(|| format!("could not make {}", place.display()))?;
    sync_folder(destination)?;
    forget_oldest(destination, keep)?;
    Ok(place)
}

async fn fill(
    storage: &Storage,
    folder: &Path,
    earlier: Vec<PathBuf>,
    work: LongWork,
) -> anyhow::Result<()> {
    let blobs = storage.blobs_folder()?;
    let (database, inner) = (storage.database(), folder.to_owned());
    let interruption = work.interruption().clone();
    let filling = interruption.unless(move || {
        let source = Source {
            database,
            blobs,
            earlier,
        };
        source.copy_to(&inner, &work)
    });
    filling.await
}

/// What a backup is taken of.
struct Source {
    database: DatabaseUrl,
    /// None where files are in a bucket.
    blobs: Option<PathBuf>,
    /// Backups that were taken before, oldest first.
    earlier: Vec<PathBuf>,
}

impl Source {
    fn copy_to(&self, folder: &Path, work: &LongWork) -> anyhow::Result<()> {
        // Everything is read twice: to be copied, and to be hashed from the copy.
        work.expect(2 * self.size_of_files() + self.size_of_database());
        if let Some(blobs) = &self.blobs {
            copying::copy_new(blobs, &folder.join(FILES), work)?;
        }
        let facts = match &self.database {
            DatabaseUrl::Sqlite(file) => {
                ensure!(file.exists(), "there is no database {}", file.display());
                self.refuse_damaged_database()?;
                Some(self.copy_database(file, folder, work)?)
            }
            DatabaseUrl::Postgres(_) => None,
        };
        let items = copying::items(folder, work)?;
        let Some(_) = &self.blobs else {
            return Manifest::new(facts, items, false).write(folder);
        };
        let held = holding::hold(folder, items, &self.wanted(folder)?, &self.earlier, work)?;
        for key in &held.replaced {
            tracing::error!(
                key,
                "a file is damaged or gone; the backup has the good copy of an earlier one"
            );
        }
        for key in &held.damaged {
            tracing::error!(
                key,
                "a file is damaged, and no earlier backup has a good copy"
            );
        }
        for key in &held.missing {
            tracing::error!(key, "a file is missing and not in the backup");
        }
        let manifest = Manifest::new(facts, held.items, true);
        manifest.with_damaged(held.damaged).write(folder)
    }

    /// What the files must be, as the rows say that go with them.
    fn wanted(&self, folder: &Path) -> anyhow::Result<files::HashesByKey> {
        let wanted = match &self.database {
            DatabaseUrl::Sqlite(_) => {
                lyceum_store::files_wanted(&DatabaseUrl::Sqlite(folder.join(DATABASE)))?
            }
            postgres @ DatabaseUrl::Postgres(_) => match lyceum_store::files_wanted(postgres) {
                Ok(wanted) => wanted,
                // The files are worth having without it; they are held against those of the backup before.
                Err(error) => {
                    tracing::warn!(%error, "the database could not say what the files must be");
                    WantedFiles::default()
                }
            },
        };
        let mut wanted = files::keys(&wanted)?;
        if matches!(self.database, DatabaseUrl::Postgres(_)) {
            // The database goes on while files are copied: what it wants by now may be too new to be here.
            wanted.retain(|key, _| folder.join(FILES).join(key).is_file());
        }
        Ok(wanted)
    }

    /// A damaged database is no backup: those that were taken before are better.
    fn refuse_damaged_database(&self) -> anyhow::Result<()> {
        let faults = integrity::quick_check(&self.database)?;
        ensure!(
            faults.is_empty(),
            "the database is damaged, and the backups taken before are kept: {}",
            faults.join("; ")
        );
        Ok(())
    }

    fn size_of_files(&self) -> u64 {
        self.blobs.as_deref().map_or(0, copying::size_of)
    }

    fn size_of_database(&self) -> u64 {
        match &self.database {
            DatabaseUrl::Sqlite(file) => fs::metadata(file).map_or(0, |about| about.len()),
            DatabaseUrl::Postgres(_) => 0,
        }
    }

    /// Copies the database, and the files that came since files were copied; anew where one was deleted so quickly
    /// that it is in the copy of the database alone.
    fn copy_database(
        &self,
        file: &Path,
        folder: &Path,
        work: &LongWork,
    ) -> anyhow::Result<backup::CopyFacts> {
        let copy = folder.join(DATABASE);
        let copied_blobs = folder.join(FILES);
        let mut tries = 1;
        loop {
            work.advance(0)?;
            let facts = backup::copy(file, &copy).context("could not copy the database")?;
            let Some(blobs) = &self.blobs else {
                return Ok(facts);
            };
            copying::copy_new(blobs, &copied_blobs, work)?;
            let wanted = lyceum_store::files_wanted(&DatabaseUrl::Sqlite(copy.clone()))?;
            let mut wanted = files::keys(&wanted)?.into_keys();
            // Missing at the source too: that is no reason to have no backup.
            if tries == TRIES || wanted.all(|key| copied_blobs.join(key).is_file()) {
                return Ok(facts);
            }
            fs::remove_file(&copy).context("could not copy the database anew")?;
            tries += 1;
        }
    }
}

/// The backups in a folder, oldest first.
///
/// # Errors
/// If it cannot be read.
pub fn taken(destination: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(destination)
        .with_context(|| format!("could not read {}", destination.display()))?;
    let mut found: Vec<PathBuf> = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(PREFIX) && path.join(Manifest::FILE).is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn forget_oldest(destination: &Path, keep: NonZeroUsize) -> anyhow::Result<()> {
    let taken = taken(destination)?;
    let too_many = taken.len().saturating_sub(keep.get());
    for old in taken.iter().take(too_many) {
        fs::remove_dir_all(old).with_context(|| format!("could not remove {}", old.display()))?;
    }
    Ok(())
}
