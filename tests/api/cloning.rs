//! Copying a course: what is in the copy, what is not, and who may.

use futures_util::future::join_all;
use insta::assert_json_snapshot;
use serde_json::{Value, json};
use support::app::{Caller, TestApp, request};
use support::stores::Database;

use crate::school::{
    School, app_of_any_model, app_on, assert_refused, done, events, key, list, made,
};

/// How many of each kind there are below a course.
const UNITS: usize = 4;
const LESSONS: usize = 4;
const ACTIVITIES: usize = 3;

async fn make(app: &TestApp, collection: &str, body: Value) -> String {
    made(app, &app.owner, collection, body).await
}

/// A course with 4 units, 16 lessons, 48 activities and 6 assignments.
async fn large_course(app: &TestApp) -> String {
    let course = json!({
        "name": "Food", "language": "de", "hours": 12, "description": "All of it.",
        "ai": {"instructions": "Be kind.", "evaluator": {"model": "m"}},
        "tutor": {"tone": "warm"}, "metadata": {"lms": 7},
    });
    let course = make(app, "courses", course).await;
    let quiz = crate::school::quiz();
    for u in 0..UNITS {
        let unit = json!({"course_id": course, "name": format!("U{u}"), "objectives": ["Cool"]});
        let unit = make(app, "units", unit).await;
        for l in 0..LESSONS {
            let name = format!("L{u}.{l}");
            let lesson = json!({"unit_id": unit, "name": name, "duration_minutes": 30});
            let lesson = make(app, "lessons", lesson).await;
            for a in 0..ACTIVITIES {
                let name = format!("A{u}.{l}.{a}");
                let body =
                    json!({"lesson_id": lesson, "kind": "quiz", "name": name, "content": quiz});
                make(app, "activities", body).await;
            }
            if l == 0 {
                let body = json!({
                    "lesson_id": lesson, "name": format!("Plan {u}"),
                    "due_at": "2026-12-01T17:00:00Z", "instructions": format!("Read {lesson}."),
                });
                make(app, "assignments", body).await;
            }
        }
        if u == 0 {
            let body = json!({
                "unit_id": unit, "name": "Of the unit", "max_attempts": 2, "max_score": 40,
                "rubric": {"criteria": [{"id": "c", "name": "C", "max_points": 4, "key_points": ["k"]}]},
                "ai_evaluator": {"enabled": true, "model": "m2"}, "human_review": "required",
                "feedback": {"tone": "demanding", "verbosity": "brief", "language": "fr"},
            });
            make(app, "assignments", body).await;
            let body = json!({"course_id": course, "name": "Of the course"});
            make(app, "assignments", body).await;
        }
    }
    course
}

/// Everything below a course, in order, each under its kind.
async fn content(app: &TestApp, course: &str) -> Vec<(&'static str, Value)> {
    let mut all = Vec::new();
    for unit in list(app, &format!("units?limit=100&course_id={course}")).await {
        let id = unit["id"].as_str().unwrap().to_owned();
        all.push(("unit", unit));
        for lesson in list(app, &format!("lessons?limit=100&unit_id={id}")).await {
            let id = lesson["id"].as_str().unwrap().to_owned();
            all.push(("lesson", lesson));
            for activity in list(app, &format!("activities?limit=100&lesson_id={id}")).await {
                all.push(("activity", activity));
            }
        }
    }
    for assignment in list(app, &format!("assignments?limit=100&course_id={course}")).await {
        all.push(("assignment", assignment));
    }
    all
}

/// A thing without what is the copy's own.
fn anonymous(thing: &Value) -> Value {
    let mut thing = thing.clone();
    let members = thing.as_object_mut().unwrap();
    for own in [
        "id",
        "course_id",
        "unit_id",
        "lesson_id",
        "created_at",
        "updated_at",
        "due_at",
        "instructions",
    ] {
        members.remove(own);
    }
    thing
}

async fn copy(app: &TestApp, course: &str, body: Value) -> Value {
    let copied = app.post(&format!("/v1/courses/{course}/clone"), body).await;
    assert_eq!(copied.status, 201, "{}", copied.body);
    copied.body
}

fn id_of(thing: &Value) -> String {
    thing["id"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn a_copy_has_everything_that_the_course_teaches() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_of_any_model(database).await;
        let course = large_course(&app).await;
        let before = list(&app, "events?limit=100").await.len();
        let copied = copy(&app, &course, json!({})).await;
        let originals = content(&app, &course).await;
        let copies = content(&app, &id_of(&copied)).await;
        assert_eq!(copies.len(), 4 + 16 + 48 + 6, "{database:?}");
        for ((kind, original), (_, copy)) in originals.iter().zip(&copies) {
            assert_eq!(anonymous(original), anonymous(copy), "{kind}");
            assert_ne!(original["id"], copy["id"]);
            assert_eq!(copy["created_at"], copied["created_at"]);
        }
        // Each hangs on the copy of its parent.
        let parent = |things: &[(&str, Value)], at: usize, member: &str| {
            let wanted = things[at].1[member].clone();
            things.iter().position(|(_, thing)| thing["id"] == wanted)
        };
        for at in 0..copies.len() {
            for member in ["unit_id", "lesson_id"] {
                let expected = parent(&originals, at, member);
                assert_eq!(parent(&copies, at, member), expected, "{at} {member}");
            }
            assert_eq!(copies[at].1["course_id"].as_str().unwrap_or_default(), {
                copied["id"].as_str().unwrap()
            });
        }
        let told = list(&app, "events?limit=100").await;
        assert_eq!(told.len(), (before + 1).min(100));
        assert_eq!(told[0]["type"], "course.created");
        assert_eq!(told[0]["data"]["object"]["id"], copied["id"]);
    }
}

#[actix_web::test]
async fn dates_are_cleared_and_references_name_the_copies() {
    let app = app_of_any_model(Database::Sqlite).await;
    let course = large_course(&app).await;
    let copied = copy(&app, &course, json!({})).await;
    let cleared = json!([{"object": "assignment", "field": "due_at", "count": 4}]);
    assert_eq!(copied["not_copied"], cleared);
    let copies = content(&app, &id_of(&copied)).await;
    let assignments = copies.iter().filter(|(kind, _)| *kind == "assignment");
    let mut named = 0;
    for (_, assignment) in assignments {
        assert_eq!(assignment["due_at"], Value::Null);
        if let Some(lesson) = assignment["lesson_id"].as_str() {
            assert_eq!(assignment["instructions"], format!("Read {lesson}."));
            named += 1;
        }
    }
    assert_eq!(named, 4);
    let of_unit = copies
        .iter()
        .find(|(_, one)| one["name"] == "Of the unit")
        .unwrap();
    assert_eq!(of_unit.1["feedback"]["language"], "fr");
    let questions = &copies[2].1["content"]["questions"];
    assert_eq!(questions[0]["id"], "q1");
}

#[actix_web::test]
async fn the_answer_is_a_draft_that_says_what_stayed() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    school.student_session(&app).await;
    school.hand_in(&app, "Text").await;
    let syllabus = format!("/v1/courses/{}/syllabus", school.course);
    let body = json!({"brief": "Cooling: ice bath, 63 degrees.", "hours": 2});
    assert_eq!(app.post(&syllabus, body).await.status, 202);
    app.work().await;
    let package = json!({"cohort_id": school.cohort});
    assert_eq!(app.post("/v1/scorm", package).await.status, 202);
    let path = format!("/v1/courses/{}/clone", school.course);
    let copied = app.post(&path, json!({})).await;
    let place = format!("/v1/courses/{}", copied.id());
    assert_eq!(
        (copied.status, copied.header("location")),
        (201, Some(place.as_str()))
    );
    assert_json_snapshot!("cloned_course", copied.body);
    let mut shown = copied.body.clone();
    shown.as_object_mut().unwrap().remove("not_copied");
    assert_eq!(app.get(&place).await.body, shown);
    let original = app.get(&format!("/v1/courses/{}", school.course)).await;
    assert_eq!(original.body["duration"], shown["duration"]);
    let lessons = list(&app, &format!("lessons?course_id={}", copied.id())).await;
    let generated = lessons
        .iter()
        .find(|one| one["provenance"]["origin"] == "ai")
        .unwrap();
    assert_eq!(
        generated["provenance"]["generation_id"],
        original.body["generation"]["id"]
    );
}

#[actix_web::test]
async fn a_copy_is_what_is_asked_for() {
    let app = TestApp::start().await;
    let course = json!({
        "name": "F".repeat(255), "language": "de", "metadata": {"lms": 7},
    });
    let course = make(&app, "courses", course).await;
    let body = json!({"course_id": course, "name": "Plan"});
    make(&app, "assignments", body).await;
    let copied = copy(&app, &course, json!({})).await;
    let expected = format!("{} (copy)", "F".repeat(248));
    assert_eq!(copied["name"], expected);
    assert_eq!(
        (&copied["language"], &copied["metadata"]),
        (&json!("de"), &json!({"lms": 7}))
    );
    done(&app, &format!("courses/{course}/archive")).await;
    let asked = json!({
        "name": "Essen", "language": "PT-br", "metadata": {"of": "me"}, "status": "published",
    });
    let copied = copy(&app, &course, asked).await;
    assert_eq!(copied["name"], "Essen");
    assert_eq!(copied["language"], "pt-BR");
    assert_eq!(copied["metadata"], json!({"of": "me"}));
    assert_eq!(copied["status"], "draft");
    let plan = &content(&app, &id_of(&copied)).await[0].1;
    assert_eq!(plan["feedback"]["language"], "pt-BR");
    let path = format!("/v1/courses/{course}/clone");
    for (body, field) in [
        (json!({"name": " "}), "name"),
        (json!({"language": "x y"}), "language"),
        (json!({"metadata": {"": 1}}), "metadata"),
    ] {
        assert_refused(&app.post(&path, body).await, 400, "invalid_field", field);
    }
}

#[actix_web::test]
async fn a_course_is_copied_once_per_key_also_when_calls_race() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let course = make(&app, "courses", json!({"name": "Food", "language": "en"})).await;
        make(&app, "units", json!({"course_id": course, "name": "U"})).await;
        let path = format!("/v1/courses/{course}/clone");
        let ask = || {
            let request =
                request(&app.owner, "POST", &path).insert_header(("Idempotency-Key", "k"));
            app.send(request.set_json(json!({})))
        };
        let answers = join_all((0..6).map(|_| ask())).await;
        for answer in &answers {
            assert_eq!((answer.status, &answer.body), (201, &answers[0].body));
        }
        assert_eq!(list(&app, "courses").await.len(), 2, "{database:?}");
        assert_eq!(list(&app, "units").await.len(), 2);
        assert_eq!(events(&app, "course.created").await.len(), 2);
    }
}

#[actix_web::test]
async fn nobody_copies_what_is_not_theirs() {
    let app = TestApp::start().await;
    let school = School::open(&app).await;
    let path = format!("/v1/courses/{}/clone", school.course);
    let stranger = app.another_workspace("other").await;
    let student = school.student_session(&app).await;
    let reader = key(&app, &["read:courses", "ai:generate"]).await;
    let ask = async |caller: &Caller| app.call(caller, "POST", &path, None).await;
    assert_refused(&ask(&stranger).await, 404, "resource_missing", "");
    for caller in [&student, &reader] {
        assert_refused(&ask(caller).await, 403, "insufficient_scope", "scope");
    }
    let copied = copy(&app, &school.course, json!({})).await;
    let hidden = app
        .call(&student, "GET", "/v1/lessons?limit=100", None)
        .await;
    for lesson in hidden.body["data"].as_array().unwrap() {
        assert_ne!(lesson["course_id"], copied["id"]);
    }
}
