//! Where content came from, on the wire.

use lyceum_domain::authoring::provenance::Provenance;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::shapes;

/// Where a piece of content came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProvenanceView {
    /// `human`, `ai`, `ai_edited` or `import`.
    #[schema(schema_with = shapes::word::<lyceum_domain::authoring::provenance::Origin>)]
    pub origin: String,
    /// The model, if AI had a part in it.
    #[schema(required)]
    pub model: Option<String>,
    /// The generation that made it, if one did.
    #[schema(schema_with = shapes::optional_id_of::<lyceum_domain::ids::Generation>, required)]
    pub generation_id: Option<String>,
    /// SHA-256 of the text that it was drafted from, if one was given.
    #[schema(required)]
    pub source_hash: Option<String>,
}

impl From<&Provenance> for ProvenanceView {
    fn from(provenance: &Provenance) -> Self {
        Self {
            origin: provenance.origin.to_string(),
            model: provenance.model.clone(),
            generation_id: provenance.generation_id.map(|id| id.to_string()),
            source_hash: provenance.source_hash.clone(),
        }
    }
}
