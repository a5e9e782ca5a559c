//! Somebody listens.

use lyceum_domain::drafting::ai_calls::AiCallRecord;
use lyceum_domain::identity::workspaces::PlatformCode;
use lyceum_ports::store::Tx;
use serde_json::{Value, json};
use support::fakes::id;
use support::sample_ai;

use super::Story;
use super::running::People;
use crate::school::made;
use crate::world::sso_connection;

/// An admin connects the school's own accounts.
async fn connect(story: &mut Story) {
    let of = |id: &str| json!({ "id": id });
    let connection = json!({
        "name": "School accounts", "issuer": "https://login.school.example", "client_id": "lyceum",
        "client_secret": "a secret of the provider's", "role_claim": "groups",
        "roles": [{ "value": "staff", "role": "teacher" }], "just_in_time": true,
    });
    let id = story
        .tell("createSsoConnection", json!({}), connection)
        .await
        .id();
    story.ask("retrieveSsoConnection", of(&id), json!({})).await;
    story.ask("listSsoConnections", json!({}), json!({})).await;
    let change = json!({ "name": "Accounts of the school", "greatest_role": "admin" });
    story.tell("updateSsoConnection", of(&id), change).await;
    // Nobody is asked: it leads to where no request goes.
    let within = made(
        &story.app,
        &story.app.owner,
        "sso_connections",
        sso_connection(),
    )
    .await;
    story
        .tell("testSsoConnection", of(&within), Value::Null)
        .await;
    story
        .tell("deleteSsoConnection", of(&id), Value::Null)
        .await;
}

pub async fn tell(story: &mut Story, people: &People) {
    connect(story).await;
    let of = |id: &str| json!({ "id": id });
    let endpoint = json!({
        "url": "http://127.0.0.1:9/hooks/lyceum", "enabled_events": ["submission.graded", "user.updated"],
        "description": "The school's own records",
    });
    let endpoint = story
        .tell("createWebhookEndpoint", json!({}), endpoint)
        .await
        .id();
    story
        .ask("retrieveWebhookEndpoint", of(&endpoint), json!({}))
        .await;
    story
        .ask("listWebhookEndpoints", json!({}), json!({}))
        .await;
    let change = json!({ "enabled_events": ["user.updated", "course.published"], "description": "The records" });
    story
        .tell("updateWebhookEndpoint", of(&endpoint), change)
        .await;
    story
        .tell("rotateWebhookSecret", of(&endpoint), Value::Null)
        .await;
    story
        .tell("testWebhookEndpoint", of(&endpoint), Value::Null)
        .await;
    let since = json!({ "since": "2026-11-20T00:00:00Z" });
    story
        .tell("recoverWebhookEndpoint", of(&endpoint), since)
        .await;
    let user = format!("/v1/users/{}", people.student);
    story.app.patch(&user, json!({ "name": "Ada King" })).await;
    let query = json!({ "status": "pending", "limit": 1 });
    let deliveries = story
        .ask("listWebhookDeliveries", of(&endpoint), query)
        .await;
    let delivery = json!({ "id": deliveries.body["data"][0]["id"] });
    story
        .ask("retrieveWebhookDelivery", delivery.clone(), json!({}))
        .await;
    story.tell("redeliverWebhook", delivery, Value::Null).await;
    story
        .tell("deleteWebhookEndpoint", of(&endpoint), Value::Null)
        .await;
    let query = json!({ "type": "user.updated", "object_id": people.student, "limit": 1 });
    let event = story.ask("listEvents", json!({}), query).await.body["data"][0]["id"].clone();
    story
        .ask("listEventTypes", json!({}), json!({ "limit": 1 }))
        .await;
    story
        .ask("retrieveEvent", json!({ "id": event }), json!({}))
        .await;
    let query = json!({ "action": "webhook.secret_rotated", "limit": 1 });
    let audit = story.ask("listAuditEntries", json!({}), query).await;
    let entry = json!({ "id": audit.body["data"][0]["id"] });
    story.ask("retrieveAuditEntry", entry, json!({})).await;
    spending(story).await;
    leaving(story).await;
}

/// Somebody asks what is kept of them, and then that it be erased.
async fn leaving(story: &mut Story) {
    let grace = json!({ "email": "grace@school.example", "name": "Grace Hopper" });
    let grace = story.app.post("/v1/users", grace).await.id();
    let whom = json!({ "id": grace });
    story.tell("exportUser", whom.clone(), Value::Null).await;
    let sure = json!({ "confirm": grace });
    story.tell("eraseUser", whom, sure).await;
}

/// Somebody looks after what AI takes. The story's own engine calls nobody, so a call is put there.
async fn spending(story: &mut Story) {
    let code = PlatformCode::parse(&story.app.owner.platform).unwrap();
    let put = move |tx: &mut dyn Tx| {
        let workspace = tx.workspaces().find_by_code(&code)?.unwrap();
        let call = AiCallRecord {
            subject_id: id::<lyceum_domain::ids::Submission>(1).to_string(),
            ..sample_ai::call(workspace.id, 1)
        };
        tx.ai_calls().append(&[call])
    };
    story.app.app.store.write(put).await.unwrap();
    story
        .ask("retrieveBackgroundWork", json!({}), json!({}))
        .await;
    let query = json!({ "feature": "grading", "limit": 1 });
    story.ask("listAiCalls", json!({}), query).await;
    let month = json!({ "from": "2026-11-01T00:00:00Z", "to": "2026-12-01T00:00:00Z" });
    story.ask("retrieveAiUsage", json!({}), month).await;
}
