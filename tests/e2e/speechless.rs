//! A service that nobody listens to: its output is closed, full, or read by nobody. It serves on, and stops when it is
//! told to.

use std::io::{PipeReader, PipeWriter, Read, Write};
use std::net::SocketAddr;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use lyceum_client::wait_until;
use rstest::rstest;
use support::binary::{Launch, LyceumProcess, free_address};

use crate::service::SOON;
use crate::watching::metrics;
use crate::wire::{Wire, time_to_health};

const KEY: &str = "lyc_k7Qm2Zt9-4fJx0RkP2a-Wb81LsYdTq-9uNcE5hGv3-3uyGXp";
const PATIENCE: Duration = Duration::from_secs(20);
/// What a monitor takes for alive, on a busy machine.
const ALIVE: Duration = Duration::from_secs(5);

/// A launch whose first start has nothing to show, and that says elsewhere what it counts.
fn launch() -> (Launch, SocketAddr) {
    let admin = free_address();
    let launch = Launch::new()
        .env("LYCEUM_BOOTSTRAP_API_KEY", KEY)
        .env("LYCEUM_ADMIN_ADDR", admin.to_string());
    (launch, admin)
}

/// Asks for something that is logged.
fn assert_serves(process: &LyceumProcess) {
    let request = format!(
        "GET /v1/courses HTTP/1.1\r\nHost: lyceum\r\nx-api-key: {KEY}\r\n\
         x-learning-platform-code: main\r\nConnection: close\r\n\r\n"
    );
    for _ in 0..20 {
        let mut wire = Wire::connect(process.address());
        wire.send(request.as_bytes());
        let answer = wire.answer_within(PATIENCE);
        assert_eq!(answer.status(), 200, "{answer:?}");
    }
}

/// What a scrape says of a metric without labels.
fn figure(admin: SocketAddr, name: &str) -> f64 {
    let text = metrics(admin);
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let value = line.unwrap_or_else(|| panic!("{name} is not in {text}"));
    value.trim().parse().unwrap()
}

async fn counted(admin: SocketAddr, name: &str, at_least: f64) {
    let look = || async { Ok(figure(admin, name)) };
    wait_until(SOON, look, |seen| *seen >= at_least)
        .await
        .unwrap();
}

const LOST: &str = "lyceum_log_lines_lost_total ";

#[rstest]
#[case::stdout_closed("exec >&-", false)]
#[case::stderr_closed("exec 2>&-", false)]
#[case::both_closed("exec >&- 2>&-", false)]
#[case::stdout_full("exec >/dev/full", false)]
#[case::stderr_full("exec 2>/dev/full", true)]
#[case::both_full("exec >/dev/full 2>/dev/full", true)]
#[tokio::test(flavor = "multi_thread")]
async fn a_service_needs_nobody_to_talk_to(#[case] shell: &str, #[case] loses: bool) {
    let (launch, admin) = launch();
    let mut process = launch.through(shell).start();
    assert_serves(&process);
    if loses {
        counted(admin, LOST, 20.0).await;
    }
    assert!(process.terminate().success());
    // It is no worse off for starting again.
    process.restart();
    assert_serves(&process);
    assert!(process.terminate().success());
}

/// A pipe into which nothing more fits, and a thread that sees to it until its reader is gone.
fn full_pipe() -> (PipeReader, PipeWriter) {
    let (reader, writer) = std::io::pipe().unwrap();
    let mut filling = writer.try_clone().unwrap();
    thread::spawn(move || while filling.write_all(&[b'\n'; 4096]).is_ok() {});
    (reader, writer)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pipe_that_nobody_reads_keeps_nobody_waiting() {
    let (launch, _) = launch();
    let mut process = launch.prepare();
    let (out, (log, to_log)) = (full_pipe(), full_pipe());
    process.spawn_to(out.1.into(), to_log.into());
    assert!(process.wait_until_up());
    assert_serves(&process);
    assert!(time_to_health(process.address()) < ALIVE);
    assert!(process.terminate().success());
    drop((out.0, log));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_goes_away_ends_nothing_and_lines_come_again_with_the_next() {
    let (launch, admin) = launch();
    let mut process = launch.prepare();
    let (log, to_log) = std::io::pipe().unwrap();
    process.spawn_to(Stdio::null(), to_log.into());
    assert!(process.wait_until_up());
    assert_serves(&process);
    let before = figure(admin, LOST);
    drop(log);
    assert_serves(&process);
    counted(admin, LOST, before + 20.0).await;
    assert!(time_to_health(process.address()) < ALIVE);
    assert!(process.terminate().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_logged_is_written_before_the_end() {
    let (launch, _) = launch();
    let mut process = launch.prepare();
    let (mut log, to_log) = std::io::pipe().unwrap();
    process.spawn_to(Stdio::null(), to_log.into());
    let reading = thread::spawn(move || {
        let mut text = String::new();
        log.read_to_string(&mut text).map(|_| text)
    });
    assert!(process.wait_until_up());
    assert_serves(&process);
    assert!(process.terminate().success());
    let log = reading.join().unwrap().unwrap();
    assert!(log.matches("answered").count() >= 20, "{log}");
    assert!(log.contains("stopping"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_file_to_be_had_is_a_pause_and_no_end() {
    let (launch, _) = launch();
    let launch = launch.env("LYCEUM_HEADER_TIMEOUT", "120");
    let mut process = launch.through("ulimit -n 64").start();
    let idle: Vec<Wire> = (0..150).map(|_| Wire::connect(process.address())).collect();
    let open = format!("/proc/{}/fd", process.pid().unwrap());
    let look = || async { Ok(std::fs::read_dir(&open).unwrap().count()) };
    wait_until(SOON, look, |seen| *seen >= 62).await.unwrap();
    drop(idle);
    assert!(time_to_health(process.address()) < PATIENCE);
    assert_serves(&process);
    assert!(process.terminate().success());
}

#[test]
fn a_command_whose_output_is_lost_says_so() {
    let (launch, _) = launch();
    let process = launch.through("exec >/dev/full").prepare();
    let made = process.run(&[
        "bootstrap",
        "--email",
        "o@school.example",
        "--workspace",
        "School",
        "--code",
        "school",
    ]);
    assert_eq!(made.status.code(), Some(1), "{made:?}");
    let says = String::from_utf8_lossy(&made.stderr);
    assert!(says.contains("the output could not be written"), "{says}");
}
