//! What AI took, and what was sent where.

use std::sync::Arc;

use lyceum_ports::drafting::ai::AiProvider;
use serde_json::{Value, json};
use support::app::TestApp;
use support::remote_ai::{COST, MODEL, RemoteAi, TOKENS, Weather};
use support::stores::Database;

use crate::school::{School, app_on, assert_refused, list};

/// An app with a provider that is somebody else's.
pub async fn far_away(database: Database, weather: Weather) -> (TestApp, Arc<RemoteAi>) {
    let ai = RemoteAi::new(weather);
    let provider: Arc<dyn AiProvider> = ai.clone();
    (TestApp::on(database, provider).await, ai)
}

/// Hands something in that nobody has handed in before, so that its grade is not taken over, and has AI grade it; the
/// submission's id. Nothing is done yet.
pub async fn asked(app: &TestApp, school: &School) -> String {
    let before = list(app, "submissions?limit=100").await.len();
    let text = format!("Cool the rice within two hours, says rule {before}.");
    let id = school.hand_in(app, &text).await;
    let asked = app
        .post(&format!("/v1/submissions/{id}/ai"), json!({}))
        .await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    id
}

pub async fn read(app: &TestApp, id: &str) -> Value {
    app.get(&format!("/v1/submissions/{id}")).await.body
}

pub async fn usage(app: &TestApp, query: &str) -> Value {
    let answer = app.get(&format!("/v1/ai/usage{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

#[actix_web::test]
async fn every_request_that_left_is_told_and_summed_up_also_the_failed_ones() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, ai) = far_away(database, Weather::Fine).await;
        let school = School::open(&app).await;
        let id = asked(&app, &school).await;
        app.work().await;
        ai.turn(Weather::Refusing);
        let refused = asked(&app, &school).await;
        app.work().await;
        ai.turn(Weather::Fine);
        let tutor = format!("/v1/lessons/{}/tutor", school.lesson);
        let told = app.post(&tutor, json!({"message": "How cold?"})).await;
        assert_eq!(told.status, 200, "{}", told.body);

        let calls = list(&app, "ai/calls").await;
        let of = |member: &str| -> Vec<Value> {
            calls.iter().map(|call| call[member].clone()).collect()
        };
        assert_eq!(of("feature"), ["tutoring", "grading", "grading"]);
        assert_eq!(of("outcome"), ["answered", "refused", "answered"]);
        assert_eq!(
            of("subject_id"),
            [json!(school.lesson), json!(refused), json!(id)]
        );
        let first = &calls[2];
        assert_eq!(first["sent"], json!(["rubric", "submission_text"]));
        assert_eq!(first["host"], "ai.example");
        assert_eq!(first["model"], MODEL);
        assert_eq!(first["cost_usd"], json!(0.002));
        assert!(first["id"].as_str().unwrap().starts_with("aic_"));

        let filtered = list(&app, &format!("ai/calls?subject_id={id}&feature=grading")).await;
        assert_eq!(filtered, std::slice::from_ref(first));
        let filtered = list(&app, "ai/calls?outcome=refused").await;
        assert_eq!(filtered, [calls[1].clone()]);

        let used = usage(&app, "").await;
        assert_eq!(used["from"], "2026-11-01T00:00:00.000Z");
        assert_eq!(used["to"], "2026-12-01T00:00:00.000Z");
        assert_eq!(used["totals"]["calls"], 3);
        assert_eq!(used["totals"]["tokens_in"], 3 * (TOKENS - 10));
        assert_eq!(used["totals"]["cost_usd"], json!(0.006));
        assert_eq!(used["by_feature"][0]["feature"], "grading");
        assert_eq!(used["by_feature"][0]["calls"], 2);
        assert_eq!(used["by_feature"][1]["feature"], "tutoring");
        assert_eq!(used["by_model"][0]["model"], MODEL);
        assert_eq!(used["by_day"][0]["day"], "2026-11-21");
        assert_eq!(used["budget"]["used_tokens"], 3 * TOKENS);
        assert_eq!(used["budget"]["used_usd"], json!(0.006));
        assert_eq!(used["budget"]["remaining_tokens"], Value::Null);
    }
}

#[actix_web::test]
async fn a_period_is_asked_for_by_its_ends() {
    let (app, _) = far_away(Database::Sqlite, Weather::Fine).await;
    let school = School::open(&app).await;
    asked(&app, &school).await;
    app.work().await;
    let before = usage(&app, "?to=2026-11-21T00:00:00Z").await;
    assert_eq!(before["totals"]["calls"], 0);
    assert_eq!(before["totals"]["cost_usd"], 0);
    assert_eq!(
        before["budget"]["used_tokens"], TOKENS,
        "of this month, still"
    );
    let day = usage(&app, "?from=2026-11-21T00:00:00Z&to=2026-11-22T00:00:00Z").await;
    assert_eq!(day["totals"]["calls"], 1);
    let backwards = "/v1/ai/usage?from=2026-11-22T00:00:00Z&to=2026-11-21T00:00:00Z";
    assert_refused(&app.get(backwards).await, 400, "invalid_field", "to");
    let never = app.get("/v1/ai/usage?from=yesterday").await;
    assert_refused(&never, 400, "invalid_parameter", "from");
}

#[actix_web::test]
async fn calls_are_counted_for_the_operator() {
    let (app, _) = far_away(Database::Sqlite, Weather::Fine).await;
    let school = School::open(&app).await;
    asked(&app, &school).await;
    app.work().await;
    let text = app.app.ai_tally.render();
    let labels = r#"feature="grading",host="ai.example",model="remote-1",outcome="answered""#;
    let line = format!("lyceum_ai_calls_total{{{labels}}} 1");
    assert!(text.lines().any(|one| one == line), "{text}");
    assert!(
        COST > 0 && text.contains("lyceum_ai_cost_usd_total"),
        "{text}"
    );
}

#[actix_web::test]
async fn the_built_in_engine_calls_nobody_and_is_not_in_the_record() {
    let app = app_on(Database::Sqlite).await;
    let school = School::open(&app).await;
    asked(&app, &school).await;
    app.work().await;
    assert!(list(&app, "ai/calls").await.is_empty());
    let used = usage(&app, "").await;
    assert_eq!(used["totals"]["calls"], 0);
    assert_eq!(used["by_feature"], json!([]));
}

#[actix_web::test]
async fn what_was_sent_stays_told_when_its_subject_is_gone_and_only_to_its_workspace() {
    let (app, _) = far_away(Database::Sqlite, Weather::Fine).await;
    let school = School::open(&app).await;
    let id = asked(&app, &school).await;
    app.work().await;
    let deleted = app
        .delete(&format!("/v1/submissions/{id}?force=true"))
        .await;
    assert_eq!(deleted.status, 200, "{}", deleted.body);
    assert_eq!(list(&app, "ai/calls").await.len(), 1);
    let stranger = app.another_workspace("other").await;
    let theirs = app.call(&stranger, "GET", "/v1/ai/calls", None).await;
    assert_eq!(theirs.body["data"], json!([]));
    let theirs = app.call(&stranger, "GET", "/v1/ai/usage", None).await;
    assert_eq!(theirs.body["totals"]["calls"], 0);
}
