//! The installation's master key: a file of 64 hexadecimal digits that only its owner may read.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, bail};

/// Reads the key, or makes one where there is none and `may_make` says so.
///
/// # Errors
/// If the file cannot be read, or is not a key.
pub fn load_or_make(path: &Path) -> anyhow::Result<[u8; 32]> {
    match fs::read_to_string(path) {
        Ok(text) => {
            parse(text.trim()).with_context(|| format!("{} is not a master key", path.display()))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => make(path),
        Err(error) => Err(error).with_context(|| format!("could not read {}", path.display())),
    }
}

fn make(path: &Path) -> anyhow::Result<[u8; 32]> {
    let mut key = [0_u8; 32];
    getrandom::fill(&mut key).map_err(|error| anyhow::anyhow!("no randomness: {error}"))?;
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
    Ok(key)
}

fn parse(text: &str) -> anyhow::Result<[u8; 32]> {
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
        fs::write(&path, "short").unwrap();
        assert!(load_or_make(&path).is_err());
    }
}
