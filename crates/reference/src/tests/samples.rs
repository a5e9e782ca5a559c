//! Samples, as far as they are seen without a compiler: `tests/rust_samples.rs` and the end-to-end tests compile and run them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::*;

const WRITTEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rust_samples/written.in");

fn by_operation(language: &str) -> BTreeMap<String, String> {
    let samples = REFERENCE.samples().into_iter();
    let of_it = samples.filter(|sample| sample.language == language);
    of_it
        .map(|sample| (sample.operation, sample.code))
        .collect()
}

fn operations() -> BTreeSet<String> {
    let document: Value = serde_json::from_str(DOCUMENT).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let all = paths
        .values()
        .flat_map(|path| path.as_object().unwrap().values());
    all.map(|operation| operation["operationId"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn every_operation_has_one_in_each_language() {
    let operations = operations();
    for language in ["curl", "typescript", "python"] {
        let there: BTreeSet<String> = by_operation(language).into_keys().collect();
        assert_eq!(there, operations, "{language}");
    }
    let there: BTreeSet<String> = by_operation("rust").into_keys().collect();
    assert!(there.is_subset(&operations));
    assert!(there.len() > 200, "{}", there.len());
}

#[test]
fn a_shell_takes_each_as_one_command() {
    for (operation, code) in by_operation("curl") {
        let mut shell = Command::new("sh");
        // `curl` is what prints how many arguments it was given, and the last.
        let script = format!(
            "BASE=http://b KEY=k PLATFORM=p\ncurl() {{ for one do echo \"<$one>\"; done; }}\n{code}"
        );
        let output = shell
            .args(["-euc", &script])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{operation}: {code}");
        assert!(said.contains("<http://b/"), "{operation}: {said}");
        assert!(
            !said.contains('$') && !said.contains("{id}"),
            "{operation}: {said}"
        );
    }
}

#[test]
fn what_a_shell_sends_is_the_example_of_the_document() {
    let code = &by_operation("curl")["createCourse"];
    let body = code
        .split("-d '")
        .nth(1)
        .unwrap()
        .rsplit_once('\'')
        .unwrap()
        .0;
    let body: Value = serde_json::from_str(body).unwrap();
    let document: Value = serde_json::from_str(DOCUMENT).unwrap();
    let content = &document["paths"]["/v1/courses"]["post"]["requestBody"]["content"];
    assert_eq!(body, content["application/json"]["example"]);
}

#[test]
fn lists_show_how_a_query_goes_and_changes_how_a_body_does() {
    assert_eq!(
        by_operation("curl")["listCourses"],
        "curl -sS --fail-with-body \"$BASE/v1/courses?limit=20\" \\\n  -H \"x-api-key: $KEY\" \\\n  -H \"X-Learning-Platform-Code: $PLATFORM\"\n"
    );
    assert!(
        by_operation("typescript")["listCourses"].contains("params: { query: { limit: 20 } },")
    );
    assert!(
        by_operation("python")["listCourses"]
            .contains("lyceum.get(\"/v1/courses\", params={\"limit\": 20})")
    );
    assert!(by_operation("rust")["updateCourse"].contains("client.courses().update(\"crs_"));
}

/// A function for every sample, and a list of them.
fn program() -> String {
    let mut program = String::new();
    let mut list = String::new();
    for (at, (operation, code)) in by_operation("rust").iter().enumerate() {
        let _ = write!(
            program,
            "async fn sample_{at}(client: Client) -> Result<(), Box<dyn Error>> {{\n{code}Ok(())\n}}\n\n"
        );
        let _ = writeln!(
            list,
            "    (\"{operation}\", |client| Box::pin(sample_{at}(client))),"
        );
    }
    format!("{program}pub const ALL: &[(&str, Ask)] = &[\n{list}];\n")
}

/// Apart from what compiles them, so that they can be written anew where they do not compile.
#[test]
fn what_is_compiled_is_what_is_shown() {
    let program = program();
    if std::env::var_os("UPDATE_SAMPLES").is_some() {
        fs::write(WRITTEN, program).unwrap();
        return;
    }
    assert!(
        program == fs::read_to_string(WRITTEN).unwrap(),
        "the samples in Rust are others now: UPDATE_SAMPLES=1 writes them anew"
    );
}
