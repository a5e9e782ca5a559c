//! Related objects, put into an answer.

use serde_json::{Value, json};
use support::app::{Caller, TestApp};

/// A course with two units of one lesson each, a cohort, an assignment and a submission.
struct Story {
    course: String,
    cohort: String,
    submission: String,
}

async fn id(app: &TestApp, path: &str, body: Value) -> String {
    let made = app.post(path, body).await;
    assert_eq!(made.status, 201, "{path} {}", made.body);
    made.id()
}

async fn story(app: &TestApp) -> Story {
    let course = id(app, "/v1/courses", json!({"name": "C", "language": "en"})).await;
    for name in ["U1", "U2"] {
        let unit = id(app, "/v1/units", json!({"course_id": course, "name": name})).await;
        id(
            app,
            "/v1/lessons",
            json!({"unit_id": unit, "name": format!("{name} L")}),
        )
        .await;
    }
    let cohort = id(
        app,
        "/v1/cohorts",
        json!({"course_id": course, "name": "Spring"}),
    )
    .await;
    let user = id(app, "/v1/users", json!({"email": "ada@example.org"})).await;
    let assignment = id(
        app,
        "/v1/assignments",
        json!({"course_id": course, "name": "A"}),
    )
    .await;
    let sent = json!({
        "assignment_id": assignment, "user_id": user, "cohort_id": cohort,
        "content": {"type": "text", "text": "x"},
    });
    let submission = id(app, "/v1/submissions", sent).await;
    Story {
        course,
        cohort,
        submission,
    }
}

#[actix_web::test]
async fn related_objects_are_put_in_level_by_level() {
    let app = TestApp::start().await;
    let story = story(&app).await;
    let path = format!(
        "/v1/courses/{}?expand=units.lessons,cohorts.course",
        story.course
    );
    let course = app.get(&path).await.body;
    assert_eq!(course["units"][0]["name"], "U1");
    assert_eq!(course["units"][1]["lessons"][0]["name"], "U2 L");
    assert_eq!(course["cohorts"][0]["id"], json!(story.cohort));
    assert_eq!(course["cohorts"][0]["course"]["id"], json!(story.course));
}

#[actix_web::test]
async fn lists_and_writes_expand_too_in_every_spelling() {
    let app = TestApp::start().await;
    let story = story(&app).await;
    for query in [
        "expand=user,assignment",
        "expand=user&expand=assignment",
        "expand[]=user&expand[1]=assignment",
    ] {
        let list = app.get(&format!("/v1/submissions?{query}")).await.body;
        let submission = &list["data"][0];
        assert_eq!(submission["id"], json!(story.submission), "{query} {list}");
        assert_eq!(submission["user"]["email"], "ada@example.org", "{query}");
        assert_eq!(submission["assignment"]["name"], "A", "{query}");
    }
    let made = app
        .post(
            "/v1/units?expand=course",
            json!({"course_id": story.course, "name": "U3"}),
        )
        .await;
    assert_eq!(
        (made.status, &made.body["course"]["name"]),
        (201, &json!("C"))
    );
}

#[actix_web::test]
async fn what_cannot_be_expanded_is_named() {
    let app = TestApp::start().await;
    story(&app).await;
    for path in [
        "students",
        "units.secrets",
        "units.course.units.course.units",
    ] {
        let refused = app.get(&format!("/v1/courses?expand={path}")).await;
        assert_eq!(
            (refused.status, refused.code()),
            (400, "invalid_expand"),
            "{path}"
        );
    }
    let refused = app.get("/v1/events?expand=course").await;
    assert_eq!(refused.code(), "invalid_expand");
}

#[actix_web::test]
async fn nobody_expands_what_they_could_not_read() {
    let app = TestApp::start().await;
    let story = story(&app).await;
    let made = app
        .post(
            "/v1/api_keys",
            json!({"name": "n", "scopes": ["read:submissions"]}),
        )
        .await;
    let narrow = Caller {
        key: made.body["api_key"].as_str().unwrap().into(),
        platform: "main".into(),
    };
    let path = format!("/v1/submissions/{}", story.submission);
    assert_eq!(app.call(&narrow, "GET", &path, None).await.status, 200);
    let refused = app
        .call(&narrow, "GET", &format!("{path}?expand=user"), None)
        .await;
    assert_eq!(
        (refused.status, refused.code()),
        (403, "insufficient_scope")
    );
}
