//! What a request reads on PostgreSQL: who it is from and what it asks for, in one trip, and in no thread of its own.
//!
//! A caller who is remembered is taken at their word, and the stamps that say whether they are still who they were go out
//! with the first question. If they are not, nothing of what was found is told to anybody: the request begins anew, and
//! enters by the front door. No answer leaves before its caller was found to be who they were ([`Trust::prove`]).
//!
//! Where there is a replica, what a remembered caller asks for may be answered there: then the primary says with their stamps how far it is
//! kept, and the question goes to the replica behind that.

use std::sync::Arc;

use async_trait::async_trait;
use lyceum_ports::identity::callers::Introduction;
use lyceum_ports::store::{Finish, Store, StoreError, Trust, View, Work};

use super::pipelines::Pipeline;
use super::position::{Position, flushed};
use super::running::{Once, read, read_one};
use super::{PostgresStore, Shared};
use crate::database::connection::AnyConnection;
use crate::database::link::PgLink;
use crate::database::memory::{KnownCaller, Stamps, Taken};
use crate::database::replay::{Asked, Brought, BroughtRow, Lacks, Replay};
use crate::database::session::Session;

/// What a request reads.
pub struct PostgresView {
    trust: Arc<PipelineTrust>,
}

/// Whom a request took at their word, and where that is found out.
pub struct PipelineTrust {
    store: Arc<Shared>,
    pipeline: Arc<Pipeline>,
    taken: Taken,
}

impl PostgresView {
    /// On this pipeline.
    pub fn on(store: Arc<Shared>, pipeline: Arc<Pipeline>) -> Self {
        let trust = PipelineTrust {
            store,
            pipeline,
            taken: Taken::default(),
        };
        Self {
            trust: Arc::new(trust),
        }
    }
}

#[async_trait]
impl View for PostgresView {
    async fn look_at_one(&mut self, work: Work) -> Result<(), StoreError> {
        self.trust.look(work, read_one).await
    }

    async fn look(&mut self, work: Work) -> Result<(), StoreError> {
        self.trust.look(work, read).await
    }

    fn trust(&self) -> Option<Arc<dyn Trust>> {
        let trust = Arc::clone(&self.trust);
        Some(trust)
    }
}

#[async_trait]
impl Trust for PipelineTrust {
    async fn prove(&self) -> Result<(), StoreError> {
        let Some((introduction, known)) = self.taken.given()? else {
            return Ok(());
        };
        let is_still = self.is_still(&introduction, &known).await?;
        self.conclude(&introduction, is_still)
    }
}

impl PipelineTrust {
    fn conclude(&self, introduction: &Introduction, is_still: bool) -> Result<(), StoreError> {
        if is_still {
            self.taken.was_right();
            return Ok(());
        }
        self.taken.was_mistaken();
        self.store.memory.forget(introduction);
        Err(StoreError::Outdated)
    }

    /// Runs work here if it asks for one thing, which is a snapshot by itself; else `once` on a connection of the pool.
    async fn look(&self, mut work: Work, once: Once) -> Result<(), StoreError> {
        let (outcome, lacks) = self.run(&mut work, None);
        let asked = match lacks {
            Lacks::Nothing => return outcome.map(drop),
            Lacks::Connection => return self.look_from_the_pool(work, once).await,
            Lacks::Answer(asked) if self.store.texts.leads_on(&asked) => {
                return self.look_from_the_pool(work, read).await;
            }
            Lacks::Answer(asked) => asked,
        };
        let Some(rows) = self.answer(&asked).await? else {
            return self.look_from_the_pool(work, once).await;
        };
        let text = Arc::clone(&asked.text);
        match self.run(&mut work, Some(Brought { asked, rows })) {
            (outcome, Lacks::Nothing) => outcome.map(drop),
            (_, Lacks::Answer(_) | Lacks::Connection) => {
                self.store.texts.note_that_it_leads_on(text);
                self.look_from_the_pool(work, read).await
            }
        }
    }

    /// The answer to one question, of the replica or of the primary; nothing where none came.
    async fn answer(&self, asked: &Asked) -> Result<Option<Vec<BroughtRow>>, StoreError> {
        let Some(position) = self.proven_at().await? else {
            let (proof, rows) = tokio::join!(self.prove(), self.pipeline.ask(asked));
            return proof.map(|()| rows);
        };
        if let Some(replica) = self.store.replica()
            && let Some(rows) = replica.ask(&position, asked).await
        {
            return Ok(Some(rows));
        }
        Ok(self.pipeline.ask(asked).await)
    }

    /// Proves whom the request took at their word, and says how far the database is kept, where there is a replica to be asked behind
    /// that. For anybody else to prove themselves takes as much of the primary as their question.
    async fn proven_at(&self) -> Result<Option<Position>, StoreError> {
        let Some(replica) = self.store.replica() else {
            return Ok(None);
        };
        let Some((introduction, known)) = self.taken.given()? else {
            return Ok(None);
        };
        let (person, workspace) = known.names();
        let told = self.pipeline.tell(&self.store.texts, |link| {
            flushed(link, Some(&person), workspace.as_deref())
        });
        let Some(told) = told.await else {
            return Ok(None);
        };
        let stamps = Stamps {
            person: told.person,
            workspace: told.workspace,
        };
        self.conclude(&introduction, stamps == known.stamps)?;
        Ok(self.store.position_of(replica, &told).await)
    }

    /// What a pipeline cannot do, or could not, a connection of its own does, or says why not.
    async fn look_from_the_pool(&self, work: Work, once: Once) -> Result<(), StoreError> {
        if let Some(position) = self.proven_at().await? {
            return self.store.read_behind(Some(position), work, once).await;
        }
        let looking = self.store.on_a_connection(work, once);
        let (proof, looked) = tokio::join!(self.prove(), looking);
        proof?;
        looked
    }

    fn run(
        &self,
        work: &mut Work,
        brought: Option<Brought>,
    ) -> (Result<Finish, StoreError>, Lacks) {
        self.with_session(brought, |session| session.perform(work))
    }

    fn with_session<T>(
        &self,
        brought: Option<Brought>,
        run: impl FnOnce(&mut Session<'_>) -> T,
    ) -> (T, Lacks) {
        let store = &self.store;
        let replay = Replay::of(Arc::clone(&store.texts), brought);
        let mut connection = AnyConnection::Postgres(PgLink::Replay(Box::new(replay)));
        let mut session =
            Session::trusting(&mut connection, &store.vault, &store.memory, &self.taken);
        let outcome = run(&mut session);
        let lacks = match connection {
            AnyConnection::Postgres(PgLink::Replay(replay)) => replay.lacks(),
            AnyConnection::Postgres(PgLink::Libpq(_) | PgLink::Ahead(_))
            | AnyConnection::Sqlite(_) => Lacks::Connection,
        };
        (outcome, lacks)
    }

    /// Whether nothing of this caller was changed since they were found. That no answer came from here is no reason to
    /// forget them: where too much is asked for, that would make more of it.
    async fn is_still(
        &self,
        introduction: &Introduction,
        known: &KnownCaller,
    ) -> Result<bool, StoreError> {
        if let Some(stamps) = self.stamps_of(known).await? {
            return Ok(stamps == known.stamps);
        }
        let store: Arc<dyn Store> = Arc::new(PostgresStore(Arc::clone(&self.store)));
        let introduction = introduction.clone();
        let mut nowhere = None;
        let finding = store.read_one_in(&mut nowhere, move |tx| tx.callers().find(&introduction));
        let found: Result<_, StoreError> = finding.await;
        Ok(found?.is_some_and(|found| found == known.caller))
    }

    /// The stamps that this caller has now; nothing where no answer came.
    async fn stamps_of(&self, known: &KnownCaller) -> Result<Option<Stamps>, StoreError> {
        let (_, lacks) = self.with_session(None, |session| session.stamps_of(&known.caller));
        let Lacks::Answer(asked) = lacks else {
            return Ok(None);
        };
        let Some(rows) = self.pipeline.ask(&asked).await else {
            return Ok(None);
        };
        let brought = Some(Brought { asked, rows });
        let (found, _) = self.with_session(brought, |session| session.stamps_of(&known.caller));
        found.map(Some)
    }
}
