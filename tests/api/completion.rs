//! When a course is done: what its author says, and who is.

use rstest::rstest;
use serde_json::{Value, json};
use support::app::TestApp;
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, made};

async fn said(app: &TestApp, school: &School, completion: Value) -> Value {
    let path = format!("/v1/courses/{}", school.course);
    let changed = app.patch(&path, json!({"completion": completion})).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    changed.body["completion"].clone()
}

/// Whether the school's student is told to be done.
async fn is_completed(app: &TestApp, school: &School) -> bool {
    let path = format!("/v1/cohorts/{}/progress", school.cohort);
    let all = app.get(&path).await.body;
    let completed = &all["data"][0]["completed"];
    assert!(completed.is_boolean(), "{all}");
    *completed == json!(true)
}

#[rstest]
#[actix_web::test]
async fn what_a_course_is_done_by_is_said_replaced_cleared_and_copied(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let path = format!("/v1/courses/{}", school.course);
    let nothing = json!({"rule": "everything", "percent": null, "passing_percent": null});
    assert_eq!(app.get(&path).await.body["completion"], nothing);
    let share = json!({"rule": "share", "percent": 80, "passing_percent": 60});
    assert_eq!(said(&app, &school, share.clone()).await, share);
    assert_eq!(app.get(&path).await.body["completion"], share);
    let copy = app.post(&format!("{path}/clone"), json!({})).await;
    assert_eq!(copy.status, 201, "{}", copy.body);
    let copied = copy
        .body
        .pointer("/completion")
        .or(copy.body.pointer("/course/completion"));
    assert_eq!(copied, Some(&share), "{}", copy.body);
    // Replaced whole: what is not said again is not kept.
    let quizzes = json!({"rule": "quizzes", "percent": null, "passing_percent": null});
    assert_eq!(
        said(&app, &school, json!({"rule": "quizzes"})).await,
        quizzes
    );
    assert_eq!(said(&app, &school, Value::Null).await, nothing);
    let body = json!({"name": "Soups", "language": "en", "completion": {"passing_percent": 0}});
    let other = made(&app, &app.owner, "courses", body).await;
    let other = app.get(&format!("/v1/courses/{other}")).await.body;
    assert_eq!(other["completion"]["passing_percent"], json!(0));
    for (wrong, field) in [
        (json!({"rule": "luck"}), "completion.rule"),
        (json!({"rule": "share"}), "completion.percent"),
        (
            json!({"rule": "assignments", "percent": 3}),
            "completion.percent",
        ),
        (
            json!({"passing_percent": 101}),
            "completion.passing_percent",
        ),
    ] {
        let refused = app.patch(&path, json!({"completion": wrong})).await;
        assert_refused(&refused, 400, "invalid_field", field);
    }
}

#[rstest]
#[actix_web::test]
async fn a_student_is_done_by_the_courses_rule(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let second = json!({"unit_id": school.unit, "name": "Second"});
    made(&app, &app.owner, "lessons", second).await;
    let learner = school.student_session(&app).await;
    assert!(!is_completed(&app, &school).await);
    let done = app
        .call(
            &learner,
            "POST",
            &format!("/v1/lessons/{}/complete", school.lesson),
            Some(json!({})),
        )
        .await;
    assert_eq!(
        (done.status, &done.body["percent"], &done.body["completed"]),
        (200, &json!(50), &json!(false)),
        "{}",
        done.body
    );
    said(&app, &school, json!({"rule": "share", "percent": 50})).await;
    assert!(is_completed(&app, &school).await);

    said(&app, &school, json!({"rule": "quizzes"})).await;
    assert!(!is_completed(&app, &school).await);
    let question = json!({"id": "q1", "type": "true_false", "prompt": "?", "answer": true});
    let quiz = json!({"passing_percent": 60, "questions": [question]});
    let activity = format!("/v1/activities/{}", school.activity);
    app.patch(&activity, json!({"content": quiz})).await;
    for (answer, completed) in [(false, false), (true, true)] {
        let body = json!({"answers": {"q1": answer}});
        let tried = app
            .call(
                &learner,
                "POST",
                &format!("{activity}/attempts"),
                Some(body),
            )
            .await;
        assert_eq!(tried.status, 201, "{}", tried.body);
        assert_eq!(is_completed(&app, &school).await, completed);
    }
    // A quiz that comes later is to be passed as well.
    let later = json!({"lesson_id": school.lesson, "kind": "quiz", "name": "Later", "content": {"questions": [question]}});
    made(&app, &app.owner, "activities", later).await;
    assert!(!is_completed(&app, &school).await);

    said(&app, &school, json!({"rule": "assignments"})).await;
    let work = json!({"assignment_id": school.assignment, "content": {"type": "text", "text": "Cool it."}, "draft": true});
    let draft = app
        .call(&learner, "POST", "/v1/submissions", Some(work))
        .await;
    assert_eq!(draft.status, 201, "{}", draft.body);
    assert!(!is_completed(&app, &school).await);
    let handed = app
        .call(
            &learner,
            "POST",
            &format!("/v1/submissions/{}/submit", draft.id()),
            Some(json!({})),
        )
        .await;
    assert_eq!(handed.status, 200, "{}", handed.body);
    assert!(is_completed(&app, &school).await);
}
