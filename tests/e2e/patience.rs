//! How long the service waits for callers, and how many it takes at once; with little patience, so that a test
//! takes seconds.

use std::thread;
use std::time::Duration;

use support::binary::Launch;

use crate::service::Service;
use crate::wire::{Answer, Wire, time_to_health};

const SOON: Duration = Duration::from_secs(20);
/// What a monitor takes for alive, on a busy machine.
const ALIVE: Duration = Duration::from_secs(5);

/// A service that waits a second for headers and pieces of a body, and three for all of a body.
fn impatient() -> Service {
    Service::start(
        Launch::new()
            .env("LYCEUM_HEADER_TIMEOUT", "1")
            .env("LYCEUM_BODY_IDLE_TIMEOUT", "1")
            .env("LYCEUM_BODY_TIMEOUT", "3"),
    )
}

fn head(service: &Service, headers: &str) -> Vec<u8> {
    let key = &service.key;
    format!(
        "POST /v1/courses HTTP/1.1\r\nHost: lyceum\r\nx-api-key: {key}\r\n\
         x-learning-platform-code: main\r\n{headers}\r\n"
    )
    .into_bytes()
}

fn connect(service: &Service) -> Wire {
    Wire::connect(service.process.address())
}

#[track_caller]
fn assert_timed_out(answer: &Answer) {
    assert_eq!((answer.status(), answer.code().as_str()), (503, "timeout"));
    let head = answer.head.to_ascii_lowercase();
    assert!(head.contains("connection: close"), "{answer:?}");
    assert!(head.contains("retry-after:"), "{answer:?}");
    assert!(answer.closed, "{answer:?}");
}

#[test]
fn a_body_that_stalls_is_told_so_and_hung_up_on() {
    let service = impatient();
    for (headers, begun) in [
        ("Content-Length: 100\r\n", "{\"name\":"),
        ("Content-Length: 100\r\n", ""),
        ("Transfer-Encoding: chunked\r\n", "5\r\n{\"a\":"),
        ("Transfer-Encoding: chunked\r\n", "5\r\n{"),
        ("Transfer-Encoding: chunked\r\n", ""),
    ] {
        let mut wire = connect(&service);
        wire.send(&head(&service, headers));
        wire.send(begun.as_bytes());
        assert_timed_out(&wire.answer_within(SOON));
    }
}

#[test]
fn a_body_that_drips_has_an_end_too() {
    let service = impatient();
    for (headers, drip) in [
        ("Content-Length: 100000\r\n", &b" "[..]),
        ("Transfer-Encoding: chunked\r\n", b"1\r\n \r\n"),
    ] {
        let mut wire = connect(&service);
        wire.send(&head(&service, headers));
        // Never idle for long, and in all longer than anybody waits.
        for _ in 0..40 {
            wire.send(drip);
            thread::sleep(Duration::from_millis(100));
        }
        let answer = wire.answer_within(SOON);
        assert!(answer.closed, "{answer:?}");
        // The answer may be lost where the drip went on after the service had hung up.
        assert!([0, 503].contains(&answer.status()), "{answer:?}");
    }
}

#[test]
fn headers_that_do_not_come_are_not_waited_for() {
    let service = impatient();
    for begun in [
        "",
        "GET",
        "GET /healthz HTTP/1.1\r\nHost: lyceum\r\nX-Half: ",
    ] {
        let mut wire = connect(&service);
        wire.send(begun.as_bytes());
        let answer = wire.answer_within(SOON);
        assert!(answer.closed, "{begun}: {answer:?}");
        assert!([0, 408].contains(&answer.status()), "{answer:?}");
    }
}

#[test]
fn what_is_too_large_is_not_read_to_its_end() {
    let service = impatient();
    let mut wire = connect(&service);
    wire.send(&head(&service, "Transfer-Encoding: chunked\r\n"));
    let mut chunk = b"10000\r\n".to_vec();
    chunk.extend(vec![b' '; 0x10000]);
    chunk.extend(b"\r\n");
    // 64 MiB would be 1024 of them; those that fit into the buffers of the system count as well.
    let sent = (0..1024).take_while(|_| wire.send(&chunk)).count();
    assert!(
        (16..512).contains(&sent),
        "{sent} chunks of 64 KiB were taken"
    );
}

#[test]
fn health_is_told_beside_four_hundred_stalled_uploads() {
    let service = Service::start(Launch::new().env("LYCEUM_BODY_IDLE_TIMEOUT", "15"));
    let head = head(&service, "Content-Length: 1000000\r\n");
    let mut uploads: Vec<Wire> = (0..400).map(|_| connect(&service)).collect();
    for wire in &mut uploads {
        assert!(wire.send(&head) && wire.send(&[b' '; 1_000]));
    }
    for _ in 0..10 {
        let took = time_to_health(service.process.address());
        assert!(took < ALIVE, "{took:?}");
    }
}

#[test]
fn who_finds_every_place_taken_is_told_to_come_back_and_health_goes_on() {
    let service = Service::start(Launch::new().env("LYCEUM_MAX_REQUESTS", "1"));
    let request = format!(
        "GET /v1/courses HTTP/1.1\r\nHost: lyceum\r\nx-api-key: {}\r\n\
         x-learning-platform-code: main\r\nConnection: close\r\n\r\n",
        service.key
    );
    let mut refused = 0;
    let mut served = 0;
    for _ in 0..20 {
        let mut crowd: Vec<Wire> = (0..50).map(|_| connect(&service)).collect();
        for wire in &mut crowd {
            wire.send(request.as_bytes());
        }
        for mut wire in crowd {
            let answer = wire.answer_within(SOON);
            match answer.status() {
                200 => served += 1,
                503 => {
                    assert_eq!(answer.code(), "unavailable");
                    let head = answer.head.to_ascii_lowercase();
                    assert!(head.contains("retry-after: 1"), "{answer:?}");
                    refused += 1;
                }
                _ => panic!("{answer:?}"),
            }
        }
        assert!(time_to_health(service.process.address()) < ALIVE);
        if refused > 0 {
            break;
        }
    }
    assert!(
        served > 0 && refused > 0,
        "{served} served, {refused} refused"
    );
}

#[test]
fn a_connection_may_rest_longer_than_a_proxy_lets_it() {
    let asked = b"GET /healthz HTTP/1.1\r\nHost: lyceum\r\n\r\n";
    let service = Service::start(Launch::new().env("LYCEUM_HEADER_TIMEOUT", "1"));
    let mut wire = connect(&service);
    for rest in [Duration::from_secs(7), Duration::from_secs(2)] {
        assert!(wire.send(asked));
        let answer = wire.answer_within(rest);
        assert_eq!((answer.status(), answer.closed), (200, false), "{answer:?}");
    }
    let service = Service::start(Launch::new().env("LYCEUM_KEEP_ALIVE", "1"));
    let mut wire = connect(&service);
    assert!(wire.send(asked));
    let answer = wire.answer_within(SOON);
    assert_eq!((answer.status(), answer.closed), (200, true), "{answer:?}");
}

#[test]
fn connections_beyond_the_most_wait_for_those_before_them() {
    let service = Service::start(
        Launch::new()
            .env("LYCEUM_MAX_CONNECTIONS", "1")
            .env("LYCEUM_HEADER_TIMEOUT", "3"),
    );
    // More than one a worker, on any machine that tests run on.
    let idle: Vec<Wire> = (0..600).map(|_| connect(&service)).collect();
    let mut late = connect(&service);
    late.send(b"GET /healthz HTTP/1.1\r\nHost: lyceum\r\nConnection: close\r\n\r\n");
    drop(idle);
    let answer = late.answer_within(Duration::from_mins(1));
    assert_eq!(answer.status(), 200, "{answer:?}");
}
