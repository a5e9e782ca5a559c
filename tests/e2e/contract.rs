//! A hostile contract tester finds nothing: schemathesis makes requests of every sort from the OpenAPI document
//! that the service serves, and holds every answer against it.
//!
//! Bounded here; `make contract-test` asks for more by `CONTRACT_SEEDS` (such as `1 2 3`) and
//! `CONTRACT_SECONDS` (per seed and key).

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use support::binary::Launch;

use crate::service::Service;

/// What would take the tester's own way in from under it; these are tried last and alone.
const SUICIDAL: [&str; 5] = [
    "deleteApiKey",
    "revokeApiKey",
    "deleteWorkspace",
    "deleteUser",
    "updateUser",
];

/// Bytes of a file, which the tester has no way to write; what asks an identity provider, of which there is none that it knows (502, as it is
/// meant to be); and where one sends browsers, with whatever it likes: all of it leads to the door (303).
const BYTES: [&str; 3] = ["appendToMediaUpload", "endSsoSessions", "finishSso"];

/// All but that every request which fits the schema is taken: a used idempotency key, a stale tag or the cursor of
/// another list fit it and are refused.
const WITHOUT: &str = "positive_data_acceptance";

/// Its own list of refusals, and 413: a body that is too large is turned away before anybody looks at its schema.
const CONFIGURATION: &str = r#"[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429", "5xx"]
"#;

fn setting(name: &str, otherwise: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| otherwise.to_owned())
}

/// Where `make test-all` puts it, or where somebody said it is.
fn schemathesis() -> PathBuf {
    let version = include_str!("../support/setup/schemathesis_version").trim();
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let usual = home.join(format!(
        ".cache/lyceum/schemathesis-{version}/bin/schemathesis"
    ));
    let path = std::env::var_os("LYCEUM_SCHEMATHESIS").map_or(usual, PathBuf::from);
    assert!(
        path.exists(),
        "schemathesis is not at {}: `make contract-test` puts it there",
        path.display()
    );
    path
}

struct Tester<'s> {
    service: &'s Service,
    key: String,
}

impl Tester<'_> {
    /// Runs it and fails with its report when it finds something.
    fn run(&self, seed: &str, seconds: &str, filters: &[String]) {
        let folder = tempfile::TempDir::new().unwrap();
        std::fs::write(folder.path().join("schemathesis.toml"), CONFIGURATION).unwrap();
        let output = Command::new(schemathesis())
            .current_dir(folder.path())
            .arg("run")
            .arg(format!("{}/v1/openapi.json", self.service.process.url()))
            .args(["-H", &format!("x-api-key: {}", self.key)])
            .args(["-H", "X-Learning-Platform-Code: main"])
            .args([
                "--exclude-checks",
                WITHOUT,
                "--seed",
                seed,
                "--max-time",
                seconds,
            ])
            .args([
                "--continue-on-failure",
                "--no-color",
                "--request-timeout",
                "30",
            ])
            .args(["--generation-database", ":memory:", "--warnings", "off"])
            // The owner's platform is the only one: another uuid would be refused at the door.
            .args(["--generation-with-security-parameters", "false"])
            .args(filters)
            .output()
            .unwrap();
        let report = String::from_utf8_lossy(&output.stdout);
        let summary = report.split("SUMMARY").nth(1).unwrap_or(&report);
        // `make contract-test` shows it.
        eprintln!("seed {seed}: {summary}");
        assert!(output.status.success(), "{report}");
    }
}

fn excluding(operations: &[&str]) -> Vec<String> {
    let flags = operations
        .iter()
        .map(|name| ["--exclude-operation-id".to_owned(), (*name).to_owned()]);
    flags.flatten().collect()
}

async fn post(service: &Service, path: &str, body: Value) -> Value {
    service.client().post(path, &body).await.unwrap()
}

fn id(of: &Value) -> &str {
    of["id"].as_str().unwrap()
}

/// A student in a running course, and their session key.
async fn session(service: &Service) -> String {
    let course = post(
        service,
        "/v1/courses",
        json!({"name": "Food", "language": "en"}),
    )
    .await;
    let unit = json!({"course_id": id(&course), "name": "Cooling"});
    let unit = post(service, "/v1/units", unit).await;
    let lesson = json!({"unit_id": id(&unit), "name": "Danger zone", "content": "Keep it cold."});
    let lesson = post(service, "/v1/lessons", lesson).await;
    let quiz = json!({
        "lesson_id": id(&lesson), "kind": "quiz", "name": "Check",
        "content": {"questions": [{"id": "q1", "type": "true_false", "prompt": "Cold?", "answer": true}]},
    });
    post(service, "/v1/activities", quiz).await;
    let assignment = json!({"course_id": id(&course), "name": "Plan"});
    post(service, "/v1/assignments", assignment).await;
    let cohort = json!({"course_id": id(&course), "name": "Spring"});
    let cohort = post(service, "/v1/cohorts", cohort).await;
    post(
        service,
        &format!("/v1/courses/{}/publish", id(&course)),
        json!({}),
    )
    .await;
    post(
        service,
        &format!("/v1/cohorts/{}/start", id(&cohort)),
        json!({}),
    )
    .await;
    let student = json!({"email": "ada@school.example"});
    post(
        service,
        &format!("/v1/cohorts/{}/students", id(&cohort)),
        student.clone(),
    )
    .await;
    let token = post(service, "/v1/tokens/start", student).await;
    let finished = post(
        service,
        "/v1/tokens/finish",
        json!({"token": token["token"]}),
    )
    .await;
    finished["api_key"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_hostile_client_finds_nothing() {
    let service = Service::start(Launch::new().env("LYCEUM_RATE_LIMITS", "off"));
    let session = session(&service).await;
    let owner = Tester {
        service: &service,
        key: service.key.clone(),
    };
    let learner = Tester {
        service: &service,
        key: session,
    };
    let seconds = setting("CONTRACT_SECONDS", "25");
    for seed in setting("CONTRACT_SEEDS", "1").split_whitespace() {
        learner.run(seed, &seconds, &excluding(&BYTES));
        owner.run(
            seed,
            &seconds,
            &excluding(&[&SUICIDAL[..], &BYTES].concat()),
        );
    }
    let only = SUICIDAL
        .iter()
        .map(|name| ["--include-operation-id".to_owned(), (*name).to_owned()]);
    let mut alone: Vec<String> = only.flatten().collect();
    // By itself none of these leads to another.
    alone.extend([
        "--phases".to_owned(),
        "examples,coverage,fuzzing".to_owned(),
    ]);
    owner.run("1", "5", &alone);
}
