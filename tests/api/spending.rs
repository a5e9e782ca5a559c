//! What starts AI counts, whoever asks: staff, learners and the strangers of each SCORM package spend from shares of
//! their own, and nothing that was handed in is lost for it.

use std::num::NonZeroU32;

use governor::clock::FakeRelativeClock;
use lyceum_application::settings::Spending;
use lyceum_domain::identity::ai_settings::MonthlyBudget;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::remote_ai::{TOKENS, Weather};
use support::stores::Database;

use crate::ai_budgets::decide;
use crate::ai_calls::{far_away, read};
use crate::rate_limits::{few, limits};
use crate::school::{School, assert_refused, caller, events, list};
use crate::scorm_sessions::Package;

/// Hands in what nobody has handed in before; the answer.
async fn hand_in(app: &TestApp, who: &Caller, assignment: &str, text: &str) -> Value {
    let body = json!({
        "assignment_id": assignment, "draft": false,
        "content": {"type": "text", "text": format!("Cool the rice, says {text}.")},
    });
    let answer = app.call(who, "POST", "/v1/submissions", Some(body)).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.body
}

/// A learner whom somebody invented, with the launch key that stands in the package.
async fn invented(app: &TestApp, package: &Package, n: usize) -> Caller {
    let session = package
        .let_in(app, &format!("nobody-{n}"), &n.to_string())
        .await;
    caller(&session["api_key"])
}

/// How AI grading of each submission stands, oldest first: its state, or the code of its error.
async fn standing(app: &TestApp) -> Vec<String> {
    let mut found = list(app, "submissions?limit=100").await;
    found.reverse();
    let state = |one: &Value| {
        let code = one["ai_error"]["code"].as_str();
        code.or(one["ai_status"].as_str())
            .unwrap_or("none")
            .to_owned()
    };
    found.iter().map(state).collect()
}

async fn by_ai(app: &TestApp, school: &School) {
    school
        .configure(app, json!({"ai_evaluator": {"enabled": true}}))
        .await;
}

fn hourly(learner: u32, package: u32) -> Spending {
    Spending {
        learner_hourly: NonZeroU32::new(learner).unwrap(),
        package_hourly: NonZeroU32::new(package).unwrap(),
        ..Spending::default()
    }
}

#[actix_web::test]
async fn works_beyond_a_learner_s_share_are_kept_and_say_that_a_teacher_can_start_them() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, ai) = far_away(database, Weather::Fine).await;
        let app = app.deciding(hourly(2, 100));
        let school = School::open(&app).await;
        by_ai(&app, &school).await;
        let learner = school.student_session(&app).await;
        for n in 0..2 {
            let one = hand_in(&app, &learner, &school.assignment, &n.to_string()).await;
            assert_eq!(one["ai_status"], "pending");
            app.work().await;
        }
        let third = hand_in(&app, &learner, &school.assignment, "three").await;
        assert_eq!(
            (&third["status"], &third["ai_status"]),
            (&json!("submitted"), &json!("error"))
        );
        let id = third["id"].as_str().unwrap();
        let seen = read(&app, id).await;
        assert_eq!(seen["ai_error"]["code"], "ai_share_used_up", "{seen}");
        assert_eq!(seen["content"]["text"], "Cool the rice, says three.");
        assert_eq!(events(&app, "submission.submitted").await.len(), 3);
        assert_eq!(events(&app, "submission.grading_failed").await.len(), 1);
        assert_eq!(
            app.work().await,
            0,
            "nothing is queued that will not be done"
        );
        // A draft that is handed in is handed in all the same.
        let draft = json!({
            "assignment_id": school.assignment, "draft": true,
            "content": {"type": "text", "text": "Later."},
        });
        let draft = app
            .call(&learner, "POST", "/v1/submissions", Some(draft))
            .await;
        let path = format!("/v1/submissions/{}/submit", draft.id());
        let handed = app.call(&learner, "POST", &path, None).await;
        assert_eq!(handed.body["ai_status"], "error", "{}", handed.body);
        // Whoever's key hands in for a learner: it is the learner's share.
        let by_staff = school.hand_in(&app, "For Ada.").await;
        assert_eq!(
            read(&app, &by_staff).await["ai_error"]["code"],
            "ai_share_used_up"
        );
        assert_eq!(ai.calls(), 2);
        // A teacher starts it, from the staff's share.
        let asked = app
            .post(&format!("/v1/submissions/{id}/ai"), json!({}))
            .await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        app.work().await;
        assert_eq!(read(&app, id).await["ai_status"], "ready");
        // The share refills evenly.
        app.clock.advance(1_800);
        let later = hand_in(&app, &learner, &school.assignment, "later").await;
        assert_eq!(later["ai_status"], "pending");
        let none = hand_in(&app, &learner, &school.assignment, "one too many").await;
        app.work().await;
        let id = none["id"].as_str().unwrap();
        assert_eq!(read(&app, id).await["ai_error"]["code"], "ai_share_used_up");
    }
}

#[actix_web::test]
async fn of_works_that_are_handed_in_at_once_no_more_are_graded_than_the_share_holds() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, ai) = far_away(database, Weather::Fine).await;
        let app = app.deciding(hourly(2, 100));
        let school = School::open(&app).await;
        by_ai(&app, &school).await;
        let learner = school.student_session(&app).await;
        // None is begun before all are there, so that each finds the whole share.
        for n in 0..6 {
            let one = hand_in(&app, &learner, &school.assignment, &n.to_string()).await;
            assert_eq!(one["ai_status"], "pending");
        }
        app.work().await;
        let mut stand = standing(&app).await;
        stand.sort();
        let expected = ["ai_share_used_up"; 4].into_iter().chain(["ready"; 2]);
        assert_eq!(stand, expected.collect::<Vec<_>>(), "{database:?}");
        assert_eq!(ai.calls(), 2);
        assert_eq!(events(&app, "submission.grading_failed").await.len(), 4);
    }
}

#[actix_web::test]
async fn the_built_in_engine_costs_nothing_and_grades_whatever_is_handed_in() {
    let app = TestApp::start().await.deciding(hourly(1, 1));
    let school = School::open(&app).await;
    by_ai(&app, &school).await;
    for n in 0..3 {
        school.hand_in(&app, &format!("Cool it, {n}.")).await;
        app.work().await;
    }
    assert_eq!(standing(&app).await, ["ready"; 3]);
}

#[actix_web::test]
async fn invented_learners_of_a_package_have_one_share_together_and_take_no_other() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, ai) = far_away(database, Weather::Fine).await;
        let app = app.deciding(hourly(5, 3));
        let package = Package::published(&app).await;
        by_ai(&app, &package.school).await;
        for n in 0..8 {
            let nobody = invented(&app, &package, n).await;
            hand_in(&app, &nobody, &package.school.assignment, &n.to_string()).await;
            app.work().await;
        }
        assert_eq!(ai.calls(), 3, "{database:?}");
        let place = format!("/v1/cohorts/{}/students", package.school.cohort);
        app.post(&place, json!({"user_id": package.school.student}))
            .await;
        let ada = crate::school::session(&app, crate::school::STUDENT).await;
        let known = hand_in(&app, &ada, &package.school.assignment, "Ada").await;
        app.work().await;
        let id = known["id"].as_str().unwrap();
        assert_eq!(read(&app, id).await["ai_status"], "ready");
    }
}

async fn ask_tutor(app: &TestApp, who: &Caller, lesson: &str) -> Answer {
    let path = format!("/v1/lessons/{lesson}/tutor");
    let message = Some(json!({"message": "How cold?"}));
    app.call(who, "POST", &path, message).await
}

#[actix_web::test]
async fn invented_learners_of_a_package_leave_the_rate_of_learners_and_staff_alone() {
    let (app, _) = far_away(Database::Sqlite, Weather::Fine).await;
    let clock = FakeRelativeClock::default();
    let mut held = limits(&clock);
    held.ai_per_package = few(4);
    held.ai_per_learners = few(5);
    held.ai_per_workspace = few(6);
    let app = app.limited(held);
    let package = Package::published(&app).await;
    let lesson = package.school.lesson.clone();
    let mut answered = 0;
    for n in 0..39 {
        let nobody = invented(&app, &package, n).await;
        let told = ask_tutor(&app, &nobody, &lesson).await;
        if told.status == 200 {
            answered += 1;
        } else {
            assert_refused(&told, 429, "ai_rate_limited", "");
        }
    }
    assert_eq!(answered, 4);
    let place = format!("/v1/cohorts/{}/students", package.school.cohort);
    app.post(&place, json!({"user_id": package.school.student}))
        .await;
    let ada = crate::school::session(&app, crate::school::STUDENT).await;
    for who in [&ada, &app.owner] {
        let told = ask_tutor(&app, who, &lesson).await;
        assert_eq!(told.status, 200, "{}", told.body);
    }
    let told = ask_tutor(&app, &ada, &lesson).await;
    let left = told.header("ratelimit").unwrap();
    assert!(left.contains("\"ai-learners\";r=3"), "{left}");
}

#[actix_web::test]
async fn a_package_has_a_part_of_the_month_and_learners_leave_staff_theirs() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, ai) = far_away(database, Weather::Fine).await;
        let package = Package::published(&app).await;
        by_ai(&app, &package.school).await;
        // What a call may take is guessed before it is made, so a share holds a little less.
        let month = TOKENS * 20;
        decide(&app, json!({"monthly_budget": {"tokens": month}})).await;
        for n in 0..8 {
            let nobody = invented(&app, &package, n).await;
            hand_in(&app, &nobody, &package.school.assignment, &n.to_string()).await;
            app.work().await;
        }
        let by_strangers = ai.calls();
        assert!((1..=4).contains(&by_strangers), "{by_strangers}");
        let stand = standing(&app).await;
        assert_eq!(stand.last().unwrap(), "ai_budget_exceeded");
        let last = list(&app, "submissions?limit=1").await;
        let message = last[0]["ai_error"]["message"].as_str().unwrap();
        assert!(
            message.contains("package's share") || message.contains("left"),
            "{message}"
        );
        // Staff pay from the whole month.
        let id = last[0]["id"].as_str().unwrap();
        app.post(&format!("/v1/submissions/{id}/ai"), json!({}))
            .await;
        app.work().await;
        assert_eq!(read(&app, id).await["ai_status"], "ready");
        // The tutor, who answers while a caller waits, says so at the door.
        let nobody = invented(&app, &package, 99).await;
        let told = ask_tutor(&app, &nobody, &package.school.lesson).await;
        assert!(matches!(told.status, 409 | 502), "{}", told.body);
        assert_eq!(ai.calls(), by_strangers + 1);
    }
}

#[actix_web::test]
async fn a_workspace_that_decided_nothing_has_the_budget_that_the_service_decided() {
    let (app, ai) = far_away(Database::Sqlite, Weather::Fine).await;
    let usual = MonthlyBudget {
        tokens: Some(TOKENS - 1),
        cost: None,
    };
    let app = app.deciding(Spending {
        budget: usual,
        ..Spending::default()
    });
    let school = School::open(&app).await;
    let id = school.hand_in(&app, "Keep it cold.").await;
    let path = format!("/v1/submissions/{id}/ai");
    app.post(&path, json!({})).await;
    app.work().await;
    assert_eq!(
        read(&app, &id).await["ai_error"]["code"],
        "ai_budget_exceeded"
    );
    assert_eq!(ai.calls(), 0);
    let workspace = list(&app, "workspaces").await[0].clone();
    assert_eq!(workspace["ai"]["monthly_budget"]["tokens"], Value::Null);
    let holds = json!({"tokens": TOKENS - 1, "usd": null});
    assert_eq!(workspace["quotas"]["ai_monthly_budget"], holds);
    // What it decides itself holds instead, whichever part.
    decide(&app, json!({"monthly_budget": {"usd": 5}})).await;
    app.post(&path, json!({})).await;
    app.work().await;
    assert_eq!(read(&app, &id).await["ai_status"], "ready");
}
