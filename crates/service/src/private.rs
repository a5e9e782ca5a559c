//! Files that are nobody else's to read: what the service keeps is what people wrote, and their grades.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use lyceum_store::{DatabaseUrl, LOCK_FILE, RESERVE_FILE};
use rustix::fs::Mode;

use crate::storage::Storage;

/// From now on, what this process makes is for its user alone.
pub fn keep() {
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
}

/// Takes from others what an earlier version left for them to read. What belongs to somebody else stays as it is, and so
/// does the data folder itself, which may hold other things.
pub fn tighten(storage: &Storage) {
    let mut files: Vec<PathBuf> = Vec::new();
    // One that was put elsewhere is looked after by whoever put it there.
    if storage.master_key_file.is_none() {
        files.push(storage.master_key_file());
    }
    let mut folders = vec![storage.data_dir.join("tmp")];
    if let DatabaseUrl::Sqlite(database) = storage.database() {
        for end in ["", "-wal", "-shm"] {
            let mut file = database.clone().into_os_string();
            file.push(end);
            files.push(file.into());
        }
        let folder = database.parent().unwrap_or(Path::new("."));
        files.extend([LOCK_FILE, RESERVE_FILE].map(|name| folder.join(name)));
    }
    // A folder that was named may be shared on purpose; ours is not.
    if storage.blobs_url.is_none() {
        folders.extend(storage.blobs_folder().ok().flatten());
    }
    for file in files {
        close(&file);
    }
    for folder in folders {
        close(&folder);
    }
}

/// Leaves a file or folder to its owner, if it is there.
pub fn close(path: &Path) {
    let Ok(about) = fs::symlink_metadata(path) else {
        return;
    };
    let mode = about.permissions().mode() & 0o7777;
    let wanted = mode & !0o077;
    if about.is_symlink() || mode == wanted {
        return;
    }
    match fs::set_permissions(path, Permissions::from_mode(wanted)) {
        Ok(()) => tracing::info!(path = %path.display(), "others may no longer read it"),
        Err(error) => {
            tracing::warn!(%error, path = %path.display(), "others may read it: chmod go= it");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_was_left_open_is_closed_and_the_folder_of_other_things_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path();
        fs::set_permissions(place, Permissions::from_mode(0o755)).unwrap();
        for file in [
            "lyceum.db",
            "lyceum.db-wal",
            "master.key",
            "LOCK",
            "notes.txt",
        ] {
            fs::write(place.join(file), b"").unwrap();
            fs::set_permissions(place.join(file), Permissions::from_mode(0o644)).unwrap();
        }
        fs::create_dir(place.join("blobs")).unwrap();
        fs::set_permissions(place.join("blobs"), Permissions::from_mode(0o755)).unwrap();
        tighten(&Storage::in_folder(place));
        for file in ["lyceum.db", "lyceum.db-wal", "master.key", "LOCK"] {
            assert_eq!(mode(&place.join(file)), 0o600, "{file}");
        }
        assert_eq!(mode(&place.join("blobs")), 0o700);
        assert_eq!(mode(&place.join("notes.txt")), 0o644);
        assert_eq!(mode(place), 0o755);
    }
}
