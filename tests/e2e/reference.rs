//! The browsable reference, as a person's browser shows it.

use serde_json::{Value, json};
use support::binary::Launch;

use crate::node::{self, Programs};
use crate::service::Service;

const DOCUMENT: &str = include_str!("../../docs/openapi.json");

#[test]
fn a_browser_shows_the_reference_and_tries_an_operation() {
    let service = Service::start(Launch::new());
    let browser = Programs::of("scorm_player");
    let looked = node::output(
        browser
            .command("reference.mjs", &service.traces)
            .args([&service.process.url(), &service.key]),
    );
    let complaint = String::from_utf8_lossy(&looked.stderr);
    let report: Value = serde_json::from_slice(&looked.stdout)
        .unwrap_or_else(|error| panic!("{error}: {complaint}"));

    for empty in ["errors", "outside", "refused", "violations", "complaints"] {
        assert_eq!(report[empty], json!([]), "{empty}: {report:#}");
    }
    assert_eq!(report["status"], 200, "{report:#}");
    let document: Value = serde_json::from_str(DOCUMENT).unwrap();
    assert_eq!(report["groups"], json!(groups(&document)), "{report:#}");
    let courses = operations_of(&document, "courses");
    assert_eq!(report["operations"], json!(courses), "{report:#}");
    assert_eq!(
        report["schemes"],
        json!(["apiKey", "platformCode", "platformUuid"])
    );
    assert_eq!(report["tried_status"], "200", "{report:#}");
    assert_eq!(report["tried_body"]["object"], "identity", "{report:#}");
}

fn groups(document: &Value) -> Vec<&Value> {
    let tags = document["tags"].as_array().unwrap();
    tags.iter().map(|tag| &tag["name"]).collect()
}

/// As Swagger UI names them, sorted.
fn operations_of(document: &Value, tag: &str) -> Vec<String> {
    let paths = document["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|path| path.as_object().unwrap().values());
    let mut names: Vec<String> = operations
        .filter(|operation| operation["tags"] == json!([tag]))
        .map(|operation| {
            format!(
                "operations-{tag}-{}",
                operation["operationId"].as_str().unwrap()
            )
        })
        .collect();
    names.sort();
    names
}
