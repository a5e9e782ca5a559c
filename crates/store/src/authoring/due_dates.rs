//! Other due dates in rows, and the terms that submissions are judged by as documents.

use lyceum_domain::authoring::due_dates::{DueOverride, DueTerms, OverrideTarget};
use lyceum_domain::ids::{AssignmentId, DueOverrideId, UserId};
use lyceum_domain::learning::enrollments::EnrollmentStatus;
use lyceum_ports::authoring::due_dates::{DueOverrideFilter, DueOverrideRepository};
use serde_json::{Value, json};

use crate::authoring::late_policy;
use crate::mapping::schema::{due_overrides, enrollments};
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = due_overrides, primary_key(workspace_id, id), treat_none_as_null = true)]
    pub(crate) struct DueOverrideRow of DueOverride {
        workspace_id: WorkspaceId,
        id: DueOverrideId,
        assignment_id: AssignmentId,
        due_at: Option<Timestamp>,
        ..target: (cohort_id: Option<String>, user_id: Option<String>),
        ..stamp: (created_at: Moment, updated_at: Moment, version: i64),
    }
}

impl Stored for OverrideTarget {
    type Columns = (Option<String>, Option<String>);

    fn columns(&self) -> Self::Columns {
        (self.cohort().columns(), self.user().columns())
    }

    fn read((cohort, user): Self::Columns) -> Result<Self, StoreError> {
        match (Stored::read(cohort)?, Stored::read(user)?) {
            (Some(cohort), None) => Ok(Self::Cohort(cohort)),
            (None, Some(user)) => Ok(Self::User(user)),
            _ => Err(corrupt("a due date of nobody, or of two".to_owned())),
        }
    }
}

const DUE_AT: &str = "due_at";
const LATE_POLICY: &str = "late_policy";

impl Stored for DueTerms {
    type Columns = Json;

    fn columns(&self) -> Json {
        Json(json!({
            DUE_AT: self.due_at.to_string(),
            LATE_POLICY: self.late_policy.map(late_policy::document),
        }))
    }

    fn read(Json(document): Json) -> Result<Self, StoreError> {
        let due_at = document.get(DUE_AT).and_then(Value::as_str);
        let late_policy = document.get(LATE_POLICY).filter(|policy| !policy.is_null());
        Ok(Self {
            due_at: rows::read(Timestamp::parse(due_at.unwrap_or_default()))?,
            late_policy: late_policy.map(late_policy::read).transpose()?,
        })
    }
}

impl DueOverrideRepository for Session<'_> {
    fn insert(&mut self, due: &DueOverride) -> Result<(), StoreError> {
        let row = DueOverrideRow::from(due);
        self.put_row(|conn| {
            diesel::insert_into(due_overrides::table)
                .values(&row)
                .execute(conn)
        })
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: DueOverrideId,
    ) -> Result<Option<DueOverride>, StoreError> {
        let found = self.run(|conn| {
            due_overrides::table
                .find((workspace.to_string(), id.to_string()))
                .select(DueOverrideRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(DueOverride::try_from).transpose()
    }

    fn update(&mut self, due: &DueOverride) -> Result<(), StoreError> {
        let row = DueOverrideRow::from(due);
        self.change(&row.id, |conn| {
            diesel::update(due_overrides::table)
                .filter(due_overrides::workspace_id.eq(&row.workspace_id))
                .filter(due_overrides::id.eq(&row.id))
                .filter(due_overrides::version.lt(row.version))
                .set(&row)
                .execute(conn)
        })
    }

    fn delete(&mut self, workspace: WorkspaceId, id: DueOverrideId) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(due_overrides::table)
                .filter(due_overrides::workspace_id.eq(workspace.to_string()))
                .filter(due_overrides::id.eq(id.to_string()))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        filter: DueOverrideFilter,
        page: &PageRequest,
    ) -> Result<Page<DueOverride>, StoreError> {
        if filter != DueOverrideFilter::default() {
            return self.one_of(workspace, assignment, filter, page);
        }
        let walk = Walk::<ids::DueOverride>::over("due_overrides", workspace, page)
            .along("assignment_id", Some(assignment));
        walk.take(self, |session, mut reach| {
            let mut query = due_overrides::table
                .filter(due_overrides::workspace_id.eq(workspace.to_string()))
                .filter(due_overrides::assignment_id.eq(assignment.to_string()))
                .select(DueOverrideRow::as_select())
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            let found = session.run(|conn| query.load::<DueOverrideRow>(conn))?;
            let read = found.into_iter().map(DueOverride::try_from);
            let read = read.collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut(read, |due| due.id.to_string()))
        })
    }

    fn of_learner(
        &mut self,
        workspace: WorkspaceId,
        assignments: &[AssignmentId],
        user: UserId,
    ) -> Result<Vec<DueOverride>, StoreError> {
        if assignments.is_empty() {
            return Ok(Vec::new());
        }
        let assignments: Vec<String> = assignments.iter().map(ToString::to_string).collect();
        let joined = enrollments::table
            .filter(enrollments::workspace_id.eq(workspace.to_string()))
            .filter(enrollments::user_id.eq(user.to_string()))
            .filter(enrollments::status.ne(EnrollmentStatus::Withdrawn.as_str()))
            .select(enrollments::cohort_id.nullable());
        let whose = due_overrides::user_id
            .eq(user.to_string())
            .or(due_overrides::cohort_id.eq_any(joined));
        let found = self.run(|conn| {
            due_overrides::table
                .filter(due_overrides::workspace_id.eq(workspace.to_string()))
                .filter(due_overrides::assignment_id.eq_any(assignments))
                .filter(whose)
                .select(DueOverrideRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(DueOverride::try_from).collect()
    }
}

impl Session<'_> {
    /// The one that a cohort or a learner has of an assignment, as a page: they have no other.
    fn one_of(
        &mut self,
        workspace: WorkspaceId,
        assignment: AssignmentId,
        filter: DueOverrideFilter,
        page: &PageRequest,
    ) -> Result<Page<DueOverride>, StoreError> {
        let mut query = due_overrides::table
            .filter(due_overrides::workspace_id.eq(workspace.to_string()))
            .filter(due_overrides::assignment_id.eq(assignment.to_string()))
            .select(DueOverrideRow::as_select())
            .into_boxed();
        let (_, conditions) = paging(self.conn, "due_overrides", page)?;
        for condition in conditions {
            query = query.filter(condition);
        }
        if let Some(cohort) = filter.cohort_id {
            query = query.filter(due_overrides::cohort_id.eq(cohort.to_string()));
        }
        if let Some(user) = filter.user_id {
            query = query.filter(due_overrides::user_id.eq(user.to_string()));
        }
        let found = self.run(|conn| query.load::<DueOverrideRow>(conn))?;
        let read = found.into_iter().map(DueOverride::try_from);
        let read = read.collect::<Result<Vec<_>, _>>()?;
        Ok(Page::cut(read, page.limit, |due| {
            Keyset::of_id(due.id.to_string())
        }))
    }
}
