//! Passkeys: whom one lets in, and which answers let nobody in.

use std::sync::Arc;

use futures_util::future::join_all;
use insta::assert_json_snapshot;
use lyceum_passkeys::Passkeys;
use serde_json::{Value, json};
use support::app::{Answer, TestApp};
use support::authenticator::Device;
use support::stores::Database;

use crate::mails::{send, with_postbox};
use crate::school::{app_on, assert_refused, list, made};
use crate::sent_invitations::suspend;
use crate::sign_in::{asking, cookie, signed_in};
use crate::sso::{Sso, assert_in};

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];
const PLACE: &str = "https://lyceum.test";
const OWNER: &str = "owner@main.example";

/// An application that callers reach by https, under a name.
async fn start_on(database: Database) -> TestApp {
    with_passkeys(app_on(database).await.reached_at(PLACE))
}

/// The same application, where browsers use passkeys.
pub fn with_passkeys(mut test: TestApp) -> TestApp {
    test.app.passkeys = Some(Arc::new(Passkeys::at(PLACE).unwrap()));
    test.mounted_again()
}

async fn start() -> TestApp {
    start_on(Database::Sqlite).await
}

async fn post(app: &TestApp, path: &str, cookie: &str, body: Value) -> Answer {
    app.send(asking("POST", path, cookie).set_json(body)).await
}

/// A browser that holds both cookies.
fn both(session: &str, asked: &Answer) -> String {
    format!("{session}; {}", cookie(asked))
}

/// A device with a passkey of whoever holds this session; and the passkey.
async fn device(app: &TestApp, session: &str, seed: u8) -> (Device, Value) {
    let asked = post(app, "/v1/passkeys/begin", session, json!({})).await;
    assert_eq!(asked.status, 200, "{}", asked.body);
    let device = Device::at(PLACE, &asked.body, seed);
    let body = json!({"name": "Phone", "credential": device.made(&asked.body)});
    let kept = post(app, "/v1/passkeys", &both(session, &asked), body).await;
    assert_eq!(kept.status, 201, "{}", kept.body);
    (device, kept.body)
}

/// What a browser is asked that wants somebody in; and what it holds then.
async fn question(app: &TestApp) -> (Value, String) {
    let asked = post(app, "/v1/sign_in/passkey/begin", "", json!({})).await;
    assert_eq!(asked.status, 200, "{}", asked.body);
    let held = cookie(&asked);
    (asked.body, held)
}

async fn answer(app: &TestApp, held: &str, answer: &Value) -> Answer {
    let body = json!({"credential": answer});
    post(app, "/v1/sign_in/passkey", held, body).await
}

async fn lets_nobody_in(app: &TestApp, held: &str, said: &Value) {
    let refused = answer(app, held, said).await;
    assert_refused(&refused, 401, "invalid_passkey", "");
    assert_eq!(refused.header("set-cookie"), None);
}

#[actix_web::test]
async fn a_passkey_lets_in_its_person_without_a_word_of_who_that_is() {
    for database in BOTH {
        let app = start_on(database).await;
        let session = signed_in(&app, OWNER).await;
        let (mut device, kept) = device(&app, &session, 1).await;
        assert_eq!(kept["name"], "Phone");
        for _ in 0..2 {
            let (asked, held) = question(&app).await;
            assert_eq!(asked["options"]["publicKey"]["allowCredentials"], json!([]));
            let opened = answer(&app, &held, &device.signed(&asked)).await;
            assert_eq!(opened.status, 200, "{}", opened.body);
            assert_eq!(opened.body["email"], OWNER);
            assert_eq!(opened.body["session"]["signed_in_by"], "passkey");
            let me = app.send(asking("GET", "/v1/me", &cookie(&opened))).await;
            assert_eq!(me.body["email"], OWNER);
        }
        let all = app.send(asking("GET", "/v1/passkeys", &session)).await;
        assert_ne!(all.body["data"][0]["last_used_at"], Value::Null);
        assert_eq!(list(&app, "audit?action=passkey.added").await.len(), 1);
    }
}

#[actix_web::test]
async fn a_passkey_shows_nothing_of_what_it_is() {
    let app = start().await;
    let session = signed_in(&app, OWNER).await;
    let (_, kept) = device(&app, &session, 1).await;
    assert_json_snapshot!("passkey", kept);
}

#[actix_web::test]
async fn an_answer_that_proves_nothing_lets_nobody_in() {
    let app = start().await;
    let session = signed_in(&app, OWNER).await;
    let (mut device, _) = device(&app, &session, 1).await;
    let (asked, held) = question(&app).await;
    let good = device.signed(&asked);
    // Of another page, for another service, by nobody who was there.
    device.origin = "https://evil.test".to_owned();
    lets_nobody_in(&app, &held, &device.signed(&asked)).await;
    device.origin = PLACE.to_owned();
    device.name = "evil.test".to_owned();
    lets_nobody_in(&app, &held, &device.signed(&asked)).await;
    device.name = "lyceum.test".to_owned();
    device.verifies = false;
    lets_nobody_in(&app, &held, &device.signed(&asked)).await;
    device.verifies = true;
    // By another key, under the name of this one; whose is said to be somebody else's.
    let mut forger = Device::at(
        PLACE,
        &json!({"options": {"publicKey": {"rp": {"id": "lyceum.test"}}}}),
        1,
    );
    forger.person.clone_from(&device.person);
    lets_nobody_in(&app, &held, &forger.signed(&asked)).await;
    let person = std::mem::replace(&mut device.person, "AAAAAAAAAAAAAAAAAAAAAA".to_owned());
    lets_nobody_in(&app, &held, &device.signed(&asked)).await;
    device.person = person;
    // Something that was changed, left out, or is no answer.
    let mut changed = good.clone();
    changed["response"]["signature"] = json!("AAAA");
    lets_nobody_in(&app, &held, &changed).await;
    let mut unknown = good.clone();
    unknown["rawId"] = json!("AAAA");
    lets_nobody_in(&app, &held, &unknown).await;
    for nonsense in [json!({}), json!({"rawId": 1}), json!({"response": {}})] {
        lets_nobody_in(&app, &held, &nonsense).await;
    }
    // In another browser; and to what was not asked.
    let (other, elsewhere) = question(&app).await;
    lets_nobody_in(&app, &elsewhere, &good).await;
    lets_nobody_in(&app, "", &good).await;
    let mut made_up = other.clone();
    made_up["options"]["publicKey"]["challenge"] =
        json!("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    lets_nobody_in(&app, &elsewhere, &device.signed(&made_up)).await;
    // All of that has not used up what was asked; the right answer is taken, once.
    let last = device.signed(&asked);
    assert_eq!(answer(&app, &held, &last).await.status, 200);
    lets_nobody_in(&app, &held, &last).await;
}

#[actix_web::test]
async fn a_device_that_was_copied_is_noticed() {
    let app = start().await;
    let session = signed_in(&app, OWNER).await;
    let (mut device, _) = device(&app, &session, 1).await;
    device.used = 10;
    let (asked, held) = question(&app).await;
    assert_eq!(
        answer(&app, &held, &device.signed(&asked)).await.status,
        200
    );
    // The copy has not counted what the other one did.
    device.used = 5;
    let (asked, held) = question(&app).await;
    lets_nobody_in(&app, &held, &device.signed(&asked)).await;
}

#[actix_web::test]
async fn a_device_may_take_five_minutes() {
    let app = start().await;
    let session = signed_in(&app, OWNER).await;
    let (mut device, _) = device(&app, &session, 1).await;
    let (asked, held) = question(&app).await;
    app.clock.advance(5 * 60);
    lets_nobody_in(&app, &held, &device.signed(&asked)).await;
}

#[actix_web::test]
async fn of_two_hundred_with_one_answer_one_is_in() {
    for database in BOTH {
        let app = start_on(database).await;
        let session = signed_in(&app, OWNER).await;
        let (mut device, _) = device(&app, &session, 1).await;
        let (asked, held) = question(&app).await;
        let said = device.signed(&asked);
        let answers = join_all((0..200).map(|_| answer(&app, &held, &said))).await;
        let won = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(won, 1, "{database:?}");
    }
}

#[actix_web::test]
async fn only_who_signed_in_a_short_while_ago_makes_and_removes_them() {
    let app = start().await;
    // A key would make itself a way in that opens more and lives longer.
    let by_key = app.post("/v1/passkeys/begin", json!({})).await;
    assert_refused(&by_key, 403, "recent_sign_in_required", "");
    let session = signed_in(&app, OWNER).await;
    let asked = post(&app, "/v1/passkeys/begin", &session, json!({})).await;
    let made = Device::at(PLACE, &asked.body, 1).made(&asked.body);
    let body = json!({"name": "Phone", "credential": made});
    // Without the cookie of the browser that asked it is another browser.
    let elsewhere = post(&app, "/v1/passkeys", &session, body.clone()).await;
    assert_refused(&elsewhere, 400, "invalid_field", "credential");
    let held = both(&session, &asked);
    let kept = post(&app, "/v1/passkeys", &held, body.clone()).await;
    assert_eq!(kept.status, 201, "{}", kept.body);
    let again = post(&app, "/v1/passkeys", &held, body).await;
    assert_refused(&again, 400, "invalid_field", "credential");
    let id = kept.body["id"].as_str().unwrap();
    let path = format!("/v1/passkeys/{id}");
    let renamed = asking("PATCH", &path, &session).set_json(json!({"name": "Old phone"}));
    assert_eq!(app.send(renamed).await.body["name"], "Old phone");
    app.clock.advance(10 * 60);
    let late = app.send(asking("DELETE", &path, &session)).await;
    assert_refused(&late, 403, "recent_sign_in_required", "");
    let late = post(&app, "/v1/passkeys/begin", &session, json!({})).await;
    assert_refused(&late, 403, "recent_sign_in_required", "");
    let session = signed_in(&app, OWNER).await;
    let gone = app.send(asking("DELETE", &path, &session)).await;
    assert_eq!(gone.status, 200, "{}", gone.body);
    assert_eq!(list(&app, "audit?action=passkey.removed").await.len(), 1);
}

#[actix_web::test]
async fn a_passkey_of_somebody_else_is_not_there_and_one_that_was_removed_opens_nothing() {
    let app = start().await;
    let session = signed_in(&app, OWNER).await;
    let (mut device, kept) = device(&app, &session, 1).await;
    let other = app.another_workspace("home").await;
    let theirs = signed_in(&app, "owner@home.example").await;
    let path = format!("/v1/passkeys/{}", kept["id"].as_str().unwrap());
    for method in ["GET", "DELETE"] {
        let seen = app.send(asking(method, &path, &theirs)).await;
        assert_refused(&seen, 404, "resource_missing", "");
    }
    assert_eq!(other.platform, "home");
    assert_eq!(
        app.send(asking("DELETE", &path, &session)).await.status,
        200
    );
    let (asked, held) = question(&app).await;
    lets_nobody_in(&app, &held, &device.signed(&asked)).await;
}

/// An admin who came in by a link that was shown, which proves nothing of who they are elsewhere; and what their browser holds.
async fn admin_by_a_shown_link(app: &TestApp) -> (String, String) {
    let body = json!({"email": "ines@main.example", "role": "admin"});
    let ines = made(app, &app.owner, "users", body).await;
    let path = format!("/v1/users/{ines}/invitation");
    let sent = app.post(&path, json!({})).await;
    let url = sent.body["url"].as_str().unwrap().to_owned();
    let token = json!({"token": url.rsplit('/').next()});
    let opened = post(app, "/v1/sign_in/invitations/accept", "", token).await;
    (ines, cookie(&opened))
}

#[actix_web::test]
async fn one_that_was_made_in_a_session_of_one_workspace_opens_no_more() {
    let app = start().await;
    let (_, session) = admin_by_a_shown_link(&app).await;
    let (mut device, _) = device(&app, &session, 1).await;
    // The person's own are another holder's, and neither seen nor counted from here.
    let own = signed_in(&app, "ines@main.example").await;
    let theirs = post(&app, "/v1/passkeys/begin", &own, json!({})).await;
    let here = post(&app, "/v1/passkeys/begin", &session, json!({})).await;
    let of = |asked: &Answer, member: &str| asked.body["options"]["publicKey"][member].clone();
    assert_ne!(of(&theirs, "user")["id"], of(&here, "user")["id"]);
    assert_eq!(of(&theirs, "excludeCredentials"), json!([]));
    assert_eq!(of(&here, "excludeCredentials").as_array().unwrap().len(), 1);
    let (asked, held) = question(&app).await;
    let opened = answer(&app, &held, &device.signed(&asked)).await;
    assert_eq!(opened.status, 200, "{}", opened.body);
    let reaching = app
        .send(asking("GET", "/v1/invitations", &cookie(&opened)))
        .await;
    assert_refused(&reaching, 403, "key_bound_to_platform", "");
    suspend(&app, "main", "ines@main.example").await;
    let (asked, held) = question(&app).await;
    lets_nobody_in(&app, &held, &device.signed(&asked)).await;
}

#[actix_web::test]
async fn one_of_a_single_workspace_ends_when_its_member_becomes_an_owner() {
    let app = start().await;
    let (ines, session) = admin_by_a_shown_link(&app).await;
    let (mut device, _) = device(&app, &session, 1).await;
    // Whoever sees to the workspace made it possible, so it ends when they become more than those.
    let user = format!("/v1/users/{ines}");
    assert_eq!(app.patch(&user, json!({"role": "owner"})).await.status, 200);
    let (asked, held) = question(&app).await;
    lets_nobody_in(&app, &held, &device.signed(&asked)).await;
}

#[actix_web::test]
async fn one_of_a_single_workspace_ends_with_the_membership_and_does_not_come_back() {
    for database in BOTH {
        let app = start_on(database).await;
        let (ines, session) = admin_by_a_shown_link(&app).await;
        let (mut first, _) = device(&app, &session, 1).await;
        let user = format!("/v1/users/{ines}");
        assert_eq!(app.delete(&user).await.status, 200);
        let item = list(&app, "trash").await[0]["id"].clone();
        let restore = format!("/v1/trash/{}/restore", item.as_str().unwrap());
        assert_eq!(app.post(&restore, json!({})).await.status, 200);
        let (asked, held) = question(&app).await;
        lets_nobody_in(&app, &held, &first.signed(&asked)).await;
    }
}

#[actix_web::test]
async fn whoever_comes_in_by_their_organisation_makes_none_that_would_outlive_it() {
    let sso = Sso::start().await;
    let session = assert_in(&sso.sign_in().await);
    let app = with_passkeys(sso.app);
    let refused = post(&app, "/v1/passkeys/begin", &session, json!({})).await;
    assert_refused(&refused, 409, "not_editable", "");
}

#[actix_web::test]
async fn nobody_has_more_than_twenty() {
    let app = start().await;
    let session = signed_in(&app, OWNER).await;
    for seed in 0..20 {
        device(&app, &session, seed).await;
    }
    let more = post(&app, "/v1/passkeys/begin", &session, json!({})).await;
    assert_refused(&more, 409, "limit_reached", "");
}

#[actix_web::test]
async fn what_a_device_holds_already_it_does_not_make_again() {
    let app = start().await;
    let session = signed_in(&app, OWNER).await;
    let (first, _) = device(&app, &session, 1).await;
    let asked = post(&app, "/v1/passkeys/begin", &session, json!({})).await;
    let known = &asked.body["options"]["publicKey"]["excludeCredentials"];
    assert_eq!(known.as_array().unwrap().len(), 1);
    // One that makes it all the same is refused, and what somebody has nobody else gets.
    let other = Device::at(PLACE, &asked.body, 1);
    assert_eq!(other.credential, first.credential);
    let body = json!({"credential": other.made(&asked.body)});
    let again = post(&app, "/v1/passkeys", &both(&session, &asked), body).await;
    assert_refused(&again, 400, "invalid_field", "credential");
    app.another_workspace("home").await;
    let theirs = signed_in(&app, "owner@home.example").await;
    let asked = post(&app, "/v1/passkeys/begin", &theirs, json!({})).await;
    let copy = Device::at(PLACE, &asked.body, 1);
    let body = json!({"credential": copy.made(&asked.body)});
    let taken = post(&app, "/v1/passkeys", &both(&theirs, &asked), body).await;
    assert_refused(&taken, 409, "already_exists", "credential");
}

#[actix_web::test]
async fn pages_of_others_ask_and_sign_in_nobody() {
    let app = start().await;
    for path in ["/v1/sign_in/passkey/begin", "/v1/sign_in/passkey"] {
        let request = asking("POST", path, "").insert_header(("sec-fetch-site", "cross-site"));
        let refused = app.send(request.set_json(json!({"credential": {}}))).await;
        assert_refused(&refused, 401, "cross_site_session", "");
    }
}

#[actix_web::test]
async fn where_the_address_allows_none_it_is_said() {
    let app = app_on(Database::Sqlite).await.reached_at(PLACE);
    let ways = app.get("/v1/sign_in").await;
    assert_eq!(ways.body["ways"], json!(["local_link"]));
    let refused = post(&app, "/v1/sign_in/passkey/begin", "", json!({})).await;
    assert_refused(&refused, 409, "not_editable", "");
    let app = start().await;
    let ways = app.get("/v1/sign_in").await;
    assert_eq!(ways.body["ways"], json!(["passkey", "local_link"]));
}

#[actix_web::test]
async fn their_person_hears_of_it_by_mail() {
    for database in BOTH {
        let mut app = start_on(database).await;
        let (service, postbox) = with_postbox(&app);
        app.app = service;
        let app = app.mounted_again();
        let session = signed_in(&app, OWNER).await;
        let (_, kept) = device(&app, &session, 1).await;
        let path = format!("/v1/passkeys/{}", kept["id"].as_str().unwrap());
        let gone = app.send(asking("DELETE", &path, &session)).await;
        assert_eq!(gone.status, 200, "{}", gone.body);
        while send(&app.app).await > 0 {}
        let mails = postbox.taken.lock().unwrap();
        let told: Vec<String> = mails
            .iter()
            .map(|mail| {
                let letter = &mail.letter;
                let passkey = &letter.values()["passkey"];
                format!("{} {} {passkey}", mail.to, letter.template())
            })
            .collect();
        let all = ["passkey_added", "passkey_removed"].map(|what| format!("{OWNER} {what} Phone"));
        assert_eq!(told, all);
    }
}
