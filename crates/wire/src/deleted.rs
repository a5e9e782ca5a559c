//! Deletions on the wire.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Something that is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Deleted {
    /// Always true.
    pub deleted: bool,
    /// What it was.
    pub id: String,
}
