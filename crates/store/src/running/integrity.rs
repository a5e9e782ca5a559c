//! Whether the pages of a SQLite file are what was written: a disk that loses a byte says nothing by itself.
//!
//! PostgreSQL looks at its pages itself, where its data was made with checksums (`initdb --data-checksums`).

use std::time::{Duration, Instant};

use diesel::sql_types::Text;
use diesel::{SqliteConnection, sql_query};

use crate::database::sqlite;
use crate::prelude::*;
use crate::url::DatabaseUrl;

/// Most faults that are told.
const FAULTS: usize = 5;

#[derive(QueryableByName)]
struct Name {
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct IntegrityLine {
    #[diesel(sql_type = Text)]
    quick_check: String,
}

/// How far a bounded look came.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Looked {
    /// What is wrong; nothing where nothing is.
    pub faults: Vec<String>,
    /// How many tables were looked at.
    pub tables: usize,
    /// Where the next look goes on; at the beginning when absent.
    pub next: Option<String>,
}

/// Looks at every page of the database; what is wrong with it. Nothing is, as far as we can tell, where it is not a
/// SQLite file.
///
/// # Errors
/// If it cannot be opened.
pub fn quick_check(url: &DatabaseUrl) -> Result<Vec<String>, StoreError> {
    let Some(mut connection) = connect(url)? else {
        return Ok(Vec::new());
    };
    Ok(said(
        &mut connection,
        format!("PRAGMA quick_check({FAULTS})"),
    ))
}

/// Looks at one table after the other, each in a transaction of its own so that the log beside the file can be taken in
/// between, with a rest after each as long as it took; `next` is where the look before ended, and no table is begun
/// after `budget`.
///
/// # Errors
/// If it cannot be opened.
pub fn look(
    url: &DatabaseUrl,
    next: Option<String>,
    budget: Duration,
    rest: &mut dyn FnMut(Duration) -> bool,
) -> Result<Looked, StoreError> {
    let Some(mut connection) = connect(url)? else {
        return Ok(Looked::default());
    };
    let began = Instant::now();
    let tables = match tables(&mut connection) {
        Ok(tables) => tables,
        // The first page is the one that says which tables there are.
        Err(error) => {
            return Ok(Looked {
                faults: vec![error.to_string()],
                ..Looked::default()
            });
        }
    };
    let mut looked = Looked::default();
    let from = next.unwrap_or_default();
    for table in tables.into_iter().filter(|table| *table >= from) {
        if looked.tables > 0 && began.elapsed() >= budget {
            looked.next = Some(table);
            return Ok(looked);
        }
        let since = Instant::now();
        let asked = format!("PRAGMA quick_check('{}')", table.replace('\'', "''"));
        let found = said(&mut connection, asked);
        looked.faults.extend(found.into_iter().take(FAULTS));
        looked.tables += 1;
        if !rest(since.elapsed()) {
            looked.next = Some(table);
            return Ok(looked);
        }
    }
    Ok(looked)
}

/// A connection of its own that only reads.
fn connect(url: &DatabaseUrl) -> Result<Option<SqliteConnection>, StoreError> {
    let DatabaseUrl::Sqlite(path) = url else {
        return Ok(None);
    };
    let opened = sqlite::connect(path, true);
    let opened = opened.map_err(|error| StoreError::Unavailable(Box::new(error)))?;
    Ok(Some(opened))
}

fn tables(connection: &mut SqliteConnection) -> Result<Vec<String>, StoreError> {
    let asked = "SELECT name FROM sqlite_schema WHERE type = 'table' \
                 UNION SELECT 'sqlite_schema' ORDER BY name";
    let found = sql_query(asked).load::<Name>(connection);
    let found = found.map_err(store_error)?;
    Ok(found.into_iter().map(|row| row.name).collect())
}

/// What a check says is wrong; that it cannot be made is a fault too, because what it reads is there.
fn said(connection: &mut SqliteConnection, check: String) -> Vec<String> {
    match sql_query(check).load::<IntegrityLine>(connection) {
        Ok(said) => {
            let said = said.into_iter().map(|row| row.quick_check);
            said.filter(|says| says != "ok").collect()
        }
        Err(error) => vec![error.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::{Seek, SeekFrom, Write};
    use std::path::Path;

    use diesel::connection::SimpleConnection;

    use super::*;

    /// A file of three tables with a few pages each, closed.
    fn database(folder: &Path) -> DatabaseUrl {
        let path = folder.join("lyceum.db");
        let mut connection = sqlite::connect(&path, false).unwrap();
        for table in ["first", "second", "third"] {
            let made = format!(
                "CREATE TABLE {table} (id INTEGER PRIMARY KEY, text TEXT NOT NULL); \
                 WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) \
                 INSERT INTO {table} SELECT i, 'row ' || i || hex(randomblob(40)) FROM n; \
                 PRAGMA wal_checkpoint(TRUNCATE);"
            );
            connection.batch_execute(&made).unwrap();
        }
        DatabaseUrl::Sqlite(path)
    }

    fn damage(url: &DatabaseUrl, page: u64) {
        let DatabaseUrl::Sqlite(path) = url else {
            unreachable!()
        };
        let mut file = OpenOptions::new().write(true).open(path).unwrap();
        file.seek(SeekFrom::Start(page * 4_096)).unwrap();
        file.write_all(&[0x5a; 64]).unwrap();
        file.sync_all().unwrap();
    }

    #[test]
    fn a_damaged_page_is_found_by_the_whole_look_and_by_the_bounded_one() {
        let folder = tempfile::tempdir().unwrap();
        let url = database(folder.path());
        assert_eq!(quick_check(&url).unwrap(), Vec::<String>::new());
        let whole = look(&url, None, Duration::MAX, &mut |_| true).unwrap();
        assert_eq!((whole.faults.len(), whole.tables, whole.next), (0, 4, None));
        damage(&url, 20);
        assert!(!quick_check(&url).unwrap().is_empty());
        let found = look(&url, None, Duration::MAX, &mut |_| true).unwrap();
        assert!(!found.faults.is_empty());
    }

    #[test]
    fn a_look_without_time_goes_on_at_the_next_table_and_comes_round() {
        let folder = tempfile::tempdir().unwrap();
        let url = database(folder.path());
        let (mut next, mut seen) = (None, 0);
        for _ in 0..4 {
            let looked = look(&url, next, Duration::ZERO, &mut |_| true).unwrap();
            assert_eq!(looked.tables, 1);
            seen += looked.tables;
            next = looked.next;
        }
        assert_eq!((seen, next), (4, None));
        let stopped = look(&url, None, Duration::MAX, &mut |_| false).unwrap();
        assert_eq!(stopped.tables, 1);
        assert!(stopped.next.is_some(), "it goes on there");
    }

    #[test]
    fn a_file_whose_first_page_is_damaged_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let url = database(folder.path());
        damage(&url, 0);
        let told = look(&url, None, Duration::MAX, &mut |_| true);
        assert!(told.is_err() || told.is_ok_and(|looked| !looked.faults.is_empty()));
    }
}
