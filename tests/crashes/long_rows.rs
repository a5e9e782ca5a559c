//! A database whose long rows lie in the trees of their keys, brought up to date: wherever it stops, nothing is lost.

use std::fmt::Write;

use lyceum_domain::grading::receipts::Kept;
use lyceum_ports::store::{StoreError, Tx};
use lyceum_store::database::failpoints::Points;
use lyceum_store::{DatabaseUrl, MasterKey, OpenError, StoreSettings};
use support::fakes::id;
use support::stores::{Database, TestStore};
use support::tampering::tamper;
use support::{sample_content as content, sample_people as people};
use tempfile::TempDir;

use crate::folder::{assert_whole, count};

/// In the order in which they are copied.
const TABLES: [&str; 7] = [
    "lessons",
    "activities",
    "tutor_turns",
    "submissions",
    "grades",
    "idempotency_replies",
    "events",
];
/// More than two portions.
const REPLIES: i64 = 250_001;

/// Opens a database and closes it, so that nobody holds the file who is on their way out.
async fn open(url: &str) -> Result<(), OpenError> {
    let store = lyceum_store::open(StoreSettings {
        url: DatabaseUrl::parse(url).unwrap(),
        pooler: None,
        replica: None,
        master_key: MasterKey::from_bytes([7; 32]),
        connections: 2,
    })?;
    store.close().await;
    Ok(())
}

fn fill(tx: &mut dyn Tx) -> Result<(), StoreError> {
    content::put_submissions(tx)?;
    for n in [1, 2] {
        tx.units().insert(&content::unit(id(n), n))?;
        tx.lessons().insert(&content::lesson(id(n), n))?;
        tx.activities().insert(&content::activity(id(n), n))?;
        tx.grades()
            .append(&content::grade(id(n), n), &Kept::default())?;
        tx.events().append(&people::event(id(n), n))?;
    }
    Ok(())
}

/// A database that has everything but the copies, and rows in each table.
async fn before(folder: &TempDir) -> String {
    let filled = TestStore::open(Database::Sqlite);
    filled.write(fill).await.unwrap();
    filled.store.close().await;
    let url = format!("sqlite://{}/lyceum.db", folder.path().display());
    let points = Points::on("migration.copied", "return");
    open(&url).await.unwrap_err();
    drop(points);
    let from = filled.url.trim_start_matches("sqlite://");
    let tables = "workspaces courses units cohorts people users assignments lessons activities submissions grades events";
    // What came later is not there yet.
    let mut copies = [
        ("courses", "completion"),
        ("courses", "changes_wait"),
        ("courses", "gradebook"),
        ("cohorts", "updates"),
        ("lessons", "language"),
        ("activities", "language"),
        ("users", "kind"),
        ("users", "suspension"),
        ("users", "timezone"),
        ("users", "sessions_ended_at"),
        ("assignments", "late_policy"),
        ("submissions", "due_terms"),
        ("submissions", "assignment_version"),
        ("submissions", "course_id"),
        ("submissions", "graded_at"),
        ("submissions", "grader"),
        ("submissions", "score"),
        ("events", "actor"),
    ]
    .map(|(table, column)| format!("ALTER TABLE filled.{table} DROP COLUMN {column}; "))
    .concat();
    for table in tables.split(' ') {
        write!(
            copies,
            "INSERT INTO main.{table} SELECT * FROM filled.{table}; "
        )
        .unwrap();
    }
    // What triggers keep is in the rows already.
    tamper(
        &url,
        &format!(
            "ATTACH '{from}' AS filled; DROP INDEX filled.submissions_of_course; DROP INDEX filled.submissions_by_grading; \
             DROP INDEX filled.submissions_by_score; {copies}"
        ),
    );
    tamper(
        &url,
        &format!(
            "INSERT INTO tutor_turns (workspace_id, id, thread_id, lesson_id, user_id, message, reply, created_at) \
             SELECT l.workspace_id, 'turn', 'talk', l.id, u.id, 'Why?', 'What do you think?', l.created_at \
             FROM lessons AS l, users AS u WHERE u.workspace_id = l.workspace_id; \
             WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {REPLIES}) \
             INSERT INTO idempotency_replies (person_id, workspace_id, key, fingerprint, reply, created_at) \
             SELECT 'p' || n % 7, 'w' || n % 3, n, 'f', n, '2026-01-01' FROM n"
        ),
    );
    url
}

fn is_by_key(url: &str, table: &str) -> bool {
    let asked = format!(
        "SELECT count(*) AS n FROM sqlite_schema WHERE name = '{table}' AND sql LIKE '%WITHOUT ROWID'"
    );
    count(url, &asked) == 1
}

/// Rows of a table, as one number.
fn rows(url: &str, table: &str) -> i64 {
    count(url, &format!("SELECT count(*) AS n FROM {table}"))
}

/// Indexes, triggers and references there are.
fn beside(url: &str, table: &str) -> i64 {
    let asked = format!(
        "SELECT (SELECT count(*) FROM sqlite_schema WHERE tbl_name = '{table}' AND sql IS NOT NULL) \
         + 100 * (SELECT count(*) FROM pragma_foreign_key_list('{table}')) \
         + 10000 * (SELECT count(*) FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS k \
                    WHERE k.\"table\" = '{table}') AS n"
    );
    count(url, &asked)
}

#[tokio::test]
async fn a_start_that_stops_between_has_lost_nothing_and_the_next_goes_on() {
    let folder = TempDir::new().unwrap();
    let url = before(&folder).await;
    let told = |url: &str| TABLES.map(|table| (table, rows(url, table), beside(url, table)));
    let all = told(&url);
    assert!(all.iter().all(|(_, rows, _)| *rows > 0), "{all:?}");
    for passed in [0, 3, 3] {
        let points = Points::on("migration.copied", &format!("{passed}*off->return"));
        open(&url).await.unwrap_err();
        drop(points);
        let by_key = TABLES.map(|table| is_by_key(&url, table));
        let copied = by_key.iter().take_while(|by_key| !**by_key).count();
        assert_eq!(by_key.iter().filter(|by_key| !**by_key).count(), copied);
        assert_eq!(told(&url), all);
        assert_whole(&url);
    }
    open(&url).await.unwrap();
    assert!(TABLES.iter().all(|table| !is_by_key(&url, table)));
    // What came later refers to some of them too: as in a database that was never filled.
    let never_filled = TestStore::open(Database::Sqlite);
    let now = all.map(|(table, rows, _)| (table, rows, beside(&never_filled.url, table)));
    assert_eq!(told(&url), now);
    assert_whole(&url);
    let left = "SELECT count(*) AS n FROM sqlite_schema WHERE name LIKE 'rebuilt%'";
    assert_eq!(count(&url, left), 0);
}

#[tokio::test]
async fn every_row_of_a_large_table_is_copied_once_and_as_it_was() {
    let folder = TempDir::new().unwrap();
    let url = before(&folder).await;
    open(&url).await.unwrap();
    let as_it_was = "SELECT count(DISTINCT key) AS n FROM idempotency_replies \
                     WHERE reply = key AND person_id = 'p' || key % 7 AND workspace_id = 'w' || key % 3";
    assert_eq!(count(&url, as_it_was), REPLIES);
    assert_eq!(rows(&url, "idempotency_replies"), REPLIES);
}
