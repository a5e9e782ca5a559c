//! Whom it reaches when what things of a course say becomes something else, counted in one statement.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Text};
use lyceum_ports::authoring::waiting::{ChangeReach, Reached};

use crate::prelude::*;
use crate::running::shared_limits::spelt;

/// What changes, and whose work counts; `$1` is the workspace and `$2` what is asked about.
pub(super) struct Whom {
    /// The table of what changes, as `w`.
    pub changed: &'static str,
    /// Which rows of it.
    pub of: &'static str,
    /// Which cohorts, as `c`.
    pub cohorts: &'static str,
    /// Which of them get it as soon as it is there.
    pub at_once: &'static str,
    /// Of which learners, whose rows are `r`; empty for all.
    pub learner: &'static str,
}

#[derive(QueryableByName)]
struct ReachRow {
    #[diesel(sql_type = BigInt)]
    cohorts: i64,
    #[diesel(sql_type = BigInt)]
    students: i64,
    #[diesel(sql_type = BigInt)]
    by_choice: i64,
    #[diesel(sql_type = BigInt)]
    choosers: i64,
    #[diesel(sql_type = BigInt)]
    lessons: i64,
    #[diesel(sql_type = BigInt)]
    completed_by: i64,
    #[diesel(sql_type = BigInt)]
    activities: i64,
    #[diesel(sql_type = BigInt)]
    tried_by: i64,
    #[diesel(sql_type = BigInt)]
    ungraded: i64,
    #[diesel(sql_type = BigInt)]
    ungraded_of: i64,
    #[diesel(sql_type = BigInt)]
    graded: i64,
    #[diesel(sql_type = BigInt)]
    graded_of: i64,
}

impl Whom {
    /// Rows of a table that hang on what changes by a column.
    fn work(&self, table: &str, column: &str, only: &str) -> String {
        let Self {
            changed,
            of,
            learner,
            ..
        } = self;
        format!(
            "{changed} JOIN {table} r ON r.workspace_id = $1 AND r.{column} = w.{column} WHERE {of}{learner}{only}"
        )
    }

    fn statement(&self) -> String {
        let cohorts = |updates: &str| format!("cohorts c WHERE {}{updates}", self.cohorts);
        let students = |updates: &str| {
            format!(
                "cohorts c JOIN enrollments r ON r.workspace_id = $1 AND r.cohort_id = c.id \
                 WHERE {}{updates} AND r.status = 'active'",
                self.cohorts
            )
        };
        let by_choice = " AND c.updates = 'manual'";
        let (at_once, students_at_once) = (cohorts(self.at_once), students(self.at_once));
        let (by_choice, choosers) = (cohorts(by_choice), students(by_choice));
        let lessons = self.work("lesson_completions", "lesson_id", "");
        let activities = self.work("attempts", "activity_id", "");
        let is_ungraded = " AND r.status IN ('submitted', 'in_review')";
        let ungraded = self.work("submissions", "assignment_id", is_ungraded);
        let is_graded = " AND r.status IN ('graded', 'returned')";
        let graded = self.work("submissions", "assignment_id", is_graded);
        let counts = [
            ("cohorts", "count(*)", &at_once),
            ("students", "count(DISTINCT r.user_id)", &students_at_once),
            ("by_choice", "count(*)", &by_choice),
            ("choosers", "count(DISTINCT r.user_id)", &choosers),
            ("lessons", "count(DISTINCT r.lesson_id)", &lessons),
            ("completed_by", "count(DISTINCT r.user_id)", &lessons),
            ("activities", "count(DISTINCT r.activity_id)", &activities),
            ("tried_by", "count(DISTINCT r.user_id)", &activities),
            ("ungraded", "count(*)", &ungraded),
            ("ungraded_of", "count(DISTINCT r.user_id)", &ungraded),
            ("graded", "count(*)", &graded),
            ("graded_of", "count(DISTINCT r.user_id)", &graded),
        ];
        let counts =
            counts.map(|(name, what, rows)| format!("(SELECT {what} FROM {rows}) AS {name}"));
        format!("SELECT {}", counts.join(", "))
    }
}

fn reached(count: i64, learners: i64) -> Result<Reached, StoreError> {
    Ok(Reached {
        count: rows::number(count)?,
        learners: rows::number(learners)?,
    })
}

impl Session<'_> {
    /// Counts whom it reaches.
    pub(super) fn reached(
        &mut self,
        workspace: WorkspaceId,
        asked: &str,
        whom: &Whom,
    ) -> Result<ChangeReach, StoreError> {
        let statement = spelt(self.conn, &whom.statement());
        let counted: ReachRow = self.run(|conn| {
            let query = diesel::sql_query(statement)
                .bind::<Text, _>(workspace.to_string())
                .bind::<Text, _>(asked);
            on_either!(conn, query.get_result(conn))
        })?;
        Ok(ChangeReach {
            cohorts: reached(counted.cohorts, counted.students)?,
            by_choice: reached(counted.by_choice, counted.choosers)?,
            lessons: reached(counted.lessons, counted.completed_by)?,
            activities: reached(counted.activities, counted.tried_by)?,
            ungraded: reached(counted.ungraded, counted.ungraded_of)?,
            graded: reached(counted.graded, counted.graded_of)?,
        })
    }
}
