//! The browsable reference, as a person's browser shows it, and its samples, as a program's author takes them.

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};

use lyceum_reference::{Reference, Sample};
use serde_json::{Value, json};
use support::binary::Launch;

use crate::node::{self, Programs};
use crate::python::{python, succeed};
use crate::service::Service;

const DOCUMENT: &str = include_str!("../../docs/openapi.json");

fn samples(language: &str) -> Vec<Sample> {
    let reference = Reference::of(serde_json::from_str(DOCUMENT).unwrap());
    let samples = reference.samples().into_iter();
    samples
        .filter(|sample| sample.language == language)
        .collect()
}

fn sample(language: &str, operation: &str) -> String {
    let mut samples = samples(language).into_iter();
    let found = samples.find(|sample| sample.operation == operation);
    found.unwrap().code
}

#[test]
fn a_browser_shows_the_reference_and_tries_operations() {
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

    for empty in ["errors", "outside", "refused", "violations", "wide", "axe"] {
        assert_eq!(report[empty], json!([]), "{empty}: {report:#}");
    }
    let document: Value = serde_json::from_str(DOCUMENT).unwrap();
    assert_eq!(report["groups"], json!(groups(&document)), "{report:#}");
    assert_eq!(report["first_found"], "/docs/createCourse", "{report:#}");
    // The language that was chosen stays, and what is copied is what is shown.
    assert_eq!(report["language"], "python", "{report:#}");
    assert_eq!(
        report["copied"],
        sample("python", "createCourse").trim(),
        "{report:#}"
    );
    // Without a key nothing is sent; with one, what is read is sent at once, and what is written once it is said so.
    assert_eq!(
        report["without_key"], "Give a key first, or sign in to Studio.",
        "{report:#}"
    );
    assert_eq!(report["read"]["status"], "200", "{report:#}");
    assert_eq!(report["read"]["body"]["object"], "identity", "{report:#}");
    assert_eq!(report["before_yes"], json!([]), "{report:#}");
    assert_eq!(report["written"]["status"], "201", "{report:#}");
    assert_eq!(report["written"]["body"]["object"], "course", "{report:#}");
    assert_eq!(report["kept"], json!(true), "{report:#}");
}

fn groups(document: &Value) -> Vec<String> {
    let tags = document["tags"].as_array().unwrap().iter();
    let names = tags.map(|tag| tag["name"].as_str().unwrap());
    let all = names.chain(["webhooks"]);
    all.map(|name| format!("/docs/{name}")).collect()
}

/// As a shell runs it that has the three names; what it printed.
fn run(service: &Service, code: &str) -> Value {
    let mut shell = Command::new("sh");
    let printed = succeed(
        shell
            .args(["-euc", code])
            .env("BASE", service.process.url())
            .env("KEY", &service.key)
            .env("PLATFORM", "main")
            .stdin(Stdio::null()),
    );
    serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {code}\n{printed}"))
}

/// A sample whose example is somebody else's id, with one of this service.
fn about(operation: &str, id: &Value) -> String {
    let code = sample("curl", operation);
    let (before, rest) = code.split_once("/v1/courses/").unwrap();
    let (_, behind) = rest.split_at(rest.find(['/', '"']).unwrap());
    format!("{before}/v1/courses/{}{behind}", id.as_str().unwrap())
}

#[test]
fn samples_for_a_shell_run_against_a_service() {
    let service = Service::start(Launch::new());
    let made = run(&service, &sample("curl", "createCourse"));
    assert_eq!(made["object"], "course");
    let listed = run(&service, &sample("curl", "listCourses"));
    assert_eq!(listed["data"][0]["id"], made["id"]);
    let changed = run(&service, &about("updateCourse", &made["id"]));
    assert_eq!(changed["id"], made["id"]);
    let read = run(&service, &about("retrieveCourse", &made["id"]));
    assert_eq!(read["name"], changed["name"]);
    assert_eq!(
        run(&service, &sample("curl", "retrieveMe"))["object"],
        "identity"
    );
    let gone = run(&service, &about("deleteCourse", &made["id"]));
    assert_eq!(gone["deleted"], true);
}

#[test]
fn samples_in_python_are_python_and_run() {
    let service = Service::start(Launch::new());
    let folder = tempfile::tempdir().unwrap();
    let mut all = String::new();
    for Sample {
        operation, code, ..
    } in samples("python")
    {
        let code = code.replace('\n', "\n    ");
        let _ = write!(all, "def {operation}():\n    {code}\n\n");
    }
    fs::write(folder.path().join("all.py"), all).unwrap();
    let place = python("python_client");
    let interpreter = || {
        let mut command = Command::new(place.join("bin/python"));
        command.current_dir(folder.path()).stdin(Stdio::null());
        command
    };
    succeed(interpreter().args(["-m", "py_compile", "all.py"]));
    let setup = format!(
        "import httpx\nlyceum = httpx.Client(base_url=\"{}\", headers={{\"x-api-key\": \"{}\", \"X-Learning-Platform-Code\": \"main\"}})\n",
        service.process.url(),
        service.key
    );
    let programs = ["createCourse", "listCourses"].map(|operation| sample("python", operation));
    let said = succeed(interpreter().args(["-c", &format!("{setup}{}", programs.concat())]));
    assert!(said.matches("'object': 'course'").count() >= 2, "{said}");
}

#[test]
fn samples_in_typescript_are_taken_by_the_compiler() {
    let service = Service::start(Launch::new());
    let programs = Programs::of("typescript_client");
    let place = format!(
        "{}/e2e/typescript_client/generated",
        env!("CARGO_MANIFEST_DIR")
    );
    fs::create_dir_all(&place).unwrap();
    let mut all = "import createClient from \"openapi-fetch\";\nimport type { paths } from \"./samples_types.js\";\nconst lyceum = createClient<paths>({});\n".to_owned();
    for Sample {
        operation, code, ..
    } in samples("typescript")
    {
        let _ = write!(all, "export async function {operation}() {{\n{code}}}\n");
    }
    fs::write(format!("{place}/samples.ts"), all).unwrap();
    let run = |program: &str| programs.command(program, &service.traces);
    let document = format!("{}/v1/openapi.json", service.process.url());
    succeed(run("node_modules/openapi-typescript/bin/cli.js").args([
        document.as_str(),
        "--output",
        "generated/samples_types.d.ts",
    ]));
    succeed(run("node_modules/typescript/bin/tsc").args([
        "--noEmit",
        "--strict",
        "--target",
        "ES2022",
        "--module",
        "NodeNext",
        "--lib",
        "ES2022,DOM",
        "generated/samples.ts",
    ]));
}
