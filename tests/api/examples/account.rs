//! What belongs to the caller: platforms, workspaces, keys. Here the caller's own key and workspace go at last.

use serde_json::{Value, json};

use super::Story;
use crate::school::made;

pub async fn tell(story: &mut Story) {
    let of = |id: &str| json!({ "id": id });
    story.ask("retrieveMe", json!({}), json!({})).await;
    story.ask("listPlatforms", json!({}), json!({})).await;
    story
        .ask("retrievePlatform", json!({ "platform": "main" }), json!({}))
        .await;

    let host = story.app.another_workspace("north").await;
    let invited = json!({ "email": "owner@main.example", "role": "teacher" });
    made(&story.app, &host, "users", invited).await;
    let waiting = story.ask("listInvitations", json!({}), json!({})).await;
    let invitation = waiting.body["data"][0]["id"].as_str().unwrap().to_owned();
    story
        .ask("retrieveInvitation", of(&invitation), json!({}))
        .await;
    story
        .tell("acceptInvitation", of(&invitation), Value::Null)
        .await;
    story
        .tell("declineInvitation", of(&invitation), Value::Null)
        .await;

    let key = json!({ "name": "Reports", "scopes": ["read:courses", "read:submissions"] });
    let key = story.tell("createApiKey", json!({}), key).await.id();
    story.ask("retrieveApiKey", of(&key), json!({})).await;
    story
        .ask("listApiKeys", json!({}), json!({ "limit": 2 }))
        .await;
    story
        .tell(
            "updateApiKey",
            of(&key),
            json!({ "name": "Nightly reports" }),
        )
        .await;
    story.tell("rotateApiKey", of(&key), Value::Null).await;
    story.tell("revokeApiKey", of(&key), Value::Null).await;
    story.tell("deleteApiKey", of(&key), Value::Null).await;

    let workspace = json!({ "name": "Southern school", "domain": "south.example", "metadata": { "region": "south" } });
    let workspace = story
        .tell("createWorkspace", json!({}), workspace)
        .await
        .id();
    story
        .ask("retrieveWorkspace", of(&workspace), json!({}))
        .await;
    story.ask("listWorkspaces", json!({}), json!({})).await;
    story
        .tell(
            "updateWorkspace",
            of(&workspace),
            json!({ "name": "School of the South" }),
        )
        .await;
    story
        .tell("deleteWorkspace", of(&workspace), Value::Null)
        .await;
}
