//! What of a drafted lesson no passage of its source supports: told to the author, and nothing is taken out.

use std::sync::Arc;

use rstest::rstest;
use serde_json::{Value, json};
use support::app::TestApp;
use support::scripted_ai::{Scripted, ScriptedAi};
use support::stores::Database;

use crate::generation_steps::{LEASE_OVER, course, distinct, read, start, with, work_and_die};
use crate::school::{School, made};

const SOURCE: &str = "An ice bath is a sink full of ice and cold water. Food is cooled from 63 degrees to \
below 8 degrees within 90 minutes.";
/// The last sentence is the source's own.
const TEXT: &str = "## Cooling\n\nIce cools within an hour. Cooks like ice baths. An ice bath is a sink full of ice and cold water.";

/// An empty lesson that AI was asked to write; the lesson and the generation.
async fn asked(app: &TestApp, body: Value) -> (String, String) {
    let school = School::open(app).await;
    let lesson = json!({"unit_id": school.unit, "name": "Ice"});
    let lesson = made(app, &app.owner, "lessons", lesson).await;
    let asked = app
        .post(&format!("/v1/lessons/{lesson}/generate"), body)
        .await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    (lesson, asked.id())
}

fn from_source() -> Value {
    json!({"source_text": SOURCE})
}

fn keys(generation: &Value) -> Vec<&str> {
    let steps = generation["steps"].as_array().unwrap().iter();
    steps.map(|step| step["key"].as_str().unwrap()).collect()
}

/// What comes of a lesson of this text with this script.
async fn written(database: Database, script: Vec<Scripted>) -> (Value, String, Arc<ScriptedAi>) {
    let ai = ScriptedAi::model(script);
    ai.writes(TEXT);
    let app = with(&ai, database).await;
    let (lesson, generation) = asked(&app, from_source()).await;
    app.work().await;
    let ready = read(&app, &generation).await;
    assert_eq!(ready["status"], "ready", "{ready}");
    let lesson = app.get(&format!("/v1/lessons/{lesson}")).await.body;
    (ready, lesson["content"].as_str().unwrap().to_owned(), ai)
}

#[rstest]
#[actix_web::test]
async fn what_no_passage_supports_is_named_and_left_where_it_stands(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    // Whatever is said of the source's own sentence.
    let (ready, content, ai) = written(database, vec![Scripted::Itself, Scripted::Doubts(3)]).await;
    assert_eq!(content, TEXT);
    assert_eq!(keys(&ready), ["lesson", "support/lesson"]);
    assert_eq!(ready["progress"], json!({"completed": 2, "total": 2}));
    let report = json!([{
        "step": "lesson", "checked": true, "sentences": 3, "unsupported_sentences": 2,
        "unsupported": [
            {"text": "Ice cools within an hour.", "reason": "contradicted"},
            {"text": "Cooks like ice baths.", "reason": "unsupported"},
        ],
    }]);
    assert_eq!(ready["result"]["support"], report);
    assert_eq!(ready["result"]["unsupported_share"], 0.5);
    let warning = "lesson: 2 of 3 sentences are supported by no passage of the source; check them";
    assert_eq!(ready["result"]["warnings"], json!([warning]));
    let asked = ai.asked().pop().unwrap();
    assert!(asked.contains("Cooks like ice baths.") && asked.contains(SOURCE));
}

#[actix_web::test]
async fn a_lesson_that_rests_on_its_source_warns_of_nothing() {
    let (ready, _, _) = written(
        Database::Sqlite,
        vec![Scripted::Itself, Scripted::Doubts(0)],
    )
    .await;
    assert_eq!(ready["result"]["unsupported_share"], 0.0);
    assert_eq!(ready["result"]["warnings"], json!([]));
}

#[rstest]
#[case::refused(Scripted::Refused)]
#[case::useless(Scripted::InvalidOutput)]
#[actix_web::test]
async fn where_nobody_says_how_a_lesson_stands_it_stays_and_that_is_told(#[case] fails: Scripted) {
    let (ready, content, _) = written(Database::Sqlite, vec![Scripted::Itself, fails]).await;
    assert_eq!(content, TEXT);
    let report = &ready["result"]["support"][0];
    assert_eq!(
        (&report["checked"], &report["sentences"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(ready["result"]["unsupported_share"], Value::Null);
}

#[actix_web::test]
async fn nobody_is_asked_twice_when_the_reader_is_away_for_a_while() {
    let script = vec![
        Scripted::Itself,
        Scripted::Unavailable(None),
        Scripted::Doubts(1),
    ];
    let ai = ScriptedAi::model(script);
    ai.writes(TEXT);
    let app = with(&ai, Database::Sqlite).await;
    let (_, generation) = asked(&app, from_source()).await;
    for _ in 0..3 {
        app.work().await;
        app.clock.advance(LEASE_OVER);
    }
    let ready = read(&app, &generation).await;
    assert_eq!(ready["status"], "ready", "{ready}");
    assert_eq!(ready["result"]["support"][0]["unsupported_sentences"], 1);
    let drafts = ai.asked().len();
    assert_eq!(drafts, 3, "the text once, and its reader twice");
}

#[actix_web::test]
async fn a_crash_before_or_after_the_text_asks_for_nothing_twice_that_was_answered() {
    for answered in 0..2 {
        let ai = ScriptedAi::model([]);
        ai.writes(TEXT);
        let app = with(&ai, Database::Sqlite).await;
        let (_, generation) = asked(&app, from_source()).await;
        work_and_die(&app, &ai, answered).await;
        app.clock.advance(LEASE_OVER);
        app.work().await;
        let ready = read(&app, &generation).await;
        assert_eq!(ready["status"], "ready", "{ready}");
        assert_eq!(ready["result"]["support"][0]["checked"], true);
        let asked = ai.asked();
        assert_eq!((asked.len(), distinct(&asked)), (3, 2), "{answered}");
    }
}

#[actix_web::test]
async fn a_budget_that_does_not_reach_the_reader_is_told_and_more_of_it_goes_on() {
    let ai = ScriptedAi::model([]);
    ai.writes(TEXT);
    let app = with(&ai, Database::Sqlite).await;
    let mut body = from_source();
    body["budget"] = json!({"tokens": 18 + 17});
    let (_, generation) = asked(&app, body).await;
    app.work().await;
    let failed = read(&app, &generation).await;
    assert_eq!(failed["error"]["code"], "ai_budget_exceeded", "{failed}");
    assert_eq!(ai.asked().len(), 1, "the text");
    let more = json!({"budget": {"tokens": 1_000}});
    let path = format!("/v1/generations/{generation}/retry");
    assert_eq!(app.post(&path, more).await.status, 202);
    app.work().await;
    let ready = read(&app, &generation).await;
    assert_eq!(ready["result"]["support"][0]["checked"], true, "{ready}");
    assert_eq!(ai.asked().len(), 2);
}

#[actix_web::test]
async fn without_a_source_or_without_a_model_nothing_is_looked_for() {
    let ai = ScriptedAi::model([]);
    let app = with(&ai, Database::Sqlite).await;
    let (_, generation) = asked(&app, json!({"brief": "Ice cools food."})).await;
    app.work().await;
    let ready = read(&app, &generation).await;
    assert_eq!(keys(&ready), ["lesson"]);
    assert_eq!(ready["result"]["support"], json!([]));
    assert_eq!(ready["result"]["unsupported_share"], Value::Null);

    let app = crate::school::app_on(Database::Sqlite).await;
    let (_, generation) = asked(&app, from_source()).await;
    app.work().await;
    let ready = read(&app, &generation).await;
    assert_eq!(keys(&ready), ["lesson"]);
    assert_eq!(ready["result"]["support"], json!([]));
}

#[actix_web::test]
async fn a_whole_course_says_it_of_every_lesson_and_together() {
    let ai = ScriptedAi::model([]);
    ai.writes(TEXT);
    let app = with(&ai, Database::Sqlite).await;
    let course = course(&app, 2).await;
    let generation = start(&app, &course, from_source()).await;
    app.work().await;
    let ready = read(&app, &generation).await;
    assert_eq!(ready["status"], "ready", "{ready}");
    let lessons = ready["result"]["lessons"].as_u64().unwrap();
    let reports = ready["result"]["support"].as_array().unwrap();
    assert_eq!(u64::try_from(reports.len()).unwrap(), lessons);
    assert!(reports.iter().all(|one| one["checked"] == true));
    assert_eq!(ready["result"]["unsupported_share"], 0.0);
    let keys = keys(&ready);
    assert!(keys.contains(&"support/1.1"), "{keys:?}");
    let progress = &ready["progress"];
    assert_eq!(progress["completed"], progress["total"]);
}
