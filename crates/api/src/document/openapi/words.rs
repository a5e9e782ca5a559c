//! What members may hold besides their values: one of several words or null, or no null at all; and what bodies may
//! hold besides their members.

use serde_json::{Map, Value, json};

use super::pascal;

/// Where schemas are.
const COMPONENTS: &str = "#/components/schemas/";
/// What the shape of a change says of a member that `null` cannot clear.
const NOT_CLEARED: &str = "cannot be cleared";

/// Names the words that may be absent: many generators know no enum with null in it. They have the name of their member, and that of
/// the shape before it where another member of that name has other words.
pub fn name_optional_words(schemas: &mut Value) {
    let mut named: Map<String, Value> = Map::new();
    each_member(schemas, |of, name, member| {
        let Some(words) = member.get("enum").and_then(Value::as_array) else {
            return;
        };
        if !words.contains(&Value::Null) {
            return;
        }
        let words: Vec<&Value> = words.iter().filter(|word| !word.is_null()).collect();
        let shape = json!({ "type": "string", "enum": words });
        let description = member.get("description").cloned();
        let mut name = pascal(name);
        if named.get(&name).is_some_and(|other| *other != shape) {
            name = format!("{}{name}", of.trim_end_matches("View"));
        }
        *member = json!({ "oneOf": [
            { "$ref": format!("{COMPONENTS}{name}") },
            { "type": "null" },
        ] });
        if let (Some(description), Some(members)) = (description, member.as_object_mut()) {
            members.insert("description".to_owned(), description);
        }
        named.insert(name, shape);
    });
    if let Some(schemas) = schemas.as_object_mut() {
        schemas.extend(named);
    }
}

/// Takes null from the members of changes that refuse it.
pub fn refuse_nulls(schemas: &mut Value) {
    each_member(schemas, |_, _, member| {
        let says = |shape: &Value| {
            let text = shape.get("description").and_then(Value::as_str);
            text.is_some_and(|text| text.contains(NOT_CLEARED))
        };
        let within = member.get("oneOf").and_then(Value::as_array);
        if says(member) || within.is_some_and(|shapes| shapes.iter().any(says)) {
            without_null(member);
        }
    });
}

/// The same shape without null.
pub fn without_null(member: &mut Value) {
    let Some(members) = member.as_object_mut() else {
        return;
    };
    let kinds = members.get_mut("type").and_then(Value::as_array_mut);
    if let Some(kinds) = kinds {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            let kind = kind.clone();
            members.insert("type".to_owned(), kind);
        }
    }
    let Some(shapes) = members.get_mut("oneOf").and_then(Value::as_array_mut) else {
        return;
    };
    shapes.retain(|shape| shape.get("type") != Some(&json!("null")));
    if let [only] = shapes.as_slice() {
        let only = only.clone();
        *member = only;
    }
}

/// Says of every body of a write that it may carry the options of the request.
pub fn add_options(schemas: &mut Value, bodies: &[String]) {
    let Some(schemas) = schemas.as_object_mut() else {
        return;
    };
    schemas.insert("RequestOptions".to_owned(), options());
    for name in bodies {
        let own = |other: &String| other == name || is_part(other, name);
        for (_, shape) in schemas.iter_mut().filter(|(other, _)| own(other)) {
            if let Some(members) = shape.get_mut("properties").and_then(Value::as_object_mut) {
                let options = format!("{COMPONENTS}RequestOptions");
                let options = json!({ "oneOf": [{ "$ref": options }, { "type": "null" }] });
                members.insert("options".to_owned(), options);
            }
        }
    }
}

/// Whether a shape is one of those that a body of this name may have.
fn is_part(shape: &str, body: &str) -> bool {
    let by_member = shape
        .strip_prefix(body)
        .is_some_and(|rest| rest.starts_with("By"));
    let by_kind =
        body == "CreateActivity" && shape.starts_with("Create") && shape.ends_with("Activity");
    by_member || by_kind
}

fn options() -> Value {
    json!({
        "type": "object",
        "description": "How the request is to be treated.",
        "properties": {
            "idempotencyKey": {
                "type": ["string", "null"], "minLength": 1, "maxLength": 255, "pattern": "^[\\x21-\\x7e]+$",
                "description": "The same as the header `Idempotency-Key`.",
            },
            "maxRetries": {
                "type": ["integer", "null"], "minimum": 0,
                "description": "How often a client sends it again; the service leaves it to the client.",
            },
        },
    })
}

fn each_member(schemas: &mut Value, mut change: impl FnMut(&str, &str, &mut Value)) {
    let shapes = schemas.as_object_mut().into_iter().flatten();
    for (of, shape) in shapes {
        let members = shape.get_mut("properties").and_then(Value::as_object_mut);
        for (name, member) in members.into_iter().flatten() {
            change(of, name, member);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_may_be_absent_have_a_name() {
        let word = json!({ "type": ["string", "null"], "enum": ["a", null], "description": "D" });
        let mut schemas = json!({ "View": { "properties": { "ai_status": word } } });
        name_optional_words(&mut schemas);
        assert_eq!(
            schemas["AiStatus"],
            json!({ "type": "string", "enum": ["a"] })
        );
        let member = &schemas["View"]["properties"]["ai_status"];
        assert_eq!(member["oneOf"][1], json!({ "type": "null" }));
        assert_eq!(member["description"], "D");
    }

    #[test]
    fn other_words_of_a_member_of_the_same_name_have_a_name_of_their_own() {
        let word = |word: &str| json!({ "type": ["string", "null"], "enum": [word, null] });
        let of = |words: Value| json!({ "properties": { "left_because": words } });
        let mut schemas = json!({
            "AView": of(word("gone")), "BView": of(word("changed")), "CView": of(word("gone")),
        });
        name_optional_words(&mut schemas);
        assert_eq!(schemas["LeftBecause"]["enum"], json!(["gone"]));
        assert_eq!(schemas["BLeftBecause"]["enum"], json!(["changed"]));
        let named =
            |view: &str| schemas[view]["properties"]["left_because"]["oneOf"][0]["$ref"].clone();
        assert_eq!(named("AView"), named("CView"));
        assert_eq!(named("BView"), "#/components/schemas/BLeftBecause");
    }

    #[test]
    fn null_goes_where_nothing_can_be_cleared() {
        let name =
            json!({ "type": ["string", "null"], "description": "New name; cannot be cleared." });
        let role = json!({ "oneOf": [
            { "$ref": "#/components/schemas/Role", "description": "New role; cannot be cleared." },
            { "type": "null" },
        ] });
        let hours = json!({ "type": ["integer", "null"], "description": "`null` sets 8." });
        let members = json!({ "name": name, "role": role, "hours": hours });
        let mut schemas = json!({ "Update": { "properties": members } });
        refuse_nulls(&mut schemas);
        let members = &schemas["Update"]["properties"];
        assert_eq!(members["name"]["type"], "string");
        assert_eq!(members["role"]["$ref"], "#/components/schemas/Role");
        assert_eq!(members["hours"], hours);
    }
}
