//! Counts that nodes share, in rows: one for each bucket, which says when the bucket is full again.
//!
//! One statement decides and counts, so that of two nodes that ask for the last one, one gets it.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use lyceum_domain::Timestamp;
use lyceum_ports::shared_limits::{SharedLimitRepository, SharedStanding};
use lyceum_ports::store::StoreError;

use crate::connection::AnyConnection;
use crate::schema::limit_buckets;
use crate::session::Session;

/// A minute in microseconds: fine enough for any quota, and a whole number.
const MINUTE: i64 = 60_000_000;

/// Sees what others committed before each statement, and waits for rows that they are changing: on PostgreSQL a
/// transaction that only counts is not to be run again whenever somebody else counts as well. SQLite has one writer.
/// First of all in a transaction.
pub fn latest_only(session: &mut Session<'_>) -> Result<(), StoreError> {
    if matches!(session.conn, AnyConnection::Sqlite(_)) {
        return Ok(());
    }
    let query = diesel::sql_query("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    session.run(|conn| query.execute(conn)).map(drop)
}

/// A statement as the database spells it: SQLite's `max` of two values is PostgreSQL's `greatest`, and its
/// parameters have no numbers of their own.
pub fn spelt(conn: &AnyConnection, statement: &str) -> String {
    match conn {
        AnyConnection::Postgres(_) => statement.to_owned(),
        AnyConnection::Sqlite(_) => statement.replace("greatest(", "max(").replace('$', "?"),
    }
}

#[derive(QueryableByName)]
struct FullAt {
    #[diesel(sql_type = BigInt)]
    full_at: i64,
}

fn micros(now: Timestamp) -> i64 {
    now.unix_millis().saturating_mul(1_000)
}

impl SharedLimitRepository for Session<'_> {
    fn take(
        &mut self,
        bucket: &str,
        per_minute: u32,
        now: Timestamp,
    ) -> Result<SharedStanding, StoreError> {
        latest_only(self)?;
        let (now, one) = (micros(now), MINUTE / i64::from(per_minute.max(1)));
        // Each request puts off by one share when the bucket is full again, at most to a minute from now.
        let taking = spelt(
            self.conn,
            "INSERT INTO limit_buckets (name, full_at) VALUES ($1, $2 + $3) \
             ON CONFLICT (name) DO UPDATE SET full_at = greatest(limit_buckets.full_at, $2) + $3 \
             WHERE greatest(limit_buckets.full_at, $2) + $3 <= $2 + $4 RETURNING full_at",
        );
        let query = diesel::sql_query(taking)
            .bind::<Text, _>(bucket.to_owned())
            .bind::<BigInt, _>(now)
            .bind::<BigInt, _>(one)
            .bind::<BigInt, _>(MINUTE);
        let taken: Vec<FullAt> = self.run(|conn| query.load(conn))?;
        if let Some(FullAt { full_at }) = taken.first() {
            let remaining = (now + MINUTE - full_at) / one;
            return Ok(SharedStanding {
                remaining: u32::try_from(remaining).unwrap_or_default(),
                taken: Ok(()),
            });
        }
        let full_at = self.run(|conn| {
            limit_buckets::table
                .filter(limit_buckets::name.eq(bucket.to_owned()))
                .select(limit_buckets::full_at)
                .first::<i64>(conn)
        })?;
        let wait = (full_at + one - now - MINUTE).max(1);
        Ok(SharedStanding {
            remaining: 0,
            taken: Err(u64::try_from(wait).unwrap_or_default().div_ceil(1_000)),
        })
    }

    fn forget_full(&mut self, now: Timestamp, limit: u16) -> Result<u64, StoreError> {
        let full: Vec<String> = self.run(|conn| {
            limit_buckets::table
                .filter(limit_buckets::full_at.le(micros(now)))
                .select(limit_buckets::name)
                .limit(limit.into())
                .load(conn)
        })?;
        let forgotten = self.run(|conn| {
            diesel::delete(limit_buckets::table)
                .filter(limit_buckets::name.eq_any(full))
                .filter(limit_buckets::full_at.le(micros(now)))
                .execute(conn)
        })?;
        Ok(u64::try_from(forgotten).unwrap_or(u64::MAX))
    }
}
