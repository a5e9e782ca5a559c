//! Background jobs in rows: a queue with leases.

use std::collections::HashMap;
use std::time::Duration;

use diesel::dsl::{count_star, sql};
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use lyceum_domain::Timestamp;
use lyceum_domain::workspaces::WorkspaceId;
use lyceum_ports::jobs::{Job, JobKind, JobLane, JobRepository};
use lyceum_ports::store::StoreError;
use uuid::Uuid;

use crate::columns::{Json, Moment};
use crate::connection::AnyConnection;
use crate::rows;
use crate::schema::jobs;
use crate::session::Session;

const QUEUED: &str = "queued";
const RUNNING: &str = "running";
const DONE: &str = "done";
const DEAD: &str = "dead";

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
    max_attempts: i64,
    run_at: Moment,
    begun_at: Option<Moment>,
}

impl TryFrom<JobRow> for Job {
    type Error = StoreError;

    fn try_from(row: JobRow) -> Result<Self, StoreError> {
        let kind = JobKind::parse(&row.kind).ok_or("unknown kind of job");
        Ok(Self {
            id: rows::read(Uuid::parse_str(&row.id))?,
            workspace_id: rows::id(&row.workspace_id)?,
            kind: rows::read(kind)?,
            subject_id: row.subject_id,
            payload: row.payload.0,
            attempt: rows::number(row.attempt)?,
            max_attempts: rows::number(row.max_attempts)?,
            run_at: row.run_at.0,
            begun_at: rows::moment(row.begun_at),
        })
    }
}

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
    max_attempts: i64,
    run_at: Moment,
    begun_at: Option<Moment>,
    created_at: Moment,
    updated_at: Moment,
}

impl QueuedRow {
    fn new(job: &Job, now: Timestamp) -> Self {
        let Job {
            id,
            workspace_id,
            kind,
            subject_id,
            payload,
            attempt,
            max_attempts,
            run_at,
            begun_at,
        } = job;
        Self {
            id: id.to_string(),
            workspace_id: workspace_id.to_string(),
            kind: kind.as_str(),
            lane: kind.lane().as_str(),
            subject_id: subject_id.clone(),
            payload: Json(payload.clone()),
            state: QUEUED,
            attempt: (*attempt).into(),
            max_attempts: (*max_attempts).into(),
            run_at: (*run_at).into(),
            begun_at: begun_at.map(Moment::from),
            created_at: now.into(),
            updated_at: now.into(),
        }
    }
}

/// How a claim goes on or ends; `None` keeps, but no lease is no lease.
#[derive(AsChangeset, Default)]
#[diesel(table_name = jobs)]
struct ClaimChange<'a> {
    state: Option<&'static str>,
    run_at: Option<Moment>,
    max_attempts: Option<i64>,
    #[diesel(treat_none_as_null = true)]
    lease_until: Option<Moment>,
    last_error: Option<&'a str>,
    updated_at: Option<Moment>,
}

impl ClaimChange<'_> {
    fn end(state: &'static str, now: Timestamp) -> Self {
        Self {
            state: Some(state),
            updated_at: Some(now.into()),
            ..Self::default()
        }
    }
}

impl Session<'_> {
    /// Changes a job that is still held by this attempt; whether it was.
    fn change_claim(&mut self, job: &Job, change: &ClaimChange<'_>) -> Result<bool, StoreError> {
        let changed = self.run(|conn| {
            diesel::update(jobs::table)
                .filter(jobs::id.eq(job.id.to_string()))
                .filter(jobs::state.eq(RUNNING))
                .filter(jobs::attempt.eq(i64::from(job.attempt)))
                .set(change)
                .execute(conn)
        })?;
        Ok(changed == 1)
    }

    /// Jobs of a lane whose lease ran out, out of the reach of everybody else until the transaction ends.
    fn abandoned_jobs(
        &mut self,
        lane: JobLane,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<JobRow>, StoreError> {
        let abandoned = jobs::table
            .filter(running())
            .filter(jobs::lane.eq(lane.as_str()))
            .filter(jobs::lease_until.lt(Moment(now)).assume_not_null())
            .order((jobs::run_at.asc(), jobs::id.asc()))
            .limit(rows::stored_number(limit));
        self.run(|conn| match conn {
            // Several nodes claim at once: each passes over what another is just taking.
            AnyConnection::Postgres(conn) => abandoned
                .select(JobRow::as_select())
                .for_update()
                .skip_locked()
                .load(conn),
            // There is one writer, and it is in this transaction.
            AnyConnection::Sqlite(conn) => abandoned.select(JobRow::as_select()).load(conn),
        })
    }

    /// Jobs of a lane that are due, without these and those of these workspaces; locked like the abandoned.
    fn due_jobs(
        &mut self,
        lane: JobLane,
        now: Timestamp,
        without: &[JobRow],
        full: &[String],
        limit: usize,
    ) -> Result<Vec<JobRow>, StoreError> {
        let due = jobs::table
            .filter(queued())
            .filter(jobs::lane.eq(lane.as_str()))
            .filter(jobs::run_at.le(Moment(now)))
            .filter(jobs::workspace_id.ne_all(full))
            .filter(jobs::id.ne_all(without.iter().map(|row| &row.id)))
            .order((jobs::run_at.asc(), jobs::id.asc()))
            .limit(rows::stored_number(limit));
        self.run(|conn| match conn {
            AnyConnection::Postgres(conn) => due
                .select(JobRow::as_select())
                .for_update()
                .skip_locked()
                .load(conn),
            AnyConnection::Sqlite(conn) => due.select(JobRow::as_select()).load(conn),
        })
    }

    /// How many jobs of a lane run, by workspace.
    fn running_jobs(&mut self, lane: JobLane) -> Result<HashMap<String, i64>, StoreError> {
        let counted = self.run(|conn| {
            jobs::table
                .filter(running())
                .filter(jobs::lane.eq(lane.as_str()))
                .group_by(jobs::workspace_id)
                .select((jobs::workspace_id, count_star()))
                .load::<(String, i64)>(conn)
        })?;
        Ok(counted.into_iter().collect())
    }

    /// The jobs that may be claimed: what was abandoned, which is counted as running already, then what is due.
    ///
    /// Where a workspace has more due than its share, the rest is asked for again without it: once for each such
    /// workspace at most, however long its queue.
    fn claimable_jobs(
        &mut self,
        lane: JobLane,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<JobRow>, StoreError> {
        let share = lane.share().map_or(i64::MAX, i64::from);
        let mut taken_of = self.running_jobs(lane)?;
        let mut claimable = self.abandoned_jobs(lane, now, limit)?;
        while claimable.len() < limit {
            let full: Vec<String> = taken_of
                .iter()
                .filter(|(_, taken)| **taken >= share)
                .map(|(workspace, _)| workspace.clone())
                .collect();
            let left = limit - claimable.len();
            let due = self.due_jobs(lane, now, &claimable, &full, left)?;
            let was_last = due.len() < left;
            for row in due {
                let taken = taken_of.entry(row.workspace_id.clone()).or_default();
                if *taken < share {
                    *taken += 1;
                    claimable.push(row);
                }
            }
            if was_last {
                break;
            }
        }
        Ok(claimable)
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

/// A lease that ended before now is over; one that ends now is not.
const JUST_NOW: std::time::Duration = std::time::Duration::from_millis(1);

impl JobRepository for Session<'_> {
    fn enqueue(&mut self, job: &Job, now: Timestamp) -> Result<(), StoreError> {
        let row = QueuedRow::new(job, now);
        self.run(|conn| diesel::insert_into(jobs::table).values(&row).execute(conn))
            .map(drop)
    }

    fn claim(
        &mut self,
        lane: JobLane,
        now: Timestamp,
        lease_until: Timestamp,
        limit: u16,
    ) -> Result<Vec<Job>, StoreError> {
        let claimed = self.claimable_jobs(lane, now, limit.into())?;
        if claimed.is_empty() {
            return Ok(Vec::new());
        }
        self.run(|conn| {
            diesel::update(jobs::table)
                .filter(jobs::id.eq_any(claimed.iter().map(|row| &row.id)))
                .set((
                    jobs::state.eq(RUNNING),
                    jobs::attempt.eq(jobs::attempt + 1),
                    jobs::lease_until.eq(Moment(lease_until)),
                    jobs::updated_at.eq(Moment(now)),
                ))
                .execute(conn)
        })?;
        let begun: Vec<&String> = claimed
            .iter()
            .filter(|row| row.begun_at.is_none())
            .map(|row| &row.id)
            .collect();
        self.run(|conn| {
            diesel::update(jobs::table)
                .filter(jobs::id.eq_any(begun))
                .set(jobs::begun_at.eq(Moment(now)))
                .execute(conn)
        })?;
        claimed
            .into_iter()
            .map(|row| {
                Job::try_from(JobRow {
                    attempt: row.attempt + 1,
                    begun_at: row.begun_at.or(Some(Moment(now))),
                    ..row
                })
            })
            .collect()
    }

    fn extend(&mut self, job: &Job, lease_until: Timestamp) -> Result<bool, StoreError> {
        let change = ClaimChange {
            lease_until: Some(lease_until.into()),
            ..ClaimChange::default()
        };
        self.change_claim(job, &change)
    }

    fn recent_durations(
        &mut self,
        workspace: WorkspaceId,
        kind: JobKind,
        limit: u16,
    ) -> Result<Vec<Duration>, StoreError> {
        let found = self.run(|conn| {
            jobs::table
                .filter(jobs::workspace_id.eq(workspace.to_string()))
                .filter(jobs::kind.eq(kind.as_str()))
                .filter(jobs::state.eq(DONE))
                .order(jobs::updated_at.desc())
                .limit(limit.into())
                .select((jobs::created_at, jobs::updated_at))
                .load::<(Moment, Moment)>(conn)
        })?;
        let took = |(queued, done): (Moment, Moment)| done.0.since(queued.0);
        Ok(found.into_iter().map(took).collect())
    }

    fn finish(&mut self, job: &Job, now: Timestamp) -> Result<bool, StoreError> {
        self.change_claim(job, &ClaimChange::end(DONE, now))
    }

    fn retry(
        &mut self,
        job: &Job,
        run_at: Timestamp,
        error: &str,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let change = ClaimChange {
            run_at: Some(run_at.into()),
            max_attempts: Some(job.attempt.saturating_add(Job::LOST_ATTEMPTS).into()),
            last_error: Some(error),
            ..ClaimChange::end(QUEUED, now)
        };
        self.change_claim(job, &change)
    }

    fn bury(&mut self, job: &Job, error: &str, now: Timestamp) -> Result<bool, StoreError> {
        let change = ClaimChange {
            last_error: Some(error),
            ..ClaimChange::end(DEAD, now)
        };
        self.change_claim(job, &change)
    }

    fn release_leases(&mut self, now: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            diesel::update(jobs::table)
                .filter(jobs::state.eq(RUNNING))
                .set(jobs::lease_until.eq(Some(Moment(now.minus(JUST_NOW)))))
                .execute(conn)
        })
        .map(drop)
    }

    fn next_due(&mut self) -> Result<Option<Timestamp>, StoreError> {
        let queued: Option<Moment> = self.run(|conn| {
            jobs::table
                .filter(jobs::state.eq(QUEUED))
                .select(jobs::run_at)
                .order(jobs::run_at.asc())
                .first(conn)
                .optional()
        })?;
        let leased: Option<Moment> = self.run(|conn| {
            jobs::table
                .filter(jobs::state.eq(RUNNING))
                .filter(jobs::lease_until.is_not_null())
                .select(jobs::lease_until.assume_not_null())
                .order(jobs::lease_until.asc())
                .first(conn)
                .optional()
        })?;
        Ok([queued, leased]
            .into_iter()
            .flatten()
            .map(|moment| moment.0)
            .min())
    }
}
