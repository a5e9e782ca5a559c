//! What an operator asks of a database before blaming anything else: who it is, how it is set, what waits in it.

use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Nullable, Text};
use lyceum_domain::Timestamp;
use lyceum_ports::running::nodes::Node;
use lyceum_ports::store::StoreError;

use crate::database::connection::AnyConnection;
use crate::database::error::store_error;
use crate::database::statements::load;
use crate::mapping::vault::{MasterKey, Vault};
use crate::running::fsck::{FsckError, connect};
use crate::upkeep::schema_version::{self, SchemaVersion};
use crate::url::DatabaseUrl;

/// A setting of the database, by its own name.
pub type DatabaseSetting = (String, String);

/// What there is to say of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// Such as `SQLite 3.50.4`.
    pub product: String,
    /// Which tables it has.
    pub schema_version: SchemaVersion,
    /// Its clock; none where it has none of its own.
    pub clock: Option<Timestamp>,
    /// Those that decide what is kept and that no connection of ours sets by itself, as all do on SQLite.
    pub settings: Vec<DatabaseSetting>,
    /// Since when the job waits that waits longest of those that are due.
    pub oldest_due_job: Option<Timestamp>,
    /// The same for deliveries to endpoints that are switched on.
    pub oldest_due_delivery: Option<Timestamp>,
    /// Jobs that were given up.
    pub dead_jobs: i64,
    /// Endpoints that are told nothing.
    pub disabled_endpoints: i64,
    /// Names that more than one node serves under.
    pub shared_names: Vec<String>,
    /// Whether the key opens what is sealed; none where nothing is.
    pub key_opens: Option<bool>,
}

#[derive(QueryableByName)]
struct DiagnosisText {
    #[diesel(sql_type = Nullable<Text>)]
    text: Option<String>,
}

#[derive(QueryableByName)]
struct DiagnosisCount {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// Asks a database; nothing is changed, and none is made.
///
/// # Errors
/// If it cannot be reached, or has no tables of ours.
pub fn diagnose(
    url: &DatabaseUrl,
    key: Option<&MasterKey>,
    now: Timestamp,
) -> Result<Diagnosis, FsckError> {
    let conn = &mut connect(url)?;
    let schema_version = schema_version::of(conn)?;
    let jobs = format!(
        "SELECT $(min(run_at)) AS text FROM jobs WHERE state = 'queued' AND run_at <= '{now}'"
    );
    let deliveries = format!(
        "SELECT $(min(d.next_attempt_at)) AS text FROM webhook_deliveries d JOIN webhook_endpoints w \
         ON w.workspace_id = d.workspace_id AND w.id = d.endpoint_id \
         WHERE d.status = 'pending' AND d.next_attempt_at <= '{now}' AND w.status = 'enabled'"
    );
    Ok(Diagnosis {
        product: product(conn)?,
        clock: clock(conn)?,
        settings: settings(conn)?,
        oldest_due_job: moment(conn, &jobs)?,
        oldest_due_delivery: moment(conn, &deliveries)?,
        dead_jobs: count(
            conn,
            "SELECT count(*) AS number FROM jobs WHERE state = 'dead'",
        )?,
        disabled_endpoints: count(
            conn,
            "SELECT count(*) AS number FROM webhook_endpoints WHERE status = 'disabled'",
        )?,
        shared_names: shared_names(conn, now)?,
        key_opens: key_opens(conn, key)?,
        schema_version,
    })
}

/// Those of nodes that were heard of lately.
fn shared_names(conn: &mut AnyConnection, now: Timestamp) -> Result<Vec<String>, StoreError> {
    let lately = now.minus(Node::SILENCE);
    let statement = format!(
        "SELECT name AS text FROM nodes WHERE name IS NOT NULL AND state = 'serving' AND seen_at >= '{lately}' \
         GROUP BY name HAVING count(*) > 1 ORDER BY name"
    );
    let rows = load::<DiagnosisText>(conn, statement)?;
    Ok(rows.into_iter().filter_map(|row| row.text).collect())
}

fn product(conn: &mut AnyConnection) -> Result<String, StoreError> {
    let version = match conn {
        AnyConnection::Postgres(_) => {
            "SELECT 'PostgreSQL ' || current_setting('server_version') AS text"
        }
        AnyConnection::Sqlite(_) => "SELECT 'SQLite ' || sqlite_version() AS text",
    };
    Ok(text(conn, version)?.unwrap_or_default())
}

fn clock(conn: &mut AnyConnection) -> Result<Option<Timestamp>, StoreError> {
    match conn {
        AnyConnection::Postgres(_) => moment(conn, "SELECT $(clock_timestamp()) AS text"),
        AnyConnection::Sqlite(_) => Ok(None),
    }
}

fn settings(conn: &mut AnyConnection) -> Result<Vec<DatabaseSetting>, StoreError> {
    let mut found = Vec::new();
    if matches!(conn, AnyConnection::Postgres(_)) {
        for name in [
            "fsync",
            "full_page_writes",
            "max_connections",
            "data_checksums",
        ] {
            let asked = format!("SELECT current_setting('{name}') AS text");
            found.push((name.to_owned(), text(conn, &asked)?.unwrap_or_default()));
        }
    }
    Ok(found)
}

/// The one moment that a statement selects as `$(…)`, in the spelling that both databases can be read in.
fn moment(conn: &mut AnyConnection, statement: &str) -> Result<Option<Timestamp>, StoreError> {
    let statement = match (&*conn, statement.split_once("$(")) {
        (AnyConnection::Postgres(_), Some((before, after))) => {
            let spelled = after.replacen(
                ") AS text",
                " AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') AS text",
                1,
            );
            format!("{before}to_char({spelled}")
        }
        (AnyConnection::Sqlite(_), Some((before, after))) => format!("{before}({after}"),
        (_, None) => statement.to_owned(),
    };
    let said = text(conn, &statement)?;
    Ok(said.and_then(|text| Timestamp::parse(&text).ok()))
}

fn text(conn: &mut AnyConnection, statement: &str) -> Result<Option<String>, StoreError> {
    let rows = load::<DiagnosisText>(conn, statement.to_owned())?;
    Ok(rows.into_iter().next().and_then(|row| row.text))
}

fn count(conn: &mut AnyConnection, statement: &str) -> Result<i64, StoreError> {
    let rows = load::<DiagnosisCount>(conn, statement.to_owned())?;
    Ok(rows.first().map_or(0, |row| row.number))
}

/// Whether a key opens the first thing that is sealed.
fn key_opens(
    conn: &mut AnyConnection,
    key: Option<&MasterKey>,
) -> Result<Option<bool>, StoreError> {
    let sealed = text(conn, SEALED)?;
    Ok(sealed.map(|sealed| key.is_some_and(|key| Vault::new(key).open(&sealed).is_ok())))
}

/// One of the things that are sealed.
pub const SEALED: &str = "SELECT sealed AS text FROM service_secrets \
                          UNION ALL SELECT secret AS text FROM webhook_endpoints \
                          UNION ALL SELECT reply AS text FROM idempotency_replies LIMIT 1";

/// Whether a key opens what the database of a file keeps sealed.
///
/// # Errors
/// If it cannot be read.
pub fn opens(conn: &mut SqliteConnection, key: &MasterKey) -> Result<Option<bool>, StoreError> {
    let rows = sql_query(SEALED)
        .load::<DiagnosisText>(conn)
        .map_err(store_error)?;
    let sealed = rows.into_iter().next().and_then(|row| row.text);
    Ok(sealed.map(|sealed| Vault::new(key).open(&sealed).is_ok()))
}
