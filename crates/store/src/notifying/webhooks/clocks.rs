//! Deliveries that were written by a clock that was ahead.

use std::time::Duration;

use super::claims::pending;
use crate::mapping::schema::webhook_deliveries;
use crate::prelude::*;

impl Session<'_> {
    /// See the same for jobs.
    pub(super) fn set_deliveries_right(
        &mut self,
        now: Timestamp,
        lease: Duration,
        limit: u16,
    ) -> Result<u64, StoreError> {
        let ahead: Vec<(String, String, Moment, Moment)> = self.run(|conn| {
            let query = webhook_deliveries::table
                .filter(pending())
                .filter(webhook_deliveries::next_attempt_at.is_not_null())
                .filter(webhook_deliveries::next_attempt_at.gt(Moment(now)))
                .filter(webhook_deliveries::updated_at.gt(Moment(now)))
                .order(webhook_deliveries::next_attempt_at.desc())
                .limit(limit.into())
                .select((
                    webhook_deliveries::workspace_id,
                    webhook_deliveries::id,
                    webhook_deliveries::next_attempt_at.assume_not_null(),
                    webhook_deliveries::updated_at,
                ));
            on_either!(conn, CachedByText(query).load(conn))
        })?;
        for (workspace, id, next, written_at) in &ahead {
            let due = now.plus(next.0.since(written_at.0));
            self.run(|conn| {
                let query = diesel::update(webhook_deliveries::table)
                    .filter(webhook_deliveries::workspace_id.eq(workspace))
                    .filter(webhook_deliveries::id.eq(id))
                    .filter(pending())
                    .set((
                        webhook_deliveries::next_attempt_at.eq(Some(Moment(due))),
                        webhook_deliveries::updated_at.eq(Moment(now)),
                    ));
                on_either!(conn, CachedByText(query).execute(conn))
            })?;
        }
        let longest = Moment(now.plus(lease));
        let leased = self.run(|conn| {
            let query = diesel::update(webhook_deliveries::table)
                .filter(pending())
                .filter(webhook_deliveries::lease_until.gt(longest))
                .set(webhook_deliveries::lease_until.eq(Some(longest)));
            on_either!(conn, CachedByText(query).execute(conn))
        })?;
        rows::number(rows::stored_number(ahead.len() + leased))
    }
}
