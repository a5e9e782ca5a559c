//! Taking jobs: what was abandoned first, then what is due, by turns of the workspaces.

use std::collections::HashMap;

use diesel::dsl::count_star;
use lyceum_domain::running::jobs::JobLane;
use lyceum_ports::running::jobs::{JobMove, JobState, QueuedJob};
use lyceum_ports::running::nodes::Lease;

use super::{JobRow, UNKNOWN, queued, running};
use crate::mapping::schema::jobs;
use crate::prelude::*;
use crate::running::fair::{RoundRobin, Step, WaitingQueue, take_fairly};

/// A queue of fewer due jobs than these is read whole; in a longer one the workspaces are looked up one by one.
const SHORT_QUEUE: usize = 64;
/// Most workspaces that one claim looks up; the next goes on behind them.
const LOOKED_UP: usize = 256;

/// What a claim knows of its lane.
struct JobTerms {
    lane: JobLane,
    now: Timestamp,
    limit: usize,
    /// How many jobs run, by workspace.
    running: HashMap<String, usize>,
}

impl JobTerms {
    fn running(&self, workspace: &str) -> usize {
        self.running.get(workspace).copied().unwrap_or_default()
    }

    fn party(
        &self,
        workspace: &str,
        waiting: impl IntoIterator<Item = JobRow>,
    ) -> WaitingQueue<JobRow> {
        WaitingQueue {
            taken: self.running(workspace),
            waiting: waiting.into_iter().collect(),
        }
    }
}

impl Session<'_> {
    /// Takes what may be taken, and moves the turn on to whoever was served last.
    pub(super) fn claim_jobs(
        &mut self,
        lane: JobLane,
        lease: &Lease,
        turn: &mut Option<WorkspaceId>,
        limit: usize,
    ) -> Result<Vec<QueuedJob>, StoreError> {
        let now = lease.from;
        let abandoned = self.abandoned_jobs(lane, now, limit)?;
        let terms = JobTerms {
            lane,
            now,
            limit: limit.saturating_sub(abandoned.len()),
            running: self.running_jobs(lane)?,
        };
        let due = self.next_by_turns(&terms, turn)?;
        let due = self.still_queued(due)?;
        let mut claimed = self.take(JobMove::TakeOver, abandoned, lease)?;
        claimed.extend(self.take(JobMove::Claim, due, lease)?);
        Ok(claimed)
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
            AnyConnection::Sqlite(conn) => {
                CachedByText(abandoned.select(JobRow::as_select())).load(conn)
            }
        })
    }

    /// How many jobs of a lane run, by workspace.
    fn running_jobs(&mut self, lane: JobLane) -> Result<HashMap<String, usize>, StoreError> {
        let counted = self.run(|conn| {
            let query = jobs::table
                .filter(running())
                .filter(jobs::lane.eq(lane.as_str()))
                .group_by(jobs::workspace_id)
                .select((jobs::workspace_id, count_star()));
            on_either!(conn, CachedByText(query).load::<(String, i64)>(conn))
        })?;
        counted
            .into_iter()
            .map(|(workspace, count)| Ok((workspace, rows::number(count)?)))
            .collect()
    }

    /// The due jobs whose turn it is.
    fn next_by_turns(
        &mut self,
        terms: &JobTerms,
        turn: &mut Option<WorkspaceId>,
    ) -> Result<Vec<JobRow>, StoreError> {
        if terms.limit == 0 {
            return Ok(Vec::new());
        }
        let behind = turn.map(|workspace| workspace.to_string());
        let first = self.oldest_due(terms)?;
        let (parties, seen) = if first.len() < SHORT_QUEUE {
            (few_workspaces(terms, first, behind.as_deref()), None)
        } else {
            self.many_workspaces(terms, behind)?
        };
        let dealt = take_fairly(parties, terms.lane.share().into(), terms.limit);
        let served = dealt.last().map(|row| row.workspace_id.clone());
        if let Some(last) = seen.or(served) {
            *turn = Some(rows::id(&last)?);
        }
        Ok(dealt)
    }

    /// The longest waiting, whosever they are.
    fn oldest_due(&mut self, terms: &JobTerms) -> Result<Vec<JobRow>, StoreError> {
        self.run(|conn| {
            let query = jobs::table
                .filter(queued())
                .filter(jobs::lane.eq(terms.lane.as_str()))
                .filter(jobs::run_at.le(Moment(terms.now)))
                .order((jobs::run_at.asc(), jobs::id.asc()))
                .limit(rows::stored_number(SHORT_QUEUE));
            on_either!(
                conn,
                CachedByText(query.select(JobRow::as_select())).load(conn)
            )
        })
    }

    /// What waits of the workspaces behind the turn, until enough have nothing running. Where there were too many to
    /// see them all, also how far this came.
    fn many_workspaces(
        &mut self,
        terms: &JobTerms,
        behind: Option<String>,
    ) -> Result<(Vec<WaitingQueue<JobRow>>, Option<String>), StoreError> {
        let mut circle = RoundRobin::behind(behind);
        let (mut parties, mut idle) = (Vec::new(), 0);
        for _ in 0..LOOKED_UP {
            let found = self.next_workspace(terms, circle.position())?;
            let workspace = match circle.step(found) {
                Step::At(workspace) => workspace,
                Step::Wrapped => continue,
                Step::Over => return Ok((parties, None)),
            };
            let share = usize::from(terms.lane.share());
            let room = share.saturating_sub(terms.running(&workspace));
            let due = self.due_of(terms, &workspace, room.min(terms.limit))?;
            if due.is_empty() {
                continue;
            }
            idle += usize::from(terms.running(&workspace) == 0);
            parties.push(terms.party(&workspace, due));
            if idle == terms.limit {
                return Ok((parties, None));
            }
        }
        let seen = circle.position().to_owned();
        Ok((parties, Some(seen)))
    }

    /// The first workspace behind this one that has anything queued in the lane.
    fn next_workspace(
        &mut self,
        terms: &JobTerms,
        behind: &str,
    ) -> Result<Option<String>, StoreError> {
        self.run(|conn| {
            let query = jobs::table
                .filter(queued())
                .filter(jobs::lane.eq(terms.lane.as_str()))
                .filter(jobs::workspace_id.gt(behind))
                .order(jobs::workspace_id.asc())
                .select(jobs::workspace_id);
            let row = on_either!(conn, CachedByText(query.limit(1)).get_result(conn));
            row.optional()
        })
    }

    /// The longest waiting of a workspace.
    fn due_of(
        &mut self,
        terms: &JobTerms,
        workspace: &str,
        limit: usize,
    ) -> Result<Vec<JobRow>, StoreError> {
        self.run(|conn| {
            let query = jobs::table
                .filter(queued())
                .filter(jobs::lane.eq(terms.lane.as_str()))
                .filter(jobs::workspace_id.eq(workspace))
                .filter(jobs::run_at.le(Moment(terms.now)))
                .order((jobs::run_at.asc(), jobs::id.asc()))
                .limit(rows::stored_number(limit));
            on_either!(
                conn,
                CachedByText(query.select(JobRow::as_select())).load(conn)
            )
        })
    }

    /// Those of these jobs that another node is not just taking, out of its reach until the transaction ends.
    fn still_queued(&mut self, due: Vec<JobRow>) -> Result<Vec<JobRow>, StoreError> {
        if due.is_empty() {
            return Ok(due);
        }
        let ids: Vec<String> = due.iter().map(|row| row.id.clone()).collect();
        let free: Vec<String> = self.run(|conn| match conn {
            AnyConnection::Postgres(conn) => jobs::table
                .filter(queued())
                .filter(jobs::id.eq_any(&ids))
                .select(jobs::id)
                .for_update()
                .skip_locked()
                .load(conn),
            // There is one writer, and it is in this transaction.
            AnyConnection::Sqlite(_) => Ok(ids),
        })?;
        Ok(due
            .into_iter()
            .filter(|row| free.contains(&row.id))
            .collect())
    }

    /// Puts off what this version does not know, for as long as an attempt would have it: a node of the version that
    /// does may take it, and the queue goes on behind it with the next look.
    fn leave_to_others(&mut self, unknown: &[JobRow], lease: &Lease) -> Result<(), StoreError> {
        for row in unknown {
            tracing::error!(job = row.id, kind = row.kind, "{UNKNOWN}");
        }
        if unknown.is_empty() {
            return Ok(());
        }
        self.run(|conn| {
            let query = diesel::update(jobs::table)
                .filter(jobs::id.eq_any(unknown.iter().map(|row| &row.id)))
                .set((
                    jobs::state.eq(JobState::Queued.as_str()),
                    jobs::run_at.eq(Moment(lease.until)),
                    jobs::lease_until.eq(None::<Moment>),
                    jobs::last_error.eq(UNKNOWN),
                    jobs::updated_at.eq(Moment(lease.from)),
                ));
            on_either!(conn, CachedByText(query).execute(conn))
        })
        .map(drop)
    }

    /// Begins an attempt of each.
    fn take(
        &mut self,
        step: JobMove,
        rows: Vec<JobRow>,
        lease: &Lease,
    ) -> Result<Vec<QueuedJob>, StoreError> {
        let (rows, unknown): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| row.task().is_some());
        self.leave_to_others(&unknown, lease)?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let now = Moment(lease.from);
        self.run(|conn| {
            let query = diesel::update(jobs::table)
                .filter(jobs::id.eq_any(rows.iter().map(|row| &row.id)))
                .filter(jobs::state.eq(step.from().as_str()))
                .set((
                    jobs::state.eq(step.to().as_str()),
                    jobs::attempt.eq(jobs::attempt + 1),
                    jobs::lease_until.eq(Moment(lease.until)),
                    jobs::node_id.eq(lease.node.0.to_string()),
                    jobs::updated_at.eq(now),
                ));
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        let begun: Vec<&String> = rows
            .iter()
            .filter(|row| row.begun_at.is_none())
            .map(|row| &row.id)
            .collect();
        self.run(|conn| {
            let query = diesel::update(jobs::table)
                .filter(jobs::id.eq_any(begun))
                .set(jobs::begun_at.eq(now));
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        rows.into_iter()
            .map(|row| {
                QueuedJob::try_from(JobRow {
                    attempt: row.attempt + 1,
                    begun_at: row.begun_at.or(Some(now)),
                    ..row
                })
            })
            .collect()
    }
}

/// All that is due, by workspace, beginning behind the turn.
fn few_workspaces(
    terms: &JobTerms,
    due: Vec<JobRow>,
    behind: Option<&str>,
) -> Vec<WaitingQueue<JobRow>> {
    let mut by_workspace: HashMap<String, Vec<JobRow>> = HashMap::new();
    for row in due {
        by_workspace
            .entry(row.workspace_id.clone())
            .or_default()
            .push(row);
    }
    let mut sorted: Vec<(String, Vec<JobRow>)> = by_workspace.into_iter().collect();
    sorted.sort_unstable_by(|(one, _), (other, _)| {
        let is_before = |workspace: &str| behind.is_some_and(|behind| workspace <= behind);
        (is_before(one), one).cmp(&(is_before(other), other))
    });
    sorted
        .into_iter()
        .map(|(workspace, waiting)| terms.party(&workspace, waiting))
        .collect()
}
