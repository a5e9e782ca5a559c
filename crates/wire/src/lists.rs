//! Pages on the wire.

use serde::{Deserialize, Serialize};

/// A page of things. It has no schema of its own: every kind of list has one by its own name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct List<V> {
    /// Always `list`.
    pub object: String,
    /// What is on the page, in order.
    pub data: Vec<V>,
    /// Whether there is another page.
    pub has_more: bool,
    /// Where it starts; `""` on the last page.
    pub next_cursor: String,
}
