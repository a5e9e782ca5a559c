//! Completed lessons in rows, and what is counted of them.

use diesel::dsl::{count_star, max};
use lyceum_domain::ids::AssignmentId;
use lyceum_domain::ids::CompletionId;
use lyceum_domain::ids::CourseId;
use lyceum_domain::ids::LessonId;
use lyceum_domain::ids::UserId;
use lyceum_domain::learning::progress::LessonCompletion;
use lyceum_ports::learning::progress::{CompletedLessons, ProgressRepository};

use crate::mapping::schema::{lesson_completions, lessons, submissions};
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = lesson_completions)]
    struct CompletionRow of LessonCompletion {
        workspace_id: WorkspaceId,
        id: CompletionId,
        user_id: UserId,
        lesson_id: LessonId,
        course_id: CourseId,
        created_at: Timestamp,
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

    fn handed_in(
        &mut self,
        workspace: WorkspaceId,
        users: &[UserId],
        assignments: &[AssignmentId],
    ) -> Result<Vec<(UserId, AssignmentId)>, StoreError> {
        let users: Vec<String> = users.iter().map(ToString::to_string).collect();
        let assignments: Vec<String> = assignments.iter().map(ToString::to_string).collect();
        let found: Vec<(String, String)> = self.run(|conn| {
            submissions::table
                .filter(submissions::workspace_id.eq(workspace.to_string()))
                .filter(submissions::assignment_id.eq_any(assignments))
                .filter(submissions::user_id.eq_any(users))
                .filter(submissions::submitted_at.is_not_null())
                .select((submissions::user_id, submissions::assignment_id))
                .distinct()
                .load(conn)
        })?;
        let each = found.iter();
        each.map(|(user, assignment)| Ok((rows::id(user)?, rows::id(assignment)?)))
            .collect()
    }
}
