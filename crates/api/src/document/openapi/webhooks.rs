//! What is sent to webhook endpoints: one message per type of event.

use lyceum_domain::notifying::events::EventType;
use lyceum_wire::notifying::event_types::object_of;
use lyceum_wire::notifying::events::EventView;
use serde_json::{Value, json};

use super::pascal;
use super::unions::event_of;
use crate::document::schemas::{Components, collect};

/// A message per type, with the shape of the thing that it is about.
pub fn of_all_types(components: &mut Components) -> Value {
    collect::<EventView>(components);
    let messages = EventType::ALL.iter().map(|kind| {
        components.extend(object_of(*kind).parts);
        (kind.as_str().to_owned(), message(*kind))
    });
    Value::Object(messages.collect())
}

fn message(kind: EventType) -> Value {
    let header = |name: &str, description: &str| {
        json!({
            "name": name, "in": "header", "required": true, "description": description,
            "schema": { "type": "string" },
        })
    };
    let schema = json!({ "$ref": format!("#/components/schemas/{}", event_of(kind)) });
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
