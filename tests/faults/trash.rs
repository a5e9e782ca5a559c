//! Thrown away and brought back by many at once while nodes die: whole in its place or whole in the trash, and once.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use support::stores::Database;
use tokio::task::JoinHandle;

use crate::api::{Api, Outcome, Reply, Write};
use crate::figures::by_length;
use crate::scene::{Scene, Staging};

/// Who asks for the same at once.
const ASKERS: usize = 12;
const COURSES: usize = 3;
const STUDENTS: usize = 6;
/// How long a write may be without an answer, over a restart.
const PATIENCE: Duration = Duration::from_secs(90);
const PAUSE: Duration = Duration::from_millis(100);

#[rstest]
#[case::on_sqlite(Database::Sqlite, 1)]
#[case::on_two_nodes(Database::Postgres, 2)]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_is_lost_between_its_place_and_the_trash(
    #[case] database: Database,
    #[case] nodes: usize,
) {
    let staging = Staging {
        nodes,
        ..Staging::new("trash", database)
    };
    let mut scene = staging.open().await;
    let courses = join_all((0..COURSES).map(|n| a_used_course(&scene.api, n))).await;
    let mut before = Vec::new();
    for course in &courses {
        before.push(likeness(&scene.api, course).await);
    }
    for round in 0..by_length(3, 15) {
        let gone = |course: &String| format!("/v1/courses/{course}?force=true");
        let paths = courses.iter().map(gone).collect::<Vec<_>>();
        done_once(&mut scene, Method::DELETE, &paths, round).await;
        let items = scene.api.walk("/v1/trash?object=course").await;
        assert_eq!(items.len(), COURSES, "{items:?}");
        for course in &courses {
            assert_eq!(scene.api.find(&format!("/v1/courses/{course}")).await, None);
        }
        let back = |item: &Value| format!("/v1/trash/{}/restore", item["id"].as_str().unwrap());
        let paths = items.iter().map(back).collect::<Vec<_>>();
        done_once(&mut scene, Method::POST, &paths, round).await;
        assert_eq!(scene.api.walk("/v1/trash").await, Vec::<Value>::new());
        for (course, before) in courses.iter().zip(&before) {
            assert_eq!(&likeness(&scene.api, course).await, before);
        }
        scene.figures.one_more("rounds");
    }
    let rounds = by_length(3, 15);
    for kind in ["course.deleted", "course.restored", "submission.restored"] {
        let told = scene.api.walk(&format!("/v1/events?type={kind}")).await;
        let each = if kind.starts_with("course") {
            1
        } else {
            STUDENTS
        };
        assert_eq!(told.len(), rounds * COURSES * each, "{kind}");
    }
    scene.verdict().await;
}

/// A course with what learners have left in it.
async fn a_used_course(api: &Api, n: usize) -> String {
    let course = json!({"name": format!("Food {n}"), "language": "en"});
    let course = api.make("/v1/courses", course).await;
    let unit = api
        .make("/v1/units", json!({"course_id": course, "name": "Cooling"}))
        .await;
    let lesson = json!({"unit_id": unit, "name": "Cold", "content": "Keep it cold."});
    api.make("/v1/lessons", lesson).await;
    let assignment = json!({"course_id": course, "name": "Plan"});
    let assignment = api.make("/v1/assignments", assignment).await;
    for student in 0..STUDENTS {
        let student = json!({"email": format!("student-{n}-{student}@school.example")});
        let student = api.make("/v1/users", student).await;
        let submission = json!({
            "assignment_id": assignment, "user_id": student, "draft": false,
            "content": {"type": "text", "text": format!("{student} cools within two hours.")},
        });
        let submission = api.make("/v1/submissions", submission).await;
        let grade = json!({"score": 70, "feedback": "Well done."});
        api.made(&format!("/v1/submissions/{submission}/grade"), grade)
            .await;
    }
    course
}

/// All that is shown of a course and of what was handed in and graded below it, with the seals of its histories.
async fn likeness(api: &Api, course: &str) -> Value {
    let mut handed_in = Vec::new();
    let assignments = api
        .walk(&format!("/v1/assignments?course_id={course}"))
        .await;
    for assignment in &assignments {
        let id = assignment["id"].as_str().unwrap();
        for submission in api
            .walk(&format!("/v1/submissions?assignment_id={id}"))
            .await
        {
            let id = submission["id"].as_str().unwrap();
            let path = format!("/v1/submissions/{id}/grades?verify=true");
            let grades = api.get(&path).await;
            assert_eq!(grades["verification"]["holds"], true, "{grades}");
            handed_in.push(json!([submission, grades["data"]]));
        }
    }
    assert_eq!(handed_in.len(), STUDENTS);
    json!({
        "course": api.get(&format!("/v1/courses/{course}")).await,
        "units": api.walk(&format!("/v1/units?course_id={course}")).await,
        "lessons": api.walk(&format!("/v1/lessons?course_id={course}")).await,
        "assignments": assignments,
        "handed_in": handed_in,
    })
}

/// Has many ask for each of these while a node dies: one does it, the others are told that it is done.
async fn done_once(scene: &mut Scene, method: Method, paths: &[String], round: usize) {
    let asking = paths.iter().enumerate().map(|(n, path)| {
        let asked = |asker| {
            let key = format!("{method}-{round}-{n}-{asker}");
            let write = Write {
                method: method.clone(),
                ..Write::post(path, json!({}), &key)
            };
            let api = scene.api.clone();
            tokio::spawn(async move { until_decided(&api, asker, &write).await })
        };
        (0..ASKERS).map(asked).collect::<Vec<JoinHandle<Reply>>>()
    });
    let asking: Vec<Vec<JoinHandle<Reply>>> = asking.collect();
    let moment = scene.chance.up_to(Duration::from_millis(400));
    tokio::time::sleep(moment).await;
    scene.kill_and_restart(round % scene.nodes.len());
    for (path, askers) in paths.iter().zip(asking) {
        let replies: Vec<Reply> = join_all(askers)
            .await
            .into_iter()
            .map(Result::unwrap)
            .collect();
        let done = replies.iter().filter(|reply| reply.is_success()).count();
        let late = replies.iter().filter(|reply| reply.status == 404).count();
        assert_eq!((done, late), (1, ASKERS - 1), "{path}: {replies:?}");
        scene.figures.add("raced", ASKERS);
    }
}

/// Sends it until it is done or refused for good, to whichever node is there.
async fn until_decided(api: &Api, asker: usize, write: &Write) -> Reply {
    let start = Instant::now();
    let mut node = asker;
    loop {
        match api.write(node, write).await {
            Outcome::Answered(reply) if reply.status < 500 => return reply,
            other => assert!(start.elapsed() < PATIENCE, "{write:?}: {other:?}"),
        }
        node += 1;
        tokio::time::sleep(PAUSE).await;
    }
}
