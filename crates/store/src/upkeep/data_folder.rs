//! The folder of a SQLite file: whose it is, and whether it may be one at all.
//!
//! SQLite itself lets several processes share a file. The service does not: at its start it takes back what
//! another process has claimed, and it counts limits by itself. So one process at a time holds the folder.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error;

/// The file in the folder that is locked; it stays there, also while nobody holds it.
pub const LOCK_FILE: &str = "LOCK";

/// How long a predecessor that is just ending is waited for.
const PATIENCE: Duration = Duration::from_millis(500);
const PAUSE: Duration = Duration::from_millis(20);

/// Why a folder cannot be had.
#[derive(Debug, Error)]
pub enum DataFolderError {
    /// Another process holds it.
    #[error(
        "another process{} uses the data folder {}: one process at a time may; stop it first",
        holder.as_ref().map(|pid| format!(" ({pid})")).unwrap_or_default(),
        folder.display()
    )]
    InUse {
        /// The folder.
        folder: PathBuf,
        /// The process, as it noted itself down.
        holder: Option<String>,
    },
    /// It is on another machine.
    #[error(
        "the data folder {} is on a network file system ({kind}), whose locks and syncs SQLite cannot trust; \
         use a local disk, or PostgreSQL",
        folder.display()
    )]
    Network {
        /// The folder.
        folder: PathBuf,
        /// What it is on.
        kind: &'static str,
    },
    /// It cannot be made, read or locked.
    #[error("the data folder {} cannot be used", folder.display())]
    Io {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        #[source]
        cause: std::io::Error,
    },
}

/// A data folder that no other process has, until this is dropped or the process ends, however it ends.
#[derive(Debug)]
pub struct DataFolderLock {
    folder: PathBuf,
    // The lock is the open file's.
    _file: File,
}

impl DataFolderLock {
    /// Takes the folder, making it if it is not there; a process that is just ending is waited for, half a second.
    ///
    /// # Errors
    /// [`DataFolderError::InUse`], [`DataFolderError::Io`]
    pub fn take(folder: &Path) -> Result<Self, DataFolderError> {
        let failed = |cause| DataFolderError::Io {
            folder: folder.to_owned(),
            cause,
        };
        std::fs::create_dir_all(folder).map_err(failed)?;
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(folder.join(LOCK_FILE))
            .map_err(failed)?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::Error(cause)) => return Err(failed(cause)),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    std::thread::sleep(PAUSE);
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(DataFolderError::InUse {
                        folder: folder.to_owned(),
                        holder: noted(&mut file),
                    });
                }
            }
        }
        note(&mut file).map_err(failed)?;
        Ok(Self {
            folder: folder.to_owned(),
            _file: file,
        })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Writes down who holds it, for the message that others get.
fn note(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "process {}", std::process::id())
}

fn noted(file: &mut File) -> Option<String> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Refuses a folder on a network file system: there, a lock may be another machine's as well, and what was synced
/// may not be on its disk. A folder that is not there is judged by the nearest one above it that is.
///
/// # Errors
/// [`DataFolderError::Network`]
pub fn refuse_network_folder(folder: &Path) -> Result<(), DataFolderError> {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let Some(there) = absolute.ancestors().find(|place| place.exists()) else {
        return Ok(());
    };
    // What cannot be asked is not known to be remote.
    let Ok(found) = rustix::fs::statfs(there) else {
        return Ok(());
    };
    // The type is signed on some platforms and has 32 bits that count on all.
    match network_file_system(u64::try_from(found.f_type).unwrap_or_default() & 0xffff_ffff) {
        None => Ok(()),
        Some(kind) => Err(DataFolderError::Network {
            folder: folder.to_owned(),
            kind,
        }),
    }
}

/// The name of a file system that is on another machine, by its magic number (Linux, statfs(2) and magic.h).
const fn network_file_system(magic: u64) -> Option<&'static str> {
    Some(match magic {
        0x6969 => "NFS",
        0x517b => "SMB",
        0xff53_4d42 => "CIFS",
        0xfe53_4d42 => "SMB2",
        0x564c => "NCP",
        0x5346_414f => "AFS",
        0x6b41_4653 => "kAFS",
        0x00c3_6400 => "Ceph",
        0x0bd0_0bd0 => "Lustre",
        0x4750_4653 => "GPFS",
        0x0116_1970 => "GFS2",
        0x7461_636f => "OCFS2",
        0x0102_1997 => "9P",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_holder_and_says_who() {
        let folder = tempfile::tempdir().unwrap();
        let held = DataFolderLock::take(folder.path()).unwrap();
        let refused = DataFolderLock::take(folder.path()).unwrap_err();
        let text = refused.to_string();
        assert!(matches!(refused, DataFolderError::InUse { .. }), "{text}");
        assert!(text.contains(&std::process::id().to_string()), "{text}");
        assert!(
            text.contains(&folder.path().display().to_string()),
            "{text}"
        );
        drop(held);
        assert!(DataFolderLock::take(folder.path()).is_ok());
    }

    #[test]
    fn a_holder_that_is_just_ending_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let held = DataFolderLock::take(folder.path()).unwrap();
        let ending = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            drop(held);
        });
        let taken = DataFolderLock::take(folder.path());
        ending.join().unwrap();
        assert!(taken.is_ok(), "{taken:?}");
    }

    #[test]
    fn a_folder_that_is_not_there_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a").join("b");
        let held = DataFolderLock::take(&inner).unwrap();
        assert!(inner.join(LOCK_FILE).is_file());
        assert_eq!(held.folder(), inner);
    }

    #[test]
    fn a_local_folder_is_taken_also_one_that_is_not_there_yet() {
        let folder = tempfile::tempdir().unwrap();
        assert!(refuse_network_folder(folder.path()).is_ok());
        assert!(refuse_network_folder(&folder.path().join("not/yet")).is_ok());
    }

    #[test]
    fn file_systems_of_other_machines_are_known_by_their_numbers() {
        assert_eq!(network_file_system(0x6969), Some("NFS"));
        assert_eq!(network_file_system(0xff53_4d42), Some("CIFS"));
        // ext4, btrfs, tmpfs, overlayfs.
        for local in [0xef53, 0x9123_683e, 0x0102_1994, 0x794c_7630] {
            assert_eq!(network_file_system(local), None);
        }
    }
}
