//! What a provider tells behind people's backs: that somebody is no longer signed in there.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use futures_util::future::join_all;
use serde_json::{Value, json};
use support::app::Answer;
use support::identity_provider::{CLIENT_ID, Forgery};
use support::stores::Database;

use crate::school::assert_refused;
use crate::sign_in::asking;
use crate::sso::{Sso, assert_in, seconds};

const SUBJECT: &str = "ada at the provider";
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// What a logout token says now, but for this.
fn said(sso: &Sso, differing: &Value) -> Value {
    let now = seconds(&sso.app);
    let mut said = json!({
        "iss": sso.provider.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 120,
        "jti": "once", "sub": SUBJECT, "events": { EVENT: {} },
    });
    for (name, value) in differing.as_object().unwrap() {
        if value.is_null() {
            said.as_object_mut().unwrap().remove(name);
        } else {
            said[name] = value.clone();
        }
    }
    said
}

async fn tell(sso: &Sso, token: &str) -> Answer {
    let request = TestRequest::with_uri(&format!("/v1/sso_connections/{}/logout", sso.id))
        .method(Method::POST)
        .insert_header(("content-type", "application/x-www-form-urlencoded"))
        .set_payload(format!("logout_token={token}"));
    sso.app.send(request).await
}

async fn tell_that(sso: &Sso, differing: Value) -> Answer {
    let token = sso.provider.token("logout+jwt", &said(sso, &differing));
    tell(sso, &token).await
}

async fn is_in(sso: &Sso, session: &str) -> bool {
    sso.app.send(asking("GET", "/v1/me", session)).await.status == 200
}

#[actix_web::test]
async fn whoever_signs_out_there_is_signed_out_here() {
    for database in [Database::Sqlite, Database::Postgres] {
        let sso = Sso::on(database, json!({})).await;
        sso.provider.say(json!({ "sid": "one" }));
        let one = assert_in(&sso.sign_in().await);
        sso.provider.say(json!({ "sid": "two" }));
        let two = assert_in(&sso.sign_in().await);
        let told = tell_that(&sso, json!({ "sid": "one" })).await;
        assert_eq!(
            (told.status, &told.body["ended"]),
            (200, &json!(1)),
            "{}",
            told.body
        );
        assert_eq!(told.header("cache-control"), Some("no-store"));
        assert!(!is_in(&sso, &one).await && is_in(&sso, &two).await);
        let told = tell_that(&sso, json!({})).await;
        assert_eq!(told.body["ended"], 1);
        assert!(!is_in(&sso, &two).await);
        assert_eq!(sso.audited("session.ended").await.len(), 2);
    }
}

#[actix_web::test]
async fn what_was_told_once_ends_nothing_that_begins_later() {
    let sso = Sso::start().await;
    let token = sso.provider.token("logout+jwt", &said(&sso, &json!({})));
    assert_eq!(tell(&sso, &token).await.body["ended"], 0);
    sso.app.clock.advance(61);
    let later = assert_in(&sso.sign_in().await);
    let again = tell(&sso, &token).await;
    assert_eq!((again.status, &again.body["ended"]), (200, &json!(0)));
    assert!(is_in(&sso, &later).await);
}

#[actix_web::test]
async fn what_the_provider_did_not_say_to_us_ends_nothing() {
    let sso = Sso::start().await;
    let session = assert_in(&sso.sign_in().await);
    let now = seconds(&sso.app);
    for wrong in [
        json!({ "iss": "https://id.example.org" }),
        json!({ "aud": "somebody else" }),
        json!({ "aud": null }),
        json!({ "events": null }),
        json!({ "events": { "http://example.org/other": {} } }),
        json!({ "events": { EVENT: "yes" } }),
        json!({ "nonce": "an ID token has one" }),
        json!({ "jti": null }),
        json!({ "iat": null }),
        json!({ "iat": now + 61 }),
        json!({ "nbf": now + 61 }),
        json!({ "nbf": "soon" }),
        json!({ "exp": now - 61 }),
        json!({ "exp": "never" }),
        json!({ "exp": null, "iat": now - 361 }),
        json!({ "sub": null }),
    ] {
        let refused = tell_that(&sso, wrong.clone()).await;
        assert_refused(&refused, 400, "invalid_field", "logout_token");
    }
    for forgery in [
        Forgery::Broken,
        Forgery::ByAnotherKey,
        Forgery::Unsigned,
        Forgery::HmacOfPublicKey,
        Forgery::HmacOfSecret,
    ] {
        sso.provider.conduct().forgery = forgery;
        let refused = tell_that(&sso, json!({})).await;
        assert_refused(&refused, 400, "invalid_field", "logout_token");
    }
    sso.provider.conduct().forgery = Forgery::Honest;
    let other = sso.provider.token("at+jwt", &said(&sso, &json!({})));
    for token in [other.as_str(), "", "a.b", "a.b.c", "....", "\u{0}"] {
        assert_eq!(tell(&sso, token).await.status, 400, "{token}");
    }
    assert!(is_in(&sso, &session).await);
    // A clock may be off by a little.
    let nobody = tell_that(&sso, json!({ "sub": "somebody else", "nbf": now + 30 })).await;
    assert_eq!(nobody.body["ended"], 0);
    assert!(is_in(&sso, &session).await);
}

#[actix_web::test]
async fn a_connection_that_is_not_there_hears_nothing() {
    let mut sso = Sso::start().await;
    sso.id = sso.id.replace("sso_0", "sso_1");
    assert_refused(
        &tell_that(&sso, json!({})).await,
        404,
        "resource_missing",
        "",
    );
}

#[actix_web::test]
async fn of_twenty_who_come_while_the_provider_is_away_one_has_it_asked() {
    const DOCUMENT: &str = "/.well-known/openid-configuration";
    let sso = Sso::start().await;
    sso.provider.conduct().is_down = true;
    let token = sso.provider.token("logout+jwt", &said(&sso, &json!({})));
    for refused in join_all((0..20).map(|_| tell(&sso, &token))).await {
        assert_refused(&refused, 502, "identity_provider_error", "");
    }
    // Nor does whoever wants to sign in wait for what others were just told.
    let refused = sso.ask("grace@school.example", "").await;
    assert_refused(&refused, 502, "identity_provider_error", "");
    assert_eq!(sso.provider.asked_for(DOCUMENT), 1);
    // That is forgotten in a moment, and nothing of it stays.
    sso.provider.conduct().is_down = false;
    sso.app.clock.advance(10);
    sso.provider.conduct().now = seconds(&sso.app);
    assert_in(&sso.sign_in().await);
    assert_eq!(sso.provider.asked_for(DOCUMENT), 2);
}
