//! What is told of a plan.

use std::collections::BTreeSet;

/// How one statement is carried out.
#[derive(Debug, Default)]
pub struct Verdict {
    /// The plan as the database tells it, a step per line.
    pub plan: String,
    /// What of it reads more than it gives.
    pub problems: Vec<String>,
    /// Indexes that it uses.
    pub indexes: BTreeSet<String>,
}

/// Whether a column of a condition narrows nothing by itself: the tenant, and how far a page has come.
pub fn is_of_paging(column: &str) -> bool {
    ["workspace_id", "id"].contains(&column)
}
