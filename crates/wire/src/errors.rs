//! Errors on the wire.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::identity::actors::ActorView;
use crate::shapes;

/// Every answer that is not a success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorBody {
    /// What went wrong.
    pub error: ErrorDetail,
}

/// What went wrong; the first five members always.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorDetail {
    /// The category, such as `invalid_request_error`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The specific code, such as `missing_field`.
    pub code: String,
    /// For a person.
    pub message: String,
    /// What is wrong with which field, by its path.
    pub fields: BTreeMap<String, String>,
    /// The request, for whoever asks support.
    pub request_id: String,
    /// Who changed it last, where that is in the way: of 409 `invalid_state_transition` and 412 `precondition_failed`, if it is known; never for learners.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = ActorView, required = false)]
    pub actor: Option<ActorView>,
    /// When that was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = shapes::moment, required = false)]
    pub at: Option<String>,
}
