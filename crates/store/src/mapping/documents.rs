//! Structures of ours that are kept as documents.

use lyceum_ports::store::StoreError;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::mapping::columns::Json;
use crate::mapping::rows;

/// A structure as a document.
pub fn write(structure: &impl Serialize) -> Result<Json, StoreError> {
    serde_json::to_value(structure)
        .map(Json)
        .map_err(|error| StoreError::Failed(Box::new(error)))
}

/// The structure that a document holds.
pub fn read<T: DeserializeOwned>(document: Json) -> Result<T, StoreError> {
    rows::read(serde_json::from_value(document.0))
}
