//! The data folder and its disk: whose they are, when they are busy, when they are full.

use std::process::Output;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use support::binary::{Launch, LyceumProcess};
use tempfile::TempDir;

use crate::service::{Service, printed_key};
use crate::traces::{NoTraces, VARIABLE};

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

async fn send(process: &LyceumProcess, key: &str, method: Method, path: &str) -> Response {
    let is_new = method == Method::POST;
    // Whichever came first is as good.
    drop(rustls::crypto::ring::default_provider().install_default());
    let request = reqwest::Client::new()
        .request(method, format!("{}{path}", process.url()))
        .header("x-api-key", key)
        .header("x-learning-platform-code", "main");
    let request = if is_new {
        request.json(&json!({"name": "Food", "language": "en"}))
    } else {
        request
    };
    request.send().await.unwrap()
}

async fn create(process: &LyceumProcess, key: &str) -> Response {
    send(process, key, Method::POST, "/v1/courses").await
}

async fn body(response: Response) -> Value {
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

/// A refusal that asks for patience.
async fn unavailable(response: Response) -> Value {
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(response.headers().contains_key("retry-after"));
    let told = body(response).await;
    assert_eq!(told["error"]["code"], "unavailable");
    told["error"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_service_on_a_data_folder_is_refused_and_commands_are_not() {
    let service = Service::start(Launch::new());
    let folder = service.process.data_dir().to_owned();
    let second = Launch::new()
        .env(VARIABLE, service.traces.mark())
        .data_dir(&folder)
        .prepare();
    let asked = Instant::now();
    let refused = second.run(&["serve"]);
    let text = complaint(&refused);
    assert_eq!(refused.status.code(), Some(1), "{text}");
    assert!(text.contains(&folder.display().to_string()), "{text}");
    let holder = service.process.pid().unwrap().to_string();
    assert!(text.contains(&holder), "{text}");
    // Half a second of patience, and a busy machine.
    assert!(asked.elapsed() < Duration::from_secs(10));
    for command in [
        &["keys", "list", "--email", "owner@localhost.localdomain"][..],
        &["verify-grades"],
        &["migrate"],
    ] {
        let done = second.run(command);
        assert!(done.status.success(), "{command:?}: {}", complaint(&done));
    }
    let made = create(&service.process, &service.key).await;
    assert_eq!(made.status(), StatusCode::CREATED);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_service_leaves_its_folder_to_the_next() {
    let mut service = Service::start(Launch::new());
    assert!(service.process.data_dir().join("RUNNING").exists());
    service.process.kill();
    service.process.restart();
    let text = service.process.stderr();
    assert!(text.contains("did not end in order"), "{text}");
    assert!(service.process.terminate().success());
    assert!(!service.process.data_dir().join("RUNNING").exists());
}

/// Another process that writes.
#[allow(
    clippy::disallowed_methods,
    reason = "another process does not ask our store for a connection"
)]
fn lock(process: &LyceumProcess) -> SqliteConnection {
    let file = process.data_dir().join("lyceum.db");
    let mut other = SqliteConnection::establish(&file.to_string_lossy()).unwrap();
    other
        .batch_execute("PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE")
        .unwrap();
    other
}

#[tokio::test(flavor = "multi_thread")]
async fn a_short_lock_of_another_process_is_waited_for() {
    let service = Service::start(Launch::new());
    let mut other = lock(&service.process);
    let holding = tokio::task::spawn_blocking(move || {
        std::thread::sleep(Duration::from_millis(1500));
        other.batch_execute("COMMIT").unwrap();
    });
    let made = create(&service.process, &service.key).await;
    assert_eq!(made.status(), StatusCode::CREATED);
    holding.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_lock_of_another_process_is_unavailable_and_never_an_error() {
    let service = Service::start(Launch::new());
    let mut other = lock(&service.process);
    let asked = Instant::now();
    let (first, second) = tokio::join!(
        create(&service.process, &service.key),
        create(&service.process, &service.key)
    );
    assert!(asked.elapsed() >= Duration::from_secs(5));
    unavailable(first).await;
    unavailable(second).await;
    let read = send(&service.process, &service.key, Method::GET, "/v1/courses").await;
    assert_eq!(read.status(), StatusCode::OK);
    other.batch_execute("COMMIT").unwrap();
    let made = create(&service.process, &service.key).await;
    assert_eq!(made.status(), StatusCode::CREATED);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_almost_full_disk_is_said_to_be_and_reading_and_deleting_go_on() {
    let traces = NoTraces::expected();
    let folder = TempDir::new().unwrap();
    let launch = || {
        Launch::new()
            .env(VARIABLE, traces.mark())
            .data_dir(folder.path().join("data"))
    };
    let mut roomy = launch().start();
    let key = printed_key(&roomy.stdout()).unwrap();
    let course = body(create(&roomy, &key).await).await;
    assert!(roomy.terminate().success());
    let course = format!("/v1/courses/{}", course["id"].as_str().unwrap());
    // More than any disk has.
    let full = launch().env("LYCEUM_MIN_FREE_MIB", "4294967295").start();
    let told = unavailable(create(&full, &key).await).await;
    let message = told["message"].as_str().unwrap();
    assert!(message.contains("almost full"), "{message}");
    let ready = body(send(&full, &key, Method::GET, "/readyz").await).await;
    assert_eq!(
        ready,
        json!({"status": "degraded", "reason": "disk_almost_full"})
    );
    let read = send(&full, &key, Method::GET, &course).await;
    assert_eq!(read.status(), StatusCode::OK);
    let deleted = send(&full, &key, Method::DELETE, &course).await;
    assert!(deleted.status().is_success(), "{}", deleted.status());
}
