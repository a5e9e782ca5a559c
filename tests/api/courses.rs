//! Courses over HTTP.

use insta::assert_json_snapshot;
use serde_json::{Value, json};
use support::app::{TestApp, request};
use support::stores::Database;

use crate::school::app_of_any_model;

async fn course(app: &TestApp, name: &str) -> String {
    let made = app
        .post("/v1/courses", json!({"name": name, "language": "en"}))
        .await;
    assert_eq!(made.status, 201, "{}", made.body);
    made.id()
}

#[actix_web::test]
async fn a_course_is_created_as_a_draft_with_every_member() {
    let app = TestApp::start().await;
    let made = app
        .post(
            "/v1/courses",
            json!({"name": "Food safety", "language": "EN-us"}),
        )
        .await;
    assert_eq!(made.status, 201);
    assert_eq!(
        made.header("location"),
        Some(format!("/v1/courses/{}", made.id()).as_str())
    );
    assert_json_snapshot!("created_course", made.body);
}

#[actix_web::test]
async fn what_was_sent_is_what_is_read() {
    let app = app_of_any_model(Database::Sqlite).await;
    let sent = json!({
        "name": "Ernährung", "language": "de", "description": "Lang", "hours": 12.0,
        "ai": {"instructions": "Be kind", "evaluator": {"model": "m"}},
        "tutor": {"enabled": true}, "metadata": {"a": [1, null]},
    });
    let made = app.post("/v1/courses", sent).await;
    let read = app.get(&format!("/v1/courses/{}", made.id())).await;
    assert_eq!((read.status, &read.body), (200, &made.body));
    assert_eq!(
        read.body["duration"],
        json!({"hours": 12, "hours_generated": 0})
    );
    assert_eq!(read.body["metadata"], json!({"a": [1, null]}));
}

#[actix_web::test]
async fn every_problem_is_named_at_once_and_a_missing_field_decides() {
    let app = TestApp::start().await;
    let sent = json!({"name": " ", "hours": "8", "ai": {"instructions": 5}, "description": null});
    let refused = app.post("/v1/courses", sent).await;
    assert_eq!(refused.status, 400);
    assert_json_snapshot!("refused_course", refused.body, {".error.request_id" => "[id]"});
}

#[actix_web::test]
async fn values_that_break_a_rule_are_refused_where_they_stand() {
    let app = TestApp::start().await;
    let cases: Vec<(Value, &str)> = vec![
        (
            json!({"name": "x", "language": "not a language"}),
            "language",
        ),
        (json!({"name": "x", "language": "en", "hours": 0}), "hours"),
        (
            json!({"name": "x", "language": "en", "hours": 1001}),
            "hours",
        ),
        (
            json!({"name": "x", "language": "en", "hours": true}),
            "hours",
        ),
        (json!({"name": "x".repeat(256), "language": "en"}), "name"),
        (json!({"name": null, "language": "en"}), "name"),
        (
            json!({"name": "x", "language": "en", "metadata": []}),
            "metadata",
        ),
        (json!({"name": "a\u{0}b", "language": "en"}), "name"),
        (
            json!({"name": "x", "language": "en", "metadata": {"k": "x".repeat(17_000)}}),
            "metadata",
        ),
    ];
    for (body, field) in cases {
        let refused = app.post("/v1/courses", body.clone()).await;
        assert_eq!(refused.status, 400, "{body} {}", refused.body);
        assert!(
            refused.body["error"]["fields"][field].is_string(),
            "{body} {}",
            refused.body
        );
    }
}

#[actix_web::test]
async fn a_patch_keeps_what_it_does_not_name_and_null_clears() {
    let app = TestApp::start().await;
    let sent = json!({
        "name": "A", "language": "en", "description": "D",
        "tutor": {"x": 1, "y": {"z": 2}}, "metadata": {"k": 1, "l": 2},
    });
    let path = format!("/v1/courses/{}", app.post("/v1/courses", sent).await.id());
    app.clock.advance(60);
    let patch = json!({
        "description": null, "tutor": {"y": {"z": null, "w": 3}}, "metadata": {"k": null, "m": 3},
    });
    let changed = app.patch(&path, patch).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    assert_eq!(changed.body["name"], "A");
    assert_eq!(changed.body["description"], "");
    assert_eq!(changed.body["tutor"], json!({"x": 1, "y": {"w": 3}}));
    assert_eq!(changed.body["metadata"], json!({"l": 2, "m": 3}));
    assert_ne!(changed.body["updated_at"], changed.body["created_at"]);
    assert_eq!(app.patch(&path, json!({"name": null})).await.status, 400);
}

#[actix_web::test]
async fn a_patch_that_changes_nothing_leaves_no_trace() {
    let app = TestApp::start().await;
    let path = format!("/v1/courses/{}", course(&app, "A").await);
    app.clock.advance(60);
    let before = app.get(&path).await;
    let same = app.patch(&path, before.body.clone()).await;
    assert_eq!(same.body, before.body);
    assert!(same.header("x-ignored-fields").unwrap().contains("status"));
    let events = app.get("/v1/events?type=course.updated").await;
    assert_eq!(events.body["data"], json!([]));
}

#[actix_web::test]
async fn a_condition_that_no_longer_holds_stops_the_change() {
    let app = TestApp::start().await;
    let path = format!("/v1/courses/{}", course(&app, "A").await);
    let tag = app.get(&path).await.header("etag").unwrap().to_owned();
    let conditional = |method: &str, name: &str| {
        request(&app.owner, method, &path)
            .insert_header(("If-Match", tag.clone()))
            .set_json(json!({"name": name}))
    };
    assert_eq!(app.send(conditional("PATCH", "B")).await.status, 200);
    let stale = app.send(conditional("PATCH", "C")).await;
    assert_eq!((stale.status, stale.code()), (412, "precondition_failed"));
    assert_eq!(app.send(conditional("DELETE", "")).await.status, 412);
    assert_eq!(app.get(&path).await.body["name"], "B");
    let fresh = app.get(&path).await.header("etag").unwrap().to_owned();
    let known = request(&app.owner, "GET", &path).insert_header(("If-None-Match", fresh));
    assert_eq!(app.send(known).await.status, 304);
}

#[actix_web::test]
async fn a_deleted_course_is_gone_in_every_way() {
    let app = TestApp::start().await;
    let id = course(&app, "A").await;
    let path = format!("/v1/courses/{id}");
    let deleted = app.delete(&path).await;
    assert_eq!(
        (deleted.status, deleted.body),
        (200, json!({"deleted": true, "id": id}))
    );
    for method in ["GET", "PATCH", "DELETE"] {
        let gone = app
            .call(
                &app.owner,
                method,
                &path,
                (method == "PATCH").then(|| json!({})),
            )
            .await;
        assert_eq!(
            (gone.status, gone.code()),
            (404, "resource_missing"),
            "{method}"
        );
    }
    assert_eq!(app.get("/v1/courses").await.body["data"], json!([]));
}

#[actix_web::test]
async fn lists_go_newest_first_page_by_page() {
    let app = TestApp::start().await;
    let mut made = Vec::new();
    for n in 0..5 {
        made.insert(0, course(&app, &format!("C{n}")).await);
    }
    let first = app.get("/v1/courses?limit=2").await.body;
    assert_eq!(
        (&first["object"], &first["has_more"]),
        (&json!("list"), &json!(true))
    );
    let mut seen: Vec<Value> = first["data"].as_array().unwrap().clone();
    let mut cursor = first["next_cursor"].as_str().unwrap().to_owned();
    while !cursor.is_empty() {
        let page = app
            .get(&format!("/v1/courses?limit=2&startingAfter={cursor}"))
            .await
            .body;
        seen.extend(page["data"].as_array().unwrap().clone());
        cursor = page["next_cursor"].as_str().unwrap().to_owned();
    }
    let ids: Vec<&str> = seen
        .iter()
        .map(|course| course["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, made);
    let by_id = app
        .get(&format!("/v1/courses?startingAfter={}", made[3]))
        .await
        .body;
    assert_eq!(by_id["data"][0]["id"], json!(made[4]));
}

#[actix_web::test]
async fn query_parameters_are_checked() {
    let app = TestApp::start().await;
    let cases = [
        ("limit=0", "invalid_parameter"),
        ("limit=101", "invalid_parameter"),
        ("limit=1&limit=2", "invalid_parameter"),
        ("status=open", "invalid_parameter"),
        ("status=", "invalid_parameter"),
        ("colour=red", "unknown_parameter"),
        ("startingAfter=xyz", "invalid_cursor"),
        ("expand=everything", "invalid_expand"),
    ];
    for (query, code) in cases {
        let refused = app.get(&format!("/v1/courses?{query}")).await;
        assert_eq!((refused.status, refused.code()), (400, code), "{query}");
    }
}

#[actix_web::test]
async fn another_workspace_sees_nothing_and_cannot_tell() {
    let app = TestApp::start().await;
    let path = format!("/v1/courses/{}", course(&app, "Secret").await);
    let other = app.another_workspace("other").await;
    let strip = |mut body: Value| {
        body["error"]["request_id"] = json!("");
        body
    };
    for method in ["GET", "PATCH", "DELETE"] {
        let body = (method == "PATCH").then(|| json!({"name": "Mine"}));
        let foreign = app.call(&other, method, &path, body.clone()).await;
        let unknown = "/v1/courses/crs_00000000000000000000000000";
        let unknown = app.call(&other, method, unknown, body).await;
        assert_eq!(
            (foreign.status, strip(foreign.body)),
            (404, strip(unknown.body)),
            "{method}"
        );
    }
    assert_eq!(
        app.call(&other, "GET", "/v1/courses", None).await.body["data"],
        json!([])
    );
    assert_eq!(app.get(&path).await.body["name"], "Secret");
}

#[actix_web::test]
async fn each_change_is_an_event_with_what_was_before() {
    let app = TestApp::start().await;
    let path = format!("/v1/courses/{}", course(&app, "A").await);
    app.patch(&path, json!({"name": "B"})).await;
    app.post(&format!("{path}/publish"), json!({})).await;
    app.delete(&path).await;
    let events = app.get("/v1/events").await.body;
    let kinds: Vec<&str> = events["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "course.deleted",
            "course.published",
            "course.updated",
            "course.created"
        ]
    );
    assert_json_snapshot!("course_updated_event", events["data"][2]);
}

#[actix_web::test]
async fn a_course_moves_through_its_states_only() {
    let app = TestApp::start().await;
    let path = format!("/v1/courses/{}", course(&app, "A").await);
    let step = |action: &str| format!("{path}/{action}");
    let refused = app.post(&step("unarchive"), json!({})).await;
    assert_eq!(
        (refused.status, refused.code()),
        (409, "invalid_state_transition")
    );
    for (action, status) in [
        ("publish", "published"),
        ("archive", "archived"),
        ("unarchive", "published"),
    ] {
        let moved = app.post(&step(action), json!({})).await;
        assert_eq!(
            (moved.status, &moved.body["status"]),
            (200, &json!(status)),
            "{action}"
        );
    }
}
