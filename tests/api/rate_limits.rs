//! How much callers may ask for, and when they are told.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::FakeRelativeClock;
use lyceum_api::edge::rate_limit::{LimitClock, RateLimits, TenantLimits};
use lyceum_api::routes;
use lyceum_domain::identity::scopes::Scope;
use serde_json::{Value, json};
use support::app::{Answer, Caller, TestApp, request};

use support::stores::Database;

use crate::school::{School, app_on, assert_refused, key};

const MANY: u32 = 1_000;

/// Limits on a clock that stands.
pub fn limits(clock: &FakeRelativeClock) -> RateLimits {
    let many = NonZeroU32::new(MANY).unwrap();
    RateLimits {
        per_key: many,
        per_address: many,
        failures_per_address: many,
        ai_per_workspace: many,
        ai_per_learners: many,
        ai_per_package: many,
        tutor_per_user: many,
        launches_per_address: many,
        launches_per_key: many,
        launches_per_learner: many,
        newcomers_per_package: many,
        written_per_learner: many,
        written_per_package: many,
        tenants: TenantLimits {
            workspaces_per_person: many,
            invitations: many,
        },
        shared: false,
        trusted_proxies: 0,
        clock: LimitClock::Standing(clock.clone()),
    }
}

pub const fn few(count: u32) -> NonZeroU32 {
    NonZeroU32::new(count).unwrap()
}

pub async fn started(change: impl FnOnce(&mut RateLimits)) -> (TestApp, FakeRelativeClock) {
    let clock = FakeRelativeClock::default();
    let mut limits = limits(&clock);
    change(&mut limits);
    (TestApp::start().await.limited(limits), clock)
}

fn headers(answer: &Answer) -> [Option<&str>; 3] {
    ["ratelimit-policy", "ratelimit", "retry-after"].map(|name| answer.header(name))
}

/// GET from an address, with these headers.
async fn from(app: &TestApp, peer: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
    let address = format!("{peer}:4000").parse().unwrap();
    let mut request = actix_web::test::TestRequest::with_uri(path).peer_addr(address);
    for header in headers {
        request = request.insert_header(*header);
    }
    app.send(request).await
}

/// GET `/v1/me` from an address with a key.
async fn me(app: &TestApp, peer: &str, key: &str) -> Answer {
    from(app, peer, "/v1/me", &[("x-api-key", key)]).await
}

const WRONG: &str = "lyc_k7Qm2Zt9-4fJx0RkP2a-Wb81LsYdTq-9uNcE5hGv3-3uyGXp";

#[actix_web::test]
async fn a_key_has_a_quota_of_its_own_and_is_told_how_it_stands() {
    let (app, clock) = started(|limits| limits.per_key = few(2)).await;
    let first = app.get("/v1/courses").await;
    assert_eq!(first.status, 200);
    let policy = Some("\"key\";q=2;w=60");
    assert_eq!(headers(&first), [policy, Some("\"key\";r=1;t=30"), None]);
    let second = app.post("/v1/courses", json!({})).await;
    assert_refused(&second, 400, "missing_field", "name");
    assert_eq!(headers(&second), [policy, Some("\"key\";r=0;t=60"), None]);
    let third = app.get("/v1/courses").await;
    assert_refused(&third, 429, "rate_limited", "");
    assert_eq!(third.body["error"]["type"], "rate_limit_error");
    let told = [policy, Some("\"key\";r=0;t=30"), Some("30")];
    assert_eq!(headers(&third), told);
    clock.advance(Duration::from_secs(30));
    let narrow = app.get("/v1/courses").await;
    assert_eq!(narrow.status, 200, "it refills evenly");
    assert_eq!(app.get("/v1/courses").await.status, 429);
}

#[actix_web::test]
async fn one_key_does_not_use_up_what_is_another_s() {
    let (app, clock) = started(|limits| limits.per_key = few(1)).await;
    let other = key(&app, &["read:courses"]).await;
    assert_eq!(app.get("/v1/courses").await.status, 429);
    let courses = app.call(&other, "GET", "/v1/courses", None).await;
    assert_eq!(courses.status, 200);
    clock.advance(Duration::from_mins(1));
    assert_eq!(app.get("/v1/courses").await.status, 200);
}

#[actix_web::test]
async fn limits_come_after_the_platform_and_before_the_scope() {
    let (app, clock) = started(|limits| limits.per_key = few(1)).await;
    let narrow = key(&app, &["read:events"]).await;
    app.call(&narrow, "GET", "/v1/events", None).await;
    let call = async |caller: &Caller, path: &str| {
        let answer = app.call(caller, "GET", path, None).await;
        (answer.status, answer.code().to_owned())
    };
    let told = |status: u16, code: &str| (status, code.to_owned());
    assert_eq!(
        call(&narrow, "/v1/nothing").await,
        told(404, "unknown_route")
    );
    let wrong = app.call(&narrow, "DELETE", "/v1/events", None).await;
    assert_eq!(wrong.status, 405);
    let nobody = Caller {
        key: WRONG.to_owned(),
        ..narrow.clone()
    };
    assert_eq!(
        call(&nobody, "/v1/events").await,
        told(401, "invalid_api_key")
    );
    let nowhere = Caller {
        platform: "elsewhere".to_owned(),
        ..narrow.clone()
    };
    let denied = told(403, "platform_access_denied");
    assert_eq!(call(&nowhere, "/v1/events").await, denied);
    assert_eq!(
        call(&narrow, "/v1/courses").await,
        told(429, "rate_limited")
    );
    let sent = request(&narrow, "POST", "/v1/courses").set_payload("{");
    let sent = app
        .send(sent.insert_header(("content-type", "text/plain")))
        .await;
    assert_eq!(sent.code(), "rate_limited", "before media type and syntax");
    clock.advance(Duration::from_mins(1));
    assert_eq!(
        call(&narrow, "/v1/courses").await,
        told(403, "insufficient_scope")
    );
}

#[actix_web::test]
async fn an_address_that_guesses_keys_is_turned_away_before_they_are_looked_up() {
    let (app, clock) = started(|limits| limits.failures_per_address = few(2)).await;
    let good = app.owner.key.clone();
    for _ in 0..2 {
        let refused = me(&app, "1.2.3.4", WRONG).await;
        assert_refused(&refused, 401, "invalid_api_key", "");
    }
    // Even a good key is not looked up any more.
    let barred = me(&app, "1.2.3.4", &good).await;
    assert_refused(&barred, 429, "rate_limited", "");
    let policy = Some("\"authentication\";q=2;w=60");
    let told = [policy, Some("\"authentication\";r=0;t=30"), Some("30")];
    assert_eq!(headers(&barred), told);
    assert_eq!(
        me(&app, "1.2.3.5", &good).await.status,
        200,
        "another address"
    );
    clock.advance(Duration::from_secs(30));
    assert_eq!(me(&app, "1.2.3.4", &good).await.status, 200);
    assert_eq!(me(&app, "1.2.3.4", WRONG).await.status, 401);
    assert_eq!(
        me(&app, "1.2.3.4", WRONG).await.status,
        429,
        "one more is one more"
    );
}

#[actix_web::test]
async fn good_keys_never_use_up_what_is_for_wrong_ones() {
    let (app, _) = started(|limits| limits.failures_per_address = few(1)).await;
    let good = app.owner.key.clone();
    for _ in 0..5 {
        let answer = me(&app, "1.2.3.4", &good).await;
        assert_eq!(answer.status, 200);
        assert!(
            !answer
                .header("ratelimit")
                .unwrap()
                .contains("authentication")
        );
    }
}

#[actix_web::test]
async fn routes_without_a_key_are_counted_by_address() {
    let (app, _) = started(|limits| limits.per_address = few(2)).await;
    let document = async |peer: &str| from(&app, peer, "/v1/openapi.json", &[]).await;
    let first = document("1.2.3.4").await;
    let policy = Some("\"address\";q=2;w=60");
    assert_eq!(
        headers(&first),
        [policy, Some("\"address\";r=1;t=30"), None]
    );
    let finish = actix_web::test::TestRequest::post()
        .uri("/v1/tokens/finish")
        .peer_addr("1.2.3.4:4001".parse().unwrap())
        .set_json(json!({"token": "tok_no"}));
    assert_eq!(app.send(finish).await.status, 401);
    assert_refused(&document("1.2.3.4").await, 429, "rate_limited", "");
    assert_eq!(document("1.2.3.5").await.status, 200);
    assert_eq!(document("[2001:db8::1]").await.status, 200);
    assert_eq!(document("[2001:db8::2]").await.status, 200);
    assert_eq!(document("[2001:db8::3]").await.status, 429, "one household");
}

#[actix_web::test]
async fn whoever_watches_over_the_service_is_always_answered() {
    let (app, _) = started(|limits| limits.per_address = few(1)).await;
    for path in ["/healthz", "/readyz", "/healthz", "/readyz"] {
        let answer = from(&app, "1.2.3.4", path, &[]).await;
        assert_eq!(
            (answer.status, headers(&answer)),
            (200, [None; 3]),
            "{path}"
        );
    }
}

#[actix_web::test]
async fn a_forwarded_address_counts_only_behind_a_proxy() {
    for (proxies, caller_is_told_apart) in [(0, false), (1, true)] {
        let (app, _) = started(|limits| {
            limits.per_address = few(1);
            limits.trusted_proxies = proxies;
        })
        .await;
        let forwarded = async |chain: &str| {
            let header = [("X-Forwarded-For", chain)];
            from(&app, "10.0.0.1", "/v1/openapi.json", &header)
                .await
                .status
        };
        assert_eq!(forwarded("1.1.1.1").await, 200);
        let other = if caller_is_told_apart { 200 } else { 429 };
        assert_eq!(forwarded("2.2.2.2").await, other, "{proxies}");
        // What a caller writes in front does not make them another.
        assert_eq!(forwarded("9.9.9.9, 2.2.2.2").await, 429, "{proxies}");
    }
}

#[actix_web::test]
async fn ai_is_counted_by_workspace_and_only_for_those_who_may_use_it() {
    let (app, clock) = started(|limits| limits.ai_per_workspace = few(1)).await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, "Cool the rice.").await;
    let path = format!("/v1/submissions/{id}/ai");
    let narrow = key(&app, &["read:*", "write:*"]).await;
    for _ in 0..3 {
        let refused = app.call(&narrow, "POST", &path, Some(json!({}))).await;
        assert_refused(&refused, 403, "insufficient_scope", "scope");
    }
    let asked = app.post(&path, json!({})).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    let policies = asked.header("ratelimit-policy").unwrap();
    assert_eq!(policies, "\"key\";q=1000;w=60, \"ai\";q=1;w=60");
    let left = asked.header("ratelimit").unwrap();
    assert!(left.ends_with(", \"ai\";r=0;t=60"), "{left}");
    assert_eq!(asked.header("retry-after"), Some("2"), "when to poll");
    // Another key of the same workspace draws on the same quota.
    let other = key(&app, &["ai:grade"]).await;
    let refused = app.call(&other, "POST", &path, Some(json!({}))).await;
    assert_refused(&refused, 429, "ai_rate_limited", "");
    assert_eq!(refused.header("retry-after"), Some("60"));
    assert_eq!(app.get("/v1/courses").await.status, 200, "all else goes on");
    let stranger = app.another_workspace("other").await;
    let theirs = School::of(&app, &stranger).await;
    let brief = Some(json!({"brief": "Cooling", "hours": 1}));
    let syllabus = format!("/v1/courses/{}/syllabus", theirs.course);
    let asked = app.call(&stranger, "POST", &syllabus, brief).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    clock.advance(Duration::from_mins(1));
    assert_eq!(app.post(&path, json!({})).await.status, 202);
}

#[actix_web::test]
async fn every_route_that_asks_for_an_ai_scope_is_counted_as_ai() {
    let (app, _) = started(|_| {}).await;
    let mut tried = 0;
    for route in routes::all() {
        let needs = route.policy.requirement;
        let mut scopes = needs.all.iter().chain(needs.any);
        let asks = scopes.any(|scope: &Scope| scope.as_str().starts_with("ai:"));
        // Reading what AI once said spends nothing.
        let asks = asks && route.method != "GET";
        let path = route
            .path
            .replace("{id}", "xyz")
            .replace("{user_id}", "xyz");
        let path = path.replace("{platform}", "xyz");
        let answer = app
            .send(request(&app.owner, route.method, &path).set_json(json!({})))
            .await;
        let policies = answer.header("ratelimit-policy").unwrap_or_default();
        let place = format!("{} {} {policies}", route.method, route.path);
        assert_eq!(policies.contains("\"ai\""), asks, "{place}");
        let is_health = route.path == "/healthz" || route.path == "/readyz";
        assert_eq!(policies.is_empty(), is_health, "{place}");
        tried += u32::from(asks);
    }
    assert!(tried >= 4, "{tried}");
}

#[actix_web::test]
async fn without_limits_nobody_is_counted() {
    let app = TestApp::start().await;
    let answer = app.get("/v1/courses").await;
    assert_eq!(headers(&answer), [None; 3]);
    assert_eq!(answer.body["data"], Value::Array(Vec::new()));
}

#[actix_web::test]
async fn who_keeps_asking_the_tutor_takes_nothing_from_others() {
    let (app, clock) = started(|limits| limits.tutor_per_user = few(1)).await;
    let school = School::open(&app).await;
    let learner = school.student_session(&app).await;
    let path = format!("/v1/lessons/{}/tutor", school.lesson);
    let said = || Some(json!({"message": "Why?"}));
    let first = app.call(&learner, "POST", &path, said()).await;
    assert_eq!(first.status, 200, "{}", first.body);
    let policies = first.header("ratelimit-policy").unwrap();
    assert!(policies.contains("\"tutor\";q=1;w=60"), "{policies}");
    let refused = app.call(&learner, "POST", &path, said()).await;
    assert_refused(&refused, 429, "ai_rate_limited", "");
    // Reading what was said spends nothing, and others are still answered.
    assert_eq!(app.call(&learner, "GET", &path, None).await.status, 200);
    let other = app.call(&app.owner, "POST", &path, said()).await;
    assert_eq!(other.status, 200, "{}", other.body);
    clock.advance(Duration::from_mins(1));
    let again = app.call(&learner, "POST", &path, said()).await;
    assert_eq!(again.status, 200, "{}", again.body);
}

#[actix_web::test]
async fn what_costs_money_is_counted_for_all_nodes_together() {
    let clock = FakeRelativeClock::default();
    let limits = RateLimits {
        shared: true,
        ai_per_workspace: few(3),
        tutor_per_user: few(2),
        ..limits(&clock)
    };
    let app = app_on(Database::Postgres).await;
    let school = School::open(&app).await;
    let id = school.hand_in(&app, "Cool the rice.").await;
    let path = format!("/v1/submissions/{id}/ai");
    let lesson = format!("/v1/lessons/{}/tutor", school.lesson);
    let message = json!({"message": "How cold?"});
    let first = app.limited(limits.clone());
    let told = first.post(&lesson, message.clone()).await;
    assert_eq!(told.status, 200, "{}", told.body);
    let left = told.header("ratelimit").unwrap();
    assert!(
        left.ends_with("\"tutor\";r=1;t=30, \"ai\";r=2;t=20"),
        "{left}"
    );
    // A node more is not a quota more.
    let second = first.limited(limits);
    assert_eq!(second.post(&lesson, message.clone()).await.status, 200);
    let refused = second.post(&lesson, message).await;
    assert_refused(&refused, 429, "ai_rate_limited", "");
    assert_eq!(refused.header("retry-after"), Some("30"));
    assert_eq!(second.post(&path, json!({})).await.status, 202);
    let refused = second.post(&path, json!({})).await;
    assert_refused(&refused, 429, "ai_rate_limited", "");
    assert_eq!(refused.header("retry-after"), Some("20"));
    second.clock.advance(20);
    let again = second.post(&path, json!({})).await;
    assert_ne!(again.status, 429, "{}", again.body);
}
