//! Lessons in rows.

use lyceum_domain::authoring::lessons::{Lesson, Minutes};
use lyceum_domain::authoring::provenance::Origin;
use lyceum_domain::authoring::units::Objectives;
use lyceum_domain::ids::CourseId;
use lyceum_domain::ids::LessonId;
use lyceum_domain::ids::UnitId;
use lyceum_domain::json::Metadata;
use lyceum_domain::text::{LanguageTag, LongText, Name};
use lyceum_ports::authoring::lessons::{LessonFilter, LessonRepository};

use crate::authoring::siblings::{self, Start, siblings};
use crate::mapping::schema::lessons;
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = lessons, primary_key(workspace_id, id))]
    #[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
    struct LessonRow of Lesson {
        workspace_id: WorkspaceId,
        id: LessonId,
        unit_id: UnitId,
        course_id: CourseId,
        name: Name,
        summary: LongText,
        objectives: Objectives,
        content: LongText,
        #[diesel(column_name = duration_minutes)]
        duration: Minutes,
        language: Option<LanguageTag>,
        position: u32,
        metadata: Metadata,
        ..provenance: (
            origin: String,
            model: Option<String>,
            generation_id: Option<String>,
            source_hash: Option<String>,
        ),
        ..stamp: (created_at: Moment, updated_at: Moment, version: i64),
    }
}

kept_as_number!(Minutes);

impl LessonRepository for Session<'_> {
    fn insert(&mut self, lesson: &Lesson) -> Result<(), StoreError> {
        let row = LessonRow::from(lesson);
        self.put_row(|conn| {
            let insert = diesel::insert_into(lessons::table).values(&row);
            on_either!(conn, CachedByText(insert).execute(conn))
        })
    }

    fn find(&mut self, workspace: WorkspaceId, id: LessonId) -> Result<Option<Lesson>, StoreError> {
        let found = self.run(|conn| {
            let found = lessons::table.find((workspace.to_string(), id.to_string()));
            let row = on_either!(conn, found.select(LessonRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(Lesson::try_from).transpose()
    }

    fn update(&mut self, lesson: &Lesson) -> Result<(), StoreError> {
        let row = LessonRow::from(lesson);
        self.change(&row.id, |conn| {
            diesel::update(lessons::table)
                .filter(lessons::workspace_id.eq(&row.workspace_id))
                .filter(lessons::id.eq(&row.id))
                .filter(lessons::version.lt(row.version))
                .set(&row)
                .execute(conn)
        })
    }

    fn delete(&mut self, workspace: WorkspaceId, id: LessonId) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(lessons::table)
                .filter(lessons::workspace_id.eq(workspace.to_string()))
                .filter(lessons::id.eq(id.to_string()))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &LessonFilter,
        page: &PageRequest,
    ) -> Result<Page<Lesson>, StoreError> {
        let by_place = filter.unit_id.filter(|_| page.sort.is_none());
        let walk = Walk::<ids::Lesson>::over("lessons", workspace, page)
            .along("course_id", filter.course_id)
            .of_few(filter.among.is_some() || filter.unit_id.is_some())
            .by_place(by_place.is_some());
        walk.take(self, |session, mut reach| {
            let mut query = lessons::table
                .filter(lessons::workspace_id.eq(workspace.to_string()))
                .select(LessonRow::as_select())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(among) = &filter.among {
                let ids: Vec<String> = among.iter().map(ToString::to_string).collect();
                query = query.filter(lessons::course_id.eq_any(ids));
            }
            if let Some(course) = filter.course_id {
                query = query.filter(lessons::course_id.eq(course.to_string()));
            }
            if let Some(unit) = filter.unit_id {
                query = query.filter(lessons::unit_id.eq(unit.to_string()));
            }
            if let Some(unit) = by_place {
                query = query.order((lessons::position.asc(), lessons::id.asc()));
                let place_of = |id: &str| {
                    session.run(|conn| {
                        lessons::table
                            .find((workspace.to_string(), id))
                            .filter(lessons::unit_id.eq(unit.to_string()))
                            .select(lessons::position)
                            .first(conn)
                            .optional()
                    })
                };
                match siblings::start(page.after.as_ref(), place_of)? {
                    Start::Front => {}
                    Start::Behind { position, id } => {
                        query = query
                            .filter(lessons::position.ge(position))
                            .filter(lessons::position.gt(position).or(lessons::id.gt(id)));
                    }
                    Start::Nowhere => return Ok(Page::empty()),
                }
            } else {
                query = query.order(reach.order());
            }
            let found = session.run(|conn| query.load::<LessonRow>(conn))?;
            let lessons = found
                .into_iter()
                .map(Lesson::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut_by(lessons, |lesson| Keyset {
                position: by_place.map(|_| lesson.position),
                ..Keyset::of_id(lesson.id.to_string())
            }))
        })
    }

    siblings!(lessons below unit_id: UnitId);

    fn of_units(
        &mut self,
        workspace: WorkspaceId,
        parents: &[UnitId],
    ) -> Result<Vec<Lesson>, StoreError> {
        if parents.is_empty() {
            return Ok(Vec::new());
        }
        let parents: Vec<String> = parents.iter().map(ToString::to_string).collect();
        let found = self.run(|conn| {
            lessons::table
                .filter(lessons::workspace_id.eq(workspace.to_string()))
                .filter(lessons::unit_id.eq_any(parents))
                .select(LessonRow::as_select())
                .order((lessons::unit_id, lessons::position, lessons::id))
                .load(conn)
        })?;
        found.into_iter().map(Lesson::try_from).collect()
    }

    fn generated_minutes(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
    ) -> Result<u32, StoreError> {
        // Summed here: PostgreSQL sums bigints into a numeric, which SQLite does not know.
        let minutes: Vec<i64> = self.run(|conn| {
            lessons::table
                .filter(lessons::workspace_id.eq(workspace.to_string()))
                .filter(lessons::course_id.eq(course.to_string()))
                .filter(lessons::origin.eq_any([Origin::Ai.as_str(), Origin::AiEdited.as_str()]))
                .select(lessons::duration_minutes)
                .load(conn)
        })?;
        rows::number(minutes.iter().sum())
    }

    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[LessonId],
    ) -> Result<Vec<Lesson>, StoreError> {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let found = self.run(|conn| {
            lessons::table
                .filter(lessons::workspace_id.eq(workspace.to_string()))
                .filter(lessons::id.eq_any(ids))
                .select(LessonRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(Lesson::try_from).collect()
    }
}
