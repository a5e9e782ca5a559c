//! Units in rows.

use diesel::dsl::count_star;
use lyceum_domain::authoring::units::{Objectives, Unit};
use lyceum_domain::ids::CourseId;
use lyceum_domain::ids::UnitId;
use lyceum_domain::json::Metadata;
use lyceum_domain::text::{LongText, Name};
use lyceum_ports::authoring::units::{UnitFilter, UnitRepository};

use crate::authoring::siblings::{self, Start, siblings};
use crate::mapping::schema::{lessons, units};
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = units, primary_key(workspace_id, id))]
    #[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
    struct UnitRow of Unit {
        workspace_id: WorkspaceId,
        id: UnitId,
        course_id: CourseId,
        name: Name,
        description: LongText,
        objectives: Objectives,
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

impl Stored for Objectives {
    type Columns = Json;

    fn columns(&self) -> Json {
        Json::strings(self.as_slice())
    }

    fn read(json: Json) -> Result<Self, StoreError> {
        rows::read(Self::parse(rows::strings(json)?))
    }
}

impl UnitRepository for Session<'_> {
    fn insert(&mut self, unit: &Unit) -> Result<(), StoreError> {
        let row = UnitRow::from(unit);
        self.put_row(|conn| {
            let insert = diesel::insert_into(units::table).values(&row);
            on_either!(conn, CachedByText(insert).execute(conn))
        })
    }

    fn find(&mut self, workspace: WorkspaceId, id: UnitId) -> Result<Option<Unit>, StoreError> {
        let found = self.run(|conn| {
            let found = units::table.find((workspace.to_string(), id.to_string()));
            let row = on_either!(conn, found.select(UnitRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(Unit::try_from).transpose()
    }

    fn update(&mut self, unit: &Unit) -> Result<(), StoreError> {
        let row = UnitRow::from(unit);
        self.change(&row.id, |conn| {
            diesel::update(units::table)
                .filter(units::workspace_id.eq(&row.workspace_id))
                .filter(units::id.eq(&row.id))
                .filter(units::version.lt(row.version))
                .set(&row)
                .execute(conn)
        })
    }

    fn delete(&mut self, workspace: WorkspaceId, id: UnitId) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(units::table)
                .filter(units::workspace_id.eq(workspace.to_string()))
                .filter(units::id.eq(id.to_string()))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &UnitFilter,
        page: &PageRequest,
    ) -> Result<Page<Unit>, StoreError> {
        let by_place = filter.course_id.filter(|_| page.sort.is_none());
        let walk = Walk::<ids::Unit>::over("units", workspace, page)
            .of_few(filter.among.is_some() || filter.course_id.is_some())
            .by_place(by_place.is_some());
        walk.take(self, |session, mut reach| {
            let mut query = units::table
                .filter(units::workspace_id.eq(workspace.to_string()))
                .select(UnitRow::as_select())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(among) = &filter.among {
                let ids: Vec<String> = among.iter().map(ToString::to_string).collect();
                query = query.filter(units::course_id.eq_any(ids));
            }
            if let Some(course) = filter.course_id {
                query = query.filter(units::course_id.eq(course.to_string()));
            }
            if let Some(course) = by_place {
                query = query.order((units::position.asc(), units::id.asc()));
                let place_of = |id: &str| {
                    session.run(|conn| {
                        units::table
                            .find((workspace.to_string(), id))
                            .filter(units::course_id.eq(course.to_string()))
                            .select(units::position)
                            .first(conn)
                            .optional()
                    })
                };
                match siblings::start(page.after.as_ref(), place_of)? {
                    Start::Front => {}
                    Start::Behind { position, id } => {
                        query = query
                            .filter(units::position.ge(position))
                            .filter(units::position.gt(position).or(units::id.gt(id)));
                    }
                    Start::Nowhere => return Ok(Page::empty()),
                }
            } else {
                query = query.order(reach.order());
            }
            let found = session.run(|conn| query.load::<UnitRow>(conn))?;
            let units = found
                .into_iter()
                .map(Unit::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut_by(units, |unit| Keyset {
                position: by_place.map(|_| unit.position),
                ..Keyset::of_id(unit.id.to_string())
            }))
        })
    }

    siblings!(units below course_id: CourseId);

    fn of_courses(
        &mut self,
        workspace: WorkspaceId,
        parents: &[CourseId],
    ) -> Result<Vec<Unit>, StoreError> {
        if parents.is_empty() {
            return Ok(Vec::new());
        }
        let parents: Vec<String> = parents.iter().map(ToString::to_string).collect();
        let found = self.run(|conn| {
            units::table
                .filter(units::workspace_id.eq(workspace.to_string()))
                .filter(units::course_id.eq_any(parents))
                .select(UnitRow::as_select())
                .order((units::course_id, units::position, units::id))
                .load(conn)
        })?;
        found.into_iter().map(Unit::try_from).collect()
    }

    fn lesson_counts(
        &mut self,
        workspace: WorkspaceId,
        ids: &[UnitId],
    ) -> Result<Vec<(UnitId, u32)>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let counts: Vec<(String, i64)> = self.run(|conn| {
            lessons::table
                .filter(lessons::workspace_id.eq(workspace.to_string()))
                .filter(lessons::unit_id.eq_any(ids))
                .group_by(lessons::unit_id)
                .select((lessons::unit_id, count_star()))
                .load(conn)
        })?;
        counts
            .into_iter()
            .map(|(unit, count)| Ok((rows::id(&unit)?, rows::number(count)?)))
            .collect()
    }

    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[UnitId],
    ) -> Result<Vec<Unit>, StoreError> {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let found = self.run(|conn| {
            units::table
                .filter(units::workspace_id.eq(workspace.to_string()))
                .filter(units::id.eq_any(ids))
                .select(UnitRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(Unit::try_from).collect()
    }
}
