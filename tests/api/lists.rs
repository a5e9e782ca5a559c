//! What every list has in common: narrowing, cursors, pages. Driven by the route table, so that a new list is
//! covered or fails.

use lyceum_api::routes;
use serde_json::{Value, json};
use support::app::{Answer, TestApp};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, key, list, made};
use crate::world::{Worlds, worlds};

const NOW: &str = "2026-11-21T06:55:00.000Z";

/// Every list there is: its path, and whether the things on it have metadata.
async fn lists(worlds: &Worlds) -> Vec<(String, bool)> {
    let mut lists = Vec::new();
    for route in routes::all().iter().filter(|route| route.method == "GET") {
        let path = worlds.theirs.path(route.path);
        let answer = worlds.app.get(&path).await;
        // The catalogue of event types is not made of things with a moment of creation.
        if answer.body["object"] == "list" && path != "/v1/event_types" {
            let first = &answer.body["data"][0];
            assert!(
                first.is_object() || path.ends_with("/deliveries") || path.ends_with("/grades"),
                "make something to list at {path}"
            );
            lists.push((path, first["metadata"].is_object()));
        }
    }
    assert!(lists.len() >= 18, "{lists:?}");
    lists
}

fn ids(answer: &Answer) -> Vec<&Value> {
    assert_eq!(answer.status, 200, "{}", answer.body);
    let data = answer.body["data"].as_array().unwrap();
    data.iter().map(|one| &one["id"]).collect()
}

#[actix_web::test]
async fn every_list_is_narrowed_by_the_moment_of_creation() {
    for database in [Database::Sqlite, Database::Postgres] {
        let worlds = worlds(database).await;
        for (path, _) in lists(&worlds).await {
            let everything = worlds.app.get(&path).await;
            for (bounds, all) in [
                (format!("created_at[gte]={NOW}"), true),
                (format!("created_at[lte]={NOW}"), true),
                (format!("created_at[gt]={NOW}"), false),
                (format!("created_at[lt]={NOW}"), false),
                (format!("created_at[gte]={NOW}&created_at[lt]={NOW}"), false),
                ("created_at[gt]=2026-11-21T06:54:59.999Z".to_owned(), true),
            ] {
                let narrowed = worlds.app.get(&format!("{path}?{bounds}")).await;
                let expected = if all { ids(&everything) } else { Vec::new() };
                assert_eq!(ids(&narrowed), expected, "{path}?{bounds}");
            }
            let refused = worlds.app.get(&format!("{path}?created_at[gt]=soon")).await;
            assert_refused(&refused, 400, "invalid_parameter", "created_at[gt]");
            let refused = worlds
                .app
                .get(&format!("{path}?created_at[eq]={NOW}"))
                .await;
            assert_refused(&refused, 400, "unknown_parameter", "created_at[eq]");
        }
    }
}

/// The parameters that a list is documented with, by name.
fn documented(document: &Value, path: &str) -> Vec<(String, Vec<String>)> {
    let parameters = document["paths"][path]["get"]["parameters"].as_array();
    let named = parameters.into_iter().flatten().filter_map(|parameter| {
        let words = parameter["schema"]["enum"].as_array();
        let words = words.into_iter().flatten().filter_map(Value::as_str);
        let name = parameter["name"].as_str()?;
        Some((name.to_owned(), words.map(ToOwned::to_owned).collect()))
    });
    named.collect()
}

#[actix_web::test]
async fn every_list_can_be_sorted_and_is_the_same_things_in_every_order() {
    for database in [Database::Sqlite, Database::Postgres] {
        let worlds = worlds(database).await;
        let document: Value = serde_json::from_slice(&worlds.app.api.document().unwrap()).unwrap();
        let mut sorted = 0;
        for route in routes::all().iter().filter(|route| route.method == "GET") {
            let parameters = documented(&document, route.path);
            let Some((_, sorts)) = parameters.iter().find(|(name, _)| name == "sort") else {
                continue;
            };
            sorted += 1;
            let path = worlds.theirs.path(route.path);
            let all = worlds
                .app
                .get(&format!("{path}?sort=-created_at&limit=100"))
                .await;
            let newest_first = ids(&all);
            for sort in sorts {
                let same = worlds
                    .app
                    .get(&format!("{path}?sort={sort}&limit=100"))
                    .await;
                let mut found = ids(&same);
                if sort == "created_at" {
                    let turned: Vec<&Value> = newest_first.iter().rev().copied().collect();
                    assert_eq!(found, turned, "{path}");
                }
                found.sort_by_key(ToString::to_string);
                // What has no grade is in no order of grades.
                let word = sort.trim_start_matches('-');
                let is_in = |one: &&Value| {
                    !["graded_at", "decided_at", "score"].contains(&word) || !one[word].is_null()
                };
                let data = all.body["data"].as_array().unwrap().iter();
                let mut expected: Vec<&Value> = data.filter(is_in).map(|one| &one["id"]).collect();
                expected.sort_by_key(ToString::to_string);
                assert_eq!(found, expected, "{path} {sort}");
            }
            for unknown in ["position", "Name", "-"] {
                let refused = worlds.app.get(&format!("{path}?sort={unknown}")).await;
                assert_refused(&refused, 400, "invalid_parameter", "sort");
            }
            let nothing = worlds.app.get(&format!("{path}?q=nobody-has-this")).await;
            if parameters.iter().any(|(name, _)| name == "q") {
                assert_eq!(ids(&nothing), Vec::<&Value>::new(), "{path}");
            } else {
                assert_refused(&nothing, 400, "unknown_parameter", "q");
            }
        }
        // Every list but that of event types.
        assert!(sorted >= 38, "{sorted}");
    }
}

#[actix_web::test]
async fn work_is_found_by_who_did_it_for_whoever_may_know_who_that_is() {
    for database in [Database::Sqlite, Database::Postgres] {
        let worlds = worlds(database).await;
        let app = &worlds.app;
        let work = list(app, "submissions").await;
        let user = work[0]["user_id"].as_str().unwrap();
        let user = app.get(&format!("/v1/users/{user}")).await.body;
        let wanted = user["email"].as_str().unwrap().to_uppercase();
        for path in [
            "/v1/submissions",
            &worlds.theirs.path("/v1/activities/{id}/attempts"),
        ] {
            let all = ids(&app.get(path).await).len();
            assert!(all > 0, "{path}");
            let path = format!("{path}?q={wanted}");
            assert!(!ids(&app.get(&path).await).is_empty(), "{path}");
            let blind = key(app, &["read:submissions"]).await;
            let hidden = app.call(&blind, "GET", &path, None).await;
            assert_eq!(ids(&hidden), Vec::<&Value>::new(), "{path}");
        }
    }
}

/// Gives everything metadata that can have some.
async fn tag(worlds: &Worlds, metadata: Value) {
    let body = json!({ "metadata": metadata });
    for route in routes::all().iter().filter(|route| route.method == "PATCH") {
        // Bytes of a file have none.
        if route.path.ends_with("/{id}") && !route.is_tus {
            let path = worlds.theirs.path(route.path);
            assert_eq!(
                worlds.app.patch(&path, body.clone()).await.status,
                200,
                "{path}"
            );
        }
    }
}

#[actix_web::test]
async fn lists_of_things_with_metadata_are_narrowed_by_it_and_no_others() {
    for database in [Database::Sqlite, Database::Postgres] {
        let worlds = worlds(database).await;
        tag(
            &worlds,
            json!({"sis id": "A-7", "year": 2026, "gone": {"a": null}}),
        )
        .await;
        let mut tagged = 0;
        for (path, has_metadata) in lists(&worlds).await {
            let get = async |query: &str| worlds.app.get(&format!("{path}?{query}")).await;
            if !has_metadata {
                let refused = get("metadata[year]=2026").await;
                assert_refused(&refused, 400, "unknown_parameter", "metadata[year]");
                continue;
            }
            tagged += 1;
            for query in [
                "metadata[year]=2026",
                "metadata%5Bsis+id%5D=A-7",
                "metadata[sis%20id]=A-7&metadata[year]=2026",
            ] {
                assert_eq!(ids(&get(query).await).len(), 1, "{path}?{query}");
            }
            for query in [
                "metadata[year]=2025",
                "metadata[year]=2026&metadata[sis%20id]=A-8",
                "metadata[gone]=null",
                "metadata[nothing]=null",
            ] {
                assert_eq!(ids(&get(query).await).len(), 0, "{path}?{query}");
            }
            let refused = get("metadata[a][b]=1").await;
            assert_refused(&refused, 400, "invalid_parameter", "metadata[a][b]");
        }
        assert!(tagged >= 9, "{tagged}");
    }
}

#[actix_web::test]
async fn metadata_of_a_filter_is_bound_and_never_part_of_the_query() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        School::open(&app).await;
        for text in [
            "'",
            "%5C",
            "%22",
            "')%20OR%20(1%3D1",
            "$1",
            "?",
            "--",
            "%25",
            "*",
        ] {
            for query in [
                format!("metadata[{text}]=x"),
                format!("metadata[x]={text}"),
                format!("q={text}"),
            ] {
                let answer = app.get(&format!("/v1/courses?{query}")).await;
                assert_eq!(ids(&answer).len(), 0, "{query}");
            }
        }
    }
}

#[actix_web::test]
async fn cursors_are_of_their_list_and_filter_in_any_order_and_spelling() {
    let app = TestApp::start().await;
    for n in 0..3 {
        let body =
            json!({"name": format!("C{n}"), "language": "en", "metadata": {"a": 1, "b": "x"}});
        made(&app, &app.owner, "courses", body).await;
    }
    let first = app
        .get("/v1/courses?limit=1&metadata[a]=1&metadata[b]=x&status=draft")
        .await;
    let cursor = first.body["next_cursor"].as_str().unwrap();
    let page = async |rest: &str| {
        app.get(&format!("/v1/courses?startingAfter={cursor}{rest}"))
            .await
    };
    for same in [
        "&status=draft&metadata[b]=x&metadata[a]=1",
        "&limit=2&metadata%5Ba%5D=1&st%61tus=draft&metadata[b]=x&expand=units",
    ] {
        assert!(!ids(&page(same).await).is_empty(), "{same}");
    }
    for other in [
        "",
        "&status=draft",
        "&metadata[a]=1&metadata[b]=y&status=draft",
    ] {
        let refused = page(other).await;
        assert_refused(&refused, 400, "invalid_cursor", "");
    }
    for garbage in [
        "x",
        "crs_1",
        "e30",
        "%F0%9F%98%80",
        "eyJsIjoiIn0",
        "unt_00000000000000000000000001",
    ] {
        let refused = app
            .get(&format!("/v1/courses?startingAfter={garbage}"))
            .await;
        assert_refused(&refused, 400, "invalid_cursor", "");
    }
}

#[actix_web::test]
async fn a_list_in_order_of_place_goes_on_behind_an_id_or_a_cursor() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let other = School::of(&app, &app.another_workspace("other").await).await;
        let lists = [
            ("units", "course_id", &school.course, json!({}), &other.unit),
            ("lessons", "unit_id", &school.unit, json!({}), &other.lesson),
            (
                "activities",
                "lesson_id",
                &school.lesson,
                json!({"kind": "video", "content": {"url": "https://v.example"}}),
                &other.activity,
            ),
        ];
        for (collection, parent, id, more, foreign) in lists {
            // At the front, so that the order of place is not the order of age.
            for n in 0..4 {
                let mut body = json!({"name": format!("N{n}"), parent: id, "position": 0});
                body.as_object_mut()
                    .unwrap()
                    .extend(more.as_object().unwrap().clone());
                made(&app, &app.owner, collection, body).await;
            }
            let all = list(&app, &format!("{collection}?{parent}={id}&limit=100")).await;
            let all: Vec<&str> = all.iter().map(|one| one["id"].as_str().unwrap()).collect();
            assert_eq!(all.len(), 5);
            for by_cursor in [false, true] {
                let (mut seen, mut after) = (Vec::new(), String::new());
                loop {
                    let path = format!(
                        "/v1/{collection}?{parent}={id}&limit=2&created_at[gte]={NOW}{after}"
                    );
                    let page = app.get(&path).await;
                    seen.extend(
                        ids(&page)
                            .into_iter()
                            .map(|id| id.as_str().unwrap().to_owned()),
                    );
                    if page.body["has_more"] == false {
                        break;
                    }
                    let cursor = page.body["next_cursor"].as_str().unwrap();
                    let last = seen.last().unwrap();
                    after = format!("&startingAfter={}", if by_cursor { cursor } else { last });
                }
                assert_eq!(seen, all, "{collection} {by_cursor}");
            }
            let never = format!("{}_{}", foreign.split('_').next().unwrap(), "0".repeat(26));
            for stranger in [foreign, &never] {
                let path = format!("{collection}?{parent}={id}&startingAfter={stranger}");
                assert_eq!(list(&app, &path).await.len(), 0, "{path}");
            }
        }
    }
}

#[actix_web::test]
async fn the_handbook_names_every_filter_of_every_list() {
    let handbook =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/api.md")).unwrap();
    let row = |first: &str| {
        let line = handbook
            .lines()
            .find(|line| line.starts_with(&format!("| {first} |")));
        line.unwrap_or_default().to_owned()
    };
    let app = TestApp::start().await;
    let document: Value = serde_json::from_slice(&app.api.document().unwrap()).unwrap();
    for (path, operations) in document["paths"].as_object().unwrap() {
        let parameters = operations["get"]["parameters"].as_array();
        let names: Vec<&str> = parameters
            .into_iter()
            .flatten()
            .filter(|parameter| parameter["in"] == "query")
            .filter_map(|parameter| parameter["name"].as_str())
            .collect();
        if !names.contains(&"startingAfter") {
            continue;
        }
        let collection = path.rsplit('/').next().unwrap();
        for name in names {
            let place = match name {
                "limit" | "startingAfter" | "expand" => continue,
                name if name.starts_with("created_at[") => row("every list"),
                "metadata" => row("every list of things with metadata"),
                "q" => {
                    row("every list of things with a name")
                        + &row("submissions, attempts, sessions, items")
                }
                "sort" if handbook.contains("**Sorting.** `sort` is") => continue,
                _ => row(collection),
            };
            assert!(
                place.contains(&format!("`{name}")),
                "{path} {name}: {place}"
            );
        }
    }
}
