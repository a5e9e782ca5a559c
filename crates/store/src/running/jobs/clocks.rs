//! Jobs that were written by a clock that was ahead.

use std::time::Duration;

use super::{queued, running};
use crate::mapping::schema::jobs;
use crate::prelude::*;

impl Session<'_> {
    /// A row that was written in the future tells by how much: when it is due, counted from when it was written.
    pub(super) fn set_jobs_right(
        &mut self,
        now: Timestamp,
        lease: Duration,
        limit: u16,
    ) -> Result<u64, StoreError> {
        let ahead: Vec<(String, Moment, Moment)> = self.run(|conn| {
            let query = jobs::table
                .filter(queued())
                .filter(jobs::run_at.gt(Moment(now)))
                .filter(jobs::updated_at.gt(Moment(now)))
                .order(jobs::run_at.desc())
                .limit(limit.into())
                .select((jobs::id, jobs::run_at, jobs::updated_at));
            on_either!(conn, CachedByText(query).load(conn))
        })?;
        for (id, run_at, written_at) in &ahead {
            let due = now.plus(run_at.0.since(written_at.0));
            self.run(|conn| {
                let query = diesel::update(jobs::table)
                    .filter(jobs::id.eq(id))
                    .filter(queued())
                    .set((
                        jobs::run_at.eq(Moment(due)),
                        jobs::updated_at.eq(Moment(now)),
                    ));
                on_either!(conn, CachedByText(query).execute(conn))
            })?;
        }
        let longest = Moment(now.plus(lease));
        let leased = self.run(|conn| {
            let query = diesel::update(jobs::table)
                .filter(running())
                .filter(jobs::lease_until.gt(longest))
                .set(jobs::lease_until.eq(Some(longest)));
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        rows::number(rows::stored_number(ahead.len() + leased))
    }
}
