//! What a workspace decides about AI: how much a month may cost.

use serde_json::{Value, json};
use support::app::TestApp;
use support::remote_ai::{TOKENS, Weather};
use support::stores::Database;

use crate::ai_calls::{asked, far_away, read, usage};
use crate::school::{School, assert_refused, events, list};

async fn workspace(app: &TestApp) -> String {
    let workspaces = list(app, "workspaces").await;
    format!("/v1/workspaces/{}", workspaces[0]["id"].as_str().unwrap())
}

/// Changes what the first workspace decides about AI; what it decided then.
pub async fn decide(app: &TestApp, ai: Value) -> Value {
    let changed = app.patch(&workspace(app).await, json!({ "ai": ai })).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    changed.body["ai"].clone()
}

#[actix_web::test]
async fn a_workspace_decides_member_by_member() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, _) = far_away(database, Weather::Fine).await;
        let path = workspace(&app).await;
        let nothing = json!({
            "monthly_budget": {"tokens": null, "usd": null}, "on_provider_failure": "error",
        });
        assert_eq!(app.get(&path).await.body["ai"], nothing);
        let budget = json!({"monthly_budget": {"tokens": 5_000, "usd": 12.5}});
        decide(&app, budget).await;
        let after = decide(&app, json!({"on_provider_failure": "built_in"})).await;
        let both = json!({
            "monthly_budget": {"tokens": 5_000, "usd": 12.5}, "on_provider_failure": "built_in",
        });
        assert_eq!(after, both);
        let after = decide(&app, json!({"monthly_budget": {"tokens": null}})).await;
        assert_eq!(
            after["monthly_budget"],
            json!({"tokens": null, "usd": 12.5})
        );
        assert_eq!(decide(&app, Value::Null).await, nothing);
        assert_eq!(app.get(&path).await.body["ai"], nothing);
    }
}

#[actix_web::test]
async fn a_workspace_is_made_with_what_it_decides() {
    let (app, _) = far_away(Database::Sqlite, Weather::Fine).await;
    let new = json!({"name": "Night school", "ai": {"monthly_budget": {"tokens": 7}}});
    let made = app.post("/v1/workspaces", new).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let expected = json!({
        "monthly_budget": {"tokens": 7, "usd": null}, "on_provider_failure": "error",
    });
    assert_eq!(made.body["ai"], expected);
}

#[actix_web::test]
async fn what_cannot_be_decided_is_refused_by_its_name() {
    let (app, _) = far_away(Database::Sqlite, Weather::Fine).await;
    let path = workspace(&app).await;
    for (ai, field) in [
        (
            json!({"monthly_budget": {"tokens": -1}}),
            "ai.monthly_budget.tokens",
        ),
        (
            json!({"monthly_budget": {"tokens": 1.5}}),
            "ai.monthly_budget.tokens",
        ),
        (
            json!({"monthly_budget": {"usd": "a lot"}}),
            "ai.monthly_budget.usd",
        ),
        (
            json!({"monthly_budget": {"usd": 1_000_001}}),
            "ai.monthly_budget.usd",
        ),
        (
            json!({"on_provider_failure": "pray"}),
            "ai.on_provider_failure",
        ),
        (json!({"monthly_budget": 5}), "ai.monthly_budget"),
    ] {
        let refused = app.patch(&path, json!({ "ai": ai })).await;
        assert_refused(&refused, 400, "invalid_field", field);
    }
}

#[actix_web::test]
async fn when_the_month_is_used_up_callers_hear_it_at_the_door() {
    let (app, ai) = far_away(Database::Sqlite, Weather::Fine).await;
    let school = School::open(&app).await;
    let id = asked(&app, &school).await;
    app.work().await;
    assert_eq!(ai.calls(), 1);
    decide(&app, json!({"monthly_budget": {"tokens": TOKENS}})).await;
    let budget = usage(&app, "").await["budget"].clone();
    assert_eq!(budget["remaining_tokens"], 0);
    assert_eq!(budget["resets_at"], "2026-12-01T00:00:00.000Z");
    let field = "ai.monthly_budget.tokens";
    for (path, body) in [
        (format!("/v1/submissions/{id}/ai"), json!({})),
        (format!("/v1/submissions/{id}/explain"), json!({})),
        (
            format!("/v1/courses/{}/syllabus", school.course),
            json!({"brief": "Cooling"}),
        ),
        (
            format!("/v1/units/{}/generate", school.unit),
            json!({"brief": "Cooling"}),
        ),
        (
            format!("/v1/lessons/{}/tutor", school.lesson),
            json!({"message": "How cold?"}),
        ),
    ] {
        let refused = app.post(&path, body).await;
        assert_refused(&refused, 409, "ai_budget_exceeded", field);
        assert_eq!(refused.body["error"]["type"], "conflict_error", "{path}");
    }
    // What costs nothing is never refused.
    let own = json!({"model": "builtin"});
    let free = app.post(&format!("/v1/submissions/{id}/ai"), own).await;
    assert_eq!(free.status, 202, "{}", free.body);
    app.work().await;
    assert_eq!(read(&app, &id).await["ai_model"], "builtin");
    assert_eq!(ai.calls(), 1);
}

#[actix_web::test]
async fn a_new_month_is_a_new_budget() {
    let (app, _) = far_away(Database::Sqlite, Weather::Fine).await;
    let school = School::open(&app).await;
    asked(&app, &school).await;
    app.work().await;
    decide(&app, json!({"monthly_budget": {"usd": 0.002}})).await;
    let id = school.hand_in(&app, "Keep it cold.").await;
    let path = format!("/v1/submissions/{id}/ai");
    let refused = app.post(&path, json!({})).await;
    assert_refused(&refused, 409, "ai_budget_exceeded", "ai.monthly_budget.usd");
    app.clock.advance(10 * 24 * 3_600);
    let asked = app.post(&path, json!({})).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    app.work().await;
    assert_eq!(read(&app, &id).await["ai_status"], "ready");
}

#[actix_web::test]
async fn what_starts_by_itself_is_accepted_and_ends_in_a_named_error_without_a_call() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, ai) = far_away(database, Weather::Fine).await;
        let school = School::open(&app).await;
        school
            .configure(&app, json!({"ai_evaluator": {"enabled": true}}))
            .await;
        decide(
            &app,
            json!({
                "monthly_budget": {"tokens": TOKENS - 1}, "on_provider_failure": "built_in",
            }),
        )
        .await;
        let id = school.hand_in(&app, "Keep it cold.").await;
        assert_eq!(read(&app, &id).await["ai_status"], "pending");
        app.work().await;
        let ended = read(&app, &id).await;
        assert_eq!(ended["ai_status"], "error", "{ended}");
        assert_eq!(ended["ai_error"]["code"], "ai_budget_exceeded");
        assert_eq!(ended["status"], "submitted");
        assert_eq!(ai.calls(), 0);
        assert_eq!(events(&app, "submission.grading_failed").await.len(), 1);
    }
}
