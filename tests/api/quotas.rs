//! How much learners and workspaces may keep, and how much learners may send in an hour.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::FakeRelativeClock;
use lyceum_api::edge::rate_limit::RateLimits;
use lyceum_application::running::room;
use lyceum_application::settings::Spending;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::rate_limits::{few, limits, started};
use crate::school::{School, app_on, assert_refused, caller, list};
use crate::scorm_sessions::Package;

fn learner(bytes: u64) -> Spending {
    Spending {
        learner_bytes: Some(bytes),
        ..Spending::default()
    }
}

async fn sent(app: &TestApp, who: &Caller, school: &School, length: usize) -> Answer {
    let body = json!({
        "assignment_id": school.assignment, "draft": true,
        "content": {"type": "text", "text": "x".repeat(length)},
    });
    app.call(who, "POST", "/v1/submissions", Some(body)).await
}

fn is_over(answer: &Answer, quota: &str, limit: u64) {
    assert_refused(answer, 409, "quota_exceeded", "used_bytes");
    let fields = &answer.body["error"]["fields"];
    assert_eq!(fields["quota"], quota);
    assert_eq!(fields["limit_bytes"], limit.to_string());
}

#[actix_web::test]
async fn the_works_of_a_learner_take_no_more_room_than_is_theirs() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await.deciding(learner(14_000));
        let school = School::open(&app).await;
        let ada = school.student_session(&app).await;
        let first = sent(&app, &ada, &school, 6_000).await;
        assert_eq!(first.status, 201, "{}", first.body);
        is_over(&sent(&app, &ada, &school, 6_000).await, "learner", 14_000);
        let path = format!("/v1/submissions/{}", first.id());
        let change = async |length: usize| {
            let content = json!({"content": {"type": "text", "text": "y".repeat(length)}});
            app.call(&ada, "PATCH", &path, Some(content)).await
        };
        is_over(&change(11_000).await, "learner", 14_000);
        assert_eq!(
            app.get(&path).await.body["content"]["text"],
            "x".repeat(6_000)
        );
        assert_eq!(
            change(2_000).await.status,
            200,
            "who makes it shorter is not refused"
        );
        assert_eq!(sent(&app, &ada, &school, 6_000).await.status, 201);
        // Whoever's key it is that hands in for her.
        let body = json!({
            "assignment_id": school.assignment, "user_id": school.student,
            "content": {"type": "text", "text": "x".repeat(6_000)},
        });
        is_over(
            &app.post("/v1/submissions", body.clone()).await,
            "learner",
            14_000,
        );
        // Another learner has room of their own.
        let other =
            crate::school::made(&app, &app.owner, "users", json!({"email": "bo@x.example"}));
        let mut others = body;
        others["user_id"] = json!(other.await);
        assert_eq!(app.post("/v1/submissions", others).await.status, 201);
    }
}

#[actix_web::test]
async fn attempts_at_a_quiz_take_room_too() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await.deciding(learner(14_000));
        let school = School::open(&app).await;
        let ada = school.student_session(&app).await;
        let path = format!("/v1/activities/{}/attempts", school.activity);
        let mut kept = 0;
        let refused = loop {
            let answers = Some(json!({"answers": {"q1": "a"}}));
            let answer = app.call(&ada, "POST", &path, answers).await;
            if answer.status != 201 {
                break answer;
            }
            kept += 1;
            assert!(kept < 20, "nothing ever refuses");
        };
        is_over(&refused, "learner", 14_000);
        assert!(kept > 1, "{kept}");
    }
}

async fn measured(app: &TestApp) -> Value {
    for workspace in room::due(&app.app).await.unwrap() {
        room::measure(&app.app, workspace).await.unwrap();
    }
    room::renew(&app.app).await.unwrap();
    list(app, "workspaces").await[0]["usage"].clone()
}

#[actix_web::test]
async fn a_workspace_that_is_full_refuses_more_and_takes_it_again_when_there_is_room() {
    for database in [Database::Sqlite, Database::Postgres] {
        let limit = 230_000;
        let app = app_on(database).await.deciding(Spending {
            workspace_bytes: Some(limit),
            ..Spending::default()
        });
        let school = School::open(&app).await;
        let before = list(&app, "workspaces").await[0].clone();
        assert_eq!(before["quotas"]["storage_bytes"], limit);
        assert_eq!(
            before["usage"],
            json!({"storage_bytes": 0, "measured_at": null})
        );
        let first = measured(&app).await;
        assert_eq!(first["measured_at"], "2026-11-21T06:55:00.000Z");
        let long = json!({"unit_id": school.unit, "name": "Long", "content": "x".repeat(60_000)});
        let lesson = app.post("/v1/lessons", long.clone()).await;
        assert_eq!(lesson.status, 201, "{}", lesson.body);
        // What was sent counts at once, with what is written around it.
        is_over(
            &app.post("/v1/lessons", long.clone()).await,
            "workspace",
            limit,
        );
        // Nobody has to wait for an hour.
        app.clock.advance(60);
        let now = measured(&app).await["storage_bytes"].as_u64().unwrap();
        assert!(
            (120_000..limit).contains(&now),
            "{now}: the lesson and its event"
        );
        assert_eq!(app.post("/v1/lessons", long.clone()).await.status, 201);
        app.clock.advance(60);
        assert!(measured(&app).await["storage_bytes"].as_u64().unwrap() > limit);
        is_over(
            &app.post("/v1/courses", json!({"name": "A", "language": "en"}))
                .await,
            "workspace",
            limit,
        );
        // What ends something, or makes room, goes on.
        let done = app
            .post(&format!("/v1/courses/{}/publish", school.course), json!({}))
            .await;
        assert_eq!(done.status, 200, "{}", done.body);
        let gone = app.delete(&format!("/v1/lessons/{}", lesson.id())).await;
        assert_eq!(gone.status, 200, "{}", gone.body);
        // Another workspace has room of its own.
        let other = app.another_workspace("other").await;
        School::of(&app, &other).await;
    }
}

#[actix_web::test]
async fn what_a_learner_sends_in_an_hour_is_counted_in_kib_and_staff_are_not() {
    let (app, clock) = started(|limits| limits.written_per_learner = few(16)).await;
    let school = School::open(&app).await;
    let ada = school.student_session(&app).await;
    for _ in 0..4 {
        // However little it is, as much is written around it.
        assert_eq!(sent(&app, &ada, &school, 1).await.status, 201);
    }
    let refused = sent(&app, &ada, &school, 1).await;
    assert_refused(&refused, 429, "rate_limited", "");
    assert_eq!(refused.header("retry-after"), Some("900"));
    let policies = refused.header("ratelimit-policy").unwrap();
    assert!(
        policies.contains("\"written-kib\";q=16;w=3600"),
        "{policies}"
    );
    let read = app.call(&ada, "GET", "/v1/submissions", None).await;
    assert_eq!(read.status, 200, "reading goes on");
    for _ in 0..6 {
        school.hand_in(&app, "Cool it.").await;
    }
    clock.advance(Duration::from_mins(15));
    assert_eq!(sent(&app, &ada, &school, 1).await.status, 201);
    assert_eq!(sent(&app, &ada, &school, 1).await.status, 429);
}

#[actix_web::test]
async fn invented_learners_of_a_package_send_no_more_together_than_is_the_package_s() {
    let (app, _) = started(|limits| limits.written_per_package = few(16)).await;
    let package = Package::published(&app).await;
    let mut kept = 0;
    for n in 0..9 {
        let session = package
            .let_in(&app, &format!("nobody-{n}"), &n.to_string())
            .await;
        let nobody = caller(&session["api_key"]);
        kept += u32::from(sent(&app, &nobody, &package.school, 1).await.status == 201);
    }
    assert_eq!(kept, 4);
}

#[actix_web::test]
async fn a_package_lets_in_so_many_newcomers_an_hour_and_whoever_was_there_before() {
    let (app, clock) = started(|limits| limits.newcomers_per_package = few(2)).await;
    let package = Package::published(&app).await;
    let first = package.let_in(&app, "jdoe", "1").await;
    package.let_in(&app, "eve", "2").await;
    let refused = package.sent(&app, package.launch("mallory", "3")).await;
    assert_refused(&refused, 429, "rate_limited", "");
    assert_eq!(refused.header("retry-after"), Some("1800"));
    let mut back = package.launch("jdoe", "4");
    back["proof"] = first["proof"].clone();
    assert_eq!(package.sent(&app, back).await.status, 200);
    clock.advance(Duration::from_mins(30));
    package.let_in(&app, "mallory", "5").await;
}

#[actix_web::test]
async fn what_is_large_is_counted_for_all_nodes_together() {
    let clock = FakeRelativeClock::default();
    let limits = RateLimits {
        shared: true,
        written_per_learner: NonZeroU32::new(150).unwrap(),
        ..limits(&clock)
    };
    let app = app_on(Database::Postgres).await;
    let school = School::open(&app).await;
    let ada = school.student_session(&app).await;
    let first = app.limited(limits.clone());
    assert_eq!(sent(&first, &ada, &school, 70_000).await.status, 201);
    // A node more is not a quota more.
    let second = first.limited(limits);
    assert_eq!(sent(&second, &ada, &school, 70_000).await.status, 201);
    let refused = sent(&second, &ada, &school, 70_000).await;
    assert_refused(&refused, 429, "rate_limited", "");
}
