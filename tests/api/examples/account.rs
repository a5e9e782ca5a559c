//! What belongs to the caller: platforms, workspaces, keys. Here the caller's own key and workspace go at last.

use actix_web::test::TestRequest;
use serde_json::{Map, Value, json};

use support::authenticator::Device;

use super::Story;
use crate::school::made;
use crate::sign_in;

/// The owner signs in by a link, looks where they are, and leaves.
async fn in_a_browser(story: &mut Story) {
    let nothing = || (Map::new(), Map::new(), Value::Null);
    let ways = TestRequest::get().uri("/v1/sign_in");
    story.send_as(ways, "retrieveSignIn", nothing()).await;
    let token = sign_in::link(&story.app, "owner@main.example").await;
    let link = json!({ "token": token });
    let sent = sign_in::asking("POST", "/v1/sign_in", "");
    let (path, query, _) = nothing();
    let opened = story.send_as(sent, "signIn", (path, query, link)).await;
    let held = sign_in::cookie(&opened);
    sign_in::signed_in(&story.app, "owner@main.example").await;
    let me = story.app.get("/v1/me").await.body["user"]["id"].clone();
    let of = json!({ "id": me });
    story.ask("listUserSessions", of, json!({})).await;
    let listing = sign_in::asking("GET", "/v1/sessions", &held);
    let listed = story.send_as(listing, "listSessions", nothing()).await;
    let other = listed.body["data"][0]["id"].as_str().unwrap().to_owned();
    let of = json!({ "id": other });
    story.ask("retrieveSession", of.clone(), json!({})).await;
    story.tell("endSession", of, Value::Null).await;
    by_passkeys(story, &held).await;
    let others = sign_in::asking("POST", "/v1/sessions/end_others", &held);
    story.send_as(others, "endOtherSessions", nothing()).await;
    let out = sign_in::asking("POST", "/v1/sign_out", &held);
    story.send_as(out, "signOut", nothing()).await;
}

/// They add a passkey, sign in by it, and remove it.
async fn by_passkeys(story: &mut Story, held: &str) {
    let nothing = || (Map::new(), Map::new(), Value::Null);
    let with = |body: Value| (Map::new(), Map::new(), body);
    let asking = sign_in::asking("POST", "/v1/passkeys/begin", held);
    let asked = story.send_as(asking, "beginPasskey", nothing()).await;
    let mut device = Device::at("https://lyceum.test", &asked.body, 7);
    let both = format!("{held}; {}", sign_in::cookie(&asked));
    let body = json!({ "name": "Ada's phone", "credential": device.made(&asked.body) });
    let sent = sign_in::asking("POST", "/v1/passkeys", &both);
    let kept = story.send_as(sent, "createPasskey", with(body)).await.id();
    let of = json!({ "id": kept });
    story.ask("listPasskeys", json!({}), json!({})).await;
    story.ask("retrievePasskey", of.clone(), json!({})).await;
    let asking = sign_in::asking("POST", "/v1/sign_in/passkey/begin", "");
    let asked = story
        .send_as(asking, "beginSignInByPasskey", nothing())
        .await;
    let browser = sign_in::cookie(&asked);
    let body = json!({ "credential": device.signed(&asked.body) });
    let sent = sign_in::asking("POST", "/v1/sign_in/passkey", &browser);
    story.send_as(sent, "signInByPasskey", with(body)).await;
    let name = json!({ "name": "Old phone" });
    story.tell("updatePasskey", of.clone(), name).await;
    let path = format!("/v1/passkeys/{kept}");
    let mut example = nothing();
    example.0.insert("id".to_owned(), json!(kept));
    let gone = sign_in::asking("DELETE", &path, held);
    story.send_as(gone, "deletePasskey", example).await;
}

pub async fn tell(story: &mut Story) {
    let of = |id: &str| json!({ "id": id });
    story.ask("retrieveMe", json!({}), json!({})).await;
    story.ask("listPlatforms", json!({}), json!({})).await;
    story
        .ask("retrievePlatform", json!({ "platform": "main" }), json!({}))
        .await;

    in_a_browser(story).await;
    let host = story.app.another_workspace("north").await;
    let invited = json!({ "email": "owner@main.example", "role": "teacher", "invite": false });
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

    // Last of all: who stands in line takes more of what is random on one database than on the other.
    let asked = sign_in::asking("POST", "/v1/sign_in/links", "");
    let wanted = json!({ "email": "owner@main.example", "language": "de" });
    let example = (Map::new(), Map::new(), wanted);
    story.send_as(asked, "askForSignInLink", example).await;
    invitations(story).await;
    // Whoever changed themselves is looked up anew, which takes more on one database than on the other.
    let said = json!({ "name": "Ada Lovelace", "language": "en", "timezone": "Europe/London" });
    let me = story.tell("updateMe", json!({}), said).await;
    let of = json!({ "id": me.body["user"]["id"] });
    story.tell("endUserSessions", of, json!({})).await;
}

async fn invitations(story: &mut Story) {
    let of = |id: &str| json!({ "id": id });
    let teacher = json!({ "email": "ines@school.example", "name": "Ines", "role": "teacher", "invite": false });
    let teacher = made(&story.app, &story.app.owner, "users", teacher).await;
    story.tell("inviteUser", of(&teacher), Value::Null).await;
    story
        .ask("retrieveUserInvitation", of(&teacher), json!({}))
        .await;
    story
        .ask("listSentInvitations", json!({}), json!({ "limit": 1 }))
        .await;
    let link = story.arrived().await;
    let token = json!({ "token": link.rsplit('/').next() });
    let example = || (Map::new(), Map::new(), token.clone());
    let looked = sign_in::asking("POST", "/v1/sign_in/invitations", "");
    story.send_as(looked, "lookAtInvitation", example()).await;
    let accepted = sign_in::asking("POST", "/v1/sign_in/invitations/accept", "");
    story
        .send_as(accepted, "acceptInvitationLink", example())
        .await;
}
