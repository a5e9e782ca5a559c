//! A standby that answers what is only read, so that the primary has more room for what is written.
//!
//! It is asked only behind a position that the primary has just told ([`Position`]), and answers only if it has come as far: so nobody
//! is shown less than what anybody was told is kept. What goes wrong here, whatever it is, is nobody's error: the
//! primary answers, and the standby is left alone for a while.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lyceum_ports::store::{StoreError, Work};
use r2d2::{NopErrorHandler, Pool, PooledConnection};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

use super::connections::{Connections, Pooled, STANDBY_PATIENCE, Sessions, config_of};
use super::pipelines::{Pipelines, Silence};
use super::position::{Come, KnownHome, Position, come};
use super::running::{Ended, Run, read};
use crate::database::connection::AnyConnection;
use crate::database::lines::Lines;
use crate::database::link::{gathered, question};
use crate::database::memory::Memory;
use crate::database::replay::{Asked, Brought, BroughtRow, Texts};
use crate::mapping::vault::Vault;
use crate::running::metrics::{ReplicaOutcome, StoreMetrics};

/// How long whoever asks waits for the standby to come as far: then the primary is faster.
const BRIEFLY: Duration = Duration::from_millis(5);
/// How long until it is asked again meanwhile.
const TICK: Duration = Duration::from_millis(1);
/// How long it is left alone after it was behind, or could not answer one question: others would wait for nothing either.
const SHORT_PAUSE: Duration = Duration::from_millis(50);
/// How long it is left alone after nobody answered there.
const PAUSE: Duration = Duration::from_secs(1);
/// How long anybody waits for a connection to it, and for its first word.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long it may take over one statement: long before whoever asks gives up, the primary is asked.
const SILENCE: Duration = Duration::from_secs(11);

/// A standby.
pub struct Replica {
    pool: Pool<Connections>,
    /// One for each connection.
    places: Arc<Semaphore>,
    pipelines: Pipelines,
    texts: Arc<Texts>,
    /// Whose standby it has to be.
    pub home: KnownHome,
    /// Until when it is left alone.
    until: Mutex<Option<Instant>>,
    /// Whether it was away when that was last seen.
    was_away: AtomicBool,
    metrics: Option<StoreMetrics>,
}

/// A connection of the pool, and a place there.
type Held = (PooledConnection<Connections>, OwnedSemaphorePermit);
/// What it gave, or why it gave nothing.
type Heard<T> = Result<T, ReplicaOutcome>;

impl Replica {
    /// At this address. It is not waited for: it may be away, and come.
    pub fn at(
        url: &str,
        connections: u32,
        texts: &Arc<Texts>,
        metrics: Option<StoreMetrics>,
    ) -> Self {
        let config = config_of(url);
        let made = Connections::to(url, config.clone(), Arc::clone(texts), None);
        let pool = Pool::builder()
            .max_size(connections)
            .min_idle(Some(0))
            .connection_timeout(PATIENCE)
            // That it is away is said below, and once.
            .error_handler(Box::new(NopErrorHandler))
            .build_unchecked(made.waiting(STANDBY_PATIENCE, SILENCE));
        let places = usize::try_from(connections).unwrap_or(Semaphore::MAX_PERMITS);
        Self {
            pool,
            places: Arc::new(Semaphore::new(places)),
            pipelines: Pipelines::to(config, Sessions::Own),
            texts: Arc::clone(texts),
            home: KnownHome::default(),
            until: Mutex::default(),
            was_away: AtomicBool::default(),
            metrics,
        }
    }

    /// Whether it is worth asking.
    pub fn is_at_hand(&self) -> bool {
        let until = *self.until.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_none_or(|until| until <= Instant::now())
    }

    /// Asks one thing, if it has come as far.
    pub async fn ask(&self, position: &Position, asked: &Asked) -> Option<Vec<BroughtRow>> {
        let answer = self.answer(position, asked).await;
        self.note(answer.as_ref().err().copied());
        answer.ok()
    }

    /// Runs work in one snapshot of what it has come to; gives the work back if it has not come as far, or anything went wrong.
    pub async fn run(
        &self,
        position: Position,
        work: Work,
        vault: &Arc<Vault>,
        memory: &Arc<Memory>,
    ) -> Result<Result<(), StoreError>, Work> {
        let (mut held, place) = match self.connection(position).await {
            Ok(held) => held,
            Err(outcome) => {
                self.note(Some(outcome));
                return Err(work);
            }
        };
        let mut run = Run::of(work, read, memory);
        let vault = Arc::clone(vault);
        let running = spawn_blocking(move || {
            let _place = place;
            let ended = read(&mut held, &vault, &Lines::default(), &mut run);
            let is_answered = matches!(ended, Ok(Ended::AsAsked)) && !run.has_failed;
            (run.work, is_answered, held.is_broken)
        });
        let (work, is_answered, is_broken) = match running.await {
            Ok(ran) => ran,
            Err(error) => return Ok(Err(StoreError::Failed(Box::new(error)))),
        };
        self.note(match (is_answered, is_broken) {
            (true, _) => None,
            (false, false) => Some(ReplicaOutcome::Failed),
            (false, true) => Some(ReplicaOutcome::Away),
        });
        if is_answered { Ok(Ok(())) } else { Err(work) }
    }

    async fn answer(&self, position: &Position, asked: &Asked) -> Heard<Vec<BroughtRow>> {
        let first = question(&self.texts, |link| come(link, position));
        let first = first.ok_or(ReplicaOutcome::Failed)?;
        let since = Instant::now();
        loop {
            let pipeline = self.pipelines.pick().ok_or_else(|| self.why_none())?;
            let [said, rows] = pipeline.ask_behind(&first, asked).await.map_err(why)?;
            let brought = Brought {
                asked: first.clone(),
                rows: said,
            };
            let said = gathered(&self.texts, brought, |link| come(link, position));
            match said.map_or(Err(ReplicaOutcome::Failed), |said| verdict(&said, position)) {
                Ok(()) => return Ok(rows),
                Err(ReplicaOutcome::Behind) if since.elapsed() < BRIEFLY => sleep(TICK).await,
                Err(outcome) => return Err(outcome),
            }
        }
    }

    fn why_none(&self) -> ReplicaOutcome {
        if self.pipelines.are_refused() {
            ReplicaOutcome::Away
        } else {
            ReplicaOutcome::Busy
        }
    }

    /// A connection that has come as far. Whoever finds all in use does not wait for one: there are those to the primary.
    async fn connection(&self, position: Position) -> Heard<Held> {
        let place = Arc::clone(&self.places).try_acquire_owned();
        let place = place.map_err(|_| ReplicaOutcome::Busy)?;
        let pool = self.pool.clone();
        let asking = spawn_blocking(move || {
            let mut pooled = pool.get().map_err(|_| ReplicaOutcome::Away)?;
            wait_until_it_has_come(&mut pooled, &position)?;
            Ok((pooled, place))
        });
        match timeout(PATIENCE, asking).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) | Err(_) => Err(ReplicaOutcome::Away),
        }
    }

    /// Notes why it did not answer, if it did not.
    fn note(&self, reason: Option<ReplicaOutcome>) {
        let outcome = reason.unwrap_or(ReplicaOutcome::Answered);
        if let Some(metrics) = &self.metrics {
            metrics.asked_replica(outcome);
        }
        let pause = match outcome {
            ReplicaOutcome::Answered | ReplicaOutcome::Busy => None,
            ReplicaOutcome::Behind | ReplicaOutcome::Failed => Some(SHORT_PAUSE),
            ReplicaOutcome::Away => Some(PAUSE),
        };
        if let Some(pause) = pause {
            let mut until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
            *until = Some(Instant::now() + pause);
        }
        let is_away = outcome == ReplicaOutcome::Away;
        let is_news = match outcome {
            ReplicaOutcome::Busy => false,
            ReplicaOutcome::Answered
            | ReplicaOutcome::Behind
            | ReplicaOutcome::Failed
            | ReplicaOutcome::Away => self.was_away.swap(is_away, Ordering::Relaxed) != is_away,
        };
        match (is_news, is_away) {
            (true, true) => tracing::warn!(
                "the replica does not answer, or is none of this database: the primary answers in its place"
            ),
            (true, false) => tracing::info!("the replica answers again"),
            (false, _) => {}
        }
    }
}

/// Whether a standby may answer, by what it says of itself.
fn verdict(said: &Come, position: &Position) -> Heard<()> {
    match (said.follows(), said.behind(position)) {
        (true, Some(0)) => Ok(()),
        (true, _) => Err(ReplicaOutcome::Behind),
        (false, _) => Err(ReplicaOutcome::Away),
    }
}

fn why(silence: Silence) -> ReplicaOutcome {
    match silence {
        Silence::Refused => ReplicaOutcome::Failed,
        Silence::Unheard => ReplicaOutcome::Away,
    }
}

fn wait_until_it_has_come(pooled: &mut Pooled, position: &Position) -> Heard<()> {
    let since = Instant::now();
    loop {
        let AnyConnection::Postgres(link) = &mut pooled.connection else {
            return Err(ReplicaOutcome::Away);
        };
        let Ok(said) = come(link, position) else {
            pooled.is_broken = true;
            return Err(ReplicaOutcome::Away);
        };
        match verdict(&said, position) {
            Err(ReplicaOutcome::Behind) if since.elapsed() < BRIEFLY => std::thread::sleep(TICK),
            verdict => return verdict,
        }
    }
}
