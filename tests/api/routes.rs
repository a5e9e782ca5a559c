//! What holds for every route of the table; who may call it is told by the tests of access.

use std::collections::BTreeSet;

use lyceum_api::routes;
use support::app::TestApp;

use crate::access::SIGNED_ALONE;

fn concrete(path: &str) -> String {
    path.replace("{id}", "xyz")
        .replace("{user_id}", "xyz")
        .replace("{platform}", "xyz")
}

#[test]
fn operation_ids_are_unique_and_lower_camel() {
    let routes = routes::all();
    let names: BTreeSet<&str> = routes.iter().map(|route| route.operation).collect();
    assert_eq!(names.len(), routes.len());
    for name in names {
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric());
        assert!(
            plain && name.starts_with(|c: char| c.is_ascii_lowercase()),
            "{name}"
        );
    }
}

#[actix_web::test]
async fn unknown_ids_are_not_there_on_every_route_with_an_id() {
    let app = TestApp::start().await;
    for route in routes::all()
        .iter()
        .filter(|route| route.path.contains("{id}"))
    {
        if route.method != "GET" && route.method != "DELETE" {
            continue;
        }
        let answer = app
            .call(&app.owner, route.method, &concrete(route.path), None)
            .await;
        let place = format!("{} {} {}", route.method, route.path, answer.body);
        // What opens to signed addresses alone does not say what is there.
        let files = [
            "previewScormPackageFile",
            "playLessonFile",
            "playActivityFile",
        ];
        let by_signature = SIGNED_ALONE.iter().chain(&files);
        let expected = if by_signature.into_iter().any(|one| *one == route.operation) {
            (403, "link_expired")
        } else {
            (404, "resource_missing")
        };
        assert_eq!((answer.status, answer.code()), expected, "{place}");
    }
}

#[actix_web::test]
async fn the_document_knows_every_route_and_no_other() {
    let app = TestApp::start().await;
    let document: serde_json::Value = serde_json::from_slice(&app.api.document().unwrap()).unwrap();
    let mut documented = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            documented.insert((method.to_uppercase(), path.clone()));
            assert!(
                operation["responses"].as_object().unwrap().len() >= 2,
                "{path}"
            );
        }
    }
    let table = routes::all();
    let there: BTreeSet<(String, String)> = table
        .iter()
        .map(|route| (route.method.to_owned(), route.path.to_owned()))
        .collect();
    assert_eq!(documented, there);
}

#[test]
fn the_handbook_lists_every_route() {
    let handbook =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/api.md")).unwrap();
    for route in routes::all() {
        let row = format!("| `{} {}` |", route.method, route.path);
        assert!(handbook.contains(&row), "docs/api.md lacks {row}");
    }
}
