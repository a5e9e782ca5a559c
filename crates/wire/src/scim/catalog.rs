//! What SCIM says of itself: what is offered, which kinds of things there are, and what they look like.

use serde_json::{Value, json};

use super::attributes::set;
use super::{groups, lists, users};

/// What is offered.
pub fn service(base: &str, handbook: &str) -> Value {
    let no = || json!({"supported": false});
    json!({
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
        "documentationUri": handbook,
        "patch": {"supported": true},
        "bulk": {"supported": false, "maxOperations": 0, "maxPayloadSize": 0},
        "filter": {"supported": true, "maxResults": lists::MOST},
        "changePassword": no(), "sort": no(), "etag": no(),
        "authenticationSchemes": [{
            "type": "oauthbearertoken", "name": "Bearer", "primary": true,
            "description": "An API key with the scope scim, in the header Authorization.",
        }],
        "meta": {"resourceType": "ServiceProviderConfig", "location": format!("{base}/ServiceProviderConfig")},
    })
}

/// The kinds of things.
pub fn resource_types(base: &str) -> Vec<Value> {
    let of = |name: &str, path: &str, schema: &str, what: &str| {
        json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
            "id": name, "name": name, "endpoint": path, "description": what, "schema": schema,
            "meta": {"resourceType": "ResourceType", "location": format!("{base}/ResourceTypes/{name}")},
        })
    };
    vec![
        of("User", "/Users", users::SCHEMA, "A member of the platform"),
        of(
            "Group",
            "/Groups",
            groups::SCHEMA,
            "Those who have a role on the platform",
        ),
    ]
}

/// What they look like.
pub fn schemas(base: &str) -> Vec<Value> {
    let of = |id: &str, name: &str, what: &str, attributes: Value| {
        json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
            "id": id, "name": name, "description": what, "attributes": attributes,
            "meta": {"resourceType": "Schema", "location": format!("{base}/Schemas/{id}")},
        })
    };
    vec![
        of(
            users::SCHEMA,
            "User",
            "A member of the platform",
            user_attributes(),
        ),
        of(
            groups::SCHEMA,
            "Group",
            "Those who have a role on the platform",
            group_attributes(),
        ),
    ]
}

/// An attribute of one value.
fn attribute(name: &str, kind: &str, mutability: &str, what: &str) -> Value {
    let mut said = json!({
        "name": name, "type": kind, "multiValued": false, "description": what, "required": false,
        "mutability": mutability, "returned": "default",
    });
    if kind == "string" {
        set(&mut said, "caseExact", false);
        set(&mut said, "uniqueness", "none");
    }
    said
}

/// One of several values with parts.
fn several(name: &str, mutability: &str, what: &str, parts: Vec<Value>) -> Value {
    let mut said = attribute(name, "complex", mutability, what);
    set(&mut said, "multiValued", true);
    set(&mut said, "subAttributes", parts);
    said
}

fn reference(mutability: &str) -> Value {
    let mut said = attribute("$ref", "reference", mutability, "Its address.");
    set(&mut said, "referenceTypes", json!(["User", "Group"]));
    set(&mut said, "caseExact", true);
    set(&mut said, "uniqueness", "none");
    said
}

fn user_attributes() -> Value {
    let mut name = attribute(
        "userName",
        "string",
        "immutable",
        "The person's e-mail address.",
    );
    set(&mut name, "required", true);
    set(&mut name, "uniqueness", "server");
    let read = "readOnly";
    json!([
        name,
        attribute(
            "displayName",
            "string",
            "readWrite",
            "What they are called on this platform."
        ),
        attribute(
            "preferredLanguage",
            "string",
            "readWrite",
            "The language they prefer, as a BCP-47 tag."
        ),
        attribute(
            "active",
            "boolean",
            "readWrite",
            "Whether the platform is open to them."
        ),
        several(
            "emails",
            read,
            "Their one address.",
            vec![
                attribute("value", "string", read, "The address."),
                attribute("type", "string", read, "work"),
                attribute("primary", "boolean", read, "true"),
            ]
        ),
        several(
            "groups",
            read,
            "Their role.",
            vec![
                attribute("value", "string", read, "The id of the group."),
                attribute("display", "string", read, "The name of the group."),
                reference(read),
            ]
        ),
    ])
}

fn group_attributes() -> Value {
    let once = "immutable";
    json!([
        attribute("displayName", "string", "readOnly", "The role."),
        several(
            "members",
            "readWrite",
            "Who has it.",
            vec![
                attribute("value", "string", once, "The id of a user."),
                attribute("display", "string", "readOnly", "What they are called."),
                attribute("type", "string", once, "User"),
                reference(once),
            ]
        ),
    ])
}
