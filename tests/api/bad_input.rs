//! Input that is wrong in every way we could think of, on every route of the table: it is refused as all errors
//! are, and nothing of it is kept.

use actix_web::test::TestRequest;
use lyceum_api::http::route::Route;
use lyceum_api::routes;
use serde_json::{Map, Value, json};
use support::app::{Answer, TestApp, request};
use support::stores::Database;

use crate::edge::assert_error;
use crate::school::app_on;
use crate::world::{Ids, body, world};

/// An application with something of everything, and its documentation.
struct Stage {
    app: TestApp,
    ids: Ids,
    document: Value,
}

async fn stage(database: Database) -> Stage {
    let app = app_on(database).await;
    Stage {
        ids: world(&app, &app.owner).await,
        document: serde_json::from_slice(&app.api.document().unwrap()).unwrap(),
        app,
    }
}

/// Routes that go through the door of all requests; the others read neither body nor query.
fn behind_the_door() -> Vec<Route> {
    let raw = [
        "/docs",
        "/docs/{file}",
        "/healthz",
        "/readyz",
        "/v1/openapi.json",
        "/v1/content.css",
        "/v1/activities/{id}/audio",
        "/v1/activities/{id}/preview/{ticket}/{file}",
        "/v1/lessons/{id}/preview/{ticket}/{file}",
        "/v1/media/{id}/file",
        "/v1/scorm/{id}/download",
        "/v1/scorm/{id}/preview",
        "/v1/cohorts/{id}/gradebook.csv",
        "/v1/cohorts/{id}/gradebook.xlsx",
        "/v1/scorm/{id}/preview/{ticket}/{file}",
        // Providers send browsers there with whatever they like: whoever brings nothing is sent to the door.
        "/v1/sign_in/sso/callback",
    ];
    // Forms and bytes of files have tests of their own.
    let is_json = |route: &Route| {
        // Pages are opened by their signed address alone.
        ![
            "createMedia",
            "appendToMediaUpload",
            "endSsoSessions",
            "playLesson",
            "playActivity",
        ]
        .contains(&route.operation)
    };
    let table = routes::all().into_iter().filter(is_json);
    table.filter(|route| !raw.contains(&route.path)).collect()
}

fn place(route: &Route, what: &str) -> String {
    let short: String = what.chars().take(100).collect();
    format!("{} {} {short}", route.method, route.path)
}

impl Stage {
    fn request(&self, method: &str, path: &str) -> TestRequest {
        request(&self.app.owner, method, path).insert_header(("Content-Type", "application/json"))
    }

    fn body(&self, route: &Route) -> Value {
        let mut body = body(route.operation, &self.ids);
        if route.operation == "createAssignment" {
            body["course_id"] = json!(self.ids.of("courses"));
        }
        body
    }

    async fn send(&self, method: &str, path: &str, sent: Option<&Value>) -> Answer {
        let request = self.request(method, path);
        self.app
            .send(match sent {
                Some(body) if method != "GET" => request.set_payload(body.to_string()),
                Some(_) | None => request,
            })
            .await
    }

    /// What the document says of a route.
    fn operation(&self, route: &Route) -> &Value {
        &self.document["paths"][route.path][route.method.to_lowercase()]
    }

    /// The members of a route's body, by name, as the document says.
    fn members(&self, route: &Route) -> Map<String, Value> {
        let schema = &self.operation(route)["requestBody"]["content"]["application/json"]["schema"];
        let properties = &self.resolved(schema)["properties"];
        properties.as_object().cloned().unwrap_or_default()
    }

    fn resolved<'v>(&'v self, schema: &'v Value) -> &'v Value {
        match schema["$ref"]
            .as_str()
            .and_then(|path| path.rsplit('/').next())
        {
            Some(name) => &self.document["components"]["schemas"][name],
            None => schema,
        }
    }

    /// The query parameters of a route.
    fn parameters(&self, route: &Route) -> Vec<String> {
        let all = self.operation(route)["parameters"].as_array();
        all.into_iter()
            .flatten()
            .filter(|parameter| parameter["in"] == "query")
            .map(spelt)
            .collect()
    }

    /// What every change leaves another of.
    async fn newest(&self) -> Value {
        self.app.get("/v1/events?limit=1").await.body["data"][0]["id"].clone()
    }
}

/// The name of a query parameter as a URL has it, with some key where it takes any.
pub fn spelt(parameter: &Value) -> String {
    let name = parameter["name"].as_str().unwrap();
    match parameter["style"].as_str() {
        Some("deepObject") => format!("{name}[k]"),
        _ => name.to_owned(),
    }
}

fn deep(levels: usize) -> String {
    // The body itself is the first level.
    let (open, close) = ("{\"a\":".repeat(levels - 1), "}".repeat(levels - 1));
    format!("{{\"metadata\":{open}1{close}}}")
}

#[actix_web::test]
async fn bodies_that_are_none_are_refused_on_every_route() {
    let stage = stage(Database::Sqlite).await;
    let before = stage.newest().await;
    let too_deep = deep(65);
    let bodies: [(&[u8], &str); 12] = [
        (b"{", "invalid_json"),
        (b"{\"name\":\"a\",}", "invalid_json"),
        (b"{} {}", "invalid_json"),
        (b"\xef\xbb\xbf{}", "invalid_json"),
        (b"{\"name\":\"\xff\xfe\"}", "invalid_json"),
        (b"{\"name\":\"\\ud800\"}", "invalid_json"),
        (b"[{}]", "invalid_body"),
        (b"null", "invalid_body"),
        (b"5", "invalid_body"),
        (b"\"name\"", "invalid_body"),
        (b"{\"unknown\":[\"a\\u0000b\"]}", "invalid_field"),
        (too_deep.as_bytes(), "invalid_json"),
    ];
    for route in behind_the_door()
        .iter()
        .filter(|route| route.method != "GET")
    {
        let path = stage.ids.path(route.path);
        for (sent, code) in bodies {
            let what = String::from_utf8_lossy(sent);
            let request = stage
                .request(route.method, &path)
                .set_payload(sent.to_vec());
            let answer = stage.app.send(request).await;
            assert_error(&answer, 400, code, &place(route, &what));
        }
        for (name, value) in [
            ("Content-Type", "text/plain"),
            ("Content-Type", "application/json; charset=latin1"),
            ("Content-Encoding", "gzip"),
        ] {
            let request = stage
                .request(route.method, &path)
                .insert_header((name, value));
            let answer = stage.app.send(request.set_payload("{}")).await;
            assert_error(&answer, 415, "unsupported_media_type", &place(route, value));
        }
        let large = format!("{{\"name\":\"{}\"}}", "x".repeat(route.policy.body_limit));
        let request = stage.request(route.method, &path).set_payload(large);
        let answer = stage.app.send(request).await;
        assert_error(&answer, 413, "payload_too_large", &place(route, "large"));
    }
    assert_eq!(stage.newest().await, before);
    // One level less is not too deep.
    let new = deep(64).replacen('{', "{\"name\":\"N\",\"language\":\"en\",", 1);
    let request = stage.request("POST", "/v1/courses").set_payload(new);
    assert_eq!(stage.app.send(request).await.status, 201);
}

/// The JSON types that a schema takes; none if it does not say so plainly.
fn types(schema: &Value) -> Vec<&str> {
    let kinds = &schema["type"];
    let several = kinds.as_array().into_iter().flatten();
    several.chain([kinds]).filter_map(Value::as_str).collect()
}

fn is_of(types: &[&str], value: &Value) -> bool {
    types.iter().any(|kind| match *kind {
        "string" => value.is_string(),
        "integer" | "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => value.is_null(),
    })
}

/// Whether a schema says that it takes a value, or does not say plainly what it takes; null is for each route.
fn is_taken(schema: &Value, value: &Value) -> bool {
    let words = schema["enum"].as_array();
    let types = types(schema);
    let is_word = words.is_none_or(|words| words.contains(value));
    value.is_null() || is_word && (types.is_empty() || is_of(&types, value))
}

#[actix_web::test]
async fn members_of_the_wrong_kind_are_named_on_every_route() {
    let long = "x".repeat(5_000);
    // What a database may trip over; the others are told by the edge, which knows no database.
    let odd = [
        json!(-1),
        json!(1e300),
        json!(long),
        json!("unt_00000000000000000000000001"),
    ];
    let plain = [
        json!(5),
        json!("5"),
        json!("no_such_word"),
        json!(true),
        json!([]),
        json!({}),
        json!([[{"a": null}]]),
        Value::Null,
    ];
    let everything: Vec<Value> = odd.iter().chain(&plain).cloned().collect();
    for (database, values) in [
        (Database::Sqlite, &everything[..]),
        (Database::Postgres, &odd[..]),
    ] {
        let stage = stage(database).await;
        let mut refused = 0;
        let mut before = stage.newest().await;
        for route in behind_the_door() {
            for (name, schema) in stage.members(&route) {
                let schema = stage.resolved(&schema);
                for value in values {
                    let mut sent = stage.body(&route);
                    sent[&name] = value.clone();
                    let place = place(&route, &format!("{database:?} {name}: {value}"));
                    let path = stage.ids.path(route.path);
                    let answer = stage.send(route.method, &path, Some(&sent)).await;
                    assert!(answer.status < 500, "{place} {}", answer.body);
                    if answer.status < 400 {
                        before = stage.newest().await;
                    } else {
                        assert_error(&answer, answer.status, answer.code(), &place);
                        refused += 1;
                    }
                    if !is_taken(schema, value) {
                        assert_eq!(answer.status, 400, "{place} {}", answer.body);
                        let fields = answer.body["error"]["fields"].as_object().unwrap();
                        let named = fields.keys().any(|field| field.starts_with(&name));
                        assert!(named, "{place} {}", answer.body);
                    }
                }
                // Nothing of what was refused since the last success is there.
                let place = place(&route, &name);
                assert_eq!(stage.newest().await, before, "{place}");
            }
        }
        assert!(refused > 40 * values.len(), "{refused}");
    }
}

#[actix_web::test]
async fn paths_with_anything_but_an_id_in_them_lead_nowhere() {
    let long = "x".repeat(5_000);
    // What a database may trip over; the others are told by the edge, which knows no database.
    let odd = [
        "%00",
        "crs_%00",
        "%27%20OR%201=1--",
        "thr_00000000000000000000000001",
        "CRS_00000000000000000000000001",
        &long,
    ];
    let plain = [
        "%ff",
        "%F0%9F%98%80",
        "%2e%2e%2f",
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e",
        "..",
        "%0d%0aX-Evil:%201",
        "null",
        "-1",
        "18446744073709551616",
    ];
    let everything = [&odd[..], &plain[..]].concat();
    for (database, segments, detours) in [
        (Database::Sqlite, &everything[..], &["", "../", "x/../"][..]),
        (Database::Postgres, &odd[..], &[""][..]),
    ] {
        let stage = stage(database).await;
        let before = stage.newest().await;
        for route in behind_the_door()
            .iter()
            .filter(|route| route.path.contains('{'))
        {
            for segment in segments {
                for detour in detours {
                    leads_nowhere(&stage, route, &format!("{detour}{segment}")).await;
                }
            }
        }
        assert_eq!(stage.newest().await, before);
    }
}

/// Asks with this in the first place of the route's path.
async fn leads_nowhere(stage: &Stage, route: &Route, first: &str) {
    let (front, rest) = route.path.split_at(route.path.find('{').unwrap());
    let behind = rest.split_once('}').unwrap().1;
    let behind = behind.replace("{user_id}", stage.ids.of("users"));
    let path = format!("{front}{first}{behind}");
    let answer = stage
        .send(route.method, &path, Some(&stage.body(route)))
        .await;
    let expected = if answer.code() == "unknown_route" {
        "unknown_route"
    } else {
        "resource_missing"
    };
    assert_error(&answer, 404, expected, &place(route, &path));
}

#[actix_web::test]
async fn queries_that_are_wrong_are_named_on_every_route() {
    for database in [Database::Sqlite, Database::Postgres] {
        let stage = stage(database).await;
        let long = "x".repeat(5_000);
        let before = stage.newest().await;
        for route in behind_the_door() {
            let path = stage.ids.path(route.path);
            let body = stage.body(&route);
            let ask = async |query: &str| {
                let path = format!("{path}?{query}");
                stage.send(route.method, &path, Some(&body)).await
            };
            for (query, name) in [
                ("unknown=1", "unknown"),
                ("Limit=1", "Limit"),
                ("starting_after=x", "starting_after"),
                ("%00=1", "\0"),
                ("limit[]=1", "limit[]"),
                ("=1", ""),
            ] {
                let answer = ask(query).await;
                assert_error(&answer, 400, "unknown_parameter", &place(&route, query));
                assert!(
                    answer.body["error"]["fields"][name].is_string(),
                    "{}",
                    answer.body
                );
            }
            for name in stage.parameters(&route) {
                if name == "expand" {
                    for query in ["expand=%00", "expand=nothing", &format!("expand={long}")] {
                        let answer = ask(query).await;
                        assert_error(&answer, 400, "invalid_expand", &place(&route, query));
                    }
                    continue;
                }
                for query in [
                    format!("{name}="),
                    format!("{name}=a&{name}=b"),
                    format!("{name}=%00"),
                ] {
                    let answer = ask(&query).await;
                    let place = place(&route, &query);
                    assert_error(&answer, 400, "invalid_parameter", &place);
                    let named = answer.body["error"]["fields"][&name].is_string();
                    assert!(named, "{place} {}", answer.body);
                }
                if route.method == "GET" {
                    for value in [&long, "%ff%fe", "-1", "%27", "%25", "null"] {
                        let query = format!("{name}={value}");
                        let answer = ask(&query).await;
                        let place = place(&route, &query);
                        assert!(answer.status < 500, "{place} {}", answer.body);
                        if answer.status >= 400 {
                            assert_error(&answer, 400, answer.code(), &place);
                        }
                    }
                }
            }
        }
        assert_eq!(stage.newest().await, before);
    }
}

#[actix_web::test]
async fn a_cursor_of_one_list_opens_no_other() {
    let stage = stage(Database::Sqlite).await;
    let lists: Vec<Route> = behind_the_door()
        .into_iter()
        .filter(|route| {
            stage
                .parameters(route)
                .contains(&"startingAfter".to_owned())
        })
        .collect();
    let cursor = stage.app.get("/v1/events?limit=1").await.body["next_cursor"].clone();
    for route in lists.iter().filter(|route| route.path != "/v1/events") {
        let path = stage.ids.path(route.path);
        for text in [
            cursor.as_str().unwrap(),
            "thr_00000000000000000000000001",
            "%2e%2e%2f",
            "eyJ9",
        ] {
            let path = format!("{path}?startingAfter={text}");
            let answer = stage.send("GET", &path, None).await;
            assert_error(&answer, 400, "invalid_cursor", &place(route, text));
        }
    }
}
