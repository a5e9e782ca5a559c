//! Drafting inside a course: lessons of a unit, the text of a lesson, activities.

use std::sync::Arc;

use lyceum_ports::drafting::ai::AiProvider;
use serde_json::{Value, json};
use support::app::{Caller, TestApp};
use support::scripted_ai::{Scripted, ScriptedAi};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, events, key, list, made};

const BRIEF: &str = "An ice bath is a sink full of ice and cold water. Food is cooled from 63 degrees to \
below 8 degrees within 90 minutes. Shallow trays are 5 cm deep. A probe thermometer is put into the thickest part.";

async fn scripted(script: impl IntoIterator<Item = Scripted>) -> (TestApp, Arc<ScriptedAi>) {
    let ai = ScriptedAi::new(script);
    let provider: Arc<dyn AiProvider> = ai.clone();
    (TestApp::on(Database::Sqlite, provider).await, ai)
}

/// Asks for something to be drafted; the generation.
async fn start(app: &TestApp, path: &str, body: Value) -> Value {
    let asked = app.post(&format!("/v1/{path}"), body).await;
    assert_eq!(asked.status, 202, "{path} {}", asked.body);
    let place = format!("/v1/generations/{}", asked.id());
    assert_eq!(asked.header("location"), Some(place.as_str()));
    assert_eq!(asked.header("retry-after"), Some("2"));
    asked.body
}

/// Asks and waits; the generation when it is over.
async fn generate(app: &TestApp, path: &str, body: Value) -> Value {
    let asked = start(app, path, body).await;
    app.work().await;
    read(app, "generations", &asked["id"]).await
}

async fn read(app: &TestApp, collection: &str, id: &Value) -> Value {
    let path = format!("/v1/{collection}/{}", id.as_str().unwrap());
    app.get(&path).await.body
}

fn by(generation: &Value) -> Value {
    json!({"origin": "ai", "model": "builtin", "generation_id": generation["id"], "source_hash": null})
}

/// An empty lesson of a school.
async fn empty_lesson(app: &TestApp, school: &School) -> String {
    let body = json!({"unit_id": school.unit, "name": "Cooling a pot"});
    made(app, &app.owner, "lessons", body).await
}

#[actix_web::test]
async fn a_unit_gets_lessons_that_fill_its_share() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let other = json!({"course_id": school.course, "name": "Storing"});
        made(&app, &app.owner, "units", other).await;
        let path = format!("units/{}/generate", school.unit);
        let ready = generate(&app, &path, json!({"brief": BRIEF})).await;
        assert_eq!(
            (&ready["status"], &ready["kind"]),
            (&json!("ready"), &json!("unit"))
        );
        assert_eq!(
            ready["target"],
            json!({"object": "unit", "id": school.unit})
        );
        let lessons = list(&app, &format!("lessons?limit=100&unit_id={}", school.unit)).await;
        assert_eq!(lessons[0]["id"], json!(school.lesson));
        assert_eq!(lessons[0]["provenance"]["origin"], "human");
        let new = &lessons[1..];
        let ids: Vec<&Value> = new.iter().map(|lesson| &lesson["id"]).collect();
        assert_eq!(ready["result"]["lesson_ids"], json!(ids), "{database:?}");
        let minutes: u64 = new
            .iter()
            .map(|lesson| lesson["duration_minutes"].as_u64().unwrap())
            .sum();
        assert_eq!(minutes, 8 * 60 / 2);
        for (position, lesson) in (1..).zip(new) {
            assert_eq!(lesson["provenance"], by(&ready));
            assert_eq!(lesson["position"], json!(position));
            assert!(!lesson["content"].as_str().unwrap().is_empty());
        }
        let course = read(&app, "courses", &json!(school.course)).await;
        assert_eq!(course["duration"]["hours_generated"], 4);
        assert_eq!(events(&app, "generation.ready").await.len(), 1);
        assert_eq!(events(&app, "lesson.created").await.len(), 1);
    }
}

#[actix_web::test]
async fn without_a_brief_the_texts_around_are_what_there_is() {
    let (app, ai) = scripted([]).await;
    let school = School::open(&app).await;
    let unit = json!({"description": BRIEF, "objectives": ["Cool a pot"]});
    app.patch(&format!("/v1/units/{}", school.unit), unit).await;
    let lesson = empty_lesson(&app, &school).await;
    for path in [
        format!("units/{}/generate", school.unit),
        format!("lessons/{lesson}/generate"),
        format!("lessons/{lesson}/activities/generate"),
    ] {
        let ready = generate(&app, &path, json!({"kind": "reflection"})).await;
        assert_eq!(ready["status"], "ready", "{ready}");
    }
    let unit = &ai.units()[0];
    assert_eq!(unit.frame.unit_description, BRIEF);
    assert_eq!(
        (unit.frame.brief.as_str(), unit.frame.course_name.as_str()),
        ("", "Food")
    );
    assert_eq!(unit.lesson_names, ["The danger zone", "Cooling a pot"]);
    assert_eq!(unit.objectives, ["Cool a pot"]);
    let written = &ai.lessons()[0];
    assert_eq!(written.name, "Cooling a pot");
    assert!(written.siblings.contains(&"The danger zone".to_owned()));
    let content = read(&app, "lessons", &json!(lesson)).await["content"].clone();
    assert_eq!(json!(ai.activities()[0].content), content);
}

#[actix_web::test]
async fn an_empty_lesson_is_written_and_what_a_person_said_of_it_stays() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let body = json!({
        "unit_id": school.unit, "name": "Cooling", "summary": "Mine", "duration_minutes": 45,
    });
    let lesson = json!(made(&app, &app.owner, "lessons", body).await);
    let path = format!("lessons/{}/generate", lesson.as_str().unwrap());
    let ready = generate(&app, &path, json!({"brief": BRIEF})).await;
    assert_eq!(ready["result"]["lesson_ids"], json!([lesson]));
    let written = read(&app, "lessons", &lesson).await;
    assert!(
        written["content"]
            .as_str()
            .unwrap()
            .contains("- An ice bath is a sink")
    );
    assert_eq!(
        (&written["summary"], &written["duration_minutes"]),
        (&json!("Mine"), &json!(45))
    );
    assert_eq!(written["objectives"].as_array().unwrap().len(), 1);
    assert_eq!(written["provenance"], by(&ready));
    let course = read(&app, "courses", &json!(school.course)).await;
    assert_eq!(course["duration"]["hours_generated"], 1);
    let told = events(&app, "lesson.updated").await;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["data"]["previous_attributes"]["content"], "");
    // AI's own text may be written anew.
    let again = generate(&app, &path, json!({"brief": "Trays are 5 cm deep."})).await;
    let rewritten = read(&app, "lessons", &lesson).await;
    assert_eq!(rewritten["provenance"], by(&again));
    assert!(!rewritten["content"].as_str().unwrap().contains("ice bath"));
}

#[actix_web::test]
async fn what_a_person_wrote_is_never_overwritten() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let lesson = format!("/v1/lessons/{}", school.lesson);
    let activity = format!("/v1/activities/{}", school.activity);
    for path in [&lesson, &activity] {
        let refused = app
            .post(&format!("{path}/generate"), json!({"brief": BRIEF}))
            .await;
        assert_refused(&refused, 409, "not_editable", "");
    }
    assert!(list(&app, "generations").await.is_empty());
    // Emptied, it may be written.
    app.patch(&lesson, json!({"content": ""})).await;
    let started = start(
        &app,
        &format!("lessons/{}/generate", school.lesson),
        json!({}),
    )
    .await;
    app.patch(&lesson, json!({"content": "Meanwhile."})).await;
    app.work().await;
    let ended = read(&app, "generations", &started["id"]).await;
    assert_eq!(
        (&ended["status"], &ended["error"]["code"]),
        (&json!("error"), &json!("not_editable"))
    );
    assert_eq!(app.get(&lesson).await.body["content"], "Meanwhile.");
    // So is AI's, once a person has changed it.
    app.patch(&lesson, json!({"content": ""})).await;
    generate(
        &app,
        &format!("lessons/{}/generate", school.lesson),
        json!({"brief": BRIEF}),
    )
    .await;
    app.patch(&lesson, json!({"content": "Better."})).await;
    let refused = app.post(&format!("{lesson}/generate"), json!({})).await;
    assert_refused(&refused, 409, "not_editable", "");
}

#[actix_web::test]
async fn activities_are_made_from_the_lesson_and_come_last() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let lesson = format!("/v1/lessons/{}", school.lesson);
    app.patch(&lesson, json!({"content": BRIEF})).await;
    let path = format!("lessons/{}/activities/generate", school.lesson);
    for kind in ["quiz", "flashcards", "explainer", "podcast", "reflection"] {
        let ready = generate(&app, &path, json!({"kind": kind})).await;
        assert_eq!(ready["result"]["activities"], 1, "{kind} {ready}");
        let made = read(&app, "activities", &ready["result"]["activity_ids"][0]).await;
        assert_eq!(
            (&made["kind"], &made["provenance"]),
            (&json!(kind), &by(&ready))
        );
        assert!(!made["content"].as_object().unwrap().is_empty(), "{kind}");
    }
    let three = generate(&app, &path, json!({"kind": "explainer", "count": 3})).await;
    assert_eq!(three["result"]["activities"], 3);
    let there = list(
        &app,
        &format!("activities?limit=100&lesson_id={}", school.lesson),
    )
    .await;
    let positions: Vec<u64> = there
        .iter()
        .map(|one| one["position"].as_u64().unwrap())
        .collect();
    assert_eq!(positions, (0..9).collect::<Vec<_>>());
    let mut names: Vec<&str> = there
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() >= 8, "{names:?}");
    // Content of ours is content that anybody could have sent.
    for one in &there {
        let body = json!({
            "lesson_id": school.lesson, "kind": one["kind"], "name": "Again", "content": one["content"],
        });
        made(&app, &app.owner, "activities", body).await;
    }
}

#[actix_web::test]
async fn what_is_asked_for_is_checked() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/lessons/{}/activities/generate", school.lesson);
    for (body, code, field) in [
        (json!({}), "missing_field", "kind"),
        (json!({"kind": "video"}), "invalid_field", "kind"),
        (json!({"kind": "riddle"}), "invalid_field", "kind"),
        (
            json!({"kind": "quiz", "count": 0}),
            "invalid_field",
            "count",
        ),
        (
            json!({"kind": "quiz", "count": 11}),
            "invalid_field",
            "count",
        ),
        (
            json!({"kind": "quiz", "count": "2"}),
            "invalid_field",
            "count",
        ),
        (
            json!({"kind": "quiz", "brief": 7}),
            "invalid_field",
            "brief",
        ),
    ] {
        assert_refused(&app.post(&path, body).await, 400, code, field);
    }
    let video = json!({"lesson_id": school.lesson, "kind": "video", "name": "V"});
    let video = made(&app, &app.owner, "activities", video).await;
    let refused = app
        .post(&format!("/v1/activities/{video}/generate"), json!({}))
        .await;
    assert_refused(&refused, 409, "not_editable", "");
    assert!(list(&app, "generations").await.is_empty());
}

#[actix_web::test]
async fn an_activity_is_written_under_its_own_name() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    app.patch(
        &format!("/v1/lessons/{}", school.lesson),
        json!({"content": BRIEF}),
    )
    .await;
    let body = json!({"lesson_id": school.lesson, "kind": "flashcards", "name": "My cards"});
    let activity = json!(made(&app, &app.owner, "activities", body).await);
    let path = format!("activities/{}/generate", activity.as_str().unwrap());
    let ready = generate(&app, &path, json!({})).await;
    assert_eq!(ready["kind"], "activity");
    let written = read(&app, "activities", &activity).await;
    assert_eq!(
        (&written["name"], &written["kind"]),
        (&json!("My cards"), &json!("flashcards"))
    );
    assert!(!written["content"]["cards"].as_array().unwrap().is_empty());
    assert_eq!(written["provenance"], by(&ready));
    assert_eq!(events(&app, "activity.updated").await.len(), 1);
    assert_eq!(generate(&app, &path, json!({})).await["status"], "ready");
    let place = format!("/v1/activities/{}", activity.as_str().unwrap());
    app.patch(
        &place,
        json!({"content": {"cards": [{"id": "f1", "front": "a", "back": "b"}]}}),
    )
    .await;
    let refused = app.post(&format!("/v1/{path}"), json!({})).await;
    assert_refused(&refused, 409, "not_editable", "");
}

#[actix_web::test]
async fn a_lesson_that_says_nothing_gives_no_quiz() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let lesson = empty_lesson(&app, &school).await;
    let path = format!("lessons/{lesson}/activities/generate");
    let ended = generate(&app, &path, json!({"kind": "quiz"})).await;
    assert_eq!(ended["error"]["code"], "input_too_thin", "{ended}");
    let said = ended["error"]["message"].as_str().unwrap();
    assert!(
        said.starts_with("the lesson says too little to make a quiz of"),
        "{said}"
    );
}

/// The four calls of a school whose lesson and activity may be written.
async fn calls(app: &TestApp) -> Vec<(String, Value)> {
    let school = School::open(app).await;
    let lesson = empty_lesson(app, &school).await;
    let activity = json!({"lesson_id": school.lesson, "kind": "reflection", "name": "R"});
    let activity = made(app, &app.owner, "activities", activity).await;
    vec![
        (
            format!("units/{}/generate", school.unit),
            json!({"brief": BRIEF}),
        ),
        (
            format!("lessons/{lesson}/generate"),
            json!({"brief": BRIEF}),
        ),
        (
            format!("lessons/{}/activities/generate", school.lesson),
            json!({"kind": "quiz", "brief": BRIEF}),
        ),
        (
            format!("activities/{activity}/generate"),
            json!({"brief": BRIEF}),
        ),
    ]
}

#[actix_web::test]
async fn what_failed_is_tried_again_as_what_it_was() {
    for index in 0..4 {
        let (app, _) = scripted([Scripted::Refused]).await;
        let (path, body) = calls(&app).await.remove(index);
        let failed = generate(&app, &path, body).await;
        assert_eq!(
            (&failed["status"], &failed["error"]["code"]),
            (&json!("error"), &json!("provider_refused")),
            "{path}"
        );
        let id = failed["id"].as_str().unwrap();
        let again = app
            .post(&format!("/v1/generations/{id}/retry"), json!({}))
            .await;
        assert_eq!((again.status, &again.body["kind"]), (202, &failed["kind"]));
        app.work().await;
        let ready = read(&app, "generations", &failed["id"]).await;
        assert_eq!(ready["status"], "ready", "{path} {ready}");
        assert_eq!(ready["error"], Value::Null);
        assert_eq!(events(&app, "generation.failed").await.len(), 1);
        assert_eq!(events(&app, "generation.ready").await.len(), 1);
    }
}

#[actix_web::test]
async fn a_busy_provider_is_asked_again_later() {
    let (app, _) = scripted([Scripted::Unavailable(None)]).await;
    let (path, body) = calls(&app).await.remove(1);
    let asked = start(&app, &path, body).await;
    app.work().await;
    assert_eq!(
        read(&app, "generations", &asked["id"]).await["status"],
        "pending"
    );
    app.clock.advance(10);
    app.work().await;
    assert_eq!(
        read(&app, "generations", &asked["id"]).await["status"],
        "ready"
    );
}

#[actix_web::test]
async fn what_was_called_off_or_lost_its_target_makes_nothing() {
    let app = TestApp::start().await;
    for (path, body) in calls(&app).await {
        let asked = start(&app, &path, body.clone()).await;
        let beside = app.post(&format!("/v1/{path}"), body.clone()).await;
        assert_refused(&beside, 409, "generation_in_progress", "");
        let id = asked["id"].as_str().unwrap().to_owned();
        let lessons = list(&app, "lessons?limit=100").await;
        let activities = list(&app, "activities?limit=100").await;
        let canceled = app
            .post(&format!("/v1/generations/{id}/cancel"), json!({}))
            .await;
        assert_eq!(
            (canceled.status, &canceled.body["status"]),
            (200, &json!("canceled"))
        );
        app.work().await;
        assert_eq!(list(&app, "lessons?limit=100").await, lessons, "{path}");
        assert_eq!(
            list(&app, "activities?limit=100").await,
            activities,
            "{path}"
        );
        let lost = start(&app, &path, body).await;
        let target = path.split('/').take(2).collect::<Vec<_>>().join("/");
        if target.starts_with("activities") || target.starts_with("lessons") {
            assert_eq!(app.delete(&format!("/v1/{target}")).await.status, 200);
            app.work().await;
            let ended = read(&app, "generations", &lost["id"]).await;
            assert_eq!(ended["status"], "canceled", "{path}");
            break;
        }
        app.work().await;
    }
    assert!(events(&app, "generation.canceled").await.len() >= 2);
}

#[actix_web::test]
async fn text_and_activities_of_a_lesson_are_not_drafted_at_once() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let lesson = empty_lesson(&app, &school).await;
    start(&app, &format!("lessons/{lesson}/generate"), json!({})).await;
    let path = format!("/v1/lessons/{lesson}/activities/generate");
    let refused = app.post(&path, json!({"kind": "quiz"})).await;
    assert_refused(&refused, 409, "generation_in_progress", "");
}

#[actix_web::test]
async fn drafting_takes_its_scope_alone_and_the_right_workspace() {
    let app = TestApp::start().await;
    let all = calls(&app).await;
    let stranger = app.another_workspace("other").await;
    let student = crate::school::session(&app, crate::school::STUDENT).await;
    let writer = key(&app, &["write:*", "read:*"]).await;
    let drafter = key(&app, &["ai:generate"]).await;
    let ask = async |caller: &Caller, path: &str, body: &Value| {
        app.call(caller, "POST", &format!("/v1/{path}"), Some(body.clone()))
            .await
    };
    for (path, body) in &all {
        for caller in [&student, &writer] {
            assert_refused(
                &ask(caller, path, body).await,
                403,
                "insufficient_scope",
                "scope",
            );
        }
        assert_refused(
            &ask(&stranger, path, body).await,
            404,
            "resource_missing",
            "",
        );
        let begun = ask(&drafter, path, body).await;
        assert_eq!(begun.status, 202, "{path} {}", begun.body);
        let place = format!("/v1/generations/{}", begun.id());
        let followed = app.call(&drafter, "GET", &place, None).await;
        assert_eq!(followed.status, 200, "{}", followed.body);
        let stopped = app
            .call(&drafter, "POST", &format!("{place}/cancel"), None)
            .await;
        assert_eq!(stopped.status, 200, "{}", stopped.body);
    }
    let listed = app.call(&drafter, "GET", "/v1/generations", None).await;
    assert_eq!(listed.status, 200, "{}", listed.body);
    let reading = app.call(&drafter, "GET", "/v1/courses", None).await;
    assert_refused(&reading, 403, "insufficient_scope", "scope");
}

#[actix_web::test]
async fn how_many_questions_and_cards_is_the_callers_to_say() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let facts: Vec<String> = (1..=30)
        .map(|n| {
            format!(
                "Container number {n} is chilled to {n} degrees within {} minutes.",
                n + 60
            )
        })
        .collect();
    let lesson =
        json!({"unit_id": school.unit, "name": "Much to say", "content": facts.join("\n\n")});
    let lesson = made(&app, &app.owner, "lessons", lesson).await;
    let path = format!("lessons/{lesson}/activities/generate");
    for (body, member, count) in [
        (json!({"kind": "quiz", "questions": 2}), "questions", 2),
        (json!({"kind": "quiz", "questions": 9}), "questions", 9),
        (json!({"kind": "flashcards", "cards": 3}), "cards", 3),
    ] {
        let ready = generate(&app, &path, body.clone()).await;
        assert_eq!(ready["status"], "ready", "{body} {ready}");
        let all = list(&app, &format!("activities?lesson_id={lesson}&limit=100")).await;
        let newest = all.last().unwrap();
        assert_eq!(
            newest["content"][member].as_array().unwrap().len(),
            count,
            "{body} {newest}"
        );
    }
    let path = format!("/v1/{path}");
    for (body, field) in [
        (json!({"kind": "quiz", "cards": 3}), "cards"),
        (json!({"kind": "podcast", "questions": 3}), "questions"),
        (json!({"kind": "quiz", "questions": 0}), "questions"),
        (json!({"kind": "quiz", "questions": 21}), "questions"),
    ] {
        assert_refused(&app.post(&path, body).await, 400, "invalid_field", field);
    }
}
