//! What `pgbench` is told to write: the rows of the server, with what has to be different each time.

use std::fmt::Write;

use super::row_set::{Fresh, TextRow};
use super::statements::Statement;

/// How `pgbench` reads what a server reads for one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reads {
    /// The script.
    pub script: String,
    /// What it is given.
    pub variables: Vec<(String, String)>,
}

/// The n-th of the ids that `pgbench` can make up, by a number of its own.
pub fn numbered_id(prefix: &str, n: &str) -> String {
    format!("('{prefix}_7' || lpad(({n})::text, 25, '0'))")
}

impl Reads {
    /// The same statements about one of so many, at random, instead of this one; everything else that is given with them
    /// stays. In one round trip, or each when the one before is answered.
    pub fn of(statements: &[Statement], id: &str, count: u64, in_one_trip: bool) -> Self {
        let prefix = id.split_once('_').map_or("", |(prefix, _)| prefix);
        let any = numbered_id(prefix, ":n");
        let (start, end) = if in_one_trip {
            ("\\startpipeline\n", "\\endpipeline\n")
        } else {
            ("", "")
        };
        let mut variables = Vec::new();
        let mut script = format!("\\set n random(1, {count})\n{start}");
        for (at, statement) in statements.iter().enumerate() {
            let mut text = statement.text.clone();
            // The last first: `$1` is the beginning of `$10`.
            for (index, value) in statement.parameters.iter().enumerate().rev() {
                let given = match value {
                    Some(value) if value == id => any.clone(),
                    Some(value) => {
                        let variable = format!("s{at}_{index}");
                        variables.push((variable.clone(), value.clone()));
                        format!(":{variable}")
                    }
                    None => "NULL".to_owned(),
                };
                text = text.replace(&format!("${}", index + 1), &given);
            }
            // Writing to a String cannot fail.
            let _ = writeln!(script, "{text};");
        }
        script.push_str(end);
        Self { script, variables }
    }
}

/// How `pgbench` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A transaction per row set, sent in one piece: one round trip, as fast as PostgreSQL commits one by one.
    OneTrip,
    /// A transaction per row set, each statement answered before the next, as a service without a queue does it.
    StepByStep,
    /// 64 row sets in one transaction, sent in one piece.
    SixtyFour,
}

impl Style {
    /// Row sets of one transaction.
    pub const fn row_sets(self) -> f64 {
        match self {
            Self::OneTrip | Self::StepByStep => 1.0,
            Self::SixtyFour => 64.0,
        }
    }

    /// A script that writes rows like these.
    pub fn script(self, rows: &[TextRow]) -> String {
        let set = |_| {
            let inserts: String = rows.iter().map(insert).collect();
            format!("\\set n :n + 1\n\\set r random(0, 1000000000)\n{inserts}")
        };
        // What is computed stands between the statements of a pipeline as it does elsewhere.
        match self {
            Self::OneTrip => format!(
                "\\startpipeline\nBEGIN;\n{}COMMIT;\n\\endpipeline\n",
                set(0)
            ),
            Self::StepByStep => format!("BEGIN;\n{}COMMIT;\n", set(0)),
            Self::SixtyFour => {
                let sets: String = (0..64).map(set).collect();
                format!("\\startpipeline\nBEGIN;\n{sets}COMMIT;\n\\endpipeline\n")
            }
        }
    }
}

fn insert(row: &TextRow) -> String {
    let names: Vec<&str> = row.columns.iter().map(|(name, _)| name.as_str()).collect();
    let values: Vec<String> = row
        .columns
        .iter()
        .map(|(name, value)| fresh(name, value.as_deref()))
        .collect();
    format!(
        "INSERT INTO \"{}\" ({}) VALUES ({});\n",
        row.table,
        names.join(", "),
        values.join(", ")
    )
}

/// As an expression of SQL, in which `:n`, `:r` and `:client_id` are what `pgbench` computes. A fresh id is as long
/// as the one before and comes after all that its client has written.
fn fresh(column: &str, value: Option<&str>) -> String {
    let Some(value) = value else {
        return "NULL".to_owned();
    };
    match Fresh::of(column) {
        Fresh::Same => literal(value),
        Fresh::Id => {
            let prefix = value.split_once('_').map_or("", |(prefix, _)| prefix);
            format!(
                "'{prefix}_7' || lpad((:n)::text, 12, '0') || lpad((:client_id)::text, 3, '0') \
                 || lpad((:r)::text, 10, '0')"
            )
        }
        Fresh::Key => {
            "left(md5((:n)::text || '-' || (:client_id)::text || '-' || (:r)::text), 16) || '-bench'".to_owned()
        }
    }
}

/// A text in which `pgbench` finds no variable of its own: colons are written as what they are in Unicode.
fn literal(value: &str) -> String {
    let escaped = value
        .replace('\'', "''")
        .replace('\\', "\\\\")
        .replace(':', "\\003A");
    format!("U&'{escaped}'")
}

/// What `pgbench` did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ran {
    /// Transactions.
    pub transactions: f64,
    /// … per second, without the time in which it connected.
    pub per_second: f64,
}

/// Whether it says at the end that not a single transaction came through.
pub fn did_nothing(printed: &str) -> bool {
    printed
        .lines()
        .any(|line| line == "number of transactions actually processed: 0")
}

/// What `pgbench` says at the end; nothing if a transaction failed.
pub fn ran(printed: &str) -> Option<Ran> {
    let told = |name: &str| printed.lines().find_map(|line| line.strip_prefix(name));
    let refused = told("number of failed transactions: ");
    if refused.is_some_and(|refused| !refused.starts_with("0 ")) {
        return None;
    }
    let number = |name: &str| told(name)?.split([' ', '/']).next()?.parse().ok();
    Some(Ran {
        transactions: number("number of transactions actually processed: ")?,
        per_second: number("tps = ")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> TextRow {
        let columns = [
            ("id", Some("evt_01kc5q3f2he8x8pzv3bqa4m9wd")),
            ("key", Some("abc")),
            ("body", Some("{\"at\":\"06:55\",\"by\":\"O'Neil\\n\"}")),
            ("reason", None),
        ];
        TextRow {
            table: "events".to_owned(),
            columns: columns
                .map(|(name, value)| (name.to_owned(), value.map(str::to_owned)))
                .into(),
        }
    }

    #[test]
    fn pgbench_finds_variables_only_where_they_are_meant() {
        let insert = insert(&row());
        let outside = insert.replace("::", "");
        let variables: Vec<&str> = outside
            .split(':')
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
            .collect();
        assert_eq!(
            variables,
            ["n", "client_id", "r", "n", "client_id", "r"],
            "{insert}"
        );
        assert!(insert.contains("O''Neil\\\\n"), "{insert}");
        assert!(insert.ends_with(", NULL);\n"), "{insert}");
    }

    #[test]
    fn a_script_writes_as_many_row_sets_as_it_says() {
        for style in [Style::OneTrip, Style::StepByStep, Style::SixtyFour] {
            let script = style.script(&[row()]);
            let inserts = script.matches("INSERT INTO").count();
            let difference = crate::figures::number(inserts) - style.row_sets();
            assert!(difference.abs() < f64::EPSILON, "{inserts}");
            assert_eq!(script.matches("COMMIT").count(), 1);
        }
    }

    #[test]
    fn a_run_without_a_transaction_is_told_from_one_with_some() {
        let said = "number of transactions actually processed: ";
        assert!(did_nothing(&format!("duration: 1 s\n{said}0\n")));
        assert!(!did_nothing(&format!("duration: 1 s\n{said}10\n")));
    }

    #[test]
    fn reads_are_about_another_each_time_and_otherwise_as_they_were() {
        let given = |values: &[&str]| {
            values
                .iter()
                .map(|value| Some((*value).to_owned()))
                .collect()
        };
        let statements = [
            Statement {
                text: "SELECT value FROM stamps WHERE id = $1".to_owned(),
                parameters: given(&["prs_1"]),
            },
            Statement {
                text: "SELECT name FROM courses WHERE at = $1 AND id = $2".to_owned(),
                parameters: given(&["wsp_1", "crs_1"]),
            },
        ];
        let reads = Reads::of(&statements, "crs_1", 50, false);
        assert_eq!(
            reads.script,
            "\\set n random(1, 50)\n\
             SELECT value FROM stamps WHERE id = :s0_0;\n\
             SELECT name FROM courses WHERE at = :s1_0 AND id = ('crs_7' || lpad((:n)::text, 25, '0'));\n"
        );
        let variables = [("s0_0", "prs_1"), ("s1_0", "wsp_1")];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(reads.variables, variables);
        let trip = Reads::of(&statements, "crs_1", 50, true).script;
        assert!(
            trip.contains("50)\n\\startpipeline\nSELECT") && trip.ends_with(";\n\\endpipeline\n")
        );
    }

    #[test]
    fn failed_transactions_are_no_speed() {
        let printed = "number of transactions actually processed: 25617\n\
            number of failed transactions: 0 (0.000%)\n\
            tps = 5123.500000 (without initial connection time)\n";
        let told = Ran {
            transactions: 25_617.0,
            per_second: 5_123.5,
        };
        assert_eq!(ran(printed), Some(told));
        assert_eq!(ran(&printed.replace(": 0 ", ": 3 ")), None);
        assert_eq!(ran(""), None);
    }
}
