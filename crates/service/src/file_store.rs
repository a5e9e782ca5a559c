//! Whether files are kept where the database says: of two nodes with a folder each, every other download would fail.
//!
//! The file storage has a name that the first start gave it, and the database remembers it. Where the two differ, or the
//! storage has lost its name, something else is there than what the rows were written with: another folder, another
//! bucket, a disk that is not mounted.

use anyhow::{Context, bail};
use lyceum_blobs::{Blobs, NAME};
use lyceum_domain::hex;
use lyceum_ports::environment::Entropy;
use lyceum_store::running::rotation;

use crate::environment::OsEntropy;
use crate::master_key;
use crate::storage::Storage;

/// What the database keeps the name under.
const SECRET: &str = "file_store";

/// How the storage stands to the database.
#[derive(Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is the one.
    Right,
    /// Neither has a name yet.
    New,
    /// It has no name, and the database knows one.
    Nameless,
    /// It has another name than the database knows.
    Other,
}

/// How the storage stands to the database; nothing is changed.
///
/// # Errors
/// If either cannot be asked.
pub async fn standing(storage: &Storage) -> anyhow::Result<Standing> {
    // To open a folder is to make it.
    let is_there = storage.blobs_folder()?.is_none_or(|folder| folder.is_dir());
    let has = if is_there {
        open(storage)?.name().await.context("the file storage")?
    } else {
        None
    };
    Ok(match (has, known(storage)?) {
        (None, None) => Standing::New,
        (Some(_), None) => Standing::Right,
        (None, Some(_)) => Standing::Nameless,
        (Some(has), Some(known)) if has == known => Standing::Right,
        (Some(_), Some(_)) => Standing::Other,
    })
}

/// Refuses a storage that is not the one of the database, and gives a new one its name. A bucket that does not answer
/// is told and left: it may be back by the time it is wanted.
///
/// # Errors
/// If it is another.
pub async fn hold(storage: &Storage) -> anyhow::Result<()> {
    let blobs = open(storage)?;
    let known = known(storage)?;
    let has = match (blobs.name().await, &known) {
        (Ok(None), None) => blobs.named(&fresh()).await,
        (Ok(Some(has)), _) => Ok(has),
        (Ok(None), Some(known)) => bail!(other(storage, known)?),
        (Err(error), _) => Err(error),
    };
    let has = match has {
        Ok(has) => has,
        Err(error) => {
            tracing::warn!(%error, "the file storage did not say whether it is the right one");
            return Ok(());
        }
    };
    let known = match known {
        Some(known) => known,
        None => remember(storage, &has)?,
    };
    if has != known {
        bail!(other(storage, &known)?);
    }
    Ok(())
}

/// What a person is told who asks what to do about it.
pub const MEND: &str = "give all nodes the same LYCEUM_BLOBS_URL, and see that its disk is there";

/// What a person is told, and how to go on.
fn other(storage: &Storage, known: &str) -> anyhow::Result<String> {
    let place = match storage.blobs_folder()? {
        Some(folder) => folder.join(NAME).display().to_string(),
        None => format!("{NAME} in the bucket of LYCEUM_BLOBS_URL"),
    };
    Ok(format!(
        "the files of this database are kept elsewhere: all nodes need the same LYCEUM_BLOBS_URL, and its disk must be \
         there. If its files were moved here, move {NAME} along; if they are lost, write the line {known} into {place} \
         and see with `lyceum fsck` what is missing"
    ))
}

fn open(storage: &Storage) -> anyhow::Result<Blobs> {
    Blobs::open(&storage.blobs_url()?).context("LYCEUM_BLOBS_URL")
}

fn fresh() -> String {
    let mut name = [0; 32];
    OsEntropy.fill(&mut name);
    hex::lower(&name)
}

fn known(storage: &Storage) -> anyhow::Result<Option<String>> {
    let Some(keys) = master_key::load(&storage.master_key_file())? else {
        return Ok(None);
    };
    let known = rotation::known_secret(&storage.database(), &keys.master_key(), SECRET);
    let known = known.context("the name of the file storage")?;
    Ok(known.map(|name| hex::lower(&name)))
}

/// What the database knows from now on, unless it was told another name a moment ago.
fn remember(storage: &Storage, name: &str) -> anyhow::Result<String> {
    let mut bytes = [0_u8; 32];
    let digits = name.as_bytes();
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
        bail!("{NAME} in the file storage is none of ours: it has 64 hexadecimal digits");
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair)?, 16)?;
    }
    let keys = master_key::load_or_make(&storage.master_key_file())?;
    let url = storage.database();
    let kept = rotation::service_secret(&url, &keys.master_key(), SECRET, bytes);
    Ok(hex::lower(&kept.context("the name of the file storage")?))
}
