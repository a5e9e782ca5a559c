//! `lyceum restore`: a backup becomes the data of a service.
//!
//! Everything is checked before anything is touched, everything is written beside its place before it is moved there,
//! and what was in that place is put aside and never deleted.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use lyceum_store::upkeep::{backup, schema_version};
use lyceum_store::{DataFolderLock, DatabaseUrl};
use serde_json::json;

use crate::backup::{DATABASE, FILES, Manifest, copy_file, copy_new, hash_of, sync_folder};
use crate::settings::Settings;
use lyceum_service::Storage;
use lyceum_service::assemble::now;
use lyceum_service::master_key;
use lyceum_terminal::interruption::{Interruption, telling};
use lyceum_terminal::progress::{LongWork, Progress};
use lyceum_terminal::say;

/// What is restored.
#[derive(Debug, clap::Args)]
pub struct RestoreArguments {
    /// Folder of the backup (`…/lyceum-…`).
    backup: PathBuf,

    /// Put aside what is in the data folder already.
    #[arg(long)]
    force: bool,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// What stands beside its place is called so.
const BESIDE: &str = ".restoring";

/// Where things go.
#[derive(Clone)]
struct Targets {
    database: Option<PathBuf>,
    files: Option<PathBuf>,
}

/// Restores a backup into the data folder. Until everything stands beside its place an interruption changes nothing;
/// from then on there is none.
///
/// # Errors
/// If the backup is damaged or too new, the folder holds data or is in use, or the master key is another.
pub async fn run(settings: &Settings, arguments: &RestoreArguments) -> anyhow::Result<()> {
    let storage = settings.storage()?;
    let manifest = Manifest::read(&arguments.backup)?;
    let restore = Restore {
        backup: arguments.backup.clone(),
        targets: targets(&storage, &manifest)?,
        manifest,
    };
    let put_aside = restored(&storage, arguments, &restore).await;
    let says = || "nothing was restored, and nothing was changed".to_owned();
    let put_aside = put_aside.map_err(|error| telling(error, says))?;
    tell(&restore.manifest, &put_aside, arguments.json);
    Ok(())
}

/// What was put aside for it.
async fn restored(
    storage: &Storage,
    arguments: &RestoreArguments,
    restore: &Restore,
) -> anyhow::Result<Vec<PathBuf>> {
    let interruption = Interruption::listen()?;
    // Everything is read twice: to be checked, and to be copied.
    let bar = Progress::of_bytes(2 * restore.bytes(), "restoring");
    let work = Arc::new(LongWork::new(bar, interruption.clone()));
    let checking = interruption.unless({
        let (storage, restore, work) = (storage.clone(), restore.clone(), Arc::clone(&work));
        move || restore.check(&storage, &work)
    });
    checking.await?;
    let targets = &restore.targets;
    // Held until everything is in its place: no service starts in between, and none is running.
    let lock = lock(targets)?;
    refuse_occupied(targets, arguments.force)?;
    // What an earlier run left that was killed.
    forget_copies(targets);
    let copying = interruption.unless({
        let restore = restore.clone();
        move || restore.copy_beside(&work)
    });
    if let Err(error) = copying.await {
        forget_copies(targets);
        return Err(error);
    }
    let targets = targets.clone();
    let put_aside = tokio::task::spawn_blocking(move || put(&targets)).await?;
    drop(lock);
    put_aside
}

/// What goes where.
#[derive(Clone)]
struct Restore {
    backup: PathBuf,
    manifest: Manifest,
    targets: Targets,
}

impl Restore {
    fn bytes(&self) -> u64 {
        let sizes = self.manifest.items.iter().map(|item| item.size_bytes);
        sizes.sum()
    }

    fn check(&self, storage: &Storage, work: &LongWork) -> anyhow::Result<()> {
        refuse_damaged(&self.backup, &self.manifest, work)?;
        refuse_newer(&self.backup, &self.manifest)?;
        if self.manifest.schema_version.is_some() {
            refuse_other_key(storage, &self.backup.join(DATABASE))?;
        }
        Ok(())
    }

    fn copy_beside(&self, work: &LongWork) -> anyhow::Result<()> {
        if let Some(folder) = &self.targets.files {
            let beside = with_ending(folder, BESIDE);
            fs::create_dir_all(&beside).context("could not make the folder of files")?;
            copy_new(&self.backup.join(FILES), &beside, work)?;
            sync_folder(&beside)?;
        }
        if let Some(file) = &self.targets.database {
            let beside = with_ending(file, BESIDE);
            copy_file(&self.backup.join(DATABASE), &beside, work)
                .context("could not copy the database")?;
        }
        Ok(())
    }
}

fn tell(manifest: &Manifest, put_aside: &[PathBuf], as_json: bool) {
    if as_json {
        let document = json!({
            "backup_of": manifest.created_at,
            "restored_database": manifest.schema_version.is_some(),
            "restored_files": manifest.has_files,
            "put_aside": put_aside,
        });
        say!("{document}");
        return;
    }
    say!(
        "Restored the backup of {}. What was asked of the service since then is not in it.",
        manifest.created_at
    );
    for place in put_aside {
        say!("What was there before is {}.", place.display());
    }
}

fn forget_copies(targets: &Targets) {
    if let Some(folder) = &targets.files {
        fs::remove_dir_all(with_ending(folder, BESIDE)).ok();
    }
    if let Some(file) = &targets.database {
        fs::remove_file(with_ending(file, BESIDE)).ok();
    }
}

fn refuse_occupied(targets: &Targets, is_forced: bool) -> anyhow::Result<()> {
    let targets = [&targets.database, &targets.files];
    let occupied = targets.into_iter().flatten().find(|it| is_occupied(it));
    match occupied.filter(|_| !is_forced) {
        Some(place) => bail!("{} holds data; --force puts it aside", place.display()),
        None => Ok(()),
    }
}

fn refuse_damaged(backup: &Path, manifest: &Manifest, work: &LongWork) -> anyhow::Result<()> {
    for item in &manifest.items {
        ensure!(
            Path::new(&item.name)
                .components()
                .all(|part| matches!(part, std::path::Component::Normal(_))),
            "the backup is damaged: {} is no name",
            item.name
        );
        let path = backup.join(&item.name);
        let size = fs::metadata(&path).with_context(|| format!("{} is missing", path.display()))?;
        ensure!(
            size.len() == item.size_bytes && hash_of(&path, work)? == item.sha256,
            "the backup is damaged: {} is not as it was",
            item.name
        );
    }
    Ok(())
}

fn refuse_newer(backup: &Path, manifest: &Manifest) -> anyhow::Result<()> {
    let Some(said) = &manifest.schema_version else {
        return Ok(());
    };
    let facts = backup::facts(&backup.join(DATABASE)).context("the backup is damaged")?;
    let built = schema_version::built();
    ensure!(
        facts.schema_version <= built,
        "the backup has the tables of version {said}, and this program knows those of version {built}: restore it \
         with the program that took it, lyceum {}",
        manifest.lyceum
    );
    Ok(())
}

/// Without the key, what is sealed stays shut: webhooks could not be signed.
fn refuse_other_key(storage: &Storage, copy: &Path) -> anyhow::Result<()> {
    let file = storage.master_key_file();
    let Some(key) = master_key::load(&file)? else {
        bail!(
            "there is no master key {}: no backup has it, so put it there first",
            file.display()
        );
    };
    let opens = backup::opens(copy, &key.master_key())?;
    ensure!(
        opens != Some(false),
        "the master key {} is not the one that the backup is sealed with",
        file.display()
    );
    Ok(())
}

fn targets(storage: &Storage, manifest: &Manifest) -> anyhow::Result<Targets> {
    let database = match (storage.database(), &manifest.schema_version) {
        (DatabaseUrl::Sqlite(file), Some(_)) => Some(file),
        (DatabaseUrl::Postgres(_), None) => None,
        (DatabaseUrl::Postgres(_), Some(_)) => {
            bail!("the backup is of a SQLite database, and LYCEUM_DATABASE_URL is another")
        }
        (DatabaseUrl::Sqlite(_), None) => {
            bail!("the backup has no database: it was taken beside PostgreSQL")
        }
    };
    let files = match (storage.blobs_folder()?, manifest.has_files) {
        (Some(folder), true) => Some(folder),
        (_, false) => None,
        (None, true) => bail!("the backup has files, and LYCEUM_BLOBS_URL is no folder"),
    };
    Ok(Targets { database, files })
}

fn lock(targets: &Targets) -> anyhow::Result<Option<DataFolderLock>> {
    let folder = targets.database.as_deref().and_then(Path::parent);
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    Ok(folder.map(DataFolderLock::take).transpose()?)
}

fn is_occupied(place: &Path) -> bool {
    if place.is_dir() {
        return fs::read_dir(place).is_ok_and(|mut inside| inside.next().is_some());
    }
    place.exists()
}

/// Files first: a database never stands beside the files of another time. Where what was there is now.
fn put(targets: &Targets) -> anyhow::Result<Vec<PathBuf>> {
    let stamp: String = now().to_string();
    let stamp: String = stamp.chars().filter(char::is_ascii_alphanumeric).collect();
    let mut aside = Vec::new();
    if let Some(folder) = &targets.files {
        aside.extend(exchange(folder, &stamp)?);
    }
    if let Some(file) = &targets.database {
        // The log beside a database belongs to it: with another's it would be read as its own.
        for ending in ["-wal", "-shm"] {
            aside.extend(put_aside(&with_ending(file, ending), &stamp)?);
        }
        aside.extend(exchange(file, &stamp)?);
    }
    Ok(aside)
}

fn exchange(place: &Path, stamp: &str) -> anyhow::Result<Option<PathBuf>> {
    let beside = with_ending(place, BESIDE);
    let aside = put_aside(place, stamp)?;
    fs::rename(beside, place).with_context(|| format!("could not make {}", place.display()))?;
    place.parent().map_or(Ok(()), sync_folder)?;
    Ok(aside)
}

fn put_aside(place: &Path, stamp: &str) -> anyhow::Result<Option<PathBuf>> {
    if !place.exists() {
        return Ok(None);
    }
    let aside = with_ending(place, &format!(".before-{stamp}"));
    let moved = fs::rename(place, &aside);
    moved.with_context(|| format!("could not put {} aside", place.display()))?;
    Ok(Some(aside))
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}
