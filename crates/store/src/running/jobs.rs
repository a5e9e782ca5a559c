//! Background jobs in rows: a queue with leases.

mod backlog;
mod claims;
mod clocks;
mod retention;
pub(super) mod tasks;

use std::time::Duration;

use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::sql_types::Bool;
use lyceum_domain::running::jobs::{Job, JobKind, JobLane, KindBacklog};
use lyceum_ports::running::jobs::{JobBacklog, JobMove, JobRepository, JobState, QueuedJob};
use lyceum_ports::running::nodes::{Lease, NodeId};
use uuid::Uuid;

use crate::mapping::schema::jobs;
use crate::prelude::*;

const QUEUED: &str = JobState::Queued.as_str();

/// What of a row makes a job.
#[derive(Queryable, Selectable)]
#[diesel(table_name = jobs)]
struct JobRow {
    id: String,
    workspace_id: String,
    kind: String,
    subject_id: String,
    payload: Json,
    attempt: i64,
    tries: i64,
    max_attempts: i64,
    run_at: Moment,
    begun_at: Option<Moment>,
    trace_context: Option<String>,
}

impl TryFrom<JobRow> for QueuedJob {
    type Error = StoreError;

    fn try_from(row: JobRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: rows::read(Uuid::parse_str(&row.id))?,
            workspace_id: rows::id(&row.workspace_id)?,
            task: rows::read(row.task().ok_or(UNKNOWN))?,
            attempt: rows::number(row.attempt)?,
            tries: rows::number(row.tries)?,
            max_attempts: rows::number(row.max_attempts)?,
            run_at: row.run_at.0,
            begun_at: rows::moment(row.begun_at),
            trace: rows::trace(row.trace_context.as_deref()),
        })
    }
}

impl JobRow {
    /// What is to be done, if this version knows what is meant.
    fn task(&self) -> Option<Job> {
        tasks::task(&self.kind, &self.subject_id, &self.payload.0)
    }
}

/// What is said of a job that another version may know.
const UNKNOWN: &str = "a job that this version does not know";

/// A job that nobody has taken yet.
#[derive(Insertable)]
#[diesel(table_name = jobs)]
struct QueuedRow {
    id: String,
    workspace_id: String,
    kind: &'static str,
    lane: &'static str,
    subject_id: String,
    payload: Json,
    state: &'static str,
    attempt: i64,
    tries: i64,
    max_attempts: i64,
    run_at: Moment,
    begun_at: Option<Moment>,
    trace_context: Option<String>,
    created_at: Moment,
    updated_at: Moment,
}

impl QueuedRow {
    fn new(job: &QueuedJob, now: Timestamp) -> Self {
        let QueuedJob {
            id,
            workspace_id,
            task,
            attempt,
            tries,
            max_attempts,
            run_at,
            begun_at,
            trace,
        } = job;
        Self {
            id: id.to_string(),
            workspace_id: workspace_id.to_string(),
            kind: task.kind().as_str(),
            lane: task.kind().lane().as_str(),
            subject_id: task.subject(),
            payload: Json(tasks::payload(task)),
            state: QUEUED,
            attempt: (*attempt).into(),
            tries: (*tries).into(),
            max_attempts: (*max_attempts).into(),
            run_at: (*run_at).into(),
            begun_at: begun_at.map(Moment::from),
            trace_context: trace.map(|place| place.to_string()),
            created_at: now.into(),
            updated_at: now.into(),
        }
    }
}

/// How a claim goes on or ends; `None` keeps, but no lease is no lease.
#[derive(AsChangeset, Default, Clone, Copy)]
#[diesel(table_name = jobs)]
struct ClaimChange<'a> {
    state: Option<&'static str>,
    run_at: Option<Moment>,
    tries: Option<i64>,
    max_attempts: Option<i64>,
    #[diesel(treat_none_as_null = true)]
    lease_until: Option<Moment>,
    last_error: Option<&'a str>,
    updated_at: Option<Moment>,
}

impl ClaimChange<'_> {
    fn at(now: Timestamp) -> Self {
        Self {
            updated_at: Some(now.into()),
            ..Self::default()
        }
    }
}

impl Session<'_> {
    /// Makes a move of the attempt that holds the job; whether it still does.
    fn move_on(
        &mut self,
        step: JobMove,
        job: &QueuedJob,
        change: ClaimChange<'_>,
    ) -> Result<bool, StoreError> {
        let change = &ClaimChange {
            state: Some(step.to().as_str()),
            ..change
        };
        let changed = self.run(|conn| {
            let query = diesel::update(jobs::table)
                .filter(jobs::id.eq(job.id.to_string()))
                .filter(jobs::state.eq(step.from().as_str()))
                .filter(jobs::attempt.eq(i64::from(job.attempt)))
                .set(change);
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        Ok(changed == 1)
    }
}

/// Written out and not bound, because the indexes of queue and leases are made for the word.
fn queued() -> SqlLiteral<Bool> {
    sql("jobs.state = 'queued'")
}

/// See [`queued`].
fn running() -> SqlLiteral<Bool> {
    sql("jobs.state = 'running'")
}

/// See [`queued`].
fn dead() -> SqlLiteral<Bool> {
    sql("jobs.state = 'dead'")
}

/// See [`queued`].
fn done() -> SqlLiteral<Bool> {
    sql("jobs.state = 'done'")
}

/// A lease that ended before now is over; one that ends now is not.
const JUST_NOW: std::time::Duration = std::time::Duration::from_millis(1);

impl JobRepository for Session<'_> {
    fn enqueue(&mut self, job: &QueuedJob, now: Timestamp) -> Result<(), StoreError> {
        let row = QueuedRow::new(job, now);
        self.put_row(|conn| {
            let insert = diesel::insert_into(jobs::table).values(&row);
            on_either!(conn, CachedByText(insert).execute(conn))
        })
    }

    fn claim(
        &mut self,
        lane: JobLane,
        lease: &Lease,
        turn: &mut Option<WorkspaceId>,
        limit: u16,
    ) -> Result<Vec<QueuedJob>, StoreError> {
        self.claim_jobs(lane, lease, turn, limit.into())
    }

    fn extend(&mut self, job: &QueuedJob, lease_until: Timestamp) -> Result<bool, StoreError> {
        let change = ClaimChange {
            lease_until: Some(lease_until.into()),
            ..ClaimChange::default()
        };
        self.move_on(JobMove::Extend, job, change)
    }

    fn recent_durations(
        &mut self,
        workspace: WorkspaceId,
        kind: JobKind,
        limit: u16,
    ) -> Result<Vec<Duration>, StoreError> {
        let found = self.run(|conn| {
            let query = jobs::table
                .filter(jobs::workspace_id.eq(workspace.to_string()))
                .filter(jobs::kind.eq(kind.as_str()))
                .filter(done())
                .order(jobs::updated_at.desc())
                .limit(limit.into())
                .select((jobs::created_at, jobs::updated_at));
            on_either!(conn, CachedByText(query).load::<(Moment, Moment)>(conn))
        })?;
        let took = |(queued, done): (Moment, Moment)| done.0.since(queued.0);
        Ok(found.into_iter().map(took).collect())
    }

    fn finish(&mut self, job: &QueuedJob, now: Timestamp) -> Result<bool, StoreError> {
        self.move_on(JobMove::Finish, job, ClaimChange::at(now))
    }

    fn retry(
        &mut self,
        job: &QueuedJob,
        (run_at, tries): (Timestamp, u32),
        error: &str,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let change = ClaimChange {
            run_at: Some(run_at.into()),
            tries: Some(tries.into()),
            max_attempts: Some(job.attempt.saturating_add(QueuedJob::LOST_ATTEMPTS).into()),
            last_error: Some(error),
            ..ClaimChange::at(now)
        };
        self.move_on(JobMove::Retry, job, change)
    }

    fn bury(&mut self, job: &QueuedJob, error: &str, now: Timestamp) -> Result<bool, StoreError> {
        let change = ClaimChange {
            last_error: Some(error),
            ..ClaimChange::at(now)
        };
        self.move_on(JobMove::Bury, job, change)
    }

    fn release_leases(&mut self, now: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            let query = diesel::update(jobs::table)
                .filter(running())
                .set(jobs::lease_until.eq(Some(Moment(now.minus(JUST_NOW)))));
            on_either!(conn, CachedByText(query).execute(conn))
        })
        .map(drop)
    }

    fn release_leases_of(&mut self, nodes: &[NodeId], now: Timestamp) -> Result<u64, StoreError> {
        let released = self.run(|conn| {
            let query = diesel::update(jobs::table)
                .filter(running())
                .filter(jobs::node_id.eq_any(rows::node_ids(nodes)))
                .set(jobs::lease_until.eq(Some(Moment(now.minus(JUST_NOW)))));
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        rows::number(rows::stored_number(released))
    }

    fn put_back(&mut self, node: NodeId, now: Timestamp) -> Result<u64, StoreError> {
        let step = JobMove::PutBack;
        let back = self.run(|conn| {
            let query = diesel::update(jobs::table)
                .filter(running())
                .filter(jobs::node_id.eq(node.0.to_string()))
                .set((
                    jobs::state.eq(step.to().as_str()),
                    jobs::run_at.eq(Moment(now)),
                    jobs::max_attempts.eq(jobs::max_attempts + 1),
                    jobs::lease_until.eq(None::<Moment>),
                    jobs::updated_at.eq(Moment(now)),
                ));
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        rows::number(rows::stored_number(back))
    }

    fn forget_done(
        &mut self,
        after: &mut Option<WorkspaceId>,
        oldest: Timestamp,
        kept: u16,
        limit: u16,
    ) -> Result<Option<u64>, StoreError> {
        self.forget_done_jobs(after, oldest, kept, limit)
    }

    fn forget_dead(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError> {
        self.forget_dead_jobs(oldest, limit)
    }

    fn backlog(&mut self, now: Timestamp) -> Result<JobBacklog, StoreError> {
        self.job_backlog(now)
    }

    fn backlog_of(
        &mut self,
        workspace: WorkspaceId,
        now: Timestamp,
    ) -> Result<Vec<KindBacklog>, StoreError> {
        self.backlog_of_workspace(workspace, now)
    }

    fn set_right(
        &mut self,
        now: Timestamp,
        lease: Duration,
        limit: u16,
    ) -> Result<u64, StoreError> {
        self.set_jobs_right(now, lease, limit)
    }

    fn next_due(&mut self) -> Result<Option<Timestamp>, StoreError> {
        let queued: Option<Moment> = self.run(|conn| {
            let query = jobs::table
                .filter(queued())
                .select(jobs::run_at)
                .order(jobs::run_at.asc());
            let row = on_either!(conn, CachedByText(query.limit(1)).get_result(conn));
            row.optional()
        })?;
        let leased: Option<Moment> = self.run(|conn| {
            let query = jobs::table
                .filter(running())
                .filter(jobs::lease_until.is_not_null())
                .select(jobs::lease_until.assume_not_null())
                .order(jobs::lease_until.asc());
            let row = on_either!(conn, CachedByText(query.limit(1)).get_result(conn));
            row.optional()
        })?;
        Ok([queued, leased]
            .into_iter()
            .flatten()
            .map(|moment| moment.0)
            .min())
    }
}
