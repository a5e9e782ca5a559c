//! Drafting a syllabus: asked for, made once, called off, tried again.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{join, join_all};
use insta::assert_json_snapshot;
use lyceum_ports::drafting::ai::AiProvider;
use serde_json::{Value, json};
use support::app::{Answer, TestApp};
use support::scripted_ai::{Scripted, ScriptedAi};
use support::stores::Database;

use crate::school::{app_on, assert_refused, caller, done, events, key, list, made};

const BRIEF: &str = "Food safety for kitchen staff: cooling, storing, reheating, allergens.";

async fn course(app: &TestApp, hours: u32, description: &str) -> String {
    let body = json!({
        "name": "Food", "language": "en", "hours": hours, "description": description,
    });
    made(app, &app.owner, "courses", body).await
}

/// Asks for a syllabus; the generation's id.
async fn start(app: &TestApp, course: &str, body: Value) -> String {
    let asked = app
        .post(&format!("/v1/courses/{course}/syllabus"), body)
        .await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    asked.id()
}

async fn read(app: &TestApp, id: &str) -> Value {
    app.get(&format!("/v1/generations/{id}")).await.body
}

async fn lessons(app: &TestApp, course: &str) -> Vec<Value> {
    let mut all = Vec::new();
    let mut cursor = String::new();
    loop {
        let path = format!("/v1/lessons?limit=100&course_id={course}{cursor}");
        let page = app.get(&path).await.body;
        all.extend(page["data"].as_array().unwrap().clone());
        if page["has_more"] == json!(false) {
            return all;
        }
        cursor = format!("&startingAfter={}", page["next_cursor"].as_str().unwrap());
    }
}

fn minutes(lessons: &[Value]) -> u64 {
    let minutes = lessons
        .iter()
        .map(|one| one["duration_minutes"].as_u64().unwrap());
    minutes.sum()
}

#[actix_web::test]
async fn a_syllabus_fills_exactly_the_hours_and_says_where_it_came_from() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let course = course(&app, 9, "").await;
        let path = format!("/v1/courses/{course}/syllabus");
        let asked = app.post(&path, json!({"brief": BRIEF})).await;
        assert_eq!(
            (asked.status, &asked.body["status"]),
            (202, &json!("pending"))
        );
        let place = format!("/v1/generations/{}", asked.id());
        assert_eq!(asked.header("location"), Some(place.as_str()));
        assert_eq!(asked.header("retry-after"), Some("2"));
        assert!(asked.body["estimated_ready_at"].is_string());
        assert!(lessons(&app, &course).await.is_empty());
        app.work().await;
        let ready = read(&app, &asked.id()).await;
        assert_eq!(ready["status"], "ready", "{ready}");
        let lessons = lessons(&app, &course).await;
        assert_eq!(minutes(&lessons), 9 * 60, "{database:?}");
        for lesson in &lessons {
            let expected = json!({"origin": "ai", "model": "builtin", "generation_id": asked.id(), "source_hash": null});
            assert_eq!(lesson["provenance"], expected);
        }
        let course = app.get(&format!("/v1/courses/{course}")).await.body;
        assert_eq!(
            course["duration"],
            json!({"hours": 9, "hours_generated": 9})
        );
        assert_eq!(
            course["generation"],
            json!({"id": asked.id(), "status": "ready"})
        );
        assert_eq!(events(&app, "generation.ready").await.len(), 1);
    }
}

#[actix_web::test]
async fn a_generation_shows_every_member() {
    let app = TestApp::start().await;
    let course = course(&app, 2, "").await;
    let id = start(&app, &course, json!({"brief": BRIEF})).await;
    assert_json_snapshot!("pending_generation", read(&app, &id).await);
    app.work().await;
    let ready = read(&app, &id).await;
    assert_json_snapshot!("ready_generation", ready, {
        ".result.summary" => "[text]", ".result.assumptions" => "[texts]",
    });
}

#[actix_web::test]
async fn the_description_is_the_brief_when_none_is_given() {
    let ai = ScriptedAi::new([]);
    let provider: Arc<dyn AiProvider> = ai.clone();
    let app = TestApp::on(Database::Sqlite, provider).await;
    let course = course(&app, 4, BRIEF).await;
    start(&app, &course, json!({"brief": "  "})).await;
    app.work().await;
    let brief = json!({"brief": "Knife skills", "hours": 3, "mode": "replace"});
    start(&app, &course, brief).await;
    app.work().await;
    let drafted = ai.drafted();
    let asked: Vec<(&str, u32)> = drafted
        .iter()
        .map(|brief| (brief.brief.as_str(), brief.hours.minutes() / 60))
        .collect();
    assert_eq!(asked, [(BRIEF, 4), ("Knife skills", 3)]);
}

#[actix_web::test]
async fn without_brief_and_description_the_brief_is_missing() {
    let app = TestApp::start().await;
    let course = course(&app, 4, " ").await;
    let path = format!("/v1/courses/{course}/syllabus");
    for body in [json!({}), json!({"brief": null}), json!({"brief": " "})] {
        let refused = app.post(&path, body).await;
        assert_refused(&refused, 400, "missing_field", "brief");
    }
    for (body, field) in [
        (json!({"brief": BRIEF, "hours": 0}), "hours"),
        (json!({"brief": BRIEF, "hours": "4"}), "hours"),
        (json!({"brief": BRIEF, "mode": "merge"}), "mode"),
    ] {
        assert_refused(&app.post(&path, body).await, 400, "invalid_field", field);
    }
    assert!(list(&app, "generations").await.is_empty());
}

#[actix_web::test]
async fn generating_takes_its_scope_and_no_other() {
    let app = TestApp::start().await;
    let course = course(&app, 4, BRIEF).await;
    let path = format!("/v1/courses/{course}/syllabus");
    for scopes in [["write:courses"].as_slice(), &["write:*", "read:*"]] {
        let narrow = key(&app, scopes).await;
        let refused = app.call(&narrow, "POST", &path, Some(json!({}))).await;
        assert_refused(&refused, 403, "insufficient_scope", "scope");
    }
    let enough = key(&app, &["ai:generate"]).await;
    assert_eq!(
        app.call(&enough, "POST", &path, Some(json!({})))
            .await
            .status,
        202
    );
}

#[actix_web::test]
async fn a_course_has_one_pending_syllabus() {
    let app = TestApp::start().await;
    let course = course(&app, 4, BRIEF).await;
    let path = format!("/v1/courses/{course}/syllabus");
    let first = start(&app, &course, json!({})).await;
    let second = app.post(&path, json!({})).await;
    assert_refused(&second, 409, "generation_in_progress", "");
    let shown = app.get(&format!("/v1/courses/{course}")).await.body;
    assert_eq!(
        shown["generation"],
        json!({"id": first, "status": "pending"})
    );
    app.work().await;
    start(&app, &course, json!({})).await;
}

#[actix_web::test]
async fn of_calls_that_race_exactly_one_is_accepted() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let course = course(&app, 4, BRIEF).await;
        let path = format!("/v1/courses/{course}/syllabus");
        let answers = join_all((0..10).map(|_| app.post(&path, json!({})))).await;
        let accepted = answers.iter().filter(|one| one.status == 202).count();
        assert_eq!(accepted, 1, "{database:?}");
        for refused in answers.iter().filter(|one| one.status != 202) {
            assert_refused(refused, 409, "generation_in_progress", "");
        }
        assert_eq!(list(&app, "generations").await.len(), 1);
        assert_eq!(app.work().await, 1);
    }
}

#[actix_web::test]
async fn appending_keeps_what_is_there_and_replacing_does_not() {
    let app = TestApp::start().await;
    let course = course(&app, 2, BRIEF).await;
    let own = json!({"course_id": course, "name": "My own"});
    let own = made(&app, &app.owner, "units", own).await;
    start(&app, &course, json!({})).await;
    app.work().await;
    let units = list(&app, &format!("units?limit=100&course_id={course}")).await;
    assert!(units.len() > 1);
    assert_eq!(
        (&units[0]["id"], &units[0]["provenance"]["origin"]),
        (&json!(own), &json!("human"))
    );
    let again = start(&app, &course, json!({"mode": "replace", "hours": 3})).await;
    app.work().await;
    let units = list(&app, &format!("units?limit=100&course_id={course}")).await;
    assert!(units.len() > 1);
    assert_eq!(units[0]["id"], json!(own), "what a person made stays");
    for (position, unit) in units.iter().enumerate() {
        assert_eq!(unit["position"], json!(position));
        if position > 0 {
            assert_eq!(unit["provenance"]["generation_id"], json!(again));
        }
    }
    assert_eq!(minutes(&lessons(&app, &course).await), 3 * 60);
    let course = app.get(&format!("/v1/courses/{course}")).await.body;
    assert_eq!(
        course["duration"],
        json!({"hours": 2, "hours_generated": 3})
    );
}

#[actix_web::test]
async fn a_person_who_edits_a_generated_lesson_is_told_apart() {
    let app = TestApp::start().await;
    let course = course(&app, 2, BRIEF).await;
    start(&app, &course, json!({})).await;
    app.work().await;
    let first = lessons(&app, &course).await[0]["id"].clone();
    let path = format!("/v1/lessons/{}", first.as_str().unwrap());
    let edited = app.patch(&path, json!({"summary": "Mine now"})).await.body;
    assert_eq!(edited["provenance"]["origin"], "ai_edited");
}

/// The events of a stream: their names and what they tell.
fn told(stream: &Answer) -> Vec<(String, Value)> {
    let text = stream.body.as_str().unwrap();
    let events = text.split("\n\n").filter(|event| !event.is_empty());
    events
        .map(|event| {
            let (name, data) = event.split_once('\n').unwrap();
            let name = name.strip_prefix("event: ").unwrap();
            let data = data.strip_prefix("data: ").unwrap();
            (name.to_owned(), serde_json::from_str(data).unwrap())
        })
        .collect()
}

#[actix_web::test]
async fn a_generation_is_followed_until_it_is_done() {
    let app = TestApp::start().await;
    let course = course(&app, 2, BRIEF).await;
    let id = start(&app, &course, json!({})).await;
    let path = format!("/v1/generations/{id}/stream");
    let work = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        app.work().await
    };
    let (stream, _) = join(app.get(&path), work).await;
    assert_eq!(
        (stream.status, stream.header("content-type")),
        (200, Some("text/event-stream"))
    );
    let told = told(&stream);
    let (first, last) = (told.first().unwrap(), told.last().unwrap());
    assert_eq!(
        (first.0.as_str(), &first.1["status"]),
        ("progress", &json!("pending"))
    );
    assert_eq!((last.0.as_str(), &last.1), ("done", &read(&app, &id).await));
    assert_eq!(last.1["status"], "ready");
    let names = told.iter().filter(|(name, _)| name == "done").count();
    assert_eq!(names, 1);
}

#[actix_web::test]
async fn a_node_that_stops_ends_its_streams() {
    let app = TestApp::start().await;
    let course = course(&app, 2, BRIEF).await;
    let id = start(&app, &course, json!({})).await;
    let path = format!("/v1/generations/{id}/stream");
    let drain = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        app.app.node.drain();
    };
    let (stream, ()) = join(app.get(&path), drain).await;
    let told = told(&stream);
    assert_eq!((told.len(), told[0].0.as_str()), (1, "progress"));
}

#[actix_web::test]
async fn what_is_done_already_is_told_at_once() {
    let app = TestApp::start().await;
    let course = course(&app, 2, BRIEF).await;
    let id = start(&app, &course, json!({})).await;
    app.work().await;
    let stream = app.get(&format!("/v1/generations/{id}/stream")).await;
    assert_eq!(told(&stream), [("done".to_owned(), read(&app, &id).await)]);
}

#[actix_web::test]
async fn whoever_loses_the_right_to_follow_is_told_so_and_nothing_more() {
    let app = TestApp::start().await;
    let course = course(&app, 2, BRIEF).await;
    let id = start(&app, &course, json!({})).await;
    let made = app
        .post("/v1/api_keys", json!({"scopes": ["read:courses"]}))
        .await;
    let follower = caller(&made.body["api_key"]);
    let path = format!("/v1/generations/{id}/stream");
    let revoke = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let revoke = format!("/v1/api_keys/{}/revoke", made.id());
        assert_eq!(app.post(&revoke, json!({})).await.status, 200);
    };
    let (stream, ()) = join(app.call(&follower, "GET", &path, None), revoke).await;
    let told = told(&stream);
    let (name, last) = told.last().unwrap();
    assert_eq!(
        (name.as_str(), &last["error"]["code"]),
        ("error", &json!("api_key_revoked"))
    );
    assert_eq!(told.len(), 2, "{told:?}");
}

#[actix_web::test]
async fn what_was_called_off_makes_nothing() {
    let app = TestApp::start().await;
    let course = course(&app, 2, BRIEF).await;
    let id = start(&app, &course, json!({})).await;
    let cancel = format!("/v1/generations/{id}/cancel");
    let canceled = app.post(&cancel, json!({})).await;
    assert_eq!(
        (canceled.status, &canceled.body["status"]),
        (200, &json!("canceled"))
    );
    app.work().await;
    assert_eq!(read(&app, &id).await["status"], "canceled");
    assert!(
        list(&app, &format!("units?course_id={course}"))
            .await
            .is_empty()
    );
    for action in ["cancel", "retry"] {
        let path = format!("/v1/generations/{id}/{action}");
        let refused = app.post(&path, json!({})).await;
        assert_refused(&refused, 409, "invalid_state_transition", "");
    }
    assert_eq!(events(&app, "generation.canceled").await.len(), 1);
    assert!(events(&app, "generation.ready").await.is_empty());
    start(&app, &course, json!({})).await;
}

#[actix_web::test]
async fn a_failed_generation_is_tried_again() {
    let app = TestApp::on(Database::Sqlite, ScriptedAi::new([Scripted::Refused])).await;
    let course = course(&app, 2, BRIEF).await;
    let id = start(&app, &course, json!({})).await;
    app.work().await;
    let failed = read(&app, &id).await;
    assert_eq!(
        (&failed["status"], &failed["error"]["code"]),
        (&json!("error"), &json!("provider_refused"))
    );
    assert!(lessons(&app, &course).await.is_empty());
    assert_eq!(events(&app, "generation.failed").await.len(), 1);
    let again = app
        .post(&format!("/v1/generations/{id}/retry"), json!({}))
        .await;
    assert_eq!(
        (again.status, &again.body["status"]),
        (202, &json!("pending"))
    );
    let beside = app
        .post(&format!("/v1/courses/{course}/syllabus"), json!({}))
        .await;
    assert_refused(&beside, 409, "generation_in_progress", "");
    app.work().await;
    let ready = read(&app, &id).await;
    assert_eq!(
        (&ready["status"], &ready["error"]),
        (&json!("ready"), &Value::Null)
    );
    assert_eq!(minutes(&lessons(&app, &course).await), 2 * 60);
}

#[actix_web::test]
async fn a_retry_beside_a_pending_one_is_refused() {
    let app = TestApp::on(Database::Sqlite, ScriptedAi::new([Scripted::InvalidOutput])).await;
    let course = course(&app, 2, BRIEF).await;
    let failed = start(&app, &course, json!({})).await;
    app.work().await;
    start(&app, &course, json!({})).await;
    let retry = app
        .post(&format!("/v1/generations/{failed}/retry"), json!({}))
        .await;
    assert_refused(&retry, 409, "generation_in_progress", "");
    for (status, count) in [("error", 1), ("pending", 1), ("ready", 0), ("canceled", 0)] {
        let found = list(&app, &format!("generations?status={status}")).await;
        assert_eq!(found.len(), count, "{status}");
    }
}

#[actix_web::test]
async fn a_course_deleted_meanwhile_stays_deleted() {
    let app = TestApp::start().await;
    let course = course(&app, 2, BRIEF).await;
    start(&app, &course, json!({})).await;
    assert_eq!(
        app.delete(&format!("/v1/courses/{course}")).await.status,
        200
    );
    app.work().await;
    assert!(list(&app, "units").await.is_empty());
    assert!(events(&app, "generation.ready").await.is_empty());
}

#[actix_web::test]
async fn a_course_that_comes_back_from_the_trash_shows_its_newest_generation() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let course = course(&app, 1, "Cooling food.").await;
        let path = format!("/v1/courses/{course}");
        start(&app, &course, json!({})).await;
        app.work().await;
        let newest = start(&app, &course, json!({"mode": "append"})).await;
        app.work().await;
        let shown = app.get(&path).await.body["generation"].clone();
        assert_eq!(shown, json!({"id": newest, "status": "ready"}));
        assert_eq!(app.delete(&path).await.status, 200);
        let items = list(&app, &format!("trash?object_id={course}")).await;
        let item = items[0]["id"].as_str().unwrap();
        done(&app, &format!("trash/{item}/restore")).await;
        assert_eq!(app.get(&path).await.body["generation"], shown);
    }
}
