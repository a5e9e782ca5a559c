//! Completed lessons in rows, and what is counted of them.

use diesel::dsl::{count_star, max};
use diesel::prelude::*;
use lyceum_domain::ids::{CourseId, LessonId, UserId, WorkspaceId};
use lyceum_domain::learning::progress::LessonCompletion;
use lyceum_ports::learning::progress::{CompletedLessons, ProgressRepository};
use lyceum_ports::store::StoreError;

use crate::database::error::corrupt;
use crate::database::session::Session;
use crate::mapping::columns::Moment;
use crate::mapping::rows;
use crate::mapping::schema::{lesson_completions, lessons};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = lesson_completions)]
struct CompletionRow {
    workspace_id: String,
    id: String,
    user_id: String,
    lesson_id: String,
    course_id: String,
    created_at: Moment,
}

impl From<&LessonCompletion> for CompletionRow {
    fn from(completion: &LessonCompletion) -> Self {
        let LessonCompletion {
            workspace_id,
            id,
            user_id,
            lesson_id,
            course_id,
            created_at,
        } = completion;
        Self {
            workspace_id: workspace_id.to_string(),
            id: id.to_string(),
            user_id: user_id.to_string(),
            lesson_id: lesson_id.to_string(),
            course_id: course_id.to_string(),
            created_at: (*created_at).into(),
        }
    }
}

impl TryFrom<CompletionRow> for LessonCompletion {
    type Error = StoreError;

    fn try_from(row: CompletionRow) -> Result<Self, StoreError> {
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            user_id: rows::id(&row.user_id)?,
            lesson_id: rows::id(&row.lesson_id)?,
            course_id: rows::id(&row.course_id)?,
            created_at: row.created_at.0,
        })
    }
}

/// User, course, how many, when last.
type CompletedRow = (String, String, i64, Option<Moment>);

fn completed(row: CompletedRow) -> Result<CompletedLessons, StoreError> {
    let (user_id, course_id, lessons, last_at) = row;
    let last_at = rows::moment(last_at);
    Ok(CompletedLessons {
        user_id: rows::id(&user_id)?,
        course_id: rows::id(&course_id)?,
        lessons: rows::number(lessons)?,
        last_at: last_at.ok_or_else(|| corrupt("completions without a moment"))?,
    })
}

impl ProgressRepository for Session<'_> {
    fn complete(&mut self, completion: &LessonCompletion) -> Result<(), StoreError> {
        let row = CompletionRow::from(completion);
        self.insert_absent(|conn| {
            diesel::insert_into(lesson_completions::table)
                .values(&row)
                .execute(conn)
        })
    }

    fn completion(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
        lesson: LessonId,
    ) -> Result<Option<LessonCompletion>, StoreError> {
        let found = self.run(|conn| {
            lesson_completions::table
                .filter(lesson_completions::workspace_id.eq(workspace.to_string()))
                .filter(lesson_completions::user_id.eq(user.to_string()))
                .filter(lesson_completions::lesson_id.eq(lesson.to_string()))
                .select(CompletionRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(LessonCompletion::try_from).transpose()
    }

    fn lesson_totals(
        &mut self,
        workspace: WorkspaceId,
        courses: &[CourseId],
    ) -> Result<Vec<(CourseId, u32)>, StoreError> {
        let courses: Vec<String> = courses.iter().map(ToString::to_string).collect();
        let found: Vec<(String, i64)> = self.run(|conn| {
            lessons::table
                .filter(lessons::workspace_id.eq(workspace.to_string()))
                .filter(lessons::course_id.eq_any(courses))
                .group_by(lessons::course_id)
                .select((lessons::course_id, count_star()))
                .load(conn)
        })?;
        found
            .into_iter()
            .map(|(course, count)| Ok((rows::id(&course)?, rows::number(count)?)))
            .collect()
    }

    fn completed(
        &mut self,
        workspace: WorkspaceId,
        users: &[UserId],
        courses: &[CourseId],
    ) -> Result<Vec<CompletedLessons>, StoreError> {
        let users: Vec<String> = users.iter().map(ToString::to_string).collect();
        let courses: Vec<String> = courses.iter().map(ToString::to_string).collect();
        let found = self.run(|conn| {
            lesson_completions::table
                .filter(lesson_completions::workspace_id.eq(workspace.to_string()))
                .filter(lesson_completions::user_id.eq_any(users))
                .filter(lesson_completions::course_id.eq_any(courses))
                .group_by((lesson_completions::user_id, lesson_completions::course_id))
                .select((
                    lesson_completions::user_id,
                    lesson_completions::course_id,
                    count_star(),
                    max(lesson_completions::created_at),
                ))
                .load::<CompletedRow>(conn)
        })?;
        found.into_iter().map(completed).collect()
    }
}
