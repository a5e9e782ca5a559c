//! Starting, stopping and starting again.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use lyceum_domain::identity::keys::{ApiKeySecret, KeyKind};
use lyceum_wire::authoring::courses::CreateCourse;
use rstest::rstest;
use serde_json::{Value, json};
use support::binary::Launch;
use support::stores::Database;

use crate::service::{Service, client, place, printed_key};
use crate::traces::{NoTraces, VARIABLE};

/// What an operator's supervisor waits before it kills.
const GRACE: Duration = Duration::from_secs(35);

fn knives() -> CreateCourse {
    CreateCourse {
        name: "Knife skills".to_owned(),
        language: "en".to_owned(),
        ..CreateCourse::default()
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn the_first_start_shows_its_key_once_and_a_restart_keeps_the_data(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut service = Service::on(database);
    let client = service.client();
    let live: Value = client.get("/healthz").await.unwrap();
    let ready: Value = client.get("/readyz").await.unwrap();
    assert_eq!(
        (live, ready),
        (json!({"status": "ok"}), json!({"status": "ready"}))
    );
    let course = client.courses().create(&knives()).await.unwrap();
    assert!(service.process.terminate().success());
    service.process.restart();
    assert_eq!(client.courses().retrieve(&course.id).await.unwrap(), course);
    let printed = service.process.stdout();
    assert_eq!(printed.matches("lyc_").count(), 1, "{printed}");
    assert_eq!(printed.matches("First start").count(), 1, "{printed}");
    assert!(
        !service.process.stderr().contains("lyc_"),
        "a key was logged"
    );
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_key_given_by_the_operator_is_the_first_key(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let traces = NoTraces::expected();
    let mut byte = 0_u8;
    let key = ApiKeySecret::mint(KeyKind::Standard, &mut |bytes| {
        for place in bytes {
            byte = byte.wrapping_add(7);
            *place = byte;
        }
    });
    let launch = Launch::new()
        .env(VARIABLE, traces.mark())
        .env("LYCEUM_BOOTSTRAP_API_KEY", key.reveal());
    let process = place(launch, database).start();
    let me = client(&process, key.reveal(), "main").me().await.map(drop);
    assert!(me.is_ok(), "{me:?}");
    assert!(
        !process.stdout().contains(key.reveal()),
        "{}",
        process.stdout()
    );
    assert_eq!(printed_key(&process.stdout()), None);
    // Nor does anything else let in that stands where logs go.
    assert!(!process.stdout().contains("sgn_"), "{}", process.stdout());
}

#[test]
fn the_master_key_is_its_owners_alone() {
    let service = Service::start(Launch::new());
    let file = service.process.data_dir().join("master.key");
    let mode = fs::metadata(file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "{mode:o}");
}

#[test]
fn an_idle_service_stops_at_once() {
    let mut service = Service::start(Launch::new());
    let asked = Instant::now();
    let status = service.process.terminate();
    assert_eq!(status.code(), Some(0), "{status}");
    assert!(
        asked.elapsed() < Duration::from_secs(5),
        "{:?}",
        asked.elapsed()
    );
}

#[test]
fn a_stalled_upload_does_not_keep_the_service_from_stopping() {
    let mut service = Service::start(Launch::new());
    let mut upload = TcpStream::connect(service.process.address()).unwrap();
    let head = format!(
        "POST /v1/courses HTTP/1.1\r\nHost: lyceum\r\nx-api-key: {}\r\n\
         x-learning-platform-code: main\r\nContent-Type: application/json\r\n\
         Content-Length: 1000\r\n\r\n{{\"name\":",
        service.key
    );
    upload.write_all(head.as_bytes()).unwrap();
    let asked = Instant::now();
    let status = service.process.terminate();
    assert_eq!(status.code(), Some(0), "{status}");
    assert!(asked.elapsed() < GRACE, "{:?}", asked.elapsed());
}
