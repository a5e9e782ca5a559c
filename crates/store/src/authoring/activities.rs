//! Activities in rows.

use lyceum_domain::authoring::activities::{Activity, ActivityContent, ActivityKind};
use lyceum_domain::ids::ActivityId;
use lyceum_domain::ids::CourseId;
use lyceum_domain::ids::LessonId;
use lyceum_domain::json::Metadata;
use lyceum_domain::text::{LanguageTag, Name};
use lyceum_ports::authoring::activities::{ActivityFilter, ActivityRepository};

use crate::authoring::siblings::{self, Start, siblings};
use crate::mapping::schema::activities;
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = activities, primary_key(workspace_id, id))]
    #[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
    struct ActivityRow of Activity {
        workspace_id: WorkspaceId,
        id: ActivityId,
        lesson_id: LessonId,
        course_id: CourseId,
        name: Name,
        kind: ActivityKind,
        language: Option<LanguageTag>,
        position: u32,
        metadata: Metadata,
        ..content: (content: Json, recording: Option<String>),
        ..provenance: (
            origin: String,
            model: Option<String>,
            generation_id: Option<String>,
            source_hash: Option<String>,
        ),
        ..stamp: (created_at: Moment, updated_at: Moment, version: i64),
    }
}

kept_as_text!(ActivityKind);

impl Stored for ActivityContent {
    /// The document, and the name of its recording, to find out who shares one.
    type Columns = (Json, Option<String>);

    fn columns(&self) -> Self::Columns {
        let recording = self.recording().map(|recording| recording.name);
        (Json::object(self.as_map()), recording)
    }

    fn read((content, _): Self::Columns) -> Result<Self, StoreError> {
        rows::object(content).map(Self::stored)
    }
}

impl ActivityRepository for Session<'_> {
    fn insert(&mut self, activity: &Activity) -> Result<(), StoreError> {
        let row = ActivityRow::from(activity);
        self.put_row(|conn| {
            let insert = diesel::insert_into(activities::table).values(&row);
            on_either!(conn, CachedByText(insert).execute(conn))
        })
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: ActivityId,
    ) -> Result<Option<Activity>, StoreError> {
        let found = self.run(|conn| {
            let found = activities::table.find((workspace.to_string(), id.to_string()));
            let row = on_either!(conn, found.select(ActivityRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(Activity::try_from).transpose()
    }

    fn update(&mut self, activity: &Activity) -> Result<(), StoreError> {
        let row = ActivityRow::from(activity);
        self.change(&row.id, |conn| {
            diesel::update(activities::table)
                .filter(activities::workspace_id.eq(&row.workspace_id))
                .filter(activities::id.eq(&row.id))
                .filter(activities::version.lt(row.version))
                .set(&row)
                .execute(conn)
        })
    }

    fn delete(&mut self, workspace: WorkspaceId, id: ActivityId) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(activities::table)
                .filter(activities::workspace_id.eq(workspace.to_string()))
                .filter(activities::id.eq(id.to_string()))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &ActivityFilter,
        page: &PageRequest,
    ) -> Result<Page<Activity>, StoreError> {
        let by_place = filter.lesson_id.filter(|_| page.sort.is_none());
        let walk = Walk::<ids::Activity>::over("activities", workspace, page)
            .sifting(filter.kind.is_some())
            .of_few(filter.among.is_some() || filter.lesson_id.is_some())
            .by_place(by_place.is_some());
        walk.take(self, |session, mut reach| {
            let mut query = activities::table
                .filter(activities::workspace_id.eq(workspace.to_string()))
                .select(ActivityRow::as_select())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(among) = &filter.among {
                let ids: Vec<String> = among.iter().map(ToString::to_string).collect();
                query = query.filter(activities::course_id.eq_any(ids));
            }
            if let Some(kind) = filter.kind {
                query = query.filter(activities::kind.eq(kind.as_str()));
            }
            if let Some(lesson) = filter.lesson_id {
                query = query.filter(activities::lesson_id.eq(lesson.to_string()));
            }
            if let Some(lesson) = by_place {
                query = query.order((activities::position.asc(), activities::id.asc()));
                let place_of = |id: &str| {
                    session.run(|conn| {
                        activities::table
                            .find((workspace.to_string(), id))
                            .filter(activities::lesson_id.eq(lesson.to_string()))
                            .select(activities::position)
                            .first(conn)
                            .optional()
                    })
                };
                match siblings::start(page.after.as_ref(), place_of)? {
                    Start::Front => {}
                    Start::Behind { position, id } => {
                        query = query
                            .filter(activities::position.ge(position))
                            .filter(activities::position.gt(position).or(activities::id.gt(id)));
                    }
                    Start::Nowhere => return Ok(Page::empty()),
                }
            } else {
                query = query.order(reach.order());
            }
            let found = session.run(|conn| query.load::<ActivityRow>(conn))?;
            let activities = found
                .into_iter()
                .map(Activity::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut_by(activities, |activity| Keyset {
                position: by_place.map(|_| activity.position),
                ..Keyset::of_id(activity.id.to_string())
            }))
        })
    }

    siblings!(activities below lesson_id: LessonId);

    fn of_lessons(
        &mut self,
        workspace: WorkspaceId,
        parents: &[LessonId],
    ) -> Result<Vec<Activity>, StoreError> {
        if parents.is_empty() {
            return Ok(Vec::new());
        }
        let parents: Vec<String> = parents.iter().map(ToString::to_string).collect();
        let found = self.run(|conn| {
            activities::table
                .filter(activities::workspace_id.eq(workspace.to_string()))
                .filter(activities::lesson_id.eq_any(parents))
                .select(ActivityRow::as_select())
                .order((activities::lesson_id, activities::position, activities::id))
                .load(conn)
        })?;
        found.into_iter().map(Activity::try_from).collect()
    }

    fn quizzes_of_course(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
    ) -> Result<Vec<Activity>, StoreError> {
        let found = self.run(|conn| {
            activities::table
                .filter(activities::workspace_id.eq(workspace.to_string()))
                .filter(activities::course_id.eq(course.to_string()))
                .filter(activities::kind.eq(ActivityKind::Quiz.as_str()))
                .select(ActivityRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(Activity::try_from).collect()
    }

    fn with_recording(
        &mut self,
        workspace: WorkspaceId,
        recording: &str,
    ) -> Result<u32, StoreError> {
        let count: i64 = self.run(|conn| {
            activities::table
                .filter(activities::workspace_id.eq(workspace.to_string()))
                .filter(activities::recording.eq(recording))
                .count()
                .get_result(conn)
        })?;
        rows::number(count)
    }

    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[ActivityId],
    ) -> Result<Vec<Activity>, StoreError> {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let found = self.run(|conn| {
            activities::table
                .filter(activities::workspace_id.eq(workspace.to_string()))
                .filter(activities::id.eq_any(ids))
                .select(ActivityRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(Activity::try_from).collect()
    }
}
