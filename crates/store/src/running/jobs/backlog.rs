//! How much there is to do, for whoever watches.

use diesel::dsl::{count_star, min};
use lyceum_domain::running::jobs::{JobKind, JobLane, KindBacklog};
use lyceum_ports::running::jobs::{JobBacklog, LaneBacklog};

use super::{dead, queued, running};
use crate::mapping::schema::jobs;
use crate::prelude::*;

/// A kind, how many, and since when the first of them.
type Counted = (String, i64, Option<Moment>);

impl Session<'_> {
    /// What is due and runs.
    pub(super) fn job_backlog(&mut self, now: Timestamp) -> Result<JobBacklog, StoreError> {
        let lanes = JobLane::ALL
            .iter()
            .map(|lane| self.lane_backlog(*lane, now));
        let lanes = lanes.collect::<Result<Vec<_>, _>>()?;
        let dead: i64 = self.run(|conn| {
            let query = jobs::table.filter(dead()).select(count_star());
            on_either!(conn, CachedByText(query).get_result(conn))
        })?;
        Ok(JobBacklog {
            lanes,
            dead: rows::number(dead)?,
        })
    }

    fn lane_backlog(&mut self, lane: JobLane, now: Timestamp) -> Result<LaneBacklog, StoreError> {
        let (due, due_since): (i64, Option<Moment>) = self.run(|conn| {
            let query = jobs::table
                .filter(queued())
                .filter(jobs::lane.eq(lane.as_str()))
                .filter(jobs::run_at.le(Moment(now)))
                .select((count_star(), min(jobs::run_at)));
            on_either!(conn, CachedByText(query).get_result(conn))
        })?;
        let running: i64 = self.run(|conn| {
            let query = jobs::table
                .filter(running())
                .filter(jobs::lane.eq(lane.as_str()))
                .select(count_star());
            on_either!(conn, CachedByText(query).get_result(conn))
        })?;
        Ok(LaneBacklog {
            lane,
            due: rows::number(due)?,
            due_since: rows::moment(due_since),
            running: rows::number(running)?,
        })
    }

    /// What is due, waits and runs of one workspace. Each question is answered along an index of one lane.
    pub(super) fn backlog_of_workspace(
        &mut self,
        workspace: WorkspaceId,
        now: Timestamp,
    ) -> Result<Vec<KindBacklog>, StoreError> {
        let mut found: Vec<KindBacklog> = Vec::new();
        for lane in JobLane::ALL {
            let place = (*lane, workspace);
            for (kind, due, since) in self.queued_of(place, (true, now))? {
                if let Some(one) = of_kind(&mut found, &kind) {
                    (one.due, one.due_since) = (rows::number(due)?, rows::moment(since));
                }
            }
            for (kind, later, _) in self.queued_of(place, (false, now))? {
                if let Some(one) = of_kind(&mut found, &kind) {
                    one.later = rows::number(later)?;
                }
            }
            for (kind, running) in self.running_of(place)? {
                if let Some(one) = of_kind(&mut found, &kind) {
                    one.running = rows::number(running)?;
                }
            }
        }
        for (kind, given_up) in self.given_up_by(workspace)? {
            if let Some(one) = of_kind(&mut found, &kind) {
                one.given_up = rows::number(given_up)?;
            }
        }
        Ok(found)
    }

    fn given_up_by(&mut self, workspace: WorkspaceId) -> Result<Vec<(String, i64)>, StoreError> {
        let workspace = workspace.to_string();
        self.run(|conn| {
            let given_up = jobs::table
                .filter(dead())
                .filter(jobs::workspace_id.eq(&workspace))
                .group_by(jobs::kind)
                .select((jobs::kind, count_star()));
            on_either!(conn, given_up.load(conn))
        })
    }

    /// What is due, or what is not yet.
    fn queued_of(
        &mut self,
        (lane, workspace): (JobLane, WorkspaceId),
        (is_due, now): (bool, Timestamp),
    ) -> Result<Vec<Counted>, StoreError> {
        let workspace = workspace.to_string();
        self.run(|conn| {
            let queued = jobs::table
                .filter(queued())
                .filter(jobs::lane.eq(lane.as_str()))
                .filter(jobs::workspace_id.eq(&workspace))
                .filter(jobs::run_at.le(Moment(now)).eq(is_due))
                .group_by(jobs::kind)
                .select((jobs::kind, count_star(), min(jobs::run_at)));
            on_either!(conn, queued.load(conn))
        })
    }

    fn running_of(
        &mut self,
        (lane, workspace): (JobLane, WorkspaceId),
    ) -> Result<Vec<(String, i64)>, StoreError> {
        let workspace = workspace.to_string();
        self.run(|conn| {
            let running = jobs::table
                .filter(running())
                .filter(jobs::lane.eq(lane.as_str()))
                .filter(jobs::workspace_id.eq(&workspace))
                .group_by(jobs::kind)
                .select((jobs::kind, count_star()));
            on_either!(conn, running.load(conn))
        })
    }
}

/// The place of a kind in what was found; none for one that only another version knows.
fn of_kind<'a>(found: &'a mut Vec<KindBacklog>, word: &str) -> Option<&'a mut KindBacklog> {
    let kind = JobKind::parse(word)?;
    if !found.iter().any(|one| one.kind == kind) {
        found.push(KindBacklog {
            kind,
            due: 0,
            due_since: None,
            later: 0,
            running: 0,
            given_up: 0,
        });
    }
    found.iter_mut().find(|one| one.kind == kind)
}
