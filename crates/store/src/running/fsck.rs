//! Whether what is stored keeps every promise: the invariants, one SQL statement each, over one snapshot.
//!
//! A statement finds what breaks the rule; a school without faults gives no row. Nothing is changed here, and nothing
//! is mended: that is for a person who has read what was found. What happened inside one transaction is held to
//! account exactly; what a running service does in its own time (old events swept, endpoints changed) is left out
//! rather than reported wrongly.

mod catalog;
mod certificates;
mod grades;
mod jobs;
mod references;
mod telling;
mod tokens;
mod trash;

use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::sql_types::{BigInt, Text};
use lyceum_ports::store::Tx;
use thiserror::Error;

use crate::database::statements::load;
use crate::database::{postgres, sqlite};
use crate::mapping::vault::{MasterKey, Vault};
use crate::prelude::*;
use crate::upkeep::schema_version::{self, SchemaVersion};
use crate::url::DatabaseUrl;

/// Most examples that a check names.
const EXAMPLES: usize = 5;
/// How long after its lease ran out a job should have been taken up again.
const LEASE_GRACE: Duration = Duration::from_mins(2);
/// Transactions that began before this may not have been committed in the order of their moments.
const IN_FLIGHT: Duration = Duration::from_mins(1);
/// What is younger has not been swept: deliveries and what they tell are kept for 30 days.
const UNSWEPT: Duration = Duration::from_hours(29 * 24);
/// The same for one-time tokens and finished jobs.
const UNSWEPT_DAY: Duration = Duration::from_hours(24);

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Such as `I6.pending_without_job`.
    pub id: String,
    /// The rule, in a sentence.
    pub says: String,
    /// How often it is broken.
    pub violations: u64,
    /// Ids of some that break it.
    pub examples: Vec<String>,
}

/// A file that a row says is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedFile {
    /// What it is known by.
    pub id: String,
    /// SHA-256 of its bytes as the row has it, lower-case hex; empty where it has none.
    pub sha256: String,
}

/// Files that rows say are there, by what they are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WantedFiles {
    /// Packages (`scp_…`) that carry the archives of those that can be downloaded.
    pub archives: Vec<WantedFile>,
    /// Names of recordings.
    pub recordings: Vec<WantedFile>,
    /// Keys of the media library's files.
    pub media: Vec<WantedFile>,
}

/// Everything that the database alone can tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    /// Every check, whether it found something or not.
    pub checks: Vec<Check>,
    /// What must be in the file storage.
    pub files: WantedFiles,
}

/// Why nothing could be checked.
#[derive(Debug, Error)]
pub enum FsckError {
    /// There is no such file, and a check makes none.
    #[error("there is no database {}", .0.display())]
    NoDatabase(std::path::PathBuf),
    /// The database could not be reached.
    #[error("could not connect to the database")]
    Connect(#[source] diesel::ConnectionError),
    /// Its tables are those of another version.
    #[error(
        "the database has the tables of version {found}, this program those of version {built}: check it with the \
         program that serves it"
    )]
    OtherVersion {
        /// What the database has.
        found: SchemaVersion,
        /// What this build makes.
        built: SchemaVersion,
    },
    /// A statement failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What is checked, and when.
#[derive(Debug, Clone, Copy)]
pub struct FsckScope {
    /// The moment of the check.
    pub now: Timestamp,
    /// Whether a service is running, so that what is due is being done.
    pub is_running: bool,
}

/// What looks at the same snapshot for what no SQL can say.
pub type Look<'a> = dyn FnMut(&mut dyn Tx) -> Result<Vec<Check>, StoreError> + 'a;

/// A rule, and what breaks it.
pub(crate) struct Invariant {
    /// The number in the design, a dot, and what breaks it in a few words.
    id: &'static str,
    says: &'static str,
    /// Selects `id` of what breaks it.
    found: Sql,
    /// Whether it only holds while somebody works.
    while_running: bool,
}

/// A statement, where `$now`, `$lease`, `$settled`, `$unswept` and `$day` stand for moments.
pub(crate) enum Sql {
    /// Understood by both.
    Both(&'static str),
    /// Documents are taken apart differently.
    Each {
        sqlite: &'static str,
        postgres: &'static str,
    },
}

impl Invariant {
    const fn always(id: &'static str, says: &'static str, found: Sql) -> Self {
        Self {
            id,
            says,
            found,
            while_running: false,
        }
    }

    const fn while_running(id: &'static str, says: &'static str, found: Sql) -> Self {
        Self {
            while_running: true,
            ..Self::always(id, says, found)
        }
    }
}

/// Checks every rule on one snapshot of the database, which may be in use, and lets `also` look at the same snapshot
/// for what no SQL can say. Before each rule, `told` is told how many have been checked, and of how many.
///
/// # Errors
/// [`FsckError`]; a broken rule is none.
pub fn fsck(
    url: &DatabaseUrl,
    scope: FsckScope,
    told: &mut dyn FnMut(usize, usize),
    also: &mut Look<'_>,
) -> Result<Findings, FsckError> {
    let mut connection = connect(url)?;
    refuse_other_version(&mut connection)?;
    let begin = match connection {
        AnyConnection::Postgres(_) => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        AnyConnection::Sqlite(_) => "BEGIN",
    };
    connection.batch_execute(begin).map_err(store_error)?;
    let holds_now = |one: &&Invariant| scope.is_running || !one.while_running;
    let invariants: Vec<&Invariant> = every_invariant().filter(holds_now).collect();
    let mut checks = Vec::new();
    for invariant in &invariants {
        told(checks.len(), invariants.len());
        checks.push(check(&mut connection, invariant, scope.now)?);
    }
    told(checks.len(), invariants.len());
    checks.extend(catalog::checks(&mut connection)?);
    checks.extend(look(&mut connection, also)?);
    let files = wanted_files(&mut connection)?;
    Ok(Findings { checks, files })
}

/// What must be in the file storage by now, for a second look at what seemed to be missing.
pub fn files_wanted(url: &DatabaseUrl) -> Result<WantedFiles, FsckError> {
    Ok(wanted_files(&mut connect(url)?)?)
}

fn every_invariant() -> impl Iterator<Item = &'static Invariant> {
    [
        jobs::INVARIANTS,
        grades::INVARIANTS,
        telling::INVARIANTS,
        tokens::INVARIANTS,
        references::INVARIANTS,
        trash::INVARIANTS,
        certificates::INVARIANTS,
    ]
    .into_iter()
    .flatten()
}

pub(crate) fn connect(url: &DatabaseUrl) -> Result<AnyConnection, FsckError> {
    let opened = match url {
        DatabaseUrl::Sqlite(path) if !path.exists() => {
            return Err(FsckError::NoDatabase(path.clone()));
        }
        DatabaseUrl::Sqlite(path) => sqlite::connect(path, true).map(AnyConnection::Sqlite),
        DatabaseUrl::Postgres(url) => {
            postgres::connect(url).map(|connection| AnyConnection::Postgres(connection.into()))
        }
    };
    opened.map_err(FsckError::Connect)
}

fn refuse_other_version(connection: &mut AnyConnection) -> Result<(), FsckError> {
    let found = schema_version::of(connection)?;
    let built = schema_version::built();
    if found == built {
        return Ok(());
    }
    Err(FsckError::OtherVersion { found, built })
}

#[derive(QueryableByName)]
struct IdRow {
    #[diesel(sql_type = Text)]
    id: String,
}

#[derive(QueryableByName)]
struct CountRow {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

fn check(
    connection: &mut AnyConnection,
    invariant: &Invariant,
    now: Timestamp,
) -> Result<Check, StoreError> {
    let statement = match (&invariant.found, &*connection) {
        (Sql::Both(text), _)
        | (Sql::Each { sqlite: text, .. }, AnyConnection::Sqlite(_))
        | (Sql::Each { postgres: text, .. }, AnyConnection::Postgres(_)) => at(text, now),
    };
    let violations = count(connection, &statement)?;
    let mut examples = Vec::new();
    if violations > 0 {
        let some = format!("SELECT id FROM ({statement}) AS found ORDER BY id LIMIT {EXAMPLES}");
        examples = ids(connection, some)?;
    }
    Ok(Check {
        id: invariant.id.to_owned(),
        says: invariant.says.to_owned(),
        violations,
        examples,
    })
}

/// The statement with its moments, which both databases take as text.
fn at(statement: &str, now: Timestamp) -> String {
    let moments = [
        ("$now", now),
        ("$lease", now.minus(LEASE_GRACE)),
        ("$unswept", now.minus(UNSWEPT)),
        ("$day", now.minus(UNSWEPT_DAY)),
        ("$settled", now.minus(IN_FLIGHT)),
    ];
    moments
        .into_iter()
        .fold(statement.to_owned(), |text, (name, moment)| {
            text.replace(name, &format!("'{moment}'"))
        })
}

fn count(connection: &mut AnyConnection, statement: &str) -> Result<u64, StoreError> {
    let counting = format!("SELECT count(*) AS number FROM ({statement}) AS found");
    let counted = load::<CountRow>(connection, counting)?;
    let number = counted.first().map_or(0, |row| row.number);
    Ok(u64::try_from(number).unwrap_or_default())
}

fn ids(connection: &mut AnyConnection, statement: String) -> Result<Vec<String>, StoreError> {
    let found = load::<IdRow>(connection, statement)?;
    Ok(found.into_iter().map(|row| row.id).collect())
}

/// Lets the caller look at the same snapshot; nothing that is sealed can be opened there.
fn look(connection: &mut AnyConnection, also: &mut Look<'_>) -> Result<Vec<Check>, StoreError> {
    let vault = Vault::new(&MasterKey::from_bytes([0; 32]));
    also(&mut Session::new(connection, &vault))
}

/// Files of what is there, and of what may come back from the trash.
fn wanted_files(connection: &mut AnyConnection) -> Result<WantedFiles, StoreError> {
    let sha256 = match connection {
        AnyConnection::Postgres(_) => [
            "file->>'sha256'",
            "content->'audio'->>'sha256'",
            "(body->>'file')::jsonb->>'sha256'",
            "(body->>'content')::jsonb->'audio'->>'sha256'",
        ],
        AnyConnection::Sqlite(_) => [
            "json_extract(file, '$.sha256')",
            "json_extract(content, '$.audio.sha256')",
            "json_extract(json_extract(body, '$.file'), '$.sha256')",
            "json_extract(json_extract(body, '$.content'), '$.audio.sha256')",
        ],
    };
    let [archive, recording, archive_in_trash, recording_in_trash] = sha256;
    let is_ready = match connection {
        AnyConnection::Postgres(_) => "body->>'status' = 'ready'",
        AnyConnection::Sqlite(_) => "json_extract(body, '$.status') = 'ready'",
    };
    let archives = format!(
        "SELECT DISTINCT origin_id AS id, COALESCE({archive}, '') AS sha256 FROM scorm_packages \
         WHERE status = 'ready' AND origin_id IS NOT NULL \
         UNION SELECT DISTINCT file AS id, COALESCE({archive_in_trash}, '') AS sha256 FROM trash_rows \
         WHERE part = 'scorm_packages' AND file IS NOT NULL AND {is_ready}"
    );
    let recordings = format!(
        "SELECT DISTINCT recording AS id, COALESCE({recording}, '') AS sha256 FROM activities \
         WHERE recording IS NOT NULL \
         UNION SELECT DISTINCT file AS id, COALESCE({recording_in_trash}, '') AS sha256 FROM trash_rows \
         WHERE part = 'activities' AND file IS NOT NULL"
    );
    Ok(WantedFiles {
        archives: files(connection, archives)?,
        recordings: files(connection, recordings)?,
        media: files(connection, media_files_wanted(connection))?,
    })
}

/// Every file of the media library, also what lies in the trash, and uploads that are still to be looked at.
fn media_files_wanted(connection: &AnyConnection) -> String {
    let (number, sha256, there, in_trash, [waits, waited]) = match connection {
        AnyConnection::Postgres(_) => (
            "f.place - 1",
            "f.value->>'sha256'",
            "jsonb_array_elements(m.document->'state'->'files') WITH ORDINALITY AS f(value, place)",
            "jsonb_array_elements((m.body->>'document')::jsonb->'state'->'files') WITH ORDINALITY AS f(value, place)",
            [
                "m.document->'state'->>'status' = 'pending'",
                "(m.body->>'document')::jsonb->'state'->>'status' = 'pending'",
            ],
        ),
        AnyConnection::Sqlite(_) => (
            "f.key",
            "json_extract(f.value, '$.sha256')",
            "json_each(m.document, '$.state.files') AS f",
            "json_each(json_extract(m.body, '$.document'), '$.state.files') AS f",
            [
                "json_extract(m.document, '$.state.status') = 'pending'",
                "json_extract(json_extract(m.body, '$.document'), '$.state.status') = 'pending'",
            ],
        ),
    };
    let uploaded = match connection {
        AnyConnection::Postgres(_) => "m.body->>'sha256'",
        AnyConnection::Sqlite(_) => "json_extract(m.body, '$.sha256')",
    };
    format!(
        "SELECT 'media/' || m.id || '/' || ({number}) AS id, {sha256} AS sha256 FROM media_files AS m, {there} \
         UNION ALL SELECT 'media/' || m.id || '/' || ({number}) AS id, {sha256} AS sha256 \
         FROM trash_rows AS m, {in_trash} WHERE m.part = 'media_files' \
         UNION ALL SELECT 'media/' || m.id || '/upload' AS id, m.sha256 AS sha256 FROM media_files AS m \
         WHERE {waits} \
         UNION ALL SELECT 'media/' || m.id || '/upload' AS id, {uploaded} AS sha256 FROM trash_rows AS m \
         WHERE m.part = 'media_files' AND {waited}"
    )
}

#[derive(QueryableByName)]
struct FoundFile {
    #[diesel(sql_type = Text)]
    id: String,
    #[diesel(sql_type = Text)]
    sha256: String,
}

fn files(connection: &mut AnyConnection, statement: String) -> Result<Vec<WantedFile>, StoreError> {
    let found = load::<FoundFile>(connection, statement)?.into_iter();
    Ok(found
        .map(|FoundFile { id, sha256 }| WantedFile { id, sha256 })
        .collect())
}
