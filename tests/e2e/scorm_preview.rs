//! Looking at a package in a real browser before it is uploaded: what a teacher sees of what an LMS would record.

use lyceum_wire::exporting::scorm::{CreateScormPackage, ScormVersionWord};
use rstest::rstest;
use serde_json::{Value, json};
use support::binary::Launch;
use tempfile::TempDir;

use crate::node::{self, Programs};
use crate::scorm::cohort;
use crate::service::{SOON, Service};

/// Names of what is reported, in either edition.
fn names(version: ScormVersionWord) -> [&'static str; 3] {
    match version {
        ScormVersionWord::V12 => [
            "cmi.core.lesson_status",
            "cmi.core.score.raw",
            "cmi.core.lesson_location",
        ],
        ScormVersionWord::V2004 => ["cmi.completion_status", "cmi.score.raw", "cmi.location"],
    }
}

/// What the browser saw of a package of this version.
async fn seen(version: ScormVersionWord) -> Value {
    let service = Service::start(Launch::new());
    let client = service.client();
    let wanted = CreateScormPackage {
        cohort_id: cohort(&client).await,
        version: Some(version),
        ..CreateScormPackage::default()
    };
    let package = client.scorm().create(&wanted).await.unwrap();
    let package = client.scorm().wait(&package.id).within(SOON).await.unwrap();
    let folder = TempDir::new().unwrap();
    let archive = folder.path().join("course.zip");
    client
        .download(&package.download_url.unwrap(), &archive)
        .await
        .unwrap();
    let programs = Programs::of("scorm_player");
    let mut command = programs.command("preview.mjs", &service.traces);
    let looked = node::output(command.arg(package.preview_url.unwrap()).arg(archive));
    let complaint = String::from_utf8_lossy(&looked.stderr);
    let report = serde_json::from_slice(&looked.stdout);
    report.unwrap_or_else(|error| panic!("{error}: {complaint}"))
}

fn calls(report: &Value, moment: &str) -> u64 {
    report[moment]["calls"].as_u64().unwrap()
}

#[rstest]
#[case::v1_2(ScormVersionWord::V12)]
#[case::v2004(ScormVersionWord::V2004)]
#[tokio::test(flavor = "multi_thread")]
async fn a_preview_shows_what_an_lms_would_record(#[case] version: ScormVersionWord) {
    let report = seen(version).await;
    for empty in ["errors", "outside", "refused", "violations", "axe"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    assert_eq!(report["title"], "Keeping food cold");
    let [status, score, location] = names(version);
    let value = |moment: &str, name: &str| report[moment]["values"][name].clone();
    assert_eq!(value("opened", status), "Incomplete", "{report:#}");
    assert_eq!(value("begun", score), "None yet", "{report:#}");
    // Coming back finds the place and adds to what was there.
    assert_eq!(value("returned", location), value("begun", location));
    assert!(calls(&report, "returned") > calls(&report, "begun"));

    let done = match version {
        ScormVersionWord::V12 => "Passed",
        ScormVersionWord::V2004 => "Completed",
    };
    assert_eq!(value("finished", status), done, "{report:#}");
    assert_eq!(value("finished", score), "100 of 100", "{report:#}");
    let answers = report["finished"]["answers"].as_array().unwrap();
    let right = answers.iter().filter(|answer| **answer == "correct");
    assert!(right.clone().count() >= 3, "{report:#}");
    // A reflection has no right answer.
    let neutral = answers.iter().filter(|answer| **answer == "neutral");
    assert_eq!(right.count() + neutral.count(), answers.len(), "{report:#}");
    assert!(report["finished"]["objectives"].as_u64() > Some(0));
    // The player keeps to every rule of the edition.
    assert_eq!(report["finished"]["faults"], json!([]), "{report:#}");

    // A reload goes on; a review writes nothing; starting over forgets.
    assert_eq!(value("reloaded", status), done, "{report:#}");
    let asked = report["reviewed"]["review"].as_array().unwrap();
    assert!(asked.contains(&json!("GetValue")), "{report:#}");
    assert!(!asked.contains(&json!("SetValue")), "{report:#}");
    assert_eq!(value("reviewed", status), done, "{report:#}");
    assert_eq!(value("restarted", status), "Incomplete", "{report:#}");
    assert_eq!(report["restarted"]["answers"], json!([]), "{report:#}");
    // What the course said a moment later did not take the word from it.
    let heard = report["heard"].as_array().unwrap();
    assert!(heard.contains(&json!("Started over.")), "{report:#}");

    assert_eq!(report["phone_report"], false, "closed at first on a phone");
    assert_eq!(report["phone_overflow"], 0);
}
