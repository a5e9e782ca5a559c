//! Room on the disk of a SQLite file: a gate that refuses new work while there is little, and a reserve that is
//! given up when there is none, so that checkpoints and what is deleted still find room.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::FallocateFlags;
use rustix::io::Errno;

/// The reserve, beside the database.
pub const RESERVE_FILE: &str = "RESERVE";

/// How often it is looked whether the reserve can be had again.
const UPKEEP: Duration = Duration::from_secs(5);

/// How much room is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SpaceSettings {
    /// Size of the reserve in bytes; none when 0.
    pub reserve_bytes: u64,
    /// Below this many free bytes new writes are refused; never when 0.
    pub minimum_free_bytes: u64,
}

/// Whether new writes are let in.
#[derive(Debug, Clone)]
pub struct Gate {
    folder: PathBuf,
    minimum_free_bytes: u64,
}

impl Gate {
    pub fn new(folder: &Path, settings: SpaceSettings) -> Self {
        Self {
            folder: folder.to_owned(),
            minimum_free_bytes: settings.minimum_free_bytes,
        }
    }

    /// Whether there is too little room. Asked anew each time: it is one system call, far cheaper than a commit.
    pub fn is_shut(&self) -> bool {
        self.minimum_free_bytes > 0
            && free_bytes(&self.folder).is_some_and(|free| free < self.minimum_free_bytes)
    }
}

/// The reserve.
#[derive(Debug)]
pub struct Reserve {
    file: PathBuf,
    settings: SpaceSettings,
    looked: Option<Instant>,
}

impl Reserve {
    pub fn new(folder: &Path, settings: SpaceSettings) -> Self {
        Self {
            file: folder.join(RESERVE_FILE),
            settings,
            looked: None,
        }
    }

    /// Makes the reserve if it is missing and there is room for it above the gate; looks every few seconds only.
    pub fn keep(&mut self) {
        if self.settings.reserve_bytes == 0
            || self.looked.is_some_and(|then| then.elapsed() < UPKEEP)
        {
            return;
        }
        let first = self.looked.replace(Instant::now()).is_none();
        if self.is_there() {
            return;
        }
        let wanted = self.settings.reserve_bytes + self.settings.minimum_free_bytes;
        let folder = self.file.parent().unwrap_or(Path::new("."));
        if free_bytes(folder).is_some_and(|free| free < wanted) {
            if first {
                tracing::warn!("the disk has no room for the reserve");
            }
            return;
        }
        match allocate(&self.file, self.settings.reserve_bytes) {
            Ok(()) => tracing::debug!(bytes = self.settings.reserve_bytes, "the reserve is there"),
            Err(error) => {
                self.remove();
                tracing::warn!(%error, "the reserve could not be made");
            }
        }
    }

    /// Gives the reserve up, after the disk was full.
    pub fn give_up(&mut self) {
        if self.is_there() {
            self.remove();
            tracing::error!("the disk is full; the reserve is given up");
        }
        // Made again no sooner than after a while.
        self.looked = Some(Instant::now());
    }

    fn is_there(&self) -> bool {
        std::fs::metadata(&self.file).is_ok_and(|meta| meta.len() == self.settings.reserve_bytes)
    }

    fn remove(&self) {
        drop(std::fs::remove_file(&self.file));
    }
}

/// What a service without privileges may still write, in bytes; `None` where the system does not say.
fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

/// A file that really takes its room, not one with holes.
fn allocate(path: &Path, bytes: u64) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    match rustix::fs::fallocate(&file, FallocateFlags::empty(), 0, bytes) {
        Ok(()) => {}
        // Some file systems cannot; written zeros take room on them.
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => {
            std::io::copy(
                &mut std::io::Read::take(std::io::repeat(0), bytes),
                &mut file,
            )?;
        }
        Err(error) => return Err(error.into()),
    }
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    const SMALL: SpaceSettings = SpaceSettings {
        reserve_bytes: 1 << 20,
        minimum_free_bytes: 1,
    };

    #[test]
    fn the_reserve_takes_its_room_and_gives_it_back() {
        let folder = tempfile::tempdir().unwrap();
        let mut reserve = Reserve::new(folder.path(), SMALL);
        reserve.keep();
        let made = std::fs::metadata(folder.path().join(RESERVE_FILE)).unwrap();
        assert_eq!(made.len(), 1 << 20);
        assert!(made.blocks() * 512 >= 1 << 20, "it has holes: {made:?}");
        reserve.give_up();
        assert!(!folder.path().join(RESERVE_FILE).exists());
    }

    #[test]
    fn a_given_up_reserve_is_made_again_after_a_while_only() {
        let folder = tempfile::tempdir().unwrap();
        let mut reserve = Reserve::new(folder.path(), SMALL);
        reserve.give_up();
        reserve.keep();
        assert!(!folder.path().join(RESERVE_FILE).exists());
        reserve.looked = Instant::now().checked_sub(UPKEEP);
        reserve.keep();
        assert!(folder.path().join(RESERVE_FILE).exists());
    }

    #[test]
    fn no_reserve_is_made_at_the_cost_of_the_gate() {
        let folder = tempfile::tempdir().unwrap();
        let greedy = SpaceSettings {
            reserve_bytes: 1 << 20,
            minimum_free_bytes: u64::MAX / 2,
        };
        Reserve::new(folder.path(), greedy).keep();
        assert!(!folder.path().join(RESERVE_FILE).exists());
    }

    #[test]
    fn the_gate_is_shut_below_the_minimum_and_never_without_one() {
        let folder = tempfile::tempdir().unwrap();
        let gate = |minimum_free_bytes| {
            let settings = SpaceSettings {
                reserve_bytes: 0,
                minimum_free_bytes,
            };
            Gate::new(folder.path(), settings).is_shut()
        };
        assert!(gate(u64::MAX));
        assert!(!gate(1));
        assert!(!gate(0));
    }
}
