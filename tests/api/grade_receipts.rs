//! Receipts of grades: what is shown of them, and what a change behind the service's back leaves.

use lyceum_application::grading::verification;
use lyceum_ports::drafting::ai::AiProvider;
use serde_json::{Value, json};
use std::sync::Arc;
use support::app::TestApp;
use support::scripted_ai::{ScriptedAi, proposal};
use support::stores::Database;

use crate::school::{School, assert_refused, done, list};

const TEXT: &str = "Cool the rice. Reheat once.";

/// An app with a submission that was graded thrice.
async fn graded_once_more(database: Database) -> (TestApp, School, String) {
    let judged = |points| proposal(&[("overall", points, "Reheat once")]);
    let ai: Arc<dyn AiProvider> = ScriptedAi::remote([judged(40), judged(90)]);
    let app = TestApp::on(database, ai).await;
    let school = School::open(&app).await;
    let id = graded_thrice(&app, &school).await;
    (app, school, id)
}

/// A submission that AI graded, a person graded again, and AI proposed something beside.
async fn graded_thrice(app: &TestApp, school: &School) -> String {
    let id = school.hand_in(app, TEXT).await;
    ask_ai(app, &id, json!({"reuse": false})).await;
    let given = json!({"score": 55, "reason": "Too strict"});
    let graded = app
        .post(&format!("/v1/submissions/{id}/grade"), given)
        .await;
    assert_eq!(graded.status, 200, "{}", graded.body);
    ask_ai(app, &id, json!({"reuse": false})).await;
    id
}

async fn ask_ai(app: &TestApp, id: &str, body: Value) {
    let asked = app.post(&format!("/v1/submissions/{id}/ai"), body).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    app.work().await;
}

async fn verified(app: &TestApp, id: &str) -> Value {
    let path = format!("/v1/submissions/{id}/grades?verify=true&limit=1");
    let answer = app.get(&path).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body["verification"].clone()
}

fn tamper(app: &TestApp, statement: &str) {
    support::tampering::tamper(app.database_url(), statement);
}

#[actix_web::test]
async fn every_record_carries_a_receipt_that_follows_the_one_before() {
    let (app, _, id) = graded_once_more(Database::Sqlite).await;
    let mut grades = list(&app, &format!("submissions/{id}/grades")).await;
    grades.reverse();
    let mut previous = json!("0".repeat(64));
    for (index, grade) in grades.iter().enumerate() {
        let receipt = &grade["receipt"];
        assert_eq!(receipt["sequence"], json!(index + 1));
        assert_eq!(receipt["previous"], previous);
        let by_ai = grade["source"] == "ai";
        assert_eq!(receipt["answer_hash"].is_string(), by_ai, "{receipt}");
        assert_eq!(receipt["text_hash"], grades[0]["receipt"]["text_hash"]);
        previous = receipt["hash"].clone();
    }
    assert_eq!(grades.len(), 3);
    let plain = app.get(&format!("/v1/submissions/{id}/grades")).await.body;
    assert_eq!(plain.get("verification"), None, "only where it is asked");
    let expected =
        json!({"holds": true, "records": 3, "unsealed": 0, "erased": 0, "first_broken": null});
    assert_eq!(verified(&app, &id).await, expected);
}

#[actix_web::test]
async fn a_graders_origin_is_told_to_teachers() {
    let (app, _, id) = graded_once_more(Database::Sqlite).await;
    let grades = list(&app, &format!("submissions/{id}/grades")).await;
    let grader = &grades[2]["grader"];
    let expected = json!({
        "kind": "provider", "id": null, "llm": true, "user_id": null, "blind": false, "model_asked": "scripted",
        "model": "scripted", "prompt_version": "script-1", "tokens_in": 11, "tokens_out": 7,
        "cost_usd": null, "latency_ms": 1, "anchors": [], "reused_from": null,
    });
    assert_eq!(grader, &expected);
}

#[actix_web::test]
async fn an_approval_follows_too_by_the_runs_own_rubric() {
    let judged = proposal(&[("style", 80, "Reheat once")]);
    let ai: Arc<dyn AiProvider> = ScriptedAi::remote([judged]);
    let app = TestApp::on(Database::Sqlite, ai).await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    let own = json!({"rubric": {"criteria": [{"id": "style", "name": "Style"}]}, "human_review": "required"});
    ask_ai(&app, &id, own).await;
    done(&app, &format!("submissions/{id}/approve")).await;
    let grades = list(&app, &format!("submissions/{id}/grades")).await;
    assert_eq!(grades[0]["rubric_hash"], grades[1]["rubric_hash"]);
    assert_eq!(grades[0]["receipt"]["sequence"], 2);
    assert_eq!(verified(&app, &id).await["holds"], true);
}

#[actix_web::test]
async fn a_learner_sees_neither_receipts_nor_verification() {
    let (app, school, id) = graded_once_more(Database::Sqlite).await;
    let student = school.student_session(&app).await;
    let path = format!("/v1/submissions/{id}/grades");
    let own = app.call(&student, "GET", &path, None).await.body;
    assert_eq!(own["data"][0]["receipt"], Value::Null);
    let path = format!("{path}?verify=true");
    let refused = app.call(&student, "GET", &path, None).await;
    assert_refused(&refused, 403, "insufficient_scope", "");
}

#[actix_web::test]
async fn whatever_is_changed_behind_the_services_back_is_named() {
    // Statement, the place it breaks (0: none), and why.
    let cases = [
        (
            "UPDATE grades SET score = 9900 WHERE sequence = 2 AND submission_id = '@'",
            2,
            "record_changed",
        ),
        (
            "UPDATE grades SET max_score = 1 WHERE sequence = 1 AND submission_id = '@'",
            1,
            "record_changed",
        ),
        (
            "UPDATE grades SET criteria = '[]' WHERE sequence = 1 AND submission_id = '@'",
            1,
            "record_changed",
        ),
        (
            "UPDATE grades SET feedback = 'other' WHERE sequence = 3 AND submission_id = '@'",
            3,
            "record_changed",
        ),
        (
            "UPDATE grades SET reason = NULL WHERE sequence = 2 AND submission_id = '@'",
            2,
            "record_changed",
        ),
        (
            "UPDATE grades SET run = 7 WHERE sequence = 1 AND submission_id = '@'",
            1,
            "record_changed",
        ),
        (
            "UPDATE grades SET created_at = '2020-01-01T00:00:00.000Z' WHERE sequence = 1 AND submission_id = '@'",
            1,
            "record_changed",
        ),
        (
            "UPDATE grades SET review_reasons = '[\"blank\"]' WHERE sequence = 1 AND submission_id = '@'",
            1,
            "record_changed",
        ),
        (
            "UPDATE grades SET grader = (SELECT g.grader FROM grades g WHERE g.sequence = 1 AND g.submission_id = '@') WHERE sequence = 2 AND submission_id = '@'",
            2,
            "record_changed",
        ),
        (
            "UPDATE grades SET rubric_hash = 'x' WHERE sequence = 1 AND submission_id = '@'",
            1,
            "record_changed",
        ),
        (
            "UPDATE grades SET text_hash = 'x' WHERE sequence = 1 AND submission_id = '@'",
            1,
            "record_changed",
        ),
        (
            "UPDATE grades SET answer_hash = 'x' WHERE sequence = 1 AND submission_id = '@'",
            1,
            "record_changed",
        ),
        (
            "UPDATE grades SET previous = 'x' WHERE sequence = 2 AND submission_id = '@'",
            2,
            "record_changed",
        ),
        (
            "UPDATE grades SET receipt = 'x' WHERE sequence = 2 AND submission_id = '@'",
            2,
            "record_changed",
        ),
        (
            "UPDATE grades SET sequence = 9 WHERE sequence = 3 AND submission_id = '@'",
            9,
            "record_changed",
        ),
        (
            "UPDATE grades SET receipt = NULL WHERE sequence = 2 AND submission_id = '@'",
            0,
            "record_changed",
        ),
        (
            "UPDATE submissions SET content = 'Cool it.' WHERE id = '@'",
            1,
            "text_changed",
        ),
        (
            "UPDATE grades SET rubric = '{}' WHERE sequence = 2 AND submission_id = '@'",
            2,
            "rubric_changed",
        ),
        (
            "UPDATE grades SET rubric = NULL WHERE sequence = 2 AND submission_id = '@'",
            2,
            "rubric_changed",
        ),
        (
            "UPDATE grades SET answer = '{\"a\":1}' WHERE sequence = 1 AND submission_id = '@'",
            1,
            "answer_changed",
        ),
        (
            "UPDATE grades SET answer = NULL WHERE sequence = 3 AND submission_id = '@'",
            3,
            "answer_changed",
        ),
        (
            "DELETE FROM grades WHERE sequence = 1 AND submission_id = '@'",
            1,
            "record_missing",
        ),
        (
            "DELETE FROM grades WHERE sequence = 2 AND submission_id = '@'",
            2,
            "record_missing",
        ),
        (
            "DELETE FROM grades WHERE sequence = 3 AND submission_id = '@'",
            3,
            "record_missing",
        ),
        (
            "DELETE FROM grades WHERE submission_id = '@'",
            1,
            "record_missing",
        ),
        (
            "UPDATE submissions SET grade_sequence = 2 WHERE id = '@'",
            3,
            "link_broken",
        ),
        (
            "UPDATE submissions SET grade_receipt = 'x' WHERE id = '@'",
            3,
            "link_broken",
        ),
    ];
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, school, _) = graded_once_more(database).await;
        for (statement, place, reason) in cases {
            // One history for each: what was broken once stays broken.
            let id = graded_thrice(&app, &school).await;
            tamper(&app, &statement.replace('@', &id));
            let found = verified(&app, &id).await;
            let broken = &found["first_broken"];
            let expected = if place == 0 {
                Value::Null
            } else {
                json!(place)
            };
            assert_eq!(
                (&found["holds"], &broken["reason"], &broken["sequence"]),
                (&json!(false), &json!(reason), &expected),
                "{database:?}: {statement}"
            );
            let grades = list(&app, &format!("submissions/{id}/grades")).await;
            let at = |grade: &&Value| place != 0 && grade["receipt"]["sequence"] == expected;
            if let Some(named) = grades.iter().find(at) {
                assert_eq!(broken["grade_id"], named["id"], "{statement}");
            }
        }
    }
}

#[actix_web::test]
async fn the_grade_that_stands_is_held_against_its_record() {
    let (app, _, id) = graded_once_more(Database::Sqlite).await;
    let statement =
        "UPDATE submissions SET grade = json_set(grade, '$.score', 9900) WHERE id = '@'";
    tamper(&app, &statement.replace('@', &id));
    let found = verified(&app, &id).await;
    let broken = &found["first_broken"];
    assert_eq!(
        (&found["holds"], &broken["reason"], &broken["sequence"]),
        (&json!(false), &json!("grade_changed"), &json!(2))
    );
}

#[actix_web::test]
async fn the_operators_walk_finds_what_is_broken_among_all() {
    let (app, school, _) = graded_once_more(Database::Sqlite).await;
    let broken = graded_thrice(&app, &school).await;
    let statement =
        "UPDATE grades SET feedback = 'other' WHERE sequence = 2 AND submission_id = '@'";
    tamper(&app, &statement.replace('@', &broken));
    let walk = async |scope: verification::Scope| {
        let step = app
            .app
            .read(move |tx| verification::step(tx, scope, None))
            .await
            .unwrap();
        let found = step.checked.iter();
        found
            .map(|one| (one.submission_id.to_string(), one.found.holds()))
            .collect::<Vec<_>>()
    };
    let all = walk(verification::Scope::default()).await;
    assert_eq!(all.len(), 2);
    let unsound: Vec<&str> = all
        .iter()
        .filter(|(_, holds)| !holds)
        .map(|(id, _)| id.as_str())
        .collect();
    assert_eq!(unsound, [broken.as_str()]);
    let only = verification::Scope {
        workspace: None,
        submission: Some(broken.parse().unwrap()),
    };
    assert_eq!(walk(only).await, [(broken, false)]);
}

#[actix_web::test]
async fn records_from_before_receipts_are_counted_as_unsealed() {
    let (app, _, id) = graded_once_more(Database::Sqlite).await;
    tamper(
        &app,
        "UPDATE grades SET sequence = NULL, text_hash = NULL, answer_hash = NULL, previous = NULL, receipt = NULL, \
         rubric = NULL, answer = NULL, review_reasons = NULL, result_key = NULL; \
         UPDATE submissions SET grade_sequence = 0, grade_receipt = NULL",
    );
    let expected =
        json!({"holds": true, "records": 3, "unsealed": 3, "erased": 0, "first_broken": null});
    assert_eq!(verified(&app, &id).await, expected);
    let old = list(&app, &format!("submissions/{id}/grades")).await;
    assert_eq!(old[0]["receipt"], Value::Null);
    let given = json!({"score": 60});
    app.post(&format!("/v1/submissions/{id}/grade"), given)
        .await;
    let now = verified(&app, &id).await;
    assert_eq!(
        (&now["holds"], &now["unsealed"], &now["records"]),
        (&json!(true), &json!(3), &json!(4))
    );
}
