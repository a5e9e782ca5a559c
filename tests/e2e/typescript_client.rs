//! A client in TypeScript whose types come from the document that the service serves.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::{Value, json};
use support::binary::Launch;

use crate::node::{self, Programs};
use crate::service::Service;

const COMMITTED: &str = include_str!("../../docs/openapi.json");
const EXAMPLE: &str = include_str!("typescript_client/example.ts");
const PAGE: &str = include_str!("../../docs/clients.md");

/// Runs a command, which has to succeed, and returns what it printed.
fn succeed(command: &mut Command) -> String {
    let output = node::output(command);
    let [printed, complaint] = [&output.stdout, &output.stderr].map(|b| String::from_utf8_lossy(b));
    assert!(
        output.status.success(),
        "{command:?}: {printed}\n{complaint}"
    );
    printed.into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_with_generated_types_is_checked_by_the_compiler_and_works() {
    let service = Service::start(Launch::new());
    let document = format!("{}/v1/openapi.json", service.process.url());
    let served: Value = service.client().get("/v1/openapi.json").await.unwrap();
    let committed: Value = serde_json::from_str(COMMITTED).unwrap();
    assert!(
        served == committed,
        "docs/openapi.json is not what is served"
    );

    let programs = Programs::of("typescript_client");
    let run = |program: &str| programs.command(program, &service.traces);
    succeed(run("node_modules/openapi-typescript/bin/cli.js").args([
        &document,
        "--output",
        "generated/lyceum.d.ts",
    ]));
    // Checks by the settings of tsconfig.json, and compiles.
    succeed(run("node_modules/typescript/bin/tsc").arg("--noEmitOnError"));
    let url = service.process.url();
    let caller = [url.as_str(), service.key.as_str(), "main"];
    let printed = succeed(run("generated/client.js").args(caller));
    judge(&serde_json::from_str(&printed).unwrap());
    let printed = succeed(run("generated/example.js").args(caller));
    let (title, units) = printed.split_once('\n').unwrap();
    assert_eq!(title, "Kitchen hygiene ready");
    assert!(units.starts_with("- "), "{printed}");
}

#[test]
fn the_handbook_shows_the_example_that_runs() {
    assert_eq!(EXAMPLE.lines().count(), 40);
    assert!(
        PAGE.contains(&format!("```ts\n{EXAMPLE}```\n")),
        "docs/clients.md shows another example"
    );
}

/// What the client prints about what it did.
fn judge(report: &Value) {
    let ids = |list: &Value| -> Vec<String> { serde_json::from_value(list.clone()).unwrap() };
    let pages: Vec<Vec<String>> = serde_json::from_value(report["pages"].clone()).unwrap();
    let sizes: Vec<usize> = pages.iter().map(Vec::len).collect();
    assert_eq!(sizes, [20, 20, 5]);
    let listed: BTreeSet<String> = pages.concat().into_iter().collect();
    let made: BTreeSet<String> = ids(&report["made"]).into_iter().collect();
    assert_eq!(made.len(), 45);
    assert_eq!(listed, made);
    assert_eq!(report["odd"], 23);

    let changed = json!({
        "id": report["made"][0], "name": "Food safety", "description": "", "hours": 8, "status": "draft", "units": 0,
    });
    assert_eq!(report["changed"], changed);
    assert_eq!(report["refused"]["status"], 400);
    assert_eq!(report["refused"]["code"], "missing_field");
    let fields = report["refused"]["fields"].as_object().unwrap();
    assert_eq!(fields.keys().collect::<Vec<_>>(), ["language", "name"]);
    assert_eq!(
        report["missing"],
        json!({ "status": 404, "code": "resource_missing" })
    );
    assert_eq!(report["once"][0], report["once"][1]);
    assert_eq!(report["replayed"], json!([null, "true"]));
}
