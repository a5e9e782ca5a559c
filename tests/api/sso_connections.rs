//! What admins do with connections to identity providers, and what a test of one says.

use serde_json::{Value, json};
use support::identity_provider::{CLIENT_ID, CLIENT_SECRET};

use crate::school::{assert_refused, list, made};
use crate::sign_in::asking;
use crate::sso::{Sso, assign};

#[actix_web::test]
async fn a_connection_is_shown_without_its_secret_and_says_what_to_register() {
    let sso = Sso::start().await;
    let path = format!("/v1/sso_connections/{}", sso.id);
    let shown = sso.app.get(&path).await.body;
    assert!(!shown.to_string().contains("hush"), "{shown}");
    assert_eq!(
        shown["redirect_uri"],
        "https://lyceum.test/v1/sign_in/sso/callback"
    );
    let logout = format!("https://lyceum.test/v1/sso_connections/{}/logout", sso.id);
    assert_eq!(shown["backchannel_logout_uri"], logout);
    assert_eq!(list(&sso.app, "sso_connections").await, [shown]);
    for entry in sso.audited("sso_connection.created").await {
        assert!(!entry.to_string().contains("hush"), "{entry}");
    }
    sso.change(json!({ "client_secret": "another hush" })).await;
    let changed = sso.audited("sso_connection.updated").await;
    assert_eq!(changed[0]["new"], json!({ "client_secret_changed": true }));
}

#[actix_web::test]
async fn a_connection_takes_domains_that_were_given_to_its_workspace_alone() {
    let sso = Sso::start().await;
    let other = sso.app.another_workspace("other").await;
    assign(&sso.app, "college.example", "other").await;
    let path = format!("/v1/sso_connections/{}", sso.id);
    for stolen in ["college.example", "gmail.com"] {
        let body = json!({ "domains": ["school.example", stolen] });
        assert_refused(
            &sso.app.patch(&path, body).await,
            400,
            "invalid_field",
            "domains",
        );
    }
    let second = json!({
        "name": "Second", "issuer": sso.provider.issuer, "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET, "domains": ["school.example"],
    });
    let refused = sso.app.post("/v1/sso_connections", second.clone()).await;
    assert_refused(&refused, 400, "invalid_field", "domains");
    let refused = sso
        .app
        .call(&other, "POST", "/v1/sso_connections", Some(second))
        .await;
    assert_refused(&refused, 400, "invalid_field", "domains");
    // Given back, it is there for another.
    sso.change(json!({ "domains": [] })).await;
    assert_refused(
        &sso.ask("grace@school.example", "").await,
        404,
        "resource_missing",
        "",
    );
}

#[actix_web::test]
async fn connections_of_others_are_not_there() {
    let sso = Sso::start().await;
    let other = sso.app.another_workspace("other").await;
    let path = format!("/v1/sso_connections/{}", sso.id);
    for (method, path) in [
        ("GET", path.clone()),
        ("PATCH", path.clone()),
        ("DELETE", path.clone()),
        ("POST", format!("{path}/test")),
    ] {
        let refused = sso.app.call(&other, method, &path, Some(json!({}))).await;
        assert_refused(&refused, 404, "resource_missing", "");
    }
}

#[actix_web::test]
async fn the_issuer_stays_what_it_is() {
    let sso = Sso::start().await;
    let path = format!("/v1/sso_connections/{}", sso.id);
    let body = json!({ "issuer": "https://evil.example" });
    let kept = sso.app.patch(&path, body).await;
    assert_eq!(kept.body["issuer"], json!(sso.provider.issuer));
    assert_eq!(kept.header("x-ignored-fields"), Some("issuer"));
}

/// What a test says is wrong.
async fn faults(sso: &Sso) -> Vec<Value> {
    let path = format!("/v1/sso_connections/{}/test", sso.id);
    let tested = sso.app.post(&path, json!({})).await;
    assert_eq!(tested.status, 200, "{}", tested.body);
    let faults = tested.body["faults"].as_array().unwrap().clone();
    assert_eq!(tested.body["ok"], json!(faults.is_empty()));
    faults
        .into_iter()
        .map(|fault| fault["code"].clone())
        .collect()
}

#[actix_web::test]
async fn a_test_says_what_is_wrong() {
    let sso = Sso::start().await;
    assert_eq!(faults(&sso).await, Vec::<Value>::new());
    for (document, fault) in [
        (
            json!({ "issuer": "https://id.example.org" }),
            "issuer_mismatch",
        ),
        (
            json!({ "jwks_uri": format!("{}/nothing", sso.provider.issuer) }),
            "keys_missing",
        ),
        (
            json!({ "response_types_supported": ["id_token"] }),
            "code_flow_missing",
        ),
        (
            json!({ "code_challenge_methods_supported": ["plain"] }),
            "pkce_missing",
        ),
        (
            json!({ "id_token_signing_alg_values_supported": ["HS256"] }),
            "signing_unsupported",
        ),
        (
            json!({ "authorization_endpoint": "http://10.0.0.1/authorize" }),
            "issuer_unreachable",
        ),
        (json!({ "issuer": null }), "not_a_provider"),
    ] {
        sso.provider.conduct().document = document.as_object().unwrap().clone();
        assert_eq!(faults(&sso).await, [fault]);
    }
    sso.provider.conduct().document.clear();
    sso.change(json!({ "client_secret": "wrong" })).await;
    assert_eq!(faults(&sso).await, ["secret_refused"]);
    sso.change(json!({ "client_secret": CLIENT_SECRET })).await;
    sso.provider.conduct().redirect = Some("https://elsewhere.example".to_owned());
    assert_eq!(faults(&sso).await, ["redirect_refused"]);
    sso.provider.conduct().redirect =
        Some("https://lyceum.test/v1/sign_in/sso/callback".to_owned());
    assert_eq!(faults(&sso).await, Vec::<Value>::new());
}

#[actix_web::test]
async fn no_provider_is_within_our_own_network() {
    let sso = Sso::start().await;
    for issuer in [
        "http://10.0.0.1",
        "http://169.254.169.254/latest",
        "http://192.168.1.1:8080",
        "https://[::1]",
        "https://intern.internal",
    ] {
        let body = json!({
            "name": "Inside", "issuer": issuer, "client_id": "x", "client_secret": "x", "domains": [],
        });
        let id = made(&sso.app, &sso.app.owner, "sso_connections", body).await;
        let tested = sso
            .app
            .post(&format!("/v1/sso_connections/{id}/test"), json!({}))
            .await;
        assert_eq!(
            tested.body["faults"][0]["code"], "issuer_unreachable",
            "{issuer}"
        );
        sso.app.delete(&format!("/v1/sso_connections/{id}")).await;
    }
}

#[actix_web::test]
async fn a_workspace_has_twenty_connections() {
    let sso = Sso::start().await;
    let body = json!({
        "name": "More", "issuer": "https://id.example.org", "client_id": "x", "client_secret": "x",
    });
    for _ in 1..20 {
        made(&sso.app, &sso.app.owner, "sso_connections", body.clone()).await;
    }
    let refused = sso.app.post("/v1/sso_connections", body).await;
    assert_refused(&refused, 409, "limit_reached", "");
}

#[actix_web::test]
async fn whoever_signed_in_long_ago_changes_nothing_here() {
    let sso = Sso::start().await;
    let session = crate::sign_in::signed_in(&sso.app, "owner@main.example").await;
    sso.app.clock.advance(600);
    let path = format!("/v1/sso_connections/{}", sso.id);
    for (method, path) in [
        ("POST", "/v1/sso_connections"),
        ("PATCH", path.as_str()),
        ("DELETE", path.as_str()),
    ] {
        let request = asking(method, path, &session);
        let request = request.insert_header(("x-learning-platform-code", "main"));
        let refused = sso.app.send(request.set_json(json!({}))).await;
        assert_refused(&refused, 403, "recent_sign_in_required", "");
    }
}
