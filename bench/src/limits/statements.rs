//! What a server asks PostgreSQL for a request, taken from the cluster's own log: without a copy of its statements that
//! would be another's as soon as the server is changed.

use std::collections::HashMap;

use anyhow::{Context, ensure};

/// What each line of the log begins with that is not the rest of the one before; behind it stands the database.
pub const PREFIX: &str = "lyceum-bench ";

/// A statement as it was executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// With `$1` and so on for what is given with it.
    pub text: String,
    /// That, as text.
    pub parameters: Vec<Option<String>>,
}

/// The statements of a log that were executed in a database, in their order.
pub fn executed(log: &str, database: &str) -> Vec<Statement> {
    let mut statements: Vec<Statement> = Vec::new();
    for entry in entries(log, database) {
        if let Some(text) = executed_text(&entry) {
            let parameters = Vec::new();
            statements.push(Statement { text, parameters });
        } else if let (Some(given), Some(last)) = (given(&entry), statements.last_mut()) {
            last.parameters = given;
        }
    }
    statements
}

/// What is logged of a database, each entry with all its lines; those behind the first begin with a tab.
fn entries(log: &str, database: &str) -> Vec<String> {
    let mut entries: Vec<(bool, String)> = Vec::new();
    let ours = format!("{PREFIX}{database} ");
    for line in log.lines() {
        if line.starts_with(PREFIX) {
            let entry = line.strip_prefix(&ours);
            entries.push((entry.is_some(), entry.unwrap_or_default().to_owned()));
        } else if let Some((_, entry)) = entries.last_mut() {
            entry.push('\n');
            entry.push_str(line.trim_start_matches('\t'));
        }
    }
    let ours = entries.into_iter().filter(|(is_ours, _)| *is_ours);
    ours.map(|(_, entry)| entry).collect()
}

/// `LOG:  execute name: text`, or `LOG:  statement: text`.
fn executed_text(entry: &str) -> Option<String> {
    let said = entry.strip_prefix("LOG:  ")?;
    let (how, text) = said.split_once(": ")?;
    (how == "statement" || how.starts_with("execute ")).then(|| text.to_owned())
}

/// `DETAIL:  parameters: $1 = 'it''s', $2 = NULL`.
fn given(entry: &str) -> Option<Vec<Option<String>>> {
    let (_, list) = entry.strip_prefix("DETAIL:  ")?.split_once("arameters: ")?;
    let mut rest = list;
    let mut parameters = Vec::new();
    while let Some((_, value)) = rest.split_once(" = ") {
        let (parameter, behind) = match value.strip_prefix('\'') {
            Some(quoted) => unquoted(quoted)?,
            None => (None, value.strip_prefix("NULL")?),
        };
        parameters.push(parameter);
        rest = behind;
    }
    Some(parameters)
}

/// A text up to the quote that ends it, and what is behind; two quotes are one of the text.
fn unquoted(quoted: &str) -> Option<(Option<String>, &str)> {
    let mut text = String::new();
    let mut rest = quoted;
    loop {
        let (before, behind) = rest.split_once('\'')?;
        text.push_str(before);
        match behind.strip_prefix('\'') {
            Some(more) => {
                text.push('\'');
                rest = more;
            }
            None => return Some((Some(text), behind)),
        }
    }
}

/// The statements of one request, from what was executed while so many of its kind were answered one after the other:
/// those that come as often, and always in the same order. Whatever else the server did meanwhile it did not do as often.
///
/// # Errors
/// If no such order is there.
pub fn of_one_request(executed: &[Statement], requests: usize) -> anyhow::Result<Vec<Statement>> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for statement in executed {
        *counts.entry(&statement.text).or_default() += 1;
    }
    let comes_each_time =
        |statement: &&Statement| counts.get(statement.text.as_str()) >= Some(&requests);
    let steady: Vec<&Statement> = executed.iter().filter(comes_each_time).collect();
    let each = steady.len() / requests.max(1);
    ensure!(each > 0, "nothing was executed for each request");
    let mut requests = steady.chunks(each);
    let first = requests.next_back().context("nothing was asked")?;
    let alike = |request: &[&Statement]| {
        let texts = |request: &[&Statement]| -> Vec<String> {
            request.iter().map(|one| one.text.clone()).collect()
        };
        texts(request) == texts(first)
    };
    ensure!(
        requests.all(alike),
        "not every request had the same statements executed"
    );
    Ok(first.iter().map(|&statement| statement.clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "lyceum-bench lyceum LOG:  execute __s_0: SELECT a\n\tFROM b WHERE c = $1 AND d = $2\n\
        lyceum-bench lyceum DETAIL:  parameters: $1 = 'it''s', $2 = NULL\n\
        lyceum-bench postgres LOG:  statement: SELECT 1\n\tFROM elsewhere\n\
        lyceum-bench lyceum LOG:  statement: COMMIT\n\
        lyceum-bench lyceum ERROR:  no\n";

    fn statement(text: &str, parameter: &str) -> Statement {
        Statement {
            text: text.to_owned(),
            parameters: vec![Some(parameter.to_owned())],
        }
    }

    #[test]
    fn a_log_tells_what_was_executed_with_what() {
        let executed = executed(LOG, "lyceum");
        let texts: Vec<&str> = executed.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(
            texts,
            ["SELECT a\nFROM b WHERE c = $1 AND d = $2", "COMMIT"]
        );
        assert_eq!(executed[0].parameters, [Some("it's".to_owned()), None]);
        assert!(executed[1].parameters.is_empty());
    }

    #[test]
    fn a_request_is_what_comes_with_each() {
        let mut executed = Vec::new();
        for request in ["1", "2", "3"] {
            executed.extend([statement("stamps", "person"), statement("course", request)]);
        }
        executed.insert(3, statement("jobs", "now"));
        let one = of_one_request(&executed, 3).unwrap();
        assert_eq!(
            one,
            [statement("stamps", "person"), statement("course", "3")]
        );
        executed.swap(0, 1);
        assert!(of_one_request(&executed, 3).is_err());
        assert!(of_one_request(&[], 3).is_err());
    }
}
