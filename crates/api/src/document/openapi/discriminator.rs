//! The member by which clients know one of several shapes from the others.

use serde_json::{Map, Value, json};

/// Where schemas are.
pub const COMPONENTS: &str = "#/components/schemas/";

/// One of several shapes, by the word that stands in a member.
pub fn by(description: &str, member: &str, of: &[(String, String)]) -> Value {
    let refer = |name: &str| format!("{COMPONENTS}{name}");
    let one_of: Vec<Value> = of
        .iter()
        .map(|(_, name)| json!({ "$ref": refer(name) }))
        .collect();
    let mapping: Map<String, Value> = of
        .iter()
        .map(|(word, name)| (word.clone(), refer(name).into()))
        .collect();
    json!({
        "description": description,
        "oneOf": one_of,
        "discriminator": { "propertyName": member, "mapping": mapping },
    })
}
