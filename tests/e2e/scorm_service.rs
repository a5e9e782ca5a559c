//! A package and the live service, in a browser: one that answers in every mood, and the real one.

use std::path::{Path, PathBuf};

use lyceum_client::Client;
use lyceum_wire::authoring::courses::CreateCourse;
use lyceum_wire::authoring::lessons::CreateLesson;
use lyceum_wire::authoring::units::CreateUnit;
use lyceum_wire::exporting::scorm::CreateScormPackage;
use lyceum_wire::learning::cohorts::CreateCohort;
use rstest::rstest;
use serde_json::{Value, json};
use support::binary::Launch;
use tempfile::TempDir;

use crate::node::{self, Programs};
use crate::service::{SOON, Service};

const WORK: &str = "I divide the stew into shallow containers and cool it in an ice bath, then it goes into the fridge \
                    within 90 minutes, because bacteria multiply quickly between 5 and 63 degrees.";

/// A course with every kind of question and two assignments, in a cohort that runs; ids of the cohort and of the
/// quizzes.
async fn course(client: &Client) -> (String, Vec<String>) {
    let new = CreateCourse {
        name: "Keeping food cold".to_owned(),
        language: "en".to_owned(),
        ..CreateCourse::default()
    };
    let course = client.courses().create(&new).await.unwrap().id;
    let mut quizzes = Vec::new();
    for (unit, questions) in [("Cooling", marked()), ("Storing", arranged())] {
        let new = CreateUnit {
            course_id: course.clone(),
            name: unit.to_owned(),
            ..CreateUnit::default()
        };
        let unit_id = client.units().create(&new).await.unwrap().id;
        let new = CreateLesson {
            unit_id,
            name: format!("{unit} food"),
            content: Some("Bacteria multiply fast between 5 and 63 degrees. Cooled food must pass this zone within 90 minutes.".to_owned()),
            ..CreateLesson::default()
        };
        let lesson = client.lessons().create(&new).await.unwrap().id;
        let quiz = json!({"lesson_id": lesson, "kind": "quiz", "name": "Check yourself", "content": {"questions": questions, "shuffle": true}});
        quizzes.push(made(client, "/v1/activities", &quiz).await);
        let thoughts = json!({"lesson_id": lesson, "kind": "reflection", "name": "Your kitchen", "content": {"prompt": "What would you change?"}});
        made(client, "/v1/activities", &thoughts).await;
        made(client, "/v1/assignments", &assignment(&course, unit)).await;
    }
    client.courses().publish(&course).await.unwrap();
    let new = CreateCohort {
        course_id: course,
        name: "Spring".to_owned(),
        ..CreateCohort::default()
    };
    let cohort = client.cohorts().create(&new).await.unwrap().id;
    client.cohorts().start(&cohort).await.unwrap();
    (cohort, quizzes)
}

async fn made(client: &Client, path: &str, new: &Value) -> String {
    let made: Value = client.post(path, new).await.unwrap();
    made["id"].as_str().unwrap().to_owned()
}

fn marked() -> Value {
    json!([
        {"type": "single_choice", "prompt": "Cold enough?", "options": [{"text": "4 °C", "correct": true}, {"text": "14 °C"}]},
        {"type": "multiple_choice", "prompt": "What helps?", "options": [{"text": "Ice", "correct": true}, {"text": "A lid"}, {"text": "Shallow trays", "correct": true}]},
        {"type": "true_false", "prompt": "20 degrees is safe.", "answer": false},
        {"type": "short_text", "prompt": "What multiplies?", "accepted_answers": ["bacteria"]},
        {"type": "numeric", "prompt": "Within how many minutes?", "answer": 90},
    ])
}

fn arranged() -> Value {
    json!([
        {"type": "cloze", "prompt": "Complete.", "text": "Store {{1}} food below {{2}} food.",
         "blanks": [{"id": "1", "accepted_answers": ["raw"]}, {"id": "2", "accepted_answers": ["cooked"]}]},
        {"type": "ordering", "prompt": "In this order:", "items": ["Cook", "Cool", "Store"]},
        {"type": "matching", "prompt": "What is kept where?", "pairs": [{"left": "Ice", "right": "Freezer"}, {"left": "Milk", "right": "Fridge"}]},
        {"type": "open", "prompt": "Why?"},
    ])
}

fn assignment(course: &str, name: &str) -> Value {
    json!({
        "course_id": course, "name": format!("{name} a stew"), "instructions": "How, and why?", "max_score": 20,
        "ai_evaluator": {"enabled": true}, "human_review": "off",
        "rubric": {"criteria": [{"id": "method", "name": "Method", "max_points": 10, "reference_answers": [WORK]}]},
    })
}

/// Packs the cohort's course as SCORM 2004.
async fn package(client: &Client, cohort: &str, folder: &Path) -> PathBuf {
    let wanted = CreateScormPackage {
        cohort_id: cohort.to_owned(),
        ..CreateScormPackage::default()
    };
    let package = client.scorm().create(&wanted).await.unwrap();
    let package = client.scorm().wait(&package.id).within(SOON).await.unwrap();
    assert_eq!(package.status, "ready", "{:?}", package.error);
    let archive = folder.join("course.zip");
    let address = package.download_url.unwrap();
    client.download(&address, &archive).await.unwrap();
    archive
}

/// Runs a program of the player's and returns the one object that it prints.
fn report(service: &Service, program: &str, arguments: &[&str]) -> Value {
    let programs = Programs::of("scorm_player");
    let ended = node::output(programs.command(program, &service.traces).args(arguments));
    let complaint = String::from_utf8_lossy(&ended.stderr);
    let report = serde_json::from_slice(&ended.stdout);
    report.unwrap_or_else(|error| panic!("{error}: {complaint}"))
}

#[rstest]
#[case::refusals("refusals", 6)]
#[case::outages("outages", 9)]
#[case::promises("promises", 20)]
#[tokio::test(flavor = "multi_thread")]
async fn the_course_is_the_same_whatever_the_service_does(
    #[case] part: &str,
    #[case] at_least: usize,
) {
    let service = Service::start(Launch::new());
    let client = service.client();
    let folder = TempDir::new().unwrap();
    let (cohort, _) = course(&client).await;
    let archive = package(&client, &cohort, folder.path()).await;
    let report = report(&service, "service.mjs", &[archive.to_str().unwrap(), part]);
    let checks = report["checks"].as_object().unwrap();
    assert!(checks.len() >= at_least, "{report:#}");
    for (check, found) in checks {
        assert_eq!(found["fault"], Value::Null, "{check}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_link_to_the_service_is_noticed() {
    let service = Service::start(Launch::new());
    let client = service.client();
    let folder = TempDir::new().unwrap();
    let (cohort, _) = course(&client).await;
    let archive = package(&client, &cohort, folder.path()).await;
    let report = report(
        &service,
        "service.mjs",
        &[archive.to_str().unwrap(), "mutations"],
    );
    let mutations = report["mutations"].as_object().unwrap();
    assert!(mutations.len() >= 12, "{report:#}");
    for (mutation, found) in mutations {
        assert_eq!(found["applies"], true, "{mutation} changes nothing");
        assert!(found["fault"].is_string(), "{mutation} was not noticed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn work_handed_in_inside_a_package_is_graded_and_comes_back() {
    let service = Service::start(Launch::new());
    let client = service.client();
    let folder = TempDir::new().unwrap();
    let (cohort, quizzes) = course(&client).await;
    let archive = package(&client, &cohort, folder.path()).await;
    let question = "Why must food be cooled fast?";
    let arguments = [archive.to_str().unwrap(), WORK, question];
    let seen = report(&service, "service_real.mjs", &arguments);
    assert_eq!(seen["errors"], json!([]), "{seen:#}");
    let grade = seen["grade"].as_str().unwrap();
    assert!(
        grade.contains("19.38 of 20 points") && grade.contains("Method"),
        "{grade}"
    );
    let tutor = seen["tutor"].as_str().unwrap();
    assert!(tutor.contains("within 90 minutes"), "{tutor}");

    // What a teacher sees of it.
    let handed_in = client.submissions().list().collect().await.unwrap();
    assert_eq!(handed_in.len(), 2, "{handed_in:#?}");
    let learner = &handed_in[0].user_id;
    for submission in &handed_in {
        assert_eq!(submission.content.0["text"], WORK);
        assert_eq!(
            (&submission.user_id, submission.cohort_id.as_deref()),
            (learner, Some(cohort.as_str()))
        );
        assert_eq!(submission.status, "graded", "{submission:?}");
    }
    for quiz in &quizzes {
        let attempts: Value = client
            .get(&format!("/v1/activities/{quiz}/attempts"))
            .await
            .unwrap();
        let attempts = attempts["data"].as_array().unwrap();
        assert_eq!(attempts.len(), 1, "{attempts:?}");
        assert_eq!(attempts[0]["percent"], 100, "{attempts:?}");
    }
    let progress: Value = client
        .get(&format!("/v1/cohorts/{cohort}/progress"))
        .await
        .unwrap();
    assert_eq!(progress["data"][0]["percent"], 100, "{progress:#}");

    // The LMS's record alone brought the learner back.
    let students: Value = client
        .get(&format!("/v1/cohorts/{cohort}/students"))
        .await
        .unwrap();
    assert_eq!(
        students["data"].as_array().unwrap().len(),
        1,
        "{students:#}"
    );
}
