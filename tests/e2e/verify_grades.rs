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
