//! Pieces of other languages in every place a caller may write to: they are text there, and nothing else.

use actix_web::test::TestRequest;
use lyceum_api::routes;
use serde_json::{Value, json};
use support::app::{Answer, TestApp};
use support::stores::Database;

use crate::bad_input::spelt;
use crate::school::app_on;
use crate::world::{Ids, world};

/// What would leave a statement, a pattern, a path into JSON or a text's end behind it, percent-encoded.
const PIECES: [&str; 14] = [
    "'",
    "%22",
    "%60",
    "%5C",
    "%25",
    "_",
    "'%20OR%20'1'%3D'1",
    "1)%20OR%20(1%3D1",
    "'%3B%20DROP%20TABLE%20courses%3B--",
    "'%20UNION%20SELECT%20hash%20FROM%20api_keys--",
    "%24%7B7*7%7D",
    "$1",
    "%3F",
    "%E2%80%AE%F0%9F%92%A9",
];

/// Words of our own machinery that no caller is told.
const INSIDE: [&str; 8] = [
    "syntax error",
    "SQLITE",
    "sqlite",
    "diesel",
    "unterminated",
    "api_keys",
    "no such column",
    "invalid input",
];

struct Stage {
    app: TestApp,
    ids: Ids,
    document: Value,
}

impl Stage {
    async fn on(database: Database) -> Self {
        let app = app_on(database).await;
        Self {
            ids: world(&app, &app.owner).await,
            document: serde_json::from_slice(&app.api.document().unwrap()).unwrap(),
            app,
        }
    }

    /// How much there is of everything: what was changed, added or taken away shows here.
    async fn everything(&self) -> Vec<(String, Value)> {
        let mut all = Vec::new();
        for route in routes::all().iter().filter(|route| route.method == "GET") {
            let path = self.ids.path(route.path);
            let joint = format!("{path}?limit=100");
            let answer = self.app.get(&joint).await;
            if answer.body["object"] == "list" {
                all.push((joint, answer.body));
            }
        }
        all
    }
}

/// An answer that a piece may get: nothing, a refusal, or, where it is ignored or stands for itself, a page.
fn assert_unmoved(answer: &Answer, place: &str) {
    // 303: back from an identity provider with nothing, to the door.
    let told = [200, 303, 304, 400, 401, 403, 404].contains(&answer.status);
    assert!(told, "{place} {} {}", answer.status, answer.body);
    if answer.status != 200 {
        let text = answer.body["error"]["message"].to_string();
        for word in INSIDE {
            // The caller's own words may come back.
            assert!(
                !text.contains(word) || place.contains(word),
                "{place} {text}"
            );
        }
    }
}

#[actix_web::test]
async fn no_parameter_of_any_list_is_part_of_a_statement() {
    for database in [Database::Sqlite, Database::Postgres] {
        let stage = Stage::on(database).await;
        let before = stage.everything().await;
        let mut tried = 0;
        for route in routes::all().iter().filter(|route| route.method == "GET") {
            let parameters = &stage.document["paths"][route.path]["get"]["parameters"];
            for parameter in parameters.as_array().into_iter().flatten() {
                if parameter["in"] != "query" {
                    continue;
                }
                let (name, path) = (spelt(parameter), stage.ids.path(route.path));
                for piece in PIECES {
                    // It stands in the addresses that learners of packages are given.
                    if (name.as_str(), piece) == ("q", "_") {
                        continue;
                    }
                    let asked = format!("{path}?{name}={piece}");
                    let answer = stage.app.get(&asked).await;
                    assert_unmoved(&answer, &format!("{database:?} {asked}"));
                    // A filter finds what is so, and nothing is so.
                    let found = answer.body["data"].as_array().map_or(0, Vec::len);
                    assert_eq!(found, 0, "{database:?} {asked} {}", answer.body);
                    tried += 1;
                }
            }
        }
        assert!(tried > 1000, "{tried}");
        assert_eq!(stage.everything().await, before);
    }
}

#[actix_web::test]
async fn no_part_of_a_path_and_no_header_is_part_of_a_statement() {
    for database in [Database::Sqlite, Database::Postgres] {
        let stage = Stage::on(database).await;
        let before = stage.everything().await;
        for route in routes::all() {
            let Some((before_place, rest)) = route.path.split_once('{') else {
                continue;
            };
            let after_place = rest.split_once('}').unwrap().1;
            for piece in PIECES {
                let path = format!("{before_place}{piece}{after_place}");
                let path = path.replace("{user_id}", piece).replace("{ticket}", piece);
                let path = path.replace("{file}", piece);
                let sent = (route.method != "GET").then(|| json!({}));
                let answer = stage
                    .app
                    .call(&stage.app.owner, route.method, &path, sent)
                    .await;
                let place = format!("{database:?} {} {path}", route.method);
                assert!(
                    (400..=404).contains(&answer.status),
                    "{place} {}",
                    answer.body
                );
                assert_unmoved(&answer, &place);
            }
        }
        for header in [
            "x-api-key",
            "X-Learning-Platform-Code",
            "X-Learning-Platform-Uuid",
            "Idempotency-Key",
            "If-Match",
            "If-None-Match",
            "Prefer",
            "Accept",
        ] {
            for piece in [
                "'",
                "\"",
                "' OR '1'='1",
                "main' --",
                "%",
                "_",
                "\\",
                "${7*7}",
            ] {
                let key = stage.app.owner.key.as_str();
                let asked = TestRequest::with_uri("/v1/courses")
                    .insert_header(("x-api-key", key))
                    .insert_header(("X-Learning-Platform-Code", "main"))
                    .insert_header((header, piece));
                let answer = stage.app.send(asked).await;
                assert_unmoved(&answer, &format!("{database:?} {header}: {piece}"));
            }
        }
        assert_eq!(stage.everything().await, before);
    }
}

#[actix_web::test]
async fn what_is_written_in_pieces_of_statements_is_read_as_it_was_written() {
    for database in [Database::Sqlite, Database::Postgres] {
        let stage = Stage::on(database).await;
        for piece in [
            "Robert'); DROP TABLE courses;--",
            "' || (SELECT hash FROM api_keys LIMIT 1) || '",
            "{\"$ne\": null}",
            "${jndi:ldap://127.0.0.1/a}",
            "{{7*7}}",
            "\\\\.\\x",
        ] {
            let sent = json!({
                "name": piece, "language": "en", "description": piece, "metadata": {piece: piece},
            });
            let made = stage.app.post("/v1/courses", sent).await;
            assert_eq!(made.status, 201, "{database:?} {}", made.body);
            let read = stage
                .app
                .get(&format!("/v1/courses/{}", made.id()))
                .await
                .body;
            assert_eq!(read["name"], piece);
            assert_eq!(read["description"], piece);
            assert_eq!(read["metadata"], json!({piece: piece}));
        }
    }
}
