//! No secret that the service hands out can be read in its database: not in the file, not in what it remembers of its
//! replies, and not in the events it tells.

use std::path::Path;

use serde_json::{Value, json};
use support::app::{Caller, TestApp};

use crate::school::{caller, list};
use crate::scorm_sessions::Package;

/// Everything that lies in a folder, as one.
fn bytes_in(folder: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            bytes.extend(std::fs::read(path).unwrap());
        }
    }
    bytes
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// One of every secret there is, each from a reply that is remembered too.
async fn one_of_each(app: &TestApp, package: &Package) -> Vec<(&'static str, String)> {
    let remembered = async |key: &str, path: &str, mut body: Value| {
        body["options"] = json!({"idempotencyKey": key});
        let answer = app.post(path, body).await;
        assert!(
            (200..300).contains(&answer.status),
            "{path} {}",
            answer.body
        );
        answer.body
    };
    let made = remembered("k1", "/v1/api_keys", json!({"scopes": ["read:courses"]})).await;
    let rotate = format!("/v1/api_keys/{}/rotate", text(&made["id"]));
    let rotated = remembered("k2", &rotate, json!({})).await;
    let hook = json!({"url": "http://127.0.0.1:9/hook"});
    let endpoint = remembered("k3", "/v1/webhook_endpoints", hook).await;
    let rotate = format!(
        "/v1/webhook_endpoints/{}/rotate_secret",
        text(&endpoint["id"])
    );
    let second = remembered("k4", &rotate, json!({})).await;
    let student = json!({"email": crate::school::STUDENT});
    let spent = remembered("k5", "/v1/tokens/start", student.clone()).await;
    let session = app
        .post("/v1/tokens/finish", json!({"token": spent["token"]}))
        .await;
    // Only now: a new one takes the place of one that was not used.
    let open = remembered("k6", "/v1/tokens/start", student).await;
    let learner = package.let_in(app, "jdoe", "1").await;
    vec![
        ("the first key", app.owner.key.clone()),
        ("a key", text(&made["api_key"])),
        ("a rotated key", text(&rotated["api_key"])),
        ("a webhook secret", text(&endpoint["secret"])),
        ("its successor", text(&second["secret"])),
        ("a spent login token", text(&spent["token"])),
        ("an open login token", text(&open["token"])),
        ("a session key", text(&session.body["api_key"])),
        ("a learner's session key", text(&learner["api_key"])),
        ("a learner's proof", text(&learner["proof"])),
        ("a package's launch key", text(&package.service["key"])),
    ]
}

#[actix_web::test]
async fn no_secret_can_be_read_in_the_database() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let secrets = one_of_each(&app, &package).await;
    app.work().await;
    let file = app
        .database_url()
        .strip_prefix("sqlite://")
        .unwrap()
        .to_owned();
    let stored = bytes_in(Path::new(&file).parent().unwrap());
    let holds = |needle: &str| {
        let needle = needle.as_bytes();
        stored.windows(needle.len()).any(|at| at == needle)
    };
    // What is no secret is there to be found, so the search finds what is there.
    assert!(holds("The danger zone") && holds(crate::school::STUDENT));
    for (what, secret) in &secrets {
        assert!(!holds(secret), "{what} stands in the database");
        // Nor the part of it that is the secret: a key's first segment is public.
        let parts = secret.split(['-', '_']).filter(|part| part.len() >= 10);
        for part in parts {
            assert!(!holds(part), "a part of {what} stands in the database");
        }
    }
}

#[actix_web::test]
async fn no_secret_is_shown_again_or_told() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let secrets = one_of_each(&app, &package).await;
    app.work().await;
    let told = json!(list(&app, "events?limit=100").await).to_string();
    let mut read = vec![("the events", told)];
    for path in [
        "api_keys",
        "webhook_endpoints",
        "users",
        "scorm",
        "platforms",
        "workspaces",
    ] {
        let shown = json!(list(&app, &format!("{path}?limit=100")).await).to_string();
        read.push((path, shown));
    }
    let learner: Caller = caller(&json!(secrets[8].1));
    let me = app
        .call(&learner, "GET", "/v1/me", None)
        .await
        .body
        .to_string();
    read.push(("/v1/me", me));
    for (what, secret) in &secrets {
        for (place, shown) in &read {
            assert!(
                !shown.contains(secret.as_str()),
                "{what} is shown in {place}"
            );
        }
    }
}
