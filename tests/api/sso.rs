//! Signing in by a workspace's identity provider: there, back, who it is, and everything by which somebody else might get in.

use std::collections::HashMap;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use futures_util::future::join_all;
use lyceum_application::Error;
use lyceum_application::identity::sso_connections::domains as sso_domains;
use lyceum_domain::identity::sso_connections::EmailDomain;
use lyceum_domain::identity::workspaces::PlatformCode;
use lyceum_ports::environment::Clock;
use serde_json::{Value, json};
use support::app::{Answer, TestApp};
use support::identity_provider::{CLIENT_ID, CLIENT_SECRET, Forgery, IdentityProvider};
use support::stores::Database;

use crate::school::{app_on, assert_refused, list, made};
use crate::sign_in::{asking, cookie, signed_in};

const PLACE: &str = "https://lyceum.test";
const DOMAIN: &str = "school.example";
const GRACE: &str = "grace@school.example";

/// An application with a provider that says that everybody is Grace.
pub struct Sso {
    pub app: TestApp,
    pub provider: IdentityProvider,
    /// The connection.
    pub id: String,
}

/// Gives a domain to a workspace, as `lyceum domains assign` does.
pub async fn assign(app: &TestApp, domain: &str, code: &str) {
    let domain = EmailDomain::parse(domain).unwrap();
    let code = PlatformCode::parse(code).unwrap();
    let visit = app.app.service_visit();
    let assigning = app
        .app
        .store
        .write(move |tx| sso_domains::assign(tx, &visit, &domain, &code));
    let assigned: Result<_, Error> = assigning.await;
    assigned.unwrap();
}

pub fn seconds(app: &TestApp) -> i64 {
    app.clock.now().unix_seconds()
}

impl Sso {
    pub async fn start() -> Self {
        Self::on(Database::Sqlite, json!({})).await
    }

    /// With a connection of this kind.
    pub async fn with(differing: Value) -> Self {
        Self::on(Database::Sqlite, differing).await
    }

    pub async fn on(database: Database, differing: Value) -> Self {
        let app = app_on(database).await.reached_at(PLACE);
        let provider = IdentityProvider::start(seconds(&app));
        provider.say(json!({ "email": GRACE, "email_verified": true, "name": "Grace Hopper" }));
        // It has just asked her who she is.
        provider.say(json!({ "auth_time": seconds(&app) }));
        assign(&app, DOMAIN, "main").await;
        let mut body = json!({
            "name": "School accounts",
            "issuer": provider.issuer,
            "client_id": CLIENT_ID,
            "client_secret": CLIENT_SECRET,
            "domains": [DOMAIN],
            "just_in_time": true,
        });
        for (name, value) in differing.as_object().unwrap() {
            body[name] = value.clone();
        }
        let id = made(&app, &app.owner, "sso_connections", body).await;
        Self { app, provider, id }
    }

    /// Asks where whoever has this address signs in, in a browser that holds this.
    pub async fn ask(&self, email: &str, held: &str) -> Answer {
        let body = json!({ "email": email, "place": "/courses" });
        let request = asking("POST", "/v1/sign_in/sso", held).set_json(body);
        self.app.send(request).await
    }

    /// Goes to the provider and signs in there: what the browser holds, and what it brings back.
    pub async fn leave(&self, held: &str) -> (String, HashMap<String, String>) {
        let asked = self.ask(GRACE, held).await;
        assert_eq!(asked.status, 200, "{}", asked.body);
        let brought = self.provider.visit(asked.body["url"].as_str().unwrap());
        (cookie(&asked), brought)
    }

    /// Comes back with this.
    pub async fn come_back(&self, held: &str, brought: &HashMap<String, String>) -> Answer {
        self.app.send(back(held, brought)).await
    }

    /// All of it, in a browser that holds this.
    pub async fn sign_in_holding(&self, held: &str) -> Answer {
        let (asked, brought) = self.leave(held).await;
        let all = if held.is_empty() {
            asked
        } else {
            format!("{held}; {asked}")
        };
        self.come_back(&all, &brought).await
    }

    pub async fn sign_in(&self) -> Answer {
        self.sign_in_holding("").await
    }

    /// Changes the connection.
    pub async fn change(&self, body: Value) {
        let path = format!("/v1/sso_connections/{}", self.id);
        let changed = self.app.patch(&path, body).await;
        assert_eq!(changed.status, 200, "{}", changed.body);
    }

    pub async fn users(&self) -> Vec<Value> {
        list(&self.app, "users").await
    }

    pub async fn user(&self, email: &str) -> Value {
        let users = self.users().await;
        let found = users.into_iter().find(|user| user["email"] == email);
        found.unwrap()
    }

    /// The audit trail's entries of this kind.
    pub async fn audited(&self, action: &str) -> Vec<Value> {
        list(&self.app, &format!("audit?action={action}")).await
    }
}

/// What a browser asks that a provider sends back.
pub fn back(held: &str, brought: &HashMap<String, String>) -> TestRequest {
    let mut url = format!("{PLACE}/v1/sign_in/sso/callback?");
    for (name, value) in brought {
        let value = value
            .replace('%', "%25")
            .replace('&', "%26")
            .replace(' ', "%20");
        url = format!("{url}{name}={}&", value.replace('+', "%2B"));
    }
    let path = url.strip_prefix(PLACE).unwrap().trim_end_matches('&');
    let request = TestRequest::with_uri(path)
        .method(Method::GET)
        .insert_header(("sec-fetch-site", "cross-site"))
        .insert_header(("sec-fetch-mode", "navigate"));
    if held.is_empty() {
        return request;
    }
    request.insert_header(("cookie", held))
}

/// Signed in, and come out where they wanted to: what the browser holds now.
pub fn assert_in(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.body);
    let there = format!("{PLACE}/studio#/courses");
    assert_eq!(answer.header("location"), Some(there.as_str()));
    let held = cookie(answer);
    assert!(held.starts_with("__Host-lyceum=lyc_w"), "{held}");
    held
}

/// Not signed in, and told why.
pub fn assert_out(answer: &Answer, reason: &str) {
    assert_eq!(answer.status, 303, "{}", answer.body);
    let place = answer.header("location").unwrap();
    let told = place
        .strip_prefix(&format!("{PLACE}/studio#/sign-in/sso/"))
        .unwrap();
    assert_eq!(told.split('/').next(), Some(reason));
    assert_eq!(answer.header("set-cookie"), None);
}

#[actix_web::test]
async fn somebody_signs_in_by_their_organisation_and_is_a_member() {
    for database in [Database::Sqlite, Database::Postgres] {
        let sso = Sso::on(database, json!({})).await;
        let (held, brought) = sso.leave("").await;
        let answer = sso.come_back(&held, &brought).await;
        let session = assert_in(&answer);
        assert!(
            answer
                .header("set-cookie")
                .unwrap()
                .contains("; HttpOnly; SameSite=Lax; Secure;")
        );
        let me = sso.app.send(asking("GET", "/v1/me", &session)).await;
        assert_eq!(me.body["email"], GRACE, "{}", me.body);
        let grace = sso.user(GRACE).await;
        assert_eq!(
            (&grace["role"], &grace["name"]),
            (&json!("student"), &json!("Grace Hopper"))
        );
        assert_eq!(sso.audited("session.started").await.len(), 1);
        assert_eq!(sso.audited("sso_connection.linked").await.len(), 1);
        // And again: the same person.
        assert_in(&sso.sign_in().await);
        assert_eq!(sso.users().await.len(), 2);
        let path = format!("/v1/sso_connections/{}", sso.id);
        let told = sso.app.get(&path).await.body;
        assert!(told["last_signed_in_at"].is_string(), "{told}");
    }
}

#[actix_web::test]
async fn which_organisation_it_is_hangs_on_the_domain_alone() {
    let sso = Sso::start().await;
    let known = sso.ask("owner@main.example", "").await;
    let unknown = sso.ask("nobody@main.example", "").await;
    for none in [&known, &unknown] {
        assert_refused(none, 404, "resource_missing", "");
    }
    assert_eq!(
        known.body["error"]["message"],
        unknown.body["error"]["message"]
    );
    sso.change(json!({ "enabled": false })).await;
    let off = sso.ask(GRACE, "").await;
    assert_refused(&off, 404, "resource_missing", "");
    assert_eq!(
        off.body["error"]["message"],
        unknown.body["error"]["message"]
    );
}

#[actix_web::test]
async fn a_page_of_somebody_else_begins_nothing() {
    let sso = Sso::start().await;
    let body = json!({ "email": GRACE });
    let request = TestRequest::with_uri("/v1/sign_in/sso")
        .method(Method::POST)
        .insert_header(("sec-fetch-site", "cross-site"))
        .set_json(body);
    let refused = sso.app.send(request).await;
    assert_refused(&refused, 401, "cross_site_session", "");
}

#[actix_web::test]
async fn nobody_is_sent_anywhere_but_to_the_console() {
    let sso = Sso::start().await;
    for place in [
        "https://evil.example",
        "//evil.example",
        "courses",
        "/a?b=c",
        "/a#b",
    ] {
        let body = json!({ "email": GRACE, "place": place });
        let refused = sso
            .app
            .send(asking("POST", "/v1/sign_in/sso", "").set_json(body))
            .await;
        assert_refused(&refused, 400, "invalid_field", "place");
    }
    // Whatever comes along with the way back: where they come out was said before they left.
    let (held, mut brought) = sso.leave("").await;
    for name in ["place", "return_to", "redirect_uri", "next"] {
        brought.insert(name.to_owned(), "https://evil.example".to_owned());
    }
    assert_in(&sso.come_back(&held, &brought).await);
}

#[actix_web::test]
async fn what_was_brought_back_works_once() {
    for database in [Database::Sqlite, Database::Postgres] {
        let sso = Sso::on(database, json!({})).await;
        let (held, brought) = sso.leave("").await;
        let all = join_all((0..20).map(|_| sso.come_back(&held, &brought))).await;
        let is_in = |answer: &&Answer| answer.header("set-cookie").is_some();
        assert_eq!(all.iter().filter(is_in).count(), 1);
        assert_out(&sso.come_back(&held, &brought).await, "expired");
        assert_eq!(sso.provider.asked_for("/token"), 1);
    }
}

#[actix_web::test]
async fn many_come_at_once_for_the_first_time_and_each_is_one() {
    for database in [Database::Sqlite, Database::Postgres] {
        let sso = Sso::on(database, json!({})).await;
        let left = join_all((0..20).map(|_| sso.leave(""))).await;
        let back = left
            .iter()
            .map(|(held, brought)| sso.come_back(held, brought));
        for answer in join_all(back).await {
            assert_in(&answer);
        }
        assert_eq!(sso.users().await.len(), 2);
        assert_eq!(sso.audited("sso_connection.linked").await.len(), 1);
    }
}

#[actix_web::test]
async fn it_works_in_the_browser_that_began_it_and_is_not_used_up_in_another() {
    let sso = Sso::start().await;
    let (held, brought) = sso.leave("").await;
    let (others, _) = sso.leave("").await;
    for elsewhere in ["", others.as_str(), "__Host-lyceum-asked=00"] {
        assert_out(&sso.come_back(elsewhere, &brought).await, "expired");
    }
    assert_eq!(sso.provider.asked_for("/token"), 0);
    assert_in(&sso.come_back(&held, &brought).await);
}

#[actix_web::test]
async fn it_works_for_ten_minutes() {
    let sso = Sso::start().await;
    let (held, brought) = sso.leave("").await;
    sso.app.clock.advance(600);
    assert_out(&sso.come_back(&held, &brought).await, "expired");
}

#[actix_web::test]
async fn whoever_is_refused_there_is_not_signed_in_here() {
    let sso = Sso::start().await;
    let (held, mut brought) = sso.leave("").await;
    brought.remove("code");
    brought.insert("error".to_owned(), "access_denied".to_owned());
    let answer = sso.come_back(&held, &brought).await;
    assert_out(&answer, "denied");
    // Where they wanted to go is not lost.
    assert!(
        answer
            .header("location")
            .unwrap()
            .ends_with("/denied/courses")
    );
}

#[actix_web::test]
async fn forged_tokens_let_nobody_in() {
    let sso = Sso::start().await;
    for forgery in [
        Forgery::Broken,
        Forgery::ByAnotherKey,
        Forgery::Unsigned,
        Forgery::HmacOfPublicKey,
        Forgery::HmacOfSecret,
    ] {
        sso.provider.conduct().forgery = forgery;
        assert_out(&sso.sign_in().await, "provider_failed");
        assert_eq!(sso.users().await.len(), 1, "{forgery:?}");
    }
    sso.provider.conduct().forgery = Forgery::Honest;
    assert_in(&sso.sign_in().await);
}

#[actix_web::test]
async fn tokens_that_say_the_wrong_thing_let_nobody_in() {
    let sso = Sso::start().await;
    let now = seconds(&sso.app);
    for (name, wrong) in [
        ("iss", json!("https://id.example.org")),
        ("iss", Value::Null),
        ("aud", json!("somebody else")),
        ("aud", json!([CLIENT_ID, "somebody else"])),
        ("aud", json!([])),
        ("exp", json!(now - 61)),
        ("exp", Value::Null),
        ("iat", json!(now + 61)),
        ("nbf", json!(now + 61)),
        ("nbf", json!("soon")),
        ("auth_time", json!(now + 61)),
        ("auth_time", json!("just now")),
        ("nonce", json!("another")),
        ("nonce", Value::Null),
        ("sub", json!("")),
        ("sub", Value::Null),
    ] {
        sso.provider.say(json!({ name: wrong }));
        assert_out(&sso.sign_in().await, "provider_failed");
        sso.provider.conduct().claims.remove(name);
    }
    assert_eq!(sso.users().await.len(), 1);
    // A clock may be off by a little.
    sso.provider
        .say(json!({ "exp": now - 30, "iat": now + 30, "nbf": now + 30, "auth_time": now + 30 }));
    assert_in(&sso.sign_in().await);
}

#[actix_web::test]
async fn a_code_is_exchanged_only_with_what_the_browser_proves() {
    let sso = Sso::start().await;
    // Somebody who saw another's code puts it into a way of their own.
    let (_, seen) = sso.leave("").await;
    let (held, mut brought) = sso.leave("").await;
    brought.insert("code".to_owned(), seen["code"].clone());
    assert_out(&sso.come_back(&held, &brought).await, "provider_failed");
}

#[actix_web::test]
async fn answers_of_another_provider_let_nobody_in() {
    let sso = Sso::start().await;
    let (held, mut brought) = sso.leave("").await;
    brought.insert("iss".to_owned(), "https://id.example.org".to_owned());
    assert_out(&sso.come_back(&held, &brought).await, "provider_failed");
    // It says that it always says who it is.
    let (held, mut brought) = sso.leave("").await;
    brought.remove("iss");
    assert_out(&sso.come_back(&held, &brought).await, "provider_failed");
    assert_eq!(
        sso.provider.asked_for("/token"),
        0,
        "no code of the one goes to the other"
    );
}

#[actix_web::test]
async fn two_providers_are_not_mixed_up() {
    let sso = Sso::start().await;
    let other = IdentityProvider::start(seconds(&sso.app));
    other.say(json!({ "email": GRACE, "email_verified": true }));
    // The other's token, in the name of ours.
    other.say(json!({ "iss": sso.provider.issuer }));
    assign(&sso.app, "college.example", "main").await;
    let body = json!({
        "name": "College", "issuer": other.issuer, "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET,
        "domains": ["college.example"], "just_in_time": true,
    });
    made(&sso.app, &sso.app.owner, "sso_connections", body).await;
    let asked = sso.ask("ada@college.example", "").await;
    let brought = other.visit(asked.body["url"].as_str().unwrap());
    assert_out(
        &sso.come_back(&cookie(&asked), &brought).await,
        "provider_failed",
    );
    // Honest now; but the address is of the first one's domain.
    other.conduct().claims.remove("iss");
    let asked = sso.ask("ada@college.example", "").await;
    let brought = other.visit(asked.body["url"].as_str().unwrap());
    assert_out(
        &sso.come_back(&cookie(&asked), &brought).await,
        "address_elsewhere",
    );
    // What is brought back counts for the connection that it left by, with its provider's code alone.
    let (held, mine) = sso.leave("").await;
    let mut mixed = mine.clone();
    mixed.insert("code".to_owned(), brought["code"].clone());
    assert_out(&sso.come_back(&held, &mixed).await, "provider_failed");
    assert_eq!(sso.users().await.len(), 1);
}

#[actix_web::test]
async fn an_address_counts_only_where_the_provider_vouches_for_it() {
    let sso = Sso::start().await;
    for said in [json!(false), json!("false"), Value::Null] {
        sso.provider.say(json!({ "email_verified": said }));
        assert_out(&sso.sign_in().await, "address_unverified");
    }
    // Silence counts where an admin said so; a no does not.
    sso.change(json!({ "trusts_addresses": true })).await;
    sso.provider.say(json!({ "email_verified": false }));
    assert_out(&sso.sign_in().await, "address_unverified");
    sso.provider
        .say(json!({ "email": null, "email_verified": true }));
    assert_out(&sso.sign_in().await, "address_unverified");
    let refused = sso.audited("sso_connection.refused").await;
    assert_eq!(refused.len(), 5);
    assert_eq!(refused[0]["new"], json!({ "reason": "address_unverified" }));
    sso.provider
        .say(json!({ "email": GRACE, "email_verified": null }));
    assert_in(&sso.sign_in().await);
}

#[actix_web::test]
async fn an_address_is_of_the_connections_domain_letter_by_letter() {
    let sso = Sso::start().await;
    for elsewhere in [
        "grace@evil.example",
        "grace@sub.school.example",
        "grace@school.example.evil.example",
        "grace@notschool.example",
    ] {
        sso.provider.say(json!({ "email": elsewhere }));
        assert_out(&sso.sign_in().await, "address_elsewhere");
    }
    assert_eq!(sso.users().await.len(), 1);
}

#[actix_web::test]
async fn the_address_may_stand_in_userinfo_of_the_same_subject() {
    let sso = Sso::start().await;
    sso.provider
        .say(json!({ "email": null, "email_verified": null }));
    let told = |sub: &str| json!({ "sub": sub, "email": GRACE, "email_verified": true, "nonce": "another" });
    sso.provider.conduct().userinfo = Some(told("somebody else"));
    assert_out(&sso.sign_in().await, "provider_failed");
    sso.provider.conduct().userinfo = Some(told("ada at the provider"));
    assert_in(&sso.sign_in().await);
}

#[actix_web::test]
async fn keys_that_are_exchanged_are_fetched_again_and_not_at_everybodys_will() {
    let sso = Sso::start().await;
    assert_in(&sso.sign_in().await);
    assert_eq!(sso.provider.asked_for("/keys"), 1);
    sso.provider.rotate();
    sso.app.clock.advance(30);
    assert_in(&sso.sign_in().await);
    assert_eq!(sso.provider.asked_for("/keys"), 2);
    sso.provider.conduct().forgery = Forgery::ByAnotherKey;
    for _ in 0..5 {
        assert_out(&sso.sign_in().await, "provider_failed");
    }
    assert_eq!(sso.provider.asked_for("/keys"), 2, "asked a moment ago");
    assert_eq!(
        sso.provider.asked_for("/.well-known/openid-configuration"),
        1
    );
}

#[actix_web::test]
async fn who_is_let_in_by_nobody_stays_out() {
    let sso = Sso::with(json!({ "just_in_time": false })).await;
    assert_out(&sso.sign_in().await, "no_member");
    // Whoever was asked to come accepts by coming.
    let invited = json!({ "email": GRACE, "role": "teacher" });
    made(&sso.app, &sso.app.owner, "users", invited).await;
    assert_in(&sso.sign_in().await);
    assert_eq!(sso.user(GRACE).await["role"], "teacher");
    assert_eq!(sso.audited("member.accepted").await.len(), 1);
}

#[actix_web::test]
async fn switching_a_connection_off_ends_what_began_by_it() {
    let sso = Sso::start().await;
    let session = assert_in(&sso.sign_in().await);
    let (held, brought) = sso.leave("").await;
    sso.change(json!({ "enabled": false })).await;
    let gone = sso.app.send(asking("GET", "/v1/me", &session)).await;
    assert_refused(&gone, 401, "api_key_revoked", "");
    assert_out(&sso.come_back(&held, &brought).await, "switched_off");
    assert_eq!(sso.audited("session.ended").await.len(), 1);
}

#[actix_web::test]
async fn deleting_a_connection_ends_what_began_by_it_and_frees_its_domains() {
    let sso = Sso::start().await;
    let session = assert_in(&sso.sign_in().await);
    let path = format!("/v1/sso_connections/{}", sso.id);
    assert_eq!(sso.app.delete(&path).await.status, 200);
    let gone = sso.app.send(asking("GET", "/v1/me", &session)).await;
    assert_refused(&gone, 401, "api_key_revoked", "");
    assert_refused(&sso.ask(GRACE, "").await, 404, "resource_missing", "");
}

#[actix_web::test]
async fn signing_in_ends_what_the_browser_held() {
    let sso = Sso::start().await;
    let planted = signed_in(&sso.app, "owner@main.example").await;
    let session = assert_in(&sso.sign_in_holding(&planted).await);
    assert_ne!(session, planted);
    let gone = sso.app.send(asking("GET", "/v1/me", &planted)).await;
    assert_refused(&gone, 401, "api_key_revoked", "");
}

#[actix_web::test]
async fn on_http_nobody_is_signed_in() {
    let sso = Sso::start().await;
    let app = sso.app.reached_at("http://lyceum.test");
    let answer = app.send(back("", &HashMap::new())).await;
    assert_eq!(answer.status, 303);
    assert_eq!(
        answer.header("location"),
        Some("http://lyceum.test/studio#/sign-in/sso/insecure")
    );
}
