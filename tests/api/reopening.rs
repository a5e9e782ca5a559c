//! A person's decision and its way back: letting a grade stand keeps its evidence, and the newest decision can be taken back.

use serde_json::{Value, json};
use std::sync::Arc;

use lyceum_ports::drafting::ai::AiProvider;
use support::app::TestApp;
use support::scripted_ai::{ScriptedAi, proposal};
use support::stores::Database;

use crate::school::{School, assert_refused, done, events, list};

const TEXT: &str = "Cool the rice within two hours. Then store it below 5 °C.";
const QUOTE: &str = "Cool the rice within two hours";

/// A school whose AI proposes 80 of 100 with a quote, and what it graded, under this review.
async fn graded(database: Database, review: &str) -> (TestApp, School, String) {
    graded_by(&[80, 60], database, review).await
}

/// The same, by an AI that proposes these points, one run after the other.
async fn graded_by(points: &[u16], database: Database, review: &str) -> (TestApp, School, String) {
    let answers = points
        .iter()
        .map(|points| proposal(&[("overall", *points, QUOTE)]));
    let provider: Arc<dyn AiProvider> = ScriptedAi::new(answers);
    let app = TestApp::on(database, provider).await;
    let school = School::open(&app).await;
    school
        .configure(&app, json!({"human_review": review}))
        .await;
    let id = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &id).await;
    (app, school, id)
}

async fn ask_ai(app: &TestApp, id: &str) {
    app.post(&format!("/v1/submissions/{id}/ai"), json!({}))
        .await;
    app.work().await;
}

async fn act(app: &TestApp, id: &str, action: &str) -> Value {
    done(app, &format!("submissions/{id}/{action}")).await.body
}

async fn read(app: &TestApp, id: &str) -> Value {
    app.get(&format!("/v1/submissions/{id}")).await.body
}

/// What of a submission a decision changes.
fn standing(submission: &Value) -> Value {
    let members = [
        "status",
        "review_status",
        "score",
        "feedback",
        "graded_by",
        "criteria",
    ];
    let pairs = members.map(|name| (name.to_owned(), submission[name].clone()));
    Value::Object(pairs.into_iter().collect())
}

async fn assert_sealed(app: &TestApp, id: &str) {
    let grades = app
        .get(&format!("/v1/submissions/{id}/grades?verify=true"))
        .await;
    assert_eq!(
        grades.body["verification"]["holds"], true,
        "{}",
        grades.body
    );
}

#[actix_web::test]
async fn letting_stand_what_is_out_already_keeps_its_evidence() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, _, id) = graded(database, "optional").await;
        let out = read(&app, &id).await;
        assert_eq!(
            (&out["status"], &out["review_status"]),
            (&json!("graded"), &json!("open"))
        );
        let accepted = act(&app, &id, "approve").await;
        assert_eq!(accepted["review_status"], "done");
        assert_eq!(accepted["criteria"], out["criteria"]);
        assert_eq!(accepted["criteria"][0]["evidence"][0]["quote"], QUOTE);
        assert_eq!(accepted["graded_by"], "ai");
        let newest = &list(&app, &format!("submissions/{id}/grades")).await[0];
        assert_eq!(newest["grader"]["kind"], "person");
        assert_eq!(newest["criteria"], out["criteria"]);
        assert_sealed(&app, &id).await;
        // Once: nothing wants a look any more.
        let again = app
            .post(&format!("/v1/submissions/{id}/approve"), json!({}))
            .await;
        assert_refused(&again, 409, "invalid_state_transition", "");
    }
}

#[actix_web::test]
async fn what_a_person_let_stand_no_later_run_replaces() {
    let (app, _, id) = graded(Database::Sqlite, "required").await;
    act(&app, &id, "approve").await;
    ask_ai(&app, &id).await;
    let after = read(&app, &id).await;
    assert_eq!(after["score"], 80);
    assert_eq!(after["ai_score"], 60);
    let grades = list(&app, &format!("submissions/{id}/grades")).await;
    assert_eq!(grades[0]["status"], "suggested");
    assert_eq!(grades[1]["status"], "final");
    assert_sealed(&app, &id).await;
}

#[actix_web::test]
async fn every_decision_is_taken_back_to_what_stood_before() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, _, id) = graded(database, "required").await;
        let held = read(&app, &id).await;
        assert_eq!(held["status"], "in_review");

        act(&app, &id, "approve").await;
        let reopened = act(&app, &id, "reopen").await;
        assert_eq!(standing(&reopened), standing(&held));
        assert_sealed(&app, &id).await;

        let given = json!({"score": 12, "feedback": "No", "reason": "slipped"});
        app.post(&format!("/v1/submissions/{id}/grade"), given)
            .await;
        let reopened = act(&app, &id, "reopen").await;
        assert_eq!(standing(&reopened), standing(&held));
        assert_eq!(reopened["criteria"][0]["evidence"][0]["quote"], QUOTE);
        assert_sealed(&app, &id).await;

        let approved = act(&app, &id, "approve").await;
        act(&app, &id, "return").await;
        let reopened = act(&app, &id, "reopen").await;
        assert_eq!(standing(&reopened), standing(&approved));
        let reopened = act(&app, &id, "reopen").await;
        assert_eq!(standing(&reopened), standing(&held));
        assert_sealed(&app, &id).await;
        let told = events(&app, "submission.reopened").await;
        assert_eq!(told.len(), 4);

        // And on from there as if nothing had been: another run lands, and so does a person's word.
        ask_ai(&app, &id).await;
        assert_eq!(read(&app, &id).await["score"], 60);
        assert_sealed(&app, &id).await;
        let approved = act(&app, &id, "approve").await;
        assert_eq!(approved["score"], 60);
        assert_sealed(&app, &id).await;
    }
}

#[actix_web::test]
async fn a_grade_over_a_persons_grade_goes_back_to_that() {
    let (app, _, id) = graded(Database::Sqlite, "required").await;
    let path = format!("/v1/submissions/{id}/grade");
    app.post(&path, json!({"score": 70, "reason": "first"}))
        .await;
    let first = read(&app, &id).await;
    app.post(&path, json!({"score": 7, "reason": "slipped"}))
        .await;
    let reopened = act(&app, &id, "reopen").await;
    assert_eq!(standing(&reopened), standing(&first));
    let newest = &list(&app, &format!("submissions/{id}/grades")).await[0];
    assert_eq!(
        (&newest["reason"], &newest["status"]),
        (&json!("first"), &json!("final"))
    );
    assert_sealed(&app, &id).await;
}

#[actix_web::test]
async fn the_way_back_is_found_behind_a_long_history() {
    let runs = [80; 106];
    let (app, _, id) = graded_by(&runs, Database::Sqlite, "required").await;
    let path = format!("/v1/submissions/{id}");
    let given = json!({"score": 70, "reason": "first"});
    app.post(&format!("{path}/grade"), given).await;
    let first = read(&app, &id).await;
    for _ in 1..runs.len() {
        ask_ai(&app, &id).await;
    }
    let slip = json!({"score": 7, "reason": "slipped"});
    app.post(&format!("{path}/grade"), slip).await;
    let reopened = act(&app, &id, "reopen").await;
    assert_eq!(standing(&reopened), standing(&first));
    assert_sealed(&app, &id).await;
}

/// Of all who take back at once one does; the others are told that nothing is left to be taken back.
#[actix_web::test]
async fn a_decision_is_taken_back_once() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, _, id) = graded(database, "required").await;
        let held = read(&app, &id).await;
        act(&app, &id, "approve").await;
        let path = format!("/v1/submissions/{id}/reopen");
        let asking = (0..200).map(|_| app.post(&path, json!({})));
        let answers = futures_util::future::join_all(asking).await;
        let (done, refused): (Vec<_>, Vec<_>) =
            answers.into_iter().partition(|answer| answer.status == 200);
        assert_eq!(done.len(), 1);
        for answer in &refused {
            assert_refused(answer, 409, "invalid_state_transition", "");
        }
        assert_eq!(standing(&read(&app, &id).await), standing(&held));
        assert_eq!(events(&app, "submission.reopened").await.len(), 1);
        assert_sealed(&app, &id).await;
    }
}

#[actix_web::test]
async fn there_is_no_way_back_where_nothing_stood_or_the_student_went_on() {
    let (app, school, id) = graded(Database::Sqlite, "required").await;
    let refused = async |id: &str| {
        let path = format!("/v1/submissions/{id}/reopen");
        assert_refused(
            &app.post(&path, json!({})).await,
            409,
            "invalid_state_transition",
            "",
        );
    };
    // AI decided nothing.
    refused(&id).await;
    act(&app, &id, "approve").await;
    act(&app, &id, "return").await;
    let next = school.hand_in(&app, "Once more.").await;
    refused(&id).await;
    assert_eq!(read(&app, &id).await["status"], "returned");
    // The first grade there was.
    app.post(
        &format!("/v1/submissions/{next}/grade"),
        json!({"score": 50}),
    )
    .await;
    refused(&next).await;
}

#[actix_web::test]
async fn a_decision_that_was_taken_back_calibrates_nobody() {
    let answers = [80, 60].map(|points| proposal(&[("overall", points, QUOTE)]));
    let ai = ScriptedAi::new(answers);
    let provider: Arc<dyn AiProvider> = ai.clone();
    let app = TestApp::on(Database::Sqlite, provider).await;
    let school = School::open(&app).await;
    school
        .configure(&app, json!({"human_review": "optional"}))
        .await;
    let id = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &id).await;
    act(&app, &id, "approve").await;
    act(&app, &id, "reopen").await;
    let other = school.hand_in(&app, "Another text.").await;
    ask_ai(&app, &other).await;
    let task = ai.graded().pop().unwrap();
    assert!(task.anchors.is_empty(), "{:?}", task.anchors);
}

#[actix_web::test]
async fn a_held_grade_is_hidden_again_from_its_learner() {
    let (app, school, id) = graded(Database::Sqlite, "required").await;
    let learner = school.student_session(&app).await;
    act(&app, &id, "approve").await;
    let path = format!("/v1/submissions/{id}");
    assert_eq!(
        app.call(&learner, "GET", &path, None).await.body["score"],
        80
    );
    act(&app, &id, "reopen").await;
    assert_eq!(
        app.call(&learner, "GET", &path, None).await.body["score"],
        Value::Null
    );
}
