//! What whoever decides about a submission may say beside it.

use lyceum_domain::{At, Invalid, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::common::Command;

/// A decision about a submission as its reader saw it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct DecideSubmission {
    /// Decide only while this is the submission's `updated_at`; where it changed since it is 412 `precondition_failed`. Unlike an entity
    /// tag it stands in lists and in what comes of many writes, and says nothing of what other submissions change about it (`stale`).
    #[schema(format = DateTime)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_updated_at: Option<String>,
}

impl Command for DecideSubmission {
    type Of = Option<Timestamp>;

    fn command(self) -> Result<Option<Timestamp>, Invalid> {
        seen_at(self.if_updated_at.as_deref())
    }
}

pub(super) fn seen_at(asked: Option<&str>) -> Result<Option<Timestamp>, Invalid> {
    asked.map(Timestamp::parse).transpose().at("if_updated_at")
}
