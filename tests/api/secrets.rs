//! No secret that the service hands out can be read in its database: not in the file, not in what it remembers of its
//! replies, and not in the events it tells.

use std::path::Path;

use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp};
use support::identity_provider::{CLIENT_ID, IdentityProvider};

use crate::mails::{Postbox, send, with_postbox};
use crate::school::{caller, list, made};
use crate::scorm_sessions::Package;
use crate::sign_in::{asking, cookie, link};
use crate::sso::{assign, back, seconds};

const PLACE: &str = "https://lyceum.test";
const OWNER: &str = "owner@main.example";
const GRACE: &str = "grace@school.example";
/// What we prove by at a provider that it is us.
const CLIENT_SECRET: &str = "client-5e0c1f7ab2d94c36";

/// A secret, and what it is.
type Secret = (&'static str, String);

/// Everything that lies in a folder, as one.
fn bytes_in(folder: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            bytes.extend(std::fs::read(path).unwrap());
        }
    }
    bytes
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// What a page of the service asks, in a browser that holds nothing yet.
async fn asked(app: &TestApp, path: &str, body: Value) -> Answer {
    let answer = app.send(asking("POST", path, "").set_json(body)).await;
    assert_eq!(answer.status, 200, "{path} {}", answer.body);
    answer
}

/// What the cookie holds that an answer sets.
fn held(answer: &Answer) -> String {
    let set = cookie(answer);
    set.split_once('=').unwrap().1.to_owned()
}

/// What a link ends with.
fn end(link: &str) -> String {
    link.rsplit('/').next().unwrap().to_owned()
}

/// Those by which people get into a browser, and what they hold then.
async fn in_browsers(app: &TestApp) -> Vec<Secret> {
    let (spent, open) = (link(app, OWNER).await, link(app, OWNER).await);
    let session = asked(app, "/v1/sign_in", json!({"token": spent})).await;
    let invited = json!({"email": "ines@main.example", "role": "teacher"});
    let invited = made(app, &app.owner, "users", invited).await;
    let invitation = format!("/v1/users/{invited}/invitation");
    let shown = app.post(&invitation, json!({})).await;
    let accepted = end(&text(&shown.body["url"]));
    let accept = "/v1/sign_in/invitations/accept";
    let guest = asked(app, accept, json!({"token": accepted})).await;
    let invited = json!({"email": "noor@main.example", "role": "teacher"});
    let invited = made(app, &app.owner, "users", invited).await;
    let invitation = format!("/v1/users/{invited}/invitation");
    let shown = app.post(&invitation, json!({})).await;
    vec![
        ("a spent sign-in link", spent),
        ("an open sign-in link", open),
        ("a browser's session", held(&session)),
        ("an accepted invitation", accepted),
        ("an open invitation", end(&text(&shown.body["url"]))),
        ("an invited browser's session", held(&guest)),
    ]
}

/// Those of a way by an organisation: one that was taken, and one on which somebody still is.
async fn by_organisation(app: &TestApp) -> Vec<Secret> {
    let provider = IdentityProvider::start(seconds(app));
    CLIENT_SECRET.clone_into(&mut provider.conduct().secret);
    provider.say(json!({"email": GRACE, "email_verified": true}));
    assign(app, "school.example", "main").await;
    let body = json!({
        "name": "School", "issuer": provider.issuer, "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET,
        "domains": ["school.example"], "just_in_time": true, "options": {"idempotencyKey": "k7"},
    });
    made(app, &app.owner, "sso_connections", body).await;
    let leave = async || {
        let body = json!({"email": GRACE, "place": "/courses"});
        let left = asked(app, "/v1/sign_in/sso", body).await;
        let brought = provider.visit(&text(&left.body["url"]));
        (left, brought)
    };
    let (left, brought) = leave().await;
    let came = app.send(back(&cookie(&left), &brought)).await;
    assert_eq!(came.status, 303, "{}", came.body);
    let (leaving, waiting) = leave().await;
    vec![
        ("a client secret", CLIENT_SECRET.to_owned()),
        ("a state that was used", brought["state"].clone()),
        ("a code that was used", brought["code"].clone()),
        ("a session by an organisation", held(&came)),
        ("an access token", "open sesame".to_owned()),
        ("a state on its way", waiting["state"].clone()),
        ("its nonce", provider.asked()["nonce"].clone()),
        ("what its browser holds", held(&leaving)),
    ]
}

/// Those that went out by mail, and what a browser holds that asked for one.
async fn by_mail(app: &TestApp, postbox: &Postbox) -> Vec<Secret> {
    let body = json!({"email": OWNER, "language": "en"});
    let sent = asked(app, "/v1/sign_in/links", body).await;
    let invited = json!({"email": "omar@main.example", "role": "teacher"});
    made(app, &app.owner, "users", invited).await;
    while send(&app.app).await > 0 {}
    let mails = postbox.taken.lock().unwrap();
    let links = mails
        .iter()
        .filter_map(|mail| mail.letter.values().get("link"));
    let links = links.map(|link| ("a link in a mail", end(link)));
    let mut secrets: Vec<Secret> = links.collect();
    assert_eq!(secrets.len(), 2);
    secrets.push(("what the browser holds that asked", held(&sent)));
    secrets
}

/// An application with every secret there is.
async fn with_secrets() -> (TestApp, Vec<Secret>) {
    let mut app = TestApp::start().await.reached_at(PLACE);
    let package = Package::published(&app).await;
    let mut secrets = one_of_each(&app, &package).await;
    secrets.extend(in_browsers(&app).await);
    secrets.extend(by_organisation(&app).await);
    let (mailing, postbox) = with_postbox(&app);
    app.app = mailing;
    let app = app.mounted_again();
    secrets.extend(by_mail(&app, &postbox).await);
    app.work().await;
    (app, secrets)
}

/// One of every secret of programs and learners, each from a reply that is remembered too.
async fn one_of_each(app: &TestApp, package: &Package) -> Vec<Secret> {
    let remembered = async |key: &str, path: &str, mut body: Value| {
        body["options"] = json!({"idempotencyKey": key});
        let answer = app.post(path, body).await;
        assert!(
            (200..300).contains(&answer.status),
            "{path} {}",
            answer.body
        );
        answer.body
    };
    let made = remembered("k1", "/v1/api_keys", json!({"scopes": ["read:courses"]})).await;
    let rotate = format!("/v1/api_keys/{}/rotate", text(&made["id"]));
    let rotated = remembered("k2", &rotate, json!({})).await;
    let hook = json!({"url": "http://127.0.0.1:9/hook"});
    let endpoint = remembered("k3", "/v1/webhook_endpoints", hook).await;
    let rotate = format!(
        "/v1/webhook_endpoints/{}/rotate_secret",
        text(&endpoint["id"])
    );
    let second = remembered("k4", &rotate, json!({})).await;
    let student = json!({"email": crate::school::STUDENT});
    let spent = remembered("k5", "/v1/tokens/start", student.clone()).await;
    let session = app
        .post("/v1/tokens/finish", json!({"token": spent["token"]}))
        .await;
    // Only now: a new one takes the place of one that was not used.
    let open = remembered("k6", "/v1/tokens/start", student).await;
    let learner = package.let_in(app, "jdoe", "1").await;
    vec![
        ("the first key", app.owner.key.clone()),
        ("a key", text(&made["api_key"])),
        ("a rotated key", text(&rotated["api_key"])),
        ("a webhook secret", text(&endpoint["secret"])),
        ("its successor", text(&second["secret"])),
        ("a spent login token", text(&spent["token"])),
        ("an open login token", text(&open["token"])),
        ("a session key", text(&session.body["api_key"])),
        ("a learner's session key", text(&learner["api_key"])),
        ("a learner's proof", text(&learner["proof"])),
        ("a package's launch key", text(&package.service["key"])),
    ]
}

#[actix_web::test]
async fn no_secret_can_be_read_in_the_database() {
    let (app, secrets) = with_secrets().await;
    let file = app
        .database_url()
        .strip_prefix("sqlite://")
        .unwrap()
        .to_owned();
    let stored = bytes_in(Path::new(&file).parent().unwrap());
    // All that is looked for is ASCII, which stays what it is.
    let stored = String::from_utf8_lossy(&stored);
    let holds = |needle: &str| stored.contains(needle);
    // What is no secret is there to be found, so the search finds what is there.
    for told in ["The danger zone", crate::school::STUDENT, GRACE, CLIENT_ID] {
        assert!(holds(told), "{told}");
    }
    for (what, secret) in &secrets {
        assert!(!holds(secret), "{what} stands in the database");
        // Nor the part of it that is the secret: a key's first segment is public.
        let parts = secret.split(['-', '_']).filter(|part| part.len() >= 10);
        for part in parts {
            assert!(!holds(part), "a part of {what} stands in the database");
        }
    }
}

#[actix_web::test]
async fn no_secret_is_shown_again_or_told() {
    let (app, secrets) = with_secrets().await;
    let told = json!(list(&app, "events?limit=100").await).to_string();
    let mut read = vec![("the events", told)];
    for path in [
        "api_keys",
        "webhook_endpoints",
        "users",
        "scorm",
        "platforms",
        "workspaces",
        "sessions",
        "sso_connections",
        "sent_invitations",
        "audit",
    ] {
        let shown = json!(list(&app, &format!("{path}?limit=100")).await).to_string();
        read.push((path, shown));
    }
    let learner: Caller = caller(&json!(secrets[8].1));
    let me = app
        .call(&learner, "GET", "/v1/me", None)
        .await
        .body
        .to_string();
    read.push(("/v1/me", me));
    for (what, secret) in &secrets {
        for (place, shown) in &read {
            assert!(
                !shown.contains(secret.as_str()),
                "{what} is shown in {place}"
            );
        }
    }
}
