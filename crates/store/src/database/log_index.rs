//! Where SQLite's log stands, seen without a transaction.
//!
//! Whoever reads a database with a write-ahead log finds their snapshot by the header of the log's index, which begins the file
//! `-shm` beside it: two copies of 48 bytes, of which a commit, in whatever process, leaves others (SQLite, "WAL-mode File
//! Format", 2.1). While it is the same, nothing was committed.

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The length of the header, in bytes.
const HEADER: usize = 48;
/// Where it says that it was made.
const IS_MADE: usize = 12;

/// The header of the index of a log.
///
/// It is to be let go of only after every connection to its database: a process that closes a file loses all its locks on it, and
/// those of SQLite are locks of this file.
pub struct LogIndex(Option<File>);

/// Where a log stood. Equal ones are the same, since each holds how often was committed, and how the log was salted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogPosition([u8; HEADER]);

impl LogIndex {
    /// Of this database, to which a connection is open.
    pub fn of(database: &Path) -> Self {
        // SQLite follows links too. What lies beside one may be of another time, and would never change.
        let file = database.canonicalize().map(index_of).and_then(File::open);
        Self(file.ok())
    }

    /// Where the log stands; nothing where that cannot be seen, because it changes just now or is not there.
    pub fn position(&self) -> Option<LogPosition> {
        let mut copies = [[0; HEADER]; 2];
        let file = self.0.as_ref()?;
        file.read_exact_at(copies.as_flattened_mut(), 0).ok()?;
        // The second is written before the first.
        let [first, second] = copies;
        let is_made = first.get(IS_MADE).is_some_and(|made| *made == 1);
        (is_made && first == second).then_some(LogPosition(first))
    }
}

/// The file of the index.
fn index_of(database: PathBuf) -> PathBuf {
    let mut name = OsString::from(database);
    name.push("-shm");
    name.into()
}

#[cfg(test)]
mod tests {
    use diesel::connection::SimpleConnection;

    use super::*;
    use crate::database::sqlite::connect;

    #[test]
    fn every_commit_moves_it_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lyceum.db");
        let mut writer = connect(&path, false).unwrap();
        let mut reader = connect(&path, true).unwrap();
        writer
            .batch_execute("CREATE TABLE t (number INTEGER)")
            .unwrap();
        let index = LogIndex::of(&path);
        let made = index.position().unwrap();
        for unchanging in [
            "BEGIN; INSERT INTO t VALUES (1); ROLLBACK",
            "SELECT * FROM t",
            "PRAGMA wal_checkpoint(PASSIVE)",
        ] {
            writer.batch_execute(unchanging).unwrap();
            reader.batch_execute("SELECT * FROM t").unwrap();
            assert_eq!(index.position(), Some(made), "{unchanging}");
        }
        let mut known = vec![made];
        for _ in 0..3 {
            // The second after a checkpoint writes at the beginning of the log again.
            for changing in [
                "INSERT INTO t VALUES (1)",
                "UPDATE t SET number = number + 1",
                "PRAGMA wal_checkpoint(TRUNCATE); DELETE FROM t",
            ] {
                writer.batch_execute(changing).unwrap();
                let position = index.position().unwrap();
                assert!(!known.contains(&position), "{changing}");
                known.push(position);
            }
        }
    }

    #[test]
    fn behind_a_link_it_is_that_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("lyceum.db"), folder.path().join("link"));
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let mut writer = connect(&link, false).unwrap();
        writer
            .batch_execute("CREATE TABLE t (number INTEGER)")
            .unwrap();
        std::fs::copy(index_of(path), index_of(link.clone())).unwrap();
        let index = LogIndex::of(&link);
        let before = index.position();
        writer.batch_execute("INSERT INTO t VALUES (1)").unwrap();
        assert!(before.is_some() && index.position() != before);
    }

    #[test]
    fn what_is_not_there_or_half_written_is_no_position() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lyceum.db");
        assert_eq!(LogIndex::of(&path).position(), None);
        File::create(&path).unwrap();
        assert_eq!(LogIndex::of(&path).position(), None);
        let mut header = [[7; HEADER]; 2];
        let mut is_seen = |change: fn(&mut [[u8; HEADER]; 2])| {
            header[0][IS_MADE] = 1;
            header[1] = header[0];
            change(&mut header);
            std::fs::write(index_of(path.clone()), header.as_flattened()).unwrap();
            LogIndex::of(&path).position().is_some()
        };
        assert!(is_seen(|_| {}));
        assert!(!is_seen(|header| header[1][0] = 8));
        assert!(!is_seen(|header| *header = [[0; HEADER]; 2]));
    }
}
