//! `lyceum doctor`: where nothing is, where all is well, and where something is wrong.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::thread;

use rstest::rstest;
use serde_json::Value;
use support::binary::{Launch, LyceumProcess};
use support::stores::Database;

use crate::service::{Service, place};
use crate::traces::{NoTraces, VARIABLE};

/// How it ended, and what it said.
fn asked(process: &LyceumProcess, more: &[&str]) -> (Option<i32>, Value) {
    let arguments: Vec<&str> = ["doctor", "--json"].iter().chain(more).copied().collect();
    let output = process.run(&arguments);
    let told = serde_json::from_slice(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    let told: Value = told.unwrap_or_else(|error| panic!("{error}: {complaint}"));
    for one in told["findings"].as_array().unwrap() {
        let (says, mend) = (one["says"].as_str(), one["mend"].as_str());
        assert!(says.is_some_and(|says| !says.is_empty()), "{one}");
        let needs_mending = one["verdict"] != "fine";
        assert_eq!(
            mend.is_some_and(|mend| !mend.is_empty()),
            needs_mending,
            "{one}"
        );
    }
    (output.status.code(), told)
}

/// What was found to be wrong, by its id.
fn problems(told: &Value) -> Vec<&str> {
    let findings = told["findings"].as_array().unwrap().iter();
    let wrong = findings.filter(|one| one["verdict"] == "problem");
    wrong.map(|one| one["id"].as_str().unwrap()).collect()
}

/// Those that are about the machine that the test happens to run on.
fn of_this_machine(id: &str) -> bool {
    ["disk", "open_files", "clock", "database_setting"].contains(&id)
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_fresh_service_is_well(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let service = Service::start(place(Launch::new(), database));
    let (_, told) = asked(&service.process, &[]);
    let mut wrong = problems(&told);
    wrong.retain(|id| !of_this_machine(id));
    assert!(wrong.is_empty(), "{told}");
    let findings = told["findings"].as_array().unwrap();
    let fine = |id: &str| {
        findings
            .iter()
            .any(|one| one["id"] == id && one["verdict"] == "fine")
    };
    for id in [
        "data_folder",
        "master_key",
        "files",
        "database",
        "tables",
        "sealed",
        "jobs",
        "service",
        "ai_provider",
    ] {
        assert!(fine(id), "{id}: {told}");
    }
}

#[test]
fn where_nothing_is_set_up_it_says_so_and_makes_nothing() {
    let traces = NoTraces::expected();
    let process = Launch::new().env(VARIABLE, traces.mark()).prepare();
    let (_, told) = asked(&process, &[]);
    let mut wrong = problems(&told);
    wrong.retain(|id| !of_this_machine(id));
    assert!(wrong.is_empty(), "{told}");
    assert!(!process.data_dir().exists());
}

#[test]
fn whoever_else_has_the_address_is_not_taken_for_the_service() {
    let traces = NoTraces::expected();
    let process = Launch::new().env(VARIABLE, traces.mark()).prepare();
    let stranger = TcpListener::bind(process.address()).unwrap();
    let answering = thread::spawn(move || {
        let (mut call, _) = stranger.accept().unwrap();
        let mut asked = [0; 1024];
        let length = call.read(&mut asked).unwrap();
        let answer = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        call.write_all(answer).unwrap();
        String::from_utf8_lossy(&asked[..length]).into_owned()
    });
    let (code, told) = asked(&process, &[]);
    assert_eq!(code, Some(1));
    assert!(problems(&told).contains(&"service"), "{told}");
    assert!(answering.join().unwrap().starts_with("GET /readyz "));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_named_and_so_is_the_way_out_and_no_key_is_shown() {
    let service = Service::on(Database::Sqlite);
    let key = service.process.data_dir().join("master.key");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    let empty = service.process.data_dir().join("no-backups");
    fs::create_dir(&empty).unwrap();
    let (code, told) = asked(
        &service.process,
        &[
            "--backup-dir",
            empty.to_str().unwrap(),
            "--public-url",
            "http://lyceum.example",
            "--ai-provider",
            "openai",
            "--ai-model",
            "m",
            "--ai-api-key",
            "sk-hush",
            "--ai-base-url",
            "http://127.0.0.1:9/v1",
        ],
    );
    assert_eq!(code, Some(1));
    assert_eq!(told["well"], false);
    let mut wrong = problems(&told);
    wrong.retain(|id| !of_this_machine(id));
    assert_eq!(
        wrong,
        ["master_key", "backup", "public_url", "ai_provider"],
        "{told}"
    );
    assert!(!told.to_string().contains("sk-hush"));
    let chmod = told["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["id"] == "master_key");
    assert!(
        chmod.unwrap()["mend"]
            .as_str()
            .unwrap()
            .starts_with("chmod 600")
    );
    fs::write(&key, "ab".repeat(32)).unwrap();
    let (_, told) = asked(&service.process, &[]);
    assert!(problems(&told).contains(&"sealed"), "{told}");
}
