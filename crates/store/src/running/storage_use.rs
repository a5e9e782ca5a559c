//! How much is kept, counted by the database.
//!
//! `octet_length` knows how long a text is without reading it, on both: SQLite finds it in the row's header, PostgreSQL in
//! the pointer to where a large value lies. What a document of PostgreSQL takes says `pg_column_size`, likewise.

use diesel::sql_types::{BigInt, Text};
use lyceum_domain::ids::UserId;
use lyceum_ports::running::storage_use::{StorageUse, StorageUseRepository};

use crate::mapping::schema::{storage_use, workspaces};
use crate::prelude::*;

/// What a row takes beside its texts: ids, moments, its places in indexes.
const ROW: u32 = 1_024;
/// What a row of a learner counts as beside its texts: with all that is written because of it. Who adds many small things
/// comes to their limit before there are so many that summing them up takes long.
const ROW_OF_LEARNER: u32 = 4_096;

/// A table with its texts and its documents.
type LargeRow = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

/// Tables in which large things stand, with their texts and their documents.
const LARGE: [LargeRow; 14] = [
    ("submissions", &["content"], &["metadata"]),
    ("attempts", &[], &["answers", "results"]),
    ("tutor_turns", &["message", "reply"], &[]),
    ("grades", &["feedback"], &["criteria"]),
    ("events", &["body"], &[]),
    ("lessons", &["content"], &["metadata"]),
    ("activities", &[], &["content"]),
    ("assignments", &["instructions"], &["metadata"]),
    ("versions", &[], &["content"]),
    ("bulk_writes", &["asked", "results"], &[]),
    ("generation_pieces", &[], &["draft", "was"]),
    ("waiting_changes", &[], &["content", "base"]),
    ("pinned_contents", &[], &["content"]),
    // What was deleted takes room until it is destroyed.
    ("trash_rows", &[], &["body"]),
];
/// Those that a learner fills.
const LEARNERS: usize = 3;

#[derive(QueryableByName)]
struct Bytes {
    #[diesel(sql_type = BigInt)]
    bytes: i64,
}

/// What the rows of some tables take that meet a condition, as one statement.
fn sum(conn: &AnyConnection, tables: &[LargeRow], row: u32, condition: &str) -> String {
    let (size, place) = match conn {
        AnyConnection::Postgres(_) => ("pg_column_size", "$"),
        AnyConnection::Sqlite(_) => ("octet_length", "?"),
    };
    let parts = tables.iter().map(|(table, texts, documents)| {
        let texts = texts.iter().map(|text| format!("octet_length({text})"));
        let documents = documents.iter().map(|document| format!("{size}({document})"));
        let columns: Vec<String> = texts.chain(documents).collect();
        let columns = columns.join(" + ");
        format!(
            "(SELECT CAST(COALESCE(SUM({row} + {columns}), 0) AS BIGINT) FROM {table} WHERE {condition})"
        )
    });
    let parts: Vec<String> = parts.collect();
    format!("SELECT {} AS bytes", parts.join(" + ")).replace('$', place)
}

impl From<&StorageUse> for StorageUseRow {
    fn from(used: &StorageUse) -> Self {
        Self {
            workspace_id: used.workspace_id.to_string(),
            bytes: rows::stored_number(used.bytes),
            measured_at: used.measured_at.into(),
        }
    }
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = storage_use, primary_key(workspace_id))]
struct StorageUseRow {
    workspace_id: String,
    bytes: i64,
    measured_at: Moment,
}

impl TryFrom<StorageUseRow> for StorageUse {
    type Error = StoreError;

    fn try_from(row: StorageUseRow) -> Result<Self, StoreError> {
        Ok(Self {
            workspace_id: rows::id(&row.workspace_id)?,
            bytes: rows::number(row.bytes)?,
            measured_at: row.measured_at.0,
        })
    }
}

impl StorageUseRepository for Session<'_> {
    fn of_learner(&mut self, workspace: WorkspaceId, user: UserId) -> Result<u64, StoreError> {
        let tables = LARGE.get(..LEARNERS).unwrap_or_default();
        let condition = "workspace_id = $1 AND user_id = $2";
        let statement = sum(self.conn, tables, ROW_OF_LEARNER, condition);
        let query = diesel::sql_query(statement)
            .bind::<Text, _>(workspace.to_string())
            .bind::<Text, _>(user.to_string());
        let found: Bytes = self.run(|conn| query.get_result(conn))?;
        rows::number(found.bytes)
    }

    fn measure(&mut self, workspace: WorkspaceId) -> Result<u64, StoreError> {
        let statement = sum(self.conn, &LARGE, ROW, "workspace_id = $1");
        let query = diesel::sql_query(statement).bind::<Text, _>(workspace.to_string());
        let found: Bytes = self.run(|conn| query.get_result(conn))?;
        rows::number(found.bytes)
    }

    fn keep(&mut self, measured: &StorageUse) -> Result<(), StoreError> {
        let row = StorageUseRow::from(measured);
        let changed = self.run(|conn| {
            diesel::update(storage_use::table)
                .filter(storage_use::workspace_id.eq(&row.workspace_id))
                .set(&row)
                .execute(conn)
        })?;
        if changed == 1 {
            return Ok(());
        }
        self.insert_absent(|conn| {
            diesel::insert_into(storage_use::table)
                .values(&row)
                .execute(conn)
        })
    }

    fn of(&mut self, workspaces: &[WorkspaceId]) -> Result<Vec<StorageUse>, StoreError> {
        let ids: Vec<String> = workspaces.iter().map(ToString::to_string).collect();
        let found: Vec<StorageUseRow> = self.run(|conn| {
            storage_use::table
                .filter(storage_use::workspace_id.eq_any(ids))
                .select(StorageUseRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(StorageUse::try_from).collect()
    }

    fn all(&mut self) -> Result<Vec<StorageUse>, StoreError> {
        let found: Vec<StorageUseRow> = self.run(|conn| {
            storage_use::table
                .select(StorageUseRow::as_select())
                .load(conn)
        })?;
        found.into_iter().map(StorageUse::try_from).collect()
    }

    fn stale(&mut self, since: Timestamp, limit: u16) -> Result<Vec<WorkspaceId>, StoreError> {
        let found: Vec<String> = self.run(|conn| {
            workspaces::table
                .left_join(storage_use::table)
                .filter(
                    storage_use::measured_at
                        .is_null()
                        .or(storage_use::measured_at.nullable().lt(Moment(since))),
                )
                .order(workspaces::id.asc())
                .select(workspaces::id)
                .limit(limit.into())
                .load(conn)
        })?;
        found.iter().map(|id| rows::id(id)).collect()
    }
}
