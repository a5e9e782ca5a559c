//! Versions of lessons, activities and assignments in rows.

use lyceum_domain::authoring::versions::{NEWEST_KEPT, Version, Versioned};
use lyceum_domain::ids::{UserId, VersionId};
use lyceum_domain::json::JsonObject;
use lyceum_ports::authoring::versions::VersionRepository;

use crate::mapping::schema::versions;
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = versions)]
    struct VersionRow of Version {
        workspace_id: WorkspaceId,
        id: VersionId,
        number: u32,
        content: JsonObject,
        made_by: Option<UserId>,
        created_at: Timestamp,
        replaced_by: Option<UserId>,
        replaced_at: Timestamp,
        ..of: (lesson_id: Option<String>, activity_id: Option<String>, assignment_id: Option<String>),
    }
}

/// A version without what it was, of which a page would be many megabytes.
type ListedRow = (
    (String, String, i64),
    (Option<String>, Option<String>, Option<String>),
    (Option<String>, Moment, Option<String>, Moment),
);

fn listed(row: ListedRow) -> Result<Version, StoreError> {
    let ((workspace_id, id, number), of, (made_by, created_at, replaced_by, replaced_at)) = row;
    let (lesson_id, activity_id, assignment_id) = of;
    Version::try_from(VersionRow {
        workspace_id,
        id,
        number,
        content: JsonObject::new().columns(),
        made_by,
        created_at,
        replaced_by,
        replaced_at,
        lesson_id,
        activity_id,
        assignment_id,
    })
}

impl Stored for Versioned {
    type Columns = (Option<String>, Option<String>, Option<String>);

    fn columns(&self) -> Self::Columns {
        match self {
            Self::Lesson(id) => (Some(id.to_string()), None, None),
            Self::Activity(id) => (None, Some(id.to_string()), None),
            Self::Assignment(id) => (None, None, Some(id.to_string())),
        }
    }

    fn read(columns: Self::Columns) -> Result<Self, StoreError> {
        match columns {
            (Some(id), None, None) => rows::id(&id).map(Self::Lesson),
            (None, Some(id), None) => rows::id(&id).map(Self::Activity),
            (None, None, Some(id)) => rows::id(&id).map(Self::Assignment),
            _ => Err(corrupt("a version of nothing, or of two things".to_owned())),
        }
    }
}

/// Those of this.
macro_rules! of {
    ($workspace:expr, $of:expr) => {{
        let (lesson, activity, assignment) = $of.columns();
        let mut query = versions::table
            .filter(versions::workspace_id.eq($workspace.to_string()))
            .into_boxed();
        if let Some(id) = lesson {
            query = query.filter(versions::lesson_id.eq(id));
        }
        if let Some(id) = activity {
            query = query.filter(versions::activity_id.eq(id));
        }
        if let Some(id) = assignment {
            query = query.filter(versions::assignment_id.eq(id));
        }
        query
    }};
}

impl VersionRepository for Session<'_> {
    fn insert(&mut self, version: &Version) -> Result<(), StoreError> {
        let row = VersionRow::from(version);
        self.put_row(|conn| {
            diesel::insert_into(versions::table)
                .values(&row)
                .execute(conn)
        })?;
        self.let_go_behind(version)
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: VersionId,
    ) -> Result<Option<Version>, StoreError> {
        let found = self.run(|conn| {
            versions::table
                .find((workspace.to_string(), id.to_string()))
                .select(VersionRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(Version::try_from).transpose()
    }

    fn newest(
        &mut self,
        workspace: WorkspaceId,
        of: Versioned,
    ) -> Result<Option<Version>, StoreError> {
        let query = of!(workspace, of)
            .select(VersionRow::as_select())
            .order(versions::id.desc())
            .limit(1);
        let found = self.run(|conn| query.first::<VersionRow>(conn).optional())?;
        found.map(Version::try_from).transpose()
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        of: Versioned,
        page: &PageRequest,
    ) -> Result<Page<Version>, StoreError> {
        let (lesson, activity, assignment) = of.columns();
        let walk = Walk::<ids::Version>::over("versions", workspace, page)
            .along("lesson_id", lesson)
            .along("activity_id", activity)
            .along("assignment_id", assignment);
        walk.take(self, |session, mut reach| {
            let mut query = of!(workspace, of)
                .select((
                    (versions::workspace_id, versions::id, versions::number),
                    (
                        versions::lesson_id,
                        versions::activity_id,
                        versions::assignment_id,
                    ),
                    (
                        versions::made_by,
                        versions::created_at,
                        versions::replaced_by,
                        versions::replaced_at,
                    ),
                ))
                .order(reach.order())
                .limit(i64::from(page.limit) + 1);
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            let found = session.run(|conn| query.load::<ListedRow>(conn))?;
            let read = found.into_iter().map(listed);
            let read = read.collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut(read, |version| version.id.to_string()))
        })
    }

    fn forget_before(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError> {
        let old: Vec<(String, String)> = self.run(|conn| {
            versions::table
                .filter(versions::may_go)
                .filter(versions::replaced_at.lt(Moment(oldest)))
                .order(versions::replaced_at.asc())
                .limit(limit.into())
                .select((versions::workspace_id, versions::id))
                .load(conn)
        })?;
        let mut forgotten = 0;
        for (workspace, id) in old {
            forgotten += self.run(|conn| {
                diesel::delete(versions::table.find((&workspace, &id))).execute(conn)
            })?;
        }
        rows::number(rows::stored_number(forgotten))
    }
}

impl Session<'_> {
    /// The one that is no longer among the newest may go when it is old. Those of assignments stay: what was handed in names them.
    fn let_go_behind(&mut self, version: &Version) -> Result<(), StoreError> {
        let Some(behind) = version.number.checked_sub(NEWEST_KEPT).filter(|it| *it > 0) else {
            return Ok(());
        };
        let (lesson, activity) = match version.of {
            Versioned::Lesson(id) => (Some(id.to_string()), None),
            Versioned::Activity(id) => (None, Some(id.to_string())),
            Versioned::Assignment(_) => return Ok(()),
        };
        self.run(|conn| {
            diesel::update(versions::table)
                .filter(versions::workspace_id.eq(version.workspace_id.to_string()))
                .filter(versions::number.eq(i64::from(behind)))
                .filter(
                    versions::lesson_id
                        .eq(lesson)
                        .or(versions::activity_id.eq(activity)),
                )
                .set(versions::may_go.eq(true))
                .execute(conn)
        })
        .map(drop)
    }
}
