//! Quizzes that ask some of their questions only, and that may be tried so many times.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use rstest::rstest;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, caller, made, session};
use crate::scorm_sessions::Package;

/// Twenty questions whose answer is true, with these members beside them.
fn pool(mut with: Value) -> Value {
    let question = |n: usize| json!({"id": format!("q{n}"), "type": "true_false", "prompt": format!("{n}?"), "answer": true});
    with["questions"] = (1..=20).map(question).collect();
    with
}

/// Where the school's activity is, once it has this content.
async fn written(app: &TestApp, school: &School, content: Value) -> String {
    let path = format!("/v1/activities/{}", school.activity);
    let changed = app.patch(&path, json!({"content": content})).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    path
}

/// The ids of the questions that somebody is shown.
fn ids(activity: &Value) -> Vec<String> {
    let questions = activity["content"]["questions"].as_array().unwrap();
    let id = |one: &Value| one["id"].as_str().unwrap().to_owned();
    questions.iter().map(id).collect()
}

async fn shown(app: &TestApp, who: &Caller, path: &str) -> Vec<String> {
    ids(&app.call(who, "GET", path, None).await.body)
}

/// All of these answered right.
fn right(ids: &[String]) -> Value {
    ids.iter()
        .map(|id| (id.clone(), json!(true)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

async fn sent(app: &TestApp, who: &Caller, path: &str, body: Value) -> Answer {
    app.call(who, "POST", &format!("{path}/attempts"), Some(body))
        .await
}

#[rstest]
#[actix_web::test]
async fn a_learner_is_shown_and_asked_what_was_drawn_for_their_next_attempt(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let path = written(&app, &school, pool(json!({"questions_per_attempt": 3}))).await;
    let learner = school.student_session(&app).await;
    let first = shown(&app, &learner, &path).await;
    assert_eq!(first.len(), 3);
    assert_eq!(shown(&app, &learner, &path).await, first);
    // However they are read.
    let lesson = format!("/v1/lessons/{}?expand=activities", school.lesson);
    let lesson = app.call(&learner, "GET", &lesson, None).await.body;
    assert_eq!(ids(&lesson["activities"][0]), first);
    let list = app
        .call(
            &learner,
            "GET",
            &format!("/v1/activities?lesson_id={}", school.lesson),
            None,
        )
        .await
        .body;
    assert_eq!(ids(&list["data"][0]), first);
    // Whoever wrote the quiz reads all of it.
    assert_eq!(shown(&app, &app.owner, &path).await.len(), 20);

    let other = (1..=20)
        .map(|n| format!("q{n}"))
        .find(|id| !first.contains(id))
        .unwrap();
    let strange = sent(
        &app,
        &learner,
        &path,
        json!({"answers": {other.clone(): true}}),
    )
    .await;
    assert_refused(&strange, 400, "invalid_field", &format!("answers.{other}"));

    let made = sent(&app, &learner, &path, json!({"answers": right(&first)})).await;
    assert_eq!(made.status, 201, "{}", made.body);
    assert_eq!(
        (
            &made.body["score"],
            &made.body["max_score"],
            &made.body["percent"]
        ),
        (&json!(3), &json!(3), &json!(100))
    );
    let results = made.body["results"].as_array().unwrap();
    assert_eq!(
        results
            .iter()
            .map(|one| one["question_id"].as_str().unwrap())
            .collect::<Vec<_>>(),
        first
    );

    let mut seen = BTreeSet::from([first]);
    for _ in 0..4 {
        let next = shown(&app, &learner, &path).await;
        let made = sent(&app, &learner, &path, json!({"answers": right(&next)})).await;
        assert_eq!(made.body["percent"], 100, "{}", made.body);
        seen.insert(next);
    }
    assert!(seen.len() > 3, "{seen:?}");
}

#[actix_web::test]
async fn learners_are_asked_different_questions_and_do_not_choose_them() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = written(&app, &school, pool(json!({"questions_per_attempt": 3}))).await;
    let ada = school.student_session(&app).await;
    let bo = json!({"email": "bo@school.example", "name": "Bo"});
    let user = made(&app, &app.owner, "users", bo).await;
    let enrolled = app
        .post(
            &format!("/v1/cohorts/{}/students", school.cohort),
            json!({"user_id": user}),
        )
        .await;
    assert_eq!(enrolled.status, 201, "{}", enrolled.body);
    let bo = session(&app, "bo@school.example").await;
    assert_ne!(
        shown(&app, &ada, &path).await,
        shown(&app, &bo, &path).await
    );

    let chosen = json!({"answers": {"q1": true}, "asked": ["q1", "q2", "q3"]});
    assert_refused(
        &sent(&app, &ada, &path, chosen.clone()).await,
        400,
        "invalid_field",
        "asked",
    );
    // Whoever may read the whole quiz may say what was asked, as many as are asked.
    let mut by_staff = chosen;
    by_staff["user_id"] = json!(school.student);
    let told = sent(&app, &app.owner, &path, by_staff.clone()).await;
    assert_eq!(
        (told.status, &told.body["max_score"]),
        (201, &json!(3)),
        "{}",
        told.body
    );
    for wrong in [
        json!(["q1"]),
        json!(["q1", "q1", "q2"]),
        json!(["q1", "q2", "q99"]),
        json!(["q1", "q2", "q3", "q4"]),
    ] {
        by_staff["asked"] = wrong;
        assert_refused(
            &sent(&app, &app.owner, &path, by_staff.clone()).await,
            400,
            "invalid_field",
            "asked",
        );
    }
}

#[actix_web::test]
async fn a_package_says_what_it_asked() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let path = written(
        &app,
        &package.school,
        pool(json!({"questions_per_attempt": 2})),
    )
    .await;
    let started = package.let_in(&app, "jdoe", "1").await;
    let learner = caller(&started["api_key"]);
    let body = json!({"answers": {"q7": true, "q9": false}, "asked": ["q7", "q9"]});
    // It draws as the quiz was when it was made: whatever the quiz says now, what somebody did there counts as it was.
    for now in [
        json!({"questions_per_attempt": 2}),
        json!({"questions_per_attempt": 5}),
        json!({}),
    ] {
        written(&app, &package.school, pool(now)).await;
        let made = sent(&app, &learner, &path, body.clone()).await;
        assert_eq!(
            (made.status, &made.body["percent"]),
            (201, &json!(50)),
            "{}",
            made.body
        );
    }
    // One from before the quiz drew asks everything, and says nothing of it.
    written(
        &app,
        &package.school,
        pool(json!({"questions_per_attempt": 2})),
    )
    .await;
    let all: Vec<String> = (1..=20).map(|n| format!("q{n}")).collect();
    let made = sent(&app, &learner, &path, json!({"answers": right(&all)})).await;
    assert_eq!(
        (made.status, &made.body["max_score"]),
        (201, &json!(20)),
        "{}",
        made.body
    );
    for wrong in [
        json!([]),
        json!(["q1", "q1"]),
        json!(["q99"]),
        json!(vec!["q20"; 10_000]),
    ] {
        let refused = sent(
            &app,
            &learner,
            &path,
            json!({"answers": {}, "asked": wrong}),
        )
        .await;
        assert_eq!(refused.status, 400, "{}", refused.body);
    }
}

#[rstest]
#[actix_web::test]
async fn no_more_attempts_are_taken_than_a_quiz_allows_however_many_come_at_once(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let path = written(&app, &school, pool(json!({"max_attempts": 3}))).await;
    let learner = school.student_session(&app).await;
    let body = json!({"answers": {"q1": true}});
    let all = (0..20).map(|_| sent(&app, &learner, &path, body.clone()));
    let answers = join_all(all).await;
    let mut numbers: Vec<&Value> = answers
        .iter()
        .filter(|one| one.status == 201)
        .map(|one| &one.body["number"])
        .collect();
    numbers.sort_by_key(|number| number.as_u64());
    assert_eq!(numbers, [&json!(1), &json!(2), &json!(3)]);
    for refused in answers.iter().filter(|one| one.status != 201) {
        assert_refused(refused, 409, "limit_reached", "");
    }
    let kept = app.get(&format!("{path}/attempts")).await.body;
    assert_eq!(kept["data"].as_array().unwrap().len(), 3);

    // A limit that is raised lets them try again; one that is lowered takes nothing away.
    written(&app, &school, pool(json!({"max_attempts": 4}))).await;
    assert_eq!(sent(&app, &learner, &path, body.clone()).await.status, 201);
    written(&app, &school, pool(json!({"max_attempts": 1}))).await;
    assert_refused(
        &sent(&app, &learner, &path, body).await,
        409,
        "limit_reached",
        "",
    );
    let kept = app.get(&format!("{path}/attempts")).await.body;
    assert_eq!(kept["data"].as_array().unwrap().len(), 4);
}
