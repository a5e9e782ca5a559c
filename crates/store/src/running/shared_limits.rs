//! Counts that nodes share, in rows: one for each bucket, which says when the bucket is full again.
//!
//! One statement decides and counts, so that of two nodes that ask for the last one, one gets it.

use diesel::sql_types::{BigInt, Text};
use lyceum_ports::running::shared_limits::{SharedLimitRepository, SharedQuota, SharedStanding};

use crate::mapping::schema::limit_buckets;
use crate::prelude::*;

/// How long a bucket takes to fill, and how much of that one share is; in microseconds, fine enough for any quota.
fn times(quota: SharedQuota) -> (i64, i64) {
    let window = i64::try_from(quota.window.as_micros()).unwrap_or(i64::MAX);
    let one = window / i64::from(quota.amount.get());
    (window, one.max(1))
}

/// How a bucket stands that is full again then, and whether one more would be taken.
fn standing(full_at: i64, now: i64, quota: SharedQuota) -> SharedStanding {
    let (window, one) = times(quota);
    let remaining = (now.saturating_add(window) - full_at.max(now)) / one;
    let wait = full_at + one - now - window;
    SharedStanding {
        remaining: u32::try_from(remaining).unwrap_or_default(),
        taken: if wait > 0 { Err(millis(wait)) } else { Ok(()) },
    }
}

/// A wait in milliseconds, never none.
fn millis(micros: i64) -> u64 {
    u64::try_from(micros.max(1))
        .unwrap_or_default()
        .div_ceil(1_000)
}

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
        quota: SharedQuota,
        amount: u32,
        now: Timestamp,
    ) -> Result<SharedStanding, StoreError> {
        latest_only(self)?;
        let (now, (window, one)) = (micros(now), times(quota));
        let wanted = one.saturating_mul(amount.into()).min(window);
        // Each request puts off by its share when the bucket is full again, at most to a window from now.
        let taking = spelt(
            self.conn,
            "INSERT INTO limit_buckets (name, full_at) VALUES ($1, $2 + $3) \
             ON CONFLICT (name) DO UPDATE SET full_at = greatest(limit_buckets.full_at, $2) + $3 \
             WHERE greatest(limit_buckets.full_at, $2) + $3 <= $2 + $4 RETURNING full_at",
        );
        let query = diesel::sql_query(taking)
            .bind::<Text, _>(bucket.to_owned())
            .bind::<BigInt, _>(now)
            .bind::<BigInt, _>(wanted)
            .bind::<BigInt, _>(window);
        let taken: Vec<FullAt> = self.run(|conn| query.load(conn))?;
        if let Some(FullAt { full_at }) = taken.first() {
            return Ok(SharedStanding {
                taken: Ok(()),
                ..standing(*full_at, now, quota)
            });
        }
        let full_at = self.run(|conn| {
            limit_buckets::table
                .filter(limit_buckets::name.eq(bucket.to_owned()))
                .select(limit_buckets::full_at)
                .first::<i64>(conn)
        })?;
        Ok(SharedStanding {
            taken: Err(millis(full_at + wanted - now - window)),
            ..standing(full_at, now, quota)
        })
    }

    fn look(
        &mut self,
        bucket: &str,
        quota: SharedQuota,
        now: Timestamp,
    ) -> Result<SharedStanding, StoreError> {
        let full_at = self.run(|conn| {
            limit_buckets::table
                .find(bucket.to_owned())
                .select(limit_buckets::full_at)
                .first::<i64>(conn)
                .optional()
        })?;
        Ok(standing(full_at.unwrap_or_default(), micros(now), quota))
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
