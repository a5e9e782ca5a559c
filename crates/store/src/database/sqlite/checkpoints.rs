//! Moving what was committed from the log into the file, on a thread of its own.
//!
//! SQLite would do it within a commit, every 1000 pages: that waits for the disk twice more, and with it everybody who
//! has queued up, several times a second where much is written. Here the writer only says that it has committed. It
//! stops for it itself where the log has become long, because a log begins anew only when all of it was moved, and as
//! long as the writer goes on there is always a rest.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::BigInt;
use diesel::{ConnectionError, SqliteConnection};

use super::connect;
use crate::database::connection::{AnyConnection, on_either};

/// From how many pages on moving them is worth a wait for the disk. A few at a time: commits wait at the disk behind the
/// sync of what was moved, and it is the long waits that callers notice.
const WORTH: i64 = 128;
/// From how many pages on the writer waits until all are moved: 32 MiB, which a start after a crash reads in a moment.
const LONG: i64 = 8192;
/// Least time between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// The thread, as the writer sees it.
pub struct Checkpoints {
    wake: SyncSender<()>,
    thread: JoinHandle<()>,
    is_long: Arc<AtomicBool>,
    looked: Instant,
}

/// What SQLite says of the log, in pages since it last began anew.
#[derive(QueryableByName, Debug, Clone, Copy, PartialEq, Eq)]
struct Log {
    #[diesel(sql_type = BigInt)]
    log: i64,
    #[diesel(sql_type = BigInt)]
    checkpointed: i64,
}

impl Checkpoints {
    /// Of this file, over a connection of its own.
    pub fn of(path: &Path) -> Result<Self, ConnectionError> {
        let connection = connect(path, false)?;
        // One that waits is enough: it stands for all.
        let (wake, woken) = sync_channel(1);
        let is_long = Arc::new(AtomicBool::new(false));
        let said = Arc::clone(&is_long);
        let thread = std::thread::Builder::new()
            .name("lyceum-checkpoints".to_owned())
            .spawn(move || run(connection, &woken, &said))
            .map_err(|error| ConnectionError::BadConnection(error.to_string()))?;
        Ok(Self {
            wake,
            thread,
            is_long,
            looked: Instant::now(),
        })
    }

    /// Says that something was committed, over this connection, which is not inside a transaction.
    pub fn note_commit(&mut self, connection: &mut AnyConnection) {
        if self.is_long.swap(false, Ordering::Relaxed) {
            let moved = on_either!(connection, move_pages().get_result::<Log>(connection));
            complain(moved.err().as_ref(), &mut false);
        }
        if self.looked.elapsed() >= PAUSE {
            self.looked = Instant::now();
            // Whoever is at it finds this as well.
            let _ = self.wake.try_send(());
        }
    }

    /// Lets the thread end what it is at.
    pub fn end(self) {
        drop(self.wake);
        // It has nothing to tell.
        drop(self.thread.join());
    }
}

fn run(mut connection: SqliteConnection, woken: &Receiver<()>, is_long: &AtomicBool) {
    let mut has_complained = false;
    while woken.recv().is_ok() {
        let looked = look(&mut connection);
        complain(looked.as_ref().err(), &mut has_complained);
        // Now there is but a little left.
        is_long.store(looked.unwrap_or(false), Ordering::Relaxed);
    }
}

/// Moves what there is, if it is worth while; whether the log is long all the same.
fn look(connection: &mut SqliteConnection) -> QueryResult<bool> {
    let Log { log, checkpointed } = length().get_result(connection)?;
    if log - checkpointed < WORTH {
        return Ok(false);
    }
    let moved: Log = move_pages().get_result(connection)?;
    Ok(moved.log >= LONG)
}

/// How long the log is. Nothing is moved.
fn length() -> diesel::query_builder::SqlQuery {
    sql_query("PRAGMA wal_checkpoint(NOOP)")
}

/// Moves as much as can be moved without waiting for anybody. What fails, also at its sync, has lost nothing: what it
/// copies stays in the log, which was synced with each commit, and is copied again.
fn move_pages() -> diesel::query_builder::SqlQuery {
    sql_query("PRAGMA wal_checkpoint(PASSIVE)")
}

/// Once, until it goes well again.
fn complain(error: Option<&diesel::result::Error>, has_complained: &mut bool) {
    if let Some(error) = error.filter(|_| !*has_complained) {
        tracing::warn!(%error, "the log of the database could not be moved into it");
    }
    *has_complained = error.is_some();
}

#[cfg(test)]
mod tests {
    use diesel::connection::SimpleConnection;

    use super::*;

    /// A database that nothing is moved into but by this thread, and how many pages a commit of `grow` takes.
    struct Site {
        folder: tempfile::TempDir,
        writer: AnyConnection,
        checkpoints: Checkpoints,
    }

    impl Site {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("lyceum.db");
            let mut writer = connect(&path, false).unwrap();
            writer
                .batch_execute("PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (content BLOB)")
                .unwrap();
            Self {
                writer: AnyConnection::Sqlite(writer),
                checkpoints: Checkpoints::of(&path).unwrap(),
                folder,
            }
        }

        /// Commits so many pages at least.
        fn grow(&mut self, pages: i64) {
            let insert = format!("INSERT INTO t VALUES (zeroblob({pages} * 4096))");
            self.writer.batch_execute(&insert).unwrap();
            self.checkpoints.note_commit(&mut self.writer);
        }

        fn log(&self) -> Log {
            let mut beside = connect(&self.folder.path().join("lyceum.db"), false).unwrap();
            length().get_result(&mut beside).unwrap()
        }
    }

    /// Goes on with small commits until the log is as it should be.
    fn until(site: &mut Site, is_so: impl Fn(Log) -> bool) {
        let begun = Instant::now();
        while !is_so(site.log()) {
            let log = site.log();
            assert!(begun.elapsed() < Duration::from_mins(1), "{log:?}");
            std::thread::sleep(Duration::from_millis(20));
            site.grow(1);
        }
    }

    #[test]
    fn what_is_committed_is_moved_beside_the_writer() {
        let mut site = Site::new();
        site.grow(WORTH + 1);
        until(&mut site, |log| log.checkpointed > WORTH || log.log < WORTH);
        site.checkpoints.end();
    }

    #[test]
    fn a_long_log_begins_anew_although_the_writer_goes_on() {
        let mut site = Site::new();
        for _ in 0..9 {
            site.grow(LONG / 8);
        }
        assert!(site.log().log >= LONG || site.log().checkpointed > 0);
        until(&mut site, |log| log.log < WORTH);
    }
}
