//! Callers that mean no good, or cannot help it: they get their answer, and nobody else waits for it.

use std::thread;
use std::time::{Duration, Instant};

use rstest::rstest;
use support::binary::Launch;

use crate::service::Service;
use crate::wire::{Wire, time_to_health};

/// What a monitor takes for alive, on a busy machine.
const ALIVE: Duration = Duration::from_secs(2);
/// A body must be there after 15 seconds.
const PATIENCE: Duration = Duration::from_secs(25);

fn service() -> Service {
    Service::start(Launch::new())
}

/// The head of a request of the owner's, up to its own headers.
fn post(service: &Service, path: &str, headers: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nHost: lyceum\r\nx-api-key: {}\r\n\
         x-learning-platform-code: main\r\nContent-Type: application/json\r\n{headers}\r\n",
        service.key
    )
    .into_bytes()
}

fn assert_serves(service: &Service) {
    let took = time_to_health(service.process.address());
    assert!(took < ALIVE, "{took:?}");
    let mut wire = Wire::connect(service.process.address());
    let body = r#"{"name":"Still here","language":"en"}"#;
    let length = format!("Content-Length: {}\r\nConnection: close\r\n", body.len());
    wire.send(&post(service, "/v1/courses", &length));
    wire.send(body.as_bytes());
    let answer = wire.answer_within(PATIENCE);
    assert_eq!(answer.status(), 201, "{answer:?}");
}

#[test]
fn headers_that_drip_are_cut_off() {
    let service = service();
    let mut drips: Vec<Wire> = (0..20)
        .map(|_| Wire::connect(service.process.address()))
        .collect();
    let start = Instant::now();
    for wire in &mut drips {
        wire.send(b"GET /healthz HTTP/1.1\r\nHost: lyceum\r\nX-Drip: ");
    }
    while start.elapsed() < Duration::from_secs(12) {
        for wire in &mut drips {
            wire.send(b"a");
        }
        let took = time_to_health(service.process.address());
        assert!(took < ALIVE, "{took:?}");
        thread::sleep(Duration::from_millis(500));
    }
    for wire in &mut drips {
        let answer = wire.answer_within(Duration::from_secs(5));
        assert!(answer.closed, "after {:?}: {answer:?}", start.elapsed());
        assert!([0, 408].contains(&answer.status()), "{answer:?}");
    }
    assert_serves(&service);
}

#[test]
fn a_body_that_never_ends_is_answered_and_hung_up_on() {
    let service = service();
    let mut wire = Wire::connect(service.process.address());
    wire.send(&post(&service, "/v1/courses", "Content-Length: 100\r\n"));
    wire.send(b"{\"name\":");
    let answer = wire.answer_within(PATIENCE);
    assert_eq!((answer.status(), answer.code().as_str()), (503, "timeout"));
    assert!(answer.closed, "{answer:?}");
    assert_serves(&service);
}

#[test]
fn fifty_stalled_uploads_do_not_slow_the_service_down() {
    let service = service();
    let head = post(&service, "/v1/submissions", "Content-Length: 4000000\r\n");
    let mut uploads: Vec<Wire> = (0..50)
        .map(|_| Wire::connect(service.process.address()))
        .collect();
    for wire in &mut uploads {
        assert!(wire.send(&head) && wire.send(&[b' '; 10_000]));
    }
    for _ in 0..10 {
        assert_serves(&service);
    }
    for wire in &mut uploads {
        let answer = wire.answer_within(PATIENCE);
        assert_eq!((answer.status(), answer.code().as_str()), (503, "timeout"));
    }
    assert_serves(&service);
}

#[test]
fn a_chunked_body_without_end_is_refused_at_its_limit() {
    let service = service();
    let mut wire = Wire::connect(service.process.address());
    wire.send(&post(
        &service,
        "/v1/courses",
        "Transfer-Encoding: chunked\r\n",
    ));
    let mut chunk = b"10000\r\n".to_vec();
    chunk.extend(vec![b' '; 0x10000]);
    chunk.extend(b"\r\n");
    // One mebibyte is 16 of them; what nobody reads any more need not be taken either.
    let sent = (0..20).take_while(|_| wire.send(&chunk)).count();
    assert!(sent >= 16, "hung up on after {sent} chunks");
    let answer = wire.answer_within(PATIENCE);
    assert_eq!(
        (answer.status(), answer.code().as_str()),
        (413, "payload_too_large")
    );
    assert!(answer.closed, "{answer:?}");
    assert_serves(&service);
}

#[test]
fn a_stranger_cannot_keep_a_connection_by_never_ending_a_body() {
    let service = service();
    for path in ["/v1/courses", "/v1/nowhere"] {
        let mut wire = Wire::connect(service.process.address());
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: lyceum\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
        );
        wire.send(head.as_bytes());
        let answer = wire.answer_within(PATIENCE);
        assert!([401, 404].contains(&answer.status()), "{answer:?}");
        assert!(answer.closed, "{answer:?}");
    }
    assert_serves(&service);
}

#[test]
fn a_whole_chunked_body_is_read_and_its_connection_serves_on() {
    let service = service();
    let mut wire = Wire::connect(service.process.address());
    let body = b"24\r\n{\"name\":\"In pieces\",\"language\":\"en\"}\r\n0\r\n\r\n";
    for last in ["", "Connection: close\r\n"] {
        let headers = format!("Transfer-Encoding: chunked\r\n{last}");
        wire.send(&post(&service, "/v1/courses", &headers));
        wire.send(body);
    }
    let answer = wire.answer_within(PATIENCE);
    let text = format!("{}{}", answer.head, String::from_utf8_lossy(&answer.body));
    assert_eq!(text.matches("HTTP/1.1 201").count(), 2, "{text}");
}

#[test]
fn an_announced_body_over_the_limit_is_refused_before_it_is_sent() {
    let service = service();
    let mut wire = Wire::connect(service.process.address());
    wire.send(&post(
        &service,
        "/v1/courses",
        "Content-Length: 1000000000000\r\n",
    ));
    let answer = wire.answer_within(Duration::from_secs(5));
    assert_eq!(
        (answer.status(), answer.code().as_str()),
        (413, "payload_too_large")
    );
    assert!(answer.closed, "{answer:?}");
    assert_serves(&service);
}

#[rstest]
#[case::garbage(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03garbage\r\n\r\n")]
#[case::no_version(b"GET /healthz\r\n\r\n")]
#[case::two_lengths(
    b"POST /v1/courses HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}"
)]
#[case::length_and_chunks(
    b"POST /v1/courses HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
)]
#[case::negative_length(b"POST /v1/courses HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n")]
#[case::bad_header(b"GET /healthz HTTP/1.1\r\nHo st: \x00\r\n\r\n")]
fn what_is_not_http_is_refused(#[case] bytes: &[u8]) {
    let service = service();
    let mut wire = Wire::connect(service.process.address());
    wire.send(bytes);
    let answer = wire.answer_within(Duration::from_secs(15));
    assert!([0, 400].contains(&answer.status()), "{answer:?}");
    assert!(answer.closed, "{answer:?}");
    assert_serves(&service);
}

#[test]
fn a_header_without_measure_is_refused() {
    let service = service();
    let mut wire = Wire::connect(service.process.address());
    wire.send(b"GET /healthz HTTP/1.1\r\nHost: lyceum\r\nX-Long: ");
    for _ in 0..200 {
        wire.send(&[b'a'; 1000]);
    }
    wire.send(b"\r\n\r\n");
    let answer = wire.answer_within(Duration::from_secs(15));
    assert!([0, 400, 431].contains(&answer.status()), "{answer:?}");
    assert!(answer.closed, "{answer:?}");
    assert_serves(&service);
}

#[rstest]
#[case("GET /v1/nowhere HTTP/1.1\r\n", 404, "unknown_route")]
#[case("GET /%ff%fe/../.. HTTP/1.1\r\n", 404, "unknown_route")]
#[case("BREW /v1/courses HTTP/1.1\r\n", 405, "method_not_allowed")]
#[case("GET /v1/courses HTTP/1.1\r\n", 401, "missing_api_key")]
#[case(
    "GET /v1/courses HTTP/1.1\r\nx-api-key: \u{e9}\r\n",
    401,
    "invalid_api_key"
)]
fn odd_requests_get_the_answer_that_all_errors_have(
    #[case] head: &str,
    #[case] status: u16,
    #[case] code: &str,
) {
    let service = service();
    let mut wire = Wire::connect(service.process.address());
    wire.send(format!("{head}Host: lyceum\r\nConnection: close\r\n\r\n").as_bytes());
    let answer = wire.answer_within(Duration::from_secs(15));
    assert_eq!(
        (answer.status(), answer.code().as_str()),
        (status, code),
        "{answer:?}"
    );
}
