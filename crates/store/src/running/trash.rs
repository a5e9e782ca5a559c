//! The trash in rows: what was deleted leaves its tables as documents, and comes back from them.
//!
//! The rows are written and read by the databases themselves, a statement per table, so that a course with ten thousand
//! submissions never passes through memory. What stands in these statements are names of tables and columns of ours,
//! and ids, which hold no character that SQL knows.

mod erasing;
pub mod graph;
mod moving;
mod sealed;

use diesel::sql_types::Text;
use lyceum_domain::identity::users::User;
use lyceum_domain::ids::GenerationId;
use lyceum_domain::ids::PersonId;
use lyceum_domain::ids::TrashItemId;
use lyceum_domain::ids::UserId;
use lyceum_domain::json::JsonObject;
use lyceum_domain::running::trash::{TrashCounts, TrashItem, TrashKind, TrashPart};
use lyceum_ports::running::trash::{
    MissingParent, SealedPlace, SealedWork, TrashFilter, TrashRepository,
};
use serde_json::{Value, json};

use crate::mapping::schema::{trash, trash_rows};
use crate::prelude::*;

row! {
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = trash)]
    struct ItemRow of TrashItem {
        workspace_id: WorkspaceId,
        id: TrashItemId,
        kind: TrashKind,
        object_id: String,
        name: String,
        counts: TrashCounts,
        person_id: Option<PersonId>,
        deleted_by: Option<UserId>,
        restorable_until: Timestamp,
        created_at: Timestamp,
    }
}

kept_as_text!(TrashKind);

impl Stored for TrashCounts {
    type Columns = Json;

    fn columns(&self) -> Json {
        let members = self
            .iter()
            .map(|(part, count)| (part.to_string(), json!(count)));
        Json(Value::Object(members.collect()))
    }

    fn read(counts: Json) -> Result<Self, StoreError> {
        let members = rows::object(counts)?.into_iter();
        members
            .map(|(part, count)| {
                let count = count.as_u64().ok_or_else(|| corrupt("a count"))?;
                Ok((rows::read(TrashPart::parse(&part))?, count))
            })
            .collect()
    }
}

/// A text that a statement answers.
#[derive(QueryableByName)]
pub struct TextRow {
    #[diesel(sql_type = Text)]
    pub text: String,
}

/// Which rows of the trash are those of a part of the item, by an alias.
fn rows_of(item: &TrashItem, part: TrashPart, alias: &str) -> String {
    let (workspace, id) = (item.workspace_id, item.id);
    format!(
        "{alias}.workspace_id = '{workspace}' AND {alias}.trash_id = '{id}' AND {alias}.part = '{part}'"
    )
}

impl Session<'_> {
    /// Runs a statement that answers nothing; how many rows it changed.
    fn execute(&mut self, statement: String) -> Result<u64, StoreError> {
        let query = diesel::sql_query(statement);
        let changed = self.run(|conn| match conn {
            AnyConnection::Postgres(conn) => query.execute(conn),
            AnyConnection::Sqlite(conn) => query.execute(conn),
        })?;
        Ok(u64::try_from(changed).unwrap_or(u64::MAX))
    }

    /// Runs a statement that answers rows.
    fn answer<Row>(&mut self, statement: String) -> Result<Vec<Row>, StoreError>
    where
        Row: QueryableByName<diesel::pg::Pg> + QueryableByName<diesel::sqlite::Sqlite> + 'static,
    {
        let query = diesel::sql_query(statement);
        self.run(|conn| match conn {
            AnyConnection::Postgres(conn) => query.load(conn),
            AnyConnection::Sqlite(conn) => query.load(conn),
        })
    }

    /// Runs a statement that answers texts.
    fn texts(&mut self, statement: String) -> Result<Vec<String>, StoreError> {
        let said = self.answer::<TextRow>(statement)?;
        Ok(said.into_iter().map(|row| row.text).collect())
    }
}

impl TrashRepository for Session<'_> {
    fn gather(&mut self, item: &TrashItem) -> Result<TrashCounts, StoreError> {
        let row = ItemRow::from(item);
        self.run(|conn| diesel::insert_into(trash::table).values(&row).execute(conn))?;
        let counts = self.copy_into(item)?;
        self.count_anew(item, &counts)?;
        Ok(counts)
    }

    fn take_out(&mut self, item: &TrashItem) -> Result<(), StoreError> {
        self.take_originals(item)
    }

    fn ids(
        &mut self,
        item: &TrashItem,
        part: TrashPart,
        after: Option<String>,
        limit: u16,
    ) -> Result<Vec<String>, StoreError> {
        let mut query = trash_rows::table
            .filter(trash_rows::workspace_id.eq(item.workspace_id.to_string()))
            .filter(trash_rows::trash_id.eq(item.id.to_string()))
            .filter(trash_rows::part.eq(part.as_str()))
            .select(trash_rows::id)
            .order(trash_rows::id)
            .limit(limit.into())
            .into_boxed();
        if let Some(after) = after {
            query = query.filter(trash_rows::id.gt(after));
        }
        self.run(|conn| query.load(conn))
    }

    fn pending_generations(&mut self, item: &TrashItem) -> Result<Vec<GenerationId>, StoreError> {
        let mut found = Vec::new();
        for part in [
            TrashPart::Courses,
            TrashPart::Units,
            TrashPart::Lessons,
            TrashPart::Activities,
        ] {
            if item.count(part) == 0 {
                continue;
            }
            let these = rows_of(item, part, "r");
            let ids = self.texts(format!(
                "SELECT g.id AS text FROM trash_rows AS r CROSS JOIN generations AS g WHERE {these} \
                 AND g.workspace_id = r.workspace_id AND g.target_id = r.id AND g.status = 'pending' ORDER BY g.id"
            ))?;
            for id in ids {
                found.push(rows::id(&id)?);
            }
        }
        Ok(found)
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: TrashItemId,
    ) -> Result<Option<TrashItem>, StoreError> {
        let found = self.run(|conn| {
            trash::table
                .find((workspace.to_string(), id.to_string()))
                .select(ItemRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(TrashItem::try_from).transpose()
    }

    fn hold(&mut self, item: &TrashItem) -> Result<(), StoreError> {
        // A row that is really written tells whoever waited to begin anew, as in `WorkspaceRepository::hold`.
        let held = self.run(|conn| {
            diesel::update(trash::table)
                .filter(trash::workspace_id.eq(item.workspace_id.to_string()))
                .filter(trash::id.eq(item.id.to_string()))
                .set(trash::kind.eq(trash::kind))
                .execute(conn)
        })?;
        self.all_there(u64::try_from(held).unwrap_or_default(), 1)
    }

    fn page(
        &mut self,
        workspace: WorkspaceId,
        filter: &TrashFilter,
        page: &PageRequest,
    ) -> Result<Page<TrashItem>, StoreError> {
        let kinds: Vec<&str> = filter.kinds.iter().map(|kind| kind.as_str()).collect();
        let walk = Walk::<ids::TrashItem>::over("trash", workspace, page)
            .along("object_id", filter.object_id.as_ref())
            .sifting(kinds.len() < TrashKind::ALL.len() || filter.deleted_by.is_some());
        walk.take(self, |session, mut reach| {
            let mut query = trash::table
                .filter(trash::workspace_id.eq(workspace.to_string()))
                .select(ItemRow::as_select())
                .order(reach.order())
                .limit(i64::from(page.limit) + 1)
                .into_boxed();
            if kinds.len() < TrashKind::ALL.len() {
                query = query.filter(trash::kind.eq_any(&kinds));
            }
            for condition in reach.conditions() {
                query = query.filter(condition);
            }
            if let Some(now) = filter.restorable_at {
                query = query.filter(trash::restorable_until.gt(Moment(now)));
            }
            if let Some(object) = &filter.object_id {
                query = query.filter(trash::object_id.eq(object.clone()));
            }
            if let Some(user) = filter.deleted_by {
                query = query.filter(trash::deleted_by.eq(user.to_string()));
            }
            let found = session.run(|conn| query.load::<ItemRow>(conn))?;
            let items = found
                .into_iter()
                .map(TrashItem::try_from)
                .collect::<Result<Vec<_>, _>>()?;
            Ok(reach.cut(items, |item| item.id.to_string()))
        })
    }

    fn root(&mut self, item: &TrashItem) -> Result<JsonObject, StoreError> {
        let found: Option<Json> = self.run(|conn| {
            trash_rows::table
                .find((
                    item.workspace_id.to_string(),
                    item.id.to_string(),
                    item.kind.part().as_str(),
                    item.object_id.clone(),
                ))
                .select(trash_rows::body)
                .first(conn)
                .optional()
        })?;
        rows::object(found.ok_or_else(|| corrupt(format!("nothing is left of {}", item.id)))?)
    }

    fn missing(&mut self, item: &TrashItem) -> Result<Vec<MissingParent>, StoreError> {
        self.missing_parents(item)
    }

    fn put_back(
        &mut self,
        item: &TrashItem,
        position: Option<u32>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.put_originals_back(item, position, now)
    }

    fn others_with_work(&mut self, item: &TrashItem) -> Result<Vec<TrashItemId>, StoreError> {
        let found: Vec<String> = self.run(|conn| {
            trash_rows::table
                .filter(trash_rows::workspace_id.eq(item.workspace_id.to_string()))
                .filter(trash_rows::user_id.eq(&item.object_id))
                .filter(trash_rows::trash_id.ne(item.id.to_string()))
                .select(trash_rows::trash_id)
                .distinct()
                .order(trash_rows::trash_id)
                .limit(5)
                .load(conn)
        })?;
        found.iter().map(|id| rows::id(id)).collect()
    }

    fn forget(&mut self, item: &TrashItem) -> Result<(), StoreError> {
        let gone = self.run(|conn| {
            diesel::delete(trash::table)
                .filter(trash::workspace_id.eq(item.workspace_id.to_string()))
                .filter(trash::id.eq(item.id.to_string()))
                .execute(conn)
        })?;
        self.all_there(u64::try_from(gone).unwrap_or_default(), 1)
    }

    fn forget_some(&mut self, item: &TrashItem, limit: u16) -> Result<bool, StoreError> {
        let (workspace, id) = (item.workspace_id, item.id);
        let these = format!("workspace_id = '{workspace}' AND trash_id = '{id}'");
        let gone = self.execute(format!(
            "DELETE FROM trash_rows WHERE {these} AND (part, id) IN \
             (SELECT part, id FROM trash_rows WHERE {these} ORDER BY part, id LIMIT {limit})"
        ))?;
        if gone == u64::from(limit) {
            return Ok(false);
        }
        self.forget(item)?;
        Ok(true)
    }

    fn let_go_of_files(&mut self, item: &TrashItem) -> Result<Vec<String>, StoreError> {
        let found: Vec<Option<String>> = self.run(|conn| {
            trash_rows::table
                .filter(trash_rows::workspace_id.eq(item.workspace_id.to_string()))
                .filter(trash_rows::trash_id.eq(item.id.to_string()))
                .filter(trash_rows::file.is_not_null())
                .select(trash_rows::file)
                .distinct()
                .load(conn)
        })?;
        if !found.is_empty() {
            self.run(|conn| {
                diesel::delete(trash_rows::table)
                    .filter(trash_rows::workspace_id.eq(item.workspace_id.to_string()))
                    .filter(trash_rows::trash_id.eq(item.id.to_string()))
                    .filter(trash_rows::file.is_not_null())
                    .execute(conn)
            })?;
        }
        Ok(found.into_iter().flatten().collect())
    }

    fn keeps_file(&mut self, workspace: WorkspaceId, name: &str) -> Result<bool, StoreError> {
        let found: Option<String> = self.run(|conn| {
            trash_rows::table
                .filter(trash_rows::workspace_id.eq(workspace.to_string()))
                .filter(trash_rows::file.eq(name))
                .select(trash_rows::id)
                .first(conn)
                .optional()
        })?;
        Ok(found.is_some())
    }

    fn expired(&mut self, now: Timestamp) -> Result<Option<TrashItem>, StoreError> {
        let found = self.run(|conn| {
            trash::table
                .filter(trash::restorable_until.le(Moment(now)))
                .order(trash::restorable_until)
                .select(ItemRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(TrashItem::try_from).transpose()
    }

    fn erase(&mut self, user: &User) -> Result<u64, StoreError> {
        self.erase_in_trash(user)
    }

    fn sealed_work(
        &mut self,
        workspace: Option<WorkspaceId>,
        after: Option<SealedPlace>,
        limit: u16,
    ) -> Result<Vec<SealedWork>, StoreError> {
        self.sealed_in_trash(workspace, after, limit)
    }
}
