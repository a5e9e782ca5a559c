//! From where keys are used over HTTP: what is allowed, and what is noted.

use std::net::SocketAddr;

use lyceum_api::edge::rate_limit::RateLimits;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp, request};
use support::stores::Database;

use crate::school::{app_on, assert_refused, caller, events, list, made};

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];

/// What somebody is told who calls from there, with what proxies say.
async fn from(app: &TestApp, key: &Caller, peer: &str, forwarded: Option<&str>) -> Answer {
    let peer: SocketAddr = peer.parse().unwrap();
    let mut sent = request(key, "GET", "/v1/courses").peer_addr(peer);
    if let Some(forwarded) = forwarded {
        sent = sent.insert_header(("x-forwarded-for", forwarded));
    }
    app.send(sent).await
}

async fn key_of(app: &TestApp, networks: Value) -> (String, Caller) {
    let made = app
        .post("/v1/api_keys", json!({"allowed_addresses": networks}))
        .await;
    assert_eq!(made.status, 201, "{}", made.body);
    assert_eq!(made.body["allowed_addresses"], networks);
    (made.id(), caller(&made.body["api_key"]))
}

#[actix_web::test]
async fn a_key_opens_from_its_networks_and_from_nowhere_else() {
    for database in BOTH {
        let app = app_on(database).await;
        let (id, key) = key_of(&app, json!(["10.0.0.0/8", "2001:db8::/32"])).await;
        for inside in [
            "10.1.2.3:1",
            "[::ffff:10.1.2.3]:1",
            "[2001:db8:1:2:3:4:5:6]:1",
        ] {
            let answer = from(&app, &key, inside, None).await;
            assert_eq!(answer.status, 200, "{inside} {}", answer.body);
        }
        // Who was let in a moment ago is asked again, and nobody is taken at their word.
        for (outside, forwarded) in [
            ("11.1.2.3:1", None),
            ("[::ffff:11.1.2.3]:1", None),
            ("[2001:db9::1]:1", None),
            ("[::10.1.2.3]:1", None),
            ("11.1.2.3:1", Some("10.1.2.3")),
        ] {
            let refused = from(&app, &key, outside, forwarded).await;
            assert_refused(&refused, 403, "address_not_allowed", "");
        }
        // Nobody knows from where.
        let refused = app.call(&key, "GET", "/v1/courses", None).await;
        assert_refused(&refused, 403, "address_not_allowed", "");
        // A change bites with the next request.
        let path = format!("/v1/api_keys/{id}");
        let to = json!({"allowed_addresses": ["192.0.2.7"]});
        let changed = app.patch(&path, to).await;
        assert_eq!(changed.body["allowed_addresses"], json!(["192.0.2.7/32"]));
        let refused = from(&app, &key, "10.1.2.3:1", None).await;
        assert_refused(&refused, 403, "address_not_allowed", "");
        assert_eq!(from(&app, &key, "192.0.2.7:1", None).await.status, 200);
        let noted = list(&app, "audit?action=key.updated").await;
        assert_eq!(
            noted[0]["new"]["allowed_addresses"],
            json!(["192.0.2.7/32"])
        );
        app.patch(&path, json!({"allowed_addresses": []})).await;
        assert_eq!(from(&app, &key, "203.0.113.9:1", None).await.status, 200);
    }
}

#[actix_web::test]
async fn behind_a_proxy_it_is_the_address_that_the_proxy_saw() {
    let limits = RateLimits {
        trusted_proxies: 1,
        ..RateLimits::default()
    };
    let app = TestApp::start().await.limited(limits);
    let (_, key) = key_of(&app, json!(["203.0.113.0/24"])).await;
    let proxy = "10.0.0.1:1";
    for forwarded in [
        "203.0.113.9",
        "198.51.100.1, 203.0.113.9",
        "::ffff:203.0.113.9",
    ] {
        let answer = from(&app, &key, proxy, Some(forwarded)).await;
        assert_eq!(answer.status, 200, "{forwarded} {}", answer.body);
    }
    // What stands before what the proxy says is the caller's own word.
    for forwarded in ["203.0.113.9, 198.51.100.1", "198.51.100.1"] {
        let refused = from(&app, &key, proxy, Some(forwarded)).await;
        assert_refused(&refused, 403, "address_not_allowed", "");
    }
}

#[actix_web::test]
async fn whoever_has_no_key_is_told_nothing_of_it() {
    let app = TestApp::start().await;
    let (id, key) = key_of(&app, json!(["10.0.0.0/8"])).await;
    // The public part of a key with the secret of another.
    let other = app.post("/v1/api_keys", json!({})).await;
    let secret = other.body["api_key"].as_str().unwrap();
    let (public, _) = key.key.split_once('-').unwrap();
    let (_, hidden) = secret.split_once('-').unwrap();
    let forged = Caller {
        key: format!("{public}-{hidden}"),
        ..key.clone()
    };
    let refused = from(&app, &forged, "11.1.2.3:1", None).await;
    assert_refused(&refused, 401, "invalid_api_key", "");
    app.post(&format!("/v1/api_keys/{id}/revoke"), json!({}))
        .await;
    let refused = from(&app, &key, "11.1.2.3:1", None).await;
    assert_refused(&refused, 401, "api_key_revoked", "");
}

#[actix_web::test]
async fn what_takes_its_place_has_the_same_networks_and_its_sessions_have_none() {
    let app = TestApp::start().await;
    let (id, key) = key_of(&app, json!(["10.0.0.0/8"])).await;
    let rotated = app
        .post(&format!("/v1/api_keys/{id}/rotate"), json!({}))
        .await;
    assert_eq!(rotated.body["allowed_addresses"], json!(["10.0.0.0/8"]));
    made(&app, &app.owner, "users", json!({"email": "ada@x.example"})).await;
    let inside: SocketAddr = "10.1.2.3:1".parse().unwrap();
    let start = request(&key, "POST", "/v1/tokens/start")
        .peer_addr(inside)
        .set_json(json!({"email": "ada@x.example"}));
    let started = app.send(start).await;
    assert_eq!(started.status, 200, "{}", started.body);
    let token = json!({"token": started.body["token"]});
    let session = app.post("/v1/tokens/finish", token).await;
    let session = caller(&session.body["api_key"]);
    let outside: SocketAddr = "203.0.113.9:1".parse().unwrap();
    let me = request(&session, "GET", "/v1/me").peer_addr(outside);
    assert_eq!(app.send(me).await.status, 200);
}

#[actix_web::test]
async fn what_is_no_network_is_refused_where_it_stands() {
    let app = TestApp::start().await;
    for (networks, field) in [
        (json!(["10.0.0.1/8"]), "allowed_addresses[0]"),
        (json!(["10.0.0.0/8", "example.org"]), "allowed_addresses[1]"),
        (json!(["10.0.0.0/33"]), "allowed_addresses[0]"),
    ] {
        let body = json!({"allowed_addresses": networks});
        let refused = app.post("/v1/api_keys", body).await;
        assert_refused(&refused, 400, "invalid_field", field);
    }
    let many: Vec<String> = (0..51).map(|n| format!("10.0.0.{n}")).collect();
    let body = json!({"allowed_addresses": many});
    let refused = app.post("/v1/api_keys", body).await;
    assert_refused(&refused, 400, "invalid_field", "allowed_addresses");
}

#[actix_web::test]
async fn a_member_does_not_widen_what_was_made_for_them() {
    let app = TestApp::start().await;
    let home = app.another_workspace("home").await;
    let body = json!({"email": "owner@home.example", "role": "teacher"});
    let member = made(&app, &app.owner, "users", body).await;
    app.accept_everything(&home.key).await;
    let body = json!({"user_id": member, "allowed_addresses": ["10.0.0.0/8"]});
    let made = app.post("/v1/api_keys", body).await;
    let path = format!("/v1/api_keys/{}", made.id());
    let inside: SocketAddr = "10.1.2.3:1".parse().unwrap();
    for key in [&home.key, made.body["api_key"].as_str().unwrap()] {
        let sent = actix_web::test::TestRequest::patch()
            .uri(&path)
            .peer_addr(inside)
            .insert_header(("x-api-key", key))
            .set_json(json!({"allowed_addresses": []}));
        let refused = app.send(sent).await;
        assert_refused(&refused, 403, "insufficient_role", "");
    }
}

#[actix_web::test]
async fn from_where_it_was_used_is_noted_for_who_sees_the_key() {
    for database in BOTH {
        let app = app_on(database).await;
        let (id, key) = key_of(&app, json!([])).await;
        let path = format!("/v1/api_keys/{id}");
        assert_eq!(app.get(&path).await.body["last_used_from"], Value::Null);
        for (peer, place) in [
            ("203.0.113.7:1", "203.0.113.7"),
            ("[2001:db8:1:2:3:4:5:6]:1", "2001:db8:1:2::/64"),
        ] {
            app.clock.advance(61);
            assert_eq!(from(&app, &key, peer, None).await.status, 200);
            // It is noted off the path of the request.
            let mut seen = Value::Null;
            for _ in 0..200 {
                seen = app.get(&path).await.body["last_used_from"].clone();
                if seen == place {
                    break;
                }
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
            assert_eq!(seen, place, "{database:?}");
        }
        app.post(&format!("{path}/revoke"), json!({})).await;
        let told = json!(events(&app, "api_key.revoked").await).to_string();
        assert!(!told.contains("2001:db8"), "{told}");
    }
}
