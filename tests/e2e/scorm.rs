//! A course from its brief to a learner's screen: built over HTTP, packed, played in a browser by an LMS.

use std::fs;
use std::path::Path;

use lyceum_client::Client;
use lyceum_wire::authoring::courses::CreateCourse;
use lyceum_wire::authoring::lessons::CreateLesson;
use lyceum_wire::authoring::units::CreateUnit;
use lyceum_wire::drafting::generations::StartSyllabus;
use lyceum_wire::exporting::scorm::{CreateScormPackage, ScormVersionWord};
use lyceum_wire::learning::cohorts::CreateCohort;
use rstest::rstest;
use serde_json::{Value, json};
use support::binary::Launch;
use tempfile::TempDir;

use crate::node::{self, Programs};
use crate::service::{SOON, Service};
use crate::traces::NoTraces;

/// A course drafted by the built-in engine, with a lesson and a quiz by hand, and a cohort of it.
pub async fn cohort(client: &Client) -> String {
    let course = CreateCourse {
        name: "Keeping food cold".to_owned(),
        language: "en".to_owned(),
        ..CreateCourse::default()
    };
    let course = client.courses().create(&course).await.unwrap().id;
    let syllabus = StartSyllabus {
        brief: Some("Cooling soup; storing leftovers".to_owned()),
        hours: Some(1),
        ..StartSyllabus::default()
    };
    let generation = client
        .courses()
        .generate_syllabus(&course, &syllabus)
        .await
        .unwrap();
    let generation = client
        .generations()
        .wait(&generation.id)
        .within(SOON)
        .await
        .unwrap();
    assert_eq!(generation.status, "ready", "{:?}", generation.error);
    let unit = CreateUnit {
        course_id: course.clone(),
        name: "Thermometers & <probes>".to_owned(),
        ..CreateUnit::default()
    };
    let lesson = CreateLesson {
        unit_id: client.units().create(&unit).await.unwrap().id,
        name: "Reading a probe".to_owned(),
        content: Some("Wait *five* seconds.\n\n<script>alert(1)</script>".to_owned()),
        ..CreateLesson::default()
    };
    let lesson = client.lessons().create(&lesson).await.unwrap().id;
    let quiz = json!({
        "lesson_id": lesson, "kind": "quiz", "name": "Check yourself", "content": {
            "questions": [
                {"type": "single_choice", "prompt": "Cold enough?",
                 "options": [{"text": "4 °C", "correct": true}, {"text": "14 °C"}]},
                {"type": "true_false", "prompt": "Probes are cleaned.", "answer": true},
                {"type": "numeric", "prompt": "How many seconds?", "answer": 5},
            ],
            "passing_percent": 60,
        },
    });
    client
        .post::<_, Value>("/v1/activities", &quiz)
        .await
        .unwrap();
    let cohort = CreateCohort {
        course_id: course,
        name: "Spring".to_owned(),
        ..CreateCohort::default()
    };
    client.cohorts().create(&cohort).await.unwrap().id
}

/// Plays a package to its end and returns what the LMS knows of it.
pub fn play(package: &Path, version: &str, traces: &NoTraces) -> Value {
    let programs = Programs::of("scorm_player");
    let played = node::output(
        programs
            .command("play.mjs", traces)
            .arg(package)
            .arg(version),
    );
    let complaint = String::from_utf8_lossy(&played.stderr);
    let report = serde_json::from_slice(&played.stdout);
    let report: Value = report.unwrap_or_else(|error| panic!("{error}: {complaint}"));
    assert!(played.status.success(), "{report:#} {complaint}");
    report
}

#[rstest]
#[case::v1_2(ScormVersionWord::V12, "1.2")]
#[case::v2004(ScormVersionWord::V2004, "2004")]
#[tokio::test(flavor = "multi_thread")]
async fn an_exported_course_is_completed_in_a_browser(
    #[case] version: ScormVersionWord,
    #[case] name: &str,
) {
    let service = Service::start(Launch::new());
    let client = service.client();
    let wanted = CreateScormPackage {
        cohort_id: cohort(&client).await,
        version: Some(version),
        ..CreateScormPackage::default()
    };
    let package = client.scorm().create(&wanted).await.unwrap();
    assert_eq!(
        (package.status.as_str(), package.version.as_str()),
        ("pending", name)
    );
    let package = client.scorm().wait(&package.id).within(SOON).await.unwrap();
    assert_eq!(package.status, "ready", "{:?}", package.error);
    let folder = TempDir::new().unwrap();
    let archive = folder.path().join("course.zip");
    // The signed address needs no key.
    let size = client
        .download(&package.download_url.unwrap(), &archive)
        .await
        .unwrap();
    assert_eq!(Some(size), package.size_bytes);
    assert_eq!(fs::metadata(&archive).unwrap().len(), size);

    let report = play(&archive, name, &service.traces);
    let completed = if name == "1.2" { "passed" } else { "completed" };
    let state = if name == "1.2" {
        "lesson_status"
    } else {
        "completion_status"
    };
    assert_eq!(report[state], completed, "{report:#}");
    let score = &report["score_raw"];
    let score = score.as_f64().or_else(|| score.as_str()?.parse().ok());
    assert_eq!(score, Some(100.0), "every answer was right: {report:#}");
    for empty in ["console_errors", "requests_outside", "refused_calls"] {
        assert_eq!(report[empty], json!([]), "{report:#}");
    }
    assert_eq!(report["terminated"], 1, "{report:#}");
}
