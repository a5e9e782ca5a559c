//! Starts that cannot be: one clear line, and not the exit code of success.

use std::net::TcpListener;
use std::process::Output;

use rstest::rstest;
use support::binary::Launch;

use crate::traces::{NoTraces, VARIABLE};

/// Serves with one setting and returns the line with which that was refused.
fn refusal(name: &str, value: &str) -> String {
    let traces = NoTraces::expected();
    let process = Launch::new()
        .env(VARIABLE, traces.mark())
        .env(name, value)
        .prepare();
    only_line(&process.run::<&str>(&[]))
}

fn only_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_ne!(output.status.code(), Some(0), "it was accepted: {text}");
    assert!(
        output.status.code().is_some(),
        "it crashed: {}",
        output.status
    );
    assert!(
        output.stdout.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1, "{text}");
    assert!(lines[0].starts_with("lyceum: "), "{text}");
    lines[0].to_owned()
}

#[test]
fn a_mistyped_variable_is_refused_with_its_nearest_neighbour() {
    let line = refusal("LYCEUM_LISTN", "127.0.0.1:1");
    assert_eq!(
        line,
        "lyceum: LYCEUM_LISTN is not a setting; did you mean LYCEUM_LISTEN?"
    );
}

#[rstest]
#[case("LYCEUM_DATABASE_URL", "mysql://root@localhost/lyceum")]
#[case("LYCEUM_DATABASE_URL", "no address at all")]
#[case("LYCEUM_BOOTSTRAP_API_KEY", "lyc_not-a-key")]
#[case("LYCEUM_WEBHOOK_SCHEDULE", "soon")]
#[case("LYCEUM_PUBLIC_URL", "ftp://lyceum.example.org")]
#[case("LYCEUM_BLOBS_URL", "gopher://files")]
#[case("LYCEUM_LOG", "lyceum=[")]
fn a_value_that_cannot_be_is_refused_by_its_setting(#[case] name: &str, #[case] value: &str) {
    let line = refusal(name, value);
    assert!(line.contains(name), "{line}");
}

#[test]
fn a_database_address_that_demands_tls_is_refused_and_says_why() {
    let secret = "hunter2";
    let url = format!("postgres://lyceum:{secret}@127.0.0.1:1/lyceum?sslmode=require");
    let line = refusal("LYCEUM_DATABASE_URL", &url);
    assert!(line.contains("sslmode"), "{line}");
    assert!(!line.contains(secret), "{line}");
}

#[test]
fn a_database_that_does_not_answer_is_named_in_one_line_without_its_password() {
    // Bound and never listening to anybody else once it is dropped: nobody answers there.
    let free = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let secret = "hunter2";
    let url = format!("postgres://lyceum:{secret}@127.0.0.1:{port}/lyceum");
    let line = refusal("LYCEUM_DATABASE_URL", &url);
    assert!(line.contains("database"), "{line}");
    assert!(!line.contains(secret), "{line}");
}

#[test]
fn an_address_in_use_is_named() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let line = refusal("LYCEUM_LISTEN", &address);
    assert!(line.contains(&address), "{line}");
}
