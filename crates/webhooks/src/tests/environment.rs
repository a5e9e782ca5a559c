//! What the process's environment must not change. Each test runs a second one of this file in a
//! child process, whose environment can be set without touching ours.

use std::process::Command;

use lyceum_domain::notifying::deliveries::DeliveryOutcome;
use lyceum_ports::notifying::webhook_sink::WebhookSink;

use super::receiver::Receiver;
use super::{client, message};

/// Runs one test of this file in a child process with these variables set.
fn run_with(test: &str, variables: &[(&str, String)]) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("tests::environment::{test}")])
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_in_the_environment_is_passed_by() {
    let proxy = Receiver::with_status("502 Bad Gateway", "").await;
    let names = [
        "HTTP_PROXY",
        "http_proxy",
        "HTTPS_PROXY",
        "https_proxy",
        "ALL_PROXY",
        "all_proxy",
    ];
    let variables = names.map(|name| (name, format!("http://127.0.0.1:{}", proxy.port)));
    run_with("deliver_directly", &variables);
    assert_eq!(proxy.requests().len(), 0);
}

#[tokio::test]
async fn deliver_directly() {
    let receiver = Receiver::with_status("200 OK", "").await;
    let outcome = client(&["127.0.0.0/8"])
        .deliver(message(&receiver.url()))
        .await;
    assert!(
        matches!(outcome, DeliveryOutcome::Delivered { status: 200, .. }),
        "{outcome:?}"
    );
}

#[test]
fn a_machine_without_certificate_authorities_has_a_client() {
    let nowhere = || "/nonexistent".to_owned();
    run_with(
        "deliver_directly",
        &[("SSL_CERT_FILE", nowhere()), ("SSL_CERT_DIR", nowhere())],
    );
}
