//! Another master key: everything that is sealed is sealed anew; and the secrets that the service made for itself, which
//! stay what they are.

use std::ops::ControlFlow;

use diesel::connection::SimpleConnection;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text};
use lyceum_domain::hex;

use crate::database::statements::load;
use crate::database::{postgres, sqlite};
use crate::mapping::vault::{MasterKey, Vault};
use crate::prelude::*;
use crate::url::DatabaseUrl;

/// How many rows are sealed anew in one transaction.
const AT_ONCE: usize = 200;

/// A column of sealed texts: how some of them are found that begin with another prefix (`$1`), and how one is changed,
/// by the three parts of its key and by what it was.
struct SealedColumn {
    find: &'static str,
    change: &'static str,
}

const COLUMNS: [SealedColumn; 6] = [
    SealedColumn {
        find: "SELECT name AS a, '' AS b, '' AS c, sealed FROM service_secrets WHERE sealed NOT LIKE '$prefix%'",
        change: "UPDATE service_secrets SET sealed = $1 WHERE name = $2 AND $3 = '' AND $4 = '' AND sealed = $5",
    },
    SealedColumn {
        find: "SELECT workspace_id AS a, id AS b, '' AS c, secret AS sealed FROM webhook_endpoints \
               WHERE secret NOT LIKE '$prefix%'",
        change: "UPDATE webhook_endpoints SET secret = $1 \
                 WHERE workspace_id = $2 AND id = $3 AND $4 = '' AND secret = $5",
    },
    SealedColumn {
        find: "SELECT workspace_id AS a, id AS b, '' AS c, previous_secret AS sealed FROM webhook_endpoints \
               WHERE previous_secret NOT LIKE '$prefix%'",
        change: "UPDATE webhook_endpoints SET previous_secret = $1 \
                 WHERE workspace_id = $2 AND id = $3 AND $4 = '' AND previous_secret = $5",
    },
    SealedColumn {
        find: "SELECT workspace_id AS a, id AS b, '' AS c, client_secret AS sealed FROM sso_connections \
               WHERE client_secret NOT LIKE '$prefix%'",
        change: "UPDATE sso_connections SET client_secret = $1 \
                 WHERE workspace_id = $2 AND id = $3 AND $4 = '' AND client_secret = $5",
    },
    SealedColumn {
        find: "SELECT person_id AS a, workspace_id AS b, key AS c, reply AS sealed FROM idempotency_replies \
               WHERE reply NOT LIKE '$prefix%'",
        change: "UPDATE idempotency_replies SET reply = $1 \
                 WHERE person_id = $2 AND workspace_id = $3 AND key = $4 AND reply = $5",
    },
    SealedColumn {
        find: "SELECT id AS a, '' AS b, '' AS c, content AS sealed FROM mails WHERE content NOT LIKE '$prefix%'",
        change: "UPDATE mails SET content = $1 WHERE id = $2 AND $3 = '' AND $4 = '' AND content = $5",
    },
];

#[derive(QueryableByName)]
struct SealedRow {
    #[diesel(sql_type = Text)]
    a: String,
    #[diesel(sql_type = Text)]
    b: String,
    #[diesel(sql_type = Text)]
    c: String,
    #[diesel(sql_type = Text)]
    sealed: String,
}

#[derive(QueryableByName)]
struct SealedCount {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

#[derive(QueryableByName)]
struct Secret {
    #[diesel(sql_type = Text)]
    sealed: String,
}

/// A secret that the service keeps for itself, by its name; the first time it is asked for it is `initial`.
///
/// # Errors
/// If the database cannot be reached, or the master key does not open it.
pub fn service_secret(
    url: &DatabaseUrl,
    key: &MasterKey,
    name: &str,
    initial: [u8; 32],
) -> Result<[u8; 32], StoreError> {
    let vault = Vault::new(key);
    let conn = &mut connect(url)?;
    // Of several nodes that start together, one is first.
    let first = sql_query(
        "INSERT INTO service_secrets (name, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    )
    .bind::<Text, _>(name)
    .bind::<Text, _>(vault.seal(&hex::lower(&initial))?);
    match conn {
        AnyConnection::Postgres(conn) => first.execute(conn),
        AnyConnection::Sqlite(conn) => first.execute(conn),
    }
    .map_err(store_error)?;
    let kept =
        sql_query("SELECT sealed FROM service_secrets WHERE name = $1").bind::<Text, _>(name);
    let kept: Secret = match conn {
        AnyConnection::Postgres(conn) => kept.get_result(conn),
        AnyConnection::Sqlite(conn) => kept.get_result(conn),
    }
    .map_err(store_error)?;
    bytes_of(&vault.open(&kept.sealed)?)
}

/// The same, if it was asked for before.
///
/// # Errors
/// Those of [`service_secret`].
pub fn known_secret(
    url: &DatabaseUrl,
    key: &MasterKey,
    name: &str,
) -> Result<Option<[u8; 32]>, StoreError> {
    let conn = &mut connect(url)?;
    let kept =
        sql_query("SELECT sealed FROM service_secrets WHERE name = $1").bind::<Text, _>(name);
    let kept: Option<Secret> = match conn {
        AnyConnection::Postgres(conn) => kept.get_result(conn),
        AnyConnection::Sqlite(conn) => kept.get_result(conn),
    }
    .optional()
    .map_err(store_error)?;
    let opened = kept.map(|kept| bytes_of(&Vault::new(key).open(&kept.sealed)?));
    opened.transpose()
}

fn bytes_of(digits: &str) -> Result<[u8; 32], StoreError> {
    let mut bytes = [0_u8; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks(2)) {
        let pair = std::str::from_utf8(pair).map_err(corrupt)?;
        *byte = u8::from_str_radix(pair, 16).map_err(corrupt)?;
    }
    Ok(bytes)
}

/// How many texts there are that the current key has not sealed.
///
/// # Errors
/// If the database cannot be reached.
pub fn to_reseal(url: &DatabaseUrl, key: &MasterKey) -> Result<u64, StoreError> {
    let vault = Vault::new(key);
    let mut conn = connect(url)?;
    let mut all = 0;
    for column in &COLUMNS {
        let find = column.find.replace("$prefix", &vault.prefix());
        let counted = format!("SELECT count(*) AS number FROM ({find}) AS found");
        let counted = load::<SealedCount>(&mut conn, counted)?;
        all += counted.iter().map(|row| row.number).sum::<i64>();
    }
    u64::try_from(all).map_err(corrupt)
}

/// Seals everything anew that the current key has not sealed; how many texts that were. After each transaction it tells
/// `told` how many more they are, and stops there if that says so. It may be cut off and run again.
///
/// # Errors
/// If the database cannot be reached, or something is sealed that no key opens.
pub fn reseal(
    url: &DatabaseUrl,
    key: &MasterKey,
    told: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<u64, StoreError> {
    let vault = Vault::new(key);
    let mut conn = connect(url)?;
    let mut done = 0;
    for column in &COLUMNS {
        loop {
            let some = reseal_some(&mut conn, column, &vault)?;
            done += some;
            if told(some).is_break() {
                return Ok(done);
            }
            if some == 0 {
                break;
            }
        }
    }
    Ok(done)
}

fn reseal_some(
    conn: &mut AnyConnection,
    column: &SealedColumn,
    vault: &Vault,
) -> Result<u64, StoreError> {
    let begin = match conn {
        AnyConnection::Postgres(_) => "BEGIN",
        AnyConnection::Sqlite(_) => "BEGIN IMMEDIATE",
    };
    conn.batch_execute(begin).map_err(store_error)?;
    let find = column.find.replace("$prefix", &vault.prefix());
    let rows = load::<SealedRow>(conn, format!("{find} LIMIT {AT_ONCE}"))?;
    let mut done = 0;
    for row in &rows {
        let anew = vault.seal(&vault.open(&row.sealed)?)?;
        let change = sql_query(column.change)
            .bind::<Text, _>(anew)
            .bind::<Text, _>(&row.a)
            .bind::<Text, _>(&row.b)
            .bind::<Text, _>(&row.c)
            .bind::<Text, _>(&row.sealed);
        match conn {
            AnyConnection::Postgres(conn) => change.execute(conn),
            AnyConnection::Sqlite(conn) => change.execute(conn),
        }
        .map_err(store_error)?;
        done += 1;
    }
    conn.batch_execute("COMMIT").map_err(store_error)?;
    Ok(done)
}

fn connect(url: &DatabaseUrl) -> Result<AnyConnection, StoreError> {
    let opened = match url {
        DatabaseUrl::Sqlite(path) => sqlite::connect(path, false).map(AnyConnection::Sqlite),
        DatabaseUrl::Postgres(url) => {
            postgres::connect(url).map(|connection| AnyConnection::Postgres(connection.into()))
        }
    };
    opened.map_err(|error| StoreError::Unavailable(Box::new(error)))
}
