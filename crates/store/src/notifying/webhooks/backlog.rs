//! How much there is to deliver, for whoever watches.

use diesel::dsl::{count_star, min};
use lyceum_ports::notifying::webhooks::DeliveryBacklog;

use super::claims::{is_free, pending};
use crate::mapping::schema::webhook_deliveries;
use crate::prelude::*;

impl Session<'_> {
    /// What is due and under nobody's hands.
    pub(super) fn delivery_backlog(
        &mut self,
        now: Timestamp,
    ) -> Result<DeliveryBacklog, StoreError> {
        let (due, due_since): (i64, Option<Moment>) = self.run(|conn| {
            let query = webhook_deliveries::table
                .filter(pending())
                .filter(webhook_deliveries::next_attempt_at.le(Moment(now)))
                .filter(is_free(Moment(now)))
                .select((count_star(), min(webhook_deliveries::next_attempt_at)));
            on_either!(conn, CachedByText(query).get_result(conn))
        })?;
        Ok(DeliveryBacklog {
            due: rows::number(due)?,
            due_since: rows::moment(due_since),
        })
    }
}
