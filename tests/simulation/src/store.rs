//! The real tables behind a line that fails: transactions take a while, are refused, or are kept and nobody hears of
//! it. And a witness: whoever has lost their claim must not change anything.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use lyceum_domain::Timestamp;
use lyceum_ports::store::{Finish, Store, StoreError, Work};
use serde_json::Value;

use crate::faults::Faults;
use crate::machine::{Machine, true_time};
use crate::mutant::Mutant;
use crate::rows::Rows;
use crate::trace::Trace;

tokio::task_local! {
    /// On whose claim the running task acts.
    pub static DOING: Doing;
}

/// What a task does with a claim.
#[derive(Clone)]
pub enum Doing {
    /// It does a job, as this attempt.
    Job {
        /// The job.
        id: String,
        /// The attempt.
        attempt: i64,
    },
    /// It makes a delivery, as this attempt.
    Delivery {
        /// The delivery.
        id: String,
        /// The attempt.
        attempts: i64,
    },
    /// It takes a delivery; which one is put here.
    Claiming(Arc<Mutex<Option<(String, i64)>>>),
}

impl std::fmt::Display for Doing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Job { id, attempt } => write!(f, "job {id} attempt {attempt}"),
            Self::Delivery { id, attempts } => write!(f, "delivery {id} attempt {attempts}"),
            Self::Claiming(_) => write!(f, "claiming"),
        }
    }
}

/// The way from one node to the database.
pub struct FaultyStore {
    /// The database.
    pub inner: Arc<dyn Store>,
    /// The same from beside.
    pub rows: Arc<Rows>,
    /// The node's machine.
    pub machine: Arc<Machine>,
    /// What goes wrong.
    pub faults: Arc<Faults>,
    /// Randomness of this way.
    pub random: Mutex<fastrand::Rng>,
    /// What is broken on purpose.
    pub mutant: Option<Mutant>,
    /// What happened.
    pub trace: Trace,
    /// The node.
    pub node: String,
}

fn unavailable(why: &'static str) -> StoreError {
    StoreError::Unavailable(why.into())
}

impl FaultyStore {
    fn random<T>(&self, draw: impl FnOnce(&mut fastrand::Rng) -> T) -> T {
        draw(&mut self.random.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Some way there or back.
    async fn travel(&self) {
        let millis = self.random(|random| random.u64(0..40));
        tokio::time::sleep(Duration::from_millis(millis)).await;
        self.machine.goes_on().await;
    }

    /// The way there; refused while the database is down, and now and then.
    async fn arrive(&self) -> Result<(), StoreError> {
        self.travel().await;
        if self.faults.store_is_down() {
            return Err(unavailable("the database is down"));
        }
        if self.random(|random| self.faults.refuses(random)) {
            return Err(unavailable("refused before anything happened"));
        }
        Ok(())
    }

    /// The transaction itself: one moment, whatever happens around it.
    fn transact(&self, work: Work) -> Result<(), StoreError> {
        let doing = DOING.try_with(Clone::clone).ok();
        let mut stale_before = None;
        if let Some(doing) = &doing {
            stale_before = self.is_stale(doing).then(|| self.everything());
            if let Some(mutant) = self.mutant {
                mutant.before(&self.rows, doing);
            }
        }
        let held = matches!(doing, Some(Doing::Claiming(_))).then(|| self.held());
        let outcome = self.perform(work);
        if let Some(mutant) = self.mutant {
            self.random(|random| mutant.after(&self.rows, random));
        }
        if let (Some(Doing::Claiming(place)), Some(held)) = (&doing, held) {
            *place.lock().unwrap_or_else(PoisonError::into_inner) = self.newly_held(&held);
        }
        if stale_before.is_some_and(|before| before != self.everything()) {
            let doing = doing.map(|doing| doing.to_string()).unwrap_or_default();
            self.faults.violated(format!(
                "{doing} on {} was stale and changed something",
                self.node
            ));
        }
        outcome
    }

    /// Without a runtime's help, because the store behind does everything at once.
    fn perform(&self, mut work: Work) -> Result<(), StoreError> {
        let loses = self
            .mutant
            .is_some_and(|mutant| self.random(|random| mutant.loses(random)));
        let work: Work = Box::new(move |tx| {
            let finish = work(tx);
            if loses { Finish::Rollback } else { finish }
        });
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match self.inner.run_write(work).as_mut().poll(&mut context) {
            std::task::Poll::Ready(outcome) => outcome,
            std::task::Poll::Pending => panic!("the store in line never waits"),
        }
    }

    /// What the database's clock says, which all nodes share.
    ///
    /// # Errors
    /// Those of a transaction.
    pub async fn clock(&self) -> Result<Timestamp, StoreError> {
        self.arrive().await?;
        let told = true_time(self.faults.database_ahead());
        self.travel().await;
        Ok(told)
    }

    fn is_stale(&self, doing: &Doing) -> bool {
        let (query, mine) = match doing {
            Doing::Job { id, attempt } => (
                format!(
                    "SELECT json_array(state = 'running', attempt) AS row FROM jobs WHERE id = '{id}'"
                ),
                *attempt,
            ),
            Doing::Delivery { id, attempts } => (
                format!(
                    "SELECT json_array(status = 'pending', attempts) AS row FROM webhook_deliveries WHERE id = '{id}'"
                ),
                *attempts,
            ),
            Doing::Claiming(_) => return false,
        };
        self.rows
            .first(&query)
            .is_none_or(|row| row[0] != 1 || row[1] != mine)
    }

    /// Everything that a claim is about.
    fn everything(&self) -> Vec<Value> {
        self.rows.all(
            "SELECT json_array(id, state, attempt, lease_until) AS row FROM jobs \
             UNION ALL SELECT json_array(id, version, ai_status) FROM submissions \
             UNION ALL SELECT json_array(id, status) FROM grades \
             UNION ALL SELECT json_array(id, body) FROM events \
             UNION ALL SELECT json_array(id, status, attempts, next_attempt_at) FROM webhook_deliveries",
        )
    }

    fn held(&self) -> Vec<Value> {
        self.rows
            .all("SELECT json_array(id, attempts) AS row FROM webhook_deliveries WHERE lease_until IS NOT NULL")
    }

    fn newly_held(&self, before: &[Value]) -> Option<(String, i64)> {
        let now = self.held();
        let new = now.iter().find(|row| !before.contains(row))?;
        Some((new[0].as_str()?.to_owned(), new[1].as_i64()?))
    }
}

#[async_trait]
impl Store for FaultyStore {
    async fn run_write(&self, work: Work) -> Result<(), StoreError> {
        self.arrive().await?;
        let outcome = self.transact(work);
        let lost = self.random(|random| self.faults.loses_answer(random));
        self.travel().await;
        if lost {
            self.trace
                .note(&self.node, "the answer of a commit was lost");
            return Err(unavailable("nobody knows whether it was kept"));
        }
        outcome
    }

    async fn run_read(&self, work: Work) -> Result<(), StoreError> {
        self.arrive().await?;
        let outcome = self.inner.run_read(work).await;
        self.travel().await;
        outcome
    }
}
