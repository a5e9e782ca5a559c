//! The catalogue of event types, held against what really happens.

use std::collections::{BTreeMap, BTreeSet};

use insta::assert_json_snapshot;
use serde_json::{Value, json};
use support::app::TestApp;
use support::receiver::Receiver;
use support::scripted_ai::{Scripted, ScriptedAi};
use support::stores::Database;

use crate::certificates;
use crate::media;
use crate::regrades;
use crate::school::{School, done, key, list, made};
use crate::webhooks::endpoint;

/// What no request of these tests makes happen.
const NOT_MADE_HERE: [&str; 3] = ["submission.explained", "lesson.completed", "user.erased"];

/// Everything that can happen to what is authored, but its end.
async fn author(app: &TestApp) -> School {
    let school = School::open(app).await;
    for (collection, id) in [
        ("courses", &school.course),
        ("cohorts", &school.cohort),
        ("units", &school.unit),
        ("lessons", &school.lesson),
        ("activities", &school.activity),
        ("assignments", &school.assignment),
        ("users", &school.student),
    ] {
        let change = json!({"name": "Another", "metadata": {"k": [1, null]}});
        let changed = app.patch(&format!("/v1/{collection}/{id}"), change).await;
        assert_eq!(changed.status, 200, "{collection} {}", changed.body);
    }
    let path = format!("/v1/courses/{}/syllabus", school.course);
    let brief = json!({"brief": "Cooling", "hours": 1});
    for cancel in [false, false, true] {
        let asked = app.post(&path, brief.clone()).await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        if cancel {
            done(app, &format!("generations/{}/cancel", asked.id())).await;
        }
        app.work().await;
    }
    school
}

/// A cohort sees a lesson as it was, and then as it is.
async fn update_by_choice(app: &TestApp, school: &School) {
    let cohort = format!("/v1/cohorts/{}", school.cohort);
    app.patch(&cohort, json!({"updates": "manual"})).await;
    let lesson = format!("/v1/lessons/{}", school.lesson);
    app.patch(&lesson, json!({"content": "Cool it fast."}))
        .await;
    done(app, &format!("cohorts/{}/update", school.cohort)).await;
}

/// Everything that can happen to submissions.
async fn grade(app: &TestApp, school: &School) {
    school.student_session(app).await;
    update_by_choice(app, school).await;
    let due = json!({"due_at": "2020-01-01T00:00:00Z"});
    let assignment = format!("/v1/assignments/{}", school.assignment);
    app.patch(&assignment, due).await;
    let draft = json!({
        "assignment_id": school.assignment, "user_id": school.student,
        "content": {"type": "text", "text": "Cool it fast."}, "cohort_id": school.cohort,
    });
    let id = made(app, &app.owner, "submissions", draft).await;
    if app.get(&format!("/v1/submissions/{id}")).await.body["status"] == "draft" {
        done(app, &format!("submissions/{id}/submit")).await;
    }
    let later = json!({"cohort_id": school.cohort, "due_at": null});
    made(
        app,
        &app.owner,
        &format!("assignments/{}/overrides", school.assignment),
        later,
    )
    .await;
    app.work().await;
    for _ in 0..2 {
        app.post(&format!("/v1/submissions/{id}/ai"), json!({}))
            .await;
        app.work().await;
    }
    let score = json!({"score": 80, "feedback": "Good"});
    for next in ["grade", "reopen", "grade"] {
        app.post(&format!("/v1/submissions/{id}/{next}"), score.clone())
            .await;
    }
    done(app, &format!("submissions/{id}/return")).await;
    app.delete(&format!("/v1/submissions/{id}?force=true"))
        .await;
}

/// Everything that can happen to packages, keys and endpoints.
async fn export_and_operate(app: &TestApp, school: &School) {
    let package = json!({"cohort_id": school.cohort});
    let asked = app.post("/v1/scorm", package).await;
    app.work().await;
    done(app, &format!("scorm/{}/revoke", asked.id())).await;
    let bare = json!({"name": "Bare", "language": "en"});
    let bare = made(app, &app.owner, "courses", bare).await;
    let bare = json!({"course_id": bare, "name": "Bare"});
    let bare = made(app, &app.owner, "cohorts", bare).await;
    app.post("/v1/scorm", json!({"cohort_id": bare})).await;
    app.work().await;
    key(app, &["read:courses"]).await;
    let spare = list(app, "api_keys").await[0]["id"].clone();
    done(app, &format!("api_keys/{}/revoke", spare.as_str().unwrap())).await;
    let receiver = Receiver::answering([410]).await;
    let (hook, _) = endpoint(app, &receiver, json!(["ping"])).await;
    app.post(&format!("/v1/webhook_endpoints/{hook}/test"), json!({}))
        .await;
    app.deliver().await;
}

/// Everything that can happen to files of the media library.
async fn collect_media(app: &TestApp) {
    let ready = media::ready(app, "").await;
    let id = ready["id"].as_str().unwrap();
    media::upload(app, &app.owner, b"neither picture nor film", &[]).await;
    app.work().await;
    app.delete(&format!("/v1/media/{id}")).await;
    let item = &list(app, &format!("trash?object_id={id}")).await[0]["id"];
    done(app, &format!("trash/{}/restore", item.as_str().unwrap())).await;
}

/// The end of everything.
async fn end(app: &TestApp, school: &School) {
    done(app, &format!("cohorts/{}/end", school.cohort)).await;
    done(app, &format!("cohorts/{}/archive", school.cohort)).await;
    done(app, &format!("courses/{}/archive", school.course)).await;
    let place = format!("/v1/cohorts/{}/students/{}", school.cohort, school.student);
    assert_eq!(app.delete(&place).await.status, 200);
    for thing in [
        format!("activities/{}", school.activity),
        format!("assignments/{}", school.assignment),
        format!("lessons/{}", school.lesson),
        format!("units/{}", school.unit),
        format!("cohorts/{}", school.cohort),
        format!("courses/{}", school.course),
        format!("users/{}", school.student),
    ] {
        let deleted = app.delete(&format!("/v1/{thing}?force=true")).await;
        assert_eq!(deleted.status, 200, "{thing} {}", deleted.body);
    }
    // And back, the other way round.
    for item in all(app, "trash").await {
        let id = item["id"].as_str().unwrap();
        done(app, &format!("trash/{id}/restore")).await;
    }
}

/// Everything on all pages of a list.
async fn all(app: &TestApp, path: &str) -> Vec<Value> {
    let (mut found, mut after) = (Vec::new(), String::new());
    loop {
        let page = app.get(&format!("/v1/{path}?limit=30{after}")).await.body;
        found.extend(page["data"].as_array().unwrap().iter().cloned());
        if page["has_more"] == false {
            return found;
        }
        after = format!("&startingAfter={}", page["next_cursor"].as_str().unwrap());
    }
}

async fn schemas(app: &TestApp) -> BTreeMap<String, Value> {
    let types = all(app, "event_types").await.into_iter();
    types
        .map(|kind| {
            (
                kind["id"].as_str().unwrap().to_owned(),
                kind["schema"].clone(),
            )
        })
        .collect()
}

/// The members that a definition documents.
fn members(schema: &Value) -> BTreeSet<&str> {
    let object = &schema["properties"]["data"]["properties"]["object"];
    let properties = object["properties"].as_object().unwrap();
    properties.keys().map(String::as_str).collect()
}

#[actix_web::test]
async fn what_happens_is_as_its_schema_says() {
    // The first drafting and the first grading fail.
    let script = [Scripted::Refused];
    let app = TestApp::on(Database::Sqlite, ScriptedAi::new(script)).await;
    let school = author(&app).await;
    let failing = TestApp::on(Database::Sqlite, ScriptedAi::new([Scripted::Refused])).await;
    let other = School::open(&failing).await;
    grade(&failing, &other).await;
    grade(&app, &school).await;
    export_and_operate(&app, &school).await;
    collect_media(&app).await;
    end(&app, &school).await;
    let schemas = schemas(&app).await;
    let mut happened = all(&app, "events").await;
    happened.extend(all(&failing, "events").await);
    let (certified, certifying) = certificates::revoked().await;
    let place = format!("/v1/assignments/{}/certificate", certifying.assignment);
    certificates::hand_in(&certified, &certifying, certificates::CLASS).await;
    certified.post(&place, json!({})).await;
    certified.post(&format!("{place}/end"), json!({})).await;
    happened.extend(all(&certified, "events").await);
    happened.extend(all(&certificates::refused().await, "events").await);
    happened.extend(all(&regrades::told_of_everything().await, "events").await);
    let mut seen = BTreeSet::new();
    for event in &happened {
        let kind = event["type"].as_str().unwrap();
        let schema = &schemas[kind];
        let validator = jsonschema::validator_for(schema).unwrap();
        let problems: Vec<String> = validator
            .iter_errors(event)
            .map(|error| format!("{} {error}", error.instance_path()))
            .collect();
        assert!(problems.is_empty(), "{kind} {problems:?}");
        let documented = members(schema);
        for shown in ["object", "previous_attributes"] {
            let undocumented: Vec<&String> = event["data"][shown]
                .as_object()
                .unwrap()
                .keys()
                .filter(|name| !documented.contains(name.as_str()))
                .collect();
            assert!(undocumented.is_empty(), "{kind} {undocumented:?}");
        }
        seen.insert(kind);
    }
    let unseen: Vec<&String> = schemas
        .keys()
        .filter(|kind| !seen.contains(kind.as_str()) && !NOT_MADE_HERE.contains(&kind.as_str()))
        .collect();
    assert!(unseen.is_empty(), "{unseen:?}");
}

#[actix_web::test]
async fn a_schema_refuses_what_is_no_event_of_its_type() {
    let app = TestApp::start().await;
    made(
        &app,
        &app.owner,
        "courses",
        json!({"name": "A", "language": "en"}),
    )
    .await;
    let event = list(&app, "events").await[0].clone();
    let schemas = schemas(&app).await;
    let created = jsonschema::validator_for(&schemas["course.created"]).unwrap();
    assert!(created.is_valid(&event));
    let updated = jsonschema::validator_for(&schemas["course.updated"]).unwrap();
    assert!(!updated.is_valid(&event), "another type");
    for path in [
        "/id",
        "/platform/uuid",
        "/data/object/name",
        "/data/object/duration/hours",
    ] {
        let mut broken = event.clone();
        *broken.pointer_mut(path).unwrap() = json!({"no": "such thing"});
        assert!(!created.is_valid(&broken), "{path}");
    }
    let mut without = event.clone();
    without["data"]["object"]
        .as_object_mut()
        .unwrap()
        .remove("name");
    assert!(!created.is_valid(&without));
}

#[actix_web::test]
async fn the_catalogue_is_a_list_like_every_other() {
    let app = TestApp::start().await;
    let first = app.get("/v1/event_types?limit=1").await;
    assert_json_snapshot!("event_types", first.body, {
        ".data[].schema.properties.data.properties.object" => "[what it is about]", ".next_cursor" => "[cursor]",
    });
    let types = all(&app, "event_types").await;
    let ids: BTreeSet<&str> = types
        .iter()
        .filter_map(|kind| kind["id"].as_str())
        .collect();
    assert_eq!(ids.len(), types.len(), "each once");
    assert!(ids.contains("submission.graded") && ids.contains("ping"));
    let after = list(&app, "event_types?startingAfter=webhook_endpoint.disabled").await;
    assert_eq!(after.last().unwrap()["id"], "ping");
    let wrong = app
        .get("/v1/event_types?startingAfter=course.exploded")
        .await;
    assert_eq!((wrong.status, wrong.code()), (400, "invalid_cursor"));
    let courses = app.get("/v1/courses?startingAfter=ping").await;
    assert_eq!(courses.code(), "invalid_cursor", "elsewhere that is no id");
}
