//! The installation's master key: a file of 64 hexadecimal digits that only its owner may read. After it was exchanged
//! the keys of before stand below it, a line each.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, bail};
use lyceum_store::MasterKey;

/// The keys of the file.
#[derive(Clone, PartialEq, Eq)]
pub struct MasterKeys {
    current: [u8; 32],
    older: Vec<[u8; 32]>,
}

impl std::fmt::Debug for MasterKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MasterKeys(…)")
    }
}

impl MasterKeys {
    /// As the store takes it.
    pub fn master_key(&self) -> MasterKey {
        MasterKey::from_bytes(self.current).with_older(self.older.clone())
    }

    /// The first that there ever was, as far as the file says.
    pub fn first(&self) -> &[u8; 32] {
        self.older.last().unwrap_or(&self.current)
    }
}

/// Reads the key, if there is one.
///
/// # Errors
/// If the file cannot be read, or is not a key.
pub fn load(path: &Path) -> anyhow::Result<Option<MasterKeys>> {
    if path.exists() {
        load_or_make(path).map(Some)
    } else {
        Ok(None)
    }
}

/// Reads the key, or makes one where there is none and `may_make` says so.
///
/// # Errors
/// If the file cannot be read, or is not a key.
pub fn load_or_make(path: &Path) -> anyhow::Result<MasterKeys> {
    match fs::read_to_string(path) {
        Ok(text) => parse(&text).with_context(|| format!("{} is not a master key", path.display())),
        Err(error) if error.kind() == ErrorKind::NotFound => make(path),
        Err(error) => Err(error).with_context(|| format!("could not read {}", path.display())),
    }
}

fn make(path: &Path) -> anyhow::Result<MasterKeys> {
    let key = fresh()?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("could not make {}", folder.display()))?;
    }
    let made = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path);
    let mut file = match made {
        Ok(file) => file,
        // Another process of the same first start was faster: its key is the key.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return load_or_make(path),
        Err(error) => {
            return Err(error).with_context(|| format!("could not make {}", path.display()));
        }
    };
    let digits: String = lyceum_domain::hex::lower(&key);
    file.write_all(digits.as_bytes())
        .and_then(|()| file.sync_all())
        .context("could not write the master key")?;
    Ok(MasterKeys {
        current: key,
        older: Vec::new(),
    })
}

fn fresh() -> anyhow::Result<[u8; 32]> {
    let mut key = [0_u8; 32];
    getrandom::fill(&mut key).map_err(|error| anyhow::anyhow!("no randomness: {error}"))?;
    Ok(key)
}

/// Puts a new key above those that are there, whole or not at all.
///
/// # Errors
/// If the file cannot be written.
pub fn exchange(path: &Path, keys: MasterKeys) -> anyhow::Result<MasterKeys> {
    let mut older = vec![keys.current];
    older.extend(keys.older);
    let keys = MasterKeys {
        current: fresh()?,
        older,
    };
    let lines: Vec<String> = std::iter::once(&keys.current)
        .chain(&keys.older)
        .map(|key| format!("{}\n", lyceum_domain::hex::lower(key)))
        .collect();
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    // Made for its owner alone, like every temporary file.
    let mut file =
        tempfile::NamedTempFile::new_in(folder).context("could not write the master key")?;
    file.write_all(lines.concat().as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)
        .context("could not write the master key")?;
    fs::File::open(folder)?.sync_all()?;
    Ok(keys)
}

fn parse(text: &str) -> anyhow::Result<MasterKeys> {
    let mut keys = text.split_whitespace().map(parse_key);
    let current = keys.next().unwrap_or_else(|| parse_key(""))?;
    Ok(MasterKeys {
        current,
        older: keys.collect::<Result<_, _>>()?,
    })
}

fn parse_key(text: &str) -> anyhow::Result<[u8; 32]> {
    if text.len() != 64 || !text.is_ascii() {
        bail!("it must be 64 hexadecimal digits");
    }
    let mut key = [0_u8; 32];
    for (byte, pair) in key.iter_mut().zip(text.as_bytes().chunks(2)) {
        let pair = std::str::from_utf8(pair)?;
        *byte = u8::from_str_radix(pair, 16).context("it must be 64 hexadecimal digits")?;
    }
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_key_is_made_once_and_only_for_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/master.key");
        let key = load_or_make(&path).unwrap();
        assert_eq!(load_or_make(&path).unwrap(), key);
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        let exchanged = exchange(&path, key.clone()).unwrap();
        assert_ne!(exchanged.current, key.current);
        assert_eq!(exchanged.first(), key.first());
        assert_eq!(load_or_make(&path).unwrap(), exchanged);
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        for wrong in ["short", "", &"0".repeat(65)] {
            fs::write(&path, wrong).unwrap();
            assert!(load_or_make(&path).is_err());
        }
    }
}
