//! What a book of grades is made of, read from rows.

use diesel::QueryableByName;
use diesel::sql_types::{Nullable, Text};
use lyceum_domain::authoring::due_dates::DueOverride;
use lyceum_domain::grading::gradebook::{Attempted, HandedIn, QuizAttempt};
use lyceum_domain::grading::submissions::SubmissionStatus;
use lyceum_domain::ids::{ActivityId, AssignmentId, CohortId, CourseId, LessonId, UnitId, UserId};
use lyceum_domain::points::Points;
use lyceum_ports::grading::gradebook::{GradebookRepository, JudgedWork};

use crate::authoring::due_dates::DueOverrideRow;
use crate::grading::judged_parts;
use crate::mapping::schema::{attempts, due_overrides, submissions};
use crate::prelude::*;
use crate::running::shared_limits::spelt;

/// A submission without what was written and what was said of it.
#[derive(Queryable, Selectable)]
#[diesel(table_name = submissions)]
struct HandedInRow {
    id: String,
    user_id: String,
    assignment_id: String,
    cohort_id: Option<String>,
    attempt: i64,
    status: String,
    submitted_at: Option<Moment>,
    late: bool,
    max_score: i64,
    score: Option<i64>,
}

impl TryFrom<HandedInRow> for HandedIn {
    type Error = StoreError;

    fn try_from(row: HandedInRow) -> Result<Self, StoreError> {
        let submitted_at = rows::moment(row.submitted_at);
        Ok(Self {
            id: rows::id(&row.id)?,
            user_id: rows::id(&row.user_id)?,
            assignment_id: rows::id(&row.assignment_id)?,
            cohort_id: rows::optional_id(row.cohort_id.as_ref())?,
            attempt: rows::number(row.attempt)?,
            status: rows::read(SubmissionStatus::parse(&row.status))?,
            submitted_at: submitted_at.ok_or_else(|| corrupt("handed in at no moment"))?,
            late: row.late,
            max_score: Points::from_hundredths(row.max_score),
            score: row.score.map(Points::from_hundredths),
        })
    }
}

/// A place in a course: a unit, and a lesson of it where it has any.
#[derive(QueryableByName)]
struct PlaceRow {
    #[diesel(sql_type = Text)]
    unit: String,
    #[diesel(sql_type = Nullable<Text>)]
    lesson: Option<String>,
}

#[derive(QueryableByName)]
#[diesel(table_name = attempts)]
struct QuizAttemptRow {
    user_id: String,
    activity_id: String,
    number: i64,
    score: i64,
    max_score: i64,
    created_at: Moment,
}

impl TryFrom<QuizAttemptRow> for QuizAttempt {
    type Error = StoreError;

    fn try_from(row: QuizAttemptRow) -> Result<Self, StoreError> {
        Ok(Self {
            user_id: rows::id(&row.user_id)?,
            activity_id: rows::id(&row.activity_id)?,
            attempted: Attempted {
                number: rows::number(row.number)?,
                points: Some(Points::from_hundredths(row.score)),
                best_possible: Points::from_hundredths(row.max_score),
                handed_in_at: row.created_at.0,
            },
        })
    }
}

/// Those of the attempts that can count. `$3` is a document with the ids of the learners.
fn countable(conn: &AnyConnection) -> String {
    let learners = match conn {
        AnyConnection::Postgres(_) => "= ANY(ARRAY(SELECT jsonb_array_elements_text($3::jsonb)))",
        AnyConnection::Sqlite(_) => "IN (SELECT value FROM json_each($3))",
    };
    let statement = format!(
        "SELECT user_id, activity_id, number, score, max_score, created_at FROM (\
             SELECT user_id, activity_id, number, score, max_score, created_at, \
             ROW_NUMBER() OVER (PARTITION BY user_id, activity_id ORDER BY number) AS earliest, \
             ROW_NUMBER() OVER (PARTITION BY user_id, activity_id ORDER BY number DESC) AS latest, \
             ROW_NUMBER() OVER (PARTITION BY user_id, activity_id, max_score ORDER BY score DESC, number) AS best \
             FROM attempts WHERE workspace_id = $1 AND course_id = $2 AND user_id {learners} AND max_score > 0\
         ) AS ranked WHERE earliest = 1 OR latest = 1 OR best = 1"
    );
    spelt(conn, &statement)
}

fn texts<T: ToString>(ids: &[T]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

impl GradebookRepository for Session<'_> {
    fn outline(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
    ) -> Result<Vec<(UnitId, Vec<LessonId>)>, StoreError> {
        let statement = spelt(
            self.conn,
            "SELECT units.id AS unit, lessons.id AS lesson FROM units \
             LEFT JOIN lessons ON lessons.workspace_id = $1 AND lessons.unit_id = units.id \
             WHERE units.workspace_id = $1 AND units.course_id = $2 \
             ORDER BY units.position, units.id, lessons.position, lessons.id",
        );
        let found: Vec<PlaceRow> = self.run(|conn| {
            let query = diesel::sql_query(statement)
                .bind::<Text, _>(workspace.to_string())
                .bind::<Text, _>(course.to_string());
            on_either!(conn, query.load(conn))
        })?;
        let mut outline: Vec<(UnitId, Vec<LessonId>)> = Vec::new();
        for row in found {
            let unit = rows::id(&row.unit)?;
            let lesson: Option<LessonId> = rows::optional_id(row.lesson.as_ref())?;
            match outline.last_mut() {
                Some((last, lessons)) if *last == unit => lessons.extend(lesson),
                _ => outline.push((unit, lesson.into_iter().collect())),
            }
        }
        Ok(outline)
    }

    fn handed_in(
        &mut self,
        workspace: WorkspaceId,
        users: &[UserId],
        assignments: &[AssignmentId],
    ) -> Result<Vec<HandedIn>, StoreError> {
        let found = self.run(|conn| {
            submissions::table
                .filter(submissions::workspace_id.eq(workspace.to_string()))
                .filter(submissions::user_id.eq_any(texts(users)))
                .filter(submissions::assignment_id.eq_any(texts(assignments)))
                .filter(submissions::status.ne(SubmissionStatus::Draft.as_str()))
                .select(HandedInRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(HandedIn::try_from).collect()
    }

    fn quiz_attempts(
        &mut self,
        workspace: WorkspaceId,
        users: &[UserId],
        course: CourseId,
    ) -> Result<Vec<QuizAttempt>, StoreError> {
        let statement = countable(self.conn);
        let users = serde_json::Value::from(texts(users)).to_string();
        let found: Vec<QuizAttemptRow> = self.run(|conn| {
            let query = diesel::sql_query(statement)
                .bind::<Text, _>(workspace.to_string())
                .bind::<Text, _>(course.to_string())
                .bind::<Text, _>(users);
            on_either!(conn, query.load(conn))
        })?;
        found.into_iter().map(QuizAttempt::try_from).collect()
    }

    fn submissions_judged(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        cohort: Option<CohortId>,
        limit: u16,
    ) -> Result<JudgedWork, StoreError> {
        judged_parts::of_assignment(self, (workspace, assignment), cohort, limit)
    }

    fn attempts_judged(
        &mut self,
        workspace: WorkspaceId,
        activity: ActivityId,
        cohort: Option<CohortId>,
        limit: u16,
    ) -> Result<JudgedWork, StoreError> {
        judged_parts::of_activity(self, (workspace, activity), cohort, limit)
    }

    fn due_overrides(
        &mut self,
        workspace: WorkspaceId,
        assignments: &[AssignmentId],
        cohort: CohortId,
        users: &[UserId],
    ) -> Result<Vec<DueOverride>, StoreError> {
        let whose = due_overrides::cohort_id
            .eq(cohort.to_string())
            .or(due_overrides::user_id.eq_any(texts(users)));
        let found = self.run(|conn| {
            due_overrides::table
                .filter(due_overrides::workspace_id.eq(workspace.to_string()))
                .filter(due_overrides::assignment_id.eq_any(texts(assignments)))
                .filter(whose)
                .select(DueOverrideRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(DueOverride::try_from).collect()
    }
}
