//! What is kept of a person, and what was done with it: exports and erasures.

use serde_json::Value;

use crate::Timestamp;
use crate::ids::{ErasureId, UserId, WorkspaceId};

/// The rows of a table that are about a person, as they are stored, without secrets.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRows {
    /// The table.
    pub table: &'static str,
    /// Its rows, each an object of its columns.
    pub rows: Vec<Value>,
}

/// What an erasure did to the rows of a table that were about the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableErasure {
    /// The table.
    pub table: String,
    /// How many rows are gone, or lost everything that was the person's.
    pub erased: u64,
    /// How many stay as they are.
    pub kept: u64,
    /// What was done, and why what stays may stay.
    pub why: String,
}

impl TableErasure {
    /// Rows that are gone or were emptied.
    pub fn erased(table: &str, rows: u64, why: &str) -> Self {
        Self {
            table: table.to_owned(),
            erased: rows,
            kept: 0,
            why: why.to_owned(),
        }
    }

    /// Rows that stay.
    pub fn kept(table: &str, rows: u64, why: &str) -> Self {
        Self {
            table: table.to_owned(),
            erased: 0,
            kept: rows,
            why: why.to_owned(),
        }
    }
}

/// The receipt of an erasure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// The tenant.
    pub workspace_id: WorkspaceId,
    /// Its identifier.
    pub id: ErasureId,
    /// Who was erased.
    pub user_id: UserId,
    /// What was done, by table.
    pub tables: Vec<TableErasure>,
    /// When.
    pub created_at: Timestamp,
}
