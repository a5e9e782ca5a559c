//! Many who want the same thing at the same moment, on PostgreSQL, where they really meet: each gets what it asked for.

use std::collections::BTreeSet;

use actix_web::test::TestRequest;
use futures_util::future::join_all;
use serde_json::{Value, json};
use support::app::{Answer, TestApp, request};
use support::stores::Database;

use crate::school::{School, app_on, list, made};
use crate::scorm_sessions::Package;

/// More than the eight runs that a transaction had once, and than the connections of the store.
const CROWD: usize = 60;

fn none_refused(answers: &[Answer], status: u16) {
    let refused: Vec<String> = answers
        .iter()
        .filter(|answer| answer.status != status)
        .map(|answer| format!("{} {}", answer.status, answer.body))
        .collect();
    assert!(refused.is_empty(), "{} refused: {refused:?}", refused.len());
}

async fn school() -> (TestApp, School) {
    let app = app_on(Database::Postgres).await;
    let school = School::open(&app).await;
    (app, school)
}

#[actix_web::test]
async fn changes_of_one_thing_that_expect_no_version_are_all_made() {
    let (app, school) = school().await;
    let path = format!("/v1/courses/{}", school.course);
    let change = |n| app.patch(&path, json!({"metadata": {format!("k{n}"): n}}));
    none_refused(&join_all((0..50).map(change)).await, 200);
    let course = app.get(&path).await.body;
    let kept = course["metadata"].as_object().unwrap().len();
    assert_eq!(kept, 50, "a change was written over");
}

#[actix_web::test]
async fn a_change_that_expects_a_version_is_still_told_that_it_is_gone() {
    let (app, school) = school().await;
    let path = format!("/v1/courses/{}", school.course);
    let tag = app.get(&path).await.header("etag").unwrap().to_owned();
    let change = |n| {
        let asked = request(&app.owner, "PATCH", &path)
            .insert_header(("if-match", tag.as_str()))
            .set_json(json!({"name": format!("Name {n}")}));
        app.send(asked)
    };
    let answers = join_all((0..20).map(change)).await;
    let count = |status| answers.iter().filter(|one| one.status == status).count();
    assert_eq!((count(200), count(412)), (1, 19));
}

#[actix_web::test]
async fn everybody_who_is_enrolled_at_once_is_in() {
    for capacity in [Value::Null, json!(CROWD)] {
        let (app, school) = school().await;
        let path = format!("/v1/cohorts/{}", school.cohort);
        app.patch(&path, json!({"capacity": capacity})).await;
        let place = format!("{path}/students");
        let ask = |n| app.post(&place, json!({"email": format!("s{n}@school.example")}));
        none_refused(&join_all((0..CROWD).map(ask)).await, 201);
        let cohort = app.get(&path).await.body;
        assert_eq!(cohort["student_count"], json!(CROWD));
        let one_more = app.post(&place, json!({"email": "late@school.example"}));
        let status = if capacity.is_null() { 201 } else { 409 };
        assert_eq!(one_more.await.status, status);
    }
}

#[actix_web::test]
async fn everybody_who_launches_at_once_is_let_in_and_nobody_beyond_the_most() {
    let app = app_on(Database::Postgres).await;
    let package = Package::published(&app).await;
    let launch = |n: usize| package.launch(&format!("learner {n}"), &n.to_string());
    let launches = (0..CROWD).map(|n| package.sent(&app, launch(n)));
    none_refused(&join_all(launches).await, 200);
    let path = format!("/v1/cohorts/{}", package.school.cohort);
    assert_eq!(app.get(&path).await.body["student_count"], json!(CROWD));

    let app = app_on(Database::Postgres).await;
    let few = json!({"max_learners": 5});
    let package = Package::published_with(&app, few).await;
    let launch = |n: usize| package.launch(&format!("learner {n}"), &n.to_string());
    let answers = join_all((0..20).map(|n| package.sent(&app, launch(n)))).await;
    let let_in = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(let_in, 5);
}

#[actix_web::test]
async fn everybody_hands_in_at_once_also_one_student_from_several_places() {
    let (app, school) = school().await;
    let mut students = Vec::new();
    for n in 0..CROWD {
        let student = json!({"email": format!("s{n}@school.example")});
        students.push(made(&app, &app.owner, "users", student).await);
    }
    // Half of all that comes is from one of them.
    let hands = students.iter().chain(students.iter().take(1).cycle());
    let hand_in = |student: &String| {
        let body = json!({
            "assignment_id": school.assignment, "user_id": student,
            "content": {"type": "text", "text": "Within ninety minutes."}, "draft": false,
        });
        app.post("/v1/submissions", body)
    };
    let answers = join_all(hands.take(CROWD + 20).map(hand_in)).await;
    none_refused(&answers, 201);
    let path = format!("submissions?user_id={}&limit=100", students[0]);
    let attempts = list(&app, &path).await;
    let attempts: BTreeSet<u64> = attempts
        .iter()
        .filter_map(|it| it["attempt"].as_u64())
        .collect();
    assert_eq!(attempts, (1..=21).collect());
}

#[actix_web::test]
async fn what_is_added_at_the_end_at_once_stands_one_behind_the_other() {
    let (app, school) = school().await;
    let add = |n: usize| {
        let body = json!({"course_id": school.course, "name": format!("Unit {n}")});
        app.post("/v1/units", body)
    };
    none_refused(&join_all((0..30).map(add)).await, 201);
    let units = list(
        &app,
        &format!("units?course_id={}&limit=100", school.course),
    )
    .await;
    let places: Vec<u64> = units
        .iter()
        .filter_map(|it| it["position"].as_u64())
        .collect();
    assert_eq!(places, (0..31).collect::<Vec<_>>());
}

/// The first to come makes the row that only one can make; the others must find its answer, not its row.
#[actix_web::test]
async fn twins_under_one_key_get_one_answer_whatever_they_start() {
    let (app, school) = school().await;
    for round in 0..2 {
        let lesson = json!({"unit_id": school.unit, "name": format!("Empty {round}")});
        let lesson = made(&app, &app.owner, "lessons", lesson).await;
        let activity = json!({"lesson_id": lesson, "kind": "quiz", "name": "Empty"});
        let activity = made(&app, &app.owner, "activities", activity).await;
        let brief = json!({"brief": "Food"});
        for (number, (action, body)) in [
            (format!("courses/{}/syllabus", school.course), brief.clone()),
            (format!("units/{}/generate", school.unit), brief.clone()),
            (format!("activities/{activity}/generate"), brief.clone()),
            (format!("lessons/{lesson}/generate"), brief),
            (
                format!("lessons/{}/activities/generate", school.lesson),
                json!({"kind": "quiz", "brief": "Food"}),
            ),
        ]
        .into_iter()
        .enumerate()
        {
            let path = format!("/v1/{action}");
            let twin = || -> TestRequest {
                request(&app.owner, "POST", &path)
                    .insert_header(("idempotency-key", format!("twin-{round}-{number}")))
                    .set_json(&body)
            };
            let answers = join_all((0..6).map(|_| app.send(twin()))).await;
            none_refused(&answers, 202);
            let ids: BTreeSet<String> = answers.iter().map(Answer::id).collect();
            assert_eq!(ids.len(), 1, "{path}");
            app.work().await;
        }
    }
}
