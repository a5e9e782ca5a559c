//! Connections that only read, and the place where they wait for the next reader.
//!
//! A read takes microseconds: it is done in the thread of whoever asks, and the hop to another would cost more than the
//! read. So there are never more readers at once than threads, and nobody ever waits for a connection. Whatever may
//! take long is sent to a thread of its own by [`super::SqliteStore`].

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use lyceum_ports::identity::callers::Introduction;
use lyceum_ports::store::{StoreError, Work};

use super::connect;
use crate::database::cached_by_text::command;
use crate::database::connection::AnyConnection;
use crate::database::error::store_error;
use crate::database::log_index::LogIndex;
use crate::database::memory::{KnownCaller, Memory};
use crate::database::session::Session;
use crate::mapping::vault::Vault;

/// The readers of a file.
pub struct Readers {
    path: PathBuf,
    pub(super) vault: Arc<Vault>,
    /// What they know.
    pub(super) memory: Memory,
    idle: Mutex<Vec<AnyConnection>>,
    /// How many wait at most; more are closed.
    most: usize,
    /// The last to be let go of.
    index: Arc<LogIndex>,
}

impl Readers {
    /// Of this file; one is opened at once, so that a file that cannot be read is found out now.
    pub fn of(
        path: PathBuf,
        vault: Arc<Vault>,
        most: usize,
        index: Arc<LogIndex>,
    ) -> Result<Self, StoreError> {
        let readers = Self {
            path,
            vault,
            memory: Memory::default(),
            idle: Mutex::default(),
            most,
            index,
        };
        let first = readers.open()?;
        readers.give_back(first);
        Ok(readers)
    }

    /// Runs work in a snapshot, in this thread.
    pub fn run(&self, work: &mut Work) -> Result<(), StoreError> {
        let mut reader = self.take()?;
        command(&mut reader, "BEGIN").map_err(store_error)?;
        let outcome = Session::remembering(&mut reader, &self.vault, &self.memory).perform(work);
        self.end(reader);
        outcome.map(drop)
    }

    /// Whether this caller is still as they were found: without asking where nothing at all was written since.
    pub fn is_still(
        &self,
        introduction: &Introduction,
        known: &KnownCaller,
    ) -> Result<bool, StoreError> {
        let position = self.index.position();
        if position.is_some() && position == known.seen_at {
            return Ok(true);
        }
        let mut reader = self.take()?;
        let mut session = Session::for_one_statement(&mut reader, &self.vault, &self.memory);
        let stamps = session.stamps_of(&known.caller)?;
        self.give_back(reader);
        if stamps != known.stamps {
            return Ok(false);
        }
        self.memory.seen(introduction, known, position);
        Ok(true)
    }

    /// One that is in no transaction.
    pub(super) fn take(&self) -> Result<AnyConnection, StoreError> {
        let waiting = self.waiting().pop();
        waiting.map_or_else(|| self.open(), Ok)
    }

    fn open(&self) -> Result<AnyConnection, StoreError> {
        let connection =
            connect(&self.path, true).map_err(|error| StoreError::Unavailable(Box::new(error)))?;
        Ok(AnyConnection::Sqlite(connection))
    }

    /// Ends a snapshot. Only a reader whose transaction has ended in order waits for another.
    pub(super) fn end(&self, mut reader: AnyConnection) {
        if command(&mut reader, "ROLLBACK").is_ok() {
            self.give_back(reader);
        }
    }

    /// Takes back a reader that is in no transaction.
    pub(super) fn give_back(&self, reader: AnyConnection) {
        let mut waiting = self.waiting();
        if waiting.len() < self.most {
            waiting.push(reader);
        }
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, Vec<AnyConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
