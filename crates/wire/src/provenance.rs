//! Where content came from, on the wire.

use lyceum_domain::provenance::Provenance;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where a piece of content came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProvenanceView {
    /// `human`, `ai`, `ai_edited` or `import`.
    pub origin: String,
    /// The model, if AI had a part in it.
    pub model: Option<String>,
    /// The generation that made it, if one did.
    pub generation_id: Option<String>,
}

impl From<&Provenance> for ProvenanceView {
    fn from(provenance: &Provenance) -> Self {
        Self {
            origin: provenance.origin.to_string(),
            model: provenance.model.clone(),
            generation_id: provenance.generation_id.map(|id| id.to_string()),
        }
    }
}
