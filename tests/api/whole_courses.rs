//! Whole courses: every text, every activity, exactly the hours; grounded, checked, and ready to be played.

use std::sync::Arc;

use lyceum_ports::drafting::ai::AiProvider;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use support::app::TestApp;
use support::scripted_ai::{Scripted, ScriptedAi};
use support::stores::Database;

use crate::generation_steps::{BRIEF, course, read, start, with};
use crate::school::{School, app_on, list, made};

const SOURCE: &str = "An ice bath is a sink full of ice and cold water. Food is cooled from 63 degrees to \
below 8 degrees within 90 minutes.";

fn minutes(lessons: &[Value]) -> u64 {
    let minutes = lessons
        .iter()
        .map(|one| one["duration_minutes"].as_u64().unwrap());
    minutes.sum()
}

fn is_blank(content: &Value) -> bool {
    content.as_str().unwrap().trim().is_empty()
}

#[actix_web::test]
async fn a_whole_course_has_every_text_fills_its_hours_and_can_be_played() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await;
        let course = course(&app, 6).await;
        let outline = start(&app, &course, json!({"content": "outline"})).await;
        app.work().await;
        let planned = read(&app, &outline).await["result"].clone();
        let id = start(&app, &course, json!({"mode": "replace"})).await;
        app.work().await;
        let ready = read(&app, &id).await;
        assert_eq!(ready["status"], "ready", "{ready}");
        for kind in ["units", "lessons", "activities", "assignments"] {
            assert_eq!(ready["result"][kind], planned[kind], "{kind}");
        }
        assert_eq!(ready["result"]["content"], "full");
        let lessons = list(&app, &format!("lessons?limit=100&course_id={course}")).await;
        assert_eq!(minutes(&lessons), 6 * 60);
        let activities = list(&app, "activities?limit=100").await;
        assert!(!activities.is_empty());
        for lesson in &lessons {
            assert!(!is_blank(&lesson["content"]), "{lesson}");
            assert_eq!(lesson["provenance"]["generation_id"], json!(id));
        }
        for activity in &activities {
            assert!(!activity["content"].as_object().unwrap().is_empty());
            assert_eq!(activity["provenance"]["model"], "builtin");
        }
        for assignment in list(&app, &format!("assignments?course_id={course}")).await {
            assert!(
                !assignment["rubric"]["criteria"]
                    .as_array()
                    .unwrap()
                    .is_empty()
            );
        }
        // Nobody but the built-in engine is there to answer its quizzes.
        for quiz in ready["result"]["quizzes"].as_array().unwrap() {
            assert_eq!(quiz["checked"], false);
        }
        let shown = app.get(&format!("/v1/courses/{course}")).await.body;
        assert_eq!(shown["duration"], json!({"hours": 6, "hours_generated": 6}));
        let cohort = json!({"course_id": course, "name": "Spring"});
        let cohort = made(&app, &app.owner, "cohorts", cohort).await;
        let package = crate::scorm::ready(&app, json!({"cohort_id": cohort})).await;
        assert_eq!(package["status"], "ready");
    }
}

#[actix_web::test]
async fn a_model_writes_every_lesson_from_its_plan_and_says_what_each_step_took() {
    let ai = ScriptedAi::model([]);
    let app = with(&ai, Database::Sqlite).await;
    let course = course(&app, 2).await;
    let id = start(&app, &course, json!({})).await;
    app.work().await;
    let ready = read(&app, &id).await;
    assert_eq!(ready["status"], "ready", "{ready}");
    let lessons = list(&app, &format!("lessons?limit=100&course_id={course}")).await;
    assert_eq!(minutes(&lessons), 2 * 60);
    let written = ai.lessons();
    assert_eq!(written.len(), lessons.len());
    for task in &written {
        assert!(!task.frame.brief.is_empty() && task.frame.course_description == BRIEF);
        let lesson = lessons
            .iter()
            .find(|one| one["name"] == json!(task.name))
            .unwrap();
        assert_eq!(lesson["duration_minutes"], json!(task.minutes));
        assert_eq!(lesson["provenance"]["model"], "scripted-1");
    }
    // Activities are made from the text that was written.
    for task in ai.activities() {
        assert!(
            lessons
                .iter()
                .any(|one| one["content"] == json!(task.content))
        );
    }
    let quizzes = ready["result"]["quizzes"].as_array().unwrap();
    assert!(!quizzes.is_empty());
    for quiz in quizzes {
        assert_eq!(
            (&quiz["checked"], &quiz["dropped"]),
            (&json!(true), &json!(0))
        );
    }
    for step in ready["steps"].as_array().unwrap() {
        let expected = json!({
            "key": step["key"], "status": "ready", "model": "scripted-1", "tokens_in": 11, "tokens_out": 7,
            "cost_usd": 0.00025, "latency_ms": 3, "attempts": 1,
        });
        assert_eq!(*step, expected);
    }
}

#[actix_web::test]
async fn a_long_course_is_planned_unit_by_unit() {
    let ai = ScriptedAi::model([]);
    let app = with(&ai, Database::Sqlite).await;
    let course = course(&app, 90).await;
    let id = start(&app, &course, json!({"content": "outline"})).await;
    app.work().await;
    let ready = read(&app, &id).await;
    assert_eq!(ready["status"], "ready", "{ready}");
    let units = list(&app, &format!("units?limit=100&course_id={course}"))
        .await
        .len();
    let keys: Vec<&str> = ready["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["key"].as_str().unwrap())
        .collect();
    assert_eq!(keys.len(), units + 1);
    assert_eq!(keys[..3], ["outline", "unit/1", "unit/2"]);
    assert_eq!(ai.drafted()[0].hours.minutes(), 60 * 60);
    let wanted: u32 = ai.units().iter().map(|task| task.minutes).sum();
    assert_eq!(wanted, 90 * 60);
    let lessons = list(&app, &format!("lessons?limit=100&course_id={course}")).await;
    assert_eq!(minutes(&lessons), 90 * 60);
    // The built-in engine plans any length at once.
    let app = TestApp::start().await;
    let course = crate::generation_steps::course(&app, 90).await;
    let id = start(&app, &course, json!({"content": "outline"})).await;
    app.work().await;
    assert_eq!(read(&app, &id).await["steps"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn what_is_drafted_from_a_text_says_so() {
    let ai = ScriptedAi::model([]);
    let app = with(&ai, Database::Sqlite).await;
    let course = course(&app, 2).await;
    let hash = lyceum_domain::hex::lower(&Sha256::digest(SOURCE.as_bytes()));
    let id = start(
        &app,
        &course,
        json!({"source_text": SOURCE, "model": "scripted"}),
    )
    .await;
    app.work().await;
    let ready = read(&app, &id).await;
    assert_eq!(ready["result"]["source_hash"], json!(hash));
    assert_eq!(ai.drafted()[0].source_text, SOURCE);
    assert_eq!(ai.drafted()[0].model, "scripted");
    let sources = ai.lessons().into_iter().map(|task| task.frame.source_text);
    let sources = sources.chain(
        ai.activities()
            .into_iter()
            .map(|task| task.frame.source_text),
    );
    assert!(sources.into_iter().all(|source| source == SOURCE));
    for collection in ["units", "lessons", "activities"] {
        for one in list(&app, &format!("{collection}?limit=100")).await {
            assert_eq!(one["provenance"]["source_hash"], json!(hash), "{one}");
        }
    }
    let school = School::open(&app).await;
    let path = format!("/v1/lessons/{}/activities/generate", school.lesson);
    let body = json!({"kind": "reflection", "source_text": SOURCE});
    let asked = app.post(&path, body).await;
    app.work().await;
    let ready = read(&app, &asked.id()).await;
    assert_eq!(ready["result"]["source_hash"], json!(hash));
}

/// Drafts a quiz for a lesson, AI doing this; the generation, and the quiz's questions.
async fn quiz(script: impl IntoIterator<Item = Scripted>) -> (Value, usize, Arc<ScriptedAi>) {
    let ai = ScriptedAi::model(script);
    let provider: Arc<dyn AiProvider> = ai.clone();
    let app = TestApp::on(Database::Sqlite, provider).await;
    let school = School::open(&app).await;
    let path = format!("/v1/lessons/{}/activities/generate", school.lesson);
    let asked = app.post(&path, json!({"kind": "quiz"})).await;
    app.work().await;
    let ready = read(&app, &asked.id()).await;
    assert_eq!(ready["status"], "ready", "{ready}");
    let id = ready["result"]["activity_ids"][0].as_str().unwrap();
    let activity = app.get(&format!("/v1/activities/{id}")).await.body;
    let questions = activity["content"]["questions"].as_array().unwrap().len();
    (ready, questions, ai)
}

fn keys(generation: &Value) -> Vec<&str> {
    let steps = generation["steps"].as_array().unwrap();
    steps
        .iter()
        .map(|step| step["key"].as_str().unwrap())
        .collect()
}

#[actix_web::test]
async fn a_quiz_whose_key_holds_stays_as_it_is() {
    let (ready, questions, ai) = quiz([]).await;
    assert_eq!(questions, 4);
    assert_eq!(keys(&ready), ["activities", "check/1"]);
    assert_eq!(ready["progress"], json!({"completed": 2, "total": 2}));
    let report = json!([{"step": "activity/1", "checked": true, "questions": 4, "disputed": [], "dropped": 0, "implausible": []}]);
    assert_eq!(ready["result"]["quizzes"], report);
    let asked = ai.asked().pop().unwrap();
    assert!(asked.contains("Keep it cold."), "from the lesson: {asked}");
    assert!(!asked.contains("\"answer\""), "without the key: {asked}");
}

#[actix_web::test]
async fn a_question_whose_key_is_disputed_is_dropped() {
    let (ready, questions, _) = quiz([Scripted::Itself, Scripted::WrongAnswers(2)]).await;
    assert_eq!(questions, 2);
    let report = &ready["result"]["quizzes"][0];
    assert_eq!(report["disputed"], json!(["q1", "q2"]));
    assert_eq!(
        (&report["dropped"], &ready["result"]["warnings"]),
        (&json!(2), &json!([]))
    );
}

#[actix_web::test]
async fn options_that_give_themselves_away_are_named_and_the_question_stays() {
    let (ready, questions, _) = quiz([Scripted::Itself, Scripted::Implausible]).await;
    assert_eq!(questions, 4);
    let report = &ready["result"]["quizzes"][0];
    let named = json!([{"question_id": "q4", "options": ["b"]}]);
    assert_eq!(report["implausible"], named, "of choices alone");
    let warnings = ready["result"]["warnings"].to_string();
    assert!(
        warnings.contains("fewer than two wrong options"),
        "{warnings}"
    );
}

#[actix_web::test]
async fn a_quiz_that_is_mostly_disputed_is_drafted_once_more() {
    let (ready, questions, ai) = quiz([Scripted::Itself, Scripted::WrongAnswers(3)]).await;
    assert_eq!((questions, ai.asked().len()), (4, 4));
    assert_eq!(
        keys(&ready),
        ["activities", "check/1", "activity/1#2", "check/1#2"]
    );
    assert_eq!(ready["progress"], json!({"completed": 2, "total": 2}));
    assert_eq!(ready["result"]["warnings"], json!([]));
    let script = [
        Scripted::Itself,
        Scripted::WrongAnswers(3),
        Scripted::Itself,
        Scripted::WrongAnswers(4),
    ];
    let (ready, questions, _) = quiz(script).await;
    assert_eq!(questions, 4, "a person decides");
    let warnings = ready["result"]["warnings"].as_array().unwrap();
    assert!(
        warnings[0].as_str().unwrap().contains("4 of 4 questions"),
        "{warnings:?}"
    );
}

#[actix_web::test]
async fn a_quiz_that_nobody_answers_is_told_to_be_unchecked() {
    let (ready, questions, _) = quiz([Scripted::Itself, Scripted::Refused]).await;
    assert_eq!(
        (questions, &ready["result"]["quizzes"][0]["checked"]),
        (4, &json!(false))
    );
    assert_eq!(ready["usage"]["tokens_in"], 22);
}

#[actix_web::test]
async fn the_content_of_one_quiz_is_checked_too() {
    let ai = ScriptedAi::model([Scripted::Itself, Scripted::WrongAnswers(1)]);
    let app = with(&ai, Database::Sqlite).await;
    let school = School::open(&app).await;
    let body = json!({"lesson_id": school.lesson, "kind": "quiz", "name": "My quiz"});
    let activity = made(&app, &app.owner, "activities", body).await;
    let path = format!("/v1/activities/{activity}/generate");
    app.post(&path, json!({})).await;
    app.work().await;
    let written = app.get(&format!("/v1/activities/{activity}")).await.body;
    assert_eq!(written["name"], "My quiz");
    assert_eq!(written["content"]["questions"].as_array().unwrap().len(), 3);
}
