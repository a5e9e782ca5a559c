//! Plans of SQLite: lines such as ``SEARCH courses USING INDEX courses_name (workspace_id=? AND name=?)``.

use std::fmt::Write;

use diesel::{Connection, RunQueryDsl, SqliteConnection};

use super::problem::{Verdict, is_of_paging};

/// A step of a plan.
#[derive(diesel::QueryableByName)]
struct Step {
    #[diesel(sql_type = diesel::sql_types::Text)]
    detail: String,
}

/// Asks for plans, beside the store.
pub struct Planner(SqliteConnection);

impl Planner {
    pub fn beside(url: &str) -> Self {
        let file = url.strip_prefix("sqlite://").unwrap();
        #[allow(
            clippy::disallowed_methods,
            reason = "a connection beside the store's, to ask for plans"
        )]
        let connection = SqliteConnection::establish(file).unwrap();
        Self(connection)
    }

    pub fn explain(&mut self, statement: &str) -> Verdict {
        let explained = diesel::sql_query(format!("EXPLAIN QUERY PLAN {statement}"));
        let steps = explained.load::<Step>(&mut self.0).unwrap();
        let mut verdict = Verdict::default();
        let outer = without_subqueries(statement);
        for Step { detail } in &steps {
            writeln!(verdict.plan, "  {detail}").unwrap();
            if !reads_a_step(detail, &steps) {
                verdict.problems.extend(problem(detail, &outer));
            }
            verdict.indexes.extend(index(detail));
        }
        verdict
    }
}

impl Planner {
    /// Indexes that are there for the sake of those who look, and not to keep anything unique.
    pub fn plain_indexes(&mut self) -> Vec<String> {
        let indexes = "SELECT indexes.name AS detail FROM sqlite_schema AS tables, \
             pragma_index_list(tables.name) AS indexes \
             WHERE tables.type = 'table' AND indexes.origin = 'c' AND NOT indexes.\"unique\"";
        let found = diesel::sql_query(indexes)
            .load::<Step>(&mut self.0)
            .unwrap();
        found.into_iter().map(|found| found.detail).collect()
    }
}

/// The word behind `INDEX`.
fn index(step: &str) -> Option<String> {
    let (_, behind) = step.split_once(" INDEX ")?;
    behind.split(' ').next().map(ToOwned::to_owned)
}

/// Whether a step goes over what another step of the plan found.
fn reads_a_step(step: &str, steps: &[Step]) -> bool {
    let Some(name) = step.strip_prefix("SCAN ") else {
        return false;
    };
    let found = format!("CO-ROUTINE {name}");
    steps.iter().any(|other| other.detail == found)
}

/// The statement without those that stand where columns do, whose plans are steps of their own.
fn without_subqueries(statement: &str) -> String {
    let Some(columns_end) = statement.find(" FROM `") else {
        return statement.to_owned();
    };
    let (mut rest, behind_columns) = statement.split_at(columns_end);
    let mut outer = String::new();
    while let Some((before, behind)) = rest.split_once("(SELECT ") {
        outer.push_str(before);
        let mut open = 1;
        let end = behind.find(|c| {
            open += match c {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            open == 0
        });
        rest = behind.split_at(end.unwrap() + 1).1;
    }
    outer + rest + behind_columns
}

fn problem(step: &str, statement: &str) -> Option<String> {
    // The members of one row's metadata are no table, nor is what another step found.
    let is_table = !["SCAN member ", "SCAN CONSTANT", "SCAN ("]
        .iter()
        .any(|no| step.starts_with(no));
    if step.starts_with("SCAN ") && is_table {
        return Some(step.to_owned());
    }
    if step == "USE TEMP B-TREE FOR ORDER BY" && statement.contains(" LIMIT ") {
        return Some("sorts more than it gives".to_owned());
    }
    let (_, constraint) = step.strip_prefix("SEARCH ")?.split_once('(')?;
    if constraint.contains("ANY(") {
        return Some(format!("tries every value of a column: {step}"));
    }
    let terms: Vec<&str> = constraint.trim_end_matches(')').split(" AND ").collect();
    let column = |term: &str| {
        term.split(['=', '<', '>'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let narrows = terms
        .iter()
        .any(|term| *term == "id=?" || !is_of_paging(&column(term)));
    let is_page = statement.contains(" LIMIT ") && !filters(statement);
    (!narrows && !is_page).then(|| format!("reads through a workspace: {step}"))
}

/// Conditions that are no expressions of columns.
const RAW: [&str; 11] = [
    "created_at",
    "metadata",
    "lower(",
    "+submissions.",
    "submissions.ai_status =",
    "submissions.blind ",
    "submissions.course_id =",
    "submissions.grader",
    "submissions.review_status =",
    "submissions.status =",
    "submissions.status <>",
];

/// Whether a statement asks for more than a workspace and a place in it.
fn filters(statement: &str) -> bool {
    let Some((_, conditions)) = statement.split_once(" WHERE ") else {
        return false;
    };
    let conditions = conditions.split(" ORDER BY ").next().unwrap_or_default();
    let quoted = conditions.split('`').skip(3).step_by(4);
    let by_column = quoted.into_iter().any(|column| !is_of_paging(column));
    by_column || RAW.iter().any(|raw| conditions.contains(raw))
}
