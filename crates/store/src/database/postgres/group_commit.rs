//! Group commit: the writes of many callers in one transaction, a SAVEPOINT each.
//!
//! Groups of writes are under way on half of the connections at once, so that those who come meanwhile gather: the next takes them
//! together, one BEGIN, one COMMIT, one wait for the disk. Where nobody else waits, a write has a transaction of its own, and
//! where groups take long, as when others hold what they need, the other half of the connections helps. Each of a group is taken out of the
//! queue when its turn has come, so that work that takes long holds up nobody who has not begun. Only those who came before
//! a group began are in it: what they see was taken then, and whoever came later may have been told of more.
//!
//! In company nothing goes wrong: work of which a statement failed, or that met others, is undone, and done again by itself, where
//! it is told what is wrong. Where nobody can say whose statement failed, for nobody waits for what nobody reads, nothing
//! of the group is kept, and each goes by itself. Nobody is told that something is kept, or refused by what the
//! others did, before the COMMIT has returned.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use diesel::QueryResult;
use diesel::connection::SimpleConnection;
use diesel::result::Error;
use lyceum_ports::store::{Finish, StoreError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;

use super::connections::Pooled;
use super::running::{Ended, Run, commit, gone, roll_back};
use crate::database::error::{asks_for_another_run, is_lost, kept_nothing};
use crate::database::failpoints::fail_point;
use crate::database::lines::{Among, Lines};
use crate::database::session::Session;
use crate::mapping::vault::Vault;

/// Most pieces of work in one commit. PostgreSQL keeps 64 savepoints at hand, and others are to have a share of what waits.
const MOST: usize = 16;
/// Once a group has taken so long, nobody joins it any more.
const LONG: Duration = Duration::from_millis(100);
/// How long a statement of a group waits for somebody else's lock, in milliseconds: less than until PostgreSQL looks for
/// those who wait for each other. By itself work waits for as long as anybody does.
const LOCK_TIMEOUT: u32 = 100;

/// How long work waits for a turn among groups: longer than groups take where nothing holds them up.
const PATIENCE: Duration = Duration::from_millis(50);

/// What came of a run, and the work, to be run again if need be.
pub type Answered = (Run, Result<Ended, StoreError>);

/// Work that waits for a connection.
pub struct Queued {
    number: u64,
    run: Run,
    since: Instant,
    reply: oneshot::Sender<Answered>,
}

/// Work that is done, and what came of it.
pub type Done = (Queued, Result<Ended, StoreError>);

/// Tells everybody what came of their work.
pub fn answer_all(done: Vec<Done>) {
    for (queued, ended) in done {
        // Whoever asked may have gone.
        drop(queued.reply.send((queued.run, ended)));
    }
}

/// The work that waits, in the order of its coming.
pub struct Queue {
    waiting: Mutex<Waiting>,
    /// One for each group that may be under way.
    turns: Arc<Semaphore>,
}

#[derive(Default)]
struct Waiting {
    last: u64,
    queued: VecDeque<Queued>,
}

impl Queue {
    /// In front of so many connections.
    pub fn before(connections: usize) -> Self {
        Self {
            waiting: Mutex::default(),
            turns: Arc::new(Semaphore::new(connections.div_ceil(2))),
        }
    }

    /// Waits for a turn, and not for long: nothing where groups take their time.
    pub async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        let turn = timeout(PATIENCE, Arc::clone(&self.turns).acquire_owned()).await;
        turn.ok()?.ok()
    }

    /// Joins it. The number to leave it by, and where the answer comes.
    pub fn join(&self, run: Run) -> (u64, oneshot::Receiver<Answered>) {
        let (reply, answer) = oneshot::channel();
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.last += 1;
        let number = waiting.last;
        waiting.queued.push_back(Queued {
            number,
            run,
            since: Instant::now(),
            reply,
        });
        (number, answer)
    }

    /// Leaves it. Whether the work still waited: if not, it is being done.
    pub fn leave(&self, number: u64) -> bool {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let before = waiting.queued.len();
        waiting.queued.retain(|queued| queued.number != number);
        waiting.queued.len() < before
    }

    /// The number of whoever came last.
    fn last(&self) -> u64 {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.last
    }

    /// Who is next of those who came no later than this, without those who have gone.
    fn next(&self, last: u64) -> Option<Queued> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        while waiting.queued.front()?.number <= last {
            let next = waiting.queued.pop_front()?;
            if !next.reply.is_closed() {
                return Some(next);
            }
        }
        None
    }

    /// Whether somebody waits who came no later than this.
    pub fn has_waiting(&self, last: u64) -> bool {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting
            .queued
            .front()
            .is_some_and(|first| first.number <= last)
    }
}

/// Does the work of those who wait, at least until whoever has this number is served: they wait for no other turn. Those of the last group
/// are to be answered yet.
pub fn run(
    pooled: &mut Pooled,
    vault: &Vault,
    lines: &Lines,
    queue: &Queue,
    number: u64,
) -> Vec<Done> {
    loop {
        let done = next_group(pooled, vault, lines, queue);
        if !queue.has_waiting(number) {
            return done;
        }
        answer_all(done);
    }
}

fn next_group(pooled: &mut Pooled, vault: &Vault, lines: &Lines, queue: &Queue) -> Vec<Done> {
    // What is seen from now on is what there was when they came, and more.
    let last = queue.last();
    let metrics = pooled.metrics.clone();
    let next = || {
        let queued = queue.next(last)?;
        if let Some(metrics) = &metrics {
            metrics.waited(queued.since.elapsed());
        }
        Some(queued)
    };
    match (next(), next()) {
        (Some(first), Some(second)) => together(pooled, vault, lines, [first, second], next),
        (Some(mut only), None) => {
            let ended = (only.run.once)(pooled, vault, lines, &mut only.run);
            vec![(only, ended)]
        }
        (None, _) => Vec::new(),
    }
}

/// No connection came in time for whoever has this number, nor for those before. Who came later has that time yet.
pub fn refuse(queue: &Queue, number: u64, reason: &impl Display) -> Vec<Done> {
    let waiting = std::iter::from_fn(|| queue.next(number)).collect();
    to_all(waiting, || {
        Err(StoreError::Unavailable(reason.to_string().into()))
    })
}

fn to_all(group: Vec<Queued>, ended: impl Fn() -> Result<Ended, StoreError>) -> Vec<Done> {
    group.into_iter().map(|queued| (queued, ended())).collect()
}

/// In one transaction, these and whoever else has come by then.
fn together(
    pooled: &mut Pooled,
    vault: &Vault,
    lines: &Lines,
    first: [Queued; 2],
    mut more: impl FnMut() -> Option<Queued>,
) -> Vec<Done> {
    let begun = Instant::now();
    if let Err(error) = open(pooled) {
        pooled.is_broken = true;
        return ended_early(first.into(), &error);
    }
    fail_point!("postgres.begin");
    let (mut group, mut verdicts) = (Vec::from(first), Vec::new());
    while let Some(queued) = group.get_mut(verdicts.len()) {
        match work_one(pooled, vault, lines, verdicts.len(), &mut queued.run) {
            Ok(verdict) => verdicts.push(verdict),
            Err(error) => {
                roll_back(pooled, &BTreeSet::new());
                return ended_early(group, &error);
            }
        }
        if verdicts.len() == group.len() && group.len() < MOST && begun.elapsed() < LONG {
            group.extend(more());
        }
    }
    end(pooled, group, verdicts)
}

/// Nobody waits for it.
fn open(pooled: &mut Pooled) -> QueryResult<()> {
    let begin = pooled.begin("ISOLATION LEVEL REPEATABLE READ READ WRITE");
    let first = savepoint(0);
    let text = format!("{begin}; SET LOCAL lock_timeout = {LOCK_TIMEOUT}; {first}");
    pooled.connection.unread(|link| link.batch_execute(&text))
}

/// Each has a name of its own: where setting one failed, going back to it must fail too, and not undo another's work.
fn savepoint(number: usize) -> String {
    format!("SAVEPOINT work_{number}")
}

/// Does one piece of work, and undoes it unless it is to be kept. An error is one of the transaction.
fn work_one(
    pooled: &mut Pooled,
    vault: &Vault,
    lines: &Lines,
    number: usize,
    run: &mut Run,
) -> QueryResult<Result<Ended, StoreError>> {
    let among = Among {
        first_in: &run.first_in,
        lines,
        met: &mut run.met,
    };
    let mut session = Session::among(&mut pooled.connection, vault, among);
    let outcome = session.perform(&mut run.work);
    let goes_by_itself = session.has_failed() || session.run_again;
    fail_point!("postgres.worked");
    let keep = !goes_by_itself && matches!(outcome, Ok(Finish::Commit));
    let undo = if keep {
        String::new()
    } else {
        format!("ROLLBACK TO work_{number}; ")
    };
    let text = format!("{undo}RELEASE work_{number}; {}", savepoint(number + 1));
    if goes_by_itself {
        // Where it was another's statement that failed, there is nothing to go back to, and this says so.
        pooled.connection.batch_execute(&text)?;
        return Ok(Ok(Ended::ByItself));
    }
    pooled.connection.unread(|link| link.batch_execute(&text))?;
    Ok(outcome.map(|_| Ended::AsAsked))
}

/// Commits.
fn end(
    pooled: &mut Pooled,
    group: Vec<Queued>,
    verdicts: Vec<Result<Ended, StoreError>>,
) -> Vec<Done> {
    let begun = Instant::now();
    let ending = format!("{}COMMIT", pooled.sessions.closing());
    let error = match commit(&mut pooled.connection, &ending) {
        (Ok(()), Ok(())) => {
            fail_point!("postgres.committed");
            if let Some(metrics) = &pooled.metrics {
                metrics.committed(group.len(), begun.elapsed());
            }
            return group.into_iter().zip(verdicts).collect();
        }
        // What was sent before failed, so nothing is kept, unless nobody knows how far it came.
        (Err(error), _) if !is_lost(&error) => {
            roll_back(pooled, &BTreeSet::new());
            return to_all(group, || Ok(Ended::ByItself));
        }
        (Ok(()), Err(error)) if asks_for_another_run(&error) || kept_nothing(&error) => {
            return to_all(group, || Ok(Ended::ByItself));
        }
        (Err(error), _) | (Ok(()), Err(error)) => error,
    };
    pooled.is_broken = true;
    to_all(group, || Err(StoreError::Unknown(error.to_string().into())))
}

/// The transaction is over before its COMMIT, so nothing was kept, and nobody can say by whose fault.
fn ended_early(group: Vec<Queued>, error: &Error) -> Vec<Done> {
    if is_lost(error) {
        return to_all(group, || Ok(Ended::Lost(gone())));
    }
    to_all(group, || Ok(Ended::ByItself))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::postgres::running::read;

    #[tokio::test]
    async fn whoever_came_later_is_not_refused_with_those_for_whom_no_connection_came() {
        let (queue, memory) = (Queue::before(2), Arc::default());
        let join = || queue.join(Run::of(Box::new(|_| Finish::Rollback), read, &memory));
        let ((first, _), (second, _refused), (third, _waits)) = (join(), join(), join());
        let refused = refuse(&queue, second, &"nobody is there");
        // The first has gone.
        assert_eq!(refused.len(), 1);
        assert!(!queue.has_waiting(first) && !queue.has_waiting(second));
        assert!(queue.has_waiting(third));
    }
}
