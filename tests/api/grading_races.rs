//! What happens to a grading run when something else happens meanwhile.

use lyceum_application::work;
use lyceum_domain::running::jobs::JobLane;
use serde_json::{Value, json};
use support::app::TestApp;
use support::scripted_ai::{ScriptedAi, proposal};
use support::stores::Database;

use crate::school::{School, done, events, list};

const TEXT: &str = "Cool the rice. Reheat once.";

/// An app whose AI gives these scores in turn, and a submission handed in to it.
async fn handed_in(database: Database, scores: &[u16]) -> (TestApp, School, String) {
    let script = scores
        .iter()
        .map(|score| proposal(&[("overall", *score, "Reheat once")]));
    let app = TestApp::on(database, ScriptedAi::new(script)).await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, TEXT).await;
    (app, school, id)
}

async fn ask_ai(app: &TestApp, id: &str, body: Value) {
    let asked = app.post(&format!("/v1/submissions/{id}/ai"), body).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
}

async fn read(app: &TestApp, id: &str) -> Value {
    app.get(&format!("/v1/submissions/{id}")).await.body
}

async fn grades(app: &TestApp, id: &str) -> Vec<Value> {
    list(app, &format!("submissions/{id}/grades")).await
}

#[actix_web::test]
async fn a_run_that_a_newer_one_overtakes_does_not_land() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, _, id) = handed_in(database, &[20, 90]).await;
        ask_ai(&app, &id, json!({})).await;
        let overtaken = work::claim(&app.app, JobLane::Ai, 1).await.unwrap();
        ask_ai(&app, &id, json!({"reuse": false})).await;
        let newest = work::claim(&app.app, JobLane::Ai, 1).await.unwrap();
        work::perform(&app.app, &newest[0]).await.unwrap();
        work::perform(&app.app, &overtaken[0]).await.unwrap();
        app.work().await;
        assert_eq!(read(&app, &id).await["score"], json!(20), "{database:?}");
        assert_eq!(grades(&app, &id).await.len(), 1, "{database:?}");
        assert_eq!(
            events(&app, "submission.graded").await.len(),
            1,
            "{database:?}"
        );
    }
}

#[actix_web::test]
async fn a_job_that_is_done_twice_lands_once() {
    let (app, _, id) = handed_in(Database::Sqlite, &[20, 90]).await;
    ask_ai(&app, &id, json!({})).await;
    let job = work::claim(&app.app, JobLane::Ai, 1).await.unwrap();
    for _ in 0..2 {
        work::perform(&app.app, &job[0]).await.unwrap();
    }
    assert_eq!(read(&app, &id).await["score"], json!(20));
    assert_eq!(events(&app, "submission.graded").await.len(), 1);
}

#[actix_web::test]
async fn work_that_was_left_lying_is_taken_up_again() {
    let (app, _, id) = handed_in(Database::Sqlite, &[70]).await;
    ask_ai(&app, &id, json!({})).await;
    // Its worker is gone.
    drop(work::claim(&app.app, JobLane::Ai, 1).await.unwrap());
    assert_eq!(app.work().await, 0);
    app.clock.advance(60 * 60);
    assert_eq!(app.work().await, 1);
    assert_eq!(read(&app, &id).await["score"], json!(70));
}

#[actix_web::test]
async fn a_person_who_grades_while_a_run_is_under_way_wins() {
    let (app, _, id) = handed_in(Database::Sqlite, &[90]).await;
    ask_ai(&app, &id, json!({})).await;
    app.post(&format!("/v1/submissions/{id}/grade"), json!({"score": 30}))
        .await;
    app.work().await;
    let graded = read(&app, &id).await;
    assert_eq!(
        (&graded["score"], &graded["ai_score"]),
        (&json!(30), &json!(90))
    );
    assert_eq!(
        (&graded["graded_by"], &graded["ai_status"]),
        (&json!("human"), &json!("ready"))
    );
    let statuses: Vec<Value> = grades(&app, &id)
        .await
        .iter()
        .map(|one| one["status"].clone())
        .collect();
    assert_eq!(statuses, ["suggested", "final"]);
}

#[actix_web::test]
async fn what_is_given_back_while_a_run_is_under_way_keeps_its_grade() {
    let (app, _, id) = handed_in(Database::Sqlite, &[40, 90]).await;
    ask_ai(&app, &id, json!({})).await;
    app.work().await;
    ask_ai(&app, &id, json!({})).await;
    done(&app, &format!("submissions/{id}/return")).await;
    app.work().await;
    let returned = read(&app, &id).await;
    assert_eq!(
        (&returned["status"], &returned["score"]),
        (&json!("returned"), &json!(40))
    );
    assert_eq!(
        (&returned["ai_status"], &returned["ai_error"]),
        (&json!("ready"), &Value::Null)
    );
    assert_eq!(
        (&returned["ai_score"], grades(&app, &id).await.len()),
        (&json!(90), 2)
    );
    assert_eq!(events(&app, "submission.graded").await.len(), 2);
    assert!(events(&app, "submission.grading_failed").await.is_empty());
}

#[actix_web::test]
async fn what_is_deleted_while_a_run_is_under_way_stays_deleted() {
    let (app, school, id) = handed_in(Database::Sqlite, &[40]).await;
    let other = school.hand_in(&app, TEXT).await;
    ask_ai(&app, &id, json!({})).await;
    ask_ai(&app, &other, json!({})).await;
    app.delete(&format!("/v1/submissions/{id}?force=true"))
        .await;
    app.delete(&format!("/v1/assignments/{}?force=true", school.assignment))
        .await;
    app.work().await;
    assert_eq!(
        app.get(&format!("/v1/submissions/{other}")).await.status,
        404
    );
    assert!(events(&app, "submission.graded").await.is_empty());
}

#[actix_web::test]
async fn an_approved_grade_keeps_the_rubric_it_was_judged_by() {
    let script = [proposal(&[("once", 80, "Reheat once")])];
    let app = TestApp::on(Database::Sqlite, ScriptedAi::new(script)).await;
    let school = School::open(&app).await;
    school
        .configure(&app, json!({"human_review": "required"}))
        .await;
    let id = school.hand_in(&app, TEXT).await;
    let own = json!({"rubric": {"criteria": [{"id": "once", "name": "Once"}]}});
    ask_ai(&app, &id, own).await;
    app.work().await;
    done(&app, &format!("submissions/{id}/approve")).await;
    let grades = grades(&app, &id).await;
    assert_eq!(grades[0]["criteria"], grades[1]["criteria"]);
    assert_eq!(grades[0]["rubric_hash"], grades[1]["rubric_hash"]);
}

#[actix_web::test]
async fn a_learner_sees_of_a_grade_what_is_meant_for_them() {
    let (app, school, id) = handed_in(Database::Sqlite, &[80]).await;
    let student = school.student_session(&app).await;
    ask_ai(&app, &id, json!({})).await;
    app.work().await;
    let path = format!("/v1/submissions/{id}/grades");
    let by_ai = app.call(&student, "GET", &path, None).await.body["data"][0].clone();
    assert_eq!(
        (&by_ai["score"], &by_ai["feedback"]),
        (&json!(80), &json!("Well done"))
    );
    assert_eq!(
        (&by_ai["grader"]["model"], &by_ai["grader"]["tokens_in"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(by_ai["criteria"][0]["confidence"], Value::Null);
    let given = json!({"score": 60, "reason": "Copied from a neighbour"});
    app.post(&format!("/v1/submissions/{id}/grade"), given)
        .await;
    let seen = app.call(&student, "GET", &path, None).await.body["data"].clone();
    assert_eq!(
        seen.as_array().unwrap().len(),
        1,
        "what no longer counts is not shown"
    );
    assert_eq!(
        (&seen[0]["score"], &seen[0]["reason"]),
        (&json!(60), &Value::Null)
    );
    assert_eq!(
        seen[0]["grader"],
        json!({
            "kind": "person", "id": null, "llm": false, "user_id": null, "blind": false, "model_asked": null, "model": null,
            "prompt_version": null, "tokens_in": null, "tokens_out": null, "cost_usd": null, "latency_ms": null,
            "anchors": [], "reused_from": null,
        })
    );
}
