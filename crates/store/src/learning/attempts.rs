//! Attempts in rows.

use diesel::dsl::max;
use lyceum_domain::ids::ActivityId;
use lyceum_domain::ids::CourseId;
use lyceum_domain::ids::UserId;
use lyceum_domain::learning::attempts::{Attempt, AttemptResult, QuestionResult};
use lyceum_domain::points::Points;
use lyceum_ports::learning::attempts::{AttemptFilter, AttemptRepository, BestAttempt};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::mapping::documents;
use crate::mapping::schema::attempts;
use crate::prelude::*;

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = attempts)]
struct AttemptRow {
    workspace_id: String,
    id: String,
    activity_id: String,
    course_id: String,
    user_id: String,
    number: i64,
    answers: Json,
    score: i64,
    max_score: i64,
    percent: Option<i64>,
    passed: Option<bool>,
    results: Json,
    shows_answers: bool,
    created_at: Moment,
}

/// How a question's result is kept; points in hundredths.
#[derive(Serialize, Deserialize)]
struct QuestionDocument {
    question_id: String,
    correct: Option<bool>,
    score: i64,
    max_score: i64,
    feedback: String,
    explanation: String,
    right_answer: Value,
}

impl From<&QuestionResult> for QuestionDocument {
    fn from(result: &QuestionResult) -> Self {
        let QuestionResult {
            question_id,
            correct,
            score,
            max_score,
            feedback,
            explanation,
            right_answer,
        } = result;
        Self {
            question_id: question_id.clone(),
            correct: *correct,
            score: score.hundredths().into(),
            max_score: max_score.hundredths().into(),
            feedback: feedback.clone(),
            explanation: explanation.clone(),
            right_answer: right_answer.clone(),
        }
    }
}

impl From<QuestionDocument> for QuestionResult {
    fn from(document: QuestionDocument) -> Self {
        Self {
            question_id: document.question_id,
            correct: document.correct,
            score: Points::from_hundredths(document.score),
            max_score: Points::from_hundredths(document.max_score),
            feedback: document.feedback,
            explanation: document.explanation,
            right_answer: document.right_answer,
        }
    }
}

impl TryFrom<&Attempt> for AttemptRow {
    type Error = StoreError;

    fn try_from(attempt: &Attempt) -> Result<Self, StoreError> {
        let Attempt {
            workspace_id,
            id,
            activity_id,
            course_id,
            user_id,
            number,
            answers,
            result,
            created_at,
        } = attempt;
        let AttemptResult {
            score,
            max_score,
            percent,
            passed,
            questions,
            shows_answers,
        } = result;
        let questions: Vec<QuestionDocument> = questions.iter().map(Into::into).collect();
        Ok(Self {
            workspace_id: workspace_id.to_string(),
            id: id.to_string(),
            activity_id: activity_id.to_string(),
            course_id: course_id.to_string(),
            user_id: user_id.to_string(),
            number: (*number).into(),
            answers: Json::object(answers),
            score: score.hundredths().into(),
            max_score: max_score.hundredths().into(),
            percent: percent.map(i64::from),
            passed: *passed,
            results: documents::write(&questions)?,
            shows_answers: *shows_answers,
            created_at: (*created_at).into(),
        })
    }
}

impl TryFrom<AttemptRow> for Attempt {
    type Error = StoreError;

    fn try_from(row: AttemptRow) -> Result<Self, StoreError> {
        let questions: Vec<QuestionDocument> = documents::read(row.results)?;
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            activity_id: rows::id(&row.activity_id)?,
            course_id: rows::id(&row.course_id)?,
            user_id: rows::id(&row.user_id)?,
            number: rows::number(row.number)?,
            answers: rows::object(row.answers)?,
            result: AttemptResult {
                score: Points::from_hundredths(row.score),
                max_score: Points::from_hundredths(row.max_score),
                percent: row.percent.map(rows::number).transpose()?,
                passed: row.passed,
                questions: questions.into_iter().map(Into::into).collect(),
                shows_answers: row.shows_answers,
            },
            created_at: row.created_at.0,
        })
    }
}

/// User, course, activity, best per cent, last attempt.
type BestRow = (String, String, String, Option<i64>, Option<Moment>);

fn best(row: BestRow) -> Result<BestAttempt, StoreError> {
    let (user_id, course_id, activity_id, percent, last_at) = row;
    let last_at = rows::moment(last_at);
    Ok(BestAttempt {
        user_id: rows::id(&user_id)?,
        course_id: rows::id(&course_id)?,
        activity_id: rows::id(&activity_id)?,
        percent: percent.map(rows::number).transpose()?,
        last_at: last_at.ok_or_else(|| corrupt("attempts without a moment"))?,
    })
}

impl AttemptRepository for Session<'_> {
    fn insert(&mut self, attempt: &Attempt) -> Result<(), StoreError> {
        let row = AttemptRow::try_from(attempt)?;
        self.insert_absent(|conn| {
            diesel::insert_into(attempts::table)
                .values(&row)
                .execute(conn)
        })
    }

    fn latest_number(
        &mut self,
        workspace: WorkspaceId,
        activity: ActivityId,
        user: UserId,
    ) -> Result<u32, StoreError> {
        let latest: Option<i64> = self.run(|conn| {
            attempts::table
                .filter(attempts::workspace_id.eq(workspace.to_string()))
                .filter(attempts::activity_id.eq(activity.to_string()))
                .filter(attempts::user_id.eq(user.to_string()))
                .select(max(attempts::number))
                .first(conn)
        })?;
        rows::number(latest.unwrap_or_default())
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        activity: ActivityId,
        filter: &AttemptFilter,
        page: &PageRequest,
    ) -> Result<Page<Attempt>, StoreError> {
        let walk = Walk::<ids::Attempt>::over("attempts", workspace, page)
            .along("activity_id", Some(activity))
            .of_few(filter.user_id.is_some());
        walk.take(self, |session, mut reach| {
            let mut query = attempts::table
                .filter(attempts::workspace_id.eq(workspace.to_string()))
                .filter(attempts::activity_id.eq(activity.to_string()))
                .select(AttemptRow::as_select())
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(user) = filter.user_id {
                query = query.filter(attempts::user_id.eq(user.to_string()));
            }
            let found = session.run(|conn| query.load::<AttemptRow>(conn))?;
            let attempts = found
                .into_iter()
                .map(Attempt::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut(attempts, |attempt| attempt.id.to_string()))
        })
    }

    fn best(
        &mut self,
        workspace: WorkspaceId,
        users: &[UserId],
        courses: &[CourseId],
    ) -> Result<Vec<BestAttempt>, StoreError> {
        let users: Vec<String> = users.iter().map(ToString::to_string).collect();
        let courses: Vec<String> = courses.iter().map(ToString::to_string).collect();
        let found = self.run(|conn| {
            attempts::table
                .filter(attempts::workspace_id.eq(workspace.to_string()))
                .filter(attempts::user_id.eq_any(users))
                .filter(attempts::course_id.eq_any(courses))
                .group_by((
                    attempts::user_id,
                    attempts::course_id,
                    attempts::activity_id,
                ))
                .select((
                    attempts::user_id,
                    attempts::course_id,
                    attempts::activity_id,
                    max(attempts::percent),
                    max(attempts::created_at),
                ))
                .load::<BestRow>(conn)
        })?;
        found.into_iter().map(best).collect()
    }
}
