//! `lyceum verify-grades`: what it prints and how it ends.

use serde_json::{Value, json};
use support::stores::Database;
use support::tampering::tamper;

use crate::service::Service;
use crate::webhooks::graded;

#[tokio::test(flavor = "multi_thread")]
async fn what_was_changed_behind_the_services_back_is_printed_and_fails() {
    let service = Service::on(Database::Sqlite);
    let submission = graded(&service.client()).await;
    let verify = |more: &[&str]| {
        let arguments: Vec<&str> = ["verify-grades"].iter().chain(more).copied().collect();
        let output = service.process.run(&arguments);
        let printed = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), printed)
    };
    let sound = "1 submissions, 1 records (0 unsealed, 0 erased), 0 broken\n";
    assert_eq!(verify(&[]), (Some(0), sound.to_owned()));
    assert_eq!(
        verify(&["--workspace", "nowhere"]),
        (Some(1), String::new())
    );
    let elsewhere = service.process.data_dir().join("elsewhere");
    let mistyped = ["--data-dir", elsewhere.to_str().unwrap()];
    assert_eq!(verify(&mistyped), (Some(1), String::new()));
    assert!(!elsewhere.exists(), "a check makes nothing");
    let file = service.process.data_dir().join("lyceum.db");
    let url = format!("sqlite://{}", file.display());
    tamper(&url, "UPDATE grades SET answer = '{}'");
    let (code, printed) = verify(&["--workspace", "main", "--submission", &submission]);
    assert_eq!(code, Some(1));
    let lines: Vec<&str> = printed.lines().collect();
    assert!(
        lines[0].contains(&submission) && lines[0].ends_with("record 1  answer_changed"),
        "{printed}"
    );
    assert_eq!(
        lines[1],
        "1 submissions, 1 records (0 unsealed, 0 erased), 1 broken"
    );
    let (code, printed) = verify(&["--json"]);
    let told: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((code, &told["holds"]), (Some(1), &json!(false)));
    let broken = &told["broken"][0];
    assert_eq!(broken["submission_id"], json!(submission));
    assert_eq!(broken["first_broken"]["reason"], "answer_changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn certificates_in_a_file_are_made_again_without_a_database() {
    let service = Service::on(Database::Sqlite);
    let folder = service.process.data_dir();
    let nowhere = folder.join("nowhere");
    let verify = |records: &Value| {
        let file = folder.join("records.json");
        std::fs::write(&file, records.to_string()).unwrap();
        let named = [&nowhere, &file].map(|path| path.to_str().unwrap().to_owned());
        let output = service.process.run(&[
            "verify-grades",
            "--data-dir",
            &named[0],
            "--records",
            &named[1],
        ]);
        let printed = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), printed)
    };
    let nothing = "0".repeat(64);
    let mut shown = json!({
        "object": "certificate_records", "format": "lyceum-release-1", "assignment_id": "asg_1",
        "head": {"sequence": 0, "hash": nothing}, "records": [], "declarations": [],
    });
    let (code, printed) = verify(&shown);
    assert_eq!(code, Some(0), "{printed}");
    assert!(
        printed.starts_with("asg_1  certificates  0 records hold"),
        "{printed}"
    );
    shown["head"]["sequence"] = json!(1);
    let (code, printed) = verify(&shown);
    assert_eq!(
        (code, printed.as_str()),
        (Some(1), "asg_1  certificates  record 1  link_broken\n")
    );
    shown["format"] = json!("lyceum-release-9");
    assert_eq!(verify(&shown), (Some(1), String::new()));
    assert_eq!(verify(&json!({"object": "list"})), (Some(1), String::new()));
    assert!(!nowhere.exists(), "no database is opened");
}
