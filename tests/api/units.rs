//! Units over HTTP.

use insta::assert_json_snapshot;
use serde_json::{Value, json};
use support::app::TestApp;

use crate::school::{School, assert_refused, events, list, made};

/// A course with the units A, B and C; the course and their ids.
async fn three(app: &TestApp) -> (String, Vec<String>) {
    let course = json!({"name": "Food", "language": "en"});
    let course = made(app, &app.owner, "courses", course).await;
    let mut units = Vec::new();
    for name in ["A", "B", "C"] {
        let unit = json!({"course_id": course, "name": name});
        units.push(made(app, &app.owner, "units", unit).await);
    }
    (course, units)
}

/// The names in order, as one word.
async fn order(app: &TestApp, course: &str) -> String {
    let units = list(app, &format!("units?course_id={course}")).await;
    for (position, unit) in units.iter().enumerate() {
        assert_eq!(unit["position"], json!(position), "{unit}");
    }
    units
        .iter()
        .map(|unit| unit["name"].as_str().unwrap())
        .collect()
}

#[actix_web::test]
async fn a_unit_is_created_with_every_member() {
    let app = TestApp::start().await;
    let (course, _) = three(&app).await;
    let body = json!({
        "course_id": course, "name": "Cooling", "description": "Fast", "objectives": ["Cool"],
        "metadata": {"week": 1},
    });
    let made = app.post("/v1/units", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let path = format!("/v1/units/{}", made.id());
    assert_eq!(made.header("location"), Some(path.as_str()));
    assert_eq!(app.get(&path).await.body, made.body);
    assert_json_snapshot!("created_unit", made.body);
}

#[actix_web::test]
async fn the_others_make_room_for_a_new_unit_and_close_the_gap_of_a_deleted_one() {
    let app = TestApp::start().await;
    let (course, units) = three(&app).await;
    for (name, position) in [("D", 0), ("E", 99)] {
        let unit = json!({"course_id": course, "name": name, "position": position});
        made(&app, &app.owner, "units", unit).await;
    }
    assert_eq!(order(&app, &course).await, "DABCE");
    assert_eq!(
        app.delete(&format!("/v1/units/{}", units[1])).await.status,
        200
    );
    assert_eq!(order(&app, &course).await, "DACE");
}

#[actix_web::test]
async fn a_unit_moves_to_its_new_place() {
    let app = TestApp::start().await;
    let (course, units) = three(&app).await;
    for (unit, position, expected) in [(0, 2, "BCA"), (0, 0, "ABC"), (1, 99, "ACB"), (2, 0, "CAB")]
    {
        let path = format!("/v1/units/{}/move", units[unit]);
        let moved = app.post(&path, json!({"position": position})).await;
        assert_eq!(moved.status, 200, "{}", moved.body);
        assert_eq!(order(&app, &course).await, expected);
    }
    let path = format!("/v1/units/{}/move", units[0]);
    let missing = app.post(&path, json!({})).await;
    assert_refused(&missing, 400, "missing_field", "position");
    let negative = app.post(&path, json!({"position": -1})).await;
    assert_refused(&negative, 400, "invalid_field", "position");
}

#[actix_web::test]
async fn units_of_a_course_are_paged_in_order_of_position() {
    let app = TestApp::start().await;
    let (course, units) = three(&app).await;
    app.post(
        &format!("/v1/units/{}/move", units[0]),
        json!({"position": 2}),
    )
    .await;
    let first = app
        .get(&format!("/v1/units?course_id={course}&limit=2"))
        .await
        .body;
    let cursor = first["next_cursor"].as_str().unwrap();
    let names = |page: &Value| -> Vec<Value> {
        page["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|unit| unit["name"].clone())
            .collect()
    };
    assert_eq!(names(&first), ["B", "C"]);
    let path = format!("/v1/units?course_id={course}&limit=2&startingAfter=");
    let rest = app.get(&format!("{path}{cursor}")).await.body;
    assert_eq!(names(&rest), ["A"]);
    // An id says the same as the cursor behind it.
    let rest = app.get(&format!("{path}{}", units[2])).await.body;
    assert_eq!(names(&rest), ["A"]);
}

#[actix_web::test]
async fn a_patch_changes_what_it_names_and_leaves_one_event() {
    let app = TestApp::start().await;
    let (course, units) = three(&app).await;
    let path = format!("/v1/units/{}", units[0]);
    app.patch(
        &path,
        json!({"description": "D", "objectives": ["O"], "metadata": {"a": 1, "b": 2}}),
    )
    .await;
    let patch =
        json!({"description": null, "metadata": {"a": null}, "course_id": "x", "position": 2});
    let changed = app.patch(&path, patch).await;
    assert_eq!(
        changed.header("x-ignored-fields"),
        Some("course_id, position")
    );
    assert_eq!(changed.body["description"], "");
    assert_eq!(changed.body["objectives"], json!(["O"]));
    assert_eq!(changed.body["metadata"], json!({"b": 2}));
    assert_eq!(order(&app, &course).await, "ABC");
    app.patch(&path, json!({"metadata": {}})).await;
    let told = events(&app, "unit.updated").await;
    assert_eq!(told.len(), 2);
    let before = json!({"description": "D", "metadata": {"a": 1, "b": 2}});
    assert_eq!(told[0]["data"]["previous_attributes"], before);
    for (body, field) in [
        (json!({"name": null}), "name"),
        (json!({"objectives": "O"}), "objectives"),
    ] {
        assert_refused(&app.patch(&path, body).await, 400, "invalid_field", field);
    }
}

#[actix_web::test]
async fn a_deleted_unit_takes_everything_below_it_along() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let submission = school.hand_in(&app, "Text").await;
    let path = format!("/v1/units/{}", school.unit);
    assert_eq!(app.get(&path).await.body["lesson_count"], json!(1));
    let deleted = app.delete(&format!("{path}?force=true")).await;
    assert_eq!(deleted.body, json!({"deleted": true, "id": school.unit}));
    for path in [
        format!("units/{}", school.unit),
        format!("lessons/{}", school.lesson),
        format!("activities/{}", school.activity),
        format!("assignments/{}", school.assignment),
        format!("submissions/{submission}"),
    ] {
        assert_eq!(app.get(&format!("/v1/{path}")).await.status, 404, "{path}");
    }
    assert_eq!(
        app.get(&format!("/v1/courses/{}", school.course))
            .await
            .status,
        200
    );
}

#[actix_web::test]
async fn a_deleted_course_takes_everything_along_unless_a_cohort_runs() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    crate::school::done(&app, &format!("cohorts/{}/start", school.cohort)).await;
    let path = format!("/v1/courses/{}", school.course);
    assert_refused(&app.delete(&path).await, 409, "course_in_use", "");
    assert_eq!(app.delete(&format!("{path}?force=true")).await.status, 200);
    for path in [
        format!("cohorts/{}", school.cohort),
        format!("units/{}", school.unit),
        format!("lessons/{}", school.lesson),
        format!("assignments/{}", school.assignment),
    ] {
        assert_eq!(app.get(&format!("/v1/{path}")).await.status, 404, "{path}");
    }
}
