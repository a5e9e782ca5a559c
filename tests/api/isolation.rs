//! What belongs to one workspace is not there for another: not in paths, bodies, filters or cursors.
//!
//! Driven by the route table and the document made from it, so that a new route is covered or fails.

use lyceum_api::http::route::Route;
use lyceum_api::routes;
use serde_json::{Value, json};
use support::app::Answer;
use support::stores::Database;

use crate::access::SIGNED_ALONE;
use crate::world::{Ids, Worlds, body, naming, unknown, worlds};

/// Status and body, without what differs from request to request.
pub fn told(mut answer: Answer) -> (u16, Value) {
    if answer.body["error"].is_object() {
        answer.body["error"]["request_id"] = json!("");
    }
    (answer.status, answer.body)
}

/// Whether a caller's workspace decides what is there; a ticket opens its package to whoever holds it.
pub fn names_a_thing(route: &Route) -> bool {
    let open = route.path.starts_with("/docs") || route.path.contains("{ticket}");
    route.path.contains('{') && !open
}

async fn call(worlds: &Worlds, method: &str, path: &str, body: Value) -> (u16, Value) {
    let body = (method != "GET").then_some(body);
    told(worlds.app.call(&worlds.stranger, method, path, body).await)
}

/// Status, body and headers, without what differs from request to request.
async fn whole(
    worlds: &Worlds,
    method: &str,
    path: &str,
    sent: Value,
) -> (u16, Value, Vec<(String, String)>) {
    let sent = (method != "GET").then_some(sent);
    let answer = worlds.app.call(&worlds.stranger, method, path, sent).await;
    let mut headers = answer.headers.clone();
    headers.retain(|(name, _)| name != "request-id");
    headers.sort();
    let (status, body) = told(answer);
    (status, body, headers)
}

#[actix_web::test]
async fn things_of_another_workspace_are_not_there_on_any_path() {
    for database in [Database::Sqlite, Database::Postgres] {
        let worlds = worlds(database).await;
        let (app, never) = (&worlds.app, unknown(&worlds.theirs));
        let mut tried = 0;
        for route in routes::all() {
            if !names_a_thing(&route) {
                continue;
            }
            let place = format!("{database:?} {} {}", route.method, route.path);
            let theirs = worlds.theirs.path(route.path);
            let sent = body(route.operation, &worlds.mine);
            let foreign = whole(&worlds, route.method, &theirs, sent.clone()).await;
            // Who has no key and the wrong launch key is told of neither.
            let refused = match route.operation {
                "createScormSession" => 401,
                // Nor who has an address without a signature.
                operation if SIGNED_ALONE.contains(&operation) => 403,
                // Nor who tells nothing of a sign-out.
                "endSsoSessions" => 400,
                _ => 404,
            };
            assert_eq!(foreign.0, refused, "{place} {}", foreign.1);
            let unknown = whole(&worlds, route.method, &never.path(route.path), sent).await;
            assert_eq!(foreign, unknown, "{place}");
            tried += 1;
        }
        assert!(tried > 60, "{tried}");
        // Nothing of it had an effect; and the ids were the right ones.
        for route in routes::all() {
            if route.method == "GET" && names_a_thing(&route) {
                let answer = app.get(&worlds.theirs.path(route.path)).await;
                // No key opens a recording, only the signature in its address.
                let is_signed = SIGNED_ALONE.contains(&route.operation);
                let expected = if is_signed { 403 } else { 200 };
                assert_eq!(answer.status, expected, "{} {}", route.path, answer.body);
            }
        }
    }
}

#[actix_web::test]
async fn a_students_place_is_guarded_on_both_of_its_ids() {
    let worlds = worlds(Database::Sqlite).await;
    let never = unknown(&worlds.theirs);
    let path = |cohort: &Ids, user: &Ids| {
        let (cohort, user) = (cohort.of("cohorts"), user.of("users"));
        format!("/v1/cohorts/{cohort}/students/{user}")
    };
    for (foreign, unknown) in [
        (
            path(&worlds.mine, &worlds.theirs),
            path(&worlds.mine, &never),
        ),
        (
            path(&worlds.theirs, &worlds.mine),
            path(&never, &worlds.mine),
        ),
    ] {
        let foreign = call(&worlds, "DELETE", &foreign, json!({})).await;
        assert_eq!(foreign.0, 404, "{}", foreign.1);
        assert_eq!(foreign, call(&worlds, "DELETE", &unknown, json!({})).await);
    }
}

/// Members of the body of an operation that name other things.
pub fn references(document: &Value, operation: &Value) -> Vec<String> {
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    let name = schema["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next());
    let members = &document["components"]["schemas"][name.unwrap_or_default()]["properties"];
    let names = members
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name);
    let is_reference = |name: &&String| {
        name.ends_with("_id") && !["external_id", "client_id"].contains(&name.as_str())
    };
    names.filter(is_reference).cloned().collect()
}

#[actix_web::test]
async fn bodies_cannot_name_things_of_another_workspace() {
    let worlds = worlds(Database::Sqlite).await;
    let document: Value = serde_json::from_slice(&worlds.app.api.document().unwrap()).unwrap();
    let never = unknown(&worlds.theirs);
    let mut tried = 0;
    for route in routes::all() {
        let operation = &document["paths"][route.path][route.method.to_lowercase()];
        for member in references(&document, operation) {
            let path = worlds.mine.path(route.path);
            let naming = |whose: &Ids| naming(route.operation, &member, &worlds.mine, whose);
            let foreign = call(&worlds, route.method, &path, naming(&worlds.theirs)).await;
            let place = format!("{} {} {member} {}", route.method, route.path, foreign.1);
            assert_eq!(foreign.0, 404, "{place}");
            assert!(foreign.1["error"]["fields"][&member].is_string(), "{place}");
            let unknown = call(&worlds, route.method, &path, naming(&never)).await;
            assert_eq!(foreign, unknown, "{place}");
            tried += 1;
        }
    }
    assert!(tried >= 13, "{tried}");
}

#[actix_web::test]
async fn filters_by_things_of_another_workspace_find_nothing() {
    let worlds = worlds(Database::Sqlite).await;
    let document: Value = serde_json::from_slice(&worlds.app.api.document().unwrap()).unwrap();
    let mut tried = 0;
    for route in routes::all().iter().filter(|route| route.method == "GET") {
        let parameters = &document["paths"][route.path]["get"]["parameters"];
        for parameter in parameters.as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap_or_default();
            if parameter["in"] != "query" || !name.ends_with("_id") {
                continue;
            }
            let path = worlds.mine.path(route.path);
            let query = format!("{path}?{name}={}", worlds.theirs.for_member(name));
            let (status, foreign) = call(&worlds, "GET", &query, json!({})).await;
            let query = format!("{path}?{name}={}", worlds.mine.for_member(name));
            let (_, own) = call(&worlds, "GET", &query, json!({})).await;
            if own["object"] == "list" {
                assert_eq!(
                    (status, &foreign["data"]),
                    (200, &json!([])),
                    "{query} {foreign}"
                );
            } else {
                // What sums up, and lists nothing, knows of no such thing.
                assert_eq!(status, 400, "{query} {foreign}");
                assert!(foreign["error"]["fields"][name].is_string(), "{foreign}");
                assert_eq!(own["error"], Value::Null, "{query} {own}");
            }
            tried += 1;
        }
    }
    assert!(tried >= 11, "{tried}");
}

#[actix_web::test]
async fn lists_hold_what_is_of_ones_own_workspace_alone() {
    let worlds = worlds(Database::Sqlite).await;
    let never = unknown(&worlds.theirs);
    for route in routes::all().iter().filter(|route| route.method == "GET") {
        let (status, list) = call(&worlds, "GET", &worlds.mine.path(route.path), json!({})).await;
        if list["object"] != "list" {
            continue;
        }
        assert_eq!(status, 200, "{} {list}", route.path);
        let text = list.to_string();
        for (kind, id) in &worlds.theirs.0 {
            let id = id.as_str().unwrap_or_default();
            assert!(!text.contains(id), "{} shows {kind} {id}", route.path);
        }
        let collection = route.path.rsplit('/').next().unwrap_or_default();
        let is_of_something = route.path.ends_with("/{id}/sessions");
        if !worlds.theirs.0.contains_key(collection) || collection == "platforms" || is_of_something
        {
            continue;
        }
        // An id in place of a cursor says where to go on, and not whether it is there.
        let path = worlds.mine.path(route.path);
        let after = |ids: &Ids| format!("{path}?startingAfter={}", ids.of(collection));
        let (status, foreign) = call(&worlds, "GET", &after(&worlds.theirs), json!({})).await;
        assert_eq!(
            (status, &foreign["object"]),
            (200, &json!("list")),
            "{} {foreign}",
            route.path
        );
        assert_eq!(call(&worlds, "GET", &after(&never), json!({})).await.0, 200);
    }
}

#[actix_web::test]
async fn a_cursor_of_another_workspace_is_none() {
    let worlds = worlds(Database::Sqlite).await;
    let page = worlds.app.get("/v1/events?limit=1").await.body;
    let cursor = page["next_cursor"].as_str().unwrap();
    let path = format!("/v1/events?limit=1&startingAfter={cursor}");
    assert_eq!(worlds.app.get(&path).await.status, 200);
    let (status, refused) = call(&worlds, "GET", &path, json!({})).await;
    assert_eq!(
        (status, &refused["error"]["code"]),
        (400, &json!("invalid_cursor"))
    );
}
