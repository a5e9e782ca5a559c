//! Errors on the wire.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Every answer that is not a success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorBody {
    /// What went wrong.
    pub error: ErrorDetail,
}

/// What went wrong; all five members always.
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
}
