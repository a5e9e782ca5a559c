//! Cohorts that are updated by choice: what they see as it was, what is made for them, and having them updated.

use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, done, events, list, made, session};

mod learning;

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];
const TEXT: &str = "Chill it at once.";

/// A school whose cohort is under way and updated by choice, and who learns in it.
async fn by_choice(database: Database) -> (TestApp, School, Caller) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    let manual = json!({"updates": "manual"});
    let cohort = app.patch(&cohort_path(&school), manual).await;
    assert_eq!(cohort.body["updates"], "manual", "{}", cohort.body);
    let learner = school.student_session(&app).await;
    (app, school, learner)
}

fn cohort_path(school: &School) -> String {
    format!("/v1/cohorts/{}", school.cohort)
}

/// Each kind of thing by its path, with a change of it.
fn changes(school: &School) -> [(String, Value); 4] {
    [
        (
            format!("units/{}", school.unit),
            json!({"description": TEXT}),
        ),
        (
            format!("lessons/{}", school.lesson),
            json!({"content": TEXT, "objectives": ["Chill"]}),
        ),
        (
            format!("activities/{}", school.activity),
            json!({"name": TEXT}),
        ),
        (
            format!("assignments/{}", school.assignment),
            json!({"instructions": TEXT, "max_score": 50}),
        ),
    ]
}

async fn change_all(app: &TestApp, school: &School) {
    for (path, body) in changes(school) {
        let changed = app.patch(&format!("/v1/{path}"), body).await;
        assert_eq!(changed.status, 200, "{path} {}", changed.body);
    }
}

async fn seen_by(app: &TestApp, caller: &Caller, path: &str) -> Value {
    let found = app.call(caller, "GET", &format!("/v1/{path}"), None).await;
    assert_eq!(found.status, 200, "{path} {}", found.body);
    found.body
}

async fn update_of(app: &TestApp, school: &School) -> Value {
    seen_by(
        app,
        &app.owner,
        &format!("cohorts/{}/update", school.cohort),
    )
    .await
}

async fn take(app: &TestApp, school: &School, seen: Value) -> Answer {
    let path = format!("{}/update", cohort_path(school));
    app.post(&path, seen).await
}

/// The members of a body, as they stand in a thing.
fn has(thing: &Value, body: &Value) -> bool {
    let mut members = body.as_object().unwrap().iter();
    members.all(|(name, value)| thing[name] == *value)
}

/// Somebody in another cohort of the course, that gets what changes at once.
async fn somebody_else(app: &TestApp, school: &School) -> Caller {
    let other = json!({"course_id": school.course, "name": "Autumn"});
    let other = app.post("/v1/cohorts", other).await.id();
    done(app, &format!("cohorts/{other}/start")).await;
    let email = "bea@school.example";
    let student = json!({"email": email});
    let enrolled = app
        .post(&format!("/v1/cohorts/{other}/students"), student)
        .await;
    assert_eq!(enrolled.status, 201, "{}", enrolled.body);
    session(app, email).await
}

#[actix_web::test]
async fn a_cohort_sees_each_thing_as_it_was_until_it_is_updated() {
    for database in BOTH {
        let (app, school, learner) = by_choice(database).await;
        let other = somebody_else(&app, &school).await;
        let nothing = update_of(&app, &school).await;
        assert_eq!(nothing["changes"], json!([]));
        change_all(&app, &school).await;
        let named = format!("as_cohort={}", school.cohort);
        for (path, body) in changes(&school) {
            let collection = path.split('/').next().unwrap();
            assert!(has(&seen_by(&app, &app.owner, &path).await, &body));
            assert!(has(&seen_by(&app, &other, &path).await, &body), "{path}");
            for (caller, query) in [(&learner, ""), (&learner, &named), (&app.owner, &named)] {
                let one = seen_by(&app, caller, &format!("{path}?{query}")).await;
                assert!(!one.to_string().contains("Chill"), "{one}");
                let all = seen_by(&app, caller, &format!("{collection}?{query}")).await;
                assert!(!all.to_string().contains("Chill"), "{all}");
            }
        }
        let update = update_of(&app, &school).await;
        let told = update["changes"].as_array().unwrap();
        let told: Vec<Value> = told
            .iter()
            .map(|one| json!([one["object"], one["name"], one["fields"]]))
            .collect();
        let expected = json!([
            ["unit", "Cooling", ["description"]],
            ["lesson", "The danger zone", ["content", "objectives"]],
            ["activity", TEXT, ["name"]],
            ["assignment", "Plan", ["instructions", "max_score"]],
        ]);
        assert_eq!(json!(told), expected);
        assert_eq!(update["learners"], 1);
        let taken = take(&app, &school, json!({"revision": update["revision"]})).await;
        assert_eq!(taken.status, 200, "{}", taken.body);
        assert_eq!(taken.body["changes"], json!([]));
        for (path, body) in changes(&school) {
            assert!(has(&seen_by(&app, &learner, &path).await, &body), "{path}");
        }
        let again = take(&app, &school, json!({})).await;
        assert_refused(&again, 409, "invalid_state_transition", "");
        let told = events(&app, "cohort.content_updated").await;
        assert_eq!(told.len(), 1);
        assert_eq!(told[0]["data"]["object"]["id"], json!(school.cohort));
    }
}

#[actix_web::test]
async fn what_is_put_into_an_answer_is_as_the_cohort_sees_it() {
    let (app, school, learner) = by_choice(Database::Sqlite).await;
    change_all(&app, &school).await;
    let course = format!(
        "courses/{}?expand=units.lessons.activities.html,units.lessons.html",
        school.course
    );
    let now = seen_by(&app, &app.owner, &course).await.to_string();
    assert!(now.contains("Chill"), "{now}");
    let cohort = format!("{course}&as_cohort={}", school.cohort);
    let seen = seen_by(&app, &app.owner, &cohort).await.to_string();
    assert!(
        !seen.contains("Chill") && seen.contains("Keep it cold"),
        "{seen}"
    );
    for path in [
        format!("lessons/{}?expand=html,activities,unit", school.lesson),
        format!("units/{}?expand=lessons.activities", school.unit),
        format!("assignments/{}?expand=html,unit", school.assignment),
    ] {
        let seen = seen_by(&app, &learner, &path).await.to_string();
        assert!(!seen.contains("Chill"), "{path} {seen}");
    }
    let message = Some(json!({"message": "What do I do at once?"}));
    let path = format!("/v1/lessons/{}/tutor", school.lesson);
    let said = app.call(&learner, "POST", &path, message).await;
    assert!(!said.body.to_string().contains("Chill"), "{}", said.body);
}

#[actix_web::test]
async fn whoever_updates_updates_to_what_they_have_seen() {
    let (app, school, learner) = by_choice(Database::Sqlite).await;
    let lesson = format!("lessons/{}", school.lesson);
    let change = |text: &str| json!({"content": text});
    app.patch(&format!("/v1/{lesson}"), change("Two.")).await;
    let update = update_of(&app, &school).await;
    app.clock.advance(5);
    app.patch(
        &format!("/v1/units/{}", school.unit),
        json!({"name": "Ice"}),
    )
    .await;
    let seen = json!({"revision": update["revision"]});
    let refused = take(&app, &school, seen).await;
    assert_refused(&refused, 409, "changed_meanwhile", "revision");
    let still = seen_by(&app, &learner, &lesson).await;
    assert_eq!(still["content"], "Keep it cold.");
    // What comes back to what the cohort sees changes nothing for it.
    app.patch(&format!("/v1/{lesson}"), change("Keep it cold."))
        .await;
    let left = update_of(&app, &school).await;
    assert_eq!(left["changes"].as_array().unwrap().len(), 1, "{left}");
}

#[actix_web::test]
async fn changes_that_waited_are_pinned_when_they_go_live() {
    for database in BOTH {
        let (app, school, learner) = by_choice(database).await;
        let lesson = format!("lessons/{}", school.lesson);
        let waits = json!({"content": TEXT});
        app.patch(&format!("/v1/{lesson}?draft=true"), waits).await;
        let draft = format!("courses/{}/draft", school.course);
        let notices = seen_by(&app, &app.owner, &draft).await["notices"].clone();
        let by_choice = json!([{"code": "cohorts_by_choice", "count": 1, "learners": 1}]);
        assert_eq!(notices, by_choice);
        let published = app.post(&format!("/v1/{draft}/publish"), json!({})).await;
        assert_eq!(published.status, 200, "{}", published.body);
        assert_eq!(seen_by(&app, &app.owner, &lesson).await["content"], TEXT);
        let sees = seen_by(&app, &learner, &lesson).await;
        assert_eq!(sees["content"], "Keep it cold.");
        // A version that is put back is a change like any other.
        let versions = list(&app, &format!("{lesson}/versions")).await;
        let version = versions[0]["id"].as_str().unwrap();
        done(&app, &format!("versions/{version}/restore")).await;
        assert_eq!(update_of(&app, &school).await["changes"], json!([]));
    }
}

#[actix_web::test]
async fn nothing_is_pinned_before_a_cohort_starts_and_all_is_let_go_with_automatic_updates() {
    let app = app_on(Database::Sqlite).await;
    let school = School::open(&app).await;
    let path = cohort_path(&school);
    app.patch(&path, json!({"updates": "manual"})).await;
    change_all(&app, &school).await;
    assert_eq!(update_of(&app, &school).await["changes"], json!([]));
    let learner = school.student_session(&app).await;
    let lesson = format!("lessons/{}", school.lesson);
    assert_eq!(seen_by(&app, &learner, &lesson).await["content"], TEXT);
    app.patch(&format!("/v1/{lesson}"), json!({"content": "New."}))
        .await;
    assert_eq!(seen_by(&app, &learner, &lesson).await["content"], TEXT);
    let wrong = app.patch(&path, json!({"updates": "never"})).await;
    assert_refused(&wrong, 400, "invalid_field", "updates");
    let automatic = app.patch(&path, json!({"updates": null})).await;
    assert_eq!(automatic.body["updates"], "automatic");
    assert_eq!(seen_by(&app, &learner, &lesson).await["content"], "New.");
    assert_eq!(update_of(&app, &school).await["changes"], json!([]));
    assert_eq!(events(&app, "cohort.content_updated").await.len(), 1);
}

#[actix_web::test]
async fn only_who_is_in_a_cohort_reads_as_it_does() {
    let (app, school, learner) = by_choice(Database::Sqlite).await;
    let other = somebody_else(&app, &school).await;
    change_all(&app, &school).await;
    let lesson = format!("/v1/lessons/{}?as_cohort=", school.lesson);
    let theirs = format!("{lesson}{}", school.cohort);
    let refused = app.call(&other, "GET", &theirs, None).await;
    assert_refused(&refused, 400, "invalid_field", "as_cohort");
    for unknown in ["coh_01kazv9h8ye5x8q9c4t7m2n3p6", "x"] {
        let refused = app.get(&format!("{lesson}{unknown}")).await;
        assert_refused(&refused, 400, "invalid_field", "as_cohort");
    }
    let course = made(
        &app,
        &app.owner,
        "courses",
        json!({"name": "Other", "language": "en"}),
    )
    .await;
    let elsewhere = json!({"course_id": course, "name": "Elsewhere", "updates": "manual"});
    let elsewhere = made(&app, &app.owner, "cohorts", elsewhere).await;
    let sees = seen_by(
        &app,
        &app.owner,
        &format!("lessons/{}?as_cohort={elsewhere}", school.lesson),
    )
    .await;
    assert_eq!(
        sees["content"], TEXT,
        "a cohort of another course pins nothing of this"
    );
    let update = format!("{}/update", cohort_path(&school));
    assert_eq!(app.call(&learner, "GET", &update, None).await.status, 403);
    let taken = app.call(&learner, "POST", &update, Some(json!({}))).await;
    assert_eq!(taken.status, 403, "{}", taken.body);
}

#[actix_web::test]
async fn what_is_pinned_goes_to_the_trash_and_comes_back() {
    for database in BOTH {
        let (app, school, learner) = by_choice(database).await;
        change_all(&app, &school).await;
        for id in [&school.lesson, &school.cohort] {
            let collection = if *id == school.lesson {
                "lessons"
            } else {
                "cohorts"
            };
            let gone = app
                .delete(&format!("/v1/{collection}/{id}?force=true"))
                .await;
            assert_eq!(gone.status, 200, "{}", gone.body);
            let item = &list(&app, &format!("trash?object_id={id}")).await[0]["id"];
            done(&app, &format!("trash/{}/restore", item.as_str().unwrap())).await;
        }
        let sees = seen_by(&app, &learner, &format!("lessons/{}", school.lesson)).await;
        assert_eq!(sees["content"], "Keep it cold.");
        let changes = update_of(&app, &school).await["changes"].clone();
        assert_eq!(changes.as_array().unwrap().len(), 4, "{changes}");
    }
}

/// Whoever changes a thing, and whoever updates the cohort meanwhile, come one after the other: what it sees is what was there at one
/// moment.
#[actix_web::test]
async fn many_who_change_and_update_at_once_leave_what_was_there_at_one_moment() {
    for database in BOTH {
        let (app, school, learner) = by_choice(database).await;
        let path = format!("lessons/{}", school.lesson);
        let texts: Vec<String> = (0..40).map(|n| format!("Text {n}.")).collect();
        let change = |text: &str| {
            let (app, path) = (&app, format!("/v1/{path}"));
            let body = json!({"content": text});
            async move { app.patch(&path, body).await.status }
        };
        let changed = join_all(texts.iter().map(|text| change(text))).await;
        assert!(changed.iter().all(|status| *status == 200), "{changed:?}");
        let sees = seen_by(&app, &learner, &path).await;
        assert_eq!(sees["content"], "Keep it cold.");
        let (taken, changed) = join(
            take(&app, &school, json!({})),
            join_all(texts.iter().map(|text| change(text))),
        )
        .await;
        assert_eq!(taken.status, 200, "{}", taken.body);
        assert!(changed.iter().all(|status| *status == 200), "{changed:?}");
        let sees = seen_by(&app, &learner, &path).await["content"].clone();
        assert!(texts.iter().any(|text| json!(text) == sees), "{sees}");
        let pins = update_of(&app, &school).await["changes"].clone();
        let is_now = seen_by(&app, &app.owner, &path).await["content"] == sees;
        assert_eq!(pins == json!([]), is_now, "{pins}");
    }
}

#[actix_web::test]
async fn no_more_cohorts_of_a_course_are_updated_by_choice_than_changes_can_be_kept_for() {
    let app = app_on(Database::Sqlite).await;
    let school = School::open(&app).await;
    for _ in 0..50 {
        let body = json!({"course_id": school.course, "name": "One of many", "updates": "manual"});
        let id = app.post("/v1/cohorts", body).await.id();
        done(&app, &format!("cohorts/{id}/start")).await;
    }
    let path = cohort_path(&school);
    app.patch(&path, json!({"updates": "manual"})).await;
    let refused = app.post(&format!("{path}/start"), json!({})).await;
    assert_refused(&refused, 409, "limit_reached", "");
    app.patch(&path, json!({"updates": "automatic"})).await;
    done(&app, &format!("cohorts/{}/start", school.cohort)).await;
    let refused = app.patch(&path, json!({"updates": "manual"})).await;
    assert_refused(&refused, 409, "limit_reached", "");
}
