//! What an operator asks of a replica: whether it is one of this database, and how far behind.

use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Nullable};
use thiserror::Error;

use crate::database::link::PgLink;
use crate::database::postgres::connect;
use crate::database::postgres::position::{Home, come, flushed, home};
use crate::url::{DatabaseUrl, PostgresUrl};

/// What there is to say of a replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplicaDiagnosis {
    /// Whether it replays what happens elsewhere; one that was promoted does not.
    pub is_standby: bool,
    /// Whether it is one of this system, and this is the database of the same name there.
    pub is_ours: bool,
    /// Whether it follows the primary that there is now.
    pub is_on_timeline: bool,
    /// How many bytes of the log it has not replayed; none if it says nothing of that.
    pub bytes_behind: Option<i64>,
    /// How many milliseconds ago the last transaction that it has replayed was kept; none if it has replayed none.
    pub replayed_ago: Option<i64>,
}

/// Why a replica could not be looked at.
#[derive(Debug, Error)]
pub enum ReplicaUnseen {
    /// Nobody is there, or nobody lets us in.
    #[error("the replica cannot be reached")]
    Away(#[source] ConnectionError),
    /// The database does not say how far it is.
    #[error("the database does not say how far its log is")]
    Untold,
    /// It does not say how far it has come.
    #[error("the replica does not say how far it has come")]
    Unsaid(#[source] diesel::result::Error),
}

#[derive(QueryableByName)]
struct Replayed {
    #[diesel(sql_type = Nullable<BigInt>)]
    ago: Option<i64>,
}

const REPLAYED: &str = "SELECT (extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::bigint AS ago";

/// Looks at a replica of this database; nothing is changed.
///
/// # Errors
/// If it, or the database, says nothing.
pub fn diagnose_replica(
    database: &DatabaseUrl,
    replica: &PostgresUrl,
) -> Result<ReplicaDiagnosis, ReplicaUnseen> {
    let DatabaseUrl::Postgres(database) = database else {
        return Err(ReplicaUnseen::Untold);
    };
    let mut primary = link(database).map_err(|_| ReplicaUnseen::Untold)?;
    let mut standby = link(replica.as_str()).map_err(ReplicaUnseen::Away)?;
    let told = |primary: &mut PgLink| -> QueryResult<_> {
        Ok((flushed(primary, None, None)?, home(primary)?))
    };
    let (flushed, home): (_, Home) = told(&mut primary).map_err(|_| ReplicaUnseen::Untold)?;
    let position = flushed.at(&home);
    let said = come(&mut standby, &position).map_err(ReplicaUnseen::Unsaid)?;
    let replayed = sql_query(REPLAYED).get_result::<Replayed>(&mut standby);
    Ok(ReplicaDiagnosis {
        is_standby: said.is_standby,
        is_ours: said.is_ours,
        is_on_timeline: said.is_on_timeline,
        bytes_behind: said.behind(&position),
        replayed_ago: replayed.map_err(ReplicaUnseen::Unsaid)?.ago,
    })
}

fn link(url: &str) -> Result<PgLink, ConnectionError> {
    Ok(PgLink::from(connect(url)?))
}
