//! Cohorts in rows.

use lyceum_domain::ids::CohortId;
use lyceum_domain::ids::CourseId;
use lyceum_domain::json::Metadata;
use lyceum_domain::learning::cohorts::{Capacity, Cohort, CohortStatus, CohortUpdates};
use lyceum_domain::text::Name;
use lyceum_ports::learning::cohorts::{CohortFilter, CohortRepository};

use crate::mapping::schema::cohorts;
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = cohorts, primary_key(workspace_id, id), treat_none_as_null = true)]
    struct CohortRow of Cohort {
        workspace_id: WorkspaceId,
        id: CohortId,
        course_id: CourseId,
        name: Name,
        status: CohortStatus,
        starts_at: Option<Timestamp>,
        ends_at: Option<Timestamp>,
        timezone: String,
        capacity: Option<Capacity>,
        updates: CohortUpdates,
        metadata: Metadata,
        ..stamp: (created_at: Moment, updated_at: Moment, version: i64),
    }
}

kept_as_text!(CohortStatus);
kept_as_text!(CohortUpdates);
kept_as_number!(Capacity);

impl CohortRepository for Session<'_> {
    fn insert(&mut self, cohort: &Cohort) -> Result<(), StoreError> {
        let row = CohortRow::from(cohort);
        // Programs before this one kept a count in the row; they may still run beside it during an upgrade.
        let none = cohorts::student_count.eq(0_i64);
        // The course is shown with it, and so changed by everybody who makes one.
        self.contend(
            || Line::at(&row.course_id),
            |session| {
                session.run(|conn| {
                    diesel::insert_into(cohorts::table)
                        .values((&row, none))
                        .execute(conn)
                })
            },
        )
        .map(drop)
    }

    fn find(&mut self, workspace: WorkspaceId, id: CohortId) -> Result<Option<Cohort>, StoreError> {
        let found = self.run(|conn| {
            cohorts::table
                .find((workspace.to_string(), id.to_string()))
                .select(CohortRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(Cohort::try_from).transpose()
    }

    fn update(&mut self, cohort: &Cohort) -> Result<(), StoreError> {
        let row = CohortRow::from(cohort);
        self.change(&row.id, |conn| {
            diesel::update(cohorts::table)
                .filter(cohorts::workspace_id.eq(&row.workspace_id))
                .filter(cohorts::id.eq(&row.id))
                .filter(cohorts::version.lt(row.version))
                .set(&row)
                .execute(conn)
        })
    }

    fn delete(&mut self, workspace: WorkspaceId, id: CohortId) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(cohorts::table)
                .filter(cohorts::workspace_id.eq(workspace.to_string()))
                .filter(cohorts::id.eq(id.to_string()))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &CohortFilter,
        page: &PageRequest,
    ) -> Result<Page<Cohort>, StoreError> {
        let walk = Walk::<ids::Cohort>::over("cohorts", workspace, page)
            .along("course_id", filter.course_id)
            .sifting(filter.status.is_some())
            .of_few(filter.among.is_some());
        walk.take(self, |session, mut reach| {
            let mut query = cohorts::table
                .filter(cohorts::workspace_id.eq(workspace.to_string()))
                .select(CohortRow::as_select())
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(course) = filter.course_id {
                query = query.filter(cohorts::course_id.eq(course.to_string()));
            }
            if let Some(status) = filter.status {
                query = query.filter(cohorts::status.eq(status.as_str()));
            }
            if let Some(among) = &filter.among {
                let ids: Vec<String> = among.iter().map(ToString::to_string).collect();
                query = query.filter(cohorts::id.eq_any(ids));
            }
            let found = session.run(|conn| query.load::<CohortRow>(conn))?;
            let cohorts = found
                .into_iter()
                .map(Cohort::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut(cohorts, |cohort| cohort.id.to_string()))
        })
    }

    fn newest_of_courses(
        &mut self,
        workspace: WorkspaceId,
        courses: &[CourseId],
        limit: u16,
    ) -> Result<Vec<Cohort>, StoreError> {
        if courses.is_empty() {
            return Ok(Vec::new());
        }
        // A question with a list of values is compiled anew each time.
        if let [course] = courses {
            return self.newest_of_course(workspace, *course, limit);
        }
        let ids: Vec<String> = courses.iter().map(ToString::to_string).collect();
        // The database can cut a list, but a list per course only with a window over a subquery, which diesel
        // cannot say. A course has few cohorts, so those of several courses are cut here.
        let found: Vec<CohortRow> = self.run(|conn| {
            let query = cohorts::table
                .filter(cohorts::workspace_id.eq(workspace.to_string()))
                .filter(cohorts::course_id.eq_any(ids))
                .order((cohorts::course_id.asc(), cohorts::id.desc()));
            on_either!(
                conn,
                CachedByText(query.select(CohortRow::as_select())).load(conn)
            )
        })?;
        let cohorts = found
            .into_iter()
            .map(Cohort::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(cohorts
            .chunk_by(|one, next| one.course_id == next.course_id)
            .flat_map(|of_course| of_course.iter().take(limit.into()))
            .cloned()
            .collect())
    }

    fn any_active(&mut self, workspace: WorkspaceId, course: CourseId) -> Result<bool, StoreError> {
        let active: Option<String> = self.run(|conn| {
            cohorts::table
                .filter(cohorts::workspace_id.eq(workspace.to_string()))
                .filter(cohorts::course_id.eq(course.to_string()))
                .filter(cohorts::status.eq(CohortStatus::Active.as_str()))
                .select(cohorts::id)
                .first(conn)
                .optional()
        })?;
        Ok(active.is_some())
    }

    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[CohortId],
    ) -> Result<Vec<Cohort>, StoreError> {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let found = self.run(|conn| {
            let query = cohorts::table
                .filter(cohorts::workspace_id.eq(workspace.to_string()))
                .filter(cohorts::id.eq_any(ids));
            on_either!(
                conn,
                CachedByText(query.select(CohortRow::as_select())).load(conn)
            )
        })?;
        found.into_iter().map(Cohort::try_from).collect()
    }
}

impl Session<'_> {
    fn newest_of_course(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
        limit: u16,
    ) -> Result<Vec<Cohort>, StoreError> {
        let found: Vec<CohortRow> = self.run(|conn| {
            let found = cohorts::table
                .filter(cohorts::workspace_id.eq(workspace.to_string()))
                .filter(cohorts::course_id.eq(course.to_string()))
                .order(cohorts::id.desc())
                .limit(limit.into());
            on_either!(conn, found.select(CohortRow::as_select()).load(conn))
        })?;
        found.into_iter().map(Cohort::try_from).collect()
    }
}
