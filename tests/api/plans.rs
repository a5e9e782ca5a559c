//! How the databases find what they are asked for: no statement of the service reads more than what it gives.
//!
//! Both are asked for their plans while they believe their tables to be large: PostgreSQL because it is told so here,
//! SQLite because the store tells it so everywhere. A plan fails that reads a whole table, a whole index or a whole
//! workspace, or that sorts more rows than it gives, unless [`allowed`] says why it may.

mod allowed;
mod indexes;
mod postgres;
mod problem;
mod sqlite;
mod walk;

use std::collections::BTreeSet;

use support::stores::Database;
use support::tampering::tamper;

use self::allowed::{ALLOWED, ALLOWED_ON_POSTGRES, ALLOWED_ON_SQLITE, Allowed, WAITING};
use self::problem::Verdict;
use self::walk::{Statement, shape, walk};

/// What came of all statements.
#[derive(Default)]
struct Findings {
    /// Everything that is wrong, told so that it can be mended.
    wrong: Vec<String>,
    /// Exceptions that were needed, by their words.
    needed: BTreeSet<&'static [&'static str]>,
    /// Indexes that served.
    indexes: BTreeSet<String>,
}

impl Findings {
    fn add(&mut self, statement: &Statement, verdict: Verdict, allowed: &[&'static Allowed]) {
        self.indexes.extend(verdict.indexes);
        if verdict.problems.is_empty() {
            return;
        }
        let text = shape(&statement.text);
        let exception = allowed
            .iter()
            .find(|one| one.words.iter().all(|word| text.contains(word)));
        if let Some(exception) = exception {
            assert!(!exception.because.is_empty());
            self.needed.insert(exception.words);
            return;
        }
        let problems = verdict.problems.join("\n  ");
        let Statement { place, text } = statement;
        let plan = verdict.plan;
        self.wrong
            .push(format!("{place}\n  {problems}\n  {text}\n{plan}"));
    }

    fn assert_none(&self, allowed: &[&'static Allowed]) {
        assert!(self.wrong.is_empty(), "\n{}", self.wrong.join("\n"));
        let idle = allowed
            .iter()
            .filter(|one| !self.needed.contains(one.words));
        let idle: Vec<_> = idle.map(|one| one.words).collect();
        assert!(idle.is_empty(), "nothing needs these exceptions: {idle:#?}");
    }
}

#[actix_web::test]
async fn no_query_plan_scans_on_sqlite() {
    let (app, statements) = walk(Database::Sqlite).await;
    assert!(statements.len() > 300, "{}", statements.len());
    let allowed: Vec<&Allowed> = ALLOWED.iter().chain(ALLOWED_ON_SQLITE).collect();
    let mut planner = sqlite::Planner::beside(app.database_url());
    let mut findings = Findings::default();
    for statement in &statements {
        findings.add(statement, planner.explain(&statement.text), &allowed);
    }
    findings.assert_none(&allowed);
    // Whatever serves nobody only costs those who write.
    let idle = planner.plain_indexes();
    let is_idle = |name: &String| {
        let waits = WAITING.iter().any(|(waiting, _)| waiting == name);
        waits == findings.indexes.contains(name)
    };
    let idle: Vec<String> = idle.into_iter().filter(is_idle).collect();
    assert!(
        idle.is_empty(),
        "serve nothing, or do although they are said not to: {idle:?}"
    );
}

#[actix_web::test]
async fn no_query_plan_scans_on_postgres() {
    let (app, statements) = walk(Database::Postgres).await;
    assert!(statements.len() > 300, "{}", statements.len());
    // What is needed on SQLite alone need not be here too.
    let allowed: Vec<&Allowed> = ALLOWED.iter().chain(ALLOWED_ON_POSTGRES).collect();
    // An index of no rows costs the same whatever it is asked.
    tamper(
        app.database_url(),
        "SET session_replication_role = replica; \
         INSERT INTO certificate_answers (workspace_id, id, certificate_id, submission_id, confidence, gone, at) \
         VALUES ('w', 'a', 'c', 's', 80, false, now()); \
         INSERT INTO certificate_records (workspace_id, id, assignment_id, certificate_id, sequence, content, hash) \
         VALUES ('w', 'r', 'a', 'c', 1, '', ''); \
         INSERT INTO batches (workspace_id, id, assignment_id, kind, state, document, created_at, updated_at, version) \
         VALUES ('w', 'b', 'a', 'regrade', 'ready', '{}', now(), now(), 1); \
         INSERT INTO batch_items (workspace_id, id, batch_id, place, submission_id, state, document) \
         VALUES ('w', 'i', 'b', 0, 's', 'graded', '{}')",
    );
    let mut planner = postgres::Planner::beside(app.database_url());
    let mut findings = Findings::default();
    for statement in &statements {
        findings.add(statement, planner.explain(&statement.text), &allowed);
    }
    let own: Vec<&Allowed> = ALLOWED_ON_POSTGRES.iter().collect();
    findings.assert_none(&own);
}
