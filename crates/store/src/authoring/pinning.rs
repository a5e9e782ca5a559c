//! What cohorts see that are updated by choice, in rows: one for each cohort and thing, under the id of that thing.

use lyceum_domain::authoring::versions::pinning::PinnedContent;
use lyceum_domain::authoring::versions::waiting::ChangeTarget;
use lyceum_domain::ids::{CohortId, CourseId};
use lyceum_domain::json::JsonObject;
use lyceum_domain::learning::cohorts::{CohortStatus, CohortUpdates};
use lyceum_ports::authoring::pinning::PinnedContentRepository;
use lyceum_ports::authoring::waiting::{ChangeReach, WaitingMark};

use super::reach::Whom;
use super::waiting::{mark, rank};
use crate::mapping::schema::{cohorts, pinned_contents};
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = pinned_contents, primary_key(workspace_id, cohort_id, id), treat_none_as_null = true)]
    struct PinnedContentRow of PinnedContent {
        workspace_id: WorkspaceId,
        cohort_id: CohortId,
        content: JsonObject,
        number: Option<u32>,
        ..of: (
            id: String,
            unit_id: Option<String>,
            lesson_id: Option<String>,
            activity_id: Option<String>,
            assignment_id: Option<String>,
        ),
        ..stamp: (created_at: Moment, updated_at: Moment, version: i64),
    }
}

impl PinnedContentRepository for Session<'_> {
    fn pinning(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
    ) -> Result<Vec<CohortId>, StoreError> {
        let under_way = [CohortStatus::Active, CohortStatus::Completed];
        let under_way = under_way.map(CohortStatus::as_str);
        let found: Vec<String> = self.run(|conn| {
            cohorts::table
                .filter(cohorts::workspace_id.eq(workspace.to_string()))
                .filter(cohorts::course_id.eq(course.to_string()))
                .filter(cohorts::updates.eq(CohortUpdates::Manual.as_str()))
                .filter(cohorts::status.eq_any(under_way))
                .select(cohorts::id)
                .order(cohorts::id.asc())
                .load(conn)
        })?;
        found.iter().map(|id| rows::id(id)).collect()
    }

    fn insert(&mut self, pinned: &PinnedContent) -> Result<(), StoreError> {
        let row = PinnedContentRow::from(pinned);
        self.insert_absent(|conn| {
            diesel::insert_into(pinned_contents::table)
                .values(&row)
                .execute(conn)
        })
    }

    fn update(&mut self, pinned: &PinnedContent) -> Result<(), StoreError> {
        let row = PinnedContentRow::from(pinned);
        self.change(&row.id, |conn| {
            diesel::update(pinned_contents::table)
                .filter(pinned_contents::workspace_id.eq(&row.workspace_id))
                .filter(pinned_contents::cohort_id.eq(&row.cohort_id))
                .filter(pinned_contents::id.eq(&row.id))
                .filter(pinned_contents::version.lt(row.version))
                .set(&row)
                .execute(conn)
        })
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
        of: ChangeTarget,
    ) -> Result<Option<PinnedContent>, StoreError> {
        Ok(self.among(workspace, cohort, &[of])?.pop())
    }

    fn of_thing(
        &mut self,
        workspace: WorkspaceId,
        of: ChangeTarget,
    ) -> Result<Vec<PinnedContent>, StoreError> {
        let found = self.run(|conn| {
            pinned_contents::table
                .filter(pinned_contents::workspace_id.eq(workspace.to_string()))
                .filter(pinned_contents::id.eq(of.id()))
                .select(PinnedContentRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(PinnedContent::try_from).collect()
    }

    fn among(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
        of: &[ChangeTarget],
    ) -> Result<Vec<PinnedContent>, StoreError> {
        let ids: Vec<String> = of.iter().map(|of| of.id()).collect();
        let found = self.run(|conn| {
            pinned_contents::table
                .filter(pinned_contents::workspace_id.eq(workspace.to_string()))
                .filter(pinned_contents::cohort_id.eq(cohort.to_string()))
                .filter(pinned_contents::id.eq_any(ids))
                .select(PinnedContentRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(PinnedContent::try_from).collect()
    }

    fn of_cohort(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
    ) -> Result<Vec<WaitingMark>, StoreError> {
        let found: Vec<(String, i64, Moment)> = self.run(|conn| {
            pinned_contents::table
                .filter(pinned_contents::workspace_id.eq(workspace.to_string()))
                .filter(pinned_contents::cohort_id.eq(cohort.to_string()))
                .select((
                    pinned_contents::id,
                    pinned_contents::version,
                    pinned_contents::updated_at,
                ))
                .order(pinned_contents::id.asc())
                .load(conn)
        })?;
        let marks = found.into_iter().map(mark);
        let mut marks = marks.collect::<Result<Vec<_>, _>>()?;
        marks.sort_by_key(|mark| rank(mark.of));
        Ok(marks)
    }

    fn delete(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
        of: ChangeTarget,
    ) -> Result<bool, StoreError> {
        let key = (workspace.to_string(), cohort.to_string(), of.id());
        let deleted =
            self.run(|conn| diesel::delete(pinned_contents::table.find(key)).execute(conn))?;
        Ok(deleted == 1)
    }

    fn delete_of_cohort(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
    ) -> Result<u64, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(pinned_contents::table)
                .filter(pinned_contents::workspace_id.eq(workspace.to_string()))
                .filter(pinned_contents::cohort_id.eq(cohort.to_string()))
                .execute(conn)
        })?;
        rows::number(rows::stored_number(deleted))
    }

    fn reach(
        &mut self,
        workspace: WorkspaceId,
        cohort: CohortId,
    ) -> Result<ChangeReach, StoreError> {
        let of_cohort = Whom {
            changed: "pinned_contents w",
            of: "w.workspace_id = $1 AND w.cohort_id = $2",
            cohorts: "c.workspace_id = $1 AND c.id = $2",
            at_once: "",
            learner: " AND r.user_id IN (SELECT user_id FROM enrollments WHERE workspace_id = $1 AND cohort_id = $2)",
        };
        self.reached(workspace, &cohort.to_string(), &of_cohort)
    }
}
