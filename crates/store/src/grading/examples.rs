//! Which grades of people are examples to the grader, said once for every query that asks: which there are, when the newest was
//! given, and of which work they are.

use diesel::expression::{AppearsOnTable, Expression, ValidGrouping};
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::Bool;
use lyceum_domain::ids::{AssignmentId, SubmissionId};

use crate::mapping::columns::Instant;
use crate::mapping::schema::{assignments, grades, submissions};
use crate::prelude::*;

/// What a person gave themself, which counts, for a text that is still there. A run of its own is what only AI has; what a person
/// only let stand, took back, or gave as they gave another says nothing of theirs, nor does what a certificate let out; and of who
/// was erased there is nothing to learn from.
const IS_EXAMPLE: &str = "(grades.run = 0 AND grades.status = 'final' AND grades.tombstone IS NULL \
     AND submissions.content_type = 'text' AND submissions.content <> '' \
     AND (grades.reason IS NULL OR (grades.reason NOT IN ('approved', 'taken_back') \
     AND grades.reason NOT LIKE 'released by crt_%' AND grades.reason NOT LIKE 'as sub_%')))";

/// Until when examples count of the assignment whose workspace and id these columns hold: for good, or until the certificate began
/// that is open.
fn end_of_examples(workspace: &str, assignment: &str) -> String {
    format!(
        "coalesce((SELECT certificates.created_at FROM certificates \
         WHERE certificates.workspace_id = {workspace} AND certificates.assignment_id = {assignment} \
         AND certificates.state IN ('grading', 'testing', 'refused', 'valid', 'paused')), '9999-12-31T23:59:59.000Z')"
    )
}

/// Makes a condition on records that are joined with what they grade.
macro_rules! condition {
    ($(#[$note:meta])* $name:ident, $sql:expr) => {
        $(#[$note])*
        #[derive(Debug, Clone, Copy, QueryId, ValidGrouping)]
        pub struct $name;

        impl Expression for $name {
            type SqlType = Bool;
        }

        impl<T> AppearsOnTable<T> for $name {}

        impl<DB: diesel::backend::Backend> QueryFragment<DB> for $name {
            fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
                pass.push_sql(&$sql);
                Ok(())
            }
        }
    };
}

condition! {
    /// Whether it is an example.
    IsExample, IS_EXAMPLE
}

condition! {
    /// Whether it is one as long as no certificate leaves it out.
    IsCounted, format!("({IS_EXAMPLE} AND grades.created_at <= {})", end_of_examples("grades.workspace_id", "grades.assignment_id"))
}

sub_select! {
    /// When the newest example of the assignment was given that counts. The index goes backwards from the newest, and the first
    /// that is one ends the walk.
    NewestExample of assignments as Instant,
    format!(
        "(SELECT grades.created_at FROM grades \
         JOIN submissions ON submissions.workspace_id = grades.workspace_id AND submissions.id = grades.submission_id \
         WHERE grades.workspace_id = assignments.workspace_id AND grades.assignment_id = assignments.id \
         AND {IS_EXAMPLE} AND grades.created_at <= {} ORDER BY grades.created_at DESC LIMIT 1)",
        end_of_examples("assignments.workspace_id", "assignments.id")
    )
}

/// An assignment, what is noted with it, and its newest example.
type StaleRow = (String, Option<Moment>, Option<Moment>);

/// The later of both, of those assignments that have one.
pub fn stale_since(
    session: &mut Session<'_>,
    workspace: WorkspaceId,
    assignments: &[AssignmentId],
) -> Result<Vec<(AssignmentId, Timestamp)>, StoreError> {
    let found = match assignments {
        [] => Vec::new(),
        [one] => of_one(session, workspace, *one)?,
        several => of_several(session, workspace, several)?,
    };
    let mut since = Vec::with_capacity(found.len());
    for (id, noted, given) in found {
        if let Some(moment) = rows::moment(noted).max(rows::moment(given)) {
            since.push((rows::id(&id)?, moment));
        }
    }
    Ok(since)
}

/// What a GET asks: its type tells its text, so it is compiled once.
fn of_one(
    session: &mut Session<'_>,
    workspace: WorkspaceId,
    id: AssignmentId,
) -> Result<Vec<StaleRow>, StoreError> {
    session.run(|conn| {
        let query = assignments::table
            .find((workspace.to_string(), id.to_string()))
            .select((
                assignments::id,
                assignments::grader_changed_at,
                NewestExample,
            ));
        on_either!(conn, query.load(conn))
    })
}

fn of_several(
    session: &mut Session<'_>,
    workspace: WorkspaceId,
    ids: &[AssignmentId],
) -> Result<Vec<StaleRow>, StoreError> {
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    session.run(|conn| {
        let query = assignments::table
            .filter(assignments::workspace_id.eq(workspace.to_string()))
            .filter(assignments::id.eq_any(ids))
            .select((
                assignments::id,
                assignments::grader_changed_at,
                NewestExample,
            ));
        on_either!(conn, CachedByText(query).load(conn))
    })
}

/// Notes with their assignments that the examples which these make are no more, or are back.
pub fn note_moved(
    session: &mut Session<'_>,
    workspace: WorkspaceId,
    ids: &[SubmissionId],
    now: Timestamp,
) -> Result<(), StoreError> {
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    session
        .run(|conn| {
            let taught = grades::table
                .inner_join(
                    submissions::table.on(submissions::workspace_id
                        .eq(grades::workspace_id)
                        .and(submissions::id.eq(grades::submission_id))),
                )
                .filter(grades::workspace_id.eq(workspace.to_string()))
                .filter(grades::submission_id.eq_any(ids))
                .filter(IsCounted)
                .select(grades::assignment_id);
            let query = diesel::update(assignments::table)
                .filter(assignments::workspace_id.eq(workspace.to_string()))
                .filter(assignments::id.eq_any(taught))
                .filter(
                    assignments::grader_changed_at
                        .is_null()
                        .or(assignments::grader_changed_at.lt(Moment(now))),
                )
                .set(assignments::grader_changed_at.eq(Moment(now)));
            on_either!(conn, CachedByText(query).execute(conn))
        })
        .map(drop)
}

/// Notes with an assignment that the examples which were given after `since` count from `now` on.
pub fn note_after(
    session: &mut Session<'_>,
    workspace: WorkspaceId,
    assignment: AssignmentId,
    since: Timestamp,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (workspace, assignment) = (workspace.to_string(), assignment.to_string());
    session
        .run(|conn| {
            let later = grades::table
                .inner_join(
                    submissions::table.on(submissions::workspace_id
                        .eq(grades::workspace_id)
                        .and(submissions::id.eq(grades::submission_id))),
                )
                .filter(grades::workspace_id.eq(&workspace))
                .filter(grades::assignment_id.eq(&assignment))
                .filter(grades::created_at.gt(Moment(since)))
                .filter(IsExample)
                .select(grades::assignment_id);
            let query = diesel::update(assignments::table)
                .filter(assignments::workspace_id.eq(&workspace))
                .filter(assignments::id.eq(&assignment))
                .filter(assignments::id.eq_any(later))
                .filter(
                    assignments::grader_changed_at
                        .is_null()
                        .or(assignments::grader_changed_at.lt(Moment(now))),
                )
                .set(assignments::grader_changed_at.eq(Moment(now)));
            on_either!(conn, CachedByText(query).execute(conn))
        })
        .map(drop)
}
