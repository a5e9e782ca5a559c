//! The client against a server that misbehaves.

use std::time::Duration;

use lyceum_client::{
    Client, ClientError, ClientSettings, ListQuery, Platform, RequestOptions, wait_until,
};
use lyceum_wire::courses::{CourseView, CreateCourse};
use serde_json::{Value, json};
use wiremock::matchers::{body_json, header, method, path, query_param, query_param_is_missing};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

const KEY: &str = "lyc_k7Qm2Zt9-4fJx0RkP2a-Wb81LsYdTq-9uNcE5hGv3-3uyGXp";

#[allow(clippy::unwrap_used, reason = "a test that cannot begin should say so")]
fn client(server: &MockServer) -> Client {
    let mut settings = ClientSettings::new(server.uri(), KEY);
    settings.platform = Platform::Code("main".to_owned());
    Client::new(settings).unwrap()
}

fn course(id: &str) -> Value {
    json!({
        "id": id, "object": "course", "name": "Knives", "language": "en", "description": "",
        "duration": {"hours": 8, "hours_generated": 0}, "status": "draft", "cohorts": [],
        "ai": {"instructions": "", "evaluator": {}}, "tutor": {}, "generation": null, "metadata": {},
        "created_at": "2026-11-21T06:55:00.123Z", "updated_at": "2026-11-21T06:55:00.123Z",
    })
}

fn refusal(status: u16, kind: &str, code: &str, fields: &Value) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_json(json!({"error": {
        "type": kind, "code": code, "message": "it did not work", "fields": fields, "request_id": "req_7",
    }}))
}

fn busy() -> ResponseTemplate {
    refusal(503, "api_error", "unavailable", &json!({})).insert_header("retry-after", "0")
}

fn new_course() -> CreateCourse {
    CreateCourse {
        name: "Knives".into(),
        language: "en".into(),
        ..CreateCourse::default()
    }
}

fn idempotency_keys(requests: &[Request]) -> Vec<String> {
    let key = |request: &Request| {
        let value = request.headers.get("idempotency-key")?;
        value.to_str().ok().map(str::to_owned)
    };
    requests.iter().filter_map(key).collect()
}

#[tokio::test]
async fn a_write_is_tried_again_with_the_same_key() {
    let server = MockServer::start().await;
    let create = || Mock::given(method("POST")).and(path("/v1/courses"));
    create()
        .respond_with(busy())
        .up_to_n_times(2)
        .mount(&server)
        .await;
    create()
        .and(header("x-api-key", KEY))
        .and(header("x-learning-platform-code", "main"))
        .and(body_json(json!({"name": "Knives", "language": "en"})))
        .respond_with(ResponseTemplate::new(201).set_body_json(course("crs_1")))
        .mount(&server)
        .await;
    let made = client(&server)
        .courses()
        .create(&new_course())
        .await
        .unwrap();
    assert_eq!(made.id, "crs_1");
    let keys = idempotency_keys(&server.received_requests().await.unwrap());
    assert_eq!(keys.len(), 3);
    assert_eq!(keys[0].len(), 32);
    assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
}

#[tokio::test]
async fn two_writes_have_two_keys_unless_the_caller_says_otherwise() {
    let server = MockServer::start().await;
    let answer = ResponseTemplate::new(201).set_body_json(course("crs_1"));
    Mock::given(method("POST"))
        .respond_with(answer)
        .mount(&server)
        .await;
    let client = client(&server);
    client.courses().create(&new_course()).await.unwrap();
    client.courses().create(&new_course()).await.unwrap();
    let own = RequestOptions {
        idempotency_key: Some("mine".into()),
        ..RequestOptions::default()
    };
    client
        .courses()
        .create_with(&new_course(), own)
        .await
        .unwrap();
    let keys = idempotency_keys(&server.received_requests().await.unwrap());
    assert_ne!(keys[0], keys[1]);
    assert_eq!(keys[2], "mine");
}

#[tokio::test]
async fn a_mistake_of_the_caller_is_not_sent_again_and_says_what_it_is() {
    let server = MockServer::start().await;
    let fields = json!({"name": "is required", "language": "is required"});
    Mock::given(method("POST"))
        .respond_with(refusal(
            400,
            "invalid_request_error",
            "missing_field",
            &fields,
        ))
        .expect(1)
        .mount(&server)
        .await;
    let error = client(&server)
        .courses()
        .create(&CreateCourse::default())
        .await
        .unwrap_err();
    assert_eq!(error.status(), Some(400));
    let detail = error.detail().unwrap();
    assert_eq!(detail.kind, "invalid_request_error");
    assert_eq!(detail.fields["name"], "is required");
    assert_eq!(
        error.to_string(),
        "it did not work (400 missing_field; language: is required; name: is required; request req_7)"
    );
}

#[tokio::test]
async fn retries_end() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(busy())
        .expect(3)
        .mount(&server)
        .await;
    let error = client(&server)
        .courses()
        .retrieve("crs_1")
        .await
        .unwrap_err();
    assert!(matches!(&error, ClientError::Api(detail, 503) if detail.code == "unavailable"));
    assert!(error.is_passing());
}

#[tokio::test]
async fn a_service_that_asks_for_an_hour_is_not_waited_for() {
    let server = MockServer::start().await;
    let limited = refusal(429, "rate_limit_error", "rate_limited", &json!({}));
    let limited = limited.insert_header("retry-after", "3600");
    Mock::given(method("GET"))
        .respond_with(limited)
        .expect(1)
        .mount(&server)
        .await;
    let error = client(&server)
        .courses()
        .retrieve("crs_1")
        .await
        .unwrap_err();
    assert_eq!(error.status(), Some(429));
}

#[tokio::test]
async fn pages_are_followed_to_the_end() {
    let server = MockServer::start().await;
    let page = |id: &str, next: &str| {
        ResponseTemplate::new(200).set_body_json(json!({
            "object": "list", "data": [course(id)], "has_more": !next.is_empty(), "next_cursor": next,
        }))
    };
    let list = || {
        Mock::given(method("GET"))
            .and(path("/v1/courses"))
            .and(query_param("status", "draft"))
            .and(query_param("limit", "100"))
    };
    let first = list().and(query_param_is_missing("startingAfter"));
    first
        .respond_with(page("crs_3", "c&1"))
        .expect(1)
        .mount(&server)
        .await;
    let second = list().and(query_param("startingAfter", "c&1"));
    second
        .respond_with(page("crs_2", "c2"))
        .expect(1)
        .mount(&server)
        .await;
    let third = list().and(query_param("startingAfter", "c2"));
    third
        .respond_with(page("crs_1", ""))
        .expect(1)
        .mount(&server)
        .await;
    let query = ListQuery::new().filter("status", "draft");
    let courses: Vec<CourseView> = client(&server).courses().all(&query).await.unwrap();
    let ids: Vec<&str> = courses.iter().map(|course| course.id.as_str()).collect();
    assert_eq!(ids, ["crs_3", "crs_2", "crs_1"]);
}

#[tokio::test]
async fn a_page_that_is_not_ours_is_still_an_error_with_its_status() {
    let server = MockServer::start().await;
    let proxy = ResponseTemplate::new(404).set_body_string("<h1>nginx</h1>");
    Mock::given(method("GET"))
        .respond_with(proxy)
        .mount(&server)
        .await;
    let error = client(&server)
        .courses()
        .retrieve("crs_1")
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "<h1>nginx</h1> (404 unexpected_answer)");
}

#[tokio::test]
async fn nobody_there_is_a_transport_error() {
    let mut settings = ClientSettings::new("http://127.0.0.1:9", KEY);
    settings.max_retries = 0;
    let error = Client::new(settings)
        .unwrap()
        .platforms()
        .await
        .unwrap_err();
    assert!(matches!(error, ClientError::Transport(_)), "{error:?}");
}

#[tokio::test]
async fn a_download_to_another_address_does_not_carry_the_key() {
    let server = MockServer::start().await;
    let file = ResponseTemplate::new(200).set_body_bytes(vec![7_u8; 100_000]);
    Mock::given(path("/file"))
        .respond_with(file)
        .mount(&server)
        .await;
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("file.zip");
    let client = client(&server);
    let size = client
        .download(&format!("{}/file?signature=1", server.uri()), &to)
        .await
        .unwrap();
    assert_eq!(
        (size, std::fs::read(&to).unwrap().len()),
        (100_000, 100_000)
    );
    let mut told = Vec::new();
    client
        .download_with("/file", &to, |so_far| told.push(so_far))
        .await
        .unwrap();
    assert!(
        told.is_sorted() && told.last() == Some(&100_000),
        "{told:?}"
    );
    let requests = server.received_requests().await.unwrap();
    assert!(!requests[0].headers.contains_key("x-api-key"));
    assert!(requests[1].headers.contains_key("x-api-key"));
    let missing = client.download("/nothing", &to).await.unwrap_err();
    assert_eq!(missing.status(), Some(404));
}

#[tokio::test]
async fn waiting_ends_when_it_is_done_or_too_late() {
    let mut looks = 0;
    let look = || {
        looks += 1;
        std::future::ready(Ok(looks))
    };
    let seen = wait_until(Duration::from_secs(5), look, |looks| *looks == 3)
        .await
        .unwrap();
    assert_eq!(seen, 3);
    let never = || std::future::ready(Ok(0));
    let error = wait_until(Duration::from_millis(120), never, |_| false)
        .await
        .unwrap_err();
    assert!(matches!(error, ClientError::Deadline(_)));
}

#[test]
fn a_key_is_not_shown_in_logs() {
    let settings = ClientSettings::new("http://127.0.0.1:9", KEY);
    let client = Client::new(settings.clone()).unwrap();
    for text in [format!("{settings:?}"), format!("{client:?}")] {
        assert!(!text.contains("4fJx0RkP2a"), "{text}");
    }
}
