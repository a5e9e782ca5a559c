//! Explaining grades: reasons for what stands, and nothing but reasons.

use std::sync::Arc;

use lyceum_ports::drafting::ai::AiProvider;
use serde_json::{Value, json};
use support::app::{TestApp, request};
use support::scripted_ai::{Scripted, ScriptedAi, proposal};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, done, events, key, list};

const TEXT: &str = "I cool the rice in shallow trays. Then I write the time into the log.";

fn rubric() -> Value {
    json!({"criteria": [
        {"id": "method", "name": "Method", "max_points": 4, "reference_answers": ["Cool rice in shallow trays."]},
        {"id": "log", "name": "Log", "max_points": 2, "key_points": ["The time is written into the log."]},
    ]})
}

fn grade() -> Value {
    json!({"feedback": "Fine.", "criteria": [
        {"criterion_id": "method", "score": 3, "rationale": "No ice bath."},
        {"criterion_id": "log", "score": 2},
    ]})
}

async fn scripted(script: impl IntoIterator<Item = Scripted>) -> (TestApp, Arc<ScriptedAi>) {
    let ai = ScriptedAi::new(script);
    let provider: Arc<dyn AiProvider> = ai.clone();
    (TestApp::on(Database::Sqlite, provider).await, ai)
}

/// A submission that a person has graded; its path.
async fn graded(app: &TestApp) -> String {
    let school = School::open(app).await;
    school.configure(app, json!({"rubric": rubric()})).await;
    let path = format!("/v1/submissions/{}", school.hand_in(app, TEXT).await);
    let graded = app.post(&format!("{path}/grade"), grade()).await;
    assert_eq!(graded.status, 200, "{}", graded.body);
    path
}

async fn ask_why(app: &TestApp, path: &str) -> Value {
    let asked = app.post(&format!("{path}/explain"), json!({})).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    assert_eq!(asked.header("location"), Some(path));
    assert_eq!(asked.header("retry-after"), Some("2"));
    asked.body
}

/// A path without its version.
fn collection(path: &str) -> &str {
    path.trim_start_matches("/v1/")
}

/// A submission without what an explanation may change.
fn standing(submission: &Value) -> Value {
    let mut submission = submission.clone();
    for member in ["ai_rationale", "ai_model", "updated_at"] {
        submission.as_object_mut().unwrap().remove(member);
    }
    submission
}

async fn graded_events(app: &TestApp) -> [usize; 2] {
    let graded = events(app, "submission.graded").await.len();
    [graded, events(app, "submission.explained").await.len()]
}

#[actix_web::test]
async fn a_persons_grade_gets_reasons_and_stays() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let path = graded(&app).await;
        let before = app.get(&path).await.body;
        assert_eq!(before["ai_rationale"], Value::Null);
        app.clock.advance(5);
        let asked = ask_why(&app, &path).await;
        assert_eq!(standing(&asked), standing(&before));
        app.clock.advance(5);
        app.work().await;
        let after = app.get(&path).await.body;
        assert_eq!(standing(&after), standing(&before), "{database:?}");
        assert_eq!(
            (&after["graded_by"], &after["ai_status"], &after["ai_score"]),
            (&json!("human"), &Value::Null, &Value::Null)
        );
        let told = after["ai_rationale"].as_str().unwrap();
        assert!(told.starts_with("Method (3/4): No ice bath."), "{told}");
        assert!(told.contains("Log (2/2): "), "{told}");
        assert!(
            told.contains("[“I cool the rice in shallow trays.”]"),
            "{told}"
        );
        assert!(told.contains("not by a language model"), "{told}");
        assert_eq!(after["ai_model"], "builtin");
        let history = list(&app, &format!("{}/grades", collection(&path))).await;
        assert_eq!(history.len(), 1);
        assert_eq!(graded_events(&app).await, [0, 1]);
        let event = &events(&app, "submission.explained").await[0];
        assert_eq!(event["data"]["object"], after);
    }
}

#[actix_web::test]
async fn what_has_no_score_cannot_be_explained() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    let path = format!("/v1/submissions/{id}/explain");
    assert_refused(&app.post(&path, json!({})).await, 409, "not_graded", "");
    assert_eq!(app.work().await, 0);
    let stranger = app.another_workspace("other").await;
    let foreign = app.call(&stranger, "POST", &path, None).await;
    assert_refused(&foreign, 404, "resource_missing", "");
    let grader = key(&app, &["write:grades", "read:*", "write:*"]).await;
    let refused = app.call(&grader, "POST", &path, None).await;
    assert_refused(&refused, 403, "insufficient_scope", "scope");
}

#[actix_web::test]
async fn the_provider_is_told_the_grade_and_nobodys_name() {
    let (app, ai) = scripted([]).await;
    let path = graded(&app).await;
    ask_why(&app, &path).await;
    app.work().await;
    let mut task = ai.explained()[0].clone();
    assert_eq!(
        (task.submission.as_str(), task.feedback.as_str()),
        (TEXT, "Fine.")
    );
    let points: Vec<String> = task.results.iter().map(|r| r.score.to_string()).collect();
    assert_eq!(points, ["3", "2"]);
    // Who it is about is named in one place, so that it can be masked in every other.
    let private = std::mem::take(&mut task.private);
    assert!(private.contains(&"Ada".to_owned()), "{private:?}");
    let all = format!("{task:?}");
    assert!(!all.contains("Ada") && !all.contains("school.example") && !all.contains("usr_"));
}

#[actix_web::test]
async fn what_a_run_uses_for_itself_is_not_what_the_grade_was_given_by() {
    let (app, ai) = scripted([Scripted::Unavailable(None)]).await;
    let path = graded(&app).await;
    let own = json!({"rubric": {"criteria": [{"id": "x", "name": "X"}]}, "model": "own"});
    let asked = app.post(&format!("{path}/ai"), own).await;
    assert_eq!(asked.status, 202);
    ask_why(&app, &path).await;
    app.work().await;
    let task = &ai.explained()[0];
    assert_eq!(task.model, "");
    let criteria = task.rubric.criteria.iter().map(|one| one.id.as_str());
    assert_eq!(criteria.collect::<Vec<_>>(), ["method", "log"]);
    let waiting = app.get(&path).await.body;
    assert_eq!(waiting["ai_status"], "pending");
    assert!(waiting["ai_rationale"].is_string());
}

#[actix_web::test]
async fn a_provider_that_fails_changes_nothing() {
    for failure in [Scripted::Refused, Scripted::InvalidOutput] {
        let (app, _) = scripted([failure]).await;
        let path = graded(&app).await;
        let asked = ask_why(&app, &path).await;
        app.work().await;
        assert_eq!(app.get(&path).await.body, asked);
        assert_eq!(
            (&asked["ai_error"], &asked["ai_status"]),
            (&Value::Null, &Value::Null)
        );
        assert_eq!(graded_events(&app).await, [0, 0]);
        assert!(events(&app, "submission.grading_failed").await.is_empty());
        // It may be asked for again.
        ask_why(&app, &path).await;
        app.work().await;
        assert_eq!(graded_events(&app).await, [0, 1]);
    }
    let (app, _) = scripted([Scripted::Unavailable(None)]).await;
    let path = graded(&app).await;
    ask_why(&app, &path).await;
    app.work().await;
    app.clock.advance(10);
    app.work().await;
    assert_eq!(graded_events(&app).await, [0, 1]);
}

#[actix_web::test]
async fn reasons_of_a_grade_that_no_longer_stands_are_dropped() {
    let app = TestApp::start().await;
    let path = graded(&app).await;
    ask_why(&app, &path).await;
    // The same points again, and yet another grade.
    let again = app.post(&format!("{path}/grade"), grade()).await;
    app.work().await;
    assert_eq!(app.get(&path).await.body, again.body);
    assert_eq!(graded_events(&app).await, [0, 0]);
    ask_why(&app, &path).await;
    app.work().await;
    assert!(app.get(&path).await.body["ai_rationale"].is_string());
    let newer = app
        .post(&format!("{path}/grade"), json!({"score": 10}))
        .await;
    assert_eq!(newer.body["ai_rationale"], Value::Null);
    assert_eq!(newer.body["score"], 10);
}

#[actix_web::test]
async fn of_several_calls_the_last_one_lands_once() {
    let app = TestApp::start().await;
    let path = graded(&app).await;
    ask_why(&app, &path).await;
    ask_why(&app, &path).await;
    assert_eq!(app.work().await, 2);
    assert_eq!(graded_events(&app).await, [0, 1]);
    let ask = || {
        let path = format!("{path}/explain");
        let request = request(&app.owner, "POST", &path).insert_header(("Idempotency-Key", "k"));
        app.send(request.set_json(json!({})))
    };
    let (first, second) = (ask().await, ask().await);
    assert_eq!((second.status, &second.body), (202, &first.body));
    assert_eq!(second.header("idempotent-replayed"), Some("true"));
    assert_eq!(app.work().await, 1);
}

#[actix_web::test]
async fn reasons_of_ai_and_reasons_of_a_grade_share_a_place() {
    let judged = || proposal(&[("method", 1, "shallow trays"), ("log", 1, "the log")]);
    let (app, _) = scripted([judged()]).await;
    let path = graded(&app).await;
    ask_ai(&app, &path).await;
    app.work().await;
    let suggested = app.get(&path).await.body;
    assert_eq!(
        suggested["ai_rationale"],
        "Method: Because of shallow trays\nLog: Because of the log"
    );
    ask_why(&app, &path).await;
    app.work().await;
    let explained = app.get(&path).await.body;
    assert_eq!(standing(&explained), standing(&suggested));
    assert_eq!(explained["ai_status"], "ready");
    assert!(
        explained["ai_rationale"]
            .as_str()
            .unwrap()
            .starts_with("Method (3/4)")
    );
    // An AI grade that stands can be explained too, also after it was given back.
    done(&app, &format!("{}/return", collection(&path))).await;
    ask_why(&app, &path).await;
    app.work().await;
    assert_eq!(app.get(&path).await.body["status"], "returned");
    assert_eq!(graded_events(&app).await, [1, 2]);
}

async fn ask_ai(app: &TestApp, path: &str) {
    let asked = app.post(&format!("{path}/ai"), json!({})).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
}

#[actix_web::test]
async fn reasons_are_for_teachers() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let student = school.student_session(&app).await;
    let path = format!("/v1/submissions/{}", school.hand_in(&app, TEXT).await);
    app.post(&format!("{path}/grade"), json!({"score": 40}))
        .await;
    ask_why(&app, &path).await;
    app.work().await;
    let told = app.get(&path).await.body["ai_rationale"].clone();
    assert!(
        told.as_str().unwrap().contains("not by a language model"),
        "{told}"
    );
    let seen = app.call(&student, "GET", &path, None).await.body;
    assert_eq!(
        (&seen["score"], &seen["ai_rationale"]),
        (&json!(40), &Value::Null)
    );
    let refused = app
        .call(&student, "POST", &format!("{path}/explain"), None)
        .await;
    assert_refused(&refused, 403, "insufficient_scope", "scope");
}
