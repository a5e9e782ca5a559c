//! What a certificate has to promise, as a document.

use lyceum_domain::authoring::release_terms::{AskedTerms, ReleaseScope, ReleaseTerms};
use serde_json::{Value, json};

use crate::prelude::*;

/// The document of these terms; shares are whole hundredths.
pub fn document(terms: ReleaseTerms) -> Value {
    json!({
        "max_disagreement": terms.max_disagreement(),
        "points_share": terms.points_share(),
        "min_confidence": terms.min_confidence(),
        "scope": terms.scope().as_str(),
        "audit_share": terms.audit_share(),
    })
}

/// The terms that a document says.
pub fn read(document: &Value) -> Result<ReleaseTerms, StoreError> {
    let number = |name: &str| document.get(name).and_then(Value::as_i64);
    let scope = document.get("scope").and_then(Value::as_str);
    let asked = AskedTerms {
        max_disagreement: number("max_disagreement"),
        points_share: number("points_share"),
        min_confidence: number("min_confidence"),
        scope: rows::read(scope.map(ReleaseScope::parse).transpose())?,
        audit_share: number("audit_share"),
    };
    rows::read(ReleaseTerms::parse(&asked, "release."))
}
