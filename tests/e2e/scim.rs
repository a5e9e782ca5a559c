//! SCIM, by a client and a judge that are not ours.

use std::io::Write;
use std::process::{Command, Stdio};

use rstest::rstest;
use serde_json::{Value, json};
use support::stores::Database;

use crate::python::python;
use crate::service::Service;
use crate::traces::VARIABLE;

/// A key that provisions; what the owner's key answers on the way is JSON.
async fn provisioner(service: &Service) -> String {
    drop(rustls::crypto::ring::default_provider().install_default());
    let http = reqwest::Client::new();
    let post = async |path: &str, body: Value| -> Value {
        let request = http
            .post(format!("{}{path}", service.process.url()))
            .header("x-api-key", &service.key)
            .header("x-learning-platform-code", "main")
            .json(&body);
        request.send().await.unwrap().json().await.unwrap()
    };
    let account = json!({"kind": "service", "name": "Directory", "role": "admin"});
    let account = post("/v1/users", account).await;
    let key = json!({"name": "Directory", "user_id": account["id"], "scopes": ["scim"]});
    let key = post("/v1/api_keys", key).await;
    key["api_key"].as_str().unwrap().to_owned()
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn scim2_tester_finds_nothing_that_breaks_the_rules(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let service = Service::on(database);
    let key = provisioner(&service).await;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/e2e/scim_client/check.py");
    let mut check = Command::new(python("scim_client").join("bin/python"))
        .arg(script)
        .arg(format!("{}/scim/v2", service.process.url()))
        .env(VARIABLE, service.traces.mark())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    check
        .stdin
        .take()
        .unwrap()
        .write_all(key.as_bytes())
        .unwrap();
    let checked = tokio::task::spawn_blocking(|| check.wait_with_output());
    let checked = checked.await.unwrap().unwrap();
    assert!(checked.status.success());
    let found: Vec<Value> = serde_json::from_slice(&checked.stdout).unwrap();
    let of = |status: &str| {
        let these = found.iter().filter(|one| one["status"] == status);
        these.cloned().collect::<Vec<_>>()
    };
    assert!(of("ERROR").is_empty(), "{:#}", json!(of("ERROR")));
    assert!(of("CRITICAL").is_empty(), "{:#}", json!(of("CRITICAL")));
    assert!(of("SUCCESS").len() > 30, "{:#}", json!(found));
}
