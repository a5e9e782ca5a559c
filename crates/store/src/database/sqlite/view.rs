//! What a request reads on SQLite: who it is from, and what it asks for.
//!
//! A caller who is remembered is taken at their word, and what they came for is one statement, which is a snapshot by itself:
//! whether they are still who they were is found out after it, before anything is told ([`Trust::prove`]). Stamps are lots, so those
//! that are the same then were the same in the snapshot. What takes more than one statement, to let somebody in or to answer
//! them, is done in a transaction, and all that follows in the same.

use std::sync::Arc;

use async_trait::async_trait;
use lyceum_ports::store::{StoreError, Trust, View, Work};

use super::readers::Readers;
use crate::database::cached_by_text::command;
use crate::database::connection::AnyConnection;
use crate::database::error::store_error;
use crate::database::memory::Taken;
use crate::database::session::Session;

/// What a request reads, until it is dropped.
pub struct SqliteView {
    trust: Arc<ReaderTrust>,
    stage: Stage,
    /// There until it is dropped.
    reader: Option<AnyConnection>,
}

/// How far a request has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nobody was let in.
    AtTheDoor,
    /// Somebody was, and nothing was asked for that.
    Inside,
    /// Something was asked, in a snapshot that is over.
    Answered,
    /// Everything is asked in the snapshot of a transaction.
    InTransaction,
}

/// Whom a request took at their word, and where that is found out.
struct ReaderTrust {
    readers: Arc<Readers>,
    taken: Taken,
}

impl SqliteView {
    /// By one of these readers.
    pub fn by(readers: Arc<Readers>) -> Result<Self, StoreError> {
        let reader = readers.take()?;
        let trust = ReaderTrust {
            readers,
            taken: Taken::default(),
        };
        Ok(Self {
            trust: Arc::new(trust),
            stage: Stage::AtTheDoor,
            reader: Some(reader),
        })
    }

    /// Runs work without a transaction, if it needs none; whether it was run.
    fn run_without(&mut self, work: &mut Work) -> Option<Result<(), StoreError>> {
        let ReaderTrust { readers, taken } = &*self.trust;
        let reader = self.reader.as_mut()?;
        let (mut session, next) = match self.stage {
            Stage::AtTheDoor => (
                Session::for_no_statement(reader, &readers.vault, &readers.memory, taken),
                Stage::Inside,
            ),
            Stage::Inside => (
                Session::for_one_statement(reader, &readers.vault, &readers.memory),
                Stage::Answered,
            ),
            Stage::Answered | Stage::InTransaction => return None,
        };
        let outcome = session.perform(work);
        if session.wants_more() {
            return None;
        }
        self.stage = next;
        Some(outcome.map(drop))
    }

    /// Runs work in the snapshot of the transaction, which begins here if there is none.
    fn run_within(&mut self, work: &mut Work) -> Result<(), StoreError> {
        let readers = &self.trust.readers;
        let gone = || StoreError::Unavailable("the view is gone".into());
        let reader = self.reader.as_mut().ok_or_else(gone)?;
        match self.stage {
            // What was found before would be of another moment.
            Stage::Answered => {
                self.trust.taken.was_mistaken();
                return Err(StoreError::Outdated);
            }
            Stage::AtTheDoor | Stage::Inside => {
                command(reader, "BEGIN").map_err(store_error)?;
                self.stage = Stage::InTransaction;
            }
            Stage::InTransaction => {}
        }
        Session::remembering(reader, &readers.vault, &readers.memory)
            .perform(work)
            .map(drop)
    }
}

#[async_trait]
impl View for SqliteView {
    async fn look_at_one(&mut self, mut work: Work) -> Result<(), StoreError> {
        match self.run_without(&mut work) {
            Some(outcome) => outcome,
            None => self.run_within(&mut work),
        }
    }

    async fn look(&mut self, mut work: Work) -> Result<(), StoreError> {
        self.run_within(&mut work)
    }

    fn trust(&self) -> Option<Arc<dyn Trust>> {
        let trust = Arc::clone(&self.trust);
        Some(trust)
    }
}

impl Drop for SqliteView {
    fn drop(&mut self) {
        let readers = &self.trust.readers;
        match (self.reader.take(), self.stage) {
            (Some(reader), Stage::InTransaction) => readers.end(reader),
            (Some(reader), _) => readers.give_back(reader),
            (None, _) => {}
        }
    }
}

#[async_trait]
impl Trust for ReaderTrust {
    async fn prove(&self) -> Result<(), StoreError> {
        let Some((introduction, known)) = self.taken.given()? else {
            return Ok(());
        };
        if self.readers.is_still(&introduction, &known)? {
            self.taken.was_right();
            return Ok(());
        }
        self.taken.was_mistaken();
        self.readers.memory.forget(&introduction);
        Err(StoreError::Outdated)
    }
}
