//! How people have a link to sign in sent to them, and what a stranger learns by asking for one: nothing.

use std::sync::Arc;

use actix_web::test::TestRequest;
use futures_util::future::join_all;
use governor::clock::FakeRelativeClock;
use serde_json::json;
use support::app::{Answer, TestApp};
use support::queries;
use support::stores::Database;

use crate::mails::{Postbox, send, with_postbox};
use crate::rate_limits::limits;
use crate::school::{STUDENT, School, app_on, assert_refused};
use crate::sign_in::{asking, cookie};

const PLACE: &str = "https://lyceum.test";
const OWNER: &str = "owner@main.example";
const NOBODY: &str = "nobody@main.example";

/// An application with a mail server, that callers reach by https.
async fn start_on(database: Database) -> (TestApp, Arc<Postbox>) {
    let mut test = app_on(database).await.reached_at(PLACE);
    let (app, postbox) = with_postbox(&test);
    test.app = app;
    (test.mounted_again(), postbox)
}

async fn start() -> (TestApp, Arc<Postbox>) {
    start_on(Database::Sqlite).await
}

async fn ask(app: &TestApp, email: &str, cookie: &str) -> Answer {
    let request = asking("POST", "/v1/sign_in/links", cookie);
    app.send(request.set_json(json!({"email": email, "language": "de"})))
        .await
}

async fn open(app: &TestApp, token: &str, cookie: &str) -> Answer {
    let request = asking("POST", "/v1/sign_in", cookie);
    app.send(request.set_json(json!({"token": token}))).await
}

/// What the links end with that arrived, and where.
async fn arrived(app: &TestApp, postbox: &Postbox) -> Vec<(String, String)> {
    while send(&app.app).await > 0 {}
    let mails = postbox.taken.lock().unwrap();
    let told = mails.iter().map(|mail| {
        let link = &mail.letter.values()["link"];
        let token = link.strip_prefix(&format!("{PLACE}/studio#/sign-in/"));
        (mail.to.to_string(), token.unwrap().to_owned())
    });
    told.collect()
}

#[actix_web::test]
async fn a_link_by_mail_lets_in_the_browser_that_asked_for_it_and_no_other() {
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, postbox) = start_on(database).await;
        let asked = ask(&app, "Owner@Main.example", "").await;
        assert_eq!(asked.status, 200, "{}", asked.body);
        let mine = cookie(&asked);
        let others = cookie(&ask(&app, OWNER, "").await);
        assert_ne!(mine, others);
        let links = arrived(&app, &postbox).await;
        assert_eq!(links.len(), 2);
        let (to, token) = &links[0];
        assert_eq!(to, OWNER);
        for elsewhere in ["", others.as_str()] {
            let refused = open(&app, token, elsewhere).await;
            assert_refused(&refused, 401, "another_browser", "");
            assert_eq!(refused.header("set-cookie"), None);
        }
        let opened = open(&app, token, &mine).await;
        assert_eq!(opened.status, 200, "{}", opened.body);
        assert_eq!(opened.body["session"]["signed_in_by"], "mail_link");
        assert_refused(&open(&app, token, &mine).await, 401, "invalid_token", "");
    }
}

#[actix_web::test]
async fn what_a_browser_asks_with_stays_the_same_and_no_script_reads_it() {
    let (app, postbox) = start().await;
    let asked = ask(&app, OWNER, "").await;
    let set = asked.header("set-cookie").unwrap().to_owned();
    let (pair, attributes) = set.split_once("; ").unwrap();
    let held = pair.strip_prefix("__Host-lyceum-asked=").unwrap();
    assert_eq!(
        attributes,
        "HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=900"
    );
    assert!(!asked.body.to_string().contains(held), "{}", asked.body);
    assert_eq!(cookie(&ask(&app, OWNER, pair).await), pair);
    // What is not of ours is not taken for it.
    let planted = "__Host-lyceum-asked=short";
    assert_ne!(cookie(&ask(&app, OWNER, planted).await), planted);
    for (_, token) in &arrived(&app, &postbox).await[..2] {
        assert_eq!(open(&app, token, pair).await.status, 200);
    }
}

#[actix_web::test]
async fn who_asks_for_an_address_is_not_told_whether_somebody_has_it() {
    queries::listen();
    for database in [Database::Sqlite, Database::Postgres] {
        let (app, postbox) = start_on(database).await;
        let asked = async |email: &str| {
            queries::taken(app.database_url());
            let answer = ask(&app, email, "").await;
            let shape = |text: String| text.split(" -- binds").next().unwrap().to_owned();
            let taken: Vec<String> = queries::taken(app.database_url())
                .into_iter()
                .map(shape)
                .collect();
            let members: Vec<String> = answer.body.as_object().unwrap().keys().cloned().collect();
            let names: Vec<String> = answer
                .headers
                .iter()
                .map(|(name, _)| name.clone())
                .collect();
            (answer.status, members, names, taken)
        };
        // The first of all prepares what the others have prepared.
        asked("first@main.example").await;
        let known = asked(OWNER).await;
        assert_eq!(known, asked(NOBODY).await, "{database:?}");
        assert!(!known.3.is_empty(), "nobody heard the statements");
        let links = arrived(&app, &postbox).await;
        let to: Vec<&str> = links.iter().map(|(to, _)| to.as_str()).collect();
        assert_eq!(to, [OWNER], "{database:?}");
    }
}

#[actix_web::test]
async fn nobody_is_buried_in_mail_and_who_asks_notices_nothing() {
    let (app, postbox) = start().await;
    let answers = join_all((0..200).map(|_| ask(&app, OWNER, ""))).await;
    for answer in &answers {
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(answer.body["email"], OWNER);
    }
    assert_eq!(arrived(&app, &postbox).await.len(), 5);
}

#[actix_web::test]
async fn a_link_says_nothing_after_the_person_is_gone() {
    let (app, postbox) = start().await;
    let school = School::open(&app).await;
    let mine = cookie(&ask(&app, STUDENT, "").await);
    let links = arrived(&app, &postbox).await;
    let erase = format!("/v1/users/{}/erase", school.student);
    let erased = app.post(&erase, json!({"confirm": school.student})).await;
    assert_eq!(erased.status, 200, "{}", erased.body);
    let refused = open(&app, &links[0].1, &mine).await;
    assert_refused(&refused, 401, "invalid_token", "");
}

#[actix_web::test]
async fn where_no_mail_can_be_sent_nobody_is_promised_any() {
    let app = TestApp::start().await.reached_at(PLACE);
    let refused = ask(&app, OWNER, "").await;
    assert_refused(&refused, 409, "not_editable", "");
    let (app, _) = start().await;
    let ways = app.send(TestRequest::get().uri("/v1/sign_in")).await;
    assert_eq!(ways.body["ways"], json!(["mail_link", "local_link"]));
}

#[actix_web::test]
async fn pages_of_others_have_nobody_sent_a_link() {
    let (app, postbox) = start().await;
    let request = asking("POST", "/v1/sign_in/links", "")
        .insert_header(("sec-fetch-site", "cross-site"))
        .set_json(json!({"email": OWNER}));
    assert_refused(&app.send(request).await, 401, "cross_site_session", "");
    assert!(arrived(&app, &postbox).await.is_empty());
}

#[actix_web::test]
async fn who_tries_links_is_turned_away_and_nobody_else() {
    let clock = FakeRelativeClock::default();
    let app = TestApp::start().await.reached_at(PLACE);
    let app = app.limited(limits(&clock));
    let tries = async || open(&app, "sgn_wrong", "").await.status;
    let mut answers = Vec::new();
    for _ in 0..130 {
        answers.push(tries().await);
    }
    assert_eq!(answers.iter().filter(|status| **status == 401).count(), 120);
    assert_eq!(answers.iter().filter(|status| **status == 429).count(), 10);
    assert_eq!(app.get("/v1/me").await.status, 200);
}
