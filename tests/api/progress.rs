//! How far students have come, over HTTP.

use insta::assert_json_snapshot;
use serde_json::{Value, json};
use support::app::{Caller, TestApp};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, events, list, made, session};

/// A lesson more in the school's unit.
async fn another_lesson(app: &TestApp, school: &School) -> String {
    let lesson = json!({"unit_id": school.unit, "name": "More"});
    made(app, &app.owner, "lessons", lesson).await
}

async fn complete(app: &TestApp, caller: &Caller, lesson: &str, body: Value) -> Value {
    let path = format!("/v1/lessons/{lesson}/complete");
    let answer = app.call(caller, "POST", &path, Some(body)).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

/// Enrols somebody new; their id.
async fn enrolled(app: &TestApp, cohort: &str, email: &str) -> String {
    let place = format!("/v1/cohorts/{cohort}/students");
    let answer = app.post(&place, json!({"email": email})).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.body["user_id"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn a_completed_lesson_is_progress_once() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        another_lesson(&app, &school).await;
        let learner = school.student_session(&app).await;
        app.clock.advance(60);
        let progress = complete(&app, &learner, &school.lesson, json!({})).await;
        assert_json_snapshot!("progress", progress);
        app.clock.advance(60);
        let again = complete(&app, &learner, &school.lesson, json!({})).await;
        assert_eq!(again, progress, "nothing changes by doing it twice");
        let told = events(&app, "lesson.completed").await;
        assert_eq!(told.len(), 1);
        assert_json_snapshot!("lesson_completed", told[0]["data"]["object"]);
        let place = list(&app, &format!("cohorts/{}/students", school.cohort)).await;
        assert_eq!(progress["id"], place[0]["id"], "it is of the enrolment");
    }
}

#[actix_web::test]
async fn a_cohort_shows_everybody_and_a_user_every_cohort() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    another_lesson(&app, &school).await;
    let learner = school.student_session(&app).await;
    let idle = enrolled(&app, &school.cohort, "eve@school.example").await;
    complete(&app, &learner, &school.lesson, json!({})).await;
    let attempts = format!("/v1/activities/{}/attempts", school.activity);
    for answer in ["b", "a", "b"] {
        app.clock.advance(60);
        let body = json!({"answers": {"q1": answer}});
        let answered = app.call(&learner, "POST", &attempts, Some(body)).await;
        assert_eq!(answered.status, 201, "{}", answered.body);
    }
    let cohort = list(&app, &format!("cohorts/{}/progress", school.cohort)).await;
    let seen: Vec<Value> = cohort
        .iter()
        .map(|one| {
            json!([
                one["user_id"],
                one["lessons_completed"],
                one["lessons_total"],
                one["percent"],
                one["average_score"]
            ])
        })
        .collect();
    assert_eq!(
        json!(seen),
        json!([[idle, 0, 2, 0, null], [school.student, 1, 2, 50, 100]]),
        "the best attempt counts"
    );
    assert_eq!(cohort[0]["last_activity_at"], Value::Null);
    assert_eq!(cohort[1]["last_activity_at"], cohort[1]["updated_at"]);
    assert_eq!(cohort[1]["last_activity_at"], "2026-11-21T06:58:00.000Z");
    let first = app
        .get(&format!("/v1/cohorts/{}/progress?limit=1", school.cohort))
        .await
        .body;
    let after = first["next_cursor"].as_str().unwrap();
    let second = format!("cohorts/{}/progress?startingAfter={after}", school.cohort);
    assert_eq!(list(&app, &second).await, [cohort[1].clone()]);
    // Another cohort of the same course: what was learnt is known there too.
    let spring = json!({"course_id": school.course, "name": "Again"});
    let again = made(&app, &app.owner, "cohorts", spring).await;
    let place = format!("/v1/cohorts/{again}/students");
    app.post(&place, json!({"user_id": school.student})).await;
    let mine = list(&app, &format!("users/{}/progress", school.student)).await;
    assert_eq!(mine[1], cohort[1]);
    assert_eq!(
        (&mine[0]["cohort_id"], &mine[0]["percent"]),
        (&json!(again), &json!(50))
    );
}

#[actix_web::test]
async fn staff_complete_lessons_for_students_of_a_cohort() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/lessons/{}/complete", school.lesson);
    let nobody = app.post(&path, json!({})).await;
    assert_refused(&nobody, 400, "missing_field", "user_id");
    let stranger = app.post(&path, json!({"user_id": school.student})).await;
    assert_refused(&stranger, 404, "resource_missing", "user_id");
    let place = format!("/v1/cohorts/{}/students", school.cohort);
    app.post(&place, json!({"user_id": school.student})).await;
    // Neither published nor started: whoever acts for others knows what they do.
    let body = json!({"user_id": school.student, "cohort_id": school.cohort});
    let progress = complete(&app, &app.owner, &school.lesson, body).await;
    assert_eq!(progress["percent"], json!(100));
    let course = json!({"name": "Other", "language": "en"});
    let course = made(&app, &app.owner, "courses", course).await;
    let other = json!({"course_id": course, "name": "Other"});
    let other = made(&app, &app.owner, "cohorts", other).await;
    let wrong = app
        .post(
            &path,
            json!({"user_id": school.student, "cohort_id": other}),
        )
        .await;
    assert_refused(&wrong, 404, "resource_missing", "cohort_id");
}

#[actix_web::test]
async fn learners_complete_what_they_see_and_for_themselves() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let learner = school.student_session(&app).await;
    let other = enrolled(&app, &school.cohort, "eve@school.example").await;
    let path = format!("/v1/lessons/{}/complete", school.lesson);
    let refused = app
        .call(&learner, "POST", &path, Some(json!({"user_id": other})))
        .await;
    assert_refused(&refused, 403, "not_own_resource", "");
    let outsider = json!({"email": "joe@school.example"});
    made(&app, &app.owner, "users", outsider).await;
    let outsider = session(&app, "joe@school.example").await;
    let unseen = app.call(&outsider, "POST", &path, Some(json!({}))).await;
    assert_refused(&unseen, 404, "resource_missing", "");
    for path in [
        format!("/v1/cohorts/{}/progress", school.cohort),
        format!("/v1/users/{}/progress", school.student),
    ] {
        let refused = app.call(&learner, "GET", &path, None).await;
        assert_refused(&refused, 403, "insufficient_scope", "scope");
    }
}

#[actix_web::test]
async fn progress_follows_what_is_deleted() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let more = another_lesson(&app, &school).await;
    let learner = school.student_session(&app).await;
    complete(&app, &learner, &school.lesson, json!({})).await;
    complete(&app, &learner, &more, json!({})).await;
    let attempts = format!("/v1/activities/{}/attempts", school.activity);
    app.call(
        &learner,
        "POST",
        &attempts,
        Some(json!({"answers": {"q1": "a"}})),
    )
    .await;
    app.delete(&format!("/v1/lessons/{}?force=true", school.lesson))
        .await;
    let progress = list(&app, &format!("users/{}/progress", school.student)).await;
    let left = (
        &progress[0]["lessons_completed"],
        &progress[0]["lessons_total"],
        &progress[0]["average_score"],
    );
    assert_eq!(left, (&json!(1), &json!(1), &Value::Null));
}
