//! How much there is to do, for whoever watches.

use diesel::dsl::{count_star, min};
use lyceum_domain::running::jobs::JobLane;
use lyceum_ports::running::jobs::{JobBacklog, LaneBacklog};

use super::{dead, queued, running};
use crate::mapping::schema::jobs;
use crate::prelude::*;

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
}
