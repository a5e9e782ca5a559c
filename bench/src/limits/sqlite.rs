//! Raw SQLite: one thread, prepared statements, the same rows into the same tables, nothing else.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::Reached;
use super::row_set::{Fresh, TableRow, key, later_id};
use crate::cpu;
use crate::figures::{millis, number, percentile};

type Row = TableRow<Value>;

/// Puts what is still in the log of a database into its file; nobody else has it open.
pub fn put_into_one_file(file: &Path) -> anyhow::Result<()> {
    let connection = Connection::open(file)?;
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    Ok(())
}

/// How many courses a database has that a server may be at work on.
///
/// # Errors
/// Those of SQLite.
pub fn courses(file: &Path) -> anyhow::Result<u64> {
    let counted: i64 =
        reading(file)?.query_row("SELECT count(*) FROM courses", [], |row| row.get(0))?;
    Ok(counted.try_into()?)
}

/// How many rows each table has.
#[derive(Debug)]
pub struct Counts(Vec<(String, i64)>);

/// Counts the rows of a database that a server may be at work on.
pub fn counts(file: &Path) -> anyhow::Result<Counts> {
    let connection = reading(file)?;
    let mut tables =
        connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")?;
    let names = tables.query_map([], |row| row.get(0))?;
    let counted = names.map(|name| {
        let name: String = name?;
        let count =
            connection.query_row(&format!("SELECT count(*) FROM \"{name}\""), [], |row| {
                row.get(0)
            })?;
        Ok((name, count))
    });
    let counted: rusqlite::Result<_> = counted.collect();
    Ok(Counts(counted?))
}

/// The rows that are new since then: the newest of each table that grew.
///
/// # Errors
/// Those of SQLite; if nothing is new.
pub fn written_since(file: &Path, before: &Counts) -> anyhow::Result<Vec<Row>> {
    let connection = reading(file)?;
    let mut rows = Vec::new();
    for ((table, was), (_, is)) in before.0.iter().zip(counts(file)?.0) {
        rows.extend(newest(&connection, table, is - was)?);
    }
    if rows.is_empty() {
        bail!("nothing was written");
    }
    Ok(rows)
}

fn newest(connection: &Connection, table: &str, count: i64) -> rusqlite::Result<Vec<Row>> {
    if count <= 0 {
        return Ok(Vec::new());
    }
    let asked = format!("SELECT * FROM \"{table}\" ORDER BY created_at DESC LIMIT {count}");
    let mut asked = connection.prepare(&asked)?;
    let names: Vec<String> = asked
        .column_names()
        .into_iter()
        .map(str::to_owned)
        .collect();
    let rows = asked.query_map([], |row| {
        let values = names
            .iter()
            .enumerate()
            .map(|(at, name)| Ok((name.clone(), row.get(at)?)));
        Ok(Row {
            table: table.to_owned(),
            columns: values.collect::<rusqlite::Result<_>>()?,
        })
    })?;
    rows.collect()
}

fn reading(file: &Path) -> anyhow::Result<Connection> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    Ok(connection)
}

/// What writing came to.
#[derive(Debug, Clone, Copy)]
pub struct Written {
    /// Row sets per second, and what each took of the processor.
    pub reached: Reached,
    /// Milliseconds that half of the commits took.
    pub p50: f64,
}

/// One thread that writes.
#[derive(Debug)]
pub struct RawSqlite {
    connection: Connection,
    rows: Vec<Row>,
    inserts: Vec<String>,
    written: u64,
}

impl RawSqlite {
    /// Writes rows like these into a copy of the server's database, with its pragmas.
    pub fn open(copy: &Path, rows: Vec<Row>) -> anyhow::Result<Self> {
        let connection = Connection::open(copy).context("could not open the copy")?;
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
             PRAGMA journal_size_limit = 67108864;",
        )?;
        let inserts = rows.iter().map(insert).collect();
        Ok(Self {
            connection,
            rows,
            inserts,
            written: 0,
        })
    }

    /// Writes for so long, so many row sets in one transaction.
    pub fn write(&mut self, duration: Duration, per_commit: u64) -> anyhow::Result<Written> {
        let mut commits = Vec::new();
        let before = self.written;
        let cpu = cpu::of_this_thread()?;
        let since = Instant::now();
        while since.elapsed() < duration {
            let start = Instant::now();
            self.commit(per_commit)?;
            commits.push(millis(start.elapsed()));
        }
        let seconds = since.elapsed().as_secs_f64();
        let written = number(self.written - before);
        Ok(Written {
            reached: Reached {
                rate: written / seconds,
                cpu: (cpu::of_this_thread()? - cpu) * 1_000_000.0 / written,
            },
            p50: percentile(&commits, 0.5).context("nothing was written")?,
        })
    }

    fn commit(&mut self, row_sets: u64) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached("BEGIN IMMEDIATE")?
            .execute([])?;
        for _ in 0..row_sets {
            self.written += 1;
            for (row, insert) in self.rows.iter().zip(&self.inserts) {
                let values = row
                    .columns
                    .iter()
                    .map(|(name, value)| fresh(name, value, self.written));
                self.connection
                    .prepare_cached(insert)?
                    .execute(params_from_iter(values))?;
            }
        }
        self.connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    }
}

fn insert(row: &Row) -> String {
    let names: Vec<&str> = row.columns.iter().map(|(name, _)| name.as_str()).collect();
    let places = vec!["?"; names.len()].join(", ");
    format!(
        "INSERT INTO \"{}\" ({}) VALUES ({places})",
        row.table,
        names.join(", ")
    )
}

fn fresh(column: &str, value: &Value, n: u64) -> Value {
    match (Fresh::of(column), value) {
        (Fresh::Id, Value::Text(id)) => Value::Text(later_id(id, n)),
        (Fresh::Key, Value::Text(_)) => Value::Text(key(n)),
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: &str = "CREATE TABLE things (id TEXT PRIMARY KEY, name TEXT, created_at TEXT); \
        CREATE TABLE keys (key TEXT PRIMARY KEY, created_at TEXT);";

    #[test]
    fn what_was_written_once_is_written_again_and_again() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("a.db");
        let connection = Connection::open(&file).unwrap();
        connection.execute_batch(TABLES).unwrap();
        let before = counts(&file).unwrap();
        assert!(written_since(&file, &before).is_err());
        let written = "INSERT INTO things VALUES ('crs_01kc5q3f2he8x8pzv3bqa4m9wd', 'a', '1');";
        connection.execute_batch(written).unwrap();
        let rows = written_since(&file, &before).unwrap();
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].table, "things");
        let mut raw = RawSqlite::open(&file, rows).unwrap();
        let told = raw.write(Duration::from_millis(20), 3).unwrap();
        assert!(told.reached.rate > 0.0 && told.p50 > 0.0);
        let count: i64 = connection
            .query_row("SELECT count(*) FROM things WHERE name = 'a'", [], |row| {
                row.get(0)
            })
            .unwrap();
        assert_eq!(u64::try_from(count).unwrap(), raw.written + 1);
    }
}
