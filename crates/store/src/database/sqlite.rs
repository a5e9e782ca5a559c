//! SQLite: one writer thread that commits in groups, and readers in the threads of those who ask.
//!
//! WAL with `synchronous=FULL`: a commit is on disk before it is answered.

mod checkpoints;
mod folder;
mod readers;
mod view;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Instant;

use async_trait::async_trait;
use diesel::connection::{Connection, SimpleConnection};
use diesel::{ConnectionError, SqliteConnection};
use lyceum_ports::store::{Condition, Store, StoreError, View, Work};
use tokio::sync::oneshot;

use crate::mapping::vault::Vault;
use crate::upkeep::safeguards::Safeguards;
use crate::upkeep::space::Gate;

pub use folder::{check_after_crash, folder_of, is_marked};
use readers::Readers;
use view::SqliteView;
use writer::{Message, Request, Writer};

/// A reader keeps 8 MiB of the file at hand, where SQLite itself would keep 2: what it has not, it fetches page by page from the system.
const READING: &str = "PRAGMA query_only = ON; PRAGMA cache_size = -8192";

/// Opens a connection of its own to the file.
pub fn connect(path: &Path, read_only: bool) -> Result<SqliteConnection, ConnectionError> {
    #[allow(
        clippy::disallowed_methods,
        reason = "the store's own pools are where this belongs"
    )]
    let mut connection = SqliteConnection::establish(&path.to_string_lossy())?;
    // A log that a long reader made grow is cut when it starts anew.
    let pragmas = "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; \
                   PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
                   PRAGMA journal_size_limit = 67108864;";
    let failed = ConnectionError::CouldntSetupConfiguration;
    connection.batch_execute(pragmas).map_err(failed)?;
    if read_only {
        connection.batch_execute(READING).map_err(failed)?;
    }
    Ok(connection)
}

/// A store on one SQLite file.
pub struct SqliteStore {
    writer: mpsc::Sender<Message>,
    readers: Arc<Readers>,
    gate: Gate,
}

impl SqliteStore {
    /// Opens the readers and starts the writer. The file is migrated already.
    pub fn open(
        path: &Path,
        readers: u32,
        vault: Vault,
        safeguards: Safeguards,
    ) -> Result<Self, StoreError> {
        let failed =
            |error: Box<dyn std::error::Error + Send + Sync>| StoreError::Unavailable(error);
        let vault = Arc::new(vault);
        let gate = Gate::new(folder_of(path), safeguards.space);
        let writing = Writer::open(path, Arc::clone(&vault), gate.clone(), safeguards)
            .map_err(|error| failed(error.into()))?;
        let index = writing.index();
        let (writer, messages) = mpsc::channel();
        std::thread::Builder::new()
            .name("lyceum-writer".to_owned())
            .spawn(move || writing.run(&messages))
            .map_err(|error| failed(error.into()))?;
        let most = usize::try_from(readers).unwrap_or(usize::MAX);
        let readers = Arc::new(Readers::of(path.to_owned(), vault, most, index)?);
        Ok(Self {
            writer,
            readers,
            gate,
        })
    }

    async fn send(&self, work: Work, concluding: bool) -> Result<(), StoreError> {
        let gone = || StoreError::Unavailable("the writer has stopped".into());
        let (reply, answer) = oneshot::channel();
        let request = Request {
            work,
            concluding,
            since: Instant::now(),
            reply,
        };
        self.writer
            .send(Message::Write(request))
            .map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn run_write(&self, work: Work) -> Result<(), StoreError> {
        self.send(work, false).await
    }

    async fn run_concluding_write(&self, work: Work) -> Result<(), StoreError> {
        self.send(work, true).await
    }

    async fn run_read(&self, mut work: Work) -> Result<(), StoreError> {
        self.readers.run(&mut work)
    }

    async fn run_long_read(&self, mut work: Work) -> Result<(), StoreError> {
        let readers = Arc::clone(&self.readers);
        tokio::task::spawn_blocking(move || readers.run(&mut work))
            .await
            .map_err(|error| StoreError::Failed(Box::new(error)))?
    }

    fn view(&self) -> Result<Option<Box<dyn View>>, StoreError> {
        let view = SqliteView::by(Arc::clone(&self.readers))?;
        Ok(Some(Box::new(view)))
    }

    fn condition(&self) -> Condition {
        if self.gate.is_shut() {
            Condition::DiskAlmostFull
        } else {
            Condition::Good
        }
    }

    async fn close(&self) {
        let (done, closed) = oneshot::channel();
        if self.writer.send(Message::Close(done)).is_ok() {
            // A writer that is gone has nothing to leave in order.
            drop(closed.await);
        }
    }
}

#[cfg(test)]
mod tests {
    use diesel::prelude::*;
    use diesel::sql_query;
    use diesel::sql_types::Text;

    use super::*;

    #[derive(QueryableByName)]
    struct Setting {
        #[diesel(sql_type = Text)]
        value: String,
    }

    /// The switch alone: without it a cut of the power takes what was answered along.
    #[test]
    fn a_commit_waits_for_the_disk() {
        const FULL: &str = "2";
        let folder = tempfile::TempDir::new().unwrap();
        let mut connection = connect(&folder.path().join("lyceum.db"), false).unwrap();
        let mut told = |pragma: &str, column: &str| {
            let asked = format!("SELECT CAST({column} AS TEXT) AS value FROM pragma_{pragma}");
            sql_query(asked)
                .get_result::<Setting>(&mut connection)
                .unwrap()
                .value
        };
        assert_eq!(told("synchronous", "synchronous"), FULL);
        assert_eq!(told("journal_mode", "journal_mode"), "wal");
    }
}
