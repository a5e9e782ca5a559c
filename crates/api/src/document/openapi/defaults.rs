//! What a body means where it says nothing.

use serde_json::Value;

/// Takes away every `default: null`, which the derived schemas of changes say of every member.
///
/// It is the opposite of what happens: what is absent from a change stays, and `null` clears. Generators believe it and
/// make members with a default required.
pub fn remove_nulls(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members.get("default").is_some_and(Value::is_null) {
                members.remove("default");
            }
            members.values_mut().for_each(remove_nulls);
        }
        Value::Array(entries) => entries.iter_mut().for_each(remove_nulls),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
