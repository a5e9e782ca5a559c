//! From an answer to what can be asked next about the same thing.

use serde_json::{Map, Value, json};

use crate::http::route::{Route, RouteDoc};

/// Links from a route that answers with a new thing to every route about it.
pub fn of_route(route: &Route, doc: &RouteDoc, routes: &[Route]) -> Map<String, Value> {
    let Some(collection) = doc.resource else {
        return Map::new();
    };
    let prefix = format!("/v1/{collection}/{{id}}");
    let about = routes.iter().filter(|other| {
        let rest = other.path.strip_prefix(&prefix);
        rest.is_some_and(|rest| (rest.is_empty() || rest.starts_with('/')) && !rest.contains('{'))
    });
    let is_new = matches!(doc.status, 201 | 202) && route.method == "POST";
    about
        .filter(|_| is_new)
        .map(|other| {
            let link = json!({
                "operationId": other.operation,
                "parameters": { "id": "$response.body#/id" },
                "description": other.summary,
            });
            (other.operation.to_owned(), link)
        })
        .collect()
}
