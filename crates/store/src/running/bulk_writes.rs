//! Bulk writes in rows. What is asked and what came of it are texts: bodies hold what a document of PostgreSQL would not take.

use diesel::dsl::sql;
use diesel::sql_types::Text;
use lyceum_domain::ids::{ApiKeyId, BulkWriteId, UserId};
use lyceum_domain::json::JsonObject;
use lyceum_domain::running::bulk_writes::{BulkOperation, BulkRow, BulkRowResult, BulkWrite};
use lyceum_ports::running::bulk_writes::BulkWriteRepository;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::mapping::schema::bulk_writes;
use crate::prelude::*;

kept_as_text!(BulkOperation);

row! {
    #[derive(Queryable, Selectable, Insertable)]
    #[diesel(table_name = bulk_writes)]
    struct BulkWriteRow of BulkWrite {
        workspace_id: WorkspaceId,
        id: BulkWriteId,
        asked_by: UserId,
        key_id: ApiKeyId,
        request_id: Option<String>,
        operation: BulkOperation,
        is_dry_run: bool,
        is_strict: bool,
        size: u32,
        stop_after: Option<u32>,
        #[diesel(column_name = asked)]
        rows: Vec<BulkRow>,
        results: Vec<BulkRowResult>,
        done_at: Option<Timestamp>,
        ..stamp: (created_at: Moment, updated_at: Moment, version: i64),
    }
}

/// A row as it is asked for; what is absent is not written.
#[derive(Serialize, Deserialize)]
struct AskedDocument {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    idempotency_key: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    if_match: Option<String>,
    #[serde(default, skip_serializing_if = "JsonObject::is_empty")]
    body: JsonObject,
}

#[derive(Serialize, Deserialize)]
struct RowResultDocument {
    status: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    updated_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<JsonObject>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ignored: Vec<String>,
    #[serde(default)]
    replayed: bool,
}

/// Nothing of ours fails to be written: every member is a text or what came as JSON.
fn written(documents: &impl Serialize) -> String {
    serde_json::to_string(documents).unwrap_or_else(|_| "[]".to_owned())
}

fn documents<T: DeserializeOwned>(text: &str) -> Result<Vec<T>, StoreError> {
    rows::read(serde_json::from_str(text))
}

impl Stored for Vec<BulkRow> {
    type Columns = String;

    fn columns(&self) -> String {
        let document = |row: &BulkRow| AskedDocument {
            idempotency_key: row.idempotency_key.clone(),
            id: row.id.clone(),
            if_match: row.if_match.clone(),
            body: row.body.clone(),
        };
        written(&self.iter().map(document).collect::<Vec<_>>())
    }

    fn read(text: String) -> Result<Self, StoreError> {
        let row = |document: AskedDocument| BulkRow {
            idempotency_key: document.idempotency_key,
            id: document.id,
            if_match: document.if_match,
            body: document.body,
        };
        Ok(documents(&text)?.into_iter().map(row).collect())
    }
}

impl Stored for Vec<BulkRowResult> {
    type Columns = String;

    fn columns(&self) -> String {
        let document = |result: &BulkRowResult| RowResultDocument {
            status: result.status,
            id: result.id.clone(),
            tag: result.tag.clone(),
            updated_at: result.updated_at.clone(),
            error: result.error.clone(),
            ignored: result.ignored.clone(),
            replayed: result.replayed,
        };
        written(&self.iter().map(document).collect::<Vec<_>>())
    }

    fn read(text: String) -> Result<Self, StoreError> {
        let result = |document: RowResultDocument| BulkRowResult {
            status: document.status,
            id: document.id,
            tag: document.tag,
            updated_at: document.updated_at,
            error: document.error,
            ignored: document.ignored,
            replayed: document.replayed,
        };
        Ok(documents(&text)?.into_iter().map(result).collect())
    }
}

impl BulkWriteRepository for Session<'_> {
    fn insert(&mut self, bulk: &BulkWrite) -> Result<(), StoreError> {
        let row = BulkWriteRow::from(bulk);
        self.run(|conn| {
            diesel::insert_into(bulk_writes::table)
                .values(&row)
                .execute(conn)
        })
        .map(drop)
    }

    fn find(
        &mut self,
        workspace: WorkspaceId,
        id: BulkWriteId,
    ) -> Result<Option<BulkWrite>, StoreError> {
        let found = self.run(|conn| {
            bulk_writes::table
                .find((workspace.to_string(), id.to_string()))
                .select(BulkWriteRow::as_select())
                .first(conn)
                .optional()
        })?;
        found.map(BulkWrite::try_from).transpose()
    }

    fn find_results(
        &mut self,
        workspace: WorkspaceId,
        id: BulkWriteId,
    ) -> Result<Option<BulkWrite>, StoreError> {
        let found = self.run(|conn| {
            bulk_writes::table
                .find((workspace.to_string(), id.to_string()))
                .select((
                    bulk_writes::workspace_id,
                    bulk_writes::id,
                    bulk_writes::asked_by,
                    bulk_writes::key_id,
                    bulk_writes::request_id,
                    bulk_writes::operation,
                    bulk_writes::is_dry_run,
                    bulk_writes::is_strict,
                    bulk_writes::size,
                    bulk_writes::stop_after,
                    sql::<Text>("'[]'"),
                    bulk_writes::results,
                    bulk_writes::done_at,
                    bulk_writes::created_at,
                    bulk_writes::updated_at,
                    bulk_writes::version,
                ))
                .first::<BulkWriteRow>(conn)
                .optional()
        })?;
        found.map(BulkWrite::try_from).transpose()
    }

    fn update(&mut self, bulk: &BulkWrite) -> Result<(), StoreError> {
        let (workspace, id) = (bulk.workspace_id.to_string(), bulk.id.to_string());
        let version = bulk.stamp.version;
        let came = (
            bulk_writes::stop_after.eq(bulk.stop_after.columns()),
            bulk_writes::results.eq(bulk.results.columns()),
            bulk_writes::done_at.eq(bulk.done_at.columns()),
            bulk_writes::updated_at.eq(Moment(bulk.stamp.updated_at)),
            bulk_writes::version.eq(version),
        );
        self.change(&id, |conn| {
            diesel::update(bulk_writes::table)
                .filter(bulk_writes::workspace_id.eq(&workspace))
                .filter(bulk_writes::id.eq(&id))
                .filter(bulk_writes::version.lt(version))
                .set(came)
                .execute(conn)
        })?;
        if bulk.done_at.is_none() {
            return Ok(());
        }
        // What is asked is large, and the same until it is forgotten.
        self.run(|conn| {
            diesel::update(bulk_writes::table)
                .filter(bulk_writes::workspace_id.eq(&workspace))
                .filter(bulk_writes::id.eq(&id))
                .set(bulk_writes::asked.eq(bulk.rows.columns()))
                .execute(conn)
        })
        .map(drop)
    }

    fn pending(&mut self, workspace: WorkspaceId) -> Result<Vec<UserId>, StoreError> {
        let found: Vec<String> = self.run(|conn| {
            bulk_writes::table
                .filter(bulk_writes::workspace_id.eq(workspace.to_string()))
                .filter(bulk_writes::done_at.is_null())
                .select(bulk_writes::asked_by)
                .load(conn)
        })?;
        found.iter().map(|id| rows::id(id)).collect()
    }

    fn forget_before(&mut self, oldest: Timestamp, limit: u16) -> Result<u64, StoreError> {
        let over: Vec<(String, String)> = self.run(|conn| {
            bulk_writes::table
                .filter(bulk_writes::created_at.lt(Moment(oldest)))
                .order(bulk_writes::created_at.asc())
                .limit(limit.into())
                .select((bulk_writes::workspace_id, bulk_writes::id))
                .load(conn)
        })?;
        let mut forgotten = 0;
        for (workspace, id) in over {
            forgotten += self.run(|conn| {
                diesel::delete(bulk_writes::table.find((&workspace, &id))).execute(conn)
            })?;
        }
        rows::number(rows::stored_number(forgotten))
    }
}
