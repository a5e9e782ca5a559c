//! This machine: folders, the key, limits, backups.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use lyceum_store::{DatabaseUrl, refuse_network_folder};
use rustix::process::{Resource, getrlimit};
use tokio::runtime::Handle;

use super::Finding;
use crate::backup;
use crate::settings::Settings;
use lyceum_service::file_store::{self, Standing};
use lyceum_service::master_key;

/// Below this much room on the disk of the data there is soon none.
const LITTLE_ROOM: u64 = 1 << 30;
/// A connection takes a descriptor, and so do files and the database.
const FEW_DESCRIPTORS: u64 = 4_096;
/// One night and a morning.
const OLD_BACKUP: Duration = Duration::from_hours(36);

pub fn findings(settings: &Settings) -> Vec<Finding> {
    vec![
        data_folder(&settings.data_dir),
        room(&settings.data_dir),
        key(settings),
        files(settings),
        same_files(settings),
        descriptors(),
        backups(settings),
    ]
}

fn is_writable(folder: &Path) -> bool {
    tempfile::NamedTempFile::new_in(folder).is_ok()
}

fn data_folder(folder: &Path) -> Finding {
    let (id, name) = ("data_folder", folder.display());
    if !folder.exists() {
        return Finding::note(
            id,
            format!("{name} is not there yet"),
            "the first start makes it",
        );
    }
    if let Err(error) = refuse_network_folder(folder) {
        return Finding::problem(
            id,
            error.to_string(),
            "move the data folder to a local disk and name it in LYCEUM_DATA_DIR",
        );
    }
    if is_writable(folder) {
        Finding::fine(id, format!("{name} is on a local disk and writable"))
    } else {
        let mend = "give it to the user that the service runs as";
        Finding::problem(id, format!("{name} is not writable"), mend)
    }
}

fn room(folder: &Path) -> Finding {
    let id = "disk";
    let Some(stat) = folder
        .ancestors()
        .find_map(|place| rustix::fs::statvfs(place).ok())
    else {
        return Finding::note(
            id,
            "the system does not say how much room is on the disk",
            "look at it yourself: df -h",
        );
    };
    let free = stat.f_bavail.saturating_mul(stat.f_frsize);
    let says = format!("{} MiB are free", free >> 20);
    if free < LITTLE_ROOM {
        return Finding::problem(
            id,
            says,
            "make room, or move the data folder to a larger disk and name it in LYCEUM_DATA_DIR",
        );
    }
    Finding::fine(id, says)
}

fn key(settings: &Settings) -> Finding {
    let (id, file) = ("master_key", settings.folders().master_key_file());
    let name = file.display();
    let Ok(about) = fs::metadata(&file) else {
        return Finding::note(
            id,
            format!("{name} is not there yet"),
            "the first start makes it",
        );
    };
    let mode = about.permissions().mode() & 0o777;
    if let Err(error) = master_key::load(&file) {
        let mend =
            "put the master key there that this installation was made with; no backup has it";
        return Finding::problem(id, format!("{error:#}"), mend);
    }
    if mode & 0o077 != 0 {
        let says = format!("{name} may be read by others (mode {mode:03o})");
        return Finding::problem(id, says, format!("chmod 600 {name}"));
    }
    Finding::fine(id, format!("{name} is there, for its owner alone"))
}

fn files(settings: &Settings) -> Finding {
    let id = "files";
    match settings.folders().blobs_folder() {
        Err(error) => {
            let mend = "set LYCEUM_BLOBS_URL to file:///FOLDER or s3://BUCKET/PREFIX";
            Finding::problem(id, format!("{error:#}"), mend)
        }
        Ok(None) => Finding::note(
            id,
            "files are in a bucket, which was not asked",
            "see that it answers and has what it should: lyceum fsck",
        ),
        Ok(Some(folder)) if !folder.exists() => {
            let says = format!("{} is not there yet", folder.display());
            Finding::note(id, says, "the first start makes it")
        }
        Ok(Some(folder)) if is_writable(&folder) => {
            Finding::fine(id, format!("{} is writable", folder.display()))
        }
        Ok(Some(folder)) => {
            let mend = "give it to the user that the service runs as";
            Finding::problem(id, format!("{} is not writable", folder.display()), mend)
        }
    }
}

/// Whether the files are those of the database.
fn same_files(settings: &Settings) -> Finding {
    let id = "file_store";
    let none = || Finding::note(id, "there is no database yet", "the first start makes it");
    let Ok(storage) = settings.storage() else {
        return none();
    };
    let exists = match storage.database() {
        DatabaseUrl::Sqlite(file) => file.exists(),
        DatabaseUrl::Postgres(_) => storage.master_key_file().exists(),
    };
    if !exists {
        return none();
    }
    match Handle::current().block_on(file_store::standing(&storage)) {
        Ok(Standing::Right) => Finding::fine(id, "the files are those of the database"),
        Ok(Standing::New) => Finding::note(
            id,
            "the file storage has no name yet",
            "the next start gives it one",
        ),
        Ok(Standing::Nameless) => Finding::problem(
            id,
            "the file storage is not the one of the database: it has no name",
            file_store::MEND,
        ),
        Ok(Standing::Other) => Finding::problem(
            id,
            "the file storage is another one than that of the database",
            file_store::MEND,
        ),
        // What libraries say may have an address in it, and with it a password.
        Err(_) => Finding::note(
            id,
            "whether the files are those of the database could not be seen",
            "see what else is wrong here",
        ),
    }
}

fn descriptors() -> Finding {
    let id = "open_files";
    match getrlimit(Resource::Nofile).current {
        Some(few) if few < FEW_DESCRIPTORS => Finding::problem(
            id,
            format!("a process may have {few} files and connections open"),
            format!("raise it to {FEW_DESCRIPTORS} or more (ulimit -n, LimitNOFILE)"),
        ),
        Some(enough) => Finding::fine(id, format!("{enough} files and connections may be open")),
        None => Finding::fine(id, "open files and connections are not limited"),
    }
}

fn backups(settings: &Settings) -> Finding {
    let id = "backup";
    let Some(folder) = &settings.backup_dir else {
        let mend = "set LYCEUM_BACKUP_DIR, or see that something else runs `lyceum backup`";
        return Finding::note(id, "the service takes no backups itself", mend);
    };
    let newest = backup::taken(folder)
        .ok()
        .and_then(|taken| taken.into_iter().next_back());
    let Some(newest) = newest else {
        let says = format!("there is no backup in {}", folder.display());
        return Finding::problem(id, says, "take one: lyceum backup FOLDER");
    };
    let name = newest.display();
    if age_of(&newest).is_none_or(|age| age > OLD_BACKUP) {
        let mend = "see the log of the service at 03:00 UTC, and take one: lyceum backup FOLDER";
        return Finding::problem(id, format!("the newest backup, {name}, is too old"), mend);
    }
    let damaged = backup::Manifest::read(&newest).map(|manifest| manifest.damaged.len());
    if let Ok(damaged @ 1..) = damaged {
        let says = format!("{damaged} files of the newest backup, {name}, are damaged");
        let mend = "put good copies back, or export those packages anew: lyceum fsck names them";
        return Finding::problem(id, says, mend);
    }
    Finding::fine(id, format!("the newest is {name}"))
}

fn age_of(backup: &Path) -> Option<Duration> {
    let made = fs::metadata(backup.join(backup::Manifest::FILE))
        .ok()?
        .modified()
        .ok()?;
    #[allow(
        clippy::disallowed_methods,
        reason = "the age of a file is told by the clock that dated it"
    )]
    let age = SystemTime::now().duration_since(made);
    Some(age.unwrap_or_default())
}
