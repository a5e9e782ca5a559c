//! What was earned at the parts of a task, read out of what was said of them: the database hands out the points alone.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Nullable, Text};
use lyceum_domain::grading::gradebook::{
    Attempted, DecidedGrade, GradeMoments, PartScore, TaskAttempt,
};
use lyceum_domain::grading::grades::GradeSource;
use lyceum_domain::grading::submissions::SubmissionStatus;
use lyceum_domain::ids::{ActivityId, AssignmentId, CohortId};
use lyceum_domain::points::Points;
use lyceum_ports::grading::gradebook::JudgedWork;

use crate::mapping::columns::Instant;
use crate::prelude::*;
use crate::running::shared_limits::spelt;

#[derive(QueryableByName)]
struct JudgedRow {
    #[diesel(sql_type = Text)]
    user_id: String,
    #[diesel(sql_type = BigInt)]
    number: i64,
    #[diesel(sql_type = Text)]
    status: String,
    #[diesel(sql_type = Instant)]
    handed_in_at: Moment,
    #[diesel(sql_type = BigInt)]
    best_possible: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    points: Option<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    graded_by: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    graded_at: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    decided_by: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    decided_at: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    status_before: Option<String>,
    /// The points of the grade that stands, before anything is taken off for coming late.
    #[diesel(sql_type = Nullable<BigInt>)]
    judged: Option<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    by_before: Option<String>,
    #[diesel(sql_type = Nullable<BigInt>)]
    judged_before: Option<i64>,
    /// A list of lists: what a part is called, its points and the best possible, in hundredths.
    #[diesel(sql_type = Nullable<Text>)]
    parts: Option<String>,
    /// How many rows were found, the same in each.
    #[diesel(sql_type = BigInt)]
    found: i64,
}

impl JudgedRow {
    /// When its grade was there for its learner.
    fn shown_at(&self) -> Result<Option<Timestamp>, StoreError> {
        let (Some(by), Some(at)) = (&self.graded_by, &self.graded_at) else {
            return Ok(None);
        };
        let decided_at = self.decided_at.as_deref().map(Timestamp::parse);
        let before = self.status_before.as_deref().map(SubmissionStatus::parse);
        let moments = GradeMoments {
            by: rows::read(GradeSource::parse(by))?,
            at: rows::read(Timestamp::parse(at))?,
            is_decided: self.decided_by.is_some(),
            decided_at: rows::read(decided_at.transpose())?,
            was_out: rows::read(before.transpose())?.is_some_and(SubmissionStatus::shows_grade),
        };
        Ok(moments.shown_at())
    }

    /// What a member made of AI's grade.
    fn decided(&self) -> Result<Option<DecidedGrade>, StoreError> {
        let decided_at = self.decided_at.as_deref().map(Timestamp::parse);
        let by = |word: &Option<String>| word.as_deref() == Some(GradeSource::Ai.as_str());
        let ai = if by(&self.graded_by) {
            self.judged
        } else {
            self.judged_before.filter(|_| by(&self.by_before))
        };
        let (Some(decided_at), Some(ai), Some(member)) =
            (rows::read(decided_at.transpose())?, ai, self.judged)
        else {
            return Ok(None);
        };
        Ok(Some(DecidedGrade {
            ai: Points::from_hundredths(ai),
            member: Points::from_hundredths(member),
            best_possible: Points::from_hundredths(self.best_possible),
            decided_at,
        }))
    }
}

impl TryFrom<JudgedRow> for TaskAttempt {
    type Error = StoreError;

    fn try_from(row: JudgedRow) -> Result<Self, StoreError> {
        let status = rows::read(SubmissionStatus::parse(&row.status))?;
        let points = row.points.filter(|_| status.shows_grade());
        let (shown_at, decided) = match points {
            Some(_) => (row.shown_at()?, row.decided()?),
            None => (None, None),
        };
        let parts: Vec<(String, i64, i64)> = match row.parts.filter(|_| points.is_some()) {
            Some(parts) => rows::read(serde_json::from_str(&parts))?,
            None => Vec::new(),
        };
        let part = |(id, points, best): (String, i64, i64)| PartScore {
            id,
            points: Points::from_hundredths(points),
            best_possible: Points::from_hundredths(best),
        };
        Ok(Self {
            user_id: rows::id(&row.user_id)?,
            attempted: Attempted {
                number: rows::number(row.number)?,
                points: points.map(Points::from_hundredths),
                best_possible: Points::from_hundredths(row.best_possible),
                handed_in_at: row.handed_in_at.0,
            },
            shown_at,
            decided,
            parts: parts.into_iter().map(part).collect(),
        })
    }
}

/// The points at the parts that a document lists, each part named by a member; without what nobody judged.
fn parts_of(conn: &AnyConnection, (document, list): (&str, Option<&str>), name: &str) -> String {
    match conn {
        AnyConnection::Postgres(_) => {
            let list = list.map_or(document.to_owned(), |list| {
                format!("({document} -> '{list}')")
            });
            format!(
                "(SELECT jsonb_agg(jsonb_build_array(e -> '{name}', e -> 'score', e -> 'max_score'))::text \
                 FROM jsonb_array_elements(CASE jsonb_typeof({list}) WHEN 'array' THEN {list} ELSE '[]'::jsonb END) AS e \
                 WHERE e ->> 'not_judged' IS NULL)"
            )
        }
        AnyConnection::Sqlite(_) => {
            let path = list.map_or("$".to_owned(), |list| format!("$.{list}"));
            format!(
                "(SELECT json_group_array(json_array(e.value ->> '{name}', e.value ->> 'score', e.value ->> 'max_score')) \
                 FROM json_each({document}, '{path}') AS e WHERE e.value ->> 'not_judged' IS NULL)"
            )
        }
    }
}

/// When a grade came to be, of what its document says.
fn moments_of(conn: &AnyConnection) -> String {
    let [by, at, decided_by, decided_at] =
        ["by", "at", "decided_by", "decided_at"].map(|name| format!("grade ->> '{name}'"));
    let [status, by_before, judged_before] = match conn {
        AnyConnection::Postgres(_) => [
            "grade -> 'before' ->> 'status'",
            "grade #>> '{before,grade,by}'",
            "grade #>> '{before,grade,score}'",
        ],
        AnyConnection::Sqlite(_) => [
            "grade ->> '$.before.status'",
            "grade ->> '$.before.grade.by'",
            "grade ->> '$.before.grade.score'",
        ],
    };
    format!(
        "{by} AS graded_by, {at} AS graded_at, {decided_by} AS decided_by, {decided_at} AS decided_at, {status} AS status_before, \
         CAST(grade ->> 'score' AS BIGINT) AS judged, {by_before} AS by_before, CAST({judged_before} AS BIGINT) AS judged_before"
    )
}

/// What answers at once has none.
const NO_MOMENTS: &str = "NULL AS graded_by, NULL AS graded_at, NULL AS decided_by, NULL AS decided_at, NULL AS status_before, \
                          CAST(NULL AS BIGINT) AS judged, NULL AS by_before, CAST(NULL AS BIGINT) AS judged_before";

/// Of what a query finds the newest, and beside each how many were found: one more than the limit, where there are more. What was said of
/// them is read behind this, row by row: to put rows in order a database keeps all of what they have.
fn newest(found: &str) -> String {
    format!(
        "(SELECT *, COUNT(*) OVER () AS found, ROW_NUMBER() OVER (ORDER BY id DESC) AS place \
         FROM ({found} ORDER BY id DESC LIMIT $4 + 1) AS looked_at) AS newest WHERE place <= $4"
    )
}

/// What was handed in for one assignment. A cohort without a name is none.
pub fn of_assignment(
    session: &mut Session<'_>,
    (workspace, assignment): (WorkspaceId, AssignmentId),
    cohort: Option<CohortId>,
    limit: u16,
) -> Result<JudgedWork, StoreError> {
    let newest = newest(
        "SELECT id FROM submissions \
         WHERE workspace_id = $1 AND assignment_id = $2 AND status <> 'draft' AND submitted_at IS NOT NULL \
         AND ($3 = '' OR ((cohort_id IS NULL OR cohort_id = $3) \
         AND user_id IN (SELECT user_id FROM enrollments WHERE workspace_id = $1 AND cohort_id = $3)))",
    );
    let parts = parts_of(session.conn, ("grade", Some("criteria")), "criterion_id");
    let said = format!("{}, {parts} AS parts", moments_of(session.conn));
    let statement = format!(
        "SELECT user_id, attempt AS number, status, submitted_at AS handed_in_at, max_score AS best_possible, score AS points, \
         {{said}}, found FROM (SELECT id AS chosen, found FROM {newest}) AS chosen \
         JOIN submissions ON workspace_id = $1 AND id = chosen ORDER BY id DESC"
    );
    let asked = (workspace, assignment.to_string(), cohort);
    read(session, (&statement, &said), asked, limit)
}

/// The attempts at one quiz: of the newest those that can count, of each learner the first, the last, and the best of those with the same
/// best possible points.
pub fn of_activity(
    session: &mut Session<'_>,
    (workspace, activity): (WorkspaceId, ActivityId),
    cohort: Option<CohortId>,
    limit: u16,
) -> Result<JudgedWork, StoreError> {
    let newest = newest(
        "SELECT id, user_id, number, score, max_score FROM attempts \
         WHERE workspace_id = $1 AND activity_id = $2 AND max_score > 0 \
         AND ($3 = '' OR user_id IN (SELECT user_id FROM enrollments WHERE workspace_id = $1 AND cohort_id = $3))",
    );
    let parts = parts_of(session.conn, ("results", None), "question_id");
    let said = format!("{NO_MOMENTS}, {parts} AS parts");
    let statement = format!(
        "SELECT user_id, number, 'graded' AS status, created_at AS handed_in_at, max_score AS best_possible, score AS points, \
         {{said}}, found FROM (\
             SELECT id AS chosen, found, \
             ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY number) AS earliest, \
             ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY number DESC) AS latest, \
             ROW_NUMBER() OVER (PARTITION BY user_id, max_score ORDER BY score DESC, number) AS best \
             FROM {newest}\
         ) AS ranked JOIN attempts ON workspace_id = $1 AND id = chosen WHERE earliest = 1 OR latest = 1 OR best = 1"
    );
    let asked = (workspace, activity.to_string(), cohort);
    read(session, (&statement, &said), asked, limit)
}

fn read(
    session: &mut Session<'_>,
    (statement, said): (&str, &str),
    (workspace, task, cohort): (WorkspaceId, String, Option<CohortId>),
    limit: u16,
) -> Result<JudgedWork, StoreError> {
    let statement = spelt(session.conn, statement).replace("{said}", said);
    let cohort = cohort.map_or_else(String::new, |id| id.to_string());
    let found: Vec<JudgedRow> = session.run(|conn| {
        let query = diesel::sql_query(&statement)
            .bind::<Text, _>(workspace.to_string())
            .bind::<Text, _>(task)
            .bind::<Text, _>(cohort)
            .bind::<BigInt, _>(i64::from(limit));
        on_either!(conn, query.load(conn))
    })?;
    let is_all = found.iter().all(|row| row.found <= i64::from(limit));
    let attempts = found.into_iter().map(TaskAttempt::try_from);
    Ok(JudgedWork {
        attempts: attempts.collect::<Result<_, StoreError>>()?,
        is_all,
    })
}
