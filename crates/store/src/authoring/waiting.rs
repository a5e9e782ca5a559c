//! Changes that wait, in rows: one for each thing that something waits for, under the id of that thing.

use lyceum_domain::authoring::versions::waiting::{ChangeTarget, WaitingChange};
use lyceum_domain::ids::{CourseId, UserId};
use lyceum_domain::json::JsonObject;
use lyceum_ports::authoring::waiting::{ChangeReach, WaitingChangeRepository, WaitingMark};

use super::reach::Whom;
use crate::mapping::schema::waiting_changes;
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = waiting_changes, primary_key(workspace_id, id), treat_none_as_null = true)]
    struct WaitingChangeRow of WaitingChange {
        workspace_id: WorkspaceId,
        course_id: CourseId,
        content: JsonObject,
        base: JsonObject,
        made_by: Option<UserId>,
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

impl Stored for ChangeTarget {
    type Columns = (
        String,
        Option<String>,
        Option<String>,
        Option<String>,
        Option<String>,
    );

    fn columns(&self) -> Self::Columns {
        let id = self.id();
        let named = Some(id.clone());
        match self {
            Self::Course(_) => (id, None, None, None, None),
            Self::Unit(_) => (id, named, None, None, None),
            Self::Lesson(_) => (id, None, named, None, None),
            Self::Activity(_) => (id, None, None, named, None),
            Self::Assignment(_) => (id, None, None, None, named),
        }
    }

    fn read((id, ..): Self::Columns) -> Result<Self, StoreError> {
        Self::parse(&id).ok_or_else(|| corrupt("a change of nothing that changes".to_owned()))
    }
}

/// Parents before what is in them.
pub(super) const fn rank(of: ChangeTarget) -> u8 {
    match of {
        ChangeTarget::Course(_) => 0,
        ChangeTarget::Unit(_) => 1,
        ChangeTarget::Lesson(_) => 2,
        ChangeTarget::Activity(_) => 3,
        ChangeTarget::Assignment(_) => 4,
    }
}

pub(super) fn mark(
    (id, version, updated_at): (String, i64, Moment),
) -> Result<WaitingMark, StoreError> {
    let of = ChangeTarget::parse(&id);
    Ok(WaitingMark {
        of: of.ok_or_else(|| corrupt("a change of nothing that changes".to_owned()))?,
        version,
        updated_at: updated_at.0,
    })
}

impl WaitingChangeRepository for Session<'_> {
    fn insert(&mut self, change: &WaitingChange) -> Result<(), StoreError> {
        let row = WaitingChangeRow::from(change);
        self.insert_absent(|conn| {
            diesel::insert_into(waiting_changes::table)
                .values(&row)
                .execute(conn)
        })
    }

    fn update(&mut self, change: &WaitingChange) -> Result<(), StoreError> {
        let row = WaitingChangeRow::from(change);
        self.change(&row.id, |conn| {
            diesel::update(waiting_changes::table)
                .filter(waiting_changes::workspace_id.eq(&row.workspace_id))
                .filter(waiting_changes::id.eq(&row.id))
                .filter(waiting_changes::version.lt(row.version))
                .set(&row)
                .execute(conn)
        })
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        of: ChangeTarget,
    ) -> Result<Option<WaitingChange>, StoreError> {
        let found = self.run(|conn| {
            waiting_changes::table
                .find((workspace.to_string(), of.id()))
                .select(WaitingChangeRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(WaitingChange::try_from).transpose()
    }

    fn among(
        &mut self,
        workspace: WorkspaceId,
        of: &[ChangeTarget],
    ) -> Result<Vec<ChangeTarget>, StoreError> {
        let ids: Vec<String> = of.iter().map(|of| of.id()).collect();
        let found: Vec<String> = self.run(|conn| {
            waiting_changes::table
                .filter(waiting_changes::workspace_id.eq(workspace.to_string()))
                .filter(waiting_changes::id.eq_any(ids))
                .select(waiting_changes::id)
                .load(conn)
        })?;
        Ok(found
            .iter()
            .filter_map(|id| ChangeTarget::parse(id))
            .collect())
    }

    fn of_course(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
    ) -> Result<Vec<WaitingMark>, StoreError> {
        let found: Vec<(String, i64, Moment)> = self.run(|conn| {
            waiting_changes::table
                .filter(waiting_changes::workspace_id.eq(workspace.to_string()))
                .filter(waiting_changes::course_id.eq(course.to_string()))
                .select((
                    waiting_changes::id,
                    waiting_changes::version,
                    waiting_changes::updated_at,
                ))
                .order(waiting_changes::id.asc())
                .load(conn)
        })?;
        let marks = found.into_iter().map(mark);
        let mut marks = marks.collect::<Result<Vec<_>, _>>()?;
        marks.sort_by_key(|mark| rank(mark.of));
        Ok(marks)
    }

    fn delete(&mut self, workspace: WorkspaceId, of: ChangeTarget) -> Result<bool, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(waiting_changes::table.find((workspace.to_string(), of.id())))
                .execute(conn)
        })?;
        Ok(deleted == 1)
    }

    fn delete_of_course(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
    ) -> Result<u64, StoreError> {
        let deleted = self.run(|conn| {
            diesel::delete(waiting_changes::table)
                .filter(waiting_changes::workspace_id.eq(workspace.to_string()))
                .filter(waiting_changes::course_id.eq(course.to_string()))
                .execute(conn)
        })?;
        rows::number(rows::stored_number(deleted))
    }

    fn reach(
        &mut self,
        workspace: WorkspaceId,
        course: CourseId,
    ) -> Result<ChangeReach, StoreError> {
        let everybody = Whom {
            changed: "waiting_changes w",
            of: "w.workspace_id = $1 AND w.course_id = $2",
            cohorts: "c.workspace_id = $1 AND c.course_id = $2 AND c.status = 'active'",
            at_once: " AND c.updates = 'automatic'",
            learner: "",
        };
        self.reached(workspace, &course.to_string(), &everybody)
    }
}
