//! PostgreSQL: a pool, and a transaction per request, or none around a single statement that reads.
//!
//! Writes run at REPEATABLE READ: whoever changes a row that somebody else changed since is told so by the
//! database, and the whole transaction is run again, which is why work can be run more than once. From then on it
//! stands in line for that row ([`crate::database::lines`]), so that however many come at once, each is served within the time that
//! a request may take. It is run again too, on another connection, when the connection is lost before COMMIT was sent:
//! nothing was kept then. When it is lost after that, nobody here knows whether it was kept ([`StoreError::Unknown`]).
//! What a caller waits for to read, a standby may answer ([`replica`]).

pub(crate) mod connections;
mod group_commit;
mod pipelines;
mod plans;
pub(crate) mod pooler;
pub(crate) mod position;
mod replica;
mod running;
mod view;

use std::collections::BTreeSet;
use std::convert::identity;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use diesel::QueryResult;
use lyceum_ports::store::{Line, Store, StoreError, View, Work};
use r2d2::Pool;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::database::connection::AnyConnection;
use crate::database::error::store_error;
use crate::database::lines::{First, Lines};
use crate::database::link::PgLink;
use crate::database::memory::Memory;
use crate::database::replay::Texts;
use crate::mapping::vault::Vault;
use crate::running::metrics::StoreMetrics;

pub use connections::connect;
use connections::{Connections, Pooled, Sessions, config_of};
use group_commit::{Answered, Queue};
use pipelines::Pipelines;
use position::{Position, Told, flushed, home};
use replica::Replica;
use running::{Ended, Once, Run, read, read_one, write};
use view::PostgresView;

/// How often a transaction is run again at most because its connection was lost.
const RECONNECTIONS: u32 = 3;
/// How long a request waits for a connection: in this time a database that was restarted is back.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long work waits for others at most, and is run again: nearly as long as a request may take (30 s), so that its
/// caller is told.
const WAITING: Duration = Duration::from_secs(25);
/// After so many runs in vain work stands in a line for all that nobody knows a better one for.
const UNLUCKY: u32 = 3;

/// Where a database is, and what stands beside it.
pub struct Addresses<'a> {
    /// Its own address.
    pub url: &'a str,
    /// A pooler in front of it that hands out sessions for a transaction each.
    pub pooler: Option<&'a str>,
    /// A standby of it.
    pub replica: Option<&'a str>,
}

/// A store on a PostgreSQL database.
pub struct PostgresStore(Arc<Shared>);

/// What all who use the store share.
pub struct Shared {
    pool: Pool<Connections>,
    /// One for each connection. Whoever has none yet waits here, where waiting takes no thread.
    places: Arc<Semaphore>,
    /// Where writes wait for a connection, together.
    queue: Arc<Queue>,
    lines: Lines,
    /// Whether the server could not be reached when that was last tried.
    is_away: Arc<AtomicBool>,
    vault: Arc<Vault>,
    /// What readers know.
    memory: Arc<Memory>,
    /// Where reads go that need no connection of their own.
    pipelines: Pipelines,
    /// What they say.
    texts: Arc<Texts>,
    /// What answers reads in the database's place.
    replica: Option<Replica>,
    metrics: Option<StoreMetrics>,
}

impl PostgresStore {
    /// Opens the pool. The database is migrated already; its replica need not be there.
    pub fn open(
        at: &Addresses<'_>,
        connections: u32,
        vault: Vault,
        metrics: Option<StoreMetrics>,
    ) -> Result<Self, StoreError> {
        let (url, sessions) = match at.pooler {
            Some(pooler) => (pooler, Sessions::Shared),
            None => (at.url, Sessions::Own),
        };
        let texts = Arc::new(Texts::to(url));
        let config = config_of(url);
        let pool = Pool::builder()
            .max_size(connections)
            .min_idle(Some(1))
            .connection_timeout(PATIENCE)
            .build(
                Connections::to(url, config.clone(), Arc::clone(&texts), metrics.clone())
                    .with(sessions),
            )
            .map_err(|error| StoreError::Unavailable(Box::new(error)))?;
        let places = usize::try_from(connections).unwrap_or(Semaphore::MAX_PERMITS);
        let replica = at
            .replica
            .map(|url| Replica::at(url, connections, &texts, metrics.clone()));
        Ok(Self(Arc::new(Shared {
            pool,
            places: Arc::new(Semaphore::new(places)),
            queue: Arc::new(Queue::before(places)),
            lines: Lines::default(),
            is_away: Arc::default(),
            vault: Arc::new(vault),
            memory: Arc::default(),
            pipelines: Pipelines::to(config, sessions),
            texts,
            replica,
            metrics,
        })))
    }
}

impl Shared {
    /// Runs work until it ends as it asked to, or nobody waits for it any more.
    async fn on_a_connection(&self, work: Work, once: Once) -> Result<(), StoreError> {
        self.perform(Run::of(work, once, &self.memory)).await
    }

    async fn perform(&self, mut run: Run) -> Result<(), StoreError> {
        let begun = Instant::now();
        let (mut runs, mut lost) = (0, 0);
        loop {
            let first = self.first_in_line(&run.met.lines, begun).await?;
            run.first_in.clone_from(&run.met.lines);
            let ended;
            (run, ended) = self.run_once(run, first, begun).await?;
            match ended? {
                Ended::AsAsked => return Ok(()),
                Ended::WantsMore => {
                    run.once = read;
                    continue;
                }
                Ended::InLine => continue,
                Ended::ByItself => {
                    run.in_company = false;
                    continue;
                }
                Ended::RunAgain => runs += 1,
                Ended::Lost(error) if lost >= RECONNECTIONS => return Err(error),
                Ended::Lost(_) => lost += 1,
            }
            if begun.elapsed() > WAITING {
                return Err(crowded());
            }
            if runs >= UNLUCKY && run.met.lines.is_empty() {
                run.met.lines.insert(Line::at("whoever else is unlucky"));
            }
            pause(runs + lost).await;
        }
    }

    /// Waits to be first of this process. Those who wait hold no connection.
    async fn first_in_line(
        &self,
        lines: &BTreeSet<Line>,
        begun: Instant,
    ) -> Result<Vec<First>, StoreError> {
        let since = Instant::now();
        let left = WAITING.saturating_sub(begun.elapsed());
        let first = timeout(left, self.lines.wait(lines)).await;
        if let (false, Some(metrics)) = (lines.is_empty(), &self.metrics) {
            metrics.stood_in_line(since.elapsed());
        }
        first.map_err(|_| crowded())
    }

    async fn run_once(
        &self,
        mut run: Run,
        first: Vec<First>,
        begun: Instant,
    ) -> Result<Answered, StoreError> {
        if run.in_company && first.is_empty() {
            return self.run_in_company(run, begun).await;
        }
        let (vault, lines) = (Arc::clone(&self.vault), self.lines.clone());
        let running = move |pooled: Result<&mut Pooled, StoreError>| {
            // Whoever asked may have gone; the work goes on, and so does its turn.
            let _first = first;
            let ended = pooled.and_then(|pooled| (run.once)(pooled, &vault, &lines, &mut run));
            (run, ended)
        };
        self.with_a_connection(begun, running).await
    }

    /// Waits for a connection together with others: whoever gets one first takes all of them with it.
    async fn run_in_company(&self, run: Run, begun: Instant) -> Result<Answered, StoreError> {
        let (number, mut answer) = self.queue.join(run);
        let turn = async {
            let turn = self.queue.turn().await;
            self.place(begun).await.map(|place| (turn, place))
        };
        let turn = tokio::select! {
            biased;
            answered = &mut answer => return answered.map_err(failed),
            turn = turn => turn,
        };
        match turn {
            Ok((turn, place)) if self.queue.has_waiting(number) => {
                self.serve_until(number, turn, place);
            }
            Err(error) if self.queue.leave(number) => return Err(error),
            // It is being done, and so is the work of all who came before.
            Ok(_) | Err(_) => {}
        }
        answer.await.map_err(failed)
    }

    /// Does the work of those who wait, until whoever has this number is served.
    fn serve_until(
        &self,
        number: u64,
        turn: Option<OwnedSemaphorePermit>,
        place: OwnedSemaphorePermit,
    ) {
        let (queue, vault, lines) = (
            Arc::clone(&self.queue),
            Arc::clone(&self.vault),
            self.lines.clone(),
        );
        let serve = move |got: Result<&mut Pooled, r2d2::Error>| {
            let _turn = turn;
            match got {
                Ok(pooled) => group_commit::run(pooled, &vault, &lines, &queue, number),
                Err(error) => group_commit::refuse(&queue, number, &error),
            }
        };
        // Each of them is told by itself.
        drop(self.in_a_thread(place, serve, group_commit::answer_all));
    }

    /// Hands over a connection, or why there is none, in a thread that may wait.
    async fn with_a_connection<T: Send + 'static>(
        &self,
        begun: Instant,
        use_it: impl FnOnce(Result<&mut Pooled, StoreError>) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let since = Instant::now();
        let place = self.place(begun).await?;
        if let Some(metrics) = &self.metrics {
            metrics.waited(since.elapsed());
        }
        let unavailable = |error| StoreError::Unavailable(Box::new(error));
        let use_it = move |got: Result<&mut Pooled, _>| use_it(got.map_err(unavailable));
        let running = self.in_a_thread(place, use_it, identity);
        running.await.map_err(failed)
    }

    /// The same, where there is a place for it, and what is to be done when the connection is given back: whoever is answered before may
    /// ask for another.
    fn in_a_thread<T, U: Send + 'static>(
        &self,
        place: OwnedSemaphorePermit,
        use_it: impl FnOnce(Result<&mut Pooled, r2d2::Error>) -> T + Send + 'static,
        then: impl FnOnce(T) -> U + Send + 'static,
    ) -> JoinHandle<U> {
        let (pool, is_away) = (self.pool.clone(), Arc::clone(&self.is_away));
        let metrics = self.metrics.clone();
        tokio::task::spawn_blocking(move || {
            let in_use = metrics.as_ref().map(StoreMetrics::in_use);
            let got = pool.get();
            is_away.store(got.is_err(), Ordering::Relaxed);
            let done = match got {
                Ok(mut pooled) => use_it(Ok(&mut pooled)),
                Err(error) => use_it(Err(error)),
            };
            // Also where whoever asked has gone.
            drop((in_use, place));
            then(done)
        })
    }

    /// The replica, where there is one that is worth asking.
    fn replica(&self) -> Option<&Replica> {
        self.replica.as_ref().filter(|replica| replica.is_at_hand())
    }

    /// Runs work that somebody waits for, in one snapshot, at the replica if that has come as far as the database is kept.
    async fn awaited_read(&self, work: Work) -> Result<(), StoreError> {
        let position = match self.replica() {
            Some(replica) => self.position(replica).await,
            None => None,
        };
        self.read_behind(position, work, read).await
    }

    /// Runs work that reads, at the replica if that has come as far as this, else `once` here.
    async fn read_behind(
        &self,
        position: Option<Position>,
        work: Work,
        once: Once,
    ) -> Result<(), StoreError> {
        let (Some(position), Some(replica)) = (position, self.replica()) else {
            return self.on_a_connection(work, once).await;
        };
        match replica.run(position, work, &self.vault, &self.memory).await {
            Ok(outcome) => outcome,
            Err(work) => self.on_a_connection(work, once).await,
        }
    }

    /// How far the database is kept.
    async fn position(&self, replica: &Replica) -> Option<Position> {
        let told = self.tell(|link| flushed(link, None, None)).await?;
        self.position_of(replica, &told).await
    }

    /// The position that was told; nothing where it is not told of which server.
    async fn position_of(&self, replica: &Replica, told: &Told) -> Option<Position> {
        if let Some(position) = replica.home.position(told) {
            return Some(position);
        }
        replica.home.note(self.tell(home).await?);
        replica.home.position(told)
    }

    /// What the database says to this, on a pipeline, or on a connection of the pool where there is none.
    async fn tell<T: Send + 'static>(
        &self,
        ask: impl Fn(&mut PgLink) -> QueryResult<T> + Send + 'static,
    ) -> Option<T> {
        if let Some(pipeline) = self.pipelines.pick() {
            return pipeline.tell(&self.texts, ask).await;
        }
        let asking = move |pooled: Result<&mut Pooled, StoreError>| match &mut pooled?.connection {
            AnyConnection::Postgres(link) => ask(link).map_err(store_error),
            AnyConnection::Sqlite(_) => Err(StoreError::Stale),
        };
        let told = self.with_a_connection(Instant::now(), asking).await;
        told.ok()?.ok()
    }

    /// Waits for a connection to be free: as long as there is time when others are served meanwhile, and not long when
    /// the server is away, so that nobody waits for nothing.
    async fn place(&self, begun: Instant) -> Result<OwnedSemaphorePermit, StoreError> {
        let busy = || StoreError::Unavailable("every connection to the database is busy".into());
        let mut waiting = std::pin::pin!(Arc::clone(&self.places).acquire_owned());
        loop {
            let left = WAITING.saturating_sub(begun.elapsed());
            match timeout(PATIENCE.min(left), &mut waiting).await {
                Ok(place) => return place.map_err(|_| busy()),
                Err(_) if self.is_away.load(Ordering::Relaxed) => return Err(busy()),
                Err(_) if left <= PATIENCE => return Err(busy()),
                Err(_) => {}
            }
        }
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn run_write(&self, work: Work) -> Result<(), StoreError> {
        let mut run = Run::of(work, write, &self.0.memory);
        run.in_company = true;
        self.0.perform(run).await
    }

    async fn run_read(&self, work: Work) -> Result<(), StoreError> {
        self.0.on_a_connection(work, read).await
    }

    async fn run_read_one(&self, work: Work) -> Result<(), StoreError> {
        self.0.on_a_connection(work, read_one).await
    }

    async fn run_awaited_read(&self, work: Work) -> Result<(), StoreError> {
        self.0.awaited_read(work).await
    }

    async fn run_long_read(&self, work: Work) -> Result<(), StoreError> {
        self.0.awaited_read(work).await
    }

    fn view(&self) -> Result<Option<Box<dyn View>>, StoreError> {
        let pipeline = self.0.pipelines.pick();
        Ok(pipeline.map(|pipeline| -> Box<dyn View> {
            Box::new(PostgresView::on(Arc::clone(&self.0), pipeline))
        }))
    }
}

/// The thread that did the work has ended without an answer.
fn failed(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Failed(Box::new(error))
}

/// Others were in the way for as long as anybody waits.
fn crowded() -> StoreError {
    StoreError::Unavailable("too many change the same thing at once".into())
}

/// A short pause, longer each time and never the same, so that those who met do not meet again.
async fn pause(times: u32) {
    let mut random = [0_u8];
    // Without randomness they may meet again, which is no harm.
    let _ = getrandom::fill(&mut random);
    let [random] = random;
    let at_most = 1_u64 << times.min(8);
    tokio::time::sleep(Duration::from_millis(at_most * u64::from(random) / 255)).await;
}
