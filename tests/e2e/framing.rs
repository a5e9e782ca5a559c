//! Where one request ends and the next begins: whatever two readers could see differently is refused, so that
//! nothing can be hidden in it from a proxy that reads it the other way.

use std::time::Duration;

use support::binary::{Launch, LyceumProcess};

use crate::wire::{Answer, Wire, time_to_health};

const HOST: &str = "Host: lyceum\r\n";
/// What is hidden behind a request, to be answered as a second one if the first is misread.
const HIDDEN: &str = "GET /healthz HTTP/1.1\r\nHost: hidden\r\n\r\n";

fn told(service: &LyceumProcess, bytes: &[u8]) -> Answer {
    let mut wire = Wire::connect(service.address());
    wire.send(bytes);
    wire.answer_within(Duration::from_secs(20))
}

fn answers(answer: &Answer) -> usize {
    let text = format!("{}{}", answer.head, String::from_utf8_lossy(&answer.body));
    text.matches("HTTP/1.1 ").count()
}

/// Headers and a body that two readers could see differently.
const TWO_ENDS: [(&str, &str); 20] = [
    // length and chunks
    (
        "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n",
        "0\r\n\r\n",
    ),
    // chunks and length
    (
        "Transfer-Encoding: chunked\r\nContent-Length: 6\r\n",
        "0\r\n\r\n",
    ),
    // two lengths
    ("Content-Length: 2\r\nContent-Length: 3\r\n", "{}"),
    // two equal lengths in one
    ("Content-Length: 2, 3\r\n", "{}"),
    // a signed length
    ("Content-Length: +2\r\n", "{}"),
    // a negative length
    ("Content-Length: -2\r\n", "{}"),
    // a hexadecimal length
    ("Content-Length: 0x2\r\n", "{}"),
    // a length beyond measure
    ("Content-Length: 99999999999999999999999\r\n", "{}"),
    // an unknown coding
    ("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"),
    // chunks not last
    ("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"),
    // a control in the coding
    ("Transfer-Encoding: \x0bchunked\r\n", "0\r\n\r\n"),
    // a space before the colon
    ("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"),
    // a folded header
    ("Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n"),
    // a folded value
    ("X-Long: a\r\n b\r\nContent-Length: 2\r\n", "{}"),
    // a chunk size beyond measure
    (
        "Transfer-Encoding: chunked\r\n",
        "fffffffffffffffff\r\n{}\r\n0\r\n\r\n",
    ),
    // a signed chunk size
    ("Transfer-Encoding: chunked\r\n", "-2\r\n{}\r\n0\r\n\r\n"),
    // a hexadecimal prefix
    ("Transfer-Encoding: chunked\r\n", "0x2\r\n{}\r\n0\r\n\r\n"),
    // a chunk without end
    ("Transfer-Encoding: chunked\r\n", "2\r\n{}x0\r\n\r\n"),
    // a nul in a header
    ("X-Odd: a\0b\r\nContent-Length: 2\r\n", "{}"),
    // a bare return in a header
    ("X-Odd: a\rb\r\nContent-Length: 2\r\n", "{}"),
];

#[test]
fn a_request_with_two_ends_is_refused() {
    let service = Launch::new().start();
    for (headers, body) in TWO_ENDS {
        let sent = format!("POST /v1/tokens/finish HTTP/1.1\r\n{HOST}{headers}\r\n{body}{HIDDEN}");
        let answer = told(&service, sent.as_bytes());
        assert!([0, 400].contains(&answer.status()), "{answer:?}");
        assert!(
            answers(&answer) <= 1,
            "the hidden request was answered: {answer:?}"
        );
        assert!(answer.closed, "{answer:?}");
        assert!(time_to_health(service.address()) < Duration::from_secs(5));
    }
}

/// Heads of what is no request.
const NO_REQUESTS: [&str; 8] = [
    // no version
    "GET /healthz\r\n",
    // a version to come
    "GET /healthz HTTP/3.0\r\n",
    // the start of http 2
    "PRI * HTTP/2.0\r\n\r\nSM\r\n",
    // a space in the name
    "GET /healthz HTTP/1.1\r\nHo st: x\r\n",
    // no name
    "GET /healthz HTTP/1.1\r\n: x\r\n",
    // no colon
    "GET /healthz HTTP/1.1\r\nHost\r\n",
    // a method in brackets
    "(GET) /healthz HTTP/1.1\r\n",
    // a nul in the path
    "GET /\0healthz HTTP/1.1\r\n",
];

#[test]
fn what_is_no_request_is_refused() {
    let service = Launch::new().start();
    for head in NO_REQUESTS {
        let answer = told(&service, format!("{head}{HOST}\r\n").as_bytes());
        assert!([0, 400, 505].contains(&answer.status()), "{answer:?}");
        assert!(answer.closed, "{answer:?}");
        assert!(time_to_health(service.address()) < Duration::from_secs(5));
    }
}

#[test]
fn headers_without_measure_are_refused() {
    let service = Launch::new().start();
    let many: Vec<String> = (0..20_000).map(|n| format!("X-{n}: {n}\r\n")).collect();
    let many = many.concat();
    let long_name = format!("{}: x\r\n", "X".repeat(200_000));
    let long_value = format!("X-Long: {}\r\n", "x".repeat(200_000));
    for headers in [many, long_name, long_value] {
        let answer = told(
            &service,
            format!("GET /healthz HTTP/1.1\r\n{HOST}{headers}\r\n").as_bytes(),
        );
        assert!([0, 400, 431].contains(&answer.status()), "{answer:?}");
        assert!(answer.closed, "{answer:?}");
    }
    let long_path = format!("GET /{} HTTP/1.1\r\n{HOST}\r\n", "x".repeat(200_000));
    let answer = told(&service, long_path.as_bytes());
    assert!(
        [0, 400, 404, 414, 431].contains(&answer.status()),
        "{answer:?}"
    );
}

#[test]
fn methods_that_nobody_asked_for_are_not_there() {
    let service = Launch::new().start();
    for method in ["TRACE", "TRACK", "CONNECT", "PUT", "BREW", "get"] {
        for path in ["/v1/courses", "/healthz", "/v1/openapi.json"] {
            let canary = "X-Canary: do-not-echo\r\nConnection: close\r\n";
            let answer = told(
                &service,
                format!("{method} {path} HTTP/1.1\r\n{HOST}{canary}\r\n").as_bytes(),
            );
            assert!([0, 400, 404, 405].contains(&answer.status()), "{answer:?}");
            let echoed = String::from_utf8_lossy(&answer.body).contains("do-not-echo");
            assert!(!echoed, "{answer:?}");
        }
    }
}

/// Every path that is somebody else's.
#[test]
fn what_is_the_operators_is_not_where_callers_are() {
    let service = Launch::new().start();
    for path in [
        "/metrics",
        "/debug",
        "/.env",
        "/lyceum.db",
        "/master.key",
        "/../master.key",
    ] {
        let close = "Connection: close\r\n";
        let answer = told(
            &service,
            format!("GET {path} HTTP/1.1\r\n{HOST}{close}\r\n").as_bytes(),
        );
        assert_eq!(answer.status(), 404, "{path} {answer:?}");
    }
}
