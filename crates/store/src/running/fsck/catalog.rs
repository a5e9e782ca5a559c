//! The database's own word: that its pages are whole, its references lead somewhere, and nobody switched the checks of
//! references off.

use diesel::sql_types::{BigInt, Nullable, Text};

use super::{Check, EXAMPLES, count, ids, load};
use crate::prelude::*;

const WHOLE: (&str, &str) = (
    "I13.damaged",
    "The database is whole, by its own check of itself.",
);
const DANGLING: (&str, &str) = (
    "I13.dangling_reference",
    "What a row refers to is there, in its own workspace.",
);
const UNCHECKED: (&str, &str) = (
    "I13.unchecked_reference",
    "The database checks every reference, of rows old and new.",
);

pub(super) fn checks(connection: &mut AnyConnection) -> Result<Vec<Check>, StoreError> {
    match connection {
        AnyConnection::Sqlite(_) => Ok(vec![damage(connection)?, dangling_in_sqlite(connection)?]),
        AnyConnection::Postgres(_) => Ok(vec![
            unchecked_in_postgres(connection)?,
            dangling_in_postgres(connection)?,
        ]),
    }
}

fn told((id, says): (&str, &str), found: Vec<String>) -> Check {
    Check {
        id: id.to_owned(),
        says: says.to_owned(),
        violations: u64::try_from(found.len()).unwrap_or(u64::MAX),
        examples: found.into_iter().take(EXAMPLES).collect(),
    }
}

#[derive(QueryableByName)]
struct Damage {
    #[diesel(sql_type = Text)]
    integrity_check: String,
}

fn damage(connection: &mut AnyConnection) -> Result<Check, StoreError> {
    let said = load::<Damage>(connection, "PRAGMA integrity_check".to_owned())?;
    let said = said.into_iter().map(|row| row.integrity_check);
    Ok(told(WHOLE, said.filter(|line| line != "ok").collect()))
}

#[derive(QueryableByName)]
struct Dangling {
    #[diesel(sql_type = Text)]
    table: String,
    #[diesel(sql_type = Nullable<Text>)]
    parent: Option<String>,
    #[diesel(sql_type = Nullable<BigInt>)]
    rowid: Option<i64>,
}

fn dangling_in_sqlite(connection: &mut AnyConnection) -> Result<Check, StoreError> {
    let found = load::<Dangling>(connection, "PRAGMA foreign_key_check".to_owned())?;
    let found = found.into_iter().map(|row| {
        let place = row.rowid.map(|rowid| format!(" row {rowid}"));
        let (place, parent) = (place.unwrap_or_default(), row.parent.unwrap_or_default());
        format!("{}{place}: no such row in {parent}", row.table)
    });
    Ok(told(DANGLING, found.collect()))
}

/// References that were added without looking at old rows, and triggers of references that were switched off.
fn unchecked_in_postgres(connection: &mut AnyConnection) -> Result<Check, StoreError> {
    let found = ids(
        connection,
        "SELECT conrelid::regclass::text || ' ' || conname AS id FROM pg_constraint \
         WHERE connamespace = current_schema()::regnamespace AND NOT convalidated \
         UNION ALL SELECT DISTINCT t.tgrelid::regclass::text || ' (references are not checked)' FROM pg_trigger t \
         JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace = current_schema()::regnamespace \
         AND t.tgisinternal AND t.tgenabled = 'D'"
            .to_owned(),
    )?;
    Ok(told(UNCHECKED, found))
}

/// What SQLite has a pragma for: for each reference a statement, written by the database from its own catalogue.
fn dangling_in_postgres(connection: &mut AnyConnection) -> Result<Check, StoreError> {
    let statements = ids(
        connection,
        "SELECT format('SELECT %L AS id FROM %s c WHERE %s AND NOT EXISTS (SELECT 1 FROM %s p WHERE %s)', \
         conrelid::regclass::text || ': no such row in ' || confrelid::regclass::text, conrelid::regclass, \
         string_agg(format('c.%I IS NOT NULL', child.attname), ' AND '), confrelid::regclass, \
         string_agg(format('p.%I = c.%I', parent.attname, child.attname), ' AND ')) AS id \
         FROM pg_constraint, LATERAL unnest(conkey, confkey) AS pair(child, parent) \
         JOIN pg_attribute child ON child.attnum = pair.child \
         JOIN pg_attribute parent ON parent.attnum = pair.parent \
         WHERE contype = 'f' AND connamespace = current_schema()::regnamespace \
         AND child.attrelid = conrelid AND parent.attrelid = confrelid \
         GROUP BY pg_constraint.oid, conrelid, confrelid"
            .to_owned(),
    )?;
    let mut check = told(DANGLING, Vec::new());
    for statement in statements {
        let found = count(connection, &statement)?;
        if found == 0 {
            continue;
        }
        check.violations = check.violations.saturating_add(found);
        if check.examples.len() < EXAMPLES {
            let one = format!("SELECT id FROM ({statement}) AS found LIMIT 1");
            check.examples.extend(ids(connection, one)?);
        }
    }
    Ok(check)
}
