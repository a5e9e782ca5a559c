//! Attempts against receivers that behave, misbehave, stall and lie.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lyceum_domain::notifying::deliveries::DeliveryOutcome;
use lyceum_ports::notifying::webhook_sink::{WebhookMessage, WebhookSink};
use lyceum_ports::traces::TraceParent;
use rstest::rstest;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::receiver::Receiver;
use super::{BODY, ID, SECRET, SENT_AT, SIGNATURE, client, impatient, message, reason, settings};
use crate::{WebhookClient, WebhookSettings};
use lyceum_domain::notifying::webhook_signature::{Received, SigningSecret, verify};
use lyceum_outbound::resolver::Lookup;

const LOOPBACK: &[&str] = &["127.0.0.0/8"];

/// Looks every name up as the next of these addresses, over and over.
fn scripted(answers: Vec<Vec<&'static str>>) -> Lookup {
    let asked = AtomicUsize::new(0);
    Arc::new(move |_| {
        let turn = asked.fetch_add(1, Ordering::SeqCst) % answers.len();
        let found = answers[turn]
            .iter()
            .map(|address| SocketAddr::new(address.parse().unwrap(), 0))
            .collect();
        Box::pin(async move { Ok(found) })
    })
}

#[tokio::test]
async fn a_delivery_that_is_part_of_a_trace_says_so_and_signs_the_same() {
    let place = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let receiver = Receiver::with_status("204 No Content", "").await;
    let traced = WebhookMessage {
        trace: TraceParent::parse(place),
        ..message(&receiver.url())
    };
    client(LOOPBACK).deliver(traced).await;
    let [request] = receiver.requests().try_into().unwrap();
    assert_eq!(request.header("traceparent"), place);
    assert_eq!(request.header("webhook-signature"), SIGNATURE);
}

#[tokio::test]
async fn a_delivery_carries_what_was_signed() {
    let receiver = Receiver::with_status("204 No Content", "").await;
    let outcome = client(LOOPBACK).deliver(message(&receiver.url())).await;
    assert!(
        matches!(outcome, DeliveryOutcome::Delivered { status: 204, .. }),
        "{outcome:?}"
    );

    let [request] = receiver.requests().try_into().unwrap();
    assert_eq!(request.line(), "POST /hook?token=t HTTP/1.1");
    assert_eq!(request.header("content-type"), "application/json");
    assert_eq!(
        request.header("user-agent"),
        concat!("Lyceum-Webhooks/", env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(request.header("webhook-signature"), SIGNATURE);
    assert_eq!(request.body, BODY);
    let sent = Received {
        id: request.header("webhook-id"),
        timestamp: request.header("webhook-timestamp"),
        signatures: request.header("webhook-signature"),
        body: &request.body,
    };
    assert_eq!(sent.id, ID);
    verify(&[SigningSecret::parse(SECRET).unwrap()], &sent, SENT_AT).unwrap();
    assert!(!request.has("traceparent"));
}

#[tokio::test]
async fn while_secrets_rotate_both_sign() {
    let receiver = Receiver::with_status("200 OK", "").await;
    let mut rotating = message(&receiver.url());
    let new = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    rotating.secrets.insert(0, new.to_owned());
    client(LOOPBACK).deliver(rotating).await;
    let [request] = receiver.requests().try_into().unwrap();
    let (first, second) = request.header("webhook-signature").split_once(' ').unwrap();
    assert!(first.starts_with("v1,") && second == SIGNATURE);
}

#[rstest]
#[case("301 Moved Permanently", 301)]
#[case("400 Bad Request", 400)]
#[case("410 Gone", 410)]
#[case("500 Internal Server Error", 500)]
#[tokio::test]
async fn what_is_no_success_is_a_refusal(#[case] line: &str, #[case] expected: u16) {
    let receiver = Receiver::with_status(line, "").await;
    let outcome = client(LOOPBACK).deliver(message(&receiver.url())).await;
    let DeliveryOutcome::Refused {
        status,
        retry_after_seconds,
        ..
    } = outcome
    else {
        panic!("{outcome:?}");
    };
    assert_eq!((status, retry_after_seconds), (expected, None));
    assert_eq!(receiver.requests().len(), 1);
}

#[tokio::test]
async fn the_headers_of_an_answer_are_handed_on() {
    let receiver = Receiver::with_status("503 Busy", "X-Served-By: node 7\r\nVia: 1.1 a\r\n").await;
    let outcome = client(LOOPBACK).deliver(message(&receiver.url())).await;
    let DeliveryOutcome::Refused { answer, .. } = outcome else {
        panic!("{outcome:?}");
    };
    let said: Vec<(&str, &str)> = answer
        .headers
        .iter()
        .map(|header| (header.name.as_str(), header.value.as_str()))
        .collect();
    for expected in [("x-served-by", "node 7"), ("via", "1.1 a")] {
        assert!(said.contains(&expected), "{said:?}");
    }
}

#[rstest]
#[case("302 Found")]
#[case("307 Temporary Redirect")]
#[case("308 Permanent Redirect")]
#[tokio::test]
async fn a_redirect_is_not_followed(#[case] line: &str) {
    let inside = Receiver::with_status("200 OK", "").await;
    let location = format!("location: {}\r\n", inside.url());
    let receiver = Receiver::with_status(line, &location).await;
    let outcome = client(LOOPBACK).deliver(message(&receiver.url())).await;
    assert!(
        matches!(
            outcome,
            DeliveryOutcome::Refused {
                status: 302..=308,
                ..
            }
        ),
        "{outcome:?}"
    );
    assert_eq!(inside.requests().len(), 0);
}

#[rstest]
#[case("120", Some(120))]
#[case("9999999", Some(86_400))]
// Two days after the message was sent, long before today.
#[case("Sat, 27 Feb 2021 15:02:10 GMT", Some(86_400))]
#[case("tomorrow", None)]
#[tokio::test]
async fn a_wish_to_wait_is_passed_on(#[case] value: &str, #[case] expected: Option<u64>) {
    let header = format!("retry-after: {value}\r\n");
    let receiver = Receiver::with_status("503 Service Unavailable", &header).await;
    let outcome = client(LOOPBACK).deliver(message(&receiver.url())).await;
    let DeliveryOutcome::Refused {
        status: 503,
        retry_after_seconds,
        ..
    } = outcome
    else {
        panic!("{outcome:?}");
    };
    assert_eq!(retry_after_seconds, expected);
}

#[rstest]
#[case::silence("")]
#[case::slow_headers("HTTP/1.1 200 OK\r\ncontent-")]
#[case::slow_body("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345")]
#[case::slow_chunks("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12345\r\n")]
#[tokio::test]
async fn a_stalled_answer_ends_at_the_deadline(#[case] sent: &'static str) {
    let receiver = Receiver::stalling_after(sent).await;
    let start = Instant::now();
    let outcome = impatient().deliver(message(&receiver.url())).await;
    assert_eq!(
        reason(outcome),
        "the receiver did not finish its answer within 300ms"
    );
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn a_dripping_answer_ends_at_the_deadline() {
    let receiver = Receiver::start(|mut stream| async move {
        let mut next = tokio::time::interval(Duration::from_millis(20));
        let head = b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n";
        let mut alive = stream.write_all(head).await;
        while alive.is_ok() {
            next.tick().await;
            alive = stream.write_all(b"x").await;
        }
    })
    .await;
    let start = Instant::now();
    let outcome = impatient().deliver(message(&receiver.url())).await;
    assert!(reason(outcome).contains("did not finish"));
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn an_endless_answer_is_cut_after_its_status_is_known() {
    let (report, mut written) = mpsc::unbounded_channel();
    let receiver = Receiver::start(move |mut stream| {
        let report = report.clone();
        async move {
            let block = vec![b'x'; 64 * 1024];
            let mut sent = 0;
            let head = b"HTTP/1.1 200 OK\r\ncontent-length: 1099511627776\r\n\r\n";
            let mut alive = stream.write_all(head).await;
            while alive.is_ok() {
                alive = stream.write_all(&block).await;
                sent += block.len();
            }
            report.send(sent).unwrap();
        }
    })
    .await;
    let outcome = client(LOOPBACK).deliver(message(&receiver.url())).await;
    assert!(
        matches!(outcome, DeliveryOutcome::Delivered { status: 200, .. }),
        "{outcome:?}"
    );
    // What was sent beyond 64 kB only filled the sockets' buffers.
    let sent = written.recv().await.unwrap();
    assert!(sent < 32 * 1024 * 1024, "{sent} bytes were taken");
}

#[rstest]
#[case::nothing("")]
#[case::no_http("SSH-2.0-OpenSSH_9.2\r\n")]
#[case::cut_headers("HTTP/1.1 200 OK\r\ncontent-")]
#[case::cut_body("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345")]
#[tokio::test]
async fn a_cut_answer_is_a_failure(#[case] sent: &str) {
    let receiver = Receiver::answering(sent).await;
    let outcome = client(LOOPBACK).deliver(message(&receiver.url())).await;
    assert_eq!(
        reason(outcome),
        "the receiver cut the connection or did not answer in HTTP"
    );
    assert_eq!(receiver.requests().len(), 1, "one attempt is one request");
}

#[tokio::test]
async fn nobody_listening_is_a_failure() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let outcome = client(LOOPBACK).deliver(message(&url)).await;
    assert_eq!(reason(outcome), "the receiver refused the connection");
}

#[tokio::test]
async fn a_receiver_without_tls_is_a_failure_of_tls() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/", listener.local_addr().unwrap());
    let answering = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream
            .write_all(
                b"HTTP/1.1 400 Bad Request

",
            )
            .await
            .unwrap();
        // Kept open until the client hangs up, so that its error is what it read.
        while stream
            .read(&mut [0; 1024])
            .await
            .is_ok_and(|count| count > 0)
        {}
    });
    let outcome = client(LOOPBACK).deliver(message(&url)).await;
    assert_eq!(
        reason(outcome),
        "no TLS connection could be made with the receiver"
    );
    answering.await.unwrap();
}

#[tokio::test]
async fn each_attempt_has_a_connection_of_its_own() {
    // Keeps its connections open and answers once on each.
    let answer = "HTTP/1.1 200 OK
content-length: 0

";
    let receiver = Receiver::stalling_after(answer).await;
    let client = client(&["127.0.0.0/8"]);
    for _ in 0..3 {
        let outcome = client.deliver(message(&receiver.url())).await;
        assert!(
            matches!(outcome, DeliveryOutcome::Delivered { .. }),
            "{outcome:?}"
        );
    }
    assert_eq!(receiver.requests().len(), 3);
}

#[rstest]
#[case::no_secret(|message: &mut WebhookMessage| message.secrets.clear())]
#[case::not_a_secret(|message: &mut WebhookMessage| message.secrets = vec!["hunter2".into()])]
#[case::not_an_id(|message: &mut WebhookMessage| message.id = "a.b".into())]
#[tokio::test]
async fn what_cannot_be_signed_is_not_sent(#[case] spoil: fn(&mut WebhookMessage)) {
    let receiver = Receiver::with_status("200 OK", "").await;
    let mut spoiled = message(&receiver.url());
    spoil(&mut spoiled);
    let reason = reason(client(LOOPBACK).deliver(spoiled).await);
    assert!(
        reason.starts_with("the message could not be signed: "),
        "{reason}"
    );
    assert!(!reason.contains("hunter2"));
    assert_eq!(receiver.requests().len(), 0);
}

/// A client that resolves every name by script and sends plain http anywhere it may.
fn scripted_client(allowed: &[&str], answers: Vec<Vec<&'static str>>) -> WebhookClient {
    let settings = WebhookSettings {
        require_https: false,
        ..settings(allowed)
    };
    WebhookClient::with_lookup(settings, &scripted(answers))
}

#[tokio::test]
async fn a_name_that_leads_inside_is_not_called() {
    let trap = Receiver::with_status("200 OK", "").await;
    let url = format!("http://rebind.test:{}/", trap.port);
    let inside = vec![
        "127.0.0.1",
        "::ffff:127.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "fe80::1",
    ];
    // Something else is listed, so that the port alone is no reason to refuse.
    let client = scripted_client(&["127.0.0.2/32"], vec![inside]);
    client.vet(&url).unwrap();
    let reason = reason(client.deliver(message(&url)).await);
    assert_eq!(
        reason,
        "the receiver's name leads to a network that must not be called this way"
    );
    assert_eq!(trap.requests().len(), 0);
}

#[tokio::test]
async fn a_name_that_changes_its_mind_is_checked_each_time() {
    let receiver = Receiver::with_status("200 OK", "").await;
    let url = format!("http://rebind.test:{}/", receiver.port);
    let answers = vec![vec!["127.0.0.1"], vec!["127.0.0.2"], vec!["127.0.0.1"]];
    let client = scripted_client(&["127.0.0.1/32"], answers);
    let first = client.deliver(message(&url)).await;
    assert!(
        matches!(first, DeliveryOutcome::Delivered { .. }),
        "{first:?}"
    );
    assert!(reason(client.deliver(message(&url)).await).contains("must not be called"));
    let third = client.deliver(message(&url)).await;
    assert!(
        matches!(third, DeliveryOutcome::Delivered { .. }),
        "{third:?}"
    );
}

#[tokio::test]
async fn of_mixed_answers_only_the_permitted_is_called() {
    let receiver = Receiver::with_status("200 OK", "").await;
    let url = format!("http://mixed.test:{}/", receiver.port);
    let answers = vec![vec!["169.254.169.254", "10.0.0.1", "127.0.0.1"]];
    let outcome = scripted_client(&["127.0.0.1/32"], answers)
        .deliver(message(&url))
        .await;
    assert!(
        matches!(outcome, DeliveryOutcome::Delivered { .. }),
        "{outcome:?}"
    );
    assert!(
        receiver.requests()[0]
            .header("host")
            .starts_with("mixed.test")
    );
}

#[rstest]
#[case::odd_port(false, "http://stranger.test:9000/")]
#[case::plain_http(true, "http://stranger.test/")]
#[tokio::test]
async fn what_is_only_for_listed_networks_does_not_reach_strangers(
    #[case] require_https: bool,
    #[case] url: &str,
) {
    let settings = WebhookSettings {
        require_https,
        ..settings(&["10.20.0.0/16"])
    };
    // A documentation range would be refused anyway; this one is public, and never connected to.
    let lookup = scripted(vec![vec!["192.0.1.1"]]);
    let client = WebhookClient::with_lookup(settings, &lookup);
    client.vet(url).unwrap();
    assert!(reason(client.deliver(message(url)).await).contains("must not be called this way"));
}

#[tokio::test]
async fn a_name_nobody_knows_is_a_failure() {
    let lookup: Lookup =
        Arc::new(|_| Box::pin(async { Err(std::io::Error::other("no such name")) }));
    let client = WebhookClient::with_lookup(WebhookSettings::default(), &lookup);
    let outcome = client.deliver(message("https://nowhere.test/")).await;
    assert_eq!(reason(outcome), "the receiver's name could not be resolved");
}

#[tokio::test]
async fn localhost_is_called_where_it_is_listed() {
    let receiver = Receiver::with_status("200 OK", "").await;
    let url = format!("http://localhost:{}/", receiver.port);
    let outcome = client(LOOPBACK).deliver(message(&url)).await;
    assert!(
        matches!(outcome, DeliveryOutcome::Delivered { .. }),
        "{outcome:?}"
    );
}
