//! What is taken off for coming late, as a document.

use lyceum_domain::authoring::late_policy::{AskedLatePolicy, LatePolicy};
use serde_json::{Value, json};

use crate::prelude::*;

impl Stored for LatePolicy {
    type Columns = Json;

    fn columns(&self) -> Json {
        Json(document(*self))
    }

    fn read(Json(document): Json) -> Result<Self, StoreError> {
        read(&document)
    }
}

/// The document of a policy.
pub fn document(policy: LatePolicy) -> Value {
    json!({
        "percent_per_day": policy.percent_per_day(),
        "floor_percent": policy.floor_percent(),
        "grace_minutes": policy.grace_minutes(),
    })
}

/// The policy that a document says.
pub fn read(document: &Value) -> Result<LatePolicy, StoreError> {
    let number = |name: &str| document.get(name).and_then(Value::as_i64);
    let asked = AskedLatePolicy {
        percent_per_day: number("percent_per_day").unwrap_or_default(),
        floor_percent: number("floor_percent"),
        grace_minutes: number("grace_minutes"),
    };
    rows::read(LatePolicy::parse(asked, "late_policy."))
}
