//! Cohorts and who is in them, over HTTP.

use futures_util::future::join_all;
use insta::assert_json_snapshot;
use serde_json::{Value, json};
use support::app::TestApp;
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, done, events, list, made};

#[actix_web::test]
async fn a_cohort_is_created_as_a_draft_with_every_member() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let body = json!({
        "course_id": school.course, "name": "Spring", "starts_at": "2027-03-01T09:00:00+01:00",
        "ends_at": "2027-06-30T16:00:00Z", "timezone": "Europe/Lisbon", "capacity": 30,
        "metadata": {"k": 1},
    });
    let made = app.post("/v1/cohorts", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let path = format!("/v1/cohorts/{}", made.id());
    assert_eq!(made.header("location"), Some(path.as_str()));
    assert_eq!(app.get(&path).await.body, made.body);
    assert_json_snapshot!("created_cohort", made.body);
    let course = app
        .get(&format!("/v1/courses/{}", school.course))
        .await
        .body;
    assert_eq!(course["cohorts"], json!([made.id(), school.cohort]));
}

#[actix_web::test]
async fn a_cohort_moves_through_its_states_only() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("cohorts/{}", school.cohort);
    let steps = [
        ("start", "active", ["start", "reopen", "archive"].as_slice()),
        ("end", "completed", &["start", "end"]),
        ("reopen", "active", &["reopen", "archive"]),
        ("end", "completed", &[]),
        (
            "archive",
            "archived",
            &["start", "end", "reopen", "archive"],
        ),
    ];
    for (action, status, refused) in steps {
        let moved = done(&app, &format!("{path}/{action}")).await;
        assert_eq!(moved.body["status"], status, "{action}");
        for action in refused {
            let answer = app.post(&format!("/v1/{path}/{action}"), json!({})).await;
            assert_refused(&answer, 409, "invalid_state_transition", "");
        }
    }
    let found = list(&app, "cohorts?status=archived").await;
    assert_eq!(found.len(), 1);
    assert!(list(&app, "cohorts?status=draft").await.is_empty());
}

#[actix_web::test]
async fn cohorts_are_checked_field_by_field() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let cases = [
        (
            json!({"course_id": null}),
            400,
            "missing_field",
            "course_id",
        ),
        (json!({"name": null}), 400, "missing_field", "name"),
        (json!({"capacity": 0}), 400, "invalid_field", "capacity"),
        (json!({"capacity": 1.5}), 400, "invalid_field", "capacity"),
        (
            json!({"timezone": "New York"}),
            400,
            "invalid_field",
            "timezone",
        ),
        (
            json!({"starts_at": "soon"}),
            400,
            "invalid_field",
            "starts_at",
        ),
        (
            json!({"starts_at": "2027-02-02T00:00:00Z", "ends_at": "2027-02-01T00:00:00Z"}),
            400,
            "invalid_field",
            "ends_at",
        ),
        (
            json!({"course_id": school.unit}),
            404,
            "resource_missing",
            "course_id",
        ),
    ];
    for (changes, status, code, field) in cases {
        let mut body = json!({"course_id": school.course, "name": "A"});
        for (name, value) in changes.as_object().unwrap() {
            body[name] = value.clone();
        }
        assert_refused(&app.post("/v1/cohorts", body).await, status, code, field);
    }
}

#[actix_web::test]
async fn a_patch_takes_dates_and_capacity_away() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/cohorts/{}", school.cohort);
    let set = json!({"starts_at": "2027-01-01T00:00:00Z", "capacity": 2, "timezone": "Asia/Tokyo"});
    assert_eq!(app.patch(&path, set).await.status, 200);
    let early = app
        .patch(&path, json!({"ends_at": "2026-01-01T00:00:00Z"}))
        .await;
    assert_refused(&early, 400, "invalid_field", "ends_at");
    let patch = json!({"starts_at": null, "capacity": null, "timezone": null, "course_id": "x"});
    let changed = app.patch(&path, patch).await;
    assert_eq!(changed.header("x-ignored-fields"), Some("course_id"));
    let told = [
        &changed.body["starts_at"],
        &changed.body["capacity"],
        &changed.body["timezone"],
    ];
    assert_eq!(told, [&Value::Null, &Value::Null, &json!("UTC")]);
    assert_eq!(events(&app, "cohort.updated").await.len(), 2);
}

#[actix_web::test]
async fn a_student_is_enrolled_once_by_id_or_by_address() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let place = format!("/v1/cohorts/{}/students", school.cohort);
    let enrolled = app.post(&place, json!({"user_id": school.student})).await;
    assert_eq!(enrolled.status, 201, "{}", enrolled.body);
    let location = format!("{place}/{}", school.student);
    assert_eq!(enrolled.header("location"), Some(location.as_str()));
    assert_json_snapshot!("created_enrollment", enrolled.body);
    for again in [
        json!({"user_id": school.student}),
        json!({"email": "ADA@school.example"}),
    ] {
        assert_refused(
            &app.post(&place, again).await,
            409,
            "already_exists",
            "user_id",
        );
    }
    let new = app
        .post(
            &place,
            json!({"email": "New@school.example", "name": "New"}),
        )
        .await;
    assert_eq!(
        (new.status, &new.body["user"]["role"]),
        (201, &json!("student"))
    );
    let user = format!("/v1/users/{}", new.body["user_id"].as_str().unwrap());
    assert_eq!(app.get(&user).await.body["email"], "new@school.example");
    assert_eq!(
        app.get(&place).await.body["data"].as_array().unwrap().len(),
        2
    );
    let cohort = app
        .get(&format!("/v1/cohorts/{}", school.cohort))
        .await
        .body;
    assert_eq!(cohort["student_count"], json!(2));
    for (body, status, code, field) in [
        (json!({}), 400, "missing_field", "user_id"),
        (
            json!({"user_id": school.student, "email": "a@b.example"}),
            400,
            "invalid_field",
            "email",
        ),
        (json!({"email": "nobody"}), 400, "invalid_field", "email"),
        (
            json!({"user_id": "usr_00000000000000000000000000"}),
            404,
            "resource_missing",
            "user_id",
        ),
    ] {
        assert_refused(&app.post(&place, body).await, status, code, field);
    }
}

#[actix_web::test]
async fn a_withdrawn_student_gives_the_place_back() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/cohorts/{}", school.cohort);
    app.patch(&path, json!({"capacity": 1})).await;
    let place = format!("{path}/students");
    app.post(&place, json!({"user_id": school.student})).await;
    let second = json!({"email": "bob@school.example"});
    assert_refused(
        &app.post(&place, second.clone()).await,
        409,
        "limit_reached",
        "",
    );
    let own = format!("{place}/{}", school.student);
    let withdrawn = app.delete(&own).await;
    assert_eq!(
        (withdrawn.status, &withdrawn.body["deleted"]),
        (200, &json!(true))
    );
    assert_eq!(app.delete(&own).await.status, 404);
    assert_eq!(app.get(&path).await.body["student_count"], json!(0));
    assert_eq!(app.post(&place, second).await.status, 201);
    assert_eq!(events(&app, "enrollment.deleted").await.len(), 1);
}

#[actix_web::test]
async fn the_last_place_is_taken_once_however_many_ask() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let path = format!("/v1/cohorts/{}", school.cohort);
        app.patch(&path, json!({"capacity": 1})).await;
        let place = format!("{path}/students");
        let ask = |n| app.post(&place, json!({"email": format!("s{n}@school.example")}));
        let answers = join_all((0..8).map(ask)).await;
        let places = answers.iter().filter(|answer| answer.status == 201).count();
        assert_eq!(places, 1, "{database:?}");
        for refused in answers.iter().filter(|answer| answer.status != 201) {
            assert_eq!(refused.status, 409, "{database:?} {}", refused.body);
        }
        let cohort = app.get(&path).await.body;
        assert_eq!(cohort["student_count"], json!(1), "{database:?}");
    }
}

#[actix_web::test]
async fn a_deleted_cohort_takes_places_and_packages_along() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/cohorts/{}", school.cohort);
    app.post(
        &format!("{path}/students"),
        json!({"user_id": school.student}),
    )
    .await;
    let package = app
        .post("/v1/scorm", json!({"cohort_id": school.cohort}))
        .await
        .id();
    assert_eq!(
        app.delete(&path).await.body,
        json!({"deleted": true, "id": school.cohort})
    );
    assert_eq!(app.get(&format!("{path}/students")).await.status, 404);
    assert_eq!(app.get(&format!("/v1/scorm/{package}")).await.status, 404);
    assert_eq!(
        app.get(&format!("/v1/users/{}", school.student))
            .await
            .status,
        200
    );
    app.work().await;
    assert!(events(&app, "scorm.ready").await.is_empty());
    let course = app
        .get(&format!("/v1/courses/{}", school.course))
        .await
        .body;
    assert_eq!(course["cohorts"], json!([]));
    made(
        &app,
        &app.owner,
        "cohorts",
        json!({"course_id": school.course, "name": "Next"}),
    )
    .await;
}
