//! The OpenAPI 3.1 document, made from the route table.
//!
//! What a route asks and answers stands in its row; what is true of every route (errors, headers, links) is said
//! here once. Nothing is documented by hand that the service does not do by the same source.

mod contents;
mod defaults;
mod discriminator;
mod examples;
mod expansions;
mod headers;
mod links;
mod media;
mod operations;
mod responses;
mod unions;
mod webhooks;
mod words;

use serde_json::{Map, Value, json};

use crate::document::schemas::{Components, collect};
use crate::http::route::Route;

pub use examples::{Example, Examples};
pub use responses::codes;

/// The document.
///
/// # Errors
/// A sentence, if a schema or the recorded examples cannot be read as JSON.
pub fn document(routes: &[Route]) -> Result<Value, String> {
    let examples = Examples::recorded()?;
    let mut components = Components::new();
    collect::<lyceum_wire::errors::ErrorBody>(&mut components);
    let mut paths = Map::new();
    let mut bodies = Vec::new();
    for route in routes {
        let doc = (route.describe)(&mut components);
        if route.method != "GET" && doc.identity.needs_key() {
            bodies.extend(doc.input.body.as_ref().map(|(name, _)| name.clone()));
        }
        let operations = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Some(operations) = operations.as_object_mut() {
            let operation = operations::operation(route, &doc, routes, &examples);
            operations.insert(route.method.to_lowercase(), operation);
        }
    }
    let webhooks = webhooks::of_all_types(&mut components);
    let mut schemas = serde_json::to_value(&components).map_err(|error| error.to_string())?;
    defaults::remove_nulls(&mut schemas);
    expansions::add(&mut schemas);
    words::name_optional_words(&mut schemas);
    words::refuse_nulls(&mut schemas);
    unions::add(&mut schemas);
    words::add_options(&mut schemas, &bodies);
    Ok(json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Lyceum",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "A learning-platform backend: author, run, export, grade, tell.",
            "description": DESCRIPTION,
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/", "description": "The server that this document came from." }],
        "tags": tags(routes),
        "paths": paths,
        "webhooks": webhooks,
        "components": {
            "schemas": schemas,
            "responses": responses::components(),
            "headers": headers::components(),
            "parameters": headers::parameters(),
            "securitySchemes": security_schemes(),
        },
    }))
}

const DESCRIPTION: &str = "\
Every request but the open ones carries an API key in `x-api-key`; most also choose a platform, which is a \
workspace as its callers see it, by code or by uuid.

Lists are keyset pages: pass `next_cursor` as `startingAfter`. Changes are merge patches (RFC 7396). Every write \
takes an `Idempotency-Key`, as a header or as `options.idempotencyKey` in its body. The names beside `apiKey` in the \
requirements of an operation are the scopes that the key needs. Errors are always `{error: {type, code, message, fields, request_id}}`.";

fn tags(routes: &[Route]) -> Vec<Value> {
    let mut seen: Vec<&str> = Vec::new();
    for route in routes {
        let tag = operations::tag(route.path);
        if !seen.contains(&tag) {
            seen.push(tag);
        }
    }
    seen.into_iter().map(|tag| json!({ "name": tag })).collect()
}

fn security_schemes() -> Value {
    let header = |name: &str, description: &str| json!({ "type": "apiKey", "in": "header", "name": name, "description": description });
    json!({
        "apiKey": header("x-api-key", "The five-segment API key."),
        "platformCode": header("X-Learning-Platform-Code", "The platform, by its code."),
        "platformUuid": header("X-Learning-Platform-Uuid", "The platform, by its 24 hexadecimal digits."),
    })
}

/// `submission.graded` and `user_id` as names of shapes.
fn pascal(name: &str) -> String {
    name.split(['.', '_']).map(capitalised).collect()
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_ascii_uppercase().to_string() + letters.as_str()
    })
}
