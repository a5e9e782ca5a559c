//! Connections that many requests share: each worker thread has its own, on which queries are sent as they come and answered in
//! that order, without a thread that waits.
//!
//! Only single statements that read go here, because between two of one request there may be those of others. A query that takes
//! long holds up who stands behind it: so whoever finds the first pipeline overdue takes the next, and whoever finds none takes a
//! connection of the pool. The same where there is no pipeline, because none can be made: the pool says why.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use diesel::QueryResult;
use futures_util::TryStreamExt;
use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_postgres::{Client, Config, NoTls, Statement};

use super::connections::{QUIET, READS, SERVER_PATIENCE, Sessions};
use super::plans::{self, Plans};
use crate::database::link::{PgLink, gathered, question};
use crate::database::replay::{Asked, Brought, BroughtRow, Texts, Value};

/// Most pipelines of a worker: as many queries that take long leave its others waiting for none of them.
const MOST: usize = 4;
/// When the answer to the first of a pipeline is overdue: reads by an id or of a page take far less, also where the processors
/// are busy with others for a while.
const OVERDUE: Duration = Duration::from_millis(30);
/// Most who wait on a pipeline: whoever comes when a database cannot keep up waits where nothing is asked of it yet.
const DEEP: u32 = 64;
/// How long anybody waits on a pipeline, behind others or for the database: then a connection of the pool may be faster.
const PATIENCE: Duration = Duration::from_secs(1);
/// Most statements that are kept prepared on a pipeline: there are fewer texts than this, unless something is wrong.
const PREPARED: usize = 1_000;
/// For how many queries of a pipeline a plan is kept: reads are many, and no table grows by them.
const PLANNED_ANEW: u32 = 16_384;
/// How long it is left alone after a pipeline could not be made.
const PAUSE: Duration = Duration::from_secs(1);

/// The pipelines of a store.
pub struct Pipelines {
    config: Option<Config>,
    sessions: Sessions,
    workers: RwLock<HashMap<ThreadId, Arc<Worker>>>,
    /// Whether the last that was tried could not be made.
    are_refused: Arc<AtomicBool>,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silence {
    /// The server said so.
    Refused,
    /// Nobody said anything, or not soon enough.
    Unheard,
}

/// The pipelines of a thread.
#[derive(Default)]
struct Worker {
    places: Mutex<[Place; MOST]>,
}

/// A place for a pipeline.
#[derive(Default)]
enum Place {
    /// There is none.
    #[default]
    Free,
    /// One is being made.
    Taken,
    /// There was none to be had, when this was.
    Refused(Instant),
    /// There is one.
    Open(Arc<Pipeline>),
}

impl Pipelines {
    /// To this database; none where it is not said which.
    pub fn to(config: Option<Config>, sessions: Sessions) -> Self {
        Self {
            config,
            sessions,
            workers: RwLock::default(),
            are_refused: Arc::default(),
        }
    }

    /// A pipeline of this thread's that is not held up. Where there is none yet, one is begun for those to come.
    pub fn pick(&self) -> Option<Arc<Pipeline>> {
        let config = self.config.as_ref()?;
        let handle = Handle::try_current().ok()?;
        let worker = self.worker();
        let mut places = worker.places();
        for (number, place) in places.iter_mut().enumerate() {
            match place {
                Place::Open(pipeline) if pipeline.client.is_closed() => {}
                Place::Open(pipeline) if pipeline.is_overdue() || pipeline.is_full() => continue,
                Place::Open(pipeline) => return Some(Arc::clone(pipeline)),
                Place::Refused(at) if at.elapsed() < PAUSE => return None,
                Place::Taken => return None,
                Place::Free | Place::Refused(_) => {}
            }
            *place = Place::Taken;
            let opening = Pipeline::open(config.clone(), self.sessions);
            let refused = Arc::clone(&self.are_refused);
            handle.spawn(fill(Arc::clone(&worker), number, opening, refused));
            return None;
        }
        None
    }

    /// Whether the last that was tried could not be made.
    pub fn are_refused(&self) -> bool {
        self.are_refused.load(Ordering::Relaxed)
    }

    fn worker(&self) -> Arc<Worker> {
        let id = std::thread::current().id();
        let known = self.workers.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(worker) = known.get(&id) {
            return Arc::clone(worker);
        }
        drop(known);
        let mut workers = self.workers.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(workers.entry(id).or_default())
    }
}

impl Worker {
    fn places(&self) -> std::sync::MutexGuard<'_, [Place; MOST]> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes a pipeline for a place.
async fn fill(
    worker: Arc<Worker>,
    number: usize,
    opening: impl Future<Output = Result<Pipeline, tokio_postgres::Error>>,
    refused: Arc<AtomicBool>,
) {
    let made = opening.await;
    refused.store(made.is_err(), Ordering::Relaxed);
    if let Err(error) = &made {
        tracing::debug!(%error, "there is no pipeline to the database");
    }
    if let Some(place) = worker.places().get_mut(number) {
        *place = made.map_or_else(
            |_| Place::Refused(Instant::now()),
            |pipeline| Place::Open(Arc::new(pipeline)),
        );
    }
}

/// A connection on which queries stand one behind the other.
pub struct Pipeline {
    client: Client,
    sessions: Sessions,
    prepared: Mutex<HashMap<Arc<str>, Statement>>,
    plans: Plans,
    /// How many wait for their answers.
    waiting: AtomicU32,
    since: Instant,
    /// When the last answer came, or the first query after a pause went, in microseconds.
    moved_at: AtomicU64,
}

impl Pipeline {
    async fn open(config: Config, sessions: Sessions) -> Result<Self, tokio_postgres::Error> {
        let (client, connection) = config.connect(NoTls).await?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a pipeline to the database has ended");
            }
        });
        if sessions == Sessions::Own {
            let settings = [QUIET, SERVER_PATIENCE, READS].join("; ");
            client.batch_execute(&settings).await?;
        }
        Ok(Self {
            client,
            sessions,
            prepared: Mutex::default(),
            plans: Plans::renewed_every(PLANNED_ANEW),
            waiting: AtomicU32::new(0),
            since: Instant::now(),
            moved_at: AtomicU64::new(0),
        })
    }

    /// Asks, behind whoever asked before; nothing where no answer came, or not soon enough. Who no longer waits leaves
    /// nothing behind: the answer is read and dropped.
    pub async fn ask(&self, asked: &Asked) -> Option<Vec<BroughtRow>> {
        let _turn = Turn::of(self);
        let answer = timeout(PATIENCE, self.answer(asked)).await.ok()?;
        if answer.is_err() {
            self.forget(asked);
        }
        answer.ok()
    }

    /// Whatever the tables were when it was prepared, they may be others now.
    fn forget(&self, asked: &Asked) {
        self.prepared().remove(&asked.text);
    }

    /// Asks two things, of which the second is looked at by the server when the first is answered.
    pub async fn ask_behind(
        &self,
        first: &Asked,
        then: &Asked,
    ) -> Result<[Vec<BroughtRow>; 2], Silence> {
        let _turn = Turn::of(self);
        let asking = async {
            // Both are ready before either is sent, and a statement is sent when it is looked at.
            let statements = [self.statement(first).await?, self.statement(then).await?];
            let [before, behind] = &statements;
            let sent = tokio::join!(biased; self.rows(before, first), self.rows(behind, then));
            Ok([sent.0?, sent.1?])
        };
        let answer: Result<_, tokio_postgres::Error> = timeout(PATIENCE, asking)
            .await
            .map_err(|_| Silence::Unheard)?;
        answer.map_err(|error| {
            self.forget(first);
            self.forget(then);
            match error.as_db_error() {
                Some(_) if !self.client.is_closed() => Silence::Refused,
                _ => Silence::Unheard,
            }
        })
    }

    /// Asks one thing that a few lines of ours say.
    pub async fn tell<T>(
        &self,
        texts: &Arc<Texts>,
        ask: impl Fn(&mut PgLink) -> QueryResult<T>,
    ) -> Option<T> {
        let asked = question(texts, &ask)?;
        let rows = self.ask(&asked).await?;
        gathered(texts, Brought { asked, rows }, &ask).ok()
    }

    async fn answer(&self, asked: &Asked) -> Result<Vec<BroughtRow>, tokio_postgres::Error> {
        if self.sessions == Sessions::Shared {
            let values = asked.values.iter().map(Value).zip(asked.types.clone());
            let rows = self.client.query_typed_raw(&asked.text, values).await?;
            return rows.map_ok(BroughtRow).try_collect().await;
        }
        let statement = self.statement(asked).await?;
        self.rows(&statement, asked).await
    }

    async fn rows(
        &self,
        statement: &Statement,
        asked: &Asked,
    ) -> Result<Vec<BroughtRow>, tokio_postgres::Error> {
        let answer = async {
            let values = asked.values.iter().map(Value);
            let rows = self.client.query_raw(statement, values).await?;
            rows.map_ok(BroughtRow).try_collect().await
        };
        if !self.plans.are_due() {
            return answer.await;
        }
        // Both are sent before either is waited for.
        let (renewed, answer) =
            tokio::join!(biased; self.client.batch_execute(plans::ANEW), answer);
        renewed?;
        answer
    }

    async fn statement(&self, asked: &Asked) -> Result<Statement, tokio_postgres::Error> {
        if let Some(known) = self.prepared().get(&asked.text) {
            return Ok(known.clone());
        }
        let preparing = self.client.prepare_typed(&asked.text, &asked.types);
        let statement = preparing.await?;
        let mut prepared = self.prepared();
        if prepared.len() >= PREPARED {
            prepared.clear();
        }
        prepared.insert(Arc::clone(&asked.text), statement.clone());
        Ok(statement)
    }

    fn prepared(&self) -> std::sync::MutexGuard<'_, HashMap<Arc<str>, Statement>> {
        self.prepared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_full(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) >= DEEP
    }

    fn is_overdue(&self) -> bool {
        let overdue = u64::try_from(OVERDUE.as_micros()).unwrap_or(u64::MAX);
        self.waiting.load(Ordering::Relaxed) > 0
            && self.now() > self.moved_at.load(Ordering::Relaxed) + overdue
    }

    fn now(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn moves(&self) {
        self.moved_at.store(self.now(), Ordering::Relaxed);
    }
}

/// A place among those who wait on a pipeline.
struct Turn<'a>(&'a Pipeline);

impl<'a> Turn<'a> {
    fn of(pipeline: &'a Pipeline) -> Self {
        if pipeline.waiting.fetch_add(1, Ordering::Relaxed) == 0 {
            pipeline.moves();
        }
        Self(pipeline)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
        self.0.moves();
    }
}
