//! Days on which AI providers are away, refuse, babble or hang: what waits, what ends how, and what goes on meanwhile.

use std::time::Duration;

use lyceum_application::work;
use lyceum_domain::running::jobs::JobLane;
use lyceum_ports::running::jobs::QueuedJob;
use serde_json::{Value, json};
use support::app::TestApp;
use support::remote_ai::{MODEL, RemoteAi, Weather};
use support::stores::Database;

use crate::ai_budgets::decide;
use crate::ai_calls::{asked, far_away, read, usage};
use crate::school::{School, events, list, made};

const AWAY: Weather = Weather::Away(None);

/// Works through so many minutes, every ten seconds.
async fn minutes(app: &TestApp, minutes: i64) {
    for _ in 0..minutes * 6 {
        app.work().await;
        app.clock.advance(10);
    }
}

/// Waits until so many calls hang.
async fn until_hanging(ai: &RemoteAi, count: usize) {
    while ai.hanging() != count {
        actix_web::rt::time::sleep(Duration::from_millis(2)).await;
    }
}

/// Hands in something by a student of its own and has AI grade it.
async fn asked_by(app: &TestApp, school: &School, n: usize) -> String {
    let user = json!({"email": format!("student{n}@school.example"), "name": "S"});
    let user = made(app, &app.owner, "users", user).await;
    let submission = json!({
        "assignment_id": school.assignment, "user_id": user, "draft": false,
        "content": {"type": "text", "text": format!("Cool it in {n} hours.")},
    });
    let id = made(app, &app.owner, "submissions", submission).await;
    let asked = app
        .post(&format!("/v1/submissions/{id}/ai"), json!({}))
        .await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    id
}

async fn claim(app: &TestApp, lane: JobLane) -> Vec<QueuedJob> {
    work::claim(&app.app, lane, 16).await.unwrap()
}

#[actix_web::test]
async fn ten_minutes_without_a_provider_fail_nothing_and_everything_lands_once() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, ai) = far_away(database, AWAY).await;
        let school = School::open(&app).await;
        let mut waiting = Vec::new();
        for n in 0..20 {
            waiting.push(asked_by(&app, &school, n).await);
        }
        let syllabus = format!("/v1/courses/{}/syllabus", school.course);
        let generation = app
            .post(&syllabus, json!({"brief": "Cooling", "hours": 1}))
            .await;
        minutes(&app, 10).await;
        assert!(ai.calls() > 20 * 4, "it kept asking: {}", ai.calls());
        for id in &waiting {
            assert_eq!(read(&app, id).await["ai_status"], "pending");
        }
        assert!(events(&app, "submission.grading_failed").await.is_empty());
        ai.turn(Weather::Fine);
        minutes(&app, 4).await;
        for id in &waiting {
            let landed = read(&app, id).await;
            assert_eq!(landed["ai_status"], "ready", "{landed}");
            let grades = list(&app, &format!("submissions/{id}/grades")).await;
            assert_eq!(grades.len(), 1);
        }
        assert_eq!(events(&app, "submission.graded").await.len(), 20);
        let path = format!("/v1/generations/{}", generation.id());
        assert_eq!(app.get(&path).await.body["status"], "ready");
        assert_eq!(events(&app, "generation.ready").await.len(), 1);
        // Every try is in the record, and only what was answered cost something.
        let used = usage(&app, "").await;
        assert_eq!(used["totals"]["calls"], ai.calls());
        assert_eq!(used["totals"]["tokens_out"], 10 * 21);
    }
}

#[actix_web::test]
async fn an_outage_that_outlasts_patience_ends_in_a_named_error() {
    let (app, _) = far_away(Database::Sqlite, AWAY).await;
    let school = School::open(&app).await;
    let id = asked(&app, &school).await;
    minutes(&app, 14).await;
    assert_eq!(read(&app, &id).await["ai_status"], "pending");
    minutes(&app, 2).await;
    let ended = read(&app, &id).await;
    assert_eq!(ended["ai_status"], "error", "{ended}");
    assert_eq!(ended["ai_error"]["code"], "ai_provider_error");
    assert_eq!(events(&app, "submission.grading_failed").await.len(), 1);
    minutes(&app, 5).await;
    assert_eq!(events(&app, "submission.grading_failed").await.len(), 1);
}

#[actix_web::test]
async fn a_provider_that_says_when_to_come_back_is_not_asked_before() {
    let (app, ai) = far_away(
        Database::Sqlite,
        Weather::Away(Some(Duration::from_mins(5))),
    )
    .await;
    let school = School::open(&app).await;
    let id = asked(&app, &school).await;
    minutes(&app, 4).await;
    assert_eq!(ai.calls(), 1);
    ai.turn(Weather::Fine);
    minutes(&app, 2).await;
    assert_eq!(ai.calls(), 2);
    assert_eq!(read(&app, &id).await["ai_status"], "ready");
}

#[actix_web::test]
async fn a_no_and_a_useless_answer_end_at_once_and_by_name() {
    for (weather, code) in [
        (Weather::Refusing, "provider_refused"),
        (Weather::Babbling, "ai_output_invalid"),
    ] {
        let (app, ai) = far_away(Database::Sqlite, weather).await;
        let school = School::open(&app).await;
        let id = asked(&app, &school).await;
        app.work().await;
        let ended = read(&app, &id).await;
        assert_eq!(ended["ai_status"], "error", "{ended}");
        assert_eq!(ended["ai_error"]["code"], code);
        assert_eq!(ended["score"], Value::Null);
        assert_eq!(ai.calls(), 1);
    }
}

#[actix_web::test]
async fn the_built_in_engine_stands_in_only_where_the_workspace_wants_it_and_says_so() {
    for (weather, code) in [
        (Weather::Refusing, "provider_refused"),
        (Weather::Babbling, "ai_output_invalid"),
        (AWAY, "ai_provider_error"),
    ] {
        let (app, _) = far_away(Database::Sqlite, weather).await;
        decide(&app, json!({"on_provider_failure": "built_in"})).await;
        let school = School::open(&app).await;
        school
            .configure(&app, json!({"human_review": "optional"}))
            .await;
        let id = asked(&app, &school).await;
        let syllabus = format!("/v1/courses/{}/syllabus", school.course);
        let generation = app
            .post(&syllabus, json!({"brief": "Cooling", "hours": 1}))
            .await;
        minutes(&app, 16).await;
        let landed = read(&app, &id).await;
        assert_eq!(landed["ai_status"], "ready", "{landed}");
        assert_eq!(landed["ai_model"], "builtin");
        assert_eq!(landed["status"], "in_review", "held for a person");
        let reasons = landed["review_reasons"].as_array().unwrap();
        assert!(reasons.contains(&json!("provider_failed")), "{landed}");
        let drafted = app
            .get(&format!("/v1/generations/{}", generation.id()))
            .await;
        assert_eq!(drafted.body["status"], "ready", "{}", drafted.body);
        assert_eq!(drafted.body["result"]["model"], "builtin");
        assert_eq!(drafted.body["result"]["provider_failed"], code);
    }
}

#[actix_web::test]
async fn of_two_runs_one_lands_and_both_are_paid_for_in_the_record() {
    let (app, ai) = far_away(Database::Sqlite, Weather::Fine).await;
    let school = School::open(&app).await;
    let id = asked(&app, &school).await;
    let again = app
        .post(&format!("/v1/submissions/{id}/ai"), json!({}))
        .await;
    assert_eq!(again.status, 202, "{}", again.body);
    app.work().await;
    assert_eq!(read(&app, &id).await["ai_status"], "ready");
    assert_eq!(events(&app, "submission.graded").await.len(), 1);
    assert_eq!(list(&app, "ai/calls").await.len(), ai.calls());
}

#[actix_web::test]
async fn a_process_that_dies_in_the_middle_of_a_call_loses_nothing() {
    let (app, ai) = far_away(Database::Sqlite, Weather::Hanging).await;
    let school = School::open(&app).await;
    let id = asked(&app, &school).await;
    let job = claim(&app, JobLane::Ai).await.remove(0);
    let dying = {
        let (app, job) = (app.app.clone(), job.clone());
        actix_web::rt::spawn(async move { work::perform(&app, &job).await })
    };
    until_hanging(&ai, 1).await;
    dying.abort();
    assert!(dying.await.unwrap_err().is_cancelled());
    ai.let_go();
    assert_eq!(app.work().await, 0, "its lease still holds");
    app.start_again().await;
    app.work().await;
    let landed = read(&app, &id).await;
    assert_eq!(landed["ai_status"], "ready", "{landed}");
    assert_eq!(landed["ai_model"], MODEL);
    assert_eq!(events(&app, "submission.graded").await.len(), 1);
}

#[actix_web::test]
async fn an_attempt_that_comes_back_late_lands_nothing_but_is_in_the_record() {
    let (app, ai) = far_away(Database::Sqlite, Weather::Hanging).await;
    let school = School::open(&app).await;
    let id = asked(&app, &school).await;
    let late = claim(&app, JobLane::Ai).await.remove(0);
    let slow = {
        let (app, job) = (app.app.clone(), late.clone());
        actix_web::rt::spawn(async move { work::perform(&app, &job).await })
    };
    until_hanging(&ai, 1).await;
    ai.turn(Weather::Fine);
    app.start_again().await;
    app.work().await;
    assert_eq!(read(&app, &id).await["ai_status"], "ready");
    ai.let_go();
    slow.await.unwrap().unwrap();
    assert_eq!(events(&app, "submission.graded").await.len(), 1);
    assert_eq!(list(&app, "ai/calls").await.len(), 2);
}

#[actix_web::test]
async fn workers_that_die_are_counted_and_waiting_is_not() {
    let (app, _) = far_away(Database::Sqlite, AWAY).await;
    let school = School::open(&app).await;
    let id = asked(&app, &school).await;
    minutes(&app, 5).await;
    assert_eq!(read(&app, &id).await["ai_status"], "pending");
    app.clock.advance(200);
    for _ in 0..QueuedJob::LOST_ATTEMPTS {
        assert_eq!(claim(&app, JobLane::Ai).await.len(), 1);
        app.start_again().await;
    }
    app.work().await;
    let ended = read(&app, &id).await;
    assert_eq!(ended["ai_error"]["code"], "worker_lost", "{ended}");
}

#[actix_web::test]
async fn while_a_provider_hangs_packages_are_made_reads_are_answered_and_others_are_graded() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, ai) = far_away(database, Weather::Hanging).await;
        let school = School::open(&app).await;
        let mut waiting = Vec::new();
        let share = usize::from(JobLane::Ai.share());
        for n in 0..share + 3 {
            waiting.push(asked_by(&app, &school, n).await);
        }
        let claimed = claim(&app, JobLane::Ai).await;
        assert_eq!(claimed.len(), share);
        let running: Vec<_> = claimed
            .into_iter()
            .map(|job| {
                let app = app.app.clone();
                actix_web::rt::spawn(async move { work::perform(&app, &job).await })
            })
            .collect();
        until_hanging(&ai, share).await;

        let package = made_package(&app, &school).await;
        for job in claim(&app, JobLane::Work).await {
            work::perform(&app.app, &job).await.unwrap();
        }
        let package = app.get(&format!("/v1/scorm/{package}")).await;
        assert_eq!(package.body["status"], "ready", "{}", package.body);
        assert_eq!(read(&app, &waiting[0]).await["ai_status"], "pending");

        // Another workspace does not wait behind this one's queue.
        let stranger = app.another_workspace("other").await;
        let theirs = School::of(&app, &stranger).await;
        let submission = json!({
            "assignment_id": theirs.assignment, "user_id": theirs.student, "draft": false,
            "content": {"type": "text", "text": "Keep it cold."},
        });
        let id = made(&app, &stranger, "submissions", submission).await;
        let path = format!("/v1/submissions/{id}");
        app.call(&stranger, "POST", &format!("{path}/ai"), Some(json!({})))
            .await;
        ai.turn(Weather::Fine);
        let jobs = claim(&app, JobLane::Ai).await;
        assert_eq!(jobs.len(), 1);
        work::perform(&app.app, &jobs[0]).await.unwrap();
        let graded = app.call(&stranger, "GET", &path, None).await;
        assert_eq!(graded.body["ai_status"], "ready", "{}", graded.body);

        ai.let_go();
        for job in running {
            job.await.unwrap().unwrap();
        }
        app.work().await;
        for id in &waiting {
            assert_eq!(read(&app, id).await["ai_status"], "ready");
        }
    }
}

async fn made_package(app: &TestApp, school: &School) -> String {
    let asked = app
        .post("/v1/scorm", json!({"cohort_id": school.cohort}))
        .await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    asked.id()
}

#[actix_web::test]
async fn a_tutor_that_fails_is_told_at_once_and_is_in_the_record() {
    let (app, ai) = far_away(Database::Sqlite, AWAY).await;
    let school = School::open(&app).await;
    let path = format!("/v1/lessons/{}/tutor", school.lesson);
    let failed = app.post(&path, json!({"message": "How cold?"})).await;
    assert_eq!((failed.status, failed.code()), (502, "ai_provider_error"));
    assert_eq!(ai.calls(), 1);
    let calls = list(&app, "ai/calls?outcome=unavailable&feature=tutoring").await;
    assert_eq!(calls.len(), 1);
}
