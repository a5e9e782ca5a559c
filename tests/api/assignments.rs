//! Assignments over HTTP, and how they are graded.

use insta::assert_json_snapshot;
use serde_json::{Value, json};
use support::app::TestApp;
use support::stores::Database;

use crate::school::{School, app_of_any_model, assert_refused, events, list};

fn rubric() -> Value {
    json!({"note": "kept", "criteria": [
        {"name": "Accuracy", "key_points": ["Two hours"], "weight": 2},
        {"id": "style", "name": "Style", "max_points": 5,
         "levels": [{"label": "Poor", "points": 0}, {"label": "Good", "points": 2.5}]},
    ]})
}

async fn configure(app: &TestApp, school: &School, part: &str, body: Value) -> Value {
    let path = format!("/v1/assignments/{}/configure{part}", school.assignment);
    let changed = app.patch(&path, body).await;
    assert_eq!(changed.status, 200, "{part} {}", changed.body);
    changed.body
}

#[actix_web::test]
async fn an_assignment_is_created_with_every_member() {
    let app = app_of_any_model(Database::Sqlite).await;
    let school = School::open(&app).await;
    let body = json!({
        "lesson_id": school.lesson, "name": "Plan", "instructions": "Write a plan", "max_score": 20.5,
        "due_at": "2026-12-01T18:00:00+01:00", "max_attempts": 3, "rubric": rubric(),
        "ai_evaluator": {"enabled": true, "model": "m"}, "human_review": "required",
        "feedback": {"tone": "demanding", "language": "PT-br"}, "metadata": {"k": 1},
    });
    let made = app.post("/v1/assignments", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let path = format!("/v1/assignments/{}", made.id());
    assert_eq!(made.header("location"), Some(path.as_str()));
    assert_eq!(app.get(&path).await.body, made.body);
    assert_json_snapshot!("created_assignment", made.body);
}

#[actix_web::test]
async fn what_nobody_said_has_defaults() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/assignments/{}", school.assignment);
    assert_json_snapshot!("default_assignment", app.get(&path).await.body);
}

#[actix_web::test]
async fn an_assignment_has_exactly_one_parent_and_knows_those_above() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let (course, unit, lesson) = (&school.course, &school.unit, &school.lesson);
    let cases = [
        (json!({}), 400, "missing_field", "course_id"),
        (
            json!({"course_id": course, "unit_id": unit}),
            400,
            "invalid_field",
            "unit_id",
        ),
        (
            json!({"unit_id": unit, "lesson_id": lesson}),
            400,
            "invalid_field",
            "lesson_id",
        ),
        (
            json!({"course_id": unit}),
            404,
            "resource_missing",
            "course_id",
        ),
    ];
    for (mut body, status, code, field) in cases {
        body["name"] = json!("A");
        assert_refused(
            &app.post("/v1/assignments", body).await,
            status,
            code,
            field,
        );
    }
    for (parent, places) in [
        (json!({"course_id": course}), json!([course, null, null])),
        (json!({"unit_id": unit}), json!([course, unit, null])),
        (json!({"lesson_id": lesson}), json!([course, unit, lesson])),
    ] {
        let mut body = parent;
        body["name"] = json!("A");
        let made = app.post("/v1/assignments", body).await.body;
        assert_eq!(
            json!([made["course_id"], made["unit_id"], made["lesson_id"]]),
            places
        );
    }
    for (query, count) in [
        (format!("course_id={course}"), 4),
        (format!("unit_id={unit}"), 3),
        (format!("lesson_id={lesson}"), 1),
    ] {
        assert_eq!(
            list(&app, &format!("assignments?{query}")).await.len(),
            count,
            "{query}"
        );
    }
}

#[actix_web::test]
async fn configuring_changes_what_it_names_and_answers_with_all_of_it() {
    let app = app_of_any_model(Database::Sqlite).await;
    let school = School::open(&app).await;
    let whole = configure(
        &app,
        &school,
        "",
        json!({
            "rubric": rubric(), "ai_evaluator": {"enabled": true, "model": "m"},
            "human_review": "required", "feedback": {"tone": "encouraging"},
        }),
    )
    .await;
    assert_eq!(whole["object"], "assignment");
    assert_eq!(whole["rubric"]["criteria"][0]["id"], "c1");
    let partly = configure(
        &app,
        &school,
        "",
        json!({"ai_evaluator": {"enabled": false}}),
    )
    .await;
    assert_eq!(
        partly["ai_evaluator"],
        json!({"enabled": false, "model": "m"})
    );
    assert_eq!(partly["rubric"], whole["rubric"]);
    let same = configure(&app, &school, "", json!({"human_review": "required"})).await;
    assert_eq!(same, partly);
    assert_eq!(events(&app, "assignment.updated").await.len(), 2);
    let cleared = json!({"rubric": null, "human_review": null, "ai_evaluator": null});
    let cleared = configure(&app, &school, "", cleared).await;
    assert_eq!(cleared["rubric"], json!({"criteria": []}));
    assert_eq!(
        (&cleared["human_review"], &cleared["feedback"]["tone"]),
        (&json!("optional"), &json!("encouraging"))
    );
    let path = format!("/v1/assignments/{}/configure", school.assignment);
    for (body, field) in [
        (json!({"human_review": "maybe"}), "human_review"),
        (json!({"feedback": {"tone": "rude"}}), "feedback.tone"),
        (
            json!({"feedback": {"language": "not a language"}}),
            "feedback.language",
        ),
        (
            json!({"ai_evaluator": {"enabled": "yes"}}),
            "ai_evaluator.enabled",
        ),
    ] {
        assert_refused(&app.patch(&path, body).await, 400, "invalid_field", field);
    }
}

#[actix_web::test]
async fn who_switches_review_off_is_told_once_what_goes_out_then() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let told = Some("unmeasured_grades_go_out");
    let off = json!({"human_review": "off"});
    let path = format!("/v1/assignments/{}", school.assignment);
    for path in [path.clone(), format!("{path}/configure")] {
        let set = app.patch(&path, off.clone()).await;
        assert_eq!((set.status, set.header("x-notice")), (200, told), "{path}");
        let shown = app
            .get(&format!("/v1/assignments/{}", school.assignment))
            .await;
        assert_eq!(shown.header("x-notice"), None);
        assert_eq!(set.header("etag"), shown.header("etag"), "the same thing");
        let other = app.patch(&path, json!({"human_review": "optional"})).await;
        assert_eq!(other.header("x-notice"), None);
    }
    let new = json!({"course_id": school.course, "name": "Essay", "human_review": "off"});
    let made = app.post("/v1/assignments", new).await;
    assert_eq!((made.status, made.header("x-notice")), (201, told));
}

#[actix_web::test]
async fn a_rubric_comes_inside_or_as_the_body_and_keeps_what_we_do_not_know() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let inside = configure(&app, &school, "/rubric", json!({"rubric": rubric()})).await;
    let stored = &inside["rubric"];
    assert_eq!(stored["note"], "kept");
    assert_eq!(stored["criteria"][0]["key_points"], json!(["Two hours"]));
    assert_eq!(stored["criteria"][1]["max_points"], json!(2.5));
    configure(&app, &school, "/rubric", json!({"rubric": null})).await;
    let bare = configure(&app, &school, "/rubric", rubric()).await;
    assert_eq!(&bare["rubric"], stored);
}

#[actix_web::test]
async fn problems_of_a_rubric_stand_where_they_were_written() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/assignments/{}/configure", school.assignment);
    let level = |points: Value| json!({"name": "A", "levels": [{"label": "x", "points": points}, {"label": "y", "points": 0}]});
    let cases = [
        (json!([{}]), "missing_field", "criteria[0].name"),
        (json!([{"name": " "}]), "invalid_field", "criteria[0].name"),
        (
            json!([{"name": "A", "weight": 0}]),
            "invalid_field",
            "criteria[0].weight",
        ),
        (
            json!([{"name": "A", "max_points": "5"}]),
            "invalid_field",
            "criteria[0].max_points",
        ),
        (
            json!([{"name": "A", "id": "x"}, {"name": "B", "id": "x"}]),
            "invalid_field",
            "criteria[1].id",
        ),
        (
            json!([{"name": "A", "levels": []}]),
            "invalid_field",
            "criteria[0].levels",
        ),
        (
            json!([level(json!(-1))]),
            "invalid_field",
            "criteria[0].levels[0].points",
        ),
        (
            json!([{"name": "A", "levels": [{"label": "x"}, {"label": "y", "points": 0}]}]),
            "missing_field",
            "criteria[0].levels[0].points",
        ),
        (
            json!(vec![json!({"name": "A"}); 51]),
            "invalid_field",
            "criteria",
        ),
    ];
    for (criteria, code, field) in cases {
        let rubric = json!({"criteria": criteria});
        let inside = format!("rubric.{field}");
        for part in ["", "/rubric"] {
            let refused = app
                .patch(&format!("{path}{part}"), json!({"rubric": rubric}))
                .await;
            assert_refused(&refused, 400, code, &inside);
        }
        let bare = app.patch(&format!("{path}/rubric"), rubric.clone()).await;
        assert_refused(&bare, 400, code, field);
        let new = json!({"unit_id": school.unit, "name": "A", "rubric": rubric});
        assert_refused(&app.post("/v1/assignments", new).await, 400, code, &inside);
    }
    let missing = app.patch(&format!("{path}/rubric"), json!({})).await;
    assert_refused(&missing, 400, "missing_field", "rubric");
}

#[actix_web::test]
async fn a_rubric_without_criteria_is_none_so_that_what_was_read_can_be_sent_back() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/assignments/{}", school.assignment);
    let none = app.get(&path).await.body;
    configure(&app, &school, "", json!({"rubric": rubric()})).await;
    let sent_back = app.patch(&path, none.clone()).await;
    assert_eq!(sent_back.status, 200, "{}", sent_back.body);
    assert_eq!(sent_back.body["rubric"], none["rubric"]);
}

#[actix_web::test]
async fn feedback_comes_inside_or_as_the_body() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let inside = json!({"feedback": {"tone": "demanding"}});
    let inside = configure(&app, &school, "/feedback", inside).await;
    let expected = json!({"tone": "demanding", "verbosity": "normal", "language": "en"});
    assert_eq!(inside["feedback"], expected);
    let bare = json!({"verbosity": "brief", "language": "es", "tone": null});
    let bare = configure(&app, &school, "/feedback", bare).await;
    let expected = json!({"tone": "normal", "verbosity": "brief", "language": "es"});
    assert_eq!(bare["feedback"], expected);
}

#[actix_web::test]
async fn a_reset_puts_the_grading_back_and_nothing_else() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/assignments/{}", school.assignment);
    let before = app.get(&path).await.body;
    app.patch(&path, json!({"instructions": "Stay"})).await;
    configure(
        &app,
        &school,
        "",
        json!({
            "rubric": rubric(), "ai_evaluator": {"enabled": true}, "human_review": "off",
            "feedback": {"tone": "demanding", "language": "es"},
        }),
    )
    .await;
    let reset = app
        .post(&format!("{path}/configure/reset"), json!({}))
        .await;
    assert_eq!(reset.status, 200, "{}", reset.body);
    for member in ["rubric", "ai_evaluator", "human_review", "feedback"] {
        assert_eq!(reset.body[member], before[member], "{member}");
    }
    assert_eq!(reset.body["instructions"], "Stay");
}

#[actix_web::test]
async fn a_patch_clears_dates_and_limits_and_replaces_the_rubric() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/assignments/{}", school.assignment);
    let set = json!({"due_at": "2027-01-01T00:00:00Z", "max_attempts": 2, "max_score": 10, "rubric": rubric()});
    assert_eq!(app.patch(&path, set).await.status, 200);
    let patch = json!({"due_at": null, "max_attempts": null, "max_score": null, "rubric": {"criteria": [{"name": "One"}]}});
    let changed = app.patch(&path, patch).await.body;
    assert_eq!(
        (&changed["due_at"], &changed["max_attempts"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(changed["max_score"], json!(100));
    assert_eq!(changed["rubric"]["criteria"].as_array().unwrap().len(), 1);
    assert_eq!(changed["rubric"]["note"], Value::Null);
    for (body, field) in [
        (json!({"max_score": 0}), "max_score"),
        (json!({"max_attempts": 0}), "max_attempts"),
        (json!({"due_at": "tomorrow"}), "due_at"),
    ] {
        assert_refused(&app.patch(&path, body).await, 400, "invalid_field", field);
    }
}

#[actix_web::test]
async fn configuring_is_conditional_too() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/assignments/{}", school.assignment);
    let tag = app.get(&path).await.header("etag").unwrap().to_owned();
    app.patch(&path, json!({"name": "Other"})).await;
    let stale = support::app::request(&app.owner, "PATCH", &format!("{path}/configure"))
        .insert_header(("If-Match", tag))
        .set_json(json!({"human_review": "off"}));
    assert_refused(&app.send(stale).await, 412, "precondition_failed", "");
}

#[actix_web::test]
async fn null_puts_back_how_feedback_is_written() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/assignments/{}", school.assignment);
    let plain = app.get(&path).await.body["feedback"].clone();
    let other = json!({"tone": "demanding", "verbosity": "brief", "language": "pt-BR"});
    for (place, body) in [
        ("", json!({"feedback": null})),
        ("/configure", json!({"feedback": null})),
        (
            "/configure/feedback",
            json!({"tone": null, "verbosity": null, "language": null}),
        ),
    ] {
        school.configure(&app, json!({"feedback": other})).await;
        let cleared = app.patch(&format!("{path}{place}"), body).await;
        assert_eq!(cleared.body["feedback"], plain, "{place}");
    }
}

#[actix_web::test]
async fn null_for_what_a_criterion_must_have_is_missing() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/assignments/{}/configure", school.assignment);
    let rubric = json!({"rubric": {"criteria": [{"name": "Time"}, {"name": null}]}});
    let refused = app.patch(&path, rubric).await;
    assert_eq!((refused.status, refused.code()), (400, "missing_field"));
    let fields = &refused.body["error"]["fields"];
    assert_eq!(*fields, json!({"rubric.criteria[1].name": "is required"}));
}
