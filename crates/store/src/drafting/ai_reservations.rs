//! What is set aside of AI budgets, in rows.

use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use lyceum_domain::ids::AiReservationId;
use lyceum_domain::money::MicroUsd;
use lyceum_ports::drafting::ai_reservations::{AiReservation, AiReservationRepository};

use crate::mapping::schema::ai_reservations;
use crate::prelude::*;
use crate::running::shared_limits::{latest_only, spelt};

#[derive(Insertable)]
#[diesel(table_name = ai_reservations)]
struct ReservationRow {
    workspace_id: String,
    id: String,
    tokens: i64,
    cost: i64,
    expires_at: Moment,
}

impl AiReservationRepository for Session<'_> {
    fn take_turn(&mut self, workspace: WorkspaceId) -> Result<(), StoreError> {
        latest_only(self)?;
        let conn = &mut *self.conn;
        let statement = spelt(
            conn,
            "INSERT INTO ai_budget_turns (workspace_id, turn) VALUES ($1, 1) \
             ON CONFLICT (workspace_id) DO UPDATE SET turn = ai_budget_turns.turn + 1",
        );
        let query =
            diesel::sql_query(statement).bind::<diesel::sql_types::Text, _>(workspace.to_string());
        self.run(|conn| query.execute(conn)).map(drop)
    }

    fn total(
        &mut self,
        workspace: WorkspaceId,
        now: Timestamp,
    ) -> Result<(u64, MicroUsd), StoreError> {
        // PostgreSQL sums bigints into a numeric, and nothing into null.
        let sum =
            |column: &str| sql::<BigInt>(&format!("CAST(COALESCE(SUM({column}), 0) AS BIGINT)"));
        let (tokens, cost) = self.run(|conn| {
            ai_reservations::table
                .filter(ai_reservations::workspace_id.eq(workspace.to_string()))
                .filter(ai_reservations::expires_at.gt(Moment(now)))
                .select((sum("tokens"), sum("cost")))
                .first::<(i64, i64)>(conn)
        })?;
        Ok((rows::number(tokens)?, MicroUsd::new(rows::number(cost)?)))
    }

    fn insert(&mut self, reservation: &AiReservation) -> Result<(), StoreError> {
        let row = ReservationRow {
            workspace_id: reservation.workspace_id.to_string(),
            id: reservation.id.to_string(),
            tokens: rows::stored_number(reservation.tokens),
            cost: rows::stored_number(reservation.cost.millionths()),
            expires_at: reservation.expires_at.into(),
        };
        self.run(|conn| {
            diesel::insert_into(ai_reservations::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn remove(&mut self, workspace: WorkspaceId, id: AiReservationId) -> Result<(), StoreError> {
        self.run(|conn| {
            diesel::delete(ai_reservations::table)
                .filter(ai_reservations::workspace_id.eq(workspace.to_string()))
                .filter(ai_reservations::id.eq(id.to_string()))
                .execute(conn)
        })
        .map(drop)
    }

    fn forget_expired(&mut self, workspace: WorkspaceId, now: Timestamp) -> Result<(), StoreError> {
        self.run(|conn| {
            diesel::delete(ai_reservations::table)
                .filter(ai_reservations::workspace_id.eq(workspace.to_string()))
                .filter(ai_reservations::expires_at.le(Moment(now)))
                .execute(conn)
        })
        .map(drop)
    }
}
