//! Assignments in rows.

use diesel::prelude::*;
use lyceum_domain::authoring::assignments::{
    AiEvaluator, Assignment, AssignmentPlace, FeedbackStyle, GradingConfiguration, HumanReview,
    MaxAttempts, Tone, Verbosity,
};
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::ids::{AssignmentId, CourseId, WorkspaceId};
use lyceum_domain::points::Points;
use lyceum_domain::text::{LanguageTag, LongText, Name};
use lyceum_ports::authoring::assignments::{AssignmentFilter, AssignmentRepository};
use lyceum_ports::page::{Keyset, Page, PageRequest};
use lyceum_ports::store::StoreError;

use crate::database::cached_by_text::CachedByText;
use crate::database::connection::on_either;
use crate::database::session::Session;
use crate::mapping::columns::{Json, Moment};
use crate::mapping::conditions::narrowing;
use crate::mapping::rows;
use crate::mapping::schema::assignments;

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = assignments, primary_key(workspace_id, id))]
#[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
struct AssignmentRow {
    workspace_id: String,
    id: String,
    course_id: String,
    unit_id: Option<String>,
    lesson_id: Option<String>,
    name: String,
    instructions: String,
    max_score: i64,
    due_at: Option<Moment>,
    max_attempts: Option<i64>,
    rubric: Option<Json>,
    ai_enabled: bool,
    ai_model: String,
    human_review: String,
    tone: String,
    verbosity: String,
    feedback_language: String,
    origin: String,
    model: Option<String>,
    generation_id: Option<String>,
    source_hash: Option<String>,
    metadata: Json,
    created_at: Moment,
    updated_at: Moment,
    version: i64,
}

impl From<&Assignment> for AssignmentRow {
    fn from(assignment: &Assignment) -> Self {
        let Assignment {
            workspace_id,
            id,
            place:
                AssignmentPlace {
                    course_id,
                    unit_id,
                    lesson_id,
                },
            name,
            instructions,
            max_score,
            due_at,
            max_attempts,
            grading:
                GradingConfiguration {
                    rubric,
                    ai_evaluator,
                    human_review,
                    feedback,
                },
            provenance,
            metadata,
            stamp,
        } = assignment;
        Self {
            workspace_id: workspace_id.to_string(),
            id: id.to_string(),
            course_id: course_id.to_string(),
            unit_id: unit_id.map(|id| id.to_string()),
            lesson_id: lesson_id.map(|id| id.to_string()),
            name: name.to_string(),
            instructions: instructions.to_string(),
            max_score: max_score.hundredths().into(),
            due_at: due_at.map(Moment::from),
            max_attempts: max_attempts.map(|attempts| attempts.get().into()),
            rubric: rubric
                .as_ref()
                .map(|rubric| Json::object(&rubric.to_json())),
            ai_enabled: ai_evaluator.enabled,
            ai_model: ai_evaluator.model.clone(),
            human_review: human_review.to_string(),
            tone: feedback.tone.to_string(),
            verbosity: feedback.verbosity.to_string(),
            feedback_language: feedback.language.to_string(),
            origin: provenance.origin.to_string(),
            model: provenance.model.clone(),
            generation_id: provenance.generation_id.map(|id| id.to_string()),
            source_hash: provenance.source_hash.clone(),
            metadata: Json::object(metadata.as_map()),
            created_at: stamp.created_at.into(),
            updated_at: stamp.updated_at.into(),
            version: stamp.version,
        }
    }
}

impl TryFrom<AssignmentRow> for Assignment {
    type Error = StoreError;

    fn try_from(row: AssignmentRow) -> Result<Self, StoreError> {
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            id: rows::id(&row.id)?,
            place: AssignmentPlace {
                course_id: rows::id(&row.course_id)?,
                unit_id: rows::optional_id(row.unit_id.as_ref())?,
                lesson_id: rows::optional_id(row.lesson_id.as_ref())?,
            },
            name: rows::read(Name::parse(row.name))?,
            instructions: rows::read(LongText::parse(row.instructions))?,
            max_score: Points::from_hundredths(row.max_score),
            due_at: rows::moment(row.due_at),
            max_attempts: rows::read(row.max_attempts.map(MaxAttempts::parse).transpose())?,
            grading: GradingConfiguration {
                rubric: row.rubric.map(rubric).transpose()?,
                ai_evaluator: AiEvaluator {
                    enabled: row.ai_enabled,
                    model: row.ai_model,
                },
                human_review: rows::read(HumanReview::parse(&row.human_review))?,
                feedback: FeedbackStyle {
                    tone: rows::read(Tone::parse(&row.tone))?,
                    verbosity: rows::read(Verbosity::parse(&row.verbosity))?,
                    language: rows::read(LanguageTag::parse(&row.feedback_language))?,
                },
            },
            provenance: rows::provenance(&row.origin, row.model, row.generation_id.as_ref())?
                .from_source(row.source_hash),
            metadata: rows::metadata(row.metadata)?,
            stamp: rows::stamp(row.created_at, row.updated_at, row.version),
        })
    }
}

fn rubric(document: Json) -> Result<Rubric, StoreError> {
    rows::read(Rubric::parse("rubric", &rows::object(document)?))
}

impl AssignmentRepository for Session<'_> {
    fn insert(&mut self, assignment: &Assignment) -> Result<(), StoreError> {
        let row = AssignmentRow::from(assignment);
        self.run(|conn| {
            let insert = diesel::insert_into(assignments::table).values(&row);
            on_either!(conn, insert.execute(conn))
        })
        .map(drop)
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: AssignmentId,
    ) -> Result<Option<Assignment>, StoreError> {
        let found = self.run(|conn| {
            let found = assignments::table.find((workspace.to_string(), id.to_string()));
            let row = on_either!(conn, found.select(AssignmentRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(Assignment::try_from).transpose()
    }

    fn update(&mut self, assignment: &Assignment) -> Result<(), StoreError> {
        let row = AssignmentRow::from(assignment);
        self.change(&row.id, |conn| {
            let query = diesel::update(assignments::table)
                .filter(assignments::workspace_id.eq(&row.workspace_id))
                .filter(assignments::id.eq(&row.id))
                .filter(assignments::version.lt(row.version))
                .set(&row);
            on_either!(conn, CachedByText(query).execute(conn))
        })
    }

    fn delete(&mut self, workspace: WorkspaceId, id: AssignmentId) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(assignments::table)
                .filter(assignments::workspace_id.eq(workspace.to_string()))
                .filter(assignments::id.eq(id.to_string()))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &AssignmentFilter,
        page: &PageRequest,
    ) -> Result<Page<Assignment>, StoreError> {
        let mut query = assignments::table
            .filter(assignments::workspace_id.eq(workspace.to_string()))
            .select(AssignmentRow::as_select())
            .order(assignments::id.desc())
            .limit(i64::from(page.limit) + 1)
            .into_boxed();
        for condition in narrowing(self.conn, "assignments", page) {
            query = query.filter(condition);
        }
        if let Some(among) = &filter.among {
            let ids: Vec<String> = among.iter().map(ToString::to_string).collect();
            query = query.filter(assignments::course_id.eq_any(ids));
        }
        if let Some(after) = &page.after {
            query = query.filter(assignments::id.lt(after.id.clone()));
        }
        if let Some(course) = filter.course_id {
            query = query.filter(assignments::course_id.eq(course.to_string()));
        }
        if let Some(unit) = filter.unit_id {
            query = query.filter(assignments::unit_id.eq(unit.to_string()));
        }
        if let Some(lesson) = filter.lesson_id {
            query = query.filter(assignments::lesson_id.eq(lesson.to_string()));
        }
        let found = self.run(|conn| query.load::<AssignmentRow>(conn))?;
        let assignments = found
            .into_iter()
            .map(Assignment::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Page::cut(assignments, page.limit, |assignment| Keyset {
            position: None,
            id: assignment.id.to_string(),
        }))
    }

    fn of_course(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
    ) -> Result<Vec<Assignment>, StoreError> {
        let found = self.run(|conn| {
            assignments::table
                .filter(assignments::workspace_id.eq(workspace.to_string()))
                .filter(assignments::course_id.eq(course.to_string()))
                .select(AssignmentRow::as_select())
                .order(assignments::id.asc())
                .load(conn)
        })?;
        found.into_iter().map(Assignment::try_from).collect()
    }

    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[AssignmentId],
    ) -> Result<Vec<Assignment>, StoreError> {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let found = self.run(|conn| {
            let query = assignments::table
                .filter(assignments::workspace_id.eq(workspace.to_string()))
                .filter(assignments::id.eq_any(ids));
            on_either!(
                conn,
                CachedByText(query.select(AssignmentRow::as_select())).load(conn)
            )
        })?;
        found.into_iter().map(Assignment::try_from).collect()
    }
}
