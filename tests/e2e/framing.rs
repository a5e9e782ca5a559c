//! Where one request ends and the next begins: whatever two readers could see differently is refused, so that
//! nothing can be hidden in it from a proxy that reads it the other way.

use std::sync::LazyLock;
use std::time::Duration;

use rstest::rstest;
use support::binary::{Launch, LyceumProcess};

use crate::wire::{Answer, Wire, time_to_health};

/// One process for all cases of a test run in one process; none of them may harm it.
static SERVICE: LazyLock<LyceumProcess> = LazyLock::new(|| Launch::new().start());

const HOST: &str = "Host: lyceum\r\n";
/// What is hidden behind a request, to be answered as a second one if the first is misread.
const HIDDEN: &str = "GET /healthz HTTP/1.1\r\nHost: hidden\r\n\r\n";

fn told(bytes: &[u8]) -> Answer {
    let mut wire = Wire::connect(SERVICE.address());
    wire.send(bytes);
    wire.answer_within(Duration::from_secs(20))
}

fn answers(answer: &Answer) -> usize {
    let text = format!("{}{}", answer.head, String::from_utf8_lossy(&answer.body));
    text.matches("HTTP/1.1 ").count()
}

#[rstest]
#[case::length_and_chunks("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")]
#[case::chunks_and_length("Transfer-Encoding: chunked\r\nContent-Length: 6\r\n", "0\r\n\r\n")]
#[case::two_lengths("Content-Length: 2\r\nContent-Length: 3\r\n", "{}")]
#[case::two_equal_lengths_in_one("Content-Length: 2, 3\r\n", "{}")]
#[case::a_signed_length("Content-Length: +2\r\n", "{}")]
#[case::a_negative_length("Content-Length: -2\r\n", "{}")]
#[case::a_hexadecimal_length("Content-Length: 0x2\r\n", "{}")]
#[case::a_length_beyond_measure("Content-Length: 99999999999999999999999\r\n", "{}")]
#[case::an_unknown_coding("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n")]
#[case::chunks_not_last("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n")]
#[case::a_control_in_the_coding("Transfer-Encoding: \x0bchunked\r\n", "0\r\n\r\n")]
#[case::a_space_before_the_colon("Transfer-Encoding : chunked\r\n", "0\r\n\r\n")]
#[case::a_folded_header("Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n")]
#[case::a_folded_value("X-Long: a\r\n b\r\nContent-Length: 2\r\n", "{}")]
#[case::a_chunk_size_beyond_measure(
    "Transfer-Encoding: chunked\r\n",
    "fffffffffffffffff\r\n{}\r\n0\r\n\r\n"
)]
#[case::a_signed_chunk_size("Transfer-Encoding: chunked\r\n", "-2\r\n{}\r\n0\r\n\r\n")]
#[case::a_hexadecimal_prefix("Transfer-Encoding: chunked\r\n", "0x2\r\n{}\r\n0\r\n\r\n")]
#[case::a_chunk_without_end("Transfer-Encoding: chunked\r\n", "2\r\n{}x0\r\n\r\n")]
#[case::a_nul_in_a_header("X-Odd: a\0b\r\nContent-Length: 2\r\n", "{}")]
#[case::a_bare_return_in_a_header("X-Odd: a\rb\r\nContent-Length: 2\r\n", "{}")]
fn a_request_with_two_ends_is_refused(#[case] headers: &str, #[case] body: &str) {
    let sent = format!("POST /v1/tokens/finish HTTP/1.1\r\n{HOST}{headers}\r\n{body}{HIDDEN}");
    let answer = told(sent.as_bytes());
    assert!([0, 400].contains(&answer.status()), "{answer:?}");
    assert!(
        answers(&answer) <= 1,
        "the hidden request was answered: {answer:?}"
    );
    assert!(answer.closed, "{answer:?}");
    assert!(time_to_health(SERVICE.address()) < Duration::from_secs(5));
}

#[rstest]
#[case::no_version("GET /healthz\r\n")]
#[case::a_version_to_come("GET /healthz HTTP/3.0\r\n")]
#[case::the_start_of_http_2("PRI * HTTP/2.0\r\n\r\nSM\r\n")]
#[case::a_space_in_the_name("GET /healthz HTTP/1.1\r\nHo st: x\r\n")]
#[case::no_name("GET /healthz HTTP/1.1\r\n: x\r\n")]
#[case::no_colon("GET /healthz HTTP/1.1\r\nHost\r\n")]
#[case::a_method_in_brackets("(GET) /healthz HTTP/1.1\r\n")]
#[case::a_nul_in_the_path("GET /\0healthz HTTP/1.1\r\n")]
fn what_is_no_request_is_refused(#[case] head: &str) {
    let answer = told(format!("{head}{HOST}\r\n").as_bytes());
    assert!([0, 400, 505].contains(&answer.status()), "{answer:?}");
    assert!(answer.closed, "{answer:?}");
    assert!(time_to_health(SERVICE.address()) < Duration::from_secs(5));
}

#[test]
fn headers_without_measure_are_refused() {
    let many: String = (0..20_000).map(|n| format!("X-{n}: {n}\r\n")).collect();
    let long_name = format!("{}: x\r\n", "X".repeat(200_000));
    let long_value = format!("X-Long: {}\r\n", "x".repeat(200_000));
    for headers in [many, long_name, long_value] {
        let answer = told(format!("GET /healthz HTTP/1.1\r\n{HOST}{headers}\r\n").as_bytes());
        assert!([0, 400, 431].contains(&answer.status()), "{answer:?}");
        assert!(answer.closed, "{answer:?}");
    }
    let long_path = format!("GET /{} HTTP/1.1\r\n{HOST}\r\n", "x".repeat(200_000));
    let answer = told(long_path.as_bytes());
    assert!([0, 400, 404, 414].contains(&answer.status()), "{answer:?}");
}

#[rstest]
#[case("TRACE")]
#[case("TRACK")]
#[case("CONNECT")]
#[case("PUT")]
#[case("BREW")]
#[case("get")]
fn methods_that_nobody_asked_for_are_not_there(#[case] method: &str) {
    for path in ["/v1/courses", "/healthz", "/v1/openapi.json"] {
        let canary = "X-Canary: do-not-echo\r\nConnection: close\r\n";
        let answer = told(format!("{method} {path} HTTP/1.1\r\n{HOST}{canary}\r\n").as_bytes());
        assert!([0, 400, 404, 405].contains(&answer.status()), "{answer:?}");
        let echoed = String::from_utf8_lossy(&answer.body).contains("do-not-echo");
        assert!(!echoed, "{answer:?}");
    }
}

/// Every path that is somebody else's.
#[test]
fn what_is_the_operators_is_not_where_callers_are() {
    for path in [
        "/metrics",
        "/debug",
        "/.env",
        "/lyceum.db",
        "/master.key",
        "/../master.key",
    ] {
        let close = "Connection: close\r\n";
        let answer = told(format!("GET {path} HTTP/1.1\r\n{HOST}{close}\r\n").as_bytes());
        assert_eq!(answer.status(), 404, "{path} {answer:?}");
    }
}
