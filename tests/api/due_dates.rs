//! What coming late costs, who has more time, and that nobody is worse off by what was changed after they handed in.

use futures_util::future::join_all;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, done, events, list, made};

const DAY: i64 = 86_400;
const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];

/// The moment that is so many seconds away, as it is written.
fn moment(app: &TestApp, seconds: i64) -> String {
    let now = app.app.clock.now().unix_millis();
    lyceum_domain::Timestamp::from_unix_millis(now + seconds * 1_000).to_string()
}

async fn set(app: &TestApp, path: &str, body: Value) -> Value {
    let changed = app.patch(path, body).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    changed.body
}

/// A school whose assignment was due so many seconds ago, with ten percent off for each day down to forty.
async fn school(database: Database, due_ago: i64) -> (TestApp, School) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let policy = json!({"percent_per_day": 10, "floor_percent": 40, "grace_minutes": 15});
    let due = json!({"due_at": moment(&app, -due_ago), "late_policy": policy});
    set(&app, &assignment(&school), due).await;
    (app, school)
}

fn assignment(school: &School) -> String {
    format!("/v1/assignments/{}", school.assignment)
}

/// Gives whom `target` names another due date, so many seconds from now.
async fn later(app: &TestApp, school: &School, target: (&str, &str), seconds: i64) -> String {
    let (name, id) = target;
    let other = json!({name: id, "due_at": moment(app, seconds)});
    made(
        app,
        &app.owner,
        &format!("assignments/{}/overrides", school.assignment),
        other,
    )
    .await
}

async fn grade(app: &TestApp, id: &str, score: u32) -> Value {
    let graded = app
        .post(
            &format!("/v1/submissions/{id}/grade"),
            json!({"score": score}),
        )
        .await;
    assert_eq!(graded.status, 200, "{}", graded.body);
    graded.body
}

async fn read(app: &TestApp, id: &str) -> Value {
    app.get(&format!("/v1/submissions/{id}")).await.body
}

/// What counts of a submission, what it earned, what was taken off, and whether it is late.
fn counts(submission: &Value) -> Value {
    let members = ["score", "earned_score", "late_deduction", "late"];
    members
        .iter()
        .map(|name| submission[name].clone())
        .collect()
}

async fn hand_in(app: &TestApp, caller: &Caller, school: &School, cohort: Option<&str>) -> Answer {
    let mut body = json!({
        "assignment_id": school.assignment, "content": {"type": "text", "text": "Cool it."}, "draft": false,
    });
    if let Some(cohort) = cohort {
        body["cohort_id"] = json!(cohort);
    }
    app.call(caller, "POST", "/v1/submissions", Some(body))
        .await
}

#[actix_web::test]
async fn each_day_late_takes_its_share_down_to_the_floor_and_both_figures_are_shown() {
    for database in BOTH {
        let (app, school) = school(database, DAY + 3_600).await;
        let id = school.hand_in(&app, "Cool it.").await;
        assert_eq!(
            counts(&read(&app, &id).await),
            json!([null, null, null, true])
        );
        assert_eq!(
            counts(&grade(&app, &id, 80).await),
            json!([60, 80, 20, true])
        );
        // What a person gives is what the work earned: giving it again takes nothing off twice.
        assert_eq!(
            counts(&grade(&app, &id, 80).await),
            json!([60, 80, 20, true])
        );
        assert_eq!(
            counts(&grade(&app, &id, 50).await),
            json!([40, 50, 10, true])
        );
        assert_eq!(
            counts(&grade(&app, &id, 30).await),
            json!([30, 30, 0, true])
        );
        let told = &events(&app, "submission.reviewed").await[0]["data"]["object"];
        assert_eq!(counts(told), json!([30, 30, 0, true]));
        let history = list(&app, &format!("submissions/{id}/grades?verify=true")).await;
        assert_eq!(history[0]["score"], 30);
    }
}

#[actix_web::test]
async fn the_learner_sees_what_counts_and_what_was_taken_off() {
    let (app, school) = school(Database::Sqlite, 3_600).await;
    let student = school.student_session(&app).await;
    let seen = app.call(&student, "GET", &assignment(&school), None).await;
    let policy = json!({"percent_per_day": 10, "floor_percent": 40, "grace_minutes": 15});
    assert_eq!(seen.body["late_policy"], policy);
    let id = hand_in(&app, &student, &school, None).await.id();
    grade(&app, &id, 80).await;
    let path = format!("/v1/submissions/{id}");
    let shown = app.call(&student, "GET", &path, None).await.body;
    assert_eq!(counts(&shown), json!([70, 80, 10, true]));
    assert_eq!(shown["due_at"], seen.body["due_at"]);
}

#[actix_web::test]
async fn within_the_grace_period_it_is_late_and_costs_nothing() {
    let (app, school) = school(Database::Sqlite, 10 * 60).await;
    let id = school.hand_in(&app, "Cool it.").await;
    assert_eq!(
        counts(&grade(&app, &id, 80).await),
        json!([80, 80, 0, true])
    );
}

#[actix_web::test]
async fn more_time_for_a_learner_reaches_what_was_graded_and_is_told() {
    for database in BOTH {
        let (app, school) = school(database, 2 * DAY - 3_600).await;
        let id = school.hand_in(&app, "Cool it.").await;
        assert_eq!(
            counts(&grade(&app, &id, 80).await),
            json!([60, 80, 20, true])
        );
        let before = app.get(&format!("/v1/submissions/{id}")).await;
        let other = later(&app, &school, ("user_id", &school.student), -DAY + 7_200).await;
        app.work().await;
        assert_eq!(counts(&read(&app, &id).await), json!([70, 80, 10, true]));
        set(
            &app,
            &format!("/v1/overrides/{other}"),
            json!({"due_at": null}),
        )
        .await;
        app.work().await;
        let after = app.get(&format!("/v1/submissions/{id}")).await;
        assert_eq!(counts(&after.body), json!([80, 80, 0, false]));
        assert_eq!(after.body["due_at"], Value::Null);
        assert_ne!(before.header("etag"), after.header("etag"));
        let told = events(&app, "submission.updated").await;
        assert_eq!(told.len(), 2);
        assert_eq!(
            counts(&told[0]["data"]["object"]),
            json!([80, 80, 0, false])
        );
        let trail = list(&app, &format!("audit?subject_id={id}&action=grade.changed")).await;
        let (old, new) = (&trail[0]["old"], &trail[0]["new"]);
        assert_eq!(
            (&old["late_deduction"], &new["late_deduction"]),
            (&json!(10), &Value::Null),
            "{}",
            trail[0]
        );
        // Done twice, it changes nothing more.
        app.clock.advance(90);
        app.work().await;
        assert_eq!(events(&app, "submission.updated").await.len(), 2);
        let verified = app
            .get(&format!("/v1/submissions/{id}/grades?verify=true"))
            .await;
        assert_eq!(verified.body["verification"]["holds"], true);
    }
}

#[actix_web::test]
async fn nobody_is_late_by_a_date_or_a_policy_that_came_after_they_handed_in() {
    let (app, school) = school(Database::Sqlite, -DAY).await;
    let id = school.hand_in(&app, "Cool it.").await;
    let worse = json!({"due_at": moment(&app, -30 * DAY), "late_policy": {"percent_per_day": 50}});
    set(&app, &assignment(&school), worse).await;
    later(&app, &school, ("user_id", &school.student), -20 * DAY).await;
    app.work().await;
    assert_eq!(
        counts(&grade(&app, &id, 80).await),
        json!([80, 80, 0, false])
    );
    assert!(events(&app, "submission.updated").await.is_empty());
}

#[actix_web::test]
async fn a_policy_that_becomes_milder_reaches_what_came_late() {
    let (app, school) = school(Database::Sqlite, DAY + 3_600).await;
    let id = school.hand_in(&app, "Cool it.").await;
    grade(&app, &id, 80).await;
    set(
        &app,
        &assignment(&school),
        json!({"late_policy": {"percent_per_day": 5}}),
    )
    .await;
    app.work().await;
    assert_eq!(counts(&read(&app, &id).await), json!([70, 80, 10, true]));
    set(&app, &assignment(&school), json!({"late_policy": null})).await;
    app.work().await;
    assert_eq!(counts(&read(&app, &id).await), json!([80, 80, 0, true]));
}

#[actix_web::test]
async fn a_date_for_the_next_cohort_leaves_the_grades_of_those_whose_time_is_over() {
    for database in BOTH {
        let (app, school) = school(database, DAY + 3_600).await;
        let student = school.student_session(&app).await;
        let handed_in = hand_in(&app, &student, &school, Some(&school.cohort)).await;
        let id = handed_in.id();
        grade(&app, &id, 80).await;
        done(&app, &format!("cohorts/{}/end", school.cohort)).await;
        let next = json!({"due_at": moment(&app, 90 * DAY)});
        set(&app, &assignment(&school), next).await;
        app.work().await;
        let stands = json!([60, 80, 20, true]);
        assert_eq!(counts(&read(&app, &id).await), stands);
        // What is said for one of them still reaches them.
        let other = json!({"user_id": school.student});
        let place = format!("assignments/{}/overrides", school.assignment);
        made(&app, &app.owner, &place, other).await;
        app.work().await;
        assert_eq!(counts(&read(&app, &id).await), json!([80, 80, 0, false]));
    }
}

#[actix_web::test]
async fn a_date_of_a_cohort_is_for_those_who_are_in_it() {
    for database in BOTH {
        let (app, school) = school(database, 3_600).await;
        let student = school.student_session(&app).await;
        let elsewhere = json!({"course_id": school.course, "name": "Autumn"});
        let elsewhere = made(&app, &app.owner, "cohorts", elsewhere).await;
        later(&app, &school, ("cohort_id", &elsewhere), 10 * DAY).await;
        // Naming a cohort that one is not in gives nobody its date.
        let tried = hand_in(&app, &student, &school, Some(&elsewhere)).await;
        assert_eq!(tried.body["late"], true, "{}", tried.body);
        later(&app, &school, ("cohort_id", &school.cohort), DAY).await;
        let due = moment(&app, DAY);
        let seen = app.call(&student, "GET", &assignment(&school), None).await;
        assert_eq!(seen.body["due_at"], due);
        let listed = app.call(&student, "GET", "/v1/assignments", None).await;
        assert_eq!(listed.body["data"][0]["due_at"], due);
        for cohort in [None, Some(school.cohort.as_str())] {
            let in_time = hand_in(&app, &student, &school, cohort).await.body;
            assert_eq!(
                (&in_time["late"], &in_time["due_at"]),
                (&json!(false), &json!(due))
            );
        }
        // Teachers see that of the assignment.
        let own = app.get(&assignment(&school)).await.body;
        assert_ne!(own["due_at"], due);
    }
}

#[actix_web::test]
async fn a_learner_neither_reads_nor_makes_other_due_dates() {
    let (app, school) = school(Database::Sqlite, 3_600).await;
    let student = school.student_session(&app).await;
    let other = later(&app, &school, ("user_id", &school.student), DAY).await;
    let list = format!("{}/overrides", assignment(&school));
    let one = format!("/v1/overrides/{other}");
    let own = json!({"user_id": school.student, "due_at": null});
    for (method, path, body) in [
        ("GET", &list, None),
        ("POST", &list, Some(own.clone())),
        ("GET", &one, None),
        ("PATCH", &one, Some(json!({"due_at": null}))),
        ("DELETE", &one, None),
    ] {
        let refused = app.call(&student, method, path, body).await;
        assert_eq!(refused.status, 403, "{method} {path} {}", refused.body);
    }
}

#[actix_web::test]
async fn other_due_dates_are_checked_field_by_field() {
    let (app, school) = school(Database::Sqlite, 3_600).await;
    let place = format!("{}/overrides", assignment(&school));
    let (user, cohort) = (school.student.as_str(), school.cohort.as_str());
    let ask = async |body: Value| app.post(&place, body).await;
    let neither = ask(json!({"due_at": null})).await;
    assert_refused(&neither, 400, "missing_field", "cohort_id");
    let both = ask(json!({"cohort_id": cohort, "user_id": user, "due_at": null})).await;
    assert_refused(&both, 400, "invalid_field", "user_id");
    let odd = ask(json!({"user_id": user, "due_at": "tomorrow"})).await;
    assert_refused(&odd, 400, "invalid_field", "due_at");
    let course = made(
        &app,
        &app.owner,
        "courses",
        json!({"name": "B", "language": "en"}),
    )
    .await;
    let foreign = json!({"course_id": course, "name": "C"});
    let foreign = made(&app, &app.owner, "cohorts", foreign).await;
    let of_another_course = ask(json!({"cohort_id": foreign, "due_at": null})).await;
    assert_refused(&of_another_course, 404, "resource_missing", "cohort_id");
    assert_eq!(
        ask(json!({"user_id": user, "due_at": null})).await.status,
        201
    );
    let again = ask(json!({"user_id": user, "due_at": null})).await;
    assert_eq!(again.status, 409, "{}", again.body);
    for (policy, field) in [
        (json!({"percent_per_day": 0}), "late_policy.percent_per_day"),
        (
            json!({"percent_per_day": 10, "floor_percent": 101}),
            "late_policy.floor_percent",
        ),
        (
            json!({"percent_per_day": 10, "grace_minutes": 20_000}),
            "late_policy.grace_minutes",
        ),
    ] {
        let refused = app
            .patch(&assignment(&school), json!({"late_policy": policy}))
            .await;
        assert_refused(&refused, 400, "invalid_field", field);
    }
    let unsaid = json!({"late_policy": {}});
    let unsaid = app.patch(&assignment(&school), unsaid).await;
    let field = "late_policy.percent_per_day";
    assert_refused(&unsaid, 400, "missing_field", field);
}

#[actix_web::test]
async fn other_due_dates_go_and_come_back_with_what_they_are_of() {
    for database in BOTH {
        let (app, school) = school(database, 3_600).await;
        let of_user = later(&app, &school, ("user_id", &school.student), DAY).await;
        let of_cohort = later(&app, &school, ("cohort_id", &school.cohort), DAY).await;
        for (thing, going) in [
            (
                format!("assignments/{}", school.assignment),
                vec![&of_user, &of_cohort],
            ),
            (format!("cohorts/{}", school.cohort), vec![&of_cohort]),
            (format!("users/{}", school.student), vec![&of_user]),
        ] {
            let gone = app.delete(&format!("/v1/{thing}?force=true")).await;
            assert_eq!(gone.status, 200, "{}", gone.body);
            for one in &going {
                assert_eq!(app.get(&format!("/v1/overrides/{one}")).await.status, 404);
            }
            let (_, id) = thing.split_once('/').unwrap();
            let item = &list(&app, &format!("trash?object_id={id}")).await[0]["id"];
            done(&app, &format!("trash/{}/restore", item.as_str().unwrap())).await;
            for one in &going {
                assert_eq!(app.get(&format!("/v1/overrides/{one}")).await.status, 200);
            }
        }
        let gone = app.delete(&format!("/v1/overrides/{of_user}")).await;
        assert_eq!(gone.status, 200, "{}", gone.body);
        let trail = list(&app, &format!("audit?subject_id={}", school.assignment)).await;
        assert_eq!(trail[0]["old"]["user_id"], school.student.as_str());
    }
}

#[actix_web::test]
async fn a_copy_of_a_course_has_the_policy_and_nobodys_dates() {
    let (app, school) = school(Database::Sqlite, 3_600).await;
    later(&app, &school, ("user_id", &school.student), DAY).await;
    let copy = app
        .post(&format!("/v1/courses/{}/clone", school.course), json!({}))
        .await;
    assert_eq!(copy.status, 201, "{}", copy.body);
    let copied = list(&app, &format!("assignments?course_id={}", copy.id())).await;
    assert_eq!(copied[0]["due_at"], Value::Null);
    assert_eq!(copied[0]["late_policy"]["percent_per_day"], 10);
    let id = copied[0]["id"].as_str().unwrap();
    assert!(
        list(&app, &format!("assignments/{id}/overrides"))
            .await
            .is_empty()
    );
}

#[actix_web::test]
async fn whoever_hands_in_while_a_cohort_gets_more_time_has_it_too() {
    let (app, school) = school(Database::Postgres, 3_600).await;
    let mut students = Vec::new();
    for n in 0..40 {
        let email = json!({"email": format!("s{n}@school.example")});
        let place = format!("/v1/cohorts/{}/students", school.cohort);
        let enrolled = app.post(&place, email).await;
        students.push(enrolled.body["user_id"].as_str().unwrap().to_owned());
    }
    let hand_in = async |student: &String| {
        let body = json!({
            "assignment_id": school.assignment, "user_id": student, "cohort_id": school.cohort,
            "content": {"type": "text", "text": "Cool it."}, "draft": false,
        });
        app.post("/v1/submissions", body).await.status
    };
    let all = join_all(students.iter().map(hand_in));
    let (handed_in, _) = futures_util::join!(
        all,
        later(&app, &school, ("cohort_id", &school.cohort), DAY)
    );
    assert_eq!(handed_in, [201; 40]);
    app.work().await;
    app.clock.advance(90);
    app.work().await;
    let path = format!("submissions?assignment_id={}&limit=100", school.assignment);
    let late = list(&app, &path)
        .await
        .into_iter()
        .filter(|one| one["late"] == true);
    assert_eq!(late.count(), 0);
}
