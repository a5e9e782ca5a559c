//! Recorded examples: one request and its answer per operation.
//!
//! A test tells the story they come from against the running application and compares every byte, so they are
//! what the service really answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

const RECORDED: &str = include_str!("examples.json");

/// A request and its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Example {
    /// Values of the places in the path, by name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub path: Map<String, Value>,
    /// Query parameters.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub query: Map<String, Value>,
    /// The body; absent where none is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
    /// The answer's body.
    pub answer: Value,
}

/// Examples by operation id.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Examples(pub BTreeMap<String, Example>);

impl Examples {
    /// The committed ones.
    ///
    /// # Errors
    /// A sentence, if the file cannot be read.
    pub fn recorded() -> Result<Self, String> {
        serde_json::from_str(RECORDED).map_err(|error| format!("recorded examples: {error}"))
    }

    /// That of an operation.
    pub fn get(&self, operation: &str) -> Option<&Example> {
        self.0.get(operation)
    }
}
