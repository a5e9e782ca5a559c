//! How often learners may launch packages, and how browsers are let at it.

use actix_web::test::TestRequest;
use futures_util::future::join_all;
use serde_json::Value;
use support::app::{Answer, TestApp};

use crate::rate_limits::{few, started};
use crate::school::assert_refused;
use crate::scorm_sessions::Package;

/// A launch from an address.
async fn from(app: &TestApp, package: &Package, peer: &str, body: &Value) -> Answer {
    let path = format!("/v1/scorm/{}/sessions", package.id);
    let peer = format!("{peer}:4000").parse().unwrap();
    let sent = TestRequest::post()
        .uri(&path)
        .peer_addr(peer)
        .set_json(body);
    app.send(sent.insert_header(("Origin", "null"))).await
}

#[actix_web::test]
async fn one_learner_who_keeps_asking_takes_nothing_from_the_others() {
    let (app, clock) = started(|limits| {
        limits.launches_per_learner = few(2);
        limits.launches_per_key = few(4);
    })
    .await;
    let package = Package::published(&app).await;
    let launch = |learner: &str, n: u32| package.launch(learner, &n.to_string());
    for n in 0..2 {
        let answer = from(&app, &package, "10.0.0.1", &launch("jdoe", n)).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    for n in 2..9 {
        // From wherever.
        let refused = from(&app, &package, &format!("10.0.0.{n}"), &launch("jdoe", n)).await;
        assert_refused(&refused, 429, "rate_limited", "");
        assert_eq!(refused.header("retry-after"), Some("30"));
        assert_eq!(refused.header("access-control-allow-origin"), Some("*"));
        let policy = refused.header("ratelimit-policy").unwrap();
        assert!(policy.contains("\"launch-learner\";q=2;w=60"), "{policy}");
    }
    for (n, learner) in [(10, "eve"), (11, "ann")] {
        let answer = from(&app, &package, "10.0.0.1", &launch(learner, n)).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    // Now the key of the package has been used four times.
    let refused = from(&app, &package, "10.0.0.1", &launch("joe", 12)).await;
    assert_refused(&refused, 429, "rate_limited", "");
    clock.advance(std::time::Duration::from_mins(1));
    let answer = from(&app, &package, "10.0.0.1", &launch("joe", 13)).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
}

#[actix_web::test]
async fn a_school_behind_one_address_gets_in_on_the_hour() {
    let (app, _) = started(|limits| {
        // As an operator who decides nothing has it; other routes without a key would be full after one.
        limits.per_address = few(1);
        limits.launches_per_address = few(1_200);
        limits.launches_per_key = few(6_000);
        limits.launches_per_learner = few(20);
    })
    .await;
    let package = Package::published(&app).await;
    let launches = (0..500).map(|n| {
        let mut body = package.launch(&format!("student {n}"), &n.to_string());
        // Without the key nothing is written, which is all that counts here.
        body["launch_key"] = package.service["key"].clone();
        if n % 50 != 0 {
            body["launch_key"] = serde_json::json!("lk_wrong");
        }
        body
    });
    let bodies: Vec<Value> = launches.collect();
    let answers = join_all(
        bodies
            .iter()
            .map(|body| from(&app, &package, "10.0.0.1", body)),
    )
    .await;
    let of = |status: u16| answers.iter().filter(|it| it.status == status).count();
    assert_eq!((of(200), of(401), of(429)), (10, 490, 0));
}

#[actix_web::test]
async fn an_address_has_its_own_quota_of_launches() {
    let (app, _) = started(|limits| limits.launches_per_address = few(2)).await;
    let package = Package::published(&app).await;
    for (peer, expected) in [
        ("10.0.0.1", 200),
        ("10.0.0.1", 200),
        ("10.0.0.1", 429),
        ("10.0.0.2", 200),
    ] {
        let body = package.launch(&format!("{peer} {expected}"), "1");
        assert_eq!(
            from(&app, &package, peer, &body).await.status,
            expected,
            "{peer}"
        );
    }
}

#[actix_web::test]
async fn a_player_at_any_origin_may_ask_before_it_asks() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let path = format!("/v1/scorm/{}/sessions", package.id);
    for origin in ["null", "https://lms.example"] {
        let asked = TestRequest::with_uri(&path)
            .method(actix_web::http::Method::OPTIONS)
            .insert_header(("Origin", origin))
            .insert_header(("Access-Control-Request-Method", "POST"))
            .insert_header(("Access-Control-Request-Headers", "content-type"));
        let answer = app.send(asked).await;
        assert_eq!(answer.status, 204, "{origin}");
        for (header, expected) in [
            ("access-control-allow-origin", "*"),
            ("access-control-max-age", "7200"),
        ] {
            assert_eq!(answer.header(header), Some(expected), "{origin} {header}");
        }
        let methods = answer.header("access-control-allow-methods").unwrap();
        assert!(methods.contains("POST"), "{methods}");
        let headers = answer.header("access-control-allow-headers").unwrap();
        for needed in ["content-type", "x-api-key", "idempotency-key"] {
            assert!(headers.contains(needed), "{headers}");
        }
        assert!(answer.header("access-control-allow-credentials").is_none());
        assert!(
            answer
                .header("vary")
                .is_some_and(|it| it.contains("Origin"))
        );
    }
}

#[actix_web::test]
async fn a_player_can_read_every_refusal() {
    let app = TestApp::start().await;
    let package = Package::published(&app).await;
    let good = package.launch("jdoe", "1");
    let mut wrong_key = good.clone();
    wrong_key["launch_key"] = serde_json::json!("lk_");
    let mut no_nonce = good.clone();
    no_nonce["nonce"] = Value::Null;
    for (body, expected) in [(good, 200), (wrong_key, 401), (no_nonce, 400)] {
        let answer = from(&app, &package, "10.0.0.1", &body).await;
        assert_eq!(answer.status, expected);
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
        assert!(answer.header("access-control-allow-credentials").is_none());
        assert!(
            answer
                .header("vary")
                .is_some_and(|it| it.contains("Origin"))
        );
    }
}
