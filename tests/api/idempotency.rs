//! One key, one effect.

use futures_util::future::join_all;
use serde_json::{Value, json};
use support::app::{Answer, TestApp, request};
use support::stores::Database;

async fn keyed(app: &TestApp, key: &str, body: serde_json::Value) -> Answer {
    let request = request(&app.owner, "POST", "/v1/courses");
    app.send(
        request
            .insert_header(("Idempotency-Key", key))
            .set_json(body),
    )
    .await
}

async fn on(database: Database) -> TestApp {
    let ai = lyceum_ai::provider(lyceum_ai::ProviderSettings::Builtin).unwrap();
    TestApp::on(database, ai).await
}

#[actix_web::test]
async fn the_same_request_gives_the_first_answer_again() {
    let app = TestApp::start().await;
    let body = json!({"name": "A", "language": "en"});
    let first = keyed(&app, "k1", body.clone()).await;
    let again = keyed(&app, "k1", json!({"language": "en", "name": "A"})).await;
    assert_eq!((again.status, &again.body), (201, &first.body));
    assert_eq!(first.header("idempotent-replayed"), None);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.header("location"), first.header("location"));
    assert_eq!(
        app.get("/v1/courses").await.body["data"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[actix_web::test]
async fn the_options_member_means_the_same_as_the_header() {
    let app = TestApp::start().await;
    let body =
        json!({"name": "A", "language": "en", "options": {"idempotencyKey": "k", "maxRetries": 3}});
    let first = app.post("/v1/courses", body.clone()).await;
    assert_eq!(first.status, 201);
    let again = app.post("/v1/courses", body).await;
    assert_eq!(again.id(), first.id());
    let by_header = keyed(&app, "k", json!({"name": "A", "language": "en"})).await;
    assert_eq!(by_header.id(), first.id());
}

#[actix_web::test]
async fn options_may_be_absent_but_not_wrong() {
    let app = TestApp::start().await;
    let with = |options: Value| json!({"name": "A", "language": "en", "options": options});
    for options in [
        json!(null),
        json!({}),
        json!({"idempotencyKey": null, "maxRetries": null}),
        json!({"maxRetries": 0}),
    ] {
        let taken = app.post("/v1/courses", with(options)).await;
        assert_eq!(taken.status, 201, "{}", taken.body);
    }
    for (options, field) in [
        (json!("k"), "options"),
        (json!({"maxRetries": "3"}), "options.maxRetries"),
        (json!({"maxRetries": -1}), "options.maxRetries"),
        (json!({"maxRetries": 1.5}), "options.maxRetries"),
    ] {
        let refused = app.post("/v1/courses", with(options)).await;
        assert_eq!((refused.status, refused.code()), (400, "invalid_field"));
        assert!(
            refused.body["error"]["fields"][field].is_string(),
            "{}",
            refused.body
        );
    }
}

#[actix_web::test]
async fn another_request_under_the_same_key_is_refused_even_if_it_is_not_valid() {
    let app = TestApp::start().await;
    keyed(&app, "k1", json!({"name": "A", "language": "en"})).await;
    for body in [json!({"name": "B", "language": "en"}), json!({})] {
        let refused = keyed(&app, "k1", body).await;
        assert_eq!(
            (refused.status, refused.code()),
            (400, "idempotency_key_reused")
        );
        assert_eq!(refused.body["error"]["type"], "idempotency_error");
    }
}

#[actix_web::test]
async fn failures_are_not_remembered() {
    let app = TestApp::start().await;
    assert_eq!(
        keyed(&app, "k1", json!({"language": "en"})).await.status,
        400
    );
    assert_eq!(
        keyed(&app, "k1", json!({"name": "A", "language": "en"}))
            .await
            .status,
        201
    );
}

#[actix_web::test]
async fn keys_are_remembered_for_a_day_and_belong_to_one_workspace() {
    let app = TestApp::start().await;
    let body = json!({"name": "A", "language": "en"});
    let first = keyed(&app, "k1", body.clone()).await;
    let other = app.another_workspace("other").await;
    let elsewhere = request(&other, "POST", "/v1/courses").insert_header(("Idempotency-Key", "k1"));
    let elsewhere = app.send(elsewhere.set_json(body.clone())).await;
    assert_ne!(elsewhere.id(), first.id());
    app.clock.advance(24 * 60 * 60 + 1);
    assert_ne!(keyed(&app, "k1", body).await.id(), first.id());
}

#[actix_web::test]
async fn malformed_keys_are_refused() {
    let app = TestApp::start().await;
    for key in ["", "with space", &"x".repeat(256)] {
        let refused = keyed(&app, key, json!({"name": "A", "language": "en"})).await;
        assert_eq!(
            (refused.status, refused.code()),
            (400, "invalid_idempotency_key"),
            "{key}"
        );
    }
}

#[actix_web::test]
async fn of_requests_that_race_one_has_the_effect_and_all_its_answer() {
    for database in [Database::Sqlite, Database::Postgres] {
        let app = on(database).await;
        let body = json!({"name": "A", "language": "en"});
        let answers = join_all((0..20).map(|_| keyed(&app, "race", body.clone()))).await;
        let first = answers[0].id();
        for answer in &answers {
            assert_eq!(
                (answer.status, answer.id()),
                (201, first.clone()),
                "{database:?} {}",
                answer.body
            );
        }
        let fresh = answers
            .iter()
            .filter(|one| one.header("idempotent-replayed").is_none())
            .count();
        assert_eq!(fresh, 1, "{database:?}");
        let courses = app.get("/v1/courses").await;
        assert_eq!(
            courses.body["data"].as_array().unwrap().len(),
            1,
            "{database:?}"
        );
        let events = app.get("/v1/events?type=course.created").await;
        assert_eq!(
            events.body["data"].as_array().unwrap().len(),
            1,
            "{database:?}"
        );
    }
}

#[actix_web::test]
async fn replies_that_are_too_old_to_count_are_swept_out() {
    let app = TestApp::start().await;
    keyed(&app, "old", json!({"name": "A", "language": "en"})).await;
    app.clock.advance(24 * 60 * 60 + 1);
    keyed(&app, "new", json!({"name": "B", "language": "en"})).await;
    assert_eq!(
        lyceum_application::running::retention::sweep(&app.app)
            .await
            .unwrap(),
        1
    );
    assert_eq!(
        lyceum_application::running::retention::sweep(&app.app)
            .await
            .unwrap(),
        0
    );
}
