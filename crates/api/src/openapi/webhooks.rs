//! What is sent to webhook endpoints: one message per type of event.

use lyceum_domain::events::EventType;
use lyceum_wire::event_types::object_of;
use lyceum_wire::events::EventView;
use serde_json::{Value, json};

use crate::schemas::{Components, collect};

/// A message per type, with the shape of the thing that it is about.
pub fn of_all_types(components: &mut Components) -> Value {
    let event = collect::<EventView>(components);
    let messages = EventType::ALL.iter().map(|kind| {
        let object = object_of(*kind);
        components.extend(object.parts);
        (
            kind.as_str().to_owned(),
            message(*kind, &event, &object.name),
        )
    });
    Value::Object(messages.collect())
}

fn message(kind: EventType, event: &str, object: &str) -> Value {
    let header = |name: &str, description: &str| {
        json!({
            "name": name, "in": "header", "required": true, "description": description,
            "schema": { "type": "string" },
        })
    };
    let schema = json!({ "allOf": [
        { "$ref": format!("#/components/schemas/{event}") },
        { "type": "object", "required": ["type", "data"], "properties": {
            "type": { "type": "string", "enum": [kind.as_str()] },
            "data": { "type": "object", "required": ["object"], "properties": {
                "object": { "$ref": format!("#/components/schemas/{object}") },
            } },
        } },
    ]});
    json!({ "post": {
        "operationId": format!("on{}", pascal(kind.as_str())),
        "summary": kind.meaning(),
        "security": [],
        "parameters": [
            header("webhook-id", "Id of the event; the same on every attempt."),
            header("webhook-timestamp", "When this attempt was made, in seconds since 1970."),
            header("webhook-signature", "`v1,` and the signature; two of them while a secret is rotated."),
        ],
        "requestBody": { "required": true, "content": { "application/json": { "schema": schema } } },
        "responses": {
            "2XX": { "description": "Taken; it is not sent again." },
            "410": { "description": "Never again: the endpoint is switched off." },
        },
    }})
}

fn pascal(name: &str) -> String {
    name.split(['.', '_']).map(super::capitalised).collect()
}
