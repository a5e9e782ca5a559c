//! Bulk writes on the wire.

use lyceum_domain::running::bulk_writes::{
    BulkCounts, BulkOperation, BulkRow, BulkRowResult, BulkWrite,
};
use lyceum_domain::{At, Invalid};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::common::{Command, FreeObject, Resource};
use crate::errors::ErrorDetail;
use crate::shapes;

/// Many writes that are to be done, as the application takes them.
#[derive(Debug, Clone, PartialEq)]
pub struct NewBulkWrite {
    /// What each of them does.
    pub operation: BulkOperation,
    /// To what.
    pub rows: Vec<BulkRow>,
    /// Whether nothing of it is kept.
    pub is_dry_run: bool,
}

/// One write among others.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct BulkRowInput {
    /// Once per this key, as by the header `Idempotency-Key` of a single request: 1 to 255 visible ASCII characters.
    #[schema(example = "import-42-lesson-7")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
    /// What stands for `{id}` in the path of the single request; operations whose path has none take none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// As the header `If-Match` of a single request, where the operation heeds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_match: Option<String>,
    /// The body of the single request. Of a deletion its parameters, such as `force`, and what else its path names.
    #[serde(default)]
    #[schema(required = false)]
    pub body: FreeObject,
}

/// Up to 1,000 writes of one kind.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CreateBulkWrite {
    /// The operation that each row asks for, by its name.
    #[schema(schema_with = shapes::word::<BulkOperation>)]
    pub operation: String,
    /// The writes, which are done in this order.
    #[schema(min_items = 1, max_items = 1000)]
    pub rows: Vec<BulkRowInput>,
    /// Whether everything is checked and nothing kept; `false` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
}

impl Command for CreateBulkWrite {
    type Of = NewBulkWrite;

    fn command(self) -> Result<NewBulkWrite, Invalid> {
        let row = |row: BulkRowInput| BulkRow {
            idempotency_key: row.idempotency_key,
            id: row.id,
            if_match: row.if_match,
            body: row.body.0,
        };
        Ok(NewBulkWrite {
            operation: BulkOperation::parse(&self.operation).at("operation")?,
            rows: self.rows.into_iter().map(row).collect(),
            is_dry_run: self.dry_run.unwrap_or(false),
        })
    }
}

/// What was written, where an answer has room for it.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownObject(FreeObject);

impl ShownObject {
    /// This one, if it fits into so many bytes, which it takes.
    pub fn within(object: Value, room: &mut usize) -> Option<Self> {
        let size = object.to_string().len();
        *room = room.checked_sub(size)?;
        match object {
            Value::Object(members) => Some(Self(FreeObject(members))),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => None,
        }
    }
}

/// What came of a row, and the thing as it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownRow {
    /// What came of it.
    pub result: BulkRowResult,
    /// The thing, where it is shown.
    pub object: Option<ShownObject>,
}

/// What came of one row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BulkRowView {
    /// Its place among the rows, from 0 on.
    pub index: u64,
    /// The HTTP status that a single request would have had.
    #[schema(minimum = 200, maximum = 599)]
    pub status: u16,
    /// The id of what was written; null where nothing was, and in a dry run of what would be made.
    #[schema(schema_with = shapes::optional_text, required)]
    pub id: Option<String>,
    /// The thing as the single request would have shown it. Null where nothing was written, in whatever was done in the
    /// background, and behind the first 5 MiB of an answer: ask for it by its id.
    #[schema(required)]
    pub object: Option<FreeObject>,
    /// Its entity tag, for the `if_match` of the next change; null of what is gone and where nothing was written.
    #[schema(schema_with = shapes::optional_text, required)]
    pub etag: Option<String>,
    /// Its `updated_at`, for whoever takes it back unless somebody changed it since (`if_updated_at`); null of what has none and where
    /// nothing was written.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub updated_at: Option<String>,
    /// Why it was not written, in the shape of every error; null where it was.
    #[schema(required)]
    pub error: Option<ErrorDetail>,
    /// Members of the row's body that nobody knows, as `X-Ignored-Fields` names them.
    pub ignored_fields: Vec<String>,
    /// Whether it had been written before under the same key.
    pub replayed: bool,
}

impl BulkRowView {
    fn new(index: usize, result: &BulkRowResult, object: Option<ShownObject>) -> Self {
        let error = result.error.clone().map(Value::Object);
        Self {
            index: u64::try_from(index).unwrap_or(u64::MAX),
            status: result.status,
            id: result.id.clone(),
            object: object.map(|object| object.0),
            etag: result.tag.clone(),
            updated_at: result.updated_at.clone(),
            error: error.and_then(|error| serde_json::from_value(error).ok()),
            ignored_fields: result.ignored.clone(),
            replayed: result.replayed,
        }
    }
}

/// How many rows were written and how many were not, of those that are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BulkCountsView {
    /// Rows in all.
    pub total: u64,
    /// Rows that were written; in a dry run, that would be.
    pub succeeded: u64,
    /// Rows that were not.
    pub failed: u64,
}

/// Many writes, and what came of each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BulkWriteView {
    /// `blk_…`; null of what was done at once, of which nothing is kept.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::BulkWrite>, required)]
    pub id: Option<String>,
    /// Always `bulk_write`.
    #[schema(schema_with = shapes::name_of::<lyceum_domain::ids::BulkWrite>)]
    pub object: String,
    /// The operation that each row asks for.
    #[schema(schema_with = shapes::word::<BulkOperation>)]
    pub operation: String,
    /// Whether nothing of it is kept.
    pub dry_run: bool,
    /// `done`, `pending` while rows are being written in the background, or `stopped` where somebody stopped that and rows were left.
    #[schema(schema_with = shapes::word::<BulkStatus>)]
    pub status: String,
    /// How many rows were written and how many were not.
    pub counts: BulkCountsView,
    /// What came of the rows that are done, in their order.
    pub results: Vec<BulkRowView>,
    /// When it was asked for; null of what was done at once.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub created_at: Option<String>,
    /// When the last row was done that is; null before, and of what was done at once.
    #[schema(schema_with = shapes::optional_moment, required)]
    pub done_at: Option<String>,
}

/// Whether rows are still being written.
enum BulkStatus {}

impl lyceum_domain::Words for BulkStatus {
    fn words() -> Vec<&'static str> {
        vec![PENDING, DONE, STOPPED]
    }
}

const PENDING: &str = "pending";
const DONE: &str = "done";
const STOPPED: &str = "stopped";

fn status_of(bulk: &BulkWrite) -> &'static str {
    match bulk.done_at {
        None => PENDING,
        Some(_) if bulk.is_stopped() => STOPPED,
        Some(_) => DONE,
    }
}

impl BulkWriteView {
    /// Of rows that were written while the caller waited.
    pub fn done_at_once(operation: BulkOperation, is_dry_run: bool, rows: Vec<ShownRow>) -> Self {
        let counts = counts(rows.len(), rows.iter().map(|row| &row.result));
        let view =
            |(index, row): (usize, ShownRow)| BulkRowView::new(index, &row.result, row.object);
        Self {
            id: None,
            object: "bulk_write".to_owned(),
            operation: operation.to_string(),
            dry_run: is_dry_run,
            status: DONE.to_owned(),
            counts,
            results: rows.into_iter().enumerate().map(view).collect(),
            created_at: None,
            done_at: None,
        }
    }

    /// Whether rows are still being written.
    pub fn is_pending(&self) -> bool {
        self.status == PENDING
    }
}

fn counts<'a>(total: usize, done: impl Iterator<Item = &'a BulkRowResult>) -> BulkCountsView {
    let BulkCounts { succeeded, failed } = BulkCounts::of(done);
    BulkCountsView {
        total: u64::try_from(total).unwrap_or(u64::MAX),
        succeeded,
        failed,
    }
}

impl From<&BulkWrite> for BulkWriteView {
    fn from(bulk: &BulkWrite) -> Self {
        let results = bulk.results.iter().enumerate();
        Self {
            id: Some(bulk.id.to_string()),
            object: "bulk_write".to_owned(),
            operation: bulk.operation.to_string(),
            dry_run: bulk.is_dry_run,
            status: status_of(bulk).to_owned(),
            counts: BulkCountsView {
                total: bulk.size.into(),
                ..counts(0, bulk.results.iter())
            },
            results: results
                .map(|(index, result)| BulkRowView::new(index, result, None))
                .collect(),
            created_at: Some(bulk.stamp.created_at.to_string()),
            done_at: bulk.done_at.map(|at| at.to_string()),
        }
    }
}

impl Resource for BulkWriteView {
    const COLLECTION: &'static str = "batch";

    fn id(&self) -> &str {
        self.id.as_deref().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_shows_as_much_as_it_has_room_for() {
        let mut room = 20;
        let small = json!({"a": 1});
        assert!(ShownObject::within(small.clone(), &mut room).is_some());
        assert_eq!(room, 13);
        assert!(ShownObject::within(json!({"a": "long enough"}), &mut room).is_none());
        assert!(
            ShownObject::within(small, &mut room).is_some(),
            "there is room left"
        );
        assert!(ShownObject::within(json!([]), &mut room).is_none());
    }
}
