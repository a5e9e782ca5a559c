//! Holding the files of a backup against what they must be: a good copy in an earlier backup is not followed by a damaged
//! one until none is left.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::{FILES, Item, Manifest, copy_file, hash_of};
use crate::fsck::files::HashesByKey;
use lyceum_terminal::progress::LongWork;

/// What came of it.
pub struct Held {
    /// Every file of the backup.
    pub items: Vec<Item>,
    /// Files that are damaged or gone where they lie, and came out of an earlier backup.
    pub replaced: Vec<String>,
    /// Files that are damaged where they lie and in every earlier backup.
    pub damaged: Vec<String>,
    /// Files that are neither there nor in an earlier backup.
    pub missing: Vec<String>,
}

/// An earlier backup.
struct Earlier {
    place: PathBuf,
    manifest: Manifest,
}

impl Earlier {
    fn hash(&self, name: &str) -> Option<&str> {
        let items = &self.manifest.items;
        let at = items.binary_search_by(|item| item.name.as_str().cmp(name));
        Some(items.get(at.ok()?)?.sha256.as_str())
    }
}

/// Puts good copies in the place of files that are not what they must be: what their row says, or, where no row says
/// anything, what they were in the backup before, because a file never changes.
///
/// # Errors
/// Those of the file system, and an interruption.
pub fn hold(
    folder: &Path,
    items: Vec<Item>,
    wanted: &HashesByKey,
    taken: &[PathBuf],
    work: &LongWork,
) -> anyhow::Result<Held> {
    let mut holding = Holding {
        folder,
        earlier: earlier(taken),
        work,
        held: Held {
            items: Vec::new(),
            replaced: Vec::new(),
            damaged: Vec::new(),
            missing: Vec::new(),
        },
    };
    for item in items {
        holding.one(item, wanted)?;
    }
    holding.gone(wanted)?;
    let mut held = holding.held;
    held.items.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(held)
}

/// The newest first; one that cannot be read is of no help.
fn earlier(taken: &[PathBuf]) -> Vec<Earlier> {
    let newest_first = taken.iter().rev();
    let read = newest_first.filter_map(|place| {
        let manifest = Manifest::read(place).ok()?;
        Some(Earlier {
            place: place.clone(),
            manifest,
        })
    });
    read.collect()
}

struct Holding<'a> {
    folder: &'a Path,
    earlier: Vec<Earlier>,
    work: &'a LongWork,
    held: Held,
}

impl Holding<'_> {
    fn one(&mut self, item: Item, wanted: &HashesByKey) -> anyhow::Result<()> {
        let Some(key) = key_of(&item.name) else {
            self.held.items.push(item);
            return Ok(());
        };
        let row = wanted.get(key).filter(|hash| !hash.is_empty());
        let before = || self.earlier.iter().find_map(|one| one.hash(&item.name));
        let Some(must_be) = row.map(String::as_str).or_else(before) else {
            self.held.items.push(item);
            return Ok(());
        };
        let (key, must_be) = (key.to_owned(), must_be.to_owned());
        if must_be == item.sha256 {
            self.held.items.push(item);
            return Ok(());
        }
        if let Some(good) = self.copy_of(&item.name, &must_be)? {
            let path = self.folder.join(&item.name);
            fs::remove_file(&path).context("could not take a damaged copy out")?;
            let item = self.bring(&good, item.name, must_be)?;
            self.held.items.push(item);
            self.held.replaced.push(key);
        } else {
            self.held.items.push(item);
            self.held.damaged.push(key);
        }
        Ok(())
    }

    /// What is wanted and not there.
    fn gone(&mut self, wanted: &HashesByKey) -> anyhow::Result<()> {
        let mut lacks: Vec<(&String, &String)> = wanted.iter().collect();
        lacks.retain(|(key, _)| !self.folder.join(FILES).join(key).is_file());
        lacks.sort_unstable();
        for (key, must_be) in lacks {
            let name = format!("{FILES}/{key}");
            match self.copy_of(&name, must_be)? {
                Some(good) => {
                    let item = self.bring(&good, name, must_be.clone())?;
                    self.held.items.push(item);
                    self.held.replaced.push(key.clone());
                }
                None => self.held.missing.push(key.clone()),
            }
        }
        Ok(())
    }

    /// A copy in an earlier backup that still has the hash.
    fn copy_of(&self, name: &str, must_be: &str) -> anyhow::Result<Option<PathBuf>> {
        for earlier in &self.earlier {
            let path = earlier.place.join(name);
            let says_so = earlier.hash(name) == Some(must_be);
            if says_so && path.is_file() && hash_of(&path, self.work)? == must_be {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    fn bring(&self, good: &Path, name: String, sha256: String) -> anyhow::Result<Item> {
        let path = self.folder.join(&name);
        copy_file(good, &path, self.work).context("could not bring a good copy over")?;
        Ok(Item {
            size_bytes: fs::metadata(&path)?.len(),
            name,
            sha256,
        })
    }
}

fn key_of(name: &str) -> Option<&str> {
    name.strip_prefix(FILES)?.strip_prefix('/')
}

#[cfg(test)]
mod tests {
    use super::super::copying;
    use super::*;

    const KEY: &str = "scorm/scp_1.zip";

    /// A folder of a backup with one file of these bytes, told or not.
    fn backup(root: &Path, name: &str, bytes: Option<&[u8]>) -> (PathBuf, Vec<Item>) {
        let place = root.join(name);
        let file = place.join(FILES).join(KEY);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        if let Some(bytes) = bytes {
            fs::write(&file, bytes).unwrap();
        }
        let items = copying::items(&place, &LongWork::unwatched()).unwrap();
        (place, items)
    }

    fn earlier(root: &Path, name: &str, bytes: &[u8]) -> PathBuf {
        let (place, items) = backup(root, name, Some(bytes));
        Manifest::new(None, items, true).write(&place).unwrap();
        place
    }

    fn sha(bytes: &[u8]) -> String {
        use sha2::{Digest, Sha256};
        lyceum_domain::hex::lower(&Sha256::digest(bytes))
    }

    fn wanted(bytes: &[u8]) -> HashesByKey {
        HashesByKey::from([(KEY.to_owned(), sha(bytes))])
    }

    #[test]
    fn a_good_copy_of_an_earlier_backup_takes_the_place_of_a_damaged_or_missing_file() {
        for damaged in [Some(b"g0od".as_slice()), None] {
            for rows in [
                wanted(b"good"),
                HashesByKey::from([(KEY.to_owned(), String::new())]),
            ] {
                let knows_nothing = rows.values().all(String::is_empty);
                if damaged.is_none() && knows_nothing {
                    continue;
                }
                let root = tempfile::tempdir().unwrap();
                let good = earlier(root.path(), "lyceum-1", b"good");
                let (folder, items) = backup(root.path(), "new", damaged);
                let held = hold(&folder, items, &rows, &[good], &LongWork::unwatched()).unwrap();
                assert_eq!(held.replaced, [KEY]);
                assert!(held.damaged.is_empty() && held.missing.is_empty());
                assert_eq!(fs::read(folder.join(FILES).join(KEY)).unwrap(), b"good");
                assert_eq!(held.items[0].sha256, sha(b"good"));
            }
        }
    }

    #[test]
    fn what_no_backup_has_whole_is_told_and_kept_as_it_is() {
        let root = tempfile::tempdir().unwrap();
        let bad = earlier(root.path(), "lyceum-1", b"g0od");
        let rotten = earlier(root.path(), "lyceum-2", b"good");
        fs::write(rotten.join(FILES).join(KEY), b"goo0").unwrap();
        let (folder, items) = backup(root.path(), "new", Some(b"g00d"));
        let taken = [bad, rotten];
        let held = hold(
            &folder,
            items,
            &wanted(b"good"),
            &taken,
            &LongWork::unwatched(),
        )
        .unwrap();
        assert_eq!(held.damaged, [KEY]);
        assert_eq!(fs::read(folder.join(FILES).join(KEY)).unwrap(), b"g00d");
    }

    #[test]
    fn what_is_as_it_must_be_is_left_alone() {
        let root = tempfile::tempdir().unwrap();
        let other = earlier(root.path(), "lyceum-1", b"other");
        let (folder, items) = backup(root.path(), "new", Some(b"good"));
        let held = hold(
            &folder,
            items,
            &wanted(b"good"),
            &[other],
            &LongWork::unwatched(),
        )
        .unwrap();
        assert!(held.replaced.is_empty() && held.damaged.is_empty() && held.missing.is_empty());
    }
}
