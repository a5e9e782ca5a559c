//! Courses in rows.

use lyceum_domain::authoring::completion::Completion;
use lyceum_domain::authoring::courses::gradebook::GradebookScheme;
use lyceum_domain::authoring::courses::{Course, CourseAi, CourseAttachments, CourseStatus, Hours};
use lyceum_domain::ids::CourseId;
use lyceum_domain::json::{JsonObject, Metadata};
use lyceum_domain::text::{LanguageTag, LongText, Name};
use lyceum_ports::authoring::courses::{
    CourseFilter, CourseRepository, ShownCourse, ShownGeneration,
};

use crate::mapping::conditions::Condition;
use crate::mapping::schema::{
    activities, assignments, cohorts, courses, enrollments, generations, lessons, scorm_packages,
    submissions, units, waiting_changes,
};
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = courses, primary_key(workspace_id, id), treat_none_as_null = true)]
    struct CourseRow of Course {
        workspace_id: WorkspaceId,
        id: CourseId,
        name: Name,
        language: LanguageTag,
        description: LongText,
        hours: Hours,
        minutes_generated: u32,
        status: CourseStatus,
        tutor: JsonObject,
        completion: Completion,
        gradebook: GradebookScheme,
        changes_wait: bool,
        metadata: Metadata,
        ..ai: (ai_instructions: String, ai_evaluator: Json),
        ..stamp: (created_at: Moment, updated_at: Moment, version: i64),
    }
}

kept_as_text!(CourseStatus);
kept_as_number!(Hours);

impl Stored for Completion {
    type Columns = Json;

    fn columns(&self) -> Json {
        Json::object(&self.to_json())
    }

    fn read(json: Json) -> Result<Self, StoreError> {
        rows::read(Self::parse(&rows::object(json)?))
    }
}

impl Stored for GradebookScheme {
    type Columns = Json;

    fn columns(&self) -> Json {
        Json::object(&self.to_json())
    }

    fn read(json: Json) -> Result<Self, StoreError> {
        rows::read(Self::parse(&rows::object(json)?))
    }
}

impl Stored for CourseAi {
    type Columns = (String, Json);

    fn columns(&self) -> Self::Columns {
        (self.instructions.columns(), self.evaluator.columns())
    }

    fn read((instructions, evaluator): Self::Columns) -> Result<Self, StoreError> {
        Ok(Self {
            instructions: Stored::read(instructions)?,
            evaluator: Stored::read(evaluator)?,
        })
    }
}

/// What is read of a course to show it: the row, ids of its newest cohorts, and the newest generation's id and state. Triggers
/// keep both beside it (`migrations`), so that a page does not look for twenty times two.
type ShownRow = (CourseRow, String, String);

fn shown((row, cohorts, generation): ShownRow) -> Result<ShownCourse, StoreError> {
    let cohorts = cohorts.split_terminator(',');
    let mut cohorts = cohorts.map(rows::id).collect::<Result<Vec<_>, _>>()?;
    // No aggregate of SQLite's promises an order.
    cohorts.sort_unstable_by(|one, other| other.cmp(one));
    let generation = generation.split_once(' ').map(|(id, status)| {
        Ok::<_, StoreError>(ShownGeneration {
            id: rows::id(id)?,
            status: status.to_owned(),
        })
    });
    Ok(ShownCourse {
        course: row.try_into()?,
        cohorts,
        generation: generation.transpose()?,
    })
}

/// What a GET asks: its type tells its text, so it is compiled once.
fn shown_one(
    session: &mut Session<'_>,
    workspace: WorkspaceId,
    id: CourseId,
) -> Result<Vec<ShownRow>, StoreError> {
    session.run(|conn| {
        let query = courses::table.find((workspace.to_string(), id.to_string()));
        on_either!(
            conn,
            query
                .select((
                    CourseRow::as_select(),
                    courses::shown_cohorts,
                    courses::shown_generation
                ))
                .load(conn)
        )
    })
}

fn shown_several(
    session: &mut Session<'_>,
    workspace: WorkspaceId,
    ids: &[CourseId],
) -> Result<Vec<ShownRow>, StoreError> {
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    session.run(|conn| {
        let query = courses::table
            .filter(courses::workspace_id.eq(workspace.to_string()))
            .filter(courses::id.eq_any(ids));
        on_either!(
            conn,
            CachedByText(query.select((
                CourseRow::as_select(),
                courses::shown_cohorts,
                courses::shown_generation
            )))
            .load(conn)
        )
    })
}

impl CourseRepository for Session<'_> {
    fn insert(&mut self, course: &Course) -> Result<(), StoreError> {
        let row = CourseRow::from(course);
        self.put_row(|conn| {
            let insert = diesel::insert_into(courses::table).values(&row);
            on_either!(conn, CachedByText(insert).execute(conn))
        })
    }

    fn find(&mut self, workspace: WorkspaceId, id: CourseId) -> Result<Option<Course>, StoreError> {
        let found = self.run(|conn| {
            let found = courses::table.find((workspace.to_string(), id.to_string()));
            let row = on_either!(conn, found.select(CourseRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(Course::try_from).transpose()
    }

    fn shown(
        &mut self,
        workspace: WorkspaceId,
        ids: &[CourseId],
    ) -> Result<Vec<ShownCourse>, StoreError> {
        let found = match ids {
            [one] => shown_one(self, workspace, *one),
            several => shown_several(self, workspace, several),
        }?;
        found.into_iter().map(shown).collect()
    }

    fn update(&mut self, course: &Course) -> Result<(), StoreError> {
        let row = CourseRow::from(course);
        self.change(&row.id, |conn| {
            let query = diesel::update(courses::table)
                .filter(courses::workspace_id.eq(&row.workspace_id))
                .filter(courses::id.eq(&row.id))
                .filter(courses::version.lt(row.version))
                .set(&row);
            on_either!(conn, CachedByText(query).execute(conn))
        })
    }

    fn delete(&mut self, workspace: WorkspaceId, id: CourseId) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(courses::table)
                .filter(courses::workspace_id.eq(workspace.to_string()))
                .filter(courses::id.eq(id.to_string()))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &CourseFilter,
        page: &PageRequest,
    ) -> Result<Page<ShownCourse>, StoreError> {
        let walk = Walk::<ids::Course>::over("courses", workspace, page)
            .sifting(filter.status.is_some() || filter.language.is_some());
        walk.take(self, |session, mut reach| {
            let mut query = courses::table
                .filter(courses::workspace_id.eq(workspace.to_string()))
                .select((
                    CourseRow::as_select(),
                    courses::shown_cohorts,
                    courses::shown_generation,
                ))
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            let conditions = reach.conditions();
            let is_steady = conditions.iter().all(Condition::is_steady);
            for condition in conditions {
                query = query.filter(condition);
            }
            if let Some(status) = filter.status {
                query = query.filter(courses::status.eq(status.as_str()));
            }
            if let Some(language) = &filter.language {
                query = query.filter(courses::language.eq(language.clone()));
            }
            let found: Vec<ShownRow> = session.run(|conn| {
                if is_steady {
                    CachedByText(query).load(conn)
                } else {
                    query.load(conn)
                }
            })?;
            let courses = found
                .into_iter()
                .map(shown)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut(courses, |shown| shown.course.id.to_string()))
        })
    }

    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[CourseId],
    ) -> Result<Vec<Course>, StoreError> {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let found = self.run(|conn| {
            let query = courses::table
                .filter(courses::workspace_id.eq(workspace.to_string()))
                .filter(courses::id.eq_any(ids));
            on_either!(
                conn,
                CachedByText(query.select(CourseRow::as_select())).load(conn)
            )
        })?;
        found.into_iter().map(Course::try_from).collect()
    }

    fn attachments(
        &mut self,
        workspace: WorkspaceId,
        id: CourseId,
    ) -> Result<CourseAttachments, StoreError> {
        let (workspace, course) = (workspace.to_string(), id.to_string());
        let cohorts: i64 = self.run(|conn| {
            cohorts::table
                .filter(cohorts::workspace_id.eq(&workspace))
                .filter(cohorts::course_id.eq(&course))
                .count()
                .get_result(conn)
        })?;
        let enrollments: i64 = self.run(|conn| {
            let of_course = cohorts::table
                .filter(cohorts::workspace_id.eq(&workspace))
                .filter(cohorts::course_id.eq(&course))
                .select(cohorts::id);
            enrollments::table
                .filter(enrollments::workspace_id.eq(&workspace))
                .filter(enrollments::cohort_id.eq_any(of_course))
                .count()
                .get_result(conn)
        })?;
        let submissions: i64 = self.run(|conn| {
            let of_course = assignments::table
                .filter(assignments::workspace_id.eq(&workspace))
                .filter(assignments::course_id.eq(&course))
                .select(assignments::id);
            submissions::table
                .filter(submissions::workspace_id.eq(&workspace))
                .filter(submissions::assignment_id.eq_any(of_course))
                .count()
                .get_result(conn)
        })?;
        let scorm_packages: i64 = self.run(|conn| {
            let of_course = cohorts::table
                .filter(cohorts::workspace_id.eq(&workspace))
                .filter(cohorts::course_id.eq(&course))
                .select(cohorts::id);
            scorm_packages::table
                .filter(scorm_packages::workspace_id.eq(&workspace))
                .filter(scorm_packages::cohort_id.eq_any(of_course))
                .count()
                .get_result(conn)
        })?;
        let waiting_changes: i64 = self.run(|conn| {
            waiting_changes::table
                .filter(waiting_changes::workspace_id.eq(&workspace))
                .filter(waiting_changes::course_id.eq(&course))
                .count()
                .get_result(conn)
        })?;
        Ok(CourseAttachments {
            cohorts: rows::number(cohorts)?,
            enrollments: rows::number(enrollments)?,
            submissions: rows::number(submissions)?,
            generations: rows::number(self.generations_of_course(&workspace, &course)?)?,
            scorm_packages: rows::number(scorm_packages)?,
            waiting_changes: rows::number(waiting_changes)?,
        })
    }
}

impl Session<'_> {
    /// Generations for the course and for everything in it.
    fn generations_of_course(&mut self, workspace: &str, course: &str) -> Result<i64, StoreError> {
        self.run(|conn| {
            let units = units::table
                .filter(units::workspace_id.eq(workspace))
                .filter(units::course_id.eq(course))
                .select(units::id);
            let lessons = lessons::table
                .filter(lessons::workspace_id.eq(workspace))
                .filter(lessons::course_id.eq(course))
                .select(lessons::id);
            let activities = activities::table
                .filter(activities::workspace_id.eq(workspace))
                .filter(activities::course_id.eq(course))
                .select(activities::id);
            let of_workspace =
                || generations::table.filter(generations::workspace_id.eq(workspace));
            // One by one, because of alternatives the databases make a walk over the workspace.
            let counts: [i64; 4] = [
                of_workspace()
                    .filter(generations::target_id.eq(course))
                    .count()
                    .get_result(conn)?,
                of_workspace()
                    .filter(generations::target_id.eq_any(units))
                    .count()
                    .get_result(conn)?,
                of_workspace()
                    .filter(generations::target_id.eq_any(lessons))
                    .count()
                    .get_result(conn)?,
                of_workspace()
                    .filter(generations::target_id.eq_any(activities))
                    .count()
                    .get_result(conn)?,
            ];
            Ok(counts.iter().sum())
        })
    }
}
