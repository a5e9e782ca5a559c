//! A whole school at the same moment: everybody who comes gets what they came for, on one node and on two.

use std::io::{Cursor, Read};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use support::stores::Database;
use zip::ZipArchive;

use crate::api::{Outcome, Write};
use crate::figures::by_length;
use crate::scene::{Scene, Staging};

/// So many at once: two classes, or five hundred who open the lesson at nine.
fn crowd_size() -> usize {
    by_length(100, 500)
}

#[rstest]
#[case::on_sqlite(Database::Sqlite, 1)]
#[case::on_one_node(Database::Postgres, 1)]
#[case::on_two_nodes(Database::Postgres, 2)]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nobody_is_turned_away(#[case] database: Database, #[case] nodes: usize) {
    let staging = Staging {
        nodes,
        ..Staging::new("crowds", database)
    };
    let mut scene = staging.open().await;
    let size = crowd_size();
    let school = School::open(&scene, size).await;
    let course = format!("/v1/courses/{}", school.course);
    comes(&mut scene, "enrolled", size, |n| {
        let body = json!({"user_id": school.students[n]});
        Write::post(
            &format!("/v1/cohorts/{}/students", school.open),
            body,
            &key("enrol", n),
        )
    })
    .await;
    comes(&mut scene, "placed", size, |n| {
        let body = json!({"user_id": school.students[n]});
        Write::post(
            &format!("/v1/cohorts/{}/students", school.full),
            body,
            &key("place", n),
        )
    })
    .await;
    let launch = launch_of(&scene, &school.package).await;
    comes(&mut scene, "launched", size, |n| {
        let mut body = launch.clone();
        body["learner"] = json!({"id": format!("learner {n}"), "name": "Ana"});
        body["nonce"] = json!(format!("{n:0>16}"));
        Write::post(
            &format!("/v1/scorm/{}/sessions", school.package),
            body,
            &key("launch", n),
        )
    })
    .await;
    comes(&mut scene, "handed_in", size, |n| {
        let body = json!({
            "assignment_id": school.assignment, "user_id": school.students[n],
            "content": {"type": "text", "text": "Within ninety minutes."}, "draft": false,
        });
        Write::post("/v1/submissions", body, &key("hand-in", n))
    })
    .await;
    comes(&mut scene, "changed", size, |n| Write {
        method: Method::PATCH,
        ..Write::post(
            &course,
            json!({"metadata": {format!("k{}", n % 40): n}}),
            &key("change", n),
        )
    })
    .await;
    comes(&mut scene, "added", size, |n| {
        let body = json!({"course_id": school.course, "name": format!("Unit {n}")});
        Write::post("/v1/units", body, &key("add", n))
    })
    .await;
    let graded = format!("/v1/submissions/{}/grade", school.submission);
    comes(&mut scene, "graded", size.min(100), |n| {
        Write::post(&graded, json!({"score": n % 100}), &key("grade", n))
    })
    .await;
    for (cohort, students) in [(&school.open, 2 * size), (&school.full, size)] {
        let cohort = scene.api.get(&format!("/v1/cohorts/{cohort}")).await;
        assert_eq!(cohort["student_count"], json!(students));
    }
    let late = json!({"email": "late@school.example"});
    let late = Write::post(
        &format!("/v1/cohorts/{}/students", school.full),
        late,
        "late",
    );
    assert!(matches!(scene.api.write(0, &late).await, Outcome::Answered(it) if it.status == 409));
    let grades = format!("/v1/submissions/{}/grades", school.submission);
    assert_eq!(scene.api.walk(&grades).await.len(), size.min(100));
}

/// A key for each, so that a retry would not count twice.
fn key(what: &str, n: usize) -> String {
    format!("{what}-{n}")
}

/// Sends all of them at once, to all nodes by turns; all must be done.
async fn comes(scene: &mut Scene, what: &str, size: usize, write: impl Fn(usize) -> Write) {
    let sending = (0..size).map(|n| {
        let (api, write) = (scene.api.clone(), write(n));
        tokio::spawn(async move {
            let begun = Instant::now();
            (api.write(n, &write).await, begun.elapsed())
        })
    });
    let (mut took, mut refused) = (Vec::new(), Vec::new());
    for one in join_all(sending).await {
        let (outcome, time) = one.unwrap();
        took.push(time);
        match outcome {
            Outcome::Answered(reply) if reply.is_success() => {}
            other => refused.push(format!("{other:?}")),
        }
    }
    took.sort_unstable();
    let at = |percent: usize| took[(took.len() - 1) * percent / 100];
    let millis = |time: Duration| usize::try_from(time.as_millis()).unwrap();
    scene.figures.add(&format!("{what}_p50_ms"), millis(at(50)));
    scene.figures.add(&format!("{what}_p99_ms"), millis(at(99)));
    eprintln!("{what}: {size} at once, p50 {:?}, p99 {:?}", at(50), at(99));
    let some = refused.iter().take(3).collect::<Vec<_>>();
    assert!(
        refused.is_empty(),
        "{what}: {} of {size} refused: {some:?}",
        refused.len()
    );
}

/// What a crowd needs to be there before it comes.
struct School {
    course: String,
    assignment: String,
    /// A cohort that lets everybody in, with a package.
    open: String,
    /// One with just as many places as come.
    full: String,
    package: String,
    students: Vec<String>,
    submission: String,
}

impl School {
    async fn open(scene: &Scene, size: usize) -> Self {
        let api = &scene.api;
        let course = api
            .make("/v1/courses", json!({"name": "Food", "language": "en"}))
            .await;
        let unit = json!({"course_id": course, "name": "Cooling"});
        let unit_id = api.make("/v1/units", unit).await;
        let lesson = json!({"unit_id": unit_id, "name": "Cold", "content": "Keep it cold."});
        api.make("/v1/lessons", lesson).await;
        let assignment = json!({"course_id": course, "name": "Plan"});
        let assignment = api.make("/v1/assignments", assignment).await;
        api.made(&format!("/v1/courses/{course}/publish"), json!({}))
            .await;
        let open = json!({"course_id": course, "name": "Everybody"});
        let open = api.make("/v1/cohorts", open).await;
        api.made(&format!("/v1/cohorts/{open}/start"), json!({}))
            .await;
        let full = json!({"course_id": course, "name": "Counted", "capacity": size});
        let full = api.make("/v1/cohorts", full).await;
        let package = api.make("/v1/scorm", json!({"cohort_id": open})).await;
        let mut students = Vec::new();
        for n in 0..size {
            let student = json!({"email": format!("student-{n}@school.example")});
            students.push(api.make("/v1/users", student).await);
        }
        let teacher = json!({"email": "graded@school.example"});
        let teacher = api.make("/v1/users", teacher).await;
        let submission = json!({
            "assignment_id": assignment, "user_id": teacher,
            "content": {"type": "text", "text": "Everybody grades this."}, "draft": false,
        });
        let submission = api.make("/v1/submissions", submission).await;
        Self {
            course,
            assignment,
            open,
            full,
            package,
            students,
            submission,
        }
    }
}

/// What the player inside a package sends, but for the learner and the nonce.
async fn launch_of(scene: &Scene, package: &str) -> Value {
    let start = Instant::now();
    let address = loop {
        let package = scene.api.get(&format!("/v1/scorm/{package}")).await;
        match package["status"].as_str() {
            Some("ready") => break package["download_url"].as_str().unwrap().to_owned(),
            Some("pending") => assert!(start.elapsed() < scene.patience, "never exported"),
            other => panic!("{other:?}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let archive = reqwest::get(&address).await.unwrap().bytes().await.unwrap();
    let mut archive = ZipArchive::new(Cursor::new(archive.to_vec())).unwrap();
    let mut text = String::new();
    let mut file = archive.by_name("content/service.js").unwrap();
    file.read_to_string(&mut text).unwrap();
    let (_, document) = text.split_once("\"service\",\"service\",").unwrap();
    let service: Value = serde_json::from_str(document.trim_end().trim_end_matches(");")).unwrap();
    json!({
        "launch_key": service["key"],
        "lms": {"version": "2004", "origin": "https://lms.example", "title": "Campus"},
    })
}
