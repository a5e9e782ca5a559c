//! One run of a transaction on PostgreSQL.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use diesel::QueryResult;
use diesel::connection::SimpleConnection;
use diesel::result::Error;
use lyceum_ports::store::{Finish, Line, StoreError, Work};

use super::connections::Pooled;
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
    /// In which lines it is first in this process.
    pub first_in: BTreeSet<Line>,
    /// What readers know.
    pub memory: Arc<Memory>,
    /// Whether a statement of the last run that only read failed, whatever the work made of it.
    pub has_failed: bool,
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
    /// Reading one thing was not enough.
    WantsMore,
    /// The connection was lost, and nothing was kept.
    Lost(StoreError),
}

/// One statement is a snapshot by itself. The connections of the pool only read unless a transaction says otherwise.
pub fn read_one(
    pooled: &mut Pooled,
    vault: &Vault,
    _: &Lines,
    run: &mut Run,
) -> Result<Ended, StoreError> {
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
    const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    if let Err(error) = pooled.connection.unread(|link| link.batch_execute(BEGIN)) {
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
    let opening = begin(&run.first_in);
    let opened = pooled
        .connection
        .unread(|link| link.batch_execute(&opening));
    if let Err(error) = opened {
        return lost(pooled, error);
    }
    fail_point!("postgres.begin");
    let stood_in = run.met.lines.len();
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
        match session.commit(|connection| commit(connection, ending(&run.first_in, true))) {
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
fn begin(first_in: &BTreeSet<Line>) -> String {
    const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE";
    if first_in.is_empty() {
        return BEGIN.to_owned();
    }
    let mut text = "BEGIN;".to_owned();
    // In the order of their numbers, which is the same for everybody.
    let numbers: BTreeSet<i64> = first_in.iter().map(lines::number).collect();
    for number in numbers {
        // Writing to a string cannot fail.
        let _ = write!(text, "SELECT pg_advisory_lock({number});");
    }
    text.push_str("COMMIT;");
    text.push_str(BEGIN);
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
    // After a COMMIT that failed nobody has left the lines.
    pooled.is_broken |= committed.is_err() && !first_in.is_empty();
    match committed {
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

/// Commits: what came of the statements before that nobody had waited for, and what came of this.
fn commit(connection: &mut AnyConnection, ending: &str) -> (QueryResult<()>, QueryResult<()>) {
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
fn roll_back(pooled: &mut Pooled, first_in: &BTreeSet<Line>) {
    // What came of the statements before is given up with them.
    let (_, ended) = pooled.connection.end(ending(first_in, false));
    pooled.is_broken |= ended.is_err();
}

fn gone() -> StoreError {
    StoreError::Unavailable("the connection to the database was lost".into())
}
