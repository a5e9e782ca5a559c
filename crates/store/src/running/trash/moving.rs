//! Into the trash and out of it: a statement per table, whatever the number of rows.

use diesel::sql_types::{Bool, Text};
use lyceum_domain::running::trash::{TrashCounts, TrashItem, TrashPart};
use lyceum_ports::running::jobs::QueuedJob;
use lyceum_ports::running::trash::MissingParent;

use super::graph::{Edge, EdgeKind, NODES, Node, node_of};
use super::rows_of;
use crate::database::failpoints::fail_point;
use crate::mapping::schema::trash;
use crate::prelude::*;

/// Most missing parents that are named of each way.
const NAMED: usize = 5;
/// Among so many rows that miss one: many may miss the same.
const LOOKED_AT: u8 = 200;

/// A column, as the database describes it.
#[derive(QueryableByName)]
pub(super) struct MovedColumn {
    #[diesel(sql_type = Text)]
    pub name: String,
    #[diesel(sql_type = Bool)]
    is_needed: bool,
    /// What it is where nobody says; empty if that is nothing.
    #[diesel(sql_type = Text)]
    initial: String,
}

impl Session<'_> {
    /// Copies the thing and all that hangs on it. The ids come first, table by table, and each row is locked before
    /// anything is looked for that hangs on it: whoever would hang more on it waits, and finds it gone.
    pub(super) fn copy_into(&mut self, item: &TrashItem) -> Result<TrashCounts, StoreError> {
        let mut counts = TrashCounts::new();
        for node in NODES {
            let mut found = 0;
            if node.part == item.kind.part() {
                found += self.name_root(item, node)?;
            }
            let ways = node.parents.iter();
            for way in ways.filter(|edge| edge.kind != EdgeKind::Implied) {
                if counts.contains_key(&way.parent) {
                    found += self.name_rows(item, node, way)?;
                }
            }
            if found > 0 {
                self.lock_rows(item, node.part)?;
                counts.insert(node.part, found);
            }
        }
        for part in counts.keys() {
            self.copy_bodies(item, *part)?;
        }
        fail_point!("trash.gathered");
        Ok(counts)
    }

    pub(super) fn count_anew(
        &mut self,
        item: &TrashItem,
        counts: &TrashCounts,
    ) -> Result<(), StoreError> {
        self.run(|conn| {
            diesel::update(trash::table)
                .filter(trash::workspace_id.eq(item.workspace_id.to_string()))
                .filter(trash::id.eq(item.id.to_string()))
                .set(trash::counts.eq(counts.columns()))
                .execute(conn)
        })
        .map(drop)
    }

    fn name_root(&mut self, item: &TrashItem, node: &Node) -> Result<u64, StoreError> {
        let (workspace, trash_id, part) = (item.workspace_id, item.id, node.part);
        let (owner, file) = (named(node.owner), named(node.file));
        let id = &item.object_id;
        let found = self.execute(format!(
            "INSERT INTO trash_rows (workspace_id, trash_id, part, id, user_id, file, body) \
             SELECT t.workspace_id, '{trash_id}', '{part}', t.id, {owner}, {file}, '{{}}' FROM {part} AS t \
             WHERE t.workspace_id = '{workspace}' AND t.id = '{id}'"
        ))?;
        self.all_there(found, 1)?;
        Ok(found)
    }

    /// From what is in the trash already to what hangs on it: the other way round would be a walk over the table.
    fn name_rows(&mut self, item: &TrashItem, node: &Node, way: &Edge) -> Result<u64, StoreError> {
        let (these, part, column) = (rows_of(item, way.parent, "r"), node.part, way.column);
        let owner = node
            .owner
            .map_or_else(|| "r.user_id".to_owned(), |owner| named(Some(owner)));
        let file = named(node.file);
        let only = if node.only.is_empty() {
            String::new()
        } else {
            format!("AND {}", node.only)
        };
        self.execute(format!(
            "INSERT INTO trash_rows (workspace_id, trash_id, part, id, user_id, file, body) \
             SELECT t.workspace_id, r.trash_id, '{part}', t.id, {owner}, {file}, '{{}}' \
             FROM trash_rows AS r CROSS JOIN {part} AS t \
             WHERE {these} AND t.workspace_id = r.workspace_id AND t.{column} = r.id {only} \
             ON CONFLICT DO NOTHING"
        ))
    }

    fn lock_rows(&mut self, item: &TrashItem, part: TrashPart) -> Result<(), StoreError> {
        // SQLite has one writer.
        if matches!(self.conn, AnyConnection::Postgres(_)) {
            let these = rows_of(item, part, "r");
            self.execute(format!(
                "SELECT count(*) FROM (SELECT t.id FROM {part} AS t, trash_rows AS r WHERE {these} \
                 AND t.workspace_id = r.workspace_id AND t.id = r.id FOR UPDATE OF t) AS locked"
            ))?;
        }
        Ok(())
    }

    fn copy_bodies(&mut self, item: &TrashItem, part: TrashPart) -> Result<(), StoreError> {
        let these = rows_of(item, part, "trash_rows");
        let body = match self.conn {
            AnyConnection::Postgres(_) => "to_jsonb(t)".to_owned(),
            AnyConnection::Sqlite(_) => {
                let columns = self.columns_of(part)?.into_iter();
                let members: Vec<String> = columns
                    .map(|MovedColumn { name, .. }| format!("'{name}', t.\"{name}\""))
                    .collect();
                format!("json_object({})", members.join(", "))
            }
        };
        self.execute(format!(
            "UPDATE trash_rows SET body = (SELECT {body} FROM {part} AS t \
             WHERE t.workspace_id = trash_rows.workspace_id AND t.id = trash_rows.id) WHERE {these}"
        ))
        .map(drop)
    }

    /// From below, so that nothing goes along unseen: each table loses as many rows as were copied.
    pub(super) fn take_originals(&mut self, item: &TrashItem) -> Result<(), StoreError> {
        for node in NODES.iter().rev() {
            let part = node.part;
            let count = item.count(part);
            if count == 0 {
                continue;
            }
            let these = rows_of(item, part, "r");
            let workspace = item.workspace_id;
            let gone = self.execute(format!(
                "DELETE FROM {part} WHERE workspace_id = '{workspace}' AND id IN \
                 (SELECT r.id FROM trash_rows AS r WHERE {these})"
            ))?;
            self.all_there(gone, count)?;
        }
        fail_point!("trash.taken_out");
        Ok(())
    }

    /// Whoever finds fewer or more than were counted lost a race, and begins anew.
    pub(super) const fn all_there(&mut self, found: u64, wanted: u64) -> Result<(), StoreError> {
        if found == wanted {
            return Ok(());
        }
        self.run_again = true;
        Err(StoreError::Stale)
    }

    pub(super) fn missing_parents(
        &mut self,
        item: &TrashItem,
    ) -> Result<Vec<MissingParent>, StoreError> {
        let mut missing = Vec::new();
        for node in NODES.iter().filter(|node| item.count(node.part) > 0) {
            let ways = node.parents.iter();
            for way in ways.filter(|edge| edge.kind != EdgeKind::Loose) {
                let ids = self.missing_by(item, node.part, way.column, way.parent.as_str())?;
                for id in ids {
                    missing.push(self.missing_parent(item, way, id)?);
                }
            }
            if node.part == TrashPart::Users {
                let gone = self.missing_by(item, node.part, "person_id", "people")?;
                missing.extend(gone.into_iter().map(|id| MissingParent {
                    field: "person_id".to_owned(),
                    id,
                    item: None,
                }));
            }
        }
        Ok(missing)
    }

    fn missing_by(
        &mut self,
        item: &TrashItem,
        part: TrashPart,
        column: &str,
        parent: &str,
    ) -> Result<Vec<String>, StoreError> {
        let these = rows_of(item, part, "r");
        let named = match self.conn {
            AnyConnection::Postgres(_) => format!("(r.body ->> '{column}')"),
            AnyConnection::Sqlite(_) => format!("json_extract(r.body, '$.{column}')"),
        };
        // People are of no workspace.
        let here = if parent == "people" {
            ""
        } else {
            "p.workspace_id = r.workspace_id AND"
        };
        // Look-ups one by one: as a join, PostgreSQL, which has not counted the rows yet, may compare each with each.
        let mut ids = self.texts(format!(
            "SELECT {named} AS text FROM trash_rows AS r WHERE {these} AND {named} IS NOT NULL \
             AND (SELECT p.id FROM {parent} AS p WHERE {here} p.id = {named} LIMIT 1) IS NULL \
             AND (SELECT o.id FROM trash_rows AS o WHERE o.workspace_id = r.workspace_id \
             AND o.trash_id = r.trash_id AND o.part = '{parent}' AND o.id = {named} LIMIT 1) IS NULL \
             LIMIT {LOOKED_AT}"
        ))?;
        ids.sort_unstable();
        ids.dedup();
        ids.truncate(NAMED);
        Ok(ids)
    }

    fn missing_parent(
        &mut self,
        item: &TrashItem,
        way: &Edge,
        id: String,
    ) -> Result<MissingParent, StoreError> {
        let (workspace, part) = (item.workspace_id, way.parent);
        let found = self.texts(format!(
            "SELECT trash_id AS text FROM trash_rows WHERE workspace_id = '{workspace}' AND id = '{id}' \
             AND part = '{part}' LIMIT 1"
        ))?;
        Ok(MissingParent {
            field: way.column.to_owned(),
            id,
            item: found.first().map(|id| rows::id(id)).transpose()?,
        })
    }

    pub(super) fn put_originals_back(
        &mut self,
        item: &TrashItem,
        position: Option<u32>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        for node in NODES {
            let count = item.count(node.part);
            if count > 0 {
                let back = self.insert_again(item, node.part, now)?;
                self.all_there(back, count)?;
            }
        }
        if let Some(position) = position {
            let (part, workspace, id) = (item.kind.part(), item.workspace_id, &item.object_id);
            self.execute(format!(
                "UPDATE {part} SET position = {position} WHERE workspace_id = '{workspace}' AND id = '{id}'"
            ))?;
        }
        fail_point!("trash.put_back");
        Ok(())
    }

    fn insert_again(
        &mut self,
        item: &TrashItem,
        part: TrashPart,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let columns = self.columns_of(part)?;
        let is_postgres = matches!(self.conn, AnyConnection::Postgres(_));
        let plain = |name: &str| {
            if is_postgres {
                format!("x.\"{name}\"")
            } else {
                format!("json_extract(r.body, '$.{name}')")
            }
        };
        let values: Vec<String> = columns
            .iter()
            .map(|column| {
                let value = plain(&column.name);
                // A column that there was not yet when the row went.
                let value = if column.is_needed && !column.initial.is_empty() {
                    format!("coalesce({value}, {})", column.initial)
                } else {
                    value
                };
                changed(part, &column.name, now, &plain).unwrap_or(value)
            })
            .collect();
        let names: Vec<String> = columns
            .iter()
            .map(|column| format!("\"{}\"", column.name))
            .collect();
        let (names, values) = (names.join(", "), values.join(", "));
        let record = if is_postgres {
            format!(", LATERAL jsonb_populate_record(NULL::{part}, r.body) AS x")
        } else {
            String::new()
        };
        let these = rows_of(item, part, "r");
        self.execute(format!(
            "INSERT INTO {part} ({names}) SELECT {values} FROM trash_rows AS r{record} WHERE {these}"
        ))
    }

    /// The columns of a table as it is now, from the database's own catalogue.
    pub(super) fn columns_of(&mut self, part: TrashPart) -> Result<Vec<MovedColumn>, StoreError> {
        let statement = match self.conn {
            AnyConnection::Postgres(_) => format!(
                "SELECT a.attname::text AS name, a.attnotnull AS is_needed, \
                 coalesce(pg_get_expr(d.adbin, d.adrelid), '') AS initial FROM pg_attribute AS a \
                 LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum \
                 WHERE a.attrelid = '{part}'::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum"
            ),
            AnyConnection::Sqlite(_) => format!(
                "SELECT name, \"notnull\" AS is_needed, coalesce(dflt_value, '') AS initial \
                 FROM pragma_table_info('{part}') ORDER BY cid"
            ),
        };
        let columns = self.answer::<MovedColumn>(statement)?;
        if columns.is_empty() || node_of(part).is_none() {
            return Err(corrupt(format!("there is no table {part}")));
        }
        Ok(columns)
    }
}

/// A column of the row that is copied; nothing where there is none.
fn named(column: Option<&str>) -> String {
    column.map_or_else(|| "NULL".to_owned(), |column| format!("t.{column}"))
}

/// What a column is when its row comes back, where that is not what it was.
fn changed(
    part: TrashPart,
    column: &str,
    now: Timestamp,
    plain: &impl Fn(&str) -> String,
) -> Option<String> {
    match (part, column) {
        // Whoever held it holds it no longer; its patience begins anew.
        (TrashPart::Jobs, "state") => Some("'queued'".to_owned()),
        (TrashPart::Jobs, "lease_until" | "begun_at" | "node_id") => Some("NULL".to_owned()),
        (TrashPart::Jobs, "tries") => Some("0".to_owned()),
        (TrashPart::Jobs, "run_at") => Some(format!("'{now}'")),
        (TrashPart::Jobs, "max_attempts") => {
            let attempts = QueuedJob::LOST_ATTEMPTS;
            Some(format!("{} + {attempts}", plain("attempt")))
        }
        // Its cohorts come back behind it, and are kept beside it by that. Its generations were never gone.
        (TrashPart::Courses, "shown_cohorts") => Some("''".to_owned()),
        (TrashPart::Courses, "shown_generation") => {
            let course = plain("id");
            Some(format!(
                "coalesce((SELECT g.id || ' ' || g.status FROM generations AS g WHERE g.workspace_id = r.workspace_id \
                 AND g.target_id = {course} ORDER BY g.id DESC LIMIT 1), '')"
            ))
        }
        // Of two archives with the same content one is shared with packages to come: that which is there.
        (TrashPart::ScormPackages, "fingerprint") => {
            let fingerprint = plain("fingerprint");
            Some(format!(
                "CASE WHEN EXISTS (SELECT 1 FROM scorm_packages AS o WHERE o.workspace_id = r.workspace_id \
                 AND o.fingerprint = {fingerprint} AND o.status = 'ready' AND o.origin_id = o.id) \
                 THEN NULL ELSE {fingerprint} END"
            ))
        }
        _ => None,
    }
}
