//! Invitations as links: who is let in by one, as what, and who is not.

use futures_util::future::join_all;
use insta::assert_json_snapshot;
use lyceum_domain::identity::users::Suspension;
use lyceum_domain::identity::workspaces::PlatformCode;
use lyceum_domain::text::Email;
use lyceum_ports::store::StoreError;
use serde_json::{Value, json};
use support::app::{Answer, TestApp};
use support::stores::Database;

use crate::mails::{Postbox, send, with_postbox};
use crate::school::{app_on, assert_refused, caller, events, list, made};
use crate::sign_in::{asking, cookie, signed_in};

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];
const PLACE: &str = "https://lyceum.test";
const INES: &str = "ines@main.example";

/// An application without a mail server, that callers reach by https.
async fn start_on(database: Database) -> TestApp {
    app_on(database).await.reached_at(PLACE)
}

async fn start() -> TestApp {
    start_on(Database::Sqlite).await
}

/// The same with a mail server.
async fn start_with_mail() -> (TestApp, std::sync::Arc<Postbox>) {
    let mut test = start().await;
    let (app, postbox) = with_postbox(&test);
    test.app = app;
    (test.mounted_again(), postbox)
}

/// A member who has not accepted; their id.
async fn member(app: &TestApp, role: &str) -> String {
    let body = json!({"email": INES, "name": "Ines", "role": role, "language": "de"});
    made(app, &app.owner, "users", body).await
}

async fn invite(app: &TestApp, user: &str) -> Answer {
    let path = format!("/v1/users/{user}/invitation");
    app.post(&path, json!({})).await
}

async fn state(app: &TestApp, user: &str) -> Value {
    let path = format!("/v1/users/{user}/invitation");
    app.get(&path).await.body
}

fn token(link: &str) -> String {
    let token = link.strip_prefix(&format!("{PLACE}/studio#/invitation/"));
    token.unwrap().to_owned()
}

/// What the link ends with that is shown to whoever invites.
async fn shown(app: &TestApp, user: &str) -> String {
    let answer = invite(app, user).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    token(answer.body["url"].as_str().unwrap())
}

/// What the links end with that arrived.
async fn arrived(app: &TestApp, postbox: &Postbox) -> Vec<String> {
    while send(&app.app).await > 0 {}
    let mails = postbox.taken.lock().unwrap();
    let links = mails
        .iter()
        .map(|mail| token(&mail.letter.values()["link"]));
    links.collect()
}

async fn say(app: &TestApp, what: &str, token: &str) -> Answer {
    let request = asking("POST", &format!("/v1/sign_in/invitations{what}"), "");
    app.send(request.set_json(json!({"token": token}))).await
}

async fn accept(app: &TestApp, token: &str) -> Answer {
    say(app, "/accept", token).await
}

/// Somebody comes in as this member by a link that was shown: what their browser holds.
pub async fn comes_in(app: &TestApp, user: &str) -> String {
    let opened = accept(app, &shown(app, user).await).await;
    assert_eq!(opened.status, 200, "{}", opened.body);
    cookie(&opened)
}

async fn is_over(app: &TestApp, token: &str) -> bool {
    let looked = say(app, "", token).await;
    let accepted = accept(app, token).await;
    if looked.status == 200 {
        return false;
    }
    assert_refused(&looked, 401, "invalid_token", "");
    assert_refused(&accepted, 401, "invalid_token", "");
    assert_eq!(accepted.header("set-cookie"), None);
    true
}

#[actix_web::test]
async fn where_no_mail_can_be_sent_a_link_is_shown_once_and_says_what_it_is() {
    let app = start().await;
    let ines = member(&app, "teacher").await;
    assert_eq!(state(&app, &ines).await["status"], "not_sent");
    let sent = invite(&app, &ines).await;
    let link = token(sent.body["url"].as_str().unwrap());
    assert_json_snapshot!("sent_invitation", sent.body, {".url" => "[url]"});
    let later = state(&app, &ines).await;
    assert_eq!(
        (&later["status"], &later["url"], &later["mail"]),
        (&json!("pending"), &Value::Null, &Value::Null)
    );
    let looked = say(&app, "", &link).await;
    assert_eq!(looked.status, 200, "{}", looked.body);
    assert_json_snapshot!("invitation_link", looked.body, {".platform.uuid" => "[uuid]"});
    assert_eq!(list(&app, "sent_invitations").await, [later]);
    let noted = list(&app, "audit?action=member.invited").await;
    assert_eq!(noted[0]["new"]["by_mail"], false, "{noted:?}");
}

#[actix_web::test]
async fn whoever_opens_a_link_that_was_shown_is_that_member_and_nobody_elsewhere() {
    for database in BOTH {
        let app = start_on(database).await;
        let ines = member(&app, "admin").await;
        let link = shown(&app, &ines).await;
        let opened = accept(&app, &link).await;
        assert_eq!(opened.status, 200, "{}", opened.body);
        assert_eq!(opened.body["session"]["signed_in_by"], "invitation");
        let held = cookie(&opened);
        let get = async |path: &str| app.send(asking("GET", path, &held)).await;
        assert_eq!(get("/v1/me").await.body["user"]["name"], "Ines");
        assert_eq!(
            get("/v1/sessions").await.body["data"]
                .as_array()
                .unwrap()
                .len(),
            1
        );
        // What reaches beyond the workspace is for who proved their address.
        let reaching = asking("POST", "/v1/workspaces", &held);
        let reaching = app.send(reaching.set_json(json!({"name": "Mine"}))).await;
        assert_refused(&reaching, 403, "key_bound_to_platform", "");
        let reaching = get("/v1/invitations").await;
        assert_refused(&reaching, 403, "key_bound_to_platform", "");
        assert_eq!(state(&app, &ines).await["status"], "accepted");
        assert_eq!(list(&app, "sent_invitations").await, Vec::<Value>::new());
        let told = events(&app, "user.updated").await;
        assert_ne!(told[0]["data"]["object"]["accepted_at"], Value::Null);
        let noted = list(&app, "audit?action=member.accepted").await;
        assert_eq!(noted[0]["actor"]["user_id"], json!(ines));
        assert!(is_over(&app, &link).await);
        // Another workspace that knows the address hears nothing of it, and is no place of this session.
        let other = app.another_workspace("other").await;
        made(
            &app,
            &other,
            "users",
            json!({"email": INES, "role": "teacher"}),
        )
        .await;
        let there = asking("GET", "/v1/courses", &held);
        let there = app
            .send(there.insert_header(("x-learning-platform-code", "other")))
            .await;
        assert_refused(&there, 403, "platform_access_denied", "");
        // The membership ends, and the session with it.
        let path = format!("/v1/users/{ines}");
        assert_eq!(app.delete(&path).await.status, 200);
        assert_eq!(get("/v1/me").await.status, 401);
    }
}

#[actix_web::test]
async fn what_was_shown_ends_when_they_become_an_owner() {
    let app = start().await;
    let ines = member(&app, "teacher").await;
    let held = cookie(&accept(&app, &shown(&app, &ines).await).await);
    let path = format!("/v1/users/{ines}");
    let raised = app.patch(&path, json!({"role": "owner"})).await;
    assert_eq!(raised.status, 200, "{}", raised.body);
    let me = app.send(asking("GET", "/v1/me", &held)).await;
    assert_refused(&me, 401, "api_key_revoked", "");
    let other = json!({"email": "ole@main.example", "role": "teacher"});
    let other = made(&app, &app.owner, "users", other).await;
    let link = shown(&app, &other).await;
    let path = format!("/v1/users/{other}");
    app.patch(&path, json!({"role": "owner"})).await;
    assert!(is_over(&app, &link).await);
}

#[actix_web::test]
async fn what_was_shown_does_not_rise_with_the_member() {
    for database in BOTH {
        let app = start_on(database).await;
        let ines = member(&app, "student").await;
        let held = comes_in(&app, &ines).await;
        let other = json!({"email": "ole@main.example", "role": "student"});
        let other = made(&app, &app.owner, "users", other).await;
        let link = shown(&app, &other).await;
        let key = json!({"name": "Sync", "user_id": ines, "scopes": ["read:lessons"]});
        let key = caller(&app.post("/v1/api_keys", key).await.body["api_key"]);
        for id in [&ines, &other] {
            let path = format!("/v1/users/{id}");
            let raised = app.patch(&path, json!({"role": "admin"})).await;
            assert_eq!(raised.status, 200, "{}", raised.body);
        }
        let me = app.send(asking("GET", "/v1/me", &held)).await;
        assert_refused(&me, 401, "api_key_revoked", "");
        assert!(is_over(&app, &link).await);
        // What a key may was cut down when it was made: it goes on, and does no more.
        assert_eq!(app.call(&key, "GET", "/v1/units", None).await.status, 200);
        // Whoever becomes less keeps what they have.
        let cut = made(
            &app,
            &app.owner,
            "users",
            json!({"email": "bo@main.example", "role": "admin"}),
        )
        .await;
        let link = shown(&app, &cut).await;
        let path = format!("/v1/users/{cut}");
        app.patch(&path, json!({"role": "teacher"})).await;
        assert_eq!(say(&app, "", &link).await.status, 200);
    }
}

#[actix_web::test]
async fn what_came_by_mail_lets_in_whoever_has_become_more_meanwhile() {
    let (app, postbox) = start_with_mail().await;
    let ines = member(&app, "teacher").await;
    let links = arrived(&app, &postbox).await;
    let path = format!("/v1/users/{ines}");
    app.patch(&path, json!({"role": "admin"})).await;
    let opened = accept(&app, &links[0]).await;
    assert_eq!(opened.status, 200, "{}", opened.body);
}

#[actix_web::test]
async fn an_invitation_is_sent_by_nobody_who_signed_in_long_ago() {
    let (app, postbox) = start_with_mail().await;
    let held = signed_in(&app, "owner@main.example").await;
    let asked = async |body: Value, held: &str| {
        let request = asking("POST", "/v1/users", held);
        let request = request.insert_header(("x-learning-platform-code", "main"));
        app.send(request.set_json(body)).await
    };
    app.clock.advance(10 * 60);
    let teacher = json!({"email": INES, "role": "teacher"});
    let late = asked(teacher.clone(), &held).await;
    assert_refused(&late, 403, "recent_sign_in_required", "");
    let unsent = json!({"email": "ole@main.example", "role": "teacher", "invite": false});
    assert_eq!(asked(unsent, &held).await.status, 201);
    assert!(arrived(&app, &postbox).await.is_empty());
    let again = signed_in(&app, "owner@main.example").await;
    assert_eq!(asked(teacher, &again).await.status, 201);
}

#[actix_web::test]
async fn who_is_to_work_here_gets_a_mail_that_lets_them_in_as_themselves() {
    let (app, postbox) = start_with_mail().await;
    let ines = member(&app, "teacher").await;
    let student = json!({"email": "ada@main.example"});
    made(&app, &app.owner, "users", student).await;
    let asked = json!({"email": "bo@main.example", "invite": true});
    made(&app, &app.owner, "users", asked).await;
    let unasked = json!({"email": "cy@main.example", "role": "teacher", "invite": false});
    made(&app, &app.owner, "users", unasked).await;
    let links = arrived(&app, &postbox).await;
    {
        let mails = postbox.taken.lock().unwrap();
        let to: Vec<&str> = mails.iter().map(|mail| mail.to.as_str()).collect();
        assert_eq!(to, [INES, "bo@main.example"]);
        assert_eq!(mails[0].language.as_str(), "de");
        assert_eq!(mails[0].letter.values()["role"], "teacher");
    }
    let waiting = state(&app, &ines).await;
    assert_eq!(
        (&waiting["status"], &waiting["mail"]),
        (&json!("pending"), &json!("sent"))
    );
    let opened = accept(&app, &links[0]).await;
    let held = cookie(&opened);
    let reaching = app.send(asking("GET", "/v1/invitations", &held)).await;
    assert_eq!(reaching.status, 200, "{}", reaching.body);
    let again = invite(&app, &ines).await;
    assert_refused(&again, 409, "not_editable", "");
    assert_eq!(again.body.get("url"), None);
}

#[actix_web::test]
async fn without_a_mail_server_nobody_is_told_that_a_mail_went_out() {
    let app = start().await;
    let body = json!({"email": INES, "role": "teacher", "invite": true});
    let refused = app.post("/v1/users", body).await;
    assert_refused(&refused, 409, "not_editable", "");
    assert_eq!(
        list(&app, "users?accepted=false").await,
        Vec::<Value>::new()
    );
}

#[actix_web::test]
async fn whoever_belongs_elsewhere_is_not_let_in_by_what_was_handed_on() {
    let (app, postbox) = start_with_mail().await;
    let other = app.another_workspace("home").await;
    let body = json!({"email": "owner@home.example", "role": "teacher"});
    let user = made(&app, &app.owner, "users", body).await;
    let link = arrived(&app, &postbox).await[0].clone();
    assert_eq!(say(&app, "", &link).await.body["lets_in"], false);
    let refused = accept(&app, &link).await;
    assert_refused(&refused, 401, "sign_in_first", "");
    assert_eq!(refused.header("set-cookie"), None);
    // They sign in by a way of their own, and accept there; then the link is over.
    let held = signed_in(&app, "owner@home.example").await;
    let id = state(&app, &user).await["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/invitations/{id}/accept");
    let accepted = app.send(asking("POST", &path, &held)).await;
    assert_eq!(accepted.status, 200, "{}", accepted.body);
    assert!(is_over(&app, &link).await);
    assert_eq!(other.platform, "home");
}

#[actix_web::test]
async fn of_two_hundred_who_open_one_at_once_one_is_in() {
    for database in BOTH {
        let app = start_on(database).await;
        let ines = member(&app, "teacher").await;
        let link = shown(&app, &ines).await;
        let answers = join_all((0..200).map(|_| accept(&app, &link))).await;
        let won = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(won, 1, "{database:?}");
        for lost in answers.iter().filter(|answer| answer.status != 200) {
            assert_refused(lost, 401, "invalid_token", "");
        }
        assert_eq!(list(&app, "audit?action=member.accepted").await.len(), 1);
        assert_eq!(list(&app, "audit?action=session.started").await.len(), 1);
    }
}

#[actix_web::test]
async fn of_two_hundred_that_are_made_at_once_one_works() {
    for database in BOTH {
        let app = start_on(database).await;
        let ines = member(&app, "teacher").await;
        let answers = join_all((0..200).map(|_| invite(&app, &ines))).await;
        let made = answers.iter().filter(|answer| answer.status == 200);
        let links: Vec<String> = made
            .map(|answer| token(answer.body["url"].as_str().unwrap()))
            .collect();
        assert!(!links.is_empty());
        let mut working = 0;
        for link in &links {
            working += usize::from(say(&app, "", link).await.status == 200);
        }
        assert_eq!(working, 1, "{database:?}");
    }
}

#[actix_web::test]
async fn a_link_is_over_after_a_week_and_when_another_is_sent() {
    let app = start().await;
    let ines = member(&app, "teacher").await;
    let first = shown(&app, &ines).await;
    let second = shown(&app, &ines).await;
    assert!(is_over(&app, &first).await);
    app.clock.advance(7 * 24 * 60 * 60 - 1);
    assert_eq!(say(&app, "", &second).await.status, 200);
    app.clock.advance(1);
    assert!(is_over(&app, &second).await);
    assert_eq!(state(&app, &ines).await["status"], "expired");
}

#[actix_web::test]
async fn who_is_taken_out_is_not_let_in_and_does_not_come_back_with_the_link() {
    let app = start().await;
    let ines = member(&app, "teacher").await;
    let link = shown(&app, &ines).await;
    let path = format!("/v1/users/{ines}");
    assert_eq!(app.delete(&path).await.status, 200);
    assert!(is_over(&app, &link).await);
    let trash = list(&app, &format!("trash?object_id={ines}")).await;
    let id = trash[0]["id"].as_str().unwrap();
    let back = app
        .post(&format!("/v1/trash/{id}/restore"), json!({}))
        .await;
    assert_eq!(back.status, 200, "{}", back.body);
    assert!(is_over(&app, &link).await);
}

#[actix_web::test]
async fn nobody_invites_above_themselves_elsewhere_or_from_a_browser_that_was_left_alone() {
    let app = start().await;
    let ines = member(&app, "owner").await;
    let other = app.another_workspace("home").await;
    let path = format!("/v1/users/{ines}/invitation");
    let theirs = app.call(&other, "POST", &path, None).await;
    assert_refused(&theirs, 404, "resource_missing", "");
    let admin = json!({"email": "admin@main.example", "role": "admin"});
    let admin = made(&app, &app.owner, "users", admin).await;
    let held = cookie(&accept(&app, &shown(&app, &admin).await).await);
    let as_admin = async |method: &str, path: &str, body: Value| {
        let request = asking(method, path, &held);
        let request = request.insert_header(("x-learning-platform-code", "main"));
        app.send(request.set_json(body)).await
    };
    let above = as_admin("POST", &path, json!({})).await;
    assert_refused(&above, 403, "insufficient_role", "");
    let teacher = json!({"email": "bo@main.example", "role": "teacher"});
    let teacher = made(&app, &app.owner, "users", teacher).await;
    let path = format!("/v1/users/{teacher}/invitation");
    assert_eq!(as_admin("POST", &path, json!({})).await.status, 200);
    app.clock.advance(10 * 60);
    let late = as_admin("POST", &path, json!({})).await;
    assert_refused(&late, 403, "recent_sign_in_required", "");
    let made = json!({"email": "cy@main.example", "role": "admin"});
    let late = as_admin("POST", "/v1/users", made).await;
    assert_refused(&late, 403, "recent_sign_in_required", "");
    let made = json!({"email": "cy@main.example", "role": "teacher"});
    assert_eq!(as_admin("POST", "/v1/users", made).await.status, 201);
}

#[actix_web::test]
async fn neither_an_invitation_nor_a_sign_in_link_is_the_other() {
    let app = start().await;
    let ines = member(&app, "teacher").await;
    let invitation = shown(&app, &ines).await;
    let request = asking("POST", "/v1/sign_in", "");
    let taken = app
        .send(request.set_json(json!({"token": invitation})))
        .await;
    assert_refused(&taken, 401, "invalid_token", "");
    let link = crate::sign_in::link(&app, "owner@main.example").await;
    assert!(is_over(&app, &link).await);
    let request = asking("POST", "/v1/sign_in", "");
    let taken = app.send(request.set_json(json!({"token": link}))).await;
    assert_eq!(taken.status, 200, "{}", taken.body);
}

#[actix_web::test]
async fn pages_of_others_accept_nothing() {
    let app = start().await;
    let ines = member(&app, "teacher").await;
    let link = shown(&app, &ines).await;
    let path = "/v1/sign_in/invitations/accept";
    let request = asking("POST", path, "").insert_header(("sec-fetch-site", "cross-site"));
    let refused = app.send(request.set_json(json!({"token": link}))).await;
    assert_refused(&refused, 401, "cross_site_session", "");
    assert_eq!(state(&app, &ines).await["status"], "pending");
}

#[actix_web::test]
async fn a_program_and_who_was_erased_are_not_invited() {
    let app = start().await;
    let program = json!({"kind": "service", "name": "Sync"});
    let program = made(&app, &app.owner, "users", program).await;
    assert_refused(&invite(&app, &program).await, 409, "not_editable", "");
    let ines = member(&app, "teacher").await;
    let link = shown(&app, &ines).await;
    let erase = format!("/v1/users/{ines}/erase");
    let erased = app.post(&erase, json!({"confirm": ines})).await;
    assert_eq!(erased.status, 200, "{}", erased.body);
    assert!(is_over(&app, &link).await);
    assert_refused(&invite(&app, &ines).await, 409, "not_editable", "");
    assert_eq!(caller(&json!("x")).platform, "main");
}

#[actix_web::test]
async fn who_fills_a_letter_box_elsewhere_keeps_nobody_from_making_a_member_here() {
    let (app, postbox) = start_with_mail().await;
    let other = app.another_workspace("home").await;
    let body = json!({"email": INES, "role": "teacher", "invite": false});
    let theirs = made(&app, &other, "users", body).await;
    let path = format!("/v1/users/{theirs}/invitation");
    for _ in 0..10 {
        let sent = app.call(&other, "POST", &path, Some(json!({}))).await;
        assert_eq!(sent.status, 200, "{}", sent.body);
    }
    let ines = member(&app, "teacher").await;
    assert_eq!(state(&app, &ines).await["status"], "not_sent");
    assert_eq!(arrived(&app, &postbox).await.len(), 10);
    // Whoever asks for it is told.
    assert_refused(&invite(&app, &ines).await, 409, "limit_reached", "");
    let body = json!({"email": "bo@main.example", "role": "teacher", "invite": true});
    assert_eq!(app.post("/v1/users", body).await.status, 201);
}

#[actix_web::test]
async fn whoever_is_suspended_elsewhere_is_known_there() {
    let (app, postbox) = start_with_mail().await;
    app.another_workspace("home").await;
    suspend(&app, "home", "owner@home.example").await;
    let body = json!({"email": "owner@home.example", "role": "teacher"});
    made(&app, &app.owner, "users", body).await;
    let link = arrived(&app, &postbox).await[0].clone();
    assert_eq!(say(&app, "", &link).await.body["lets_in"], false);
    assert_refused(&accept(&app, &link).await, 401, "sign_in_first", "");
}

#[actix_web::test]
async fn whom_a_directory_switched_off_is_sent_nothing_that_opens_nothing() {
    let app = start().await;
    let ines = member(&app, "teacher").await;
    let link = shown(&app, &ines).await;
    suspend(&app, "main", INES).await;
    assert!(is_over(&app, &link).await);
    assert_refused(&invite(&app, &ines).await, 409, "not_editable", "");
}

/// What a directory does that switches somebody off.
pub async fn suspend(app: &TestApp, platform: &str, email: &str) {
    let code = PlatformCode::parse(platform).unwrap();
    let email = Email::parse(email).unwrap();
    let now = app.app.clock.now();
    let suspended = app.app.store.write(move |tx| {
        let place = tx.workspaces().find_by_code(&code)?.unwrap();
        let mut user = tx.users().with_email(place.id, &email)?.unwrap();
        user.suspend(Some(Suspension::Suspended), now);
        tx.users().update(&user)
    });
    let suspended: Result<(), StoreError> = suspended.await;
    suspended.unwrap();
}
