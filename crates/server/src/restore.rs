//! `lyceum restore`: a backup becomes the data of a service.
//!
//! Everything is checked before anything is touched, everything is written beside its place before it is moved there,
//! and what was in that place is put aside and never deleted.
#![allow(
    clippy::print_stdout,
    reason = "commands print to the operator's terminal"
)]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use lyceum_store::{DataFolderLock, DatabaseUrl, backup, schema_version};

use crate::assemble::now;
use crate::backup::{DATABASE, FILES, Manifest, copy_file, hash_of, sync_folder};
use crate::fsck::files;
use crate::master_key;
use crate::settings::Settings;

/// What is restored.
#[derive(Debug, clap::Args)]
pub struct RestoreArguments {
    /// Folder of the backup (`…/lyceum-…`).
    backup: PathBuf,

    /// Put aside what is in the data folder already.
    #[arg(long)]
    force: bool,
}

/// Where things go.
struct Places {
    database: Option<PathBuf>,
    files: Option<PathBuf>,
}

/// Restores a backup into the data folder.
///
/// # Errors
/// If the backup is damaged or too new, the folder holds data or is in use, or the master key is another.
pub fn run(settings: &Settings, arguments: &RestoreArguments) -> anyhow::Result<()> {
    let backup = &arguments.backup;
    let manifest = Manifest::read(backup)?;
    refuse_damaged(backup, &manifest)?;
    let places = places(settings, &manifest)?;
    refuse_newer(backup, &manifest)?;
    if manifest.schema_version.is_some() {
        refuse_other_key(settings, &backup.join(DATABASE))?;
    }
    let lock = lock(&places)?;
    let occupied: Vec<&PathBuf> = [&places.database, &places.files]
        .into_iter()
        .flatten()
        .filter(|place| is_occupied(place))
        .collect();
    if let Some(place) = occupied.first().filter(|_| !arguments.force) {
        bail!("{} holds data; --force puts it aside", place.display());
    }
    put(backup, &places)?;
    drop(lock);
    println!(
        "Restored the backup of {}. What was asked of the service since then is not in it.",
        manifest.created_at
    );
    Ok(())
}

fn refuse_damaged(backup: &Path, manifest: &Manifest) -> anyhow::Result<()> {
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
            size.len() == item.size_bytes && hash_of(&path)? == item.sha256,
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
fn refuse_other_key(settings: &Settings, copy: &Path) -> anyhow::Result<()> {
    let file = settings.master_key_file();
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

fn places(settings: &Settings, manifest: &Manifest) -> anyhow::Result<Places> {
    let database = match (settings.database()?, &manifest.schema_version) {
        (DatabaseUrl::Sqlite(file), Some(_)) => Some(file),
        (DatabaseUrl::Postgres(_), None) => None,
        (DatabaseUrl::Postgres(_), Some(_)) => {
            bail!("the backup is of a SQLite database, and LYCEUM_DATABASE_URL is another")
        }
        (DatabaseUrl::Sqlite(_), None) => {
            bail!("the backup has no database: it was taken beside PostgreSQL")
        }
    };
    let files = match (files::folder(settings)?, manifest.has_files) {
        (Some(folder), true) => Some(folder),
        (_, false) => None,
        (None, true) => bail!("the backup has files, and LYCEUM_BLOBS_URL is no folder"),
    };
    Ok(Places { database, files })
}

/// Held until everything is in its place: no service starts in between, and none is running.
fn lock(places: &Places) -> anyhow::Result<Option<DataFolderLock>> {
    let folder = places.database.as_deref().and_then(Path::parent);
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    Ok(folder.map(DataFolderLock::take).transpose()?)
}

fn is_occupied(place: &Path) -> bool {
    if place.is_dir() {
        return fs::read_dir(place).is_ok_and(|mut inside| inside.next().is_some());
    }
    place.exists()
}

/// Files first: a database never stands beside the files of another time.
fn put(backup: &Path, places: &Places) -> anyhow::Result<()> {
    let stamp: String = now().to_string();
    let stamp: String = stamp.chars().filter(char::is_ascii_alphanumeric).collect();
    if let Some(folder) = &places.files {
        let beside = with_ending(folder, ".restoring");
        fs::remove_dir_all(&beside).ok();
        fs::create_dir_all(&beside).context("could not make the folder of files")?;
        copy_all(&backup.join(FILES), &beside)?;
        exchange(&beside, folder, &stamp)?;
    }
    if let Some(file) = &places.database {
        let beside = with_ending(file, ".restoring");
        fs::remove_file(&beside).ok();
        copy_file(&backup.join(DATABASE), &beside).context("could not copy the database")?;
        // The log beside a database belongs to it: with another's it would be read as its own.
        for ending in ["-wal", "-shm"] {
            put_aside(&with_ending(file, ending), &stamp)?;
        }
        exchange(&beside, file, &stamp)?;
    }
    Ok(())
}

fn copy_all(from: &Path, to: &Path) -> anyhow::Result<()> {
    crate::backup::copy_new(from, to)?;
    sync_folder(to)
}

fn exchange(beside: &Path, place: &Path, stamp: &str) -> anyhow::Result<()> {
    put_aside(place, stamp)?;
    fs::rename(beside, place).with_context(|| format!("could not make {}", place.display()))?;
    place.parent().map_or(Ok(()), sync_folder)
}

fn put_aside(place: &Path, stamp: &str) -> anyhow::Result<()> {
    if !place.exists() {
        return Ok(());
    }
    let aside = with_ending(place, &format!(".before-{stamp}"));
    fs::rename(place, &aside).with_context(|| format!("could not put {} aside", place.display()))
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}
