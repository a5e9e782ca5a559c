//! The bench runs to its end, whatever the figures are, and notices wrong answers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

const BENCH: &str = env!("CARGO_BIN_EXE_lyceum-bench");

#[test]
fn every_group_is_measured() {
    let mut bench = Command::new(BENCH);
    bench.arg("--smoke");
    if let Some(server) = std::env::var_os("LYCEUM_TEST_BINARY") {
        bench.arg("--server").arg(server);
    }
    let output = bench.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{output:?}");
    for group in [
        "GET /v1/courses/{id}",
        "POST /v1/courses",
        "by 50 keys",
        "80 % GET",
        "every 50 ms",
        "as shipped",
        "sign-ins a second by one address",
        "1 k rows",
        "the same statements in one round trip",
    ] {
        assert!(said.contains(group), "{group} is not in {said}");
    }
}

/// A server that answers with one course, whatever it is asked.
struct OneCourse {
    process: Child,
    origin: String,
}

impl OneCourse {
    fn start(folder: &Path) -> Self {
        let answer = folder.join("answer");
        std::fs::write(&answer, r#"{"id":"crs_1","object":"course"}"#).unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let process = Command::new(BENCH)
            .arg("serve-bytes")
            .arg(address.to_string())
            .arg(&answer)
            .spawn()
            .unwrap();
        while TcpStream::connect(address).is_err() {
            thread::sleep(Duration::from_millis(5));
        }
        Self {
            process,
            origin: format!("http://{address}"),
        }
    }
}

impl Drop for OneCourse {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// What the script of the load tells of a second in which this is asked for, as `path<TAB>id` lines, with so many new
/// courses of a hundred.
fn told(folder: &Path, server: &OneCourse, paths: &str, new_of_hundred: &str) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/load");
    let (asked, keys) = (folder.join("paths"), folder.join("keys"));
    std::fs::write(&asked, paths).unwrap();
    std::fs::write(&keys, "lyc_one\nlyc_two\n").unwrap();
    let output = Command::new("wrk")
        .args(["-t1", "-c4", "-d1s", "-s"])
        .arg(source.join("load.lua"))
        .args([&server.origin, "--"])
        .args([asked, keys, source.join("course.json")])
        .args(["{name}", new_of_hundred, "1"])
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn an_answer_that_nobody_waits_for_is_wrong() {
    let folder = tempfile::TempDir::new().unwrap();
    let server = OneCourse::start(folder.path());
    let right = told(folder.path(), &server, "/a\tcrs_1\n/b\tcrs_1\n", "0");
    assert!(right.contains("\"wrong\":0}"), "{right}");
    for (paths, new_of_hundred) in [("/a\tcrs_2\n", "0"), ("/a\tcrs_1\n", "50")] {
        let wrong = told(folder.path(), &server, paths, new_of_hundred);
        assert!(wrong.contains("\"wrong\":"), "{wrong}");
        assert!(!wrong.contains("\"wrong\":0}"), "{wrong}");
        assert!(
            wrong.contains("wrong, such as: 200 {\"id\":\"crs_1\""),
            "{wrong}"
        );
    }
}
