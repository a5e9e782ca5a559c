//! Lessons over HTTP.

use insta::assert_json_snapshot;
use rstest::rstest;
use serde_json::json;
use support::app::TestApp;
use support::scripted_ai::ScriptedAi;
use support::stores::Database;

use crate::generation_steps::with;
use crate::school::{School, app_on, assert_refused, events, list, made};

async fn lesson(app: &TestApp, unit: &str, name: &str) -> String {
    let body = json!({"unit_id": unit, "name": name});
    made(app, &app.owner, "lessons", body).await
}

/// The names in order, as one word.
async fn order(app: &TestApp, unit: &str) -> String {
    let lessons = list(app, &format!("lessons?unit_id={unit}")).await;
    for (position, lesson) in lessons.iter().enumerate() {
        assert_eq!(lesson["position"], json!(position), "{lesson}");
    }
    lessons
        .iter()
        .map(|lesson| lesson["name"].as_str().unwrap())
        .collect()
}

/// A course with two empty units; their ids.
async fn two_units(app: &TestApp) -> (String, String) {
    let course = json!({"name": "Food", "language": "en"});
    let course = made(app, &app.owner, "courses", course).await;
    let unit = json!({"course_id": course, "name": "U"});
    let first = made(app, &app.owner, "units", unit.clone()).await;
    (first, made(app, &app.owner, "units", unit).await)
}

#[actix_web::test]
async fn a_lesson_is_created_with_every_member() {
    let app = TestApp::start().await;
    let (unit, _) = two_units(&app).await;
    let body = json!({
        "unit_id": unit, "name": "The danger zone", "summary": "5 to 60 °C", "content": "# Zone",
        "objectives": ["Name it"], "duration_minutes": 20.0, "metadata": {"k": [null]},
    });
    let made = app.post("/v1/lessons", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let path = format!("/v1/lessons/{}", made.id());
    assert_eq!(made.header("location"), Some(path.as_str()));
    assert_eq!(app.get(&path).await.body, made.body);
    assert_json_snapshot!("created_lesson", made.body);
}

#[actix_web::test]
async fn lessons_move_within_their_unit_and_to_another_of_the_course() {
    let app = TestApp::start().await;
    let (first, second) = two_units(&app).await;
    let a = lesson(&app, &first, "A").await;
    for name in ["B", "C"] {
        lesson(&app, &first, name).await;
    }
    lesson(&app, &second, "X").await;
    let path = format!("/v1/lessons/{a}/move");
    app.post(&path, json!({"position": 1})).await;
    assert_eq!(order(&app, &first).await, "BAC");
    let moved = app
        .post(&path, json!({"position": 0, "unit_id": second}))
        .await;
    assert_eq!(
        (moved.status, &moved.body["unit_id"]),
        (200, &json!(second))
    );
    assert_eq!(
        (order(&app, &first).await, order(&app, &second).await),
        ("BC".into(), "AX".into())
    );
    let count = app.get(&format!("/v1/units/{second}")).await.body["lesson_count"].clone();
    assert_eq!(count, json!(2));
}

#[actix_web::test]
async fn the_assignments_of_a_lesson_move_along() {
    let app = TestApp::start().await;
    let (first, second) = two_units(&app).await;
    let lesson = lesson(&app, &first, "A").await;
    let assignment = json!({"lesson_id": lesson, "name": "Plan"});
    let assignment = made(&app, &app.owner, "assignments", assignment).await;
    let to = json!({"position": 0, "unit_id": second});
    app.post(&format!("/v1/lessons/{lesson}/move"), to).await;
    let moved = app.get(&format!("/v1/assignments/{assignment}")).await.body;
    assert_eq!(
        (&moved["unit_id"], &moved["lesson_id"]),
        (&json!(second), &json!(lesson))
    );
}

#[actix_web::test]
async fn a_lesson_does_not_move_to_another_course() {
    let app = TestApp::start().await;
    let (unit, _) = two_units(&app).await;
    let (elsewhere, _) = two_units(&app).await;
    let lesson = lesson(&app, &unit, "A").await;
    let path = format!("/v1/lessons/{lesson}/move");
    let refused = app
        .post(&path, json!({"position": 0, "unit_id": elsewhere}))
        .await;
    assert_refused(&refused, 400, "invalid_field", "unit_id");
}

#[actix_web::test]
async fn lessons_are_checked_field_by_field() {
    let app = TestApp::start().await;
    let (unit, _) = two_units(&app).await;
    let cases = [
        (json!({"name": "A"}), 400, "missing_field", "unit_id"),
        (json!({"unit_id": unit}), 400, "missing_field", "name"),
        (
            json!({"unit_id": unit, "name": "A", "duration_minutes": -1}),
            400,
            "invalid_field",
            "duration_minutes",
        ),
        (
            json!({"unit_id": unit, "name": "A", "duration_minutes": 1.5}),
            400,
            "invalid_field",
            "duration_minutes",
        ),
        (
            json!({"unit_id": unit, "name": "A", "content": "x".repeat(100_001)}),
            400,
            "invalid_field",
            "content",
        ),
        (
            json!({"unit_id": "unt_00000000000000000000000000", "name": "A"}),
            404,
            "resource_missing",
            "unit_id",
        ),
    ];
    for (body, status, code, field) in cases {
        assert_refused(&app.post("/v1/lessons", body).await, status, code, field);
    }
    assert_eq!(order(&app, &unit).await, "");
}

#[actix_web::test]
async fn a_patch_clears_with_null_and_keeps_the_rest() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/lessons/{}", school.lesson);
    app.patch(
        &path,
        json!({"summary": "S", "duration_minutes": 5, "objectives": ["O"]}),
    )
    .await;
    let patch = json!({"duration_minutes": null, "objectives": null, "content": null});
    let changed = app.patch(&path, patch).await.body;
    assert_eq!(
        (&changed["summary"], &changed["name"]),
        (&json!("S"), &json!("The danger zone"))
    );
    let cleared = [
        &changed["duration_minutes"],
        &changed["objectives"],
        &changed["content"],
    ];
    assert_eq!(cleared, [&json!(0), &json!([]), &json!("")]);
    assert_eq!(events(&app, "lesson.updated").await.len(), 2);
}

#[actix_web::test]
async fn lessons_are_found_by_unit_and_by_course() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let (other, _) = two_units(&app).await;
    let elsewhere = lesson(&app, &other, "Elsewhere").await;
    let all = list(&app, "lessons").await;
    assert_eq!((all.len(), &all[0]["id"]), (2, &json!(elsewhere)));
    for query in [
        format!("unit_id={}", school.unit),
        format!("course_id={}", school.course),
    ] {
        let found = list(&app, &format!("lessons?{query}")).await;
        assert_eq!(
            (found.len(), &found[0]["id"]),
            (1, &json!(school.lesson)),
            "{query}"
        );
    }
}

#[actix_web::test]
async fn deleting_a_generated_lesson_takes_its_minutes_off_the_course() {
    let app = TestApp::start().await;
    let course = json!({"name": "Food", "language": "en", "hours": 2});
    let course = made(&app, &app.owner, "courses", course).await;
    let path = format!("/v1/courses/{course}");
    app.post(
        &format!("{path}/syllabus"),
        json!({"brief": "Cooling and storing food"}),
    )
    .await;
    app.work().await;
    for unit in list(&app, &format!("units?course_id={course}")).await {
        let unit = unit["id"].as_str().unwrap();
        assert_eq!(app.delete(&format!("/v1/units/{unit}")).await.status, 200);
    }
    let duration = app.get(&path).await.body["duration"].clone();
    assert_eq!(duration, json!({"hours": 2, "hours_generated": 0}));
}

#[rstest]
#[actix_web::test]
async fn a_lesson_and_an_activity_may_be_in_a_language_of_their_own(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    for path in [
        format!("/v1/lessons/{}", school.lesson),
        format!("/v1/activities/{}", school.activity),
    ] {
        assert_eq!(app.get(&path).await.body["language"], json!(null), "{path}");
        let changed = app.patch(&path, json!({"language": "AR-eg"})).await;
        assert_eq!(changed.body["language"], "ar-EG", "{}", changed.body);
        assert_eq!(app.get(&path).await.body["language"], "ar-EG");
        let kept = app.patch(&path, json!({"name": "Zone"})).await;
        assert_eq!(kept.body["language"], "ar-EG", "{}", kept.body);
        let wrong = app.patch(&path, json!({"language": "no language"})).await;
        assert_refused(&wrong, 400, "invalid_field", "language");
        let taken_back = app.patch(&path, json!({"language": null})).await;
        assert_eq!(
            taken_back.body["language"],
            json!(null),
            "{}",
            taken_back.body
        );
    }
    let body = json!({"unit_id": school.unit, "name": "Ice", "language": "ja"});
    let lesson = made(&app, &app.owner, "lessons", body).await;
    let body = json!({"lesson_id": lesson, "kind": "reflection", "name": "Think", "language": "en", "content": {"prompt": "?"}});
    made(&app, &app.owner, "activities", body).await;
    // A copy speaks as its original does.
    let copy = app
        .post(&format!("/v1/courses/{}/clone", school.course), json!({}))
        .await;
    assert_eq!(copy.status, 201, "{}", copy.body);
    let copied = list(
        &app,
        &format!(
            "lessons?course_id={}",
            copy.body["course"]["id"].as_str().unwrap_or(&copy.id())
        ),
    )
    .await;
    assert!(
        copied.iter().any(|one| one["language"] == "ja"),
        "{copied:?}"
    );
}

#[actix_web::test]
async fn ai_drafts_and_answers_in_the_language_of_the_lesson() {
    let ai = ScriptedAi::model(vec![]);
    let app = with(&ai, Database::Sqlite).await;
    let school = School::open(&app).await;
    let body = json!({"unit_id": school.unit, "name": "Ice", "language": "ar"});
    let lesson = made(&app, &app.owner, "lessons", body).await;
    let path = format!("/v1/lessons/{lesson}");
    for (place, body) in [
        ("generate", json!({})),
        ("activities/generate", json!({"kind": "flashcards"})),
    ] {
        let before = ai.asked().len();
        let asked = app.post(&format!("{path}/{place}"), body).await;
        assert_eq!(asked.status, 202, "{place} {}", asked.body);
        app.work().await;
        let tasks = ai.asked();
        assert!(tasks.len() > before, "{place}");
        let mut new = tasks.iter().skip(before);
        assert_eq!(new.find(|task| !task.contains("\"ar\"")), None, "{place}");
    }
    let question = json!({"message": "Why is it cold?"});
    app.post(&format!("{path}/tutor"), question).await;
    assert_eq!(ai.tutored()[0].language, "ar");
}
