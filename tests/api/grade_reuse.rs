//! The same question is paid for once: results taken over, and when they are not.

use serde_json::{Value, json};
use std::sync::Arc;
use support::app::TestApp;
use support::scripted_ai::{Scripted, ScriptedAi, proposal};
use support::stores::Database;
use support::tampering::tamper;

use crate::school::{School, events, list, made};

const TEXT: &str = "Cool the rice. Reheat once.";

fn judged(points: u16) -> Scripted {
    proposal(&[("overall", points, "Reheat once")])
}

async fn remote(script: impl IntoIterator<Item = Scripted>) -> (TestApp, Arc<ScriptedAi>) {
    let ai = ScriptedAi::remote(script);
    (TestApp::on(Database::Sqlite, ai.clone()).await, ai)
}

async fn ask_ai(app: &TestApp, id: &str, body: Value) {
    let asked = app.post(&format!("/v1/submissions/{id}/ai"), body).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    app.work().await;
}

async fn newest(app: &TestApp, id: &str) -> Value {
    list(app, &format!("submissions/{id}/grades")).await[0].clone()
}

async fn hand_in_for(app: &TestApp, school: &School, user: &str, text: &str) -> String {
    let body = json!({
        "assignment_id": school.assignment, "user_id": user,
        "content": {"type": "text", "text": text}, "draft": false,
    });
    made(app, &app.owner, "submissions", body).await
}

#[actix_web::test]
async fn the_same_text_gets_the_same_result_without_a_call_also_for_another_student() {
    let (app, ai) = remote([judged(40)]).await;
    let school = School::open(&app).await;
    let other = json!({"email": "bob@school.example", "name": "Bob"});
    let other = made(&app, &app.owner, "users", other).await;
    let first = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &first, json!({})).await;
    let second = hand_in_for(&app, &school, &other, TEXT).await;
    ask_ai(&app, &second, json!({})).await;
    ask_ai(&app, &first, json!({})).await;
    assert_eq!(ai.graded().len(), 1);
    let (paid, taken) = (
        list(&app, &format!("submissions/{first}/grades")).await[1].clone(),
        newest(&app, &second).await,
    );
    for member in [
        "score",
        "criteria",
        "feedback",
        "rubric_hash",
        "review_reasons",
    ] {
        assert_eq!(taken[member], paid[member], "{member}");
    }
    assert_eq!(taken["grader"]["reused_from"], paid["id"]);
    let free = ["tokens_in", "tokens_out", "cost_usd", "latency_ms"];
    assert_eq!(free.map(|member| &taken["grader"][member]), [&json!(0); 4]);
    assert_eq!(
        taken["receipt"]["answer_hash"],
        paid["receipt"]["answer_hash"]
    );
    let again = newest(&app, &first).await;
    assert_eq!(
        again["grader"]["reused_from"], paid["id"],
        "the one that was asked for"
    );
    assert_eq!(events(&app, "submission.graded").await.len(), 3);
}

#[actix_web::test]
async fn whoever_asks_otherwise_or_insists_gets_an_answer_of_their_own() {
    let others = [
        json!({"reuse": false}),
        json!({"model": "another"}),
        json!({"feedback": {"tone": "demanding"}}),
        json!({"feedback": {"language": "pt"}}),
        json!({"samples": 3}),
        json!({"rubric": {"criteria": [{"id": "overall", "name": "Other"}]}}),
    ];
    for other in others {
        let (app, ai) = remote((0..4).map(|_| judged(40))).await;
        let school = School::open(&app).await;
        let id = school.hand_in(&app, TEXT).await;
        ask_ai(&app, &id, json!({})).await;
        ask_ai(&app, &id, other.clone()).await;
        assert!(ai.graded().len() > 1, "{other}");
        let newest = newest(&app, &id).await;
        assert_eq!(newest["grader"]["reused_from"], Value::Null, "{other}");
    }
}

#[actix_web::test]
async fn another_text_task_or_workspace_is_another_question() {
    let (app, ai) = remote((0..4).map(|_| judged(40))).await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &id, json!({})).await;
    let longer = school.hand_in(&app, &format!("{TEXT} ")).await;
    ask_ai(&app, &longer, json!({})).await;
    assert_eq!(ai.graded().len(), 2);
    let path = format!("/v1/assignments/{}", school.assignment);
    app.patch(&path, json!({"instructions": "Be exact."})).await;
    ask_ai(&app, &id, json!({})).await;
    assert_eq!(ai.graded().len(), 3);
    let elsewhere = app.another_workspace("elsewhere").await;
    let there = School::of(&app, &elsewhere).await;
    let body = json!({
        "assignment_id": there.assignment, "user_id": there.student,
        "content": {"type": "text", "text": TEXT}, "draft": false,
    });
    let foreign = made(&app, &elsewhere, "submissions", body).await;
    let path = format!("/v1/submissions/{foreign}/ai");
    app.call(&elsewhere, "POST", &path, Some(json!({}))).await;
    app.work().await;
    assert_eq!(ai.graded().len(), 4);
}

#[actix_web::test]
async fn failures_and_histories_that_do_not_hold_are_not_taken_over() {
    let (app, ai) = remote([Scripted::Refused, judged(40), judged(60)]).await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &id, json!({})).await;
    ask_ai(&app, &id, json!({})).await;
    assert_eq!(ai.graded().len(), 2);
    tamper(app.database_url(), "UPDATE grades SET score = 9900");
    ask_ai(&app, &id, json!({})).await;
    assert_eq!(ai.graded().len(), 3);
    assert_eq!(newest(&app, &id).await["score"], 60);
}
