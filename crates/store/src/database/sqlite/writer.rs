//! The one thread that writes.
//!
//! A commit costs a wait for the disk, so the writer takes whatever has queued up meanwhile into one transaction, a
//! SAVEPOINT each: one failure does not touch its neighbours. It never waits for a group to fill: the sync of the
//! group before is the time in which the next one gathers, so a lone request is not held up for company, and a
//! crowd finds its group full anyway.
//!
//! Nobody is told that something is kept before the COMMIT that keeps it has returned. When it returns an error
//! that leaves open what is on disk, such as a failed sync, the process ends: after a failed sync the system may
//! have dropped what it could not write, and a second sync would report success. The next start reads what is there.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use diesel::ConnectionError;
use diesel::QueryResult;
use diesel::connection::SimpleConnection;
use diesel::result::{DatabaseErrorKind, Error};
use lyceum_ports::store::{Finish, StoreError, Work};
use tokio::sync::oneshot;

use super::checkpoints::Checkpoints;
use super::connect;
use super::folder::{Marker, WalLimit};
use crate::database::cached_by_text::command;
use crate::database::connection::AnyConnection;
use crate::database::error::{is_busy, is_full, kept_nothing, store_error};
use crate::database::failpoints::fail_point;
use crate::database::log_index::LogIndex;
use crate::database::session::Session;
use crate::mapping::vault::Vault;
use crate::running::metrics::StoreMetrics;
use crate::upkeep::safeguards::{Ending, Safeguards};
use crate::upkeep::space::{Gate, Reserve};

/// Most pieces of work in one commit.
const GROUP: usize = 64;
/// How long a request waits for another process that holds the write lock.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long SQLite itself waits for it, between looks at who has waited long enough.
const BUSY_MILLISECONDS: u32 = 100;
/// How often an idle writer looks after its folder.
const UPKEEP: Duration = Duration::from_secs(5);

/// What the writer is sent.
pub enum Message {
    /// Work to be done.
    Write(Request),
    /// An orderly end.
    Close(oneshot::Sender<()>),
}

/// A piece of work and who waits for it.
pub struct Request {
    pub work: Work,
    /// Whether it ends or frees something.
    pub concluding: bool,
    /// Since when it waits.
    pub since: Instant,
    pub reply: oneshot::Sender<Result<(), StoreError>>,
}

impl Request {
    fn answer(self, outcome: Result<(), StoreError>) {
        // A caller that went away does not change what is stored.
        drop(self.reply.send(outcome));
    }
}

type Answer = Result<(), StoreError>;

/// The writer's connection and what it looks after.
pub struct Writer {
    path: PathBuf,
    connection: AnyConnection,
    vault: Arc<Vault>,
    gate: Gate,
    reserve: Reserve,
    wal: WalLimit,
    /// There until it is closed.
    checkpoints: Option<Checkpoints>,
    marker: Option<Marker>,
    was_shut: bool,
    ending: Ending,
    ended: bool,
    metrics: Option<StoreMetrics>,
    /// The last to be let go of.
    index: Arc<LogIndex>,
}

impl Writer {
    /// Connects; of a service, marks the folder as in use.
    pub fn open(
        path: &Path,
        vault: Arc<Vault>,
        gate: Gate,
        safeguards: Safeguards,
    ) -> Result<Self, ConnectionError> {
        let folder = super::folder_of(path);
        let mut reserve = Reserve::new(folder, safeguards.space);
        let marker = safeguards.lock.map(|lock| Marker::set(folder, lock));
        reserve.keep();
        let connection = AnyConnection::Sqlite(connect_patiently(path)?);
        Ok(Self {
            path: path.to_owned(),
            connection,
            vault,
            gate,
            reserve,
            wal: WalLimit::new(path),
            checkpoints: Some(Checkpoints::of(path)?),
            marker,
            was_shut: false,
            ending: safeguards.ending,
            ended: false,
            metrics: safeguards.metrics,
            index: Arc::new(LogIndex::of(path)),
        })
    }

    /// What tells where its log stands.
    pub fn index(&self) -> Arc<LogIndex> {
        Arc::clone(&self.index)
    }

    /// Writes what it is sent until it is closed, or nobody is left who could send anything.
    pub fn run(mut self, messages: &Receiver<Message>) {
        while !self.ended {
            let closing = match messages.recv_timeout(UPKEEP) {
                Ok(Message::Write(first)) => {
                    let (group, closing) = gather(first, messages);
                    self.write(group);
                    closing
                }
                Ok(Message::Close(done)) => Some(done),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if let Some(done) = closing {
                self.close();
                // Nobody may be waiting for it any more.
                let _ = done.send(());
                return;
            }
            if let Some(checkpoints) = &mut self.checkpoints {
                checkpoints.note_commit(&mut self.connection);
            }
            self.reserve.keep();
            self.wal.keep(&mut self.connection);
        }
    }

    fn write(&mut self, group: Vec<Request>) {
        let group = self.admitted(group);
        let Some(mut group) = self.begin(group) else {
            return;
        };
        fail_point!("writer.begin");
        if let Some(metrics) = &self.metrics {
            for request in &group {
                metrics.waited(request.since.elapsed());
            }
        }
        match self.work(&mut group) {
            Ok(answers) => self.end(group, answers),
            Err(error) => self.refuse(group, &error),
        }
    }

    /// Turns new work away while there is little room.
    fn admitted(&mut self, group: Vec<Request>) -> Vec<Request> {
        let is_shut = self.gate.is_shut();
        if is_shut != self.was_shut {
            self.was_shut = is_shut;
            tell(is_shut);
        }
        if !is_shut {
            return group;
        }
        let (admitted, turned_away): (Vec<_>, Vec<_>) =
            group.into_iter().partition(|request| request.concluding);
        for request in turned_away {
            request.answer(Err(StoreError::DiskFull));
        }
        admitted
    }

    /// Begins the transaction. While another process holds the lock, who has waited too long is turned away.
    fn begin(&mut self, mut group: Vec<Request>) -> Option<Vec<Request>> {
        while !group.is_empty() {
            // IMMEDIATE, because a transaction that reads before it writes could otherwise not get the lock any more.
            match command(&mut self.connection, "BEGIN IMMEDIATE") {
                Ok(()) => return Some(group),
                Err(error) if is_busy(&error) => group = turn_away_the_late(group),
                Err(error) => {
                    self.refuse(group, &error);
                    return None;
                }
            }
        }
        None
    }

    /// Does the work of all. An error here is one of the transaction: nothing of it is kept.
    fn work(&mut self, group: &mut [Request]) -> QueryResult<Vec<Answer>> {
        group
            .iter_mut()
            .map(|request| self.work_one(&mut request.work))
            .collect()
    }

    fn work_one(&mut self, work: &mut Work) -> QueryResult<Answer> {
        fail_point!("writer.savepoint");
        command(&mut self.connection, "SAVEPOINT request")?;
        let mut session = Session::new(&mut self.connection, &self.vault);
        let outcome = session.perform(work);
        // There is one writer, so nobody can have been faster; if it says so all the same, nothing is kept.
        let (run_again, is_full) = (session.run_again, session.failure().is_full);
        fail_point!("writer.worked");
        let keep = matches!(outcome, Ok(Finish::Commit));
        let ended = self.end_savepoint(keep);
        if is_full {
            self.reserve.give_up();
            ended.map_err(|_| full())?;
        } else {
            ended?;
        }
        Ok(match outcome {
            Ok(_) if run_again => Err(StoreError::Stale),
            outcome => outcome.map(drop),
        })
    }

    /// Some errors, a full disk among them, make SQLite roll the whole transaction back. Then there is no savepoint
    /// any more, and this fails, and with it the group: its neighbours are not kept either.
    fn end_savepoint(&mut self, keep: bool) -> QueryResult<()> {
        if !keep {
            command(&mut self.connection, "ROLLBACK TO request")?;
        }
        command(&mut self.connection, "RELEASE request")
    }

    /// Commits, and answers everybody.
    fn end(&mut self, group: Vec<Request>, answers: Vec<Answer>) {
        let begun = Instant::now();
        match self.commit() {
            Ok(()) => {
                fail_point!("writer.committed");
                if let Some(metrics) = &self.metrics {
                    metrics.committed(group.len(), begun.elapsed());
                }
                for (request, answer) in group.into_iter().zip(answers) {
                    request.answer(answer);
                }
            }
            Err(error) if kept_nothing(&error) => self.refuse(group, &error),
            Err(error) => self.end_process(group, &error),
        }
    }

    fn commit(&mut self) -> QueryResult<()> {
        fail_point!("writer.commit", |said: Option<String>| Err(
            Error::DatabaseError(
                DatabaseErrorKind::Unknown,
                Box::new(said.unwrap_or_default()),
            )
        ));
        command(&mut self.connection, "COMMIT")
    }

    /// Nothing of the group is kept; the connection is made ready for the next one.
    fn refuse(&mut self, group: Vec<Request>, error: &Error) {
        self.roll_back();
        let full = is_full(error) || self.gate.is_shut();
        if is_full(error) {
            self.reserve.give_up();
        }
        for request in group {
            request.answer(Err(if full {
                StoreError::DiskFull
            } else {
                StoreError::Unavailable(error.to_string().into())
            }));
        }
    }

    fn roll_back(&mut self) {
        // After some errors there is no transaction any more, which says so.
        drop(self.connection.batch_execute("ROLLBACK"));
        // A connection that is still inside one would never begin another.
        let ready = self.connection.batch_execute("BEGIN; ROLLBACK");
        if ready.is_err()
            && let Ok(fresh) = connect_patiently(&self.path)
        {
            self.connection = AnyConnection::Sqlite(fresh);
        }
    }

    /// What of the group is on disk is not known, and nothing this process could do would tell.
    fn end_process(&mut self, group: Vec<Request>, error: &Error) {
        self.ending.end(&format!(
            "the database could not be written to disk, and what of it is there only a new start can tell: {error}"
        ));
        // Only a test gets here.
        self.ended = true;
        for request in group {
            request.answer(Err(StoreError::Unknown(error.to_string().into())));
        }
    }

    /// Leaves one file that is whole by itself.
    fn close(&mut self) {
        if let Some(checkpoints) = self.checkpoints.take() {
            checkpoints.end();
        }
        let checkpoint = "PRAGMA busy_timeout = 2000; PRAGMA wal_checkpoint(TRUNCATE)";
        match self
            .connection
            .batch_execute(checkpoint)
            .map_err(store_error)
        {
            Ok(()) => self.marker = self.marker.take().and_then(Marker::unset),
            Err(error) => tracing::warn!(%error, "the database could not be closed in order"),
        }
    }
}

/// What SQLite said before it gave the savepoint up.
fn full() -> Error {
    let said = "database or disk is full".to_owned();
    Error::DatabaseError(DatabaseErrorKind::Unknown, Box::new(said))
}

fn connect_patiently(path: &Path) -> Result<diesel::SqliteConnection, ConnectionError> {
    let mut connection = connect(path, false)?;
    connection
        .batch_execute(&format!(
            "PRAGMA busy_timeout = {BUSY_MILLISECONDS}; PRAGMA wal_autocheckpoint = 0"
        ))
        .map_err(ConnectionError::CouldntSetupConfiguration)?;
    Ok(connection)
}

/// Said once, not with every request that is turned away.
fn tell(is_shut: bool) {
    if is_shut {
        tracing::error!("the disk is almost full: new writes are refused until there is room");
    } else {
        tracing::info!("the disk has room again: writes are taken");
    }
}

/// The first request, what has queued up behind it, and whether somebody asks for the end.
fn gather(
    first: Request,
    messages: &Receiver<Message>,
) -> (Vec<Request>, Option<oneshot::Sender<()>>) {
    let mut group = vec![first];
    while group.len() < GROUP {
        match messages.try_recv() {
            Ok(Message::Write(request)) => group.push(request),
            Ok(Message::Close(done)) => return (group, Some(done)),
            Err(_) => break,
        }
    }
    (group, None)
}

fn turn_away_the_late(group: Vec<Request>) -> Vec<Request> {
    let (late, waiting): (Vec<_>, Vec<_>) = group
        .into_iter()
        .partition(|request| request.since.elapsed() >= PATIENCE);
    for request in late {
        let reason = "another process has kept the database locked for too long";
        request.answer(Err(StoreError::Unavailable(reason.into())));
    }
    waiting
}

#[cfg(test)]
mod tests;
