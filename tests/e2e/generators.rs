//! What others make clients with takes the document that the service serves, and what it makes is enough for the main
//! story: in TypeScript under the strictest settings, in Python with every type checked.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use rstest::rstest;
use serde_json::{Value, json};
use support::binary::Launch;
use support::traces::NoTraces;
use tempfile::TempDir;

use crate::node::Programs;
use crate::python::{python, succeed};
use crate::service::Service;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/openapi.json");
const PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/e2e/python_client");

/// That the committed document is the served one is a test of `typescript_client.rs`.
#[rstest]
#[case::openapi_typescript("openapi-typescript/bin/cli.js", &["{document}", "--output", "{out}/api.ts"])]
#[case::hey_api("@hey-api/openapi-ts/bin/run.js", &["--input", "{document}", "--output", "{out}/api", "--no-log-file"])]
#[case::swagger_typescript_api("swagger-typescript-api/dist/cli.mjs", &["generate", "--path", "{document}", "--output", "{out}", "--name", "api.ts"])]
#[case::orval("orval/dist/bin/orval.js", &["--input", "{document}", "--output", "{out}/api.ts"])]
#[case::openapi_zod_client("openapi-zod-client/bin.js", &["{document}", "--output", "{out}/api.ts"])]
fn a_generator_takes_the_document(#[case] program: &str, #[case] arguments: &[&str]) {
    let programs = Programs::of("generators");
    let traces = NoTraces::expected();
    let out = TempDir::new().unwrap();
    let place = out.path().display().to_string();
    let arguments = arguments.iter().map(|argument| {
        argument
            .replace("{document}", DOCUMENT)
            .replace("{out}", &place)
    });
    let mut command = programs.command(&format!("node_modules/{program}"), &traces);
    let said = succeed(command.args(arguments));
    // One of them says so and goes on with nothing.
    for complaint in ["MissingPointer", "Error:", "⚠"] {
        assert!(!said.contains(complaint), "{program}: {said}");
    }
    let made = size_of(out.path());
    assert!(made > 50_000, "{program} made {made} bytes: {said}");
}

fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .map(|entry| match entry.metadata().unwrap() {
            found if found.is_dir() => size_of(&entry.path()),
            found => found.len(),
        })
        .sum()
}

#[test]
fn a_parser_follows_every_reference() {
    let programs = Programs::of("generators");
    let traces = NoTraces::expected();
    let mut command = programs.command("parse.mjs", &traces);
    let said = succeed(command.arg(DOCUMENT));
    assert!(said.starts_with("Lyceum "), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_main_story_is_told_in_strict_typescript() {
    let service = Service::start(Launch::new());
    let programs = Programs::of("typescript_client");
    let folder = TempDir::new().unwrap();
    let out = folder.path().display().to_string();
    let run = |program: &str| programs.command(program, &service.traces);
    succeed(run("node_modules/openapi-typescript/bin/cli.js").args([
        DOCUMENT,
        "--output",
        &format!("{out}/generated/lyceum.d.ts"),
    ]));
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/e2e/typescript_client");
    for name in ["story.ts", "package.json"] {
        fs::copy(format!("{source}/{name}"), format!("{out}/{name}")).unwrap();
    }
    let packages = format!("{source}/node_modules");
    std::os::unix::fs::symlink(packages, format!("{out}/node_modules")).unwrap();
    let settings = json!({
        "extends": format!("{source}/tsconfig.json"),
        "compilerOptions": {"outDir": "generated", "noImplicitReturns": true, "exactOptionalPropertyTypes": true},
        "files": ["story.ts"],
    });
    fs::write(format!("{out}/tsconfig.json"), settings.to_string()).unwrap();
    let mut compiler = run("node_modules/typescript/bin/tsc");
    succeed(compiler.args(["--noEmitOnError", "--project", &out]));
    let (url, key) = (service.process.url(), service.key.clone());
    let mut story = run(&format!("{out}/generated/story.js"));
    let report = told(&succeed(story.args([url.as_str(), &key, "main"])));
    assert_eq!(report["asked"], json!(["true_false", 90]));
    assert_eq!(report["status"], "ready");
    assert_eq!(report["criteria"], json!([["method", 10]]));
    let graded = format!(
        "{} {}",
        report["assignment"].as_str().unwrap(),
        report["score"]
    );
    assert_eq!(report["told"], json!([graded, "ada@story.example"]));
}

fn told(said: &str) -> Value {
    let line = said.lines().find(|line| line.starts_with('{')).unwrap();
    serde_json::from_str(line).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_main_story_is_told_in_typed_python() {
    let service = Service::start(Launch::new());
    let python = python("python_client");
    let folder = TempDir::new().unwrap();
    let run = |program: &str| {
        let mut command = Command::new(python.join("bin").join(program));
        command
            .current_dir(folder.path())
            .env("PATH", format!("{}/bin:/usr/bin:/bin", python.display()))
            .env(support::traces::VARIABLE, service.traces.mark())
            .stdin(Stdio::null());
        command
    };
    let mut generator = run("openapi-python-client");
    let said = succeed(
        generator
            .args(["generate", "--path", DOCUMENT, "--output-path", "lyceum"])
            .args(["--meta", "none"]),
    );
    // Files that are no JSON are what it has no types for, and bytes of files; nothing else is left out.
    let left_out = said.lines().filter(|line| line.starts_with("WARNING"));
    for line in left_out {
        let is_file = [
            "/docs/{file}",
            "/v1/content.css",
            "/gradebook.csv",
            "/gradebook.xlsx",
            "/audio",
            "/media/{id}/file",
            "PATCH /v1/media_uploads/{id}",
            "/download",
            "/preview",
        ];
        assert!(is_file.iter().any(|path| line.contains(path)), "{said}");
    }
    fs::copy(format!("{PYTHON}/story.py"), folder.path().join("story.py")).unwrap();
    // What others generate need not be strict inside; what is made with it is.
    succeed(run("mypy").args(["--strict", "--follow-imports=silent", "story.py"]));
    let (url, key) = (service.process.url(), service.key.clone());
    let report = told(&succeed(
        run("python").args(["story.py", &url, &key, "main"]),
    ));
    assert_eq!(report["status"], "ready");
    let expected = json!([report["assignment"], "ada@python.example"]);
    assert_eq!(report["told"], expected);
}
