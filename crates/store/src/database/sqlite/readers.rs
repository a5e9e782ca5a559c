//! Connections that only read, and the place where they wait for the next reader.
//!
//! A read takes microseconds: it is done in the thread of whoever asks, and the hop to another would cost more than the
//! read. So there are never more readers at once than threads, and nobody ever waits for a connection. Whatever may
//! take long is sent to a thread of its own by [`super::SqliteStore`].

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use lyceum_ports::store::{StoreError, View, Work};

use super::connect;
use crate::database::cached_by_text::command;
use crate::database::connection::AnyConnection;
use crate::database::error::store_error;
use crate::database::memory::Memory;
use crate::database::session::Session;
use crate::mapping::vault::Vault;

/// The readers of a file.
pub struct Readers {
    path: PathBuf,
    vault: Arc<Vault>,
    /// What they know.
    memory: Memory,
    idle: Mutex<Vec<AnyConnection>>,
    /// How many wait at most; more are closed.
    most: usize,
}

impl Readers {
    /// Of this file; one is opened at once, so that a file that cannot be read is found out now.
    pub fn of(path: PathBuf, vault: Arc<Vault>, most: usize) -> Result<Self, StoreError> {
        let readers = Self {
            path,
            vault,
            memory: Memory::default(),
            idle: Mutex::default(),
            most,
        };
        let first = readers.open()?;
        readers.give_back(first);
        Ok(readers)
    }

    /// Begins a snapshot.
    pub fn look(self: &Arc<Self>) -> Result<SqliteView, StoreError> {
        let waiting = self.waiting().pop();
        let mut reader = waiting.map_or_else(|| self.open(), Ok)?;
        command(&mut reader, "BEGIN").map_err(store_error)?;
        Ok(SqliteView {
            readers: Arc::clone(self),
            reader: Some(reader),
        })
    }

    fn open(&self) -> Result<AnyConnection, StoreError> {
        let connection =
            connect(&self.path, true).map_err(|error| StoreError::Unavailable(Box::new(error)))?;
        Ok(AnyConnection::Sqlite(connection))
    }

    fn give_back(&self, reader: AnyConnection) {
        let mut waiting = self.waiting();
        if waiting.len() < self.most {
            waiting.push(reader);
        }
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, Vec<AnyConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A snapshot, until it is dropped.
pub struct SqliteView {
    readers: Arc<Readers>,
    /// There until it is dropped.
    reader: Option<AnyConnection>,
}

#[async_trait]
impl View for SqliteView {
    async fn look(&mut self, mut work: Work) -> Result<(), StoreError> {
        self.run(&mut work)
    }
}

impl SqliteView {
    /// Runs work in this thread.
    pub fn run(&mut self, work: &mut Work) -> Result<(), StoreError> {
        let gone = || StoreError::Unavailable("the view is gone".into());
        let reader = self.reader.as_mut().ok_or_else(gone)?;
        Session::remembering(reader, &self.readers.vault, &self.readers.memory)
            .perform(work)
            .map(drop)
    }
}

impl Drop for SqliteView {
    fn drop(&mut self) {
        // Only a reader whose transaction has ended in order waits for another.
        if let Some(mut reader) = self.reader.take()
            && command(&mut reader, "ROLLBACK").is_ok()
        {
            self.readers.give_back(reader);
        }
    }
}
