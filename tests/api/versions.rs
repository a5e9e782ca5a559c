//! What lessons, activities and assignments were before somebody changed them: kept, shown, and made again.

use futures_util::future::join_all;
use lyceum_application::running::retention;
use serde_json::{Value, json};
use support::app::{Caller, TestApp};
use support::stores::Database;

use crate::school::{School, app_on, caller, done, list};

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];
const DAY: i64 = 86_400;

async fn school(database: Database) -> (TestApp, School) {
    let app = app_on(database).await;
    let school = School::open(&app).await;
    (app, school)
}

/// A program with an account of its own: somebody else than the owner.
async fn program(app: &TestApp) -> Caller {
    let asked = json!({"kind": "service", "name": "Import", "role": "teacher"});
    let id = app.post("/v1/users", asked).await.id();
    let key = json!({"user_id": id, "scopes": ["write:courses"]});
    let made = app.post("/v1/api_keys", key).await;
    assert_eq!(made.status, 201, "{}", made.body);
    caller(&made.body["api_key"])
}

async fn write(app: &TestApp, by: &Caller, path: &str, body: Value) -> Value {
    let changed = app.call(by, "PATCH", path, Some(body)).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    changed.body
}

/// The numbers and texts of what a lesson was, newest first.
async fn texts_of(app: &TestApp, lesson: &str) -> Vec<(u64, String)> {
    let mut found = Vec::new();
    for one in list(app, &format!("lessons/{lesson}/versions?limit=100")).await {
        assert_eq!(one["content"], Value::Null, "lists have no texts");
        let id = one["id"].as_str().unwrap();
        let whole = app.get(&format!("/v1/versions/{id}")).await.body;
        let text = whole["content"]["content"].as_str().unwrap().to_owned();
        found.push((one["number"].as_u64().unwrap(), text));
    }
    found
}

fn of(pairs: &[(u64, &str)]) -> Vec<(u64, String)> {
    pairs
        .iter()
        .map(|(number, text)| (*number, (*text).to_owned()))
        .collect()
}

#[actix_web::test]
async fn what_one_person_saves_in_a_sitting_is_one_version_and_the_next_is_another() {
    for database in BOTH {
        let (app, school) = school(database).await;
        let path = format!("/v1/lessons/{}", school.lesson);
        for text in ["One.", "Two.", "Three."] {
            write(&app, &app.owner, &path, json!({"content": text})).await;
            app.clock.advance(60);
        }
        assert_eq!(
            texts_of(&app, &school.lesson).await,
            of(&[(1, "Keep it cold.")])
        );
        app.clock.advance(600);
        write(&app, &app.owner, &path, json!({"content": "Four."})).await;
        let kept = of(&[(2, "Three."), (1, "Keep it cold.")]);
        assert_eq!(texts_of(&app, &school.lesson).await, kept);
        // What is no text of the author's is no version.
        write(&app, &app.owner, &path, json!({"metadata": {"k": 1}})).await;
        done(&app, &format!("courses/{}/publish", school.course)).await;
        assert_eq!(texts_of(&app, &school.lesson).await, kept);
    }
}

#[actix_web::test]
async fn somebody_elses_change_is_a_version_at_once_and_says_whose_it_is() {
    let (app, school) = school(Database::Sqlite).await;
    let (program, path) = (
        program(&app).await,
        format!("/v1/lessons/{}", school.lesson),
    );
    write(&app, &app.owner, &path, json!({"content": "One."})).await;
    write(&app, &program, &path, json!({"content": "Two."})).await;
    write(&app, &app.owner, &path, json!({"content": "Three."})).await;
    let kept = of(&[(3, "Two."), (2, "One."), (1, "Keep it cold.")]);
    assert_eq!(texts_of(&app, &school.lesson).await, kept);
    let all = list(&app, &format!("lessons/{}/versions", school.lesson)).await;
    assert_eq!(all[0]["made_by"], all[1]["replaced_by"]);
    assert_ne!(all[0]["made_by"], all[0]["replaced_by"]);
    assert_eq!(all[2]["made_by"], Value::Null);
}

#[actix_web::test]
async fn what_it_was_is_made_again_and_what_it_is_meanwhile_is_kept() {
    for database in BOTH {
        let (app, school) = school(database).await;
        for (thing, id, change) in [
            (
                "lessons",
                &school.lesson,
                json!({"name": "N", "content": "New.", "objectives": ["o"], "language": "de", "summary": "S", "duration_minutes": 7}),
            ),
            (
                "activities",
                &school.activity,
                json!({"name": "N", "content": {"questions": []}, "language": "de"}),
            ),
            (
                "assignments",
                &school.assignment,
                json!({
                    "name": "N", "instructions": "New.", "max_score": 7, "late_policy": {"percent_per_day": 3},
                    "rubric": {"criteria": [{"name": "Time"}]}, "human_review": "required",
                    "feedback": {"tone": "demanding", "language": "de"}, "ai_evaluator": {"enabled": true, "model": "builtin"},
                    "release": {"max_disagreement": 30},
                }),
            ),
        ] {
            let path = format!("/v1/{thing}/{id}");
            let was = app.get(&path).await.body;
            let new = write(&app, &app.owner, &path, change).await;
            app.clock.advance(900);
            let version = list(&app, &format!("{thing}/{id}/versions")).await[0]["id"].clone();
            done(
                &app,
                &format!("versions/{}/restore", version.as_str().unwrap()),
            )
            .await;
            let again = app.get(&path).await.body;
            assert_eq!(authored(&again), authored(&was), "{thing}");
            // And back: nothing is lost by it.
            app.clock.advance(900);
            let version = list(&app, &format!("{thing}/{id}/versions")).await[0]["id"].clone();
            done(
                &app,
                &format!("versions/{}/restore", version.as_str().unwrap()),
            )
            .await;
            assert_eq!(
                authored(&app.get(&path).await.body),
                authored(&new),
                "{thing}"
            );
        }
    }
}

/// What of a thing its author wrote.
fn authored(thing: &Value) -> Value {
    let mut thing = thing.clone();
    for other in ["updated_at", "provenance", "warnings", "lesson_count"] {
        thing.as_object_mut().unwrap().remove(other);
    }
    thing
}

#[actix_web::test]
async fn what_one_has_just_written_is_not_lost_by_restoring_what_was_before() {
    for database in BOTH {
        let (app, school) = school(database).await;
        let path = format!("/v1/lessons/{}", school.lesson);
        write(&app, &app.owner, &path, json!({"content": "Precious."})).await;
        let first =
            list(&app, &format!("lessons/{}/versions", school.lesson)).await[0]["id"].clone();
        let restore = format!("versions/{}/restore", first.as_str().unwrap());
        done(&app, &restore).await;
        assert_eq!(app.get(&path).await.body["content"], "Keep it cold.");
        let kept = of(&[(2, "Precious."), (1, "Keep it cold.")]);
        assert_eq!(texts_of(&app, &school.lesson).await, kept);
        // What is so already is no change, however often it is asked for.
        app.clock.advance(1);
        done(&app, &restore).await;
        assert_eq!(texts_of(&app, &school.lesson).await, kept);
    }
}

#[actix_web::test]
async fn what_was_handed_in_names_the_version_that_was_asked_for() {
    for database in BOTH {
        let (app, school) = school(database).await;
        let path = format!("/v1/assignments/{}", school.assignment);
        let ask = async |text: &str| {
            write(&app, &app.owner, &path, json!({"instructions": text})).await;
        };
        ask("Cool it.").await;
        let first = school.hand_in(&app, "Done.").await;
        // In one sitting; from the first submission on each counts.
        ask("Cool it fast.").await;
        ask("Cool it faster.").await;
        let second = school.hand_in(&app, "Done.").await;
        ask("Cool it slowly.").await;
        for (submission, text) in [(first, "Cool it."), (second, "Cool it faster.")] {
            let handed_in = app.get(&format!("/v1/submissions/{submission}")).await.body;
            let all = list(&app, &format!("assignments/{}/versions", school.assignment)).await;
            let named = handed_in["assignment_version"].as_u64().unwrap();
            let version = all.iter().find(|one| one["number"] == named).unwrap();
            let id = version["id"].as_str().unwrap();
            let was = app.get(&format!("/v1/versions/{id}")).await.body;
            assert_eq!(was["content"]["instructions"], text);
        }
        // A date is no text: who has more time reads the same.
        let due = json!({"due_at": "2040-01-01T00:00:00Z"});
        write(&app, &app.owner, &path, due).await;
        let last = school.hand_in(&app, "Done.").await;
        let last = app.get(&format!("/v1/submissions/{last}")).await.body;
        let newest =
            &list(&app, &format!("assignments/{}/versions", school.assignment)).await[0]["number"];
        assert_eq!(last["assignment_version"], newest.as_u64().unwrap() + 1);
    }
}

#[actix_web::test]
async fn what_a_person_cleared_for_ai_to_write_is_kept() {
    let (app, school) = school(Database::Sqlite).await;
    let path = format!("/v1/lessons/{}", school.lesson);
    write(&app, &app.owner, &path, json!({"content": ""})).await;
    for _ in 0..2 {
        let asked = json!({"brief": "Cooling"});
        let asked = app.post(&format!("{path}/generate"), asked).await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        app.work().await;
        assert_ne!(app.get(&path).await.body["content"], "");
    }
    let kept = texts_of(&app, &school.lesson).await;
    assert_eq!(
        kept.last(),
        Some(&(1, "Keep it cold.".to_owned())),
        "{kept:?}"
    );
    let by_ai = list(&app, &format!("lessons/{}/versions", school.lesson)).await;
    assert_eq!(by_ai[0]["replaced_by"], Value::Null, "AI is no member");
}

#[actix_web::test]
async fn versions_go_and_come_back_with_what_they_are_of_and_are_copied_with_it() {
    for database in BOTH {
        let (app, school) = school(database).await;
        let path = format!("/v1/lessons/{}", school.lesson);
        write(&app, &app.owner, &path, json!({"content": "One."})).await;
        let kept = of(&[(1, "Keep it cold.")]);
        let id = list(&app, &format!("lessons/{}/versions", school.lesson)).await[0]["id"].clone();
        let one = format!("/v1/versions/{}", id.as_str().unwrap());
        let copy = app
            .post(&format!("/v1/courses/{}/clone", school.course), json!({}))
            .await;
        assert_eq!(copy.status, 201, "{}", copy.body);
        app.delete(&path).await;
        assert_eq!(app.get(&one).await.status, 404);
        let item = &list(&app, &format!("trash?object_id={}", school.lesson)).await[0]["id"];
        done(&app, &format!("trash/{}/restore", item.as_str().unwrap())).await;
        assert_eq!(texts_of(&app, &school.lesson).await, kept);
        let units = list(&app, &format!("units?course_id={}", copy.id())).await;
        let unit = units[0]["id"].as_str().unwrap();
        let copied = list(&app, &format!("lessons?unit_id={unit}")).await;
        assert_eq!(
            texts_of(&app, copied[0]["id"].as_str().unwrap()).await,
            kept
        );
    }
}

#[actix_web::test]
async fn the_newest_twenty_stay_and_the_others_for_ninety_days() {
    for database in BOTH {
        let (app, school) = school(database).await;
        let path = format!("/v1/lessons/{}", school.lesson);
        let assignment = format!("/v1/assignments/{}", school.assignment);
        for n in 0..23 {
            write(&app, &app.owner, &path, json!({"content": format!("{n}")})).await;
            write(
                &app,
                &app.owner,
                &assignment,
                json!({"instructions": format!("{n}")}),
            )
            .await;
            app.clock.advance(900);
        }
        app.clock.advance(89 * DAY);
        retention::sweep(&app.app).await.unwrap();
        assert_eq!(texts_of(&app, &school.lesson).await.len(), 23);
        app.clock.advance(2 * DAY);
        retention::sweep(&app.app).await.unwrap();
        let kept = texts_of(&app, &school.lesson).await;
        let numbers: Vec<u64> = kept.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, (4..=23).rev().collect::<Vec<_>>());
        let all = list(
            &app,
            &format!("assignments/{}/versions?limit=100", school.assignment),
        )
        .await;
        assert_eq!(all.len(), 23, "what was handed in names them");
    }
}

#[actix_web::test]
async fn sixty_who_write_at_once_each_leave_a_version_and_nobody_is_refused() {
    let (app, school) = school(Database::Postgres).await;
    let path = format!("/v1/assignments/{}", school.assignment);
    school.hand_in(&app, "Done.").await;
    let change = |n| app.patch(&path, json!({"instructions": format!("Text {n}")}));
    let answers = join_all((0..60).map(change)).await;
    assert!(
        answers.iter().all(|answer| answer.status == 200),
        "{}",
        answers[0].body
    );
    let all = list(
        &app,
        &format!("assignments/{}/versions?limit=100", school.assignment),
    )
    .await;
    let numbers: Vec<u64> = all
        .iter()
        .map(|one| one["number"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, (1..=60).rev().collect::<Vec<_>>());
}

#[actix_web::test]
async fn learners_see_no_versions() {
    let (app, school) = school(Database::Sqlite).await;
    write(
        &app,
        &app.owner,
        &format!("/v1/lessons/{}", school.lesson),
        json!({"content": "One."}),
    )
    .await;
    let id = list(&app, &format!("lessons/{}/versions", school.lesson)).await[0]["id"].clone();
    let id = id.as_str().unwrap();
    let student = school.student_session(&app).await;
    for (method, path) in [
        ("GET", format!("/v1/lessons/{}/versions", school.lesson)),
        ("GET", format!("/v1/versions/{id}")),
        ("POST", format!("/v1/versions/{id}/restore")),
    ] {
        let refused = app.call(&student, method, &path, None).await;
        assert_eq!(refused.status, 403, "{method} {path} {}", refused.body);
    }
}
