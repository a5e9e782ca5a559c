//! Somebody listens.

use serde_json::{Value, json};

use super::Story;
use super::running::People;

pub async fn tell(story: &mut Story, people: &People) {
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
    let user = format!("/v1/users/{}", people.student);
    story.app.patch(&user, json!({ "name": "Ada King" })).await;
    story
        .ask("listWebhookDeliveries", of(&endpoint), json!({}))
        .await;
    story
        .tell("deleteWebhookEndpoint", of(&endpoint), Value::Null)
        .await;
    let query = json!({ "type": "user.updated", "object_id": people.student, "limit": 1 });
    let event = story.ask("listEvents", json!({}), query).await.body["data"][0]["id"].clone();
    story
        .ask("retrieveEvent", json!({ "id": event }), json!({}))
        .await;
}
