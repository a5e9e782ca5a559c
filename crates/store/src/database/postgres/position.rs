//! How far the database is kept, as the primary says it, and whether a standby has come as far.
//!
//! Whatever anybody was told is kept lies before the position to which the log is flushed at any moment after that. A standby that has
//! replayed as much shows all of it, if it is a standby of the same system and follows the same timeline: numbers of two timelines
//! say nothing of each other.

use std::sync::{Mutex, PoisonError};

use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};

use crate::database::cached_by_text::CachedByText;
use crate::database::link::PgLink;

/// Where the log is, and with it the stamps of a caller. When the server was started tells it from any other that may come to stand
/// behind the same address, and costs less than its name.
const FLUSHED: &str = "SELECT (SELECT value FROM access_stamps WHERE id = $1) AS person, \
     (SELECT value FROM access_stamps WHERE id = $2) AS workspace, \
     (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint AS started, \
     left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) AS timeline, \
     (pg_current_wal_flush_lsn() - '0/0')::bigint AS flushed";

/// The system, which its standbys have in common with it, and the database in it.
macro_rules! home {
    () => {
        "(SELECT system_identifier::text FROM pg_control_system()) || '/' || \
         (SELECT oid::text FROM pg_database WHERE datname = current_database())"
    };
}

const HOME: &str = concat!(
    "SELECT ",
    home!(),
    " AS home, (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint AS started"
);

/// The timeline is that of the last restartpoint: a standby that has only just gone over to another is known as such a little later.
const COME: &str = concat!(
    "SELECT pg_is_in_recovery() AS is_standby, ",
    home!(),
    " = $1 AS is_ours, \
     (SELECT lpad(upper(to_hex(timeline_id)), 8, '0') FROM pg_control_checkpoint()) = $2 AS is_on_timeline, \
     (pg_last_wal_replay_lsn() - '0/0')::bigint AS replayed"
);

/// How far the database is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    home: String,
    timeline: String,
    flushed: i64,
}

/// What the primary says of its log, and of a caller.
#[derive(QueryableByName)]
pub struct Told {
    /// The stamp of the person.
    #[diesel(sql_type = Nullable<BigInt>)]
    pub person: Option<i64>,
    /// The stamp of the workspace.
    #[diesel(sql_type = Nullable<BigInt>)]
    pub workspace: Option<i64>,
    #[diesel(sql_type = BigInt)]
    started: i64,
    #[diesel(sql_type = Text)]
    timeline: String,
    #[diesel(sql_type = BigInt)]
    flushed: i64,
}

/// What a server is.
#[derive(Debug, Clone, PartialEq, Eq, QueryableByName)]
pub struct Home {
    #[diesel(sql_type = Text)]
    home: String,
    #[diesel(sql_type = BigInt)]
    started: i64,
}

/// What a standby says of itself.
#[derive(QueryableByName)]
pub struct Come {
    /// Whether it is one.
    #[diesel(sql_type = Bool)]
    pub is_standby: bool,
    /// Whether it has the same database of the same system.
    #[diesel(sql_type = Bool)]
    pub is_ours: bool,
    /// Whether it follows the same timeline.
    #[diesel(sql_type = Bool)]
    pub is_on_timeline: bool,
    #[diesel(sql_type = Nullable<BigInt>)]
    replayed: Option<i64>,
}

impl Told {
    /// The position that was told, of this server.
    pub fn at(&self, home: &Home) -> Position {
        Position {
            home: home.home.clone(),
            timeline: self.timeline.clone(),
            flushed: self.flushed,
        }
    }
}

impl Come {
    /// Whether its numbers can be held against the primary's.
    pub const fn follows(&self) -> bool {
        self.is_standby && self.is_ours && self.is_on_timeline
    }

    /// How many bytes it is behind; none if it says nothing of that.
    pub fn behind(&self, position: &Position) -> Option<i64> {
        let replayed = self.replayed?;
        Some(position.flushed.saturating_sub(replayed).max(0))
    }
}

/// The server that was the primary when that was last asked.
#[derive(Default)]
pub struct KnownHome(Mutex<Option<Home>>);

impl KnownHome {
    /// The position that was told, if it is known whose it is.
    pub fn position(&self, told: &Told) -> Option<Position> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let home = known.as_ref();
        home.filter(|home| home.started == told.started)
            .map(|home| told.at(home))
    }

    /// Notes which server the primary is.
    pub fn note(&self, home: Home) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some(home);
    }
}

/// Asks the primary, also for the stamps of these.
pub fn flushed(
    link: &mut PgLink,
    person: Option<&str>,
    workspace: Option<&str>,
) -> QueryResult<Told> {
    let query = sql_query(FLUSHED)
        .bind::<Nullable<Text>, _>(person)
        .bind::<Nullable<Text>, _>(workspace);
    CachedByText(query).get_result(link)
}

/// Asks the primary which server it is.
pub fn home(link: &mut PgLink) -> QueryResult<Home> {
    CachedByText(sql_query(HOME)).get_result(link)
}

/// Asks a standby. Whatever is asked of it after that is answered by what it has come to, or more.
pub fn come(link: &mut PgLink, position: &Position) -> QueryResult<Come> {
    let query = sql_query(COME)
        .bind::<Text, _>(&position.home)
        .bind::<Text, _>(&position.timeline);
    CachedByText(query).get_result(link)
}
