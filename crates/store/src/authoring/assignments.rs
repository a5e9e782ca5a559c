//! Assignments in rows.

use lyceum_domain::authoring::assignments::{
    AiEvaluator, Assignment, AssignmentPlace, FeedbackStyle, GradingConfiguration, HumanReview,
    MaxAttempts, Tone, Verbosity,
};
use lyceum_domain::authoring::late_policy::LatePolicy;
use lyceum_domain::authoring::release_terms::ReleaseTerms;
use lyceum_domain::authoring::rubric::Rubric;
use lyceum_domain::ids::AssignmentId;
use lyceum_domain::ids::CourseId;
use lyceum_domain::json::Metadata;
use lyceum_domain::points::Points;
use lyceum_domain::text::{LongText, Name};
use lyceum_ports::authoring::assignments::{AssignmentFilter, AssignmentRepository};

use crate::authoring::release_terms;
use crate::mapping::schema::assignments;
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = assignments, primary_key(workspace_id, id))]
    #[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
    struct AssignmentRow of Assignment {
        workspace_id: WorkspaceId,
        id: AssignmentId,
        name: Name,
        instructions: LongText,
        max_score: Points,
        due_at: Option<Timestamp>,
        late_policy: Option<LatePolicy>,
        max_attempts: Option<MaxAttempts>,
        grader_changed_at: Option<Timestamp>,
        metadata: Metadata,
        ..place: (course_id: String, unit_id: Option<String>, lesson_id: Option<String>),
        ..grading: (
            rubric: Option<Json>,
            ai_enabled: bool,
            ai_model: String,
            human_review: String,
            tone: String,
            verbosity: String,
            feedback_language: String,
            release_terms: Option<Json>,
        ),
        ..provenance: (
            origin: String,
            model: Option<String>,
            generation_id: Option<String>,
            source_hash: Option<String>,
        ),
        ..stamp: (created_at: Moment, updated_at: Moment, version: i64),
    }
}

kept_as_number!(MaxAttempts);
kept_as_text!(HumanReview, Tone, Verbosity);

impl Stored for AssignmentPlace {
    type Columns = (String, Option<String>, Option<String>);

    fn columns(&self) -> Self::Columns {
        let course_id = self.course_id.columns();
        (course_id, self.unit_id.columns(), self.lesson_id.columns())
    }

    fn read((course_id, unit_id, lesson_id): Self::Columns) -> Result<Self, StoreError> {
        Ok(Self {
            course_id: Stored::read(course_id)?,
            unit_id: Stored::read(unit_id)?,
            lesson_id: Stored::read(lesson_id)?,
        })
    }
}

impl Stored for Rubric {
    type Columns = Json;

    fn columns(&self) -> Json {
        Json::object(&self.to_json())
    }

    fn read(document: Json) -> Result<Self, StoreError> {
        rows::read(Self::parse("rubric", &rows::object(document)?))
    }
}

impl Stored for ReleaseTerms {
    type Columns = Json;

    fn columns(&self) -> Json {
        Json(release_terms::document(*self))
    }

    fn read(document: Json) -> Result<Self, StoreError> {
        release_terms::read(&document.0)
    }
}

impl Stored for GradingConfiguration {
    type Columns = (
        Option<Json>,
        bool,
        String,
        String,
        String,
        String,
        String,
        Option<Json>,
    );

    fn columns(&self) -> Self::Columns {
        (
            self.rubric.columns(),
            self.ai_evaluator.enabled,
            self.ai_evaluator.model.clone(),
            self.human_review.columns(),
            self.feedback.tone.columns(),
            self.feedback.verbosity.columns(),
            self.feedback.language.columns(),
            self.release.columns(),
        )
    }

    fn read(columns: Self::Columns) -> Result<Self, StoreError> {
        let (rubric, enabled, model, human_review, tone, verbosity, language, release) = columns;
        Ok(Self {
            rubric: Stored::read(rubric)?,
            ai_evaluator: AiEvaluator { enabled, model },
            human_review: Stored::read(human_review)?,
            release: Stored::read(release)?,
            feedback: FeedbackStyle {
                tone: Stored::read(tone)?,
                verbosity: Stored::read(verbosity)?,
                language: Stored::read(language)?,
            },
        })
    }
}

impl AssignmentRepository for Session<'_> {
    fn insert(&mut self, assignment: &Assignment) -> Result<(), StoreError> {
        let row = AssignmentRow::from(assignment);
        self.put_row(|conn| {
            let insert = diesel::insert_into(assignments::table).values(&row);
            on_either!(conn, CachedByText(insert).execute(conn))
        })
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
        let walk = Walk::<ids::Assignment>::over("assignments", workspace, page)
            .along("lesson_id", filter.lesson_id)
            .along("unit_id", filter.unit_id)
            .along("course_id", filter.course_id)
            .of_few(filter.among.is_some());
        walk.take(self, |session, mut reach| {
            let mut query = assignments::table
                .filter(assignments::workspace_id.eq(workspace.to_string()))
                .select(AssignmentRow::as_select())
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(among) = &filter.among {
                let ids: Vec<String> = among.iter().map(ToString::to_string).collect();
                query = query.filter(assignments::course_id.eq_any(ids));
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
            let found = session.run(|conn| query.load::<AssignmentRow>(conn))?;
            let assignments = found
                .into_iter()
                .map(Assignment::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut(assignments, |assignment| assignment.id.to_string()))
        })
    }

    fn note_grader_changed(
        &mut self,
        workspace: WorkspaceId,
        ids: &[AssignmentId],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        self.run(|conn| {
            let query = diesel::update(assignments::table)
                .filter(assignments::workspace_id.eq(workspace.to_string()))
                .filter(assignments::id.eq_any(ids))
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
