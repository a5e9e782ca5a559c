//! What `expand` adds to the shapes of answers.

use lyceum_application::expand::{self, Expandable};
use serde_json::{Value, json};

use super::pascal;

/// Adds to every shape what can be expanded in it.
pub fn add(schemas: &mut Value) {
    for Expandable {
        object,
        name,
        target,
        is_many,
    } in expand::expandables()
    {
        let pointer = format!("/{}View/properties", pascal(object));
        let Some(properties) = schemas.pointer_mut(&pointer).and_then(Value::as_object_mut) else {
            continue;
        };
        let there = json!({ "$ref": format!("#/components/schemas/{}View", pascal(target)) });
        let expanded = if is_many {
            let items = properties
                .get(name)
                .and_then(|shown| shown.get("items"))
                .map_or_else(|| there.clone(), |plain| json!({ "anyOf": [plain, there] }));
            json!({ "type": "array", "items": items, "description": format!("With `expand={name}`.") })
        } else {
            json!({ "anyOf": [there, { "type": "null" }], "description": format!("Only with `expand={name}`.") })
        };
        properties.insert(name.to_owned(), expanded);
    }
}
