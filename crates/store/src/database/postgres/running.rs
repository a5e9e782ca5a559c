//! One run of a transaction on PostgreSQL.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use diesel::QueryResult;
use diesel::connection::SimpleConnection;
use diesel::result::Error;
use lyceum_ports::store::{Finish, Line, StoreError, Work};

use super::connections::{Pooled, Sessions};
use crate::database::connection::AnyConnection;
use crate::database::error::{asks_for_another_run, is_lost, kept_nothing, store_error};
use crate::database::failpoints::fail_point;
use crate::database::lines::{self, Among, Lines, Met};
use crate::database::memory::Memory;
use crate::database::session::Session;
use crate::mapping::vault::Vault;

/// Work, and what its runs so far have met.
pub struct Run {
    pub work: Work,
    /// How it is run.
    pub once: Once,
    pub met: Met,
    /// Whether it may be one of many in a transaction.
    pub in_company: bool,
    /// In which lines it is first in this process.
    pub first_in: BTreeSet<Line>,
    /// What readers know.
    pub memory: Arc<Memory>,
    /// Whether a statement of the last run that only read failed, whatever the work made of it.
    pub has_failed: bool,
}

impl Run {
    /// Work that has met nothing yet, and shares a transaction with nobody.
    pub fn of(work: Work, once: Once, memory: &Arc<Memory>) -> Self {
        Self {
            work,
            once,
            met: Met::default(),
            in_company: false,
            first_in: BTreeSet::new(),
            memory: Arc::clone(memory),
            has_failed: false,
        }
    }
}

/// One run of a transaction.
pub type Once = fn(&mut Pooled, &Vault, &Lines, &mut Run) -> Result<Ended, StoreError>;

/// How a run ended.
pub enum Ended {
    AsAsked,
    /// Others were in the way.
    RunAgain,
    /// It is to stand in line first.
    InLine,
    /// It is to have a transaction of its own.
    ByItself,
    /// Reading one thing was not enough.
    WantsMore,
    /// The connection was lost, and nothing was kept.
    Lost(StoreError),
}

/// One statement is a snapshot by itself. The connections of the pool only read unless a transaction says otherwise.
pub fn read_one(
    pooled: &mut Pooled,
    vault: &Vault,
    lines: &Lines,
    run: &mut Run,
) -> Result<Ended, StoreError> {
    if pooled.sessions == Sessions::Shared {
        // There a statement outside of any transaction may write, and take as long as it likes.
        return read(pooled, vault, lines, run);
    }
    let mut session = Session::for_one_statement(&mut pooled.connection, vault, &run.memory);
    let outcome = session.perform(&mut run.work);
    let (wants_more, is_gone) = (session.wants_more(), session.failure().is_lost);
    pooled.is_broken |= is_gone;
    match outcome {
        Err(error) if is_gone => Ok(Ended::Lost(error)),
        _ if is_gone => Ok(Ended::Lost(gone())),
        _ if wants_more => Ok(Ended::WantsMore),
        outcome => outcome.map(|_| Ended::AsAsked),
    }
}

/// In one snapshot.
pub fn read(
    pooled: &mut Pooled,
    vault: &Vault,
    _: &Lines,
    run: &mut Run,
) -> Result<Ended, StoreError> {
    let begin = pooled.begin("ISOLATION LEVEL REPEATABLE READ READ ONLY");
    let opened = pooled.connection.unread(|link| link.batch_execute(&begin));
    if let Err(error) = opened {
        return lost(pooled, error);
    }
    let mut session = Session::remembering(&mut pooled.connection, vault, &run.memory);
    let outcome = session.perform(&mut run.work);
    let is_gone = session.failure().is_lost;
    run.has_failed = session.has_failed();
    roll_back(pooled, &run.first_in);
    match outcome {
        Err(error) if is_gone => Ok(Ended::Lost(error)),
        _ if is_gone => Ok(Ended::Lost(gone())),
        outcome => outcome.map(|_| Ended::AsAsked),
    }
}

/// In a transaction of its own, as the first of all in the lines that it stands in.
pub fn write(
    pooled: &mut Pooled,
    vault: &Vault,
    lines: &Lines,
    run: &mut Run,
) -> Result<Ended, StoreError> {
    let opening = begin(pooled, &run.first_in);
    let opened = pooled
        .connection
        .unread(|link| link.batch_execute(&opening));
    if let Err(error) = opened {
        return lost(pooled, error);
    }
    fail_point!("postgres.begin");
    let (stood_in, closing) = (run.met.lines.len(), pooled.sessions.closing());
    let among = Among {
        first_in: &run.first_in,
        lines,
        met: &mut run.met,
    };
    let mut session = Session::among(&mut pooled.connection, vault, among);
    let mut outcome = session.perform(&mut run.work);
    fail_point!("postgres.worked");
    if let Ok(Finish::Commit) = outcome {
        let begun = Instant::now();
        let ending = format!("{closing}{}", ending(&run.first_in, true));
        match session.commit(|connection| commit(connection, &ending)) {
            Ok(committed) => return end(pooled, begun, committed, &run.first_in),
            Err(_) if session.run_again => outcome = Ok(Finish::Rollback),
            Err(error) => outcome = Err(error),
        }
    }
    let (run_again, is_gone) = (session.run_again, session.failure().is_lost);
    roll_back(pooled, &run.first_in);
    match outcome {
        Err(error) if is_gone => Ok(Ended::Lost(error)),
        _ if is_gone => Ok(Ended::Lost(gone())),
        Err(error) => Err(error),
        Ok(_) if run_again && run.met.lines.len() > stood_in => Ok(Ended::InLine),
        Ok(_) if run_again => Ok(Ended::RunAgain),
        Ok(_) => Ok(Ended::AsAsked),
    }
}

/// What begins a transaction that stands in these lines. Whoever waits inside one sees what was before, so it begins
/// when the waiting is over. All of it is one message: at no moment between is there nothing at the server that would
/// end with this process.
fn begin(pooled: &Pooled, first_in: &BTreeSet<Line>) -> String {
    let begin = pooled.begin("ISOLATION LEVEL REPEATABLE READ READ WRITE");
    if first_in.is_empty() {
        return begin;
    }
    let mut text = pooled.begin("");
    text.push(';');
    // In the order of their numbers, which is the same for everybody.
    let numbers: BTreeSet<i64> = first_in.iter().map(lines::number).collect();
    for number in numbers {
        // Writing to a string cannot fail.
        let _ = write!(text, "SELECT pg_advisory_lock({number});");
    }
    text.push_str("COMMIT;");
    text.push_str(&begin);
    text
}

/// What ends a transaction, and its standing in lines with it.
fn ending(first_in: &BTreeSet<Line>, kept: bool) -> &'static str {
    match (kept, first_in.is_empty()) {
        (true, true) => "COMMIT",
        (true, false) => "COMMIT; SELECT pg_advisory_unlock_all()",
        (false, true) => "ROLLBACK",
        (false, false) => "ROLLBACK; SELECT pg_advisory_unlock_all()",
    }
}

/// What came of a COMMIT.
fn end(
    pooled: &mut Pooled,
    begun: Instant,
    committed: QueryResult<()>,
    first_in: &BTreeSet<Line>,
) -> Result<Ended, StoreError> {
    if committed.is_err() && !first_in.is_empty() {
        leave_lines(pooled, first_in);
    }
    match committed {
        Ok(()) => {
            fail_point!("postgres.committed");
            if let Some(metrics) = &pooled.metrics {
                metrics.committed(1, begun.elapsed());
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

/// After a COMMIT that failed nobody has left the lines. A session of our own ends with its connection; of those that a pooler hands out,
/// this one may be the same or another: it leaves, or ends whoever still stands there and is in no transaction, and nobody else is that.
fn leave_lines(pooled: &mut Pooled, first_in: &BTreeSet<Line>) {
    pooled.is_broken = true;
    if pooled.sessions == Sessions::Own {
        return;
    }
    let places = first_in.iter().map(lines::number).map(|number| {
        let number = number.cast_unsigned();
        format!("({}, {})", number >> 32, number & u64::from(u32::MAX))
    });
    let places: Vec<String> = places.collect();
    let leave = format!(
        "SELECT pg_advisory_unlock_all(); \
         SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid \
         WHERE l.locktype = 'advisory' AND l.granted AND a.datname = current_database() AND a.state = 'idle' \
         AND (l.classid::bigint, l.objid::bigint) IN ({})",
        places.join(", ")
    );
    // Where nobody answers, the pooler has ended the session.
    if let Err(error) = pooled.connection.batch_execute(&leave) {
        tracing::debug!(%error, "a line was not left");
    }
}

/// Commits: what came of the statements before that nobody had waited for, and what came of this.
pub fn commit(connection: &mut AnyConnection, ending: &str) -> (QueryResult<()>, QueryResult<()>) {
    fail_point!("postgres.commit", |_| (Ok(()), Err(cut())));
    let ended = connection.end(ending);
    fail_point!("postgres.answer", |_| (Ok(()), Err(cut())));
    ended
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
pub fn roll_back(pooled: &mut Pooled, first_in: &BTreeSet<Line>) {
    // What came of the statements before is given up with them.
    let (_, ended) = pooled.connection.end(ending(first_in, false));
    pooled.is_broken |= ended.is_err();
}

pub fn gone() -> StoreError {
    StoreError::Unavailable("the connection to the database was lost".into())
}
