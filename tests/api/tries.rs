//! Rubrics that are tried on an answer: what is asked, what is shown, what it costs, and that nothing else stays.

use std::sync::Arc;

use rstest::rstest;
use serde_json::{Value, json};
use support::app::{Answer, TestApp};
use support::remote_ai::Weather;
use support::scripted_ai::{Scripted, ScriptedAi, UNKNOWN_MODEL, proposal};
use support::stores::Database;

use crate::ai_budgets::decide;
use crate::ai_calls::{far_away, usage};
use crate::school::{School, app_on, assert_refused, list};

const TEXT: &str = "Cool the rice. Reheat once.";

async fn attempt(app: &TestApp, school: &School, body: Value) -> Answer {
    let path = format!("/v1/assignments/{}/try", school.assignment);
    app.post(&path, body).await
}

async fn tried(app: &TestApp, school: &School, body: Value) -> Value {
    let answer = attempt(app, school, body).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

async fn remote(script: impl IntoIterator<Item = Scripted>) -> (TestApp, Arc<ScriptedAi>) {
    let ai = ScriptedAi::remote(script);
    (TestApp::on(Database::Sqlite, ai.clone()).await, ai)
}

fn rubric() -> Value {
    json!({"criteria": [{"id": "reheat", "name": "Reheating", "max_points": 10}]})
}

#[rstest]
#[actix_web::test]
async fn an_answer_is_judged_without_a_network_and_nothing_of_it_is_kept(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let before = list(&app, "events?limit=1").await;
    let shown = tried(&app, &school, json!({ "text": TEXT })).await;
    assert_eq!(shown["object"], "tried_grade");
    assert_eq!(shown["assignment_id"], school.assignment);
    assert_eq!(shown["grader"]["kind"], "built_in");
    assert_eq!(shown["unsaved"], json!([]));
    assert_eq!(shown["criteria"].as_array().unwrap().len(), 1);
    assert!(["final", "suggested"].contains(&shown["status"].as_str().unwrap()));
    assert!(list(&app, "submissions").await.is_empty());
    assert!(list(&app, "ai/calls").await.is_empty());
    assert_eq!(list(&app, "events?limit=1").await, before);
    assert_eq!(app.work().await, 0, "no job waits");
}

#[actix_web::test]
async fn the_same_is_asked_as_of_a_submission_and_its_evidence_is_checked() {
    let grade = || proposal(&[("overall", 70, "Reheat once")]);
    let invented = proposal(&[("overall", 70, "Freeze it at once")]);
    let (app, ai) = remote([grade(), grade(), invented]).await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    let asked = app
        .post(&format!("/v1/submissions/{id}/ai"), json!({}))
        .await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    app.work().await;
    let shown = tried(&app, &school, json!({ "text": TEXT })).await;
    let graded = ai.graded();
    // A submission has an author, whose name and id are not to leave the service; of a text that is nobody's there is none.
    let (mut real, mut trial) = (graded[0].clone(), graded[1].clone());
    real.private.clear();
    trial.private.clear();
    assert_eq!(real, trial);
    let grades = list(&app, &format!("submissions/{id}/grades")).await;
    for member in ["score", "max_score", "criteria", "feedback", "rubric_hash"] {
        assert_eq!(shown[member], grades[0][member], "{member}");
    }
    assert_eq!(
        shown["criteria"][0]["evidence"],
        json!([{"start": 15, "end": 26, "quote": "Reheat once"}])
    );
    let other = tried(&app, &school, json!({ "text": TEXT })).await;
    assert_eq!(other["criteria"][0]["evidence"], json!([]));
    assert_eq!(other["status"], "suggested");
}

#[actix_web::test]
async fn what_nobody_saved_is_tried_and_named() {
    let (app, ai) = remote([]).await;
    let school = School::open(&app).await;
    let body = json!({
        "text": TEXT, "rubric": rubric(), "instructions": "Say how to reheat.",
        "ai_evaluator": {"model": "m-2"}, "feedback": {"tone": "demanding"}, "human_review": "off",
    });
    let shown = tried(&app, &school, body).await;
    assert_eq!(
        shown["unsaved"],
        json!([
            "rubric",
            "instructions",
            "model",
            "feedback",
            "human_review"
        ])
    );
    assert_eq!(shown["criteria"][0]["criterion_id"], "reheat");
    let task = ai.graded().remove(0);
    assert_eq!(task.instructions, "Say how to reheat.");
    assert_eq!(
        (task.model.as_str(), task.rubric.criteria.len()),
        ("m-2", 1)
    );
    // Nothing of it was saved by trying it, and what is saved is not unsaved for being sent along.
    school.configure(&app, json!({"rubric": rubric()})).await;
    let again = tried(&app, &school, json!({"text": TEXT, "rubric": rubric()})).await;
    assert_eq!(again["unsaved"], json!([]));
    assert_eq!(ai.graded()[1].instructions, "");
    // Without criteria the course's rubric would count, or one criterion for the whole.
    let none = json!({"text": TEXT, "rubric": {"criteria": []}});
    let none = tried(&app, &school, none).await;
    assert_eq!(none["criteria"][0]["criterion_id"], "overall");
    assert_eq!(none["unsaved"], json!(["rubric"]));
}

#[actix_web::test]
async fn what_cannot_be_tried_is_refused_by_its_name_before_anybody_is_asked() {
    let (app, ai) = remote([]).await;
    let school = School::open(&app).await;
    let cases = [
        (json!({"text": " \n"}), "text"),
        (
            json!({"text": TEXT, "ai_evaluator": {"model": UNKNOWN_MODEL}}),
            "ai_evaluator.model",
        ),
        (
            json!({"text": TEXT, "rubric": {"criteria": [{"name": " "}]}}),
            "rubric.criteria[0].name",
        ),
        (
            json!({"text": TEXT, "feedback": {"tone": "rude"}}),
            "feedback.tone",
        ),
    ];
    for (body, field) in cases {
        assert_refused(
            &attempt(&app, &school, body).await,
            400,
            "invalid_field",
            field,
        );
    }
    let missing = attempt(&app, &school, json!({})).await;
    assert_refused(&missing, 400, "missing_field", "text");
    assert!(ai.graded().is_empty());
}

#[rstest]
#[actix_web::test]
async fn calls_are_on_record_and_count_to_the_budget_also_the_failed_ones(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, ai) = far_away(database, Weather::Fine).await;
    let school = School::open(&app).await;
    tried(&app, &school, json!({ "text": TEXT })).await;
    ai.turn(Weather::Refusing);
    let failed = attempt(&app, &school, json!({ "text": TEXT })).await;
    assert_eq!(failed.status, 502, "{}", failed.body);
    let calls = list(&app, "ai/calls?feature=grading").await;
    assert_eq!(calls.len(), 2);
    for call in &calls {
        assert_eq!(call["subject_id"], school.assignment);
    }
    let spent = usage(&app, "").await;
    assert_eq!(spent["totals"]["calls"], 2, "{spent}");
    ai.turn(Weather::Fine);
    decide(&app, json!({"monthly_budget": {"tokens": 1}})).await;
    let refused = attempt(&app, &school, json!({ "text": TEXT })).await;
    assert_refused(&refused, 409, "ai_budget_exceeded", "");
    assert_eq!(list(&app, "ai/calls?feature=grading").await.len(), 2);
}

#[actix_web::test]
async fn who_asks_twice_under_one_key_pays_once() {
    let (app, ai) = remote([]).await;
    let school = School::open(&app).await;
    let path = format!("/v1/assignments/{}/try", school.assignment);
    let send = || {
        let request = support::app::request(&app.owner, "POST", &path);
        let request = request.insert_header(("idempotency-key", "try-1"));
        app.send(request.set_json(json!({ "text": TEXT })))
    };
    let (first, second) = (send().await, send().await);
    assert_eq!(first.body, second.body);
    assert_eq!(ai.graded().len(), 1);
}
