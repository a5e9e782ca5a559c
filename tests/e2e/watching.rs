//! What an operator sees of a service that runs: its metrics, and a line for each request.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};

use lyceum_client::ClientError;
use lyceum_wire::authoring::courses::CreateCourse;
use serde_json::{Value, json};
use support::binary::Launch;
use support::stores::Database;

use crate::service::{Service, place};

/// An address that nobody has.
fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
}

/// What a scrape says.
pub fn metrics(admin: SocketAddr) -> String {
    let mut connection = TcpStream::connect(admin).unwrap();
    connection
        .write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut text = String::new();
    connection.read_to_string(&mut text).unwrap();
    text
}

/// The names that a scrape tells.
fn told(text: &str) -> BTreeSet<&str> {
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    types.filter_map(|line| line.split(' ').next()).collect()
}

/// The names in the handbook's table.
fn documented() -> BTreeSet<String> {
    let handbook = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/operations.md");
    let page = std::fs::read_to_string(handbook).unwrap();
    let (_, section) = page.split_once("\n## Watching it\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| row.split('`').next())
        .map(str::to_owned)
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_metrics_are_those_of_the_handbook_and_move() {
    for database in [Database::Sqlite, Database::Postgres] {
        let admin = free_address();
        let launch = Launch::new().env("LYCEUM_ADMIN_ADDR", admin.to_string());
        let service = Service::start(place(launch, database));
        let course = CreateCourse {
            name: "Cooling".to_owned(),
            language: "en".to_owned(),
            ..CreateCourse::default()
        };
        service.client().courses().create(&course).await.unwrap();
        let text = metrics(admin);
        let documented = documented();
        let told = told(&text);
        for name in &told {
            assert!(documented.contains(*name), "{name} is not in the handbook");
        }
        // Nothing is told of AI before it was asked for the first time.
        let silent = documented
            .iter()
            .filter(|name| !name.starts_with("lyceum_ai_") && !told.contains(name.as_str()));
        assert_eq!(silent.collect::<Vec<_>>(), Vec::<&String>::new());
        let has = |start: &str| {
            let line = text.lines().find(|line| line.starts_with(start));
            let value = line.and_then(|line| line.rsplit(' ').next()).unwrap_or("0");
            assert!(value.parse::<f64>().unwrap() > 0.0, "{start}: {value}");
        };
        has("lyceum_http_requests_total{method=\"POST\",route=\"/v1/courses\",status=\"201\"}");
        has("lyceum_http_request_duration_seconds_count{method=\"POST\",route=\"/v1/courses\"}");
        has("lyceum_store_commit_duration_seconds_count");
        has("lyceum_store_pool_wait_seconds_count");
        has("lyceum_disk_free_bytes");
        has("process_resident_memory_bytes");
        assert!(
            text.contains("lyceum_jobs_waiting{lane=\"ai\"} 0"),
            "{text}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_request_is_a_line_that_says_who_asked_for_what_and_how_it_went() {
    let mut service = Service::start(Launch::new().env("LYCEUM_LOG_FORMAT", "json"));
    let me: Value = service.client().get("/v1/me").await.unwrap();
    let missing: Result<Value, ClientError> = service.client().get("/v1/courses/crs_nothing").await;
    missing.unwrap_err();
    service.process.terminate();
    let log = service.process.stderr();
    let lines = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let requests: Vec<Value> = lines
        .filter(|line| line["target"] == "lyceum::access")
        .collect();
    let of = |route: &str| requests.iter().find(|line| line["route"] == route).unwrap();
    let asked = of("/v1/me");
    assert_eq!(asked["key"], me["key"]["id"]);
    assert_eq!(
        (&asked["method"], &asked["status"]),
        (&json!("GET"), &json!(200))
    );
    assert!(asked["request_id"].as_str().unwrap().starts_with("req_"));
    assert!(asked["duration_ms"].as_f64().unwrap() > 0.0);
    let refused = of("/v1/courses/{id}");
    assert_eq!(refused["status"], 404);
    assert!(
        refused["workspace"].as_str().unwrap().starts_with("wsp_"),
        "{refused}"
    );
    assert!(!log.contains("crs_nothing"), "paths may quote anything");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lines_of_requests_can_be_left_out() {
    let launch = Launch::new().env("LYCEUM_LOG", "info,lyceum::access=warn");
    let mut service = Service::start(launch);
    let _: Value = service.client().get("/v1/me").await.unwrap();
    service.process.terminate();
    let log = service.process.stderr();
    assert!(
        log.contains("listening") && !log.contains("lyceum::access"),
        "{log}"
    );
}
