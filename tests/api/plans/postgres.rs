//! Plans of PostgreSQL, as it makes them when it believes that every table has a million rows.

use std::fmt::Write;

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, RunQueryDsl};
use serde_json::Value;

use super::problem::{Verdict, is_of_paging};

/// A plan.
#[derive(diesel::QueryableByName)]
struct Plan {
    #[diesel(sql_type = diesel::sql_types::Text, column_name = "QUERY PLAN")]
    plan: String,
}

/// Asks for plans, beside the store.
pub struct Planner(PgConnection);

/// Tables of a million rows, and plans for whatever values. A table that is read whole nevertheless has no index for it.
/// What was counted of the few rows there are is forgotten: that all of them are of one workspace, say.
const MANY_ROWS: &str = "\
    DELETE FROM pg_statistic; \
    UPDATE pg_class SET reltuples = 1000000, relpages = 1 \
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace; \
    SET plan_cache_mode = force_generic_plan; SET enable_bitmapscan = off; SET enable_seqscan = off";

impl Planner {
    pub fn beside(url: &str) -> Self {
        #[allow(
            clippy::disallowed_methods,
            reason = "a connection beside the store's, to ask for plans"
        )]
        let mut connection = PgConnection::establish(url).unwrap();
        connection.batch_execute(MANY_ROWS).unwrap();
        Self(connection)
    }

    pub fn explain(&mut self, statement: &str) -> Verdict {
        let values = (1..).take_while(|n| statement.contains(&format!("${n}")));
        let nulls = vec!["NULL"; values.count()].join(", ");
        let values = if nulls.is_empty() {
            nulls
        } else {
            format!("({nulls})")
        };
        let prepared = format!("PREPARE asked AS {statement}");
        self.0.batch_execute(&prepared).unwrap();
        let explained = format!("EXPLAIN (FORMAT JSON, COSTS OFF) EXECUTE asked{values}");
        let found = diesel::sql_query(explained)
            .get_result::<Plan>(&mut self.0)
            .unwrap();
        self.0.batch_execute("DEALLOCATE asked").unwrap();
        let mut verdict = Verdict::default();
        let plan: Value = serde_json::from_str(&found.plan).unwrap();
        judge(&plan[0]["Plan"], false, 1, &mut verdict);
        verdict
    }
}

fn judge(node: &Value, limited: bool, depth: usize, verdict: &mut Verdict) {
    let of = |member: &str| node[member].as_str().unwrap_or_default();
    let step = [
        "Node Type",
        "Relation Name",
        "Index Name",
        "Index Cond",
        "Filter",
        "Sort Key",
    ]
    .map(|member| match &node[member] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            other.to_string()
        }
    })
    .join(" | ");
    writeln!(verdict.plan, "{:1$}{step}", "", depth * 2).unwrap();
    let (kind, index) = (of("Node Type"), of("Index Name"));
    if !index.is_empty() {
        verdict.indexes.insert(index.to_owned());
    }
    let problem = match kind {
        "Seq Scan" => Some("Seq Scan"),
        "Sort" if limited => Some("sorts more than it gives"),
        "Index Scan" | "Index Only Scan" | "Bitmap Index Scan" => {
            reads_too_much(of("Index Cond"), of("Filter"), limited)
        }
        _ => None,
    };
    verdict
        .problems
        .extend(problem.map(|problem| format!("{problem}: {step}")));
    let limited = kind == "Limit" || limited && !["Nested Loop", "Aggregate"].contains(&kind);
    for below in node["Plans"].as_array().into_iter().flatten() {
        judge(below, limited, depth + 1, verdict);
    }
}

fn reads_too_much(condition: &str, filter: &str, limited: bool) -> Option<&'static str> {
    if condition.is_empty() {
        return Some("reads a whole index");
    }
    let terms: Vec<&str> = condition
        .trim_matches(['(', ')'])
        .split(") AND (")
        .collect();
    let column = |term: &str| {
        term.trim_start_matches('(')
            .split([' ', ')', ':'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let is_point = terms
        .iter()
        .any(|term| column(term) == "id" && term.contains(" = "));
    let narrows = is_point || terms.iter().any(|term| !is_of_paging(&column(term)));
    (!narrows && (!filter.is_empty() || !limited)).then_some("reads through a workspace")
}
