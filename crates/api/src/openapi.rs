//! The OpenAPI 3.1 document, made from the route table.

use serde_json::{Map, Value, json};

use lyceum_application::expand::Expansion;

use crate::expandable::expandable;
use crate::route::{Route, RouteDoc};
use crate::schemas::{Components, collect};

/// The document.
///
/// # Errors
/// A sentence, if a schema cannot be written as JSON.
pub fn document(routes: &[Route]) -> Result<Value, String> {
    let mut components = Components::new();
    let error = collect::<lyceum_wire::errors::ErrorBody>(&mut components);
    let mut paths = Map::new();
    for route in routes {
        let doc = (route.describe)(&mut components);
        let operations = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Some(operations) = operations.as_object_mut() {
            operations.insert(route.method.to_lowercase(), operation(route, &doc, &error));
        }
    }
    let schemas = serde_json::to_value(&components).map_err(|error| error.to_string())?;
    Ok(json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Lyceum",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "A learning-platform backend: author, run, export, grade, tell.",
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "paths": paths,
        "components": { "schemas": schemas, "securitySchemes": security_schemes() },
    }))
}

/// Every component schema of the route table, and the names of those that are request bodies.
pub fn components(routes: &[Route]) -> (Components, Vec<String>) {
    let mut components = Components::new();
    let bodies = routes
        .iter()
        .filter_map(|route| (route.describe)(&mut components).input.body)
        .map(|(name, _)| name)
        .collect();
    (components, bodies)
}

fn security_schemes() -> Value {
    let header = |name: &str, description: &str| json!({ "type": "apiKey", "in": "header", "name": name, "description": description });
    json!({
        "apiKey": header("x-api-key", "The five-segment API key."),
        "platformCode": header("X-Learning-Platform-Code", "The platform, by its code."),
        "platformUuid": header("X-Learning-Platform-Uuid", "The platform, by its 24 hexadecimal digits."),
    })
}

fn security(doc: &RouteDoc) -> Value {
    match (doc.needs_key, doc.needs_platform) {
        (false, _) => json!([]),
        (true, false) => json!([{ "apiKey": [] }]),
        (true, true) => json!([
            { "apiKey": [], "platformCode": [] },
            { "apiKey": [], "platformUuid": [] },
        ]),
    }
}

fn operation(route: &Route, doc: &RouteDoc, error: &str) -> Value {
    let mut operation = json!({
        "operationId": route.operation,
        "summary": route.summary,
        "tags": [tag(route.path)],
        "security": security(doc),
        "parameters": parameters(route.method, route.path, doc),
        "responses": responses(doc, error),
    });
    if let (Some((body, required)), Some(members)) = (&doc.input.body, operation.as_object_mut()) {
        let schema = json!({ "$ref": format!("#/components/schemas/{body}") });
        let content = json!({ "application/json": { "schema": schema } });
        members.insert(
            "requestBody".to_owned(),
            json!({ "required": required, "content": content }),
        );
    }
    operation
}

fn tag(path: &str) -> &str {
    path.split('/').nth(2).unwrap_or("service")
}

fn parameters(method: &str, path: &str, doc: &RouteDoc) -> Vec<Value> {
    let places = path
        .split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let in_path = places.map(|name| {
        json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } })
    });
    let in_query = doc.input.parameters.iter().map(|parameter| {
        let mut schema = json!({ "type": "string" });
        if parameter.name == "limit" {
            schema = json!({ "type": "integer", "minimum": 1, "maximum": 100, "default": 20 });
        }
        if let (false, Some(members)) = (parameter.values.is_empty(), schema.as_object_mut()) {
            members.insert("enum".to_owned(), json!(parameter.values));
        }
        json!({
            "name": parameter.name, "in": "query", "required": false,
            "description": parameter.description, "schema": schema,
        })
    });
    let expand = expandable(path).filter(|_| method != "DELETE").map(|kind| {
        json!({
            "name": "expand", "in": "query", "required": false, "style": "form", "explode": false,
            "description": format!(
                "Related objects to put in, as paths of at most four names: {}.",
                Expansion::names(kind).join(", ")
            ),
            "schema": { "type": "array", "items": { "type": "string" }, "maxItems": 20 },
        })
    });
    in_path.chain(in_query).chain(expand).collect()
}

fn responses(doc: &RouteDoc, error: &str) -> Value {
    let content = |name: &str| json!({ "application/json": { "schema": { "$ref": format!("#/components/schemas/{name}") } } });
    let good = match &doc.answer {
        Some(name) => json!({ "description": "Done.", "content": content(name) }),
        None => {
            json!({ "description": "The file.", "content": { "application/octet-stream": {} } })
        }
    };
    json!({
        doc.status.to_string(): good,
        "4XX": { "description": "The request was not carried out.", "content": content(error) },
        "5XX": { "description": "Something is wrong on our side.", "content": content(error) },
    })
}
