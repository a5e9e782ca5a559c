//! What SQLite is told of its tables, so that it plans for large ones from the first row on.
//!
//! SQLite that knows nothing of a table believes that a workspace has ten rows in it, and would rather read them all
//! than follow an index: a list of one learner's submissions would read every submission of the workspace. The figures
//! are those of a large service, the same everywhere, so that plans are those that the tests saw; nothing is counted,
//! and `ANALYZE` is never run. The format is that of `sqlite_stat1`: <https://www.sqlite.org/fileformat2.html#stat1tab>.

use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text};

/// Rows of a table.
const ROWS: u64 = 1_000_000;
/// Rows that an index of some rows only has.
const ROWS_IN_PART: u64 = 100_000;
/// How many times fewer rows have one more column in common.
const PER_COLUMN: u64 = 100;
/// The same of a column that has one of a few words in it. Whoever asks for an assignment's submissions in a state is
/// served by what they are of, and not by the state, which most of a workspace's may have.
const PER_WORD: u64 = 4;
const WORDS: &[&str] = &[
    "action",
    "ai_status",
    "feature",
    "kind",
    "lane",
    "language",
    "outcome",
    "review_status",
    "role",
    "run",
    "state",
    "status",
];

/// Every index of ours; the primary key of a table without row numbers goes by the table's name. Not those of the items of a batch: told
/// how few of them are in a state, it would sort these for every page instead of following the order that pages have.
const INDEXES: &str = "\
    SELECT tables.name AS table_name, \
        CASE WHEN indexes.origin = 'pk' AND tables.sql LIKE '%WITHOUT ROWID' THEN tables.name ELSE indexes.name END \
            AS index_name, \
        indexes.\"unique\" AS is_unique, indexes.partial AS is_partial, \
        (SELECT group_concat(coalesce(name, 'lower'), ' ') FROM \
            (SELECT name FROM pragma_index_info(indexes.name) ORDER BY seqno)) AS columns \
    FROM sqlite_schema AS tables, pragma_index_list(tables.name) AS indexes \
    WHERE tables.type = 'table' AND tables.name NOT IN ('__diesel_schema_migrations', 'batch_items') \
    ORDER BY table_name, index_name";

#[derive(QueryableByName)]
struct Known {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    index_name: String,
    #[diesel(sql_type = Bool)]
    is_unique: bool,
    #[diesel(sql_type = Bool)]
    is_partial: bool,
    /// In their order.
    #[diesel(sql_type = Text)]
    columns: String,
}

#[derive(QueryableByName, PartialEq, Eq)]
struct Statistic {
    #[diesel(sql_type = Text)]
    tbl: String,
    #[diesel(sql_type = Text)]
    idx: String,
    #[diesel(sql_type = Text)]
    stat: String,
}

impl From<Known> for Statistic {
    fn from(index: Known) -> Self {
        let mut rows = if index.is_partial { ROWS_IN_PART } else { ROWS };
        let mut stat = rows.to_string();
        let columns: Vec<&str> = index.columns.split(' ').collect();
        let is_unique = index.is_unique || columns.last() == Some(&"id");
        for (at, column) in columns.iter().enumerate() {
            let fewer = if WORDS.contains(column) {
                PER_WORD
            } else {
                PER_COLUMN
            };
            let is_whole = at + 1 == columns.len() && is_unique;
            rows = if is_whole { 1 } else { (rows / fewer).max(1) };
            stat.push(' ');
            stat.push_str(&rows.to_string());
        }
        // Else it would try every workspace there is for what an index of its own finds at once.
        stat.push_str(" noskipscan");
        Self {
            tbl: index.table_name,
            idx: index.index_name,
            stat,
        }
    }
}

/// Tells it of every index there is; what it was told before, or counted, is forgotten.
pub fn assume(connection: &mut SqliteConnection) -> QueryResult<()> {
    let indexes = diesel::sql_query(INDEXES).load::<Known>(connection)?;
    let wanted: Vec<Statistic> = indexes.into_iter().map(Statistic::from).collect();
    if !has_table(connection, "sqlite_stat1")? {
        // Makes the table, and counts nothing.
        connection.batch_execute("ANALYZE sqlite_schema")?;
    }
    let known = "SELECT tbl, coalesce(idx, '') AS idx, stat FROM sqlite_stat1 ORDER BY tbl, idx";
    if diesel::sql_query(known).load::<Statistic>(connection)? == wanted {
        return Ok(());
    }
    connection.immediate_transaction(|connection| {
        connection.batch_execute("DELETE FROM sqlite_stat1")?;
        // Samples of values, where somebody had them counted.
        if has_table(connection, "sqlite_stat4")? {
            connection.batch_execute("DELETE FROM sqlite_stat4")?;
        }
        for Statistic { tbl, idx, stat } in &wanted {
            diesel::sql_query("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)")
                .bind::<Text, _>(tbl)
                .bind::<Text, _>(idx)
                .bind::<Text, _>(stat)
                .execute(connection)?;
        }
        Ok(())
    })
}

fn has_table(connection: &mut SqliteConnection, name: &str) -> QueryResult<bool> {
    let found = sql::<BigInt>("(SELECT count(*) FROM sqlite_schema WHERE name = ")
        .bind::<Text, _>(name)
        .sql(")");
    diesel::select(found)
        .get_result::<i64>(connection)
        .map(|count| count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::upkeep::migrate;

    #[derive(QueryableByName)]
    struct Step {
        #[diesel(sql_type = Text)]
        detail: String,
    }

    const USER: &str = "SELECT name FROM users WHERE workspace_id = ? AND email = ?";

    fn plan(connection: &mut SqliteConnection, question: &str) -> String {
        let steps = diesel::sql_query(format!("EXPLAIN QUERY PLAN {question}"))
            .load::<Step>(connection)
            .unwrap();
        steps.into_iter().map(|step| step.detail).collect()
    }

    #[test]
    fn an_index_is_followed_from_the_first_row_on() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("lyceum.db");
        let mut connection = crate::database::sqlite::connect(&file, false).unwrap();
        migrate::sqlite(&mut connection).unwrap();
        let told = |file| {
            plan(
                &mut crate::database::sqlite::connect(file, false).unwrap(),
                USER,
            )
        };
        assert!(told(&file).contains("users_email"), "{}", told(&file));
        // Whoever has it counted is overruled at the next start.
        connection.batch_execute("ANALYZE").unwrap();
        assert!(!told(&file).contains("users_email"), "{}", told(&file));
        migrate::sqlite(&mut connection).unwrap();
        assert!(told(&file).contains("users_email"), "{}", told(&file));
    }

    #[test]
    fn what_a_thing_belongs_to_tells_more_than_the_state_it_is_in() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("lyceum.db");
        let mut connection = crate::database::sqlite::connect(&file, false).unwrap();
        migrate::sqlite(&mut connection).unwrap();
        let mut connection = crate::database::sqlite::connect(&file, false).unwrap();
        for (column, state, index) in [
            ("assignment_id", "status", "submissions_of_assignment"),
            ("cohort_id", "review_status", "submissions_of_cohort"),
            ("user_id", "ai_status", "submissions_of_user"),
        ] {
            let question = format!(
                "SELECT id FROM submissions WHERE workspace_id = ? AND {column} = ? AND {state} = ? \
                 ORDER BY id DESC LIMIT ?"
            );
            let plan = plan(&mut connection, &question);
            assert!(plan.contains(&format!("{index} ")), "{plan}");
        }
    }
}
