//! Enrolments in rows.

use diesel::dsl::count_star;
use lyceum_domain::identity::users::User;
use lyceum_domain::ids::CohortId;
use lyceum_domain::ids::EnrollmentId;
use lyceum_domain::ids::UserId;
use lyceum_domain::learning::enrollments::{Enrollment, EnrollmentStatus};
use lyceum_ports::learning::enrollments::EnrollmentRepository;

use crate::identity::users::UserRow;
use crate::mapping::schema::{enrollments, users};
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = enrollments)]
    struct EnrollmentRow of Enrollment {
        workspace_id: WorkspaceId,
        id: EnrollmentId,
        cohort_id: CohortId,
        user_id: UserId,
        status: EnrollmentStatus,
        ..stamp: (created_at: Moment, updated_at: Moment, version: i64),
    }
}

kept_as_text!(EnrollmentStatus);

impl EnrollmentRepository for Session<'_> {
    fn insert(&mut self, enrollment: &Enrollment) -> Result<(), StoreError> {
        let row = EnrollmentRow::from(enrollment);
        self.put_row(|conn| {
            let insert = diesel::insert_into(enrollments::table).values(&row);
            on_either!(conn, CachedByText(insert).execute(conn))
        })
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
        user: UserId,
    ) -> Result<Option<Enrollment>, StoreError> {
        let found = self.run(|conn| {
            let found = enrollments::table
                .filter(enrollments::workspace_id.eq(workspace.to_string()))
                .filter(enrollments::cohort_id.eq(cohort.to_string()))
                .filter(enrollments::user_id.eq(user.to_string()));
            let row = on_either!(conn, found.select(EnrollmentRow::as_select()).first(conn));
            row.optional()
        })?;
        found.map(Enrollment::try_from).transpose()
    }

    fn delete(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
        user: UserId,
    ) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(enrollments::table)
                .filter(enrollments::workspace_id.eq(workspace.to_string()))
                .filter(enrollments::cohort_id.eq(cohort.to_string()))
                .filter(enrollments::user_id.eq(user.to_string()))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
        page: &PageRequest,
    ) -> Result<Page<(Enrollment, User)>, StoreError> {
        let student = users::workspace_id
            .eq(enrollments::workspace_id)
            .and(users::id.eq(enrollments::user_id));
        let walk = Walk::<ids::Enrollment>::over("enrollments", workspace, page)
            .along("cohort_id", Some(cohort));
        walk.take(self, |session, mut reach| {
            let mut query = enrollments::table
                .inner_join(users::table.on(student))
                .filter(enrollments::workspace_id.eq(workspace.to_string()))
                .filter(enrollments::cohort_id.eq(cohort.to_string()))
                .select((EnrollmentRow::as_select(), UserRow::as_select()))
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            let found = session.run(|conn| query.load::<(EnrollmentRow, UserRow)>(conn))?;
            let enrolled = found
                .into_iter()
                .map(|(enrollment, user)| Ok((enrollment.try_into()?, user.try_into()?)))
                .collect::<Result<Vec<(Enrollment, User)>, StoreError>>()?;
            Ok(reach.cut(enrolled, |(enrollment, _)| enrollment.id.to_string()))
        })
    }

    fn counts(
        &mut self,
        workspace: WorkspaceId,
        cohorts: &[CohortId],
    ) -> Result<Vec<(CohortId, u32)>, StoreError> {
        if cohorts.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<String> = cohorts.iter().map(ToString::to_string).collect();
        let counts: Vec<(String, i64)> = self.run(|conn| {
            let query = enrollments::table
                .filter(enrollments::workspace_id.eq(workspace.to_string()))
                .filter(enrollments::cohort_id.eq_any(ids))
                .group_by(enrollments::cohort_id)
                .select((enrollments::cohort_id, count_star()));
            on_either!(conn, CachedByText(query).load(conn))
        })?;
        counts
            .into_iter()
            .map(|(cohort, count)| Ok((rows::id(&cohort)?, rows::number(count)?)))
            .collect()
    }

    fn of_user(
        &mut self,
        workspace: WorkspaceId,
        user: UserId,
    ) -> Result<Vec<Enrollment>, StoreError> {
        let found = self.run(|conn| {
            enrollments::table
                .filter(enrollments::workspace_id.eq(workspace.to_string()))
                .filter(enrollments::user_id.eq(user.to_string()))
                .select(EnrollmentRow::as_select())
                .order(enrollments::id.desc())
                .load(conn)
        })?;
        found.into_iter().map(Enrollment::try_from).collect()
    }

    fn with_ids(
        &mut self,
        workspace: WorkspaceId,
        ids: &[EnrollmentId],
    ) -> Result<Vec<(Enrollment, User)>, StoreError> {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let student = users::workspace_id
            .eq(enrollments::workspace_id)
            .and(users::id.eq(enrollments::user_id));
        let found = self.run(|conn| {
            enrollments::table
                .inner_join(users::table.on(student))
                .filter(enrollments::workspace_id.eq(workspace.to_string()))
                .filter(enrollments::id.eq_any(ids))
                .select((EnrollmentRow::as_select(), UserRow::as_select()))
                .load::<(EnrollmentRow, UserRow)>(conn)
        })?;
        let found = found.into_iter();
        found
            .map(|(enrollment, user)| Ok((enrollment.try_into()?, user.try_into()?)))
            .collect()
    }
}
