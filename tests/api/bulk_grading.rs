//! Grading all answers that wait: what it would cost, how far it is, what stops it.

use futures_util::future::join_all;
use lyceum_application::work;
use lyceum_domain::running::jobs::JobLane;
use rstest::rstest;
use serde_json::{Value, json};
use support::app::TestApp;
use support::scripted_ai::{ScriptedAi, proposal};
use support::stores::Database;

use crate::school::{School, app_on, events};

async fn waiting(app: &TestApp, answers: usize) -> (School, Vec<String>) {
    let school = School::open(app).await;
    school.configure(app, json!({"human_review": "off"})).await;
    let mut ids = Vec::new();
    for n in 0..answers {
        ids.push(
            school
                .hand_in(app, &format!("Cool the rice fast, {n}."))
                .await,
        );
    }
    (school, ids)
}

fn place(school: &School) -> String {
    format!("/v1/assignments/{}/ai", school.assignment)
}

async fn worked(app: &TestApp) {
    for _ in 0..10 {
        app.work().await;
        app.clock.advance(2);
    }
}

async fn status(app: &TestApp, id: &str) -> Value {
    app.get(&format!("/v1/submissions/{id}")).await.body["ai_status"].clone()
}

#[rstest]
#[actix_web::test]
async fn all_that_wait_are_graded_each_as_if_it_had_been_asked_for_alone(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let (school, ids) = waiting(&app, 8).await;
    let graded = format!("/v1/submissions/{}/grade", ids[0]);
    assert_eq!(app.post(&graded, json!({"score": 50})).await.status, 200);
    let before = app.get(&place(&school)).await.body;
    assert_eq!(
        (
            &before["waiting"],
            &before["estimated_cost_usd"],
            &before["newest"]
        ),
        (&json!(7), &json!(0), &Value::Null),
        "the built-in engine costs nothing"
    );
    let started = app.post(&place(&school), json!({})).await;
    assert_eq!(
        (started.status, &started.body["newest"]["state"]),
        (202, &json!("running"))
    );
    worked(&app).await;
    let done = app.get(&place(&school)).await.body;
    assert_eq!(
        (&done["waiting"], &done["newest"]["state"]),
        (&json!(0), &json!("done"))
    );
    assert_eq!(
        (
            &done["newest"]["items"]["total"],
            &done["newest"]["items"]["graded"]
        ),
        (&json!(7), &json!(7))
    );
    for id in &ids[1..] {
        assert_eq!(status(&app, id).await, "ready");
    }
    assert_eq!(events(&app, "submission.graded").await.len(), 7);
    assert_eq!(events(&app, "batch.completed").await.len(), 1);
    let alone = app.get(&format!("/v1/submissions/{}", ids[0])).await.body;
    assert_eq!(
        (&alone["score"], &alone["ai_status"]),
        (&json!(50), &Value::Null)
    );
}

#[actix_web::test]
async fn what_one_grade_cost_says_what_all_would() {
    let says = proposal(&[("overall", 50, "rice")]);
    let app = TestApp::on(Database::Sqlite, ScriptedAi::model(vec![says; 9])).await;
    let (school, ids) = waiting(&app, 3).await;
    let unknown = app.get(&place(&school)).await.body;
    assert_eq!(
        unknown["estimated_cost_usd"],
        Value::Null,
        "no grade has a price yet"
    );
    let one = format!("/v1/submissions/{}/ai", ids[0]);
    assert_eq!(app.post(&one, json!({})).await.status, 202);
    app.work().await;
    let known = app.get(&place(&school)).await.body;
    let of_one = known["cost_of_one_usd"].as_f64().unwrap();
    assert!(of_one > 0.0, "{known}");
    let of_all = known["estimated_cost_usd"].as_f64().unwrap();
    assert!((of_all - 2.0 * of_one).abs() < 1e-9, "{known}");
}

#[actix_web::test]
async fn what_was_stopped_begins_no_more() {
    let app = app_on(Database::Sqlite).await;
    let (school, ids) = waiting(&app, 2).await;
    app.post(&place(&school), json!({})).await;
    let stop = format!("{}/stop", place(&school));
    let stopped = app.post(&stop, json!({})).await;
    assert_eq!(
        (stopped.status, &stopped.body["newest"]["state"]),
        (200, &json!("stopped"))
    );
    worked(&app).await;
    for id in &ids {
        assert_eq!(status(&app, id).await, Value::Null);
    }
    assert_eq!(app.post(&stop, json!({})).await.status, 200, "again");
    let again = app.post(&place(&school), json!({})).await;
    assert_eq!(again.body["newest"]["state"], "running");
    worked(&app).await;
    assert_eq!(app.post(&stop, json!({})).await.status, 409, "it is done");
    assert_eq!(status(&app, &ids[0]).await, "ready");
}

#[rstest]
#[actix_web::test]
async fn what_ai_was_asked_about_before_it_was_stopped_is_told_as_graded(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let (school, ids) = waiting(&app, 2).await;
    app.post(&place(&school), json!({})).await;
    // Who tends it has AI asked, and AI has not answered yet.
    let jobs = work::claim(&app.app, JobLane::Work, 1).await.unwrap();
    work::perform(&app.app, &jobs[0]).await.unwrap();
    let stop = format!("{}/stop", place(&school));
    let stopped = app.post(&stop, json!({})).await.body["newest"].clone();
    assert_eq!(
        (&stopped["state"], &stopped["items"]["asked"]),
        (&json!("stopped"), &json!(2))
    );
    worked(&app).await;
    let seen_out = app.get(&place(&school)).await.body["newest"].clone();
    assert_eq!(
        (&seen_out["state"], &seen_out["items"]["asked"]),
        (&json!("stopped"), &json!(0))
    );
    assert_eq!(seen_out["items"]["graded"], 2, "{seen_out}");
    assert_eq!(status(&app, &ids[0]).await, "ready");
    // Nobody looks any more.
    assert_eq!(app.work().await, 0);
}

#[actix_web::test]
async fn two_hundred_who_ask_at_once_are_shown_one_batch_and_each_answer_is_graded_once() {
    let app = app_on(Database::Postgres).await;
    let (school, ids) = waiting(&app, 5).await;
    let path = place(&school);
    let all = join_all((0..200).map(|_| app.post(&path, json!({})))).await;
    let first = &all[0].body["newest"]["id"];
    for one in &all {
        assert_eq!(
            (one.status, &one.body["newest"]["id"]),
            (202, first),
            "{}",
            one.body
        );
    }
    worked(&app).await;
    for id in &ids {
        let history = app.get(&format!("/v1/submissions/{id}/grades")).await.body;
        assert_eq!(history["data"].as_array().unwrap().len(), 1);
    }
}

#[actix_web::test]
async fn progress_is_told_by_quarters() {
    let app = app_on(Database::Sqlite).await;
    let (school, _) = waiting(&app, 260).await;
    app.post(&place(&school), json!({})).await;
    worked(&app).await;
    let told = events(&app, "batch.progressed").await;
    assert!((1..=3).contains(&told.len()), "{}", told.len());
    let graded = &told[0]["data"]["object"]["items"]["graded"];
    assert!(graded.as_u64().unwrap() >= 65, "{graded}");
    assert_eq!(events(&app, "batch.completed").await.len(), 1);
}
