//! What lies beside the SQLite file: a mark while a service runs, and the log of what is not yet in the file.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::database::connection::AnyConnection;
use crate::upkeep::data_folder::DataFolderLock;

/// Is there while a service runs, and after one that did not end in order.
const MARK: &str = "RUNNING";

/// From which size on the log is cut, in bytes; half of it is what it has before it begins anew, unless a reader is in
/// its way.
const WAL_BYTES: u64 = 64 << 20;
/// How often that is tried.
const WAL_PAUSE: Duration = Duration::from_secs(10);

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Whether the service that ran here last did not end in order.
pub fn is_marked(folder: &Path) -> bool {
    folder.join(MARK).exists()
}

/// The mark of a running service, and its hold on the folder.
pub struct Marker {
    file: PathBuf,
    _lock: Arc<DataFolderLock>,
}

impl Marker {
    /// Marks the folder. Where that fails, the next start looks less closely, which is no reason not to start.
    pub fn set(folder: &Path, lock: Arc<DataFolderLock>) -> Self {
        let file = folder.join(MARK);
        let made = File::create(&file).and_then(|made| made.sync_all());
        if let Err(error) = made {
            tracing::warn!(%error, "the data folder could not be marked as in use");
        }
        Self { file, _lock: lock }
    }

    /// Takes the mark away: the service ended in order.
    pub fn unset(self) -> Option<Self> {
        drop(std::fs::remove_file(&self.file));
        None
    }
}

/// Whether the file is whole, after a stop that was none: nothing, or what SQLite says is wrong.
pub fn check_after_crash(connection: &mut SqliteConnection) -> QueryResult<Option<String>> {
    #[derive(QueryableByName)]
    struct Line {
        #[diesel(sql_type = Text)]
        quick_check: String,
    }
    let lines: Vec<Line> = diesel::sql_query("PRAGMA quick_check(10)").load(connection)?;
    let lines: Vec<String> = lines.into_iter().map(|line| line.quick_check).collect();
    Ok((lines != ["ok"]).then(|| lines.join("; ")))
}

/// Keeps the log from growing for ever where there is always somebody reading.
pub struct WalLimit {
    file: PathBuf,
    tried: Instant,
}

impl WalLimit {
    pub fn new(database: &Path) -> Self {
        let mut file = database.as_os_str().to_owned();
        file.push("-wal");
        Self {
            file: file.into(),
            tried: Instant::now(),
        }
    }

    /// Now and then, cuts a log that is too long. Readers that are in the way are waited for, a moment only.
    pub fn keep(&mut self, connection: &mut AnyConnection) {
        if self.tried.elapsed() < WAL_PAUSE {
            return;
        }
        self.tried = Instant::now();
        let is_long = std::fs::metadata(&self.file).is_ok_and(|meta| meta.len() > WAL_BYTES);
        // A checkpoint that fails, also at its sync, has lost nothing: what it copies stays in the log, which was
        // synced with each commit, and the next one copies it again. That is true of SQLite's own as well.
        if is_long && let Err(error) = connection.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)") {
            tracing::warn!(%error, "the log of the database could not be cut");
        }
    }
}
