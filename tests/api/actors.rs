//! Who acted: named in histories, events, webhooks, the trail, the trash and refusals, and nowhere else.

use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::receiver::Receiver;
use support::stores::Database;

use crate::school::{School, app_on, caller, done, events, list, made};
use crate::webhooks::endpoint;

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];

/// Ines, who teaches here: a key that acts as her, and who she is.
async fn ines(app: &TestApp) -> (Caller, String) {
    let home = app.another_workspace("home").await;
    let body = json!({"email": "owner@home.example", "role": "teacher", "name": "Ines"});
    let id = made(app, &app.owner, "users", body).await;
    app.accept_everything(&home.key).await;
    let key = app
        .post("/v1/api_keys", json!({"name": "Hers", "user_id": id}))
        .await;
    assert_eq!(key.status, 201, "{}", key.body);
    (caller(&key.body["api_key"]), id)
}

async fn act(app: &TestApp, by: &Caller, path: &str, body: Value) -> Answer {
    app.call(by, "POST", &format!("/v1/{path}"), Some(body))
        .await
}

/// A submission that Ines graded.
async fn graded(app: &TestApp, by: &Caller) -> (School, String) {
    let school = School::open(app).await;
    let id = school.hand_in(app, "Cool the rice within two hours.").await;
    let given = json!({"score": 55, "reason": "Too strict"});
    let answer = act(app, by, &format!("submissions/{id}/grade"), given).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    (school, id)
}

fn named(id: &str, name: &Value) -> Value {
    json!({"type": "person", "id": id, "name": name})
}

#[actix_web::test]
async fn who_graded_is_named_wherever_it_is_told() {
    for database in BOTH {
        let app = app_on(database).await;
        let (key, id) = ines(&app).await;
        let (_, submission) = graded(&app, &key).await;
        let actor = named(&id, &json!("Ines"));
        let history = list(&app, &format!("submissions/{submission}/grades")).await;
        assert_eq!(history[0]["actor"], actor);
        let event = events(&app, "submission.reviewed").await[0].clone();
        assert_eq!(event["actor"], actor);
        let alone = app
            .get(&format!("/v1/events/{}", event["id"].as_str().unwrap()))
            .await;
        assert_eq!(alone.body, event);
        let entry = list(&app, "audit?action=grade.changed").await[0].clone();
        for member in ["type", "id", "name"] {
            assert_eq!(entry["actor"][member], actor[member], "{member}");
        }
        assert_eq!(entry["actor"]["kind"], "user");
        let alone = app
            .get(&format!("/v1/audit/{}", entry["id"].as_str().unwrap()))
            .await;
        assert_eq!(alone.body, entry);
    }
}

#[actix_web::test]
async fn who_deleted_something_is_named_in_the_trash() {
    for database in BOTH {
        let app = app_on(database).await;
        let (key, id) = ines(&app).await;
        let course = made(
            &app,
            &key,
            "courses",
            json!({"name": "A", "language": "en"}),
        )
        .await;
        let path = format!("/v1/courses/{course}");
        let gone = app.call(&key, "DELETE", &path, None).await;
        assert_eq!(gone.status, 200, "{}", gone.body);
        let item = list(&app, "trash").await[0].clone();
        assert_eq!(item["actor"], named(&id, &json!("Ines")));
        assert_eq!(item["deleted_by"], json!(id));
        let path = format!("/v1/trash/{}", item["id"].as_str().unwrap());
        assert_eq!(app.get(&path).await.body, item);
    }
}

#[actix_web::test]
async fn programs_ai_and_the_service_are_named_as_what_they_are() {
    for database in BOTH {
        let app = app_on(database).await;
        let body = json!({"kind": "service", "name": "Grade sync", "role": "teacher"});
        let id = made(&app, &app.owner, "users", body).await;
        let key = app.post("/v1/api_keys", json!({"user_id": id})).await;
        let key = caller(&key.body["api_key"]);
        let (_, submission) = graded(&app, &key).await;
        let program = json!({"type": "service", "id": id, "name": "Grade sync"});
        let reviewed = events(&app, "submission.reviewed").await;
        assert_eq!(reviewed[0]["actor"], program);
        let history = format!("submissions/{submission}/grades");
        assert_eq!(list(&app, &history).await[0]["actor"], program);
        done_ai(&app, &submission).await;
        let graded = events(&app, "submission.graded").await[0]["actor"].clone();
        assert_eq!(
            (&graded["type"], &graded["id"]),
            (&json!("agent"), &Value::Null)
        );
        assert!(graded["name"].is_string(), "{graded}");
        let all = list(&app, &history).await;
        let by_ai = all.iter().find(|one| one["source"] == "ai").unwrap();
        assert_eq!(by_ai["actor"]["type"], "agent", "{by_ai}");
        assert_eq!(by_ai["actor"]["name"], by_ai["grader"]["id"], "{by_ai}");
        let by_itself = list(&app, "audit?actor=system").await;
        assert_eq!(by_itself[0]["actor"]["type"], "system");
        assert_eq!(by_itself[0]["actor"]["name"], Value::Null);
    }
}

async fn done_ai(app: &TestApp, submission: &str) {
    let asked = app
        .post(&format!("/v1/submissions/{submission}/ai"), json!({}))
        .await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    app.work().await;
}

#[actix_web::test]
async fn whoever_is_renamed_or_erased_is_so_in_everything_told_later() {
    for database in BOTH {
        let app = app_on(database).await;
        let receiver = Receiver::answering([500, 500]).await;
        let told = json!(["submission.reviewed"]);
        endpoint(&app, &receiver, told).await;
        let (key, id) = ines(&app).await;
        let (_, submission) = graded(&app, &key).await;
        app.deliver().await;
        app.patch(&format!("/v1/users/{id}"), json!({"name": "Inês"}))
            .await;
        app.clock.advance(3600);
        app.deliver().await;
        let erased = app
            .post(&format!("/v1/users/{id}/erase"), json!({"confirm": id}))
            .await;
        assert_eq!(erased.status, 200, "{}", erased.body);
        app.clock.advance(3600);
        app.deliver().await;
        let messages = receiver.messages();
        let body = |at: usize| -> Value { serde_json::from_slice(&messages[at].body).unwrap() };
        assert_eq!(body(0)["actor"], named(&id, &json!("Ines")));
        assert_eq!(body(1)["actor"], named(&id, &json!("Inês")));
        let pseudonym = app.get(&format!("/v1/users/{id}")).await.body["name"].clone();
        let left = named(&id, &pseudonym);
        assert_eq!(body(2)["actor"], left);
        for path in [
            format!("submissions/{submission}/grades"),
            "events?type=submission.reviewed".to_owned(),
        ] {
            let shown = list(&app, &path).await;
            assert_eq!(shown[0]["actor"], left, "{path}");
            assert!(!json!(shown).to_string().contains("Inês"), "{path}");
        }
        let trail = list(&app, &format!("audit?actor={id}")).await;
        assert_eq!(trail[0]["actor"]["name"], left["name"]);
    }
}

#[actix_web::test]
async fn learners_are_told_of_which_sort_the_grader_is_and_not_who() {
    for database in BOTH {
        let app = app_on(database).await;
        let (key, _) = ines(&app).await;
        let school = School::open(&app).await;
        let student = school.student_session(&app).await;
        let body = json!({"assignment_id": school.assignment, "content": {"type": "text", "text": "Cool."}, "draft": false});
        let mine = app
            .call(&student, "POST", "/v1/submissions", Some(body))
            .await;
        assert_eq!(mine.status, 201, "{}", mine.body);
        let path = format!("submissions/{}", mine.id());
        let graded = act(&app, &key, &format!("{path}/grade"), json!({"score": 55})).await;
        assert_eq!(graded.status, 200, "{}", graded.body);
        let seen = app
            .call(&student, "GET", &format!("/v1/{path}/grades"), None)
            .await;
        let actor = json!({"type": "person", "id": null, "name": null});
        assert_eq!(seen.body["data"][0]["actor"], actor);
        // It was handed in, and Ines graded it since: neither is said.
        let refused = act(&app, &student, &format!("{path}/submit"), json!({})).await;
        assert_eq!(
            (refused.status, refused.code()),
            (409, "invalid_state_transition")
        );
        assert!(
            refused.body["error"].get("actor").is_none(),
            "{}",
            refused.body
        );
    }
}

#[actix_web::test]
async fn whoever_comes_second_is_told_who_was_faster_and_when() {
    for database in BOTH {
        let app = app_on(database).await;
        let (key, id) = ines(&app).await;
        let (school, submission) = graded(&app, &key).await;
        let at = events(&app, "submission.reviewed").await[0]["created_at"].clone();
        let refused = app
            .post(&format!("/v1/submissions/{submission}/approve"), json!({}))
            .await;
        assert_eq!(refused.status, 409, "{}", refused.body);
        assert_eq!(refused.code(), "invalid_state_transition");
        let error = &refused.body["error"];
        assert_eq!(error["actor"], named(&id, &json!("Ines")));
        assert_eq!(error["at"], at);
        // The same where the caller says by a tag what they have seen.
        let path = format!("/v1/courses/{}", school.course);
        let changed = app
            .call(&key, "PATCH", &path, Some(json!({"name": "B"})))
            .await;
        assert_eq!(changed.status, 200, "{}", changed.body);
        let request = support::app::request(&app.owner, "PATCH", &path)
            .insert_header(("if-match", "\"old\""))
            .set_json(json!({"name": "C"}));
        let refused = app.send(request).await;
        assert_eq!(refused.status, 412, "{}", refused.body);
        assert_eq!(refused.body["error"]["actor"]["name"], "Ines");
        // What was refused for another reason says nothing of it.
        let bad = app.patch(&path, json!({"name": ""})).await;
        assert!(bad.body["error"].get("actor").is_none(), "{}", bad.body);
    }
}

#[actix_web::test]
async fn who_grades_blind_is_not_told_whose_hand_was_on_it() {
    for database in BOTH {
        let app = app_on(database).await;
        let school = School::open(&app).await;
        let id = school
            .hand_in(&app, "Cool the rice within two hours.")
            .await;
        done(&app, &format!("submissions/{id}/blind")).await;
        done_ai(&app, &id).await;
        let graded = events(&app, "submission.graded").await[0].clone();
        let unsaid = json!({"type": "agent", "id": null, "name": null});
        assert_eq!(graded["actor"], unsaid, "the model is not said either");
        let refused = app
            .post(&format!("/v1/submissions/{id}/blind"), json!({}))
            .await;
        let refused = if refused.status == 409 {
            refused
        } else {
            app.post(&format!("/v1/submissions/{id}/return"), json!({}))
                .await
        };
        assert_eq!(refused.status, 409, "{}", refused.body);
        assert!(
            refused.body["error"].get("actor").is_none(),
            "{}",
            refused.body
        );
    }
}
