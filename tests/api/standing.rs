//! Who of a cohort falls behind, by which rules, and for whom.

use rstest::rstest;
use serde_json::{Value, json};
use support::app::TestApp;
use support::stores::Database;

use crate::school::{STUDENT, School, app_on, assert_refused, done, made, session};

const DAY: i64 = 86_400;

/// A cohort of forty days that has begun two hours ago, with Ada, who has handed in, and Bob, who has not. What is due was due an hour ago.
async fn class(app: &TestApp) -> (School, String) {
    let school = School::open(app).await;
    let cohort = format!("/v1/cohorts/{}", school.cohort);
    let dates = json!({"starts_at": moment(app, 0), "ends_at": moment(app, 40 * DAY)});
    assert_eq!(app.patch(&cohort, dates).await.status, 200);
    school.student_session(app).await;
    let bob = json!({"email": "bob@school.example", "name": "Bob"});
    let enrolled = app.post(&format!("{cohort}/students"), bob).await;
    assert_eq!(enrolled.status, 201, "{}", enrolled.body);
    school.hand_in(app, "Cool it fast.").await;
    let assignment = format!("/v1/assignments/{}", school.assignment);
    let due = json!({"due_at": moment(app, 3_600)});
    assert_eq!(app.patch(&assignment, due).await.status, 200);
    app.clock.advance(7_200);
    let bob = enrolled.body["user_id"].as_str().unwrap().to_owned();
    (school, bob)
}

fn moment(app: &TestApp, seconds: i64) -> String {
    let now = app.app.clock.now().unix_millis();
    lyceum_domain::Timestamp::from_unix_millis(now + seconds * 1_000).to_string()
}

async fn standing(app: &TestApp, school: &School, query: &str) -> Value {
    let path = format!("/v1/cohorts/{}/standing?sort=name{query}", school.cohort);
    let answer = app.get(&path).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

/// The signs of Ada and of Bob.
async fn signs(app: &TestApp, school: &School, query: &str) -> [Value; 2] {
    let found = standing(app, school, query).await;
    assert_eq!(found["data"].as_array().map(Vec::len), Some(2), "{found}");
    [0, 1].map(|n| found["data"][n]["signs"].clone())
}

fn sign(rule: &str, value: u16, limit: u16) -> Value {
    json!({"rule": rule, "value": value, "limit": limit})
}

#[rstest]
#[actix_web::test]
async fn whoever_has_not_handed_in_what_was_due_falls_behind_and_the_others_do_not(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let (school, bob) = class(&app).await;
    let found = standing(&app, &school, "").await;
    assert_eq!(
        found["rules"],
        json!({"overdue": 1, "inactive_days": 7, "low_total": 50, "pace": 25})
    );
    assert_eq!(found["expected_percent"], 0);
    let (ada, row) = (&found["data"][0], &found["data"][1]);
    assert_eq!((&ada["name"], &ada["signs"]), (&json!("Ada"), &json!([])));
    assert_ne!(ada["last_activity_at"], Value::Null);
    assert_eq!(row["object"], "standing");
    assert_eq!(
        (&row["user_id"], &row["name"]),
        (&json!(bob), &json!("Bob"))
    );
    assert_eq!(row["signs"], json!([sign("overdue", 1, 1)]));
    assert_eq!(
        (&row["overdue"], &row["overdue_items"]),
        (&json!(1), &json!([school.assignment]))
    );
    assert_eq!(row["last_activity_at"], Value::Null);
    assert_eq!(row["total"], Value::Null);
    // Who has more time is not late.
    let more = json!({"user_id": bob, "due_at": moment(&app, 3_600)});
    let place = format!("assignments/{}/overrides", school.assignment);
    made(&app, &app.owner, &place, more).await;
    assert_eq!(signs(&app, &school, "").await, [json!([]), json!([])]);
}

#[actix_web::test]
async fn nobody_is_held_against_what_was_before_they_came() {
    let app = TestApp::start().await;
    let (school, _) = class(&app).await;
    app.clock.advance(20 * DAY);
    let path = format!("/v1/cohorts/{}/students", school.cohort);
    let zoe = json!({"email": "zoe@school.example", "name": "Zoe"});
    assert_eq!(app.post(&path, zoe).await.status, 201);
    let found = standing(&app, &school, "").await;
    assert_eq!(found["expected_percent"], 50);
    let row = &found["data"][2];
    assert_eq!(
        (&row["name"], &row["overdue"], &row["signs"]),
        (&json!("Zoe"), &json!(0), &json!([]))
    );
    assert_eq!(found["data"][1]["signs"].as_array().map(Vec::len), Some(3));
}

#[rstest]
#[actix_web::test]
async fn who_stays_away_is_slow_or_has_low_grades_falls_behind_by_the_rules_that_are_asked_for(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let (school, _) = class(&app).await;
    app.clock.advance(12 * DAY);
    let away = sign("inactive", 12, 7);
    let slow = sign("pace", 30, 25);
    let overdue = sign("overdue", 1, 1);
    let both = [json!([away, slow]), json!([overdue, away, slow])];
    assert_eq!(signs(&app, &school, "").await, both);
    // Ada does her lesson, which is all there are.
    let lesson = format!("/v1/lessons/{}/complete", school.lesson);
    let answer = app.post(&lesson, json!({"user_id": school.student})).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let bobs = json!([overdue, away, slow]);
    assert_eq!(signs(&app, &school, "").await, [json!([]), bobs]);
    let milder = "&inactive_days=13&pace=31&overdue=2";
    assert_eq!(signs(&app, &school, milder).await, [json!([]), json!([])]);
    // A grade alone is no trend; two are.
    for (n, score) in [(1, 30), (2, 40)] {
        let unit = json!({"unit_id": school.unit, "name": format!("Essay {n}"), "max_score": 100});
        let assignment = made(&app, &app.owner, "assignments", unit).await;
        let body = json!({
            "assignment_id": assignment, "user_id": school.student, "draft": false,
            "content": {"type": "text", "text": "Cool it fast."},
        });
        let submission = made(&app, &app.owner, "submissions", body).await;
        let grade = format!("/v1/submissions/{submission}/grade");
        assert_eq!(app.post(&grade, json!({"score": score})).await.status, 200);
        let low = sign("low_total", 35, 50);
        let expected = if n == 1 { json!([]) } else { json!([low]) };
        assert_eq!(signs(&app, &school, "").await[0], expected, "{n}");
    }
    assert_eq!(signs(&app, &school, "&low_total=35").await[0], json!([]));
    // Nobody falls behind in what is over.
    done(&app, &format!("cohorts/{}/end", school.cohort)).await;
    let found = standing(&app, &school, "").await;
    assert_eq!(found["expected_percent"], Value::Null);
    assert_eq!(signs(&app, &school, "").await, [json!([]), json!([])]);
}

#[actix_web::test]
async fn a_rule_that_is_none_is_refused_and_so_is_another_workspaces_cohort() {
    let app = TestApp::start().await;
    let (school, _) = class(&app).await;
    let path = format!("/v1/cohorts/{}/standing", school.cohort);
    for (name, wrong) in [
        ("overdue", "0"),
        ("overdue", "101"),
        ("inactive_days", "366"),
        ("low_total", "half"),
        ("pace", "-1"),
    ] {
        let refused = app.get(&format!("{path}?{name}={wrong}")).await;
        assert_refused(&refused, 400, "invalid_parameter", name);
    }
    let stranger = app.another_workspace("other").await;
    let refused = app.call(&stranger, "GET", &path, None).await;
    assert_refused(&refused, 404, "resource_missing", "");
    // Students do not see who of them falls behind.
    let student = session(&app, STUDENT).await;
    let refused = app.call(&student, "GET", &path, None).await;
    assert_eq!(refused.status, 403, "{}", refused.body);
}
