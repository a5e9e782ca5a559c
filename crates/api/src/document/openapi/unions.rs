//! Shapes that are one of several, told apart by a member: so that clients know what the others are.

use lyceum_domain::authoring::activities::ActivityKind;
use lyceum_domain::notifying::events::EventType;
use lyceum_wire::notifying::event_types::object_of;
use serde_json::{Map, Value, json};

use super::discriminator::{COMPONENTS, by};
use super::{contents, pascal};

/// Puts them in the place of what does not tell.
pub fn add(schemas: &mut Value) {
    let Some(schemas) = schemas.as_object_mut() else {
        return;
    };
    contents_of_submissions(schemas);
    schemas.extend(contents::shapes());
    let read = "An activity, by its kind. `content` is empty while it is still to be written.";
    activities(schemas, "ActivityView", read);
    activities(
        schemas,
        "CreateActivity",
        "An activity to be made, by its kind.",
    );
    events(schemas);
    for (name, alternatives) in ALTERNATIVES {
        alternative(schemas, name, alternatives);
    }
    criteria(schemas);
}

/// What the built-in grader reads of a criterion, and what else its makers say: all of it is kept as it came.
fn criteria(schemas: &mut Map<String, Value>) {
    let texts = |with: Value| {
        json!({
            "type": ["array", "null"],
            "items": { "oneOf": [
                { "type": "string" },
                { "type": "object", "required": ["text"], "properties": with, "additionalProperties": true },
            ] },
        })
    };
    let answers = texts(json!({ "text": { "type": "string" } }));
    let points = texts(json!({ "text": { "type": "string" }, "weight": { "type": "number" } }));
    for name in ["RubricCriterion", "RubricCriterionInput"] {
        let Some(shape) = schemas.get_mut(name).and_then(Value::as_object_mut) else {
            continue;
        };
        shape.insert("additionalProperties".to_owned(), json!(true));
        // What is given is typed; what comes back may be older than the types.
        if name == "RubricCriterionInput"
            && let Some(properties) = shape.get_mut("properties").and_then(Value::as_object_mut)
        {
            properties.insert("reference_answers".to_owned(), answers.clone());
            properties.insert("key_points".to_owned(), points.clone());
            properties.insert("kind".to_owned(), json!({ "type": ["string", "null"] }));
        }
    }
}

/// Bodies that need one of two members, or more.
const ALTERNATIVES: &[(&str, &[&str])] = &[
    ("EnrollStudent", &["user_id", "email"]),
    ("CreateAssignment", &["course_id", "unit_id", "lesson_id"]),
    ("GradeSubmission", &["score", "criteria"]),
    ("CriterionGrade", &["score", "level_id"]),
];

/// Whether a body of this name is nothing without one of several members.
pub fn needs_a_member(body: &str) -> bool {
    ALTERNATIVES.iter().any(|(name, _)| *name == body)
}

/// A shape for each member that would do, in which it is required and not null.
fn alternative(schemas: &mut Map<String, Value>, name: &str, members: &[&str]) {
    let Some(plain) = schemas.get(name).cloned() else {
        return;
    };
    let mut any_of = Vec::new();
    for member in members {
        let mut one = plain.clone();
        if let Some(properties) = one.get_mut("properties").and_then(Value::as_object_mut)
            && let Some(needed) = properties.get_mut(*member)
        {
            super::words::without_null(needed);
        }
        require(&mut one, member);
        let own = format!("{name}By{}", pascal(member));
        any_of.push(json!({ "$ref": format!("{COMPONENTS}{own}") }));
        schemas.insert(own, one);
    }
    let description = plain.get("description").cloned().unwrap_or_default();
    schemas.insert(
        name.to_owned(),
        json!({ "description": description, "anyOf": any_of }),
    );
}

fn require(shape: &mut Value, member: &str) {
    let Some(members) = shape.as_object_mut() else {
        return;
    };
    let required = members.entry("required").or_insert_with(|| json!([]));
    if let Some(names) = required.as_array_mut() {
        names.push(json!(member));
    }
}

fn contents_of_submissions(schemas: &mut Map<String, Value>) {
    for (union, text, url, description) in [
        (
            "SubmissionContent",
            "TextContent",
            "UrlContent",
            "What was handed in, by its type.",
        ),
        (
            "ContentInput",
            "TextContentInput",
            "UrlContentInput",
            "What is handed in, by its type.",
        ),
    ] {
        let of: [(String, String); 2] =
            [("text", text), ("url", url)].map(|(word, name)| (word.to_owned(), name.to_owned()));
        let limits = |most: u32| (union == "ContentInput").then(|| json!(most));
        for (word, name, most) in [("text", text, 100_000), ("url", url, 2_000)] {
            let mut value = json!({ "type": "string" });
            if let (Some(most), Some(members)) = (limits(most), value.as_object_mut()) {
                members.insert("maxLength".to_owned(), most);
            }
            let kind = json!({ "type": "string", "enum": [word] });
            let shape = json!({
                "type": "object", "required": ["type", word],
                "properties": { "type": kind, word: value },
            });
            schemas.insert(name.to_owned(), shape);
        }
        schemas.insert(union.to_owned(), by(description, "type", &of));
    }
    schemas.remove("ContentType");
    let shown = schemas
        .get_mut("SubmissionView")
        .and_then(|view| view.pointer_mut("/properties/content"));
    if let Some(content) = shown {
        *content = json!({ "$ref": format!("{COMPONENTS}SubmissionContent") });
    }
}

/// A shape for each kind of activity, with the content of its kind.
fn activities(schemas: &mut Map<String, Value>, name: &str, description: &str) {
    let Some(plain) = schemas.get(name).cloned() else {
        return;
    };
    let mut of = Vec::new();
    for kind in ActivityKind::ALL {
        let kind = kind.as_str();
        let own = name.replace("Activity", &format!("{}Activity", pascal(kind)));
        let mut shape = plain.clone();
        if let Some(properties) = shape.get_mut("properties").and_then(Value::as_object_mut) {
            let content = format!("{COMPONENTS}{}Content", pascal(kind));
            let content = if name == "CreateActivity" {
                json!({ "oneOf": [{ "$ref": content }, { "type": "null" }] })
            } else {
                json!({ "$ref": content })
            };
            properties.insert("content".to_owned(), content);
            let word = json!({ "type": "string", "enum": [kind] });
            properties.insert("kind".to_owned(), word);
        }
        schemas.insert(own.clone(), shape);
        of.push((kind.to_owned(), own));
    }
    schemas.insert(name.to_owned(), by(description, "kind", &of));
}

/// The shape of an event of a type.
pub fn event_of(kind: EventType) -> String {
    format!("{}Event", pascal(kind.as_str()))
}

/// A shape for each type of event, with the thing that it is about.
fn events(schemas: &mut Map<String, Value>) {
    let Some(plain) = schemas.get("EventView").cloned() else {
        return;
    };
    schemas.insert("EventPlatform".to_owned(), platform());
    schemas.insert("ErasedObject".to_owned(), erased());
    let mut of = Vec::new();
    for kind in EventType::ALL {
        let mut shape = plain.clone();
        if let Some(members) = shape.as_object_mut() {
            members.insert("description".to_owned(), json!(kind.meaning()));
        }
        if let Some(properties) = shape.get_mut("properties").and_then(Value::as_object_mut) {
            let word = json!({ "type": "string", "enum": [kind.as_str()] });
            properties.insert("type".to_owned(), word);
            let platform = json!({ "$ref": format!("{COMPONENTS}EventPlatform") });
            properties.insert("platform".to_owned(), platform);
            properties.insert("data".to_owned(), data(&object_of(*kind).name));
        }
        schemas.insert(event_of(*kind), shape);
        of.push((kind.as_str().to_owned(), event_of(*kind)));
    }
    let description = "Something that happened, by its type.";
    schemas.insert("EventView".to_owned(), by(description, "type", &of));
}

fn data(object: &str) -> Value {
    json!({
        "type": "object", "required": ["object", "previous_attributes"],
        "properties": {
            "object": { "anyOf": [
                { "$ref": format!("{COMPONENTS}{object}") },
                { "$ref": format!("{COMPONENTS}ErasedObject") },
            ] },
            "previous_attributes": {
                "type": "object", "additionalProperties": true,
                "description": "The members of `object` that changed, as they were before.",
            },
        },
    })
}

/// What stays in an event of a thing that told of somebody who was erased since.
fn erased() -> Value {
    json!({
        "type": "object", "description": "What an event is about, once the person it told of was erased.",
        "required": ["id", "object", "erased"],
        "properties": {
            "id": { "type": "string" },
            "object": { "type": "string" },
            "erased": { "type": "boolean", "enum": [true] },
        },
    })
}

fn platform() -> Value {
    json!({
        "type": "object", "description": "Where it happened.", "required": ["id", "uuid", "code", "name"],
        "properties": {
            "id": { "type": "integer" },
            "uuid": { "type": "string", "pattern": "^[0-9a-f]{24}$" },
            "code": { "type": ["string", "null"] },
            "name": { "type": "string" },
        },
    })
}
