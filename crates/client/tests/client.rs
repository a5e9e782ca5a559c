//! The client against a server that misbehaves.

use std::time::Duration;

use futures_util::TryStreamExt;
use lyceum_client::{
    Client, ClientError, ClientSettings, ErrorKind, Expanded, Platform, RequestOptions, wait_until,
};
use lyceum_wire::authoring::courses::{CourseView, CreateCourse, UpdateCourse};
use lyceum_wire::authoring::media_uploads::CreateMediaUpload;
use lyceum_wire::drafting::generations::{GenerationView, StartSyllabus};
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
        .create(&new_course())
        .with(own)
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
    let drafts = client(&server).courses().list().filter("status", "draft");
    let courses: Vec<CourseView> = drafts.collect().await.unwrap();
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
        .list()
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

#[tokio::test]
async fn a_stream_asks_for_a_page_when_the_one_before_it_is_used_up() {
    let server = MockServer::start().await;
    let page = json!({"object": "list", "data": [course("crs_2"), course("crs_1")], "has_more": true, "next_cursor": "c1"});
    let list = || Mock::given(method("GET")).and(path("/v1/courses"));
    list()
        .respond_with(ResponseTemplate::new(200).set_body_json(page))
        .up_to_n_times(1)
        .mount(&server)
        .await;
    let gone = refusal(400, "invalid_request_error", "invalid_cursor", &json!({}));
    list()
        .and(query_param("startingAfter", "c1"))
        .respond_with(gone)
        .mount(&server)
        .await;
    let mut courses = client(&server).courses().list().all();
    let asked = async || server.received_requests().await.unwrap().len();
    assert_eq!(asked().await, 0);
    assert_eq!(courses.try_next().await.unwrap().unwrap().id, "crs_2");
    assert_eq!(courses.try_next().await.unwrap().unwrap().id, "crs_1");
    assert_eq!(asked().await, 1);
    let error = courses.try_next().await.unwrap_err();
    assert_eq!(error.code(), Some("invalid_cursor"));
    assert_eq!(asked().await, 2);
}

#[tokio::test]
async fn a_call_chooses_its_platform_its_patience_and_its_version() {
    let server = MockServer::start().await;
    Mock::given(method("PATCH"))
        .and(header("x-learning-platform-code", "other"))
        .and(header("if-match", "\"7\""))
        .and(header("idempotency-key", "mine"))
        .respond_with(busy())
        .expect(2)
        .mount(&server)
        .await;
    let error = client(&server)
        .courses()
        .update("crs_1", &UpdateCourse::default())
        .on(Platform::Code("other".into()))
        .if_match("\"7\"")
        .idempotency_key("mine")
        .max_retries(1)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::Api));
    assert_eq!(error.request_id(), Some("req_7"));
}

#[tokio::test]
async fn what_stands_beside_an_answer_can_be_had() {
    let server = MockServer::start().await;
    let answer = ResponseTemplate::new(201)
        .set_body_json(course("crs_1"))
        .insert_header("etag", "\"1\"")
        .insert_header("x-request-id", "req_9")
        .insert_header("idempotent-replayed", "true");
    Mock::given(method("POST"))
        .respond_with(answer)
        .mount(&server)
        .await;
    let answer = client(&server)
        .courses()
        .create(&new_course())
        .answer()
        .await
        .unwrap();
    assert_eq!(answer.value.id, "crs_1");
    assert_eq!(answer.etag.as_deref(), Some("\"1\""));
    assert_eq!(answer.request_id.as_deref(), Some("req_9"));
    assert!(answer.replayed);
}

#[tokio::test]
async fn what_is_expanded_comes_with_the_thing() {
    let server = MockServer::start().await;
    let mut shown = course("crs_1");
    shown["units"] = json!([{"id": "unt_1", "object": "unit"}]);
    Mock::given(method("GET"))
        .and(query_param("expand", "units,cohorts"))
        .respond_with(ResponseTemplate::new(200).set_body_json(shown))
        .mount(&server)
        .await;
    let call = client(&server)
        .courses()
        .retrieve("crs_1")
        .expand("units,cohorts");
    let course: Expanded<CourseView> = call.await.unwrap();
    assert_eq!(course.name, "Knives");
    assert_eq!(course.many::<Value>("units").unwrap()[0]["id"], "unt_1");
    assert!(course.many::<Value>("cohorts").unwrap().is_empty());
}

fn generation(status: &str) -> Value {
    json!({
        "id": "gen_1", "object": "generation", "kind": "syllabus", "target": {"object": "course", "id": "crs_1"},
        "status": status, "progress": {"completed": 0, "total": 1}, "steps": [], "estimated_ready_at": null, "usage": null,
        "result": null, "error": null, "created_at": "2026-11-21T06:55:00.123Z", "updated_at": "2026-11-21T06:55:00.123Z",
    })
}

#[tokio::test]
async fn work_that_was_started_can_be_waited_for() {
    let server = MockServer::start().await;
    let answer =
        |code: u16, status: &str| ResponseTemplate::new(code).set_body_json(generation(status));
    Mock::given(method("POST"))
        .respond_with(answer(202, "pending"))
        .mount(&server)
        .await;
    let look = || Mock::given(method("GET")).and(path("/v1/generations/gen_1"));
    look()
        .respond_with(answer(200, "pending"))
        .up_to_n_times(1)
        .mount(&server)
        .await;
    look()
        .respond_with(answer(200, "ready"))
        .mount(&server)
        .await;
    let client = client(&server);
    let started = client
        .courses()
        .generate_syllabus("crs_1", &StartSyllabus::default())
        .await
        .unwrap();
    assert_eq!(started.status, "pending");
    let (told, heard) = std::sync::mpsc::channel();
    let tell = move |seen: &GenerationView| told.send(seen.status.clone()).unwrap();
    assert_eq!(started.wait().telling(tell).await.unwrap().status, "ready");
    assert_eq!(heard.iter().collect::<Vec<_>>(), ["pending", "ready"]);
    let late = client
        .generations()
        .wait("gen_9")
        .within(Duration::ZERO)
        .await;
    assert!(late.is_err());
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_taken_up_again_until_it_is_done() {
    let server = MockServer::start().await;
    let stream = |said: &[(&str, &str)]| {
        let told = |(name, status): &(&str, &str)| {
            format!("event: {name}\ndata: {}\n\n", generation(status))
        };
        ResponseTemplate::new(200).set_body_raw(
            said.iter().map(told).collect::<String>(),
            "text/event-stream",
        )
    };
    let follow = || Mock::given(method("GET")).and(path("/v1/generations/gen_1/stream"));
    follow()
        .respond_with(stream(&[("progress", "pending")]))
        .up_to_n_times(1)
        .mount(&server)
        .await;
    follow()
        .respond_with(stream(&[("progress", "pending"), ("done", "ready")]))
        .mount(&server)
        .await;
    let changes = client(&server).generations().follow("gen_1");
    let seen: Vec<GenerationView> = changes.try_collect().await.unwrap();
    let seen: Vec<&str> = seen.iter().map(|seen| seen.status.as_str()).collect();
    assert_eq!(seen, ["pending", "pending", "ready"]);
}

#[tokio::test]
async fn a_refusal_in_the_middle_of_a_stream_ends_it_with_what_was_said() {
    let server = MockServer::start().await;
    let said = "event: error\ndata: {\"error\":{\"type\":\"authentication_error\",\"code\":\"api_key_revoked\",\
        \"message\":\"no\",\"fields\":{},\"request_id\":\"req_1\"}}\n\n";
    let stream = ResponseTemplate::new(200).set_body_raw(said, "text/event-stream");
    Mock::given(method("GET"))
        .respond_with(stream)
        .mount(&server)
        .await;
    let error = client(&server)
        .generations()
        .follow("gen_1")
        .try_next()
        .await
        .unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::Authentication));
    assert_eq!(error.status(), Some(401));
}

#[tokio::test]
async fn a_redirection_does_not_take_the_key_elsewhere() {
    let (server, elsewhere) = (MockServer::start().await, MockServer::start().await);
    let away = ResponseTemplate::new(302).insert_header("location", elsewhere.uri());
    Mock::given(path("/v1/courses/crs_1"))
        .respond_with(away)
        .mount(&server)
        .await;
    let error = client(&server)
        .courses()
        .retrieve("crs_1")
        .await
        .unwrap_err();
    assert_eq!(error.status(), Some(302));
    assert!(elsewhere.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_file_that_is_handed_out_elsewhere_is_loaded_there_without_the_key() {
    let (server, bucket) = (MockServer::start().await, MockServer::start().await);
    let there = format!("{}/file?X-Amz-Signature=1", bucket.uri());
    let away = ResponseTemplate::new(307).insert_header("location", there);
    Mock::given(path("/v1/media/med_1/file"))
        .respond_with(away)
        .mount(&server)
        .await;
    let file = ResponseTemplate::new(200).set_body_bytes(b"a film");
    Mock::given(path("/file"))
        .respond_with(file)
        .mount(&bucket)
        .await;
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("film.mp4");
    let signed = format!("{}/v1/media/med_1/file?signature=1", server.uri());
    let client = client(&server);
    client.download(&signed, &to).await.unwrap();
    assert_eq!(std::fs::read(&to).unwrap(), b"a film");
    let [asked] = bucket
        .received_requests()
        .await
        .unwrap()
        .try_into()
        .unwrap();
    assert!(!asked.headers.contains_key("x-api-key"));
    // With the key nobody is followed there.
    let refused = client.download("/v1/media/med_1/file", &to).await;
    assert_eq!(refused.unwrap_err().status(), Some(307));
    assert_eq!(bucket.received_requests().await.unwrap().len(), 1);
}

/// A file of ten bytes, and what a service says that came of it.
fn upload(offset: u64, media_id: &Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({
        "id": "mup_1", "object": "media_upload", "file_name": "a.svg", "size_bytes": 10, "offset": offset,
        "direct_until": null, "media_id": media_id, "expires_at": "2026-11-22T06:55:00.123Z",
        "created_at": "2026-11-21T06:55:00.123Z", "updated_at": "2026-11-21T06:55:00.123Z",
    }))
}

#[allow(clippy::unwrap_used, reason = "a test that cannot begin should say so")]
async fn sent_in_pieces(server: &MockServer) -> Result<(), ClientError> {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("a.svg");
    std::fs::write(&file, b"0123456789").unwrap();
    let said = CreateMediaUpload::default();
    let library = client(server).media();
    library.upload_in_pieces(&file, &said).await.map(drop)
}

#[tokio::test]
async fn an_upload_that_breaks_off_goes_on_where_it_was() {
    let server = MockServer::start().await;
    let at = |verb: &'static str| Mock::given(method(verb)).and(path("/v1/media_uploads/mup_1"));
    Mock::given(method("POST"))
        .respond_with(upload(0, &Value::Null))
        .mount(&server)
        .await;
    at("PATCH")
        .respond_with(busy())
        .up_to_n_times(1)
        .mount(&server)
        .await;
    at("PATCH")
        .and(header("upload-offset", "4"))
        .respond_with(ResponseTemplate::new(204))
        .mount(&server)
        .await;
    at("GET")
        .respond_with(upload(4, &Value::Null))
        .up_to_n_times(1)
        .mount(&server)
        .await;
    at("GET")
        .respond_with(upload(10, &json!("med_1")))
        .mount(&server)
        .await;
    Mock::given(path("/v1/media/med_1"))
        .respond_with(refusal(
            404,
            "invalid_request_error",
            "resource_missing",
            &json!({}),
        ))
        .mount(&server)
        .await;
    // The file itself is not what this is about.
    let ended = sent_in_pieces(&server).await.unwrap_err();
    assert_eq!(ended.code(), Some("resource_missing"), "{ended}");
    let requests = server.received_requests().await.unwrap();
    let sent = requests.iter().filter(|one| one.method.as_str() == "PATCH");
    let sent: Vec<&[u8]> = sent.map(|one| one.body.as_slice()).collect();
    assert_eq!(sent, [&b"0123456789"[..], b"456789"]);
}

/// An upload that goes to a bucket.
fn begun_at(bucket: &MockServer) -> ResponseTemplate {
    ResponseTemplate::new(201).set_body_json(json!({
        "id": "mup_1", "object": "media_upload", "file_name": "a.svg", "size_bytes": 10, "offset": 0,
        "direct_until": "2026-11-21T07:55:00.123Z", "media_id": null, "expires_at": "2026-11-22T06:55:00.123Z",
        "created_at": "2026-11-21T06:55:00.123Z", "updated_at": "2026-11-21T06:55:00.123Z",
        "put": {
            "url": format!("{}/lyceum/uploads/mup_1/direct?X-Amz-Signature=ab", bucket.uri()),
            "headers": { "content-type": "application/octet-stream" }, "expires_at": "2026-11-21T07:55:00.123Z",
        },
    }))
}

#[tokio::test]
async fn a_file_is_put_into_the_bucket_without_the_key_and_then_completed() {
    let (server, bucket) = (MockServer::start().await, MockServer::start().await);
    Mock::given(path("/v1/media_uploads"))
        .respond_with(begun_at(&bucket))
        .mount(&server)
        .await;
    Mock::given(path("/v1/media_uploads/mup_1/complete"))
        .respond_with(upload(10, &json!("med_1")))
        .mount(&server)
        .await;
    Mock::given(method("PUT"))
        .and(path("/lyceum/uploads/mup_1/direct"))
        .and(header("content-type", "application/octet-stream"))
        .and(header("content-length", "10"))
        .respond_with(ResponseTemplate::new(200))
        .up_to_n_times(1)
        .mount(&bucket)
        .await;
    let sent = || async {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("a.svg");
        std::fs::write(&file, b"0123456789").unwrap();
        let library = client(&server).media();
        let said = CreateMediaUpload::default();
        library.upload_directly(&file, &said).await.unwrap_err()
    };
    // The file itself is not what this is about: nobody has it here.
    assert_eq!(sent().await.status(), Some(404));
    let put = bucket.received_requests().await.unwrap().pop().unwrap();
    assert_eq!(put.body, b"0123456789");
    assert!(!put.headers.contains_key("x-api-key"));
    let asked = server.received_requests().await.unwrap();
    let asked: Vec<&str> = asked.iter().map(|one| one.url.path()).collect();
    let completed = "/v1/media_uploads/mup_1/complete";
    assert_eq!(asked, ["/v1/media_uploads", completed, "/v1/media/med_1"]);
    // What the bucket does not take is not completed.
    let refused = sent().await;
    assert!(
        matches!(refused, ClientError::NotTaken(Some(404))),
        "{refused:?}"
    );
    let asked = server.received_requests().await.unwrap();
    assert_eq!(asked.last().unwrap().url.path(), "/v1/media_uploads");
}

#[tokio::test]
async fn a_file_that_has_become_shorter_is_not_sent_for_ever() {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .respond_with(upload(10, &Value::Null))
        .mount(&server)
        .await;
    let ended = sent_in_pieces(&server).await;
    assert!(matches!(ended, Err(ClientError::File(_))), "{ended:?}");
}
