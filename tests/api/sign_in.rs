//! How people get into a browser, what their session opens there, and how it ends.

use std::time::Duration;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use futures_util::future::join_all;
use insta::assert_json_snapshot;
use lyceum_application::Error;
use lyceum_application::identity::sign_in_links;
use lyceum_domain::Timestamp;
use lyceum_domain::identity::sign_in::end_of;
use lyceum_domain::text::Email;
use serde_json::{Value, json};
use support::app::{Answer, TestApp};
use support::stores::Database;

use crate::school::{STUDENT, School, app_on, assert_refused, list as list_of, session};

const PLACE: &str = "https://lyceum.test";
const OWNER: &str = "owner@main.example";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:149.0) Gecko/20100101 Firefox/149.0";
const HOUR: i64 = 60 * 60;

/// An application that callers reach by https.
async fn start() -> TestApp {
    TestApp::start().await.reached_at(PLACE)
}

/// What a link for the person with this address ends with, as `lyceum sign-in` makes it.
pub async fn link(app: &TestApp, email: &str) -> String {
    try_link(app, email).await.unwrap()
}

async fn try_link(app: &TestApp, email: &str) -> Result<String, Error> {
    let email = Email::parse(email).unwrap();
    let visit = app.app.service_visit();
    let making = app
        .app
        .store
        .write(move |tx| sign_in_links::make_for_shell(tx, &visit, &email));
    let made: Result<_, Error> = making.await;
    made.map(|secret| secret.reveal().to_owned())
}

/// A request of a page of the service, with what its browser holds.
pub fn asking(method: &str, path: &str, cookie: &str) -> TestRequest {
    let request = TestRequest::with_uri(path)
        .method(Method::from_bytes(method.as_bytes()).unwrap())
        .insert_header(("user-agent", FIREFOX))
        .insert_header(("sec-fetch-site", "same-origin"))
        .insert_header(("lyceum-session", "1"));
    if cookie.is_empty() {
        return request;
    }
    request.insert_header(("cookie", cookie))
}

async fn open(app: &TestApp, token: &str, cookie: &str) -> Answer {
    let request = asking("POST", "/v1/sign_in", cookie);
    app.send(request.set_json(json!({"token": token}))).await
}

/// The name and value of the cookie that an answer sets.
pub fn cookie(answer: &Answer) -> String {
    let set = answer.header("set-cookie").unwrap();
    set.split(';').next().unwrap().to_owned()
}

/// A browser in which this person is signed in: what it holds.
pub async fn signed_in(app: &TestApp, email: &str) -> String {
    let answer = open(app, &link(app, email).await, "").await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    cookie(&answer)
}

async fn get(app: &TestApp, path: &str, cookie: &str) -> Answer {
    app.send(asking("GET", path, cookie)).await
}

/// The same on the first platform.
async fn on_platform(app: &TestApp, method: &str, path: &str, cookie: &str, body: Value) -> Answer {
    let request = asking(method, path, cookie);
    let request = request.insert_header(("x-learning-platform-code", "main"));
    app.send(request.set_json(body)).await
}

#[actix_web::test]
async fn a_link_becomes_a_session_that_opens_what_its_person_may() {
    let app = start().await;
    let answer = open(&app, &link(&app, OWNER).await, "").await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_json_snapshot!("signed_in", answer.body);
    let held = cookie(&answer);
    let me = get(&app, "/v1/me", &held).await;
    assert_eq!(me.body["email"], OWNER);
    assert_eq!(me.body["key"]["kind"], "web");
    let body = json!({"name": "Food", "language": "en"});
    let made = on_platform(&app, "POST", "/v1/courses", &held, body).await;
    assert_eq!(made.status, 201, "{}", made.body);
}

#[actix_web::test]
async fn the_secret_is_in_the_cookie_alone_which_no_script_reads() {
    let app = start().await;
    let answer = open(&app, &link(&app, OWNER).await, "").await;
    let set = answer.header("set-cookie").unwrap();
    let (pair, attributes) = set.split_once("; ").unwrap();
    let secret = pair.strip_prefix("__Host-lyceum=lyc_w").unwrap();
    assert!(!answer.body.to_string().contains(secret));
    assert_eq!(
        attributes,
        "HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=604800"
    );
}

#[actix_web::test]
async fn a_link_works_once() {
    let app = start().await;
    let token = link(&app, OWNER).await;
    assert_eq!(open(&app, &token, "").await.status, 200);
    let never = format!("sgn_{}", "0".repeat(64));
    for token in [&token, "", "nonsense", &never] {
        let refused = open(&app, token, "").await;
        assert_refused(&refused, 401, "invalid_token", "");
        assert_eq!(refused.header("set-cookie"), None);
    }
}

#[actix_web::test]
async fn of_two_hundred_who_open_it_at_once_one_is_in() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await.reached_at(PLACE);
        let token = link(&app, OWNER).await;
        let answers = join_all((0..200).map(|_| open(&app, &token, ""))).await;
        let won = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(won, 1, "{database:?}");
        for lost in answers.iter().filter(|answer| answer.status != 200) {
            assert_refused(lost, 401, "invalid_token", "");
        }
    }
}

#[actix_web::test]
async fn a_link_lives_a_quarter_of_an_hour() {
    let app = start().await;
    let in_time = link(&app, OWNER).await;
    app.clock.advance(15 * 60 - 1);
    assert_eq!(open(&app, &in_time, "").await.status, 200);
    let late = link(&app, OWNER).await;
    app.clock.advance(15 * 60);
    assert_refused(&open(&app, &late, "").await, 401, "invalid_token", "");
}

#[actix_web::test]
async fn a_session_that_nobody_uses_ends_after_half_a_day() {
    let app = start().await;
    let held = signed_in(&app, OWNER).await;
    app.clock.advance(12 * HOUR - 1);
    assert_eq!(get(&app, "/v1/me", &held).await.status, 200);
    let idle = signed_in(&app, OWNER).await;
    app.clock.advance(12 * HOUR);
    assert_refused(
        &get(&app, "/v1/me", &idle).await,
        401,
        "api_key_expired",
        "",
    );
}

#[actix_web::test]
async fn a_session_that_is_used_lives_on_and_a_week_at_most() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await.reached_at(PLACE);
        let held = signed_in(&app, OWNER).await;
        for hour in (6..168).step_by(6) {
            app.clock.advance(6 * HOUR);
            let me = get(&app, "/v1/me", &held).await;
            assert_eq!(me.status, 200, "after {hour} hours on {database:?}");
            renewed(&app, &held).await;
        }
        app.clock.advance(6 * HOUR - 1);
        assert_eq!(get(&app, "/v1/me", &held).await.status, 200);
        app.clock.advance(1);
        let over = get(&app, "/v1/me", &held).await;
        assert_refused(&over, 401, "api_key_expired", "");
    }
}

/// Its end is put off after the answer: waits for that.
async fn renewed(app: &TestApp, held: &str) {
    let mut looks = 0;
    while !is_renewed(app, held).await {
        looks += 1;
        assert!(looks < 500, "the session was not renewed");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn is_renewed(app: &TestApp, held: &str) -> bool {
    let sessions = get(app, "/v1/sessions", held).await;
    let at = |member: &str| {
        let text = sessions.body["data"][0][member].as_str();
        Timestamp::parse(text.unwrap()).unwrap()
    };
    at("expires_at") == end_of(at("created_at"), app.app.clock.now())
}

#[actix_web::test]
async fn whoever_signs_in_is_not_to_be_found_with_what_the_browser_held() {
    let app = start().await;
    School::open(&app).await;
    let planted = signed_in(&app, STUDENT).await;
    let answer = open(&app, &link(&app, OWNER).await, &planted).await;
    let held = cookie(&answer);
    assert_ne!(held, planted);
    assert_eq!(get(&app, "/v1/me", &held).await.body["email"], OWNER);
    assert_refused(
        &get(&app, "/v1/me", &planted).await,
        401,
        "api_key_revoked",
        "",
    );
}

#[actix_web::test]
async fn what_was_stolen_before_somebody_signs_out_opens_nothing_afterwards() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = app_on(database).await.reached_at(PLACE);
        let held = signed_in(&app, OWNER).await;
        let program = json!({"kind": "service", "name": "Grade sync", "role": "admin"});
        let program = app.post("/v1/users", program).await.id();
        let bound = app.post("/v1/api_keys", json!({"user_id": program})).await;
        let bound = bound.body["api_key"].as_str().unwrap();
        let list = app.call_at_account(bound, "GET", "/v1/sessions").await;
        assert_refused(&list, 403, "key_bound_to_platform", "");
        let out = app.send(asking("POST", "/v1/sign_out", &held)).await;
        assert_eq!(out.status, 200, "{}", out.body);
        let set = out.header("set-cookie").unwrap();
        assert!(set.starts_with("__Host-lyceum=;"), "{set}");
        assert!(set.ends_with("Max-Age=0"), "{set}");
        let stolen = get(&app, "/v1/me", &held).await;
        assert_refused(&stolen, 401, "api_key_revoked", "");
    }
}

#[actix_web::test]
async fn a_cookie_alone_is_nobody() {
    let app = start().await;
    let held = signed_in(&app, OWNER).await;
    let bare = TestRequest::get().uri("/v1/me");
    let bare = app
        .send(bare.insert_header(("cookie", held.as_str())))
        .await;
    assert_refused(&bare, 401, "missing_api_key", "");
    // Neither does a preflight let another origin say that it means it.
    let preflight = TestRequest::with_uri("/v1/courses")
        .method(Method::OPTIONS)
        .insert_header(("origin", "https://evil.example"));
    let preflight = app.send(preflight).await;
    let allowed = preflight.header("access-control-allow-headers").unwrap();
    assert!(!allowed.contains("lyceum-session"), "{allowed}");
    assert_eq!(preflight.header("access-control-allow-credentials"), None);
}

#[actix_web::test]
async fn pages_of_others_do_nothing_with_somebodys_session() {
    let app = start().await;
    let held = signed_in(&app, OWNER).await;
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "https://evil.example"),
        ("origin", "http://lyceum.test"),
        ("origin", "null"),
    ] {
        let request = asking("POST", "/v1/courses", &held)
            .insert_header(("x-learning-platform-code", "main"))
            .insert_header((name, value))
            .set_json(json!({"name": "Food", "language": "en"}));
        let refused = app.send(request).await;
        assert_refused(&refused, 401, "cross_site_session", "");
        // Nor do they sign somebody in as somebody else.
        let token = link(&app, OWNER).await;
        let planting = asking("POST", "/v1/sign_in", "").insert_header((name, value));
        let refused = app.send(planting.set_json(json!({"token": token}))).await;
        assert_refused(&refused, 401, "cross_site_session", "");
    }
    let courses = on_platform(&app, "GET", "/v1/courses", &held, json!({})).await;
    assert_eq!(courses.body["data"], json!([]));
    let own = asking("GET", "/v1/me", &held).insert_header(("origin", PLACE));
    assert_eq!(app.send(own).await.status, 200);
}

#[actix_web::test]
async fn a_session_is_no_key_and_a_key_is_no_session() {
    let app = start().await;
    let held = signed_in(&app, OWNER).await;
    let secret = held.split_once('=').unwrap().1;
    let as_key = app.call_at_account(secret, "GET", "/v1/me").await;
    assert_refused(&as_key, 401, "invalid_api_key", "");
    let planted = format!("__Host-lyceum={}", app.owner.key);
    assert_refused(
        &get(&app, "/v1/me", &planted).await,
        401,
        "invalid_api_key",
        "",
    );
    // Of a neighbour in the domain, who may set any other name.
    let tossed = held.replace("__Host-", "");
    assert_refused(
        &get(&app, "/v1/me", &tossed).await,
        401,
        "missing_api_key",
        "",
    );
    let twice = format!("{held}; {held}");
    assert_refused(
        &get(&app, "/v1/me", &twice).await,
        401,
        "missing_api_key",
        "",
    );
    // A key that is sent as one goes first.
    let both = asking("GET", "/v1/me", &held).insert_header(("x-api-key", app.owner.key.as_str()));
    assert_eq!(app.send(both).await.body["key"]["kind"], "standard");
}

#[actix_web::test]
async fn nobody_signs_in_where_others_read_along() {
    let sent = |token: String, host: &'static str| {
        TestRequest::post()
            .uri("/v1/sign_in")
            .insert_header(("host", host))
            .set_json(json!({"token": token}))
    };
    let public = TestApp::start().await.reached_at("http://school.example");
    let refused = public
        .send(sent(link(&public, OWNER).await, "school.example"))
        .await;
    assert_refused(&refused, 401, "insecure_sign_in", "");
    let laptop = TestApp::start().await.reached_at("http://127.0.0.1:8080");
    let token = link(&laptop, OWNER).await;
    let refused = laptop.send(sent(token.clone(), "192.168.7.7:8080")).await;
    assert_refused(&refused, 401, "insecure_sign_in", "");
    let answer = laptop.send(sent(token, "localhost:8080")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let set = answer.header("set-cookie").unwrap();
    assert!(set.starts_with("lyceum=lyc_w"), "{set}");
    assert!(!set.contains("Secure"), "{set}");
    let held = cookie(&answer);
    let with_host =
        |host: &'static str| asking("GET", "/v1/me", &held).insert_header(("host", host));
    assert_eq!(laptop.send(with_host("127.0.0.1:8080")).await.status, 200);
    let elsewhere = laptop.send(with_host("192.168.7.7:8080")).await;
    assert_refused(&elsewhere, 401, "missing_api_key", "");
}

#[actix_web::test]
async fn what_opens_doors_to_others_takes_somebody_who_signed_in_a_short_while_ago() {
    let app = start().await;
    let school = School::open(&app).await;
    let held = signed_in(&app, OWNER).await;
    let key = json!({"name": "Bound", "allowed_addresses": ["203.0.113.7"]});
    let key = app.post("/v1/api_keys", key).await.id();
    let spare = app
        .post("/v1/workspaces", json!({"name": "Spare"}))
        .await
        .id();
    let course = json!({"name": "Gone", "language": "en"});
    let course = app.post("/v1/courses", course).await.id();
    app.delete(&format!("/v1/courses/{course}")).await;
    let item = list_of(&app, "trash").await[0]["id"].clone();
    let doors = [
        ("POST", "/v1/api_keys".to_owned(), json!({"name": "Mine"})),
        (
            "PATCH",
            format!("/v1/api_keys/{key}"),
            json!({"allowed_addresses": []}),
        ),
        ("DELETE", format!("/v1/workspaces/{spare}"), json!({})),
        (
            "DELETE",
            format!("/v1/trash/{}", item.as_str().unwrap()),
            json!({}),
        ),
        (
            "POST",
            "/v1/webhook_endpoints".to_owned(),
            json!({"url": "https://hooks.example/a"}),
        ),
        (
            "PATCH",
            format!("/v1/users/{}", school.student),
            json!({"role": "teacher"}),
        ),
        (
            "POST",
            format!("/v1/users/{}/export", school.student),
            json!({}),
        ),
        (
            "POST",
            format!("/v1/users/{}/erase", school.student),
            json!({"confirm": school.student}),
        ),
    ];
    app.clock.advance(10 * 60);
    for (method, path, body) in &doors {
        let late = on_platform(&app, method, path, &held, body.clone()).await;
        assert_refused(&late, 403, "recent_sign_in_required", "");
    }
    let name = json!({"name": "Ada L."});
    let path = format!("/v1/users/{}", school.student);
    let harmless = on_platform(&app, "PATCH", &path, &held, name).await;
    assert_eq!(harmless.status, 200, "{}", harmless.body);
    let again = cookie(&open(&app, &link(&app, OWNER).await, &held).await);
    for (method, path, body) in &doors {
        let done = on_platform(&app, method, path, &again, body.clone()).await;
        assert!(done.status < 300, "{path}: {}", done.body);
    }
    app.clock.advance(10 * 60);
    let by_key = app.post("/v1/api_keys", json!({"name": "Mine"})).await;
    assert_eq!(
        by_key.status, 201,
        "keys prove it each time: {}",
        by_key.body
    );
}

#[actix_web::test]
async fn a_person_sees_where_they_are_signed_in_and_ends_it() {
    let app = start().await;
    School::open(&app).await;
    let (first, second) = (signed_in(&app, OWNER).await, signed_in(&app, OWNER).await);
    let third = signed_in(&app, OWNER).await;
    let others = signed_in(&app, STUDENT).await;
    let list = get(&app, "/v1/sessions", &third).await;
    let rows = list.body["data"].as_array().unwrap();
    assert_eq!(rows.len(), 3, "{}", list.body);
    let current: Vec<bool> = rows.iter().map(|row| row["current"] == true).collect();
    assert_eq!(current, [true, false, false]);
    let path = format!("/v1/sessions/{}", rows[2]["id"].as_str().unwrap());
    assert_eq!(
        get(&app, &path, &third).await.body["device"],
        "Firefox on Linux"
    );
    assert_refused(
        &get(&app, &path, &others).await,
        404,
        "resource_missing",
        "",
    );
    let foreign = app.send(asking("DELETE", &path, &others)).await;
    assert_refused(&foreign, 404, "resource_missing", "");
    assert_eq!(app.send(asking("DELETE", &path, &third)).await.status, 200);
    assert_eq!(get(&app, "/v1/me", &first).await.status, 401);
    assert_eq!(get(&app, "/v1/me", &second).await.status, 200);
    let rest = app
        .send(asking("POST", "/v1/sessions/end_others", &third))
        .await;
    assert_eq!(rest.body["ended"], 1);
    assert_eq!(get(&app, "/v1/me", &second).await.status, 401);
    assert_eq!(get(&app, "/v1/me", &third).await.status, 200);
    assert_eq!(get(&app, "/v1/me", &others).await.status, 200);
}

#[actix_web::test]
async fn whoever_was_let_in_by_a_workspace_learns_nothing_of_the_persons_sessions() {
    let app = start().await;
    let school = School::open(&app).await;
    signed_in(&app, STUDENT).await;
    let learner = school.student_session(&app).await;
    let list = app
        .call_at_account(&learner.key, "GET", "/v1/sessions")
        .await;
    assert_refused(&list, 403, "insufficient_scope", "scope");
    let _ = session(&app, STUDENT).await;
    let out = app
        .call_at_account(&app.owner.key, "POST", "/v1/sign_out")
        .await;
    assert_refused(&out, 404, "resource_missing", "");
}

#[actix_web::test]
async fn of_too_many_sessions_the_oldest_end() {
    let app = start().await;
    let first = signed_in(&app, OWNER).await;
    let second = signed_in(&app, OWNER).await;
    for _ in 0..19 {
        signed_in(&app, OWNER).await;
    }
    assert_eq!(get(&app, "/v1/me", &first).await.status, 401);
    assert_eq!(get(&app, "/v1/me", &second).await.status, 200);
}

#[actix_web::test]
async fn the_only_workspace_of_a_person_hears_that_they_came_and_left() {
    let app = start().await;
    let held = signed_in(&app, OWNER).await;
    app.send(asking("POST", "/v1/sign_out", &held)).await;
    let trail = app.get("/v1/audit").await;
    let actions: Vec<&str> = trail.body["data"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|entry| entry["action"].as_str())
        .collect();
    assert_eq!(actions[..2], ["session.ended", "session.started"]);
    assert_eq!(trail.body["data"][0]["actor"]["kind"], "user");
}

#[actix_web::test]
async fn each_session_that_is_ended_is_told() {
    let app = start().await;
    for _ in 0..21 {
        signed_in(&app, OWNER).await;
    }
    let held = signed_in(&app, OWNER).await;
    let others = app
        .send(asking("POST", "/v1/sessions/end_others", &held))
        .await;
    assert_eq!(others.body["ended"], 19);
    let told = app.get("/v1/audit?action=session.ended&limit=100").await;
    assert_eq!(told.body["data"].as_array().unwrap().len(), 21);
}

#[actix_web::test]
async fn who_only_has_a_record_somewhere_is_not_let_in_there() {
    let app = start().await;
    School::open(&app).await;
    let held = signed_in(&app, STUDENT).await;
    let refused = on_platform(&app, "GET", "/v1/lessons", &held, json!({})).await;
    assert_refused(&refused, 403, "platform_access_denied", "");
    let waiting = get(&app, "/v1/invitations", &held).await;
    assert_eq!(waiting.body["data"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn programs_do_not_sign_in() {
    let app = start().await;
    let program = json!({"kind": "service", "name": "Grade sync", "role": "teacher"});
    let program = app.post("/v1/users", program).await;
    assert_eq!(program.status, 201, "{}", program.body);
    for nobody in [
        program.body["email"].as_str().unwrap(),
        "nobody@main.example",
    ] {
        let refused = try_link(&app, nobody).await;
        assert!(matches!(refused, Err(Error::Reference { .. })), "{nobody}");
    }
}

#[actix_web::test]
async fn the_ways_in_are_told_to_everybody() {
    let app = start().await;
    let ways = app.send(TestRequest::get().uri("/v1/sign_in")).await;
    assert_eq!(
        ways.body,
        json!({"object": "sign_in", "ways": ["local_link"]})
    );
}
