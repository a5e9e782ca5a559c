//! SQLite: one writer thread that commits in groups, and a pool of readers.
//!
//! WAL with `synchronous=FULL`: a commit is on disk before it is answered. A commit costs a wait for the disk,
//! so the writer takes whatever has queued up meanwhile into one transaction, a SAVEPOINT each: one failure
//! does not touch its neighbours.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc;

use async_trait::async_trait;
use diesel::connection::{Connection, SimpleConnection};
use diesel::{ConnectionError, QueryResult, SqliteConnection};
use lyceum_ports::store::{Finish, Store, StoreError, Work};
use r2d2::Pool;
use tokio::sync::oneshot;

use crate::connection::AnyConnection;
use crate::error::store_error;
use crate::session::Session;
use crate::vault::Vault;

/// Most pieces of work in one commit.
const GROUP: usize = 64;

/// Opens a connection of its own to the file.
pub fn connect(path: &Path, read_only: bool) -> Result<SqliteConnection, ConnectionError> {
    #[allow(
        clippy::disallowed_methods,
        reason = "the store's own pools are where this belongs"
    )]
    let mut connection = SqliteConnection::establish(&path.to_string_lossy())?;
    let pragmas = "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; \
                   PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;";
    let failed = ConnectionError::CouldntSetupConfiguration;
    connection.batch_execute(pragmas).map_err(failed)?;
    if read_only {
        connection
            .batch_execute("PRAGMA query_only = ON")
            .map_err(failed)?;
    }
    Ok(connection)
}

struct Readers(PathBuf);

impl r2d2::ManageConnection for Readers {
    type Connection = AnyConnection;
    type Error = ConnectionError;

    fn connect(&self) -> Result<AnyConnection, ConnectionError> {
        connect(&self.0, true).map(AnyConnection::Sqlite)
    }

    fn is_valid(&self, _: &mut AnyConnection) -> Result<(), ConnectionError> {
        Ok(())
    }

    fn has_broken(&self, _: &mut AnyConnection) -> bool {
        false
    }
}

struct Request {
    work: Work,
    reply: oneshot::Sender<Result<(), StoreError>>,
}

/// A store on one SQLite file.
pub struct SqliteStore {
    writer: mpsc::Sender<Request>,
    readers: Pool<Readers>,
    vault: Arc<Vault>,
}

impl SqliteStore {
    /// Opens the readers and starts the writer. The file is migrated already.
    pub fn open(path: &Path, readers: u32, vault: Vault) -> Result<Self, StoreError> {
        let failed =
            |error: Box<dyn std::error::Error + Send + Sync>| StoreError::Unavailable(error);
        let vault = Arc::new(vault);
        let connection = connect(path, false).map_err(|error| failed(error.into()))?;
        let (writer, requests) = mpsc::channel();
        let for_writer = Arc::clone(&vault);
        std::thread::Builder::new()
            .name("lyceum-writer".to_owned())
            .spawn(move || write_until_closed(connection, &requests, &for_writer))
            .map_err(|error| failed(error.into()))?;
        let readers = Pool::builder()
            .max_size(readers)
            .min_idle(Some(1))
            .test_on_check_out(false)
            .build(Readers(path.to_owned()))
            .map_err(|error| failed(error.into()))?;
        Ok(Self {
            writer,
            readers,
            vault,
        })
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn run_write(&self, work: Work) -> Result<(), StoreError> {
        let gone = || StoreError::Unavailable("the writer has stopped".into());
        let (reply, answer) = oneshot::channel();
        self.writer
            .send(Request { work, reply })
            .map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    async fn run_read(&self, mut work: Work) -> Result<(), StoreError> {
        let pool = self.readers.clone();
        let vault = Arc::clone(&self.vault);
        let reading = tokio::task::spawn_blocking(move || {
            let mut connection = pool
                .get()
                .map_err(|error| StoreError::Unavailable(Box::new(error)))?;
            read(&mut connection, &vault, &mut work)
        });
        reading
            .await
            .map_err(|error| StoreError::Failed(Box::new(error)))?
    }
}

fn read(connection: &mut AnyConnection, vault: &Vault, work: &mut Work) -> Result<(), StoreError> {
    connection.batch_execute("BEGIN").map_err(store_error)?;
    let outcome = Session::new(connection, vault).perform(work);
    connection.batch_execute("ROLLBACK").map_err(store_error)?;
    outcome.map(drop)
}

fn write_until_closed(
    connection: SqliteConnection,
    requests: &mpsc::Receiver<Request>,
    vault: &Vault,
) {
    let mut connection = AnyConnection::Sqlite(connection);
    while let Ok(first) = requests.recv() {
        let mut group = vec![first];
        group.extend(requests.try_iter().take(GROUP - 1));
        write_group(&mut connection, vault, group);
    }
}

/// Runs a group in one transaction and answers everybody after the commit.
fn write_group(connection: &mut AnyConnection, vault: &Vault, mut group: Vec<Request>) {
    // IMMEDIATE, because a transaction that reads before it writes could otherwise not get the lock any more.
    if let Err(error) = connection.batch_execute("BEGIN IMMEDIATE") {
        return refuse(group, &error);
    }
    let outcomes: Vec<Result<(), StoreError>> = group
        .iter_mut()
        .map(|request| write_one(connection, vault, &mut request.work))
        .collect();
    if let Err(error) = connection.batch_execute("COMMIT") {
        // Nothing of the group is kept, and the connection must be ready for the next one.
        drop(connection.batch_execute("ROLLBACK"));
        return refuse(group, &error);
    }
    for (request, outcome) in group.into_iter().zip(outcomes) {
        // A caller that went away does not change what is stored.
        drop(request.reply.send(outcome));
    }
}

fn write_one(
    connection: &mut AnyConnection,
    vault: &Vault,
    work: &mut Work,
) -> Result<(), StoreError> {
    connection
        .batch_execute("SAVEPOINT request")
        .map_err(store_error)?;
    let mut session = Session::new(connection, vault);
    let outcome = session.perform(work);
    // There is one writer, so nobody can have been faster; if it says so all the same, nothing is kept.
    let run_again = session.run_again;
    let keep = matches!(outcome, Ok(Finish::Commit));
    end_savepoint(connection, keep).map_err(store_error)?;
    match outcome {
        Ok(_) if run_again => Err(StoreError::Stale),
        outcome => outcome.map(drop),
    }
}

fn end_savepoint(connection: &mut AnyConnection, keep: bool) -> QueryResult<()> {
    if !keep {
        connection.batch_execute("ROLLBACK TO request")?;
    }
    connection.batch_execute("RELEASE request")
}

fn refuse(group: Vec<Request>, error: &diesel::result::Error) {
    for request in group {
        drop(
            request
                .reply
                .send(Err(StoreError::Unavailable(error.to_string().into()))),
        );
    }
}
