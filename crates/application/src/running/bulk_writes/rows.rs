//! How a row of a bulk write is written: by the way that a single request goes, which only the edge knows.

use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use lyceum_domain::ids::ApiKeyId;
use lyceum_domain::running::bulk_writes::{BulkOperation, BulkRow, BulkRowResult};
use lyceum_ports::traces::TraceParent;
use serde_json::Value;

use crate::app::App;
use crate::prelude::*;

/// A row that is to be written.
#[derive(Debug, Clone)]
pub struct RowRequest {
    /// In which workspace.
    pub workspace: WorkspaceId,
    /// With which key: it has to open the way when the row is written, whatever it opened before.
    pub key: ApiKeyId,
    /// The request that asked for all of them.
    pub request_id: String,
    /// Where in a trace this is.
    pub trace: Option<TraceParent>,
    /// What is done.
    pub operation: BulkOperation,
    /// To what.
    pub row: BulkRow,
    /// Once per this key, where the row has none of its own.
    pub derived_key: Option<String>,
    /// Whether nothing of it is kept.
    pub is_dry_run: bool,
    /// Whether members that nobody knows are refused.
    pub is_strict: bool,
}

/// A row that was written, or was not.
#[derive(Debug, Clone)]
pub struct WrittenRow {
    /// What came of it.
    pub result: BulkRowResult,
    /// The thing as a single request would have shown it; nothing where there was an error.
    pub object: Option<Value>,
    /// Where it was refused for now alone: after how long it is worth another try.
    pub retry_after: Option<Duration>,
}

/// Writes rows. What it answers with waits where it is asked: it stays in the thread.
pub trait RowWriter: Send + Sync {
    /// Writes one as its single request would have been, checks and all.
    fn write<'a>(&'a self, app: &'a App, row: RowRequest) -> LocalBoxFuture<'a, WrittenRow>;

    /// What is told of a row that was not tried.
    fn refused(&self, error: Error, request_id: &str) -> BulkRowResult;
}
