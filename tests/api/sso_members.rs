//! Who it is whom a provider vouches for, in which role, and how far that reaches.

use lyceum_application::running::retention;
use lyceum_domain::identity::sso_sign_in::SsoRefusal;
use serde_json::{Value, json};
use support::stores::Database;

use crate::school::{assert_refused, caller, made};
use crate::sent_invitations::suspend;
use crate::sign_in::{asking, signed_in};
use crate::sso::{Sso, assert_in, assert_out, assign, seconds};

const GRACE: &str = "grace@school.example";

/// With a claim that says what somebody is.
async fn with_roles(greatest: &str) -> Sso {
    Sso::with(json!({
        "role_claim": "realm.groups",
        "roles": [{ "value": "staff", "role": "teacher" }],
        "greatest_role": greatest,
    }))
    .await
}

fn groups(groups: &Value) -> Value {
    json!({ "realm": { "groups": groups } })
}

#[actix_web::test]
async fn roles_come_from_the_claim_each_time() {
    let sso = with_roles("teacher").await;
    sso.provider.say(groups(&json!(["staff", "chess"])));
    assert_in(&sso.sign_in().await);
    assert_eq!(sso.user(GRACE).await["role"], "teacher");
    sso.provider.say(groups(&json!(["chess"])));
    assert_in(&sso.sign_in().await);
    assert_eq!(sso.user(GRACE).await["role"], "student");
    assert_eq!(sso.audited("member.role_changed").await.len(), 1);
}

#[actix_web::test]
async fn no_mapping_goes_above_the_greatest_role() {
    let sso = with_roles("teacher").await;
    let path = format!("/v1/sso_connections/{}", sso.id);
    for (field, value) in [
        ("roles", json!([{ "value": "boss", "role": "owner" }])),
        ("default_role", json!("admin")),
        ("greatest_role", json!("student")),
    ] {
        let refused = sso.app.patch(&path, json!({ field: value })).await;
        let named = if field == "greatest_role" {
            "roles"
        } else {
            field
        };
        assert_refused(&refused, 400, "invalid_field", named);
    }
}

#[actix_web::test]
async fn nobody_gives_a_connection_more_than_they_are() {
    let sso = Sso::start().await;
    let home = sso.app.another_workspace("home").await;
    let admin = json!({ "email": "owner@home.example", "role": "admin" });
    made(&sso.app, &sso.app.owner, "users", admin).await;
    sso.app.accept_everything(&home.key).await;
    let head = caller(&json!(home.key));
    let path = format!("/v1/sso_connections/{}", sso.id);
    let raised = json!({ "greatest_role": "owner" });
    let refused = sso
        .app
        .call(&head, "PATCH", &path, Some(raised.clone()))
        .await;
    assert_refused(&refused, 403, "insufficient_role", "");
    sso.change(raised).await;
    // Nor changes or deletes one that lets in somebody above them.
    for (method, body) in [
        ("PATCH", json!({ "client_secret": "mine" })),
        ("DELETE", json!({})),
    ] {
        let refused = sso.app.call(&head, method, &path, Some(body)).await;
        assert_refused(&refused, 403, "insufficient_role", "");
    }
}

#[actix_web::test]
async fn whoever_is_above_the_connection_does_not_come_in_by_it() {
    let sso = Sso::start().await;
    for role in ["owner", "admin"] {
        let invited = json!({ "email": GRACE, "role": role });
        let id = made(&sso.app, &sso.app.owner, "users", invited).await;
        assert_out(&sso.sign_in().await, "above_connection");
        let gone = sso.app.delete(&format!("/v1/users/{id}")).await;
        assert_eq!(gone.status, 200, "{}", gone.body);
    }
    // Nor somebody who rose since.
    assert_in(&sso.sign_in().await);
    let id = sso.user(GRACE).await["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/users/{id}");
    sso.app.patch(&path, json!({ "role": "admin" })).await;
    assert_out(&sso.sign_in().await, "above_connection");
    assert_eq!(sso.user(GRACE).await["role"], "admin");
}

#[actix_web::test]
async fn the_last_owner_stays_one_whatever_the_claim_says() {
    let sso = with_roles("teacher").await;
    sso.change(json!({ "greatest_role": "owner" })).await;
    assign(&sso.app, "main.example", "main").await;
    sso.change(json!({ "domains": ["school.example", "main.example"] }))
        .await;
    let owner = "owner@main.example";
    sso.provider.say(json!({ "email": owner }));
    sso.provider.say(groups(&json!([])));
    let here = signed_in(&sso.app, owner).await;
    assert_in(&sso.sign_in_holding(&here).await);
    assert_eq!(sso.user(owner).await["role"], "owner");
}

#[actix_web::test]
async fn whoever_signed_in_otherwise_before_proves_both() {
    for database in [Database::Sqlite, Database::Postgres] {
        let sso = Sso::on(database, json!({ "greatest_role": "admin" })).await;
        let invited = json!({ "email": GRACE, "role": "teacher" });
        made(&sso.app, &sso.app.owner, "users", invited).await;
        let before = signed_in(&sso.app, GRACE).await;
        assert_out(&sso.sign_in().await, "prove_other_way");
        // Somebody else who is signed in proves nothing of her.
        let owner = signed_in(&sso.app, "owner@main.example").await;
        assert_out(&sso.sign_in_holding(&owner).await, "prove_other_way");
        let session = assert_in(&sso.sign_in_holding(&before).await);
        assert_ne!(session, before);
        assert_eq!(sso.user(GRACE).await["role"], "teacher");
        // From now on they are one.
        assert_in(&sso.sign_in().await);
    }
}

#[actix_web::test]
async fn whoever_belongs_elsewhere_proves_both_however_long_ago_they_signed_in() {
    let sso = Sso::start().await;
    let other = sso.app.another_workspace("other").await;
    let invited = json!({ "email": GRACE, "role": "owner" });
    made(&sso.app, &other, "users", invited).await;
    accept_by_session(&sso).await;
    // What is known of her sessions is forgotten by then.
    sso.app.clock.advance(60 * 24 * 60 * 60);
    retention::sweep(&sso.app.app).await.unwrap();
    sso.provider.conduct().now = seconds(&sso.app);
    assert_out(&sso.sign_in().await, "prove_other_way");
    let elsewhere = signed_in(&sso.app, GRACE).await;
    assert_in(&sso.sign_in_holding(&elsewhere).await);
}

/// Grace accepts every invitation, signed in by a link.
async fn accept_by_session(sso: &Sso) -> String {
    let session = signed_in(&sso.app, GRACE).await;
    let asked = sso
        .app
        .send(asking("GET", "/v1/invitations", &session))
        .await;
    for invitation in asked.body["data"].as_array().unwrap() {
        let path = format!(
            "/v1/invitations/{}/accept",
            invitation["id"].as_str().unwrap()
        );
        let accepted = sso.app.send(asking("POST", &path, &session)).await;
        assert_eq!(accepted.status, 200, "{}", accepted.body);
    }
    session
}

#[actix_web::test]
async fn a_session_opens_the_workspace_of_its_connection_and_nothing_else() {
    let sso = Sso::start().await;
    let other = sso.app.another_workspace("other").await;
    let invited = json!({ "email": GRACE, "role": "owner" });
    made(&sso.app, &other, "users", invited).await;
    let elsewhere = accept_by_session(&sso).await;
    let session = assert_in(&sso.sign_in_holding(&elsewhere).await);
    let at = |code: &str| {
        let request = asking("GET", "/v1/lessons?course_id=x", &session);
        request.insert_header(("x-learning-platform-code", code.to_owned()))
    };
    let there = sso.app.send(at("other")).await;
    assert_refused(&there, 403, "platform_access_denied", "");
    assert_ne!(
        sso.app.send(at("main")).await.code(),
        "platform_access_denied"
    );
    let platforms = sso.app.send(asking("GET", "/v1/platforms", &session)).await;
    assert_eq!(
        platforms.body["data"].as_array().unwrap().len(),
        1,
        "{}",
        platforms.body
    );
    // Of her sessions it sees those of this workspace alone.
    signed_in(&sso.app, GRACE).await;
    let sessions = sso.app.send(asking("GET", "/v1/sessions", &session)).await;
    let sessions = sessions.body["data"].as_array().unwrap().clone();
    assert_eq!(sessions.len(), 1, "{sessions:?}");
    assert_eq!(sessions[0]["signed_in_by"], "sso");
    for (method, path) in [("GET", "/v1/invitations"), ("POST", "/v1/workspaces")] {
        let request = asking(method, path, &session);
        let request = if method == "POST" {
            request.set_json(json!({ "name": "Mine" }))
        } else {
            request
        };
        let refused = sso.app.send(request).await;
        assert_eq!(refused.status, 403, "{path}: {}", refused.body);
    }
    let own = json!({ "name": "Mine" });
    let key = sso
        .app
        .send(asking("POST", "/v1/api_keys", &session).set_json(own))
        .await;
    assert_refused(&key, 403, "key_bound_to_platform", "");
}

#[actix_web::test]
async fn many_sessions_of_a_provider_end_none_of_the_persons_others() {
    let sso = Sso::start().await;
    made(&sso.app, &sso.app.owner, "users", json!({ "email": GRACE })).await;
    let mine = signed_in(&sso.app, GRACE).await;
    assert_in(&sso.sign_in_holding(&mine).await);
    let mine = signed_in(&sso.app, GRACE).await;
    for _ in 0..25 {
        assert_in(&sso.sign_in().await);
    }
    let me = sso.app.send(asking("GET", "/v1/me", &mine)).await;
    assert_eq!(me.status, 200, "{}", me.body);
}

#[actix_web::test]
async fn whoever_left_comes_back_only_where_anybody_comes() {
    let sso = Sso::start().await;
    assert_in(&sso.sign_in().await);
    let mine = signed_in(&sso.app, GRACE).await;
    let invitation = sso
        .app
        .send(asking("GET", "/v1/invitations?status=accepted", &mine))
        .await;
    let id = invitation.body["data"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let left = format!("/v1/invitations/{id}/decline");
    assert_eq!(sso.app.send(asking("POST", &left, &mine)).await.status, 200);
    sso.change(json!({ "just_in_time": false })).await;
    assert_out(&sso.sign_in().await, "no_member");
    sso.change(json!({ "just_in_time": true })).await;
    assert_in(&sso.sign_in().await);
}

#[actix_web::test]
async fn programs_and_pseudonyms_are_nobodys_to_be() {
    let sso = Sso::start().await;
    assign(&sso.app, "service.invalid", "main").await;
    sso.change(json!({ "domains": ["school.example", "service.invalid"] }))
        .await;
    let program = json!({ "kind": "service", "name": "Sync", "role": "teacher" });
    let made = sso.app.post("/v1/users", program).await;
    sso.provider.say(json!({ "email": made.body["email"] }));
    assert_out(&sso.sign_in().await, "address_elsewhere");
}

#[actix_web::test]
async fn whom_a_directory_switched_off_comes_in_by_no_provider() {
    let sso = Sso::with(json!({ "just_in_time": true })).await;
    assert_in(&sso.sign_in().await);
    suspend(&sso.app, "main", GRACE).await;
    assert_out(&sso.sign_in().await, "no_member");
    assert_eq!(sso.audited("member.accepted").await.len(), 1);
}

#[actix_web::test]
async fn whoever_is_suspended_elsewhere_proves_both_here() {
    let sso = Sso::with(json!({ "just_in_time": true })).await;
    let other = sso.app.another_workspace("home").await;
    let body = json!({ "email": GRACE, "role": "teacher", "invite": false });
    made(&sso.app, &other, "users", body).await;
    let held = signed_in(&sso.app, GRACE).await;
    let waiting = sso.app.send(asking("GET", "/v1/invitations", &held)).await;
    let id = waiting.body["data"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/invitations/{id}/accept");
    let accepted = sso.app.send(asking("POST", &path, &held)).await;
    assert_eq!(accepted.status, 200, "{}", accepted.body);
    suspend(&sso.app, "home", GRACE).await;
    assert_out(&sso.sign_in().await, "prove_other_way");
    assert_in(&sso.sign_in_holding(&held).await);
}

#[test]
fn every_reason_why_somebody_is_not_in_is_put_into_words() {
    let read = |name: &str| {
        let path = format!("{}/../{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).unwrap()
    };
    let handbook = read("docs/identity.md");
    let languages = ["en", "de", "ar"].map(|language| {
        let words = read(&format!("crates/console/assets/sso_{language}.js"));
        let (_, refusals) = words.split_once("sso_refusal: {").unwrap();
        refusals.split_once("sso_fault: {").unwrap().0.to_owned()
    });
    for reason in SsoRefusal::ALL {
        assert!(handbook.contains(&format!("| `{reason}` |")), "{reason}");
        let named = format!(" {reason}: \"");
        assert!(
            languages.iter().all(|words| words.contains(&named)),
            "{reason}"
        );
    }
}
