//! PostgreSQL: a pool, and a transaction per request, or none around a single statement that reads.
//!
//! Writes run at REPEATABLE READ: whoever changes a row that somebody else changed since is told so by the
//! database, and the whole transaction is run again, which is why work can be run more than once. It is run again
//! too, on another connection, when the connection is lost before COMMIT was sent: nothing was kept then. When it is
//! lost after that, nobody here knows whether it was kept ([`StoreError::Unknown`]).

mod connections;

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use diesel::QueryResult;
use diesel::connection::SimpleConnection;
use diesel::result::Error;
use lyceum_ports::store::{Finish, Store, StoreError, Work};
use r2d2::Pool;
use tokio::sync::Semaphore;

use crate::connection::AnyConnection;
use crate::error::{asks_for_another_run, is_lost, kept_nothing, store_error};
use crate::failpoints::fail_point;
use crate::metrics::StoreMetrics;
use crate::session::Session;
use crate::vault::Vault;

pub use connections::connect;
use connections::{Connections, Pooled};

/// How often a transaction is run at most that others are in the way of.
const RUNS: u32 = 8;
/// How often it is run again at most because its connection was lost.
const RECONNECTIONS: u32 = 3;
/// How long a request waits for a connection: in this time a database that was restarted is back.
const PATIENCE: Duration = Duration::from_secs(5);

/// A store on a PostgreSQL database.
pub struct PostgresStore {
    pool: Pool<Connections>,
    /// One for each connection. Whoever has none yet waits here, where waiting takes no thread.
    places: Arc<Semaphore>,
    vault: Arc<Vault>,
    metrics: Option<StoreMetrics>,
}

impl PostgresStore {
    /// Opens the pool. The database is migrated already.
    pub fn open(
        url: &str,
        connections: u32,
        vault: Vault,
        metrics: Option<StoreMetrics>,
    ) -> Result<Self, StoreError> {
        let pool = Pool::builder()
            .max_size(connections)
            .min_idle(Some(1))
            .connection_timeout(PATIENCE)
            .build(Connections::to(url, metrics.clone()))
            .map_err(|error| StoreError::Unavailable(Box::new(error)))?;
        let places = usize::try_from(connections).unwrap_or(Semaphore::MAX_PERMITS);
        Ok(Self {
            pool,
            places: Arc::new(Semaphore::new(places)),
            vault: Arc::new(vault),
            metrics,
        })
    }

    async fn on_a_connection(&self, mut work: Work, once: Once) -> Result<(), StoreError> {
        let begun = Instant::now();
        let place = tokio::time::timeout(PATIENCE, Arc::clone(&self.places).acquire_owned());
        let busy = || StoreError::Unavailable("every connection to the database is busy".into());
        let place = place.await.map_err(|_| busy())?.map_err(|_| busy())?;
        let pool = self.pool.clone();
        let vault = Arc::clone(&self.vault);
        let metrics = self.metrics.clone();
        if let Some(metrics) = &metrics {
            metrics.waited(begun.elapsed());
        }
        let running = tokio::task::spawn_blocking(move || {
            // Whoever asked may have gone; the work goes on, and so does its use of a connection.
            let _place = place;
            let _in_use = metrics.as_ref().map(StoreMetrics::in_use);
            run(&pool, &vault, &mut work, once)
        });
        running
            .await
            .map_err(|error| StoreError::Failed(Box::new(error)))?
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn run_write(&self, work: Work) -> Result<(), StoreError> {
        self.on_a_connection(work, write).await
    }

    async fn run_read(&self, work: Work) -> Result<(), StoreError> {
        self.on_a_connection(work, read).await
    }

    async fn run_glance(&self, work: Work) -> Result<(), StoreError> {
        self.on_a_connection(work, glance).await
    }
}

/// One run of a transaction.
type Once = fn(&mut Pooled, &Vault, &mut Work) -> Result<Ended, StoreError>;

enum Ended {
    AsAsked,
    /// Others were in the way.
    RunAgain,
    /// A glance was not enough.
    WantsMore,
    /// The connection was lost, and nothing was kept.
    Lost(StoreError),
}

fn run(
    pool: &Pool<Connections>,
    vault: &Vault,
    work: &mut Work,
    mut once: Once,
) -> Result<(), StoreError> {
    let (mut runs, mut lost) = (0, 0);
    loop {
        let mut connection = pool
            .get()
            .map_err(|error| StoreError::Unavailable(Box::new(error)))?;
        match once(&mut connection, vault, work)? {
            Ended::AsAsked => return Ok(()),
            Ended::WantsMore => {
                once = read;
                continue;
            }
            Ended::RunAgain if runs + 1 >= RUNS => return Err(StoreError::Stale),
            Ended::RunAgain => runs += 1,
            Ended::Lost(error) if lost >= RECONNECTIONS => return Err(error),
            Ended::Lost(_) => lost += 1,
        }
        // Given back before the pause: others wait for it.
        drop(connection);
        pause(runs + lost);
    }
}

/// A short pause, longer each time and never the same, so that those who met do not meet again.
fn pause(times: u32) {
    let mut random = [0_u8];
    // Without randomness they may meet again, which is no harm.
    let _ = getrandom::fill(&mut random);
    let [random] = random;
    let at_most = 1_u64 << times.min(5);
    std::thread::sleep(Duration::from_millis(at_most * u64::from(random) / 255));
}

/// One statement is a snapshot by itself. The connections of the pool only read unless a transaction says otherwise.
fn glance(pooled: &mut Pooled, vault: &Vault, work: &mut Work) -> Result<Ended, StoreError> {
    let mut session = Session::for_one_statement(&mut pooled.connection, vault);
    let outcome = session.perform(work);
    let (wants_more, is_gone) = (session.wants_more(), session.failure().is_lost);
    pooled.is_broken |= is_gone;
    match outcome {
        Err(error) if is_gone => Ok(Ended::Lost(error)),
        _ if is_gone => Ok(Ended::Lost(gone())),
        _ if wants_more => Ok(Ended::WantsMore),
        outcome => outcome.map(|_| Ended::AsAsked),
    }
}

fn read(pooled: &mut Pooled, vault: &Vault, work: &mut Work) -> Result<Ended, StoreError> {
    if let Err(error) = pooled
        .connection
        .batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    {
        return lost(pooled, error);
    }
    let mut session = Session::new(&mut pooled.connection, vault);
    let outcome = session.perform(work);
    let is_gone = session.failure().is_lost;
    roll_back(pooled);
    match outcome {
        Err(error) if is_gone => Ok(Ended::Lost(error)),
        _ if is_gone => Ok(Ended::Lost(gone())),
        outcome => outcome.map(|_| Ended::AsAsked),
    }
}

fn write(pooled: &mut Pooled, vault: &Vault, work: &mut Work) -> Result<Ended, StoreError> {
    let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE";
    if let Err(error) = pooled.connection.batch_execute(begin) {
        return lost(pooled, error);
    }
    fail_point!("postgres.begin");
    let mut session = Session::new(&mut pooled.connection, vault);
    let outcome = session.perform(work);
    let (run_again, is_gone) = (session.run_again, session.failure().is_lost);
    fail_point!("postgres.worked");
    if let Ok(Finish::Commit) = outcome {
        return end(pooled);
    }
    roll_back(pooled);
    match outcome {
        Err(error) if is_gone => Ok(Ended::Lost(error)),
        _ if is_gone => Ok(Ended::Lost(gone())),
        Err(error) => Err(error),
        Ok(_) if run_again => Ok(Ended::RunAgain),
        Ok(_) => Ok(Ended::AsAsked),
    }
}

/// Commits.
fn end(pooled: &mut Pooled) -> Result<Ended, StoreError> {
    let begun = Instant::now();
    match commit(&mut pooled.connection) {
        Ok(()) => {
            fail_point!("postgres.committed");
            if let Some(metrics) = &pooled.metrics {
                metrics.committed_one(begun.elapsed());
            }
            Ok(Ended::AsAsked)
        }
        Err(error) if asks_for_another_run(&error) => Ok(Ended::RunAgain),
        Err(error) if kept_nothing(&error) => Err(store_error(error)),
        Err(error) => {
            pooled.is_broken = true;
            Err(StoreError::Unknown(Box::new(error)))
        }
    }
}

fn commit(connection: &mut AnyConnection) -> QueryResult<()> {
    fail_point!("postgres.commit", |_| Err(cut()));
    connection.batch_execute("COMMIT")?;
    fail_point!("postgres.answer", |_| Err(cut()));
    Ok(())
}

/// What a COMMIT says whose answer never comes.
#[cfg(feature = "failpoints")]
fn cut() -> Error {
    let said = "the connection was cut".to_owned();
    Error::DatabaseError(
        diesel::result::DatabaseErrorKind::ClosedConnection,
        Box::new(said),
    )
}

/// BEGIN failed: on another connection it may not.
fn lost(pooled: &mut Pooled, error: Error) -> Result<Ended, StoreError> {
    pooled.is_broken = true;
    if is_lost(&error) {
        return Ok(Ended::Lost(store_error(error)));
    }
    Err(store_error(error))
}

/// A connection that cannot even do this goes to nobody else.
fn roll_back(pooled: &mut Pooled) {
    pooled.is_broken |= pooled.connection.batch_execute("ROLLBACK").is_err();
}

fn gone() -> StoreError {
    StoreError::Unavailable("the connection to the database was lost".into())
}
