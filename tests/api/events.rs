//! The event log over HTTP.

use serde_json::{Value, json};
use support::app::TestApp;

use crate::school::{School, assert_refused, events, key, list};

#[actix_web::test]
async fn an_event_says_what_happened_where_and_in_which_request() {
    let app = TestApp::start().await;
    let made = app
        .post("/v1/courses", json!({"name": "A", "language": "en"}))
        .await;
    let event = events(&app, "course.created").await[0].clone();
    assert_eq!(event["object"], "event");
    assert_eq!(
        event["data"],
        json!({"object": made.body, "previous_attributes": {}})
    );
    assert_eq!(event["request_id"].as_str(), made.header("request-id"));
    let platform = list(&app, "platforms").await[0].clone();
    for member in ["id", "uuid", "code", "name"] {
        assert_eq!(event["platform"][member], platform[member], "{member}");
    }
    let path = format!("/v1/events/{}", event["id"].as_str().unwrap());
    assert_eq!(app.get(&path).await.body, event);
}

#[actix_web::test]
async fn events_are_found_by_type_and_by_what_they_are_about() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    app.patch(&format!("/v1/units/{}", school.unit), json!({"name": "B"}))
        .await;
    let about = list(&app, &format!("events?object_id={}", school.unit)).await;
    let kinds: Vec<&Value> = about.iter().map(|event| &event["type"]).collect();
    assert_eq!(kinds, ["unit.updated", "unit.created"]);
    let both = format!("events?object_id={}&type=unit.created", school.unit);
    assert_eq!(list(&app, &both).await.len(), 1);
    let unknown = app.get("/v1/events?type=unit.exploded").await;
    assert_refused(&unknown, 400, "invalid_parameter", "type");
}

#[actix_web::test]
async fn a_refused_change_leaves_no_event() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let before = list(&app, "events?limit=100").await.len();
    app.post("/v1/units", json!({"course_id": school.course}))
        .await;
    app.post(&format!("/v1/cohorts/{}/end", school.cohort), json!({}))
        .await;
    app.post("/v1/users", json!({"email": crate::school::STUDENT}))
        .await;
    assert_eq!(list(&app, "events?limit=100").await.len(), before);
}

#[actix_web::test]
async fn reading_events_takes_its_scope() {
    let app = TestApp::start().await;
    let narrow = key(&app, &["read:courses"]).await;
    let refused = app.call(&narrow, "GET", "/v1/events", None).await;
    assert_refused(&refused, 403, "insufficient_scope", "scope");
    let enough = key(&app, &["read:events"]).await;
    assert_eq!(
        app.call(&enough, "GET", "/v1/events", None).await.status,
        200
    );
}
